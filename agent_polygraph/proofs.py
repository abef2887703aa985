"""Receipts in a turn: which token of the closing is real, for which call, and beside which claim.

With an issuer every token is decided.  Without one only what the results themselves show can be said:
a token of the same key, newer than the oldest in the turn, that no result carries.
O(tokens x claims + characters).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .binding import STRONG, Turn
from .claims.grammar import Claim
from .claims.text import Clause
from .events import ToolCall
from .evidence.step import Step
from .tokens import Issued, Token


class Shown(NamedTuple):
    """A token of the closing: its receipt, the call it was issued for, and the claims it stands by."""

    token: Token
    issued: Issued | None
    step: Step | None
    claims: tuple[Claim, ...]


class Bad(NamedTuple):
    """A token that proves nothing where it stands: the claim it stands by (or itself), and why."""

    claim: Claim
    token: str
    step: Step | None
    reason: str


def shown(turn: Turn) -> tuple[Shown, ...]:
    """Every token of the closing with what it is."""
    kept = turn.memo.get("proofs.shown")
    if kept is None:
        kept = turn.memo["proofs.shown"] = tuple(_shown(turn, token) for token in turn.tokens)
    assert isinstance(kept, tuple)
    return kept


def _shown(turn: Turn, token: Token) -> Shown:
    issued = turn.issuer.issued(token.text) if turn.issuer is not None else None
    step = next(
        (
            step
            for step in turn.ledger.steps
            if step.receipt == token.text or (issued is not None and step.call_id == issued.call_id)
        ),
        None,
    )
    return Shown(token, issued, step, _beside(turn, token))


def _beside(turn: Turn, token: Token) -> tuple[Claim, ...]:
    """Claims of the token's own sentence, else of the sentence before it on the same line."""
    document = turn.closing.document
    if token.label:
        return ()
    line = document.text.rfind("\n", 0, token.start) + 1
    before = [claim for claim in turn.claims if line <= claim.start < token.start]
    own = next((n for n, (a, b) in enumerate(document.sentences) if a <= token.start < b), None)
    same = [claim for claim in before if claim.clause.sentence == own]
    if not same and before:
        same = [c for c in before if c.clause.sentence == before[-1].clause.sentence]
    return tuple(same)


def proof_of(turn: Turn, step: Step) -> Issued | None:
    """The receipt that vouches for a call with this very result; None where none does."""
    if turn.issuer is None:
        return None
    call = ToolCall(step.call_id, step.name, step.raw_arguments)
    held = [step.receipt] if step.receipt else turn.issuer.tokens_of(step.call_id)
    for token in held:
        if turn.issuer.verify(token, call, step.content):
            return turn.issuer.issued(token)
    return None


def proven(turn: Turn, claim: Claim) -> Shown | None:
    """The token beside a claim that shows it: of a call of this turn that went well and fits."""
    for one in shown(turn):
        if claim in one.claims and one.issued is not None and one.step is not None:
            good = one.issued.outcome == "ok" and proof_of(turn, one.step) == one.issued
            if good and not one.step.outcome.bad and not _misfit(turn, claim, one.step):
                return one
    return None


def mismatched(turn: Turn) -> bool:
    """True when a result carries a receipt of the issuer's that is not for it: it was altered."""
    return turn.issuer is not None and any(
        step.receipt
        and turn.issuer.issued(step.receipt) is not None
        and proof_of(turn, step) is None
        for step in turn.ledger.steps
    )


def bad_tokens(turn: Turn) -> Iterator[Bad]:
    """Tokens that were never issued, or that were issued for another call than the one claimed."""
    for one in shown(turn):
        token = one.token
        # Without an issuer a token that a result carries is as good as issued.
        known = one.issued is not None or (turn.issuer is None and one.step is not None)
        if not known:
            if _never_issued(turn, one):
                yield Bad(_claim_of(turn, one), token.text, None, "was never issued")
        elif one.step is not None:
            reason = _elsewhere(turn, one, one.step)
            if reason:
                yield Bad(_claim_of(turn, one), token.text, one.step, reason)


def _claim_of(turn: Turn, one: Shown) -> Claim:
    plain = [claim for claim in one.claims if claim.plain]
    if plain:
        return plain[-1]
    start, end = one.token.start, one.token.end
    clause = Clause(start, end, -1, "paragraph", False)
    return Claim("output", "", start, end, clause, "asserted")


def _never_issued(turn: Turn, one: Shown) -> bool:
    """True when a token is given as a receipt and is none.

    What a result or the user said may be quoted; as the proof of a claim it has to be real.  An
    abbreviated token is none, and is no forgery either.
    """
    token = one.token
    if not token.whole:
        return False
    if one.claims and not any(claim.plain for claim in one.claims):
        return False
    claimed = bool(token.label) or any(
        claim.plain and (claim.effect in STRONG or claim.kind in ("check", "done"))
        for claim in one.claims
    )
    if turn.ledger.mention(token.text) or any(token.text in text for text in turn.ledger.told):
        return turn.issuer is not None and claimed
    return turn.issuer is not None or _newer(turn, token.text)


def _newer(turn: Turn, token: str) -> bool:
    """True when the results carry receipts of the same key, and older ones: this one would be there."""
    mine = _place(token)
    seen = [_place(step.receipt) for step in turn.ledger.steps if step.receipt]
    return bool(mine[0]) and any(key == mine[0] and number <= mine[1] for key, number in seen)


def _place(token: str) -> tuple[str, int]:
    """(key, number) of a token: what orders the receipts of one scope.  A zc-receipt names no key."""
    if token.startswith("zc-receipt-"):
        return "", int(token.split("-", 3)[2])
    form, key, number, _ = token.split("-", 3)
    return f"{form}-{key}", int(number)


def _elsewhere(turn: Turn, one: Shown, step: Step) -> str:
    """Why a real token is no proof where it stands; "" where it may be one."""
    name = one.issued.tool if one.issued is not None else step.name
    label = one.token.label.casefold()
    if label and label != name.casefold():
        named = {step.name.casefold() for step in turn.ledger.steps} | {
            tool.casefold() for tool in turn.tools or ()
        }
        return f"was issued for `{name}`, not for `{one.token.label}`" if label in named else ""
    others = [other for other in shown(turn) if other.claims == one.claims]
    claims = [claim for claim in one.claims if claim.kind == "action" and claim.effect in STRONG]
    if len(others) > 1 or not claims or not all(claim.plain for claim in one.claims):
        return ""
    if all(_misfit(turn, claim, step) and not _told(turn, claim, step) for claim in claims):
        return f"was issued for `{name}`, which is another call"
    outcome = one.issued.outcome if one.issued is not None else "ok"
    if outcome != "ok" and not turn.disclosures:
        return f"was issued for a call of `{name}` that ended as {outcome}"
    return ""


def _told(turn: Turn, claim: Claim, step: Step) -> bool:
    """True when the claim may tell what the call showed: `was delivered`, and the result says so."""
    if claim.voice in ("first", "bare"):
        return False
    word = turn.closing.document.text[claim.at : claim.at + 40].casefold().split()[:1]
    return not turn.agentive(claim) or bool(
        word and word[0].strip(".,:;*_")[:5] in step.text.casefold()
    )


def _misfit(turn: Turn, claim: Claim, step: Step) -> bool:
    """True when the call can't be what the claim is about."""
    if claim.kind != "action" or claim.effect not in STRONG or "opaque" in step.effects:
        return False
    return not turn.could(step, claim) and bool(step.reads_only or step.effects & STRONG)
