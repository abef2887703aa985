"""Every stored form of one run reads like every other, streamed or whole."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_polygraph import verify_traces
from agent_polygraph.adapters.otel import AuditedTurn, from_openinference, read_trace
from agent_polygraph.adapters.otel.forms import forms
from agent_polygraph.formats import Item, Problem, read

Row = dict[str, Any]
FILE = (
    Path(__file__).resolve().parent.parent
    / "traces"
    / "otel"
    / "lie-strands_openinference-raised.jsonl"
)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def only(source: Any) -> AuditedTurn:
    (turn,) = verify_traces(source)
    return turn


def _nanos(time: str) -> int:
    from agent_polygraph.adapters._time import nanoseconds

    return nanoseconds(time)


def _value(item: Any) -> Row:
    if isinstance(item, bool):
        return {"boolValue": item}
    if isinstance(item, int):
        return {"intValue": str(item)}
    if isinstance(item, float):
        return {"doubleValue": item}
    if isinstance(item, list):
        return {"arrayValue": {"values": [_value(one) for one in item]}}
    return {"stringValue": item}


def otlp(
    rows: list[Row],
    number: Callable[[str], str] = lambda text: text,
    code: Callable[[str], Any] = "STATUS_CODE_{}".format,
) -> Row:
    def ident(value: str | None) -> str:
        return number((value or "").removeprefix("0x"))

    spans = [
        {
            "traceId": ident(row["context"]["trace_id"]),
            "spanId": ident(row["context"]["span_id"]),
            "parentSpanId": ident(row["parent_id"]),
            "name": row["name"],
            "startTimeUnixNano": str(_nanos(row["start_time"])),
            "endTimeUnixNano": str(_nanos(row["end_time"])),
            "status": {
                "code": code(row["status"]["status_code"]),
                "message": row["status"].get("description", ""),
            },
            "attributes": [{"key": k, "value": _value(v)} for k, v in row["attributes"].items()],
            "events": [
                {
                    "name": event["name"],
                    "attributes": [
                        {"key": k, "value": _value(v)} for k, v in event["attributes"].items()
                    ],
                }
                for event in row["events"]
            ],
        }
        for row in rows
    ]
    return {"resourceSpans": [{"scopeSpans": [{"scope": {"name": "x"}, "spans": spans}]}]}


def snake(value: Any) -> Any:
    """A document with its keys in snake case."""
    if isinstance(value, dict):
        return {
            "".join("_" + c.lower() if c.isupper() else c for c in key): snake(item)
            for key, item in value.items()
        }
    return [snake(item) for item in value] if isinstance(value, list) else value


def base64_ids(text: str) -> str:
    return base64.b64encode(bytes.fromhex(text)).decode()


def jaeger(rows: list[Row]) -> Row:
    spans = []
    for row in rows:
        tags = [{"key": k, "type": "string", "value": v} for k, v in row["attributes"].items()]
        if row["status"]["status_code"] == "ERROR":
            tags += [
                {"key": "error", "type": "bool", "value": True},
                {
                    "key": "otel.status_description",
                    "value": row["status"].get("description", ""),
                },
            ]
        start = _nanos(row["start_time"]) // 1000
        parent = row["parent_id"]
        spans.append(
            {
                "traceID": row["context"]["trace_id"][2:],
                "spanID": row["context"]["span_id"][2:],
                "operationName": row["name"],
                "references": [{"refType": "CHILD_OF", "spanID": parent[2:]}] if parent else [],
                "startTime": start,
                "duration": _nanos(row["end_time"]) // 1000 - start,
                "tags": tags,
                "logs": [
                    {
                        "fields": [
                            {"key": "event", "value": event["name"]},
                            *({"key": k, "value": v} for k, v in event["attributes"].items()),
                        ]
                    }
                    for event in row["events"]
                ],
            }
        )
    return {"data": [{"traceID": spans[0]["traceID"], "spans": spans, "processes": {}}]}


def trail(rows: list[Row]) -> Row:
    """Nested spans, as TRAIL has them."""
    nodes = {
        row["context"]["span_id"]: {
            "span_id": row["context"]["span_id"][2:],
            "span_name": row["name"],
            "timestamp": row["start_time"],
            "duration": f"PT{(_nanos(row['end_time']) - _nanos(row['start_time'])) / 1e9:.9f}S",
            "status_code": row["status"]["status_code"].title(),
            "status_message": row["status"].get("description", ""),
            "span_attributes": row["attributes"],
            "events": row["events"],
            "child_spans": [],
        }
        for row in rows
    }
    tops = []
    for row in rows:
        above = nodes.get(row["parent_id"])
        (above["child_spans"] if above else tops).append(nodes[row["context"]["span_id"]])
    return {"trace_id": rows[0]["context"]["trace_id"][2:], "spans": tops}


def columns(rows: list[Row]) -> Row:
    """A Phoenix dataframe, `to_json()`."""
    cells = [
        {
            "name": row["name"],
            "parent_id": row["parent_id"],
            "start_time": row["start_time"],
            "end_time": row["end_time"],
            "status_code": row["status"]["status_code"],
            "status_message": row["status"].get("description", ""),
            "events": row["events"],
            "context.span_id": row["context"]["span_id"],
            "context.trace_id": row["context"]["trace_id"],
            **{f"attributes.{k}": v for k, v in row["attributes"].items()},
        }
        for row in rows
    ]
    keys = {key for row in cells for key in row}
    return {key: {str(i): row.get(key) for i, row in enumerate(cells)} for key in keys}


def table(rows: list[Row]) -> list[Row]:
    """The rows of that dataframe."""
    cells = columns(rows)
    return [{key: cells[key][str(i)] for key in cells} for i in range(len(rows))]


def phoenix(rows: list[Row]) -> list[Row]:
    """What Phoenix answers: newest first, the kind beside the attributes."""
    return [
        {
            "id": row["context"]["span_id"],
            "name": row["name"],
            "context": {key: value[2:] for key, value in row["context"].items() if value},
            "parent_id": (row["parent_id"] or "")[2:] or None,
            "span_kind": row["attributes"].get("openinference.span.kind", "UNKNOWN"),
            "start_time": row["start_time"].replace("Z", "+00:00"),
            "end_time": row["end_time"].replace("Z", "+00:00"),
            "status_code": row["status"]["status_code"],
            "status_message": row["status"].get("description", ""),
            "attributes": {
                k: v for k, v in row["attributes"].items() if k != "openinference.span.kind"
            },
            "events": row["events"],
        }
        for row in reversed(rows)
    ]


def nested(rows: list[Row]) -> list[Row]:
    """Attributes as trees."""

    def deep(flat: Row) -> Row:
        tree: Row = {}
        for key, value in flat.items():
            node, steps = tree, key.split(".")
            for step in steps[:-1]:
                node = node.setdefault(step, {})
            node[steps[-1]] = value
        return tree

    return [{**row, "attributes": deep(row["attributes"])} for row in rows]


def whole_numbers(rows: list[Row]) -> list[Row]:
    """Ids as whole numbers and a parent as an object, as any-agent dumps them."""

    def place(trace_id: str, span_id: str) -> Row:
        return {"trace_id": int(trace_id, 16), "span_id": int(span_id, 16)}

    return [
        {
            **{key: row[key] for key in ("name", "start_time", "end_time", "attributes", "events")},
            "status": {**row["status"], "status_code": row["status"]["status_code"].lower()},
            "context": place(row["context"]["trace_id"], row["context"]["span_id"]),
            "parent": place(row["context"]["trace_id"], row["parent_id"])
            if row["parent_id"]
            else None,
        }
        for row in rows
    ]


STORED: dict[str, Callable[[list[Row]], Any]] = {
    "OTLP": otlp,
    "OTLP, base64": lambda rows: otlp(rows, base64_ids),
    "OTLP, snake case": lambda rows: snake(otlp(rows)),
    "OTLP, codes": lambda rows: otlp(rows, code={"UNSET": 0, "OK": 1, "ERROR": 2}.__getitem__),
    "OTLP lines": lambda rows: "\n".join(json.dumps(otlp([row])) for row in rows),
    "console": lambda rows: "\n".join(json.dumps(row, indent=4) for row in rows),
    "lines": lambda rows: [json.dumps(row) for row in rows],
    "Jaeger": jaeger,
    "TRAIL": trail,
    "dataframe columns": columns,
    "dataframe rows": table,
    "Phoenix": phoenix,
    "nested": nested,
    "whole numbers": whole_numbers,
}


@pytest.mark.parametrize("form", STORED)
def test_forms_read_alike(rows: list[Row], form: str) -> None:
    stored = STORED[form](rows)
    wanted, turn = only(rows), only(stored)
    assert turn.verdict.verdict == wanted.verdict.verdict == "lie"
    assert (turn.events, turn.closing, turn.task) == (wanted.events, wanted.closing, wanted.task)
    assert turn.span_id == wanted.span_id and turn.trace_id == wanted.trace_id
    if form not in ("OTLP lines", "console", "lines"):  # text is for `verify_traces`
        assert from_openinference(stored) == from_openinference(rows)
        assert from_openinference(stored)[1] == wanted.closing


@pytest.mark.parametrize("form", STORED)
def test_the_command_reads_them_too(rows: list[Row], form: str) -> None:
    stored = STORED[form](rows)
    text = stored if isinstance(stored, str) else json.dumps(stored)
    if form == "lines":
        text = "\n".join(stored)
    (item,) = read(text)
    assert isinstance(item, Item), item
    assert item.closing == only(rows).closing


class Table:
    """What of a dataframe is used."""

    columns = ("name",)

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows

    def to_dict(self, orient: str) -> list[Row]:
        assert orient == "records"
        return self.rows


def test_a_dataframe(rows: list[Row]) -> None:
    assert only(Table(table(rows))).verdict.is_lie


RUN = {"trace_id": "t", "start_time": "2026-03-01T10:00:00Z", "end_time": "2026-03-01T10:00:09Z"}
CLAIM = "The payments service was deployed successfully."


def test_runs_of_langsmith() -> None:
    state = {"messages": [{"type": "human", "content": "go"}, {"type": "ai", "content": CLAIM}]}
    runs = [
        {**RUN, "id": "a", "run_type": "chain", "name": "g", "inputs": {}, "outputs": state},
        {**RUN, "id": "b", "parent_run_id": "a", "run_type": "tool", "name": "deploy",
         "inputs": {"input": "{}"}, "outputs": None, "error": "RuntimeError('refused')"},
    ]  # fmt: skip
    assert only(runs).verdict.is_lie


@pytest.mark.parametrize("wrapped", [False, True])
def test_observations_of_langfuse(wrapped: bool) -> None:
    times = {"traceId": "t", "startTime": RUN["start_time"], "endTime": RUN["end_time"]}
    found = [
        {**times, "id": "a", "type": "AGENT", "name": "ops", "input": "go", "output": CLAIM},
        {**times, "id": "b", "parentObservationId": "a", "type": "TOOL", "name": "deploy",
         "input": {}, "output": None, "level": "ERROR", "statusMessage": "refused"},
    ]  # fmt: skip
    assert only([{"data": found}] if wrapped else found).verdict.is_lie


def test_every_form_has_a_name_of_its_own() -> None:
    assert len({form.name for form in forms()}) == len(forms()) >= 5


# --- what is no span ------------------------------------------------------------------------------


def test_a_source_without_spans_is_an_error() -> None:
    with pytest.raises(ValueError, match="no span in it; entry"):
        list(verify_traces([{"a": 1}]))
    with pytest.raises(ValueError, match="line 1: not JSON"):
        list(verify_traces("hello"))
    assert list(verify_traces([])) == []


@pytest.mark.parametrize("source", [{"a": 1}, 3, None, FILE])
def test_a_source_of_no_kind_is_an_error(source: Any) -> None:
    with pytest.raises(ValueError, match="no source of spans; it has to be text, an open file"):
        list(verify_traces(source))


def test_bytes_are_text(rows: list[Row]) -> None:
    whole = FILE.read_bytes()
    for source in (whole, bytearray(whole), whole.splitlines()):
        assert only(source).verdict.is_lie
    assert list(verify_traces(b"")) == []


@pytest.mark.parametrize(
    "attribute",
    [
        {"key": "a", "value": {"intValue": "--5"}},
        {"key": "a", "value": {"intValue": "-"}},
        {"key": 3, "value": {"kvlistValue": {"values": []}}},
        {"key": None, "value": {"kvlistValue": {"values": [{"key": None, "value": None}]}}},
        {"key": ["a"], "value": {"stringValue": "b"}},
    ],
)
def test_attributes_that_are_broken(rows: list[Row], attribute: Row) -> None:
    document = otlp(rows)
    for span in document["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        span["attributes"].append(attribute)
    assert only(document).verdict.is_lie
    assert from_openinference(document) == from_openinference(rows)


def test_dropped_attributes_are_said(rows: list[Row]) -> None:
    document = otlp(rows)
    document["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["droppedAttributesCount"] = 8
    assert "attributes_dropped" in read_trace([document]).meta["unseen"]


# --- streaming ------------------------------------------------------------------------------------


def many(rows: list[Row], count: int) -> Iterator[Row]:
    """The same run under `count` trace ids, one after another."""
    for number in range(1, count + 1):
        for row in rows:
            yield {**row, "context": {**row["context"], "trace_id": f"0x{number:032x}"}}


def test_a_long_stream_is_judged_as_it_comes(rows: list[Row]) -> None:
    taken = 0

    def source() -> Iterator[Row]:
        nonlocal taken
        for row in many(rows, 50):
            taken += 1
            yield row

    turns = verify_traces(source(), max_spans=5 * len(rows))
    first = next(turns)
    assert taken < 8 * len(rows)
    assert [first.trace_id, *(turn.trace_id for turn in turns)] == [
        f"{number:032x}" for number in range(1, 51)
    ]


def test_spans_that_come_after_their_trace_was_judged(rows: list[Row]) -> None:
    late = [*many(rows, 8), next(many(rows, 1))]
    turns = list(verify_traces(late, max_spans=3 * len(rows)))
    again = [turn for turn in turns if turn.trace_id == f"{1:032x}"]
    assert again[0].verdict.is_lie
    assert all(turn.verdict.verdict == "unverifiable" for turn in again[1:])


def test_a_trace_over_the_bound_is_unverifiable(rows: list[Row]) -> None:
    (turn,) = verify_traces(rows, max_spans_per_trace=len(rows) - 1)
    assert turn.verdict.verdict == "unverifiable"
    assert "spans_dropped" in turn.verdict.flags


# --- what can't be seen ---------------------------------------------------------------------------


def flags(rows: list[Row]) -> tuple[str, ...]:
    turn = only(rows)
    assert turn.verdict.verdict == "unverifiable"
    return turn.verdict.flags


def test_a_missing_root(rows: list[Row]) -> None:
    (root,) = (row for row in rows if not row["parent_id"])
    assert "spans_missing" in flags([row for row in rows if row is not root])


def test_a_parent_in_another_process(rows: list[Row]) -> None:
    seen = [{**row, "parent_id": row["parent_id"] or "0x00000000000000ff"} for row in rows]
    assert only(seen).verdict.is_lie


def test_content_that_was_not_captured(rows: list[Row]) -> None:
    bare = [
        {
            **row,
            "events": [],
            "attributes": {
                key: value
                for key, value in row["attributes"].items()
                if key in ("openinference.span.kind", "gen_ai.operation.name", "tool.name")
            },
        }
        for row in rows
    ]
    assert {"closing_not_recorded", "content_not_captured"} <= set(flags(bare))


def test_values_that_were_cut() -> None:
    good = FILE.with_name("honest-langchain-told-that-it-failed.jsonl")
    found = [json.loads(line) for line in good.read_text(encoding="utf-8").splitlines()]
    for row in found:
        for key, value in row["attributes"].items():
            if isinstance(value, str) and key != "openinference.span.kind":
                row["attributes"][key] = value[:300]
    turn = only(found)
    assert turn.verdict.verdict == "unverifiable"
    assert "values_cut" in turn.verdict.flags


def test_problems_of_a_file_are_told(rows: list[Row]) -> None:
    text = "\n".join([json.dumps(rows[0]), "{broken", *map(json.dumps, rows[1:])])
    found = list(read(text))
    (problem,) = (entry for entry in found if isinstance(entry, Problem))
    assert problem.line == 2
