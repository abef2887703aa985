"""Quick looks before slow patterns may only skip what the pattern can't match."""

from __future__ import annotations

import re

import pytest

from agent_polygraph import _lazy
from agent_polygraph._lazy import has_any, lowered
from agent_polygraph.binding import siblings
from agent_polygraph.checks import pg102_failed_check_claimed_passing as failed_check
from agent_polygraph.claims import lexicon
from agent_polygraph.claims import text as text_module
from agent_polygraph.compare import loops, sums, zeros
from agent_polygraph.config import DEFAULT_CONFIG
from agent_polygraph.evidence import listing, moments, outcomes, weaken
from agent_polygraph.evidence.ledger import Ledger
from agent_polygraph.evidence.step import Step
from tests.harness import events


@pytest.mark.parametrize(
    "text",
    [
        *("... omitted", "[...truncated", "...cut", "results are truncated", "result limited"),
        *("output was truncated", "output truncated", "(truncated)", "<truncated>", "Next page: 2"),
        *("use offset 20", "use page 2", "use --page 2", "Use cursor abc", 'rel="next', "rel=next"),
        "more results available",
    ],
)
def test_the_marks_of_a_cut_listing(text: str) -> None:
    assert listing._TRUNCATED.search(text)
    assert any(mark in text.lower() for mark in listing._CUT_MARKS)


@pytest.mark.parametrize(
    "text", ["showing 1-10 of 20", "page 2 / 5", "items 5 out of about 20", "1 – 50 von 120"]
)
def test_a_pair_of_numbers_stands_in_every_share(text: str) -> None:
    assert listing._SHOWING.search(text) or listing._RANGE.search(text)
    assert listing._PAIR.search(text)


@pytest.mark.parametrize(
    "text",
    [
        *("showing 1-10 of 20", "displaying 9 of 20", "page 2 / 5", "result 2 / 5", "row 5 of 9"),
        *("rows 5 of 9", "items 5 out of about 20", "entries 5 of 9", "first 5 of 9"),
    ],
)
def test_a_word_before_the_numbers_of_a_share(text: str) -> None:
    assert listing._SHOWING.search(text)
    assert has_any(text, listing._SHARES)


def test_the_letters_that_ignoring_case_takes_for_ascii() -> None:
    beyond = [chr(code) for code in range(0x80, 0x110000)]
    twins = [char for char in beyond if re.match("[a-z]", char, re.IGNORECASE)]
    assert twins == list(_lazy._TWINS)


