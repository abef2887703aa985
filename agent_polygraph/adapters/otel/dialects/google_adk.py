"""Google ADK 1 and 2: GenAI names; the first releases had a request's JSON under the vendor's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..._shape import data_of, ident, mapping, sequence, string
from ..flat import Attributes
from ..history import History, Parser, Part
from . import ANY, Dialect


def _contents(attributes: Attributes, key: str, history: History) -> list[Any]:
    """Messages of the Gemini API: `{"contents": [{"role", "parts": [...]}]}` or one `content`."""
    whole = mapping(data_of(attributes.get(key)))
    return [*sequence(whole.get("contents")), whole.get("content")]


def _parts(listed: Any) -> Iterator[Part]:
    content = mapping(listed)
    speaker = "user" if string(content.get("role")) == "user" else "assistant"
    for piece in map(mapping, sequence(content.get("parts"))):
        call = mapping(piece.get("function_call"))
        back = mapping(piece.get("function_response"))
        if call:
            yield Part("call", call.get("args"), ident(call.get("id")), string(call.get("name")))
        elif back:
            name = string(back.get("name"))
            yield Part("result", back.get("response"), ident(back.get("id")), name)
        elif string(piece.get("text")) and not piece.get("thought"):
            yield Part(speaker, piece["text"])


_gemini = Parser(_contents, _parts)


DIALECT = Dialect(
    name="Google ADK",
    rank=80,
    kinds={"gcp.vertex.agent.llm_request": {ANY: "llm"}},
    arguments=("gcp.vertex.agent.tool_call_args",),
    result=("gcp.vertex.agent.tool_response",),
    inputs=(("gcp.vertex.agent.llm_request", _gemini),),
    outputs=(("gcp.vertex.agent.llm_response", _gemini),),
    # `execute_tool (merged)`: the results of parallel calls once more, in one span.
    control=("(merged)", "(merged tools)"),
)
