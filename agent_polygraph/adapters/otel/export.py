"""A span exporter around another: the span of each turn leaves with its verdict on it.

An ended span can't be changed, so attributes can only be added on the way out.  It judges on the
exporter's thread, when a trace's root in this process is in the batch: all else ended before it.
A turn whose own span left with an earlier batch has its verdict on the root.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from copy import copy
from typing import Any

from opentelemetry.attributes import BoundedAttributes
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from ...config import DEFAULT_CONFIG, Config
from .audit import AuditedTurn, audited, read_trace_turns
from .sdk import span_of
from .stream import Gone, OpenTrace
from .write_back import annotation

_log = logging.getLogger("agent_polygraph.otel")

_BEST_FIRST = ("honest", "unverifiable", "lie")


class PolygraphSpanExporter(SpanExporter):  # type: ignore[misc]
    """Exports through `inner`; turns carry `trace.evaluations.0.evaluation.*` of OpenInference.

    Of several turns whose own spans have left before the root, the root has the worst verdict.
    max_traces, max_spans_per_trace: what is held of traces whose root has not come; of those over
    either the verdict is never better than unverifiable.
    """

    def __init__(
        self,
        inner: SpanExporter,
        *,
        max_traces: int = 1_000,
        max_spans_per_trace: int = 1_000,
        config: Config = DEFAULT_CONFIG,
    ) -> None:
        self._inner = inner
        self._max_traces, self._max_spans = max_traces, max_spans_per_trace
        self._config = config
        self._open: OrderedDict[str, OpenTrace] = OrderedDict()
        self._gone = Gone()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Export a batch; whatever goes wrong with the audit, the spans leave as they are."""
        try:
            spans = self._annotated(spans)
        except Exception:
            _log.warning("spans are exported without verdicts", exc_info=True)
        return self._inner.export(spans)

    def _annotated(self, spans: Sequence[ReadableSpan]) -> list[ReadableSpan]:
        roots: list[tuple[int, OpenTrace]] = []
        places: dict[tuple[str, str], int] = {}
        for place, ended in enumerate(spans):
            span = span_of(ended)
            trace = self._open.get(span.trace_id)
            if trace is None:
                late = span.trace_id in self._gone
                trace = self._open[span.trace_id] = OpenTrace(span.trace_id, late=late)
            if len(trace.records) < self._max_spans:
                trace.records.append(span)
            else:
                trace.dropped += 1
            places[span.trace_id, span.span_id] = place
            if not span.parent_id or span.remote:
                roots.append((place, trace))
        found = list(spans)
        for root, trace in roots:
            if self._open.pop(trace.trace_id, None) is None:
                continue  # a second root of one trace: its turns were in the first's
            worst: dict[int, AuditedTurn] = {}
            for turn in self._turns(trace):
                place = places.get((turn.trace_id, turn.span_id), root)
                worst[place] = max(worst.get(place, turn), turn, key=_badness)
            for place, turn in worst.items():
                found[place] = _with(spans[place], annotation(turn))
        while len(self._open) > self._max_traces:
            trace_id, _ = self._open.popitem(last=False)
            self._gone.add(trace_id)
        return found

    def _turns(self, trace: OpenTrace) -> list[AuditedTurn]:
        readings = read_trace_turns(trace, self._config)
        return [audited(one, self._config) for one in readings if one.meta["agentic"]]

    def shutdown(self) -> None:
        """Shut the inner exporter down."""
        self._open.clear()
        self._inner.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Flush the inner exporter."""
        return bool(self._inner.force_flush(timeout_millis))


def _badness(turn: AuditedTurn) -> int:
    return _BEST_FIRST.index(turn.verdict.verdict)


def _with(ended: ReadableSpan, more: dict[str, Any]) -> ReadableSpan:
    """A copy of an ended span with more attributes, and what was dropped of it still counted."""
    attributes = BoundedAttributes(attributes={**(ended.attributes or {}), **more})
    attributes.dropped = ended.dropped_attributes
    found = copy(ended)
    found._attributes = attributes
    return found
