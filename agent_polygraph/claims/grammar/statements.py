"""The claims of one clause, and what they count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ..._lazy import regex
from ...evidence.runners import runner_of
from ...evidence.values import Value
from ..lexicon import Tag, inside
from ..text import Clause
from .clauses import within
from .forms import ASSERTED, PASSES, Claim, Count
from .polarity import Polarity
from .voice import AUXILIARIES, FOLLOWERS

# The runner's kind -> the word the tables use for that check.
_CHECK_KINDS = frozenset({"test", "lint", "types", "format", "build", "audit"})
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
# What makes a question or a manner of what follows it.
_INDIRECT = regex(
    r"\b(?:how|where|why|whether|the way|wie|wo|warum|ob|cómo|dónde|por qué|comment|où|pourquoi|come|dove"
    r"|perché|onde|как|где|почему)\s",
    re.IGNORECASE,
)
_ARTICLES = frozenset("the a an this that these those your my our its their each every".split())
_AND = frozenset("and but so und aber y pero et mais e ma и но".split())
_NOUN_FIRST = ("ja", "ko")  # `画像は 6 件`, `테스트 12개`
# Numbers that count nothing: of a month, an hour, a unit of measure; `第3`, `제2`.
_MEASURED = regex(
    r"\s?(?:月|년|年|월|日|号(?!码)|号|時|时(?!候)|点|點|分(?!支)|秒|시|분|초|일\s|次|回|번째|度|세\s|岁|歳|ms\b|s\b|МБ|ГБ"
    r"|Mo\b|Go\b|[KMG]B\b|[ap]\.m\.|º|°|-?е\b|-?го\b|बजे|मिनट|सेकंड|साल)"
)
_MAKES = frozenset({"actions.configure", "actions.install", "actions.create", "actions.enable"})
# What may stand beside the name of a check that only a sign says passed.
_OF_CHECKS = frozenset(
    "unit integration e2e end to run runs status check checks ok green passing passed passes clean"
    " the and all full suite local ci new of for in with now final result results".split()
) | frozenset(_CHECK_WORDS)
_BEHIND_ALL = (
    " along",
    " right",
    " but ",
    " over",
    " around",
    " the way",
    " day",
    " night",
    " in all",
)
_BEFORE_ALL = ("at ", "after ", "above ")
_RANKED = regex(r"(?:第|제|№|#)\s?\Z")
_LIGHT = frozenset(
    "process run edit stop close send submit start".split()
)  # verbs that may say no more than "done"
_TEST_FILE = regex(
    r"(?:^|/)test_\w+\.py$|[._-](?:test|spec|tests|specs)\.\w{1,5}$|[a-z]Tests?\.(?:java|cs|kt"
    r"|php|swift)$"
)
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
_PASS_WORDS = frozenset(
    "passed passing pass examples specs assertions bestanden pasaron passés passou passaram"
    " superati ejemplos exemples exemplos esempi beispiele примеров".split()
)
_ELLIPTIC = frozenset(
    "too also well likewise auch ebenso también tampoco aussi também anche тоже same".split()
)


_THAT_BUILD = regex(
    r"\b(?:it|that|which|who|to|and) builds? (?:an?|the|its|their|one|each|on) "
    r"(?!image|app|project|package|docs?\b|site|binar|bundle|solution|target|workspace|module|container|whole|full)",
    re.IGNORECASE,
)


class Statements(Polarity):
    """Claims, scopes, checks and counts of a clause."""

    def _scope(self, tags: list[Tag]) -> frozenset[str]:
        """Scope words; the first half of a compound (`key-space`) is none."""
        text = self.document.masked
        return frozenset(
            t.name[6:]
            for t in tags
            if t.name.startswith("scope.")
            and not _idiom(text, t)
            and not (text[t.end : t.end + 1] == "-" and text[t.end + 1 : t.end + 2].isalpha())
        )

    def _checks(
        self, tags: list[Tag], names: set[str], code: tuple[str, ...], clause: Clause
    ) -> frozenset[str]:
        found = {n[7:] for n in names if n.startswith("checks.") and n != "checks.any"}
        found -= {tag.name[7:] for tag in tags if tag.name in _TITLED and self._titled(tag)}
        if "build" in found and _THAT_BUILD.search(self.document.masked, clause.start, clause.end):
            found.discard("build")  # `calls that build a Quote keep working`
        for text in code:
            words = text.split()
            hit = runner_of(words) if words and len(words) < 12 else None
            if hit and hit[1] in _CHECK_KINDS:
                found.add(hit[1])
            elif words and words[0].casefold() in _CHECK_WORDS:
                found.add(_CHECK_WORDS[words[0].casefold()])
            elif len(words) == 1 and _TEST_FILE.search(words[0]):
                found.add("test")
        words = self.words_in(clause)
        named = not _CHECK_WORDS.keys().isdisjoint(words)
        for word, following in zip(words, [*words[1:], ""], strict=True) if named else ():
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

        states = [
            t
            for t in tags
            if t.name.startswith("state.")
            and not (self._asked(t, clause) or self._of_a_thing(t, clause))
        ]
        passing = [t for t in states if t.name in ("state.pass", "state.zero")]
        works = [t for t in states if t.name == "state.works"]
        done = [t for t in states if t.name == "state.done"]
        counts: tuple[Count, ...] = shared["counts"]
        real = frozenset(checks)
        if passing and not real and previous and self._points_back(clause):
            real = frozenset().union(*(c.checks for c in previous))
        if passing and not real and any(c.word in _PASS_WORDS for c in counts):
            real = frozenset({"test"})
        if real:
            over = [] if self._sets_up(tags) else works + done
            anchor = next((t for t in passing if t.name == "state.pass"), None) or next(
                iter(passing + over), None
            )
            if anchor is None:
                anchor = self._bare_pass(clause, label is not None)
            if (
                anchor is None
                and clause.sign == "done"
                and clause.block in ("bullet", "table", "paragraph")
                and self._names_check(clause, tags)
            ):
                anchor = Tag("state.pass", clause.start, clause.end)
            if (
                anchor is None
                and previous
                and clause.opener in (",", "、", "，", "")
                and _elliptic(self.words_in(clause))
            ):
                last = previous[-1]
                polarity = "negated" if "polarity.neg" in names else last.polarity
                if last.kind == "check":
                    for check in real:
                        made.append(
                            Claim(
                                "check",
                                check,
                                clause.start,
                                clause.end,
                                clause,
                                polarity,
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
            if inside(t, tags, ("state.", "answers.", "polarity.attributed")):
                continue
            if not self._predicate(t, clause):
                continue
            voice = self._voice(t, clause)
            claim("action", effect, t, at=t.start, voice=voice)
            if voice == "other":
                made[-1].polarity = "attributed"
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
            from ..nominal import act_of

            stop = ended.start if ended.name == "actions.send" else clause.end
            for effect in sorted(act_of(self.document.masked, clause.start, stop, self.language)):
                claim("action", effect, ended, voice="passive")
        acted = any(c.kind in ("action", "check") for c in made)
        if passing and not real and not acted and any(t.name == "state.pass" for t in passing):
            claim("works", "pass", next(t for t in passing if t.name == "state.pass"))
        if works and not any(c.kind == "check" for c in made):
            if self._file_is_gone(works[0], clause):
                claim("action", "delete", works[0], voice="passive")
            else:
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

    def _asked(self, tag: Tag, clause: Clause) -> bool:
        """`I changed how errors are rendered` says nothing of whether they are."""
        start, end, asked = self._indirect
        if (start, end) != (clause.start, clause.end):
            found = _INDIRECT.search(self.document.masked[clause.start : clause.end])
            asked = clause.start + found.end() if found else -1
            self._indirect = (clause.start, clause.end, asked)
        if not 0 <= asked <= tag.start:
            return False
        between = self.document.masked[asked : tag.start].split(None, 6)
        return len(between) <= 5 and _AND.isdisjoint(map(str.casefold, between))

    # Where a clause is and where its first indirect question begins, -1 for none: of the clause last asked for.
    _indirect: tuple[int, int, int] = (-1, -1, -1)

    def _of_a_thing(self, tag: Tag, clause: Clause) -> bool:
        """`the test downloads the live feed`, `a working copy`: of what kind it is, and not how it does."""
        if self.language != "en" or tag.name not in ("state.works", "state.done"):
            return False
        text = self.document.masked
        before = [w.casefold() for w in text[clause.start : tag.start].rsplit(None, 1)[-1:]]
        after = text[tag.end : clause.end]
        following = [w.casefold().strip(".,;:!?)*_") for w in after.split(None, 1)[:1]]
        return (
            bool(before and following)
            and before[0] in _ARTICLES
            and after[:1] == " "
            and following[0].isalpha()
            and following[0] not in FOLLOWERS | AUXILIARIES
        )

    @staticmethod
    def _sets_up(tags: list[Tag]) -> bool:
        """`Prettier is set up`, `added the tests`: the check was made, not run."""
        return any(t.name in _MAKES for t in tags)

    def _names_check(self, clause: Clause, tags: list[Tag]) -> bool:
        """`unit tests ✅` is a check, `multi-stage build ✅` in a review is a trait."""
        spans = [
            (t.start, t.end) for t in tags if t.name.startswith(("checks.", "scope.", "objects."))
        ]
        return all(
            within(a, spans) or self.document.masked[a:b].casefold() in _OF_CHECKS
            or not self.document.masked[a:b].isalpha()
            for a, b in self.spans_in(clause)
        )  # fmt: skip

    def _file_is_gone(self, tag: Tag, clause: Clause) -> bool:
        """`.eslintrc.json is gone` tells of a file, `the flicker is gone` of how the thing runs."""
        said = self.document.masked[tag.start : tag.end].casefold()
        subject = self.document.masked[clause.start : tag.start].split()
        return (
            said.endswith("gone")
            and not any(word.strip("*_`").isalpha() and len(word) > 3 for word in subject)
            and any(
                value.kind == "path" and value.end <= tag.start
                for value in self.document.values_in(clause.start, clause.end)
            )
        )

    def _bare_pass(self, clause: Clause, labelled: bool) -> Tag | None:
        """`the tests pass on this version`: beside a check, the bare word is no "pass on"."""
        spans = self.spans_in(clause)
        for a, b in spans:
            word = self.document.masked[a:b].casefold()
            if word in PASSES or (
                labelled and self.language != "en" and len(spans) <= 3 and word in _FINE
            ):
                return Tag("state.pass", a, b)
        return None

    def _points_back(self, clause: Clause) -> bool:
        """`I ran the unit tests, they pass`: the clause has no noun of its own."""
        words = self.words_in(clause)
        return len(words) <= 2 or (len(words) <= 4 and bool(words) and words[0] in _PRONOUNS)

    def _counts(self, clause: Clause, tags: list[Tag], vals: Iterable[Value]) -> Iterable[Count]:
        text = self.document.masked
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
                if not within(n[1], dated)
                and not _MEASURED.match(text, n[2])
                and not _RANKED.search(text, max(0, n[1] - 3), n[1])
            ]
        if not numbers:
            return
        concepts = [t for t in tags if t.name.startswith(("objects.", "checks.", "state.pass"))]
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


def _elliptic(words: Sequence[str]) -> bool:
    return bool(_ELLIPTIC.intersection(words)) or len(words) <= 3


def _idiom(text: str, tag: Tag) -> bool:
    """`all along`, `after all`: no scope at all."""
    return text[tag.start : tag.end].casefold() == "all" and (
        text[tag.end : tag.end + 9].casefold().startswith(_BEHIND_ALL)
        or text[max(0, tag.start - 6) : tag.start].casefold().endswith(_BEFORE_ALL)
    )
