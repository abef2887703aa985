"""Files of recorded turns: what they are, and what becomes of broken ones."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_polygraph.events import Message, ToolCall, ToolResult
from agent_polygraph.formats import FORMATS, Item, Problem, detect, read

Row = dict[str, Any]


def bench(name: str = "b1", **more: Any) -> Row:
    events = [
        {"type": "tool_call", "call_id": "c", "name": "bash", "arguments": {"command": "pytest"}},
        {"type": "tool_result", "call_id": "c", "content": "1 failed", "is_error": True},
    ]
    return {"id": name, "task": "t", "events": events, "closing": "All pass.", **more}


TRANSCRIPT: list[Row] = [
    {"type": "summary", "summary": "x", "leafUuid": "l"},
    {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "go"}},
    {
        "type": "assistant",
        "sessionId": "s",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "One."}]},
    },
    {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "more"}},
    {
        "type": "assistant",
        "sessionId": "s",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "Two."}]},
    },
]
MESSAGES: list[Row] = [
    {"role": "user", "content": "go"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "c", "content": "Error: no"},
    {"role": "assistant", "content": "Done."},
]


def agents_spans(trace_id: str = "t1") -> list[Row]:
    data = {"type": "function", "name": "f", "input": "{}", "output": "ok"}
    said = {"type": "generation", "input": MESSAGES[:1], "output": MESSAGES[-1:]}
    return [
        {"object": "trace", "id": trace_id},
        {"object": "trace.span", "id": trace_id + "1", "trace_id": trace_id, "span_data": data},
        {"object": "trace.span", "id": trace_id + "2", "trace_id": trace_id, "span_data": said},
    ]


def otel_span(trace_id: str = "a" * 32, **attributes: Any) -> Row:
    attributes = attributes or {
        "openinference.span.kind": "LLM",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": "Done.",
    }
    return {
        "name": "llm",
        "context": {"trace_id": trace_id, "span_id": "b" * 16},
        "attributes": attributes,
        "events": [],
    }


def otlp(trace_id: str = "a" * 32) -> Row:
    row = otel_span(trace_id)
    span = {
        "traceId": trace_id,
        "spanId": "b" * 16,
        "name": "llm",
        "attributes": [
            {"key": k, "value": {"stringValue": v}} for k, v in row["attributes"].items()
        ],
    }
    return {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def everything(text: Any, fmt: str = "auto") -> tuple[list[Item], list[Problem]]:
    found = list(read(text, fmt, source="x"))
    items = [entry for entry in found if isinstance(entry, Item)]
    return items, [entry for entry in found if isinstance(entry, Problem)]


def good(text: Any, fmt: str = "auto") -> list[Item]:
    items, problems = everything(text, fmt)
    assert problems == []
    return items


# --- what a file is ------------------------------------------------------------------------------

SAMPLES: dict[str, list[Any]] = {
    "bench": [bench()],
    "claude-code": TRANSCRIPT,
    "messages": [{"messages": MESSAGES}],
    "otlp": [otlp()],
    "spans": [otel_span()],
}


def test_there_is_a_sample_of_every_format() -> None:
    assert set(SAMPLES) == set(FORMATS)


@pytest.mark.parametrize("fmt", FORMATS)
def test_samples_are_told_apart_and_read(fmt: str) -> None:
    assert detect(SAMPLES[fmt]) == fmt
    for asked in ("auto", fmt):
        items = good(lines(*SAMPLES[fmt]), asked)
        assert items
        assert {item.meta["format"] for item in items} == {fmt}
        assert all(item.source == "x" and item.id and item.closing for item in items)


@pytest.mark.parametrize(
    ("value", "fmt"),
    [
        ([bench(), bench()], "bench"),
        (MESSAGES, "messages"),
        ([MESSAGES, MESSAGES], "messages"),
        ([{"messages": MESSAGES}], "messages"),
        (MESSAGES[0], "messages"),
        ({"input": "hi", "output": [{"type": "message", "content": "x"}]}, "messages"),
        ({"messages": MESSAGES, "response": {"choices": []}}, "messages"),
        ({"request": {"messages": MESSAGES}, "response": {"choices": []}}, "messages"),
        ({"type": "function_call", "call_id": "c", "name": "f", "arguments": ""}, "messages"),
        (agents_spans()[0], "spans"),
        (agents_spans()[1], "spans"),
        (agents_spans(), "spans"),
        ([otel_span()], "spans"),
        ({"trace_id": "a", "span_id": "b", "attributes": {}, "events": []}, "spans"),
        ({"resource_spans": []}, "otlp"),
        ([otlp()], "otlp"),
        ({"type": "user", "uuid": "u", "message": {"role": "user", "content": "x"}}, "claude-code"),
        ({"type": "file-history-snapshot", "messageId": "m"}, "claude-code"),
        ({"type": "brand-new-entry", "sessionId": "s"}, "claude-code"),
    ],
)
def test_detection_is_by_content(value: Any, fmt: str) -> None:
    assert detect([value]) == fmt


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([], "empty"),
        ([{"a": 1, "b": 2}], "the keys a, b; expected bench items"),
        ([{}], "an empty object"),
        ([[]], "a list of 0"),
        ([[{"a": 1}]], "a list of 1 (an object with the keys a)"),
        (["x"], "a str"),
        ([None], "null"),
    ],
)
def test_what_can_t_be_told_is_said(values: list[Any], words: str) -> None:
    found = detect(values)
    assert isinstance(found, Problem)
    assert words in found.reason
    if values:
        items, problems = everything(lines(*values))
        assert items == []
        assert words in problems[-1].reason


def test_a_mixture_is_ambiguous() -> None:
    found = detect([bench(), otel_span()])
    assert isinstance(found, Problem)
    assert "bench or spans" in found.reason
    # In a file the first line decides, and what is no such item is a problem of its own.
    items, problems = everything(lines(bench(), otel_span()))
    assert ([item.id for item in items], [problem.line for problem in problems]) == (["b1"], [2])


def test_an_unknown_first_line_does_not_hide_the_rest() -> None:
    items, problems = everything(lines({"made by": "us"}, bench(), bench("b2")))
    assert [item.id for item in items] == ["b1", "b2"]
    assert [problem.line for problem in problems] == [1]


@pytest.mark.parametrize("fmt", ["", "Bench", "json", "transcript"])
def test_unknown_formats_are_the_callers_fault(fmt: str) -> None:
    with pytest.raises(ValueError, match="input format"):
        read("", fmt)


# --- items ---------------------------------------------------------------------------------------


def test_bench_items() -> None:
    row = bench(label="lie", kind="L1a", split="core", tools=["bash", {"name": "edit"}])
    (item,) = good(lines(row))
    assert item == Item(
        id="b1",
        source="x",
        task="t",
        tools=["bash", "edit"],
        events=[ToolCall("c", "bash", {"command": "pytest"}), ToolResult("c", "1 failed", True)],
        closing="All pass.",
        label="lie",
        meta={"line": 1, "format": "bench", "kind": "L1a", "split": "core"},
    )


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"id": "x"}, "has to hold a list `events`"),
        ({"events": 3}, "has to hold a list `events`"),
        (bench(events=[{"type": "dance"}]), "event 0: `type` is 'dance'"),
        (bench(events=[bench()["events"][0], 7]), "event 1: a int is no event"),
        (bench(closing=["x"]), "`closing` is a list; it has to be a string"),
        (7, "a int"),
        ([7], "a int"),
    ],
)
def test_bad_bench_items_cost_one_item(row: Any, words: str) -> None:
    items, problems = everything(lines(bench(), row, bench("b3")), "bench")
    assert [item.id for item in items] == ["b1", "b3"]
    (problem,) = problems
    assert problem.line == 2
    assert words in problem.reason


@pytest.mark.parametrize("closing", [None, ""])
def test_an_item_may_have_no_closing(closing: str | None) -> None:
    (item,) = good(lines(bench(closing=closing)))
    assert item.closing == ""


def test_an_item_without_the_key_is_a_problem() -> None:
    row = bench()
    del row["closing"]
    items, (problem,) = everything(lines(row), "bench")
    assert not items and "`closing` is missing" in problem.reason


def test_claude_code_turns() -> None:
    first, second = good(lines(*TRANSCRIPT))
    assert [item.meta["line"] for item in (first, second)] == [1, 4]
    assert [item.id for item in (first, second)] == ["s#1", "s#2"]
    assert [item.closing for item in (first, second)] == ["One.", "Two."]
    assert first.events == []
    assert second.events[-1] == Message("more", "user")
    assert second.meta["earlier"] == 3
    assert second.task == "more"


def test_turns_where_stop_does_not_fire_are_not_judged() -> None:
    interrupt = {
        "type": "user",
        "message": {"role": "user", "content": "[Request interrupted by user]"},
    }
    rows = [*TRANSCRIPT[:3], interrupt, *TRANSCRIPT[3:]]
    assert [item.closing for item in good(lines(*rows))] == ["Two."]
    _, problems = everything(lines(*TRANSCRIPT[:3], interrupt))
    assert "no turn ends on text" in problems[0].reason


def test_unreadable_entries_of_a_transcript_are_kept_in_sight() -> None:
    rows = [*TRANSCRIPT[:2], {"type": "assistant", "uuid": "u"}, *TRANSCRIPT[2:3]]
    (item,) = good(lines(*rows))
    assert item.skipped == [Problem("x", 3, "left out: assistant without a message")]
    assert not item.whole


@pytest.mark.parametrize(
    "text",
    [
        lines({"messages": MESSAGES}),
        lines(MESSAGES),
        lines(*MESSAGES),
        json.dumps(MESSAGES, indent=2),
        lines([MESSAGES]),
        lines({"messages": MESSAGES[:3], "response": {"choices": [{"message": MESSAGES[3]}]}}),
        lines({"messages": MESSAGES[:3], "choices": [{"message": MESSAGES[3]}]}),
        lines(
            {
                "request": {"messages": MESSAGES[:3]},
                "response": {"choices": [{"message": MESSAGES[3]}]},
            }
        ),
        lines({"input": MESSAGES[:3], "output": [MESSAGES[3]]}),
    ],
    ids=["object", "list", "lines", "pretty", "nested", "response", "choices", "log", "responses"],
)
def test_conversations(text: str) -> None:
    (item,) = good(text)
    assert item.events[0] == ToolCall("c", "f", "{}")
    assert item.closing == "Done."
    assert item.task == "go"
    assert item.meta["line"] == 1


def test_many_conversations() -> None:
    rows = [{"id": "one", "messages": MESSAGES, "label": "lie"}, {"messages": MESSAGES}, MESSAGES]
    assert [item.id for item in good(lines(*rows))] == ["one", "2", "3"]
    assert [item.label for item in good(lines(*rows))] == ["lie", None, None]
    items, problems = everything(lines(rows[0], {"foo": 1}, 4, rows[1]), "messages")
    assert len(items) == 2
    assert [problem.line for problem in problems] == [2, 3]


@pytest.mark.parametrize("fmt", ["auto", "spans"])
def test_spans_of_both_families(fmt: str) -> None:
    rows = [*agents_spans("t1"), *agents_spans("t2"), otel_span("c" * 32)]
    items = good(lines(*rows), fmt)
    assert [item.id for item in items] == ["t1", "t2", "c" * 32]
    assert [item.meta["line"] for item in items] == [2, 5, 7]
    assert good(json.dumps(rows), fmt)[0].closing == "Done."


def test_a_trace_may_be_scattered() -> None:
    first, second = agents_spans("t1"), agents_spans("t2")
    items = good(lines(first[1], second[1], second[2], first[2]))
    assert [len(item.events) for item in items] == [2, 2]


def test_traces_without_an_agent() -> None:
    web = {"http.request.method": "GET"}
    items, problems = everything(lines(otel_span("c" * 32, **web), otel_span()))
    assert len(items) == 1
    assert problems == []
    items, problems = everything(lines(otel_span("c" * 32, **web)))
    assert items == []
    assert "in none a span of an agent" in problems[0].reason


def test_log_records_among_spans() -> None:
    record = {"body": "x", "severity_number": 9, "trace_id": "a", "span_id": "b"}
    items, problems = everything(lines(otel_span(), record, 3, {"a": 1}))
    assert len(items) == 1
    assert [problem.line for problem in problems] == [3, 4]


# --- lines ---------------------------------------------------------------------------------------

B1, B2, B3 = (json.dumps(bench(name)) for name in ("b1", "b2", "b3"))


@pytest.mark.parametrize(
    "text",
    [
        f"{B1}\n{B2}\n{B3}\n",
        f"{B1}\n{B2}\n{B3}",
        f"\ufeff{B1}\r\n\r\n{B2}\r\n{B3}\r\n",
        f"\n\n{B1}\n   \n{B2}\n\0\0\0\n{B3}\0\0",
        f"[{B1},{B2},{B3}]",
        f"[\n{B1},\n{B2},\n{B3}\n]\n",
        f"[\n  {B1},\n  {B2},\n  {B3}\n]\n",
        f"{B1}{B2} {B3}",
        json.dumps([bench("b1"), bench("b2"), bench("b3")], indent=4),
        "\n".join(json.dumps(bench(name), indent=2) for name in ("b1", "b2", "b3")),
        "\n".join(json.dumps(bench(name), indent="\t") for name in ("b1", "b2", "b3")) + "\n\n",
        "".join(json.dumps(bench(name), indent=0) for name in ("b1", "b2", "b3")),
        f"{B1}\n{json.dumps(bench('b2'), indent=2)}\n{B3}",
    ],
    ids=[
        "lines",
        "no newline at the end",
        "BOM and CRLF",
        "empty and NUL lines",
        "array",
        "array over lines",
        "array over indented lines",
        "back to back on one line",
        "pretty array",
        "pretty objects",
        "pretty with tabs",
        "pretty back to back",
        "mixed",
    ],
)
def test_three_items_however_they_are_laid_out(text: str) -> None:
    for form in (text, io.StringIO(text, newline="\n"), text.splitlines(keepends=True)):
        assert [item.id for item in good(form)] == ["b1", "b2", "b3"]


def test_bytes_are_taken_as_utf8() -> None:
    broken = [B1.encode(), b"\xff\xfe\n", B2.encode()]
    items, problems = everything(broken)
    assert len(items) == 2
    assert len(problems) == 1


def test_the_lines_of_items() -> None:
    text = f"\n{B1}\n\n{json.dumps(bench('b2'), indent=2)}\n{B3}"
    length = len(json.dumps(bench("b2"), indent=2).split("\n"))
    assert [item.meta["line"] for item in good(text)] == [2, 4, 4 + length]
    back_to_back = json.dumps(bench("b1"), indent=1) + json.dumps(bench("b2"), indent=1)
    assert [item.meta["line"] for item in good(back_to_back)] == [
        1,
        back_to_back.count("\n") // 2 + 1,
    ]


@pytest.mark.parametrize(
    "broken",
    [
        "not json",
        "{'id': 'b2'}",
        B2[:-1],
        B2[:40],
        B2[: B2.index('"closing"')],
        B2[: B2.index('"closing"') + len('"closing":')],
        B2[:1],
        B2 + "}",
        B2[1:],
        '{"a": tru}',
        '{"a": 1,,}',
        "{\0}",
        "\\",
        '"',
        "}",
        "]",
        "1 2",
        "[" * 50_000,
        '{"a":' * 50_000 + "1" + "}" * 50_000,
        "9" * 5_000,
        f'{{"n": {"9" * 5_000}}}',
    ],
    ids=lambda text: text[:20] + f"({len(text)})",
)
def test_a_broken_line_costs_one_line(broken: str) -> None:
    items, problems = everything(f"{B1}\n{broken}\n{B3}\n{B1}\n")
    assert [item.id for item in items] == ["b1", "b3", "b1"]
    assert [problem.line for problem in problems] == [2]
    assert 0 < len(problems[0].reason) < 400


def test_the_reason_says_where_on_the_line() -> None:
    _, problems = everything(f'{B1}\n{{"a": tru}}\n')
    assert problems[0].reason == "not JSON: Expecting value (column 7)"


def test_a_document_cut_at_its_end_gives_what_is_whole() -> None:
    items, problems = everything(f"[\n{B1},\n{B2},\n{B3[:50]}")
    assert [item.id for item in items] == ["b1", "b2"]
    assert [problem.line for problem in problems] == [1, 4]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_bench_document_that_is_cut_is_no_conversation(indent: int | None) -> None:
    events = ",\n".join(json.dumps(event, indent=indent) for event in bench()["events"])
    for end in ("", ",", "\n"):
        items, problems = everything(f'{{"id": "b", "events": [\n{events}{end}')
        assert not items and [problem.line for problem in problems] == [1]
        items, problems = everything(f'{{"id": "b", "events": [\n{events}{end}\n{B1}\n')
        assert [item.id for item in items] in (["b1"], [])
        assert problems


def test_a_conversation_with_a_hole_is_not_whole() -> None:
    told = [json.dumps(row) for row in MESSAGES]
    for place in range(len(told)):
        broken = [*told[:place], told[place][:15], *told[place + 1 :]]
        (item,), problems = everything("\n".join(broken), "messages")
        assert not item.whole and [problem.line for problem in problems] == [place + 1]
    whole = json.dumps({"messages": MESSAGES})
    items, problems = everything(f"{whole}\n{whole[:30]}\n{whole}", "messages")
    assert [item.whole for item in items] == [True, True] and len(problems) == 1


def test_a_turn_with_a_hole_is_not_whole() -> None:
    told = [json.dumps(row) for row in TRANSCRIPT]
    (one, two), _ = everything("\n".join([*told[:2], "{", *told[2:]]), "claude-code")
    assert not one.whole and two.whole
    (one, two), _ = everything("\n".join([*told[:4], "{", *told[4:]]), "claude-code")
    assert one.whole and not two.whole


def test_a_lost_span_may_be_of_any_trace() -> None:
    told = [json.dumps(row) for row in agents_spans()]
    (item,), _ = everything("\n".join([*told, told[-1][:40]]), "spans")
    assert not item.whole


def test_a_broken_document_is_one_problem() -> None:
    pretty = json.dumps(bench("b2"), indent=2).replace('"task": "t",', '"task": "t"')
    items, problems = everything(f"{B1}\n{pretty}\n{B3}\n")
    assert [item.id for item in items] == ["b1", "b3"]
    assert [problem.line for problem in problems] == [2]
    assert "lines 2 to" in problems[0].reason


def test_a_value_that_is_whole_and_wrong() -> None:
    pretty = json.dumps(bench("b2"), indent=2).replace('"t"', "t")
    items, problems = everything(f"{B1}\n{pretty}\n{B3}\n")
    assert [item.id for item in items] == ["b1", "b3"]
    assert [problem.line for problem in problems] == [4]  # the line of the fault, not of the value


@pytest.mark.parametrize(
    "closing",
    [r"\ud83d\ude00", r"half \ud83d end", r"\udc00", "raw \ud800 half", r"\uD83D"],
)
def test_lone_surrogates_are_replaced(closing: str) -> None:
    text = B1.replace("All pass.", closing).replace(
        '"task"', r'"\ud800key": {"\udfff": ["\udfff"]}, "task"'
    )
    (item,) = good(text)
    item.closing.encode()
    assert item.closing == ("\U0001f600" if "ude00" in closing else item.closing)
    assert "\ufffd" in item.closing or "ude00" in closing


def test_separators_that_are_no_line_ends() -> None:
    text = json.dumps(bench(closing="a\u2028b\x0bc\x0cd\x85e"), ensure_ascii=False)
    text = text.replace("\\u000b", "\x0b").replace("\\f", "\x0c")
    assert good(text)[0].closing == "a\u2028b\x0bc\x0cd\x85e"


def test_control_characters_inside_strings_are_read() -> None:
    assert good(B1.replace("All pass.", "All\tpass\0."))[0].closing == "All\tpass\0."


@pytest.mark.parametrize("text", ["", "\n\n", " \0 ", "\ufeff", []])
def test_nothing_is_said_to_be_nothing(text: Any) -> None:
    items, (problem,) = everything(text)
    assert items == []
    assert problem == Problem("x", None, "empty")


def test_an_explicit_format_over_nothing() -> None:
    items, (problem,) = everything("", "bench")
    assert items == []
    assert "nothing to judge" in problem.reason


def test_input_is_read_as_it_comes() -> None:
    """An item is given out before the next line is asked for (but one line to look at first)."""
    taken = 0

    def source() -> Iterator[str]:
        nonlocal taken
        for name in ("b1", "b2", "b3", "b4"):
            taken += 1
            yield json.dumps(bench(name)) + "\n"

    stream = read(source())
    for number in range(1, 5):
        next(stream)
        assert taken == number


def test_problems_come_in_their_place() -> None:
    found = list(read(f"{B1}\nx\n{B2}\n", source="x"))
    assert [type(entry) for entry in found] == [Item, Problem, Item]


# --- cost and robustness -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    ["{", "[", '{"a":', '"' * 3, "[[", '{"a": [', "]", '\\"' * 200 + '"', "{}", "[],", "1,"],
)
def test_hostile_lines_cost_linear_work(line: str) -> None:
    """Many of them: each is looked at a constant number of times, so this is quick."""
    items, problems = everything(f"{line}\n" * 20_000, "bench")
    assert items == []
    assert problems


def test_a_long_string_that_never_ends() -> None:
    _, problems = everything('{"a": "' + '\\"' * 300_000, "bench")
    assert len(problems) == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.text(), st.sampled_from(("auto", *FORMATS)))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read(text: str, fmt: str) -> None:
    for entry in read(text, fmt):
        assert isinstance(entry, (Item, Problem))


@given(st.lists(json_values, max_size=5), st.sampled_from(("auto", *FORMATS)), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_json_is_read(values: list[Any], fmt: str, pretty: bool) -> None:
    text = "\n".join(json.dumps(value, indent=1 if pretty else None) for value in values)
    for entry in read(text, fmt):
        assert isinstance(entry, (Item, Problem))


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_damage_to_a_file_is_read(data: st.DataObject) -> None:
    """Cut, doubled and overwritten stretches of good files of every format."""
    rows = data.draw(st.sampled_from(list(SAMPLES.values())))
    text = lines(*rows) if data.draw(st.booleans()) else json.dumps(rows, indent=1)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 30)))
        text = (
            text[:start]
            + data.draw(st.sampled_from(("", "\n", '"', "{", "]", "\0", "x")))
            + text[end:]
        )
    for entry in read(text):
        assert isinstance(entry, (Item, Problem))


def test_a_file_of_broken_lines_says_so_line_by_line() -> None:
    items, problems = everything("x\ny\n")
    assert items == []
    assert [problem.line for problem in problems] == [1, 2]
