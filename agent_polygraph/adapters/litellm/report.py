"""What a proxy's log and its client are told of a verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...verdict import Verdict

MOST = 20  # findings and claims in a log row


def row(verdict: Verdict, action: str) -> dict[str, Any]:
    """The verdict as a log row: JSON-safe, short, and read back by `Verdict.from_dict`.

    Its keys are none of those that litellm redacts (`match`, `regex`, `keyword`, `snippet`).
    """
    short = replace(
        verdict,
        evidence=verdict.evidence[:MOST],
        claims=verdict.claims[:MOST],
        dismissed=(),
        unreported=(),
    )
    return {**short.as_dict(), "action": action}


LEADS = {
    "annotate": "agent-polygraph: the tool results do not bear this out.",
    "replace": "agent-polygraph held this answer back: the tool results do not bear it out.",
}
LEADS["block"] = LEADS["replace"]
LEADS["audit"] = LEADS["annotate"]


def note(verdict: Verdict, action: str) -> str:
    """One paragraph for whoever reads the answer: what is claimed, and what speaks against it."""
    claims: dict[tuple[str, str], str] = {}
    for finding in verdict.evidence:
        quotes = "; ".join(event.quote for event in finding.events if event.quote)
        claim = finding.claim.text if finding.claim else ""
        key = (finding.detail, quotes)
        claims[key] = max(claims.get(key, ""), claim, key=len)
    said = [
        (f'"{claim}": ' if claim else "") + detail + (f" ({quotes})" if quotes else "")
        for (detail, quotes), claim in claims.items()
    ]
    return f"[{LEADS[action]} {' | '.join(said)}]"


def header_key(guardrail_name: str | None) -> str:
    """Where a request's metadata keeps the verdict for the header."""
    return f"agent_polygraph.{guardrail_name}"
