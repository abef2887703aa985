"""A size or a share that is told as changed: `from 2.08 GB to 187 MB`, where the new one was measured otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from .._lazy import regex
from ..binding import Turn
from ..evidence.figures import measures
from ..evidence.step import Step
from ..evidence.values import number
from .codes import stated_at
from .mismatch import Mismatch
from .tally import tally

_MOST = 20  # changes of a closing that are looked up
_READ = 20_000  # characters of a result
_NUMBER = r"(\d{1,6}(?:[.,]\d{1,3})?)\s?"
_UNIT = r"([kKMGT]i?B|%)"
_CHANGE = regex(
    rf"(?:\b(?:from|von|de|da|del?)\s+[*`~]{{0,2}}{_NUMBER}{_UNIT}[*`]{{0,2}}\s+(?:to|auf|a|à|para|al?)"
    rf"|(?<![\w.]){_NUMBER}{_UNIT}[*`]{{0,2}}\s?(?:→|->))\s+[*`~]{{0,2}}{_NUMBER}{_UNIT}",
    re.IGNORECASE,
)
_WISHED = regex(
    r"\b(?:target|goal|aim|plan|would|could|should|want|hope|ziel|soll|objetivo|objectif)\b",
    re.IGNORECASE,
)
_SIZE = regex(rf"(?<![\w.,]){_NUMBER}{_UNIT}(?!\w)")
_POWER = {"k": 1, "m": 2, "g": 3, "t": 4}


def changed_to(turn: Turn) -> Iterator[Mismatch]:
    """The old figure stands in a result; the new one in none, and the same call printed others since."""
    text = turn.closing.document.text
    for found in islice(_CHANGE.finditer(text), _MOST):
        old, new = [(a, b) for a, b in zip(*[iter(found.groups())] * 2, strict=True) if a]
        claim = stated_at(turn, found.start())
        if claim is not None and _WISHED.search(text, claim.start, claim.end):
            continue
        if claim is None or _kind(old) != _kind(new):
            continue
        looks = [step for step in turn.ledger.acts if _kind(old) in _sizes(step)]
        first = next((step for step in looks if _near(_size(old), _sizes(step)[_kind(old)])), None)
        value, places = (
            float(new[0].replace(",", ".")),
            len(new[0].replace(",", ".").partition(".")[2]),
        )
        if first is None or tally(turn).stands(value, places) or tally(turn).follows(value, places):
            continue
        again = [step for step in looks if step.order > first.order and _alike(first, step)]
        if again and not any(_near(_size(new), _sizes(step)[_kind(new)]) for step in looks):
            line = next(row for row in again[-1].body.split("\n") if _SIZE.search(row))
            yield Mismatch(claim, again[-1], " ".join(new), line.strip()[:80], line.strip())
            return


def _kind(figure: tuple[str, str]) -> str:
    return "%" if figure[1] == "%" else "B"


def _size(figure: tuple[str, str]) -> float:
    value = number(figure[0]) or 0.0
    return value if figure[1] == "%" else value * 1000.0 ** _POWER[figure[1][0].lower()]


def _sizes(step: Step) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    if step.outcome.bad or step.result is None or not measures(step):
        return found
    for hit in _SIZE.finditer(step.body[:_READ]):
        figure = hit.group(1), hit.group(2)
        found.setdefault(_kind(figure), []).append(_size(figure))
    return found


def _near(wanted: float, shown: list[float]) -> bool:
    """True within what rounding and the two sorts of a kilobyte make of a size."""
    return any(abs(one - wanted) <= 0.08 * max(one, wanted) for one in shown)


def _alike(one: Step, other: Step) -> bool:
    """True for two calls that measure the same: of one tool, or whose lines have the same last program."""
    if one.command is None or other.command is None:
        return one.name == other.name and one.command is other.command is None
    return one.command.parts[-1].words[:2] == other.command.parts[-1].words[:2]
