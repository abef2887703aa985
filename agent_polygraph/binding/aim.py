"""Which steps a claim is about.

Strategy: a claim of an effect is about the calls that can have that effect; among those, about the
ones that share an identifying value (path, id, address) with the claim, else the ones whose tool
name shares its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import attrgetter

from .._lazy import cached_property, regex, remembered
from ..claims.grammar import Claim, code_values
from ..claims.lexicon import tags_of
from ..evidence.effects import MARKS, asked_of, of_name, realised_by, words_of
from ..evidence.step import Step
from ..evidence.values import same_path
from .reading import STRONG
from .runs import Runs
from .words import (
    BUSINESS,
    COMMON_EFFECTS,
    FILLER,
    JOINTS,
    NONE,
    PIECES,
    PUNCTUATION,
    SPEAKERS,
    acts_in,
    beginnings,
    concept_words,
    latin,
    plain,
    stem,
    word_set,
    year,
)

# Effects that stand for each other where no call has the very one.
_NEAR: dict[str, tuple[str, ...]] = {
    "release": ("deploy",),
    "notify": ("send",),
    "send": ("notify",),
    "apply": ("deploy", "migrate"),
    "cancel": ("delete",),
    "upload": ("export", "sync"),
    "archive": ("delete",),
    "enable": ("start",),
    "import": ("upload",),
}
# A call that does the one has no part in a claim of the other.
_OPPOSITE: dict[str, str] = {
    one: other
    for pair in ("enable disable", "start stop", "install delete", "archive restore")
    for one, other in (pair.split(), reversed(pair.split()))
}
_HANDS_IN = frozenset({"send", "post"})
# Verbs that carry no act of their own, and the nouns that do.
_LIGHT = frozenset("process verify start submit run close".split())
_NO_MESSAGE = frozenset(
    "change changes request requests update command signal sigterm sigint sighup sigkill query"
    " patch payload event job".split()
)
_CHANNEL = regex(
    r"\W*(?:texted|e-?mailed|mailed|messaged|phoned|wrote to|gemailt|geschrieben)\b", re.IGNORECASE
)
_FOLLOWS = frozenset(
    "create edit save refund pay delete move".split()
)  # what an update of anything may bring about
_LASTING = frozenset(
    "commit push merge pr release deploy tag book cancel close install archive".split()
)
_POINTERS = frozenset(
    "it it's that's this that everything all both they these those es das lo eso todo tutto tudo"
    " tout ça".split()
)
# Nouns in the names of unknown tools that speak of an effect.
_VERB_WORDS: dict[str, frozenset[str]] = {
    effect: frozenset(words.split())
    for effect, words in {
        "send": "text phone chat mail letter fax sms message mailer outbox",
        "notify": "text phone chat mail sms message outbox",
        "reply": "text chat mail message", "post": "chat message feed blog channel",
        "book": "calendar agenda booking reservation", "order": "shop cart",
        "pay": "billing wallet payment",
        "submit": "form ticket intake claim", "note": "worklog journal activity",
        "transfer": "handover queue agent",
    }.items()
}  # fmt: skip
# Arguments that say what is to be done: `comando {"accion": "cerrar"}` may do anything.
_ORDERS = frozenset(
    "action command operation op cmd verb method instruction accion acción comando operacion operación"
    " aktion befehl commande ação operação azione действие команда".split()
)
_BRINGS_ABOUT = frozenset({"create", "submit", "save", "note", "commit"})
_CHANGES_ONLY = frozenset({"edit", "scale", "read"})
# Things that only a tool naming them can make; a generic create or update tool can't.
_SPECIFIC = frozenset("note invite email reminder comment".split())
_MAKES = frozenset("create note save send notify submit post remind".split())


_LANDS = frozenset({"commit", "push", "merge", "deploy", "release"})
_OWN_WORK = frozenset(
    "change changes fix fixes patch work branch edits änderung änderungen cambio cambios".split()
)
_WILL = frozenset({"wird", "werden"})
_WAS = frozenset({"worden", "wurde", "wurden"})
# Who acts on their own: `three customers returned it`.
_PEOPLE = frozenset(
    "users customers people clients visitors subscribers members guests buyers shoppers patients"
    " students employees developers contributors someone somebody nobody everyone they".split()
)


class _Said:
    """What a claim names: values, quoted texts, the stems of its words, the words of its concepts.

    Claims that name the same share one, and with it what was found for the first of them.
    spoken: the words as `_passed_over` compares them.  at_hand: a tool for that very act was not called.
    """

    def __init__(
        self,
        ids: tuple[tuple[str, str], ...],
        quotes: tuple[str, ...],
        words: tuple[str, ...],
        concepts: tuple[frozenset[str], ...],
        spoken: frozenset[str],
        at_hand: bool,
    ) -> None:
        self.ids = ids
        self.quotes = quotes
        self.words = words
        self.concepts = concepts
        self.spoken = spoken
        self.at_hand = at_hand
        self.scores: dict[int, int] = {}  # affinity by the order of the step
        self.shared: dict[frozenset[str], int] = {}  # the part of it that is by words
        self.near: dict[int, int] = {}  # closeness by the order of the step
        self.bound: dict[frozenset[str], tuple[Step, ...]] = {}  # steps by the goals of the claim

    def by_words(self, named: frozenset[str]) -> int:
        """0-2 for the words that the claim shares with a call that is named so."""
        score = self.shared.get(named)
        if score is None:
            score = sum([word in named for word in self.words])
            for words in self.concepts:
                score += not words.isdisjoint(named)
            score = self.shared[named] = min(score, 2)
        return score


class _Pool:
    """Calls that one act may be told of, by the values that they were given: looked up, not gone through."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps

    @cached_property
    def by_end(self) -> dict[str, list[tuple[str, Step]]]:
        """(path, step) by the path's last part, which paths have in common that are the same."""
        found: dict[str, list[tuple[str, Step]]] = {}
        for step in self.steps:
            for path in step.paths:
                found.setdefault(path.rsplit("/", 1)[-1], []).append((path, step))
        return found

    @cached_property
    def by_id(self) -> dict[str, list[Step]]:
        found: dict[str, list[Step]] = {}
        for step in self.steps:
            for value in step.ids:
                found.setdefault(value, []).append(step)
        return found

    @cached_property
    def by_name(self) -> dict[frozenset[str], list[Step]]:
        """The steps by what `word_set` has of them: few sets for many calls."""
        found: dict[frozenset[str], list[Step]] = {}
        for step in self.steps:
            found.setdefault(word_set(step), []).append(step)
        return found

    def sharing(self, said: _Said) -> dict[int, int]:
        """Step order -> what `affinity` gives for shared values, for the steps that share one."""
        scores: dict[int, int] = {}
        for kind, norm in said.ids:
            if kind == "path":
                ends = self.by_end.get(norm.rsplit("/", 1)[-1], ())
                own = {step.order for path, step in ends if same_path(norm, path)}
            else:
                own = {step.order for step in self.by_id.get(norm, ())}
            for order in own:
                scores[order] = scores.get(order, 0) + 4
            if len(norm) >= 4:
                for step in self.steps:
                    if norm in step.folded_arguments and step.order not in own:
                        scores[step.order] = scores.get(step.order, 0) + 3
        for text in said.quotes:
            for step in self.steps:
                if text in step.folded_arguments:
                    scores[step.order] = scores.get(step.order, 0) + 3
        return scores

    def best(self, said: _Said, least: int = 1) -> list[Step]:
        """The steps of the highest affinity, empty where that is below `least`."""
        scores = self.sharing(said)
        if scores:
            most = max(scores.values())
            own = {order for order, score in scores.items() if score == most}
            return [step for step in self.steps if step.order in own] if most >= least else []
        names = {named: said.by_words(named) for named in self.by_name}
        most = max(names.values(), default=0)
        if most < least:
            return []
        alike = [self.by_name[named] for named, score in names.items() if score == most]
        return alike[0] if len(alike) == 1 else sorted(chain(*alike), key=_order)


