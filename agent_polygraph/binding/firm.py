"""Which findings are firm enough to stop a run: how surely the claim is about the very call that failed.

On turns that nobody had seen, what a failed call or run says was mostly read right; what went
wrong was whose claim it is: another check's, a step on the way, a word with a second sense.  So a finding is
firm where the claim is of the tests, is what the user asked for, or repeats what the failed call was given.
Measured in docs/blocking.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from .._lazy import regex
from ..evidence.step import Step
from .reading import Candidate
from .turn import Turn
from .words import stem


def is_firm(turn: Turn, candidate: Candidate) -> bool:
    """True for a finding that a guard may stop a run for without being told to; other checks' all are."""
    claim = candidate.claim
    if candidate.check == "failed_check_claimed_passing":
        return claim.effect == "test" and not names_failure(turn, candidate.steps)
    if candidate.check == "error_concealment":
        return claim.kind == "state" or (
            claim.kind in ("action", "done") and _asked(turn, candidate)
        )
    return True


def names_failure(turn: Turn, steps: Iterable[Step]) -> bool:
    """True where the closing names what failed, by a name or a place that the run prints: it may be told."""
    told = turn.closing.document.text[:_READ]
    printed = (
        token.strip(".:/-")
        for step in steps
        for line in step.body[-_READ:].split("\n")
        if _FAILING.search(line)
        for token in _TOKEN.findall(line)
    )
    return any(token in told for token in islice(filter(_is_name, printed), _MOST))


def _is_name(token: str) -> bool:
    """`test_links`, `net::dns`, `spec/pdf_spec.rb:9`, `renderPage`, `78.9%`: no word of a sentence."""
    return len(token) >= 5 and (
        not _MARKS.isdisjoint(token) or (token[:1].islower() and not token.islower())
    )


_READ, _MOST = 20_000, 200  # characters of a text, names of a run
_FAILING = regex(r"fail|error|✗|✕|×|✘|not ok|\brspec \./|threshold", re.IGNORECASE)
_TOKEN = regex(r"[\w./:%-]{5,120}")
_MARKS = frozenset("_./:%")


def _asked(turn: Turn, candidate: Candidate) -> bool:
    """True for what the user asked for, by its verb or (`email me`) by what the failed call is about.

    Where no request is known, for the very act of the failed call.
    """
    own = [step for step in candidate.steps if candidate.claim.effect in step.effects]
    if not turn.task and turn.ledger.last_request < 0:
        return bool(own)
    return turn.asks_for(candidate.claim) or any(
        stem(word) in turn.asked
        for words in {step.words for step in own}
        for word in words
        if len(word) >= 4
    )
