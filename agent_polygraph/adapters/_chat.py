"""Conversations as events: Chat Completions, Anthropic Messages and Responses items, mixed or not.

Strategy: one pass with two tables, one for items by `type` and one for content blocks by `type`.  A
`Conversation` keeps the calls that wait for their results, so that a legacy `role: "function"`
message finds its call, and an id that comes back in a later turn gets a name of its own.

Bits, in order: `is_error`, `error` and `status` of the item, the exit codes of shell items; only
then the text (see `_shape.result`).
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..config import Config
from ..events import Message, ToolCall
from ._shape import (
    Reading,
    as_text,
    bit,
    dumps,
    entries_of,
    first,
    ident,
    mapping,
    parse_json,
    parse_literal,
    plain,
    result,
    sequence,
    status_bit,
    string,
    text_of,
    tool_names,
    without_lone_request,
)

Item = Mapping[str, Any]

# Items that are not words, calls or results of anybody.
_SILENT_ITEMS = frozenset(
    {
        "reasoning",
        "item_reference",
        "compaction",
        "context_compaction",
        "mcp_tools_fetched",
        "mcp_approval_request",
    }
)
# Results of calls that the model's own side ran: the call item is its own result once it is done.
_UNFINISHED = frozenset(
    {"in_progress", "searching", "generating", "interpreting", "calling", "queued", "running"}
)


class Conversation:
    """Reads messages or items, one at a time, into a `Reading`.  Amortised O(1) an item."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.reading = Reading()
        self.names: dict[str, str] = {}  # our id -> name
        # Our ids of the calls that wait: by the host's id, and for calls without one by name.
        self._by_id: dict[str, deque[str]] = defaultdict(deque)
        self._by_name: dict[str, deque[str]] = defaultdict(deque)
        self._nameless: deque[str] = deque()
        self._answered: set[str] = set()
        self.listed: set[str] = set()  # tools that a server listed
        self._uses: dict[str, int] = defaultdict(int)
        self._tail = 0  # events before the last assistant entry's own

    # --- entries ----------------------------------------------------------------------------------

    def add_all(self, items: Any) -> None:
        """Read a whole list; what is no list of entries is noted as skipped."""
        if isinstance(items, str):
            self.say("user", items)
            return
        for index, item in entries_of(items):
            self.add(item, f"entry {index}")

    def add(self, entry: Any, where: str = "entry") -> None:
        """Read one message or item of any of the shapes."""
        if isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str):
            entry = {"role": entry[0], "content": entry[1]}
        item = _unwrapped(plain(entry))
        if not isinstance(item, dict):
            self.skip(where, f"a {type(entry).__name__} is no message")
            return
        role, kind = item.get("role"), string(item.get("type"))
        if role is None and kind in _LANGCHAIN_ROLES and "content" in item:
            role, kind = _LANGCHAIN_ROLES[kind], ""
        if isinstance(role, str) and kind in ("", "message"):
            self._message(role.lower(), item, where)
        elif kind in _ITEMS:
            _ITEMS[kind](self, item)
        elif kind in _BLOCKS:
            _BLOCKS[kind](self, item)
        elif kind.endswith("_output"):
            _call_output(self, item)
        elif kind.endswith("_call"):
            _hosted_call(self, item)
        elif kind not in _SILENT_ITEMS:
            self.skip(where, f"neither a role nor a known type (keys: {_keys(item)})")

    def _message(self, role: str, item: Item, where: str) -> None:
        if role in ("assistant", "model", "ai"):
            self._tail = len(self.reading.events)
            calls = [*sequence(item.get("tool_calls")), *sequence(item.get("invalid_tool_calls"))]
            self._content("assistant", _without_calls(item.get("content"), calls))
            self.say("assistant", string(item.get("refusal")))
            for call in calls:
                self._tool_call(call, where)
            legacy = item.get("function_call")
            if isinstance(legacy, Mapping):
                self.call("", string(legacy.get("name")), legacy.get("arguments"))
        elif role in ("tool", "function"):
            self._tool_message(item)
        elif role in ("user", "human"):
            self._content("user", item.get("content"))
        elif role not in ("system", "developer"):
            self.skip(where, f"unknown role {role!r:.40}")

    def _tool_call(self, call: Any, where: str) -> None:
        if not isinstance(call, Mapping):
            self.skip(where, f"a {type(call).__name__} is no tool call")
            return
        inner = mapping(first(call, "function", "custom")) or call
        arguments = first(inner, "arguments", "input", "args")
        self.call(ident(first(call, "id", "call_id")), string(inner.get("name")), arguments)

    def _tool_message(self, item: Item) -> None:
        call_id = ident(first(item, "tool_call_id", "tool_use_id", "call_id"))
        named = string(item.get("name"))
        parts = map(mapping, sequence(item.get("content")))
        if not call_id and any(part.get("type") == "tool_result" for part in parts):
            self._content("user", item.get("content"))
            return
        said = bit(item.get("is_error"), item.get("isError"), status_bit(item.get("status")))
        self.answer(call_id, item.get("content"), said, name=named)

    def _content(self, role: str, content: Any) -> None:
        if isinstance(content, (str, Mapping)):
            self.say(role, text_of(content))
            return
        words: list[str] = []
        for block in sequence(content):
            handler = _BLOCKS.get(string(mapping(block).get("type")))
            if handler is None:
                words.append(text_of(block))
                continue
            self.say(role, "\n".join(filter(None, words)))
            words = []
            handler(self, block)
            if role == "user":
                role = "system"  # words beside a result are a reminder, not a new request
        self.say(role, "\n".join(filter(None, words)))

    # --- events -----------------------------------------------------------------------------------

    def say(self, role: str, text: str) -> None:
        """Somebody's words; nothing for no words."""
        if text:
            self.reading.events.append(Message(text, role))

    def call(self, call_id: str, name: str, arguments: Any) -> str:
        """A call; returns the id it has in the trajectory, which no other call has."""
        own = self._unique(call_id)
        self.names[own] = name
        if call_id:
            self._by_id[call_id].append(own)
        else:
            self._by_name[name].append(own)
            self._nameless.append(own)
        self.reading.events.append(ToolCall(own, name, "" if arguments is None else arguments))
        return own

    def _unique(self, call_id: str) -> str:
        while True:
            self._uses[call_id] += 1
            count = self._uses[call_id]
            own = (call_id if count == 1 else f"{call_id}#{count}") if call_id else f"call{count}"
            if own not in self.names:
                return own

    def answer(self, call_id: str, content: Any, said: bool | None, *, name: str = "") -> None:
        """The result of a call, found by its id, else by its name, else the oldest that waits."""
        self.settle(self._asked(call_id, name), content, said)

    def settle(self, own: str, content: Any, said: bool | None) -> None:
        """The result of the call with our id `own`."""
        self._answered.add(own)
        self.reading.events.append(result(own, content, said, self.config))

    def _asked(self, call_id: str, name: str) -> str:
        queues = [self._by_id.get(call_id)] if call_id else []
        if call_id not in self.names:
            queues.append(self._by_name.get(name) if name else self._nameless)
        for queue in queues:
            while queue:
                own = queue.popleft()
                if own not in self._answered:
                    return own
        return call_id or self._unique("")

    def skip(self, where: str, reason: str) -> None:
        """Note an entry that could not be read."""
        self.reading.skipped.append(f"{where}: {reason}")

    # --- the end ----------------------------------------------------------------------------------

    def finish(self) -> Reading:
        """The whole reading; the closing is the assistant's last entry, where that ends it all."""
        reading, events = self.reading, self.reading.events
        ending: list[str] = []
        while len(events) > self._tail:
            last = events[-1]
            if not isinstance(last, Message) or last.role != "assistant":
                break
            ending.append(last.text)
            events.pop()
        reading.closing = "\n".join(reversed(ending))
        asked = [e.text for e in events if isinstance(e, Message) and e.role == "user"]
        reading.task = asked[-1] if asked else ""
        reading.meta["turns"] = len(asked)
        reading.events = without_lone_request(events)
        return reading


