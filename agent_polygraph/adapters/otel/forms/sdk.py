"""Spans and logs one by one, as SDKs and exports write them.

`ReadableSpan.to_json` and `ReadableLogRecord.to_json` (lines or the console exporter's pretty
print), Phoenix's jsonl download and REST form, rows of a Phoenix dataframe, dumps with `parent`
objects and whole-number ids, and the nested spans of TRAIL.  All are one shape with other keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..._shape import first, is_mapping, mapping, parse_literal, sequence, string
from ..._time import nanoseconds, span_length
from ..span import Log, Record, Span, events_of, flatten, hex_id, key_values, status_of
from . import Form

# Phoenix keeps the kind beside the attributes.
_KINDS = frozenset({"TOOL", "LLM", "AGENT", "CHAIN", "RETRIEVER", "RERANKER", "EMBEDDING"})
_DEPTH = 200  # of nested child spans
_COLUMN = "attributes."  # of a table with a column for each attribute
_VOCABULARIES = ("openinference", "gen_ai", "llm", "tool", "input.", "output.")


def is_log(row: Mapping[str, Any]) -> bool:
    """True for one log record."""
    return "trace_id" in row and ("severity_number" in row or "severity_text" in row)


def _takes(row: Mapping[str, Any]) -> bool:
    if is_mapping(row.get("span_data")):  # the OpenAI Agents SDK's own export
        return False
    attributes = first(row, "attributes", "span_attributes")
    if isinstance(attributes, (dict, list, Mapping)):
        place = mapping(row.get("context")) or row
        named = first(place, "trace_id", "traceId") is not None or "span_id" in place
        if named or "name" in row:
            return True
        if any(str(key).startswith(_VOCABULARIES) for key in mapping(attributes)):
            return True
    if is_log(row) or _columns(row) or any(str(key).startswith(_COLUMN) for key in row):
        return True
    return isinstance(row.get("spans"), list) and "trace_id" in row


def _columns(row: Mapping[str, Any]) -> bool:
    """True for a whole dataframe as JSON by columns: `{column: {row: value}}`."""
    return is_mapping(row.get("context.span_id"))


def _decode(row: Mapping[str, Any]) -> Iterator[Record]:
    if is_log(row):
        yield _log(row)
        return
    tops: list[Mapping[str, Any]] = [row]
    if isinstance(row.get("spans"), list) and "attributes" not in row:
        tops = [mapping(span) for span in row["spans"] if span]
    elif _columns(row):
        tops = [
            {key: mapping(row[key]).get(number) for key in row}
            for number in mapping(row["context.span_id"])
        ]
    whole = string(row.get("trace_id"))
    stack = [(top, whole, "", 0) for top in reversed(tops)]
    while stack:
        node, trace_id, parent, depth = stack.pop()
        span = _span(node)
        span.trace_id = span.trace_id or hex_id(trace_id, 32)
        span.parent_id = span.parent_id or parent
        yield span
        if depth < _DEPTH:
            children = sequence(first(node, "child_spans", "children"))
            stack += [
                (child, span.trace_id, span.span_id, depth + 1)
                for child in map(mapping, reversed(children))
                if child
            ]


def _span(row: Mapping[str, Any]) -> Span:
    context = row.get("context")
    place = mapping(context) or row
    parent = first(row, "parent_id", "parentSpanId", "parent_span_id", "parent")
    if is_mapping(parent):
        parent = parent.get("span_id")
    status = row.get("status")
    code = first(mapping(status), "status_code", "code") if is_mapping(status) else status
    start = nanoseconds(first(row, "start_time", "startTimeUnixNano", "timestamp"))
    ended = nanoseconds(first(row, "end_time", "endTimeUnixNano"))
    return Span(
        name=string(first(row, "name", "span_name")),
        trace_id=hex_id(first(place, "trace_id", "traceId", "context.trace_id"), 32),
        span_id=hex_id(first(place, "span_id", "spanId", "context.span_id", "id"), 16),
        parent_id=hex_id(parent, 16),
        start=start,
        end=ended or start + span_length(row.get("duration")),
        status=status_of(code if code is not None else row.get("status_code")),
        description=string(
            first(mapping(status), "description", "message") or row.get("status_message")
        ),
        attributes=_attributes(row),
        events=events_of(row.get("events")),
        scope=string(
            mapping(row.get("instrumentation_scope")).get("name") or row.get("scope_name")
        ),
        remote=string(row.get("kind")).rsplit(".", 1)[-1].upper() in ("SERVER", "CONSUMER"),
        dropped=any(
            row.get(key) for key in ("dropped_attributes", "dropped_attributes_count", "dropped")
        ),
    )


def _attributes(row: Mapping[str, Any]) -> dict[str, Any]:
    found = key_values(first(row, "attributes", "span_attributes"))
    for key, value in row.items():
        if isinstance(key, str) and key.startswith(_COLUMN) and value is not None:
            if isinstance(value, str) and value[:2] in ("[{", "{'"):  # a cell of a CSV file
                value = parse_literal(value) or value
            if value == value:  # not a number: an empty cell
                found[key.removeprefix(_COLUMN)] = value
    kind = string(row.get("span_kind")).upper()
    if kind in _KINDS:
        found.setdefault("openinference.span.kind", kind)
    return flatten(found)


def _log(row: Mapping[str, Any]) -> Log:
    attributes = key_values(row.get("attributes"))
    body = row.get("body")
    if is_mapping(body):
        attributes = {**body, **attributes}
    return Log(
        name=string(row.get("event_name") or attributes.get("event.name")),
        trace_id=hex_id(row.get("trace_id"), 32),
        span_id=hex_id(row.get("span_id"), 16),
        time=nanoseconds(row.get("timestamp") or row.get("observed_timestamp")),
        attributes=attributes,
        dropped=bool(row.get("dropped_attributes")),
    )


FORM = Form("spans and logs one by one", 90, _takes, _decode)
