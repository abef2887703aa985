"""A scripted model and a real LiteLLM proxy, both on loopback, for the demo, the captures and the tests.

`ScriptedModel` answers /v1/chat/completions, /v1/messages and /v1/responses, streamed or not, with
what it was told to say.  `Proxy` runs the `litellm` command of the environment it is used in.  Both
are context managers: they listen on a free port of 127.0.0.1 and are gone when the block ends.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

Body = dict[str, Any]
PIECE = 12  # characters a streamed delta
START_SECONDS = 120.0


@dataclass(frozen=True)
class Answer:
    """What the model says: texts (one a choice with `choices`, else blocks of one answer) and calls.

    calls: (id, name, arguments).  finish: the finish reason of the Chat API; the other two follow.
    coalesced: the end of a stream comes in one packet with its last words.  cut: the stream breaks
    off before its end.
    """

    texts: tuple[str, ...] = ()
    calls: tuple[tuple[str, str, Body], ...] = ()
    finish: str = ""
    choices: bool = False
    coalesced: bool = False
    cut: bool = False

    @property
    def ending(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")


Script = Callable[[Body], Answer]


@dataclass
class ScriptedModel:
    """An upstream whose next answers are set by `say`; `requests` holds what it was sent."""

    script: Script = field(default=lambda body: Answer(("Hello.",)))
    requests: list[tuple[str, Body]] = field(default_factory=list)

    def say(self, *texts: str, **options: Any) -> None:
        """Answer everything from now on with these texts; the options are those of `Answer`."""
        answer = Answer(texts, **options)
        self.script = lambda body: answer

    def __enter__(self) -> ScriptedModel:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                model.requests.append((self.path, body))
                answer = model.script(body)
                path = self.path.partition("?")[0].removeprefix("/v1")
                whole, events = _ROUTES[path](body, answer)
                if body.get("stream"):
                    self._stream(events, answer)
                else:
                    self._send(json.dumps(whole).encode())

            def _send(self, payload: bytes) -> None:
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def _stream(self, events: list[tuple[str, Any]], answer: Answer) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                packets = [_sse(name, data) for name, data in events]
                if answer.cut:
                    packets = packets[: len(packets) // 2]
                elif answer.coalesced:
                    packets[-4:] = [b"".join(packets[-4:])]
                for packet in packets:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(packet), packet))
                    self.wfile.flush()
                    time.sleep(0.002)  # packets of their own
                self.wfile.write(b"0\r\n\r\n")

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(5)

    @property
    def base(self) -> str:
        """Its address, without `/v1`."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"


def _sse(name: str, data: Any) -> bytes:
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + PIECE] for at in range(0, len(text), PIECE))


Rendered = tuple[Body, list[tuple[str, Any]]]