# LangChain messages have a `type` and no `role`; those of a stream are chunks.
_LANGCHAIN_ROLES = {
    **{"ai": "assistant", "human": "user", "tool": "tool", "system": "system"},
    **{"function": "function", "developer": "developer"},
    **{"AIMessageChunk": "assistant", "HumanMessageChunk": "user", "ToolMessageChunk": "tool"},
}
_LANGCHAIN_CLASSES = {
    **{"AIMessage": "ai", "HumanMessage": "human", "ToolMessage": "tool"},
    **{"SystemMessage": "system", "FunctionMessage": "function", "AIMessageChunk": "ai"},
}


def _unwrapped(item: Any) -> Any:
    """A LangChain message out of its serialised forms; anything else unchanged."""
    if not isinstance(item, dict):
        return item
    data, kwargs = item.get("data"), item.get("kwargs")
    if isinstance(data, dict) and string(item.get("type")) in _LANGCHAIN_ROLES:
        return {**data, "type": item["type"]}
    if item.get("type") == "constructor" and isinstance(kwargs, dict):
        name = string(next(iter(reversed(sequence(item.get("id")))), ""))
        if name in _LANGCHAIN_CLASSES:
            return {**kwargs, "type": _LANGCHAIN_CLASSES[name]}
    return item


def _without_calls(content: Any, calls: list[Any]) -> Any:
    """Content without the call blocks that `tool_calls` lists again."""
    if not isinstance(content, (list, tuple)) or not calls:
        return content
    listed = {ident(mapping(call).get("id")) for call in calls}
    return [
        part
        for part in content
        if string(mapping(part).get("type")) not in CALL_BLOCKS
        or ident(mapping(part).get("id")) not in listed
    ]


