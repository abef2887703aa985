"""Vetoes "no call could have done it" where the claim stands beside the receipt of one that did."""

from __future__ import annotations

from ..binding import Candidate, Turn
from ..proofs import proven

NAME = "receipted"


def veto(turn: Turn, candidate: Candidate) -> str:
    """The receipt, or an empty string."""
    if candidate.check != "phantom_action" or not turn.tokens:
        return ""
    one = proven(turn, candidate.claim)
    if one is None or one.issued is None:
        return ""
    return f"receipt {one.issued.sequence} is for a call of {one.issued.tool}"
