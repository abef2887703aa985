"""The LiteLLM reader: the three wire formats, their bits, and what a proxy adds."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from agent_polygraph.adapters.litellm import from_litellm, post_call_guardrail, read_request
from agent_polygraph.config import Config
from agent_polygraph.events import Event, Message, ToolCall, ToolResult

Row = dict[str, Any]
SYSTEM = {"role": "system", "content": "You are a deploy agent."}
ASKED = {"role": "user", "content": "Deploy the service."}


def asks(call_id: str, name: str = "deploy", arguments: str = '{"env": "prod"}') -> Row:
    function = {"name": name, "arguments": arguments}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def answer(call_id: str, content: Any, **extra: Any) -> Row:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **extra}


def says(text: Any, **extra: Any) -> Row:
    message = {"role": "assistant", "content": text, **extra}
    return {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}


def result(events: list[Event]) -> ToolResult:
    (found,) = (event for event in events if isinstance(event, ToolResult))
    return found


# --- chat ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "extra", "bit", "sniffed", "read"),
    [
        ("deployed ok", {}, None, False, "deployed ok"),
        ("Error: permission denied", {}, True, True, "Error: permission denied"),
        ("Traceback (most recent call last):\nx", {}, True, True, None),
        ("boom", {"is_error": True}, True, False, "boom"),
        ("boom", {"status": "error"}, True, False, "boom"),
        ("Error: handled", {"is_error": False}, False, False, "Error: handled"),
        ([{"type": "text", "text": "Error: no"}], {}, True, True, "Error: no"),
        (["a", {"type": "text", "text": "b"}], {}, None, False, "a\nb"),
        (json.dumps({"ok": False, "exit_code": 1}), {}, None, False, None),
        (None, {}, None, False, ""),
        ("", {}, None, False, ""),
    ],
)
def test_chat_bits(content: Any, extra: Row, bit: bool | None, sniffed: bool, read: Any) -> None:
    history = [SYSTEM, ASKED, asks("c1"), answer("c1", content, **extra)]
    events, closing, task = from_litellm(history, says("Deployed."))
    found = result(events)
    assert (found.is_error, found.error_sniffed) == (bit, sniffed)
    assert read is None or found.content == read
    assert events[0] == ToolCall("c1", "deploy", '{"env": "prod"}')
    assert (closing, task) == ("Deployed.", "Deploy the service.")
    assert len(events) == 2  # one request only: it is the task, and no event


def test_nothing_is_sniffed_where_the_caller_forbids_it() -> None:
    history = [ASKED, asks("c1"), answer("c1", "Error: no")]
    events, _, _ = from_litellm(history, config=Config(error_sniff=False))
    assert result(events).is_error is None


def test_parallel_calls_and_the_words_beside_them() -> None:
    both = {**asks("c1"), "content": "Doing both."}
    both["tool_calls"] = [*asks("c1")["tool_calls"], *asks("c2", "test")["tool_calls"]]
    events, _, _ = from_litellm([ASKED, both, answer("c2", "2 failed"), answer("c1", "ok")])
    assert events[0] == Message("Doing both.")
    assert [e.call_id for e in events if isinstance(e, ToolResult)] == ["c2", "c1"]


def test_the_legacy_function_call_finds_its_result() -> None:
    call = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    back = {"role": "function", "name": "f", "content": "ok"}
    events, _, _ = from_litellm([ASKED, call, back, call, back])
    ids = [event.call_id for event in events if isinstance(event, (ToolCall, ToolResult))]
    assert ids == ["call1", "call1", "call2", "call2"]


def test_only_what_follows_the_last_request_is_the_run() -> None:
    history = [
        ASKED,
        asks("c1"),
        answer("c1", "Error: timeout"),
        {"role": "assistant", "content": "It failed."},
        {"role": "user", "content": "Retry."},
        asks("c1"),
        answer("c1", "deployed ok"),
    ]
    events, closing, task = from_litellm(history, says("Deployed now."))
    assert (closing, task) == ("Deployed now.", "Retry.")
    border = events.index(Message("Retry.", "user"))
    run = [e.call_id for e in events[border:] if isinstance(e, (ToolCall, ToolResult))]
    assert run == ["c1#2", "c1#2"]  # the id of an earlier turn came back
    before = [e.call_id for e in events[:border] if isinstance(e, (ToolCall, ToolResult))]
    assert before == ["c1", "c1"]


@pytest.mark.parametrize(
    ("history", "closing"),
    [
        ([ASKED, {"role": "assistant", "content": "Deployed."}], "Deployed."),
        ([ASKED, asks("c1")], ""),
        ([ASKED, asks("c1"), answer("c1", "ok")], ""),
        ([ASKED], ""),
        ([SYSTEM], ""),
        ([], ""),
        (None, ""),
        ("Just say hi", ""),
    ],
)
def test_without_a_response_the_history_may_end_with_the_closing(
    history: Any, closing: str
) -> None:
    assert from_litellm(history)[1] == closing


def test_a_dangling_call_stays_one() -> None:
    events, _, _ = from_litellm([ASKED, asks("c1")], says("Deployed."))
    assert events == [ToolCall("c1", "deploy", '{"env": "prod"}')]


def test_a_result_whose_call_is_out_of_sight_is_kept() -> None:
    assert from_litellm([answer("c9", "ok")])[0] == [ToolResult("c9", "ok", None)]


def test_eight_hundred_messages() -> None:
    history = [SYSTEM, ASKED]
    for number in range(400):
        history += [asks(f"c{number}", "read"), answer(f"c{number}", "x" * 500)]
    assert len(from_litellm(history)[0]) == 800


# --- responses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("response", "closing"),
    [
        (says("Done."), "Done."),
        (says([{"type": "text", "text": "Done."}]), "Done."),
        (says(None), ""),
        (says(""), ""),
        ({"choices": []}, ""),
        ({"choices": [{"text": "Done."}]}, "Done."),
        (
            {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "D."}]},
            "D.",
        ),
        (
            {
                "object": "response",
                "output": [
                    {"type": "reasoning", "summary": []},
                    {"type": "message", "content": [{"type": "output_text", "text": "Done."}]},
                ],
            },
            "Done.",
        ),
        (
            {
                "type": "response.completed",
                "response": {
                    "output": [{"type": "message", "role": "assistant", "content": "Done."}]
                },
            },
            "Done.",
        ),
        ("Done.", "Done."),
        (
            SimpleNamespace(
                choices=[SimpleNamespace(message=SimpleNamespace(content="Done.", tool_calls=None))]
            ),
            "Done.",
        ),
        ({"unknown": 1}, ""),
        (7, ""),
    ],
)
def test_responses_as_dict_object_or_text(response: Any, closing: str) -> None:
    assert from_litellm([ASKED], response)[1] == closing


def test_pydantic_like_objects_dump_themselves() -> None:
    class Completion:
        def model_dump(self) -> Row:
            return says("Done.")

    assert from_litellm([ASKED], Completion())[1] == "Done."


def test_objects_that_break_are_survived() -> None:
    class Broken:
        @property
        def __dict__(self) -> Any:  # type: ignore[override]
            return {"choices": [self]}

        def model_dump(self) -> Row:
            raise RuntimeError

    assert from_litellm([ASKED, Broken()], Broken())[1] == ""


@pytest.mark.parametrize("text", [None, "Deploying ..."])
def test_a_turn_that_still_calls_is_not_closed(text: str | None) -> None:
    """An intermediate turn of the agent: nothing is claimed yet."""
    response = says(text, tool_calls=asks("c1")["tool_calls"])
    events, closing, _ = from_litellm([ASKED], response)
    assert closing == ""
    assert events[-1] == ToolCall("c1", "deploy", '{"env": "prod"}')


def test_every_choice_is_judged() -> None:
    history = [ASKED, asks("c1"), answer("c1", "Error: refused")]
    response = {
        "choices": [
            {"message": {"role": "assistant", "content": "The deploy failed."}},
            {"message": {"role": "assistant", "content": "Done, deployed successfully."}},
        ]
    }
    assert from_litellm(history, response)[1] == "The deploy failed."
    assert post_call_guardrail({"messages": history}, response).is_lie


# --- Anthropic -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "bit", "content"),
    [
        ({"content": "boom", "is_error": True}, True, "boom"),
        ({"content": [{"type": "text", "text": "boom"}], "is_error": True}, True, "boom"),
        ({"content": "deployed"}, None, "deployed"),
        ({"content": "Error: x", "is_error": False}, False, "Error: x"),
        ({}, None, ""),
    ],
)
@pytest.mark.parametrize("beside", [[], [{"type": "text", "text": "continue please"}]])
def test_anthropic_bits(block: Row, bit: bool | None, content: str, beside: list[Row]) -> None:
    history = [
        {"role": "user", "content": [{"type": "text", "text": "Deploy."}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "Deploying."},
                {"type": "tool_use", "id": "t1", "name": "deploy", "input": {"env": "prod"}},
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t1", **block}, *beside],
        },
    ]
    events, closing, task = from_litellm(history, {"content": [{"type": "text", "text": "Done."}]})
    assert events[:2] == [Message("Deploying."), ToolCall("t1", "deploy", {"env": "prod"})]
    assert (result(events).is_error, result(events).content) == (bit, content)
    # Words beside a result are no new request: the turn goes on.
    assert (closing, task) == ("Done.", "Deploy.")


# --- Responses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "bit", "content"),
    [
        ({"type": "function_call_output", "call_id": "c", "output": "ok"}, None, "ok"),
        (
            {"type": "function_call_output", "call_id": "c", "output": "x", "status": "incomplete"},
            True,
            "x",
        ),
        (
            {"type": "function_call_output", "call_id": "c", "output": "x", "status": "completed"},
            None,
            "x",
        ),
        ({"type": "custom_tool_call_output", "call_id": "c", "output": "ok"}, None, "ok"),
        ({"type": "some_new_call_output", "call_id": "c", "output": "ok"}, None, "ok"),
    ],
)
def test_responses_items(item: Row, bit: bool | None, content: str) -> None:
    history = [
        {"role": "user", "content": [{"type": "input_text", "text": "Deploy."}]},
        {
            "type": "function_call",
            "call_id": "c",
            "id": "fc_c",
            "name": "deploy",
            "arguments": "{}",
        },
        item,
    ]
    events, _, task = from_litellm(history, "Done.")
    assert events[0] == ToolCall("c", "deploy", "{}")
    assert (result(events).is_error, result(events).content) == (bit, content)
    assert task == "Deploy."


@pytest.mark.parametrize(
    ("item", "events"),
    [
        (
            {"type": "mcp_call", "id": "m", "name": "f", "arguments": "{}", "error": "no"},
            [ToolCall("m", "f", "{}"), ToolResult("m", "no", True)],
        ),
        (
            {"type": "mcp_call", "id": "m", "name": "f", "arguments": "{}", "error": None}
            | {"output": "ok", "status": "completed"},
            [ToolCall("m", "f", "{}"), ToolResult("m", "ok", False)],
        ),
        (
            {"type": "code_interpreter_call", "id": "m", "code": "1/0", "status": "failed"}
            | {"outputs": [{"type": "logs", "logs": "ZeroDivisionError"}]},
            [
                ToolCall("m", "code_interpreter", "1/0"),
                ToolResult("m", "ZeroDivisionError", True),
            ],
        ),
        (
            {"type": "web_search_call", "id": "m", "status": "completed", "action": {"query": "x"}},
            [ToolCall("m", "web_search", {"query": "x"}), ToolResult("m", "completed", None)],
        ),
        (
            {"type": "web_search_call", "id": "m", "status": "in_progress"},
            [ToolCall("m", "web_search", "")],
        ),
        (
            {"type": "local_shell_call", "call_id": "m", "action": {"command": ["ls"]}},
            [ToolCall("m", "local_shell", {"command": ["ls"]})],
        ),
        ({"type": "reasoning", "summary": []}, []),
        ({"type": "item_reference", "id": "x"}, []),
        ({"type": "message", "role": "developer", "content": "be kind"}, []),
    ],
)
def test_hosted_items_carry_their_own_result(item: Row, events: list[Event]) -> None:
    assert from_litellm([item])[0] == events


# --- what a proxy adds ---------------------------------------------------------------------------


def test_tools_that_the_proxy_ran_in_a_chat_turn() -> None:
    call = asks("m1", "find")["tool_calls"][0]
    fields = {
        "mcp_tool_calls": [call],
        "mcp_call_results": [{"tool_call_id": "m1", "name": "find", "result": "Error: no match"}],
    }
    response = says("I found it.", tool_calls=[call], provider_specific_fields=fields)
    events, closing, _ = from_litellm([ASKED], response)
    assert closing == "I found it."
    assert [type(event) for event in events] == [ToolCall, ToolResult]
    assert result(events).error_sniffed


def test_tools_that_the_proxy_ran_in_a_responses_turn() -> None:
    packed = json.dumps([{"tool_call_id": "m1", "name": "find", "result": "three rows"}])
    output = [
        {"type": "mcp_tools_fetched", "content": [{"type": "output_text", "text": "[find]"}]},
        {"type": "function_call", "call_id": "m1", "name": "find", "arguments": "{}"},
        {"type": "tool_execution_results", "content": [{"type": "output_text", "text": packed}]},
        {"type": "message", "role": "assistant", "content": [{"text": "Three."}]},
    ]
    events, closing, _ = from_litellm("how many?", {"output": output})
    assert closing == "Three."  # and not what the tools said
    assert events == [ToolCall("m1", "find", "{}"), ToolResult("m1", "three rows", None)]


@pytest.mark.parametrize(
    ("tools", "names"),
    [
        ([{"type": "function", "function": {"name": "deploy"}}], ["deploy"]),
        ([{"name": "deploy", "input_schema": {}}], ["deploy"]),
        ([{"type": "function", "name": "deploy"}], ["deploy"]),
        (["deploy", "deploy"], ["deploy"]),
        ([{"type": "web_search"}, {"name": "deploy"}], None),  # not the whole list
        ([], None),
        (None, None),
    ],
)
def test_the_tools_of_a_request(tools: Any, names: list[str] | None) -> None:
    body = {"messages": [ASKED], "tools": tools}
    if tools == ["deploy", "deploy"]:
        body["tools"] = ["deploy"]
    assert read_request(body).tools == names


def test_messages_win_over_input() -> None:
    body = {"messages": [ASKED, asks("c1")], "input": [ASKED, asks("c1")]}
    assert len(read_request(body).events) == 1


@pytest.mark.parametrize("data", [None, [], 3, {}, {"messages": 3}, {"input": None}])
def test_bodies_without_a_history(data: Any) -> None:
    assert read_request(data).triple == ([], "", "")
    assert post_call_guardrail(data).verdict == "honest"


def test_unreadable_messages_are_counted() -> None:
    messages: list[Any] = [
        None,
        3,
        [],
        {},
        {"role": "robot"},
        {"role": "assistant", "tool_calls": [4]},
        ASKED,
    ]
    reading = read_request({"messages": messages})
    assert len(reading.skipped) == 6
    assert reading.task == "Deploy the service."


# --- the guardrail -------------------------------------------------------------------------------

FAILED = [ASKED, asks("c1"), answer("c1", "boom", is_error=True)]


def test_audit_judges_the_response() -> None:
    verdict = post_call_guardrail({"messages": FAILED}, says("Done, deployed successfully."))
    assert verdict.is_lie
    assert not post_call_guardrail({"messages": FAILED}, says("The deploy failed.")).is_lie
    assert not post_call_guardrail({"messages": FAILED}, says(None)).is_lie


@pytest.mark.parametrize("mode", ["block", "", "warn", None])
def test_only_audit_is_a_mode(mode: Any) -> None:
    with pytest.raises(ValueError, match="audit"):
        post_call_guardrail({}, mode=mode)
