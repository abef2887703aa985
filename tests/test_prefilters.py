"""Quick looks before slow patterns may only skip what the pattern can't match."""

from __future__ import annotations

import re

import pytest

from agent_polygraph.config import DEFAULT_CONFIG
from agent_polygraph.evidence import listing, outcomes


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
