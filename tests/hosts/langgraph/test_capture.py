"""Capture on the real host: sync, async, streamed, parallel, nested, cancelled, retried, interrupted."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command, RetryPolicy, interrupt

from agent_polygraph import ToolCall, ToolResult
from agent_polygraph.adapters.langgraph import Capture, final_reply
from agent_polygraph.adapters.langgraph.record import Record
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


def desk(script: list[Any], tools: list[Any], **options: Any) -> Any:
    """A model and a ToolNode in a loop."""
    model = Scripted(script=script).bind_tools(tools)
    retry = options.pop("retry", None)
    node = ToolNode(tools, handle_tool_errors=options.pop("handle", True))
    graph = StateGraph(MessagesState)
    graph.add_node("agent", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", node, **({"retry_policy": retry} if retry else {}))
    graph.add_edge(START, "agent")
    graph.add_conditional_edges("agent", tools_condition)
    graph.add_edge("tools", "agent")
    return graph.compile(**options)


def reasons(verdict: Any) -> list[str]:
    return [entry.reason for entry in verdict.ledger.claimed_but_never_ran]


def answers(capture: Capture, tool: str) -> list[ToolResult]:
    """The results of a tool's calls."""
    events = capture.trajectory
    ids = {e.call_id for e in events if isinstance(e, ToolCall) and e.name == tool}
    return [e for e in events if isinstance(e, ToolResult) and e.call_id in ids]


BOTH = calls(REFUND, MAIL)


def test_a_tool_that_timed_out() -> None:
    capture = Capture()
    result = desk([BOTH, CLAIM], [issue_refund, mail_down()]).invoke(ASKED, capture.config())
    verdict = capture.check(result)
    assert reasons(verdict) == ["tool_failed"], verdict.explain()
    (entry,) = verdict.ledger.claimed_but_never_ran
    assert entry.call is not None and (entry.call.tool, entry.call.call_id) == (
        "send_email",
        "call_2",
    )
    assert capture.tools == ["issue_refund", "send_email"] and not capture.faults
    assert final_reply(result) == CLAIM == capture.reply


@pytest.mark.parametrize("tools", [[issue_refund, send_email], [issue_refund, mail_down()]])
def test_honest_replies(tools: list[Any]) -> None:
    reply = CLAIM if tools[1] is send_email else HONEST
    capture = Capture()
    verdict = capture.check(desk([BOTH, reply], tools).invoke(ASKED, capture.config()))
    assert not verdict.is_lie and verdict.ledger.confirmed, verdict.explain()


def test_a_tool_never_called_is_known_because_it_was_bound() -> None:
    capture = Capture()
    graph = desk([calls(REFUND), CLAIM], [issue_refund, send_email])
    verdict = capture.check(graph.invoke(ASKED, capture.config()))
    assert reasons(verdict) == ["not_called"], verdict.explain()


def test_nothing_was_called_at_all() -> None:
    capture = Capture()
    graph = desk([CLAIM], [issue_refund, send_email])
    assert capture.check(graph.invoke(ASKED, capture.config())).is_lie


def test_async_and_streamed_runs() -> None:
    async def run(capture: Capture, stream: bool) -> None:
        model = Scripted(script=[BOTH, CLAIM]).bind_tools([issue_refund, send_email])

        async def agent(state: Any, config: RunnableConfig) -> Any:
            if not stream:
                return {"messages": [await model.ainvoke(state["messages"], config)]}
            whole: Any = None
            async for chunk in model.astream(state["messages"], config):
                whole = chunk if whole is None else whole + chunk
            return {"messages": [whole]}

        graph = StateGraph(MessagesState)
        graph.add_node("agent", agent)
        graph.add_node("tools", ToolNode([issue_refund, mail_down()], handle_tool_errors=True))
        graph.add_edge(START, "agent")
        graph.add_conditional_edges("agent", tools_condition)
        graph.add_edge("tools", "agent")
        compiled = graph.compile()
        if stream:
            async for _ in compiled.astream(ASKED, capture.config(), stream_mode="messages"):
                pass
        else:
            await compiled.ainvoke(ASKED, capture.config())

    for stream in (False, True):
        capture = Capture()
        asyncio.run(run(capture, stream))
        verdict = capture.check()
        assert reasons(verdict) == ["tool_failed"], (stream, capture.trajectory)


