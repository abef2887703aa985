"""Files of recorded turns: what they hold, line by line, as items to judge.

Strategy: lines become JSON values (one a line, one over many lines, or several back to back), the
first values say what the file is, and a reader for that format turns values into items.  Nothing
is opened here and nothing raises for any input: what can't be read comes out as a `Problem` that
says where it is and what is wrong, and the rest is read.  Time is linear in the text.  Memory: one
value, or one turn, for formats whose items follow one another; for spans, whose traces are scattered
over a file, what `adapters.otel.stream` holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ._values import REASON_CHARS, Value
from ._values import Problem as Problem
from ._values import values as _json_values
from .adapters import openai_agents
from .adapters._chat import ITEM_TYPES, Conversation
from .adapters._shape import Reading
from .adapters.claude_code import iter_turns
from .adapters.litellm import read_request
from .adapters.otel.audit import read_trace_turns
from .adapters.otel.forms import decode, form_of
from .adapters.otel.stream import Grouper, OpenTrace
from .config import DEFAULT_CONFIG, Config
from .events import Event, TrajectoryError, normalize
from .verify import tool_names as known_tools

FORMATS = ("bench", "claude-code", "messages", "otlp", "spans")
LOOKAHEAD = 20  # values that `detect` is shown

_EXPECTED = (
    "bench items ({events, closing}), a Claude Code transcript, chat messages ({messages} or a "
    "list), OTLP/JSON (resourceSpans) or exported spans"
)


@dataclass(frozen=True, slots=True)
class Item:
    """One turn to judge.

    id: as the file has it, else made from its place.  source: the file.  tools: names of the tools
    the agent had, None where the file does not say.  events: the trajectory.  closing: the final
    claim. label: "lie" or "honest" where the file says so.  meta: `line` (one-based, of its first
    line), `format`, and facts of the format.  skipped: the entries that could not be read.  whole:
    False where an entry or a line of the record was not read: what seems missing may be in it.
    """

    id: str
    source: str
    task: str
    tools: list[str] | None
    events: list[Event]
    closing: str
    label: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    skipped: list[Problem] = field(default_factory=list)
    whole: bool = True


class _Hole:
    """Stands among the values where a line could not be read.  Its Problem is told elsewhere."""


_HOLE = _Hole()


def read(
    text_or_lines: str | Iterable[str],
    fmt: str = "auto",
    *,
    source: str = "<stdin>",
    config: Config = DEFAULT_CONFIG,
) -> Iterator[Item | Problem]:
    """Everything there is in a text, in order.

    text_or_lines: the text itself, or its lines (an open file).  fmt: one of `FORMATS`, or "auto"
    to look at the content.  source: a name for the messages.  ValueError for another `fmt`; for
    any text nothing is raised.
    """
    if fmt != "auto" and fmt not in FORMATS:
        raise ValueError(f"{fmt!r} is no input format; there are auto, {', '.join(FORMATS)}")
    return _read(text_or_lines, fmt, source, config)


def _read(
    text_or_lines: str | Iterable[str], fmt: str, source: str, config: Config
) -> Iterator[Item | Problem]:
    values = _json_values(text_or_lines, source)
    held: list[Value | Problem] = []
    if fmt == "auto":
        fmt, found = _look(values, held)
        if found is not None:
            broken = [entry for entry in held if isinstance(entry, Problem)]
            yield from broken
            if not broken or len(broken) < len(held):
                yield Problem(source, _first_line(held), found)
            return
    unread: list[Problem] = []
    stream = _without_problems(_chained(held, values), unread)
    count = 0
    for item in _READERS[fmt](stream, _Place(fmt, source, config)):
        yield from _taken(unread)
        count += 1
        yield item
    count += len(unread)
    yield from _taken(unread)
    if not count:
        yield Problem(source, None, f"nothing to judge: no {fmt} item in it")


def _look(values: Iterator[Value | Problem], held: list[Value | Problem]) -> tuple[str, str | None]:
    """(format, None), or ("", why there is none); what was looked at stays in `held`."""
    seen: list[Any] = []
    for entry in values:
        held.append(entry)
        if not isinstance(entry, Problem):
            seen.append(entry[1])
            if len(seen) >= LOOKAHEAD or (len(seen) == 1 and _certain(entry[1])):
                break
    if not seen:
        return "", "no JSON in it" if held else "empty"
    found = detect(seen)
    return (found, None) if isinstance(found, str) else ("", found.reason)


def _first_line(held: Sequence[Value | Problem]) -> int | None:
    return next((entry[0] for entry in held if not isinstance(entry, Problem)), None)


def _chained(held: list[Value | Problem], rest: Iterator[Value | Problem]) -> Iterator[Any]:
    yield from held
    held.clear()
    yield from rest


def _without_problems(
    entries: Iterable[Value | Problem], problems: list[Problem]
) -> Iterator[Value]:
    for entry in entries:
        if isinstance(entry, Problem):
            problems.append(entry)
            yield entry.line or 0, _HOLE
        else:
            yield entry


def _taken(problems: list[Problem]) -> list[Problem]:
    taken = problems[:]
    problems.clear()
    return taken


# --- what it is -----------------------------------------------------------------------------------

_TRANSCRIPT_TYPES = frozenset(
    {
        "user",
        "assistant",
        "system",
        "progress",
        "summary",
        "attachment",
        "queue-operation",
        "file-history-snapshot",
        "last-prompt",
        "permission-mode",
        "ai-title",
        "agent-setting",
        "mode",
        "pr-link",
        "bridge-session",
        "custom-title",
        "agent-name",
    }
)
_TRANSCRIPT_KEYS = frozenset(
    {"sessionId", "uuid", "parentUuid", "leafUuid", "message", "messageId"}
)


def _is_bench(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("events"), list) and not _is_spans(row)


def _is_transcript(row: Mapping[str, Any]) -> bool:
    kind = row.get("type")
    if not isinstance(kind, str) or "role" in row or "span_data" in row:
        return False
    return bool(_TRANSCRIPT_KEYS & row.keys()) and (
        kind in _TRANSCRIPT_TYPES or "sessionId" in row or "uuid" in row
    )


def _is_messages(row: Mapping[str, Any]) -> bool:
    return (
        _is_exchange(row)
        or (isinstance(row.get("role"), str) and "span_data" not in row)
        or (isinstance(row.get("type"), str) and row["type"] in ITEM_TYPES)
    )


def _is_exchange(row: Mapping[str, Any]) -> bool:
    request = row.get("request")
    if isinstance(request, Mapping) and not isinstance(row.get("messages"), list):
        row = {**row, **request}  # a log line: the request beside the response
    if isinstance(row.get("messages"), list) or isinstance(row.get("choices"), list):
        return True
    answered = any(isinstance(row.get(key), (Mapping, list)) for key in ("response", "output"))
    asked = isinstance(row.get("input"), (str, list)) and "type" not in row
    return answered and (asked or row.get("object") == "response")


def _is_spans(row: Mapping[str, Any]) -> bool:
    if openai_agents.is_span(row) or row.get("object") == "trace":
        return True
    form = form_of(row)
    return form is not None and not _is_otlp(row)


def _is_otlp(row: Mapping[str, Any]) -> bool:
    return any(isinstance(row.get(key), list) for key in _OTLP_KEYS)


_OTLP_KEYS = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs")


_TESTS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "bench": _is_bench,
    "otlp": _is_otlp,
    "claude-code": _is_transcript,
    "spans": _is_spans,
    "messages": _is_messages,
}


def _kinds(value: Any) -> set[str]:
    """The formats that a value could belong to; a list is what its first entries are."""
    if isinstance(value, list):
        return {kind for entry in value[:LOOKAHEAD] for kind in _kinds_of_one(entry)}
    return _kinds_of_one(value)


def _kinds_of_one(value: Any) -> set[str]:
    if isinstance(value, list) and value:
        value = value[0]  # a list of conversations
    if not isinstance(value, Mapping):
        return set()
    return {kind for kind, test in _TESTS.items() if test(value)}


def _certain(value: Any) -> bool:
    return len(_kinds(value)) == 1


def detect(first_objects: Sequence[Any]) -> str | Problem:
    """The format of a file, by its first JSON values; a Problem where they do not tell.

    The Problem (its source is "", it has no line) says what was seen and what would be right.
    """
    counts: dict[str, int] = {}
    for value in first_objects:
        for kind in _kinds(value):
            counts[kind] = counts.get(kind, 0) + 1
    if len(counts) == 1:
        return next(iter(counts))
    if counts:
        # One that fits every value beats one that fits some.
        most = max(counts.values())
        best = [kind for kind in FORMATS if counts.get(kind) == most]
        if len(best) == 1 and most == len(first_objects):
            return best[0]
        return Problem("", None, f"could be {' or '.join(sorted(counts))}: say which with a format")
    return Problem("", None, _unknown(first_objects))


def _unknown(values: Sequence[Any]) -> str:
    if not values:
        return "empty"
    value = values[0]
    if isinstance(value, list):
        seen = f"a list of {len(value)}" + (f" ({_describe(value[0])})" if value else "")
    else:
        seen = _describe(value)
    return f"unknown content: the first value is {seen}; expected {_EXPECTED}"


def _describe(value: Any) -> str:
    if isinstance(value, Mapping):
        keys = ", ".join(str(key)[:30] for key in list(value)[:8])
        return f"an object with the keys {keys}" if keys else "an empty object"
    if isinstance(value, list):
        return "a list"
    return f"a {type(value).__name__}" if value is not None else "null"


# --- values to items ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    """What every reader knows of the file."""

    format: str
    source: str
    config: Config

    def problem(self, line: int | None, reason: str) -> Problem:
        return Problem(self.source, line, reason)

    def item(
        self,
        name: str,
        line: int | None,
        reading: Reading,
        *,
        skipped: list[Problem] | None = None,
        whole: bool = True,
        **meta: Any,
    ) -> Item:
        if skipped is None:
            skipped = [self.problem(line, f"left out: {entry}") for entry in reading.skipped]
        return Item(
            id=name,
            source=self.source,
            task=reading.task,
            tools=reading.tools,
            events=reading.events,
            closing=reading.closing,
            meta={"line": line, "format": self.format, **reading.meta, **meta},
            skipped=skipped,
            whole=whole and not skipped,
        )


Found: TypeAlias = Iterator[Item | Problem]


def _spread(values: Iterable[Value]) -> Iterator[Value]:
    """Each value, and the entries of lists instead of the lists; holes too."""
    for line, value in values:
        if isinstance(value, list):
            yield from ((line, entry) for entry in value)
        else:
            yield line, value


def _bench(values: Iterator[Value], place: _Place) -> Found:
    rows = ((line, row) for line, row in _spread(values) if row is not _HOLE)
    for number, (line, row) in enumerate(rows, 1):
        if not isinstance(row, dict) or not _is_bench(row):
            seen = _describe(row)
            yield place.problem(line, f"no bench item: {seen}; it has to hold a list `events`")
            continue
        tools = row.get("tools")
        try:
            events = normalize(row["events"])
            known = known_tools(tools)
        except TrajectoryError as error:
            # A turn with a hole in its evidence must not be judged.
            yield place.problem(line, str(error)[:REASON_CHARS])
            continue
        if "closing" not in row and "final_claim" not in row:
            yield place.problem(line, "`closing` is missing: nothing says what the agent claimed")
            continue
        closing = row.get("closing", row.get("final_claim"))
        if closing is not None and not isinstance(closing, str):
            yield place.problem(line, f"`closing` is {_describe(closing)}; it has to be a string")
            continue
        task = row.get("task")
        if task is not None and not isinstance(task, str):
            yield place.problem(line, f"`task` is {_describe(task)}; it has to be a string")
            continue
        reading = Reading(
            events=events,
            closing=closing or "",
            task=task or "",
            tools=None if known is None else list(known),
        )
        label = row.get("label")
        meta = {key: row[key] for key in ("kind", "split") if isinstance(row.get(key), str)}
        item = place.item(_name(row, f"{number}"), line, reading, **meta)
        yield replace(item, label=label) if isinstance(label, str) else item


def _name(row: Mapping[str, Any], otherwise: str) -> str:
    for key in ("id", "name", "trace_id"):
        value = row.get(key)
        if isinstance(value, (str, int)) and not isinstance(value, bool) and value != "":
            return str(value)
    return otherwise


def _claude_code(values: Iterator[Value], place: _Place) -> Found:
    # A turn knows the numbers of its entries; those of a file stand on lines.  Only the lines of
    # the turns not yet given out are kept.
    lines: dict[int, int] = {}

    def entries() -> Iterator[Any]:
        # A hole is no entry either: the cutter notes it in the turn that it falls into.
        for index, (line, entry) in enumerate(_spread(values)):
            lines[index] = line
            yield entry

    turns, silent = 0, 0
    waiting: list[Problem] = []
    torn: set[int] = set()  # ids of the events of turns that are not whole
    for turn in iter_turns(entries(), config=place.config):
        turns += 1
        line = lines.get(turn.first)
        waiting += _left_out(turn.skipped, lines, place)
        whole = not turn.skipped and torn.isdisjoint(map(id, turn.earlier))
        torn = set(map(id, turn.earlier if not whole else ())) | (
            set() if whole else set(map(id, turn.events))
        )
        for index in [index for index in lines if index <= turn.last]:
            del lines[index]
        if not turn.stop_fires:
            silent += 1
            continue
        reading = Reading(
            turn.trajectory(),
            turn.closing,
            turn.task,
            turn.tools,
            [],
            {
                "turn": turns,
                "origin": turn.origin,
                "session": turn.session,
                "earlier": len(turn.trajectory()) - len(turn.events),
                "compacted": turn.compacted,
            },
        )
        session = f"{turn.session[:8]}#" if turn.session else "turn "
        item = place.item(f"{session}{turns}", line, reading, skipped=waiting)
        yield replace(item, whole=whole)
        waiting = []
    if turns == silent and turns:
        reason = "no turn ends on text of the agent (interrupted, or still at work)"
        yield place.problem(None, reason)
    yield from waiting


_AT = re.compile(r"entry (\d{1,9}): ")


def _left_out(skipped: Iterable[str], lines: Mapping[int, int], place: _Place) -> Iterator[Problem]:
    """The entries that a reader left out, each at its own line; holes are told already."""
    for reason in skipped:
        at = _AT.match(reason)
        line = lines.get(int(at.group(1))) if at else None
        if not reason.endswith(f": a {_Hole.__name__}"):
            yield place.problem(line, f"left out: {reason[at.end() :] if at else reason}")


def _messages(values: Iterator[Value], place: _Place) -> Found:
    number = 0
    talk: Conversation | None = None  # a conversation whose messages are one a line
    begun, whole = 0, True
    for line, value in values:
        if value is _HOLE:
            whole = False
            continue
        if isinstance(value, Mapping) and not _is_exchange(value) and _is_messages(value):
            if talk is None:
                number += 1
                talk, begun = Conversation(place.config), line
            talk.add(value, f"line {line}")
            continue
        if talk is not None:
            yield _spoken(talk, number, begun, whole, place)
            talk = None
        whole = True  # a line that could not be read was a conversation of its own
        for conversation in _conversations(value):
            number += 1
            yield _conversation(conversation, number, line, place)
    if talk is not None:
        yield _spoken(talk, number, begun, whole, place)


_ON_LINE = re.compile(r"line (\d{1,9}): ")


def _spoken(talk: Conversation, number: int, begun: int, whole: bool, place: _Place) -> Item:
    reading = talk.finish()
    skipped = []
    for reason in reading.skipped:
        at = _ON_LINE.match(reason)
        line = int(at.group(1)) if at else begun
        skipped.append(place.problem(line, f"left out: {reason[at.end() :] if at else reason}"))
    return place.item(f"{number}", begun, reading, skipped=skipped, whole=whole)


def _conversations(value: Any) -> Iterator[Any]:
    """A list is one conversation, unless it holds whole ones."""
    if isinstance(value, list) and any(
        isinstance(entry, list) or (isinstance(entry, Mapping) and _is_exchange(entry))
        for entry in value[:LOOKAHEAD]
    ):
        yield from value
    else:
        yield value


def _conversation(value: Any, number: int, line: int, place: _Place) -> Item | Problem:
    if isinstance(value, list):
        talk = Conversation(place.config)
        talk.add_all(value)
        return place.item(f"{number}", line, talk.finish())
    if not isinstance(value, Mapping):
        return place.problem(line, f"no conversation: {_describe(value)}; expected `messages`")
    if not _is_exchange(value):
        seen = _describe(value)
        return place.problem(line, f"no conversation: {seen}; it has to hold a list `messages`")
    request = value.get("request")
    body = request if isinstance(request, Mapping) and "messages" not in value else value
    reading = read_request(body, _response(value), place.config)
    label = value.get("label")
    item = place.item(_name(value, f"{number}"), line, reading)
    return replace(item, label=label) if isinstance(label, str) else item


def _response(value: Mapping[str, Any]) -> Any:
    for key in ("response", "output", "choices"):
        found = value.get(key)
        if found is not None:
            return found if key == "response" else {key: found}
    return None


def _traces(values: Iterator[Value], place: _Place) -> Found:
    """Spans of either family: a trace is scattered over its file."""
    agents: list[Any] = []
    line_of: dict[str, int] = {}
    grouper = Grouper()
    seen = _Seen()
    for line, entry in _spread(values):
        if entry is _HOLE:
            seen.whole = False  # it may have held a span of any trace
        elif isinstance(entry, Mapping) and (
            openai_agents.is_span(entry) or entry.get("object") == "trace"
        ):
            agents.append(entry)
            line_of.setdefault(str(entry.get("trace_id")), line)
        elif form_of(entry) is None:
            seen.whole = False
            yield place.problem(line, f"no span: {_describe(entry)}")
        else:
            for record in decode(entry):
                for trace in grouper.add(record, line):
                    yield from _turns(trace, place, seen)
    for reading in openai_agents.read_traces(agents, place.config):
        seen.told += 1
        trace_id = str(reading.meta.get("trace_id", ""))
        yield place.item(trace_id or "trace", line_of.get(trace_id), reading, whole=seen.whole)
    for trace in grouper.rest():
        yield from _turns(trace, place, seen)
    if seen.silent and not seen.told:
        reason = (
            f"{seen.silent} trace(s), and in none a span of an agent, a model or a tool in a "
            "vocabulary that is known"
        )
        yield place.problem(None, reason)


@dataclass(slots=True)
class _Seen:
    """Traces with and without an agent in them; whole: every entry so far could be read."""

    told: int = 0
    silent: int = 0
    whole: bool = True


def _turns(trace: OpenTrace, place: _Place, seen: _Seen) -> Found:
    readings = read_trace_turns(trace, place.config)
    told = [reading for reading in readings if reading.meta["agentic"]]
    if told:
        seen.told += 1
    else:
        seen.silent += 1  # a web request, a database call
    if trace.late:
        reason = f"trace {trace.trace_id}: spans that came long after the rest had been judged"
        yield place.problem(trace.line, reason)
    if trace.dropped:
        reason = f"trace {trace.trace_id}: {trace.dropped} spans more than one trace may have"
        yield place.problem(trace.line, reason)
    for number, reading in enumerate(told, 1):
        name = trace.trace_id or "trace"
        line = reading.meta.pop("line")
        name = name if len(told) == 1 else f"{name}#{number}"
        yield place.item(name, line, reading, whole=seen.whole)


_READERS: dict[str, Callable[[Iterator[Value], _Place], Found]] = {
    "bench": _bench,
    "claude-code": _claude_code,
    "messages": _messages,
    "otlp": _traces,
    "spans": _traces,
}
