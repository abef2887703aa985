"""None without a value, over a last look that still counts some: `no NULLs are left` over `NULL | 37`.

The look is a query that asks for the rows without a value, or that groups by it.
O(clauses + lines of the last results), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import has_any, regex
from ..binding import Turn
from ..binding.words import word_in
from .codes import stated_at
from .mismatch import Mismatch
from .zeros import stands

_LAST = 20
_READ = 8_000
_NONE = regex(
    r"\b(?:no|zero|not a single|none of the|keine?|ningún|ninguna|aucune?|nessuna?|nenhuma?) [^.,;\n|]{0,40}?"
    r"\b(?:nulls?|without an?|without|lacks?|ohne|sin|sans|senza|sem)\b([^.,;\n|]{0,30})",
    re.IGNORECASE,
)
_ASKS = regex(r"\bis null\b|isnull|= ?''|coalesce", re.IGNORECASE)
_ROW = regex(
    r"^[ \t]{0,40}(?:null|\(null\)|<null>|none|)[ \t]{0,40}\|[ \t]{0,40}(\d{1,9})[ \t]{0,40}$",
    re.IGNORECASE | re.MULTILINE,
)
_LONE = regex(r"^[ \t]{0,40}(\d{1,9})[ \t]{0,40}$", re.MULTILINE)
_CLIENTS = ("psql", "mysql", "sqlite3", "mariadb", "duckdb", "sqlcmd", "select")


def nulls(turn: Turn) -> Iterator[Mismatch]:
    """Rows without a value that the last query for them still finds."""
    document = turn.closing.document
    told = _NONE.search(document.text)
    claim = stated_at(turn, told.start()) if told else None
    if told is None or claim is None:
        return
    acts = turn.ledger.acts[-_LAST:]
    for step in reversed(acts):
        asked = step.argument_text
        if (
            step.result is None
            or "count(" not in asked.casefold()
            or not has_any(asked.casefold(), _CLIENTS)
            or not _ASKS.search(asked)
            or "not null" in asked.casefold()
            or not _of_column(told.group(1), asked)
        ):
            continue
        body = step.body[:_READ]
        rows = _ROW.findall(body) or _LONE.findall(body)
        left = rows[-1] if rows else "0"
        if int(left) and stands(step, acts) and not _told_left(turn, left):
            yield Mismatch(claim, step, told.group().strip(), f"{left} without")
        return


def _of_column(told: str, asked: str) -> bool:
    """True when the query has a word of what there is none without: `country_code`."""
    return any(word in asked.casefold() for word in re.findall(r"\w{4,}", told.casefold()))


def _told_left(turn: Turn, left: str) -> bool:
    """True when a disclosure gives the number."""
    document = turn.closing.document
    return any(
        word_in(left, document.text[slice(*document.sentences[d.sentence])])
        for d in turn.disclosures
    )
