"""OpenTelemetry spans in the forms in which they are stored, as one `Span`.

Read here: OTLP/JSON documents (camelCase and snake_case), `ReadableSpan.to_json`, Phoenix exports
and flat dicts like them.  Attributes may be flat (`llm.input_messages.0.message.role`) or nested;
either way they come out flat, with the containers kept beside their leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._shape import first, ident, mapping, parse_json, plain, sequence, string
from ._time import nanoseconds

_FLATTEN_DEPTH = 14
_STATUS = {"0": "UNSET", "1": "OK", "2": "ERROR", "OK": "OK", "ERROR": "ERROR"}
# Phoenix keeps the kind beside the attributes.
_KINDS = frozenset({"TOOL", "LLM", "AGENT", "CHAIN", "RETRIEVER", "RERANKER", "EMBEDDING"})


@dataclass(slots=True)
class Span:
    """One span.  start, end: nanoseconds, 0 where unknown.  status: UNSET, OK or ERROR."""

    name: str = ""
    trace_id: str = ""
    span_id: str = ""
    parent_id: str = ""
    start: int = 0
    end: int = 0
    status: str = "UNSET"
    description: str = ""
    attributes: dict[str, Any] = field(default_factory=dict)
    events: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    dropped: bool = False  # the SDK or the exporter threw attributes away


def is_otlp(row: Any) -> bool:
    """True for an OTLP/JSON document of spans."""
    return isinstance(row, Mapping) and isinstance(
        first(row, "resourceSpans", "resource_spans"), (list, tuple)
    )


def is_logs(row: Any) -> bool:
    """True for log records, in OTLP/JSON or one by one: they are no spans."""
    known = mapping(row)
    if first(known, "resourceLogs", "resource_logs") is not None:
        return True
    return "trace_id" in known and "severity_number" in known


def is_span(row: Any) -> bool:
    """True for a dict that is one span."""
    known = mapping(row)
    if isinstance(known.get("span_data"), Mapping) or is_logs(known):
        return False
    if any(str(key).startswith("attributes.") for key in known):
        return True
    place = mapping(known.get("context")) or known
    named = first(place, "trace_id", "traceId") is not None or "span_id" in place
    attributes = first(known, "attributes", "span_attributes")
    return isinstance(attributes, (Mapping, list)) and (
        named or "name" in known or any(map(_telling, mapping(attributes)))
    )


def _telling(key: Any) -> bool:
    return str(key).startswith(("openinference", "gen_ai", "llm", "tool", "input.", "output."))


def spans_of(row: Any) -> Iterator[Span]:
    """The spans in one record: those of an OTLP document, or the one that the record is."""
    known = mapping(row)
    if not is_otlp(known):
        if is_span(known):
            yield _span(known)
        return
    for resource in map(mapping, sequence(first(known, "resourceSpans", "resource_spans"))):
        scopes = first(resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans")
        for scope in map(mapping, sequence(scopes)):
            for span in map(mapping, sequence(scope.get("spans"))):
                if span:
                    yield _span(span)


def _span(row: Mapping[str, Any]) -> Span:
    place = mapping(row.get("context")) or row
    parent = first(row, "parent_id", "parentSpanId", "parent_span_id", "parent")
    status = row.get("status")
    code = first(mapping(status), "status_code", "code") if mapping(status) else status
    said = first(row, "status_code") if code is None else code
    attributes = _attributes(row)
    kind = string(row.get("span_kind")).upper()
    if kind in _KINDS:
        attributes.setdefault("openinference.span.kind", kind)
    return Span(
        name=string(first(row, "name", "span_name")),
        trace_id=_hex(first(place, "trace_id", "traceId", "context.trace_id")),
        span_id=_hex(first(place, "span_id", "spanId", "context.span_id", "id")),
        parent_id=_hex(mapping(parent).get("span_id") if mapping(parent) else parent),
        start=nanoseconds(first(row, "start_time", "startTimeUnixNano", "start_time_unix_nano")),
        end=nanoseconds(first(row, "end_time", "endTimeUnixNano", "end_time_unix_nano")),
        status=_STATUS.get(_last_word(said), "UNSET"),
        description=string(
            first(mapping(status), "description", "message") or row.get("status_message")
        ),
        attributes=attributes,
        events=[
            (string(event.get("name")), key_values(event.get("attributes")))
            for event in map(mapping, sequence(row.get("events")))
        ],
        dropped=bool(first(row, "droppedAttributesCount", "dropped_attributes_count")),
    )


def _last_word(status: Any) -> str:
    """`StatusCode.ERROR`, `STATUS_CODE_ERROR`, `Error` and 2 are one and the same."""
    text = ident(status).upper()
    return text.rsplit(".", 1)[-1].removeprefix("STATUS_CODE_")


def _hex(value: Any) -> str:
    text = ident(value)
    if text.startswith("0x"):
        text = text[2:]
    # Base64 ids are told apart by case; only hexadecimal ones may be lowered.
    return text.lower() if all(sign in "0123456789abcdefABCDEF" for sign in text) else text


def _attributes(row: Mapping[str, Any]) -> dict[str, Any]:
    found = key_values(first(row, "attributes", "span_attributes"))
    columns = {
        key.removeprefix("attributes."): value
        for key, value in row.items()
        if isinstance(key, str) and key.startswith("attributes.") and value is not None
    }
    return flatten({**found, **columns})


def key_values(value: Any) -> dict[str, Any]:
    """Attributes as a dict: OTLP lists of `{key, value: {stringValue}}`, JSON text, or a dict."""
    if isinstance(value, str):
        value = parse_json(value)
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    found = {}
    for pair in map(mapping, sequence(value)):
        key = pair.get("key")
        if isinstance(key, str):
            found[key] = any_value(pair.get("value"))
    return found


def any_value(value: Any, depth: int = 60) -> Any:
    """An OTLP AnyValue, in either spelling, as the value it stands for."""
    if not isinstance(value, Mapping) or depth <= 0:
        return plain(value) if depth > 0 else None
    for key, item in value.items():
        if item is None:
            continue
        kind = str(key).replace("_", "").lower()
        if kind == "intvalue":
            return int(item) if str(item).lstrip("-").isdigit() and len(str(item)) < 40 else item
        if kind == "arrayvalue":
            return [any_value(one, depth - 1) for one in sequence(mapping(item).get("values"))]
        if kind == "kvlistvalue":
            return {
                str(pair.get("key")): any_value(pair.get("value"), depth - 1)
                for pair in map(mapping, sequence(mapping(item).get("values")))
            }
        if kind.endswith("value"):
            return item
    return None


def flatten(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Nested attributes under dotted keys; each container also stays under its own key."""
    flat: dict[str, Any] = {}
    stack: list[tuple[str, Any, int]] = [
        (key, attributes[key], 0) for key in reversed(list(attributes))
    ]
    while stack:
        key, value, depth = stack.pop()
        flat.setdefault(key, value)
        if depth >= _FLATTEN_DEPTH:
            continue
        if isinstance(value, Mapping):
            stack += [(f"{key}.{name}", item, depth + 1) for name, item in value.items()]
        elif key.startswith("llm.") and isinstance(value, (list, tuple)):
            stack += [(f"{key}.{i}", item, depth + 1) for i, item in enumerate(value)]
    return flat
