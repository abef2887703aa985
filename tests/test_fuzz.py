"""One invariant: any trajectory and any closing give a Verdict or a TrajectoryError, the same twice."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_polygraph import (
    Config,
    Message,
    ToolCall,
    ToolResult,
    TrajectoryError,
    Verdict,
    verify,
)
from agent_polygraph.limits import Limits
from agent_polygraph.plain import encodable, is_plain, plain
from agent_polygraph.verdict import STATUSES, VERDICTS

# A search of an hour: AGENT_POLYGRAPH_EXAMPLES=50000 pytest tests/test_fuzz.py
EXAMPLES = int(os.environ.get("AGENT_POLYGRAPH_EXAMPLES", "300"))


class Raises:
    """An object whose every word is an exception."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    def __repr__(self) -> str:  # for who reports a failing example
        return "Raises()"

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")

    def __len__(self) -> int:
        raise RuntimeError("no length")


class Digits(int):
    """A number of so many digits that Python does not print it; hypothesis has to print its own."""

    def __new__(cls, digits: int) -> Digits:
        return super().__new__(cls, 10**digits)

    def __repr__(self) -> str:
        return "Digits(...)"


class Colour(Enum):
    RED = "red"
    DEEP = 7


@dataclass(slots=True)
class Slotted:
    passed: int = 3
    failed: Any = "x"


CLOSINGS = [
    "All 12 tests pass. I pushed `a1b2c3d` and e-mailed bob@example.org.",
    "Done ✅ nothing was skipped; the refund of $1,200.50 went out on 29 May 2026 at 2:30 pm.",
    "| check | result |\n|---|---|\n| pytest | 212 passed |\n```\n3 passed in 0.1s\n```",
    "Alle Tests bestehen, nichts wurde übersprungen. Soll ich pushen?",
    "测试全部通过，已经提交并推送。",
    "The e-mail could not be sent: 503.",
    "I read all 3 files, deleted ² rows and updated ٣ of 10 records; order 4,20,000 was cancelled.",
    "<p>All <b>tests</b> pa\u00adss.</p>\n- Ａｌｌ １２ files were edited\n- the build is green",
    "All tests pass. Alle tests zijn geslaagd en ik heb de code naar de server gepusht.",
    "Everything is deployed; 100% of the 9999999999999999999 users were migrated. \ud800",
]
RESULTS = [
    "1 failed, 2 passed in 0.1s",
    "Error: not found",
    "exit code: 1\nKilled",
    '{"passed": 3, "failed": 1e400, "total": NaN, "has_more": true, "status": "queued"}',
    '{"a": ' + "9" * 5_000 + "}",
    "9" * 5_000,
    "²³ files changed, ٣ insertions",
    "total ² of ³; 1-10 of 99999999999999999999999",
    "[" * 300 + "]" * 300,
    "<persisted-output>\ud800",
    "HTTP 503",
]
TEXT = st.one_of(
    st.text(max_size=200),
    st.text(st.characters(), max_size=30),  # lone surrogates too
    st.sampled_from(CLOSINGS),
    st.lists(st.sampled_from([*CLOSINGS, *RESULTS, "\n", "but", "not", "2 "]), max_size=5).map(
        " ".join
    ),
)
KEYS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        "command path file_path status error errors passed failed total count items results has_more"
        " exit_code code message method url action sql content text type name id to amount".split()
    ),
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    TEXT,
    st.builds(Digits, st.just(5_000)),
    st.sampled_from([*RESULTS, 10**400, 2**63, -0.0, float("nan"), float("inf")]),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.one_of(
    st.builds(Raises),
    st.builds(Slotted),
    st.builds(object),
    st.sampled_from(list(Colour)),
    st.builds(RuntimeError, TEXT),
    st.builds(lambda: (n for n in range(3))),
    st.builds(lambda: memoryview(b"1 failed")),
    st.builds(lambda: range(3)),
    st.just(Raises),
    st.just(len),
    st.decimals(),
    st.fractions(),
    st.dates(),
    st.uuids(),
    st.complex_numbers(),
    st.binary(max_size=20),
    st.sets(st.one_of(st.text(max_size=5), st.integers()), max_size=4),
    st.frozensets(st.integers(), max_size=3),
)
# Any Python value, nested in any way.
ANY = st.recursive(
    SCALARS | OBJECTS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(KEYS | st.integers() | st.none() | st.booleans(), inner, max_size=4),
        st.dictionaries(st.tuples(st.integers()), inner, max_size=2),
    ),
    max_leaves=10,
)
NAMES = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ",Bash,send_email,crm.update_contact,Edit,search_orders,Task,Read,read_file,write_file,pytest"
        ",apply_patch,deploy,list_items,delete_row,TodoWrite,run_tests,git".split(",")
    ),
)
COMMANDS = [
    "pytest -q | tail -3",
    "git push",
    "cat <<EOF\nx\nEOF",
    "a && b || c; echo 'x",
    "(((",
    "cat ci.log",
    "sed -i s/a/b/ x.py && git commit -m ²",
]
ARGUMENTS = st.one_of(
    ANY,
    JSON.map(lambda value: json.dumps(value) if _dumps(value) else "{"),
    st.fixed_dictionaries({"command": st.sampled_from(COMMANDS)}, optional={"path": ANY}),
    st.fixed_dictionaries(
        {"file_path": st.sampled_from(["src/a.py", "tests/test_a.py", "x.json"])}
    ),
)
IDS = st.sampled_from(["1", "2", ""])
BITS = st.sampled_from([True, False, None])
SOUND = st.one_of(
    st.builds(Message, TEXT, st.sampled_from(["assistant", "user", "", "system"])),
    st.builds(ToolCall, IDS, NAMES, ARGUMENTS),
    st.builds(ToolResult, IDS, ANY | TEXT | JSON.map(str), BITS, st.booleans()),
    st.builds(lambda n, a: ToolCall("1", n, a), NAMES, ARGUMENTS),
    st.builds(lambda c, b: ToolResult("1", c, b), st.sampled_from(RESULTS) | ANY, BITS),
)
EVENTS = st.one_of(
    SOUND,
    SOUND.map(lambda event: event.to_bench()),
    st.builds(Message, ANY, ANY),
    st.builds(ToolCall, ANY, ANY, ANY),
    st.builds(ToolResult, IDS | ANY, ANY, BITS | ANY, ANY, ANY, ANY),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["message", "tool_call", "tool_result"])},
        optional=dict.fromkeys(
            ("text", "role", "call_id", "name", "arguments", "content", "is_error", "truncated"),
            ANY,
        ),
    ),
    st.dictionaries(
        st.sampled_from(["type", "text", "call_id", "content", "name"]), ANY, max_size=5
    ),
    ANY,
)
TOOLS = st.one_of(
    st.none(),
    st.lists(NAMES | st.tuples(NAMES, TEXT) | st.builds(dict, name=NAMES, type=NAMES), max_size=4),
    ANY,
)
FIELDS = [field.name for field in fields(Config)]
SETTINGS = st.one_of(
    st.just({}),
    st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=2),
    st.fixed_dictionaries(
        {},
        optional={
            "error_sniff": st.booleans(),
            "error_patterns": st.lists(st.text(max_size=6)).map(tuple),
            "select": st.lists(st.sampled_from(["PG102", "wrong_count", "no such"])),
            "limits": st.builds(
                Limits,
                st.integers(1, 60),
                st.integers(1, 60),
                st.integers(1, 60),
                st.integers(1, 3),
            ),
        },
    ),
)


