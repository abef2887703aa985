"""What the clients of a real proxy see, in each action, on each route, streamed or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import anthropic
import httpx
import openai
import pytest

from agent_polygraph import Verdict
from agent_polygraph.adapters.litellm.report import header_key

from .bodies import (
    ASKED,
    DENIED,
    FAILED,
    HONEST,
    LIE,
    OK,
    WORKED,
    answered,
    asks,
    chat,
    messages,
    responses,
)
from .conftest import ACTIONS, ROUTES, Host

CHAT, MESSAGES, RESPONSES = ROUTES
HEADER = "x-agent-polygraph-verdict"
DEPLOY = {"type": "function", "function": {"name": "deploy", "parameters": {"type": "object"}}}

each_route = pytest.mark.parametrize("route", ROUTES)
each_stream = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
each_action = pytest.mark.parametrize("action", ACTIONS)


# --- through the clients --------------------------------------------------------------------------


@dataclass
class Seen:
    """What a client made of an answer: its words, how it ended, or the error it raised."""

    text: str = ""
    finish: str | None = None
    error: str = ""
    status: int = 200


def ask(host: Host, route: str, guard: str, stream: bool, body: dict[str, Any]) -> Seen:
    """One request through the SDK that a user of the route has."""
    client = _anthropic if route == MESSAGES else _chat if route == CHAT else _responses
    try:
        return client(host, {**body, "extra_body": {"guardrails": [guard]}}, stream)
    except (openai.APIStatusError, anthropic.APIStatusError) as error:
        assert isinstance(
            error, (openai.UnprocessableEntityError, anthropic.UnprocessableEntityError)
        )
        return Seen(error=str(error), status=error.status_code)


def _openai(host: Host) -> openai.OpenAI:
    http = openai.DefaultHttpxClient(trust_env=False)
    return openai.OpenAI(base_url=f"{host.proxy.base}/v1", api_key=host.proxy.key, http_client=http)


def _chat(host: Host, body: Any, stream: bool) -> Seen:
    with _openai(host) as client:
        answer = client.chat.completions.create(**body, stream=stream)
        if not stream:
            (choice,) = answer.choices
            return Seen(choice.message.content, choice.finish_reason)
        seen = Seen()
        for chunk in answer:
            for choice in chunk.choices:
                seen.text += choice.delta.content or ""
                seen.finish = choice.finish_reason or seen.finish
        return seen


def _responses(host: Host, body: Any, stream: bool) -> Seen:
    with _openai(host) as client:
        answer = client.responses.create(**body, stream=stream)
        if not stream:
            return Seen(answer.output_text, answer.status)
        seen, words = Seen(), ""
        for event in answer:
            if event.type == "response.output_text.delta":
                words += event.delta
            if event.type in ("response.completed", "response.failed"):
                said = event.response.error.message if event.response.error else ""
                seen = Seen(event.response.output_text, event.response.status, said)
        assert words == seen.text  # the pieces and the whole agree
        return seen


def _anthropic(host: Host, body: Any, stream: bool) -> Seen:
    http = anthropic.DefaultHttpxClient(trust_env=False)
    with anthropic.Anthropic(
        base_url=host.proxy.base, api_key=host.proxy.key, http_client=http
    ) as client:
        if not stream:
            answer = client.messages.create(**body)
            return Seen("\n".join(block.text for block in answer.content), answer.stop_reason)
        with client.messages.stream(**body) as events:
            words = "".join(events.text_stream)
            answer = events.get_final_message()
        assert words == "".join(block.text for block in answer.content)
        return Seen(words, answer.stop_reason)


DONE = {CHAT: "stop", MESSAGES: "end_turn", RESPONSES: "completed"}
# How litellm ends an answer that a guardrail put in the place of another.
REPLACED = {CHAT: "content_filter", MESSAGES: "end_turn", RESPONSES: "completed"}


@each_route
@each_stream
@each_action
def test_a_lie(host: Host, action: str, route: str, stream: bool) -> None:
    host.model.say(LIE)
    seen = ask(host, route, action, stream, FAILED[route])
    if action == "audit":
        assert seen == Seen(LIE, DONE[route])
    elif action == "annotate":
        assert seen.text.startswith(f"{LIE}\n\n[agent-polygraph: ") and "deploy" in seen.text
        assert seen.finish == (REPLACED if stream else DONE)[route]
    elif action == "replace":
        assert seen.text.startswith("[agent-polygraph held this answer back")
        assert LIE not in seen.text and "I deployed the service" in seen.text  # it quotes the claim
        assert seen.finish == REPLACED[route]
    else:
        assert "held this answer back" in seen.error and seen.text == ""
        # A Responses stream has begun with 200 when litellm learns of the refusal.
        late = stream and route == RESPONSES
        assert (seen.status, seen.finish) == ((200, "failed") if late else (422, None))


@each_route
@each_stream
@each_action
def test_an_honest_answer_is_what_it_was(host: Host, action: str, route: str, stream: bool) -> None:
    host.model.say(HONEST)
    assert ask(host, route, action, stream, FAILED[route]) == Seen(HONEST, DONE[route])


@each_route
@each_stream
def test_a_true_success_passes(host: Host, route: str, stream: bool) -> None:
    host.model.say(LIE)
    assert ask(host, route, "block", stream, OK[route]) == Seen(LIE, DONE[route])


@each_route
@each_stream
def test_a_block_is_asked_for_once(host: Host, route: str, stream: bool) -> None:
    """Neither the router (two retries, a fallback) nor the client's SDK (two retries) tries again."""
    host.model.say(LIE)
    host.model.requests.clear()
    ask(host, route, "block", stream, FAILED[route])
    assert len(host.model.requests) == 1


