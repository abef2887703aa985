"""Second reading of a clause's tags by the grammar of its language, English apart.

The word tables give every sense of a word; what stands around it takes senses back.  Each law here is
one of grammar, not of wording: an aspect particle is no pre-history, an attribute says nothing of its
clause's verb, a verb of the past takes no future from "tomorrow".  O(tags x words of the clause).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from .._lazy import regex
from .lexicon import BY_CHARACTER, Tag, inside

Word = tuple[int, int, str]  # start, end, case-folded

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
# "Just now" is in this turn.
_JUST_NOW = frozenset(
    {
        "há pouco",
        "poco fa",
        "hace poco",
        "hace un rato",
        "hace un momento",
        "방금",
        "刚才",
        "剛才",
        "только что",
        "soeben",
        "gerade eben",
    }
)
# Nouns and adverbs of time: a verb of the past beside them is past (`the courier for tomorrow is ordered`).
_TIMES = frozenset(
    (
        *"morgen mañana demain amanhã domani завтра 明日 来週 明天 下周 下週 내일 다음주 कल आगे próxima".split(),
        *("nächste woche", "la próxima semana", "la semaine prochaine", "na próxima semana"),
        *("semana que vem", "la prossima settimana", "на следующей неделе", "다음 주"),
        *("अगले हफ़्ते", "अगले हफ्ते"),
    )
)
_PAST_TIMES = frozenset(
    "어제 지난주 昨日 先週 先日 昨天 上周 上週 gestern ayer hier ontem ieri вчера".split()
) | {"지난 주", "पिछले हफ़्ते", "पिछले हफ्ते", "पिछले", "पिछली"}
_TO = frozenset("bis hasta até до तक jusqu'à".split()) | {
    "fino a"
}  # before a number: the end of a range
# A thing that "was stopped" or "broke off" failed; what the agent stopped did not.
_BREAKS = frozenset({"actions.stop", "actions.revert", "actions.return"})
_FIRST_PERSON = frozenset(
    "ich habe wir haben he hemos ho abbiamo j'ai ai eu nós tenho я мы मैंने हमने".split()
)
_YOU = frozenset({"आपको", "आप"})
_ON_CARD = frozenset({"sulla carta", "на карту"})
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
    " restano rimane est sont reste restent était a ont ist sind bleibt bleiben war waren wurde wurden"
    " остаётся остаются был была были".split()
)
_OF = frozenset("de di da do del della des du von vom for d'".split())
_SOON_KO = frozenset("이제 지금부터 바로 먼저 우선 제가".split()) | {"지금 바로"}
_WILL_KO = regex("겠|할게|볼게|드릴게|하려|할까|시작합")
_NAMED = ("es", "fr", "it", "pt", "ru")  # languages where a capital inside a sentence marks a name


_MENTIONED_ZH = regex(
    "(?:提到|提及|说|說|讲|講|列|指出|发现|發現|要求|反馈|反饋|报告|報告)(?:过|過)?的"
)
_KO_NOUN = regex("의?\\s[\\uac00-\\ud7af]{1,4}(?:\\([^()]{1,12}\\))?[은는이가]\\s")
_APPOINTMENTS = ("objects.meeting", "objects.ticket", "objects.order")


_MOST = 400  # tags of one clause; more is no prose, and the laws compare tags with each other


class _Clause(NamedTuple):
    """What the laws look at."""

    tags: Sequence[Tag]
    acts: Sequence[Tag]
    words: Sequence[Word]
    text: str
    language: str


Law = Callable[[Tag, str, _Clause], bool]


def reread(
    tags: list[Tag], words: Sequence[Word], text: str, language: str
) -> tuple[list[Tag], set[int]]:
    """(the tags that stand, where an action's word may as well be a word of failure)."""
    if len(tags) > _MOST:
        return tags, set()
    acts = [tag for tag in tags if tag.name.startswith("actions.")]
    clause = _Clause(tags, acts, words, text, language)
    gone: set[Tag] = set()
    doubtful: set[int] = set()
    for tag in tags:
        laws = _LAWS.get(tag.name)
        if laws is None:
            continue
        own = text[tag.start : tag.end].casefold().replace("’", "'")
        if any(law(tag, own, clause) for law in laws):
            gone.add(tag)
        if tag.name == "polarity.fail":
            same = _same_word(tag, clause)
            if same:
                gone.add(tag)
                doubtful.update(act.start for act in same)
    for act in acts:
        if any(start < act.start and word in ALREADY for start, _, word in _near(act, words, 3)):
            doubtful.add(act.start)
    return ([tag for tag in tags if tag not in gone] if gone else tags), doubtful


def _near(tag: Tag, words: Sequence[Word], reach: int) -> Iterator[Word]:
    """The words on both sides of the tag."""
    low, high = _sides(tag, words)
    yield from words[max(0, low - reach) : low]
    yield from words[high : high + reach]


def _sides(tag: Tag, words: Sequence[Word]) -> tuple[int, int]:
    """How many words end before the tag; where those behind it begin."""
    low = bisect_right(words, tag.start, key=lambda word: word[1])
    return low, bisect_left(words, tag.end, lo=low, key=lambda word: word[0])


def _same_word(tag: Tag, clause: _Clause) -> list[Tag]:
    """`gesperrt`, `bloqueado`, `रद्द`: the acts whose very word is the word of failure."""
    same = [act for act in clause.acts if act.start <= tag.start and tag.end <= act.end]
    if not same or same[0].name not in _BREAKS:
        return same
    mine = _FIRST_PERSON.intersection(word for _, _, word in clause.words)
    return same if mine else []


# --- laws: (tag, its words, clause) -> the tag is taken back ------------------------------------


def _aspect(tag: Tag, own: str, clause: _Clause) -> bool:
    """`ya está enviado`, `hace un rato`: done by now, in this turn; `ya estaba` is of before."""
    if own in _ATTRIBUTES or own in _JUST_NOW:
        return True
    return own in ALREADY and not any(w in _WAS for _, _, w in _near(tag, clause.words, 2))


def _of_noun(tag: Tag, own: str, clause: _Clause) -> bool:
    """`先週の注文`, `지난주 주문은`, `昨天的订单`: the time of a thing, not of the deed."""
    text, language = clause.text, clause.language
    if language == "zh" and _MENTIONED_ZH.match(text, tag.end):
        return True
    if own not in _PAST_TIMES:
        return False
    ahead = text[tag.end : tag.end + 12]
    if language == "ko":
        return bool(_KO_NOUN.match(ahead))
    if language == "hi":
        return ahead.split()[:1] in (["की"], ["के"], ["का"])
    return ahead[:1] in ("の", "的", "의")


def _branch(tag: Tag, own: str, clause: _Clause) -> bool:
    """`в main`: a branch, not a time."""
    return own.endswith(" main") and not any(t.name == "polarity.fail" for t in clause.tags)


def _dative(tag: Tag, own: str, clause: _Clause) -> bool:
    """`आपको मेल कर दी`: to whom it was done, no request."""
    return own in _YOU and any(act.start > tag.start for act in clause.acts)


def _appointment(tag: Tag, own: str, clause: _Clause) -> bool:
    """Spanish `cita` is a meeting before it is a quotation."""
    return any(
        t.name in _APPOINTMENTS and (t.start, t.end) == (tag.start, tag.end) for t in clause.tags
    )


def _on_card(tag: Tag, own: str, clause: _Clause) -> bool:
    """`sulla carta`: on the card that was paid back to, not on paper."""
    paid = ("actions.refund", "actions.pay")
    return own in _ON_CARD and any(act.name in paid for act in clause.acts)


def _time(tag: Tag, own: str, clause: _Clause) -> bool:
    """`der Kurier für morgen ist bestellt`: a verb of the past takes no future from its time."""
    return own in _TIMES and any(t.name.startswith(_PLAIN_ACTS) for t in clause.tags)


def _part_of_verb(tag: Tag, own: str, clause: _Clause) -> bool:
    """`します` in `動作します`."""
    return inside(tag, clause.tags, _PLAIN_ACTS)


def _glued_part(tag: Tag, own: str, clause: _Clause) -> bool:
    return clause.language in BY_CHARACTER and inside(tag, clause.tags, _PLAIN_ACTS)


def _range(tag: Tag, own: str, clause: _Clause) -> bool:
    """`14. bis 16. Mai`: "to" before a number."""
    number = clause.text[tag.end : tag.end + 2].strip()[:1].isdigit()
    return own in _TO and (number or own in ("до", "तक"))


def _just(tag: Tag, own: str, clause: _Clause) -> bool:
    """`ho appena spedito`: just now; `appena spedisco`: as soon as."""
    low, _ = _sides(tag, clause.words)
    before = {word for _, _, word in clause.words[max(0, low - 1) : low]}
    return own == "appena" and bool(before & (_FIRST_PERSON | {"ha", "hanno", "è", "sono"}))


def _by_now(tag: Tag, own: str, clause: _Clause) -> bool:
    """`이제` is "by now" where nobody says "I will"."""
    if clause.language != "ko" or own not in _SOON_KO or not clause.words:
        return False
    return not _WILL_KO.search(clause.text, clause.words[0][0], clause.words[-1][1])


def _tail(tag: Tag, own: str, clause: _Clause) -> bool:
    """`시작했습니다` in `재시작했습니다`: the tail of a longer word."""
    return clause.language in ("ja", "ko") and any(
        act.start < tag.start < act.end for act in clause.acts
    )


def _name(tag: Tag, own: str, clause: _Clause) -> bool:
    """`Officine Rossi`: a capital inside a sentence."""
    text = clause.text
    word = text[tag.start : tag.end]
    ahead = text[max(0, tag.start - 2) : tag.start]
    inside = ahead[-1:] == " " and ahead[:1].isalpha()
    return clause.language in _NAMED and inside and word[:1].isupper() and not word.isupper()


def _attribute(tag: Tag, own: str, clause: _Clause) -> bool:
    """`未読メールを確認しました`, `die fehlgeschlagenen Tests repariert`: of what was acted on."""
    language, words = clause.language, clause.words
    if tag.name == "polarity.neg" and language not in ("ja", "ko"):
        return False
    later = any(act.start >= tag.end for act in clause.acts)
    if not later and not any(act.end <= tag.start for act in clause.acts):
        return False
    pattern = _ADNOMINAL.get(language)
    if pattern is not None:
        return later and bool(pattern.match(clause.text, tag.end))
    low, high = _sides(tag, words)
    following = words[high][2] if high < len(words) else ""
    endings = _INFLECTED.get(language)
    if endings is not None:
        one = " " not in own and len(own) > 5
        return later and one and own.endswith(endings) and following.isalpha()
    before = [word for _, _, word in words[max(0, low - 3) : low]]
    if " " in own or not before or _COPULAS.intersection(before) or following in _OF:
        return False
    noun = any(
        t.name.startswith(("objects.", "checks.")) and 0 <= tag.start - t.end <= 1
        for t in clause.tags
    )
    return noun and own.endswith(("o", "a", "os", "as", "e", "es", "i", "s"))


_LAWS: dict[str, tuple[Law, ...]] = {
    "polarity.prior": (_aspect, _of_noun, _branch, _tail),
    "polarity.future": (_time, _part_of_verb, _tail),
    "polarity.request": (_dative, _glued_part, _tail),
    "polarity.intent": (_by_now, _glued_part, _tail),
    "polarity.cond": (_range, _just, _glued_part, _tail),
    "polarity.attributed": (_appointment, _tail),
    "polarity.hedge": (_tail,),
    "polarity.unverified": (_on_card, _name, _attribute, _tail),
    "polarity.fail": (_name, _attribute, _tail),
    "polarity.skipped": (_name, _attribute, _tail),
    "polarity.pending": (_name, _attribute, _tail),
    "polarity.stub": (_name, _attribute, _tail),
    "polarity.neg": (_name, _attribute, _tail),
    "polarity.vague": (_tail,),
    "polarity.excuse": (_tail,),
    "scope.part": (_range, _tail),
}
