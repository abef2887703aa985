"""A value that the user asked for and the closing tells as done, and that no call of the turn has.

`with scan_41.pdf attached` where no call names that file; `57 more crates` where the call moved 75.  A name
of its own (a quoted title, a code, a file, an address) has to stand in some call or result.  A plain number or
a date may be told otherwise there; it counts only where a call that changed something was given another one
that nobody asked for, that no earlier result shows and that the closing does not tell.
Only for agents with functions: what a command line was about is not read here.
O(characters of the task, the closing and the calls), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .._lazy import regex
from ..binding import Turn
from ..binding.words import plain, squeezed
from ..claims.grammar import Claim
from ..evidence.step import Step
from ..evidence.values import find, number, same_date
from .codes import stated_at

_READ = 60_000
_MOST = 60  # values of the task that are looked for
_QUOTED = regex(r"[\"“”«„]([^\"“”«»„\n]{4,60})[\"“”»]")
_ADDRESS = r"\d{1,3}(?:\.\d{1,3}){3}"
_CODE = regex(
    rf"(?<![\w./@-]){_ADDRESS}(?![\w/-]|\.\d)"
    r"|(?<![\w.:/])/[\w.-]{2,30}(?:/[\w.*-]{1,30}){1,4}(?![\w/])"
    r"|(?<![\w./@-])(?=[\w./@-]*\d)(?=[\w./@-]*[^\d\s.,:])\w[\w./@:-]{2,40}\w"
)
_NUMBER = regex(r"(?<![\w.,:/-])\d{2,7}(?:[.,]\d{1,2})?(?![\w:/-]|[.,]\d)")
# Counted in time, a number is worked into dates and hours; a share is kept in many ways.
_OF_TIME = regex(
    r"\s?(?:%|percent|per cent)|\s?-?(?:min|minutes?|hours?|h\b|days?|weeks?|months?|years?|nights?|s\b|sec"
    r"|tage?|stunden?|días?|horas?|jours?|heures?|giorni|ore|dias|分|時間|日|天|小时)",
    re.IGNORECASE,
)
_CHANGING = frozenset({"action", "done", "works", "state", "set", "figure"})


class Unborne(NamedTuple):
    """The claim, a call, what is said, what the call has (empty where no call has anything of the kind)."""

    claim: Claim
    step: Step
    said: str
    was: str


def unborne(turn: Turn) -> Iterator[Unborne]:
    """The first value that was asked for and told, and that nothing of the turn bears out."""
    acts = turn.ledger.acts
    if not acts or any(map(_does_anything, turn.ledger.steps)):
        return
    asked = "\n".join((turn.task, *turn.ledger.told))[:20_000]
    shown = "\n".join(f"{s.folded_arguments}\n{s.text.casefold()}" for s in acts)[:_READ]
    if len(shown) >= _READ:
        return
    flat = _flat(shown)
    by_id = _goes_by_id(turn)
    for said in _names(asked):
        if "@" in said or (by_id and " " in said) or _digits_shown(said, shown):
            continue  # whom a name or a title is kept under may be a number of another kind
        if _flat(said) not in flat and (claim := _told(turn, said)) is not None:
            yield Unborne(claim, acts[-1], said, "")
            return
    yield from _other_day(turn, asked, shown)
    strange = _strange(turn, asked)
    for said in _NUMBER.findall(asked)[:_MOST] if strange else ():
        if _holds(shown, said) or _OF_TIME.match(asked, asked.find(said) + len(said)):
            continue
        claim = _told(turn, said)
        if claim is not None:
            yield Unborne(claim, strange[-1][0], said, strange[-1][1])
            return


def _digits_shown(code: str, shown: str) -> bool:
    """`INV-2231` over 2231, `BA0117` over BA117, `v2.3.1` over 2.3.1: every number of the code stands there."""
    runs = [run.lstrip("0") for run in re.findall(r"\d{2,}", code)]
    return bool(runs) and all(re.search(rf"(?<!\d)0*{run}(?!\d)", shown) for run in runs if run)


def _goes_by_id(turn: Turn) -> bool:
    """True where a call changed something under an id that no earlier result of the turn shows."""
    before = ""
    for step in turn.ledger.acts:
        if not step.reads_only and not step.outcome.bad:
            for key, text in step.argument_leaves[:40]:
                if key.endswith(_ID_KEYS) and text.casefold() not in before:
                    return True
        before += step.text[:8_000].casefold()
    return False


_ID_KEYS = ("id", "key", "uri", "ref")


def _other_day(turn: Turn, asked: str, shown: str) -> Iterator[Unborne]:
    """`5 to 9 July` over `{"from": "2026-07-05", "to": "2026-07-08"}`: the 8th is nobody's, the 9th in no call."""
    document = turn.closing.document
    wanted = [v for v in find(asked, _MOST) if v.kind == "date"]
    told = [v for v in find(document.text, _MOST) if v.kind == "date"]
    if not any(same_date(one.norm, other.norm) for one in told for other in wanted):
        return
    before = {v.norm[-5:] for v in (*wanted, *told)}  # a day of whatever year
    strange: list[tuple[Step, str]] = []
    for step in turn.ledger.acts:
        if not step.reads_only and not step.outcome.bad and step.result is not None:
            given = [
                v for _, t in step.argument_leaves[:40] for v in find(t, 4) if v.kind == "date"
            ]
            strange += [(step, v.text) for v in given if v.norm[-5:] not in before]
        before |= {v.norm[-5:] for v in find(step.text[:8_000], _MOST) if v.kind == "date"}
    if not strange:
        return
    dates = [v for v in find(shown, 400) if v.kind == "date"]
    for value in told:
        if any(same_date(value.norm, v.norm) for v in wanted) and not any(
            same_date(value.norm, v.norm) for v in dates
        ):
            claim = stated_at(turn, value.start)
            if claim is not None:
                yield Unborne(claim, strange[-1][0], value.text, strange[-1][1])
                return


