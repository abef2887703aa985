"""Strands Agents: `python strands_runs.py native|latest|openinference`."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterable
from typing import Any

MODE = sys.argv[1]
if MODE == "latest":
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"

from _capture import TASK, TOOLS, Recorder, Script
from strands import Agent, tool
from strands.models.model import Model


class Scripted(Model):
    def __init__(self, script: Script) -> None:
        self.script = script

    def update_config(self, **config: Any) -> None: ...
    def get_config(self) -> dict[str, Any]:
        return {"model_id": "scripted"}

    async def structured_output(self, *given: Any, **more: Any) -> Any:
        raise NotImplementedError
        yield

    async def stream(self, messages: Any, *given: Any, **more: Any) -> AsyncIterable[Any]:
        turn = self.script.turn()
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(turn, str):
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": turn}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "end_turn"}}
            return
        import json

        for call in turn:
            use = {"toolUseId": call["id"], "name": call["name"]}
            yield {"contentBlockStart": {"start": {"toolUse": use}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(call["args"])}}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use"}}


names = {"native": "strands", "latest": "strands_latest", "openinference": "strands_openinference"}
recorder = Recorder(names[MODE])
if MODE == "openinference":
    from openinference.instrumentation.strands_agents import StrandsAgentsToOpenInferenceProcessor

    found = recorder.tracer_provider._active_span_processor
    found._span_processors = (StrandsAgentsToOpenInferenceProcessor(), *found._span_processors)


def run(script: Script) -> None:
    agent = Agent(
        model=Scripted(script),
        tools=[tool(t) for t in TOOLS],
        name="refunds",
        callback_handler=None,
    )
    agent(TASK)


recorder.play(run)
