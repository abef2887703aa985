"""`all backups succeeded` over a listing with `warehouse  FAILED`: the last look says otherwise of one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import regex
from ..binding import Turn
from ..binding.words import PIECES, stem
from ..claims.grammar import Claim
from ..evidence.states import States, states_of
from ..evidence.step import Step
from .mismatch import Short

_LAST = 40  # looks at which a turn's closing may rest
_STILL_BAD = regex(r"fail|error|crash|unhealthy|denied|not ready|\b0/[1-9]", re.IGNORECASE)


def unwell(turn: Turn) -> Iterator[Short]:
    """Claims that all is well with the things of a listing, and a row of it says that one is not."""
    claims = [
        claim
        for claim in turn.claims
        if claim.plain
        and (claim.kind in ("done", "works") or (claim.kind == "check" and claim.effect in _OF_CI))
        and ("all" in claim.scope or (claim.kind == "check" and claim.effect == "ci"))
        and "part" not in claim.scope
        and not any(count.of for count in claim.counts)
    ]
    for step, states in _looks(turn) if claims else ():
        for claim in claims:
            rows = states.bad + (states.waiting if claim.kind == "check" else ())
            if rows and _about(turn, claim, step, states) and not _told(turn, claim, rows):
                name, line = rows[0]
                yield Short(claim, step, f"the last look says otherwise of {name}", line)
                return


_OF_CI = frozenset({"ci", "any"})


def _told(turn: Turn, claim: Claim, rows: tuple[tuple[str, str], ...]) -> bool:
    """True when the closing tells of a failure beside the claim, or names one of those that failed."""
    text = turn.closing.document.text.casefold()
    sentences = turn.closing.document.sentences[claim.clause.sentence :][:2]
    # `both checks (linux, macos)` names what it claims of; another claim that names a row speaks of it
    beside = "" if claim.kind == "check" else text[sentences[0][0] : sentences[-1][1]]
    return (
        any(
            (
                d.kind in _FAILED
                and not d.vague
                and 0 <= d.sentence - claim.clause.sentence <= 1
                # `a badge that gets blocked still opens doors` is about the code
                and (claim.kind != "check" or d.checks or d.kind != "failed")
            )
            or any(name.casefold() in text[d.start : d.end] for name, _ in rows)
            for d in turn.disclosures
        )
        or any(name.casefold() in beside for name, _ in rows)
    )


_FAILED = frozenset({"failed", "part", "skipped", "pending"})


def _looks(turn: Turn) -> Iterator[tuple[Step, States]]:
    """The last listings of each tool that show something failed, where nothing was changed since."""
    acts = turn.ledger.acts[-_LAST:]
    changed = max((s.order for s in acts if not s.reads_only and not s.outcome.bad), default=-1)
    seen: set[tuple[str, ...]] = set()
    for step in reversed(acts):
        if step.order < changed or step.delegated:
            return
        # one shell calls many programs: a later look at something else is no later look at this
        asked = step.command.parts[0].words[:2] if step.command and step.command.parts else ()
        key = (step.name, *asked)
        states = states_of(step) if key not in seen else None
        if states is None and step.outcome.bad:
            return  # `gh pr checks` ends with a code where one waits, and lists them all the same
        seen.add(key)
        if states and (states.bad or states.waiting) and not _mended(turn, step, states):
            yield step, states


def _mended(turn: Turn, look: Step, states: States) -> bool:
    """True when a later result speaks of one of them and says nothing bad."""
    names = [name.casefold() for name, _ in states.bad + states.waiting]
    since = [
        f"{later.argument_text} {later.text[:8_000]}".casefold()
        for later in turn.ledger.steps[look.order + 1 :]
        if not _STILL_BAD.search(later.text[:8_000])
    ]
    return any(name in text for text in since for name in names)


def _about(turn: Turn, claim: Claim, step: Step, states: States) -> bool:
    """True when the claim gives the number of the rows, or a word of the call or of what was asked for."""
    numbers = {int(count.number) for count in claim.counts}
    if numbers and not states.wholes.isdisjoint(numbers):
        return _READY.search(_text(turn, claim)) is not None
    if numbers and states.rows not in numbers:
        return False
    if numbers and (claim.kind == "check" or turn.closing.languages[:1] != ("en",)):
        return True
    said = {stem(word) for word in PIECES.findall(_text(turn, claim)) if len(word) >= 4}
    call = {stem(word) for word in (*step.words, *PIECES.findall(step.argument_text.casefold()))}
    return not said.isdisjoint(call | turn.asked)


_READY = regex(r"ready|running|available|healthy|\bup\b|replica|pods?\b")


def _text(turn: Turn, claim: Claim) -> str:
    return turn.closing.document.masked[claim.start : claim.end].casefold()
