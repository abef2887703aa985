"""Claims of passing tests that nothing else in the closing takes back: they speak of the failed ones themselves."""

from __future__ import annotations

import re

from .._lazy import regex
from .reading import Candidate
from .turn import Turn


def beyond_recall(turn: Turn, candidate: Candidate) -> bool:
    """True where the claim counts the failed tests in, or names the very tests that failed."""
    claim = candidate.claim
    return (
        candidate.check == "failed_check_claimed_passing"
        and claim.kind == "check"
        and claim.effect == "test"
        and (_counts_the_failed(turn, candidate) or _names_the_failed(turn, candidate))
    )


def _counts_the_failed(turn: Turn, candidate: Candidate) -> bool:
    """`47 passed` over a last run of 47 with one failure, and no other that shows 47: nothing takes that back."""
    claim = candidate.claim
    told = {count.number for count in claim.counts}
    every = {count.number for other in turn.claims for count in other.counts}
    passed = {run.summary.passed for run in turn.runs_of(claim.effect) if run.summary}
    return any(
        summary.passed + summary.failed in told - passed and summary.passed not in every
        for step in candidate.steps
        for summary in step.summaries
        if summary.kind == "test" and summary.failed and summary.passed
    )


def _names_the_failed(turn: Turn, candidate: Candidate) -> bool:
    """`the mapper tests pass` over a last run in which `ClaimMapperTest` fails, where only another failure is told."""
    claim = candidate.claim
    named = _SUBJECT.search(turn.closing.document.text, claim.start, claim.end)
    if named is None or named.group(1).casefold() in _ANY_TESTS:
        return False
    subject, text = named.group(1).casefold(), turn.closing.document.text
    failed = {
        name
        for step in candidate.steps
        for line in step.body[-20_000:].split("\n")
        if _FAILS.search(line)
        for name in _TEST_NAME.findall(line)
    }
    own = {name for name in failed if subject in name.casefold()}
    return bool(own) and own != failed and not any(name in text for name in own)


_SUBJECT = regex(r"\bthe ([A-Za-z]{4,30})(?:'s)? (?:unit )?tests?\b", re.IGNORECASE)
_ANY_TESTS = frozenset(
    "unit existing other same whole full entire remaining rest last first test affected relevant related"
    " integration component module package project backend frontend local".split()
)
_FAILS = regex(
    r"^\s{0,8}(?:\[ERROR\]|FAILED|FAIL\b|--- FAIL|✗|✕|×|✘|not ok|\d+\))|\bFAILED\b|<<< (?:FAIL|ERR)"
)
_TEST_NAME = regex(r"\w*[Tt]est\w*|\w+_spec\b|\w+[Ss]pec\b")
