"""OpenTelemetry spans in the OpenInference and GenAI vocabularies as a trajectory.

Strategy: spans of one trace in order of time; tool spans give calls and results, model spans give
what tool spans leave out: ids, full arguments, results of raw clients, calls that no span shows,
and the final text.  All attribute names stand in the tables of `_dialects`; this module has none.

The bits: span status ERROR, `error.type`, a status in the framework's own result wrapper, a
recorded exception; only then the text (`error_sniffed`).  Status OK means that nothing was raised,
not that the tool did its work: it gives no bit.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..config import DEFAULT_CONFIG, Config
from ..events import Event, ToolCall
from ._chat import arguments_key
from ._dialects import (
    CONTROL,
    DIALECTS,
    HANDOFF,
    NAME_PREFIXES,
    NAME_SUFFIXES,
    Part,
    kind_of,
    langchain_messages,
    unwrap_arguments,
    unwrap_result,
)
from ._shape import (
    Reading,
    as_text,
    content_of,
    data_of,
    entries_of,
    handoff_tool,
    ident,
    mapping,
    parse_json,
    plain,
    result,
    sequence,
    string,
    tool_names,
)
from ._spans import Span, is_otlp, is_span, spans_of

if TYPE_CHECKING:
    from ..verdict import Verdict

__all__ = ["from_openinference", "read_traces", "verify_spans"]


# --- public functions -----------------------------------------------------------------------------


def from_openinference(
    spans: Any, *, config: Config = DEFAULT_CONFIG
) -> tuple[list[Event], str, str]:
    """Spans -> (trajectory, final_claim, task).

    spans: serialized spans (`ReadableSpan.to_json` parsed, Phoenix exports) or OTLP/JSON
    documents, in any order.  Of several traces the last with anything of an agent in it is read.
    Never raises. O(n log n) in the spans.
    """
    return read_trace(spans, config).triple


def verify_spans(
    spans: Any,
    final_claim: str | None = None,
    task: str | None = None,
    *,
    mode: str = "audit",
    config: Config = DEFAULT_CONFIG,
) -> Verdict:
    """Audit a recorded trace.

    final_claim, task: what the caller knows better than the spans.  ValueError for any `mode` but
    "audit": spans are read when the run is over.
    """
    if mode == "block":
        raise ValueError(
            "mode='block' is not possible here: this is an audit of a run that is over; use a "
            "guardrail or a stop hook to block"
        )
    if mode != "audit":
        raise ValueError(f"mode is {mode!r}; it has to be 'audit'")
    return read_trace(spans, config).judged(final_claim, task, config)


def read_trace(spans: Any, config: Config = DEFAULT_CONFIG) -> Reading:
    """The last trace that has anything of an agent in it, as a `Reading`."""
    last = Reading()
    skipped: list[str] = []
    for reading in read_traces(spans, config):
        skipped += reading.skipped
        if reading.events or reading.closing or not last.events:
            last = reading
    last.skipped = skipped
    return last


def read_traces(spans: Any, config: Config = DEFAULT_CONFIG) -> Iterator[Reading]:
    """Each trace as a `Reading`, in order of their first span."""
    traces: dict[str, list[Span]] = {}
    skipped: list[str] = []
    for index, entry in entries_of(spans):
        row = plain(entry)
        if is_otlp(row) or is_span(row):
            for span in spans_of(row):
                traces.setdefault(span.trace_id, []).append(span)
        else:
            skipped.append(f"entry {index}: no span")
    if skipped and not traces:
        yield Reading(skipped=skipped)
    for trace_id, found in sorted(traces.items(), key=lambda pair: _start(pair[1])):
        reading = _Trace(found, config).read()
        reading.meta["trace_id"] = trace_id
        reading.skipped = skipped + reading.skipped
        skipped = []
        yield reading


def _start(spans: list[Span]) -> int:
    return min((span.start for span in spans if span.start), default=0)


# --- one trace ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Call:
    """One call, as far as tool spans and messages know it."""

    name: str
    call_id: str
    arguments: Any
    at: int
    order: int
    scope: str = ""
    content: Any = None
    said: bool | None = None
    ended: int = 0
    returned: bool = False
    span: bool = False


@dataclass(slots=True)
class _Said:
    """What one model call put out."""

    end: int
    order: int
    text: str = ""
    calls: list[_Call] = field(default_factory=list)
    answer: Any = None  # the arguments of a control call: a structured final answer


class _Trace:
    """The spans of one trace.  The scope of a span is the tool span it lies in, "" for the run."""

    def __init__(self, spans: list[Span], config: Config) -> None:
        self.config = config
        self.reading = Reading()
        known: dict[str, Span] = {}
        for position, span in enumerate(spans):
            known.setdefault(span.span_id or f"#{position}", span)
        self.spans = sorted(known.values(), key=lambda span: (span.start, -span.end))
        self.by_id = {span.span_id: span for span in self.spans if span.span_id}
        self.kinds = {id(span): kind_of(span.attributes) for span in self.spans}
        self.places: dict[int, tuple[str, int]] = {}
        self.calls: list[_Call] = []
        self.asked: dict[tuple[str, str], _Call] = {}
        self.of_span: dict[str, _Call] = {}
        self.said: list[_Said] = []
        self.tools: dict[str, None] = {}
        self.ids: set[str] = set()
        self.made = 0
        self.recorded = False  # any message of any model

    def read(self) -> Reading:
        """Everything there is in the trace."""
        for position, span in enumerate(self.spans):
            self._tools(span)
            if self._kind(span) == "llm":
                self._model(span, position)
        meeting = _Meeting(self.asked.values())
        for position, span in enumerate(self.spans):
            if self._kind(span) == "tool":
                self._tool(span, position, meeting)
        for span in self.spans:
            if self._kind(span) in ("chain", "agent"):
                self._state(span)
        self._events()
        self.reading.closing = self._closing()
        if not self.reading.task:
            self.reading.task = self._task()
        if self.tools:
            self.reading.tools = [name for name in self.tools if name not in CONTROL]
        self.reading.meta["unseen"] = self._unseen()
        self.reading.meta["agentic"] = any(kind != "other" for kind in self.kinds.values())
        return self.reading

    # --- structure ---

    def _kind(self, span: Span) -> str:
        return self.kinds[id(span)]

    def _place(self, span: Span) -> tuple[str, int]:
        """(scope, depth) of a span.  Each span is placed once; a cycle of parents is cut."""
        path: list[Span] = []
        node: Span | None = span
        while node is not None and id(node) not in self.places:
            self.places[id(node)] = ("", 0)
            path.append(node)
            node = self.by_id.get(node.parent_id)
        place = self._below(node) if node is not None else ("", 0)
        for inner in reversed(path):
            self.places[id(inner)] = place
            place = self._below(inner)
        return self.places[id(span)]

    def _below(self, span: Span) -> tuple[str, int]:
        scope, depth = self.places[id(span)]
        return (span.span_id if self._kind(span) == "tool" else scope), depth + 1

    def _attribute(self, span: Span, table: str) -> Any:
        """The first attribute that any dialect names for a purpose."""
        for dialect in DIALECTS:
            for key in getattr(dialect, table):
                value = span.attributes.get(key)
                if value is not None and value != "":
                    return value
        return None

    def _parts(self, span: Span, table: str) -> list[Part]:
        for dialect in DIALECTS:
            for key, parse in getattr(dialect, table):
                parts: list[Part] = parse(span.attributes, key)
                if parts:
                    return parts
        return []

    def _tools(self, span: Span) -> None:
        for dialect in DIALECTS:
            for key in dialect.tools:
                listed = data_of(span.attributes.get(key))
                names = tool_names(listed)
                if not names and key in span.attributes:
                    names = _schema_names(listed)
                self.tools.update(dict.fromkeys(names))
        if "llm.tools.0.tool.json_schema" in span.attributes:
            self.tools.update(dict.fromkeys(_flat_tools(span.attributes)))

    # --- model spans ---

    def _model(self, span: Span, position: int) -> None:
        scope, _ = self._place(span)
        end = span.end or span.start
        heard, put_out = self._parts(span, "inputs"), self._parts(span, "outputs")
        self.recorded = self.recorded or any(part.value for part in (*heard, *put_out))
        last = max((i for i, part in enumerate(heard) if part.kind == "user"), default=-1)
        if last >= 0 and not scope and not self.reading.task:
            self.reading.task = str(heard[last].value)
        for part in heard[last + 1 :]:
            # What came before the last request belongs to an earlier turn.
            if part.kind == "call" and part.call_id:
                self._ask(part, scope, span.start, position)
            elif part.kind == "result":
                self._answer(part, scope, span.start)
        said = _Said(end, position)
        for part in put_out:
            if part.kind == "call" and part.name in CONTROL:
                said.answer = part.value
            elif part.kind == "call":
                said.calls.append(self._ask(part, scope, end, position))
            elif part.kind == "result":
                self._answer(part, scope, end)
            elif part.kind == "assistant":
                said.text = str(part.value)
        said.calls = [call for call in said.calls if not call.returned]
        if not scope and (said.text or said.calls or said.answer is not None):
            self.said.append(said)

    def _ask(self, part: Part, scope: str, when: int, position: int) -> _Call:
        key = part.call_id or f"{part.name}({arguments_key(part.value)}) at {position}"
        known = self.asked.get((scope, key))
        if known is None:
            known = _Call(part.name, part.call_id, part.value, when, position, scope)
            self.asked[scope, key] = known
        return known

    def _answer(self, part: Part, scope: str, when: int) -> None:
        call = self.asked.get((scope, part.call_id))
        if call is not None and not call.returned:
            wrapped = unwrap_result(part.value)
            call.content, call.ended, call.returned = wrapped.content, when, True
            call.said = part.said if part.said is not None else wrapped.said

    # --- tool spans ---

    def _tool(self, span: Span, position: int, meeting: _Meeting) -> None:
        scope, _ = self._place(span)
        name = self._tool_name(span)
        if name in CONTROL or name.startswith("(merged"):
            return
        wrapped = unwrap_result(self._attribute(span, "result"))
        arguments = unwrap_arguments(self._attribute(span, "arguments"))
        said = self._bit(span)
        if said is None:
            said = wrapped.said
        outer = self.of_span.get(scope)
        if outer is not None and _same_tool(outer.name, name) and self._directly(span, scope):
            # A client's span around a server's, or two instrumentations of one call.
            self.of_span[span.span_id] = outer
            outer.said = said if outer.said is None else outer.said
            outer.content = wrapped.content if outer.content in (None, "") else outer.content
            return
        call_id = ident(self._attribute(span, "call_id")) or wrapped.call_id
        if call_id.startswith("<"):
            call_id = ""  # a placeholder
        call = meeting.take(scope, call_id, name, arguments)
        if call is None:
            call = _Call(name, call_id, arguments, span.start, position, scope)
        call.name = call.name or name
        if call.arguments in (None, ""):  # the model's own words, where known, are complete
            call.arguments = arguments
        content = wrapped.content
        if said and content in (None, "", {}):
            content = call.content if call.content not in (None, "") else self._reason(span)
        call.content = content if content is not None else call.content
        call.said = said if said is not None else call.said
        call.at, call.order, call.span = span.start, position, True
        call.ended, call.returned = span.end or span.start, True
        self.calls.append(call)
        self.of_span[span.span_id] = call

    def _tool_name(self, span: Span) -> str:
        named = self._attribute(span, "tool_name")
        if isinstance(named, str):
            return named
        name = span.name
        if name.startswith(HANDOFF):
            return handoff_tool(name.removeprefix(HANDOFF))
        for prefix in NAME_PREFIXES:
            name = name.removeprefix(prefix)
        for suffix in NAME_SUFFIXES:
            name = name.removesuffix(suffix)
        return name

    def _bit(self, span: Span) -> bool | None:
        if span.status == "ERROR":
            return True
        for dialect in DIALECTS:
            for key, values in dialect.failed.items():
                value = span.attributes.get(key)
                if value and ("" in values or str(value).lower() in values):
                    return True
        return True if any(name == "exception" for name, _ in span.events) else None

    def _reason(self, span: Span) -> str:
        """Why a call failed, in the words of its exception."""
        for name, attributes in span.events:
            if name == "exception" and attributes.get("exception.message"):
                kind = string(attributes.get("exception.type")).rsplit(".", 1)[-1]
                return f"{kind}: {attributes['exception.message']}".removeprefix(": ")
        return span.description or string(span.attributes.get("error.type"))

    def _directly(self, span: Span, scope: str) -> bool:
        """True where no agent and no model stands between a tool span and the one it lies in."""
        node, steps = self.by_id.get(span.parent_id), 0
        while node is not None and node.span_id != scope and steps < 8:
            if self._kind(node) in ("agent", "llm"):
                return False
            node, steps = self.by_id.get(node.parent_id), steps + 1
        return node is not None and node.span_id == scope

    def _state(self, span: Span) -> None:
        """Statuses that only a graph's state holds: the tool's own span ended well."""
        value = self._attribute(span, "result")
        if not isinstance(value, str) or "tool_call_id" not in value:
            return
        scope, _ = self._place(span)
        for part in langchain_messages(data_of(value)):
            call = self.asked.get((scope, part.call_id)) if part.kind == "result" else None
            if call is not None:
                if call.said is None:
                    call.said = part.said
                if not call.returned:
                    self._answer(part, scope, span.end)

    # --- the whole ---

    def _events(self) -> None:
        timed: list[tuple[int, int, int, Event]] = []
        loose = [call for call in self.asked.values() if not call.span]
        for call in [*self.calls, *loose]:
            own = self._unique(call.call_id)
            arguments = "" if call.arguments is None else unwrap_arguments(call.arguments)
            timed.append((call.at, call.order, len(timed), ToolCall(own, call.name, arguments)))
            if call.returned:
                content = content_of(call.content)
                back = result(own, content, call.said, self.config)
                ended = max(call.at, call.ended)
                timed.append((ended, call.order, len(timed), back))
        timed.sort(key=lambda row: row[:3])
        self.reading.events = [event for *_, event in timed]

    def _unique(self, call_id: str) -> str:
        own = call_id
        while not own or own in self.ids:
            self.made += 1
            own = f"{call_id}#{self.made}" if call_id else f"otel{self.made}"
        self.ids.add(own)
        return own

    def _closing(self) -> str:
        """The final text: an agent's answer, else the last model's words, else a chain's output."""
        outer = [(span, *self._place(span)) for span in self.spans]
        own = sorted(
            ((depth, -span.end, span) for span, scope, depth in outer if not scope),
            key=lambda row: row[:2],
        )
        for _, _, span in own:
            if self._kind(span) == "agent" and span.status != "ERROR":
                text = self._answer_of(span, whole=True)
                if text:
                    return text
        if self.said:
            last = max(self.said, key=lambda said: (said.end, said.order))
            if last.answer is not None:
                return as_text(last.answer)
            return "" if last.calls else last.text
        for _, _, span in own:
            if self._kind(span) == "chain" and span.status != "ERROR":
                text = self._answer_of(span, whole=not span.parent_id)
                if text:
                    return text
        return ""

    def _answer_of(self, span: Span, *, whole: bool) -> str:
        """The final text in an agent's or a chain's output; `whole`: plain text counts as well."""
        for dialect in reversed(DIALECTS):
            for key in dialect.answers:
                value = span.attributes.get(key)
                parts = [] if value is None else self._output_parts(span, key)
                if parts:
                    return str(parts[-1].value) if parts[-1].kind == "assistant" else ""
                text = _answer_text(value, whole)
                if text:
                    return text
        return ""

    def _output_parts(self, span: Span, key: str) -> list[Part]:
        for dialect in DIALECTS:
            for known, parse in dialect.outputs:
                if known == key:
                    return parse(span.attributes, key)
        return []

    def _task(self) -> str:
        for span in self.spans:
            if self._kind(span) not in ("agent", "chain"):
                continue
            for part in reversed(self._parts(span, "inputs")):
                if part.kind == "user":
                    return str(part.value)
            asked = self._attribute(span, "asked")
            data = data_of(asked)
            if isinstance(data, dict):
                for key in ("task", "input", "question", "query", "prompt"):
                    if isinstance(data.get(key), str):
                        return str(data[key])
            elif isinstance(asked, str) and not isinstance(data, list):
                return asked
        return ""

    def _unseen(self) -> list[str]:
        """What the instrumentation did not record: it can't be judged."""
        unseen = []
        calls = [*self.calls, *(call for call in self.asked.values() if not call.span)]
        if calls and all(_bare(call) for call in calls):
            unseen.append("arguments and results of the calls")
        if not self.recorded and "llm" in self.kinds.values():
            unseen.append("messages of the model")
        if not self.reading.closing:
            unseen.append("a closing message")
        if any(span.dropped for span in self.spans):
            unseen.append("attributes that were dropped")
        return unseen


