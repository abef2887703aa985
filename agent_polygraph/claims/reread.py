"""Second reading of a clause's tags by the grammar of its language, English apart.

The word tables give every sense of a word; what stands around it takes senses back.  Each law here is
one of grammar, not of wording: an aspect particle is no pre-history, an attribute says nothing of its
clause's verb, a verb of the past takes no future from "tomorrow".  O(tags x words of the clause).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .._lazy import regex
from .lexicon import Tag

Word = tuple[int, int, str]  # start, end, case-folded

BY_CHARACTER = ("zh", "ja", "ko")
# "Already": done by now, unless a verb of the past state stands beside it (`ya estaba`, `war bereits`).
ALREADY = frozenset("ya já già déjà уже bereits schon".split())
_WAS = frozenset(
    "estaba estaban era eran había habían existía existían tenía tenían venía fallaba fallaban"
    " funcionaba"
    " estava estavam havia existia existiam tinha tinham falhava falhavam"
    " esisteva esistevano aveva avevano c'era c'erano falliva fallivano"
    " était étaient avait avaient existait existaient échouait échouaient"
    " был была было были существовал существовала существовало существовали падал падала падали"
    " имелся имелась имелось"
    " war waren hatte hatten bestand bestanden existierte existierten vorher zuvor früher"
    " vorhanden antes prima avant раньше ранее".split()
)
# Prior as an attribute of a noun says nothing of the verb: `the existing tests pass`.
_ATTRIBUTES = frozenset(
    "anterior anteriores previo previa prévio prévia precedente precedenti antérieur antérieure"
    " précédent précédente précédents"
    " früheren vorherigen vorherige vorigen предыдущий предыдущем предыдущая предыдущего прежние"
    " прежний"
    " मौजूदा पूर्व पिछली पिछले पूर्ववर्ती 既存の 既存 従来 기존의 기존 既有 已有的 已存在的".split()
)
# Nouns and adverbs of time: a verb of the past beside them is past (`the courier for tomorrow is ordered`).
_TIMES = frozenset(
    "morgen mañana demain amanhã domani завтра 明日 来週 明天 下周 下週 내일 다음주 कल आगे kommend* próxima".split()
    + ["nächste woche", "la próxima semana", "la semaine prochaine", "na próxima semana", "semana que vem",
       "la prossima settimana", "на следующей неделе", "다음 주", "अगले हफ़्ते", "अगले हफ्ते"]
)  # fmt: skip
_PAST_TIMES = frozenset(
    "어제 지난주 昨日 先週 先日 昨天 上周 上週 gestern ayer hier ontem ieri вчера".split()
) | {"지난 주"}
_TO = frozenset("bis hasta até до तक jusqu'à".split()) | {
    "fino a"
}  # before a number: the end of a range
# A thing that "was stopped" or "broke off" failed; what the agent stopped did not.
_BREAKS = frozenset({"actions.stop", "actions.revert", "actions.return"})
_FIRST_PERSON = frozenset(
    "ich habe wir haben he hemos ho abbiamo j'ai ai eu nós tenho я мы मैंने हमने".split()
)
_ON_CARD = frozenset({"sulla carta", "на карту"})
_TAKEN = (
    "polarity.fail",
    "polarity.unverified",
    "polarity.skipped",
    "polarity.pending",
    "polarity.stub",
    "polarity.neg",
)
_PLAIN_ACTS = ("actions.", "state.done", "state.pass", "state.works")
# What makes an attribute of the word before it, by language; tried where that word ends.
_ADNOMINAL = {
    "zh": regex(r"\s?(?:了)?的(?=\s?[\w\u4e00-\u9fff])"),
    "ja": regex(
        r"(?:している|していた|した|する|される|された|のある|のあった|の|な|い)?(?=[\u4e00-\u9fff\u30a1-\u30faA-Za-z])(?!中|時)"
    ),
    "ko": regex(
        "[\\uac00-\\ud7af]{0,2}(?:되는|된|하는|한|할|던|는|은|의|있는|없는)\\s(?=[\\w\\uac00-\\ud7af])|\\s(?=[\\uac00-\\ud7af]+[을를])"
    ),
    "hi": regex("\\s(?:हुए|हुई|हुआ|वाले|वाली|वाला|गए|के|की|का)\\s"),
}
_INFLECTED = {
    "de": ("e", "en", "er", "es", "em"),
    "ru": (
        "ые",
        "ых",
        "ый",
        "ая",
        "ую",
        "ое",
        "ие",
        "их",
        "ый",
        "ой",
        "ого",
        "ыми",
        "шие",
        "ших",
        "щие",
        "щих",
        "нный",
        "нные",
        "нных",
    ),
}
_COPULAS = frozenset(
    "es son está están era fue fueron sigue siguen queda quedan é são está estão ficou continua"
    " continuam foi foram è sono resta"
    " restano rimane est sont reste restent était a ont ist sind bleibt bleiben war waren wurde"
    " wurden остаётся остаются был была были".split()
)
_OF = frozenset("de di da do del della des du von vom for d'".split())
_NAMED = ("es", "fr", "it", "pt", "ru")  # languages where a capital inside a sentence marks a name


def reread(
    tags: list[Tag], words: Sequence[Word], text: str, language: str
) -> tuple[list[Tag], set[int]]:
    """(the tags that stand, where an action's word may as well be a word of failure)."""
    gone: set[Tag] = set()
    doubtful: set[int] = set()
    acts = [tag for tag in tags if tag.name.startswith("actions.")]
    for tag in tags:
        if not tag.name.startswith(("polarity.", "scope.part")):
            continue
        own = text[tag.start : tag.end].casefold().replace("’", "'")
        if tag.name == "polarity.prior":
            if (
                own in _ATTRIBUTES
                or (own in ALREADY and not _past_state(tag, words))
                or _of_noun(tag, own, text, language)
            ):
                gone.add(tag)
            elif own.endswith(" main") and not any(t.name == "polarity.fail" for t in tags):
                gone.add(tag)  # a branch, not a time
        elif tag.name == "polarity.unverified" and own in _ON_CARD:
            if any(act.name in ("actions.refund", "actions.pay") for act in acts):
                gone.add(tag)
        elif tag.name == "polarity.future":
            if (own in _TIMES and any(t.name.startswith(_PLAIN_ACTS) for t in tags)) or _within(
                tag, tags, _PLAIN_ACTS
            ):
                gone.add(tag)
        elif tag.name in ("polarity.cond", "scope.part") and own in _TO:
            if text[tag.end : tag.end + 2].strip()[:1].isdigit() or own in ("до", "तक"):
                gone.add(tag)
        elif tag.name == "polarity.cond" and own == "appena":
            if any(
                word in _FIRST_PERSON or word in ("ha", "hanno", "è", "sono")
                for _, end, word in words
                if end == tag.start - 1
            ):
                gone.add(tag)  # `ho appena spedito`: just now
        if language in ("ja", "ko") and any(act.start < tag.start < act.end for act in acts):
            gone.add(tag)  # the tail of a longer word: 시작했습니다 in 재시작했습니다
        if tag.name == "polarity.fail":
            same = [act for act in acts if act.start <= tag.start and tag.end <= act.end]
            if same and (
                same[0].name not in _BREAKS
                or _FIRST_PERSON.intersection(word for _, _, word in words)
            ):
                gone.add(tag)
                doubtful.update(act.start for act in same)
        if (tag.name in _TAKEN and _is_name(tag, text, language)) or (
            tag.name in _TAKEN and _attribute(tag, tags, words, text, language)
        ):
            gone.add(tag)
    for act in acts:
        if any(start < act.start and word in ALREADY for start, _, word in _near(act, words, 3)):
            doubtful.add(act.start)
    if not gone:
        return tags, doubtful
    return [tag for tag in tags if tag not in gone], doubtful


def _near(tag: Tag, words: Sequence[Word], reach: int) -> Iterator[Word]:
    before = [word for word in words if word[1] <= tag.start][-reach:]
    after = [word for word in words if word[0] >= tag.end][:reach]
    yield from before
    yield from after


def _past_state(tag: Tag, words: Sequence[Word]) -> bool:
    return any(word in _WAS for _, _, word in _near(tag, words, 2))


def _of_noun(tag: Tag, own: str, text: str, language: str) -> bool:
    """`先週の注文`, `지난주 주문은`, `昨天的订单`: the time of a thing, not of the deed."""
    if own not in _PAST_TIMES:
        return False
    ahead = text[tag.end : tag.end + 12]
    if language == "ko":
        return bool(_KO_NOUN.match(ahead))
    return ahead[:1] in ("の", "的", "의")


_KO_NOUN = regex("의?\\s[\\uac00-\\ud7af]{1,4}(?:\\([^()]{1,12}\\))?[은는이가]\\s")


def _within(tag: Tag, tags: Sequence[Tag], prefixes: tuple[str, ...]) -> bool:
    """True when a longer tag of a group covers this one."""
    return any(
        other.name.startswith(prefixes)
        and other.start <= tag.start
        and tag.end <= other.end
        and other.end - other.start > tag.end - tag.start
        for other in tags
    )


def _is_name(tag: Tag, text: str, language: str) -> bool:
    """`Officine Rossi`: a capital inside a sentence."""
    own = text[tag.start : tag.end]
    ahead = text[max(0, tag.start - 2) : tag.start]
    return (
        language in _NAMED
        and own[:1].isupper()
        and not own.isupper()
        and ahead[-1:] == " "
        and ahead[:1].isalpha()
    )


def _attribute(
    tag: Tag, tags: Sequence[Tag], words: Sequence[Word], text: str, language: str
) -> bool:
    """`未読メールを確認しました`, `die fehlgeschlagenen Tests repariert`: an attribute of what was acted on."""
    if not any(
        t.name.startswith("actions.") and (t.end <= tag.start or t.start >= tag.end) for t in tags
    ):
        return False
    if tag.name == "polarity.neg" and language not in ("ja", "ko"):
        return False
    later = any(t.name.startswith("actions.") and t.start >= tag.end for t in tags)
    pattern = _ADNOMINAL.get(language)
    if pattern is not None:
        return later and bool(pattern.match(text, tag.end))
    following = next((word for start, _, word in words if start >= tag.end), "")
    own = text[tag.start : tag.end].casefold()
    endings = _INFLECTED.get(language)
    if endings is not None:
        return (
            " " not in own
            and own.endswith(endings)
            and len(own) > 5
            and following.isalpha()
            and later
        )
    before = [word for _, end, word in words if end <= tag.start]
    if (
        " " in own
        or not before
        or before[-1] in _COPULAS
        or following in _OF
        or any(word in _COPULAS for word in before[-3:])
    ):
        return False
    noun = any(
        t.name.startswith(("objects.", "checks.")) and 0 <= tag.start - t.end <= 1 for t in tags
    )
    return noun and own.endswith(("o", "a", "os", "as", "e", "es", "i", "s"))
