"""Claims without a verb we know: a clause that states as fact the very arguments of a failed call.

"Linden is yours from 14:00" says no "booked", but it names the room and the hour of the booking that
was refused.  The law is language-neutral: when a plain clause carries the values of a call that
failed for good, more surely than those of any call that went through, the clause claims its success.
O(characters of the closing + arguments of the failed calls).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from .._lazy import cached_property, regex, remembered
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
    given = _Given(acts)
    for claim in turn.claims:
        if not claim.plain or claim.kind not in ("action", "done", "works", "state"):
            continue
        words = _clause_words(turn, claim)
        if _STILL.intersection(words):
            continue
        scores = given.scores(turn, words, claim)
        for step in reversed(acts):
            score = scores.get(step.order, 0)
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
    bad = {step.order for step in failed}
    good = [
        step
        for step in turn.ledger.acts
        if step.outcome.kind in _GOOD
        and not (step.reads_only or step.rehearsal or step.order in bad)
    ]
    given, elsewhere = _Given(failed), _Given(good)
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
        scores = given.scores(turn, words, claim)
        best = max(scores.values(), default=0)
        step = given.steps_at[min(o for o in scores if scores[o] == best)] if best else failed[0]
        if step.changes and _as_it_was(step, turn.closing.document.text[claim.start : claim.end]):
            continue
        if best >= least and not any(
            score >= best for score in elsewhere.scores(turn, words, claim).values()
        ):
            yield claim, step
        elif claim.kind == "state" and _alone(turn, words, step, elsewhere) >= _ENOUGH:
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


def _alone(turn: Turn, words: dict[str, int], step: Step, good: _Given) -> int:
    """The weight of the clause's words that the failed call was given, and no call that went through.

    A word of the tool's own name counts once: `my reply promises it` over `tickets.reply`.  Nothing where
    a later look shows them: then the clause tells what was seen.
    """
    given = _arguments(step)
    told = {word: weight for word, weight in words.items() if weight and word in given}
    if not told:
        return 0
    told = {word: weight for word, weight in told.items() if word not in good.by_word}
    named = set() if step.command else set(step.words) - good.names
    spoken = sum(word in named for word in words if len(word) >= 4)
    if sum(told.values()) + spoken < _ENOUGH or _retells(turn, step, 1):
        return 0
    seen = _looks(turn)
    unseen = sum(weight for word, weight in told.items() if not any(word in look for look in seen))
    return sum(told.values()) + spoken if unseen >= 2 else 0


@remembered
def _looks(turn: Turn) -> list[str]:
    return [step.searchable for step in turn.ledger.acts if step.reads_only]


_TRIED = regex(
    r"\b(?:I|we)(?:'ve| have| also| then){0,2} (?:tried|attempted) to\b|\bversucht\b|\bintent(?:é|ado)\b|\bessayé\b"
    r"|\btent(?:ei|ado|ato)\b|\bprovato a\b|пытал|試み|尝试|嘗試|시도",
    re.IGNORECASE,
)


def _retells(turn: Turn, step: Step, least: int = 2) -> bool:
    """True when the closing has words of the failure's own answer: it may tell of it."""
    own = (_told(turn) & _answer(step)) - _arguments(step)
    return len(own) >= least or any(_weight(word) == 2 for word in own)


@remembered
def _told(turn: Turn) -> frozenset[str]:
    """The words of the closing that may come from an answer: neither short nor common."""
    found = frozenset(_words(turn.closing.document.text))
    words = {word for word in found if len(word) >= 3 and not word.isdigit()} - _COMMON
    return frozenset(words.difference(*(load(name).stopwords for name in turn.closing.languages)))


@remembered
def _answer(step: Step) -> frozenset[str]:
    return frozenset(_words(step.text[:2000]))


def _words(text: str) -> Iterator[str]:
    return (match.group().strip(".:").casefold() for match in _TOKEN.finditer(text))


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


class _Given:
    """What calls were given, by its words, so that a clause finds those it names without a look at the rest."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = steps
        self.partial: dict[str, list[int]] = {}
        self.known: dict[tuple[object, ...], dict[int, int]] = {}

    @cached_property
    def steps_at(self) -> dict[int, Step]:
        return {step.order: step for step in self.steps}

    @cached_property
    def by_word(self) -> dict[str, list[int]]:
        """The orders of the steps by the words of their arguments."""
        found: dict[str, list[int]] = {}
        for step in self.steps:
            for word in _arguments(step):
                found.setdefault(word, []).append(step.order)
        return found

    @cached_property
    def names(self) -> frozenset[str]:
        """The words of the tools' names."""
        return frozenset().union(*(step.words for step in self.steps))

    @cached_property
    def phrases(self) -> list[tuple[int, tuple[str, ...]]]:
        return [(step.order, found) for step in self.steps if (found := _phrases(step))]

    @cached_property
    def long_words(self) -> list[str]:
        return [word for word in self.by_word if len(word) > 5]

    def around(self, word: str) -> list[int]:
        """The orders of the steps that have a longer word around this one, or a part of it, and not itself."""
        found = self.partial.get(word)
        if found is None:
            own = set(self.by_word.get(word, ()))
            orders: set[int] = set()
            for other in self.long_words:
                if other in word or word in other:
                    orders.update(self.by_word[other])
            found = self.partial[word] = list(orders - own)
        return found

    def scores(self, turn: Turn, words: dict[str, int], claim: Claim) -> dict[int, int]:
        """Step order -> how much of its arguments the clause names, for the steps of which it names any.

        Clauses that say the same are looked up once.
        """
        said = turn.closing.document.text[claim.start : claim.end]
        dates = frozenset(value.norm for value in claim.values if value.kind == "date")
        sign = claim.clause.sign
        key = (said, tuple(words.items()), dates, sign, claim.effect)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._scores(words, said, dates, sign, claim.effect)
        return found

    def _scores(
        self, words: dict[str, int], said: str, dates: Iterable[str], sign: str, effect: str
    ) -> dict[int, int]:
        scores: dict[int, int] = {}
        for word, weight in words.items():
            if weight:
                for order in self.by_word.get(word, ()):
                    scores[order] = scores.get(order, 0) + weight
            if weight == 2 and len(word) > 6:
                for order in self.around(word):
                    scores[order] = scores.get(order, 0) + 1
        # a date stands in another form, and a phrase of a script without spaces as a whole
        for order in {order for date in dates for order in self.by_word.get(date, ())}:
            scores[order] = scores.get(order, 0) + 2
        for order, phrases in self.phrases:
            if any(text in said for text in phrases):
                scores[order] = scores.get(order, 0) + 3
        if sign == "done":
            for order in scores:
                scores[order] += 1
        acts = () if effect or not scores else [a for a, noun in _ACTS.items() if noun.search(said)]
        if acts:
            for order in scores:
                if not self.steps_at[order].effects.isdisjoint(acts):
                    scores[order] += 2
        return scores


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
