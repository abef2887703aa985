"""LangChain and LangGraph: `python langchain_runs.py MODE`.

MODE: openinference, genai, genai-events, genai-off, traceloop, langfuse, langsmith.
"""

from __future__ import annotations

import os
import sys
from typing import Any

MODE = sys.argv[1]
if MODE.startswith("genai"):
    capture = {"genai": "SPAN_ONLY", "genai-events": "EVENT_ONLY"}.get(MODE, "NO_CONTENT")
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = capture
    os.environ["OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT"] = "true"
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
if MODE == "langsmith":
    os.environ.update(LANGSMITH_TRACING="true", LANGSMITH_OTEL_ENABLED="true")
    os.environ.update(LANGSMITH_OTEL_ONLY="true", LANGSMITH_API_KEY="none")

from _capture import TASK, TOOLS, Recorder, Script
from langchain.agents import create_agent
from langchain.agents.middleware import wrap_tool_call
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool
from langchain_core.tracers.langchain import wait_for_all_tracers
from langsmith.run_trees import get_cached_client


class Scripted(BaseChatModel):
    script: Any
    model_name: str = "scripted"

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **more: Any) -> Any:
        return self

    def _generate(
        self, messages: Any, stop: Any = None, run_manager: Any = None, **more: Any
    ) -> ChatResult:
        turn = self.script.turn()
        message = (
            AIMessage(turn)
            if isinstance(turn, str)
            else AIMessage("", tool_calls=[{**call, "type": "tool_call"} for call in turn])
        )
        return ChatResult(generations=[ChatGeneration(message=message)])


@wrap_tool_call
def told(request: Any, handler: Any) -> Any:
    """A tool that raises is told to the model."""
    try:
        return handler(request)
    except RuntimeError as error:
        call = request.tool_call
        return ToolMessage(
            f"Failed: {error}", tool_call_id=call["id"], name=call["name"], status="error"
        )


callbacks: list[Any] = []


def run(script: Script) -> None:
    tools = [StructuredTool.from_function(tool) for tool in TOOLS]
    agent = create_agent(Scripted(script=script), tools, middleware=[told], name="refunds")
    agent.invoke({"messages": [("user", TASK)]}, {"callbacks": callbacks})
    if MODE == "langsmith":  # its spans end on a thread of its own
        wait_for_all_tracers()
        get_cached_client().flush()


names = {"openinference": "langchain", "genai": "langchain_genai", "genai-events": "langchain_genai_events",
         "genai-off": "langchain_genai_off"}  # fmt: skip
recorder = Recorder(names.get(MODE, f"langchain_{MODE}"))
provider = recorder.tracer_provider
if MODE == "openinference":
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument(tracer_provider=provider)
elif MODE.startswith("genai"):
    from opentelemetry.instrumentation.genai.langchain import LangChainInstrumentor as Official

    Official().instrument(tracer_provider=provider, logger_provider=recorder.logger_provider)
elif MODE == "traceloop":
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    LangchainInstrumentor().instrument(tracer_provider=provider)
elif MODE == "langfuse":
    from langfuse import Langfuse
    from langfuse.langchain import CallbackHandler

    Langfuse(
        public_key="none", secret_key="none", tracer_provider=provider, host="http://127.0.0.1:9"
    )
    callbacks.append(CallbackHandler(public_key="none"))
recorder.play(run, "unverifiable" if MODE == "genai-off" else "")
