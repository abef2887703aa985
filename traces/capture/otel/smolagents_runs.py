"""smolagents under OpenInference: `python smolagents_runs.py`."""

from __future__ import annotations

import json
from typing import Any

from _capture import TASK, TOOLS, Recorder, Script
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from smolagents import ToolCallingAgent, tool
from smolagents.models import (
    ChatMessage,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
    Model,
)


class Scripted(Model):
    def __init__(self, script: Script) -> None:
        super().__init__(model_id="scripted")
        self.script = script

    def generate(self, messages: Any, **more: Any) -> ChatMessage:
        turn = self.script.turn()
        if isinstance(turn, str):
            turn = [{"id": "call_end", "name": "final_answer", "args": {"answer": turn}}]
        calls = [
            ChatMessageToolCall(
                id=call["id"],
                type="function",
                function=ChatMessageToolCallFunction(name=call["name"], arguments=call["args"]),
            )
            for call in turn
        ]
        return ChatMessage(
            role=MessageRole.ASSISTANT, content="", tool_calls=calls, raw=json.dumps(turn)
        )


recorder = Recorder("smolagents")
SmolagentsInstrumentor().instrument(tracer_provider=recorder.tracer_provider)


def run(script: Script) -> None:
    tools = [tool(t) for t in TOOLS]
    ToolCallingAgent(tools=tools, model=Scripted(script), verbosity_level=0).run(TASK)


recorder.play(run)
