"""Somebody else's yes: `Dana has accepted` over `"responseStatus": "needsAction"`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from .._lazy import regex
from ..binding import Turn
from ..binding.words import PIECES, stem
from ..claims.grammar import Claim
from ..evidence import outcomes
from ..evidence.step import Step
from .codes import stated_at

_MOST = 20  # told yeses that are looked up


class Unasked(NamedTuple):
    """A yes that is told, the call whose answer waits for it, and the words of the answer."""

    claim: Claim
    step: Step
    quote: str


def consented(turn: Turn) -> Iterator[Unasked]:
    """A yes about the last thing that waits for one, where no result, mail or message has a yes."""
    text = turn.closing.document.text
    told = list(islice(_YES.finditer(text), _MOST))
    if not told or any(d.kind == "pending" and not d.vague for d in turn.disclosures):
        return
    waits = [
        (step, quote)
        for step in turn.ledger.acts
        if (not step.reads_only or _names(step, text)) and (quote := _waits(step))
    ]
    if not waits:
        return
    step, quote = waits[-1]
    if _heard(turn, step):
        return
    for hit in told:
        claim = stated_at(turn, hit.end() - 1, already=True)
        if claim is None or _NOT_SO.search(text, claim.start, hit.end()):
            continue
        sentences = turn.closing.document.sentences
        end = sentences[claim.clause.sentence][1]
        # `von K. Wolff genehmigt` is no end of a sentence
        start = max((first for first, _ in sentences if first <= hit.start()), default=0)
        tags = turn.closing.tags_in(start, end)
        if any(tag.name.startswith("polarity.neg") for tag in tags):
            continue
        told_of = text[start:end].replace(hit.group().split()[-1], "")
        if not _EARLIER.search(told_of) and _speaks_of(step, told_of):
            yield Unasked(claim, step, quote)
            return


def _heard(turn: Turn, asked: Step) -> bool:
    """True when anything says yes, or people's words were read, which have many ways to say it.

    What an earlier look shows of the very thing that is asked for again is no yes to that.
    """
    if any(step.reads_only and not _TALK.isdisjoint(step.words) for step in turn.ledger.acts):
        return True
    said = [turn.task, *turn.ledger.told]
    said += [
        value
        for step in turn.ledger.steps
        if step.order >= asked.order or not _of_one_thing(step, asked)
        for value in _values(step)
    ]
    return any(_ANY_YES.search(value) for value in said)


def _of_one_thing(look: Step, asked: Step) -> bool:
    """True for a look that shows the id which the asking call was given."""
    given = {
        text for key, text in asked.argument_leaves[:40] if key.endswith("id") and len(text) >= 4
    }
    return any(text in given for _, text in look.result_leaves[:400])


def _waits(step: Step) -> str:
    """`responseStatus: needsAction`, as the answer of a call has it."""
    if step.control or step.outcome.bad or step.json is None:
        return ""
    for key, text in step.result_leaves[:200]:
        if len(text) <= 60 and (key.endswith(_STEPS) or outcomes.is_state_key(key)):
            if outcomes.state_kind(text) == outcomes.PENDING or text.casefold() in _HANDED_IN:
                return f"{key}: {text}"
    return ""


def _names(step: Step, text: str) -> bool:
    """True for a look at one thing that the closing names by its number."""
    ids = [value for _, value in step.result_leaves[:100] if _ID.fullmatch(value)]
    return len(step.result_leaves) <= 40 and any(value in text for value in ids)


def _speaks_of(step: Step, sentence: str) -> bool:
    """True where the sentence has a word of the call or of its answer: a name, a key, a number."""
    known = PIECES.findall(
        f"{' '.join(step.words)} {step.argument_text} {step.text[:4_000]}".casefold()
    )
    if _THEY.search(sentence):
        return True
    said = {
        stem(word)
        for word in PIECES.findall(sentence.casefold())
        if len(word) >= 4 or word.isdigit()
    }
    return not said.isdisjoint(map(stem, known))


_THEY = regex(r"\b(?:[Ss]he|[Hh]e|[Tt]hey)\b")


def _values(step: Step) -> list[str]:
    if step.json is None:
        return [step.body[:20_000]]
    return [text for _, text in step.result_leaves[:400]]


_ID = regex(r"(?=\S*\d)[A-Z]{1,6}[-_]?\d[\w-]{1,20}")
_STEPS = ("step", "stage")
# Handed in, and nothing yet said to it.
_HANDED_IN = frozenset(
    "submitted requested invited proposed tentative eingereicht beantragt soumise soumis solicitado"
    " solicitada presentado presentada enviada inoltrata inviata 已提交 申請中 제출됨".split()
)
_TALK = frozenset(
    "mail mails email emails message messages inbox thread threads chat slack comment comments doc docs"
    " document page note notes transcript history".split()
)
# The agent's own yes, or the user's; one that is still to come.
_NOT_SO = regex(
    r"\b(?:I|I've|I’ve|we|you|you've|ich|du|Sie|yo|je|j['’]ai|vous|eu|você|io|tu|я|вы)\b[^.;,\n]*\Z"
)
# Told of another time, of a condition, or of a machine's yes.
_EARLIER = regex(
    r"\b(?:last|ago|yesterday|earlier|previous\w*|back in|usually|always|every|on average|within|as|after|once|when"
    r"|until|if|before|portal|system|server|api|card|letzte\w*|gestern|früher|nachdem|sobald|wenn|falls|karte"
    r"|ayer|pasad[oa]|después|cuando|sistema|hier|derni[eè]re?|après|une fois|quand|système|ontem|depois|quando"
    r"|ieri|dopo|вчера|раньше)\b",
    re.IGNORECASE,
)
# A yes as a finished act: `has accepted`, `ist genehmigt`, `a été validée`; not `accepted formats`.
_YES = regex(
    r"\b(?:has|have|'s|’s|was|were|been)(?: \w+){0,2} (?:accepted|approved|signed off|greenlit)\b"
    r"|\b(?:ist|sind|wurden?|hat|haben)(?: [\w.]+){0,6} "
    r"(?:genehmigt|bewilligt|freigegeben|zugesagt|angenommen|zugestimmt)\b(?! (?:werden|haben|sein))"
    r"|\b(?:ha|han|ha sido|fue|fueron|está|están|quedó)(?: \w+)? \*{0,2}(?:aprobad|aceptad)[oa]s?\b"
    r"|\b(?:aprobó|aprobaron|aceptó|aceptaron|aprovou|aprovaram|aceitou|aceitaram)\b"
    r"|\b(?:a|ont|est|sont)(?: été)?(?: \w+)? (?:approuvée?s?|acceptée?s?|validée?s?) par\b"
    r"|\b(?:foi|foram|está|estão|tem)(?: \w+)? (?:aprovad|aceit)[oa]s?\b"
    r"|\b(?:ha|hanno|è|sono|è stat[oa])(?: \w+)? (?:approvat|accettat)[oaie]\b"
    r"|\b(?:одобрил\w?|согласовал\w?|согласил(?:ся|ась|ись)|одобрен[аоы]?)\b"
    r"|承認(?:され(?:た|まし|て)|済|いただ|が(?:下|お)り)|承諾(?:され|いただ)|(?:已|获得?)(?:批准|接受|同意)|审批通过"
    r"|승인(?:되었|됐|받았|완료)|수락(?:했|하셨)",
    re.IGNORECASE,
)
# The word in whatever form, as a result has it.
_ANY_YES = regex(
    r"accepted|approved|signed[ _]off|greenlit|genehmigt|bewilligt|freigegeben|zugesagt|angenommen|zugestimmt"
    r"|aprobad|aprobó|aceptad|aceptó|aprovad|aprovou|aceit[aoe]|accettat|approvat|approuvé|accepté|validé"
    r"|одобр|соглас[ио]|承認(?:済|され|いた)|承諾|已?批准|接受|同意|通过|승인(?:되|됐|완|함)|수락"
    r"|\byes\b|\b(?:ok(?:ay)?|fine) with\b|\bsays? (?:it's )?(?:ok|fine)\b",
    re.IGNORECASE,
)
