"""What a result itself tells as a part of a whole: `3 of 17 endpoints without a test`, a recap of hosts.

O(characters of the result), bounded.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .._lazy import regex, remembered
from .step import Step

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


_RECAP = regex(
    r"^[ \t]*([\w.-]{2,60})[ \t]*:[ \t]+(?=[^\n]*\bok=\d)[^\n]*?\b(unreachable|failed)=([1-9]\d*)[^\n]*$"
    r"|^[ \t]*([\w.-]{2,60})[ \t]*:[ \t]+ok=\d[^\n]*$",
    re.MULTILINE,
)


@remembered
def recap_of(step: Step) -> dict[str, str]:
    """Host -> the line of its failure, empty where it has none: `web04 : ok=0 unreachable=1 failed=0`."""
    if "ok=" not in step.text:
        return {}
    found: dict[str, str] = {}
    for hit in _RECAP.finditer(step.body[-_CHARS:]):
        found[hit.group(1) or hit.group(4)] = hit.group().strip() if hit.group(1) else ""
    return found