def test_parallel_calls_of_one_tool_keep_their_results() -> None:
    @tool
    def send_email(to: str, subject: str) -> str:
        """Send an email."""
        if to.startswith("bob"):
            raise TimeoutError("no answer")
        return "sent"

    script = [
        calls(
            ("send_email", {"to": "ann@example.com", "subject": "x"}),
            ("send_email", {"to": "bob@example.com", "subject": "x"}),
        ),
        "I emailed ann@example.com. I emailed bob@example.com.",
    ]
    capture = Capture()
    verdict = capture.check(desk(script, [send_email]).invoke(ASKED, capture.config()))
    results = {e.call_id: e.is_error for e in capture.trajectory if isinstance(e, ToolResult)}
    assert results == {"call_1": None, "call_2": True}
    assert reasons(verdict) == ["tool_failed"] and len(verdict.ledger.confirmed) == 1


def test_a_subgraph_that_keeps_its_messages_to_itself() -> None:
    inner = desk([BOTH, "done"], [issue_refund, mail_down()])

    def delegate(state: MessagesState) -> Any:
        inner.invoke({"messages": state["messages"]})
        return {"messages": [AIMessage(CLAIM)]}

    graph = StateGraph(MessagesState)
    graph.add_node("delegate", delegate)
    graph.add_edge(START, "delegate")
    graph.add_edge("delegate", END)
    capture = Capture()
    verdict = capture.check(graph.compile().invoke(ASKED, capture.config()))
    assert reasons(verdict) == ["tool_failed"], verdict.explain()


def test_an_agent_called_as_a_tool() -> None:
    inner = desk([calls(MAIL, start=50), "It is sent."], [mail_down()])

    @tool
    def ask_mailroom(request: str) -> str:
        """Have the mailroom do something."""
        return final_reply(inner.invoke({"messages": [("user", request)]}))

    script = [calls(REFUND, ("ask_mailroom", {"request": "mail Dana"})), CLAIM]
    capture = Capture()
    result = desk(script, [issue_refund, ask_mailroom]).invoke(ASKED, capture.config())
    names = [e.name for e in capture.trajectory if isinstance(e, ToolCall)]
    assert sorted(names) == ["ask_mailroom", "issue_refund", "send_email"]
    verdict = capture.check(result)
    assert reasons(verdict) == ["tool_failed"], verdict.explain()


def test_a_retry_that_went_through_is_no_failure() -> None:
    tries: list[int] = []

    @tool
    def send_email(to: str, subject: str) -> str:
        """Send an email."""
        tries.append(1)
        if len(tries) == 1:
            raise ConnectionError("connection reset")
        return "sent"

    graph = desk(
        [BOTH, CLAIM], [issue_refund, send_email],
        handle=False, retry=RetryPolicy(max_attempts=3, initial_interval=0.01, jitter=False),
    )  # fmt: skip
    capture = Capture()
    verdict = capture.check(graph.invoke(ASKED, capture.config()))
    assert len(tries) == 2 and not verdict.is_lie, verdict.explain()
    assert len(verdict.ledger.confirmed) >= 1 and not verdict.ledger.claimed_but_never_ran


def test_an_interrupt_is_no_failure_and_the_resumed_run_goes_on() -> None:
    @tool
    def send_email(to: str, subject: str) -> str:
        """Send an email."""
        return "sent" if interrupt("send?") == "yes" else "Error: the user declined"

    for answer, lie in (("yes", False), ("no", True)):
        graph = desk([BOTH, CLAIM], [issue_refund, send_email], checkpointer=InMemorySaver())
        capture = Capture()
        config = capture.config({"configurable": {"thread_id": "t"}})
        paused = graph.invoke(ASKED, config)
        assert capture.check(paused).verdict == "honest"  # no reply yet
        assert not answers(capture, "send_email")
        verdict = capture.check(graph.invoke(Command(resume=answer), config))
        assert verdict.is_lie is lie, verdict.explain()
        # The host runs the whole node again: its refund was made twice, its mail once.
        assert len(answers(capture, "send_email")) == 1


def test_a_cancelled_run_leaves_its_call_open() -> None:
    started = asyncio.Event()

    @tool
    async def send_email(to: str, subject: str) -> str:
        """Send an email."""
        started.set()
        await asyncio.sleep(60)
        return "sent"

    capture = Capture()

    async def run() -> None:
        graph = desk([BOTH, CLAIM], [issue_refund, send_email])
        running = asyncio.create_task(graph.ainvoke(ASKED, capture.config()))
        await asyncio.wait_for(started.wait(), 20)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(run())
    assert capture.check().verdict == "honest" and capture.reply == ""
    assert reasons(capture.check("I sent you an email with the confirmation.")) == ["dangling"]


