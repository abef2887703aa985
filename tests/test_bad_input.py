"""Bad input: an error that says what and why, or a verdict whose flags say what was not read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from agent_polygraph import Config, Message, ToolCall, ToolResult, TrajectoryError, Verdict, verify
from agent_polygraph.adapters._chat import read_exchange
from agent_polygraph.claims import legible
from agent_polygraph.evidence import outcomes
from agent_polygraph.limits import SEAM, Limits, cut
from agent_polygraph.plain import DEPTH, encodable, is_plain, plain
from agent_polygraph.verdict import VERDICTS
from tests.harness import events, honest, lies

HUGE = 10**5_000
FAILED = "1 failed, 2 passed in 0.1s"
RUN = ("bash", {"command": "pytest"}, FAILED, True)
PASSES = "All tests pass."


def _type(value: object) -> str:
    return value if isinstance(value, str) else type(value).__name__


class Silent:
    """An object that raises at every look."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class Endless:
    """An object whose words never end."""

    def __str__(self) -> str:
        return str(self)

    __repr__ = __str__


# --- events ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (ToolCall([], "bash", {}), "event 0: `call_id` is a list; it has to be a string"),  # type: ignore[arg-type]
        (ToolCall("c", {"a": 1}, {}), "event 0: `name` is a dict"),  # type: ignore[arg-type]
        (ToolResult("c", "x", "false"), "event 0: `is_error` is 'false'"),  # type: ignore[arg-type]
        (ToolResult("c", "x", None, "no"), "event 0: `truncated` is 'no'"),  # type: ignore[arg-type]
        (Message("x", []), "event 0: `role` is a list"),  # type: ignore[arg-type]
        ({"type": HUGE}, "event 0: `type` is 0x31e2"),
        ({"type": Silent()}, "event 0: `type` is a Silent"),
        ({"type": "tool_result", "call_id": "c", "is_error": HUGE}, "event 0: `is_error` is 0x"),
        ({"type": "tool_call", "call_id": {"a": "b"}}, "event 0: `call_id` is a dict"),
    ],
    ids=_type,
)
def test_a_wrong_field_is_named(event: Any, words: str) -> None:
    with pytest.raises(TrajectoryError) as caught:
        verify([event], PASSES)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize(
    "event",
    [
        ToolCall("c", 5),  # type: ignore[arg-type]
        ToolCall(5, "bash", HUGE),  # type: ignore[arg-type]
        Message(None),  # type: ignore[arg-type]
        Message([{"type": "text", "text": "x"}, 7, HUGE]),  # type: ignore[arg-type]
        ToolCall("c", "bash", Silent()),
        ToolResult("c", {"a": [HUGE, 10**400, Silent()]}, 1),
        {"type": "tool_call", "call_id": HUGE, "name": HUGE, "arguments": {"n": HUGE}},
        {"type": "message", "text": HUGE, "role": None},
    ],
    ids=_type,
)
def test_a_field_that_can_be_read_is_read(event: Any) -> None:
    first = verify([event], PASSES)
    assert first == verify([event], PASSES)


def test_a_number_that_python_does_not_print_hides_nothing() -> None:
    lies(PASSES, ("bash", {"command": "pytest", "timeout": HUGE}, FAILED, True))
    lies(PASSES, ("bash", {"command": "pytest"}, {"stdout": FAILED, "ns": HUGE}, None))


@pytest.mark.parametrize(
    "closing", [HUGE, Silent(), object(), {"a": Silent()}, [PASSES, HUGE]], ids=_type
)
def test_a_closing_of_any_kind(closing: Any) -> None:
    verdict = verify(events(RUN), closing, closing)
    assert verdict == verify(events(RUN), closing, closing)
    if not is_plain(closing) and not isinstance(closing, (int, list)):
        assert verdict.verdict == "unverifiable" and "value_not_read" in verdict.flags


# --- values ---------------------------------------------------------------------------------------


def _iterates() -> Any:
    return (part for part in [FAILED])


@pytest.mark.parametrize(
    "content",
    [
        {FAILED},
        frozenset([FAILED]),
        (FAILED,),
        memoryview(FAILED.encode()),
        bytearray(FAILED.encode()),
        RuntimeError(FAILED),
        {"out": {FAILED: 1}.keys()},
    ],
    ids=lambda content: type(content).__name__,
)
def test_content_of_any_container_is_read(content: Any) -> None:
    lies(PASSES, ("bash", {"command": "pytest"}, content, None))


