"""Semantic Kernel: `python semantic_kernel_runs.py`."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS"] = "true"
os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE"] = "true"

from _capture import TASK, TOOLS, Recorder, Script
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.chat_completion_client_base import ChatCompletionClientBase
from semantic_kernel.contents import ChatMessageContent, FunctionCallContent, TextContent
from semantic_kernel.contents.utils.author_role import AuthorRole
from semantic_kernel.functions import kernel_function

recorder = Recorder("semantic_kernel")


class Scripted(ChatCompletionClientBase):
    SUPPORTS_FUNCTION_CALLING = True
    script: Any = None

    def get_prompt_execution_settings_class(self) -> Any:
        from semantic_kernel.connectors.ai.open_ai import OpenAIChatPromptExecutionSettings

        return OpenAIChatPromptExecutionSettings

    def _update_function_choice_settings_callback(self) -> Any:
        return lambda *given, **more: None

    def _set_tool_config(self, *given: Any, **more: Any) -> None: ...

    async def _inner_get_chat_message_contents(self, chat_history: Any, settings: Any) -> list[Any]:
        turn = self.script.turn()
        items = (
            [TextContent(text=turn)]
            if isinstance(turn, str)
            else [
                FunctionCallContent(
                    id=call["id"],
                    name=f"Shop-{call['name']}",
                    plugin_name="Shop",
                    function_name=call["name"],
                    arguments=json.dumps(call["args"]),
                )
                for call in turn
            ]
        )
        return [ChatMessageContent(role=AuthorRole.ASSISTANT, items=items, ai_model_id="scripted")]


class Shop:
    """The tools as a plugin."""


for each in TOOLS:
    setattr(Shop, each.__name__, staticmethod(kernel_function(each)))


def run(script: Script) -> None:
    service = Scripted(ai_model_id="scripted", service_id="scripted")
    service.script = script
    agent = ChatCompletionAgent(
        service=service, name="refunds", instructions="Refund.", plugins=[Shop()]
    )
    asyncio.run(agent.get_response(messages=TASK))


recorder.play(run)