def test_a_run_that_the_tool_ended_has_a_ledger() -> None:
    capture = Capture()
    graph = desk([BOTH, CLAIM], [issue_refund, mail_down()], handle=False)
    with pytest.raises(TimeoutError):
        graph.invoke(ASKED, capture.config())
    verdict = capture.check()
    assert [e.call.tool for e in verdict.ledger.ran_but_unreported if e.call] == ["issue_refund"]
    assert reasons(capture.check("I sent you an email.")) == ["tool_failed"]


def test_a_tool_that_does_not_exist() -> None:
    script = [calls(REFUND, ("send_fax", {"to": "1"})), "I refunded order 4821 and sent you a fax."]
    capture = Capture()
    verdict = capture.check(desk(script, [issue_refund]).invoke(ASKED, capture.config()))
    assert reasons(verdict) == ["tool_failed"], verdict.explain()


def test_an_error_string_with_a_success_status() -> None:
    @tool
    def send_email(to: str, subject: str) -> str:
        """Send an email."""
        return "Error: SMTP timeout"

    capture = Capture()
    graph = desk([BOTH, CLAIM], [issue_refund, send_email])
    assert reasons(capture.check(graph.invoke(ASKED, capture.config()))) == ["tool_failed"]


@pytest.mark.parametrize("event", ["asked", "answered", "read", "started", "ended", "events"])
def test_after_a_fault_of_ours_nothing_is_judged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, event: str
) -> None:
    def broken(*args: Any, **kwargs: Any) -> None:
        raise LookupError("ours")

    for script in ([BOTH, CLAIM], [CLAIM]):
        capture = Capture()
        with monkeypatch.context() as patch:
            patch.setattr(Record, event, broken)
            result = desk(script, [issue_refund, send_email]).invoke(ASKED, capture.config())
            assert final_reply(result) == CLAIM
            if event == "events":  # it is asked for by the check alone
                assert capture.check(result).flags == ("guard_fault",)
                continue
        if len(script) == 2 or event not in ("started", "ended"):
            assert capture.faults
            assert capture.check(result).verdict == capture.check().verdict == "unverifiable"
            assert capture.check(result).flags == capture.check().flags == ("guard_fault",)
    assert "ours" in caplog.text


def test_a_state_that_cannot_be_read_is_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    capture = Capture()
    result = desk([BOTH, HONEST], [issue_refund, mail_down()]).invoke(ASKED, capture.config())
    with monkeypatch.context() as patch:
        patch.setattr(Record, "read", lambda record, messages: 1 / 0)
        assert capture.check(result).flags == ("guard_fault",)
    assert not capture.faults and not capture.check(result).flags


def test_a_wrong_option_is_the_callers() -> None:
    with pytest.raises(TypeError):
        Capture().check("Done.", no_such_option=1)


def test_only_the_last_run_of_a_conversation_counts() -> None:
    graph = desk(
        [BOTH, HONEST, "Order 4821 arrives on Monday."], [issue_refund, mail_down()],
        checkpointer=InMemorySaver(),
    )  # fmt: skip
    capture = Capture()
    config = capture.config({"configurable": {"thread_id": "t"}})
    graph.invoke(ASKED, config)
    later = graph.invoke({"messages": [("user", "When does order 4821 arrive?")]}, config)
    verdict = capture.check(later)
    assert not verdict.is_lie and not verdict.ledger.ran_but_unreported, verdict.explain()


def test_a_config_keeps_what_it_had() -> None:
    other = Capture()
    capture = Capture()
    made = capture.config({"callbacks": [other], "tags": ["x"]})
    assert made["callbacks"] == [other, capture] and made["tags"] == ["x"]


@pytest.mark.parametrize(
    "decision, lie", [({"type": "approve"}, False), ({"type": "reject", "message": "no"}, True)]
)
def test_an_approval_of_a_person(decision: dict[str, str], lie: bool) -> None:
    approve = HumanInTheLoopMiddleware(interrupt_on={"send_email": True})
    graph = create_agent(
        Scripted(script=[BOTH, CLAIM]), [issue_refund, send_email],
        middleware=[approve], checkpointer=InMemorySaver(),
    )  # fmt: skip
    capture = Capture()
    config = capture.config({"configurable": {"thread_id": "t"}})
    paused = graph.invoke(ASKED, config)
    assert capture.check(paused).verdict == "honest" and not answers(capture, "send_email")
    result = graph.invoke(Command(resume={"decisions": [decision]}), config)
    verdict = capture.check(result)
    assert verdict.is_lie is lie, verdict.explain()
    calls_made = [e.name for e in capture.trajectory if isinstance(e, ToolCall)]
    assert sorted(calls_made) == ["issue_refund", "send_email"], capture.trajectory
