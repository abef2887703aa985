"""One invariant of all readers: any list gives events, a closing and a task; nothing is raised."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_polygraph.adapters import (
    from_litellm,
    from_openai_agents,
    from_openinference,
    from_transcript,
    split_turns,
)
from agent_polygraph.adapters.litellm import read_request
from agent_polygraph.adapters.stops import (
    from_codex_rollout,
    from_cursor_transcript,
    from_gemini_chat,
)
from agent_polygraph.events import Message, ToolCall, ToolResult, normalize


def listed(value: Any) -> list[Any]:
    """What is read line by line is always a list."""
    return value if isinstance(value, list) else [value]


READERS: dict[str, Callable[[Any], tuple[list[Any], str, str]]] = {
    "claude_code": from_transcript,
    "openai_agents": from_openai_agents,
    "openinference": from_openinference,
    "litellm": from_litellm,
    "litellm response": lambda value: from_litellm(value, value),
    "codex": lambda value: from_codex_rollout(listed(value)).triple,
    "gemini": lambda value: from_gemini_chat(value).triple,
    "cursor": lambda value: from_cursor_transcript(listed(value)).triple,
    "litellm request": lambda value: read_request({"messages": value, "tools": value}).triple,
}


def words(text: str) -> list[str]:
    return text.split()


# Words that the readers look for, so that random values get past their front doors.
KEYS = words("""
    type role content text message messages id uuid tool_calls function name arguments input output
    tool_use_id tool_call_id call_id is_error isError status error toolUseResult isMeta isSidechain
    isCompactSummary sessionId agentId attachment prompt operation interrupted code success
    span_data trace_id parent_id started_at ended_at tools handoffs to_agent response choices
    context span_id attributes events start_time end_time status_code resourceSpans scopeSpans spans
    key value stringValue intValue arrayValue kvlistValue values traceId spanId name
    openinference.span.kind gen_ai.operation.name gen_ai.output.messages gen_ai.input.messages
    llm.output_messages.0.message.role llm.output_messages.0.message.content llm.output_messages
    llm.input_messages.0.message.tool_call_id tool.name input.value output.value parts kwargs data
    payload toolCalls args result functionResponse $set resultDisplay
    outcome exit_code provider_specific_fields mcp_tool_calls mcp_call_results function_call
