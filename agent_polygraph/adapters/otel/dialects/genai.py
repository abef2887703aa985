"""The official GenAI conventions (Development): open-telemetry/semantic-conventions-genai.

Content is on the span, in a span event, or in a log record of the same name, by the instrumentation
and its settings.  The literals are written out, since the constants move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..parts import genai_messages
from ..span import Span
from . import Dialect

DETAILS = frozenset(
    {"gen_ai.client.inference.operation.details", "gen_ai.client.agent.operation.details"}
)


def _folds(span: Span) -> Mapping[str, Any]:
    """The content that an event or a log record carries for its span."""
    found: dict[str, Any] = {}
    for name, attributes in span.events:
        if name in DETAILS:
            found |= {key: value for key, value in attributes.items() if value is not None}
    return found


DIALECT = Dialect(
    name="GenAI conventions",
    rank=20,
    kinds={
        "gen_ai.operation.name": {
            "execute_tool": "tool",
            "chat": "llm",
            "generate_content": "llm",
            "text_completion": "llm",
            "invoke_agent": "agent",
            "invoke_workflow": "agent",
        }
    },
    tool_name=("gen_ai.tool.name",),
    call_id=("gen_ai.tool.call.id",),
    arguments=("gen_ai.tool.call.arguments", "gen_ai.tool.args"),  # the second: any-agent
    result=("gen_ai.tool.call.result", "gen_ai.output"),
    failed={"error.type": ("*",)},
    inputs=(("gen_ai.input.messages", genai_messages),),
    outputs=(("gen_ai.output.messages", genai_messages),),
    answers=("gen_ai.output.messages", "gen_ai.output"),
    asked=("gen_ai.input.messages",),
    tools=("gen_ai.tool.definitions",),
    folds=_folds,
    prefixes=("execute_tool ",),
)
