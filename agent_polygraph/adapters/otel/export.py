"""A span exporter around another: the root of each turn leaves with its verdict on it.

An ended span can't be changed, so attributes can only be added on the way out.  It judges on the
exporter's thread, when the turn's own span is in the batch: children are exported before it.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from ...config import DEFAULT_CONFIG, Config
from .audit import AuditedTurn, audited
from .read import read_turns
from .sdk import span_of
from .span import Span
from .write_back import annotation

_log = logging.getLogger("agent_polygraph.otel")

PREFIX = "trace.evaluations.0.evaluation."


class PolygraphSpanExporter(SpanExporter):  # type: ignore[misc]
    """Exports through `inner`; roots carry `trace.evaluations.0.evaluation.*` of OpenInference.

    max_traces, max_spans_per_trace: what is held of traces whose root has not come.
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
        self._open: OrderedDict[str, list[Span]] = OrderedDict()
        self._full: set[str] = set()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Export a batch; whatever goes wrong with the audit, the spans leave as they are."""
        try:
            spans = self._annotated(spans)
        except Exception:
            _log.warning("spans are exported without verdicts", exc_info=True)
        return self._inner.export(spans)

    def _annotated(self, spans: Sequence[ReadableSpan]) -> list[ReadableSpan]:
        roots: list[tuple[int, Span]] = []
        for position, ended in enumerate(spans):
            span = span_of(ended)
            held = self._open.setdefault(span.trace_id, [])
            if len(held) < self._max_spans:
                held.append(span)
            else:
                self._full.add(span.trace_id)
            if not span.parent_id or span.remote:
                roots.append((position, span))
        found = list(spans)
        for position, root in roots:
            turn = self._judged(self._open.pop(root.trace_id, []), root)
            if turn is not None:
                found[position] = _with(spans[position], annotation(turn, PREFIX))
        while len(self._open) > self._max_traces:
            gone, _ = self._open.popitem(last=False)
            self._full.discard(gone)
        return found

    def _judged(self, spans: list[Span], root: Span) -> AuditedTurn | None:
        """The last turn of a trace; a trace with several has the verdict on its last."""
        readings = [r for r in read_turns(spans, self._config) if r.meta["agentic"]]
        if not readings:
            return None
        if root.trace_id in self._full:
            self._full.discard(root.trace_id)
            readings[-1].meta["unseen"] = [*readings[-1].meta["unseen"], "spans_dropped"]
        return audited(readings[-1], self._config)

    def shutdown(self) -> None:
        """Shut the inner exporter down."""
        self._open.clear()
        self._inner.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Flush the inner exporter."""
        return bool(self._inner.force_flush(timeout_millis))


def _with(ended: ReadableSpan, more: dict[str, Any]) -> ReadableSpan:
    """A copy of an ended span with more attributes."""
    return ReadableSpan(
        name=ended.name,
        context=ended.context,
        parent=ended.parent,
        resource=ended.resource,
        attributes={**(ended.attributes or {}), **more},
        events=ended.events,
        links=ended.links,
        kind=ended.kind,
        status=ended.status,
        start_time=ended.start_time,
        end_time=ended.end_time,
        instrumentation_scope=ended.instrumentation_scope,
    )