def _dumps(value: Any) -> bool:
    try:
        return bool(json.dumps(value))
    except ValueError:  # more digits than Python prints
        return False


def _reached(trajectory: list[Any], closing: Any, task: Any, tools: Any, given: Any) -> Any:
    """The verdict, or the text of the error: the only two ways in which a call may end."""
    try:
        config = Config(**given)
    except ValueError as error:
        return str(error)
    try:
        return verify(trajectory, closing, task, tools=tools, config=config)
    except TrajectoryError as error:
        # of an event, or of the tools
        assert (error.index is None) == ("tools" in str(error)), str(error)
        assert error.index is None or 0 <= error.index < len(trajectory)
        return str(error)
    except ValueError as error:
        assert "checks that do not exist" in str(error)
        return str(error)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.lists(EVENTS, max_size=8), st.one_of(st.none(), TEXT, ANY), TEXT | ANY, TOOLS, SETTINGS)
def test_any_input_gives_a_verdict_or_a_trajectory_error(
    trajectory: list[Any], closing: Any, task: Any, tools: Any, given: Any
) -> None:
    first = _reached(trajectory, closing, task, tools, given)
    if isinstance(first, str):
        assert first
        return
    assert isinstance(first, Verdict) and first.verdict in VERDICTS
    assert first == _reached(trajectory, closing, task, tools, given)
    assert {claim.status for claim in first.claims} <= set(STATUSES)
    assert first.is_lie == bool(first.evidence)
    assert (first.category is None) == (not first.evidence)
    if isinstance(closing, str):
        quotes = [finding.claim for finding in first.evidence if finding.claim]
        for quote in quotes + [claim.quote for claim in first.claims]:
            assert encodable(closing[quote.start : quote.end]) == quote.text
    for finding in first.evidence:
        assert finding.check and finding.detail
        assert all(0 <= event.index < len(trajectory) for event in finding.events)
    document = json.dumps(first.as_dict(), ensure_ascii=False).encode("utf-8")
    assert Verdict.from_dict(json.loads(document)) == first


@settings(max_examples=200, deadline=None)
@given(ANY)
def test_anything_as_a_trajectory(value: Any) -> None:
    try:
        assert isinstance(verify(value, "Done."), Verdict)
    except TrajectoryError as error:
        assert str(error)


@settings(max_examples=300, deadline=None)
@given(ANY)
def test_any_value_becomes_plain_json(value: Any) -> None:
    made = plain(value)
    assert is_plain(made)
    assert json.dumps(made)


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
    event = {"type": "tool_call", "call_id": deep, "name": "x", "arguments": {}}
    with pytest.raises(TrajectoryError, match="event 0: `call_id` is a list"):
        verify([event], "All tests pass.")
    call = ToolCall("c", "list_items", {})
    verdict = verify([call, ToolResult("c", {"status": deep}, None)], "All 7 items are listed.")
    assert "value_cut" in verdict.flags


@pytest.mark.parametrize("depth", [61, 200, 900, 990, 5_000])
def test_json_text_of_any_depth(depth: int) -> None:
    for content in ("[" * depth + "]" * depth, '{"error": ' * depth + "1" + "}" * depth):
        call = ToolCall("c", "list_items", content)
        try:
            verdict = verify([call, ToolResult("c", content, None)], "All 7 items are listed.")
        except TrajectoryError as error:
            assert "nested too deeply" in str(error)
        else:
            assert not verdict.is_lie


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
