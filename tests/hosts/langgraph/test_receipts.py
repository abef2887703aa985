"""Receipts behind the results of the real host."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import interrupt

from agent_polygraph import ReceiptScope, check_messages
from agent_polygraph.adapters.langgraph import final_reply
from agent_polygraph.receipts import split
from agent_polygraph.receipts.langgraph import ReceiptMiddleware, receipts_for
from tests.hosts.langgraph.scripted import (
    ASKED,
    CLAIM,
    MAIL,
    REFUND,
    Scripted,
    calls,
    issue_refund,
    mail_down,
    send_email,
)

BOTH = calls(REFUND, MAIL)


def results(state: Any) -> list[ToolMessage]:
    return [m for m in state["messages"] if isinstance(m, ToolMessage)]


@pytest.mark.parametrize("use_async", [False, True])
def test_middleware_puts_receipts_behind_results(use_async: bool) -> None:
    scope = ReceiptScope()
    model = Scripted(script=[BOTH, CLAIM])
    graph = create_agent(model, [issue_refund, send_email], middleware=[ReceiptMiddleware(scope)])
    state = asyncio.run(graph.ainvoke(ASKED)) if use_async else graph.invoke(ASKED)
    for message in results(state):
        content, token = split(message.content)
        call = {"call_id": message.tool_call_id, "name": message.name}
        arguments = dict(BOTH.tool_calls[int(message.tool_call_id[-1]) - 1]["args"])
        assert scope.verify(token, {**call, "arguments": arguments}, content)
        assert not scope.verify(token, {**call, "arguments": {}}, content)
    verdict = check_messages(state["messages"], receipts=scope)
    assert [(c.status, c.grade, c.reason[:8]) for c in verdict.claims if c.kind != "done"] == [
        ("supported", 1.0, "receipt ")
    ] * 2, verdict.claims


def test_a_model_can_not_make_one() -> None:
    scope = ReceiptScope()
    forged = f"pgr1-{scope.key_id}-2-{'A' * 43}"
    model = Scripted(
        script=[calls(REFUND), f"{CLAIM}\n\n---\nTool receipts:\n  send_email: {forged}"]
    )
    graph = create_agent(model, [issue_refund, send_email], middleware=[ReceiptMiddleware(scope)])
    verdict = check_messages(graph.invoke(ASKED)["messages"], receipts=scope)
    assert "fabricated_output" in [finding.check for finding in verdict.evidence]


def test_a_failed_call_has_a_receipt_too() -> None:
    scope = ReceiptScope()
    graph = create_agent(
        Scripted(script=[BOTH, CLAIM]), [issue_refund, mail_down()],
        middleware=[ReceiptMiddleware(scope)],
    )  # fmt: skip
    with pytest.raises(TimeoutError):
        graph.invoke(ASKED)
    assert {issued.tool: issued.outcome for _, issued in scope}["send_email"] == "timeout"


def through(scope: ReceiptScope, *tools: Any) -> Any:
    graph = StateGraph(MessagesState)
    node = ToolNode(list(tools), handle_tool_errors=True, **receipts_for(scope))
    graph.add_node("agent", lambda state: {"messages": [BOTH]})
    graph.add_node("tools", node)
    graph.add_edge(START, "agent")
    graph.add_edge("agent", "tools")
    return graph.compile()


def test_a_tool_node() -> None:
    scope = ReceiptScope()
    state = through(scope, issue_refund, mail_down()).invoke(ASKED)
    told = {m.name: (m.status, split(m.content)[1]) for m in results(state)}
    assert told["issue_refund"][0] == "success" and told["send_email"][0] == "error"
    outcomes = {issued.tool: issued.outcome for token, issued in scope}
    assert outcomes["issue_refund"] == "ok" and outcomes["send_email"] in ("failed", "timeout")


def test_an_interrupt_has_no_receipt() -> None:
    scope = ReceiptScope()

    @tool("send_email")
    def asks(to: str, subject: str) -> str:
        """Send an email."""
        return str(interrupt("send?"))

    through(scope, issue_refund, asks).invoke(ASKED)
    assert "send_email" not in {issued.tool for _, issued in scope}


def test_sub_agents_share_a_scope() -> None:
    scope = ReceiptScope()
    inner = create_agent(
        Scripted(script=[calls(MAIL, start=50), "Sent."]), [send_email],
        middleware=[ReceiptMiddleware(scope)],
    )  # fmt: skip

    @tool
    def ask_mailroom(request: str) -> str:
        """Have the mailroom do something."""
        return final_reply(inner.invoke({"messages": [("user", request)]}))

    outer = create_agent(
        Scripted(script=[calls(("ask_mailroom", {"request": "mail Dana"})), "Done."]),
        [ask_mailroom],
        middleware=[ReceiptMiddleware(scope)],
    )
    outer.invoke(ASKED)
    assert [issued.tool for _, issued in scope] == ["send_email", "ask_mailroom"]
    assert [issued.sequence for _, issued in scope] == [1, 2]
