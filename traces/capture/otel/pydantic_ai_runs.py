"""pydantic-ai: `python pydantic_ai_runs.py 2|5|6|openinference`."""

from __future__ import annotations

import sys
from typing import Any

from _capture import TASK, TOOLS, Recorder, Script
from pydantic_ai import Agent, ModelRetry, Tool
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.instrumented import InstrumentationSettings

MODE = sys.argv[1]
names = {"5": "pydantic_ai", "openinference": "pydantic_ai_openinference"}
recorder = Recorder(names.get(MODE, f"pydantic_ai_v{MODE}"))
version: dict[str, Any] = {"version": int(MODE)} if MODE.isdigit() else {}
if MODE == "openinference":
    from openinference.instrumentation.pydantic_ai import OpenInferenceSpanProcessor

    found = recorder.tracer_provider._active_span_processor
    found._span_processors = (OpenInferenceSpanProcessor(), *found._span_processors)
Agent.instrument_all(InstrumentationSettings(tracer_provider=recorder.tracer_provider, **version))


def told(function: Any) -> Any:
    """A tool that raises asks for another try, as pydantic-ai wants it."""
    import functools

    @functools.wraps(function)
    def call(**given: Any) -> Any:
        try:
            return function(**given)
        except RuntimeError as error:
            raise ModelRetry(str(error)) from error

    return call


def run(script: Script) -> None:
    def model(messages: Any, info: Any) -> ModelResponse:
        turn = script.turn()
        if isinstance(turn, str):
            return ModelResponse(parts=[TextPart(turn)])
        return ModelResponse(
            parts=[ToolCallPart(c["name"], c["args"], tool_call_id=c["id"]) for c in turn]
        )

    tools = [Tool(told(t), max_retries=3) for t in TOOLS]
    Agent(FunctionModel(model), name="refunds", tools=tools).run_sync(TASK)


recorder.play(run)
