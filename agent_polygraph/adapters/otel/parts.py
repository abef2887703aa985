"""Messages in the shapes in which spans carry them, as `Part`s.

Each parser takes a span's attributes and a key, and gives the parts in order; it returns nothing
for anything it does not know.  Message attributes are JSON text on spans and structures in log
records; both are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .._shape import (
    bit,
    data_of,
    first,
    ident,
    mapping,
    parse_json,
    sequence,
    status_bit,
    string,
    text_of,
)

_DEPTH = 12
_NODES = 20_000


@dataclass(slots=True)
class Part:
    """One thing in a message: words ("user", "assistant"), a "call" or a "result".

    said: a result's own word on whether it failed.
    """

    kind: str
    value: Any = ""
    call_id: str = ""
    name: str = ""
    said: bool | None = None


Parser = Callable[[Mapping[str, Any], str], list[Part]]


# --- flat keys ------------------------------------------------------------------------------------


def _rows(attributes: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """`<prefix>.<i>.<rest>` as one dict of `rest` an `i`, in order."""
    rows: dict[int, dict[str, Any]] = {}
    start = prefix + "."
    skip = len(start)
    for key, value in attributes.items():
        if isinstance(key, str) and key.startswith(start):
            number, _, rest = key[skip:].partition(".")
            if rest and number.isdecimal() and len(number) < 7:
                rows.setdefault(int(number), {})[rest] = value
    return [row for _, row in sorted(rows.items())]


def flat_openinference(attributes: Mapping[str, Any], prefix: str) -> list[Part]:
    """`<prefix>.<i>.message.role`, `...message.tool_calls.<j>.tool_call. ...`."""
    return [part for row in _rows(attributes, prefix) for part in _openinference_message(row)]


def _openinference_message(row: dict[str, Any]) -> Iterator[Part]:
    role = string(row.get("message.role")).lower()
    texts: dict[int, str] = {}
    calls: dict[tuple[str, int], dict[str, Any]] = {}
    for key, value in row.items():
        head, _, rest = key.partition(".")
        group, _, rest = rest.partition(".")
        number, _, rest = rest.partition(".")
        if head != "message" or not number.isdecimal() or len(number) > 6:
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


def flat_chat(attributes: Mapping[str, Any], prefix: str) -> list[Part]:
    """`<prefix>.<i>.role`, `.content`, `.tool_call_id`, `.tool_calls.<j>.{id,name,arguments}`."""
    parts: list[Part] = []
    for row in _rows(attributes, prefix):
        message = {key: value for key, value in row.items() if "." not in key}
        calls = [
            {"id": call.get("id"), "name": call.get("name"), "args": call.get("arguments")}
            for call in _rows(row, "tool_calls")
        ]
        content = message.get("content")
        message["content"] = data_of(content) if isinstance(content, str) else content
        parts += _chat_message({"role": "assistant", **message, "tool_calls": calls}) or []
    return parts


# Those that take the head of many keys; all others are asked only where their key is there.
FLAT: set[Parser] = {flat_openinference, flat_chat}


# --- the official GenAI messages ------------------------------------------------------------------


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
        if message.get("tool_calls") and not any(part.kind == "call" for part in own):
            parts += _chat_calls(message)
    return parts


def _genai_part(role: str, piece: Any, message: Mapping[str, Any]) -> Iterator[Part]:
    known = mapping(piece)
    kind = string(known.get("type"))
    if kind in ("tool_call", "server_tool_call", "function_call"):
        arguments = first(known, "arguments", "server_tool_call")
        call_id = ident(first(known, "id", "call_id"))
        yield Part("call", arguments, call_id, string(known.get("name")))
    elif kind in ("tool_call_response", "server_tool_call_response", "function_result"):
        value = first(known, "response", "result", "server_tool_call_response")
        name = string(first(known, "name")) or string(message.get("name"))
        said = bit(known.get("is_error"), status_bit(known.get("status")))
        yield Part("result", value, ident(first(known, "id", "call_id")), name, said)
    elif kind in ("text", ""):
        text = piece if isinstance(piece, str) else text_of(first(known, "content", "text"))
        if text and role in ("user", "human"):
            yield Part("user", text)
        elif text and role == "tool":
            call_id = ident(first(message, "id", "tool_call_id"))
            yield Part("result", text, call_id, string(message.get("name")))
        elif text and role not in ("system", "developer"):
            yield Part("assistant", text)


# --- messages of frameworks and clients, anywhere in a JSON value ---------------------------------


def loose_messages(attributes: Mapping[str, Any], key: str) -> list[Part]:
    """LangChain and chat messages anywhere in the JSON value of an attribute."""
    return messages_in(data_of(attributes.get(key)))


def messages_in(value: Any) -> list[Part]:
    """LangChain and chat messages anywhere in a JSON value, in order; bounded in depth and nodes."""
    found: list[Part] = []
    stack: list[tuple[Any, int]] = [(value, 0)]
    seen = 0
    while stack and seen < _NODES:
        node, depth = stack.pop()
        seen += 1
        if isinstance(node, Mapping):
            message = _langchain_message(node)
            if message is None:
                message = _chat_message(node)
            if message is not None:
                found += message
                continue
        if depth < _DEPTH:
            inner = list(node.values()) if isinstance(node, Mapping) else sequence(node)
            stack += [
                (item, depth + 1) for item in reversed(inner) if isinstance(item, (dict, list))
            ]
    return found


_LANGCHAIN = frozenset({"ai", "AIMessageChunk", "tool", "human"})


def _langchain_message(node: Mapping[str, Any]) -> list[Part] | None:
    inner = mapping(node.get("data")) or mapping(node.get("kwargs")) or node
    kind = string(first(inner, "type")) or string(node.get("type"))
    if "content" not in inner or kind not in _LANGCHAIN:
        return None
    content = inner["content"]
    if kind == "human":
        return [Part("user", text_of(content))]
    if kind == "tool":
        # "success" is the default and means no more than that nothing was raised.
        said = status_bit(inner.get("status"))
        call_id = ident(inner.get("tool_call_id"))
        return [Part("result", content, call_id, string(inner.get("name")), said)]
    text = text_of(content)
    return ([Part("assistant", text)] if text else []) + _chat_calls(inner)


_ROLES = frozenset("user human assistant ai model tool function system developer".split())


def _chat_message(node: Mapping[str, Any]) -> list[Part] | None:
    """A message by its role, as chat APIs have it."""
    role = string(node.get("role")).lower()
    if role not in _ROLES or not any(key in node for key in ("content", "tool_calls", "blocks")):
        return None
    content = first(node, "content", "blocks")
    if role in ("system", "developer"):
        return []
    if role in ("tool", "function"):
        extra = mapping(node.get("additional_kwargs"))
        call_id = ident(
            first(node, "tool_call_id", "toolCallId", "id") or extra.get("tool_call_id")
        )
        blocks = _blocks(role, content)
        if any(part.kind == "result" for part in blocks):
            return blocks
        if isinstance(content, Mapping) and "function" in content:
            return []  # the definition of a tool, logged among the messages
        return [Part("result", content, call_id, string(node.get("name")))]
    blocks = _blocks(role, content)
    if any(part.kind == "result" for part in blocks):
        blocks = [part for part in blocks if part.kind != "user"]
    known = {part.call_id for part in blocks if part.kind == "call"}
    return blocks + [call for call in _chat_calls(node) if call.call_id not in known]


def _blocks(role: str, content: Any) -> list[Part]:
    speaker = "user" if role in ("user", "human") else "assistant"
    if not isinstance(content, (list, tuple)):
        text = text_of(content)
        return [Part(speaker, text)] if text else []
    parts: list[Part] = []
    words: list[str] = []
    for block in content:
        part = _block(mapping(block))
        if part is not None:
            parts.append(part)
        else:
            words.append(text_of(block))
    text = "\n".join(filter(None, words))
    return ([Part(speaker, text)] if text else []) + parts


def _block(block: Mapping[str, Any]) -> Part | None:
    """A call or a result among the blocks of a message: Anthropic, Bedrock, the AI SDK."""
    kind = string(block.get("type"))
    if isinstance(block.get("toolUse"), Mapping):
        use = block["toolUse"]
        return Part("call", use.get("input"), ident(use.get("toolUseId")), string(use.get("name")))
    if isinstance(block.get("toolResult"), Mapping):
        back = block["toolResult"]
        said = status_bit(back.get("status"))
        return Part("result", back.get("content"), ident(back.get("toolUseId")), "", said)
    if kind == "tool_use":
        return Part("call", block.get("input"), ident(block.get("id")), string(block.get("name")))
    if kind == "tool_result":
        said = bit(block.get("is_error"))
        return Part("result", block.get("content"), ident(block.get("tool_use_id")), "", said)
    if kind == "tool-call":
        call_id = ident(block.get("toolCallId"))
        arguments = first(block, "input", "args")
        return Part("call", arguments, call_id, string(block.get("toolName")))
    if kind == "tool-result":
        value = first(block, "output", "result")
        call_id = ident(block.get("toolCallId"))
        said = bit(block.get("isError"))
        return Part("result", value, call_id, string(block.get("toolName")), said)
    return None


def _chat_calls(node: Mapping[str, Any]) -> list[Part]:
    parts: list[Part] = []
    listed = node.get("tool_calls") or mapping(node.get("additional_kwargs")).get("tool_calls")
    for call in map(mapping, sequence(data_of(listed))):
        inner = mapping(call.get("function")) or call
        name = string(first(inner, "name", "toolName", "tool_name"))
        arguments = first(inner, "args", "arguments", "input", "tool_kwargs")
        call_id = ident(first(call, "id", "toolCallId", "tool_id"))
        parts.append(Part("call", arguments, call_id, name))
    return parts


def listed_calls(attributes: Mapping[str, Any], key: str) -> list[Part]:
    """A bare list of calls: `[{toolCallId, toolName, input}]`."""
    return _chat_calls({"tool_calls": attributes.get(key)})


def plain_answer(attributes: Mapping[str, Any], key: str) -> list[Part]:
    """Text that the model said, under a key of its own."""
    text = attributes.get(key)
    return [Part("assistant", text)] if isinstance(text, str) and text else []


def in_turn(*parsers: tuple[str, Parser]) -> Parser:
    """Several attributes of one message, in this order."""

    def parse(attributes: Mapping[str, Any], key: str) -> list[Part]:
        return [part for name, parser in parsers for part in parser(attributes, name)]

    return parse
