"""The walk through the clauses, and what one clause hands on to the next."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from ..._lazy import regex
from ...evidence.runners import runner_of
from ..lexicon import Tag, inside
from ..text import Clause
from .clauses import within
from .disclosing import Disclosing
from .forms import PASSES, Claim
from .polarity import FAIL_NOUNS
from .voice import FOLLOWERS

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
_YOURS = frozenset("your you ihr ihrem deinem su tu votre vos seu sua teu suo vostro".split())
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
_CONCORD = ("es", "pt", "it", "fr", "ru")  # languages that negate twice to negate once
# `エラーはありません`, `오류가 하나도 없습니다`: the failure is denied behind it.
_NO_MORE = regex(
    r"(?:は|が|も)?(?:特に|一切|一つも|ひとつも|全く|もう)?(?:ゼロ|0\s?件|ない(?!か)|なし|無し|ありません|ございません|出ていません|出ません|出なくな"
    r"|見つかりません|検出されません)"
    r"|\s+(?:больше\s+|тоже\s+)?нет\b|\s+не\s+(?:обнаружено|найдено|было|осталось|выявлено|нашлось)\b"
    r"|(?:가|이|는|은|도)?\s?(?:하나도|전혀|더는|더 이상|한 건도)?"
    r"\s?(?:없(?!는지)|0건|나지 않|발생하지 않|나오지 않|보이지 않)"
)
# Tags that keep a clause without a verb we know from being a plain statement of fact.
_NOT_PLAIN = frozenset(
    "polarity." + name
    for name in (
        "neg fail unverified skipped pending stub hedge future cond request intent attributed"
        " prior sorry excuse"
    ).split()
)
_HANDED_DOWN = frozenset(
    {"polarity.prior", "polarity.hedge", "polarity.future", "polarity.unverified"}
)


_COUNTS = 40  # counts of one clause; no sentence has more


_PASSED_ON = regex(
    r"\s(?:`(?P<code>[^`\n]{1,80})`|(?P<name>[A-Z][a-z]{2,20})\b"
    r"|(?:the|its|an?|this|that|these|those|our|your|their) (?P<rest>[^.;:\n]{1,60}))"
)
_OF_CHECKS = regex(
    r"\b(?:tests?|specs?|checks?|lint\w*|suites?|builds?|gates?|audits?|ci|reviews?|types?|validat\w*|verif\w*|scans?"
    r"|hooks?|criteria|inspections?|exams?|cases?|jobs?|pipelines?|stages?|same|assertions?|strict|(?:mon|tues|wednes|thurs"
    r"|fri|satur|sun)day|today|yesterday|again|now|and|every|all|both|here|locally|without|with|in|on|for|after|before)\b",
    re.IGNORECASE,
)


class Reader(Disclosing):
    """Fills a closing with its claims and disclosures."""

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
            tags = self._no_failures(self._reread(clause, self.tags_in(clause)), clause)
            names = {tag.name for tag in tags}
            if clause.opener in ("(", "（") and not clause.holes:
                names |= outer
            else:
                outer = {tag.name for tag in tags if tag.name in _HANDED_DOWN}
            made = self._clause(clause, tags, names, carried, previous, label)
            label = clause if self._is_label(clause, made) else None
            self._carry(clause, names, carried, made)
            previous = made or previous
            if len(self.closing.claims) >= self.most:
                break
        self._join_sets()

    def _reread(self, clause: Clause, tags: list[Tag]) -> list[Tag]:
        """The tags that the grammar of the language leaves standing."""
        if self.language == "en":
            return tags
        from ..derived import derived  # most closings are in English, and need neither
        from ..reread import reread

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

    def _no_failures(self, tags: list[Tag], clause: Clause) -> list[Tag]:
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
        tags = [
            t
            for t in tags
            if t.name != "state.pass"
            or not (self._leads_through(t, clause) or self._hands_on(t, clause))
        ]
        negs = [t for t in tags if t.name == "polarity.neg"]
        fails = [t for t in tags if t.name == "polarity.fail"]
        if not fails:
            return tags
        gone: list[Tag] = []
        made: list[Tag] = []
        mends = [t for t in tags if t.name in ("actions.fix", "state.works")]
        for fail in fails:
            noun = self.document.masked[fail.start : fail.end].casefold() in FAIL_NOUNS
            flaw = self.language != "en" and not _FLAWS.isdisjoint(
                self.document.masked[fail.start : fail.end].casefold().split()
            )
            if (
                not [n for n in negs if not inside(n, tags, ("state.works",))]
                and mends
                and (flaw or (noun and any(m.start > fail.end for m in mends)))
            ):
                gone.append(fail)  # `both type errors are fixed`
                made.append(Tag("polarity.repaired", fail.start, fail.end))
            # `n'a pas pu`: the phrase holds the other half of the one negation.
            split = self.document.masked[fail.start : fail.start + 4].casefold() == "pas "
            for neg in negs:
                if (
                    neg.end <= fail.start
                    and not (split and self.language == "fr")
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

    def _leads_through(self, tag: Tag, clause: Clause) -> bool:
        """`the import goes through `FlatCompat``: a way, and no success."""
        text = self.document.masked
        if not text[tag.start : tag.end].casefold().endswith("through"):
            return False
        after = [(a, b) for a, b in self.spans_in(clause) if a >= tag.end]
        if not after:
            return bool(self.document.text[tag.end : clause.end].strip(" .,;:!)*_"))
        word = text[after[0][0] : after[0][1]].casefold()
        return word not in FOLLOWERS or "  " in text[tag.end : after[0][0]]

    def _hands_on(self, tag: Tag, clause: Clause) -> bool:
        """`it passes `timeout_ms``, `the ship passed Suez`: what is passed is no check."""
        text = self.document.text
        if text[tag.start : tag.end].casefold() not in PASSES:
            return False
        found = _PASSED_ON.match(text, tag.end, clause.end)
        if found is None:
            return False
        code, name, rest = found.group("code", "name", "rest")
        if rest is not None:
            return _OF_CHECKS.search(rest) is None
        words = (code or name.casefold()).split()
        return runner_of(tuple(words)) is None and not _OF_CHECKS.search(code or name)

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

    def _file_says(self, tags: list[Tag], clause: Clause) -> bool:
        """`workers.yaml now says "workers: 8"`: a file's content, and nobody's word."""
        told = [t for t in tags if t.name == "polarity.attributed"]
        if len(told) != 1:
            return False
        subject = self.document.masked[clause.start : told[0].start].split()
        named = any(
            value.kind == "path" and value.end <= told[0].start
            for value in self.document.values_in(clause.start, clause.end)
        )
        return named and not any(word.isalpha() and word.casefold() != "now" for word in subject)

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
            if not within(v.start, clause.holes)
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
            "counts": tuple(islice(self._counts(clause, tags, vals), _COUNTS)),
            "code": code,
            "quotes": tuple(document.quotes_in(clause.start, clause.end)),
        }
        made: list[Claim] = []
        if clause.block != "heading":
            made = self._claims(clause, tags, names, checks, shared, carried, previous, label)
            if not any(c.kind != "set" for c in made) and clause.block != "quote":
                if self._file_says(tags, clause):
                    names = names - {"polarity.attributed"}
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
