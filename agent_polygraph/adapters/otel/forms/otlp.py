"""OTLP/JSON documents of spans or logs.

Written by the collector's file exporter, the SDKs' file exporters and Phoenix's OTLP download;
in camelCase or snake_case, ids in hex or (protobuf's own JSON) base64.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..._shape import first, mapping, sequence, string
from ..._time import nanoseconds
from ..span import Log, Record, Span, any_value, events_of, flatten, hex_id, key_values, status_of
from . import Form

_REMOTE_KNOWN, _REMOTE = 0x100, 0x200  # SpanFlags: the parent is known to be remote
_DOCUMENTS = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs")
_DROPPED = (
    "droppedAttributesCount",
    "dropped_attributes_count",
    "droppedEventsCount",
    "dropped_events_count",
)
_FROM_OUTSIDE = frozenset({2, 5, "2", "5", "SPAN_KIND_SERVER", "SPAN_KIND_CONSUMER"})


def _takes(row: Mapping[str, Any]) -> bool:
    for key in _DOCUMENTS:  # asked of every record, and quicker than any()  # noqa: SIM110
        if isinstance(row.get(key), (list, tuple)):
            return True
    return False


def _decode(row: Mapping[str, Any]) -> Iterator[Record]:
    for resource in map(mapping, sequence(first(row, "resourceSpans", "resource_spans"))):
        scopes = first(resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans")
        for scope in map(mapping, sequence(scopes)):
            name = string(mapping(first(scope, "scope", "instrumentationLibrary")).get("name"))
            for span in map(mapping, sequence(scope.get("spans"))):
                if span:
                    yield _span(span, name)
    for resource in map(mapping, sequence(first(row, "resourceLogs", "resource_logs"))):
        for scope in map(mapping, sequence(first(resource, "scopeLogs", "scope_logs"))):
            for record in map(mapping, sequence(first(scope, "logRecords", "log_records"))):
                yield _log(record)


def _span(row: Mapping[str, Any], scope: str) -> Span:
    get = row.get
    status = get("status") or {}
    flags = get("flags")
    return Span(
        name=string(get("name")),
        trace_id=hex_id(first(row, "traceId", "trace_id"), 32),
        span_id=hex_id(first(row, "spanId", "span_id"), 16),
        parent_id=hex_id(first(row, "parentSpanId", "parent_span_id"), 16),
        start=nanoseconds(first(row, "startTimeUnixNano", "start_time_unix_nano")),
        end=nanoseconds(first(row, "endTimeUnixNano", "end_time_unix_nano")),
        status=status_of(mapping(status).get("code")) if status else "UNSET",
        description=string(mapping(status).get("message")),
        attributes=flatten(key_values(get("attributes"))),
        events=events_of(get("events")) if get("events") else [],
        scope=scope,
        remote=_remote(flags, get("kind")),
        dropped=_dropped(row),
    )


def _remote(flags: Any, kind: Any) -> bool:
    if isinstance(flags, int) and flags & _REMOTE_KNOWN:
        return bool(flags & _REMOTE)
    return isinstance(kind, (int, str)) and kind in _FROM_OUTSIDE


def _dropped(row: Mapping[str, Any]) -> bool:
    return any(map(row.get, _DROPPED))


def _log(row: Mapping[str, Any]) -> Log:
    attributes = key_values(row.get("attributes"))
    body = any_value(row.get("body"))
    if isinstance(body, dict):  # the first form of these events had their content in the body
        attributes = {**body, **attributes}
    named = first(row, "eventName", "event_name") or attributes.get("event.name")
    time = first(row, "timeUnixNano", "time_unix_nano") or 0
    if time in (0, "0", ""):
        time = first(row, "observedTimeUnixNano", "observed_time_unix_nano")
    return Log(
        name=string(named),
        trace_id=hex_id(first(row, "traceId", "trace_id"), 32),
        span_id=hex_id(first(row, "spanId", "span_id"), 16),
        time=nanoseconds(time),
        attributes=attributes,
        dropped=_dropped(row),
    )


FORM = Form("OTLP/JSON", 10, _takes, _decode)
