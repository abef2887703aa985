"""LlamaIndex: `python llama_index_runs.py openinference|genai`."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"
os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"

from _capture import TASK, TOOLS, Recorder, Script
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from llama_index.core.tools import FunctionTool

recorder = Recorder("llama_index" if sys.argv[1] == "openinference" else "llama_index_genai")
if sys.argv[1] == "openinference":
    from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
else:
    from opentelemetry.instrumentation.genai.llama_index import LlamaIndexInstrumentor
LlamaIndexInstrumentor().instrument(tracer_provider=recorder.tracer_provider)


class Scripted(FunctionCallingLLM):
    script: Any = None

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_function_calling_model=True, model_name="scripted")

    def _turn(self) -> ChatResponse:
        turn = self.script.turn()
        if isinstance(turn, str):
            return ChatResponse(message=ChatMessage(role="assistant", content=turn))
        calls = [
            ToolSelection(tool_id=call["id"], tool_name=call["name"], tool_kwargs=call["args"])
            for call in turn
        ]
        message = ChatMessage(role="assistant", content="", additional_kwargs={"tool_calls": calls})
        return ChatResponse(message=message)

    def chat(self, messages: Any, **more: Any) -> ChatResponse:
        return self._turn()

    async def achat(self, messages: Any, **more: Any) -> ChatResponse:
        return self._turn()

    async def astream_chat(self, messages: Any, **more: Any) -> Any:
        async def once() -> Any:
            yield self._turn()

        return once()

    def stream_chat(self, messages: Any, **more: Any) -> Any:
        yield self._turn()

    def complete(self, *given: Any, **more: Any) -> Any:
        raise NotImplementedError

    acomplete = stream_complete = astream_complete = complete

    def _prepare_chat_with_tools(
        self, tools: Any, user_msg: Any = None, chat_history: Any = None, **more: Any
    ) -> Any:
        return {"messages": list(chat_history or [])}

    def get_tool_calls_from_response(self, response: Any, **more: Any) -> list[ToolSelection]:
        return list(response.message.additional_kwargs.get("tool_calls", []))


def run(script: Script) -> None:
    async def go() -> None:
        tools = [FunctionTool.from_defaults(t) for t in TOOLS]
        await FunctionAgent(tools=tools, llm=Scripted(script=script), streaming=False).run(TASK)

    asyncio.run(go())


recorder.play(run)
