"""AutoGen AgentChat: `python autogen_runs.py native|openinference`.

Neither shows a closing, and its own spans no content: its turns are unverifiable.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from _capture import TASK, TOOLS, Recorder, Script
from autogen_agentchat.agents import AssistantAgent
from autogen_core import FunctionCall
from autogen_core.models import CreateResult, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient

recorder = Recorder("autogen" if sys.argv[1] == "native" else "autogen_openinference")
if sys.argv[1] != "native":
    from openinference.instrumentation.autogen_agentchat import AutogenAgentChatInstrumentor

    AutogenAgentChatInstrumentor().instrument(tracer_provider=recorder.tracer_provider)


def run(script: Script) -> None:
    results: list[Any] = []
    for turn in script.turns:
        if isinstance(turn, str):
            content: Any = turn
        else:
            content = [
                FunctionCall(id=c["id"], name=c["name"], arguments=json.dumps(c["args"]))
                for c in turn
            ]
        results.append(
            CreateResult(
                finish_reason="stop", content=content, usage=RequestUsage(1, 1), cached=False
            )
        )
    info = {"function_calling": True, "vision": False, "json_output": False, "family": "unknown",
            "structured_output": False}  # fmt: skip
    model = ReplayChatCompletionClient(results, model_info=info)
    agent = AssistantAgent("refunds", model, tools=TOOLS, max_tool_iterations=5)
    asyncio.run(agent.run(task=TASK))


recorder.play(run, "unverifiable")
