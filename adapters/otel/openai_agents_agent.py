"""An agent of the OpenAI Agents SDK whose turns are audited as they end.

    pip install 'agent-polygraph[otel]' openai-agents openinference-instrumentation-openai-agents
    python adapters/otel/openai_agents_agent.py

The model is scripted: it claims a deploy that failed.
"""

import asyncio
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_trace_processors
from agents.tracing import response_span
from openai.types.responses import (
    Response,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
from opentelemetry.sdk.trace import TracerProvider

from agent_polygraph.adapters.otel import AuditedTurn, PolygraphSpanProcessor


def show(turn: AuditedTurn) -> None:
    print(f"{turn.verdict.verdict}: {turn.closing}\n  {turn.explanation}")


set_trace_processors([])  # the default one sends traces to OpenAI
provider = TracerProvider()
provider.add_span_processor(PolygraphSpanProcessor(show))  # the one line
OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)


@function_tool
def deploy(service: str) -> str:
    """Deploy a service."""
    raise RuntimeError("the registry refused the connection")


CALL = ResponseFunctionToolCall(
    call_id="call_1", name="deploy", arguments='{"service": "payments"}', type="function_call"
)
CLAIM = ResponseOutputMessage(
    id="m",
    content=[
        ResponseOutputText(
            text="The payments service was deployed successfully.",
            type="output_text",
            annotations=[],
        )
    ],
    role="assistant",
    status="completed",
    type="message",
)


class Scripted(Model):
    script: list[Any] = [CALL, CLAIM]  # noqa: RUF012

    async def get_response(
        self, system_instructions: Any, input: Any, *a: Any, **k: Any
    ) -> ModelResponse:
        output = [self.script.pop(0)]
        with response_span() as span:  # as the SDK's own models do
            span.span_data.input = input
            span.span_data.response = Response(
                id="r", created_at=1.0, model="scripted", object="response", output=output,
                tool_choice="auto", tools=[], parallel_tool_calls=True,
            )  # fmt: skip
        return ModelResponse(output=output, usage=Usage(), response_id="r")

    def stream_response(self, *a: Any, **k: Any) -> Any:
        raise NotImplementedError


agent = Agent(name="ops", tools=[deploy], model=Scripted())
asyncio.run(Runner.run(agent, "Deploy the payments service."))
provider.shutdown()
