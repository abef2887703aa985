"""Exported spans as a trajectory.

Strategy: group the spans by trace and read the last trace.  Calls come from function and handoff
spans; what those leave out (ids, calls without a span, hosted tools, the final text) comes from
the inputs and outputs of generation spans.  A call and a function span are one and the same when
name and arguments agree, in order.  Events are put in order of time: a call when its span starts,
its result when it ends, so that a nested run stands inside the call that started it.

The bits: the span's own `error`; then the fields of shell, patch and hosted items; then constant
texts of the SDK and `config.error_patterns` (`error_sniffed`).  A span without an error proves
nothing: a default timeout, an error dict and an MCP `isError` leave none.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...config import DEFAULT_CONFIG, Config
from ...events import Event, Message, ToolCall, ToolResult
from .._chat import (
    ITEM_TYPES,
    Conversation,
    add_response,
    arguments_key,
    shell_bit,
    shell_text,
)
from .._shape import (
    Reading,
    as_text,
    bit,
    content_of,
    data_of,
    entries_of,
    handoff_tool,
    ident,
    mapping,
    plain,
    result,
    sequence,
    string,
    text_of,
    tool_names,
)
from .._time import nanoseconds
from ._items import closing_of, read_items
from ._texts import error_text, sdk_result

Span = Mapping[str, Any]


def read_trace(trace_export: Any, config: Config = DEFAULT_CONFIG) -> Reading:
    """The last trace of an export, as a `Reading`."""
    last = Reading()
    skipped: list[str] = []
    for reading in read_traces(trace_export, config):
        last = reading
        skipped += reading.skipped
    last.skipped = skipped
    return last


def read_traces(trace_export: Any, config: Config = DEFAULT_CONFIG) -> Iterator[Reading]:
    """Each trace of an export as a `Reading`, in order of their first span."""
    traces: dict[str, list[Span]] = {}
    items: list[Any] = []
    skipped: list[str] = []
    for index, entry in entries_of(trace_export):
        row = plain(entry)
        known = mapping(row)
        if is_span(known):
            traces.setdefault(ident(known.get("trace_id")), []).append(known)
        elif string(known.get("type")) in ITEM_TYPES or isinstance(known.get("role"), str):
            items.append(row)
        elif not _is_envelope(known):
            skipped.append(f"entry {index}: neither a span nor an item")
    if items and not traces:
        reading = read_items(items, None, config)
        reading.skipped = skipped + reading.skipped
        yield reading
        return
    if not traces and skipped:
        yield Reading(skipped=skipped)
    for trace_id, spans in sorted(traces.items(), key=lambda pair: _start_of(pair[1])):
        reading = _Trace(spans, config).read()
        reading.meta["trace_id"] = trace_id
        reading.skipped = skipped + reading.skipped
        skipped = []
        yield reading


def is_span(row: Any) -> bool:
    """True for an exported span of the SDK."""
    return isinstance(row, Mapping) and isinstance(row.get("span_data"), Mapping)


def _is_envelope(row: Span) -> bool:
    return row.get("object") == "trace" or any(str(key).startswith("_") for key in row)


def _start_of(spans: Iterable[Span]) -> int:
    times = (nanoseconds(span.get("started_at")) for span in spans)
    return min((time for time in times if time), default=0)


# --- one trace ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Asked:
    """A call that a model asked for, what came back for it, and whether a span shows it."""

    call: ToolCall
    at: int
    back: ToolResult | None = None
    back_at: int = 0
    span: bool = False


@dataclass(slots=True)
class _Words:
    """What one generation said: its text, the calls it asked for, and whether that was there."""

    at: int
    order: int
    text: str
    asked: list[_Asked]
    known: bool


class _Trace:
    """The spans of one trace.  Each is looked at a constant number of times.

    The scope of a span is the function span it lies in, "" for the run itself: ids, names and final
    texts of an agent that is another's tool are not the caller's.
    """

    def __init__(self, spans: list[Span], config: Config) -> None:
        self.config = config
        self.reading = Reading()
        unique = {ident(span.get("id")) or f"row {i}": (i, span) for i, span in enumerate(spans)}
        self.spans = [span for _, span in sorted(unique.values(), key=_when)]
        self.parents = {
            ident(span.get("id")): (ident(span.get("parent_id")), _kind(span))
            for span in self.spans
        }
        self.scopes: dict[str, str] = {}
        self.asked: dict[tuple[str, str], _Asked] = {}
        self.by_call: dict[tuple[str, str, str], deque[_Asked]] = defaultdict(deque)
        self.by_name: dict[tuple[str, str], deque[_Asked]] = defaultdict(deque)
        self.words: list[_Words] = []
        self.timed: list[tuple[int, int, Event]] = []
        self.tools: dict[str, None] = {}
        self.ids: set[str] = set()
        self.made = 0  # ids made up
        self.last_output = ""
        self.unseen: dict[str, None] = {}

    def read(self) -> Reading:
        """Everything there is in the trace."""
        for span in self.spans:
            if _kind(span) in ("generation", "response"):
                self._generation(span)
            elif _kind(span) == "agent":
                self._agent(span)
            elif _kind(span) == "mcp_tools":
                self.tools.update(dict.fromkeys(tool_names(_data(span).get("result"))))
        for span in self.spans:
            if _kind(span) == "function":
                self._function(span)
            elif _kind(span) == "handoff":
                self._handoff(span)
        for asked in self.asked.values():
            if not asked.span:  # a hosted tool, one that was not found, or one that never ended
                self._at(asked.at, asked.call)
                if asked.back is not None:
                    self._at(max(asked.at, asked.back_at), asked.back)
        self.timed.sort(key=lambda timed: timed[:2])
        self.reading.events = [event for _, _, event in self.timed]
        self._close()
        if self.tools:
            self.reading.tools = list(self.tools)
        if self.words and not any(words.known for words in self.words):
            self.unseen["messages of the model"] = None
        if not self.reading.closing:
            self.unseen["a closing message"] = None
        self.reading.meta["unseen"] = list(self.unseen)
        return self.reading

    def _at(self, when: int, event: Event) -> None:
        self.timed.append((when, len(self.timed), event))

    def _scope(self, span: Span) -> str:
        path: list[str] = []
        node, scope = ident(span.get("parent_id")), ""
        while node in self.parents:
            if node in self.scopes:
                scope = self.scopes[node]
                break
            self.scopes[node] = ""  # a cycle ends here
            path.append(node)
            parent, kind = self.parents[node]
            if kind == "function":
                scope = node
                break
            node = parent
        self.scopes.update(dict.fromkeys(path, scope))
        return scope

    def _unique(self, call_id: str) -> str:
        own = call_id
        while not own or own in self.ids:
            self.made += 1
            own = f"{call_id}#{self.made}" if call_id else f"fn{self.made}"
        self.ids.add(own)
        return own

    # --- spans ---

    def _agent(self, span: Span) -> None:
        data = _data(span)
        self.tools.update(dict.fromkeys(tool_names(data.get("tools"))))
        self.tools.update(dict.fromkeys(map(handoff_tool, tool_names(data.get("handoffs")))))

    def _generation(self, span: Span) -> None:
        """Calls and words from the output; results and the task from the input."""
        data, scope = _data(span), self._scope(span)
        start = nanoseconds(span.get("started_at"))
        end = nanoseconds(span.get("ended_at")) or start
        task, since = _since_request(data.get("input"))
        if not scope and not self.reading.task:
            self.reading.task = task
        heard = Conversation(self.config)
        heard.add_all(since)
        self._answers(heard, scope, start)
        output = data.get("output") if data.get("output") is not None else data.get("response")
        said = Conversation(self.config)
        for part in sequence(output) or [output]:
            known = mapping(part)
            if "choices" in known or ("output" in known and "type" not in known):
                add_response(said, known)  # a streamed run exports a whole response
            elif part is not None:
                said.add(known or {"role": "assistant", "content": part}, "output")
        self.reading.skipped += said.reading.skipped
        calls, text = [], ""
        for event in said.reading.events:
            if isinstance(event, ToolCall):
                calls.append(self._ask(event, scope, end))
            elif isinstance(event, Message) and event.role == "assistant":
                text = event.text
        self._answers(said, scope, end)
        # Hosted tools are over when the model ends; only other calls keep the turn open.
        calls = [asked for asked in calls if asked.back is None]
        if not scope:
            self.words.append(_Words(end, len(self.words), text, calls, output is not None))

    def _ask(self, call: ToolCall, scope: str, end: int) -> _Asked:
        known = self.asked.get((scope, call.call_id))
        if known is not None:
            return known
        own = ToolCall(self._unique(call.call_id), call.name, call.arguments)
        asked = self.asked[scope, call.call_id] = _Asked(own, end)
        self.by_call[scope, own.name, arguments_key(own.arguments)].append(asked)
        self.by_name[scope, own.name].append(asked)
        return asked

    def _answers(self, talk: Conversation, scope: str, when: int) -> None:
        for event in talk.reading.events:
            if isinstance(event, ToolResult):
                asked = self.asked.get((scope, event.call_id))
                if asked is not None and asked.back is None:
                    asked.back = replace(event, call_id=asked.call.call_id)
                    asked.back_at = when

    def _meet(self, scope: str, name: str, arguments: Any) -> _Asked | None:
        """The call that a function span shows: by name and arguments, else the next by name."""
        asked = _take(self.by_call.get((scope, name, arguments_key(arguments))))
        asked = asked or _take(self.by_name.get((scope, name)))
        if asked is not None:
            asked.span = True
        return asked

    def _function(self, span: Span) -> None:
        data, scope = _data(span), self._scope(span)
        name, arguments = string(data.get("name")), data.get("input")
        asked = self._meet(scope, name, arguments)
        if arguments is None:
            arguments = asked.call.arguments if asked else ""
        call = ToolCall(asked.call.call_id if asked else self._unique(""), name, arguments)
        start = nanoseconds(span.get("started_at"))
        self._at(start, call)
        back, error = (asked.back if asked else None), mapping(span.get("error"))
        if data.get("output") is None and not error and back is None:
            if not span.get("ended_at"):
                return
            # It ended, but what came back was not exported.
            self.unseen["contents of the calls"] = None
        found = self._result(call.call_id, data.get("output"), error, back)
        self._at(nanoseconds(span.get("ended_at")) or start, found)
        if not scope:
            self.last_output = as_text(found.content)

    def _result(
        self, call_id: str, output: Any, error: Span, back: ToolResult | None
    ) -> ToolResult:
        value = data_of(output)
        said: bool | None = True if error else None
        if said is None and isinstance(value, Mapping):
            said = bit(value.get("isError"), value.get("is_error"))
        if said is None:
            said = shell_bit(value)
        content = content_of(shell_text(value))
        if back is not None:
            content = back.content if content == "" else content
            if said is None and not back.error_sniffed:
                said = back.is_error
        if isinstance(content, str):
            real = error_text(error)
            if real and real not in content:
                content = f"{content}\n{real}".strip()
            content = content or string(error.get("message"))
        return sdk_result(call_id, content, said, self.config)

    def _handoff(self, span: Span) -> None:
        """A handoff is a call with a span of another kind; its result names the agent."""
        target = string(_data(span).get("to_agent"))
        name = handoff_tool(target)
        asked = self._meet(self._scope(span), name, {})
        call = asked.call if asked else ToolCall(self._unique(""), name, {})
        start = nanoseconds(span.get("started_at"))
        self._at(start, call)
        error = mapping(span.get("error"))
        content = error_text(error) or {"assistant": target}
        end = nanoseconds(span.get("ended_at")) or start
        self._at(end, result(call.call_id, content, True if error else None, self.config))

    # --- the end ---

    def _close(self) -> None:
        """The final claim: the last text of the run's own agents."""
        if not self.words:
            return
        last = max(self.words, key=lambda words: (words.at, words.order))
        if not last.asked:
            self.reading.closing = closing_of(last.text)
            return
        # No model spoke after the tools: with stop_on_first_tool a tool's output is the answer.
        broken = any(_kind(span) == "agent" and span.get("error") for span in self.spans)
        handed = any(asked.call.name.startswith("transfer_to_") for asked in last.asked)
        if not broken and not handed and all(asked.span for asked in last.asked):
            self.reading.closing = closing_of(self.last_output)


def _when(row: tuple[int, Span]) -> tuple[int, int, int]:
    position, span = row
    start = nanoseconds(span.get("started_at"))
    return start, -nanoseconds(span.get("ended_at")) if start else 0, position


def _since_request(items: Any) -> tuple[str, Any]:
    """The last user message of an input, and the items after it: those of the run itself."""
    if isinstance(items, str):
        return items, ()
    rows = list(sequence(items))
    for index in range(len(rows) - 1, -1, -1):
        row = mapping(rows[index])
        text = text_of(row.get("content")) if row.get("role") == "user" else ""
        if text:
            return text, rows[index + 1 :]
    return "", rows


def _kind(span: Span) -> str:
    return string(_data(span).get("type"))


def _data(span: Span) -> Span:
    return mapping(span.get("span_data"))


def _take(queue: deque[_Asked] | None) -> _Asked | None:
    while queue:
        asked = queue.popleft()
        if not asked.span:
            return asked
    return None
