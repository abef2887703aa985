"""What a result itself counts as a part of a whole: `3 of 17 endpoints without a test`, `11/12 synced`.

O(characters of the result), bounded.
"""

from __future__ import annotations

from typing import NamedTuple

from .._lazy import regex, remembered
from .ledger import Step

_CHARS = 8_000
_TALLY = regex(
    r"(?<![\w./:-])(\d{1,6})\s?(?:/|of|out of|von|de|sur|di|из)\s?(\d{1,6})\b(?![./:-]\d)((?:[ \t]+[^\W\d][\w-]*){1,6})"
)
_SHORT = frozenset(
    "without missing lacking lack lacks untested uncovered failed failing fail failures broken left remaining"
    " pending unread unmigrated unconverted outdated invalid not no none ohne fehlt fehlen fehlend offen sin"
    " faltan faltantes pendientes sans manquants manquantes restants sem faltando senza mancanti без".split()
)
_WHOLE = frozenset(
    "done covered passed passing synced tested migrated converted updated ok complete completed succeeded"
    " successful processed imported uploaded sent valid with have has ready healthy fertig erledigt mit con avec"
    " com hechos hechas faits".split()
)


class Part(NamedTuple):
    """left: how many of `whole` are not there yet; words: what stands behind the numbers, case-folded."""

    left: int
    whole: int
    words: frozenset[str]
    line: str


@remembered
def parts_of(step: Step) -> list[Part]:
    """The tallies of a result that fall short of their whole, in order; none where a runner counted."""
    found = []
    for hit in _TALLY.finditer(step.body[:_CHARS]):
        number, whole = int(hit.group(1)), int(hit.group(2))
        words = frozenset(hit.group(3).casefold().split())
        left = number if words & _SHORT else whole - number if words & _WHOLE else 0
        if 0 < left <= whole and whole >= 2:
            found.append(Part(left, whole, words, hit.group().strip()))
    return found
