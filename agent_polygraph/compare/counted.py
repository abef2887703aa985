"""Numbers that count something, and words that name what: what the modules of this room share."""

from __future__ import annotations

from ..binding import Turn
from ..binding.words import stem
from ..claims.grammar import Claim, Count

SMALL = 12  # numbers up to here stand everywhere; they count only with a role


def key_of(word: str) -> str:
    return stem(word).rstrip("e")


def held(turn: Turn, at: int) -> bool:
    """True when the number is part of a date, a time, an id or a path."""
    kinds = ("date", "time", "id", "path", "url", "sha", "email", "amount")
    return any(
        value.start <= at < value.end
        for value in turn.closing.document.values
        if value.kind in kinds
    )


_OUT_OF = frozenset("of su von de sur di из dei delle des sobre /".split())


def second_of_pair(turn: Turn, claim: Claim, count: Count) -> bool:
    """True for the second number of `46 of 47`."""
    before = turn.closing.document.masked[max(0, count.start - 12) : count.start].split()
    return bool(before and before[-1].casefold() in _OUT_OF) or any(
        other.of == count.number for other in claim.counts if other is not count
    )
