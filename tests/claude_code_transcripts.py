"""Turns of tests/cases as Claude Code transcripts: entries in the shape of version 2.1.332."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Entry = dict[str, Any]
SESSION = "00000000-0000-4000-8000-00000000000a"


class Writer:
    """Adds entries, each chained to the one before it."""

    def __init__(self, cwd: str = "/home/user/proj") -> None:
        self.entries: list[Entry] = []
        self._parent: str | None = None
        self._cwd = cwd
        self._message = 0

    def _add(self, kind: str, **fields: Any) -> None:
        number = len(self.entries)
        uuid = f"00000000-0000-4000-9000-{number:012d}"
        self.entries.append(
            {
                "parentUuid": self._parent,
                "isSidechain": False,
                **fields,
                "type": kind,
                "uuid": uuid,
                "timestamp": f"2026-11-{1 + number // 86400:02d}T{number // 3600 % 24:02d}:"
                f"{number // 60 % 60:02d}:{number % 60:02d}.000Z",
                "userType": "external",
                "cwd": self._cwd,
                "sessionId": SESSION,
                "version": "2.1.332",
                "gitBranch": "main",
            }
        )
        self._parent = uuid

    def prompt(self, text: str) -> None:
        self._add("user", message={"role": "user", "content": text})

    def steer(self, text: str) -> None:
        self._add("attachment", attachment={"type": "queued_command", "prompt": text})

    def say(self, text: str) -> None:
        self._assistant({"type": "text", "text": text})

    def call(self, call_id: str, name: str, arguments: Any) -> None:
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments)
            except ValueError:
                arguments = {"input": arguments}
        block = {"type": "tool_use", "id": call_id, "name": name, "input": arguments}
        self._assistant(block)

    def result(self, call_id: str, content: Any, is_error: bool | None) -> None:
        beside: Any = content
        if isinstance(content, dict) and "stdout" in content:
            content = "\n".join(filter(None, (content["stdout"], content.get("stderr"))))
        elif not isinstance(content, (str, list)):
            content = json.dumps(content, ensure_ascii=False)
        if isinstance(content, list) and any("type" not in mapping(part) for part in content):
            content = json.dumps(content, ensure_ascii=False)
        block: Entry = {"type": "tool_result", "tool_use_id": call_id, "content": content}
        if is_error is not None:
            block["is_error"] = is_error
        self._add("user", message={"role": "user", "content": [block]}, toolUseResult=beside)

    def _assistant(self, block: Entry) -> None:
        self._message += 1
        message = {
            "id": f"msg_{self._message:04d}",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5-20250929",
            "content": [block],
            "stop_reason": None,
        }
        self._add("assistant", message=message)


def mapping(value: Any) -> Entry:
    return value if isinstance(value, dict) else {}


def rendered(row: Entry, closing: str | None = None) -> list[Entry]:
    """The entries of a case's turn, its closing last."""
    writer = Writer()
    events = row["events"]
    if not (events and events[0].get("type") == "message" and events[0].get("role") == "user"):
        writer.prompt(row["task"] or "go on")
    for event in events:
        if event["type"] == "tool_call":
            writer.call(event["call_id"], event["name"], event["arguments"])
        elif event["type"] == "tool_result":
            writer.result(event["call_id"], event["content"], event.get("is_error"))
        elif event.get("role", "assistant") == "assistant":
            writer.say(event["text"])
        elif event["role"] == "user":
            writer.prompt(event["text"])
        else:
            writer.steer(event["text"])
    writer.say(row["closing"] if closing is None else closing)
    return writer.entries


def lines(entries: Iterable[Entry]) -> str:
    """The text of a transcript."""
    return "".join(json.dumps(e, ensure_ascii=False, separators=(",", ":")) + "\n" for e in entries)


def write(path: Path, entries: Iterable[Entry]) -> Path:
    """The transcript as a file."""
    path.write_text(lines(entries), encoding="utf-8")
    return path


def stop(transcript: Path, closing: str, **more: Any) -> bytes:
    """What the host gives a Stop hook."""
    event = {
        "session_id": SESSION,
        "transcript_path": str(transcript),
        "cwd": str(transcript.parent),
        "permission_mode": "default",
        "hook_event_name": "Stop",
        "stop_hook_active": False,
        "last_assistant_message": closing,
        "background_tasks": [],
        "session_crons": [],
        **more,
    }
    return json.dumps(event).encode()
