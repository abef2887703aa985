"""The node and the middleware on the real host: annotate, retry once, raise, and never in the way."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from agent_polygraph import Config, Verdict, check_messages
from agent_polygraph.adapters.langgraph import (
    Capture,
    ClaimNotBorneOut,
    VerifyMiddleware,
    final_reply,
    guard,
    verify_node,
)
from tests.hosts.langgraph.scripted import (
    ASKED,
    CLAIM,
    HONEST,
    MAIL,
    REFUND,
    Scripted,
    calls,
    issue_refund,
    mail_down,
    send_email,
)

BOTH = calls(REFUND, MAIL)
DOWN = [issue_refund, mail_down()]


class Tolerant(VerifyMiddleware):
    """Tools that raise become error messages, as a careful host has it."""

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        from langchain_core.messages import ToolMessage

        try:
            return handler(request)
        except Exception as error:
            return ToolMessage(
                f"Error: {error}", tool_call_id=request.tool_call["id"], status="error"
            )

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        from langchain_core.messages import ToolMessage

        try:
            return await handler(request)
        except Exception as error:
            return ToolMessage(
                f"Error: {error}", tool_call_id=request.tool_call["id"], status="error"
            )


def agent(script: list[Any], tools: list[Any], *args: Any, **options: Any) -> tuple[Any, Scripted]:
    model = Scripted(script=script)
    return create_agent(model, tools, middleware=[Tolerant(*args, **options)]), model


def noted(message: Any) -> Verdict:
    return Verdict.from_dict(message.response_metadata["agent_polygraph"])


@pytest.mark.parametrize("use_async", [False, True])
def test_annotate_leaves_the_reply_and_adds_the_verdict(use_async: bool) -> None:
    graph, model = agent([BOTH, CLAIM], DOWN)
    result = asyncio.run(graph.ainvoke(ASKED)) if use_async else graph.invoke(ASKED)
    assert final_reply(result) == CLAIM and model.at == 2
    verdict = noted(result["messages"][-1])
    assert verdict.is_lie and verdict.ledger.claimed_but_never_ran[0].reason == "tool_failed"
    assert [m.type for m in result["messages"]] == ["human", "ai", "tool", "tool", "ai"]


@pytest.mark.parametrize("use_async", [False, True])
def test_retry_sends_the_model_back_once(use_async: bool) -> None:
    graph, model = agent([BOTH, CLAIM, HONEST], DOWN, "retry")
    result = asyncio.run(graph.ainvoke(ASKED)) if use_async else graph.invoke(ASKED)
    assert final_reply(result) == HONEST and model.at == 3
    told = [m for m in model.seen[-1] if isinstance(m, HumanMessage)][-1]
    assert told.name == "agent_polygraph" and "send_email" in str(told.content)
    assert not noted(result["messages"][-1]).is_lie


def test_retry_gives_up_after_one() -> None:
    graph, model = agent([BOTH, CLAIM, CLAIM, CLAIM], DOWN, "retry")
    result = graph.invoke(ASKED)
    assert model.at == 3 and final_reply(result) == CLAIM and noted(result["messages"][-1]).is_lie


@pytest.mark.parametrize("use_async", [False, True])
def test_raise_stops_a_lie_and_nothing_else(use_async: bool) -> None:
    graph, _ = agent([BOTH, CLAIM], DOWN, "raise")
    with pytest.raises(ClaimNotBorneOut, match="tool_failed, send_email") as caught:
        _ = asyncio.run(graph.ainvoke(ASKED)) if use_async else graph.invoke(ASKED)
    assert caught.value.verdict.is_lie
    for script, tools in (([BOTH, HONEST], DOWN), ([BOTH, CLAIM], [issue_refund, send_email])):
        graph, _ = agent(script, tools, "raise")
        assert final_reply(graph.invoke(ASKED)) == script[-1]


def test_raise_heeds_block_on() -> None:
    for name in ("error_concealment", "PG101"):
        graph, _ = agent([BOTH, CLAIM], DOWN, "raise", config=Config(block_on=(name,)))
        with pytest.raises(ClaimNotBorneOut):
            graph.invoke(ASKED)
    graph, _ = agent([BOTH, CLAIM], DOWN, "raise", config=Config(block_on=("wrong_count",)))
    assert noted(graph.invoke(ASKED)["messages"][-1]).is_lie


def test_bound_tools_are_discovered() -> None:
    graph, _ = agent([calls(REFUND), CLAIM], [issue_refund, send_email])
    verdict = noted(graph.invoke(ASKED)["messages"][-1])
    assert [e.reason for e in verdict.ledger.claimed_but_never_ran] == ["not_called"]


def test_every_verdict_is_handed_out_and_no_fault_reaches_the_run() -> None:
    seen: list[Verdict] = []

    def faulty(verdict: Verdict) -> None:
        seen.append(verdict)
        raise RuntimeError("ours")

    graph, _ = agent([BOTH, CLAIM], DOWN, on_verdict=faulty)
    assert final_reply(graph.invoke(ASKED)) == CLAIM and len(seen) == 1
    with pytest.raises(ValueError, match="mode is 'block'"):
        VerifyMiddleware("block")


def test_a_summarised_history_accuses_nobody() -> None:
    summary = HumanMessage("Here is a summary.", additional_kwargs={"lc_source": "summarization"})
    graph, _ = agent(["As agreed, I emailed you the confirmation."], [send_email], "raise")
    result = graph.invoke({"messages": [summary, ("user", "And?")]})
    assert noted(result["messages"][-1]).verdict == "unverifiable"


def checked(script: list[Any], tools: list[Any], *args: Any, **options: Any) -> Any:
    """A StateGraph with the node behind its agent."""
    model = Scripted(script=script).bind_tools(tools)

    def after_agent(state: Any) -> str:
        return "tools" if tools_condition(state) == "tools" else "verify"

    graph = StateGraph(MessagesState)
    graph.add_node("agent", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode(tools, handle_tool_errors=True))
    graph.add_node("verify", verify_node(*args, **options))
    graph.add_edge(START, "agent")
    graph.add_conditional_edges("agent", after_agent, ["tools", "verify"])
    graph.add_edge("tools", "agent")
    return graph.compile()


def test_the_node() -> None:
    result = checked([BOTH, CLAIM], DOWN).invoke(ASKED)
    assert noted(result["messages"][-1]).is_lie and len(result["messages"]) == 5
    result = checked([BOTH, CLAIM, HONEST], DOWN, "retry").invoke(ASKED)
    assert final_reply(result) == HONEST and not noted(result["messages"][-1]).is_lie
    with pytest.raises(ClaimNotBorneOut):
        checked([BOTH, CLAIM], DOWN, "raise").invoke(ASKED)


DICTS = [
    {"role": "user", "content": "Email me the confirmation."},
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "send_email", "arguments": "{}"}}
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "Error: SMTP timeout"},
    {"role": "assistant", "content": "I sent you an email with the confirmation."},
]


def test_messages_that_are_plain_dicts() -> None:
    state = {"messages": DICTS}
    (reply,) = verify_node(known_tools=[send_email])(state)["messages"]
    assert noted(reply).is_lie and reply.content == DICTS[-1]["content"]
    (sent,) = verify_node("retry")(state).update["messages"]
    assert sent.name == "agent_polygraph"
    again = verify_node("retry")({"messages": [*DICTS, sent, DICTS[-1]]})
    assert again.goto == END and noted(again.update["messages"][0]).is_lie
    with pytest.raises(ClaimNotBorneOut):
        verify_node("raise")(state)
    assert VerifyMiddleware().after_model(state, None) is not None


@pytest.mark.parametrize("mode", ["annotate", "retry", "raise"])
@pytest.mark.parametrize(
    "messages",
    [None, 7, [7], [object()], "hello", [{"role": "assistant", "content": 7}], [{"type": "ai"}],
     [SimpleNamespace(type="ai", content="I emailed you.", tool_calls=[])]],
)  # fmt: skip
def test_whatever_a_state_holds_passes(mode: str, messages: Any) -> None:
    for state in ({"messages": messages}, SimpleNamespace(messages=messages), messages):
        update = verify_node(mode, known_tools=())(state)
        assert (update.update if mode == "retry" else update) == {}
        assert VerifyMiddleware(mode).after_model(state, None) is None


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        *((mode, "final_reply") for mode in ("annotate", "retry", "raise")),
        *((mode, "check_messages") for mode in ("annotate", "retry", "raise")),
        *(("annotate", "_annotated"), ("retry", "_corrected"), ("retry", "feedback")),
        ("raise", "blocks"),
    ],
)
def test_no_fault_of_ours_reaches_the_run(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, mode: str, name: str
) -> None:
    monkeypatch.setattr(guard, name, lambda *args, **kwargs: 1 / 0)
    graph, _ = agent([BOTH, CLAIM], DOWN, mode)
    assert final_reply(graph.invoke(ASKED)) == CLAIM
    assert "ZeroDivisionError" in caplog.text


def test_the_node_sees_what_a_capture_saw() -> None:
    capture = Capture()
    graph = checked([calls(REFUND), CLAIM], [issue_refund, send_email], capture=capture)
    verdict = noted(graph.invoke(ASKED, capture.config())["messages"][-1])
    assert [e.reason for e in verdict.ledger.claimed_but_never_ran] == ["not_called"]


def test_messages_of_the_host_are_read_as_they_are() -> None:
    messages = checked([BOTH, CLAIM], DOWN).invoke(ASKED)["messages"]
    verdict = check_messages(messages, [issue_refund, send_email])
    assert [e.reason for e in verdict.ledger.claimed_but_never_ran] == ["tool_failed"]
    none = check_messages([HumanMessage("Mail me."), AIMessage("I emailed you.")], [send_email])
    assert [e.reason for e in none.ledger.claimed_but_never_ran] == ["not_called"]
