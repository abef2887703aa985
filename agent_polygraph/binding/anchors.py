"""Claims without a verb we know: a clause that states as fact the very arguments of a failed call.

"Linden is yours from 14:00" says no "booked", but it names the room and the hour of the booking that
was refused.  The law is language-neutral: when a plain clause carries the values of a call that
failed for good, more surely than those of any call that went through, the clause claims its success.
O(characters of the closing + arguments of the failed calls).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .._lazy import regex, remembered
from ..claims.grammar import Claim
from ..claims.lexicon import load
from ..evidence import outcomes
from ..evidence.readback import shown_done
from ..evidence.step import Step
from . import STRONG, Turn

_ENOUGH = 3
_TOKEN = regex(r"[^\s\"'`*|()\[\]{}<>,;!?，。、；！？（）「」]+")
_SPLIT = regex(r"[T=]|(?<=\w)[:/](?=\D)")
_COMMON = frozenset(
    "the and for with from that this true false null none set get new old name value type status"
    " text body title message"
    " file path data list item items user customer default main all any https http www com en us".split()
)
_THERE = ("exist", "already", "duplicate")  # what was to be made is there
_GOOD = frozenset({outcomes.OK, outcomes.PARTIAL, outcomes.PENDING, outcomes.NOOP})


def stated(turn: Turn) -> Iterator[tuple[Claim, Step]]:
    """(claim, failed step) for every plain clause that states a failed call's arguments as fact."""
    yield from _of(
        turn,
        [
            step
            for step in turn.unrecovered(step for step in turn.ledger.acts if not step.reads_only)
            if step.outcome.kind in (outcomes.FAILED, outcomes.REFUSED)
            and not any(mark in step.text[:600].casefold() for mark in _THERE)
            and (step.effects & STRONG or step.command is None)
            and not reports(step)
            and step.order not in _shown_done(turn)
        ],
    )


@remembered
def _shown_done(turn: Turn) -> frozenset[int]:
    return shown_done(turn.ledger.acts)


def reports(step: Step) -> bool:
    """True for a linter and its like: that it found something is its answer, and no act that failed."""
    return step.runs_check is not None and step.runs_check[1] in _REPORTS


_REPORTS = frozenset({"lint", "format", "types", "audit"})


def nothing_done(turn: Turn) -> Iterator[tuple[Claim, Step]]:
    """(claim, failed step) where every call with an effect failed for good, and no word admits anything.

    Then whatever the closing tells as done is not: the verb need not be known, only that the clause has
    something of the call in it, or tells an act that the call could have been.
    """
    acts = [
        step for step in turn.ledger.acts
        if not (step.reads_only or step.control) and step.result is not None
    ]  # fmt: skip
    if (
        not acts
        or any(step.delegated or step.runs_check or step.edited for step in acts)
        or any(step.outcome.kind not in (outcomes.FAILED, outcomes.REFUSED) for step in acts)
        or len(turn.unrecovered(acts)) < len(acts)
        or any(d.kind != "part" for d in turn.disclosures)
        or any(
            tag.name == "polarity.fail" for tag in turn.closing.tags
        )  # `what cannot be done here`
        or any(mark in step.text[:600].casefold() for step in acts for mark in _THERE)
        or any(_retells(turn, step, 1) for step in acts)
        or any(step.order in _shown_done(turn) for step in acts)
    ):
        return
    for claim in turn.claims:
        if not claim.plain or claim.kind not in ("action", "done", "works", "state"):
            continue
        words = _clause_words(turn, claim)
        if _STILL.intersection(words):
            continue
        for step in reversed(acts):
            score = _score(turn, words, claim, step)
            if claim.kind == "action" and claim.effect not in _LOOKS and turn.agentive(claim):
                bound = score + turn.closeness(claim, step) > 0 or _only(turn, claim, step, acts)
            elif claim.kind == "action":
                bound = False
            else:
                bound = score + turn.affinity(claim, step) >= 2 or _same_amount(claim, step)
            if bound:
                yield claim, step
                return


_LOOKS = frozenset("read search verify run fetch compute post share fix process call".split())


def _only(turn: Turn, claim: Claim, step: Step, acts: Sequence[Step]) -> bool:
    """True when this was the one call, and it could have been that act."""
    return len(acts) == 1 and turn.could(step, claim)


