"""Observations of Langfuse, as its API and its exports give them (camelCase or snake_case)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..._shape import first, mapping, sequence, string
from ..._time import nanoseconds
from ..span import Record, Span, hex_id
from . import Form

_TYPES = frozenset(
    "SPAN GENERATION EVENT AGENT TOOL CHAIN RETRIEVER EVALUATOR EMBEDDING GUARDRAIL".split()
)


def _is_observation(row: Mapping[str, Any]) -> bool:
    return (
        first(row, "trace_id", "traceId") is not None
        and string(row.get("type")).upper() in _TYPES
        and first(row, "start_time", "startTime") is not None
        and "attributes" not in row
    )


def _takes(row: Mapping[str, Any]) -> bool:
    if _is_observation(row):
        return True
    inner = first(row, "observations", "data")
    return isinstance(inner, list) and bool(inner) and _is_observation(mapping(inner[0]))


def _decode(row: Mapping[str, Any]) -> Iterator[Record]:
    if _is_observation(row):
        yield _span(row)
        return
    for inner in map(mapping, sequence(first(row, "observations", "data"))):
        if _is_observation(inner):
            yield _span(inner)


def _span(row: Mapping[str, Any]) -> Span:
    level = string(row.get("level")).upper()
    attributes = {
        "langfuse.observation.type": string(row.get("type")).lower(),
        "langfuse.observation.input": row.get("input"),
        "langfuse.observation.output": row.get("output"),
        "langfuse.observation.level": level,
    }
    return Span(
        name=string(row.get("name")),
        trace_id=hex_id(first(row, "trace_id", "traceId"), 32),
        span_id=hex_id(row.get("id"), 16),
        parent_id=hex_id(first(row, "parent_observation_id", "parentObservationId"), 16),
        start=nanoseconds(first(row, "start_time", "startTime")),
        end=nanoseconds(first(row, "end_time", "endTime")),
        status="ERROR" if level == "ERROR" else "UNSET",
        description=string(first(row, "status_message", "statusMessage")),
        attributes={key: value for key, value in attributes.items() if value is not None},
        scope="langfuse",
    )


FORM = Form("Langfuse observations", 40, _takes, _decode)
