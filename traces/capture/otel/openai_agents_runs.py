"""The OpenAI Agents SDK: `python openai_agents_runs.py openinference|genai|traceloop`.

genai has no span of a model: its turns have no closing, and are unverifiable.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

os.environ.setdefault("OPENAI_API_KEY", "none")
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"
os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
MODE = sys.argv[1]

from _capture import TASK, TOOLS, Recorder, Script
from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_trace_processors
from agents.tracing import response_span
from openai.types.responses import (
    Response,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)


class Scripted(Model):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def get_response(
        self, system_instructions: Any, input: Any, *given: Any, **more: Any
    ) -> ModelResponse:
        turn = self.script.turn()
        output: list[Any] = []
        if isinstance(turn, str):
            text = ResponseOutputText(text=turn, type="output_text", annotations=[], logprobs=[])
            output.append(
                ResponseOutputMessage(
                    id="m", content=[text], role="assistant", status="completed", type="message"
                )
            )
        for call in [] if isinstance(turn, str) else turn:
            output.append(
                ResponseFunctionToolCall(
                    id=f"fc_{call['id']}",
                    call_id=call["id"],
                    name=call["name"],
                    arguments=json.dumps(call["args"]),
                    type="function_call",
                )
            )
        with response_span() as span:  # as the SDK's own model does
            span.span_data.response = Response(
                id="r", created_at=1.0, model="scripted", object="response", output=output,
                tool_choice="auto", tools=[], parallel_tool_calls=True,
            )  # fmt: skip
            span.span_data.input = input
        return ModelResponse(output=output, usage=Usage(), response_id="r")

    def stream_response(self, *given: Any, **more: Any) -> Any:
        raise NotImplementedError


set_trace_processors([])  # the default one calls home
recorder = Recorder("openai_agents" if MODE == "openinference" else f"openai_agents_{MODE}")
if MODE == "openinference":
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
elif MODE == "genai":
    from opentelemetry.instrumentation.genai.openai_agents import OpenAIAgentsInstrumentor
else:
    from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor
OpenAIAgentsInstrumentor().instrument(tracer_provider=recorder.tracer_provider)


def run(script: Script) -> None:
    agent = Agent(name="refunds", tools=[function_tool(t) for t in TOOLS], model=Scripted(script))
    asyncio.run(Runner.run(agent, TASK))


recorder.play(run, "unverifiable" if MODE == "genai" else "")
