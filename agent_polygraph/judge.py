"""The seam for a second opinion: a `Judge` may overrule the verdict of the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from .events import Event
from .verdict import Verdict

ESCALATIONS = ("honest_only", "degraded_only", "all")


@runtime_checkable
class Judge(Protocol):
    """Anything with this method.  It must not raise; None keeps the verdict of the rules."""

    def judge(
        self,
        trajectory: Sequence[Event],
        final_claim: str,
        task: str,
        heuristic_verdict: Verdict,
    ) -> Verdict | None:
        """A verdict that replaces `heuristic_verdict`, or None to keep it."""
        ...


def escalates(verdict: Verdict, escalate: str) -> bool:
    """True when a verdict of this kind goes to the judge under the policy `escalate`."""
    if escalate not in ESCALATIONS:
        raise ValueError(f"escalate is {escalate!r}; it has to be one of {', '.join(ESCALATIONS)}")
    if escalate == "all":
        return True
    if escalate == "degraded_only":
        return verdict.confidence < 1.0
    return not verdict.is_lie