def _keys(item: Item) -> str:
    return ", ".join(sorted(str(key)[:30] for key in item)[:8]) or "none"


# --- items of the Responses API -------------------------------------------------------------------


def _item_message(talk: Conversation, item: Item) -> None:
    talk._message(string(item.get("role")).lower() or "assistant", item, "message")


def _item_call(talk: Conversation, item: Item) -> None:
    kind = string(item.get("type"))
    name = string(item.get("name")) or kind.removesuffix("_call")
    arguments = first(item, "arguments", "input", "action", "operation", "queries", "code")
    talk.call(ident(first(item, "call_id", "id")), name, arguments)


def _call_output(talk: Conversation, item: Item) -> None:
    output = item.get("output")
    said = bit(item.get("is_error"), item.get("isError"), _error_field(item))
    said = bit(said, mapping(item.get("custom_data")).get("mcp_is_error"))
    if said is None:
        said = status_bit(item.get("status"))
    if said is None:
        said = shell_bit(output)
    content = shell_text(output)
    # The OpenAI Agents SDK sends `str(value)`: a dict comes as its Python repr.
    value = parse_literal(content) if isinstance(content, str) else None
    talk.answer(ident(first(item, "call_id", "id")), content if value is None else value, said)


def _error_field(item: Item) -> bool | None:
    return True if item.get("error") not in (None, "", False) else None


def _hosted_call(talk: Conversation, item: Item) -> None:
    """A call that carries its own result: there is no output item."""
    kind, status = string(item.get("type")), string(item.get("status"))
    name = string(item.get("name")) or kind.removesuffix("_call")
    arguments = first(item, "arguments", "action", "queries", "code", "input", "operation")
    own = talk.call(ident(first(item, "call_id", "id")), name, arguments)
    said = _error_field(item) or status_bit(status)
    if said is None and kind == "mcp_call" and "error" in item and item.get("output") is not None:
        said = False  # the field is there and empty: the server's own bit
    content = first(item, "error", "output", "outputs", "results", "result")
    if status in _UNFINISHED or (content is None and said is None and status != "completed"):
        return
    talk.settle(own, _logs(status if content is None else content), said)


def _logs(content: Any) -> Any:
    logs = [mapping(part).get("logs") for part in sequence(content)]
    texts = [log for log in logs if isinstance(log, str)]
    return "\n".join(texts) if texts and len(texts) == len(logs) else content


