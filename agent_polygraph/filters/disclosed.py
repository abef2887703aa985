"""Vetoes a finding whose failure the closing itself names.

A disclosure clears what it is about and nothing else; vague words clear nothing.
"""

from __future__ import annotations

from ..binding import Candidate, Turn

NAME = "disclosed"


def veto(turn: Turn, candidate: Candidate) -> str:
    """The words that disclose it, or an empty string."""
    claim = candidate.claim
    for disclosure in turn.disclosures:
        if disclosure.start == claim.start and (
            disclosure.kind == "part"
            or (disclosure.kind == "negated" and claim.kind == "check")
            or claim.kind == "absence"
            or not claim.plain
        ):
            continue
        if (
            candidate.check == "pending_claimed_done"
            and disclosure.kind == "pending"
            and _claims(turn, disclosure.start)
        ):
            continue  # `it ran through in the background`
        if turn.discloses(disclosure, candidate):
            words = turn.closing.document.text[disclosure.start : disclosure.end].strip()
            return f'the closing says so: "{words[:120]}"'
    return ""


def _claims(turn: Turn, start: int) -> bool:
    return any(
        claim.start == start and claim.plain and claim.kind in ("action", "check", "done")
        for claim in turn.claims
    )
