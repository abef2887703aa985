"""Langfuse's SDK and its observations; `level` ERROR is its error bit."""

from __future__ import annotations

from ..parts import loose_messages
from . import ANY, Dialect

DIALECT = Dialect(
    name="Langfuse",
    rank=60,
    kinds={
        "langfuse.observation.type": {
            "tool": "tool",
            "retriever": "tool",
            "generation": "llm",
            "agent": "agent",
            "chain": "chain",
            "span": "chain",
            ANY: "other",
        }
    },
    arguments=("langfuse.observation.input",),
    result=("langfuse.observation.output",),
    failed={"langfuse.observation.level": ("error",)},
    inputs=(("langfuse.observation.input", loose_messages),),
    outputs=(("langfuse.observation.output", loose_messages),),
    answers=("langfuse.observation.output",),
    asked=("langfuse.observation.input",),
)
