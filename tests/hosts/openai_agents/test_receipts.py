"""Receipts behind the results of function tools of the real SDK."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import Agent, ModelResponse, Runner, Usage, WebSearchTool, function_tool
from agents.models.interface import Model
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from agent_polygraph import ReceiptScope, check_messages
from agent_polygraph.receipts import split
from agent_polygraph.receipts.openai_agents import receipted

MAIL = '{"to": "dana@example.com"}'


class Scripted(Model):
    """Calls the tools that it is told to, then says the words."""

    def __init__(self, *script: Any) -> None:
        self.script = list(script)

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        return ModelResponse(output=[self.script.pop(0)], usage=Usage(), response_id=None)

    async def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        raise NotImplementedError
        yield


def call(name: str, arguments: str, call_id: str = "call_1") -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call", call_id=call_id, name=name, arguments=arguments
    )


def say(text: str) -> ResponseOutputMessage:
    words = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(
        id="m", type="message", role="assistant", status="completed", content=[words]
    )


@function_tool
def send_email(to: str) -> str:
    """Send an email."""
    if to.startswith("nobody"):
        raise TimeoutError("no answer")
    return "sent"


@function_tool
def count(to: str) -> dict[str, int]:
    """Count mails."""
    return {"mails": 3}


def run(agent: Any) -> list[Any]:
    return list(asyncio.run(Runner.run(agent, "Email Dana.")).to_input_list())


def output(items: list[Any]) -> Any:
    return next(item["output"] for item in items if item.get("type") == "function_call_output")


def test_a_result_and_a_claim_with_its_receipt() -> None:
    scope = ReceiptScope()
    model = Scripted(call("send_email", MAIL), say("I emailed dana@example.com."))
    items = run(Agent(name="a", model=model, tools=[receipted(send_email, scope)]))
    content, token = split(output(items))
    assert content == "sent"
    assert scope.verify(
        token, {"call_id": "call_1", "name": "send_email", "arguments": MAIL}, "sent"
    )
    (claim,) = check_messages(items, receipts=scope).claims
    assert (claim.status, claim.grade, claim.reason) == (
        "supported",
        1.0,
        "receipt 1 of send_email",
    )


def test_a_tool_that_raised() -> None:
    scope = ReceiptScope()
    model = Scripted(call("send_email", '{"to": "nobody"}'), say("I emailed them."))
    run(Agent(name="a", model=model, tools=[receipted(send_email, scope)]))
    assert [issued.outcome for _, issued in scope] == ["failed"]


def test_a_result_that_is_no_text_is_what_the_model_reads() -> None:
    scope = ReceiptScope()
    model = Scripted(call("count", MAIL), say("There are 3."))
    items = run(Agent(name="a", model=model, tools=[receipted(count, scope)]))
    content, token = split(output(items))
    assert content == "{'mails': 3}" and token in scope


def test_sub_agents_share_a_scope() -> None:
    scope = ReceiptScope()
    inner = Agent(
        name="inner",
        model=Scripted(call("send_email", MAIL, "call_9"), say("Sent.")),
        tools=[receipted(send_email, scope)],
    )
    helper = inner.as_tool(tool_name="mailroom", tool_description="Mails.")
    model = Scripted(call("mailroom", '{"input": "mail Dana"}'), say("Done."))
    run(Agent(name="outer", model=model, tools=[receipted(helper, scope)]))
    assert [(i.sequence, i.tool, i.outcome) for _, i in scope] == [
        (1, "send_email", "ok"),
        (2, "mailroom", "ok"),
    ]


def test_hosted_tools_are_refused() -> None:
    with pytest.raises(TypeError, match="WebSearchTool"):
        receipted(WebSearchTool(), ReceiptScope())
