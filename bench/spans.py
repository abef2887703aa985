"""Agent runs as spans, in the dialects and sizes that trace stores have.

The recorded traces are short: a call or two.  In a store runs of many steps weigh more, since every
model span repeats all messages before it.  A run here is a question, then so many steps of a chain
with a model span, its web request and a tool span, and an answer.  The two longest of eight runs
have three fifths of the spans and four fifths of the text.  Half of all spans are below a kilobyte,
a tenth above fourteen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

Row = dict[str, Any]
Attributes = dict[str, Any]

# Of eight runs, how many steps each has; and how long the results are, in characters.
STEPS = (1, 2, 2, 3, 4, 6, 10, 24)
RESULTS = (40, 90, 200, 400, 900, 2_000, 6_000)
WORDS = "order 4711 is open, its parcel left the depot and the refund is due on Monday; "
BEGAN = 1_700_000_000_000_000_000


def _chat(messages: list[Row]) -> list[Row]:
    """Messages as chat APIs have them."""
    return [
        {
            "role": message["role"],
            "content": message["text"],
            **({"tool_call_id": message["id"]} if message["role"] == "tool" else {}),
            "tool_calls": [
                {"id": call, "function": {"name": name, "arguments": arguments}}
                for call, name, arguments in message.get("calls", ())
            ],
        }
        for message in messages
    ]


def _flat(prefix: str, value: Any) -> Attributes:
    """Containers under dotted keys, as SDKs have to write them."""
    if not isinstance(value, (dict, list)):
        return {prefix: value}
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    return {k: v for key, item in pairs for k, v in _flat(f"{prefix}.{key}", item).items()}


def _openinference(kind: str, **known: Any) -> Attributes:
    found: Attributes = {"openinference.span.kind": kind.upper(), "metadata": '{"thread": "t-1"}'}
    if kind == "llm":
        for side, messages in (("input", known["heard"]), ("output", known["said"])):
            chat = _chat(messages)
            for message in chat:
                message["tool_calls"] = [{"tool_call": call} for call in message["tool_calls"]]
            rows = [{"message": message} for message in chat]
            found |= _flat(f"llm.{side}_messages", rows)
            found |= {f"{side}.value": json.dumps(chat), f"{side}.mime_type": "application/json"}
        found |= {"llm.model_name": "m-1", "llm.token_count.total": 812, "llm.system": "openai"}
    if kind == "tool":
        found |= {"tool.name": known["name"], "input.value": known["arguments"]}
    if "answer" in known:
        found["output.value"] = known["answer"]
    return found


def _genai(kind: str, **known: Any) -> Attributes:
    operation = {"llm": "chat", "tool": "execute_tool", "agent": "invoke_agent"}.get(kind)
    found: Attributes = {"gen_ai.operation.name": operation} if operation else {"node": "n"}
    if kind == "llm":
        for side, messages in (("input", known["heard"]), ("output", known["said"])):
            found[f"gen_ai.{side}.messages"] = json.dumps([_parts(one) for one in messages])
        found |= {"gen_ai.request.model": "m-1", "gen_ai.usage.input_tokens": 812}
    if kind == "tool":
        found |= {
            "gen_ai.tool.name": known["name"],
            "gen_ai.tool.call.id": known["id"],
            "gen_ai.tool.call.arguments": known["arguments"],
            "gen_ai.tool.call.result": known["answer"],
        }
    return found


def _parts(message: Row) -> Row:
    if message["role"] == "tool":
        back = {"type": "tool_call_response", "id": message["id"], "response": message["text"]}
        return {"role": "tool", "parts": [back]}
    parts = [{"type": "text", "content": message["text"]}] if message["text"] else []
    parts += [
        {"type": "tool_call", "id": call, "name": name, "arguments": json.loads(arguments)}
        for call, name, arguments in message.get("calls", ())
    ]
    return {"role": message["role"], "parts": parts}


def _traceloop(kind: str, **known: Any) -> Attributes:
    if kind == "llm":
        found: Attributes = {"llm.request.type": "chat", "gen_ai.request.model": "m-1"}
        for side, messages in (("prompt", known["heard"]), ("completion", known["said"])):
            chat = _chat(messages)
            for message in chat:
                message["tool_calls"] = [
                    {"id": call["id"], **call["function"]} for call in message["tool_calls"]
                ]
            found |= _flat(f"gen_ai.{side}", chat)
        return found
    found = {"traceloop.span.kind": {"chain": "task"}.get(kind, kind), "traceloop.workflow": "w"}
    if kind == "tool":
        found |= {
            "traceloop.entity.name": known["name"],
            "traceloop.entity.input": known["arguments"],
        }
    if "answer" in known:
        found["traceloop.entity.output"] = known["answer"]
    return found


def _langfuse(kind: str, **known: Any) -> Attributes:
    types = {"llm": "generation", "chain": "span"}
    found: Attributes = {"langfuse.observation.type": types.get(kind, kind)}
    if kind == "llm":
        found["langfuse.observation.input"] = json.dumps(_chat(known["heard"]))
        found["langfuse.observation.output"] = json.dumps(_chat(known["said"])[0])
    if kind == "tool":
        found["langfuse.observation.input"] = known["arguments"]
    if "answer" in known:
        found["langfuse.observation.output"] = known["answer"]
    return found


DIALECTS: dict[str, Callable[..., Attributes]] = {
    "OpenInference": _openinference,
    "GenAI conventions": _genai,
    "Traceloop": _traceloop,
    "Langfuse": _langfuse,
}
WEB: Attributes = {
    "http.request.method": "POST",
    "url.full": "https://api.example.com/v1/chat/completions",
    "server.address": "api.example.com",
    "server.port": 443,
    "http.response.status_code": 200,
    "network.protocol.version": "1.1",
}


def run(number: int, spell: Callable[..., Attributes], steps: int) -> list[Row]:
    """One run as plain spans: name, ids, times, attributes."""
    spans: list[Row] = []
    trace = f"{number + 1:032x}"

    def span(name: str, parent: str, attributes: Attributes) -> str:
        own = f"{number + 1:08x}{len(spans) + 1:08x}"
        start = BEGAN + (number * 1_000 + len(spans)) * 1_000_000
        ids = {"trace_id": trace, "span_id": own, "parent_id": parent}
        spans.append({"name": name, **ids, "start": start, "attributes": attributes})
        return own

    answer = "I looked order 4711 up. It is open, and its parcel left the depot."
    top = span("agent", "", spell("agent", answer=answer))
    heard: list[Row] = [
        {"role": "system", "text": "You look after orders. " + WORDS * 8},
        {"role": "user", "text": "Look order 4711 up and tell me where it is."},
    ]
    for step in range(steps + 1):
        node = span("step", top, spell("chain"))
        call = f"call_{number}_{step}"
        arguments = json.dumps({"order": 4711, "page": step})
        said: Row = {"role": "assistant", "text": "", "calls": [(call, "look_up", arguments)]}
        if step == steps:
            said = {"role": "assistant", "text": answer}
        model = span("chat m-1", node, spell("llm", heard=heard, said=[said]))
        span("POST", model, WEB)
        if step == steps:
            break
        length = RESULTS[(number + step) % len(RESULTS)]
        text = json.dumps({"ok": True, "page": step, "text": (WORDS * 100)[:length]})
        known = {"name": "look_up", "id": call, "arguments": arguments, "answer": text}
        span("look_up", node, spell("tool", **known))
        heard = [*heard, said, {"role": "tool", "id": call, "text": text}]
    return spans


def _otlp(span: Row) -> Row:
    """The span as a document of the collector's file exporter."""
    kinds = {str: "stringValue", int: "intValue", bool: "boolValue"}
    attributes = [
        {"key": key, "value": {kinds[type(value)]: str(value) if type(value) is int else value}}
        for key, value in span["attributes"].items()
        if value is not None
    ]
    ids = {
        "traceId": span["trace_id"],
        "spanId": span["span_id"],
        "parentSpanId": span["parent_id"],
    }
    times = {
        "startTimeUnixNano": str(span["start"]),
        "endTimeUnixNano": str(span["start"] + 500_000),
    }
    inner = {
        "name": span["name"],
        "kind": 1,
        **ids,
        **times,
        "attributes": attributes,
        "status": {},
    }
    return {"resourceSpans": [{"scopeSpans": [{"scope": {"name": "bench"}, "spans": [inner]}]}]}


def _written(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{rest // 1_000:06}Z"


def _sdk(span: Row) -> Row:
    """The span as `ReadableSpan.to_json` writes it."""
    return {
        "name": span["name"],
        "context": {"trace_id": "0x" + span["trace_id"], "span_id": "0x" + span["span_id"]},
        "kind": "SpanKind.INTERNAL",
        "parent_id": "0x" + span["parent_id"] if span["parent_id"] else None,
        "start_time": _written(span["start"]),
        "end_time": _written(span["start"] + 500_000),
        "status": {"status_code": "UNSET"},
        "attributes": {key: item for key, item in span["attributes"].items() if item is not None},
        "events": [],
        "links": [],
        "resource": {"attributes": {"service.name": "bench"}, "schema_url": ""},
    }


def mix() -> Iterator[tuple[str, list[Row]]]:
    """(dialect, stored records) of runs: each dialect in each length, every other one as OTLP."""
    number = 0
    for dialect, spell in DIALECTS.items():
        for steps in STEPS:
            form = _sdk if number % 2 else _otlp
            yield dialect, [form(span) for span in run(number, spell, steps)]
            number += 1
