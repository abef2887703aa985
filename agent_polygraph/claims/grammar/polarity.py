"""How a clause means it: asserted, negated, hedged, planned, asked, reported ..."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..._lazy import regex
from ...evidence.runners import runner_of
from ..lexicon import Tag, inside
from ..text import Clause
from .forms import ASSERTED
from .voice import AUXILIARIES, FIRST, FIRST_ENDINGS, FOLLOWERS, Voice

_AND = frozenset({"and", "but"})
_ALTERS = frozenset(
    f"actions.{name}" for name in ("edit", "configure", "move_stage", "enable", "fix")
)
WITHOUT = frozenset("without ohne sin sans senza sem без".split())
_THINGS = frozenset({"reports", "claims", "states"})
_PLACES = frozenset("of for from in into to on by with and or at as under".split())
_TOPIC_HEADS = frozenset("issue issues problem problems bug bugs case cases handling path".split())
FAIL_NOUNS = frozenset(
    "fehler error errore errori erreur erreurs errores erro erros ошибка ошибки timeout timeouts"
    " error errors exception failure failures crash conflict conflicts retry regression".split()
)
_FAIL_FEATURES = frozenset(
    "rejects refuses blocks denies fails reject refuse block deny aborts rejected refused"
    " blocked denied".split()
)
_PER_THING = regex(r"\b[Pp]er-\w+ \Z")
# Who only reports: what a helper says of a check is its word, not the closing's.
_HELPER = regex(
    r"sub-?\s?agent|subagent|unteragent|sous-agent|sotto-agent|subagente|субагент|подагент|子代理"
    r"|サブエージェント|エージェント|에이전트|सब-?एजेंट|उप-एजेंट|एजेंट",
    re.IGNORECASE,
)
_VERBS = frozenset(
    "occurred happened remain remains appeared appear came comes shows showed left still persist"
    " persists exist exists returned".split()
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


# Verbs whose past is spelled as their infinitive.
_SAME = frozenset("set reset put cut shut split run read hit let spread broadcast".split())
_MODAL = regex(
    r"\b(?:can|could|may|might|would|should)(?: (?:also|then|just|only|still|now|be|\w{2,12}ly))? \Z",
    re.IGNORECASE,
)


class Polarity(Voice):
    """The polarity of a tag inside its clause."""

    def _may(self, tag: Tag) -> bool:
        """`I can set a reminder` is an offer."""
        words = self.document.masked[tag.start : tag.end].casefold().split()[:1]
        return (
            tag.name.startswith("actions.")
            and not _SAME.isdisjoint(words)
            and _MODAL.search(self.document.masked, max(0, tag.start - 32), tag.start) is not None
        )

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
        if self._may(tag):
            return "conditional"
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
                    not inside(t, tags, ("state.", "answers.", "scope."))
                    and abs(t.start - tag.start) < 60
                ):
                    return "unverified"
            if t.name == "polarity.fail" and not (
                inside(t, tags, ("state.", "answers."))
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
        if carried.get("attributed"):
            return "attributed"
        if (
            "polarity.attributed" in names
            and not all(self._plural(t, clause) for t in scopes if t.name == "polarity.attributed")
            and not self._of_runner(clause, tags, names)
            and tag.name not in ("actions.post", "answers.source")
        ):
            return "attributed"
        if "polarity.belief" in names:
            return "believed"
        return ASSERTED

    def _of_runner(self, clause: Clause, tags: list[Tag], names: set[str]) -> bool:
        """`mypy reports no issues`: what a check says is the claim, what a helper says is not."""
        runs = any(name.startswith("checks.") for name in names) or any(
            runner_of(tuple(code.split()))
            for code in self.document.code_in(clause.start, clause.end)
        )
        return runs and not any(
            t.name == "polarity.attributed" and _HELPER.search(self.document.masked, t.start, t.end)
            for t in tags
        )

    def _plural(self, tag: Tag, clause: Clause) -> bool:
        """`both reports were sent`, `the claims of March`: things, and nobody's words."""
        if self.document.masked[tag.start : tag.end].casefold() not in _THINGS:
            return False
        after = next(
            (
                self.document.masked[a:b].casefold()
                for a, b in self.spans_in(clause)
                if a >= tag.end
            ),
            "",
        )
        return not after or after in AUXILIARIES or after in _PLACES

    def _topic(self, tag: Tag, clause: Clause) -> bool:
        """`the timeout path`, `error handling`: a failure word that only names a thing."""
        word = self.document.masked[tag.start : tag.end].casefold()
        if (
            self.language == "en"
            and word in _FAIL_FEATURES | FAIL_NOUNS
            and "now" in self.words_in(clause)
        ):
            return True  # `the importer now rejects unsigned files` is what it is meant to do
        after = [
            self.document.masked[a:b].casefold() for a, b in self.spans_in(clause) if a >= tag.end
        ]
        if self.language == "en" and " " in word and after[:1] and after[0] in _TOPIC_HEADS:
            return True  # `the rate limit issue`
        if self.language != "en" or word not in FAIL_NOUNS:
            return False
        if word == "timeout" and _PER_THING.search(
            self.document.masked, max(0, tag.start - 40), tag.start
        ):
            return True  # `a per-host timeout` is a setting, `per-host failures` are an outcome
        for t in self.tags_in(clause):
            if t.name not in _ALTERS:
                continue
            if t.start >= tag.end:
                return True  # `timeout in gateway.yaml bumped`
            between = self.document.masked[t.end : tag.start].casefold().split()
            if t.end <= tag.start and between[:1] == ["the"] and len(between) <= 3:
                return True  # `raised the request timeout to 30 seconds`
        gap = self.document.masked[tag.end : tag.end + 2]
        return (
            bool(after)
            and gap[:1] in (" ", "-")
            and after[0] not in FOLLOWERS
            and after[0] not in AUXILIARIES
            and after[0] not in _VERBS
        )

    def _negated(self, tag: Tag, scopes: list[Tag], tags: list[Tag]) -> bool:
        for t in scopes:
            if t.name != "polarity.neg" or inside(
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
            if t.start >= tag.end and self.document.masked[t.start : t.end].casefold() in WITHOUT:
                continue  # `finished without restarts`
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
            own and (own[0] in _FINITE or own[0].endswith(FIRST_ENDINGS))
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
            and not (_LINKS - _CONJUNCTIONS | FIRST).intersection(ahead)
            and "polarity.contrast" not in names
        )


def _new_subject(gap: Sequence[str]) -> bool:
    """`the tests were not run and I pushed`: a conjunction with a subject ends the negation."""
    for position, word in enumerate(gap):
        if word.casefold() in _CONJUNCTIONS:
            following = gap[position + 1 : position + 2]
            if not following or following[0].casefold() in _SUBJECTS:
                return bool(following)
    return False