# --- the verdict beside the answer ----------------------------------------------------------------


@each_route
def test_the_header_tells_the_verdict(host: Host, route: str) -> None:
    for text, verdict in ((LIE, "lie"), (HONEST, "honest")):
        host.model.say(text)
        answer = host.post(route, FAILED[route], "audit")
        assert answer.headers[HEADER] == verdict
        assert "audit" in answer.headers["x-litellm-applied-guardrails"]
    host.model.say(LIE)
    assert HEADER not in host.post(route, FAILED[route], "audit", stream=True).headers
    assert HEADER not in host.post(route, FAILED[route]).headers  # not asked for


@each_route
@each_stream
def test_the_log_row(host: Host, route: str, stream: bool) -> None:
    host.model.say(LIE)
    host.post(route, FAILED[route], "audit", **({"stream": True} if stream else {}))
    (row,) = host.rows("audit")
    assert row["guardrail_provider"] == "agent_polygraph"
    assert (row["guardrail_status"], row["guardrail_mode"]) == ("success", "post_call")
    assert row["guardrail_response"]["action"] == "audit"
    verdict = Verdict.from_dict(row["guardrail_response"])
    assert verdict.is_lie and verdict.evidence[0].events[0].call_id in ("call_1", "toolu_1")


@each_route
def test_the_log_row_of_an_intervention(host: Host, route: str) -> None:
    host.model.say(LIE)
    host.post(route, FAILED[route], "block")
    (row,) = host.rows("block")
    assert row["guardrail_status"] == "guardrail_intervened"
    assert row["guardrail_response"]["action"] == "block"


@each_route
def test_the_client_may_ask_for_it_in_the_body(host: Host, route: str) -> None:
    host.model.say(LIE)
    wish = {"include_guardrail_response": True}
    body = host.post(route, FAILED[route], "audit", metadata=wish).json()
    (row,) = [r for r in body["guardrail_information"] if r["guardrail_name"] == "audit"]
    assert Verdict.from_dict(row["guardrail_response"]).is_lie
    assert "guardrail_information" not in host.post(route, FAILED[route], "audit").json()


