"""Wrappers that frameworks put around arguments and results.

One table of functions, each of which knows one wrapper and returns None for anything else; they
are tried in turn until none fits, since wrappers lie in wrappers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .._shape import (
    bit,
    data_of,
    first,
    ident,
    is_mapping,
    mapping,
    status_bit,
    text_of,
)
from .parts import messages_in

_LAYERS = 6


@dataclass(slots=True)
class Wrapped:
    """What a result is once its wrappers are off.  said: the wrapper's word that it failed."""

    content: Any = None
    said: bool | None = None
    call_id: str = ""


Envelope = Callable[[Any], "Wrapped | None"]


def unwrap_result(value: Any) -> Wrapped:
    """A tool's result without its wrappers; JSON text and Python reprs become containers."""
    # A wrapper that says "no error" says that nothing was raised, which is no bit.
    found = Wrapped(_data(value))
    for _ in range(_LAYERS):
        inner = _opened(found.content)
        if inner is None:
            break
        found = Wrapped(
            _data(inner.content),
            found.said or inner.said or None,
            found.call_id or inner.call_id,
        )
    return found


def _opened(value: Any) -> Wrapped | None:
    """One wrapper less; None where there is none."""
    if isinstance(value, str):
        return None
    for envelope in ENVELOPES:
        inner = envelope(value)
        if inner is not None:
            return inner
    return None


def _data(value: Any) -> Any:
    data = data_of(value)
    if isinstance(data, str) and len(data) > 1 and data[0] == data[-1] == '"':
        try:  # a string that was logged as JSON
            inner = json.loads(data)
        except (ValueError, RecursionError):
            return data
        return data_of(inner) if isinstance(inner, str) else data
    return data


def _only(value: Any, *keys: str) -> bool:
    return is_mapping(value) and value.keys() == set(keys)


def _llama_index(value: Any) -> Wrapped | None:
    """`{"blocks", "raw_output", "is_error"}`."""
    if not (is_mapping(value) and "raw_output" in value and "blocks" in value):
        return None
    raw = value["raw_output"]
    content = text_of(value["blocks"]) if raw is None or raw == "" else raw
    return Wrapped(content, bit(value.get("is_error")))


def _mcp(value: Any) -> Wrapped | None:
    """`{"content": [...], "isError"}`."""
    if not (is_mapping(value) and "content" in value):
        return None
    if not ("isError" in value or "is_error" in value):
        return None
    return Wrapped(value["content"], bit(value.get("isError"), value.get("is_error")))


def _bedrock(value: Any) -> Wrapped | None:
    """`{"toolUseId", "status", "content": [...]}`."""
    inner = mapping(value.get("toolResult")) if _only(value, "toolResult") else mapping(value)
    if not ("toolUseId" in inner and "content" in inner):
        return None
    return Wrapped(inner["content"], status_bit(inner.get("status")), ident(inner["toolUseId"]))


def _text_parts(value: Any) -> Wrapped | None:
    """`[{"text": ...}]`, `[{"json": ...}]`."""
    if not (isinstance(value, list) and value):
        return None
    if all(_only(part, "text") for part in value):
        return Wrapped("\n".join(str(part["text"]) for part in value))
    return Wrapped(value[0]["json"]) if len(value) == 1 and _only(value[0], "json") else None


def _answered(value: Any) -> Wrapped | None:
    """`{"id", "name", "response": ...}`: a function response of the Gemini API."""
    if is_mapping(value) and "response" in value and "name" in value and len(value) <= 6:
        return Wrapped(value["response"], None, ident(value.get("id")))
    return None


def _alone(value: Any) -> Wrapped | None:
    """`{"result": ...}`, `{"output": ...}`, and `{"error": ...}` for a failure."""
    if not (is_mapping(value) and len(value) == 1):
        return None
    ((key, inner),) = value.items()
    if key in ("result", "output", "tool_response"):
        return Wrapped(inner)
    return Wrapped(inner, True) if key == "error" and inner else None


def _typed(value: Any) -> Wrapped | None:
    """`{"type": "text", "value": ...}` of the AI SDK; the type of a failure is `error-...`."""
    kind = value.get("type") if _only(value, "type", "value") else None
    if kind in ("text", "json", "content", "error-text", "error-json"):
        return Wrapped(value["value"], True if kind.startswith("error") else None)
    if is_mapping(value) and value.get("type") in ("tool-result", "tool-error"):
        failed = value["type"] == "tool-error"
        inner = first(value, "output", "error", "result")
        return Wrapped(inner, True if failed else None, ident(value.get("toolCallId")))
    return None


def _tool_message(value: Any) -> Wrapped | None:
    """LangChain's ToolMessage, alone or in a command."""
    if not isinstance(value, (dict, list)):
        return None
    messages = [part for part in messages_in(value) if part.kind == "result"]
    if len(messages) != 1 or not messages[0].call_id:
        return None
    only = messages[0]
    return Wrapped(only.value, only.said, only.call_id)


ENVELOPES: tuple[Envelope, ...] = (
    _llama_index,
    _mcp,
    _bedrock,
    _text_parts,
    _answered,
    _typed,
    _tool_message,
    _alone,
)


def unwrap_arguments(value: Any) -> Any:
    """A call's arguments without the `{"args": [], "kwargs": {}}` that some frameworks log."""
    data = data_of(value)
    if is_mapping(data) and is_mapping(data.get("kwargs")):
        positional = data.get("args")
        if not positional:
            return data["kwargs"]
        return {**data["kwargs"], "args": positional}
    return data
