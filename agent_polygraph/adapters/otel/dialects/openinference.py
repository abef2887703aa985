"""OpenInference: openinference-semantic-conventions 0.1.42, spec/semantic_conventions.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..parts import FLAT, Part, flat_openinference, loose_messages
from . import ANY, Dialect


def _inputs(attributes: Mapping[str, Any], key: str) -> list[Part]:
    """The flat messages; a result's error bit is in the raw request alone (Anthropic)."""
    parts = flat_openinference(attributes, key)
    raw = attributes.get("input.value")
    if isinstance(raw, str) and '"is_error"' in raw:
        said = {part.call_id: part.said for part in loose_messages(attributes, "input.value")}
        for part in parts:
            if part.kind == "result" and part.said is None:
                part.said = said.get(part.call_id) or None
    return parts


FLAT.add(_inputs)

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
