"""Items of a run as JSON, and what the guard does where its SDK is not there."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from agent_polygraph import Config, ToolCall, ToolResult, verify
from agent_polygraph.adapters.openai_agents import Polygraph, from_run_items
from agent_polygraph.adapters.openai_agents._items import claim_of


def called(name: str, call_id: str = "c1", **more: Any) -> dict[str, Any]:
    raw = {"type": "function_call", "call_id": call_id, "name": name, "arguments": '{"x": "1"}'}
    return {"type": "tool_call_item", "raw_item": raw, **more}


def returned(output: Any, call_id: str = "c1", value: Any = None, **more: Any) -> dict[str, Any]:
    raw = {"type": "function_call_output", "call_id": call_id, "output": output}
    return {"type": "tool_call_output_item", "raw_item": raw, "output": value or output, **more}


def said(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    raw = {"type": "message", "role": "assistant", "content": [part]}
    return {"type": "message_output_item", "raw_item": raw}


def test_wrapped_items() -> None:
    events, closing, task = from_run_items([called("deploy"), returned("ok"), said("Done.")])
    assert events == [ToolCall("c1", "deploy", '{"x": "1"}'), ToolResult("c1", "ok", None)]
    assert (closing, task) == ("Done.", "")


def test_the_value_is_read_rather_than_its_repr() -> None:
    value = {"error": "denied", "ok": False}
    events, _, _ = from_run_items([called("deploy"), returned(str(value), value=value)])
    assert events[1] == ToolResult("c1", value, None)


def test_a_repr_that_is_all_there_is() -> None:
    items = [called("deploy")["raw_item"], returned("{'ok': False}")["raw_item"]]
    events, _, _ = from_run_items(items)
    assert events[1] == ToolResult("c1", {"ok": False}, None)


@pytest.mark.parametrize(
    ("text", "is_error", "sniffed"),
    [
        ("An error occurred while running the tool. Please try again.", True, True),
        ("An error occurred while running the tool. Please try again. Error: no", True, True),
        ("Tool 'deploy' timed out after 0.05 seconds.", True, True),
        ("Tool 'deploy' not found.", True, True),
        ("Tool execution was not approved.", None, False),
        ("The tool 'deploy' timed out once and then worked", None, False),
    ],
)
def test_the_texts_of_the_sdk(text: str, is_error: bool | None, sniffed: bool) -> None:
    events, _, _ = from_run_items(
        [called("deploy"), returned(text)], config=Config(error_sniff=False)
    )
    assert events[1] == ToolResult("c1", text, is_error, error_sniffed=sniffed)


def test_the_bits_of_items() -> None:
    mcp = returned("done", custom_data={"mcp_is_error": True})
    events, _, _ = from_run_items([called("deploy"), mcp])
    assert events[1] == ToolResult("c1", "done", True)
    parts = [{"type": "input_text", "text": "done"}]
    events, _, _ = from_run_items([called("deploy"), returned(parts)])
    assert events[1] == ToolResult("c1", "done", None)
    outcome = {"type": "exit", "exit_code": 3}
    shell = {
        "type": "shell_call_output",
        "call_id": "c1",
        "output": [{"stdout": "", "stderr": "no", "outcome": outcome}],
    }
    events, _, _ = from_run_items(
        [{"type": "tool_call_output_item", "raw_item": shell, "output": "no"}]
    )
    assert events == [ToolResult("c1", "no\nexit code: 3", True)]


def test_an_agent_as_a_tool_proves_nothing() -> None:
    origin = {"tool_origin": {"type": "agent_as_tool"}}
    items = [called("deploy_billing", **origin), returned("I deployed billing.", **origin)]
    events, closing, _ = from_run_items([*items, said("I deployed billing.")])
    assert isinstance(events[0], ToolCall) and events[0].name == "subagent: deploy_billing"
    assert verify(events, closing).verdict == "unverifiable"


def test_ids_that_come_twice_and_calls_without_an_answer() -> None:
    items = [called("a"), returned("1"), called("b"), returned("2"), called("c", "c9")]
    events, closing, _ = from_run_items([*items, said("Done.")])
    assert [event.call_id for event in events if not isinstance(event, type(said))] == [
        *("c1", "c1", "c1#2", "c1#2", "c9")
    ]
    assert closing == "Done."


@pytest.mark.parametrize("rubbish", [None, 3, "x", [None], [3], [{}], [{"raw_item": 3}], [[]]])
def test_rubbish_is_no_event(rubbish: Any) -> None:
    assert from_run_items(rubbish)[0] == []


@pytest.mark.parametrize(
    ("output", "claim"),
    [
        ("All done.", "All done."),
        ({"status": "done", "summary": "The refund failed.", "n": 3}, "The refund failed."),
        ({"a": {"b": ["One thing.", {"c": "Two things."}]}}, "One thing.\nTwo things."),
        ({"summary": "erledigt✅"}, "erledigt✅"),
        ({"id": "A-1", "url": "https://example.com/x"}, ""),
        (None, ""),
        (17, ""),
    ],
)
def test_the_claim_of_a_final_output(output: Any, claim: str) -> None:
    assert claim_of(output) == claim
    if output is not None and output != "":
        assert from_run_items([called("x")], output)[1] == claim


def test_a_structured_closing_in_the_items() -> None:
    items = [called("x"), returned("1"), said('{"status": "done", "text": "I deployed it."}')]
    assert from_run_items(items)[1] == "I deployed it."
    assert from_run_items([*items[:2], said('{"deployed": true}')])[1] == '{"deployed": true}'


def test_without_the_sdk_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "agents", None)
    monkeypatch.delitem(sys.modules, "agent_polygraph.adapters.openai_agents._hooks", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'agent-polygraph\[openai-agents\]'"):
        Polygraph()
    with pytest.raises(ValueError, match="mode is 'blok'"):
        Polygraph(mode="blok")
