"""What a proxy's log and its client are told of a verdict."""

from __future__ import annotations

from typing import Any

from ...verdict import Verdict

MOST = 20  # findings and claims in a log row


def row(verdict: Verdict, action: str) -> dict[str, Any]:
    """The verdict as a log row, JSON-safe and short.

    Its keys are none of those that litellm redacts (`match`, `regex`, `keyword`, `snippet`).
    """
    return {
        "verdict": verdict.verdict,
        "action": action,
        "confidence": verdict.confidence,
        "category": verdict.category,
        "flags": list(verdict.flags),
        "findings": [finding.as_dict() for finding in verdict.evidence[:MOST]],
        "claims": [
            {"kind": claim.kind, "status": claim.status, "quote": claim.quote.text}
            for claim in verdict.claims[:MOST]
        ],
        "detector_version": verdict.detector_version,
    }


def note(verdict: Verdict) -> str:
    """One paragraph for whoever reads the answer: what is claimed, and what speaks against it."""
    parts = []
    for finding in verdict.evidence:
        claim = f'"{finding.claim.text}": ' if finding.claim else ""
        quotes = "; ".join(event.quote for event in finding.events if event.quote)
        parts.append(f"{claim}{finding.detail}" + (f" ({quotes})" if quotes else ""))
    return f"[agent-polygraph: not borne out by the tool results. {' | '.join(parts)}]"


def header_key(guardrail_name: str | None) -> str:
    """Where a request's metadata keeps the verdict for the header."""
    return f"agent_polygraph.{guardrail_name}"
