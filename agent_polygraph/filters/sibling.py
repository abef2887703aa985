"""Vetoes a finding about one call of a tool where the claim names another call of it that went through.

`Lisinopril: ready on Monday` is about the refill of Lisinopril; that the one of Zolpidem was rejected is
another matter.  What a call is about is given by the arguments that only it has, and by the names that an
earlier answer gives beside them: `{"rx": "6611", "drug": "lisinopril 10 mg"}`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._lazy import regex, remembered
from ..binding import Candidate, Turn
from ..binding.words import word_in
from ..evidence.step import Step

NAME = "sibling"
_CHECKS = frozenset({"error_concealment", "pending_claimed_done", "dangling_call"})
_MOST = 40  # calls of one tool that are told apart
_RECORDS = 400  # objects of earlier answers that may name an argument
_WORD = regex(r"[^\W\d_]{4,40}")


@remembered
def _calls(turn: Turn) -> dict[str, list[Step]]:
    """The calls of each tool, command lines left out."""
    found: dict[str, list[Step]] = {}
    for step in turn.ledger.acts:
        if step.command is None:
            found.setdefault(step.name, []).append(step)
    return found


def veto(turn: Turn, candidate: Candidate) -> str:
    """The call that the claim is about, or an empty string."""
    names = {step.name for step in candidate.steps}
    if candidate.check not in _CHECKS or len(names) != 1 or "all" in candidate.claim.scope:
        return ""
    calls = _calls(turn).get(next(iter(names)), [])[-_MOST:]
    good = [
        step
        for step in calls
        if step not in candidate.steps and step.result is not None and not step.outcome.bad
    ]
    if not good:
        return ""
    said = _line(turn, candidate)
    own = frozenset().union(*(_names(turn, step) for step in candidate.steps))
    own |= {
        word for step in candidate.steps for word in _WORD.findall(step.argument_text.casefold())
    }
    theirs = [(step, _names(turn, step)) for step in good]
    if any(word_in(name, said) for name in own.difference(*(names for _, names in theirs))):
        return ""
    for step, given in theirs:
        for name in given - own:
            if word_in(name, said):
                return (
                    f"`{name}` is what another call of {step.name} was about, and that went through"
                )
    return ""


def _line(turn: Turn, candidate: Candidate) -> str:
    """The list item or row that the claim stands in; in running text its clause."""
    text, claim = turn.closing.document.text, candidate.claim
    if claim.clause.block not in ("bullet", "table"):
        return text[claim.start : claim.end].casefold()
    start = text.rfind("\n", 0, claim.start) + 1
    end = text.find("\n", claim.start)
    return text[start : end if end >= 0 else len(text)].casefold()


def _names(turn: Turn, step: Step) -> frozenset[str]:
    """What the call was given, and what earlier answers call it, case-folded."""
    given = {text.casefold() for _, text in step.argument_leaves[:40] if 2 <= len(text) <= 60}
    found = given | {word for text in given for word in _WORD.findall(text)}
    seen = 0
    for other in turn.ledger.acts:
        if other.order >= step.order or seen > _RECORDS:
            break
        for record in _records(other.json):
            seen += 1
            leaves = [str(v).casefold() for v in record.values() if isinstance(v, (str, int))]
            if not given.isdisjoint(leaves):
                found |= {word for leaf in leaves for word in _WORD.findall(leaf)}
    return frozenset(found)


def _records(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of an answer that hold others of their kind: the rows of its lists."""
    stack = [value]
    for _ in range(_RECORDS):
        if not stack:
            return
        item = stack.pop()
        if isinstance(item, dict):
            stack += [v for v in item.values() if isinstance(v, (dict, list))]
        elif isinstance(item, list):
            yield from (row for row in item if isinstance(row, dict))
            stack += [v for v in item if isinstance(v, (dict, list))]
