"""The Vercel AI SDK's first form (`ai.*`); its second, `@ai-sdk/otel`, speaks GenAI."""

from __future__ import annotations

from ..parts import in_turn, listed_calls, loose_messages, plain_answer
from . import Dialect

_OPERATIONS = {
    f"ai.{name}{inner}": "llm" if inner else "agent"
    for name in ("generateText", "streamText", "generateObject", "streamObject")
    for inner in ("", ".doGenerate", ".doStream")
}

DIALECT = Dialect(
    name="Vercel AI SDK",
    rank=35,
    kinds={"ai.operationId": {"ai.toolCall": "tool", **_OPERATIONS}},
    tool_name=("ai.toolCall.name",),
    call_id=("ai.toolCall.id",),
    arguments=("ai.toolCall.args",),
    result=("ai.toolCall.result",),
    inputs=(("ai.prompt.messages", loose_messages),),
    outputs=(
        (
            "ai.response.text",
            in_turn(("ai.response.text", plain_answer), ("ai.response.toolCalls", listed_calls)),
        ),
        ("ai.response.toolCalls", listed_calls),
    ),
    answers=("ai.response.text", "ai.response.object"),
    asked=("ai.prompt",),
)
