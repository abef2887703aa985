"""CrewAI under OpenInference: `python crewai_runs.py`."""

from __future__ import annotations

import os
from typing import Any

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", CREWAI_TRACING_ENABLED="false")

from _capture import TASK, TOOLS, Recorder, Script
from crewai import Agent, BaseLLM, Crew, Task
from crewai.tools import tool
from openinference.instrumentation.crewai import CrewAIInstrumentor

recorder = Recorder("crewai")
CrewAIInstrumentor().instrument(tracer_provider=recorder.tracer_provider, skip_dep_check=True)


class Scripted(BaseLLM):
    script: Any = None

    def call(self, messages: Any, tools: Any = None, *given: Any, **more: Any) -> Any:
        turn = self.script.turn()
        if isinstance(turn, str):
            return turn
        import json

        return [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
            }
            for call in turn
        ]

    def supports_function_calling(self) -> bool:
        return True


def run(script: Script) -> None:
    tools = [tool(t.__name__)(t) for t in TOOLS]
    model = Scripted(model="scripted", script=script)
    agent = Agent(role="refunds", goal="Refund.", backstory="-", llm=model, tools=tools)
    task = Task(description=TASK, expected_output="a report", agent=agent)
    Crew(agents=[agent], tasks=[task]).kickoff()


recorder.play(run)
