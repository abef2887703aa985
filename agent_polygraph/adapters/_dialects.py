"""Vocabularies of span attributes, one table each.

A reader asks all tables in turn, since a span may speak two of them at once (an OpenInference
processor rewrites GenAI spans in place).  To add a vocabulary, add a `Dialect` to `DIALECTS`.

Sources: the OpenInference semantic conventions 0.1.42; the OpenTelemetry GenAI semantic conventions
(Development; the literals are written out, since the constants move).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._shape import bit, data_of, first, ident, mapping, parse_json, sequence, string, text_of
from ._shape import status_bit as status_of

_DEPTH = 12
_NODES = 20_000


@dataclass(slots=True)
class Part:
    """One thing in a message: words ("user", "assistant"), a "call" or a "result"."""

    kind: str
    value: Any = ""
    call_id: str = ""
    name: str = ""
    said: bool | None = None


Parser = Callable[[Mapping[str, Any], str], list[Part]]


@dataclass(frozen=True, slots=True)
class Dialect:
    """The attribute names of one vocabulary; of several, the first that is there counts.

    kinds: attribute -> its values -> tool, llm, agent, chain or other.  failed: attribute -> the
    values that mean the call failed ("" means any value).  inputs, outputs: where the messages of a
    model call are.  answers: where an agent's final text is.  asked: where its task is.
    """

    name: str
    kinds: Mapping[str, Mapping[str, str]]
    tool_name: tuple[str, ...]
    call_id: tuple[str, ...]
    arguments: tuple[str, ...]
    result: tuple[str, ...]
    failed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    inputs: tuple[tuple[str, Parser], ...] = ()
    outputs: tuple[tuple[str, Parser], ...] = ()
    answers: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


# --- messages -------------------------------------------------------------------------------------


def openinference_messages(attributes: Mapping[str, Any], prefix: str) -> list[Part]:
    """Messages under flat keys: `<prefix>.<i>.message.role`, `...message.tool_calls.<j>. ...`."""
    rows: dict[int, dict[str, Any]] = {}
    start = prefix + "."
    for key, value in attributes.items():
        if key.startswith(start):
            number, _, rest = key[len(start) :].partition(".")
            if rest and number.isdigit() and len(number) < 7:
                rows.setdefault(int(number), {})[rest] = value
    parts: list[Part] = []
    for _, row in sorted(rows.items()):
        parts += _openinference_message(row)
    return parts


def _openinference_message(row: Mapping[str, Any]) -> Iterator[Part]:
    role = string(row.get("message.role")).lower()
    texts: dict[int, str] = {}
    calls: dict[tuple[str, int], dict[str, Any]] = {}
    for key, value in row.items():
        head, _, rest = key.partition(".")
        group, _, rest = rest.partition(".")
        number, _, rest = rest.partition(".")
        if head != "message" or not number.isdigit() or len(number) > 6:
            continue
        if group == "contents" and rest == "message_content.text":
            texts[int(number)] = text_of(value)
        elif group in ("tool_calls", "contents") and rest.startswith("tool_call."):
            calls.setdefault((group, int(number)), {})[rest.removeprefix("tool_call.")] = value
    content = row.get("message.content")
    text = text_of(content) or "\n".join(texts[number] for number in sorted(texts))
    call_id = ident(row.get("message.tool_call_id"))
    if role == "tool" or call_id:
        value = content if content is not None and not isinstance(content, str) else text
        yield Part("result", value, call_id, string(row.get("message.name")))
        return
    if text and role in ("user", "human"):
        yield Part("user", text)
    elif text and role not in ("system", "developer"):
        yield Part("assistant", text)
    listed = {place: call for place, call in calls.items() if place[0] == "tool_calls"}
    for _, call in sorted((listed or calls).items(), key=lambda pair: pair[0]):
        name = string(call.get("function.name"))
        yield Part("call", call.get("function.arguments"), ident(call.get("id")), name)
    if not calls and isinstance(row.get("message.function_call_name"), str):
        arguments = row.get("message.function_call_arguments_json")
        yield Part("call", arguments, "", row["message.function_call_name"])


def genai_messages(attributes: Mapping[str, Any], key: str) -> list[Part]:
    """`[{"role", "parts": [{"type": ...}]}]`, as JSON text or as the list itself."""
    value = attributes.get(key)
    found = parse_json(value) if isinstance(value, str) else value
    parts: list[Part] = []
    for message in map(mapping, sequence(found)):
        role = string(message.get("role")).lower()
        pieces = sequence(first(message, "parts", "content"))
        if not pieces:
            pieces = ({"type": "text", "content": message.get("content")},)
        own = [part for piece in pieces for part in _genai_part(role, piece, message)]
        if any(part.kind == "result" for part in own):
            # Results come back under the role of the user: that is no new request.
            own = [part for part in own if part.kind != "user"]
        parts += own
    return parts


def _genai_part(role: str, piece: Any, message: Mapping[str, Any]) -> Iterator[Part]:
    known = mapping(piece)
    kind = string(known.get("type"))
    if kind in ("tool_call", "server_tool_call"):
        arguments = first(known, "arguments", "server_tool_call")
        yield Part("call", arguments, ident(known.get("id")), string(known.get("name")))
    elif kind in ("tool_call_response", "server_tool_call_response"):
        value = first(known, "response", "result", "server_tool_call_response")
        name = string(first(known, "name")) or string(message.get("name"))
        said = bit(known.get("is_error"), status_of(known.get("status")))
        yield Part("result", value, ident(known.get("id")), name, said)
    elif kind in ("text", ""):
        text = piece if isinstance(piece, str) else text_of(first(known, "content", "text"))
        if text and role in ("user", "human"):
            yield Part("user", text)
        elif text and role == "tool":
            yield Part("result", text, ident(message.get("id")), string(message.get("name")))
        elif text and role not in ("system", "developer"):
            yield Part("assistant", text)


# --- the tables -----------------------------------------------------------------------------------

OPENINFERENCE = Dialect(
    name="openinference",
    kinds={
        "openinference.span.kind": {
            "TOOL": "tool",
            "RETRIEVER": "tool",
            "LLM": "llm",
            "AGENT": "agent",
            "CHAIN": "chain",
        }
    },
    tool_name=("tool.name", "tool_call.function.name"),
    call_id=("tool_call.id", "tool.id", "tool.call_id"),
    arguments=("input.value", "tool_call.function.arguments"),
    result=("output.value",),
    inputs=(("llm.input_messages", openinference_messages),),
    outputs=(("llm.output_messages", openinference_messages),),
    answers=("output.value",),
    asked=("input.value",),
    tools=("llm.tools", "smolagents.tools_names"),
)

GENAI = Dialect(
    name="gen_ai",
    kinds={
        "gen_ai.operation.name": {
            "execute_tool": "tool",
            "chat": "llm",
            "generate_content": "llm",
            "text_completion": "llm",
            "invoke_agent": "agent",
            "invoke_workflow": "agent",
        },
        "mcp.method.name": {"tools/call": "tool"},
    },
    tool_name=("gen_ai.tool.name",),
    call_id=("gen_ai.tool.call.id",),
    arguments=("gen_ai.tool.call.arguments",),
    result=("gen_ai.tool.call.result",),
    failed={"error.type": ("",), "gen_ai.tool.status": ("error",)},
    inputs=(("gen_ai.input.messages", genai_messages),),
    outputs=(("gen_ai.output.messages", genai_messages),),
    answers=("final_result", "gen_ai.output.messages"),
    asked=("gen_ai.input.messages",),
    tools=("gen_ai.tool.definitions",),
)

DIALECTS: tuple[Dialect, ...] = (OPENINFERENCE, GENAI)

# Tools of the frameworks themselves: they end a run and show nothing of the world.
CONTROL = frozenset({"final_answer", "finish", "final_result", "final_output"})
# The span name is no tool name; where there is no other, these are cut off it.
NAME_PREFIXES = ("execute_tool ", "tools/call ", "running tool: ")
NAME_SUFFIXES = (".run", ".tool", ".__call__", ".call", ".acall")
# A handover between agents has a span of its own beside the call that asked for it.
HANDOFF = "handoff to "


def kind_of(attributes: Mapping[str, Any]) -> str:
    """tool, llm, agent, chain or other, by the first table that knows the span."""
    for dialect in DIALECTS:
        for key, values in dialect.kinds.items():
            value = attributes.get(key)
            if isinstance(value, str) and value:
                found = values.get(value) or values.get(value.upper())
                if found or key.endswith("span.kind"):
                    return found or "other"
    return "other"


# --- wrappers of values ---------------------------------------------------------------------------


@dataclass(slots=True)
class Wrapped:
    """What a result is once its framework's wrapper is off."""

    content: Any = None
    said: bool | None = None
    call_id: str = ""


