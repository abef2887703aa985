"""Semantic Kernel: GenAI names, results as Python reprs, operations of its connectors."""

from __future__ import annotations

from . import Dialect

DIALECT = Dialect(
    name="Semantic Kernel",
    rank=90,
    kinds={
        "gen_ai.operation.name": {
            "chat.completions": "llm",
            "chat.streaming_completions": "llm",
            "text.completions": "llm",
            "text.streaming_completions": "llm",
        }
    },
    answers=("gen_ai.agent.invocation_output",),
    asked=("gen_ai.agent.invocation_input",),
)
