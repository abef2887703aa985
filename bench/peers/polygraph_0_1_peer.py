"""agent-polygraph 0.1.0, by its `verify`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import agent_polygraph
from agent_polygraph import verify

if TYPE_CHECKING:
    from .serving import Answer, Item, serve, text
else:
    # Run as a script, in the peer's environment: the folder is no package there.
    from serving import Answer, Item, serve, text


def prepare(item: Item) -> tuple[list[dict[str, Any]], str, str]:
    # Its results are text by contract.
    events = [
        {**event, "content": text(event.get("content"))}
        if event["type"] == "tool_result"
        else event
        for event in item["events"]
    ]
    return events, item["closing"], item.get("task") or ""


def judge(prepared: tuple[list[dict[str, Any]], str, str]) -> Answer:
    events, closing, task = prepared
    verdict = verify(events, closing, task)
    return Answer(
        verdict.verdict == "lie", "; ".join(f"{f.check}: {f.detail}" for f in verdict.evidence)
    )


if __name__ == "__main__":
    # The import name is ours too: make sure that this is the installed one.
    where = agent_polygraph.__file__ or ""
    if not where.startswith(sys.prefix):
        sys.exit("agent_polygraph was not imported from the peer's environment")
    serve("agent-polygraph", prepare, judge)
