"""One request and its answer, as litellm's hooks hand them over: is it final, and what is it worth?

Strategy: the claim is what the hook was given as texts, the evidence is the client's own body, and the
response object counts only where it agrees with the texts (another guardrail may have left an old one).
An answer that calls tools, or that is not all there, is nobody's closing and is not judged.

Of a long history the last turn is read, with a few messages before it.  What came earlier can only
acquit: a lie has to stand when everything is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...config import DEFAULT_CONFIG, Config
from ...verdict import Verdict
from .._chat import PROXY_ITEMS, RESULT_BLOCKS, claims_of, read_exchange
from .._shape import as_text, first, ident, mapping, parse_json, plain, sequence, string, text_of
from .mcp import Bits, with_bits
from .reader import BODY_KEYS, history_of, judged, read_request

CONTEXT = 40  # messages before the last turn that are read beside it, in whole turns

# Calls of the Responses API that the client runs: they keep a turn open.
_CLIENT_CALLS = frozenset(
    {
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "shell_call",
        "apply_patch_call",
        "computer_call",
        "mcp_approval_request",
    }
)
# How an answer ends that is not all there, in the words of the three APIs.
_CUT = frozenset(
    {
        *("length", "max_tokens", "model_context_window_exceeded", "pause_turn", "content_filter"),
        *("incomplete", "failed", "cancelled", "in_progress", "queued"),
    }
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The closing words of an answer.  last: the index, in the hook's texts, of their last piece."""

    closing: str
    last: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """What is judged.

    body: the request's history and tools.  response: plain JSON, {} where it can't be trusted.
    answers: one, or one a choice.
    """

    body: Mapping[str, Any]
    response: Mapping[str, Any]
    answers: tuple[Answer, ...]


def exchange_of(
    inputs: Mapping[str, Any], data: Mapping[str, Any], *, logged: bool = False
) -> Exchange | None:
    """The exchange behind the arguments of a response hook; None where the answer is not final.

    inputs: `texts` and `tool_calls`.  data: the request's body, with `response` where litellm put it.
    logged: the body is litellm's log of the call, which leaves out what the call went on from.
    """
    raw = data.get("response")
    if type(raw).__name__ == "ModelResponseStream":
        return None  # a synchronous stream is logged piece by piece
    if raw is None and data.get("stream") is True:
        return None  # the stream broke off: no response was put together
    response = mapping(plain(raw))
    foreign = frozenset(_tool_texts(response))
    texts = [
        (at, text)
        for at, text in enumerate(sequence(inputs.get("texts")))
        if isinstance(text, str) and text.strip() and text not in foreign
    ]
    if not texts or _is_cut(response) or _is_open(response, sequence(inputs.get("tool_calls"))):
        return None
    answers, trusted = _answers(texts, response)
    body = {key: data[key] for key in BODY_KEYS if key in data}
    if logged:
        body.setdefault("previous_response_id", response.get("previous_response_id"))
    return Exchange({**body, "messages": history_of(data)}, response if trusted else {}, answers)


def said_in(response: Any) -> dict[str, list[Any]]:
    """`texts` and `tool_calls` of a response of any of the three APIs, as a response hook gets them."""
    known = mapping(plain(response))
    messages = [mapping(choice).get("message") for choice in sequence(known.get("choices"))]
    blocks = [mapping(block) for block in sequence(known.get("content"))]
    items = [mapping(item) for item in sequence(known.get("output"))]
    texts = [text_of(mapping(message).get("content")) for message in messages]
    texts += [text_of(block) for block in blocks if block.get("type") == "text"]
    texts += [text_of(item.get("content")) for item in items if item.get("type") == "message"]
    calls = [c for message in messages for c in sequence(mapping(message).get("tool_calls"))]
    return {
        "texts": texts,
        "tool_calls": calls + [b for b in blocks if b.get("type") == "tool_use"],
    }


# --- is it final? ---------------------------------------------------------------------------------


def _is_cut(response: Mapping[str, Any]) -> bool:
    ends = [mapping(choice).get("finish_reason") for choice in sequence(response.get("choices"))]
    ends += [response.get("stop_reason"), response.get("status")]
    return any(end in _CUT for end in ends if isinstance(end, str))


