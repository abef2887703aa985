"""Codes that the closing says a call printed: `PASS=16`, a `400`.

A pair `KEY=number` that stands nowhere, beside a last result that prints the same key with another number;
an HTTP status that no answer of the turn has, in a turn whose calls print statuses.
O(characters of the closing + results), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..evidence.step import Step
from .mismatch import Mismatch

_MOST = 40  # pairs and statuses of a closing that are looked up
_READ = 20_000  # characters of a result
_PAIR = regex(r"(?<![\w.=/&?-])([A-Za-z][A-Za-z_]{1,20})=(\d{1,9})(?![\w.=])")
_STATUS = regex(
    r"(?:\b(?:with|returns?|returned|gives?|gave|answers?|answered|responds?|responded|status|HTTP|got|gets?|mit"
    r"|liefert|antwortet|renvoie|répond|devuelve|responde|restituisce)"
    r"(?: an?| HTTP| status| code| einem?| un| une){0,3} ?"
    r"|→ ?)[*`\"']{0,3}([1-5]\d\d)(?!\w|[.,:/-]?\d| ?(?:ms|s|px|%|[A-Za-z]{2,}s)\b)",
    re.IGNORECASE,
)
_SHOWS = regex(r"HTTP/[\d.]+ \d{3}|http_code|status_code|statusCode|^\d{3}$", re.MULTILINE)
_MEANT = frozenset({"future", "conditional", "requested", "question", "hedged", "prior"})


_SOFT = frozenset(
    f"polarity.{name}" for name in ("hedge", "cond", "future", "request", "intent", "prior")
)


def printed(turn: Turn) -> Iterator[Mismatch]:
    """Pairs and statuses that no call of the turn printed."""
    yield from _pairs(turn)
    yield from _statuses(turn)


def _pairs(turn: Turn) -> Iterator[Mismatch]:
    text = turn.closing.document.text
    for found in islice(_PAIR.finditer(text), _MOST) if "=" in text else ():
        key, said = found.groups()
        if turn.ledger.mention(found.group()) or found.group() in turn.task:
            continue
        if _TRY.search(turn.closing.document.text[max(0, found.start() - 24) : found.start()]):
            continue  # `to confirm, set `timeout=30``: advice
        same = re.compile(rf"(?<![\w-]){key}=(\d{{1,9}})\b")
        shown = next(
            (
                (step, hit)
                for step in reversed(turn.ledger.acts)
                for hit in reversed(list(same.finditer(step.text[-_READ:])))
            ),
            None,
        )
        claim = stated_at(turn, found.start()) if shown else None
        if shown and claim is not None and shown[1].group(1) != said:
            yield Mismatch(claim, shown[0], found.group(), shown[1].group())


_TRY = regex(
    r"(?:^|[,:;.\n–-])\s{0,3}(?:then |please |just )?"
    r"(?:set|try|use|pass|raise|lower|add|run|export|put) (?:it to )?`?\Z",
    re.IGNORECASE,
)


def _statuses(turn: Turn) -> Iterator[Mismatch]:
    asked = [step for step in turn.ledger.acts if _asks(step)]
    for found in islice(_STATUS.finditer(turn.closing.document.text), _MOST) if asked else ():
        claim = stated_at(turn, found.start(1))
        if claim is None or _anywhere(turn, found.group(1)):
            continue
        last = asked[-1]
        yield Mismatch(claim, last, found.group(1), last.text.strip().split("\n")[-1][:80])
        return


def _asks(step: Step) -> bool:
    return (
        step.command is not None
        and any(
            part.program in ("curl", "http", "https", "xh", "wget") for part in step.command.parts
        )
        and _SHOWS.search(f"{step.command_text}\n{step.text[:4_000]}") is not None
    )


def _anywhere(turn: Turn, number: str) -> bool:
    own = re.compile(rf"(?<!\d){number}(?!\d)")
    texts = [turn.task, *(message.text[:_READ] for _, message in turn.ledger.messages)]
    return any(own.search(text) for text in texts) or any(
        own.search(step.text[:_READ]) or own.search(step.argument_text[:_READ])
        for step in turn.ledger.steps
    )


def stated_at(turn: Turn, at: int, *, already: bool = False) -> Claim | None:
    """What is simply said at that place, None where it is planned, asked for or denied.

    already: what is told of before counts too.
    """
    clause = turn.closing.document.statement_at(at)
    if clause is None:
        return None
    claims = [claim for claim in turn.claims if claim.start == clause.start]
    tags = turn.closing.tags_in(clause.start, clause.end)
    before = {"prior", "polarity.prior"} if already else set()
    if not before.issuperset(_MEANT.intersection(claim.polarity for claim in claims)):
        return None
    if not before.issuperset(_SOFT.intersection(tag.name for tag in tags)):
        return None
    return next(
        (claim for claim in claims if claim.plain or claim.polarity in before),
        Claim("figure", "", clause.start, clause.end, clause, "asserted"),
    )
