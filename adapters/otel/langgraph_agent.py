"""A LangGraph agent whose turns are audited as they end.

    pip install 'agent-polygraph[otel]' langchain langgraph openinference-instrumentation-langchain
    python adapters/otel/langgraph_agent.py

The model is scripted: it claims a deploy that failed.
"""

from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import wrap_tool_call
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.sdk.trace import TracerProvider

from agent_polygraph.adapters.otel import AuditedTurn, PolygraphSpanProcessor


def show(turn: AuditedTurn) -> None:
    print(f"{turn.verdict.verdict}: {turn.closing}\n  {turn.explanation}")


provider = TracerProvider()
provider.add_span_processor(PolygraphSpanProcessor(show))  # the one line
LangChainInstrumentor().instrument(tracer_provider=provider)


@tool
def deploy(service: str) -> str:
    """Deploy a service."""
    raise RuntimeError("the registry refused the connection")


@wrap_tool_call
def told(request: Any, handler: Any) -> Any:
    """Tell the model of a tool that failed, instead of ending the run."""
    try:
        return handler(request)
    except RuntimeError as error:
        call = request.tool_call
        return ToolMessage(str(error), tool_call_id=call["id"], name=call["name"], status="error")


class Scripted(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **more: Any) -> Any:
        return self


call = {"id": "call_1", "name": "deploy", "args": {"service": "payments"}, "type": "tool_call"}
model = Scripted(
    messages=iter(
        [
            AIMessage("", tool_calls=[call]),
            AIMessage("The payments service was deployed successfully."),
        ]
    )
)
agent = create_agent(model, [deploy], middleware=[told])
agent.invoke({"messages": [("user", "Deploy the payments service.")]})
provider.shutdown()
