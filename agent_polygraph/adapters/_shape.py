"""What all readers share: reading loose JSON without ever raising.

A host's records are written by models, tools and other people's code, so every value may have any
shape.  The functions here take any value and return one of a known type; whoever calls them needs
no `isinstance` of its own.  All are linear in the value and bounded in depth.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeGuard

from ..config import Config
from ..events import Event, Message, ToolCall, ToolResult
from ..plain import plain as plain  # the readers take it from here
from ..verdict import Verdict
from ._unseen import settled

# What a guard says where a fault of its own may have cost it evidence.
GUARD_FAULT = Verdict("unverifiable", confidence=0.7, flags=("guard_fault",))
# The flag on a verdict, and the reason, where an entry of the record could not be read.
NOT_READ = ("entries_not_read", "an entry of the record could not be read")
_LITERAL_CHARS = 200_000
_SNIFFED_CHARS = 1_500
_NO_MAPPINGS = frozenset({str, list, type(None), int, float, bool})
_JSON = json.JSONDecoder(strict=False)  # control characters inside strings are taken as they are

# Keys of a content part that hold its text, in the order in which they are tried.
_TEXT_KEYS = ("text", "content", "output_text", "refusal", "summary_text")
# Parts that are no words of anybody.
_SILENT_PARTS = frozenset({"thinking", "redacted_thinking", "reasoning"})


@dataclass(slots=True)
class Reading:
    """What a reader found: one turn.

    events: the trajectory.  closing: the final claim, "" where the turn has none.  task: what was
    asked.  tools: names the agent could call, None where the record does not say.  skipped: one
    line for each entry that could not be read.  meta: facts of the host that are no events.
    """

    events: list[Event] = field(default_factory=list)
    closing: str = ""
    task: str = ""
    tools: list[str] | None = None
    skipped: list[str] = field(default_factory=list)
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def triple(self) -> tuple[list[Event], str, str]:
        """The shape that `from_*` functions return: (trajectory, final_claim, task)."""
        return self.events, self.closing, self.task

    def judged(self, final_claim: str | None, task: str | None, config: Config) -> Verdict:
        """The verdict on it; what the caller knows better goes before what was recorded."""
        from ..verify import verify

        verdict = verify(
            self.events,
            self.closing if final_claim is None else final_claim,
            self.task if task is None else task,
            tools=self.tools,
            config=config,
        )
        unseen = self.meta.get("unseen", ())
        if final_claim is not None:
            unseen = [reason for reason in unseen if reason != "closing_not_recorded"]
        verdict = settled(verdict, unseen)
        return verdict.withheld(*NOT_READ) if self.skipped else verdict


def is_mapping(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """True for a mapping."""
    kind = type(value)  # asking an abstract class costs, and this is asked everywhere
    return kind is dict or (kind not in _NO_MAPPINGS and isinstance(value, Mapping))


def mapping(value: Any) -> Mapping[str, Any]:
    """`value` where it is a mapping, else an empty one."""
    if type(value) is dict:
        return value
    return value if is_mapping(value) else {}


def sequence(value: Any) -> Sequence[Any]:
    """`value` where it is a list or tuple, else an empty one."""
    if type(value) is list:
        return value
    return value if isinstance(value, (list, tuple)) else ()


def field_of(entry: Any, key: str) -> Any:
    """A field of a mapping, or of an object as the SDKs have them; None where there is none."""
    if type(entry) is dict or isinstance(entry, Mapping):
        return entry.get(key)
    return getattr(entry, key, None)


def string(value: Any) -> str:
    """`value` where it is a string, else ""."""
    return value if isinstance(value, str) else ""


def ident(value: Any) -> str:
    """An id as text: strings and whole numbers; "" for anything else."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def first(source: Mapping[str, Any], *keys: str) -> Any:
    """The first value under `keys` that is there and not None."""
    for key in keys:
        value = source.get(key)
        if value is not None:
            return value
    return None


def dumps(value: Any) -> str:
    """`value` as JSON text; its `str` where that can't be."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, TypeError, RecursionError):
        return "" if isinstance(value, (dict, list)) else str(value)


def text_of(value: Any, depth: int = 8) -> str:
    """The words in a message's content: a string, a part, or a list of parts."""
    if isinstance(value, str):
        return value
    if depth <= 0:
        return ""
    if is_mapping(value):
        if string(value.get("type")) in _SILENT_PARTS:
            return ""
        for key in _TEXT_KEYS:
            if value.get(key) is not None:
                return text_of(value[key], depth - 1)
        return ""
    return "\n".join(filter(None, (text_of(part, depth - 1) for part in sequence(value))))


def content_of(value: Any) -> Any:
    """The content of a result: text where it is text or text parts, else the JSON value itself."""
    if value is None:
        return ""
    if is_mapping(value) and value.get("type") in ("text", "input_text", "output_text"):
        return text_of(value)
    if isinstance(value, (list, tuple)) and value and all(map(_is_part, value)):
        return "\n".join(_part_text(part) for part in value)
    return value


def _is_part(part: Any) -> bool:
    return isinstance(part, str) or (
        isinstance(part, Mapping) and isinstance(part.get("type"), str) and not _is_record(part)
    )


