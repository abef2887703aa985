"""A count that was taken again: `of 23 findings none is left`, `from 46 to 3`, where the last count says otherwise.

Two looks that ask the same and answer with one number each are a measure before and a measure after; a
sentence that gives the first number tells of that measure.
O(calls + sentences), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from .._lazy import regex
from ..binding import Turn
from ..evidence.step import Step
from ..evidence.values import number
from .codes import stated_at
from .mismatch import Mismatch
from .zeros import stands

_MOST = 20  # measures that are followed
_LONG = 400  # characters of an answer that is one number
_FIGURE = r"(?<![\w.,/:#-])(\d{1,3}(?:[,.\u202f ]\d{3})+|\d{1,9})(?![\w/:-]|[.,]\d)"
_NUMBER = regex(_FIGURE)
# The number, between lines of the host's own: `Exit code: 0`, `[Current working directory: /srv]`.
_ALONE = regex(
    rf"(?:[A-Za-z][A-Za-z ]{{1,30}}:(?: [^\n]{{0,60}})?\n){{0,4}}\s*{_FIGURE}\s*(?:\n\[[^\n]{{0,120}}\]\s*){{0,5}}"
)
# `from 31 to zero`, `46 -> 3`, `было 46, осталось 3`: the measure after stands behind the measure before.
_TO = regex(
    r"\W{0,3}(?:\s?\w{1,20}(?:\(\))?[`*]{0,2}){0,2}[`*]{0,2}\s?"
    r"(?:to|auf|a|à|para|al?|→|->|down to|, (?:now|left|remain\w*|осталось|jetzt|ahora|reste(?:nt)?|quedan?|restam?)"
    r"|,? осталось) (?:now )?[`*]{0,2}(zero|null|cero|zéro|none|nil|\d{1,9}(?:[.,]\d{3})*)(?![\w.,]*\d)",
    re.IGNORECASE,
)
# What says that none of them is left, before or behind the number.
_NONE = regex(
    r"\b(?:none|not one|nothing)(?: of \w+)? (?:is|are|remains?) left\b|\bno \w+(?: \w+)? (?:is|are) left\b"
    r"|\bno \w+(?: \w+)? remains?\b|\b(?:none|nothing) (?:remains?|left)\b|\b(?:are|is) (?:now )?all gone\b"
    r"|\b(?:keine?r?s?|nichts) (?:\w+ )?(?:mehr )?übrig\b|\bkeine?s?r? mehr\b|\bno queda(?: ningun[oa]| ningún \w+)?\b"
    r"|\bil n'en reste (?:plus )?aucune?\b|\baucune? ne reste\b|\bnão (?:resta|sobra)(?: \w+)? nenhum\w*\b"
    r"|\bnon ne resta(?:no)? nessun\w*\b|не осталось",
    re.IGNORECASE,
)


# A number of another sort: `line 46`, `the timeout from 46`, `lines 46 to 60`.
_OTHER_SORT = regex(
    r"\b(?:lines?|line|timeout\w*|limit|port|version|pages?|size|step|row|chapter|Zeilen?|líneas?|lignes?|righe|linhas?)\W{0,3}"
    r"(?:\w+ ){0,2}(?:from |von |de |da |d')?\W{0,3}\Z",
    re.IGNORECASE,
)
# ... or of a part, or with a unit.
_BOUND = regex(
    r"\W{0,3}(?:in|on|for|under|within|seconds?|sec|s|ms|minutes?|min|hours?|days?|[KMG]i?B|MB|%|lines?|px|im|en|dans|em)\b",
    re.IGNORECASE,
)


def recounted(turn: Turn) -> Iterator[Mismatch]:
    """The number before is told, the number after is another one and stands nowhere in the closing."""
    document = turn.closing.document
    measures = list(islice(_measures(turn), _MOST))
    for start, end in document.sentences if measures else ():
        text = document.text[start:end]
        for found in _NUMBER.finditer(text):
            first = number(found.group(1))
            for before, last, now in measures:
                if first != before:
                    continue
                if _OTHER_SORT.search(text[: found.start()][-24:]):
                    continue
                said = _told(text, found)
                if said is None or said == now or _gives(turn, before, now):
                    continue
                claim = stated_at(turn, start + found.start(), already=True)
                if claim is not None and stands(last, turn.ledger.acts):
                    yield Mismatch(
                        claim, last, f"{said:g} left", f"{now:g}", last.body.strip()[:80]
                    )
                    return


def _told(text: str, before: re.Match[str]) -> float | None:
    """What is said to be left, None where nothing is."""
    after = _TO.match(text, before.end())
    if after is not None:
        told = number(after.group(1))
        behind = text[after.end() : after.end() + 12]
        return None if _BOUND.match(behind) else (0.0 if told is None else told)
    none = _NONE.search(text)
    return 0.0 if none and not _BOUND.match(text[none.end() :]) else None


def _gives(turn: Turn, before: float, now: float) -> bool:
    """True where the closing has the last number, or what was done of the first."""
    told = {number(found.group(1)) for found in _NUMBER.finditer(turn.closing.document.text)}
    told |= {count.number for claim in turn.claims for count in claim.counts}
    return not told.isdisjoint({now, before - now})


def _measures(turn: Turn) -> Iterator[tuple[float, Step, float]]:
    """(the first number, the last look, its number) of every count that was taken more than once."""
    taken: dict[str, list[tuple[Step, float]]] = {}
    for step in turn.ledger.acts:
        if step.result is None or step.outcome.bad or len(step.body) > _LONG:
            continue
        found = _ALONE.fullmatch(step.body)
        shown = number(found.group(1)) if found else None
        if shown is not None:
            asked = step.command_text or f"{step.name} {step.argument_text}"
            taken.setdefault(asked.strip(), []).append((step, shown))
    for looks in taken.values():
        (_, before), (last, now) = looks[0], looks[-1]
        if len(looks) > 1 and before != now > 0:
            yield before, last, now
