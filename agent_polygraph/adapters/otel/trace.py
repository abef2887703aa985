"""The spans and log records of one trace, put together, and the turns in it.

A turn is an outermost agent span with all that lies in it.  Where there is none, or where models
and tools also work beside the agents, the whole trace is one turn.  An agent that gave no answer
handed over to the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..._lazy import cached_property
from .._shape import first, string
from .dialects import Tables
from .span import Log, Record, Span

_UP = 10_000  # steps from a span to its root


class Trace:
    """One trace.  spans: in order of (start, -end), which puts a parent before its children."""

    def __init__(self, records: Iterable[Record], tables: Tables) -> None:
        known: dict[str, Span] = {}
        logs: list[Log] = []
        for position, record in enumerate(records):
            if isinstance(record, Log):
                logs.append(record)
            else:
                known.setdefault(record.span_id or f"#{position}", record)
        _attach(logs, known)
        self.tables = tables
        self.spans = sorted(known.values(), key=lambda span: (span.start, -span.end, span.span_id))
        self.by_id = {span.span_id: span for span in self.spans if span.span_id}
        for span in self.spans:
            _fold(span, tables)
            span.kind = tables.kind_of(span.attributes)

    @property
    def agentic(self) -> bool:
        """True when any span is an agent's, a model's or a tool's."""
        return any(span.kind != "other" for span in self.spans)

    @cached_property
    def agents(self) -> frozenset[str]:
        """Names of its agents, bare."""
        return frozenset(
            bare_name(name)
            for span in self.spans
            if span.kind in ("agent", "chain")
            for name in (span.name, span.name.rpartition(" ")[2], _agent_name(span))
            if name
        )

    def parent(self, span: Span) -> Span | None:
        """The span that it lies in, where that is recorded."""
        return self.by_id.get(span.parent_id) if span.parent_id else None

    def above(self, span: Span) -> Iterator[Span]:
        """The spans that it lies in, inner before outer; a ring of parents is cut."""
        node, seen = self.parent(span), {id(span)}
        while node is not None and id(node) not in seen and len(seen) < _UP:
            seen.add(id(node))
            yield node
            node = self.parent(node)

    def orphaned(self, span: Span) -> bool:
        """True for an agent, a model or a tool whose parent ought to be in this trace and is not."""
        return bool(
            span.parent_id
            and not span.remote
            and span.parent_id not in self.by_id
            and span.kind != "other"
        )

    def turns(self) -> list[list[Span]]:
        """The spans of each turn, in order; one turn with all spans where there are not several."""
        tops: dict[int, int] = {}  # span -> its outermost agent
        agents: list[list[Span]] = []
        for span in self.spans:  # a parent is seen before its children
            kind = span.kind
            over = self.parent(span)
            top = tops.get(id(over)) if over is not None else None
            if top is None and kind == "agent":
                top = len(agents)
                agents.append([])
            if top is not None:
                tops[id(span)] = top
                agents[top].append(span)
            elif kind != "other":
                return [self.spans]  # work outside of any agent
        return agents if len(agents) > 1 else [self.spans]


def bare_name(name: str) -> str:
    """A name as far as all who spell it agree: letters and digits, lower-case."""
    return "".join(sign for sign in name.casefold() if sign.isalnum())


def _agent_name(span: Span) -> str:
    return string(first(span.attributes, "gen_ai.agent.name", "agent.name", "agent_name"))


def _attach(logs: list[Log], spans: dict[str, Span]) -> None:
    """Log records become events of their spans; those of a span that never came, a span."""
    for log in sorted(logs, key=lambda log: log.time):
        span = spans.get(log.span_id)
        if span is None:
            if not log.span_id:
                continue
            span = spans[log.span_id] = Span(
                log.name, log.trace_id, log.span_id, start=log.time, end=log.time, scope="logs"
            )
        span.events.append((log.name, log.attributes))
        span.dropped = span.dropped or log.dropped
        if span.scope == "logs":
            span.end = max(span.end, log.time)


def _fold(span: Span, tables: Tables) -> None:
    """What its events say of a span joins its attributes; what the span says itself stands."""
    if not span.events and "events" not in span.attributes:
        if "all_messages_events" not in span.attributes:
            return
    for fold in tables.folds:
        for key, value in fold(span).items():
            span.attributes.setdefault(key, value)
