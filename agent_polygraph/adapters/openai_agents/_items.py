"""The items of a run as a trajectory: `RunItem` objects, their JSON, or plain input items.

An output item keeps the tool's value in `output` and what went to the model in `raw_item`.  The
value says more (a dict is a dict and not its repr), except where the raw item has fields of its
own: shell outcomes, a patch's status.  An agent that ran as a tool shows only its last words here,
and those are no evidence: its call is marked as handed over.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ...config import Config
from ...events import Event, ToolCall
from .._chat import Conversation
from .._shape import (
    Reading,
    as_text,
    content_of,
    entries_of,
    field_of,
    ident,
    parse_json,
    plain,
    string,
)
from ._texts import sdk_result

_AGENT_TOOL = "agent_as_tool"
# Run items that ask for something and wrap a call which has an item of its own.
_SILENT = frozenset(
    {"tool_approval_item", "mcp_approval_request_item", "mcp_approval_response_item"}
)
# Raw outputs with a status or outcomes of their own.
_TELLING_OUTPUTS = frozenset(
    {"shell_call_output", "local_shell_call_output", "apply_patch_call_output"}
)


class RunConversation(Conversation):
    """A conversation that knows the SDK's own texts, wrapped items, and work handed over."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        # Our ids of the calls that started another agent whose run was not seen.
        self.handed: set[str] = set()
        self.asked: dict[str, tuple[str, Any]] = {}  # our id -> name and arguments

    def settle(self, own: str, content: Any, said: bool | None) -> None:
        """The result of the call with our id `own`."""
        self._answered.add(own)
        self.reading.events.append(sdk_result(own, content, said, self.config))

    def add_item(self, entry: Any, where: str) -> None:
        """One item of any of the shapes, wrapped or raw."""
        before = len(self.names)
        raw = field_of(entry, "raw_item") or entry
        if type(raw) is not dict and getattr(raw, "type", None) == "function_call":
            # By far the most frequent object, and a dump of it takes ten times as long.
            self.call(ident(raw.call_id), string(raw.name), raw.arguments)
        else:
            item = unwrapped(entry)
            if item is None:
                return
            self.add(item, where)
        if _origin(entry) == _AGENT_TOOL and len(self.names) > before:
            self.handed.add(next(reversed(self.names)))

    def call(self, call_id: str, name: str, arguments: Any) -> str:
        """A call; returns the id it has in the trajectory, which no other call has."""
        own = super().call(call_id, name, arguments)
        self.asked[own] = (name, arguments)
        return own

    def waiting(self, call_id: str, name: str, arguments: Any) -> str:
        """Our id of a call of the host's id that has no result, "" where none waits.

        Where several wait that a model gave one id, the one that was asked for just this.
        """
        waiting = [own for own in self._by_id.get(call_id, ()) if own not in self._answered]
        if len(waiting) > 1:
            same = [own for own in waiting if self.asked[own] == (name, arguments)]
            waiting = same or [own for own in waiting if self.asked[own][0] == name] or waiting
        return waiting[0] if waiting else ""

    def waiting_for(self, name: str) -> str:
        """Our id of the oldest call of that name that has no result, "" where none has none."""
        named = (own for own, known in self.names.items() if known == name)
        return next((own for own in named if own not in self._answered), "")

    def finish(self) -> Reading:
        """The whole reading, with the calls that handed work over marked as such."""
        reading = super().finish()
        reading.closing = closing_of(reading.closing)
        if self.handed:
            reading.events = [self._marked(event) for event in reading.events]
        return reading

    def _marked(self, event: Event) -> Event:
        """A call that handed work over as what it is: a brief, whatever its tool is named."""
        if not isinstance(event, ToolCall) or event.call_id not in self.handed:
            return event
        brief = f"brief: {as_text(event.arguments)}"
        return ToolCall(event.call_id, f"subagent: {event.name}", brief)


def with_error(content: Any, error: str) -> Any:
    """A result's text with the real error, where the text keeps it back."""
    text = content_of(content)
    if not isinstance(text, str) or not error or error in text:
        return content
    return f"{text}\n{error}".strip()


def _origin(entry: Any) -> str:
    """What kind of tool a run item says it is of, "" where it does not say."""
    kind = field_of(field_of(entry, "tool_origin"), "type")
    return string(getattr(kind, "value", kind))


def unwrapped(entry: Any) -> dict[str, Any] | None:
    """A run item as the plain item it wraps; None for what is no words, call or result."""
    raw = field_of(entry, "raw_item")
    if raw is None:
        item = plain(entry)
        return item if isinstance(item, dict) else {"type": type(entry).__name__}
    kind = string(field_of(entry, "type"))
    if kind in _SILENT:
        return None
    known = plain(raw)
    if not isinstance(known, dict):
        return {"type": kind}
    item = dict(known)
    if kind == "tool_call_output_item":
        _add_value(item, field_of(entry, "output"))
        extra = plain(field_of(entry, "custom_data"))
        if isinstance(extra, dict) and extra:
            item["custom_data"] = extra
    return item


def _add_value(item: dict[str, Any], value: Any) -> None:
    if string(item.get("type")) in _TELLING_OUTPUTS or value is None:
        return
    item["output"] = plain(value)


def snapshot(value: Any) -> Any:
    """A tool's value as it is now: the tool may go on changing the object it returned."""
    return value if isinstance(value, str) else deepcopy(plain(value))


def read_items(items: Any, final_output: Any, config: Config) -> Reading:
    """Items of a run, and its final output where the caller has it, as a `Reading`.  O(items)."""
    talk = RunConversation(config)
    for index, entry in entries_of(items):
        talk.add_item(entry, f"item {index}")
    reading = talk.finish()
    if final_output is not None:
        reading.closing = claim_of(final_output)
    return reading


# --- the final output -----------------------------------------------------------------------------

_CLAIM_CHARS = 200_000


def closing_of(text: str) -> str:
    """What a final text says: where it is a JSON object with prose in it, that prose."""
    value = parse_json(text)
    return (claim_of(value) or text) if isinstance(value, dict) else text


def claim_of(output: Any) -> str:
    """What a final output says: the text itself, or of a structured one the fields that are prose.

    A field is prose where it holds more than one word (or is not ASCII): ids, enum values, numbers
    and links claim nothing in words.  Each field stands on a line of its own.
    """
    if isinstance(output, str):
        return output
    lines: list[str] = []
    room = _CLAIM_CHARS
    stack = [plain(output)]
    while stack and room > 0:
        value = stack.pop()
        if isinstance(value, str):
            text = value.strip()
            if text and not (text.isascii() and len(text.split(None, 1)) == 1):
                lines.append(text)
                room -= len(text)
        elif isinstance(value, dict):
            stack += reversed(list(value.values()))
        elif isinstance(value, list):
            stack += reversed(value)
    return "\n".join(lines)
