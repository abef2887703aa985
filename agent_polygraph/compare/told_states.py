"""The state that the closing gives a numbered thing, beside the one that the last look at it shows.

`TR-802 is approved`, where the last answer has `{"id": "TR-802", "status": "SUBMITTED"}`.  Only clauses that
name one such thing and one state are read, and only states that exclude each other.
O(records of the turn + characters of the closing).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import regex
from ..binding import Turn
from ..evidence.outcomes import is_state_key
from ..evidence.records import words_of_key
from ..evidence.step import Step
from .codes import stated_at
from .mismatch import Mismatch

_LAST = 60  # looks that are read
_ID = regex(r"(?=[^\W_]*[^\W\d_]|\d{4})(?=\D*\d)[\w#][\w/.-]{2,30}\Z")
_NAME = regex(r"[A-Za-z0-9_#][A-Za-z0-9_/.-]{2,30}")  # ... in a text
_ID_KEYS = frozenset("id key number no ref reference code name invoice order ticket sku".split())
# What is told: the words for it, and the states of a record that exclude it.
_OPEN = "requested submitted draft"
_REVIEW = "in_review under_review pending_review pending_approval awaiting_approval rejected declined denied"
_TOLD: tuple[tuple[str, str], ...] = (
    (
        r"approved|genehmigt|freigegeben|aprobad[oa]s?|aprovad[oa]s?|approuvée?s?|approvat[oaie]|承認(?:済み|されま)"
        r"|已(?:批准|审批)|승인(?:됨|되었|완료)",
        f"{_OPEN} {_REVIEW}",
    ),
    (
        r"paid|bezahlt|beglichen|pagad[oa]s?|payée?s?|pagat[oaie]|已(?:付款|支付)|支払い済み|결제(?:됨|되었|완료)",
        "unpaid overdue past_due outstanding not_paid",
    ),
    (
        r"shipped|dispatched|versandt|verschickt|enviad[oa]s?|expédiée?s?|spedit[oaie]|发货了?|発送(?:済み|されま)|발송(?:됨|되었|완료)",
        "processing preparing packing packed label_created backordered unfulfilled on_hold cancelled"
        " awaiting_pickup awaiting_shipment ready_to_ship not_shipped",
    ),
    (
        r"delivered|zugestellt|geliefert|entregad[oa]s?|livrée?s?|consegnat[oaie]|配達(?:済み|されま)|已送达|배송(?:됨|되었|완료)",
        "in_transit shipped out_for_delivery processing lost exception bounced undelivered delayed"
        " ready_to_ship awaiting_shipment",
    ),
    (
        r"closed|resolved|geschlossen|gelöst|cerrad[oa]s?|resuelt[oa]s?|fermée?s?|résolue?s?|chius[oaie]|risolt[oaie]"
        r"|fechad[oa]s?|已(?:关闭|解决)|クローズ(?:済み|されま)",
        "new open pending in_progress reopened waiting triage todo backlog unresolved",
    ),
    (
        r"cancell?ed|storniert|gekündigt|cancelad[oa]s?|annulée?s?|annullat[oaie]|取消(?:了|済み)|キャンセル(?:済み|されま)|취소(?:됨|되었)",
        "active open confirmed booked scheduled running trialing",
    ),
    (
        r"confirmed|bestätigt|confirmad[oa]s?|confirmée?s?|confermat[oaie]|已确认|確認済み|확정(?:됨|되었)",
        "pending tentative requested unconfirmed waitlisted draft submitted provisional awaiting_confirmation",
    ),
    (r"merged|gemergt|fusionad[oa]s?|fusionnée?s?|マージ(?:済み|されま)|已合并", "open draft"),
    (
        r"published|veröffentlicht|publicad[oa]s?|publiée?s?|pubblicat[oaie]|公開(?:済み|されま)|已发布",
        "draft unpublished scheduled pending in_review archived",
    ),
    (
        r"refunded|erstattet|reembolsad[oa]s?|remboursée?s?|rimborsat[oaie]|返金(?:済み|されま)|已退款|환불(?:됨|되었)",
        f"pending requested processing declined denied {_REVIEW}",
    ),
    (
        r"(?:has |have )?(?:finished|completed|succeeded)|abgeschlossen|completad[oa]s?|terminad[oa]s?"
        r"|terminée?s?|completat[oaie]|concluíd[oa]s?|已完成|完了(?:済み|しま)|완료(?:됨|되었)",
        "queued pending running in_progress processing scheduled failed aborted cancelled",
    ),
)
_WORDS = tuple(
    (regex(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE), frozenset(states.split()))
    for words, states in _TOLD
)
_ANY = regex("|".join(words for words, _ in _TOLD), re.IGNORECASE)
# It was so once, it is to be so, it is asked whether it is so; what is done to it is no state of its own.
_NOT_NOW = regex(
    r"\b(?:until|once|when|before|after|if|unless|whether|to be|not yet|will be|would be|can be|should be|was to"
    r"|partly|partially|wird|werden|sobald|wenn|falls|teilweise|será|cuando|quand|lorsque|sera|quando|sarà|has to"
    r"|needs to|must|not|n['’]t|never|no|nicht|kein\w*|pas|non|não|sin|half)\b",
    re.IGNORECASE,
)


def told_states(turn: Turn) -> Iterator[Mismatch]:
    """The first state that the last look at the thing denies."""
    document = turn.closing.document
    if _ANY.search(document.text) is None:
        return
    shown = _states(turn)
    low = document.text.casefold()
    for clause in document.clauses if shown else ():
        text = document.text[clause.start : clause.end]
        ids = sorted({name.rstrip(".") for name in _NAME.findall(text)} & shown.keys())
        if len(ids) != 1 or clause.question:
            continue
        step, key, state = shown[ids[0]]
        for pattern, against in _WORDS:
            said = pattern.search(text)
            if said is None or _normal(state) not in against or state.casefold() in low:
                continue
            between = text[text.find(ids[0]) + len(ids[0]) : said.start()]
            if said.start() < text.find(ids[0]) or not _IS.fullmatch(between):
                continue
            if _NOT_NOW.search(text) or _BEFORE_IT.search(text[said.end() :]):
                continue
            claim = stated_at(turn, clause.start + said.start())
            if claim is not None:
                yield Mismatch(
                    claim, step, f"{ids[0]} {said.group()}", state, f"{ids[0]} {key}: {state}"
                )
                return


# What may stand between the thing and its state.
_IS = regex(
    r"[\s`*_)\]:|,.–—-]*(?:(?:is|was|are|were|has|have|had|been|got|now|in|and|already|still|fully|also|ist|wurde|sind|est|a|été"
    r"|está|fue|ha|sido|è|stato|stata|foi|já|ya|jetzt|bereits|schon|déjà|maintenant|ahora|adesso|agora|status|state|seit"
    r"|は|が|已|이|가)[\s`*_:|,.–—-]*){0,6}",
    re.IGNORECASE,
)
# `approved by Kim in March, then sent back`: what came after is told too.
_BEFORE_IT = regex(
    r"\A (?:by|through|via|von|durch|por|par|da)\b|\b(?:then|later|but|aber|dann|pero|mais|ma|mas)\b",
    re.IGNORECASE,
)


def _normal(state: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[ -]", "_", state.strip()).casefold()


def _states(turn: Turn) -> dict[str, tuple[Step, str, str]]:
    """Id -> (look, key, state) of the last look at each record; none for what was acted on behind it."""
    found: dict[str, tuple[Step, str, str]] = {}
    for step in turn.ledger.acts[-_LAST:]:
        if step.outcome.bad or step.result is None or step.json is None:
            continue
        for record in step.records:
            state = [(key, text) for key, text in record.strings if is_state_key(key.lower())]
            ids = [
                text
                for key, text in record.strings
                if words_of_key(key) & _ID_KEYS and _ID.match(text)
            ]
            for name in ids[:2]:
                found.pop(name, None)
                if len(state) == 1:
                    found[name] = (step, *state[0])
        if not step.reads_only:
            given = step.folded_arguments
            for name in [n for n in found if n.casefold() in given and found[n][0] is not step]:
                del found[name]
    return found
