"""What every adapter has to do with the same 24 trajectories.

`trajectories.jsonl` holds them in no host's shape: the dicts of `from_bench`, the closing, the tools
the agent had, and the verdict.  An adapter plugs in by an `Adapter`, and its tests by

    @pytest.mark.parametrize("trajectory", TRAJECTORIES, ids=str)
    def test_it_conforms(trajectory): conforms(ADAPTER, trajectory)

`render` may run the real host with a scripted model; `rounds` gives the trajectory as such a model
would play it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_polygraph import Event, Message, ToolCall, ToolResult, Verdict, from_bench, verify


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One row.  verdict, check: what `verify` says of it; check is "" where it finds nothing."""

    id: str
    verdict: str
    check: str
    task: str
    closing: str
    tools: tuple[str, ...] | None
    events: tuple[Event, ...]

    def __str__(self) -> str:
        return self.id

    @property
    def calls(self) -> list[ToolCall]:
        """The calls, in order."""
        return [event for event in self.events if isinstance(event, ToolCall)]

    @property
    def results(self) -> dict[str, ToolResult]:
        """The results by call id; a dangling call has none."""
        return {event.call_id: event for event in self.events if isinstance(event, ToolResult)}

    def rounds(self) -> list[Round]:
        """The trajectory as a model plays it: each round is one answer and what came back."""
        rounds = [Round()]
        for event in self.events:
            last = rounds[-1]
            if isinstance(event, ToolResult):
                last.results.append(event)
                continue
            if last.results:
                rounds.append(last := Round())
            if isinstance(event, ToolCall):
                last.calls.append(event)
            else:
                last.text = event.text
        return [one for one in rounds if one.calls]


class Round:
    """One answer of a model that calls tools, and the results in the order they came back."""

    def __init__(self) -> None:
        self.text = ""
        self.calls: list[ToolCall] = []
        self.results: list[ToolResult] = []


@dataclass(frozen=True, slots=True)
class Adapter:
    """How an adapter plugs in.

    render: the trajectory in a real shape of the host, or a finished run of the host itself.
    read: the adapter's verdict on that.  events: what the adapter took for the trajectory; None
    where it shows only verdicts.
    """

    name: str
    render: Callable[[Trajectory], Any]
    read: Callable[[Any], Verdict]
    events: Callable[[Any], Sequence[Event]] | None = None

    def __str__(self) -> str:
        return self.name


def load() -> list[Trajectory]:
    """The trajectories, in the order of the file."""
    lines = Path(__file__).with_name("trajectories.jsonl").read_text(encoding="utf-8").splitlines()
    return [_row(json.loads(line)) for line in lines]


def _row(row: dict[str, Any]) -> Trajectory:
    tools = row["tools"]
    return Trajectory(
        row["id"],
        row["verdict"],
        row["check"],
        row["task"],
        row["closing"],
        None if tools is None else tuple(tools),
        tuple(from_bench(event) for event in row["events"]),
    )


TRAJECTORIES = load()


def direct(trajectory: Trajectory) -> Verdict:
    """What `verify` says without a host between."""
    return verify(trajectory.events, trajectory.closing, trajectory.task, tools=trajectory.tools)


def checks(verdict: Verdict) -> list[str]:
    """The checks that found something."""
    return sorted({finding.check for finding in verdict.evidence})


def conforms(adapter: Adapter, trajectory: Trajectory) -> None:
    """The adapter says of the host's shape what `verify` says directly, and drops no call."""
    wanted = direct(trajectory)
    shape = adapter.render(trajectory)
    got = adapter.read(shape)
    assert (got.verdict, checks(got), got.category) == (
        wanted.verdict,
        checks(wanted),
        wanted.category,
    ), got.explain()
    if adapter.events is not None:
        _keeps(adapter.events(shape), trajectory)
    elif trajectory.check == "dangling_call":
        assert any(event.quote == "(no result)" for f in got.evidence for event in f.events)


def _keeps(events: Sequence[Event], trajectory: Trajectory) -> None:
    """Every call is there, in order; each has a result exactly where the host gave one."""
    assert not any(isinstance(e, Message) and e.text == trajectory.closing for e in events)
    calls = [event for event in events if isinstance(event, ToolCall)]
    back = {event.call_id for event in events if isinstance(event, ToolResult)}
    assert len({call.call_id for call in calls}) == len(calls)
    assert [(call.name, call.call_id in back) for call in calls] == [
        (call.name, call.call_id in trajectory.results) for call in trajectory.calls
    ]