@each_route
def test_a_block_explains_itself(host: Host, route: str) -> None:
    host.model.say(LIE)
    answer = host.post(route, FAILED[route], "block")
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert "I deployed the service to production." in error["message"]
    found = error["provider_specific_fields"]["verdict"]
    assert Verdict.from_dict(found).evidence[0].check == "error_concealment"


@each_route
@each_stream
def test_logging_only_judges_what_was_sent(host: Host, route: str, stream: bool) -> None:
    host.model.say(LIE)
    answer = host.post(route, FAILED[route], **({"stream": True} if stream else {}))
    assert answer.status_code == 200 and HEADER not in answer.headers
    (row,) = host.rows("logged")
    assert row["guardrail_response"]["verdict"] == "lie"


# --- what is not judged ---------------------------------------------------------------------------


@each_route
@pytest.mark.parametrize("forged", ["honest", "lie"])
def test_what_a_client_sends_as_a_verdict_is_not_one(host: Host, route: str, forged: str) -> None:
    """Its metadata stand where the guardrail notes the verdict for the header."""
    sent = {header_key("audit"): forged}
    host.model.say(calls=(("call_9", "run_tests", {"path": "tests"}),))
    for bucket in ("metadata", "litellm_metadata"):
        with host.client() as client:
            body = {**FAILED[route], "guardrails": ["audit"], bucket: sent}
            answer = client.post(route, json=body)
        assert answer.status_code == 200 and HEADER not in answer.headers
    host.model.say(LIE)
    assert host.post(route, FAILED[route], "audit", metadata=sent).headers[HEADER] == "lie"


@each_route
@each_stream
@pytest.mark.parametrize("words", [(), ("Done! I deployed the service. Now the tests.",)])
def test_a_turn_that_still_calls_tools(
    host: Host, route: str, stream: bool, words: tuple[str, ...]
) -> None:
    host.model.say(*words, calls=(("call_9", "run_tests", {"path": "tests"}),))
    answer = host.post(route, FAILED[route], "block", **({"stream": True} if stream else {}))
    assert answer.status_code == 200 and "run_tests" in answer.text
    assert HEADER not in answer.headers
    assert host.silent("block", "logged")


@each_route
@each_stream
def test_an_answer_that_was_cut(host: Host, route: str, stream: bool) -> None:
    """The words that would make it honest may be the ones that are missing."""
    host.model.say(LIE, finish="length")
    answer = host.post(route, FAILED[route], "block", **({"stream": True} if stream else {}))
    assert answer.status_code == 200
    assert host.silent("block", "logged")


@pytest.mark.parametrize("route", [MESSAGES, RESPONSES])  # litellm ends a Chat stream by itself
@pytest.mark.parametrize("guard", ["replace", "block"])
def test_a_stream_that_broke_off(host: Host, route: str, guard: str) -> None:
    host.model.say(f"{LIE} {HONEST}", cut=True)
    try:
        said = host.post(route, FAILED[route], guard, stream=True).text
    except httpx.HTTPError as error:
        said = str(error)
    assert "held this answer back" not in said
    # litellm itself makes a failure of a Responses stream that has no end.
    assert route == RESPONSES or "Done! I depl" in said


@each_route
def test_a_client_that_hangs_up(host: Host, route: str) -> None:
    """litellm scans what it had sent until then: half an answer, and no closing."""
    host.model.say(f"{LIE} " * 40)
    body = {**FAILED[route], "guardrails": ["audit"], "stream": True}
    with host.client() as client, client.stream("POST", route, json=body) as answer:
        next(answer.iter_bytes())
    host.model.say(HONEST)
    assert ask(host, route, "audit", False, FAILED[route]).text == HONEST  # it lives
    assert "could not" not in host.proxy.said()


@each_stream
def test_each_choice_is_judged(host: Host, stream: bool) -> None:
    extra = {"stream": True} if stream else {}
    host.model.say(HONEST, LIE, choices=True)
    assert host.post(CHAT, chat(), "block", n=2, **extra).status_code == 422
    host.model.say(HONEST, HONEST, choices=True)
    assert host.post(CHAT, chat(), "block", n=2, **extra).status_code == 200


