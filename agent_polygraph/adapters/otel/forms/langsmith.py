"""Runs of LangSmith: one a line, as its client and its bulk export write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..._shape import first, mapping, string
from ..._time import nanoseconds
from ..span import Record, Span, hex_id
from . import Form


def _takes(row: Mapping[str, Any]) -> bool:
    return isinstance(row.get("run_type"), str) and (
        "inputs" in row or "outputs" in row or "dotted_order" in row
    )


def _decode(row: Mapping[str, Any]) -> Iterator[Record]:
    error = row.get("error")
    attributes: dict[str, Any] = {
        "langsmith.span.kind": string(row.get("run_type")),
        "gen_ai.prompt": row.get("inputs"),
        "gen_ai.completion": row.get("outputs"),
    }
    extra = mapping(mapping(row.get("extra")).get("metadata"))
    attributes |= {f"langsmith.metadata.{key}": value for key, value in extra.items()}
    yield Span(
        name=string(row.get("name")),
        trace_id=hex_id(first(row, "trace_id", "id"), 32),
        span_id=hex_id(row.get("id"), 16),
        parent_id=hex_id(row.get("parent_run_id"), 16),
        start=nanoseconds(row.get("start_time")),
        end=nanoseconds(row.get("end_time")),
        status="ERROR" if error else "UNSET",
        description=string(error),
        attributes={key: value for key, value in attributes.items() if value is not None},
        scope="langsmith",
    )


FORM = Form("LangSmith runs", 30, _takes, _decode)
