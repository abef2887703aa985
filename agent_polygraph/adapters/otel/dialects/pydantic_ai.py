"""pydantic-ai's own spans, instrumentation versions 1 to 6.

5 and 6 speak the GenAI conventions; up to 2 the tools have names of their own and no operation
name, and 1 keeps a model call's messages in one JSON list of events.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..._shape import mapping, parse_json, sequence, string
from ..parts import genai_messages, loose_messages
from ..span import Span
from . import ANY, Dialect


def _folds(span: Span) -> Mapping[str, Any]:
    heard: list[Any] = []
    put_out: list[Any] = []
    for key in ("events", "all_messages_events"):
        for event in map(mapping, sequence(parse_json(span.attributes.get(key)))):
            if string(event.get("event.name")) == "gen_ai.choice":
                put_out.append(event.get("message"))
            else:
                heard.append({"tool_call_id": event.get("id"), **event})
    found = {"pydantic_ai.inputs": heard, "pydantic_ai.outputs": put_out}
    return {key: value for key, value in found.items() if value}


DIALECT = Dialect(
    name="pydantic-ai",
    rank=30,
    kinds={
        "tool_arguments": {ANY: "tool"},
        "tool_response": {ANY: "tool"},
        "pydantic_ai.all_messages": {ANY: "agent"},
        "all_messages_events": {ANY: "agent"},
        "logfire.msg_template": {"running tool: {tool_name}": "tool"},
    },
    arguments=("tool_arguments",),
    result=("tool_response",),
    inputs=(
        ("pydantic_ai.inputs", loose_messages),
        ("pydantic_ai.all_messages", genai_messages),
    ),
    outputs=(("pydantic_ai.outputs", loose_messages),),
    answers=("final_result",),
    asked=("pydantic_ai.all_messages",),
    folds=_folds,
    prefixes=("running tool: ",),
    control=("final_result",),
)