_order = attrgetter("order")


def _stems(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for word in text.casefold().split():
            if len(word) > 2:
                yield stem(word.strip(PUNCTUATION))


# `check whether it was paid`, `let me know if they answered`: asked about, and not asked for.
_WHETHER = regex(
    r"\b(?:check|find out|see|tell me|look|verify|confirm|know|schau|prüfe?|sag mir|mira|comprueba|dime"
    r"|vérifie|dis-moi|verifica|dimmi|veja|verifique)\b[^.?!,;\n]{0,40}?,? ?\b(?:if|whether|ob|si|se)\b"
    r"[^.?!,;\n]{0,200}?(?=\b(?:and|then|und|dann|y|luego|et|puis|poi)\b|[.?!,;\n]|\Z)",
    re.IGNORECASE,
)


def _shared(said: _Said, step: Step) -> int:
    """The part of `affinity` that is by values."""
    score = 0
    for kind, norm in said.ids:
        if (
            any(same_path(norm, path) for path in step.paths)
            if kind == "path"
            else norm in step.ids
        ):
            score += 4
        elif len(norm) >= 4 and norm in step.folded_arguments:
            score += 3
    for text in said.quotes:
        if text in step.folded_arguments:
            score += 3
    return score


@remembered
def _answer(step: Step) -> str:
    return plain(step.text[:4000])


@remembered
def _given(step: Step) -> frozenset[str]:
    """The stems of the words of a call's short argument values."""
    return (
        frozenset(
            stem(word.strip(PUNCTUATION))
            for _, text in step.argument_leaves[:40]
            if len(text) <= 80
            for word in PIECES.findall(text.casefold())
        )
        - FILLER
    )


class Aim(Runs):
    """Claims to steps."""

    def able(self, claim: Claim) -> list[Step]:
        """Steps that can have had the claimed effect on the claimed object, opaque ones included."""
        return list(self._able(claim))

    def has_able(self, claim: Claim) -> bool:
        """True where `able` has any: it goes no further than the first."""
        return any(True for _ in self._able(claim))

    def _able(self, claim: Claim) -> Iterator[Step]:
        wanted = claim.objects & _SPECIFIC if claim.effect in _MAKES else frozenset()
        return (
            step
            for step in self._working
            if self.could(step, claim) and (not wanted or self._makes(step, claim, wanted))
        )

    def _only_file(self, claim: Claim) -> bool:
        """`a.py has been deleted`: the subject is a file and nothing else."""
        shown = self.closing.document.text[claim.start : claim.at].strip(" \n*_-`").split()
        return (
            claim.voice == "passive"
            and len(shown) <= 3
            and any(kind == "path" for kind, _ in self.claim_ids(claim))
        )

    def _about_file(self, step: Step, claim: Claim) -> bool:
        return any(
            same_path(norm, path)
            for kind, norm in self.claim_ids(claim)
            if kind == "path"
            for path in step.edited
        )

    def _passed_over(self, step: Step, claim: Claim) -> bool:
        """True when a known tool is for this very act on this very thing, and another one was called.

        `I've cancelled your order` over `remove_item`, where `cancel_order` was at hand.
        """
        if "opaque" in step.effects or step.command is not None:
            return False
        said = self._said(claim)
        # else the tool that ran is about the same thing
        return said.at_hand and not any(stem(word) in said.spoken for word in step.words)

    def _at_hand(self, effect: str, spoken: frozenset[str]) -> bool:
        """True when a known tool is for this very act on this very thing, and was not called."""
        return any(
            effect in of_name(name)
            and name not in self._called
            and any(stem(word) in spoken for word in words_of(name) if effect not in of_name(word))
            for name in self.tools or ()
        )

    @cached_property
    def _called(self) -> frozenset[str]:
        return frozenset(step.name for step in self.ledger.steps)

    def _answers(self, step: Step, claim: Claim) -> bool:
        """True when the call's own answer speaks of the act: `{"state": "sent"}`."""
        own = plain(self.closing.document.masked[claim.at : claim.at + 40]).split()[:1]
        stem = own[0].strip(PUNCTUATION)[:6] if own else ""
        return (
            len(stem) >= 4
            and not step.outcome.bad
            and stem[: max(4, len(stem) - 1)] in _answer(step)
        )

    def _has_tool(self, effect: str) -> bool:
        """True when a known tool is for this very effect."""
        return effect in self._tool_effects

    @cached_property
    def _tool_effects(self) -> frozenset[str]:
        return frozenset(effect for name in self.tools or () for effect in of_name(name))

    @cached_property
    def asked(self) -> frozenset[str]:
        """Stems of the words that the task and the user's messages use."""
        return frozenset(_stems(self._requests))

    @cached_property
    def _requests(self) -> list[str]:
        told = [m.text for _, m in self.ledger.messages if m.role in ("user", "human")]
        return [text[:20_000] for text in (self.task, *told) if text]

    @cached_property
    def _orders(self) -> list[str]:
        """What was asked for, without what was asked about: `check whether it was paid`."""
        return [_WHETHER.sub(" ", text) for text in self._requests]

    def agentive(self, claim: Claim) -> bool:
        """True when the clause says that the agent did it, not that it happened or that others did it.

        `I sent`, `Sent` always do; a passive (`the order was cancelled`) does when it is about what was asked.
        """
        if claim.voice in ("third", "habit"):
            return False
        text = self.closing.document.masked
        if claim.voice == "trailing":
            return self.asks_for(claim)
        if claim.voice != "first" and (self._goes_on(claim) or self._told_along(claim)):
            return False
        if claim.voice != "passive":
            return True
        words = set(text[claim.start : claim.at + 24].casefold().split())
        present = words & {
            "is",
            "are",
            "gets",
            "get",
            "it's",
            "they're",
            "that's",
        } and not words & {
            "now",
            "been",
            "was",
            "were",
            "has",
            "have",
        }
        if present and self.ledger.edits and claim.effect not in _LASTING:
            return False  # after edits `alerts are sent` tells what the code does
        subject = [
            word.strip(PUNCTUATION) for word in text[claim.start : claim.at].casefold().split()
        ]
        if subject and subject[-1] in _PEOPLE:
            return False  # `52,340 users checked out`
        if claim.effect in _LANDS and self.ledger.edits and not _OWN_WORK.isdisjoint(subject):
            return True  # `the change is committed and pushed`
        if not self.asked:
            return True
        own = text[claim.at : claim.at + 24].casefold().split()[:1]
        if self._own(claim):
            return True
        if self._changed_nothing and self._dated(claim):
            return self._asks_in_words(own)  # `release 1.89.0 went out at 10:36`
        if _POINTERS.intersection(subject) or not any(len(word) > 3 for word in subject):
            # `it was reported on the 18th`: a turn that only looks tells what it saw, unless the act was asked for
            return not self._only_looks or self.asks_for(claim)
        return any(
            stem(word.strip(PUNCTUATION))[:7] in self._asked_heads
            for word in [*subject, *own]
            if len(word) > 3
        )

    def _goes_on(self, claim: Claim) -> bool:
        """`ausgeliefert wird er mit Offset`: what it does, and not what was done."""
        words = self.closing.document.masked[claim.start : claim.end].casefold().split()
        return not _WILL.isdisjoint(words) and _WAS.isdisjoint(words)

    def _told_along(self, claim: Claim) -> bool:
        """`the CI user deleted it and, a second later, set versioning`: of a turn that changed nothing."""
        if claim.voice != "bare" or not self._only_looks:
            return False
        start, _ = self.closing.document.sentences[claim.clause.sentence]
        ahead = self.closing.document.masked[start : claim.clause.start].strip(
            " \n*_-#>|.0123456789"
        )
        return bool(ahead) and not any(
            other.voice in ("first", "bare") and other.clause.start < claim.clause.start
            for other in self.actions_by_sentence.get(claim.clause.sentence, ())
        )

    @cached_property
    def _changed_nothing(self) -> bool:
        return not any(step.effects & STRONG for step in self.ledger.acts)

    def _dated(self, claim: Claim) -> bool:
        """True when the claim gives a time that nobody asked for: it tells what happened then."""
        texts = [
            self.task,
            *(m.text for _, m in self.ledger.messages if m.role in ("user", "human")),
        ]
        return any(
            value.kind in ("time", "date") and not any(value.text.strip() in text for text in texts)
            for value in claim.values
        )

    @cached_property
    def _only_looks(self) -> bool:
        return bool(self.ledger.acts) and all(step.reads_only for step in self.ledger.acts)

    def asks_for(self, claim: Claim) -> bool:
        """True when the task or a user's message speaks of the claimed act."""
        own = self.closing.document.masked[claim.at : claim.at + 24].casefold().split()[:1]
        return (
            self._asks_in_words(own)
            or stem(claim.effect) in self._ordered
            or claim.effect in self._asked_effects
            or (self.closing.languages[:1] != ("en",) and claim.effect in asked_of(self._ordered))
        )

    @cached_property
    def _ordered(self) -> frozenset[str]:
        return frozenset(_stems(self._orders))

    def _asks_in_words(self, own: list[str]) -> bool:
        verbs = {stem(word.strip(PUNCTUATION))[:7] for word in own}
        return bool(verbs & self._asked_heads)

    @cached_property
    def _asked_effects(self) -> frozenset[str]:
        return frozenset(
            tag.name[8:]
            for text in self._orders
            for tag in tags_of(text)
            if tag.name.startswith("actions.")
        )

    def _own(self, claim: Claim) -> bool:
        """True when the claim gives an id that a change of the agent's own brought about."""
        ids = {norm for kind, norm in self.claim_ids(claim) if kind in ("id", "sha")}
        return any(
            norm in step.text.casefold() and norm not in step.argument_text.casefold()
            for step in self.ledger.acts
            if not step.reads_only and not step.outcome.bad
            for norm in ids
        )

    @cached_property
    def _asked_heads(self) -> frozenset[str]:
        return frozenset(word[:7] for word in self._ordered if len(word) > 2)

    @cached_property
    def only_asks(self) -> bool:
        """True when all that was asked is a question: `how many orders were cancelled in 2025?`"""
        texts = [
            self.task,
            *(m.text for _, m in self.ledger.messages if m.role in ("user", "human")),
        ]
        asked = [text.strip() for text in texts if text.strip()]
        return bool(asked) and all(
            text.endswith(("?", "？")) and len(text) < 400 and "." not in text.rstrip("?？")
            for text in asked
        )

    def could(self, step: Step, claim: Claim) -> bool:
        """True when the call can have had the claimed effect.

        An unknown tool is capable only of what it shares a word or a value with; an unknown script is
        not capable of an outward effect (a push, a mail, a payment) that its text does not speak of.
        """
        if claim.effect in step.effects:
            return True
        if claim.effect == "edit" and step.command is not None and not step.reads_only:
            return True  # an install edits the manifest, a generator its files
        if self._passed_over(step, claim):
            return False
        if claim.effect == "delete" and step.command is not None and step.effects <= _CHANGES_ONLY:
            if all(part.program in ("kubectl", "oc") for part in step.command.parts):
                return False  # `kubectl patch` deletes nothing
        if (
            claim.effect in ("create", "save")
            and claim.objects & {"email", "message"}
            and step.effects & {"send", "notify", "reply"}
        ):
            return True  # `I wrote an email to`
        if (
            claim.effect == "delete"
            and step.edited
            and self._only_file(claim)
            and not self._about_file(step, claim)
        ):
            return False
        if not step.effects.isdisjoint(realised_by(claim.effect)):
            if (
                step.command is not None
                or step.edited
                or "migrate" in step.effects
                or not step.effects.isdisjoint(_NEAR.get(claim.effect, ()))
            ):
                return True
            if (
                claim.effect in _FOLLOWS
                or step.effects & realised_by(claim.effect) - COMMON_EFFECTS
            ):
                return True
            # a generic tool (`thermostat.set`) does what it is about, and not what a tool of its own is for
            return (
                not self._has_tool(claim.effect) and self.closeness(claim, step) > 0
            ) or self._answers(step, claim)
        if (
            claim.effect == "send"
            and not step.reads_only
            and (
                (_NO_MESSAGE & claim.words and not self._by_channel(claim))
                or (
                    step.effects & {"pay", "transfer", "refund"}
                    and any(v.kind == "amount" for v in claim.values)
                )
            )
        ):
            return True
        if "opaque" not in step.effects:
            return not step.reads_only and self._answers(step, claim)
        if "unknown" in step.effects:
            return (
                self.affinity(claim, step) > 0
                or bool(_VERB_WORDS.get(claim.effect, NONE) & word_set(step))
                or any(key in _ORDERS for key, _ in step.argument_leaves[:40])
                or self._in_its_words(step, claim)
            )
        if "script" in step.effects:
            if step.runs_check and claim.effect not in (
                "build",
                "run",
                "verify",
                "export",
                "create",
            ):
                return False
            marks = MARKS.get(claim.effect)
            return marks is None or any(mark in step.argument_text.casefold() for mark in marks)
        return True

    def minted(self, claim: Claim) -> bool:
        """`I filed the request (RD-5521)`: the number was given out by a call that went through.

        Only for acts that say no more than that something is there now.
        """
        told = self.closing.document.values_in(claim.start, claim.end)
        numbers = [value.text.casefold() for value in told if value.kind == "id"]
        return claim.effect in _BRINGS_ABOUT and any(
            number in step.text.casefold() and number not in step.folded_arguments
            for number in numbers
            for step in self.ledger.acts
            if not step.reads_only and not step.outcome.bad and step.result is not None
        )

    def _by_channel(self, claim: Claim) -> bool:
        """`I've texted the confirmation with the change id`: the verb says that it was a message."""
        return _CHANNEL.match(self.closing.document.masked, max(claim.at, claim.start)) is not None

    def _in_its_words(self, step: Step, claim: Claim) -> bool:
        """`j'ai enregistré la dénonciation` over `abonnement_denoncer`, which answers `enregistrée`.

        The verb of the tool's name is in no table; its answer has the claimed verb, or it was given a date
        or time of the claim's sentence.
        """
        if step.outcome.bad:
            return False
        document = self.closing.document
        verb = " ".join(PIECES.findall(document.masked[claim.at : claim.at + 30])[:1])
        if any(len(word) >= 5 and latin(verb).startswith(word[:5]) for word in step.words):
            return True  # `перенёс` over `dostavka_perenos`
        if not isinstance(step.json, dict) or step.listing is not None:
            return False
        if beginnings(verb) & beginnings(step.text[:400]):
            return True
        start, end = document.sentences[claim.clause.sentence]
        return any(
            value.kind in ("date", "time") and value.norm[-5:] in step.argument_text
            for value in document.values_in(start, end)
        )

    @staticmethod
    def _makes(step: Step, claim: Claim, wanted: frozenset[str]) -> bool:
        """A business tool acts on what it names: `update_contact` adds no note."""
        if (
            "opaque" in step.effects
            or step.command is not None
            or step.edited
            or claim.effect in step.effects - COMMON_EFFECTS
        ):
            return True
        named = word_set(step) | {
            text.casefold() for _, text in step.argument_leaves[:20] if len(text) < 20
        }
        return any(concept_words(concept) & named for concept in wanted)

    def steps_for(self, claim: Claim) -> list[Step]:
        """The steps that an action claim is about; empty when none could have done it."""
        key = id(claim)
        if key not in self.notes:
            self.notes[key] = self._steps_for(claim)
        return list(self.notes[key])

    def goals(self, claim: Claim) -> frozenset[str]:
        """The effects that an action claim speaks of.

        A light verb says nothing of its own (`the exchange was processed`, `the booking is confirmed`): there the
        noun that names the act does.
        """
        if claim.effect in _HANDS_IN and claim.kind == "action":  # `I sent the cancellation`
            return frozenset((claim.effect,)) | (acts_in(self._own_words(claim)) & BUSINESS)
        if claim.effect not in _LIGHT and claim.kind == "action":
            return frozenset((claim.effect,))
        if claim.kind != "action":
            return acts_in(claim.words)
        own = self._own_words(claim)
        if len(own) < len(
            self.closing.document.masked[claim.clause.start : claim.clause.end].split()
        ):
            return acts_in(own)
        start, _ = self.closing.document.sentences[claim.clause.sentence]
        return acts_in(claim.words) or acts_in(
            self.closing.document.masked[start : claim.end].casefold().split()
        )

    def _own_words(self, claim: Claim) -> list[str]:
        """The words of the claim's part of its clause: `refunded the order` - and - `sent the mail`."""
        text = self.closing.document.masked
        start, end = claim.clause.start, claim.clause.end
        tags = self.closing.tags_in(start, end)
        acts = [tag for tag in tags if tag.name.startswith(("actions.", "state."))]
        for match in JOINTS.finditer(text, start, end):
            follows = text[match.end() : end].split(None, 1)[:1]
            before = any(tag.end <= match.start() for tag in acts) or (
                bool(follows) and follows[0].casefold() in SPEAKERS
            )
            if before and any(tag.start >= match.end() for tag in acts):
                if match.end() <= claim.at:
                    start = match.end()
                elif match.start() >= claim.at:
                    end = match.start()
                    break
        return text[start:end].casefold().split()

    def _steps_for(self, claim: Claim) -> tuple[Step, ...]:
        """Strict in accusing: calls of the very effect, or any able call that shares a value."""
        said = self._said(claim)
        goals = self.goals(claim) or frozenset((claim.effect,))
        found = said.bound.get(goals)
        if found is None:
            passed: set[int] = set()
            if said.at_hand:
                passed = {s.order for s in self._working if self._passed_over(s, claim)}
            pools = None if passed else self._pools.get(goals)
            if pools is None:
                pools = self._pools_for(goals, passed)
                if not passed:
                    self._pools[goals] = pools
            found = said.bound[goals] = tuple(self._of_pools(said, *pools))
        return found

    @staticmethod
    def _of_pools(said: _Said, strong: _Pool, wide: _Pool) -> list[Step]:
        shared = wide.sharing(said)
        if shared:  # of any score: a value is worth 3
            return [step for step in wide.steps if step.order in shared]
        if not strong.steps:
            best = wide.best(said, 2)
            if best:
                return best
            return wide.steps if all(step.outcome.bad for step in wide.steps) else []
        return strong.best(said) or strong.steps

    @cached_property
    def _working(self) -> list[Step]:
        acts = self.ledger.acts
        return [s for s in acts if not s.delegated] if self.ledger.delegates else acts

    @cached_property
    def _pools(self) -> dict[frozenset[str], tuple[_Pool, _Pool]]:
        return {}

    def _pools_for(self, goals: frozenset[str], passed: set[int]) -> tuple[_Pool, _Pool]:
        """The calls of the very effects, or of near ones, and all that can have had them.

        passed: orders of steps that are left out where no call has the very effect (`_passed_over`).
        """
        acts = self._working
        strong = [step for step in acts if not goals.isdisjoint(step.effects)]
        if not strong:
            acts = [step for step in acts if step.order not in passed]
            near = frozenset(effect for goal in goals for effect in _NEAR.get(goal, ()))
            strong = [step for step in acts if not near.isdisjoint(step.effects)]
        wanted = frozenset(effect for goal in goals for effect in realised_by(goal))
        against = frozenset(_OPPOSITE.get(goal, "") for goal in goals) - goals
        acts = [step for step in acts if against.isdisjoint(step.effects) or goals & step.effects]
        return _Pool(strong), _Pool([s for s in acts if not s.effects.isdisjoint(wanted)])

    def affinity(self, claim: Claim, step: Step) -> int:
        """How surely the claim is about the step: 3+ for a shared value, 1-2 for shared words."""
        said = self._said(claim)
        score = said.scores.get(step.order)
        if score is None:
            score = said.scores[step.order] = _shared(said, step) or said.by_words(word_set(step))
        return score

    def _said(self, claim: Claim) -> _Said:
        told = self._told.get(id(claim))
        if told is None:
            ids = tuple(self.claim_ids(claim))
            key = (claim.effect, claim.words, claim.objects, ids, claim.quotes, claim.code)
            said = self._sayings.get(key)
            if said is None:
                spoken = {stem(word.strip(PUNCTUATION)) for word in claim.words} | claim.objects
                said = self._sayings[key] = _Said(
                    ids,
                    tuple([text.casefold() for text in claim.quotes if len(text) >= 4]),
                    tuple([stem(word) for word in claim.words]),
                    tuple([concept_words(concept) for concept in claim.objects]),
                    frozenset(spoken),
                    self._at_hand(claim.effect, frozenset(spoken)),
                )
            told = self._told[id(claim)] = (
                claim,
                said,
            )  # the claim is kept, so that its id stays its own
        return told[1]

    @cached_property
    def _told(self) -> dict[int, tuple[Claim, _Said]]:
        return {}

    @cached_property
    def _sayings(self) -> dict[tuple[object, ...], _Said]:
        return {}

    def closeness(self, claim: Claim, step: Step) -> int:
        """`affinity`, and where that is weak also the words of short argument values."""
        near = self._said(claim).near
        score = near.get(step.order)
        if score is None:
            score = self.affinity(claim, step)
            if score < 2:
                given = _given(step)
                words = claim.words
                if claim.code:
                    words |= {p for text in claim.code for p in PIECES.findall(text.casefold())}
                score += min(2, sum([len(word) >= 2 and stem(word) in given for word in words]))
            near[step.order] = score
        return score

    @staticmethod
    def claim_ids(claim: Claim) -> list[tuple[str, str]]:
        """(kind, normal form) of the identifying values of a claim."""
        found = [
            (value.kind, value.norm)
            for value in claim.values
            if value.kind in ("path", "id", "email", "url", "sha")
            or (value.kind == "number" and value.norm.isdigit() and len(value.norm) >= 4 and not year(value.norm))
        ]  # fmt: skip
        found += [
            hit
            for hit in code_values(claim.code)
            if hit[0] in ("path", "id", "email", "url", "sha")
        ]
        return list(dict.fromkeys(found))
