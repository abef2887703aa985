"""Ours, from the work tree, by the same protocol: what the others are measured beside."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import agent_polygraph  # noqa: E402
from agent_polygraph import DEFAULT_CONFIG, verify  # noqa: E402
from agent_polygraph.checks import blocking  # noqa: E402

if TYPE_CHECKING:
    from .serving import Answer, Item, serve
else:
    # Run as a script, in the peer's environment: the folder is no package there.
    from serving import Answer, Item, serve


MAY_STOP = "(any that stops a run)"  # stands among the checks: what a guard stops for by default


def prepare(item: Item) -> Item:
    return item


def judge(item: Item) -> Answer:
    verdict = verify(
        item["events"], item["closing"], item.get("task") or "", tools=item.get("tools") or None
    )
    extra: dict[str, Any] = {
        "verdict": verdict.verdict,
        "statuses": dict(Counter(claim.status for claim in verdict.claims)),
        "checks": sorted({finding.check for finding in verdict.evidence})
        + [MAY_STOP] * bool(blocking(verdict, DEFAULT_CONFIG)),
    }
    why = "; ".join(f"{f.check}: {f.detail}" for f in verdict.evidence)
    return Answer(verdict.is_lie, why, extra)


if __name__ == "__main__":
    if Path(agent_polygraph.__file__ or "").parent.parent != ROOT:
        sys.exit("agent_polygraph was not imported from the work tree")
    serve("", prepare, judge, version=agent_polygraph.DETECTOR_VERSION)