def _same_amount(claim: Claim, step: Step) -> bool:
    """`the 2,000 addresses` over an answer that breaks off at 600 of 2000."""
    said = {value.norm for value in claim.values if value.kind == "number" and len(value.norm) >= 3}
    return bool(said) and not said.isdisjoint(
        match.group().strip(".:") for match in _TOKEN.finditer(step.text[:2000].replace("/", " "))
    )


def rehearsed(turn: Turn) -> Iterator[tuple[Claim, Step]]:
    """(claim, dry run) for every plain clause that states a rehearsal's arguments as fact."""
    yield from _of(
        turn,
        [
            step
            for step in turn.ledger.acts
            if not step.reads_only and step.rehearsal and not step.outcome.bad
        ],
    )


def _of(turn: Turn, failed: Sequence[Step]) -> Iterator[tuple[Claim, Step]]:
    if not failed:
        return
    good = [
        step
        for step in turn.ledger.acts
        if step.outcome.kind in _GOOD and not (step.reads_only or step.rehearsal or step in failed)
    ]
    # Where nothing at all went through and nothing is admitted, the object alone is enough.
    acted = any(step.effects & STRONG for step in good)
    silent = not (acted or turn.disclosures or any(_retells(turn, step) for step in failed))
    least = _ENOUGH - 1 if silent else _ENOUGH
    for claim in turn.claims:
        if not claim.plain or claim.kind in ("set", "absence", "source", "output"):
            continue
        words = _clause_words(turn, claim)
        if silent and _STILL.intersection(words):
            continue
        if _TRIED.search(turn.closing.document.text, claim.start, claim.end):
            continue  # an attempt is told, and no success
        best, step = max(
            ((_score(turn, words, claim, s), s) for s in failed), key=lambda pair: pair[0]
        )
        if step.changes and _as_it_was(step, turn.closing.document.text[claim.start : claim.end]):
            continue
        if best >= least and not any(_score(turn, words, claim, other) >= best for other in good):
            yield claim, step
        elif claim.kind == "state" and _alone(turn, words, step, good) >= _ENOUGH:
            yield replace(claim, kind="figure"), step  # by its words alone, and so not firm


@remembered
def _exchanged(step: Step) -> tuple[frozenset[str], frozenset[str]]:
    """The words that an edit would have taken away, and those that it would have brought."""
    old, new = (
        frozenset(m.group().strip(".:").casefold() for text in texts for m in _TOKEN.finditer(text))
        for texts in ([c.old for c in step.changes], [c.new for c in step.changes])
    )
    return old - new, new - old


def _as_it_was(step: Step, told: str) -> bool:
    """`retryLimit = 3` over a refused edit of 3 to 6: the clause tells what stands there."""
    gone, brought = _exchanged(step)
    words = {match.group().strip(".:").casefold() for match in _TOKEN.finditer(told)}
    return not gone.isdisjoint(words) and brought.isdisjoint(words)


def _alone(turn: Turn, words: dict[str, int], step: Step, good: Sequence[Step]) -> int:
    """The weight of the clause's words that the failed call was given, and no call that went through.

    A word of the tool's own name counts once: `my reply promises it` over `tickets.reply`.  Nothing where
    a later look shows them: then the clause tells what was seen.
    """
    given = _arguments(step)
    told = {word: weight for word, weight in words.items() if weight and word in given}
    if not told:
        return 0
    told = {
        word: weight
        for word, weight in told.items()
        if not any(word in _arguments(other) for other in good)
    }
    named = set() if step.command else set(step.words).difference(*(other.words for other in good))
    spoken = sum(word in named for word in words if len(word) >= 4)
    if sum(told.values()) + spoken < _ENOUGH or _retells(turn, step, 1):
        return 0
    looks = [s.searchable for s in turn.ledger.acts if s.reads_only]
    unseen = sum(weight for word, weight in told.items() if not any(word in look for look in looks))
    return sum(told.values()) + spoken if unseen >= 2 else 0


_TRIED = regex(
    r"\b(?:I|we)(?:'ve| have| also| then){0,2} (?:tried|attempted) to\b|\bversucht\b|\bintent(?:é|ado)\b|\bessayé\b"
    r"|\btent(?:ei|ado|ato)\b|\bprovato a\b|пытал|試み|尝试|嘗試|시도",
    re.IGNORECASE,
)