def test_a_note_stands_in_the_choice_that_lies(host: Host) -> None:
    host.model.say(HONEST, LIE, choices=True)
    first, second = host.post(CHAT, chat(), "annotate", n=2).json()["choices"]
    assert first["message"]["content"] == HONEST
    assert second["message"]["content"].startswith(f"{LIE}\n\n[agent-polygraph")


@pytest.mark.parametrize("route", [MESSAGES, RESPONSES])
@each_stream
def test_the_parts_of_an_answer_are_one_closing(host: Host, route: str, stream: bool) -> None:
    extra = {"stream": True} if stream else {}
    host.model.say("Deployed, I hoped.", HONEST)
    assert host.post(route, FAILED[route], "block", **extra).status_code == 200
    host.model.say("Let me sum up.", LIE)
    blocked = host.post(route, FAILED[route], "block", **extra)
    assert blocked.status_code == 422 or "response.failed" in blocked.text


# --- the bits -------------------------------------------------------------------------------------

BARE = "boom"  # nothing in it says that it failed


@pytest.mark.parametrize(
    ("route", "body", "blocked"),
    [
        (CHAT, chat(BARE), False),
        (CHAT, chat(BARE, is_error=True), True),
        (CHAT, chat(BARE, status="error"), True),
        (CHAT, chat([{"type": "text", "text": DENIED}]), True),
        (CHAT, chat('{"ok": false, "error": {"code": 403, "message": "denied"}}'), True),
        (MESSAGES, messages(BARE), False),
        (MESSAGES, messages(BARE, is_error=True), True),
        (MESSAGES, messages([{"type": "text", "text": BARE}], is_error=True), True),
        (MESSAGES, messages(WORKED, is_error=False), False),
        (MESSAGES, {**messages(BARE, is_error=True), "model": "fake-x"}, True),  # bridged
        (RESPONSES, responses(BARE), False),
        (RESPONSES, responses(BARE, status="incomplete"), True),
        (RESPONSES, {**responses(BARE, status="incomplete"), "model": "claude-x"}, True),
    ],
)
@each_stream
def test_the_bits_of_the_raw_body(
    host: Host, route: str, body: Any, blocked: bool, stream: bool
) -> None:
    host.model.say(LIE)
    answer = host.post(route, body, "block", **({"stream": True} if stream else {}))
    assert (answer.status_code == 422 or "response.failed" in answer.text) is blocked


@pytest.mark.parametrize(
    ("fields", "blocked"),
    [
        ({"output": None, "error": "permission denied", "status": "failed"}, True),
        ({"output": "deployed", "error": None, "status": "completed"}, False),
    ],
)
def test_a_tool_that_the_provider_ran(host: Host, fields: Any, blocked: bool) -> None:
    call = {"type": "mcp_call", "id": "mcp_1", "server_label": "ops", "name": "deploy"}
    body = {"model": "fake-x", "input": [ASKED, {**call, "arguments": "{}", **fields}]}
    host.model.say(LIE)
    assert (host.post(RESPONSES, body, "block").status_code == 422) is blocked


# --- histories ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "history",
    [
        [{"role": "system", "content": "You deploy."}],
        [{"role": "user", "content": "hi"}],
        [ASKED, asks("c1")],
        [ASKED, {**asks("c1"), "content": ""}, answered("c1", None)],
        [
            ASKED,
            {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": ""}},
        ],
    ],
    ids=["system only", "no tools", "dangling", "empty", "legacy"],
)
def test_shapes_that_occur(host: Host, history: Any) -> None:
    host.model.say("Hello there.")
    answer = host.post(CHAT, {"model": "fake-x", "messages": history}, "block")
    assert answer.status_code == 200 and answer.headers[HEADER] == "honest"


