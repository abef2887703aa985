"""The trajectories in the shapes of the hosts, as their own recordings in `traces/` have them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from agent_polygraph import ToolCall, ToolResult

from .suite import Trajectory

Json = dict[str, Any]


def text(value: Any) -> str:
    """What a tool returned as the text that goes over the wire."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# --- messages -------------------------------------------------------------------------------------


def _chat_call(call: ToolCall) -> Json:
    function = {"name": call.name, "arguments": text(call.arguments)}
    return {"id": call.call_id, "type": "function", "function": function}


def _chat_result(result: ToolResult) -> Json:
    # The wire format of Chat Completions has no error bit.
    return {"role": "tool", "tool_call_id": result.call_id, "content": text(result.content)}


def chat_rounds(trajectory: Trajectory) -> Iterator[tuple[Json, list[Json]]]:
    """(the assistant's message, the tool messages after it), for each round."""
    for one in trajectory.rounds():
        calls = [_chat_call(call) for call in one.calls]
        answer = {"role": "assistant", "content": one.text or None, "tool_calls": calls}
        yield answer, [_chat_result(result) for result in one.results]


def chat(trajectory: Trajectory) -> tuple[Json, Json]:
    """A Chat Completions request and its response."""
    messages: list[Json] = [{"role": "user", "content": trajectory.task}]
    for answer, results in chat_rounds(trajectory):
        messages += [answer, *results]
    last = {"role": "assistant", "content": trajectory.closing}
    request: Json = {"model": "scripted", "messages": messages}
    if trajectory.tools is not None:
        request["tools"] = [
            {"type": "function", "function": {"name": name, "parameters": {}}}
            for name in trajectory.tools
        ]
    choice = {"index": 0, "finish_reason": "stop", "message": last}
    return request, {"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice]}


def anthropic(trajectory: Trajectory) -> tuple[Json, Json]:
    """A Messages request and its response."""
    messages: list[Json] = [{"role": "user", "content": trajectory.task}]
    for one in trajectory.rounds():
        blocks: list[Json] = [{"type": "text", "text": one.text}] if one.text else []
        messages.append(
            {"role": "assistant", "content": blocks + [_tool_use(c) for c in one.calls]}
        )
        if one.results:
            messages.append({"role": "user", "content": [_tool_result(r) for r in one.results]})
    request: Json = {"model": "scripted", "max_tokens": 512, "messages": messages}
    if trajectory.tools is not None:
        request["tools"] = [{"name": name, "input_schema": {}} for name in trajectory.tools]
    content = [{"type": "text", "text": trajectory.closing}]
    response = {"type": "message", "role": "assistant", "stop_reason": "end_turn"}
    return request, {**response, "content": content}


def _tool_use(call: ToolCall) -> Json:
    return {"type": "tool_use", "id": call.call_id, "name": call.name, "input": call.arguments}


def _tool_result(result: ToolResult) -> Json:
    block: Json = {"type": "tool_result", "tool_use_id": result.call_id}
    block["content"] = text(result.content)
    return {**block, "is_error": True} if result.is_error else block


def response_items(trajectory: Trajectory) -> list[Json]:
    """A run as items of the Responses API, without the closing."""
    items: list[Json] = [{"role": "user", "content": trajectory.task}]
    for one in trajectory.rounds():
        items += [_message(one.text)] if one.text else []
        items += [_function_call(call) for call in one.calls]
        items += [_function_output(result) for result in one.results]
    return items


def responses(trajectory: Trajectory) -> tuple[Json, Json]:
    """A Responses request and its response."""
    request: Json = {"model": "scripted", "input": response_items(trajectory)}
    if trajectory.tools is not None:
        request["tools"] = [{"type": "function", "name": name} for name in trajectory.tools]
    output = [_message(trajectory.closing)]
    return request, {"object": "response", "status": "completed", "output": output}


def _message(words: str) -> Json:
    part = {"type": "output_text", "text": words, "annotations": []}
    return {"type": "message", "role": "assistant", "status": "completed", "content": [part]}


def _function_call(call: ToolCall) -> Json:
    named: Json = {"type": "function_call", "call_id": call.call_id, "name": call.name}
    return {**named, "arguments": text(call.arguments)}


def _function_output(result: ToolResult) -> Json:
    item: Json = {"type": "function_call_output", "call_id": result.call_id}
    return {**item, "output": text(result.content)}


# --- Claude Code ----------------------------------------------------------------------------------


def transcript(trajectory: Trajectory) -> list[Json]:
    """A session's transcript: one block an entry, as the host writes them."""
    entries: list[Json] = []

    def add(kind: str, content: Any, **more: Any) -> None:
        message = {"role": kind, "content": content}
        if kind == "assistant":
            message |= {"id": f"msg_{len(entries)}", "type": "message", "model": "scripted"}
        entries.append(
            {
                "type": kind,
                "uuid": f"u{len(entries)}",
                "parentUuid": entries[-1]["uuid"] if entries else None,
                "isSidechain": False,
                "sessionId": "s1",
                "message": message,
                **more,
            }
        )

    add("user", trajectory.task)
    for one in trajectory.rounds():
        if one.text:
            add("assistant", [{"type": "text", "text": one.text}])
        for call in one.calls:
            add("assistant", [_tool_use(call)])
        for result in one.results:
            add("user", [_tool_result(result)])
    add("assistant", [{"type": "text", "text": trajectory.closing}])
    return entries


# --- spans ----------------------------------------------------------------------------------------


class Clock:
    """Times that only go on: milliseconds of one minute."""

    def __init__(self) -> None:
        self.now = 0

    def tick(self) -> int:
        """The next moment."""
        self.now += 1
        return self.now


def _model_and_tools(
    trajectory: Trajectory,
    model: Callable[[int, int, list[Json], Json], None],
    tool: Callable[[int, int, ToolCall, ToolResult], None],
) -> None:
    """Every span of the run, in order of its end: (start, end, input, output) and so on."""
    clock = Clock()
    history: list[Json] = [{"role": "user", "content": trajectory.task}]
    by_id = {call.call_id: call for call in trajectory.calls}
    for answer, results in chat_rounds(trajectory):
        model(clock.tick(), clock.tick(), list(history), answer)
        started = {call["id"]: clock.tick() for call in answer["tool_calls"]}
        for result in results:
            call_id = result["tool_call_id"]
            tool(started[call_id], clock.tick(), by_id[call_id], trajectory.results[call_id])
        history += [answer, *results]
    last = {"role": "assistant", "content": trajectory.closing}
    model(clock.tick(), clock.tick(), list(history), last)


def agents_spans(trajectory: Trajectory) -> list[Json]:
    """Exports of the OpenAI Agents SDK with the Chat Completions model."""
    rows: list[Json] = [{"object": "trace", "id": "trace_1", "workflow_name": "Agent workflow"}]

    def moment(at: int) -> str:
        return f"2026-03-02T10:00:{at // 1000:02}.{at % 1000:03}000+00:00"

    def add(start: int, end: int, data: Json, error: Json | None = None) -> None:
        rows.append(
            {
                "object": "trace.span",
                "id": f"span_{len(rows)}",
                "trace_id": "trace_1",
                "parent_id": "span_agent",
                "started_at": moment(start),
                "ended_at": moment(end),
                "span_data": data,
                "error": error,
            }
        )

    def model(start: int, end: int, given: list[Json], answer: Json) -> None:
        add(start, end, {"type": "generation", "input": given, "output": [answer]})

    def tool(start: int, end: int, call: ToolCall, result: ToolResult) -> None:
        error = None
        if result.is_error:
            data = {"tool_name": call.name, "error": text(result.content)}
            error = {"message": "Error running tool (non-fatal)", "data": data}
        output = result.content if isinstance(result.content, str) else str(result.content)
        data = {"type": "function", "name": call.name, "input": text(call.arguments)}
        add(start, end, {**data, "output": output, "mcp_data": None}, error)

    _model_and_tools(trajectory, model, tool)
    tools = None if trajectory.tools is None else list(trajectory.tools)
    add(0, 59_000, {"type": "agent", "name": "agent", "handoffs": [], "tools": tools})
    rows[-1] |= {"id": "span_agent", "parent_id": None}
    return rows


def openinference_spans(trajectory: Trajectory) -> list[Json]:
    """OTLP/JSON documents with OpenInference attributes, one span each."""
    rows: list[Json] = []

    def add(start: int, end: int, name: str, attributes: Json, status: Json) -> None:
        span = {
            "traceId": "5a" * 16,
            "spanId": f"{len(rows) + 2:016x}",
            "parentSpanId": f"{1:016x}",
            "name": name,
            "startTimeUnixNano": str(1_772_441_000_000_000_000 + start * 1_000_000),
            "endTimeUnixNano": str(1_772_441_000_000_000_000 + end * 1_000_000),
            "attributes": [
                {"key": key, "value": {"stringValue": value}} for key, value in attributes.items()
            ],
            "status": status,
        }
        rows.append({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})

    def model(start: int, end: int, given: list[Json], answer: Json) -> None:
        attributes = {"openinference.span.kind": "LLM"}
        for side, messages in (("input", given), ("output", [answer])):
            for index, message in enumerate(messages):
                attributes |= _flat(f"llm.{side}_messages.{index}.message", message)
        for index, name in enumerate(trajectory.tools or ()):
            schema = json.dumps({"type": "function", "function": {"name": name}})
            attributes[f"llm.tools.{index}.tool.json_schema"] = schema
        add(start, end, "llm", attributes, {"code": 0})

    def tool(start: int, end: int, call: ToolCall, result: ToolResult) -> None:
        attributes = {
            "openinference.span.kind": "TOOL",
            "tool.name": call.name,
            "input.value": text(call.arguments),
            "output.value": text(result.content),
        }
        failed = {"code": 2, "message": text(result.content)}
        add(start, end, call.name, attributes, failed if result.is_error else {"code": 1})

    _model_and_tools(trajectory, model, tool)
    add(0, 59_000, "agent", {"openinference.span.kind": "AGENT"}, {"code": 1})
    (root,) = rows[-1]["resourceSpans"][0]["scopeSpans"][0]["spans"]
    root |= {"spanId": f"{1:016x}", "parentSpanId": ""}
    return rows


def _flat(prefix: str, message: Json) -> dict[str, str]:
    flat = {f"{prefix}.role": message["role"]}
    if message.get("content"):
        flat[f"{prefix}.content"] = message["content"]
    if message.get("tool_call_id"):
        flat[f"{prefix}.tool_call_id"] = message["tool_call_id"]
    for index, call in enumerate(message.get("tool_calls", ())):
        inner = f"{prefix}.tool_calls.{index}.tool_call"
        flat[f"{inner}.id"] = call["id"]
        flat[f"{inner}.function.name"] = call["function"]["name"]
        flat[f"{inner}.function.arguments"] = call["function"]["arguments"]
    return flat
