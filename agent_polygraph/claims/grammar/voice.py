"""Who did it: whether an action word is what the clause says, and of whom."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise

from ..._lazy import regex
from ..lexicon import Tag
from ..text import Clause
from .clauses import Clauses

FIRST = frozenset(
    "i i've i'd i'm we we've we'd ich wir habe j j'ai je ai nous avons he hemos yo ho abbiamo io"
    " eu nós temos я мы viens venons acabo"
    " acabamos acabei consegui conseguimos logré conseguí".split()
)
FIRST_ENDINGS = ("é", "í", "ei")
_RELATIVES = frozenset(
    "that which who where because since while dass der die que qui che quien because,".split()
)
_COPULAS = frozenset({"is", "are", "was", "were", "has", "have", "went"})
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
_MARKS = " \t\n*_-#>|.:)✅✔✓🟢"
_NOBODY: frozenset[str] = frozenset()
_SECOND = {
    "de": frozenset({"du", "hast", "habt", "ihr"}),
    "es": frozenset({"has", "habéis", "usted", "ustedes", "tú"}),
    "fr": frozenset({"tu", "vous", "avez"}),
    "it": frozenset({"hai", "avete", "tu", "voi"}),
    "pt": frozenset({"você", "vocês", "tu"}),
}
_ADVERBS = frozenset(
    "successfully already now also just then since only fully both all each properly correctly"
    " finally manually safely"
    " automatically cleanly recently newly and or".split()
)
_STATIVE = frozenset(
    "set stored saved kept located listed shown named called based used fixed held limited".split()
)
_THERE = frozenset({"in", "up", "out", "live", "ready", "there"})
_DETERMINERS = frozenset(
    "the a an this that these those your my our its their his her of for in on to with by any no"
    " from as some new other"
    " about into per like every another which what whose next previous current free above below"
    " than without".split()
)
# Endings of the past by which somebody else acts.
_OTHERS: dict[str, tuple[str, ...]] = {
    "es": ("ó", "aron", "ieron"),
    "pt": ("ou", "aram", "eram", "iram"),
    "it": ("ò", "arono", "irono"),
}
AUXILIARIES = frozenset(
    "i we i've we've i'd have has had been was were is are am it's that's they're 's got".split()
)
FOLLOWERS = frozenset(
    "to as on in at for with from and or but by via into through under over after before via"
    " fine ok well again too"
    " successfully correctly cleanly properly smoothly automatically locally now today yesterday"
    " back up down off out so which that because when while since per without using".split()
)


# What follows a verb and no adjective.
_TAKEN = frozenset(
    "you him her them us me it the a an your my our their his its this that these those everyone"
    " everybody both".split()
)


class Voice(Clauses):
    """Predicate and voice of an action word."""

    def _predicate(self, tag: Tag, clause: Clause) -> bool:
        """True when an action word is what the clause says, not part of a noun phrase.

        English only: `the updated plan`, `canceled flights`, `airline cancelled flight`, `to be
        transferred` state no act of the agent; `I updated`, `was updated`, `Updated`, `invite sent` do.
        """
        if self.language != "en":
            return True
        text = self.document.masked
        if clause.block == "table":
            word = text[tag.start : tag.end].casefold()
            return (
                word not in _STATIVE
                or word == text[clause.start : clause.end].strip(_MARKS).casefold()
            )
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
        if (
            joined
            and after[:1]
            and (after[0] in _TAKEN or self._named_behind(tag, clause))
            and any(
                t.name.startswith("actions.") and t.end <= tag.start and self._predicate(t, clause)
                for t in self.tags_in(clause)
            )
        ):
            return (
                True  # `refunded the order and sent you a mail`, `and e-mailed Emeka`: no adjective
            )
        if joined and last in _THERE and not {"is", "are", "was", "were"}.isdisjoint(before):
            return True  # `the tariff is in and committed`
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
        if last in AUXILIARIES or " " in text[tag.start : tag.end].strip():
            return True
        if not after or after[0] in FOLLOWERS:
            return True
        gap = text[tag.end : next((a for a, _ in spans if a >= tag.end), clause.end)]
        return "  " in gap  # a masked value or code follows: `pushed a1b2c3`

    def _named_behind(self, tag: Tag, clause: Clause) -> bool:
        """True where a name follows: a word with a capital."""
        text = self.document.masked
        start = next((a for a, _ in self.spans_in(clause) if a >= tag.end), clause.end)
        return text[start : start + 1].isupper() and text[start + 1 : start + 2].islower()

    def _voice(self, tag: Tag, clause: Clause) -> str:
        """Who did it, by the words around the action's word.

        first: the agent says "I"; bare: no subject stands before it (`Sent the mail`); passive: something
        was acted on (`the mail was sent`, `mail sent`); third: something else acted (`the API logged`);
        trailing: a participle that may tell of the noun before it (`£38,400 a year, paid quarterly`);
        habit: a general statement (`alerts are sent once per hour`); other: somebody or something that is
        named did it, and the statement is told of them (`Gwen swapped it and marked it resolved`).
        """
        voice = self._voice_said(tag, clause)
        return "third" if tag.start in self.doubtful and voice in ("passive", "bare") else voice

    def _trails(self, clause: Clause) -> bool:
        """`£38,400 a year, paid quarterly`: behind a comma a participle tells of the noun before it,

        unless the sentence tells of acts.
        """
        if clause.opener not in (",", "("):
            return False
        start, _ = self.document.sentences[clause.sentence]
        low, high = bisect_left(self.tag_starts, start), bisect_left(self.tag_starts, clause.start)
        if high == low:
            return bool(self.document.text[start : clause.start].strip(_MARKS + ",("))
        return not any(
            earlier.name.startswith(("actions.", "state.", "polarity."))
            for earlier in self.closing.tags[low:high]
        )

    def _goes_on(self, clause: Clause) -> bool:
        """`Gwen swapped the cable, marked it resolved and asked you`: who acts stands in the clause before."""
        if self.language != "en" or clause.opener != ",":
            return False
        start, _ = self.document.sentences[clause.sentence]
        return _SUBJECT.match(self.document.text, start, clause.start) is not None

    def _speaks_on(self, clause: Clause) -> bool:
        """`I've refunded it, left a note and e-mailed her`: it is still the speaker who acts."""
        if self.language != "en" or not clause.sentence >= 0:
            return False
        start, _ = self.document.sentences[clause.sentence]
        if start >= clause.start or not (
            clause.opener == "," or _AND.match(self.document.text, clause.start)
        ):
            return False
        return _SPEAKER.match(self.document.text, start, clause.start) is not None

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
        if len(own) >= 2 and (own[0] in ("has", "have", "received") or own[1] == "went"):
            return "passive"  # `dana@example.com has the invite`, `the invite went to her`
        if FIRST.intersection(near) or FIRST.intersection(own):
            return "first"
        if self.language == "en" and (_by_itself(after) or _behind_a_noun(near)):
            return "other"
        if own and self.language in ("es", "pt") and own[-1].endswith(FIRST_ENDINGS):
            return "first"
        if own and "se" not in near and own[-1].endswith(_OTHERS.get(self.language, ("\0",))):
            return "third"  # `el último commit añadió una dependencia`
        if aux & _SECOND.get(self.language, _NOBODY):
            return "third"  # `questa settimana hai registrato 38 ore`
        if aux & _PASSIVE_AUX:
            present = aux & {"is", "are"} and not aux & {"been", "was", "were", "now", "already"}
            return "habit" if present and _HABIT.intersection(after) else "passive"
        subject = [word for word in near if word not in _UNSUBJECT and word not in _ADVERBS]
        hidden = self.document.text[clause.start : tag.start].strip(_MARKS) and not text[
            clause.start : tag.start
        ].strip(_MARKS)
        if not subject and not hidden and self._goes_on(clause):
            return "other"
        if not subject and not hidden and self._speaks_on(clause):
            return "first"
        if not subject and not hidden:
            return "trailing" if self._trails(clause) else "bare"
        if aux & _ACTIVE_AUX:
            return "third"
        if self.language == "en" and (
            (after and after[0] not in FOLLOWERS) or (subject and near[0] in _DETERMINERS)
        ):
            return "third"
        return "passive"


# A name or pronoun and a verb of the past at the head of a sentence; no participle by which the agent tells.
_SUBJECT = regex(
    r"\W{0,4}(?!I\b|We\b|You\b|It\b|Also\b|Then\b|And\b|All\b|Both\b|Now\b|Everything\b)"
    r"(?:She|He|They|Nobody|Somebody|[A-Z][a-z]{2,}(?<!ed)(?: [A-Z][a-z]+)?)"
    r" (?:[a-z]{3,}ed|sent|wrote|took|made|gave|said|put|set|got|had|did|came|went|paid|told|left|kept|met|chose"
    r"|began)\b"
)


_AND = regex(r"\W{0,4}(?:[Aa]nd|[Tt]hen|[Pp]lus)\b")
# ... and the speaker's own, with nobody else named before the clause that goes on.
_SPEAKER = regex(
    r"\W{0,4}(?:\w+, )?(?:I|We)(?:['’]ve| have)?(?: (?:also|then|just|already|now))? "
    r"(?:[a-z]{3,}ed|sent|wrote|took|made|put|set|left|kept|met|chose|began|ran|built|cut|split)\b"
    r"(?:(?! (?:that|saying|asking|telling|about|what|how"
    r"|which|who|because|since|where|when|if|so|but|while|as|he|she|they|it|you) )"
    r"(?:[^.;:!?\n]|\.(?=\d))){0,240}\Z"
)


def _by_itself(after: list[str]) -> bool:
    """`it closed by itself`, `it restarted on its own`."""
    return after[:2] in (["by", "itself"], ["by", "themselves"]) or after[:3] in (
        ["on", "its", "own"],
        ["on", "their", "own"],
    )


def _behind_a_noun(near: list[str]) -> bool:
    """`that explains the 11 drops logged yesterday`: the clause has its verb, the participle tells of its object."""
    return any(
        word in ("the", "a", "an", "these", "those") and len(verb) > 4 and verb.endswith("s")
        for verb, word in pairwise(near[:-1])
    )