def shell_bit(output: Any) -> bool | None:
    """The bit in a shell item's outcomes: exit codes and timeouts; None where it holds none."""
    said: bool | None = None
    for part in sequence(output):
        outcome = mapping(mapping(part).get("outcome"))
        code = outcome.get("exit_code")
        if outcome.get("type") == "timeout":
            return True
        if outcome.get("type") == "exit" and isinstance(code, int):
            if code:
                return True
            said = False
    return said


def shell_text(output: Any) -> Any:
    """A shell item's output as text with its exit codes; any other output unchanged."""
    lines: list[str] = []
    for part in sequence(output):
        outcome = mapping(mapping(part).get("outcome"))
        if not outcome:
            return output
        lines += [string(part.get("stdout")), string(part.get("stderr"))]
        if outcome.get("type") == "timeout":
            lines.append("timed out")
        elif isinstance(outcome.get("exit_code"), int):
            lines.append(f"exit code: {outcome['exit_code']}")
    return "\n".join(line.rstrip("\n") for line in lines if line) if lines else output


def _mcp_listed(talk: Conversation, item: Item) -> None:
    if talk.reading.tools is None:
        talk.reading.tools = []
    for name in tool_names(item.get("tools")):
        if name not in talk.listed:
            talk.listed.add(name)
            talk.reading.tools.append(name)


def _executed(talk: Conversation, item: Item) -> None:
    """Results of tools that a proxy ran on its own, packed into one item."""
    packed = parse_json(as_text(item.get("content"))) or item.get("content")
    for entry in sequence(packed):
        known = mapping(entry)
        if known:
            call_id = ident(known.get("tool_call_id"))
            if call_id not in talk.names:
                talk.call(call_id, string(known.get("name")), known.get("arguments"))
            said = bit(known.get("is_error"), known.get("isError"))
            talk.answer(call_id, first(known, "result", "content"), said)


_ITEMS: dict[str, Callable[[Conversation, Item], None]] = {
    "message": _item_message,
    "function_call": _item_call,
    "custom_tool_call": _item_call,
    "local_shell_call": _item_call,
    "shell_call": _item_call,
    "apply_patch_call": _item_call,
    "computer_call": _item_call,
    "mcp_call": _hosted_call,
    "web_search_call": _hosted_call,
    "file_search_call": _hosted_call,
    "code_interpreter_call": _hosted_call,
    "image_generation_call": _hosted_call,
    "mcp_list_tools": _mcp_listed,
    "tool_execution_results": _executed,
    "function_call_output": _call_output,
    "custom_tool_call_output": _call_output,
    "local_shell_call_output": _call_output,
    "shell_call_output": _call_output,
    "apply_patch_call_output": _call_output,
    "computer_call_output": _call_output,
}

# --- blocks of the Messages API -------------------------------------------------------------------


def _tool_use(talk: Conversation, block: Item) -> None:
    arguments = first(block, "input", "args")
    talk.call(ident(block.get("id")), string(block.get("name")), arguments)


def _tool_result(talk: Conversation, block: Item) -> None:
    content = first(block, "content", "output")
    said = bit(block.get("is_error"), block.get("isError"), status_bit(block.get("status")))
    if said is None and string(mapping(content).get("type")).endswith("_error"):
        said = True
    talk.answer(ident(first(block, "tool_use_id", "tool_call_id")), content, said)


_BLOCKS: dict[str, Callable[[Conversation, Item], None]] = {
    "tool_use": _tool_use,
    "server_tool_use": _tool_use,
    "mcp_tool_use": _tool_use,
    "tool_call": _tool_use,
    "server_tool_call": _tool_use,
    "tool_result": _tool_result,
    "mcp_tool_result": _tool_result,
    "server_tool_result": _tool_result,
    "web_search_tool_result": _tool_result,
    "web_fetch_tool_result": _tool_result,
    "code_execution_tool_result": _tool_result,
    "bash_code_execution_tool_result": _tool_result,
    "text_editor_code_execution_tool_result": _tool_result,
}
RESULT_BLOCKS = frozenset(kind for kind, handler in _BLOCKS.items() if handler is _tool_result)
CALL_BLOCKS = frozenset(kind for kind, handler in _BLOCKS.items() if handler is _tool_use)
ITEM_TYPES = frozenset(_ITEMS) | _SILENT_ITEMS


