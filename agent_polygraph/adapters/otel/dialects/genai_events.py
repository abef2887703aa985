"""GenAI content as one event a message: span events, or log records of the same names.

The conventions up to 1.36, and Strands Agents to this day; blocks may be Bedrock's.  A tool span's
`gen_ai.tool.message` holds its arguments and its `gen_ai.choice` what came back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..._shape import data_of, mapping, text_of
from ..parts import loose_messages
from ..span import Span
from . import Dialect

_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_WHOLE = {
    "gen_ai.content.prompt": ("gen_ai.events.inputs", "gen_ai.prompt"),
    "gen_ai.content.completion": ("gen_ai.events.outputs", "gen_ai.completion"),
}


def _folds(span: Span) -> Mapping[str, Any]:
    heard: list[Any] = []
    put_out: list[Any] = []
    found: dict[str, Any] = {}
    for name, attributes in span.events:
        if name in _ROLES:
            content = data_of(attributes.get("content"))
            heard.append(
                {
                    "role": _ROLES[name],
                    "content": content,
                    "tool_calls": attributes.get("tool_calls"),
                    "tool_call_id": attributes.get("id"),
                }
            )
            if name == "gen_ai.tool.message":
                found["gen_ai.events.arguments"] = content
                found["gen_ai.events.id"] = attributes.get("id")
        elif name == "gen_ai.choice":
            message = data_of(attributes.get("message"))
            found["gen_ai.events.result"] = message
            if isinstance(message, Mapping) and ("content" in message or "tool_calls" in message):
                put_out.append({"role": "assistant", **message})
            else:
                put_out.append({"role": "assistant", "content": message})
            found["gen_ai.events.answer"] = text_of(mapping(message).get("content", message))
        elif name in _WHOLE:
            place, key = _WHOLE[name]
            (heard if place.endswith("inputs") else put_out).append(data_of(attributes.get(key)))
    if heard:
        found["gen_ai.events.inputs"] = heard
    if put_out:
        found["gen_ai.events.outputs"] = put_out
    return found


DIALECT = Dialect(
    name="GenAI message events, Strands Agents",
    rank=70,
    call_id=("gen_ai.events.id",),
    arguments=("gen_ai.events.arguments",),
    result=("gen_ai.events.result",),
    failed={"gen_ai.tool.status": ("error",)},
    inputs=(("gen_ai.events.inputs", loose_messages),),
    outputs=(("gen_ai.events.outputs", loose_messages),),
    answers=("gen_ai.events.answer",),
    asked=("gen_ai.events.inputs",),
    folds=_folds,
)
