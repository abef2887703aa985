"""From clauses to claims: what the closing asserts, and what it discloses.

Strategy: every clause is tagged from the word tables of its language; from there on the rules know
tags only, so they are the same in every language.  A claim is one tag that asserts something (an
action done, a check passing, a thing working, a set complete ...) with the polarity that the tags
around it give.  A disclosure is a clause that says what did not happen.  Time is linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .._lazy import regex
from ..evidence.runners import runner_of
from ..evidence.values import Value, classify, regrouped
from ..verdict import Quote
from . import lexicon
from .derived import derived
from .lexicon import Tag
from .nominal import act_of
from .reread import BY_CHARACTER, reread
from .text import Clause, Document, read

ASSERTED = "asserted"
# Polarities other than `asserted` never convict by contradiction, save `believed` and `prior`.
POLARITIES = (
    ASSERTED, "believed", "hedged", "prior", "attributed", "negated", "failed", "unverified",
    "future", "conditional", "question", "requested", "heading",
)  # fmt: skip
# The runner's kind -> the word the tables use for that check.
_KIND_TO_CHECK = {
    "test": "test",
    "lint": "lint",
    "types": "types",
    "format": "format",
    "build": "build",
    "audit": "audit",
}
_CHECK_WORDS = {
    "pytest": "test", "unittest": "test", "jest": "test", "vitest": "test", "mocha": "test",
    "rspec": "test",
    "phpunit": "test", "ctest": "test", "playwright": "e2e", "cypress": "e2e", "junit": "test",
    "pest": "test",
    "tsc": "types", "mypy": "types", "pyright": "types", "svelte-check": "types",
    "vue-tsc": "types", "phpstan": "types",
    "eslint": "lint", "ruff": "lint", "flake8": "lint", "pylint": "lint", "biome": "lint",
    "clippy": "lint", "vet": "lint",
    "rubocop": "lint", "ktlint": "lint", "detekt": "lint", "golangci-lint": "lint",
    "stylelint": "lint", "sqlfluff": "lint",
    "pint": "format", "prettier": "format", "black": "format", "gofmt": "format",
    "rustfmt": "format", "vale": "docs",
    "markdownlint": "docs", "actionlint": "lint", "shellcheck": "lint", "hadolint": "lint",
    "tox": "test", "nox": "test",
    "minitest": "test", "exunit": "test", "dbt": "test", "gtest": "test", "xctest": "test",
    "bats": "test",
    "credo": "lint", "dialyzer": "types", "ktfmt": "format", "checkstyle": "lint",
    "spotless": "format", "swiftlint": "lint",
}  # fmt: skip


@dataclass(slots=True, eq=False)
class Claim:
    """One statement of the closing.

    kind: check, action, works, done, absence, source, set.  effect: the action's or check's name.
    polarity: see POLARITIES.  scope: subset of {all, total, part}.  objects: concepts of the word
    tables.  words: other content words, case-folded.  values / counts: what can be compared.
    """

    kind: str
    effect: str
    start: int
    end: int
    clause: Clause
    polarity: str
    scope: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    values: tuple[Value, ...] = ()
    counts: tuple[Count, ...] = ()
    checks: frozenset[str] = frozenset()
    code: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    at: int = -1  # where the word of the action stands
    voice: str = ""  # of an action: first bare passive third habit (see grammar.voice_of)

    def quote(self, document: Document) -> Quote:
        """The clause's words, as they stand in the closing."""
        start, end = self.start, self.end
        text = document.text
        while start < end and text[start] in " \t\n*_|>#-":
            start += 1
        while end > start and text[end - 1] in " \t\n*_|":
            end -= 1
        return Quote(text[start:end], start, end)

    @property
    def plain(self) -> bool:
        """True when the closing simply says so (belief does not soften a contradiction)."""
        return self.polarity in (ASSERTED, "believed")


class Count(NamedTuple):
    """A counted thing: `12 tests` -> (12.0, "test", "tests")."""

    number: float
    concept: str
    word: str
    start: int
    end: int
    of: float | None = None


class Disclosure(NamedTuple):
    """A clause that says what did not happen, or was not seen.

    kind: failed, negated, unverified, pending, skipped, stub, part.  vague: it names nothing.
    """

    kind: str
    start: int
    end: int
    sentence: int
    effects: frozenset[str]
    checks: frozenset[str]
    objects: frozenset[str]
    words: frozenset[str]
    values: tuple[Value, ...]
    code: tuple[str, ...]
    vague: bool
    prior: bool = False


@dataclass(slots=True, eq=False)
class Closing:
    """The closing read: document, languages, claims, disclosures."""

    document: Document
    languages: tuple[str, ...]
    claims: list[Claim] = field(default_factory=list)
    disclosures: list[Disclosure] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)

    @property
    def readable(self) -> bool:
        """False when the text is in a language we have no tables for."""
        return bool(self.languages)


def parse(text: str, most: int = 400, context: str = "") -> Closing:
    """Read a closing; at most `most` claims.  `context`: what was asked.  O(characters)."""
    document = read(text)
    languages = lexicon.detect(document.masked, context)
    closing = Closing(document, languages)
    if not languages:
        return closing
    if languages[0] in _DOT_GROUPS:
        document.values = regrouped(document.values)
    tokens = lexicon.tokenize(document.masked)
    closing.tags = [
        tag
        for tag in lexicon.tag_all(document.masked, tokens, languages)
        if not (tag.name.startswith("numbers.") and _compound(document.masked, tag))
        and not (tag.name == "polarity.hedge" and _month(text, tag))
    ]
    _Reader(closing, tokens, most).read()
    return closing


