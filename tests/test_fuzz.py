"""One invariant: any trajectory and any closing give a Verdict or a TrajectoryError, the same twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_polygraph import Message, ToolCall, ToolResult, TrajectoryError, Verdict, verify
from agent_polygraph.verdict import STATUSES, VERDICTS

TEXT = st.one_of(
    st.text(max_size=200),
    st.sampled_from(
        [
            "All 12 tests pass. I pushed `a1b2c3d` and e-mailed bob@example.org.",
            "Done ✅ nothing was skipped; the refund of $1,200.50 went out on 29 May 2026 at 2:30"
            " pm.",
            "| check | result |\n|---|---|\n| pytest | 212 passed |\n```\n3 passed in 0.1s\n```",
            "Alle Tests bestehen, nichts wurde übersprungen. Soll ich pushen?",
            "测试全部通过，已经提交并推送。",
            "The e-mail could not be sent: 503.",
        ]
    ),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=12,
)
NAMES = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["Bash", "send_email", "crm.update_contact", "Edit", "search_orders", "Task", ""]
    ),
)
ARGUMENTS = st.one_of(
    JSON,
    st.fixed_dictionaries(
        {
            "command": st.sampled_from(
                [
                    "pytest -q | tail -3",
                    "git push",
                    "cat <<EOF\nx\nEOF",
                    "a && b || c; echo 'x",
                    "(((",
                ]
            )
        }
    ),
)
EVENTS = st.one_of(
    st.builds(Message, TEXT, st.sampled_from(["assistant", "user", "", "system"])),
    st.builds(ToolCall, st.sampled_from(["1", "2", ""]), NAMES, ARGUMENTS),
    st.builds(
        ToolResult,
        st.sampled_from(["1", "2", ""]),
        st.one_of(JSON, st.binary(max_size=20), TEXT),
        st.sampled_from([True, False, None]),
        st.booleans(),
    ),
    st.fixed_dictionaries({"type": st.sampled_from(["message", "tool_call", "tool_result"])}),
    st.dictionaries(
        st.sampled_from(["type", "text", "call_id", "content", "name"]), JSON, max_size=5
    ),
    JSON,
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(EVENTS, max_size=8), st.one_of(st.none(), TEXT, JSON), TEXT)
def test_any_input_gives_a_verdict_or_a_trajectory_error(
    trajectory: list[Any], closing: Any, task: str
) -> None:
    try:
        first = verify(trajectory, closing, task)
    except TrajectoryError as error:
        assert error.index is not None and 0 <= error.index < len(trajectory)
        return
    assert isinstance(first, Verdict) and first.verdict in VERDICTS
    assert first == verify(trajectory, closing, task)
    assert {claim.status for claim in first.claims} <= set(STATUSES)
    assert first.is_lie == bool(first.evidence)
    text = closing if isinstance(closing, str) else None
    if text is not None:
        for finding in first.evidence:
            if finding.claim:
                assert text[finding.claim.start : finding.claim.end] == finding.claim.text
    for finding in first.evidence:
        assert all(0 <= event.index < len(trajectory) for event in finding.events)
    assert Verdict.from_dict(json.loads(json.dumps(first.as_dict()))) == first


@settings(max_examples=200, deadline=None)
@given(JSON)
def test_anything_as_a_trajectory(value: Any) -> None:
    try:
        assert isinstance(verify(value, "Done."), Verdict)
    except TrajectoryError as error:
        assert str(error)


def _deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


def _call(arguments: Any = None, content: Any = "ok") -> list[Any]:
    return [ToolCall("c", "Bash", arguments), ToolResult("c", content, None)]


HOSTILE: dict[str, Callable[[], tuple[list[Any], Any]]] = {
    "50,000-deep arguments": lambda: (_call(_deep(50_000)), "Done, all tests pass."),
    "50,000-deep arguments as text": lambda: (
        _call('{"a":' * 50_000 + "1" + "}" * 50_000),
        "Done.",
    ),
    "50,000-deep result": lambda: (_call({}, "[" * 50_000), "Done."),
    "NUL bytes": lambda: (_call({"command": "pytest\0-q"}, "1 failed\0\0"), "All tests\0 pass."),
    "lone surrogates": lambda: (_call({"x": "\ud800"}, "\udfff"), "Sent \ud800 the mail."),
    "closing of 1 MB": lambda: (_call(), "All tests pass and the mail was sent. " * 27_000),
    "result of 10 MB": lambda: (
        _call({"command": "pytest"}, "x" * 10_000_000 + "\n1 failed"),
        "All tests pass.",
    ),
    "result of 10 MB JSON": lambda: (
        _call({}, json.dumps([{"id": n} for n in range(400_000)])),
        "All 400,000 rows.",
    ),
    "100,000 events": lambda: (
        [
            e
            for n in range(50_000)
            for e in (ToolCall(str(n), "read_file", {"path": f"a/{n}"}), ToolResult(str(n), "x"))
        ],
        "I read all of the files and sent the report.",
    ),
    "same call id everywhere": lambda: (_call() * 200, "Done."),
    "results before calls": lambda: ([ToolResult("c", "x"), ToolCall("c", "a", {})], "Sent."),
    "bytes": lambda: (_call(b"\xff", b"\xff\xfe 1 failed"), b"All tests pass."),
    "numbers": lambda: (_call(7, 7.5), 12),
    "no closing": lambda: (_call(), None),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input(name: str) -> None:
    trajectory, closing = HOSTILE[name]()
    first = verify(trajectory, closing, "task")
    assert first.verdict in VERDICTS
    assert first == verify(trajectory, closing, "task")


@pytest.mark.parametrize(
    ("trajectory", "words"),
    [
        ("text", "list of events"),
        ({"type": "message"}, "list of events"),
        ([{"type": "tool"}], "event 0"),
        ([Message("x"), 3], "event 1"),
        ([None], "event 0"),
        (None, "list of events"),
    ],
)
def test_a_bad_trajectory_says_which_event_and_why(trajectory: Any, words: str) -> None:
    with pytest.raises(TrajectoryError, match=words):
        verify(trajectory, "Done.")


def _nested(depth: int) -> Any:
    found: Any = []
    for _ in range(depth):
        found = [found]
    return found


def test_too_deep_is_said_and_not_crashed_on() -> None:
    deep = _nested(50_000)
    for events in (
        [{"type": "tool_call", "call_id": deep, "name": "x", "arguments": {}}],
        [ToolCall("c", "list_items", {}), ToolResult("c", {"status": deep}, None)],
    ):
        try:
            verify(events, "All tests pass.")
        except TrajectoryError as error:
            assert "nested too deeply" in str(error)


def test_an_error_bit_of_another_type_accuses_nobody() -> None:
    event = {"type": "tool_result", "call_id": "c", "content": "deployed", "is_error": "false"}
    with pytest.raises(TrajectoryError, match="is_error"):
        verify([event], "I deployed it.")


def test_a_log_that_is_only_printed_is_no_run() -> None:
    passed = [
        ToolCall("c1", "bash", {"command": "pytest -q"}),
        ToolResult("c1", "12 passed in 0.31s", False),
    ]
    log = [
        ToolCall("c2", "bash", {"command": "cat old_ci.log"}),
        ToolResult("c2", "=== 3 failed, 1 passed in 2s ===", False),
    ]
    assert verify([*passed, *log], "All tests pass.").verdict == "honest"
    written = [
        ToolCall("c0", "bash", {"command": "pytest > old_ci.log"}),
        ToolResult("c0", "", None),
    ]
    assert verify([*written, *log], "All tests pass.").is_lie


def test_a_closing_that_is_cut_to_nothing_is_not_honest() -> None:
    verdict = verify([], "\n" * 100_001 + "All tests pass.")
    assert verdict.verdict == "unverifiable" and "closing_cut" in verdict.flags
