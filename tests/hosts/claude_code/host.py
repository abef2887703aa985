"""The real `claude` binary with a scripted model on loopback.

Nothing leaves the machine: the home folder is thrown away, the key is none, and the only server is
the one below, on a free port of 127.0.0.1.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PACKAGE = "@anthropic-ai/claude-code"
MODEL = "claude-sonnet-4-5-20250929"
SUB = "SUB-AGENT-TASK"  # a prompt with this in it is a sub-agent's
_SECONDS = 90

Block = dict[str, Any]


def say(text: str) -> Block:
    """A text of the model."""
    return {"type": "text", "text": text}


def use(call_id: str, name: str, **given: Any) -> Block:
    """A tool call of the model."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def bash(call_id: str, command: str) -> Block:
    """A call of the shell."""
    return use(call_id, "Bash", command=command, description="run a command")


class Model(ThreadingHTTPServer):
    """Answers the n-th request of the session's agent with the n-th part of `main`, those of its
    sub-agents with the parts of `sub`; the last part of each is repeated.  `asked` holds the texts
    that each request of the session's agent ended on.
    """

    daemon_threads = True

    def __init__(
        self, main: Sequence[Sequence[Block]], sub: Sequence[Sequence[Block]] = ()
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.parts = {"main": list(main), "sub": list(sub)}
        self.asked: list[str] = []
        self.count = {"main": 0, "sub": 0, "all": 0}
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def answer(self, request: dict[str, Any]) -> tuple[str, list[Block]]:
        """(message id, content) for one request."""
        messages = request.get("messages") or [{}]
        with self.lock:
            self.count["all"] += 1
            number = f"msg_{self.count['all']:04d}"
            if not request.get("tools"):
                return number, [say("Tests")]  # a title, a summary
            who = "sub" if SUB in _text(messages[0]) else "main"
            if who == "main":
                self.asked.append(_text(messages[-1]))
            parts = self.parts[who]
            turn = min(self.count[who], len(parts) - 1)
            self.count[who] += 1
            return number, list(parts[turn])


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(
        str(block.get("text") or block.get("content") or "") for block in content or []
    )


class _Answer(BaseHTTPRequestHandler):
    server: Model

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        """One message, whole or as a stream."""
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if "count_tokens" in self.path:
            return self._json({"input_tokens": 10})
        if "/v1/messages" not in self.path:
            return self.send_error(404)
        request = json.loads(body)
        number, content = self.server.answer(request)
        calls = any(block["type"] == "tool_use" for block in content)
        message: dict[str, Any] = {
            "id": number,
            "type": "message",
            "role": "assistant",
            "model": request.get("model"),
            "content": content,
            "stop_reason": "tool_use" if calls else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 20},
        }
        if not request.get("stream"):
            return self._json(message)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in _stream(message):
            data = json.dumps(event)
            self.wfile.write(f"event: {event['type']}\ndata: {data}\n\n".encode())
        return None

    def _json(self, value: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(value).encode())


def _stream(message: dict[str, Any]) -> list[dict[str, Any]]:
    start = {**message, "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events += [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events.append({"type": "message_delta", "delta": stop, "usage": {"output_tokens": 20}})
    return [*events, {"type": "message_stop"}]


class Run:
    """What came of one session: the host's stream, the last text, what it showed of hooks."""

    def __init__(self, model: Model, done: subprocess.CompletedProcess[str], home: Path) -> None:
        self.model = model
        self.done = done
        self.stream = [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{"]
        self.transcripts = sorted((home / ".claude" / "projects").glob("*/*.jsonl"))
        self.agents = sorted((home / ".claude" / "projects").glob("*/*/subagents/*.jsonl"))
        self.entries = [
            json.loads(line)
            for path in self.transcripts
            for line in path.read_text(encoding="utf-8").splitlines()
        ]

    @property
    def result(self) -> str:
        """The final text."""
        return next((str(m.get("result")) for m in self.stream if m.get("type") == "result"), "")

    def attached(self, kind: str) -> list[dict[str, Any]]:
        """The attachments of a kind in the transcript, in order."""
        found = [entry.get("attachment") or {} for entry in self.entries]
        return [each for each in found if each.get("type") == kind]

    @property
    def notices(self) -> list[str]:
        """What hooks told the user."""
        return [str(each.get("content")) for each in self.attached("hook_system_message")]

    @property
    def blocks(self) -> list[str]:
        """The reasons of hooks that blocked the session's own stop."""
        return [
            str((each.get("blockingError") or {}).get("blockingError"))
            for each in self.attached("hook_blocking_error")
        ]

    @property
    def faults(self) -> list[dict[str, Any]]:
        """Hooks that failed, as the host saw it."""
        return self.attached("hook_non_blocking_error")


class Host:
    """A project and a home folder of its own, in which the binary runs."""

    def __init__(self, binary: Path, root: Path, path: str) -> None:
        self.binary = binary
        self.home, self.project = root / "home", root / "proj"
        self.project.mkdir(parents=True)
        self.home.mkdir()
        trust = {"projects": {str(self.project): {"hasTrustDialogAccepted": True}}}
        (self.home / ".claude.json").write_text(json.dumps(trust))
        (self.project / ".claude").mkdir()
        allow = ["Bash(*)", "Edit", "Write", "Read", "Agent", "Task"]
        settings = {"permissions": {"allow": allow}}
        (self.project / ".claude" / "settings.json").write_text(json.dumps(settings, indent=2))
        self.environment = {
            "PATH": os.pathsep.join((path, "/usr/local/bin", "/usr/bin", "/bin")),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "xterm",
            "ANTHROPIC_API_KEY": "not-a-key",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
        }
        tool = shutil.which("agent-polygraph", path=path)
        assert tool is not None, f"agent-polygraph is not in {path}"
        self.tool = tool

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run `claude` with arguments that need no model."""
        return self._run([str(self.binary), *words], {})

    def polygraph(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run `agent-polygraph` in the project."""
        return self._run([self.tool, *words], {})

    def ask(self, prompt: str, model: Model, *options: str) -> Run:
        """One headless session; the model is stopped with it."""
        thread = threading.Thread(target=model.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            words = ["-p", prompt, "--model", MODEL, "--output-format", "stream-json", "--verbose"]
            done = self._run(
                [str(self.binary), *words, *options], {"ANTHROPIC_BASE_URL": model.url}
            )
        finally:
            model.shutdown()
            model.server_close()
            thread.join()
        return Run(model, done, self.home)

    def _run(self, words: list[str], more: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=self.project,
            env={**self.environment, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
