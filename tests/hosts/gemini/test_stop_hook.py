"""The stop hook in the real Gemini CLI, with a scripted model on loopback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.failing import FAILING, LIE, RUN, TRUTH

Part = dict[str, Any]


def say(text: str) -> Part:
    """A text of the model."""
    return {"text": text}


def call(command: str) -> Part:
    """A call of the shell."""
    return {"functionCall": {"id": "f", "name": "run_shell_command", "args": {"command": command}}}


class Model(ThreadingHTTPServer):
    """Answers the n-th request that has tools with the n-th part; the last one is repeated."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.parts: list[Part] = []
        self.asked: list[str] = []


class _Answer(BaseHTTPRequestHandler):
    server: Model

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        """One answer, whole or as a stream."""
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        answer: dict[str, Any] = {"totalTokens": 5}
        if "countTokens" not in self.path:
            part: Part = {"text": "{}"}
            if json.loads(body).get("tools"):
                part = self.server.parts[min(len(self.server.asked), len(self.server.parts) - 1)]
                self.server.asked.append(body)
            content = {"role": "model", "parts": [part]}
            usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
            candidates = [{"content": content, "finishReason": "STOP", "index": 0}]
            answer = {"candidates": candidates, "usageMetadata": usage}
        stream = "streamGenerateContent" in self.path
        text = json.dumps(answer)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if stream else "application/json")
        self.end_headers()
        self.wfile.write((f"data: {text}\r\n\r\n" if stream else text).encode())


class Host:
    """A project and a home folder of its own, in which the program runs."""

    def __init__(self, program: Path, root: Path, model: Model) -> None:
        self.program, self.model = program, model
        self.project, self.home = root / "proj", root / "home"
        self.project.mkdir()
        (self.home / ".gemini").mkdir(parents=True)
        (self.project / "test_sum.py").write_text(FAILING)

    def ask(self, mode: str, *parts: Part) -> subprocess.CompletedProcess[str]:
        """One headless session with the hook in a mode."""
        self.model.parts = list(parts)
        tool = Path(sys.executable).with_name("agent-polygraph")
        hook = {"type": "command", "command": f"'{tool}' hook gemini --mode {mode}"}
        settings = {
            "security": {
                "auth": {"selectedType": "gemini-api-key"},
                "folderTrust": {"enabled": False},
            },
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"disableAutoUpdate": True},
            "hooks": {"AfterAgent": [{"hooks": [hook]}]},
        }
        (self.home / ".gemini" / "settings.json").write_text(json.dumps(settings))
        node = Path(shutil.which("node") or "node").parent
        done = subprocess.run(
            [str(self.program), "--yolo", "-m", "gemini-2.5-pro", "-p", "run the tests"],
            cwd=self.project,
            env={
                "PATH": os.pathsep.join((str(node), "/usr/local/bin", "/usr/bin", "/bin")),
                "HOME": str(self.home),
                "GEMINI_API_KEY": "none",
                "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{self.model.server_address[1]}",
                "GEMINI_CLI_TRUST_WORKSPACE": "true",
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
        return done


@pytest.fixture
def host(program: Path, tmp_path: Path) -> Iterator[Host]:
    """A fresh project and home; the model is stopped with the test."""
    model = Model()
    thread = threading.Thread(target=model.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield Host(program, tmp_path, model)
    model.shutdown()
    model.server_close()
    thread.join()


def test_a_block_sends_the_agent_back_once(host: Host) -> None:
    done = host.ask("block", call(RUN), say(LIE), say(TRUTH))
    assert done.stdout.strip().endswith(TRUTH)
    assert len(host.model.asked) == 3
    for words in ("All tests pass", "FAILED (failures=1)", RUN):
        assert words in host.model.asked[2]
    assert "not borne out" not in done.stdout + done.stderr


def test_an_agent_that_insists_is_let_go(host: Host) -> None:
    insists = "As I said: the tests are green."
    done = host.ask("block", call(RUN), say(LIE), say(insists))
    assert done.stdout.strip().endswith(insists)
    assert len(host.model.asked) == 3


@pytest.mark.parametrize(("mode", "closing"), [("block", TRUTH), ("audit", LIE)])
def test_disclosure_and_audit_pass(host: Host, mode: str, closing: str) -> None:
    done = host.ask(mode, call(RUN), say(closing))
    assert done.stdout.strip() == closing
    assert len(host.model.asked) == 2
