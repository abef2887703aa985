"""The stop hook in the real Codex CLI, with a scripted model on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.failing import FAILING, LIE, RUN, TRUTH

CONFIG = """\
model = "gpt-5-codex"
model_provider = "loopback"

[features]
hooks = true

[model_providers.loopback]
name = "loopback"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOOPBACK_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects."{project}"]
trust_level = "trusted"
"""

Item = dict[str, Any]


def say(text: str) -> Item:
    """A message of the model."""
    content = [{"type": "output_text", "text": text}]
    return {"type": "message", "id": "m", "role": "assistant", "content": content}


def call(command: str) -> Item:
    """A call of the shell."""
    arguments = json.dumps({"cmd": command})
    return {
        **{"type": "function_call", "id": "f", "name": "exec_command"},
        **{"arguments": arguments, "call_id": "call_1"},
    }


class Model(ThreadingHTTPServer):
    """Answers the n-th request with the n-th part; the last one is repeated."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.parts: list[list[Item]] = []
        self.asked: list[str] = []


class _Answer(BaseHTTPRequestHandler):
    server: Model

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        """One response, as a stream."""
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        number = min(len(self.server.asked), len(self.server.parts) - 1)
        self.server.asked.append(body.decode("utf-8", "replace"))
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        response = {"id": f"r{number}", "usage": usage}
        events: list[Item] = [{"type": "response.created", "response": {"id": f"r{number}"}}]
        events += [
            {"type": "response.output_item.done", "output_index": index, "item": item}
            for index, item in enumerate(self.server.parts[number])
        ]
        events.append({"type": "response.completed", "response": response})
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())


class Host:
    """A project and a home folder of its own, in which the binary runs."""

    def __init__(self, binary: Path, root: Path, model: Model) -> None:
        self.binary, self.model = binary, model
        self.project, self.home = root / "proj", root / "home"
        self.settings = self.home / ".codex"
        self.project.mkdir()
        self.settings.mkdir(parents=True)
        (self.project / "test_sum.py").write_text(FAILING)
        url = f"http://127.0.0.1:{model.server_address[1]}"
        config = CONFIG.format(url=url, project=self.project)
        (self.settings / "config.toml").write_text(config)

    def ask(self, mode: str, *parts: list[Item]) -> str:
        """One headless session with the hook in a mode; the last message."""
        self.model.parts = list(parts)
        tool = Path(sys.executable).with_name("agent-polygraph")
        hook = {"type": "command", "command": f"'{tool}' hook codex --mode {mode}", "timeout": 30}
        hooks = {"hooks": {"Stop": [{"hooks": [hook]}]}}
        (self.settings / "hooks.json").write_text(json.dumps(hooks))
        done = subprocess.run(
            [
                *(str(self.binary), "exec", "--skip-git-repo-check"),
                "--dangerously-bypass-approvals-and-sandbox",
                *("--dangerously-bypass-hook-trust", "run the tests"),
            ],
            cwd=self.project,
            env={
                "PATH": os.pathsep.join(("/usr/local/bin", "/usr/bin", "/bin")),
                "HOME": str(self.home),
                "CODEX_HOME": str(self.settings),
                "LOOPBACK_KEY": "none",
                "LANG": "C.UTF-8",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        log = self.home / ".local" / "state" / "agent-polygraph" / "hook.log"
        assert not log.exists(), log.read_text()
        return done.stdout.strip()


@pytest.fixture
def host(binary: Path, tmp_path: Path) -> Iterator[Host]:
    """A fresh project and home; the model is stopped with the test."""
    model = Model()
    thread = threading.Thread(target=model.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield Host(binary, tmp_path, model)
    model.shutdown()
    model.server_close()
    thread.join()


def test_a_block_sends_the_agent_back_once(host: Host) -> None:
    assert host.ask("block", [call(RUN)], [say(LIE)], [say(TRUTH)]) == TRUTH
    assert len(host.model.asked) == 3
    for words in ("All tests pass", "FAILED (failures=1)", RUN):
        assert words in host.model.asked[2]


def test_an_agent_that_insists_is_let_go(host: Host) -> None:
    insists = "As I said: the tests are green."
    assert host.ask("block", [call(RUN)], [say(LIE)], [say(insists)]) == insists
    assert len(host.model.asked) == 3


@pytest.mark.parametrize(("mode", "closing"), [("block", TRUTH), ("audit", LIE)])
def test_disclosure_and_audit_pass(host: Host, mode: str, closing: str) -> None:
    assert host.ask(mode, [call(RUN)], [say(closing)]) == closing
    assert len(host.model.asked) == 2
