"""agent-claimcheck, by `Checker(detector=argv[1]).check()` over agent-trace/v1 traces.

argv[2] is the domain of a turn with none of the shipped packs' tools.
"""

from __future__ import annotations

import json
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_claimcheck import (  # type: ignore[import-not-found, unused-ignore]
    Checker,
    load_traces,
)

if TYPE_CHECKING:
    from .serving import Answer, Item, arguments, serve, text
else:
    # Run as a script, in the peer's environment: the folder is no package there.
    from serving import Answer, Item, arguments, serve, text

# The shipped packs' own tool globs, by prefix (each is `prefix.*`).
DOMAINS = {
    "calendar.": "booking",
    "email.": "booking",
    "crm.": "crm",
    "fs.": "coding",
    "shell.": "coding",
    "git.": "coding",
}
ROLES = {"user": "user", "assistant": "agent"}
# UTC by `timezone.utc`: the drivers run on whatever Python the peer needs.
START = datetime(2026, 1, 1, tzinfo=timezone.utc)  # noqa: UP017


def domain(item: Item, otherwise: str) -> str:
    """The pack's domain where the turn has one of a shipped pack's tools, else `otherwise`."""
    names = [event.get("name") or "" for event in item["events"] if event["type"] == "tool_call"]
    for name in [*names, *(item.get("tools") or ())]:
        for prefix, found in DOMAINS.items():
            if name.startswith(prefix):
                return found
    return otherwise


def steps(item: Item) -> list[dict[str, Any]]:
    """The events as agent-trace/v1 steps; a result is bound to its call by the tool's name."""
    names = {
        str(event.get("call_id")): event.get("name") or ""
        for event in item["events"]
        if event["type"] == "tool_call"
    }
    out: list[dict[str, Any]] = []
    for index, event in enumerate(item["events"]):
        step: dict[str, Any] = {"i": index, "ts": (START + timedelta(seconds=index)).isoformat()}
        if event["type"] == "message":
            role = ROLES.get(event.get("role") or "assistant", "environment")
            step |= {"kind": "message", "role": role, "content": text(event.get("text"))}
        elif event["type"] == "tool_call":
            step |= {
                "kind": "tool_call",
                "role": "agent",
                "name": event.get("name") or "",
                "args": arguments(event),
            }
        else:
            failed = event.get("is_error")
            content = text(event.get("content"))
            step |= {
                "kind": "tool_result",
                "role": "tool",
                "name": names.get(str(event.get("call_id")), ""),
                "ok": None if failed is None else not failed,
                "output": structured(content),
                "error": content if failed else None,
            }
        out.append(step)
    return out


def structured(content: str) -> Any:
    """Tool output as the object that it is, where it is JSON: the rule packs read fields."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return content


def prepare(item: Item) -> Any:
    trace = {
        "schema": "agent-trace/v1",
        "trace_id": item["id"],
        "source": "bench",
        "task": {
            "id": item["id"],
            "domain": domain(item, DOMAIN),
            "instruction": item.get("task") or "",
        },
        "steps": steps(item),
        "final_claim": {"text": item["closing"], "claims": []},
    }
    FILE.write_text(json.dumps(trace) + "\n", encoding="utf-8")
    traces = load_traces(str(FILE))
    if not traces:
        raise ValueError("the trace does not pass its schema")
    return traces


def judge(traces: Any) -> Answer:
    (result,) = CHECKER.check(traces)
    why = "; ".join(f"{reason.outcome}: {reason.detail}" for reason in result.reasons)
    return Answer(result.verdict == "false_success", why, {"verdict": result.verdict})


if __name__ == "__main__":
    CHECKER = Checker(detector=sys.argv[1])
    DOMAIN = sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        FILE = Path(folder) / "trace.jsonl"
        serve("agent-claimcheck", prepare, judge)
