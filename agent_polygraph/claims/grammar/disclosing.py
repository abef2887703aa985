"""What a clause discloses: that something failed, was left out, or was not seen."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from ..._lazy import regex
from ..lexicon import Tag, inside
from ..text import Clause
from .forms import Claim, Count, Disclosure
from .polarity import WITHOUT
from .statements import Statements

# What a tag says of its clause, the weightiest first.
_KINDS = (
    ("polarity.fail", "failed"),
    ("polarity.unverified", "unverified"),
    ("polarity.pending", "pending"),
    ("polarity.skipped", "skipped"),
    ("polarity.stub", "stub"),
    ("polarity.sorry", "failed"),
)
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
# `synced, except host-7`: what is said before it holds for a part.
_EXCEPT = regex(
    r"\b(?:except(?! when| if| that)|save for|with the exception of|excluding|bar one|all but|außer|ausgenommen"
    r"|mit ausnahme|bis auf|salvo|excepto|exceto|a excepción de|com (?:a )?exceção d\w|menos un[oa]?|sauf"
    r"|excepté|hormis|à l'exception d\w*|tranne|eccetto|(?:ad|a) eccezione d\w+|кроме|за исключением)\b"
    r"|除了|除外|以外|を除[きいく]|제외하고|빼고|छोड़कर|के सिवा",
    re.IGNORECASE,
)
# `should it be generated in CI, so it can't rot?`: what the asking is for.
_PURPOSE = regex(
    r"\W*(?:so(?: that)?|damit|pour que|afin que|para que|affinché|perché|чтобы)\b", re.IGNORECASE
)
_WRONG = frozenset(f"polarity.{name}" for name in ("fail", "neg", "unverified", "skipped", "stub"))


_IF = frozenset("if falls wenn si se if/when если whenever sobald".split())


class Disclosing(Statements):
    """Disclosures of a clause."""

    def _smooth(self, tag: Tag, tags: list[Tag]) -> bool:
        """`went through without a hitch`: it denies a trouble, where no act or check follows."""
        return self.document.masked[tag.start : tag.end].casefold() in WITHOUT and not any(
            t.name.startswith(("actions.", "checks.")) and t.start >= tag.end for t in tags
        )

    def _denied(self, tag: Tag, tags: list[Tag]) -> bool:
        """`nothing skipped`, `no longer pending`: the word is taken back."""
        return any(
            t.name == "polarity.neg"
            and t.end <= tag.start
            and len(self.document.masked[t.end : tag.start].split()) <= 2
            for t in tags
        )

    def _supposed(self, tag: Tag, tags: list[Tag]) -> bool:
        """`if it still fails, the error carries the id`: what would be."""
        return any(
            t.name == "polarity.cond"
            and t.end <= tag.start
            and self.document.masked[t.start : t.end].casefold() in _IF
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

    def _disclose(
        self,
        clause: Clause,
        tags: list[Tag],
        names: set[str],
        checks: frozenset[str],
        shared: dict[str, Any],
        made: list[Claim],
    ) -> None:
        if clause.question and _PURPOSE.match(self.document.masked, clause.start, clause.end):
            return
        kinds: list[str] = []
        for name, kind in _KINDS:
            if name not in names:
                continue
            hit = [
                t
                for t in tags
                if t.name == name and not inside(t, tags, ("state.", "answers.", "scope."))
            ]
            if kind == "failed" and (
                names & {"polarity.nofail", "polarity.repaired", "polarity.recovered"}
                or all(self._topic(t, clause) for t in hit)
            ):
                continue
            hit = [t for t in hit if not self._denied(t, tags)]
            if kind == "failed" and hit and all(self._supposed(t, tags) for t in hit):
                continue
            if (
                name == "polarity.sorry"
                and hit
                and (self._for_the_wait(hit, clause) or not names & _WRONG)
            ):
                continue  # `I'm so sorry about the lamp` says nothing of what was done
            if hit:
                kinds.append(kind)
        passes = {t.start for t in tags if t.name in ("state.pass", "state.works")}
        kinds += [
            "failed" if c.kind == "check" and c.at in passes else "negated"
            for c in made
            if c.polarity == "negated" and c.kind in ("action", "check", "works", "done")
        ]
        plain_neg = "polarity.neg" in names and any(
            t.name == "polarity.neg"
            and not self._smooth(t, tags)
            and not inside(t, tags, ("state.", "answers.", "polarity.nofail", "scope."))
            for t in tags
        )
        if plain_neg and not kinds and (shared["objects"] or shared["values"] or shared["code"]):
            kinds.append("negated")
        if clause.sign in ("open", "warn") or clause.block == "open":
            kinds.append("failed" if clause.sign == "open" else "pending")
        scope: frozenset[str] = shared["scope"]
        counts: tuple[Count, ...] = shared["counts"]
        if (
            "part" in scope
            or any(c.of is not None and c.of > c.number for c in counts)
            or (
                "polarity.contrast" in names
                and _EXCEPT.search(self.document.masked, clause.start, clause.end)
            )
        ):
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