# --- a whole exchange -----------------------------------------------------------------------------


def read_exchange(messages: Any, response: Any, config: Config) -> Reading:
    """A history and the response to it.  O(items).

    messages: a list of messages or items, or a bare string.  response: a completion of any of the
    three APIs as dict or object, a bare string, or None: then the history's own last words count.
    """
    talk = Conversation(config)
    talk.add_all(messages)
    answer = plain(response)
    if answer is not None:
        talk._tail = len(talk.reading.events)
        add_response(talk, answer)
    return talk.finish()


def add_response(talk: Conversation, answer: Any) -> None:
    """Read one response, in any of the shapes in which it comes, into the conversation."""
    if isinstance(answer, str):
        talk.say("assistant", answer)
        return
    known = mapping(answer)
    inner = known.get("response")
    if string(known.get("type")).startswith("response.") and isinstance(inner, Mapping):
        known = inner  # the last event of a stream wraps the response
    if isinstance(known.get("choices"), (list, tuple)):
        _choice(talk, known)
    elif isinstance(known.get("output"), (list, tuple)):
        for index, item in enumerate(_in_time(known["output"])):
            talk.add(item, f"output {index}")
    elif isinstance(known.get("message"), Mapping):
        talk.add({"role": "assistant", **known["message"]}, "response")
    elif "content" in known or "tool_calls" in known:
        talk.add({**known, "role": known.get("role") or "assistant", "type": "message"}, "response")
    elif isinstance(first(known, "output_text", "text"), str):
        talk.say("assistant", first(known, "output_text", "text"))
    elif known or not isinstance(answer, Mapping):
        talk.skip("response", f"unknown shape (keys: {_keys(known)})")


PROXY_ITEMS = frozenset({"mcp_tools_fetched", "tool_execution_results"})


def _in_time(output: Sequence[Any]) -> list[Any]:
    """Items in the order in which they came about: LiteLLM puts what it ran after the answer."""
    rest, ran, words = list(output), [], []
    while rest and string(mapping(rest[-1]).get("type")) in PROXY_ITEMS:
        ran.append(rest.pop())
    while ran and rest and string(mapping(rest[-1]).get("type")) == "message":
        words.append(rest.pop())
    return [*rest, *reversed(ran), *reversed(words)]


def _choice(talk: Conversation, known: Item) -> None:
    choice = mapping(next(iter(known["choices"]), None))
    message = mapping(first(choice, "message", "delta"))
    if not message and isinstance(choice.get("text"), str):
        talk.say("assistant", choice["text"])
        return
    own = dict(message)
    extra = mapping(own.get("provider_specific_fields"))
    ran = [mapping(call) for call in sequence(extra.get("mcp_tool_calls"))]
    for call in ran:
        talk._tool_call(call, "mcp_tool_calls")
    for back in map(mapping, sequence(extra.get("mcp_call_results"))):
        said = bit(back.get("is_error"), back.get("isError"))
        talk.answer(ident(back.get("tool_call_id")), back.get("result"), said)
    # What the proxy ran itself is over; only other calls keep the turn open.
    over = {ident(call.get("id")) for call in ran}
    own["tool_calls"] = [
        call
        for call in sequence(own.get("tool_calls"))
        if not over or ident(mapping(call).get("id")) not in over
    ]
    talk.add({**own, "role": "assistant", "type": "message"}, "response")


def claims_of(response: Any) -> list[str]:
    """The texts of all choices of a response (n > 1 gives several), without duplicates."""
    answer = mapping(plain(response))
    texts = []
    for choice in map(mapping, sequence(answer.get("choices"))):
        message = mapping(choice.get("message"))
        if not sequence(message.get("tool_calls")):
            texts.append(text_of(message.get("content")))
    return [text for text in dict.fromkeys(texts) if text]


def arguments_key(arguments: Any) -> str:
    """Arguments in one spelling, so that two records of one call meet."""
    value = parse_json(arguments) if isinstance(arguments, str) else arguments
    if value is None:
        return string(arguments)
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return dumps(value)