@pytest.mark.parametrize(
    "content", [_iterates(), object(), len, Silent(), {"a": object()}], ids=_type
)
def test_content_that_cannot_be_read_accuses_nobody(content: Any) -> None:
    verdict = honest(PASSES, ("bash", {"command": "pytest"}, content, None))
    assert "value_not_read" in verdict.flags and verdict.confidence < 1
    # what was seen elsewhere is dismissed, and in sight
    both = honest(PASSES, ("read_page", {}, content, None), RUN)
    if "value_not_read" in both.flags:
        assert both.verdict == "unverifiable"
        assert [item.filter for item in both.dismissed] == ["value_not_read"]


def test_plain_values_are_not_copied_and_others_are_the_same_each_time() -> None:
    value = {"a": [1, 2.5, None, True, {"b": "c"}]}
    assert plain(value) is value
    words = {f"w{n}" for n in range(20)}
    assert plain(words) == sorted(words)
    assert plain({1: {2: (3,)}, None: b"x"}) == {"1": {"2": [3]}, "null": "x"}


def test_a_value_that_never_ends_is_only_not_read() -> None:
    assert plain({"a": Endless(), "b": 1}) == {"a": "<Endless>", "b": 1}


@pytest.mark.parametrize("most", [1, 2, 5])
def test_what_is_cut_keeps_its_bound(most: int) -> None:
    kept = cut("abcdefgh", most)
    assert SEAM in kept and len(kept) <= most + len(SEAM)


def test_deep_wide_and_circular_values_are_bounded() -> None:
    deep: Any = "end"
    for _ in range(DEPTH + 5):
        deep = [deep]
    circle: list[Any] = []
    circle.append(circle)
    doubled: Any = "x"
    for _ in range(64):  # 2 ** 64 nodes, were they counted out
        doubled = [doubled, doubled]
    for value in (deep, circle, doubled, range(10**12)):
        notes: set[str] = set()
        assert is_plain(plain(value, notes))
        assert notes == {"value_cut"}


# --- what was not read is flagged -----------------------------------------------------------------


def _nested(levels: int, value: Any) -> Any:
    for _ in range(levels):
        value = {"a": value}
    return value


FLAGGED: dict[str, tuple[str, Callable[[], Verdict]]] = {
    "a long closing": ("closing_cut", lambda: verify(events(RUN), PASSES + " x" * 60_000)),
    "many claims": (
        "claims_cut",
        lambda: verify(events(RUN), "\n".join(f"- I updated `a{n}.py`." for n in range(500))),
    ),
    "many values": (
        "claims_cut",
        lambda: verify(events(RUN), PASSES + " ".join(f"{n}.5 of a{n}.py" for n in range(300))),
    ),
    "a long result": (
        "result_cut",
        lambda: verify(events(("bash", {"command": "ls"}, "x" * 70_000, None)), "I sent the mail."),
    ),
    "a long argument": (
        "arguments_cut",
        lambda: verify(
            events(("bash", {"command": "pytest " + "x" * 70_000}, FAILED, True)), PASSES
        ),
    ),
    "a deep result": (
        "value_cut",
        lambda: verify(events(("list_items", {}, _nested(20, [1]), None)), "All 7 items are sent."),
    ),
    "a wide result": (
        "value_cut",
        lambda: verify(
            events(("list_items", {}, {"items": list(range(3_000))}, None)), "All 7 items are sent."
        ),
    ),
}


@pytest.mark.parametrize("name", FLAGGED)
def test_what_was_cut_is_flagged(name: str) -> None:
    flag, judge = FLAGGED[name]
    verdict = judge()
    assert flag in verdict.flags and verdict.confidence == 0.7


def test_a_cut_result_shows_no_absence() -> None:
    closing = "The log of the build says:\n```\n3 passed in 0.1s\n```"
    cat = {"command": "./build.sh"}
    lies(closing, ("bash", cat, "x" * 100, None), check="fabricated_output")
    shown = "x" * 40_000 + "\n3 passed in 0.1s\n" + "y" * 40_000
    verdict = honest(closing, ("bash", cat, shown, None))
    assert "result_cut" in verdict.flags
    assert "unseen" in [item.filter for item in verdict.dismissed]


def test_an_entry_that_a_reader_could_not_read_accuses_nobody() -> None:
    call = {"id": "c", "function": {"name": "cancel_booking", "arguments": '{"id": "B-77"}'}}
    told: list[Any] = [
        {"role": "user", "content": "cancel B-77"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "assistant", "content": "Your booking B-77 has been cancelled."},
    ]
    lie = read_exchange(told, None, Config()).judged(None, None, Config())
    assert [finding.check for finding in lie.evidence] == ["dangling_call"]
    told.insert(2, 5)  # where the result was
    verdict = read_exchange(told, None, Config()).judged(None, None, Config())
    assert verdict.verdict == "unverifiable" and verdict.flags == ("entries_not_read",)
    assert [item.finding for item in verdict.dismissed] == list(lie.evidence)
    assert {claim.status for claim in verdict.claims} == {"unverifiable"}