def _bare(call: _Call) -> bool:
    return call.content in (None, "") and call.arguments in (None, "")


class _Meeting:
    """Finds the call that a tool span shows: by id, by name and arguments, by name in order."""

    def __init__(self, asked: Any) -> None:
        self.by_id: dict[tuple[str, str], _Call] = {}
        self.by_call: dict[tuple[str, str, str], deque[_Call]] = defaultdict(deque)
        self.by_name: dict[tuple[str, str], deque[_Call]] = defaultdict(deque)
        for call in asked:
            if call.call_id:
                self.by_id[call.scope, call.call_id] = call
            self.by_call[call.scope, call.name, arguments_key(call.arguments)].append(call)
            self.by_name[call.scope, call.name].append(call)

    def take(self, scope: str, call_id: str, name: str, arguments: Any) -> _Call | None:
        """The call, marked as met; None where no message knows it."""
        found = self.by_id.get((scope, call_id)) if call_id else None
        if found is None or found.span:
            found = None
            if not call_id:
                key = arguments_key(arguments)
                found = _next(self.by_call.get((scope, name, key)))
                found = found or _next(self.by_name.get((scope, name)))
        if found is not None:
            found.span = True
        return found


def _next(queue: deque[_Call] | None) -> _Call | None:
    while queue:
        call = queue.popleft()
        if not call.span:
            return call
    return None