def unwrap_result(value: Any) -> Wrapped:
    """A tool's result without the wrapper that its framework put around it.

    Wrappers: LangChain's ToolMessage (status), LlamaIndex's ToolOutput (is_error), MCP's result
    (isError).  Python reprs of containers become containers.
    """
    data = data_of(value)
    if isinstance(data, str) and data[:1] == data[-1:] == '"':
        data = _unquoted(data)
    if not isinstance(data, (dict, list)):
        return Wrapped(data)
    if isinstance(data, dict):
        if isinstance(data.get("blocks"), list) and "raw_output" in data:
            raw = data["raw_output"]
            content = text_of(data["blocks"]) if raw is None or raw == "" else raw
            return Wrapped(content, bit(data.get("is_error")))
        if "isError" in data and "content" in data:
            return Wrapped(data["content"], bit(data["isError"]))
    messages = [row for row in langchain_messages(data) if row.kind == "result"]
    if len(messages) == 1:
        only = messages[0]
        return Wrapped(data_of(only.value), only.said, only.call_id)
    return Wrapped(data)


def _unquoted(text: str) -> str:
    """A string that was logged as JSON, as the string it is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, str) else text


def unwrap_arguments(value: Any) -> Any:
    """A call's arguments without the `{"args": [], "kwargs": {}}` that some frameworks log."""
    data = data_of(value)
    if isinstance(data, dict) and isinstance(data.get("kwargs"), dict):
        positional = data.get("args")
        if not positional:
            return data["kwargs"]
        return {**data["kwargs"], "args": positional}
    return data