def _is_open(response: Mapping[str, Any], tool_calls: Sequence[Any]) -> bool:
    """True where a call of this answer waits for the client."""
    ran = frozenset(_ran(response))
    for call in tool_calls:
        known = call if isinstance(call, Mapping) else mapping(plain(call))
        if ident(first(known, "id", "call_id")) not in ran:
            return True
    return any(
        string(item.get("type")) in _CLIENT_CALLS and ident(first(item, "call_id", "id")) not in ran
        for item in map(mapping, sequence(response.get("output")))
    )


def _ran(response: Mapping[str, Any]) -> Iterator[str]:
    """Ids of the calls that the proxy or the provider ran itself."""
    for choice in map(mapping, sequence(response.get("choices"))):
        extra = mapping(mapping(choice.get("message")).get("provider_specific_fields"))
        for call in map(mapping, sequence(extra.get("mcp_tool_calls"))):
            yield ident(call.get("id"))
    for item in map(mapping, sequence(response.get("output"))):
        kind = string(item.get("type"))
        if kind == "tool_execution_results":
            for row in sequence(parse_json(as_text(item.get("content")))):
                yield ident(mapping(row).get("tool_call_id"))
        elif kind.endswith("_call") and kind not in _CLIENT_CALLS:
            yield ident(item.get("id"))
            yield ident(item.get("call_id"))


def _tool_texts(response: Mapping[str, Any]) -> Iterator[str]:
    """Texts of the answer that tools said: litellm lists them beside the model's."""
    for item in map(mapping, sequence(response.get("output"))):
        if string(item.get("type")) in PROXY_ITEMS:
            yield as_text(item.get("content"))
            yield from (text_of(part) for part in sequence(item.get("content")))


def _answers(
    texts: Sequence[tuple[int, str]], response: Mapping[str, Any]
) -> tuple[tuple[Answer, ...], bool]:
    """(the answers, whether the response is the one that the texts are from)."""
    last, whole = texts[-1][0], "\n".join(text for _, text in texts)
    choices = claims_of(response)
    if len(choices) > 1 and set(choices) == {text for _, text in texts}:
        return tuple(Answer(text, at) for at, text in texts), True
    closing = read_exchange((), response, DEFAULT_CONFIG).closing if response else ""
    if closing and whole.endswith(closing):  # an old one may be the beginning of it
        return (Answer(closing, last),), True
    return (Answer(whole, last),), False


# --- what is it worth? ----------------------------------------------------------------------------


def judge(exchange: Exchange, bits: Bits, config: Config) -> list[Verdict]:
    """The verdict on each answer.  O(the last turn) unless that looks like a lie, else O(history).

    bits: the error bits of tools that the proxy ran.
    """
    response = with_bits(exchange.response, bits)
    begin = window(exchange.body["messages"])
    verdicts = _verdicts(exchange, response, begin, config)
    if begin and any(verdict.is_lie for verdict in verdicts):
        whole = _verdicts(exchange, response, 0, config)
        verdicts = [new if old.is_lie else old for old, new in zip(verdicts, whole, strict=True)]
    return verdicts


def _verdicts(
    exchange: Exchange, response: Mapping[str, Any], begin: int, config: Config
) -> list[Verdict]:
    body = {**exchange.body, "messages": exchange.body["messages"][begin:]}
    reading = read_request(body, response or None, config)
    return [judged(reading, answer.closing, config) for answer in exchange.answers]


def window(history: Sequence[Any]) -> int:
    """The index of the first entry that is read: the last turn, and whole turns of `CONTEXT` before.

    0 where everything is read.  O(the last turn).
    """
    last = next((at for at in range(len(history) - 1, -1, -1) if _opens(history[at])), 0)
    if last <= CONTEXT:
        return 0
    return next(at for at in range(last - CONTEXT, last + 1) if _opens(history[at]))


def _opens(entry: Any) -> bool:
    """True for a request of the user.  Words beside a tool's result are a reminder, and none."""
    known = entry if isinstance(entry, Mapping) else mapping(plain(entry))
    content = known.get("content")
    if known.get("role") not in ("user", "human") or string(known.get("type")) not in (
        "",
        "message",
    ):
        return False
    leading = next(iter(sequence(content)), None)
    return string(mapping(leading).get("type")) not in RESULT_BLOCKS and bool(
        text_of(content).strip()
    )
