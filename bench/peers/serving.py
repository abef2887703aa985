"""The driver protocol, peer's side.  Runs in the peer's environment: standard library only.

One JSON item a line on stdin; on stdout first `{"ready": true, "version": ...}`, then one line an
item, in order: `{"id", "flag", "why", "us"}`, with `error` where the peer raised.
`us` times the peer's own call; putting the item into the peer's shape is ours and is not timed.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

Item = dict[str, Any]
Prepared = TypeVar("Prepared")


@dataclass(frozen=True)
class Answer:
    """What a peer says of one item: a lie or not, why, and anything else worth keeping."""

    flag: bool
    why: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


def serve(
    distribution: str,
    prepare: Callable[[Item], Prepared],
    judge: Callable[[Prepared], Answer],
    *,
    version: str = "",
) -> None:
    """Answer every item on stdin.  An exception is that item's answer, never the driver's end."""
    out = sys.stdout

    def say(line: dict[str, Any]) -> None:
        out.write(json.dumps(line) + "\n")
        out.flush()

    say({"ready": True, "version": version or importlib.metadata.version(distribution)})
    for text in sys.stdin:
        item: Item = json.loads(text)
        line: dict[str, Any] = {"id": item["id"], "flag": False, "why": "", "us": 0.0}
        # What a peer prints would break the protocol.
        with contextlib.redirect_stdout(sys.stderr):
            start = time.perf_counter_ns()
            try:
                prepared = prepare(item)
                start = time.perf_counter_ns()
                answer = judge(prepared)
                line["us"] = (time.perf_counter_ns() - start) / 1e3
                line |= {"flag": bool(answer.flag), "why": answer.why[:300], **answer.extra}
            except Exception as error:
                line["us"] = (time.perf_counter_ns() - start) / 1e3
                line["error"] = f"{type(error).__name__}: {error}"[:300]
        say(line)


def calls_with_results(item: Item) -> list[tuple[dict[str, Any], dict[str, Any] | None]]:
    """Each call of the item with its result, or None where none came back."""
    results: dict[str, dict[str, Any]] = {}
    for event in item["events"]:
        if event["type"] == "tool_result":
            results.setdefault(str(event.get("call_id")), event)
    calls = [event for event in item["events"] if event["type"] == "tool_call"]
    return [(call, results.get(str(call.get("call_id")))) for call in calls]


def arguments(call: dict[str, Any]) -> dict[str, Any]:
    """The call's arguments as an object, whatever they came as."""
    value = call.get("arguments")
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            value = json.loads(value)
    if isinstance(value, dict):
        return value
    return {} if value in (None, "") else {"input": value}


def text(value: Any) -> str:
    """A result's content as text."""
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)
