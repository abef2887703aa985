"""Codex rollouts, Gemini chats and Cursor transcripts: the shapes that the real programs write."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_polygraph.adapters.stops import (
    begins_codex_turn,
    from_codex_rollout,
    from_cursor_transcript,
    from_gemini_chat,
)
from agent_polygraph.events import Message, ToolCall, ToolResult

Row = dict[str, Any]


def item(**payload: Any) -> Row:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": payload}


def words(role: str, text: str) -> Row:
    kind = "output_text" if role == "assistant" else "input_text"
    return item(type="message", role=role, content=[{"type": kind, "text": text}])


def shell(output: Any) -> list[Row]:
    call = item(type="function_call", name="exec_command", arguments='{"cmd": "x"}', call_id="c")
    return [call, item(type="function_call_output", call_id="c", output=output)]


@pytest.mark.parametrize(
    ("output", "bit", "content"),
    [
        ("Wall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nno", True, "no"),
        ("Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nok", False, "ok"),
        ("Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\n..", None, ".."),
        (json.dumps({"output": "no", "metadata": {"exit_code": 2}}), True, "Exit code 2\nno"),
        (json.dumps({"output": "ok", "metadata": {"exit_code": 0}}), False, "ok"),
        ("Output:\nProcess exited with code 1", None, "Process exited with code 1"),
        ("Process exited with code 1", None, "Process exited with code 1"),
    ],
)
def test_codex_exit_codes(output: str, bit: bool | None, content: str) -> None:
    reading = from_codex_rollout([words("user", "go"), *shell(output)])
    (found,) = [event for event in reading.events if isinstance(event, ToolResult)]
    assert found.is_error is bit
    assert found.content.endswith(content)


def test_codex_turns() -> None:
    rows = [
        {"timestamp": "t", "type": "session_meta", "payload": {"id": "x"}},
        words("developer", "<skills_instructions>"),
        words("user", "<environment_context>x</environment_context>"),
        words("user", "first"),
        {
            "timestamp": "t",
            "type": "event_msg",
            "payload": {"type": "user_message", "message": "x"},
        },
        *shell("Process exited with code 0\nOutput:\nok"),
        words("assistant", "One."),
        words("user", "second"),
        words("assistant", "Two."),
        words("user", '<hook_prompt hook_run_id="stop:0">not so</hook_prompt>'),
        item(type="reasoning", summary=[], encrypted_content="x"),
        words("assistant", "Three."),
    ]
    reading = from_codex_rollout(rows)
    assert (reading.closing, reading.task, reading.skipped) == ("Three.", "second", [])
    assert [e.text for e in reading.events if isinstance(e, Message) and e.role == "user"] == [
        *("first", "second")
    ]
    assert [row for row in rows if begins_codex_turn(row)] == [rows[3], rows[8]]


CALL = {"id": "g", "name": "run_shell_command", "args": {"command": "pytest"}}


def response(output: str) -> list[Row]:
    return [{"functionResponse": {"id": "g", "response": {"output": output}}}]


@pytest.mark.parametrize(
    ("status", "output", "bit"),
    [
        ("success", "Output: 2 passed\nExit Code: 0\nProcess Group PGID: 5", False),
        ("success", "Output: 1 failed\nExit Code: 1\nProcess Group PGID: 5", True),
        ("success", "Output: ok", False),
        ("error", "no such tool", True),
        ("cancelled", "", True),
    ],
)
def test_gemini_calls(status: str, output: str, bit: bool) -> None:
    call = {**CALL, "status": status, "result": response(output)}
    reading = from_gemini_chat([{"id": "1", "type": "gemini", "content": "", "toolCalls": [call]}])
    made, found = reading.events
    assert made == ToolCall("g", "run_shell_command", {"command": "pytest"})
    assert isinstance(found, ToolResult) and found.is_error is bit


def test_a_gemini_call_that_has_not_come_back() -> None:
    call = {**CALL, "status": "executing"}
    reading = from_gemini_chat([{"id": "1", "type": "gemini", "content": "", "toolCalls": [call]}])
    assert [type(event) for event in reading.events] == [ToolCall]


def test_gemini_messages_grow_and_are_replaced() -> None:
    context = {"id": "0", "type": "user", "content": [{"text": "<session_context>x"}]}
    asked = {"id": "1", "type": "user", "content": [{"text": "go"}]}
    growing = {"id": "2", "type": "gemini", "content": ""}
    done = {**growing, "toolCalls": [{**CALL, "status": "success", "result": response("ok")}]}
    back = {"id": "3", "type": "user", "content": response("ok")}
    last = {"id": "4", "type": "gemini", "content": "Done."}
    header = {"sessionId": "s", "kind": "main"}
    moved = {"$set": {"lastUpdated": "t"}}
    rows = [
        header,
        {"$set": {"messages": [context]}},
        asked,
        moved,
        growing,
        done,
        back,
        last,
        moved,
    ]
    reading = from_gemini_chat(rows)
    assert (reading.closing, reading.task) == ("Done.", "go")
    assert [type(event) for event in reading.events] == [ToolCall, ToolResult]
    replaced = from_gemini_chat([*rows, {"$set": {"messages": [asked, last]}}])
    assert replaced.events == [] and replaced.closing == "Done."
    old = from_gemini_chat({"messages": [asked, done, last]})
    assert old.events == reading.events


def test_cursor() -> None:
    use = {"type": "tool_use", "id": "u", "name": "Shell", "input": {"command": "pytest"}}
    reading = from_cursor_transcript(
        [
            {"role": "user", "message": {"content": [{"type": "text", "text": "go"}]}},
            {"role": "assistant", "message": {"content": [use]}},
            {"role": "assistant", "message": {"content": [{"type": "text", "text": "Done."}]}},
        ]
    )
    assert (reading.closing, reading.task) == ("Done.", "go")
    assert reading.events == [ToolCall("u", "Shell", {"command": "pytest"})]