def _does_anything(step: Step) -> bool:
    """True for a command line, a helper, a script, a click: what it was about need not stand in its arguments."""
    return (
        step.command is not None
        or step.delegated
        or any("/" in path for path in step.edited)
        or not step.effects.isdisjoint({"script", "background"})
        or ("opaque" in step.effects and "unknown" not in step.effects)
    )


def _names(asked: str) -> list[str]:
    """Quoted titles and codes of the task that are no dates, times or amounts."""
    found = [hit.strip() for hit in _QUOTED.findall(asked) if " " in hit.strip()]
    found += [
        hit
        for hit in _CODE.findall(asked)
        if _WORDED.fullmatch(hit) is None and not _is_spelled(hit)
    ]
    return list(dict.fromkeys(found))[:_MOST]


# `30-minute`, `21st`, `450k`, `14/05`: the same may stand otherwise in a call.
_WORDED = regex(r"\d{1,2}[-–]\d{1,2}|\d[\d.,]*-?[^\W\d]+\.?|[0-3]?\d[/.][0-3]?\d[/.]?")


def _is_spelled(code: str) -> bool:
    return any(value.kind in _SPELLED for value in find(code, 1))


_SPELLED = frozenset(
    {"date", "time", "amount", "percent", "number"}
)  # may be written otherwise in a call


def _told(turn: Turn, said: str) -> Claim | None:
    """The plain statement of the closing that has the value, where nothing is admitted beside it."""
    document = turn.closing.document
    for hit in re.finditer(
        rf"(?<![\w.,]){re.escape(said)}(?![\w]|[.,]\d)", document.text, re.IGNORECASE
    ):
        claim = stated_at(turn, hit.start())
        if claim is None or claim.kind not in _CHANGING:
            continue
        sentence = claim.clause.sentence
        tags = {tag.name for tag in turn.closing.tags_in(claim.start, claim.end)}
        if tags & _SOFT or any(d.sentence == sentence for d in turn.disclosures):
            continue
        return claim
    return None


_SOFT = frozenset(
    f"polarity.{kind}" for kind in "neg fail skipped pending unverified contrast".split()
)


def _strange(turn: Turn, asked: str) -> list[tuple[Step, str]]:
    """Numbers that a call which changed something was given, and that stand nowhere else."""
    known = _sizes(asked) | _sizes(turn.closing.document.text)
    found: list[tuple[Step, str]] = []
    for step in turn.ledger.acts:
        if not step.reads_only and not step.outcome.bad and step.result is not None:
            for key, text in step.argument_leaves[:40]:
                size = number(text)
                if size is None or key.endswith("id") or len(text) < 2:
                    continue
                if size not in known and size / 100 not in known:  # in the minor unit
                    found.append((step, text))
        known |= _sizes(step.text[:8_000])
    return found


def _sizes(text: str) -> set[float]:
    """The numbers of a text, by size."""
    sizes = (number(hit) for hit in _PLAIN.findall(text))
    return {size for size in sizes if size is not None}


def _holds(text: str, value: str) -> bool:
    size = number(value)
    if size is not None and any(number(hit) == size for hit in _PLAIN.findall(text)):
        return True
    return re.search(rf"(?<![\d.,]){re.escape(value)}(?![\d]|[.,]\d)", text) is not None


_PLAIN = regex(r"\d[\d.,]*\d|\d")


def _flat(text: str) -> str:
    return squeezed(plain(text))
