"""OpenInference: openinference-semantic-conventions 0.1.42, spec/semantic_conventions.md."""

from __future__ import annotations

from ..flat import Attributes, Row
from ..history import History, Parser
from ..parts import flat_openinference, loose_messages, with_raw
from . import ANY, Dialect


def _rows(attributes: Attributes, key: str, history: History) -> list[Row]:
    """The flat messages; a result's error bit is in the raw request alone (Anthropic)."""
    return with_raw(history.rows(attributes, key), attributes, "input.value")


_inputs = Parser(_rows, flat_openinference.parts, flat=True)

DIALECT = Dialect(
    name="OpenInference",
    rank=10,
    kinds={
        "openinference.span.kind": {
            "TOOL": "tool",
            "RETRIEVER": "tool",
            "LLM": "llm",
            "AGENT": "agent",
            "CHAIN": "chain",
            ANY: "other",  # GUARDRAIL, EVALUATOR, EMBEDDING: none of the agent's doings
        }
    },
    tool_name=("tool.name", "tool_call.function.name"),
    call_id=("tool_call.id", "tool.id", "tool.call_id"),
    arguments=("input.value", "tool_call.function.arguments"),
    result=("output.value",),
    inputs=(("llm.input_messages", _inputs), ("input.value", loose_messages)),
    outputs=(("llm.output_messages", flat_openinference), ("output.value", loose_messages)),
    answers=("output.value",),
    asked=("input.value",),
    tools=("llm.tools", "smolagents.tools_names"),
    suffixes=(".run", ".tool", ".__call__", ".call", ".acall"),
    control=("final_answer", "finish"),  # of smolagents and DSPy
)
