"""A scripted model service on loopback: Chat Completions and Responses, streamed or not.

A script is a list of answers, each a list of output items of the Responses API; Chat Completions
gets the same in its own words.  One server a script, on a free port, stopped by whoever started it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


def said(text: str) -> Json:
    """Words of the model."""
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    return {"type": "message", "role": "assistant", "status": "completed", "content": [part]}


def called(name: str, arguments: Any, call_id: str) -> Json:
    """A call of a function tool."""
    item = {"type": "function_call", "call_id": call_id, "name": name, "status": "completed"}
    return {**item, "arguments": json.dumps(arguments, ensure_ascii=False)}


class _Service(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: Sequence[Sequence[Json]]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = [list(answer) for answer in script]
        self.count = 0

    def items(self) -> list[Json]:
        """The next answer's items, with ids."""
        found = []
        for item in self.script.pop(0):
            self.count += 1
            found.append({"id": f"item_{self.count}", **item})
        return found


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Service

    def log_message(self, *_: Any) -> None:
        """Silent."""

    def do_POST(self) -> None:
        """One answer."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        whole = self.path.endswith("/responses")
        answer = _response(self.server, body) if whole else _completion(self.server, body)
        if body.get("stream"):
            events = _response_events(answer) if whole else _chunks(answer)
            self._send("text/event-stream", "".join(events).encode())
        else:
            self._send("application/json", json.dumps(answer).encode())

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _response(service: _Service, body: Json) -> Json:
    details = {"input_tokens_details": {"cached_tokens": 0}}
    details |= {"output_tokens_details": {"reasoning_tokens": 0}}
    return {
        "id": f"resp_{service.count}",
        "object": "response",
        "created_at": 1.0,
        "model": body["model"],
        "status": "completed",
        "output": service.items(),
        "tool_choice": "auto",
        "tools": [],
        "parallel_tool_calls": True,
        "usage": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15, **details},
    }


def _response_events(response: Json) -> Iterator[str]:
    number = iter(range(100_000))

    def event(kind: str, **fields: Any) -> str:
        data = {"type": kind, "sequence_number": next(number), **fields}
        return f"event: {kind}\ndata: {json.dumps(data)}\n\n"

    yield event("response.created", response={**response, "output": [], "status": "in_progress"})
    for index, item in enumerate(response["output"]):
        yield event("response.output_item.added", output_index=index, item=item)
        if item["type"] == "message":
            place = {"item_id": item["id"], "output_index": index, "content_index": 0}
            for word in item["content"][0]["text"].split(" "):
                yield event("response.output_text.delta", delta=f"{word} ", logprobs=[], **place)
        yield event("response.output_item.done", output_index=index, item=item)
    yield event("response.completed", response=response)


def _completion(service: _Service, body: Json) -> Json:
    words, calls = [], []
    for item in service.items():
        if item["type"] == "message":
            words.append(item["content"][0]["text"])
        else:
            function = {"name": item["name"], "arguments": item["arguments"]}
            calls.append({"id": item["call_id"], "type": "function", "function": function})
    message: Json = {"role": "assistant", "content": "\n".join(words) or None}
    if calls:
        message["tool_calls"] = calls
    finish = "tool_calls" if calls else "stop"
    return {
        "id": f"chatcmpl_{service.count}",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": finish, "message": message, "logprobs": None}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def _chunks(answer: Json) -> Iterator[str]:
    (choice,) = answer["choices"]
    message = choice["message"]
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": f"{word} "} for word in (message["content"] or "").split(" ") if word]
    for index, call in enumerate(message.get("tool_calls", ())):
        deltas.append({"tool_calls": [{"index": index, **call}]})
    base = {**{k: answer[k] for k in ("id", "created", "model")}, "object": "chat.completion.chunk"}

    def chunk(choices: list[Json], **more: Any) -> str:
        return f"data: {json.dumps({**base, 'choices': choices, **more})}\n\n"

    for delta in deltas:
        yield chunk([{"index": 0, "delta": delta, "finish_reason": None}])
    yield chunk([{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}])
    yield chunk([], usage=answer["usage"])
    yield "data: [DONE]\n\n"


@contextmanager
def serving(script: Sequence[Sequence[Json]]) -> Iterator[str]:
    """The base URL of a service that plays the script."""
    service = _Service(script)
    thread = threading.Thread(target=service.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{service.server_address[1]}/v1"
    finally:
        service.shutdown()
        service.server_close()
        thread.join()
