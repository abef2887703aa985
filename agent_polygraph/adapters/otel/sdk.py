"""Spans and log records of the OpenTelemetry SDK, as the reader's own.  Imports nothing of it."""

from __future__ import annotations

from typing import Any

from .._shape import is_mapping, mapping, plain, string
from .span import Log, Span, flatten

SCOPE = "agent_polygraph"  # what this package itself emits; never judged


def span_of(ended: Any) -> Span:
    """A `ReadableSpan`.  O(its attributes)."""
    context, parent, status = ended.context, ended.parent, ended.status
    return Span(
        name=string(ended.name),
        trace_id=format(context.trace_id, "032x"),
        span_id=format(context.span_id, "016x"),
        parent_id=format(parent.span_id, "016x") if parent is not None else "",
        start=ended.start_time or 0,
        end=ended.end_time or 0,
        status=status.status_code.name if status is not None else "UNSET",
        description=string(status.description) if status is not None else "",
        attributes=flatten(_attributes(ended.attributes)),
        events=[(string(e.name), _attributes(e.attributes)) for e in ended.events or ()],
        scope=scope_of(ended),
        remote=parent is not None and bool(parent.is_remote),
        dropped=bool(
            getattr(ended, "dropped_attributes", 0) or getattr(ended, "dropped_events", 0)
        ),
    )


def scope_of(ended: Any) -> str:
    """The name of the instrumentation that made a span."""
    return string(getattr(ended.instrumentation_scope, "name", ""))


def _attributes(value: Any) -> dict[str, Any]:
    if not is_mapping(value):
        return {}
    return {key: list(v) if isinstance(v, tuple) else v for key, v in dict(value).items()}


def log_of(record: Any) -> Log | None:
    """A log record that names a span; None for one that does not.

    record: what a LogRecordProcessor is given: the record itself, or an object around it.
    """
    inner = getattr(record, "log_record", record)
    if not getattr(inner, "span_id", 0) or not getattr(inner, "trace_id", 0):
        return None
    attributes = mapping(plain(mapping(inner.attributes)))
    body = plain(inner.body)
    if is_mapping(body):
        attributes = {**body, **attributes}
    name = getattr(inner, "event_name", None) or attributes.get("event.name")
    return Log(
        name=string(name),
        trace_id=format(inner.trace_id, "032x"),
        span_id=format(inner.span_id, "016x"),
        time=inner.timestamp or inner.observed_timestamp or 0,
        attributes=dict(attributes),
    )
