"""Traceloop (OpenLLMetry): `traceloop.entity.*`, and the flat messages of its older releases.

Its own spans say tool, agent, workflow or task; model spans speak the GenAI conventions.
"""

from __future__ import annotations

from ..parts import flat_chat
from . import ANY, Dialect

DIALECT = Dialect(
    name="Traceloop",
    rank=40,
    kinds={
        "traceloop.span.kind": {
            "tool": "tool",
            "agent": "agent",
            "workflow": "agent",
            "task": "chain",
            ANY: "other",
        },
        "llm.request.type": {"chat": "llm", "completion": "llm"},
    },
    tool_name=("traceloop.entity.name",),
    arguments=("traceloop.entity.input",),
    result=("traceloop.entity.output",),
    failed={"gen_ai.task.status": ("error", "failure", "failed")},
    inputs=(("gen_ai.prompt", flat_chat),),
    outputs=(("gen_ai.completion", flat_chat),),
    answers=("crewai.crew.result", "traceloop.entity.output"),
    asked=("traceloop.entity.input",),
    suffixes=(".tool",),
)