""")
WORDS = words("""
    user assistant tool system text tool_use tool_result function_call function_call_output message
    mcp_call shell_call_output attachment queue-operation queued_command enqueue remove function
    generation agent handoff response TOOL LLM AGENT CHAIN execute_tool chat invoke_agent ERROR OK
    response_item gemini success cancelled run_shell_command
    tool_call tool_call_response completed failed c1 c2 deploy exit timeout
    2026-03-01T10:00:00Z 1772359200000000000 [Request {"type": [1 {'a':
    <task-notification><tool-use-id>c1</tool-use-id> <command-name>/x</command-name>
""")

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 10**20)
    | st.floats()
    | st.sampled_from(WORDS)
    | st.text(max_size=6)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner, max_size=6)
    ),
    max_leaves=25,
)


def check(found: tuple[list[Any], str, str]) -> None:
    events, closing, task = found
    assert all(isinstance(event, (Message, ToolCall, ToolResult)) for event in events)
    assert normalize(events) == events
    assert isinstance(closing, str)
    assert isinstance(task, str)
    for event in events:
        if isinstance(event, ToolResult):
            assert isinstance(event.call_id, str)
            assert event.is_error in (True, False, None)
            assert not event.error_sniffed or event.is_error is True
            assert not event.truncation_inferred or event.truncated
        elif isinstance(event, ToolCall):
            assert isinstance(event.call_id, str)
            assert isinstance(event.name, str)
        else:
            assert isinstance(event.text, str)
            assert event.role in ("user", "assistant", "system")


@pytest.mark.parametrize("name", READERS)
@given(value=st.lists(values, max_size=6))
@settings(max_examples=250, deadline=None)
def test_any_list(name: str, value: list[Any]) -> None:
    before = copy.deepcopy(value)
    check(READERS[name](value))
    assert json.dumps(value) == json.dumps(before)  # and nothing is changed in the host


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "value", [None, 0, 1.5, True, "", "x", b"x", {}, {"a": 1}, object(), (), iter([{}, None])]
)
def test_anything_that_is_no_list(name: str, value: Any) -> None:
    check(READERS[name](value))


# Good records of every kind, to be damaged.
TRANSCRIPT = [
    {"type": "user", "uuid": "1", "message": {"role": "user", "content": "go"}},
    {
        "type": "assistant",
        "uuid": "2",
        "message": {
            "id": "m",
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "x"}}
            ],
        },
    },
    {
        "type": "user",
        "uuid": "3",
        "toolUseResult": {"stdout": "x", "interrupted": False, "gitOperation": {"push": {}}},
        "message": {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True}
            ],
        },
    },
    {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "and"}},
    {
        "type": "assistant",
        "uuid": "4",
        "message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
    },
]
SPANS = [
    {
        "object": "trace.span",
        "id": "1",
        "trace_id": "t",
        "started_at": "2026-03-01T10:00:00Z",
        "span_data": {
            "type": "generation",
            "input": [{"role": "user", "content": "go"}],
            "output": [
                {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f"}}]}
            ],
        },
    },
    {
        "object": "trace.span",
        "id": "2",
        "trace_id": "t",
        "parent_id": "1",
        "span_data": {"type": "function", "name": "f", "input": "{}", "output": "{'a': 1}"},
        "error": {"message": "x", "data": {"error": "y"}},
    },
]
OTEL = [
    {
        "name": "s",
        "context": {"trace_id": "t", "span_id": "1"},
        "parent_id": None,
        "start_time": "2026-03-01T10:00:00Z",
        "status": {"status_code": "ERROR"},
        "events": [{"name": "exception", "attributes": {"exception.message": "x"}}],
        "attributes": {
            "openinference.span.kind": "TOOL",
            "tool.name": "f",
            "input.value": '{"kwargs": {"a": 1}}',
            "output.value": '{"type": "tool", "data": {"content": "x", "tool_call_id": "c1"}}',
        },
    },
    {
        "resourceSpans": [
            {
                "scopeSpans": [
                    {
                        "spans": [
                            {
                                "traceId": "t",
                                "spanId": "2",
                                "attributes": [
                                    {
                                        "key": "gen_ai.operation.name",
                                        "value": {"stringValue": "chat"},
                                    },
                                    {
                                        "key": "gen_ai.output.messages",
                                        "value": {"stringValue": '[{"role": "a", "parts": [{}]}]'},
                                    },
                                ],
                            }
                        ]
                    }
                ]
            }
        ]
    },
]
CHAT = [
    {"role": "user", "content": "go"},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}],
        "tool_calls": [{"id": "c2", "function": {"name": "f", "arguments": "{}"}}],
        "function_call": {"name": "f", "arguments": "{}"},
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": []}]},
    {"role": "tool", "tool_call_id": "c2", "content": "no"},
    {"type": "mcp_call", "id": "c3", "name": "f", "error": None, "output": "x"},
    {"type": "shell_call_output", "call_id": "c4", "output": [{"outcome": {"type": "exit"}}]},
]
GOOD: dict[str, list[Any]] = {
    "claude_code": TRANSCRIPT,
    "openai_agents": SPANS,
    "openinference": OTEL,
    "litellm": CHAT,
    "litellm response": [{"choices": [{"message": CHAT[1]}]}],
    "codex": lambda value: from_codex_rollout(listed(value)).triple,
    "gemini": lambda value: from_gemini_chat(value).triple,
    "cursor": lambda value: from_cursor_transcript(listed(value)).triple,
    "litellm request": CHAT,
}


def damage(data: st.DataObject, value: Any) -> Any:
    """`value` with one place in it replaced by something random."""
    if isinstance(value, (dict, list)) and value and data.draw(st.integers(0, 5)):
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = data.draw(st.sampled_from(keys))
        value[key] = damage(data, value[key])
        return value
    return data.draw(values)


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
@settings(max_examples=250, deadline=None)
def test_any_damage(name: str, data: st.DataObject) -> None:
    value = copy.deepcopy(GOOD[name])
    for _ in range(data.draw(st.integers(1, 3))):
        value = damage(data, value)
    check(READERS[name](value))


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("depth", [100, 900])
def test_deep_values_everywhere(name: str, depth: int) -> None:
    """Deeper than anything a host writes; the interpreter's own limit is near."""
    deep: Any = "x"
    for level in range(depth):
        deep = {"content": deep, "a": 1} if level % 2 else [deep]

    def bury(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: bury(item) for key, item in value.items()}
        if isinstance(value, list):
            return [*map(bury, value), deep]
        return deep if value in ("x", "no", "{}", "Done.") else value

    check(READERS[name](bury(copy.deepcopy(GOOD[name]))))


@given(st.lists(st.sampled_from([*TRANSCRIPT, None, {"type": "user"}, {"type": "x"}]), max_size=12))
@settings(max_examples=200, deadline=None)
def test_turns_cover_the_entries_in_order(entries: list[Any]) -> None:
    turns = split_turns(entries)
    ends = [place for turn in turns for place in (turn.first, turn.last)]
    assert ends == sorted(ends)
    assert all(0 <= place < len(entries) for place in ends)
    kept = sum(len(turn.entries) for turn in turns)
    assert kept == sum(isinstance(entry, dict) for entry in entries)
    for turn in turns:
        assert turn.stop_fires == bool(turn.closing)
        assert not (turn.interrupted and turn.closing)