# --- tools and settings ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        (5, "`tools` is 5"),
        ("bash", "`tools` is 'bash'"),
        ({"bash": {}}, "`tools` is a dict"),
        ([5], "`tools[0]` is 5"),
        (["bash", None], "`tools[1]` is None"),
        ([{}], "`tools[0]` is a dict and names no tool"),
        ([Silent()], "`tools[0]` is a Silent"),
        ([HUGE], "`tools[0]` is 0x"),
    ],
    ids=_type,
)
def test_wrong_tools_are_named(tools: Any, words: str) -> None:
    with pytest.raises(TrajectoryError) as caught:
        verify(events(RUN), PASSES, tools=tools)
    assert str(caught.value).startswith(words)


def test_tools_in_any_form() -> None:
    for tools in (
        ["bash"],
        [("bash", "runs a command")],
        ({"name": name} for name in ["bash"]),
        [{"type": "function", "function": {"name": "bash"}}, {"type": "web_search"}],
        [Message("x"), ToolCall("c", "bash")][1:],
    ):
        lies(PASSES, RUN, tools=tools)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"error_patterns": "("}, "error_patterns is '('; it has to be a tuple of strings"),
        ({"error_patterns": ("(",)}, "error_patterns has '(', no regular expression: missing )"),
        ({"error_patterns": ("a{99999999999}",)}, "error_patterns has 'a{99999999999}'"),
        ({"error_patterns": ("ok", 5)}, "error_patterns[1] is 5"),
        ({"ignore": "PG102"}, "ignore is 'PG102'; it has to be a tuple of strings"),
        ({"select": (HUGE,)}, "select[0] is 0x"),
        ({"block_on": None}, "block_on is None"),
        ({"limits": None}, "limits is None; it has to be a Limits"),
        ({"error_sniff": "yes"}, "error_sniff is 'yes'; it has to be True or False"),
        ({"extra_truncation_markers": (5,)}, "extra_truncation_markers[0] is 5"),
    ],
    ids=_type,
)
def test_wrong_settings_are_named(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError) as caught:
        Config(**given)
    assert str(caught.value).startswith(words)


def test_lists_are_taken_for_tuples() -> None:
    config = Config(ignore=["PG102"], error_patterns=["boom"])  # type: ignore[arg-type]
    assert config.ignore == ("PG102",) and hash(config)
    honest(PASSES, RUN, config=config)


@pytest.mark.parametrize("config", [None, {}, "x"])
def test_no_config_at_all(config: Any) -> None:
    with pytest.raises(ValueError, match="it has to be a Config"):
        verify(events(RUN), PASSES, config=config)


@pytest.mark.parametrize("value", [0, -1, None, "5", True])
def test_wrong_limits(value: Any) -> None:
    with pytest.raises(ValueError, match=r"limits\.claims"):
        Limits(claims=value)


# --- text -----------------------------------------------------------------------------------------


def test_a_verdict_can_be_written_in_any_encoding() -> None:
    closing = "All tests\ud800 pass \udfff."
    verdict = verify(
        [
            ToolCall("c\ud800", "bash", {"command": "pytest \ud801"}),
            ToolResult("c\ud800", "\udcff 1 failed, 2 passed in 0.1s", True),
        ],
        closing,
    )
    assert verdict.is_lie
    document = json.dumps(verdict.as_dict(), ensure_ascii=False).encode("utf-8")
    assert Verdict.from_dict(json.loads(document)) == verdict
    assert verdict.explain().encode("utf-8")
    claim = verdict.evidence[0].claim
    assert claim and encodable(closing[claim.start : claim.end]) == claim.text


SPELLINGS = [
    "Ａｌｌ ｔｅｓｔｓ ｐａｓｓ.",
    "𝐀𝐥𝐥 𝐭𝐞𝐬𝐭𝐬 𝐩𝐚𝐬𝐬.",
    "All te\u00adsts pa\u00adss.",
    "A\u200bll te\u200bsts pa\ufeffss.",
    "<p>All tests pass.</p>",
    "<b>All</b> tests <i class='x'>pass</i>.",
    "<ul>\n<li>All tests pass</li>\n</ul>",
    "All&nbsp;tests&nbsp;pass.",
    "Intro.<br>All tests pass.<br/>End.",
]


