"""Vetoes a finding about a failed check when the closing names the failing case elsewhere.

"Three passed; 'pays by card' took more than 30 seconds" uses no word of failure, but it names what the
runner lists as failed, in a clause that claims no pass.
"""

from __future__ import annotations

import re

from .._lazy import regex
from ..binding import Candidate, Turn
from ..binding.recall import beyond_recall
from ..evidence.touched import is_test
from ..evidence.values import classify

NAME = "named"
_FAILED_LINE = regex(r"fail|✗|✕|✘|×|not ok|error|^\s*\d+\)\s|^\s*●", re.IGNORECASE)


_OF_TESTS = regex(r"Tests?(?![a-z])|Spec(?![a-z])|IT\Z")
_PASSING = frozenset({"check", "works", "done", "action"})


def _totals(candidate: Candidate) -> set[int]:
    """How many cases the failing runs had."""
    found: set[int] = set()
    for step in candidate.steps:
        for summary in step.summaries:
            if summary.total is not None:
                found.add(summary.total)
            found.add((summary.passed or 0) + (summary.failed or 0))
    return found - {0}


def _is_name(name: str) -> bool:
    """A test's name: `test_x`, `Suite#case`, `a::b`, "pays by card"; a source file's path is none."""
    hit = classify(name)
    if hit and hit[0] == "path" and not is_test(hit[1]):
        return False
    return (len(name) >= 8 and any(mark in name for mark in ("_", "#", "::", " ", "."))) or (
        len(name) >= 10
        and name != name.lower()
        and name.isalnum()
        and (name[0].islower() or _OF_TESTS.search(name) is not None)
    )


def veto(turn: Turn, candidate: Candidate) -> str:
    """The name that the closing gives, or an empty string."""
    claim = candidate.claim
    if candidate.check != "failed_check_claimed_passing" or claim.kind == "denial":
        return ""
    if beyond_recall(turn, candidate):
        return ""
    if "all" in claim.scope or any(count.number in _totals(candidate) for count in claim.counts):
        return ""  # the whole is claimed: naming a case elsewhere takes nothing back
    document = turn.closing.document
    passing = [(c.start, c.end) for c in turn.claims if c.plain and c.kind in _PASSING]
    spans = [
        (a, b)
        for a, b in (*document.code, *document.quotes)
        if not any(s <= a < e for s, e in passing)
    ]
    named = [document.text[a:b].strip("`\"'“”„«»「」") for a, b in spans]
    lines = [
        line.casefold()
        for step in candidate.steps
        for line in step.text.split("\n")[:400]
        if _FAILED_LINE.search(line)
    ]
    # what the agent's own edits of the source hold is a part of the source, no case
    edits = [s.argument_text.casefold() for s, path in turn.ledger.edits if not is_test(path)]
    for name in named:
        low = name.casefold().removesuffix("()")
        if any(low in text for text in edits):
            continue
        if _is_name(name) and any(low in line for line in lines):
            return f"the closing names {name[:80]}"
    return ""