def _same_tool(outer: str, inner: str) -> bool:
    return bool(outer) and bool(inner) and (outer.endswith(inner) or inner.endswith(outer))


def _answer_text(value: Any, whole: bool) -> str:
    if value is None or value in ("", "None", "null"):
        return ""
    data = data_of(value)
    if not isinstance(data, (dict, list)):
        text = as_text(value)
        # A cut repr of an object is not what anybody was told.
        cut = text.endswith("...") and "(" in text[:80]
        return text if whole and not cut else ""
    messages = langchain_messages(data)
    if messages:
        last = messages[-1]
        return str(last.value) if last.kind == "assistant" else ""
    if isinstance(data, dict):
        for key in ("raw", "answer"):
            if isinstance(data.get(key), str):
                return str(data[key])
    return as_text(value) if whole and not isinstance(data, list) else ""


def _schema_names(listed: Any) -> list[str]:
    return [name for name in map(_schema_name, sequence(listed)) if name]


def _schema_name(tool: Any) -> str:
    schema = mapping(mapping(tool).get("tool")).get("json_schema")
    known = mapping(parse_json(schema) if isinstance(schema, str) else schema)
    return next(iter(tool_names([known])), "")


def _flat_tools(attributes: dict[str, Any]) -> Iterator[str]:
    for key, value in attributes.items():
        if key.startswith("llm.tools.") and key.endswith((".tool.json_schema", ".tool.name")):
            if key.endswith(".tool.name") and isinstance(value, str):
                yield value
            else:
                yield from tool_names([mapping(parse_json(value))])
