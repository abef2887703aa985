"""A stream of records as whole traces, with a bound on what is held.

A trace is scattered over its file, so it stays open until the file ends or the bound is reached;
then the traces that were not touched for longest are given out.  A file that fits the bound is
therefore read the same in any order.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from .dialects import known
from .span import Record, Span, begin_of

MAX_SPANS = 50_000  # held at a time
MAX_SPANS_PER_TRACE = 20_000
_REMEMBERED = 100_000  # traces that are not whole


@dataclass(slots=True)
class OpenTrace:
    """One trace as far as it came.  line: where it begins; dropped: records beyond the bound."""

    trace_id: str
    line: int | None = None
    records: list[Record] = field(default_factory=list)
    dropped: int = 0
    late: bool = False  # part of it was given out before


class Gone:
    """Traces of which a part was thrown away or given out: what comes later is not the whole.

    Bounded; the one that came first is forgotten first.
    """

    def __init__(self) -> None:
        self._ids: OrderedDict[Hashable, None] = OrderedDict()

    def add(self, trace_id: Hashable) -> None:
        """Remember a trace.  Several threads may do so at a time."""
        self._ids[trace_id] = None
        if len(self._ids) > _REMEMBERED:
            with suppress(KeyError):  # another thread was faster
                self._ids.popitem(last=False)

    def __contains__(self, trace_id: Hashable) -> bool:
        return trace_id in self._ids


class Grouper:
    """Collects records by trace.  O(1) a record."""

    def __init__(
        self, max_spans: int = MAX_SPANS, max_spans_per_trace: int = MAX_SPANS_PER_TRACE
    ) -> None:
        self.max_spans = max(1, max_spans)
        self.max_spans_per_trace = max(1, max_spans_per_trace)
        self.held = 0
        self._open: OrderedDict[str, OpenTrace] = OrderedDict()
        self._gone = Gone()
        self._kind_of = known().kind_of

    def add(self, record: Record, line: int | None = None) -> Iterator[OpenTrace]:
        """Take one record; yields the traces that had to go to make room for it."""
        trace = self._open.get(record.trace_id)
        if trace is None:
            late = record.trace_id in self._gone
            trace = self._open[record.trace_id] = OpenTrace(record.trace_id, line, late=late)
        else:
            self._open.move_to_end(record.trace_id)
        if len(trace.records) >= self.max_spans_per_trace:
            trace.dropped += 1
            return
        trace.records.append(self._light(record))
        self.held += 1
        while self.held > self.max_spans and len(self._open) > 1:
            _, oldest = self._open.popitem(last=False)
            self.held -= len(oldest.records)
            self._gone.add(oldest.trace_id)
            yield oldest

    def rest(self) -> Iterator[OpenTrace]:
        """What is still open, in order of its beginning."""
        traces = sorted(self._open.values(), key=lambda trace: begin_of(trace.records))
        self._open.clear()
        self.held = 0
        yield from traces

    def _light(self, record: Record) -> Record:
        """A web request or a database call is kept for its place alone."""
        if isinstance(record, Span) and record.attributes and not record.events:
            if self._kind_of(record.attributes) == "other":
                record.attributes = {}
        return record
