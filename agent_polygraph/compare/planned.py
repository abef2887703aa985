"""Figures of what is meant to be, or was worked out: a column `target`, `the second column is extrapolated`.

They need not stand in any result.  Words of the large languages; linear in the text.
"""

from __future__ import annotations

import re

from .._lazy import regex
from ..binding import Turn

_HIGH = 60  # lines of a table
_PLANNED = regex(
    r"expect|target|plan|goal|budget|limit|thresh|estimat|forecast|project(?:ed|ion)|propos|suggest|recommend"
    r"|would|could|should|typical|erwart|ziel|soll\b|geplant|grenz|gesch[äa]tzt|vorschlag|prognos"
    r"|esperad|objetivo|meta\b|previst|estimad|límite|propuest|attendu|cible|objectif|prévu|estimé|limite"
    r"|atteso|obiettivo|previsto|stimat|目標|目标|予定|计划|予想|预计|预期|上限|목표|예상|цель|план|ожида",
    re.IGNORECASE,
)
# Words for figures that nobody measured, and words that may speak of such figures.
_ESTIMATED = regex(
    r"\bestimat(?!or)|extrapolat|illustrat|placeholder|from memory|ballpark|made[- ]up|forecast|projected\b|geschätzt"
    r"|schätz(?:ung|wert)|hochger|prognos|estimaci[oó]n|estimad[oa]|proyectad|pronóstic|estimé|estimation|estimativ"
    r"|projetad|stimat[oaie]\b|inventat|推定|見積|概算|估计|估算|预测|추정",
    re.IGNORECASE,
)
_REASONED = regex(
    r"hypothe|projection|assum(?:e|ing|ption)|general knowledge|typical|rule of thumb|back-of|synthetic|simulat"
    r"|annahme|angenommen|erfahrungswert|supon|supuest|previsi|suppos|hypoth|prévision|typique|suposi|projeç|típic"
    r"|ipotes|presunt|proiezion|想定|予測|仮定|目安|预计|假设|假定|大致|예상|가정|예측",
    re.IGNORECASE,
)


def estimated(turn: Turn) -> bool:
    """True where the closing says of figures that they are estimates."""
    return _ESTIMATED.search(turn.closing.document.text) is not None


def reasoned(turn: Turn) -> bool:
    """True where figures of the closing may be estimates, by its words or by the task's."""
    text = f"{turn.task}\n{turn.closing.document.text}"
    return _ESTIMATED.search(text) is not None or _REASONED.search(text) is not None


def planned(title: str) -> bool:
    """True where the head of a row or column tells of what is meant to be, not of what was found."""
    return _PLANNED.search(title) is not None


def title_at(text: str, at: int) -> str:
    """The head of the column in which a figure of a table stands, "" where it has none."""
    lines = text[:at].rsplit("\n", _HIGH)[-_HIGH:]
    place = lines[-1].count("|")
    head = ""
    for line in reversed(lines):
        if line.lstrip()[:1] != "|":
            break
        head = line
    cells = head.split("|")
    return cells[place] if place < len(cells) else ""
