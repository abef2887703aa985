"""The conformance suite in real runs of a graph: what Capture records, and what the messages hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import StructuredTool
from langgraph.graph import START, MessagesState, StateGraph

from agent_polygraph import Verdict, check_messages
from agent_polygraph.adapters.langgraph import Capture
from tests.conformance.suite import TRAJECTORIES, Adapter, Trajectory, conforms
from tests.hosts.langgraph.scripted import Scripted


class Failed(Exception):
    """What a tool raises whose result is an error."""


def _arguments(given: Any) -> dict[str, Any]:
    if isinstance(given, str):
        given = json.loads(given) if given[:1] == "{" else {"input": given}
    return given if isinstance(given, dict) else {"input": given}


def play(trajectory: Trajectory) -> tuple[Capture, dict[str, Any]]:
    """A run in which the model calls what the trajectory calls, and the tools answer as they did."""
    results = trajectory.results
    script: list[AIMessage] = []
    for one in trajectory.rounds():
        calls = [
            {"name": c.name, "args": _arguments(c.arguments), "id": c.call_id, "type": "tool_call"}
            for c in one.calls
        ]
        script.append(AIMessage(one.text, tool_calls=calls))
    script.append(AIMessage(trajectory.closing))

    def tools(state: MessagesState, config: RunnableConfig) -> Any:
        found = []
        for call in state["messages"][-1].tool_calls:
            answer = results.get(call["id"])
            if answer is None:
                continue  # the call was lost

            def run(answer: Any = answer, **given: Any) -> Any:
                if answer.is_error:
                    raise Failed(answer.content)
                return answer.content

            tool = StructuredTool.from_function(
                run, name=call["name"], description="x",
                args_schema={"type": "object", "properties": {k: {} for k in call["args"]}},
            )  # fmt: skip
            try:
                found.append(tool.invoke(call, config))
            except Failed as error:
                found.append(ToolMessage(str(error), tool_call_id=call["id"], status="error"))
        return {"messages": found}

    bound = [
        {"type": "function", "function": {"name": name, "parameters": {}}}
        for name in trajectory.tools or ()
    ]
    model: Any = Scripted(script=script)
    model = model.bind(tools=bound) if bound else model

    def agent(state: MessagesState, config: RunnableConfig) -> Any:
        return {"messages": [model.invoke(state["messages"], config)]}

    def onward(state: MessagesState) -> str:
        return "tools" if getattr(state["messages"][-1], "tool_calls", None) else "__end__"

    graph = StateGraph(MessagesState)
    graph.add_node("agent", agent)
    graph.add_node("tools", tools)
    graph.add_edge(START, "agent")
    graph.add_conditional_edges("agent", onward)
    graph.add_edge("tools", "agent")
    capture = Capture()
    config = capture.config({"recursion_limit": 500})
    asked = {"messages": [("user", trajectory.task or "Go on.")]}
    return capture, graph.compile().invoke(asked, config)


def captured(run: tuple[Capture, dict[str, Any]]) -> Verdict:
    return run[0].check(run[1])


def written(run: tuple[Capture, dict[str, Any]]) -> Verdict:
    return check_messages(run[1]["messages"], run[0].tools or None)


ADAPTERS = [
    Adapter("langgraph: capture", play, captured, lambda run: run[0].trajectory),
    Adapter("langgraph: messages", play, written),
]


@pytest.mark.parametrize("adapter", ADAPTERS, ids=str)
@pytest.mark.parametrize("trajectory", TRAJECTORIES, ids=str)
def test_it_conforms(adapter: Adapter, trajectory: Trajectory) -> None:
    conforms(adapter, trajectory)
