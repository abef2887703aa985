"""The ledger of a verdict: claims and findings, as `verify` reached them, laid beside the calls.

Nothing is detected here: each claim has its status, each finding its check, and this module files them.
O(claims + findings + steps).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .evidence.ledger import Ledger
from .evidence.step import Step
from .verdict import CallRef, ClaimLedger, ClaimStatus, Finding, LedgerEntry, Verdict

# How a check says that a claim fell short, in the words of a ledger.  Where the calls that decide
# failed or never answered, that is the reason whatever the check.
_REASON = {
    "error_concealment": "tool_failed",
    "failed_check_claimed_passing": "tool_failed",
    "pending_claimed_done": "dangling",
    "dangling_call": "dangling",
    "value_mismatch": "args_mismatch",
    "wrong_count": "args_mismatch",
    "readback_disagrees": "args_mismatch",
    "completion_vs_evidence": "args_mismatch",
    "narrowed_check": "args_mismatch",
    "test_tampering": "args_mismatch",
}

# Statuses that a finding gives a claim.
_HELD = frozenset({"contradicted", "incomplete", "unsupported"})


def account(
    ledger: Ledger,
    claims: Iterable[ClaimStatus],
    findings: Iterable[tuple[Finding, Sequence[Step]]],
    unreported: Iterable[Step],
) -> ClaimLedger:
    """File every claim once, in the order of the closing, and every call nobody mentioned."""
    at = {step.index: step for step in ledger.steps}
    at |= {step.result_index: step for step in ledger.steps if step.result_index is not None}
    confirmed: list[LedgerEntry] = []
    never: list[LedgerEntry] = []
    unmatched: list[LedgerEntry] = []
    kinds = {(claim.quote.start, claim.quote.end): claim.kind for claim in claims}
    told: set[tuple[int, int]] = set()
    for finding, steps in findings:
        quote = finding.claim
        place = (quote.start, quote.end) if quote else (-1, -1)
        if place in told:
            continue
        told.add(place)
        deciding = steps[-1] if steps else None
        never.append(
            LedgerEntry(
                quote,
                kinds.get(place, ""),
                _call(deciding),
                _reason(finding.check, deciding),
                finding.check,
                finding.detail,
                finding.grade,
            )
        )
    for claim in claims:
        if claim.status in _HELD and (claim.quote.start, claim.quote.end) in told:
            continue  # its finding is filed; another act in the same clause is not
        step = next((at[event.index] for event in claim.events if event.index in at), None)
        good = claim.status == "supported"
        reason = "" if good else claim.status
        (confirmed if good else unmatched).append(
            LedgerEntry(claim.quote, claim.kind, _call(step), reason, "", claim.reason, claim.grade)
        )
    return ClaimLedger(
        tuple(confirmed),
        tuple(sorted(never, key=lambda entry: entry.claim.start if entry.claim else -1)),
        tuple(unmatched),
        (),
        tuple(LedgerEntry(call=_call(step), grade=step.outcome.grade) for step in unreported),
    )


def _reason(check: str, step: Step | None) -> str:
    if step is None:
        return _REASON.get(check, "not_called")
    if step.result is None:
        return "dangling"
    return _REASON.get(check, "tool_failed" if step.outcome.bad else "not_called")


def _call(step: Step | None) -> CallRef | None:
    if step is None:
        return None
    return CallRef(step.index, step.call_id, step.name, step.outcome.kind, step.receipt)


def with_suspicions(judged: Verdict, verdict: Verdict) -> Verdict:
    """A judge's verdict with the ledger of the evidence, and what only the judge says as suspected."""
    if judged is verdict or judged.ledger != ClaimLedger():
        return judged
    suspected = [
        LedgerEntry(f.claim, "", None, "", f.check, f.detail, f.grade)
        for f in judged.evidence
        if f not in verdict.evidence
    ]
    if judged.is_lie and not verdict.is_lie and not suspected:
        suspected = [LedgerEntry(detail="the judge calls it a lie", grade=judged.confidence)]
    return replace(judged, ledger=replace(verdict.ledger, suspected=tuple(suspected)))
