"""One turn: the spans of an agent's run as a trajectory, a closing and a task.

Strategy: spans in order of time; tool spans give calls and results, model spans give what tool
spans leave out: ids, full arguments, results of raw clients, calls that no span shows, and the
final text.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..._lazy import cached_property
from ...config import Config
from ...events import Event, Message, ToolCall
from .._chat import arguments_key
from .._shape import (
    Reading,
    as_text,
    content_of,
    data_of,
    first,
    handoff_tool,
    ident,
    mapping,
    parse_json,
    result,
    sequence,
    string,
    tool_names,
)
from . import errors
from .cuts import cut_lengths
from .envelopes import Wrapped, unwrap_arguments, unwrap_result
from .history import History, Part
from .parts import messages_in
from .span import Span
from .trace import Trace, bare_name

# The span of a handover between agents, beside the call that asked for it.
_HANDOFF_SPAN = "handoff to "
_HANDOFF_CALLS = ("transfer_to_", "handoff_to_", "handoff")
_HANDOFF_ARGUMENTS = {"to_agent", "reason"}  # of LlamaIndex's own tool
_OUTER = {"agent": 0, "chain": 1, "llm": 2, "tool": 2, "other": 3}  # whose span a turn is
_ASKED_KEYS = ("task", "input", "question", "query", "prompt", "request")
_ANSWER_KEYS = ("raw", "answer")
# A framework that has its model write fields in text marks each like this.
_FIELD_MARK = "[[ ## "
# Calls in the model's own text, as the ReAct prompt asks for them.
_TEXT_CALL = ("Action:", "Action Input:")


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
    span: str = ""  # the tool span that shows it
    met: bool = False
    cut: bool = False


@dataclass(slots=True)
class _Said:
    """What one model call put out."""

    end: int
    order: int
    text: str = ""
    calls: list[_Call] = field(default_factory=list)
    answer: Any = None  # the arguments of a control call: a structured final answer


class Turn:
    """Reads one turn.  The scope of a span is the tool span it lies in, "" for the run itself."""

    def __init__(self, trace: Trace, spans: list[Span], config: Config) -> None:
        self.trace, self.spans, self.config = trace, spans, config
        self.tables = trace.tables
        self.reading = Reading()
        self.history = History()
        self.places: dict[int, tuple[str, int]] = {}
        self.calls: list[_Call] = []
        # A host may give one id to calls of several steps: the calls of each id, in order.
        self.asked: dict[tuple[str, str], list[_Call]] = {}
        self.of_span: dict[str, _Call] = {}
        self.results: dict[str, Wrapped] = {}
        self.said: list[_Said] = []
        self.tools: dict[str, None] = {}
        self.listed: set[str] = set()
        self.ids: set[str] = set()
        self.made = 0
        self.recorded = False  # any message of any model
        self.written_calls = False
        self.shows_tools = False  # any tool span, of control too: then no span means no call
        self.handed_over: list[_Call] = []
        self.limits = self._limits()

    @cached_property
    def closing(self) -> str:
        """The final claim.  All spans are read for it."""
        for position, span in enumerate(self.spans):
            self._tools_of(span)
            if span.kind == "llm":
                self._model(span, position)
        meeting = _Meeting(self._asked())
        for position, span in enumerate(self.spans):
            if span.kind == "tool":
                self._tool(span, position, meeting)
        for span in self.spans:
            if span.kind in ("chain", "agent"):
                self._state(span)
        return self._closing().rstrip()

    def read(self, before: Reading | None = None) -> Reading:
        """Everything there is in the turn, behind the events of the turn before it."""
        reading = self.reading
        reading.closing = self.closing
        self._events(before)
        if not reading.task:
            reading.task = self._task()
        if self.tools and not self.handed_over:
            reading.tools = [name for name in self.tools if name not in self.tables.control]
        reading.meta["unseen"] = self._unseen()
        reading.meta["agentic"] = any(span.kind != "other" for span in self.spans)
        root = self._root
        if root is not None:
            reading.meta["span_id"] = root.span_id
        return reading

    # --- structure --------------------------------------------------------------------------------

    @cached_property
    def _root(self) -> Span | None:
        """The span that the turn is: the outermost of an agent, else of all."""
        return min(
            self.spans,
            key=lambda span: (_OUTER[span.kind], self._place(span)[1], span.start),
            default=None,
        )

    def _place(self, span: Span) -> tuple[str, int]:
        """(scope, depth) of a span.  Each span is placed once; a cycle of parents is cut."""
        known = self.places.get(id(span))
        if known is not None:
            return known
        path: list[Span] = []
        node: Span | None = span
        while node is not None and id(node) not in self.places:
            self.places[id(node)] = ("", 0)
            path.append(node)
            node = self.trace.parent(node)
        place = self._below(node) if node is not None else ("", 0)
        for inner in reversed(path):
            self.places[id(inner)] = place
            place = self._below(inner)
        return self.places[id(span)]

    def _below(self, span: Span) -> tuple[str, int]:
        scope, depth = self.places[id(span)]
        return (span.span_id if span.kind == "tool" else scope), depth + 1

    def _attribute(self, span: Span, names: Iterable[str]) -> Any:
        """The first of the attributes that is there."""
        attributes = span.attributes
        for name in names:
            value = attributes.get(name)
            if value is not None and value != "":
                return value
        return None

    def _parts(self, span: Span, table: str) -> list[Part]:
        attributes = span.attributes
        flat = self.history.flat(attributes)
        for key, parser in getattr(self.tables, table):
            if key in (flat if parser.flat else attributes):
                parts = self.history.read(parser, attributes, key)
                if parts:
                    return parts
        return []

    def _tools_of(self, span: Span) -> None:
        attributes = span.attributes
        for key in self.tables.tools:
            if key in attributes:
                given = attributes[key]
                if isinstance(given, str):
                    if given in self.listed:  # the same with every model call
                        continue
                    self.listed.add(given)
                listed = data_of(given)
                names = tool_names(listed) or _schema_names(listed)
                self.tools.update(dict.fromkeys(names))
        if "llm.tools.0.tool.json_schema" in attributes:
            self.tools.update(dict.fromkeys(self._flat_tools(attributes)))

    def _flat_tools(self, attributes: dict[str, Any]) -> Iterator[str]:
        for key, value in attributes.items():
            if not key.startswith("llm.tools.") or not isinstance(value, str):
                continue
            if key.endswith(".tool.name"):
                yield value
            elif key.endswith(".tool.json_schema") and value not in self.listed:
                self.listed.add(value)
                yield from tool_names([mapping(parse_json(value))])

    def _limits(self) -> frozenset[int]:
        contents = self.tables.contents
        return cut_lengths(
            value
            for span in self.spans
            if span.kind != "other"
            for key, value in span.attributes.items()
            if key in contents
        )

    # --- model spans ------------------------------------------------------------------------------

    def _model(self, span: Span, position: int) -> None:
        scope, _ = self._place(span)
        end = span.end or span.start
        heard, put_out = self._parts(span, "inputs"), self._parts(span, "outputs")
        self.recorded = self.recorded or any(part.value for part in (*heard, *put_out))
        last = _last_user(heard, len(heard))
        while last > 0 and _observation(heard[last]):  # a result in words is no new request
            last = _last_user(heard, last)
        if last >= 0 and not scope and not self.reading.task:
            self.reading.task = str(heard[last].value)
        heard = heard[last + 1 :]  # what came before the last request belongs to an earlier turn
        seen: dict[tuple[str, str], int] = {}  # how often each id came by, as call and result
        for part in heard:
            kind, call_id = place = part.kind, part.call_id
            number = seen.get(place, 0)
            seen[place] = number + 1
            if kind == "result":
                self._answer(part, scope, span.start, number)
            elif kind == "call" and call_id:
                known = self.asked.get((scope, call_id), ())
                if number >= len(known) and not self._renamed(part, scope, heard):
                    self._ask(part, scope, span.start, position)
        said = _Said(end, position)
        for part in put_out:
            if part.kind == "call" and part.name in self.tables.control:
                said.answer = part.value
            elif part.kind == "call":
                same = self.asked.get((scope, part.call_id), []) if part.call_id else []
                if same and span.start < same[-1].at:  # a second span of one model call
                    said.calls.append(same[-1])
                else:
                    said.calls.append(self._ask(part, scope, end, position))
            elif part.kind == "result":
                self._answer(part, scope, end, 0)
            elif part.kind == "assistant":
                said.text = str(part.value)
                self.written_calls |= all(mark in said.text for mark in _TEXT_CALL)
        said.calls = [call for call in said.calls if not call.returned]
        if not scope and (said.text or said.calls or said.answer is not None):
            self.said.append(said)

    def _asked(self) -> Iterator[_Call]:
        calls = {id(call): call for calls in self.asked.values() for call in calls}
        return iter(calls.values())

    def _renamed(self, part: Part, scope: str, heard: list[Part]) -> bool:
        """True where a call comes back under another id than the model gave it.

        Some instrumentations log a call's item id in one place and its call id in another.  It is
        the one of the same name and arguments whose own id did not come back.
        """
        ids = {other.call_id for other in heard if other.kind == "call"}
        key = arguments_key(part.value)
        for (other_scope, call_id), calls in self.asked.items():
            call = calls[0]
            same = call.name == part.name and arguments_key(call.arguments) == key
            if other_scope == scope and call_id not in ids and same and len(calls) == 1:
                self.asked[scope, part.call_id] = calls
                return True
        return False

    def _ask(self, part: Part, scope: str, when: int, position: int) -> _Call:
        key = part.call_id or f"{part.name}({arguments_key(part.value)}) at {position}"
        calls = self.asked.setdefault((scope, key), [])
        if not part.call_id and calls:
            return calls[0]
        calls.append(_Call(part.name, part.call_id, part.value, when, position, scope))
        return calls[-1]

    def _answer(self, part: Part, scope: str, when: int, number: int) -> None:
        """The `number`-th result under an id is that of the `number`-th call."""
        for one in _spellings(part.call_id):
            calls = self.asked.get((scope, one), ())
            if number < len(calls):
                self._settle(calls[number], part, when)
                return

    def _settle(self, call: _Call, part: Part, when: int) -> None:
        if not call.returned:
            wrapped = self._unwrapped(part.value)
            call.content, call.ended, call.returned = wrapped.content, when, True
            call.said = part.said if part.said is not None else wrapped.said

    def _unwrapped(self, value: Any) -> Wrapped:
        """A result without its wrappers; a tool span and the next model span have the same text."""
        if not isinstance(value, str):
            return unwrap_result(value)
        if value not in self.results:
            self.results[value] = unwrap_result(value)
        return self.results[value]

    # --- tool spans -------------------------------------------------------------------------------

    def _tool(self, span: Span, position: int, meeting: _Meeting) -> None:
        self.shows_tools = True
        scope, _ = self._place(span)
        name = self._tool_name(span)
        if name in self.tables.control:
            return
        given, got = self._attribute(span, self.tables.arguments), self._result(span)
        wrapped = self._unwrapped(got)
        arguments = unwrap_arguments(given)
        said = errors.bit(span, self.tables)
        if said is None:
            said = wrapped.said
        outer = self.of_span.get(scope)
        if outer is not None and _same_tool(outer.name, name) and self._directly(span, scope):
            # A client's span around a server's, or two instrumentations of one call.
            self.of_span[span.span_id] = outer
            outer.said = said if outer.said is None else outer.said
            if outer.content in (None, ""):
                outer.content = wrapped.content
                if said and outer.content in (None, ""):
                    outer.content = errors.reason(span)
            if outer.arguments in (None, ""):
                outer.arguments = arguments
            return
        call_id = ident(self._attribute(span, self.tables.call_id)) or wrapped.call_id
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
            content = call.content if call.content not in (None, "") else errors.reason(span)
        call.content = content if content is not None else call.content
        call.said = said if said is not None else call.said
        call.at, call.order, call.span = span.start, position, span.span_id
        call.met = True
        call.cut = isinstance(got, str) and len(got) in self.limits
        call.ended, call.returned = span.end or span.start, True
        self.calls.append(call)
        self.of_span[span.span_id] = call

    def _result(self, span: Span) -> Any:
        got = self._attribute(span, self.tables.result)
        if got is None:
            for part in self._parts(span, "outputs"):
                if part.kind == "result":
                    return part.value
        return got

    def _tool_name(self, span: Span) -> str:
        named = self._attribute(span, self.tables.tool_name)
        if isinstance(named, str):
            return named
        name = span.name
        if name.startswith(_HANDOFF_SPAN):
            return handoff_tool(name.removeprefix(_HANDOFF_SPAN))
        for prefix in self.tables.prefixes:
            name = name.removeprefix(prefix)
        for suffix in self.tables.suffixes:
            name = name.removesuffix(suffix)
        return name

    def _directly(self, span: Span, scope: str) -> bool:
        """True where no agent and no model stands between a tool span and the one it lies in."""
        for steps, node in enumerate(self.trace.above(span)):
            if node.span_id == scope:
                return True
            if node.kind in ("agent", "llm") or steps > 8:
                return False
        return False

    def _state(self, span: Span) -> None:
        """Statuses that only a graph's state holds: the tool's own span ended well."""
        value = self._attribute(span, self.tables.result)
        if not (isinstance(value, str) and "tool_call_id" in value) and not isinstance(
            value, (dict, list)
        ):
            return
        scope, _ = self._place(span)
        for part in messages_in(data_of(value)):
            if part.kind != "result":
                continue
            calls = self.asked.get((scope, part.call_id), ())
            if len(calls) == 1:  # of several, a state does not say which
                if calls[0].said is None:
                    calls[0].said = part.said
                self._settle(calls[0], part, span.end)

    # --- the whole --------------------------------------------------------------------------------

    def _every_call(self) -> list[_Call]:
        loose = [call for call in self._asked() if not call.met]
        calls = [*self.calls, *loose]
        self.handed_over = [call for call in calls if self._hands_over(call)]
        left_out = {id(call) for call in self.handed_over if not self._told(call)}
        return [call for call in calls if id(call) not in left_out]

    def _hands_over(self, call: _Call) -> bool:
        """True for a call that passes the run on to another agent of this trace."""
        if call.name.startswith(_HANDOFF_SPAN):
            return True
        if not call.name.startswith(_HANDOFF_CALLS):
            return False
        given = mapping(data_of(call.arguments))
        if given.keys() == _HANDOFF_ARGUMENTS:
            return True
        target = first(given, "agent_name", "agent", "to_agent", "target")
        named = string(target) or call.name.partition("_to_")[2]
        return bare_name(named) in self.trace.agents

    def _told(self, call: _Call) -> bool:
        """True where the closing speaks of the handover: then it is what the claim rests on."""
        closing = self.reading.closing.casefold()
        words = set(call.name.replace("_", " ").split()) - {"to", "agent"}
        return any(word.casefold() in closing for word in words)

    def _events(self, before: Reading | None) -> None:
        timed: list[tuple[int, int, int, Event]] = []
        spans: dict[str, str] = {}
        # Tools that other agents or models work in: what comes back is a report, not a payload.
        delegates = {
            self._place(span)[0] for span in self.spans if span.kind in ("agent", "llm")
        } - {""}
        if before is not None:
            self.ids = {event.call_id for event in before.events if isinstance(event, ToolCall)}
        for call in self._every_call():
            own = self._unique(call.call_id)
            arguments = "" if call.arguments is None else unwrap_arguments(call.arguments)
            asked = ToolCall(own, call.name, arguments)
            timed.append((call.at, call.order, len(timed), asked))
            if call.span:
                spans[own] = call.span
            if call.returned:
                content = content_of(call.content)
                back = result(own, content, call.said, self.config, truncated=call.cut)
                ended = max(call.at, call.ended)
                if call.span not in delegates:
                    back = errors.by_payload(asked, back, self.config, ran=bool(call.span))
                timed.append((ended, call.order, len(timed), back))
        timed.sort(key=lambda row: row[:3])
        events = [event for *_, event in timed]
        if before is not None and before.events:
            events = [*before.events, Message(self.reading.task, "user"), *events]
        self.reading.events = events
        self.reading.meta["spans"] = spans

    def _unique(self, call_id: str) -> str:
        own = call_id
        while not own or own in self.ids:
            self.made += 1
            own = f"{call_id}#{self.made}" if call_id else f"otel{self.made}"
        self.ids.add(own)
        return own

    def _closing(self) -> str:
        """The final text, from where it is surest.

        An agent's answer; the answer that a chain's state or output names as one; the last words of
        the model; the plain output of the outermost chain.
        """
        own = sorted(
            (
                (depth, -span.end, span.span_id, span)
                for span in self.spans
                for scope, depth in [self._place(span)]
                if not scope and span.status != "ERROR" and span.kind in ("agent", "chain")
            ),
            key=lambda row: row[:3],
        )
        agents = [span for *_, span in own if span.kind == "agent"]
        chains = [span for *_, span in own if span.kind == "chain"]
        for span in agents:
            text = self._answer_of(span, whole=True)
            if text:
                return text
        last = max(self.said, key=lambda said: (said.end, said.order)) if self.said else None
        fields = last is not None and _FIELD_MARK in last.text
        if last is None or fields:
            for span in chains:
                text = self._answer_of(span, whole=fields or not span.parent_id)
                if text:
                    return text
        if last is not None:
            if last.answer is not None:
                return _in_words(last.answer)
            return "" if last.calls else last.text
        return ""

    def _answer_of(self, span: Span, *, whole: bool) -> str | None:
        """The final text in an agent's or a chain's output; None where it has none.

        whole: plain text counts as well.  "" means that the output ends without an answer.
        """
        for key in reversed(self.tables.answers):
            value = span.attributes.get(key)
            if value is None or value == "":
                continue
            parser = self.tables.parsers.get(key)
            parts = self.history.read(parser, span.attributes, key) if parser is not None else []
            if parts:
                return str(parts[-1].value) if parts[-1].kind == "assistant" else ""
            text = _answer_text(value, whole)
            if text is not None:
                return text
        return None

    def _task(self) -> str:
        for span in self.spans:
            if span.kind not in ("agent", "chain"):
                continue
            for part in reversed(self._parts(span, "inputs")):
                if part.kind == "user":
                    return str(part.value)
            asked = self._attribute(span, self.tables.asked)
            data = data_of(asked)
            if isinstance(data, dict):
                for key in _ASKED_KEYS:
                    if isinstance(data.get(key), str):
                        return str(data[key])
            elif isinstance(asked, str) and not isinstance(data, list):
                return asked
        return ""

    # --- what can't be seen -----------------------------------------------------------------------

    def _unseen(self) -> list[str]:
        """Codes of `_unseen.REASONS`: what the instrumentation did not record."""
        unseen: list[str] = []
        calls = [*self.calls, *(call for call in self._asked() if not call.met)]
        kinds = {span.kind for span in self.spans}
        bare = [call for call in calls if call.returned and _bare(call)]
        crashed = self._crashed()
        if not self.reading.closing and not crashed:
            unseen.append("closing_not_recorded")
        if not self.recorded and (
            ("llm" in kinds and not self.reading.closing)
            or (calls and all(call.content in (None, "") and not call.arguments for call in calls))
        ):
            unseen.append("content_not_captured")
        elif bare and not all(call.said for call in bare):
            unseen.append("results_not_captured")
        if not (calls or self.recorded or self.shows_tools or crashed):
            unseen.append("no_tool_spans")
        if self.written_calls and not self.calls:
            unseen.append("calls_written_as_text")
        if any(span.dropped for span in self.spans if span.kind != "other"):
            unseen.append("attributes_dropped")
        if self.limits:
            unseen.append("values_cut")
        if self._torn():
            unseen.append("spans_missing")
        return unseen

    def _crashed(self) -> bool:
        """True where the run itself failed, and so claims nothing."""
        root = self._root
        if root is None or root.kind not in ("agent", "chain", "llm"):
            return False
        return root.status == "ERROR"

    def _torn(self) -> bool:
        """True where spans that others lie in are missing.

        One missing parent above an agent is the caller of another process whose flag the exporter
        left out; models and tools without theirs are a run whose root never came.
        """
        orphans = [span for span in self.spans if self.trace.orphaned(span)]
        if not orphans:
            return False
        if len({span.parent_id for span in orphans}) > 1:
            return True
        return any(span.kind != "agent" for span in orphans)


def _bare(call: _Call) -> bool:
    """True for a call of which neither what went in nor what came out is known."""
    return call.content in (None, "") and call.arguments in (None, "")


def _last_user(parts: list[Part], end: int) -> int:
    """Where the last words of the user before `end` are; -1 where there are none."""
    for at in range(end - 1, -1, -1):
        if parts[at].kind == "user":
            return at
    return -1


def _observation(part: Part) -> bool:
    return str(part.value).lstrip().startswith(("Observation:", "Tool Result:"))


def _spellings(call_id: str) -> tuple[str, ...]:
    """An id, and how the Responses API spells it in another place."""
    if call_id.startswith("fc_"):
        return call_id, call_id[3:]
    return call_id, f"fc_{call_id}"


class _Meeting:
    """Finds the call that a tool span shows: by id, by name and arguments, by name in order."""

    def __init__(self, asked: Iterable[_Call]) -> None:
        self.asked = list(asked)
        self.by_id: dict[tuple[str, str], deque[_Call]] = defaultdict(deque)
        for call in self.asked:
            if call.call_id:
                self.by_id[call.scope, call.call_id].append(call)

    @cached_property
    def by_call(self) -> dict[tuple[str, str, str], deque[_Call]]:
        """For those whose span has no id."""
        found: dict[tuple[str, str, str], deque[_Call]] = defaultdict(deque)
        for call in self.asked:
            found[call.scope, call.name, arguments_key(call.arguments)].append(call)
        return found

    @cached_property
    def by_name(self) -> dict[tuple[str, str], deque[_Call]]:
        """For those whose arguments are not known either."""
        found: dict[tuple[str, str], deque[_Call]] = defaultdict(deque)
        for call in self.asked:
            found[call.scope, call.name].append(call)
        return found

    def take(self, scope: str, call_id: str, name: str, arguments: Any) -> _Call | None:
        """The call, marked as met; None where no message knows it."""
        found = None
        for spelling in _spellings(call_id) if call_id else ():
            found = found or _next(self.by_id.get((scope, spelling)))
        if not call_id:
            key = arguments_key(arguments)
            found = _next(self.by_call.get((scope, name, key)))
            found = found or _next(self.by_name.get((scope, name)))
        if found is not None:
            found.met = True
        return found


def _next(queue: deque[_Call] | None) -> _Call | None:
    while queue:
        call = queue.popleft()
        if not call.met:
            return call
    return None


def _same_tool(outer: str, inner: str) -> bool:
    return bool(outer) and bool(inner) and (outer.endswith(inner) or inner.endswith(outer))


def _answer_text(value: Any, whole: bool) -> str | None:
    if value in ("None", "null"):
        return None
    data = data_of(value)
    if not isinstance(data, (dict, list)):
        text = as_text(value)
        # A cut repr of an object is not what anybody was told.
        cut = text.endswith("...") and "(" in text[:80]
        return text if whole and not cut else None
    messages = messages_in(data)
    if messages:
        return str(messages[-1].value) if messages[-1].kind == "assistant" else ""
    if isinstance(data, dict):
        for key in _ANSWER_KEYS:
            if isinstance(data.get(key), str):
                return str(data[key])
    return _in_words(data) if whole and isinstance(data, dict) and data else None


def _in_words(value: Any) -> str:
    """A structured answer as what it tells its reader: one line a field."""
    data = data_of(value)
    if not isinstance(data, dict):
        return as_text(value)
    if len(data) == 1:
        (only,) = data.values()
        if isinstance(only, str):
            return only
    return "\n".join(f"{key}: {as_text(item)}" for key, item in data.items())


def _schema_names(listed: Any) -> list[str]:
    return [name for name in map(_schema_name, sequence(listed)) if name]


def _schema_name(tool: Any) -> str:
    schema = mapping(mapping(tool).get("tool")).get("json_schema")
    known = mapping(parse_json(schema) if isinstance(schema, str) else schema)
    return next(iter(tool_names([known])), "")