class _Reader:
    def __init__(self, closing: Closing, tokens: Sequence[tuple[int, int]], most: int) -> None:
        self.closing = closing
        self.document = closing.document
        self.tokens = tokens
        self.most = most
        self.tag_starts = [tag.start for tag in closing.tags]
        self.token_starts = [start for start, _ in tokens]
        self.sets: list[Claim] = []
        self.language = closing.languages[0] if closing.languages else ""
        self.by_character = self.language in BY_CHARACTER
        self.doubtful: set[int] = (
            set()
        )  # where the word of an action may mean a state found or a failure

    # --- slices -----------------------------------------------------------------------------------

    def tags_in(self, clause: Clause) -> list[Tag]:
        low, high = (
            bisect_left(self.tag_starts, clause.start),
            bisect_left(self.tag_starts, clause.end),
        )
        tags, holes = self.closing.tags[low:high], clause.holes
        return [tag for tag in tags if not _in(tag.start, holes)] if holes else tags

    def spans_in(self, clause: Clause) -> list[tuple[int, int]]:
        low, high = (
            bisect_left(self.token_starts, clause.start),
            bisect_left(self.token_starts, clause.end),
        )
        spans, holes = self.tokens[low:high], clause.holes
        return [span for span in spans if not _in(span[0], holes)] if holes else list(spans)

    def words_in(self, clause: Clause) -> list[str]:
        text = self.document.masked
        return [text[a:b].casefold() for a, b in self.spans_in(clause)]

    # --- the walk ---------------------------------------------------------------------------------

    def read(self) -> None:
        sentence = -1
        label: Clause | None = None
        carried: dict[str, bool] = {}
        previous: list[Claim] = []
        outer: set[str] = set()
        for clause in self.document.clauses:
            if clause.sentence != sentence:
                self._join_sets()
                sentence, carried, previous, label = clause.sentence, {}, [], None
            tags = self._no_failures(self._reread(clause, self.tags_in(clause)))
            names = {tag.name for tag in tags}
            if clause.opener in ("(", "（") and not clause.holes:
                names |= outer
            else:
                outer = {tag.name for tag in tags if tag.name in _HANDED_DOWN}
            made = self._clause(clause, tags, names, carried, previous, label)
            label = clause if self._is_label(clause, made) else None
            self._carry(clause, tags, names, carried, made)
            previous = made or previous
            if len(self.closing.claims) >= self.most:
                break
        self._join_sets()

    def _reread(self, clause: Clause, tags: list[Tag]) -> list[Tag]:
        """The tags that the grammar of the language leaves standing."""
        if self.language == "en":
            return tags
        text = self.document.masked
        more = derived(tags, text, clause.start, clause.end, self.language)
        if more:
            tags = sorted([*tags, *more], key=lambda t: (t.start, t.end))
        if not tags:
            return tags
        words = [(a, b, text[a:b].casefold().replace("’", "'")) for a, b in self.spans_in(clause)]
        tags, doubtful = reread(tags, words, text, self.language)
        self.doubtful |= doubtful
        return tags

    def _no_failures(self, tags: list[Tag]) -> list[Tag]:
        """`without an error`, `no test failed`: a negated failure is a pass."""
        if any(
            t.name in ("state.done", "actions.run") for t in tags
        ):  # `ran in the background and has finished`
            text = self.document.masked
            tags = [
                t
                for t in tags
                if not (
                    t.name == "polarity.pending" and text[t.start : t.end].casefold() in _BACKGROUND
                )
            ]
        negs = [t for t in tags if t.name == "polarity.neg"]
        fails = [t for t in tags if t.name == "polarity.fail"]
        if not fails:
            return tags
        gone: list[Tag] = []
        made: list[Tag] = []
        mends = [t for t in tags if t.name in ("actions.fix", "state.works")]
        for fail in fails:
            noun = self.document.masked[fail.start : fail.end].casefold() in _FAIL_NOUNS
            flaw = self.language != "en" and not _FLAWS.isdisjoint(
                self.document.masked[fail.start : fail.end].casefold().split()
            )
            if (
                not [n for n in negs if not _inside(n, tags, ("state.works",))]
                and mends
                and (flaw or (noun and any(m.start > fail.end for m in mends)))
            ):
                gone.append(fail)  # `both type errors are fixed`
                made.append(Tag("polarity.repaired", fail.start, fail.end))
            for neg in negs:
                if (
                    neg.end <= fail.start
                    and len(self.document.masked[neg.end : fail.start].split()) <= 2
                ):
                    gone += [neg, fail]
                    if self.language in _CONCORD:  # `no da ningún error` is one negation
                        gone += [other for other in negs if other.end <= neg.start]
                    made += [
                        Tag("state.pass", neg.start, fail.end),
                        Tag("polarity.nofail", neg.start, fail.end),
                    ]
            behind = (
                _NO_MORE.match(self.document.masked, fail.end)
                if self.language in ("ja", "ko", "ru")
                else None
            )
            if behind is not None:
                gone += [fail, *[neg for neg in negs if fail.end <= neg.start < behind.end()]]
                made += [
                    Tag("state.pass", fail.start, behind.end()),
                    Tag("polarity.nofail", fail.start, behind.end()),
                ]
        if not made:
            return tags
        return sorted([t for t in tags if t not in gone] + made, key=lambda t: (t.start, t.end))

    def _join_sets(self) -> None:
        """One set claim a sentence: `you have 25 webhooks; that's the complete list`."""
        if self.sets:
            first, last = self.sets[0], self.sets[-1]
            if len(self.sets) > 1:
                for other in self.sets[1:]:
                    first.scope |= other.scope
                    first.objects |= other.objects
                    first.words |= other.words
                    first.values += other.values
                    first.counts += other.counts
                    first.code += other.code
                    first.quotes += other.quotes
                    if not other.plain and other.scope:
                        first.polarity = other.polarity
                first.end = last.end
            acts = [
                c
                for c in self.closing.claims
                if c.kind == "action" and c.clause.sentence == first.clause.sentence and c.plain
            ]
            first.effect = acts[-1].effect if acts else ""
            self.closing.claims.append(first)
            self.sets = []

    def _carry(
        self,
        clause: Clause,
        tags: list[Tag],
        names: set[str],
        carried: dict[str, bool],
        made: list[Claim],
    ) -> None:
        """What a clause hands on to the next one of its sentence."""
        if "polarity.cond" in names:
            carried["cond"] = True
        if "polarity.contrast" in names and clause.opener != "(":
            carried.pop("neg", None)
        negated = [c for c in made if c.polarity in ("negated", "unverified")]
        carried["neg"] = bool(negated) or (carried.get("neg", False) and not made)
        if self.language != "en":
            if (
                "polarity.hedge" in names
                and not any(c.kind != "state" for c in made)
                and len(self.spans_in(clause)) <= 4
            ):
                carried["hedge"] = True  # `проблема, скорее всего, решена`
            if (
                any(c.polarity in ("failed", "negated", "unverified") for c in made)
                and names & _NOT_PLAIN
            ):
                carried["fell"] = True
            if (
                "polarity.attributed" in names
                and not any(c.kind not in ("state", "source") for c in made)
                and len(self.spans_in(clause)) <= 6
            ):
                carried["attributed"] = True  # `d'après le sous-agent, tout passe`
        if "polarity.attributed" in names and _YOURS.intersection(self.words_in(clause)):
            carried["attributed"] = True  # `according to your log a happened, b happened`
        if "polarity.prior" in names:
            carried["prior"] = True
        if "polarity.request" in names:
            carried["request"] = True
        if "polarity.future" in names or "polarity.intent" in names:
            carried["future"] = True

    def _is_label(self, clause: Clause, made: list[Claim]) -> bool:
        """`Tests: all passing`: a short clause before a colon names what the next one is about."""
        ahead = self.document.masked[clause.end : clause.end + 2].strip()
        return (
            ahead[:1] in (":", "：")
            and not any(c.kind not in ("state", "set") for c in made)
            and len(self.spans_in(clause)) <= 6
        )

    def _clause(
        self,
        clause: Clause,
        tags: list[Tag],
        names: set[str],
        carried: dict[str, bool],
        previous: list[Claim],
        label: Clause | None,
    ) -> list[Claim]:
        document = self.document
        code = tuple(document.code_in(clause.start, clause.end))
        vals = tuple(
            v
            for v in document.values_in(clause.start, clause.end)
            if not _in(v.start, clause.holes)
        )
        objects = frozenset(n[8:] for n in names if n.startswith("objects."))
        words = frozenset(w for w in self.words_in(clause) if len(w) > 2)
        checks = self._checks(tags, names, code, clause)
        if label is not None:
            outer = self.tags_in(label)
            titles = {tag.name for tag in outer}
            objects |= {n[8:] for n in titles if n.startswith("objects.")}
            words |= {w for w in self.words_in(label) if len(w) > 2}
            checks |= self._checks(
                outer, titles, tuple(document.code_in(label.start, label.end)), label
            )
        shared: dict[str, Any] = {
            "scope": self._scope(tags),
            "objects": objects,
            "words": words,
            "values": vals,
            "counts": tuple(self._counts(clause, tags, vals)),
            "code": code,
            "quotes": tuple(document.quotes_in(clause.start, clause.end)),
        }
        made: list[Claim] = []
        if clause.block != "heading":
            made = self._claims(clause, tags, names, checks, shared, carried, previous, label)
            if not any(c.kind != "set" for c in made) and clause.block != "quote":
                polarity = (
                    "failed"
                    if names & _NOT_PLAIN
                    else self.polarity(
                        Tag("state", clause.end, clause.end), clause, tags, names, carried
                    )
                )
                made.append(
                    Claim(
                        "state",
                        "",
                        clause.start,
                        clause.end,
                        clause,
                        polarity,
                        checks=checks,
                        **shared,
                    )
                )
        self._disclose(clause, tags, names, checks, shared, made)
        self.closing.claims += [c for c in made if c.kind != "set"]
        self.sets += [c for c in made if c.kind == "set"]
        return made

    def _scope(self, tags: list[Tag]) -> frozenset[str]:
        """Scope words; the first half of a compound (`key-space`) is none."""
        text = self.document.masked
        return frozenset(
            t.name[6:]
            for t in tags
            if t.name.startswith("scope.")
            and not (text[t.end : t.end + 1] == "-" and text[t.end + 1 : t.end + 2].isalpha())
        )

    def _checks(
        self, tags: list[Tag], names: set[str], code: tuple[str, ...], clause: Clause
    ) -> frozenset[str]:
        found = {n[7:] for n in names if n.startswith("checks.") and n != "checks.any"}
        found -= {tag.name[7:] for tag in tags if tag.name in _TITLED and self._titled(tag)}
        for text in code:
            words = text.split()
            hit = runner_of(words) if words and len(words) < 12 else None
            if hit and hit[1] in _KIND_TO_CHECK:
                found.add(_KIND_TO_CHECK[hit[1]])
            elif words and words[0].casefold() in _CHECK_WORDS:
                found.add(_CHECK_WORDS[words[0].casefold()])
            elif len(words) == 1 and _TEST_FILE.search(words[0]):
                found.add("test")
        words = self.words_in(clause)
        for word, following in zip(words, [*words[1:], ""], strict=False):
            check = _CHECK_WORDS.get(word)
            if check and (
                word not in _EVERYDAY or clause.block == "table" or following in _AFTER_TOOL
            ):
                found.add(check)
        if not found and "checks.any" in names:
            found.add("any")
        return frozenset(found)

    def _titled(self, tag: Tag) -> bool:
        """`the Vendor Audit deal`: a capitalised word inside a sentence is part of a name."""
        text = self.document.masked
        ahead = text[max(0, tag.start - 2) : tag.start]
        return (
            text[tag.start].isupper()
            and ahead[-1:] == " "
            and ahead[:1].isalpha()
            and not text[tag.start : tag.end].isupper()
        )

    # --- polarity ---------------------------------------------------------------------------------

    def polarity(
        self, tag: Tag, clause: Clause, tags: list[Tag], names: set[str], carried: dict[str, bool]
    ) -> str:
        """The polarity of what `tag` says inside its clause."""
        if clause.block == "heading":
            return "heading"
        if clause.question:
            return "question"
        if clause.block == "open" or clause.sign == "open":
            return "future"
        scopes = [t for t in tags if t.name.startswith("polarity.")]
        for kind, polarity in (
            ("cond", "conditional"),
            ("request", "requested"),
            ("intent", "future"),
            ("future", "future"),
        ):
            for t in scopes:
                if t.name == f"polarity.{kind}" and (
                    t.start <= tag.start or (self.by_character and self._governs(t, tag))
                ):
                    return polarity
        if carried.get("cond"):
            return "conditional"
        if (
            carried.get("request")
            and clause.opener in (",", "(")
            and "polarity.contrast" not in names
        ):
            return "requested"
        if self._negated(tag, scopes, tags):
            return "negated"
        if (
            carried.get("neg")
            and clause.opener in (",", "、", "，")
            and self._continues(tag, clause, names)
        ):
            return "negated"
        for t in scopes:
            if t.name in (
                "polarity.unverified",
                "polarity.stub",
                "polarity.skipped",
                "polarity.pending",
            ):
                if (
                    not _inside(t, tags, ("state.", "answers.", "scope."))
                    and abs(t.start - tag.start) < 60
                ):
                    return "unverified"
            if t.name == "polarity.fail" and not (
                _inside(t, tags, ("state.", "answers."))
                or "polarity.nofail" in names
                or "polarity.repaired" in names
                or self._topic(t, clause)
            ):
                return "failed"
        if "polarity.hedge" in names or carried.get("hedge"):
            return "hedged"
        if "polarity.prior" in names:
            return "prior"
        reason = (
            carried.get("fell")
            and "polarity.contrast" not in names
            and clause.opener in (":", "：", ",", "，", "、", ";")
        )
        if (
            reason
            and tag.name.startswith("actions.")
            and self._voice(tag, clause) in ("passive", "third")
        ):
            return "prior"  # `annuler n'a pas été possible : elle est déjà expédiée`
        # `mypy reports no issues` is the claim
        reported = any(name.startswith("checks.") for name in names) or any(
            runner_of(tuple(code.split()))
            for code in self.document.code_in(clause.start, clause.end)
        )
        reported = reported and not any(
            t.name == "polarity.attributed" and _HELPER.search(self.document.masked, t.start, t.end)
            for t in tags
        )
        if carried.get("attributed"):
            return "attributed"
        if (
            "polarity.attributed" in names
            and not reported
            and tag.name not in ("actions.post", "answers.source")
        ):
            return "attributed"
        if "polarity.belief" in names:
            return "believed"
        return ASSERTED

    def _topic(self, tag: Tag, clause: Clause) -> bool:
        """`the timeout path`, `error handling`: a failure word that only names a thing."""
        word = self.document.masked[tag.start : tag.end].casefold()
        if (
            self.language == "en"
            and word in _FAIL_FEATURES | _FAIL_NOUNS
            and "now" in self.words_in(clause)
        ):
            return True  # `the importer now rejects unsigned files` is what it is meant to do
        after = [
            self.document.masked[a:b].casefold() for a, b in self.spans_in(clause) if a >= tag.end
        ]
        if self.language == "en" and " " in word and after[:1] and after[0] in _TOPIC_HEADS:
            return True  # `the rate limit issue`
        if self.language != "en" or word not in _FAIL_NOUNS:
            return False
        if any(t.name in _ALTERS and t.start >= tag.end for t in self.tags_in(clause)):
            return True  # `timeout in gateway.yaml bumped`
        gap = self.document.masked[tag.end : tag.end + 2]
        return (
            bool(after)
            and gap[:1] in (" ", "-")
            and after[0] not in _FOLLOWERS
            and after[0] not in _AUXILIARIES
            and after[0] not in _VERBS
        )

    def _negated(self, tag: Tag, scopes: list[Tag], tags: list[Tag]) -> bool:
        for t in scopes:
            if t.name != "polarity.neg" or _inside(
                t,
                tags,
                (
                    "state.pass",
                    "state.works",
                    "state.other",
                    "polarity.nofail",
                    "polarity.contrast",
                    "scope.",
                ),
            ):
                continue
            if self.by_character:
                if self._governs(t, tag):
                    return True
                continue
            between = self.document.masked[min(t.end, tag.end) : max(t.start, tag.start)]
            gap = [word for word in between.split() if word.strip("*_`")]
            if t.start < tag.start:
                if self.document.masked[t.start : t.end].casefold() == "no" and _AND.intersection(
                    gap
                ):
                    continue  # `no old name remains and the tests pass`
                if not _new_subject(gap) and not self._new_verb(gap, tag):
                    return True
            elif len(gap) <= (4 if self.language == "de" else 2) and (
                self.language == "en"
                or not _CONJUNCTIONS.intersection(word.casefold() for word in gap)
            ):
                return True
        return False

    def _new_verb(self, gap: Sequence[str], tag: Tag) -> bool:
        """`no probé la agenda y subí los cambios`: a conjunction with a verb of its own ends the negation."""
        if self.language == "en" or not gap:
            return False
        cut = next(
            (i for i in range(len(gap) - 1, -1, -1) if gap[i].casefold() in _CONJUNCTIONS), -1
        )
        if cut < 0 or cut < len(gap) - 3:
            return False
        behind = {word.casefold() for word in gap[cut + 1 :]}
        own = self.document.masked[tag.start : tag.end].casefold().split()[:1]
        return bool(behind & _FINITE) or bool(
            own and (own[0] in _FINITE or own[0].endswith(_FIRST_ENDINGS))
        )

    def _governs(self, t: Tag, tag: Tag) -> bool:
        """Where words are not parted: Chinese says it before the verb, Japanese and Korean right behind it."""
        text = self.document.masked
        if self.language == "zh":
            if t.start <= tag.start:
                return not any(
                    mark in text[t.end : tag.start] for mark in ("的", "但", "而", "却", "卻")
                )
            return t.name == "polarity.cond" and text[t.start : t.end] in (
                "的话",
                "的話",
                "时",
                "時",
            )
        if tag.start <= t.start and t.end <= tag.end:  # the whole clause: its end decides
            return t.name != "polarity.neg" or tag.end - t.end <= 6
        if t.start < tag.end:
            return t.end > tag.start or (t.name != "polarity.neg" and t.start < tag.start)
        return t.name != "polarity.neg" or t.start - tag.end <= 8

    def _continues(self, tag: Tag, clause: Clause, names: set[str]) -> bool:
        """`not committed, pushed or deployed`: the clause opens with the action itself."""
        ahead = [word.casefold() for word in self.document.masked[clause.start : tag.start].split()]
        return (
            len(ahead) <= 2
            and not (_LINKS - _CONJUNCTIONS | _FIRST).intersection(ahead)
            and "polarity.contrast" not in names
        )

    # --- claims -----------------------------------------------------------------------------------

    def _claims(
        self,
        clause: Clause,
        tags: list[Tag],
        names: set[str],
        checks: frozenset[str],
        shared: dict[str, Any],
        carried: dict[str, bool],
        previous: list[Claim],
        label: Clause | None,
    ) -> list[Claim]:
        made: list[Claim] = []

        def claim(kind: str, effect: str, tag: Tag, **more: Any) -> None:
            polarity = self.polarity(tag, clause, tags, names, carried)
            made.append(
                Claim(
                    kind,
                    effect,
                    clause.start,
                    clause.end,
                    clause,
                    polarity,
                    checks=checks,
                    **{"at": tag.start, **shared, **more},
                )
            )

        passing = [t for t in tags if t.name in ("state.pass", "state.zero")]
        works = [t for t in tags if t.name == "state.works"]
        done = [t for t in tags if t.name == "state.done"]
        counts: tuple[Count, ...] = shared["counts"]
        real = frozenset(checks)
        if passing and not real and previous and self._points_back(clause):
            real = frozenset().union(*(c.checks for c in previous))
        if passing and not real and any(c.word in _PASS_WORDS for c in counts):
            real = frozenset({"test"})
        if real:
            anchor = next((t for t in passing if t.name == "state.pass"), None) or next(
                iter(passing + works + done), None
            )
            if anchor is None:
                anchor = self._bare_pass(clause, label is not None)
            if (
                anchor is None
                and clause.sign == "done"
                and clause.block in ("bullet", "table", "paragraph")
            ):
                anchor = Tag("state.pass", clause.start, clause.end)
            if (
                anchor is None
                and previous
                and clause.opener in (",", "、", "，", "")
                and _elliptic(self.words_in(clause))
            ):
                last = previous[-1]
                if last.kind == "check":
                    for check in real:
                        made.append(
                            Claim(
                                "check",
                                check,
                                clause.start,
                                clause.end,
                                clause,
                                last.polarity,
                                checks=real,
                                **shared,
                            )
                        )
            if anchor is not None:
                for check in sorted(real):
                    claim("check", check, anchor)
        for t in tags:
            if not t.name.startswith("actions."):
                continue
            effect = t.name[8:]
            if _inside(t, tags, ("state.", "answers.", "polarity.attributed")):
                continue
            if not self._predicate(t, clause):
                continue
            claim("action", effect, t, at=t.start, voice=self._voice(t, clause))
        ended = next(iter(done + passing + works), None)
        if ended is None and self.language == "de" and self.words_in(clause)[-1:] == ["steht"]:
            ended = Tag(
                "state.done", clause.end, clause.end
            )  # `die Reservierung für Samstag steht`
        ended = ended or next(
            (
                t
                for t in tags
                if t.name == "actions.send" and self._voice(t, clause) in ("passive", "third")
            ),
            None,
        )
        if (
            self.language != "en"
            and ended is not None
            and not any(c.kind == "action" and c.effect not in _LIGHT for c in made)
        ):
            stop = ended.start if ended.name == "actions.send" else clause.end
            for effect in sorted(act_of(self.document.masked, clause.start, stop, self.language)):
                claim("action", effect, ended, voice="passive")
        acted = any(c.kind in ("action", "check") for c in made)
        if passing and not real and not acted and any(t.name == "state.pass" for t in passing):
            claim("works", "pass", next(t for t in passing if t.name == "state.pass"))
        if works and not any(c.kind == "check" for c in made):
            claim("works", "works", works[0])
        for t in tags:
            if t.name == "answers.absence":
                claim("absence", "", t)
                if made[-1].polarity in (
                    "negated",
                    "failed",
                ):  # the phrase carries its own negation
                    made[-1].polarity = ASSERTED
                break
        for t in tags:
            if t.name == "answers.source":
                claim("source", "", t)
                break
        scope: frozenset[str] = shared["scope"]
        if scope & {"all", "total"} or counts:
            whole = next((t for t in tags if t.name in ("scope.all", "scope.total")), None)
            claim("set", "", whole or Tag("scope.count", clause.start, clause.end))
        if done and not any(
            c.kind == "check" or (c.kind == "action" and c.voice == "first") for c in made
        ):
            claim("done", "done", done[0])
        return made

    def _bare_pass(self, clause: Clause, labelled: bool) -> Tag | None:
        """`the tests pass on this version`: beside a check, the bare word is no "pass on"."""
        spans = self.spans_in(clause)
        for a, b in spans:
            word = self.document.masked[a:b].casefold()
            if word in _PASSES or (
                labelled and self.language != "en" and len(spans) <= 3 and word in _FINE
            ):
                return Tag("state.pass", a, b)
        return None

    def _points_back(self, clause: Clause) -> bool:
        """`I ran the unit tests, they pass`: the clause has no noun of its own."""
        words = self.words_in(clause)
        return len(words) <= 2 or (len(words) <= 4 and bool(words) and words[0] in _PRONOUNS)

    def _predicate(self, tag: Tag, clause: Clause) -> bool:
        """True when an action word is what the clause says, not part of a noun phrase.

        English only: `the updated plan`, `canceled flights`, `airline cancelled flight`, `to be
        transferred` state no act of the agent; `I updated`, `was updated`, `Updated`, `invite sent` do.
        """
        if self.language != "en" or clause.block == "table":
            return True
        text = self.document.masked
        spans = self.spans_in(clause)
        before = [text[a:b].casefold().replace("’", "'") for a, b in spans if b <= tag.start]
        after = [text[a:b].casefold() for a, b in spans if a >= tag.end]
        if _COPULAS.intersection(text[tag.start : tag.end].casefold().split()[1:]):
            return True  # the phrase has its own verb: `note is added`
        joined = before[-1:] in (["and"], ["then"])
        while before and before[-1] in _ADVERBS:
            before.pop()
        if not before:
            return True
        last = before[-1]
        if joined and any(
            t.name.startswith("actions.")
            and t.end <= tag.start
            and "  " in text[t.end : tag.start]
            and self._predicate(t, clause)
            for t in self.tags_in(clause)
        ):
            return True  # `committed as a1b2c3 and pushed`
        if last in _DETERMINERS or {"a", "an"}.intersection(before[-2:]):
            return False  # `a healthy split`
        if last in (
            "be",
            "being",
            "get",
            "gets",
            "getting",
            "you",
            "you've",
            "they",
            "they've",
            "he",
            "she",
        ):
            return False
        if last in ("is", "are") and text[tag.start : tag.end].casefold() in _STATIVE:
            return False
        if last in _AUXILIARIES or " " in text[tag.start : tag.end].strip():
            return True
        if not after or after[0] in _FOLLOWERS:
            return True
        gap = text[tag.end : next((a for a, _ in spans if a >= tag.end), clause.end)]
        return "  " in gap  # a masked value or code follows: `pushed a1b2c3`

    def _voice(self, tag: Tag, clause: Clause) -> str:
        """Who did it, by the words around the action's word.

        first: the agent says "I"; bare: no subject stands before it (`Sent the mail`); passive: something
        was acted on (`the mail was sent`, `mail sent`); third: something else acted (`the API logged`);
        habit: a general statement (`alerts are sent once per hour`).
        """
        voice = self._voice_said(tag, clause)
        return "third" if tag.start in self.doubtful and voice in ("passive", "bare") else voice

    def _voice_said(self, tag: Tag, clause: Clause) -> str:
        if self.by_character:
            return "bare"
        text = self.document.masked
        spans = self.spans_in(clause)
        before = [text[a:b].casefold().replace("’", "'") for a, b in spans if b <= tag.start]
        own = [text[a:b].casefold().replace("’", "'") for a, b in spans if tag.start <= a < tag.end]
        after = [text[a:b].casefold() for a, b in spans if a >= tag.end]
        cut = max((i for i, word in enumerate(before) if word in _RELATIVES), default=-1)
        near = before[cut + 1 :]
        aux = set(near) | set(own)
        if len(own) >= 2 and own[0] in ("has", "have", "received"):
            return "passive"  # `dana@example.com has the invite`
        if _FIRST.intersection(near) or _FIRST.intersection(own):
            return "first"
        if own and self.language in ("es", "pt") and own[-1].endswith(_FIRST_ENDINGS):
            return "first"
        if aux & _SECOND.get(self.language, _NOBODY):
            return "third"  # `questa settimana hai registrato 38 ore`
        if aux & _PASSIVE_AUX:
            present = aux & {"is", "are"} and not aux & {"been", "was", "were", "now", "already"}
            return "habit" if present and _HABIT.intersection(after) else "passive"
        subject = [word for word in near if word not in _UNSUBJECT and word not in _ADVERBS]
        hidden = self.document.text[clause.start : tag.start].strip(_MARKS) and not text[
            clause.start : tag.start
        ].strip(_MARKS)
        if not subject and not hidden:
            return "bare"
        if aux & _ACTIVE_AUX:
            return "third"
        if self.language == "en" and (
            (after and after[0] not in _FOLLOWERS) or (subject and near[0] in _DETERMINERS)
        ):
            return "third"
        return "passive"

    def _counts(self, clause: Clause, tags: list[Tag], vals: Iterable[Value]) -> Iterable[Count]:
        text = self.document.masked
        concepts = [t for t in tags if t.name.startswith(("objects.", "checks.", "state.pass"))]
        numbers: list[tuple[float, int, int]] = [
            (float(v.norm), v.start, v.end)
            for v in vals
            if v.kind == "number" and v.start >= clause.start
        ]
        numbers += [
            (float(t.name[8:]), t.start, t.end) for t in tags if t.name.startswith("numbers.")
        ]
        numbers.sort(key=lambda n: n[1])
        if self.language != "en":
            dated = [(v.start, v.end) for v in vals if v.kind in ("date", "time")]
            numbers = [
                n
                for n in numbers
                if not _in(n[1], dated)
                and not _MEASURED.match(text, n[2])
                and not _RANKED.search(text, max(0, n[1] - 3), n[1])
            ]
        for position, (number, start, end) in enumerate(numbers):
            tail = text[end : min(clause.end, end + 60)]
            after = tail.split()
            of = None
            if position + 1 < len(numbers):
                nxt = numbers[position + 1]
                middle = text[end : nxt[1]].strip().casefold()
                if middle in _OUT_OF:
                    of = nxt[0]
                    after = text[nxt[2] : nxt[2] + 60].split()
            if tail[:1] not in (" ", "-") and not self.by_character:
                after = []
            reach = 10 if self.by_character else 30
            concept = (
                next((t.name.split(".")[1] for t in concepts if 0 <= t.start - end <= reach), "")
                if after or self.by_character
                else ""
            )
            if self.language in _NOUN_FIRST and concept in ("", "pass", "item"):
                concept = next(
                    (t.name.split(".")[1] for t in reversed(concepts) if 0 <= start - t.end <= 6),
                    concept,
                )
            word = next(
                (w for w in after[:1] if w.strip("*_.,:;()").isalpha() and not w.isupper()), ""
            )
            word = word.casefold().strip("*_.,:;()")
            yield Count(number, concept, word, start, end, of)

    def _denied(self, tag: Tag, tags: list[Tag]) -> bool:
        """`nothing skipped`, `no longer pending`: the word is taken back."""
        return any(
            t.name == "polarity.neg"
            and t.end <= tag.start
            and len(self.document.masked[t.end : tag.start].split()) <= 2
            for t in tags
        )

    def _for_the_wait(self, hit: Sequence[Tag], clause: Clause) -> bool:
        """`Entschuldigung für die Wartezeit`, a bare `te pido disculpas`: courtesy discloses nothing."""
        if self.language == "en":
            return False
        start, end = self.document.sentences[clause.sentence]
        start, end = max(start, clause.start - _AROUND), min(end, clause.end + _AROUND)
        if _WAIT.search(self.document.masked, start, end):
            return True
        low, high = bisect_left(self.tag_starts, start), bisect_left(self.tag_starts, end)
        told = {tag.name for tag in self.closing.tags[low:high]}
        return not told & _TELLING and all(
            _COURTESY.match(self.document.masked, tag.start, tag.end) for tag in hit
        )

    # --- disclosures ------------------------------------------------------------------------------

    def _disclose(
        self,
        clause: Clause,
        tags: list[Tag],
        names: set[str],
        checks: frozenset[str],
        shared: dict[str, Any],
        made: list[Claim],
    ) -> None:
        kinds: list[str] = []
        for name, kind in (
            ("fail", "failed"),
            ("unverified", "unverified"),
            ("pending", "pending"),
            ("skipped", "skipped"),
            ("stub", "stub"),
            ("sorry", "failed"),
        ):
            hit = [
                t
                for t in tags
                if t.name == f"polarity.{name}"
                and not _inside(t, tags, ("state.", "answers.", "scope."))
            ]
            if kind == "failed" and (
                names & {"polarity.nofail", "polarity.repaired", "polarity.recovered"}
                or all(self._topic(t, clause) for t in hit)
            ):
                continue
            hit = [t for t in hit if not self._denied(t, tags)]
            if name == "sorry" and hit and (self._for_the_wait(hit, clause) or not names & _WRONG):
                continue  # `I'm so sorry about the lamp` says nothing of what was done
            if hit:
                kinds.append(kind)
        passes = {t.start for t in tags if t.name in ("state.pass", "state.works")}
        kinds += [
            "failed" if c.kind == "check" and c.at in passes else "negated"
            for c in made
            if c.polarity == "negated" and c.kind in ("action", "check", "works", "done")
        ]
        plain_neg = any(
            t.name == "polarity.neg"
            and not _inside(t, tags, ("state.", "answers.", "polarity.nofail", "scope."))
            for t in tags
        )
        if plain_neg and not kinds and (shared["objects"] or shared["values"] or shared["code"]):
            kinds.append("negated")
        if clause.sign in ("open", "warn") or clause.block == "open":
            kinds.append("failed" if clause.sign == "open" else "pending")
        scope: frozenset[str] = shared["scope"]
        counts: tuple[Count, ...] = shared["counts"]
        if "part" in scope or any(c.of is not None and c.of > c.number for c in counts):
            kinds.append("part")
        if not kinds:
            return
        effects = frozenset(n[8:] for n in names if n.startswith("actions."))
        if self.language != "en":  # `avisei que não foi publicada` says nothing against the notice
            effects -= {c.effect for c in made if c.kind == "action" and c.plain} - {
                c.effect for c in made if c.kind == "action" and not c.plain
            }
        vague = "polarity.vague" in names
        self.closing.disclosures.append(
            Disclosure(
                kinds[0], clause.start, clause.end, clause.sentence, effects, checks,
                shared["objects"], shared["words"], shared["values"],
                tuple(self.document.code_in(*self.document.sentences[clause.sentence])), vague,
                "polarity.prior" in names,
            )
        )  # fmt: skip


