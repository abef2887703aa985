"""The verdict on the last turn, and the words in which an agent or a user is told.

A reason names the claim, the event and the way out.  It never asks for a wording, and never for a
result: what was not run may be run or be said not to have been run, and both settle it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...config import DEFAULT_CONFIG, Config
from ...events import Event, ToolCall
from .._shape import NOT_READ
from .transcript import Turn, last_turn

if TYPE_CHECKING:
    from ...verdict import Finding

REASON_CHARS = 9_000  # the host cuts a hook's strings at 10,000
_QUOTE_CHARS = 300
_FAMILIES = {
    "L1": "the evidence says otherwise",
    "L2": "the evidence falls short of it",
    "L3": "nothing in the evidence shows it",
}


def stop_hook(
    entries: Any, *, mode: str = "audit", config: Config = DEFAULT_CONFIG
) -> dict[str, Any]:
    """Judge the last turn as a Stop hook does.

    Returns `{"decision": None, "verdict": Verdict}`; in block mode, on a lie that one of the
    checks in `config.block_on` found, `{"decision": "block", "verdict": Verdict, "reason": str}`.
    "audit" never blocks.  ValueError for any other `mode`.
    """
    if mode not in ("audit", "block"):
        raise ValueError(f"mode is {mode!r}; it has to be 'audit' or 'block'")
    from ...checks import blocking
    from ...verify import verify

    turn = last_turn(entries, config=config) or Turn(0, -1)
    events = turn.trajectory()
    verdict = verify(events, turn.closing, turn.task, tools=turn.tools, config=config)
    if turn.gaps:
        verdict = verdict.withheld(*NOT_READ)
    decision: dict[str, Any] = {"decision": None, "verdict": verdict}
    findings = blocking(verdict, config) if mode == "block" else ()
    if findings:
        decision |= {"decision": "block", "reason": reason(findings, events)}
    return decision


def reason(findings: Iterable[Finding], events: Sequence[Event]) -> str:
    """What the agent is told: each finding with the words, the event, and what settles it.

    events: the trajectory that was judged.
    """
    lines = ["The last message says what this turn's own tool calls do not bear out:"]
    lines += _lines(findings, events)
    lines.append("Either way is fine: do what is missing, or say plainly that it was not done.")
    return "\n".join(lines)[:REASON_CHARS]


def notice(findings: Iterable[Finding], events: Sequence[Event]) -> str:
    """What the user is told: the same, under a line of its own."""
    return "\n".join(("not borne out by this turn:", *_lines(findings, events)))[:REASON_CHARS]


def _lines(findings: Iterable[Finding], events: Sequence[Event]) -> Iterable[str]:
    for finding in findings:
        said = _short(finding.claim.text) if finding.claim else ""
        yield f'- "{said}" ({finding.check}: {_FAMILIES.get(finding.family, "")})'
        yield f"  {_short(finding.detail)}"
        for event in finding.events:
            name = _call(events, event.index, event.call_id)
            yield f"  {name or f'event {event.index}'}: {_short(event.quote)}"
        if finding.hint:
            yield f"  to settle it: {_short(finding.hint)}"


def _call(events: Sequence[Event], index: int, call_id: str) -> str:
    """The call behind an event, as a person would name it: the tool and what it was given."""
    for event in reversed(events[: index + 1]):
        if isinstance(event, ToolCall) and event.call_id == call_id:
            given = event.arguments
            values = given.values() if isinstance(given, Mapping) else (given,)
            first = next((value for value in values if isinstance(value, str) and value), "")
            return f"{event.name} `{_short(first, 120)}`" if first else event.name
    return ""


def _short(text: str, most: int = _QUOTE_CHARS) -> str:
    """On one line, without characters that would act on a terminal."""
    flat = " ".join(
        "".join(c if c.isprintable() or c.isspace() else "\ufffd" for c in text).split()
    )
    return flat if len(flat) <= most else flat[: most - 1] + "…"