def _is_record(part: Mapping[str, Any]) -> bool:
    # `{"type": "invoice", "total": 5}` is data; a content part carries its own kind of payload.
    return not (
        any(key in part for key in ("text", "content", "source", "image_url", "file", "data"))
        or str(part.get("type")).endswith(("image", "file", "audio", "reference"))
    )


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    return text_of(part) or f"[{part.get('type')}]"


def as_text(value: Any) -> str:
    """Any content as text, JSON dumped where it is no text."""
    found = content_of(value)
    return found if isinstance(found, str) else dumps(found)


def parse_json(text: Any) -> Any:
    """The JSON container that `text` holds; None where it holds none."""
    if not isinstance(text, str) or text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return _JSON.decode(text)
    except (ValueError, RecursionError):
        return None


def parse_literal(text: str) -> Any:
    """The dict or list that `text` is the Python repr of; None where it is none.

    Several hosts export `str(value)` of a result.  Bounded, since the parser of Python is not meant
    for hostile text.
    """
    head = text.lstrip()[:1]
    if head not in ("{", "[") or len(text) > _LITERAL_CHARS or "'" not in text:
        return None
    if text.count("{") + text.count("[") + text.count("(") > 2_000:
        return None
    import ast  # costs more than the rest of this module

    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None
    return plain(value) if isinstance(value, (dict, list)) else None


def data_of(value: Any) -> Any:
    """A result given as JSON text or Python repr as the container it is; else unchanged."""
    if not isinstance(value, str):
        return value
    found = parse_json(value)
    if found is None:
        found = parse_literal(value)
    return value if found is None else found


def bit(*values: Any) -> bool | None:
    """The first value that is a truth value; None where none is."""
    return next((value for value in values if isinstance(value, bool)), None)


FAILED_STATUS = frozenset({"error", "failed", "failure", "incomplete"})


def status_bit(status: Any) -> bool | None:
    """True where a host's own status field says failed; None otherwise (done is not yet well)."""
    return True if isinstance(status, str) and status.lower() in FAILED_STATUS else None


@lru_cache(maxsize=64)
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


def sniffed(content: Any, config: Config) -> bool:
    """True where the head of a result reads as a failure by `config.error_patterns`."""
    if not config.error_sniff or not isinstance(content, str):
        return False
    head = content[:_SNIFFED_CHARS]
    return any(pattern.search(head) for pattern in _compiled(config.error_patterns))


def marked_cut(content: Any, config: Config) -> bool:
    """True where one of `config.extra_truncation_markers` is in a result."""
    if not config.extra_truncation_markers or not isinstance(content, str):
        return False
    for marker in config.extra_truncation_markers:
        if isinstance(marker, str) and marker and marker in content:
            return True
        if isinstance(marker, re.Pattern) and marker.search(content):
            return True
    return False


def result(
    call_id: str,
    content: Any,
    is_error: bool | None,
    config: Config,
    *,
    truncated: bool = False,
    sniff: bool = True,
) -> ToolResult:
    """A ToolResult whose bit comes from the host; only where it gives none, from the text."""
    content = content_of(content)
    by_text = is_error is None and sniff and sniffed(content, config)
    inferred = not truncated and marked_cut(content, config)
    return ToolResult(
        call_id,
        content,
        True if by_text else is_error,
        truncated or inferred,
        by_text,
        inferred,
    )


def tool_names(value: Any) -> list[str]:
    """Names in a list of tool definitions, in any of the hosts' shapes; in order, once each."""
    return list(dict.fromkeys(filter(None, (_tool_name(tool) for tool in sequence(value)))))


def _tool_name(tool: Any) -> str:
    if isinstance(tool, str):
        return tool
    known = mapping(tool)
    for inner in (known, mapping(known.get("function")), mapping(known.get("toolSpec"))):
        name = first(inner, "name", "tool_name")
        if isinstance(name, str):
            return name
    return ""


def handoff_tool(agent: str) -> str:
    """The name of the tool that hands over to an agent, as the OpenAI Agents SDK builds it."""
    return "transfer_to_" + re.sub(r"[^a-zA-Z0-9]", "_", agent).lower()


def without_lone_request(events: list[Event]) -> list[Event]:
    """`events` without the opening request, where that is the only one: it is the task.

    With more than one request the user's messages stay: they tell the turns apart, and what came
    before the last of them is context.
    """
    asked = [i for i, e in enumerate(events) if isinstance(e, Message) and e.role == "user"]
    if asked == [0]:
        return events[1:]
    return events


def entries_of(value: Any) -> Iterator[tuple[int, Any]]:
    """(index, entry) of whatever was passed as a list of entries; nothing for anything else."""
    if isinstance(value, (str, bytes, Mapping)) or value is None:
        return iter(())
    try:
        return enumerate(value)
    except TypeError:
        return iter(())


def unpaired(events: Sequence[Event]) -> list[str]:
    """Ids of calls without a result and of results without a call."""
    calls = {event.call_id for event in events if isinstance(event, ToolCall)}
    results = {event.call_id for event in events if isinstance(event, ToolResult)}
    return sorted(calls ^ results)
