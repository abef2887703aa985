"""A fault of the guardrail's own is not the user's: every function inside is made to fail."""

from __future__ import annotations

import asyncio
import inspect
import logging
from typing import Any

import pytest
from fastapi import HTTPException
from litellm.exceptions import GuardrailRaisedException, ModifyResponseException

from agent_polygraph.adapters.litellm import PolygraphGuardrail, exchange, guardrail, mcp, reader

from .bodies import LIE, chat

ACTIONS = ("audit", "annotate", "replace", "block")
INSIDE = [
    *((guardrail, name) for name in ("exchange_of", "judge", "note", "_is_logged", "_streams")),
    *((PolygraphGuardrail, name) for name in ("_verdicts", "_action", "_annotated", "_instead")),
    *((exchange, name) for name in ("plain", "mapping", "sequence", "string", "history_of")),
    *((exchange, name) for name in ("_is_cut", "_is_open", "_ran", "_tool_texts", "_answers")),
    *((exchange, name) for name in ("claims_of", "read_exchange", "_verdicts", "window", "_opens")),
    *((exchange, name) for name in ("text_of", "with_bits", "read_request", "judged")),
    *((reader, name) for name in ("read_exchange", "tool_names", "history_of", "_has_gap")),
    (mcp.ToolBits, "of"),
]
# What not every action comes to.
REACHED = {
    "note": ("annotate", "replace", "block"),
    "_instead": ("replace", "block"),
    "_streams": ("annotate", "block"),
    "_annotated": ("annotate",),
}
CASES = [
    pytest.param(home, name, action, id=f"{home.__name__.rpartition('.')[2]}.{name}-{action}")
    for home, name in INSIDE
    for action in REACHED.get(name, ACTIONS)
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


def test_every_function_is_on_the_list() -> None:
    """Of the two modules that judge; those of the others are on it where they are called."""
    listed = {name for _, name in INSIDE}
    # Before an answer comes, after the verdict, or for the logger and for litellm's own keys alone.
    besides = {"_logs_itself", "said_in", "__init_subclass__", "__init__", "_warm_up"}
    besides |= {"_record", "_logged", "_headed"}
    besides |= set(guardrail._HOOKS)
    for home in (guardrail, exchange, PolygraphGuardrail):
        mine = {
            name
            for name, value in vars(home).items()
            if inspect.isfunction(value) and value.__module__.startswith("agent_polygraph")
            if value.__module__ == getattr(home, "__module__", home.__name__)
        }
        assert mine - listed <= besides, home


@pytest.mark.parametrize(("home", "name", "action"), CASES)
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
    for name in ("judge", "note", "_is_logged"):
        with monkeypatch.context() as patch:
            patch.setattr(guardrail, name, breaks)
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
    data = {"metadata": {key: "honest"}}
    assert asyncio.run(hook(data, None, None)) is None


def test_requests_are_not_its_business() -> None:
    inputs = {"texts": ["Done!"]}
    call = made(polygraph_action="block").apply_guardrail(inputs, chat(), "request")
    assert asyncio.run(call) is inputs