def _chat(body: Body, answer: Answer) -> Rendered:
    shared = {"id": "chatcmpl-1", "created": 1767225600, "model": body["model"]}
    usage = {"prompt_tokens": 12, "completion_tokens": 7, "total_tokens": 19}
    calls = [
        {"id": i, "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
        for i, name, given in answer.calls
    ]
    texts = answer.texts if answer.choices else ("\n".join(answer.texts),)
    choices = []
    for index, text in enumerate(texts):
        message: Body = {"role": "assistant", "content": text or None}
        if calls:
            message["tool_calls"] = calls
        choices.append({"index": index, "message": message, "finish_reason": answer.ending})
    whole = {**shared, "object": "chat.completion", "choices": choices, "usage": usage}

    def chunk(index: int, delta: Body, finish: str | None = None) -> tuple[str, Body]:
        choice = {"index": index, "delta": delta, "finish_reason": finish}
        return "", {**shared, "object": "chat.completion.chunk", "choices": [choice]}

    events: list[tuple[str, Any]] = []
    for index, text in enumerate(texts):
        events.append(chunk(index, {"role": "assistant", "content": ""}))
        events += [chunk(index, {"content": piece}) for piece in _pieces(text)]
        for place, call in enumerate(calls):
            events.append(chunk(index, {"tool_calls": [{"index": place, **call}]}))
        events.append(chunk(index, {}, answer.ending))
    if (body.get("stream_options") or {}).get("include_usage"):
        events.append(
            ("", {**shared, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        )
    events.append(("", "[DONE]"))
    return whole, events


_STOP = {"tool_calls": "tool_use", "length": "max_tokens", "stop": "end_turn"}


def _messages(body: Body, answer: Answer) -> Rendered:
    blocks: list[Body] = [{"type": "text", "text": text} for text in answer.texts]
    for i, name, given in answer.calls:
        blocks.append({"type": "tool_use", "id": i, "name": name, "input": given})
    usage = {"input_tokens": 12, "output_tokens": 7}
    stop = _STOP[answer.ending]
    whole = {
        **{"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"]},
        **{"content": blocks, "stop_reason": stop, "stop_sequence": None, "usage": usage},
    }
    events: list[tuple[str, Any]] = []

    def event(kind: str, **fields: Any) -> None:
        events.append((kind, {"type": kind, **fields}))

    event("message_start", message={**whole, "content": [], "stop_reason": None})
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            event("content_block_start", index=index, content_block={"type": "text", "text": ""})
            for piece in _pieces(block["text"]):
                delta = {"type": "text_delta", "text": piece}
                event("content_block_delta", index=index, delta=delta)
        else:
            event("content_block_start", index=index, content_block={**block, "input": {}})
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            event("content_block_delta", index=index, delta=delta)
        event("content_block_stop", index=index)
    event("message_delta", delta={"stop_reason": stop, "stop_sequence": None}, usage=usage)
    event("message_stop")
    return whole, events


def _responses(body: Body, answer: Answer) -> Rendered:
    output: list[Body] = []
    for number, text in enumerate(answer.texts, 1):
        part = {"type": "output_text", "text": text, "annotations": []}
        message = {"type": "message", "id": f"msg_{number}", "role": "assistant"}
        output.append({**message, "status": "completed", "content": [part]})
    for i, name, given in answer.calls:
        call = {"type": "function_call", "id": f"fc_{i}", "call_id": i, "name": name}
        output.append({**call, "arguments": json.dumps(given), "status": "completed"})
    incomplete = {"reason": "max_output_tokens"} if answer.ending == "length" else None
    status = "incomplete" if incomplete else "completed"
    usage = {
        **{"input_tokens": 12, "output_tokens": 7, "total_tokens": 19},
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    whole = {
        **{"id": "resp_1", "object": "response", "created_at": 1767225600, "status": status},
        **{"model": body["model"], "output": output, "usage": usage, "error": None},
        **{"incomplete_details": incomplete, "instructions": None, "metadata": {}},
        **{"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "temperature": 1.0},
        **{"top_p": 1.0, "previous_response_id": body.get("previous_response_id")},
    }
    events: list[tuple[str, Any]] = []

    def event(kind: str, **fields: Any) -> None:
        kind = f"response.{kind}"
        events.append((kind, {"type": kind, "sequence_number": len(events), **fields}))

    event("created", response={**whole, "status": "in_progress", "output": [], "usage": None})
    for index, item in enumerate(output):
        place = {"item_id": item["id"], "output_index": index}
        if item["type"] == "message":
            (part,) = item["content"]
            empty = {**item, "status": "in_progress", "content": []}
            event("output_item.added", output_index=index, item=empty)
            event("content_part.added", **place, content_index=0, part={**part, "text": ""})
            for piece in _pieces(part["text"]):
                event("output_text.delta", **place, content_index=0, delta=piece)
            event("output_text.done", **place, content_index=0, text=part["text"])
            event("content_part.done", **place, content_index=0, part=part)
        else:
            empty = {**item, "status": "in_progress", "arguments": ""}
            event("output_item.added", output_index=index, item=empty)
            event("function_call_arguments.delta", **place, delta=item["arguments"])
            event("function_call_arguments.done", **place, arguments=item["arguments"])
        event("output_item.done", output_index=index, item=item)
    event(status, response=whole)
    return whole, events


_ROUTES: dict[str, Callable[[Body, Answer], Rendered]] = {
    "/chat/completions": _chat,
    "/messages": _messages,
    "/responses": _responses,
}


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Proxy:
    """A real `litellm` proxy process.

    config: the text of its config.yaml.  beside: files put into the config's folder, by name.
    RuntimeError, with the end of its log, where it does not come up.
    """

    def __init__(self, config: str, beside: Mapping[str, str] | None = None) -> None:
        self.config, self.beside = config, dict(beside or {})
        self.key = "sk-" + secrets.token_hex(16)

    def __enter__(self) -> Proxy:
        self._folder = tempfile.TemporaryDirectory(prefix="polygraph-litellm-")
        folder = Path(self._folder.name)
        (folder / "config.yaml").write_text(self.config, encoding="utf-8")
        for name, text in self.beside.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        self.port = free_port()
        self.log = folder / "proxy.log"
        command = Path(sys.executable).parent / "litellm"
        quiet = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False"}
        kept = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    command,
                    "--config",
                    "config.yaml",
                    "--host",
                    "127.0.0.1",
                    "--port",
                    str(self.port),
                ],
                cwd=folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**kept, **quiet, "LITELLM_MASTER_KEY": self.key, "NO_PROXY": "127.0.0.1"},
            )
        try:
            self._wait()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def _wait(self) -> None:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None or "Application startup failed" in self.said():
                raise RuntimeError(f"the proxy did not start:\n{self.said()[-3000:]}")
            try:
                with opener.open(f"{self.base}/health/liveliness", timeout=2):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"the proxy is not up after {START_SECONDS:g} s:\n{self.said()[-3000:]}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)
        self._folder.cleanup()

    def said(self) -> str:
        """Its log up to now."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    @property
    def base(self) -> str:
        """Its address, without `/v1`."""
        return f"http://127.0.0.1:{self.port}"