def langchain_messages(value: Any) -> list[Part]:
    """LangChain messages anywhere in a JSON value, in order.  Bounded in depth and nodes."""
    found: list[Part] = []
    stack: list[tuple[Any, int]] = [(value, 0)]
    seen = 0
    while stack and seen < _NODES:
        node, depth = stack.pop()
        seen += 1
        if isinstance(node, Mapping):
            message = _langchain_message(node)
            if message is not None:
                found += message
                continue
        if depth < _DEPTH:
            inner = list(node.values()) if isinstance(node, Mapping) else sequence(node)
            stack += [(item, depth + 1) for item in reversed(inner)]
    return found


def _langchain_message(node: Mapping[str, Any]) -> list[Part] | None:
    inner = mapping(node.get("data")) or mapping(node.get("kwargs")) or node
    kind = string(first(inner, "type")) or string(node.get("type"))
    if "content" not in inner or kind not in ("ai", "AIMessageChunk", "tool", "human"):
        return None
    content = inner["content"]
    if kind == "human":
        return [Part("user", text_of(content))]
    if kind == "tool":
        # "success" is the default and means no more than that nothing was raised.
        said = status_of(inner.get("status"))
        call_id = ident(inner.get("tool_call_id"))
        return [Part("result", content, call_id, string(inner.get("name")), said)]
    parts = [Part("assistant", text_of(content))] if text_of(content) else []
    for call in map(mapping, sequence(inner.get("tool_calls"))):
        parts.append(
            Part("call", call.get("args"), ident(call.get("id")), string(call.get("name")))
        )
    return parts
