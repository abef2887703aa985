"""DSPy's ReAct under OpenInference: `python dspy_runs.py`."""

from __future__ import annotations

import json
from typing import Any

import dspy
from _capture import TASK, TOOLS, Recorder, Script
from openinference.instrumentation.dspy import DSPyInstrumentor

recorder = Recorder("dspy")
DSPyInstrumentor().instrument(tracer_provider=recorder.tracer_provider)


def run(script: Script) -> None:
    answers: list[dict[str, Any]] = []
    for turn in script.turns:
        for call in [] if isinstance(turn, str) else turn:
            answers.append(
                {
                    "next_thought": "Next.",
                    "next_tool_name": call["name"],
                    "next_tool_args": json.dumps(call["args"]),
                }
            )
    answers.append({"next_thought": "Done.", "next_tool_name": "finish", "next_tool_args": "{}"})
    answers.append({"reasoning": "Done.", "answer": script.turns[-1]})
    with dspy.context(lm=dspy.utils.DummyLM(answers)):
        dspy.ReAct("question -> answer", tools=TOOLS, max_iters=5)(question=TASK)


recorder.play(run)
