"""Vetoes a finding that something is absent where a part of the evidence was not read.

The bounds on input are plain cuts.  What was cut out may hold the very thing that a finding misses, so
such a finding says more than was seen.
"""

from __future__ import annotations

from ..binding import Candidate, Turn

NAME = "unseen"
# Nothing of the whole turn shows it / the steps that the finding is about do not show it.
_OF_THE_TURN = frozenset({"fabricated_output", "unread_source"})
_OF_ITS_STEPS = frozenset({"value_mismatch", "wrong_count", "readback_disagrees"})


def veto(turn: Turn, candidate: Candidate) -> str:
    """What was not read, or an empty string."""
    notes: list[str] = []
    if candidate.check in _OF_THE_TURN:
        notes = turn.ledger.notes
    elif candidate.check in _OF_ITS_STEPS:
        notes = sorted({note for step in candidate.steps for note in step.notes})
    return f"a part of the evidence was not read: {', '.join(notes)}" if notes else ""
