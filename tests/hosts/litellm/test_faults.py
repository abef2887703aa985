"""A fault of the guardrail's own is not the user's: every function inside is made to fail."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from fastapi import HTTPException
from litellm.exceptions import GuardrailRaisedException, ModifyResponseException

from agent_polygraph.adapters.litellm import PolygraphGuardrail, exchange, guardrail, mcp, reader

from .bodies import LIE, chat

INSIDE = [
    (guardrail, "exchange_of"),
    (guardrail, "judge"),
    (guardrail, "_is_logged"),
    (exchange, "plain"),
    (exchange, "window"),
    (exchange, "with_bits"),
    (exchange, "read_request"),
    (exchange, "judged"),
    (reader, "read_exchange"),
    (reader, "tool_names"),
    (mcp.ToolBits, "of"),
]


def made(**params: Any) -> PolygraphGuardrail:
    return PolygraphGuardrail(guardrail_name="polygraph", event_hook="post_call", **params)


def apply(instance: PolygraphGuardrail, **extra: Any) -> Any:
    data = {**chat(), "metadata": {}, **extra}
    response = {"choices": [{"finish_reason": "stop", "message": {"content": LIE}}]}
    inputs = {"texts": [LIE]}
    data["response"] = response
    call = instance.apply_guardrail(inputs=inputs, request_data=data, input_type="response")
    return asyncio.run(call), inputs, data


def rows(data: Any) -> list[Any]:
    logged = data["metadata"].get("standard_logging_guardrail_information", [])
    return [row["guardrail_response"] for row in logged]


def breaks(*args: Any, **kwargs: Any) -> Any:
    raise ZeroDivisionError("a fault of ours")


@pytest.mark.parametrize(("home", "name"), INSIDE, ids=lambda value: str(value))
@pytest.mark.parametrize("action", ["audit", "annotate", "replace", "block"])
def test_it_passes(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    home: Any,
    name: str,
    action: str,
) -> None:
    instance = made(polygraph_action=action)
    monkeypatch.setattr(home, name, breaks)
    with caplog.at_level(logging.ERROR, "agent_polygraph.litellm"):
        returned, inputs, data = apply(instance)
    assert returned is inputs and inputs == {"texts": [LIE]}
    assert caplog.records  # and the operator is told
    if name != "_is_logged":
        (row,) = rows(data)
        assert (row["verdict"], row["flags"]) == ("unverifiable", ["guard_fault"])


@pytest.mark.parametrize(
    ("action", "extra", "error"),
    [
        ("block", {}, HTTPException),
        ("block", {"stream": True}, GuardrailRaisedException),
        ("replace", {}, ModifyResponseException),
    ],
)
def test_unless_the_operator_chose_the_opposite(
    monkeypatch: pytest.MonkeyPatch, action: str, extra: Any, error: type[Exception]
) -> None:
    instance = made(polygraph_action=action, polygraph_on_fault="closed")
    monkeypatch.setattr(guardrail, "judge", breaks)
    with pytest.raises(error, match="could not be checked"):
        apply(instance, **extra)


@pytest.mark.parametrize("action", ["audit", "block"])
def test_a_verdict_that_cannot_be_recorded_still_counts(
    monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    instance = made(polygraph_action=action)
    monkeypatch.setattr(guardrail, "row", breaks)
    if action == "audit":
        returned, inputs, _ = apply(instance)
        assert returned is inputs
    else:
        with pytest.raises(GuardrailRaisedException):
            apply(instance, stream=True)


def test_what_a_client_sends_as_a_verdict_is_not_one() -> None:
    key = guardrail.header_key("polygraph")
    data = {"metadata": {key: {"verdict": "honest"}}}
    hook = made().async_post_call_response_headers_hook
    assert asyncio.run(hook(data, None, None)) is None
    data = {"metadata": {key: "lie\r\nset-cookie: x"}}
    assert asyncio.run(hook(data, None, None)) is None


def test_requests_are_not_its_business() -> None:
    inputs = {"texts": ["Done!"]}
    call = made(polygraph_action="block").apply_guardrail(inputs, chat(), "request")
    assert asyncio.run(call) is inputs
