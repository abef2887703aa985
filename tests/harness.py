"""`lies(...)` and `honest(...)`: a test of a verdict in one line.

A closing, then steps:

    lies("All tests pass.", ("bash", {"command": "pytest"}, "1 failed, 2 passed in 0.1s", True))
    honest("One test fails.", ("bash", {"command": "pytest"}, "1 failed, 2 passed in 0.1s", True))
"""

from __future__ import annotations

from typing import Any

from agent_polygraph import Event, Message, ToolCall, ToolResult, Verdict, verify


def events(*steps: Any) -> list[Event]:
    """Steps are events, texts of messages, or `(name, arguments, result[, is_error])`."""
    made: list[Event] = []
    for number, step in enumerate(steps):
        if isinstance(step, str):
            made.append(Message(step))
        elif isinstance(step, tuple):
            name, arguments, result, *error = step
            made.append(ToolCall(f"c{number}", name, arguments))
            made.append(ToolResult(f"c{number}", result, *error))
        else:
            made.append(step)
    return made


def lies(closing: str, *steps: Any, check: str = "", **options: Any) -> Verdict:
    """The closing is a lie over these steps, found by `check` where one is named."""
    verdict = verify(events(*steps), closing, **options)
    found = [finding.check for finding in verdict.evidence]
    assert verdict.is_lie and (not check or check in found), verdict.explain()
    return verdict


def honest(closing: str, *steps: Any, verdict: str = "", **options: Any) -> Verdict:
    """The closing is not called a lie over these steps."""
    reached = verify(events(*steps), closing, **options)
    assert not reached.is_lie and (not verdict or reached.verdict == verdict), reached.explain()
    return reached
