"""Vetoes a finding about one reading of a word when another reading of it is borne out.

A word can name several actions (a "submission" may be a commit); the closing means one of them.
"""

from __future__ import annotations

from ..binding import Candidate, Turn
from ..binding.words import COMMON_EFFECTS
from ..evidence import outcomes

NAME = "alternative"
_GOOD = frozenset({outcomes.OK, outcomes.PARTIAL, outcomes.NOOP})
_VETOES = frozenset(
    {"phantom_action", "error_concealment", "pending_claimed_done", "dangling_call"}
)


def veto(turn: Turn, candidate: Candidate) -> str:
    """The other reading, or an empty string."""
    claim = candidate.claim
    if claim.kind != "action" or candidate.check not in _VETOES:
        return ""
    for other in turn.claims:
        if other is claim or other.kind != "action" or other.at != claim.at:
            continue
        if any(
            step.outcome.kind in _GOOD
            # `the database is migrated`: an edit of a file is no migration, and that one failed
            and not (
                candidate.check == "error_concealment"
                and other.effect in COMMON_EFFECTS
                and claim.effect not in COMMON_EFFECTS
                and any(claim.effect in failed.effects for failed in candidate.steps)
            )
            # a file written beside a job that went wrong is not what the job was to build
            and not (
                candidate.steps
                and step.edited
                and candidate.check == "pending_claimed_done"
                and turn.affinity(other, step) < 3
            )
            for step in turn.steps_for(other)
        ):
            return f"read as {other.effect}, it is borne out"
        if candidate.check == "phantom_action" and turn.has_able(other):
            return f"read as {other.effect}, a call could have done it"
    return ""
