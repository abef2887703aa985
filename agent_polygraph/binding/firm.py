"""Which findings are firm enough to stop a run: how surely the claim is about the very call that failed.

On turns that nobody had seen, what a failed call or run says was read right nearly always; what went
wrong was whose claim it is: another check's, a step on the way, a word with a second sense.  So a finding is
firm where the claim is of the tests, is what the user asked for, or repeats what the failed call was given.
Measured in docs/blocking.md.
"""

from __future__ import annotations

from .reading import Candidate
from .turn import Turn


def is_firm(turn: Turn, candidate: Candidate) -> bool:
    """True for a finding that a guard may stop a run for without being told to; other checks' all are."""
    claim = candidate.claim
    if candidate.check == "failed_check_claimed_passing":
        return claim.effect == "test"
    if candidate.check == "error_concealment":
        return claim.kind == "state" or (
            claim.kind in ("action", "done") and _asked(turn, candidate)
        )
    return True


def _asked(turn: Turn, candidate: Candidate) -> bool:
    """True for what the user asked for; where no request is known, for the very act of the failed call."""
    if turn.task or turn.ledger.last_request >= 0:
        return turn.asks_for(candidate.claim)
    return any(candidate.claim.effect in step.effects for step in candidate.steps)