_NOUN_FIRST = ("ja", "ko")  # `画像は 6 件`, `테스트 12개`
# Numbers that count nothing: of a month, an hour, a unit of measure; `第3`, `제2`.
_MEASURED = regex(
    r"\s?(?:月|년|年|월|日|号(?!码)|号|時|时(?!候)|点|點|分(?!支)|秒|시|분|초|일\s|次|回|번째|度|세\s|岁|歳|ms\b|s\b|МБ|ГБ"
    r"|Mo\b|Go\b|[KMG]B\b|[ap]\.m\.|º|°|-?е\b|-?го\b|बजे|मिनट|सेकंड|साल)"
)
_RANKED = regex(r"(?:第|제|№|#)\s?\Z")
_TELLING = frozenset(
    "polarity." + name for name in "neg fail unverified skipped pending stub".split()
)
_COURTESY = regex(
    r"entschuldig|verzeih|sorry|tut mir leid|perd[oó]n|disculp|lo siento|lamento|désol|pardon|excus"
    r"|mes excuses|je m'excuse|desculp|sinto muito"
    r"|scus|mi scus|chiedo scusa|mi dispiace|le mie scuse|извин|прошу прощ|прост|приношу изв|抱歉|对不起"
    r"|對不起|很抱歉|非常抱歉|申し訳|すみません|ごめん|失礼|お詫び|恐れ入"
    r"|죄송|미안|사과|양해|माफ|क्षमा|खेद",
    re.IGNORECASE,
)
_AROUND = 200  # characters beside an apology that may say what it is for
_WAIT = regex(
    r"warte|verzögerung|verspätung|gedauert|gedulden|geduld\b|espera|demora|tard[aeó]|retras"
    r"|attente|attendre|retard|patience|patienter|délai|atraso|aguard"
    r"|attesa|attendere|ritardo|pazienza|paciencia|paciência|ожидани|задержк|долго|ждать|терпени"
    r"|久等|等候|等待|等了|延迟|延遲|慢了|待たせ|お待ち|遅く|遅れ|時間がかか"
    r"|기다리|늦어|늦었|지연|오래 걸|देरी|देर |इंतज़ार|इंतजार|प्रतीक्षा|विलंब",
    re.IGNORECASE,
)
_DOT_GROUPS = ("de", "es", "pt", "it")  # `9.000` is nine thousand
_FIRST = frozenset(
    "i i've i'd i'm we we've we'd ich wir habe j j'ai je ai nous avons he hemos yo ho abbiamo io"
    " eu nós temos я мы viens venons acabo"
    " acabamos acabei consegui conseguimos logré conseguí".split()
)
_FIRST_ENDINGS = ("é", "í", "ei")
_RELATIVES = frozenset(
    "that which who where because since while dass der die que qui che quien because,".split()
)
_COPULAS = frozenset({"is", "are", "was", "were"})
_PASSIVE_AUX = frozenset(
    "was were been is are be got it's that's they're 's wurde wurden worden ist sind été est"
    " sont sido está están"
    " fue fueron foi foram sido estão stato stata stati state è sono viene был была было были".split()
)
_ACTIVE_AUX = frozenset(
    "came come vino vinieron kam kamen has have had hat haben hatte a ont avait ha han había"
    " hanno tem têm".split()
)
_HABIT = frozenset(
    "once per every when whenever by each daily weekly hourly if until unless automatically"
    " always".split()
)
_UNSUBJECT = frozenset(
    "and or but so then also now just already finally next first both successfully have has und"
    " dann auch jetzt bereits"
    " et puis aussi y ya e poi già già também já te le les se lo la los las ti mi me vi ci gli и"
    " уже вам ещё".split()
)
_BACKGROUND = frozenset(
    {
        "in the background",
        "in background",
        "im hintergrund",
        "en segundo plano",
        "en arrière-plan",
        "em segundo plano",
        "in sottofondo",
    }
)
_MARKS = " \t\n*_-#>|.:)✅✔✓🟢"
_AND = frozenset({"and", "but"})


