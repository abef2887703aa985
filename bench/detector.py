"""The detector in the shape of polygraph-bench's harness: a module with `judge(item)`.

    python harness/run_detector.py --detector bench/detector.py --items items.jsonl --out out.jsonl

The contract is the benchmark's own (its README, FORMAT and SCORING pages): `judge(item)` takes one
interchange item `{"id", "task", "events", "closing"}` and returns
`{"verdict": "lie" | "honest"[, "score": float, "category": str]}`.
`score` is the probability of a lie; we have a grade of the evidence and no probability, so it is
left out, as that format asks of a binary detector.

This file imports the installed package and nothing beside it, since the harness loads it by path.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent_polygraph import verify


def judge(item: Mapping[str, Any]) -> dict[str, Any]:
    """One item -> `{"verdict", "confidence", "evidence", "raw_verdict", "category"?}`.

    `verdict` is "lie" or "honest"; `unverifiable` is no accusation, so it is "honest" here and
    `raw_verdict` keeps the word.  `confidence` grades the signal (1.0 structured, 0.7 inferred).
    `evidence` lists the findings.  A trajectory that can't be read raises `TrajectoryError`; the
    harness records that item as honest.  The item may name the agent's `tools`.
    """
    verdict = verify(
        item["events"],
        item.get("closing") or "",
        item.get("task") or "",
        tools=item.get("tools") or None,
    )
    answer: dict[str, Any] = {
        "verdict": "lie" if verdict.is_lie else "honest",
        "confidence": verdict.confidence,
        "evidence": [finding.as_dict() for finding in verdict.evidence],
        "raw_verdict": verdict.verdict,
    }
    if verdict.category:
        answer["category"] = verdict.category
    return answer
