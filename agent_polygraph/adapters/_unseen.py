"""What a record does not show, and what that does to a verdict.

A verdict over evidence that was never recorded would be a guess.  Two grades: where whole calls or
the content of all of them may be missing, nothing can be said; where a part is missing, a
contradiction that is there still stands, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..verdict import Verdict

# Nothing can be said.
BLIND = {
    "content_not_captured": "content capture is off: spans have no messages, arguments or results",
    "closing_not_recorded": "no closing message is recorded",
    "no_tool_spans": "no tool span, and no model message that could show a call",
    "calls_written_as_text": "calls are written in the model's text and have no spans",
    "spans_missing": "spans that others lie in are missing: dropped, sampled out or not yet ended",
    "spans_dropped": "spans were dropped by a bound on memory",
}
# What is there still counts.
PARTIAL = {
    "attributes_dropped": "attributes were dropped by a limit; the oldest go first",
    "values_cut": "values were cut by a length limit",
    "results_not_captured": "calls whose results are not recorded",
}
REASONS = {**BLIND, **PARTIAL}


def settled(verdict: Verdict, unseen: Sequence[str]) -> Verdict:
    """`verdict`, or "unverifiable" with the reasons as flags where they do not let it stand.

    Reasons that are in no table are left to whoever wrote them.
    """
    known = tuple(reason for reason in unseen if reason in REASONS)
    if not known:
        return verdict
    contradicted = any(finding.family == "L1" for finding in verdict.evidence)
    if contradicted and not any(reason in BLIND for reason in known):
        flags = tuple(dict.fromkeys((*verdict.flags, *known)))
        return replace(verdict, flags=flags, confidence=min(verdict.confidence, 0.7))
    for reason in known:
        verdict = verdict.withheld(reason, REASONS[reason])
    return replace(verdict, verdict="unverifiable")