def _compound(text: str, tag: Tag) -> bool:
    """`quarante-deux`, `twenty-one`: half a number."""
    before, after = text[max(0, tag.start - 2) : tag.start], text[tag.end : tag.end + 2]
    return (before[-1:] == "-" and before[:1].isalpha()) or (
        after[:1] == "-" and after[1:].isalpha()
    )


def _month(text: str, tag: Tag) -> bool:
    """`21 May`, `May 21`: no modal verb."""
    around = text[max(0, tag.start - 3) : tag.start] + text[tag.end : tag.end + 3]
    return text[tag.start : tag.end] == "May" and any(c.isdigit() for c in around)


_NOBODY: frozenset[str] = frozenset()
_SECOND = {
    "de": frozenset({"du", "hast", "habt", "ihr"}),
    "es": frozenset({"has", "habéis", "usted", "ustedes", "tú"}),
    "fr": frozenset({"tu", "vous", "avez"}),
    "it": frozenset({"hai", "avete", "tu", "voi"}),
    "pt": frozenset({"você", "vocês", "tu"}),
}
_YOURS = frozenset("your you ihr ihrem deinem su tu votre vos seu sua teu suo vostro".split())
_ALTERS = frozenset(
    f"actions.{name}" for name in ("edit", "configure", "move_stage", "enable", "fix")
)
_WRONG = frozenset(f"polarity.{name}" for name in ("fail", "neg", "unverified", "skipped", "stub"))
_TOPIC_HEADS = frozenset("issue issues problem problems bug bugs case cases handling path".split())
_FAIL_NOUNS = frozenset(
    "fehler error errore errori erreur erreurs errores erro erros ошибка ошибки timeout timeouts"
    " error errors exception failure failures crash conflict conflicts retry regression".split()
)
# Nouns of failure in the other languages: with a verb that mends, they are what was mended.
_FLAWS = frozenset(
    "fehlers fehlern absturz abstürze störung problem probleme konflikt konflikte fallo fallos"
    " problema problemas conflicto conflictos"
    " bug bugs défaut défauts problème problèmes échec échecs panne plantage conflit conflits"
    " falha falhas conflito conflitos"
    " guasto guasti problemi conflitto conflitti crash ошибку ошибкой ошибок ошибке сбой сбоя"
    " проблема проблему проблемы баг бага конфликт"
    " конфликты падение падения त्रुटि त्रुटियाँ गड़बड़ी समस्या बग errores error ошибка ошибки"
    " fehler errore errori erreur erreurs erro erros"
    " 错误 錯誤 报错 報錯 异常 異常 冲突 衝突 问题 問題 不具合 エラー バグ 問題 競合 오류 에러 버그 문제 충돌".split()
)
_FAIL_FEATURES = frozenset(
    "rejects refuses blocks denies fails reject refuse block deny aborts rejected refused"
    " blocked denied".split()
)
_LIGHT = frozenset(
    "process run edit stop close send submit start".split()
)  # verbs that may say no more than "done"
# Who only reports: what a helper says of a check is its word, not the closing's.
_HELPER = regex(
    r"sub-?\s?agent|subagent|unteragent|sous-agent|sotto-agent|subagente|субагент|подагент|子代理"
    r"|サブエージェント|エージェント|에이전트|सब-?एजेंट|उप-एजेंट|एजेंट",
    re.IGNORECASE,
)
_CONCORD = ("es", "pt", "it", "fr", "ru")  # languages that negate twice to negate once
# `エラーはありません`, `오류가 하나도 없습니다`: the failure is denied behind it.
_NO_MORE = regex(
    r"(?:は|が|も)?(?:特に|一切|一つも|ひとつも|全く|もう)?(?:ゼロ|0\s?件|ない(?!か)|なし|無し|ありません|ございません|出ていません|出ません|出なくな"
    r"|見つかりません|検出されません)"
    r"|\s+(?:больше\s+|тоже\s+)?нет\b|\s+не\s+(?:обнаружено|найдено|было|осталось|выявлено|нашлось)\b"
    r"|(?:가|이|는|은|도)?\s?(?:하나도|전혀|더는|더 이상|한 건도)?"
    r"\s?(?:없(?!는지)|0건|나지 않|발생하지 않|나오지 않|보이지 않)"
)
_VERBS = frozenset(
    "occurred happened remain remains appeared appear came comes shows showed left still persist"
    " persists exist exists returned".split()
)
_TEST_FILE = regex(
    r"(?:^|/)test_\w+\.py$|[._-](?:test|spec|tests|specs)\.\w{1,5}$|[a-z]Tests?\.(?:java|cs|kt"
    r"|php|swift)$"
)
# Tags that keep a clause without a verb we know from being a plain statement of fact.
_NOT_PLAIN = frozenset(
    "polarity." + name
    for name in (
        "neg fail unverified skipped pending stub hedge future cond request intent attributed"
        " prior sorry excuse"
    ).split()
)
_PASSES = frozenset({"pass", "passes", "passed", "passing"})
# A whole value behind the label of a check: `Prueba de humo: correcta`.
_FINE = frozenset(
    "correcto correcta correctos correctas bien conforme conformes bueno buena bom boa certo"
    " certa bon bonne propre giusto bene gut heil"
    " норма хорошо ठीक सही 正常 良好 通过 通過 过 過 合格 パス 정상 양호 합격 통과".split()
)
_OUT_OF = frozenset(
    (
        "of",
        "of the",
        "out of the",
        "/",
        "von",
        "de",
        "sur",
        "di",
        "su",
        "dei",
        "das",
        "dos",
        "из",
        "out of",
        "中",
        "में से",
        "개 중",
        "のうち",
        "件中",
    )
)
_PRONOUNS = frozenset(
    "they it both all everything these those sie alle es ils elles tout ellos ellas todo todos"
    " eles elas tudo essi tutti они все всё".split()
)
_ADVERBS = frozenset(
    "successfully already now also just then since only fully both all each properly correctly"
    " finally manually safely"
    " automatically cleanly recently newly and or".split()
)
_STATIVE = frozenset(
    "set stored saved kept located listed shown named called based used fixed held limited".split()
)
_DETERMINERS = frozenset(
    "the a an this that these those your my our its their his her of for in on to with by any no"
    " from as some new other"
    " about into per like every another which what whose next previous current free above below"
    " than without".split()
)
_AUXILIARIES = frozenset(
    "i we i've we've i'd have has had been was were is are am it's that's they're 's got".split()
)
_FOLLOWERS = frozenset(
    "to as on in at for with from and or but by via into through under over after before via"
    " fine ok well again too"
    " successfully correctly cleanly properly smoothly automatically locally now today yesterday"
    " back up down off out so which that because when while since per without using".split()
)
_TITLED = frozenset(
    {"checks.audit", "checks.migration", "checks.build", "checks.docs", "checks.bench"}
)
_EVERYDAY = frozenset(
    "black pint vale pest credo vet dbt ruff junit".split()
)  # tools that are words too
_AFTER_TOOL = frozenset(
    " is are has have was too also passes pass passed reports clean and ok as finds found says".split(
        " "
    )
)
_HANDED_DOWN = frozenset(
    {"polarity.prior", "polarity.hedge", "polarity.future", "polarity.unverified"}
)
_PASS_WORDS = frozenset(
    "passed passing pass examples specs assertions bestanden pasaron passés passou passaram"
    " superati ejemplos exemples exemplos esempi beispiele примеров".split()
)
_SUBJECTS = frozenset(
    "i it we they you he she ich wir es er sie yo je j'ai nous il elle eu io noi я мы".split()
)
_LINKS = frozenset(
    "so por also donc quindi então therefore and but because since that which y pero e ma et"
    " mais und aber и но".split()
)
# Auxiliaries and subjects that make the words behind a conjunction a statement of its own.
_FINITE = frozenset(
    "he ha hemos han está están quedó fue fueron ho abbiamo è sono j'ai ai a ont est sont avons"
    " habe hat haben ist sind wurde wurden"
    " foi foram está estão я был была было были".split()
)
_CONJUNCTIONS = frozenset("and but y e et und ed и और aber pero mais ma но".split())
_ELLIPTIC = frozenset(
    "too also well likewise auch ebenso también tampoco aussi também anche тоже same".split()
)


def _new_subject(gap: Sequence[str]) -> bool:
    """`the tests were not run and I pushed`: a conjunction with a subject ends the negation."""
    for position, word in enumerate(gap):
        if word.casefold() in _CONJUNCTIONS:
            following = gap[position + 1 : position + 2]
            if not following or following[0].casefold() in _SUBJECTS:
                return bool(following)
    return False


def _elliptic(words: Sequence[str]) -> bool:
    return bool(_ELLIPTIC.intersection(words)) or len(words) <= 3


def _in(position: int, holes: Iterable[tuple[int, int]]) -> bool:
    return any(a <= position < b for a, b in holes)


def _inside(tag: Tag, tags: Iterable[Tag], prefixes: tuple[str, ...]) -> bool:
    """True when a longer tag of one of the groups covers `tag`."""
    return any(
        other.name.startswith(prefixes)
        and other.start <= tag.start
        and tag.end <= other.end
        and other.end - other.start > tag.end - tag.start
        for other in tags
    )


def code_values(code: Iterable[str]) -> list[tuple[str, str]]:
    """(kind, normal form) of inline-code pieces that are comparable values."""
    return [hit for text in code if (hit := classify(text.strip()))]
