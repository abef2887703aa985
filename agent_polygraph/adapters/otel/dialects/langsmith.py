"""LangSmith's OpenTelemetry exporter, and its runs: values are the run's own JSON.

Parents end before children here, and the type of an exception is always "Exception".
"""

from __future__ import annotations

from ..parts import loose_messages
from . import ANY, Dialect

DIALECT = Dialect(
    name="LangSmith",
    rank=50,
    kinds={
        "langsmith.span.kind": {
            "tool": "tool",
            "retriever": "tool",
            "llm": "llm",
            "chain": "chain",
            ANY: "other",
        }
    },
    arguments=("gen_ai.prompt",),
    result=("gen_ai.completion",),
    inputs=(("gen_ai.prompt", loose_messages),),
    outputs=(("gen_ai.completion", loose_messages),),
    answers=("gen_ai.completion",),
    asked=("gen_ai.prompt",),
)
