"""Jaeger's JSON: what its `/api/traces` answers and its UI downloads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..._shape import mapping, sequence, string
from ..span import Record, Span, flatten, hex_id, status_of
from . import Form

_MICROSECOND = 1_000


def _takes(row: Mapping[str, Any]) -> bool:
    if "traceID" in row and isinstance(row.get("spans"), list):
        return True
    data = row.get("data")
    first = mapping(data[0]) if isinstance(data, list) and data else {}
    return "traceID" in first and isinstance(first.get("spans"), list)


def _decode(row: Mapping[str, Any]) -> Iterator[Record]:
    for trace in map(mapping, [row] if "spans" in row else sequence(row.get("data"))):
        for span in map(mapping, sequence(trace.get("spans"))):
            yield _span(span)


def _span(row: Mapping[str, Any]) -> Span:
    tags = _tags(row.get("tags"))
    parent = next(
        (
            mapping(one).get("spanID")
            for one in sequence(row.get("references"))
            if mapping(one).get("refType") == "CHILD_OF"
        ),
        row.get("parentSpanID"),
    )
    start = _whole(row.get("startTime")) * _MICROSECOND
    status = status_of(tags.pop("otel.status_code", None))
    if tags.pop("error", None) in (True, "true"):
        status = "ERROR"
    events: list[tuple[str, Mapping[str, Any]]] = []
    for log in map(mapping, sequence(row.get("logs"))):
        fields = _tags(log.get("fields"))
        events.append((string(fields.pop("event", "")), fields))
    return Span(
        name=string(row.get("operationName")),
        trace_id=hex_id(row.get("traceID"), 32),
        span_id=hex_id(row.get("spanID"), 16),
        parent_id=hex_id(parent, 16),
        start=start,
        end=start + _whole(row.get("duration")) * _MICROSECOND,
        status=status,
        description=string(tags.pop("otel.status_description", "")),
        attributes=flatten(tags),
        events=events,
        scope=string(tags.get("otel.scope.name")),
        remote=tags.get("span.kind") in ("server", "consumer"),
        dropped=bool(sequence(row.get("warnings"))),
    )


def _tags(value: Any) -> dict[str, Any]:
    return {
        str(tag.get("key")): tag.get("value")
        for tag in map(mapping, sequence(value))
        if "key" in tag
    }


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < 10**18 else 0


FORM = Form("Jaeger JSON", 20, _takes, _decode)