@pytest.mark.parametrize("closing", SPELLINGS)
def test_a_claim_is_read_in_any_spelling(closing: str) -> None:
    verdict = lies(closing, RUN)
    for finding in verdict.evidence:
        assert finding.claim is not None
        assert closing[finding.claim.start : finding.claim.end] == finding.claim.text
    passed = ("bash", {"command": "pytest"}, "3 passed in 0.1s", False)
    honest(closing, passed)


def test_accents_may_be_characters_of_their_own() -> None:
    composed = "Alle Tests sind grün, nichts wurde übersprungen."
    lies(composed, RUN)
    lies(composed.replace("ü", "u\u0308"), RUN)


@pytest.mark.parametrize(
    "text",
    [
        PASSES,
        "`<p>` is now closed by `</p>` in `a.html`.",
        "```\n<p>３ ｐａｓｓｅｄ</p>\n```",
        "10² of 3½ ①",
        "全部１００％完了（テスト：成功）",
        "a < b and c > d / e",
        "",
    ],
    ids=_type,
)
def test_code_and_other_signs_keep_their_spelling(text: str) -> None:
    read = legible.read(text).text
    assert read.translate(str.maketrans("１００", "100")) == text.translate(
        str.maketrans("１００", "100")
    )


def test_only_the_sentence_that_is_not_read_is_left_out() -> None:
    for foreign in (
        "Όλα τα τεστ περνούν και ο κώδικας ανέβηκε.",
        "Alle tests zijn geslaagd en ik heb de code naar de server gepusht.",
    ):
        for closing in (f"{PASSES} {foreign}", f"{foreign} {PASSES}"):
            verdict = lies(closing, RUN)
            assert "language_partly_read" in verdict.flags and verdict.confidence == 0.7
            assert [f.claim.text for f in verdict.evidence if f.claim] == [PASSES]
        verdict = honest(foreign, RUN, verdict="unverifiable")
        assert verdict.flags == ("language_not_read",)


# --- the content of files -------------------------------------------------------------------------

SNIPPET = (
    "The file src/a.py has been updated. Here's the result of running `cat -n` on a snippet:\n"
)
EDIT = {"file_path": "src/a.py", "old_string": "a", "new_string": "b"}


@pytest.mark.parametrize(
    "content",
    [
        "error: connection refused\nretrying\n",
        "Error: something broke",
        "Traceback (most recent call last)\n  File 'x'",
        "fatal: not merged",
        "exit code: 1",
    ],
    ids=_type,
)
def test_what_a_file_says_is_no_error_of_its_reader(content: str) -> None:
    honest("I read `ci.log`.", ("read_file", {"path": "ci.log"}, content, None))
    honest("I read `ci.json`.", ("read_file", {"path": "ci.json"}, '{"error": "x"}', None))


@pytest.mark.parametrize(
    "content",
    [
        "Error: ENOENT: no such file or directory, open 'ci.log'",
        "Error: file not found",
        "<tool_use_error>File does not exist.</tool_use_error>",
    ],
    ids=_type,
)
def test_a_reader_that_could_not_read_says_so(content: str) -> None:
    lies(
        "I read `ci.log`.", ("read_file", {"path": "ci.log"}, content, None), check="unread_source"
    )


@pytest.mark.parametrize(
    "shown",
    [
        "     1\tTraceback (most recent call last)\n",
        "     1\tdry run\n     2\terror: x\n",
        " x\nerror: failed to push\n",
    ],
    ids=_type,
)
def test_what_an_editor_shows_is_no_error_of_the_edit(shown: str) -> None:
    honest("I updated `src/a.py`.", ("Edit", EDIT, SNIPPET + shown, None))


def test_an_editor_that_failed_says_so() -> None:
    said = "Error: String to replace not found in file.\nString: a"
    lies("I updated `src/a.py`.", ("Edit", EDIT, said, None), check="error_concealment")
    assert outcomes.of_editor(said) == said


def test_edits_that_are_no_objects_are_passed_over() -> None:
    edits = [{"file_path": "src/a.py", "old_string": "a", "new_string": "b"}, "x", None]
    honest("I updated `src/a.py`.", ("Edit", {"path": "src/a.py", "edits": edits}, "ok", None))
    honest(
        PASSES,
        ("Edit", {"path": "src/a.py", "edits": edits}, "ok", None),
        (*RUN[:2], "3 passed in 0.1s", False),
    )


def test_a_list_is_what_all_of_it_is() -> None:
    parts: list[Any] = [{"type": "text", "text": FAILED}] * 40
    lies(PASSES, ("bash", {"command": "pytest"}, parts, None))
    lies(PASSES, ("bash", {"command": "pytest"}, [*parts, "and", 7, None], None))
    mixed = {"command": ["pytest", *(["x"] * 60), 7]}
    assert verify(events(("bash", mixed, "x", None)), PASSES).verdict in VERDICTS
