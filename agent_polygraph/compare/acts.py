"""Acts that the closing lists, places or calls implemented, against what the calls could have done.

Three shapes: a list of steps all told done, one of which no call did; a file told to be in a place that the
task names and no call does; an implementation or a test told done where nothing but documents was written.
O(clauses x calls), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..evidence.touched import is_doc
from .codes import stated_at

_LIST = regex(
    r"\b(?:steps?|tasks?|items?|parts?|points?|actions?)\b[^.:\n]{0,60}\b(?:done|complete|completed|finished)\b[^.:\n]{0,20}:"
    r"\s+((?:[\w' -]{3,30},\s+){2,10}(?:and\s+)?[\w' -]{3,30})[.\n]",
    re.IGNORECASE,
)
# Acts that a bare noun of such a list names, and what a call has to do for them.
_NOUNS = {
    "tag": {"tag", "release"},
    "commit": {"commit"},
    "push": {"push"},
    "release": {"release", "tag", "deploy"},
    "publish": {"release", "post"},
    "deploy": {"deploy", "release"},
    "deployment": {"deploy", "release"},
    "announcement": {"post", "send", "notify", "reply"},
    "backup": {"backup", "export"},
    "merge": {"merge"},
    "email": {"send", "notify"},
}
_PLACED = regex(
    r"`[^`\n]{2,80}`\s+(?:is|are)\s+(?:now\s+)?(?:in|at|on|under)\s+(?:the\s+)?`(/?[\w.-]*/[\w./-]{2,80})`"
)
_MADE = regex(
    r"\b(?:implemented|coded up|implementiert|implementad[oa]s?|implémentée?s?|implementat[oaie])\b"
    r"|\b(?:tests?|scripts?|function|endpoint|command|module|component)\b[^.\n]{0,20}\b(?:is|are) (?:now )?ready\b",
    re.IGNORECASE,
)
_PROSE = regex(
    r"\b(?:doc(?:s|umentation|ument)?|readme|guide|plan|spec|proposal|section|wiki|page|text)\b",
    re.I,
)


def undone(turn: Turn) -> Iterator[tuple[Claim, str]]:
    """(claim, why) of each act that no call of the turn can have done."""
    if turn.ledger.delegates:
        return
    yield from _listed(turn)
    yield from _placed(turn)
    yield from _only_documents(turn)


def _listed(turn: Turn) -> Iterator[tuple[Claim, str]]:
    text = turn.closing.document.text
    found = _LIST.search(text) if ":" in text else None
    claim = stated_at(turn, found.start()) if found is not None else None
    if found is None or claim is None:
        return
    done = {effect for step in turn.ledger.acts if not step.outcome.bad for effect in step.effects}
    for item in re.split(r",\s+(?:and\s+)?", found.group(1)):
        wanted = _NOUNS.get(item.strip().casefold())
        if wanted is not None and not wanted & done:
            yield claim, f"no call of this turn did the {item.strip()}"
            return


def _placed(turn: Turn) -> Iterator[tuple[Claim, str]]:
    text = turn.closing.document.text
    for found in _PLACED.finditer(text) if "`" in text else ():
        path = found.group(1).rstrip("/.")
        claim = stated_at(turn, found.start())
        if claim is None or path not in turn.task or not turn.ledger.acts:
            continue
        if turn.ledger.mention(path.rsplit("/", 1)[-1]) is None:
            # that something else was not done takes nothing back
            yield replace(claim, kind="denial"), f"no call of this turn names {path}"
            return


def _only_documents(turn: Turn) -> Iterator[tuple[Claim, str]]:
    written = [path for _, path in turn.ledger.edits]
    if not written or not all(map(is_doc, written)) or _PROSE.search(turn.task):
        return
    if any(
        not step.reads_only
        and not step.edited
        and not step.control
        and step.effects & {"opaque", "create", "edit"}
        for step in turn.ledger.acts
    ):
        return
    for claim in turn.claims:
        text = turn.closing.document.text[claim.start : claim.end]
        if claim.plain and _MADE.search(text) and not _PROSE.search(text):
            yield claim, f"nothing but documents was written: {written[-1]}"
            return
