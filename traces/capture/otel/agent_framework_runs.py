"""Microsoft Agent Framework: `python agent_framework_runs.py native|openinference`."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

os.environ["ENABLE_INSTRUMENTATION"] = os.environ["ENABLE_SENSITIVE_DATA"] = "true"

from _capture import TASK, TOOLS, Recorder, Script
from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    Message,
    tool,
)
from agent_framework.observability import ChatTelemetryLayer, enable_instrumentation


class Scripted(FunctionInvocationLayer, ChatTelemetryLayer, BaseChatClient):
    def __init__(self, script: Script) -> None:
        super().__init__()
        self.script = script

    async def _inner_get_response(
        self, *, messages: Any, stream: bool = False, options: Any, **more: Any
    ) -> Any:
        turn = self.script.turn()
        contents = (
            [Content.from_text(turn)]
            if isinstance(turn, str)
            else [
                Content.from_function_call(call["id"], call["name"], arguments=call["args"])
                for call in turn
            ]
        )
        return ChatResponse(messages=[Message("assistant", contents)], model="scripted")


recorder = Recorder(
    "agent_framework" if sys.argv[1] == "native" else "agent_framework_openinference"
)
enable_instrumentation(enable_sensitive_data=True)
if sys.argv[1] != "native":
    from openinference.instrumentation.agent_framework import AgentFrameworkToOpenInferenceProcessor

    found = recorder.tracer_provider._active_span_processor
    found._span_processors = (AgentFrameworkToOpenInferenceProcessor(), *found._span_processors)


def run(script: Script) -> None:
    agent = Agent(
        Scripted(script), "You refund orders.", name="refunds", tools=[tool(t) for t in TOOLS]
    )
    asyncio.run(agent.run(TASK))


recorder.play(run)
