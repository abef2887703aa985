"""Messages in the shapes in which spans carry them, as `Part`s.

Each parser finds the messages under a key of a span's attributes, and gives the parts of one in
order; it finds nothing in anything it does not know.  Message attributes are JSON text on spans and
structures in log records; both are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._shape import (
    bit,
    data_of,
    first,
    ident,
    is_mapping,
    mapping,
    sequence,
    status_bit,
    string,
    text_of,
)
from .flat import Attributes, Row, in_order, place_of, spread
from .history import History, Parser, Part

_DEPTH = 12
_NODES = 20_000


# --- flat keys ------------------------------------------------------------------------------------


def _rows(attributes: Attributes, key: str, history: History) -> list[Row]:
    return history.rows(attributes, key)


_CALLS = ("message.tool_calls", "message.contents")
_SAID = ""  # the word of a raw request on a result, in a row; no key of a span has such a rest


def _openinference_message(row: Row) -> Iterator[Part]:
    role = string(row.get("message.role")).lower()
    texts: dict[int, str] = {}
    calls: dict[tuple[str, int], dict[str, Any]] = {}
    for key, value in row.items():
        place = place_of(key)
        if place is None:
            continue
        group, number, rest = place
        if group == "message.contents" and rest == "message_content.text":
            texts[number] = text_of(value)
        elif group in _CALLS and rest.startswith("tool_call."):
            calls.setdefault((group, number), {})[rest.removeprefix("tool_call.")] = value
    content = row.get("message.content")
    text = text_of(content) or "\n".join(texts[number] for number in sorted(texts))
    call_id = ident(row.get("message.tool_call_id"))
    if role == "tool" or call_id:
        value = content if content is not None and not isinstance(content, str) else text
        yield Part("result", value, call_id, string(row.get("message.name")), row.get(_SAID))
        return
    if text and role in ("user", "human"):
        yield Part("user", text)
    elif text and role not in ("system", "developer"):
        yield Part("assistant", text)
    listed = {place: call for place, call in calls.items() if place[0] == _CALLS[0]}
    for _, call in sorted((listed or calls).items(), key=lambda pair: pair[0]):
        name = string(call.get("function.name"))
        yield Part("call", call.get("function.arguments"), ident(call.get("id")), name)
    if not calls and isinstance(row.get("message.function_call_name"), str):
        arguments = row.get("message.function_call_arguments_json")
        yield Part("call", arguments, "", row["message.function_call_name"])


# `<prefix>.<i>.message.role`, `...message.tool_calls.<j>.tool_call. ...`
flat_openinference = Parser(_rows, _openinference_message, flat=True)


def with_raw(rows: list[Row], attributes: Attributes, raw: str) -> list[Row]:
    """Rows of `flat_openinference` with the error bits that the raw request alone has."""
    request = attributes.get(raw)
    if isinstance(request, str) and '"is_error"' in request:
        said = {part.call_id: part.said for part in messages_in(data_of(request))}
        for row in rows:
            row[_SAID] = said.get(ident(row.get("message.tool_call_id"))) or None
    return rows


def _flat_chat(row: Row) -> list[Part]:
    message = {key: value for key, value in row.items() if "." not in key}
    calls = [
        {"id": call.get("id"), "name": call.get("name"), "args": call.get("arguments")}
        for call in in_order(spread(row).get("tool_calls", {}))
    ]
    content = message.get("content")
    message["content"] = data_of(content) if isinstance(content, str) else content
    known = {"role": "assistant", **message, "tool_calls": calls}
    return _chat_message(known) if _is_chat(known) else []


# `<prefix>.<i>.role`, `.content`, `.tool_call_id`, `.tool_calls.<j>.{id,name,arguments}`
flat_chat = Parser(_rows, _flat_chat, flat=True)


# --- the official GenAI messages ------------------------------------------------------------------


def _genai_listed(attributes: Attributes, key: str, history: History) -> Sequence[Any]:
    value = attributes.get(key)
    return sequence(history.load(key, value) if isinstance(value, str) else value)


def _genai_message(listed: Any) -> list[Part]:
    message = mapping(listed)
    role = string(message.get("role")).lower()
    pieces = sequence(first(message, "parts", "content"))
    if not pieces:
        pieces = ({"type": "text", "content": message.get("content")},)
    parts = [part for piece in pieces for part in _genai_part(role, piece, message)]
    if any(part.kind == "result" for part in parts):
        # Results come back under the role of the user: that is no new request.
        parts = [part for part in parts if part.kind != "user"]
    if message.get("tool_calls") and not any(part.kind == "call" for part in parts):
        parts += _chat_calls(message)
    return parts


# `[{"role", "parts": [{"type": ...}]}]`, as JSON text or as the list itself.
genai_messages = Parser(_genai_listed, _genai_message)


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


def messages_in(value: Any) -> list[Part]:
    """The parts of all LangChain and chat messages anywhere in a JSON value, in order."""
    return [part for message in _found(value) for part in _message(message)]


def _found(value: Any) -> list[Mapping[str, Any]]:
    """The messages anywhere in a JSON value, in order; bounded in depth and nodes."""
    found: list[Mapping[str, Any]] = []
    stack: list[tuple[Any, int]] = [(value, 0)]
    seen = 0
    while stack and seen < _NODES:
        node, depth = stack.pop()
        seen += 1
        if is_mapping(node):
            if _is_langchain(node) or _is_chat(node):
                found.append(node)
                continue
        if depth < _DEPTH:
            inner = list(node.values()) if is_mapping(node) else sequence(node)
            stack += [
                (item, depth + 1) for item in reversed(inner) if isinstance(item, (dict, list))
            ]
    return found


def _message(node: Mapping[str, Any]) -> list[Part]:
    return _langchain_message(node) if _is_langchain(node) else _chat_message(node)


def _anywhere(attributes: Attributes, key: str, history: History) -> list[Mapping[str, Any]]:
    value = attributes.get(key)
    found = history.load(key, value) if isinstance(value, str) else None
    return _found(data_of(value) if found is None else found)


# LangChain and chat messages anywhere in the JSON value of an attribute.
loose_messages = Parser(_anywhere, _message)

_LANGCHAIN = frozenset({"ai", "AIMessageChunk", "tool", "human"})


def _inner(node: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """Where the fields of a LangChain message are, and its type."""
    inner = mapping(node.get("data")) or mapping(node.get("kwargs")) or node
    return inner, string(inner.get("type")) or string(node.get("type"))


def _is_langchain(node: Mapping[str, Any]) -> bool:
    if not ("type" in node or "data" in node or "kwargs" in node):
        return False
    inner, kind = _inner(node)
    return kind in _LANGCHAIN and "content" in inner


def _langchain_message(node: Mapping[str, Any]) -> list[Part]:
    inner, kind = _inner(node)
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


def _is_chat(node: Mapping[str, Any]) -> bool:
    if string(node.get("role")).lower() not in _ROLES:
        return False
    return "content" in node or "tool_calls" in node or "blocks" in node


def _chat_message(node: Mapping[str, Any]) -> list[Part]:
    """A message by its role, as chat APIs have it."""
    role = string(node.get("role")).lower()
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
        if is_mapping(content) and "function" in content:
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
    if is_mapping(block.get("toolUse")):
        use = block["toolUse"]
        return Part("call", use.get("input"), ident(use.get("toolUseId")), string(use.get("name")))
    if is_mapping(block.get("toolResult")):
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


def _itself(attributes: Attributes, key: str, history: History) -> tuple[Any]:
    return (attributes.get(key),)


# A bare list of calls: `[{toolCallId, toolName, input}]`.
listed_calls = Parser(_itself, lambda calls: _chat_calls({"tool_calls": calls}))
# Text that the model said, under a key of its own.
plain_answer = Parser(
    _itself, lambda text: [Part("assistant", text)] if isinstance(text, str) and text else []
)


def in_turn(*parsers: tuple[str, Parser]) -> Parser:
    """Several attributes of one message, in this order."""

    def messages(attributes: Attributes, key: str, history: History) -> list[tuple[Parser, Any]]:
        return [
            (parser, message)
            for name, parser in parsers
            for message in parser.messages(attributes, name, history)
        ]

    return Parser(messages, lambda found: found[0].parts(found[1]))