def test_a_lowered_text_hides_no_mark() -> None:
    assert lowered("\u2192 Fatal: x") == "? fatal: x"
    assert lowered("fa\u0130l") == ""
    assert has_any(lowered("fa\u0130l"), ("fail",))


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        (outcomes._REFUSED, outcomes._REFUSED_WORDS),
        (outcomes._CANCELLED, outcomes._CANCELLED_WORDS),
        (outcomes._PENDING, outcomes._PENDING_MARKS),
        (outcomes._NOOP, outcomes._NOOP_WORDS),
    ],
)
def test_every_mark_has_one_of_the_words(marks: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert [mark for mark in marks if not has_any(mark, words)] == []


HEADS = (
    *("ValueError: x", "my.Exception", "Failure", "error: x", "err!", "fatal: x", "failed to x"),
    *("failure", "panic: x", "Traceback (most recent call last)", "unable to x", "cannot x"),
    *("can't x", "couldn't x", "could not x", "not found", "no such file", "permission denied"),
    *("access denied", "forbidden", "unauthorized", "unknown option", "unrecognized arguments"),
    *("usage: x", "an error occurred", "invalid x", "rejected", "denied", "aborted", "refused"),
    *("timed out", "timeout", "<tool_use_error>", "request failed", "build was cancelled"),
    *("query timed out", "push rejected", "upload was refused", "command aborted"),
)
TAILS = (
    *("fatal: x", "error", "err!", "npm err!", "failed", "failure", "panic", "killed"),
    *("terminated", "segmentation fault", "aborted", "traceback (most recent call last)"),
    *("a.ValueError: x", "MyException", "x: command not found", "permission denied"),
    *("! [rejected]", "! [remote rejected]", "error: failed to push", "rollback", "rolled back"),
    *("pod crashloopbackoff", "0 rows affected", "UPDATE 0", "DELETE 0", "the deploy has failed"),
    *(
        "upload aborted",
        "release was rejected",
        "migration rolled back",
        "550 5.7.1 no",
        "421-4.7.0",
    ),
)
SOFT = (
    *("failed to x", "could not", "couldn't", "unable to", "was not sent", "not found"),
    *("not permitted", "does not exist", "timed out", "has failed", "request failed"),
    *("permission denied", "access denied", "insufficient", "out of stock", "rate limit"),
)


@pytest.mark.parametrize("text", HEADS)
def test_words_of_a_failing_head(text: str) -> None:
    assert outcomes._HEAD_FAILURE.match(text.lstrip("<")) or outcomes._HEAD_FAILURE.match(text)
    assert has_any(text.lower(), outcomes._HEAD_WORDS)


@pytest.mark.parametrize("text", TAILS)
def test_words_of_a_failing_tail(text: str) -> None:
    assert outcomes._TAIL_FAILURE.match(text)
    assert outcomes._may_fail(text)


@pytest.mark.parametrize("text", SOFT)
def test_words_of_a_failure_in_passing(text: str) -> None:
    assert outcomes._SOFT.search(text)
    assert has_any(text, outcomes._SOFT_WORDS)


def test_the_default_error_patterns_have_a_needle() -> None:
    assert set(outcomes._NEEDLES) == set(DEFAULT_CONFIG.error_patterns)
    samples = ("error: x", "Exception: x", "Traceback (most recent call last)", "fatal: x")
    for pattern, text in zip(DEFAULT_CONFIG.error_patterns, samples, strict=True):
        assert re.search(pattern, text, re.IGNORECASE)
        assert outcomes._NEEDLES[pattern] in text.lower()


@pytest.mark.parametrize(
    "text", ["", "a\n\nb", "error: x\nok\nfailed\n", "\n\nfatal\n! \n[rejected]\n"]
)
def test_the_last_failing_line_is_the_last_match(text: str) -> None:
    last = next(iter(reversed(list(outcomes._TAIL_FAILURE.finditer(text)))), None)
    found = outcomes._last_line(outcomes._TAIL_FAILURE, text)
    assert (found and found.span()) == (last and last.span())


@pytest.mark.parametrize(
    "text", ["exit code 1", "Exited with code 2", "return code: 3", "returncode=2", "exit status 1"]
)
def test_words_of_an_exit_code(text: str) -> None:
    assert outcomes._EXIT.search(text)
    assert has_any(lowered(text), outcomes._EXIT_WORDS)


@pytest.mark.parametrize(
    "text",
    ["at 9:40", "9.40 pm", "14h30", "20 h 15", "3pm", "11 a.m.", "17 Uhr", "9.40 Uhr", "7H05"],
)
def test_the_hand_of_a_time(text: str) -> None:
    assert list(moments._times(text))
    assert moments._HAND.search(text)


def step_of(arguments: dict[str, str], content: str) -> Step:
    """The step of a call with these arguments and this result."""
    return Ledger(events(("run", arguments, content)), DEFAULT_CONFIG).steps[0]


@pytest.mark.parametrize(
    "arguments",
    [
        *({"limit": "20"}, {"page-size": "20"}, {"url": "https://a.example/b?per_page=20"}),
        *(
            {"path": "/b?limit=20"},
            {"sql": "select a from b limit 20"},
            {"command": "ls | head -20"},
        ),
        *({"command": "gh pr list -L 20"}, {"command": "gh pr list --limit 20"}),
        *({"command": "aws s3 ls --max-items 20"}, {"command": "a b --page-size 20"}),
    ],
)
def test_a_page_size_is_named(arguments: dict[str, str]) -> None:
    step = step_of(arguments, "a")
    assert listing._asked(step)[0] == 20
    assert listing._may_name_size(step)


@pytest.mark.parametrize("text", ["a 1\na 2\na 3", "a 1\n\n" * 5, "(2 rows)", "7 rows"])
def test_rows_stand_on_lines(text: str) -> None:
    step = step_of({"a": "b"}, text)
    assert step.listing
    assert listing.may_have(step, {step.listing.rows})


def test_long_texts_are_not_kept() -> None:
    asked: list[str] = []
    ask = _lazy.kept(4)(lambda text: asked.append(text) or len(text))
    assert [ask("a"), ask("a"), ask("a" * 1000), ask("a" * 1000)] == [1, 1, 1000, 1000]
    assert len(asked) == 3


@pytest.mark.parametrize(
    "text",
    [
        *("# noqa: E501", "# type: ignore", "# pyright: ignore", "# pylint: disable=x", "# nosec"),
        *("# pragma: no cover", "// @ts-ignore", "@ts-expect-error", "@ts-nocheck", "NOLINT"),
        *("eslint-disable", "biome-ignore", "// nolint", "#[allow(x)]", "@SuppressWarnings"),
        *("@Suppress(x)", "rubocop:disable", "phpcs:ignore", "@phpstan-ignore", "c8 ignore"),
        *("istanbul ignore", "# shellcheck disable", "$FlowFixMe"),
    ],
)
def test_words_of_a_silenced_check(text: str) -> None:
    assert weaken._SUPPRESS.search(text)
    assert has_any(text, weaken._SUPPRESS_WORDS)


@pytest.mark.parametrize(
    "noun",
    [
        *("differences", "mismatches", "diffs", "regressions", "duplicates", "conflicts", "leaks"),
        *("violations", "discrepancy", "orphans", "inconsistency", "broken links", "dead links"),
        *("unterschiede", "abweichungen", "diferencias", "différences", "diferenças", "differenze"),
    ],
)
def test_marks_of_what_there_is_none_of(noun: str) -> None:
    assert zeros._NONE.search(f"0 {noun}")
    assert has_any(lowered(f"0 {noun}"), zeros._NOUN_MARKS)


@pytest.mark.parametrize(
    "word",
    [
        *("together", "in total", "altogether", "combined", "adding up to", "insgesamt", "in all"),
        *("zusammen", "en total", "au total", "in totale", "no total"),
    ],
)
def test_words_of_a_sum(word: str) -> None:
    assert sums._TOGETHER.search(f"{word}: 1,200 EUR:")
    assert has_any(word, sums._TOGETHER_WORDS)


@pytest.mark.parametrize(
    "word",
    [
        *("included", "too", "as well", "inclusive", "inbegriffen", "eingeschlossen", "compris"),
        *("comprise", "incluida", "inclusa"),
    ],
)
def test_words_of_a_name_that_is_included(word: str) -> None:
    assert siblings._INCLUDED.search(f"Boundary {word}")
    assert has_any(word, siblings._INCLUDES)


@pytest.mark.parametrize("word", ["and", "und", "et", "y", "e", "и", "&"])
def test_words_between_the_last_two_of_a_list(word: str) -> None:
    assert siblings._LIST.search(f"dhl, ups {word} gls")
    assert word in siblings._ANDS


PLAIN = (
    'Done! It passes (all 12): see a/b.py... Right?\n- `x` is 1.5, don\'t ask. "Yes." ok_ *so.*',
    "--fix=all src/a-b.py http://x.io/a?b=c rock'n'roll l'email 12:30 3,141 v1.2.3 a@b.io\tx.",
)


@pytest.mark.parametrize("text", PLAIN)
def test_what_reads_ascii_reads_it_as_the_others_do(text: str) -> None:
    for plain, full in (
        (text_module._PLAIN_END, text_module._SENTENCE_END),
        (lexicon._PLAIN_TOKEN, lexicon._TOKEN),
    ):
        spans = [match.span() for match in plain.finditer(text)]
        assert spans == [match.span() for match in full.finditer(text)] != []


@pytest.mark.parametrize(
    "text",
    [
        *("no warnings", "without any warning", "warning-free", "keine Warnungen"),
        *("sin advertencias", "sans avertissement"),
    ],
)
def test_words_of_there_being_no_warnings(text: str) -> None:
    assert failed_check._NO_WARNINGS.search(text)
    assert has_any(lowered(text), failed_check._WARNING_WORDS)


@pytest.mark.parametrize("text", ["$(seq 20)", "$(seq 1 20)", "`seq 20`", "{1..20}"])
def test_marks_of_a_loop(text: str) -> None:
    assert loops._SEQ.search(text)
    assert loops._range(step_of({"command": f"for i in {text}; do pytest; done"}, ""))
