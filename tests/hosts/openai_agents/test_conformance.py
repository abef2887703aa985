"""The conformance suite in real runs: guard, items and spans of the same run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from agents import Agent, FunctionTool
from agents.tracing import TracingProcessor, set_trace_processors

from agent_polygraph import verify
from agent_polygraph.adapters.openai_agents import (
    Polygraph,
    from_openai_agents,
    from_run_items,
    output_guardrail,
)
from tests.conformance.suite import TRAJECTORIES, Adapter, Trajectory, conforms
from tests.hosts.openai_agents.scripted import ScriptedModel, arun, call, item, say, verdict_of


class Collected(TracingProcessor):
    """Every export of a process, in the order of the SDK."""

    def __init__(self) -> None:
        self.rows: list[Any] = []

    def on_trace_start(self, trace: Any) -> None:
        self.rows.append(trace.export())

    def on_trace_end(self, trace: Any) -> None:
        pass

    def on_span_start(self, span: Any) -> None:
        pass

    def on_span_end(self, span: Any) -> None:
        self.rows.append(span.export())

    def shutdown(self) -> None:
        pass

    def force_flush(self) -> None:
        pass


def tool(name: str, trajectory: Trajectory, done: dict[str, asyncio.Event]) -> FunctionTool:
    """A tool that returns what the trajectory says, in the order in which it says it."""

    async def invoke(context: Any, arguments: str) -> Any:
        call_id = context.tool_call_id
        asked = next(
            one for one in trajectory.rounds() if call_id in {c.call_id for c in one.calls}
        )
        for earlier in (result.call_id for result in asked.results):
            if earlier == call_id:
                break
            await done[earlier].wait()
        result = trajectory.results[call_id]
        # The next in order may go on when this one's hooks have run: a tick of the loop is enough.
        asyncio.get_running_loop().call_later(0.002, done[call_id].set)
        return result.content

    return FunctionTool(
        name=name,
        description=name,
        params_json_schema={"type": "object", "properties": {}, "additionalProperties": True},
        on_invoke_tool=invoke,
        strict_json_schema=False,
    )


def played(trajectory: Trajectory, polygraph: Polygraph) -> tuple[Any, list[Any]]:
    """The trajectory as a run of the SDK: its result and the exported spans."""
    steps: list[list[Any]] = [[]]
    for one in trajectory.rounds():
        steps[-1] += [say(one.text)] if one.text else []
        steps[-1] += [_asked(asked, trajectory) for asked in one.calls]
        if one.results:
            steps.append([])
    steps[-1].append(say(trajectory.closing))

    async def go() -> Any:
        done = {call_id: asyncio.Event() for call_id in trajectory.results}
        names = dict.fromkeys([c.name for c in trajectory.calls] + list(trajectory.tools or ()))
        one = Agent(
            name="agent",
            model=ScriptedModel(*steps),
            tools=[tool(name, trajectory, done) for name in names],
        )
        collected = Collected()
        set_trace_processors([collected])
        result = await arun(one, polygraph, input=trajectory.task, max_turns=50)
        return result, collected.rows

    result: tuple[Any, list[Any]] = asyncio.run(go())
    return result


def _asked(one: Any, trajectory: Trajectory) -> Any:
    if one.call_id in trajectory.results:
        return call(one.name, one.arguments, one.call_id)
    # The SDK ends no run while a call of its own waits; a call on the model's side may stay open.
    said = json.dumps(one.arguments)
    return item("mcp_call", name=one.name, arguments=said, server_label="ops", status="calling")


def render(trajectory: Trajectory) -> Any:
    """A run, and its exported spans."""
    return played(trajectory, Polygraph())


READERS: dict[str, Callable[[Any], Any]] = {
    "guard": lambda run: verdict_of(run[0]),
    "verify_result": lambda run: Polygraph().verify_result(run[0]),
    "spans": lambda run: output_guardrail(run[1], run[0].final_output).output_info,
}
EVENTS: dict[str, Callable[[Any], Any]] = {
    "verify_result": lambda run: from_run_items(run[0].new_items)[0],
    "spans": lambda run: from_openai_agents(run[1])[0],
}
ADAPTERS = [
    Adapter(f"openai_agents: {name}", render, read, EVENTS.get(name))
    for name, read in READERS.items()
]


@pytest.mark.parametrize("trajectory", TRAJECTORIES, ids=str)
@pytest.mark.parametrize("adapter", ADAPTERS, ids=str)
def test_it_conforms(adapter: Adapter, trajectory: Trajectory) -> None:
    conforms(adapter, trajectory)


def test_items_as_json_and_as_input_read_alike() -> None:
    trajectory = next(one for one in TRAJECTORIES if one.id == "parallel-lie")
    result, _ = played(trajectory, Polygraph())
    for items in (result.new_items, result.to_input_list()):
        events, closing, _ = from_run_items(items, result.final_output)
        assert verify(events, closing, trajectory.task).verdict == "lie"