def _retells(turn: Turn, step: Step, least: int = 2) -> bool:
    """True when the closing has words of the failure's own answer: it may tell of it."""
    said = {m.group().strip(".:").casefold() for m in _TOKEN.finditer(turn.closing.document.text)}
    answer = {m.group().strip(".:").casefold() for m in _TOKEN.finditer(step.text[:2000])}
    own = (
        {word for word in said & answer if len(word) >= 3 and not word.isdigit()}
        - _arguments(step)
        - _COMMON
    )
    for language in turn.closing.languages:
        own -= load(language).stopwords
    return len(own) >= least or any(_weight(word) == 2 for word in own)


_STILL = frozenset(
    "still remains unchanged noch weiterhin todavía sigue toujours encore ancora ainda ещё".split()
)


def _clause_words(turn: Turn, claim: Claim) -> dict[str, int]:
    """Word -> weight: 2 for what is rare (digits, marks, code), 1 for the rest."""
    text = turn.closing.document.text[claim.start : claim.end]
    found: dict[str, int] = {}
    for match in _TOKEN.finditer(text):
        word = match.group().strip(".:").casefold()
        if len(word) >= 2 and word not in _COMMON:
            found[word] = max(found.get(word, 0), _weight(word))
    for code in (*claim.code, *claim.quotes):
        for match in _TOKEN.finditer(code):
            word = match.group().strip(".:").casefold()
            if len(word) >= 2:
                found[word] = 2
    return found


def _weight(word: str) -> int:
    digits = sum(c.isdigit() for c in word)
    if (digits and len(word) >= 2) or any(c in "._/@-" for c in word[1:-1]):
        return 2
    return 1 if len(word) >= 4 else 0


@remembered
def _arguments(step: Step) -> frozenset[str]:
    found: set[str] = set()
    texts: Sequence[str] = [text for _, text in step.argument_leaves[:60] if len(text) < 2000]
    for text in texts:
        for match in _TOKEN.finditer(text[:2000]):
            word = match.group().strip(".:").casefold()
            found.add(word)
            if len(word) > 4:
                found.update(part for part in _SPLIT.split(match.group()) if len(part) > 1)
                found.add(word.rsplit("/", 1)[-1])
    return frozenset(word.casefold() for word in found if len(word) >= 2 and word not in _COMMON)


def _score(turn: Turn, words: dict[str, int], claim: Claim, step: Step) -> int:
    arguments = _arguments(step)
    score = 0
    for word, weight in words.items():
        if word in arguments:
            score += weight
        elif (
            weight == 2
            and len(word) > 6
            and any(len(a) > 5 and (a in word or word in a) for a in arguments)
        ):
            score += 1
    # a date stands in another form, and a phrase of a script without spaces as a whole
    score += 2 * any(v.kind == "date" and v.norm in arguments for v in claim.values)
    said = turn.closing.document.text[claim.start : claim.end]
    score += 3 * any(text in said for text in _phrases(step))
    if claim.clause.sign == "done" and score:
        score += 1
    if (
        score
        and not claim.effect
        and any(effect in step.effects and noun.search(said) for effect, noun in _ACTS.items())
    ):
        score += 2
    return score


# Acts that have one name in most languages: what is told of them without a verb is told of that call.
_ACTS = {
    "commit": regex(
        r"\bcommit\b(?![ -](?:hook|message|msg|history|style|template|log|graph))|コミット|提交|커밋",
        re.IGNORECASE,
    ),
    "pr": regex(r"\b(?:merge|pull)[ -]requests?\b|\b[MP]R\b", re.IGNORECASE),
    "backup": regex(r"\bback-?up\b|\bSicherung\b", re.IGNORECASE),
    "deploy": regex(r"\bdeploy(?:ment)?\b|\brollout\b", re.IGNORECASE),
    "migrate": regex(r"\bmigra(?:tion|ción|zione|ção)\b", re.IGNORECASE),
}


@remembered
def _phrases(step: Step) -> tuple[str, ...]:
    """Arguments of several words in a script whose words are short: Chinese, Japanese, Korean."""
    return tuple(
        text
        for _, text in step.argument_leaves[:40]
        if 6 <= len(text) < 200 and any(char > "\u2e80" for char in text)
    )
