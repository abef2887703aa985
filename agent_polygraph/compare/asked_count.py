"""How many there are, where that was the question: `there are 12 open bugs` over the one listing, which has nine."""

from __future__ import annotations

from collections.abc import Iterator

from .._lazy import regex
from ..binding import Turn
from ..binding.words import stem
from ..evidence.step import Step
from ..evidence.values import number
from .mismatch import Mismatch
from .tally import tally

_MOST = 60  # rows that a person could have miscounted
_HOW_MANY = regex(
    r"\bhow many\b|\bwie ?viele\b|\bcombien\b|\bcu[aá]nt[oa]s\b|\bquant[iae]s?\b|\bqu[aã]nt[oa]s\b"
    r"|\bhoeveel\b|\bсколько\b"
    r"|多少|几个|いくつ|何[件個人台本]|몇"
)


def asked_count(turn: Turn) -> Iterator[Mismatch]:
    """The first number that answers it stands nowhere, and every look but one brought no list."""
    if not _HOW_MANY.search(turn.task.casefold()[:2_000]):
        return
    step = _one_listing(turn)
    listing = step.listing if step is not None else None
    if step is None or listing is None:
        return
    for claim in turn.claims:
        if claim.clause.sentence > 1 or not claim.plain or claim.kind == "check":
            continue
        for count in claim.counts:
            told = int(count.number)
            if count.of is not None or told != count.number or not 2 <= told <= 2 * _MOST:
                continue
            if turn.asked.isdisjoint({stem(count.word.casefold()), stem(count.concept)}):
                continue  # `12 May`
            # fewer may be those of one kind
            if told <= listing.rows or _has_amounts(step):
                return
            if tally(turn).stands(told, 0):
                return
            yield Mismatch(claim, step, f"{told} {count.word}", str(listing.rows), step.text[:120])
            return


def _has_amounts(step: Step) -> bool:
    """True where the objects have numbers of their own: `how many hours` is no question of how many rows."""
    return any(
        key.rsplit(".", 1)[-1].casefold() not in _NAMES and number(text) is not None
        for key, text in step.result_leaves[:2_000]
    )


_NAMES = frozenset("number id iid key no nr ref code page per_page".split())


def _one_listing(turn: Turn) -> Step | None:
    """The only call that answered with objects, all of them; None where there are more, or a part was shown."""
    found = [
        step for step in turn.ledger.acts
        if step.listing is not None and len(step.records) > 1 and not step.outcome.bad
    ]  # fmt: skip
    if len(found) != 1:
        return None
    listing = found[0].listing
    whole = listing is not None and not listing.more and listing.rows <= _MOST
    return found[0] if whole and not turn.ledger.delegates else None