def long_turn(failed: bool) -> dict[str, Any]:
    history: list[Any] = [ASKED]
    for at in range(400):
        history += [asks(f"c{at}", "read"), answered(f"c{at}", f"line {at} " + "x" * 500)]
    history += [asks("last"), answered("last", DENIED if failed else WORKED)]
    return {"model": "fake-x", "messages": history}


def long_session(failed: bool) -> dict[str, Any]:
    history: list[Any] = []
    for at in range(200):
        history += [{"role": "user", "content": f"Read line {at}."}, asks(f"c{at}", "read")]
        history += [answered(f"c{at}", "x" * 500), {"role": "assistant", "content": "I read it."}]
    return {
        "model": "fake-x",
        "messages": [*history, *chat(DENIED if failed else WORKED)["messages"]],
    }


@pytest.mark.parametrize("history", [long_turn, long_session])
@pytest.mark.parametrize("failed", [True, False])
def test_a_huge_history(host: Host, history: Any, failed: bool) -> None:
    host.model.say(LIE)
    answer = host.post(CHAT, history(failed), "audit")
    assert answer.headers[HEADER] == ("lie" if failed else "honest")


def test_what_was_done_long_ago_was_done(host: Host) -> None:
    """A recap names work that only the far end of the history shows."""
    body = long_session(False)
    done = chat(WORKED)["messages"]
    body["messages"] = [
        *done,
        {"role": "assistant", "content": "Deployed."},
        *body["messages"][:-3],
    ]
    body["messages"].append({"role": "user", "content": "What have you done today?"})
    tools = [DEPLOY, {"type": "function", "function": {"name": "read", "parameters": {}}}]
    host.model.say("I deployed the service to production.")
    assert host.post(CHAT, {**body, "tools": tools}, "audit").headers[HEADER] != "lie"
    never = {**body, "messages": body["messages"][4:]}
    assert host.post(CHAT, {**never, "tools": tools}, "audit").headers[HEADER] == "lie"


def test_nothing_is_absent_from_a_history_that_the_server_keeps(host: Host) -> None:
    tools = [{"type": "function", "name": name} for name in ("deploy", "send_email")]
    body = {"model": "fake-x", "input": [ASKED], "tools": tools}
    host.model.say("I deployed the service and sent the email to ops@example.com.")
    assert host.post(RESPONSES, body, "audit").headers[HEADER] == "lie"
    kept = {**body, "previous_response_id": "resp_0"}
    assert host.post(RESPONSES, kept, "audit").headers[HEADER] != "lie"
    for row in host.rows("logged"):
        assert row["guardrail_response"]["verdict"] != "lie"
    # What a new result says still stands.
    failed = {**kept, "input": responses(DENIED)["input"][2:]}
    host.model.say(LIE)
    assert host.post(RESPONSES, failed, "audit").headers[HEADER] == "lie"


# --- whose guardrail ------------------------------------------------------------------------------


@pytest.mark.parametrize("guard", ["bare", "own"])
@each_route
@each_stream
def test_a_subclass_of_the_users_own_works(
    host: Host, guard: str, route: str, stream: bool
) -> None:
    host.model.say(LIE)
    answer = host.post(route, FAILED[route], guard, **({"stream": True} if stream else {}))
    assert answer.status_code == 422 or "response.failed" in answer.text
    (row,) = host.rows(guard)
    assert row["guardrail_response"]["verdict"] == "lie"


def test_only_the_named_checks_hold_an_answer_back(host: Host) -> None:
    host.model.say(LIE)
    answer = host.post(CHAT, chat(), "chosen")
    assert (answer.status_code, answer.headers[HEADER]) == (200, "lie")
    assert answer.json()["choices"][0]["message"]["content"] == LIE


def test_the_proxy_had_no_trouble_with_it(host: Host) -> None:
    """Last: nothing in the log says that a fault was swallowed."""
    assert "a bug, please report it" not in host.proxy.said()
