"""The logger, for those who call litellm's SDK without a proxy."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from typing import Any

import litellm
import pytest

from adapters.litellm.loopback import ScriptedModel
from agent_polygraph import Config, Verdict
from agent_polygraph.adapters.litellm import PolygraphLogger

from .bodies import HONEST, LIE, OK, chat, function_call, responses

Heard = list[tuple[Verdict, Any]]


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as model:
        yield model


@pytest.fixture(scope="module")
def told() -> Iterator[Heard]:
    """What the logger was told: one for all tests, since litellm takes one of a class."""
    found: Heard = []
    before = list(litellm.callbacks)
    litellm.callbacks = [PolygraphLogger(lambda verdict, call: found.append((verdict, call)))]
    yield found
    litellm.callbacks = before


@pytest.fixture
def heard(told: Heard) -> Heard:
    told.clear()
    return told


def settled(found: list[Any], most: int = 1) -> None:
    """litellm logs beside the call: wait for it, and a little longer for what should not come."""
    deadline = time.monotonic() + 10
    while len(found) < most and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.3)


def call(model: ScriptedModel, body: Any, stream: bool, asynchronous: bool) -> str:
    given = {"model": "openai/gpt-4.1", "messages": body["messages"], "stream": stream}
    given |= {"api_base": f"{model.base}/v1", "api_key": "none"}

    async def later() -> str:
        answer = await litellm.acompletion(**given)
        if not stream:
            said = answer.choices[0].message.content
        else:
            said = "".join([c.choices[0].delta.content or "" async for c in answer])
        await asyncio.sleep(0.5)  # the loop has to live until litellm has logged
        return said

    if asynchronous:
        return asyncio.run(later())
    answer = litellm.completion(**given)
    if not stream:
        return str(answer.choices[0].message.content)
    return "".join(chunk.choices[0].delta.content or "" for chunk in answer)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize(
    ("text", "body", "verdict"),
    [(LIE, chat(), "lie"), (HONEST, chat(), "honest"), (LIE, chat("deployed"), "honest")],
)
def test_each_answer_is_judged_once(
    model: ScriptedModel,
    heard: Heard,
    stream: bool,
    asynchronous: bool,
    text: str,
    body: Any,
    verdict: str,
) -> None:
    model.say(text)
    assert call(model, body, stream, asynchronous) == text
    settled(heard)
    assert [found.verdict for found, _ in heard] == [verdict]
    assert heard[0][1]["litellm_call_id"]


def test_a_turn_that_calls_tools_is_not_judged(model: ScriptedModel, heard: Heard) -> None:
    model.say("Done! Deployed. Now the tests.", calls=(("call_9", "run_tests", {}),))
    call(model, chat(), False, False)
    model.say(HONEST)
    call(model, chat(), False, False)
    settled(heard)
    assert [found.verdict for found, _ in heard] == ["honest"]  # of the second


@pytest.mark.parametrize(
    ("body", "verdict"), [(responses(status="incomplete"), "lie"), (OK["/v1/responses"], "honest")]
)
def test_responses(model: ScriptedModel, heard: Heard, body: Any, verdict: str) -> None:
    model.say(LIE)
    litellm.responses(
        model="openai/gpt-4.1",
        input=body["input"],
        api_base=f"{model.base}/v1",
        api_key="none",
    )
    settled(heard)
    assert [found.verdict for found, _ in heard] == [verdict]


def test_messages_may_be_objects(model: ScriptedModel, heard: Heard) -> None:
    """The usual loop: the model's own message goes back as the object that it came as."""
    model.say(calls=(("call_1", "deploy", {"env": "prod"}),))
    given = {"model": "openai/gpt-4.1", "api_base": f"{model.base}/v1", "api_key": "none"}
    history: list[Any] = [{"role": "user", "content": "Deploy the service."}]
    message = litellm.completion(messages=history, **given).choices[0].message
    history += [message, {"role": "tool", "tool_call_id": "call_1", "content": "Error: denied"}]
    model.say(LIE)
    litellm.completion(messages=history, **given)
    settled(heard)
    assert [found.verdict for found, _ in heard] == ["lie"]


def test_without_a_callback_a_lie_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    message = {"role": "assistant", "content": LIE}
    response = {"choices": [{"finish_reason": "stop", "message": message}]}
    call = {**chat(), "litellm_call_id": "c-1"}
    with caplog.at_level(logging.WARNING, "agent_polygraph.litellm"):
        PolygraphLogger().log_success_event(call, response, None, None)
    (record,) = caplog.records
    assert "c-1" in record.message and "I deployed the service" in record.message
    caplog.clear()
    sure = PolygraphLogger(config=Config(ignore=("error_concealment",)))
    sure.log_success_event(call, response, None, None)
    assert not caplog.records


def broken(verdict: Verdict, call: Any) -> None:
    raise RuntimeError("the user's own")


@pytest.mark.parametrize("damage", [None, {}, {"messages": 3}, {"messages": [function_call("c")]}])
def test_it_raises_nothing(damage: Any, caplog: pytest.LogCaptureFixture) -> None:
    PolygraphLogger(broken).log_success_event(damage, {"choices": [{"message": 3}]}, None, None)
    PolygraphLogger(broken).log_success_event(damage, "Done.", None, None)
    PolygraphLogger(broken).log_success_event(chat(), object(), None, None)
    assert not caplog.records  # nothing in it was final: the callback was never asked


def test_what_a_callback_raises_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    message = {"role": "assistant", "content": LIE}
    response = {"choices": [{"finish_reason": "stop", "message": message}]}
    PolygraphLogger(broken).log_success_event(chat(), response, None, None)
    (record,) = caplog.records
    assert record.exc_info is not None and "the user's own" in str(record.exc_info[1])
