"""A stream of records as whole traces, with a bound on what is held.

A trace is scattered over its file, so it stays open until the file ends or the bound is reached;
then the traces that were not touched for longest are given out.  A file that fits the bound is
therefore read the same in any order.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from .dialects import known
from .span import Log, Record, Span

MAX_SPANS = 50_000  # held at a time
MAX_SPANS_PER_TRACE = 20_000
_REMEMBERED = 100_000  # traces that were given out early


@dataclass(slots=True)
class OpenTrace:
    """One trace as far as it came.  line: where it begins; dropped: records beyond the bound."""

    trace_id: str
    line: int | None = None
    records: list[Record] = field(default_factory=list)
    dropped: int = 0
    late: bool = False  # part of it was given out before

    @property
    def begin(self) -> int:
        """When it begins, in nanoseconds."""
        times = (r.time if isinstance(r, Log) else r.start for r in self.records)
        return min((time for time in times if time), default=0)


class Grouper:
    """Collects records by trace.  O(1) a record."""

    def __init__(
        self, max_spans: int = MAX_SPANS, max_spans_per_trace: int = MAX_SPANS_PER_TRACE
    ) -> None:
        self.max_spans = max(1, max_spans)
        self.max_spans_per_trace = max(1, max_spans_per_trace)
        self.held = 0
        self._open: OrderedDict[str, OpenTrace] = OrderedDict()
        self._gone: OrderedDict[str, None] = OrderedDict()
        self._kind_of = known().kind_of

    def add(self, record: Record, line: int | None = None) -> Iterator[OpenTrace]:
        """Take one record; yields the traces that had to go to make room for it."""
        trace = self._open.get(record.trace_id)
        if trace is None:
            trace = self._open[record.trace_id] = OpenTrace(record.trace_id, line)
            trace.late = record.trace_id in self._gone
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
            self._gone[oldest.trace_id] = None
            if len(self._gone) > _REMEMBERED:
                self._gone.popitem(last=False)
            yield oldest

    def rest(self) -> Iterator[OpenTrace]:
        """What is still open, in order of its beginning."""
        traces = sorted(self._open.values(), key=lambda trace: trace.begin)
        self._open.clear()
        self.held = 0
        yield from traces

    def _light(self, record: Record) -> Record:
        """A web request or a database call is kept for its place alone."""
        if isinstance(record, Span) and record.attributes and not record.events:
            if self._kind_of(record.attributes) == "other":
                record.attributes = {}
        return record
