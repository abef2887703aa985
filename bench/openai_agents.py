"""`python -m bench.openai_agents`: what the guard costs a run of the OpenAI Agents SDK.

    python -m tests.hosts openai_agents/latest     # makes the environment
    .hosts/openai_agents/latest/bin/python -m bench.openai_agents

Real runs of 19 tool calls on a scripted model (40 events with the request and the closing).  The
hooks are timed where the SDK calls them, with its own objects, beside hooks that do nothing, and
those of a tool call once more in a loop (a hook in a run finds cold caches, and most of what is
seen there is that).  The guardrail is timed as a whole, and beside `verify` alone on the same
trajectory.  Medians of one process; no test asserts them.
"""

from __future__ import annotations

import asyncio
import copy
import gc
import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENAI_API_KEY", "not-a-key")

from agents import Agent, RunConfig, RunHooks, Runner
from agents.tracing import set_trace_processors

from agent_polygraph import Config, verify
from agent_polygraph.adapters.openai_agents import Polygraph
from tests.hosts.openai_agents.scripted import ScriptedModel, call, say, write_file

CALLS = 19
RUNS = 40
HOOKS = ("on_llm_start", "on_llm_end", "on_tool_start", "on_tool_end")
CLOSING = "I wrote all the parts, part-1.txt to part-19.txt."


class Timed(RunHooks[Any]):
    """Hooks that time the hooks they wrap."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.took: dict[str, list[int]] = defaultdict(list)
        self.loop: list[float] = []  # nanoseconds of a tool call's hooks, in a loop
        self.calls: list[tuple[Any, ...]] = []

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        """Before the run ends: its tool calls once more, without anything between them."""
        calls, self.calls = self.calls, []
        start = time.perf_counter_ns()
        for one in calls:
            await self.inner.on_tool_start(*one[:3])
            await self.inner.on_tool_end(*one)
        self.loop.append((time.perf_counter_ns() - start) / len(calls))


def _timed(name: str) -> Callable[..., Any]:
    async def hook(self: Timed, *args: Any, **kwargs: Any) -> None:
        start = time.perf_counter_ns()
        await getattr(self.inner, name)(*args, **kwargs)
        self.took[name].append(time.perf_counter_ns() - start)
        if name == "on_tool_end":
            self.calls.append((copy.copy(args[0]), *args[1:]))

    return hook


for _name in HOOKS:
    setattr(Timed, _name, _timed(_name))


def agent() -> Agent[Any]:
    """One call a turn, then the closing."""
    steps = [[call("write_file", {"path": f"part-{n}.txt"})] for n in range(1, CALLS + 1)]
    return Agent(name="a", model=ScriptedModel(*steps, [say(CLOSING)]), tools=[write_file])


async def played(hooks: Any, config: RunConfig) -> int:
    """Nanoseconds of one run."""
    one = agent()
    start = time.perf_counter_ns()
    await Runner.run(one, "Write the parts.", hooks=hooks, run_config=config, max_turns=CALLS + 2)
    return time.perf_counter_ns() - start


def micro(values: list[int]) -> float:
    """The median, in microseconds."""
    return statistics.median(values) / 1000


async def measure(traced: bool) -> None:
    """Print one table."""
    config = RunConfig(tracing_disabled=not traced)
    polygraph = Polygraph("block")
    nothing, ours = Timed(RunHooks()), Timed(polygraph.hooks)
    bare: list[int] = []
    guarded: list[int] = []
    for _ in range(RUNS):  # in turn, so that both see the same minute
        bare.append(await played(nothing, config))
        guarded.append(await played(ours, config))
    print(f"\ntracing {'on' if traced else 'off'}: {RUNS} runs of {CALLS} tool calls")
    print(f"  {'hook':14} {'ours':>9} {'no-op':>9} {'added':>9}")
    added = {}
    for name in HOOKS:
        mine, none = micro(ours.took[name]), micro(nothing.took[name])
        added[name] = mine - none
        print(f"  {name:14} {mine:7.2f}us {none:7.2f}us {added[name]:7.2f}us")
    tools = added["on_tool_start"] + added["on_tool_end"]
    print(f"  a tool call: {tools:.2f}us added; with its model call {sum(added.values()):.2f}us")
    mine, none = statistics.median(ours.loop) / 1000, statistics.median(nothing.loop) / 1000
    print(f"  a tool call, in a loop: {mine - none:.2f}us added to {none:.2f}us (bar: 5)")
    print(f"  whole run: {micro(bare) / 1000:.2f}ms, {micro(guarded) / 1000:.2f}ms guarded")
    print(f"    ratio {statistics.median(guarded) / statistics.median(bare):.3f}")


async def judge() -> None:
    """Print what the guardrail costs at the end of the run."""
    whole, alone, reading = [], [], []
    checked = Polygraph("block")
    for _ in range(RUNS):
        contexts: list[Any] = []

        class Keep(RunHooks[Any]):
            async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
                contexts[:] = [context]  # noqa: B023

        one = agent()
        kwargs = checked.run_kwargs(hooks=Keep())
        kwargs["run_config"].output_guardrails = []
        await Runner.run(one, "Write the parts.", max_turns=CALLS + 2, **kwargs)
        (context,) = contexts
        record = checked._known(context)
        assert record is not None
        start = time.perf_counter_ns()
        found = record.read(Config())
        reading.append(time.perf_counter_ns() - start)
        start = time.perf_counter_ns()
        verify(found.events, CLOSING, found.task, tools=found.tools)
        alone.append(time.perf_counter_ns() - start)
        start = time.perf_counter_ns()
        told = await checked.guardrail.guardrail_function(context, one, CLOSING)
        whole.append(time.perf_counter_ns() - start)
        assert not told.tripwire_triggered
    events = len(found.events) + 2
    print(f"\nthe guardrail on a run of {events} events")
    print(f"  guardrail with verify   {micro(whole):8.1f}us (bar: 1000)")
    print(f"  verify alone            {micro(alone):8.1f}us")
    print(f"  reading the record      {micro(reading):8.1f}us")
    print(f"  guardrail over verify   {micro(whole) / micro(alone):8.2f} times")


def main() -> int:
    """All tables."""
    set_trace_processors([])
    gc.disable()
    for traced in (True, False):
        asyncio.run(measure(traced))
        gc.collect()
    asyncio.run(judge())
    return 0


if __name__ == "__main__":
    sys.exit(main())
