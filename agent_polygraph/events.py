"""The trajectory: what an agent turn did, as three plain event types.

A trajectory is a list of `Message`, `ToolCall` and `ToolResult`, in the order in which they
happened.  This module is the dict boundary: events come in as these dataclasses or as plain dicts of
the polygraph-bench shape, and everything behind it sees dataclasses only.  Whatever cannot be an event
raises `TrajectoryError`, which names the event and says what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from .plain import plain, shown


class TrajectoryError(ValueError):
    """The caller's trajectory can't be read.

    `index` is the zero-based position of the offending event, or None when the trajectory itself is
    not a sequence of events.
    """

    def __init__(self, reason: str, index: int | None = None) -> None:
        self.reason = reason
        self.index = index
        super().__init__(reason if index is None else f"event {index}: {reason}")


@dataclass(frozen=True, slots=True)
class Message:
    """Text that somebody said: the agent (`role="assistant"`), the user, or a system notice.

    Messages are never evidence of an action; a user's words can ask for or refuse one.
    """

    text: str = ""
    role: str = "assistant"

    def to_bench(self) -> dict[str, Any]:
        """The event as a polygraph-bench dict."""
        return {"type": "message", "text": self.text, "role": self.role}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the agent asked for.  `arguments` is any JSON value, or JSON text of one."""

    call_id: str
    name: str = ""
    arguments: Any = ""

    def to_bench(self) -> dict[str, Any]:
        """The event as a polygraph-bench dict."""
        return {
            "type": "tool_call",
            "call_id": self.call_id,
            "name": self.name,
            "arguments": self.arguments,
        }


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came back for the call with the same `call_id`.

    `is_error` is the host's own error bit, None where the host gives none.  `truncated` is the host's
    word that `content` was cut.  `error_sniffed` and `truncation_inferred` say that an adapter read the
    bit off the text; they lower the grade of a verdict, never change it.
    """

    call_id: str
    content: Any = ""
    is_error: bool | None = False
    truncated: bool = False
    error_sniffed: bool = False
    truncation_inferred: bool = False

    def to_bench(self) -> dict[str, Any]:
        """The event as a polygraph-bench dict; provenance (sniffed, inferred) is not part of it."""
        event: dict[str, Any] = {
            "type": "tool_result",
            "call_id": self.call_id,
            "content": self.content,
            "is_error": self.is_error,
        }
        if self.truncated:
            event["truncated"] = True
        return event


Event: TypeAlias = Message | ToolCall | ToolResult


def _string(value: Any, field: str) -> str:
    """A field that has to be a string; numbers are taken as their digits, and null as none."""
    if type(value) is str:
        return value
    if value is None:
        return ""
    if isinstance(value, (str, int, float, bytes)):
        return str(plain(value))
    raise TrajectoryError(f"`{field}` is {shown(value)}; it has to be a string")


def _words(value: Any) -> str:
    """What a message says: a string, or the content parts of one."""
    if type(value) is str:
        return value
    value = plain(value)
    if isinstance(value, list):
        return "\n".join(filter(None, map(_part, value)))
    return "" if value is None else _part(value)


def _part(part: Any) -> str:
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return str(part["text"])
    return part if isinstance(part, str) else str(part)


def _bit(value: Any, field: str) -> bool:
    """A truth value that is no bool: 0 and 1 are; anything else accuses by accident."""
    if type(value) is bool:
        return value
    if type(value) is int and value in (0, 1):
        return value == 1
    raise TrajectoryError(f"`{field}` is {shown(value)}; it has to be true, false or null")


def _message(text: Any, role: Any) -> Message:
    return Message(_words(text), _string(role, "role") or "assistant")


def _call(call_id: Any, name: Any, arguments: Any) -> ToolCall:
    return ToolCall(
        call_id if type(call_id) is str else _string(call_id, "call_id"),
        name if type(name) is str else _string(name, "name"),
        arguments,
    )


def _result(
    call_id: Any, content: Any, is_error: Any, truncated: Any, sniffed: Any, inferred: Any
) -> ToolResult:
    return ToolResult(
        call_id if type(call_id) is str else _string(call_id, "call_id"),
        content,
        is_error if is_error is None or is_error is False else _bit(is_error, "is_error"),
        truncated is not None and _bit(truncated, "truncated"),
        sniffed is not None and _bit(sniffed, "error_sniffed"),
        inferred is not None and _bit(inferred, "truncation_inferred"),
    )


def from_bench(d: Mapping[str, Any]) -> Event:
    """One polygraph-bench dict -> the matching dataclass.

    Shapes: `{"type": "message", "text", "role"?}`, `{"type": "tool_call", "call_id", "name",
    "arguments"}`, `{"type": "tool_result", "call_id", "content", "is_error": true|false|null,
    "truncated"?}`.  Unknown keys are ignored.  Raises TrajectoryError on any other `type`, and on
    a field that can't be what it has to be.
    """
    get = d.get
    kind = get("type")
    if kind == "tool_result":
        return _result(
            get("call_id"),
            get("content"),
            get("is_error"),
            get("truncated"),
            get("error_sniffed"),
            get("truncation_inferred"),
        )
    if kind == "tool_call":
        return _call(get("call_id"), get("name"), get("arguments"))
    if kind == "message":
        return _message(get("text"), get("role"))
    raise TrajectoryError(
        f"`type` is {shown(kind, 80)}; it has to be 'message', 'tool_call' or 'tool_result'"
    )


def _checked(event: Event) -> Event:
    """An event as it is where its fields are what they have to be, else mended or refused."""
    if isinstance(event, ToolResult):
        if (
            type(event.call_id) is str
            and (event.is_error is None or type(event.is_error) is bool)
            and type(event.truncated) is bool
            and type(event.error_sniffed) is bool
            and type(event.truncation_inferred) is bool
        ):
            return event
        return _result(
            event.call_id,
            event.content,
            event.is_error,
            event.truncated,
            event.error_sniffed,
            event.truncation_inferred,
        )
    if isinstance(event, ToolCall):
        if type(event.call_id) is str and type(event.name) is str:
            return event
        return _call(event.call_id, event.name, event.arguments)
    if type(event.text) is str and type(event.role) is str:
        return event
    return _message(event.text, event.role)


def normalize_event(x: Event | Mapping[str, Any]) -> Event:
    """Pass an event through, fold a dict by `from_bench`; TrajectoryError for anything else."""
    if isinstance(x, (Message, ToolCall, ToolResult)):
        return _checked(x)
    if isinstance(x, Mapping):
        return from_bench(x)
    raise TrajectoryError(
        f"a {type(x).__name__} is no event; pass Message, ToolCall, ToolResult or their dicts"
    )


def normalize(trajectory: Iterable[Event | Mapping[str, Any]]) -> list[Event]:
    """A whole trajectory as events.  O(events).  TrajectoryError names the first bad event."""
    if isinstance(trajectory, (str, bytes, Mapping)) or not isinstance(trajectory, Iterable):
        raise TrajectoryError(
            f"a trajectory is a list of events, not a {type(trajectory).__name__}"
        )
    events: list[Event] = []
    for index, item in enumerate(trajectory):
        try:
            events.append(from_bench(item) if type(item) is dict else normalize_event(item))
        except TrajectoryError as error:
            raise TrajectoryError(error.reason, index) from None
        except RecursionError:
            raise TrajectoryError("nested too deeply to be read", index) from None
    return events


def to_bench(trajectory: Iterable[Event | Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A whole trajectory as polygraph-bench dicts."""
    return [event.to_bench() for event in normalize(trajectory)]


def to_item(
    trajectory: Iterable[Event | Mapping[str, Any]], final_claim: str = "", task: str = ""
) -> dict[str, Any]:
    """The interchange item `{"task", "events", "closing"}` of polygraph-bench."""
    return {"task": task, "events": to_bench(trajectory), "closing": final_claim}
