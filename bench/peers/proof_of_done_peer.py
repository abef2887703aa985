"""proof-of-done, by its `check` command on the turn written as a Claude Code transcript."""

from __future__ import annotations

import contextlib
import io
import json
import os
import posixpath
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .serving import Answer, Item, arguments, serve, text
else:
    # Run as a script, in the peer's environment: the folder is no package there.
    from serving import Answer, Item, arguments, serve, text


START = datetime(2026, 1, 1, tzinfo=timezone.utc)  # noqa: UP017
SESSION = "00000000-0000-4000-8000-000000000000"
# Claude Code's own names pass as they are.
OWN = {"Bash", "Edit", "Write", "MultiEdit", "NotebookEdit", "Read", "Task", "Agent", "Grep"}
COMMAND_KEYS = ("command", "cmd", "script")
PATH_KEYS = ("file_path", "path", "file", "filename", "filepath")
WRITE_WORDS = ("edit", "write", "patch", "replace", "update", "create")
EXIT_KEYS = ("exit_code", "exitCode", "returncode")


def claude_call(name: str, args: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The call as Claude Code has it: a command line is Bash, a file write is Edit or Write."""
    if name in OWN:
        return name, args
    command = next((args[key] for key in COMMAND_KEYS if isinstance(args.get(key), str)), None)
    if command is not None:
        return "Bash", {"command": command}
    path = next((args[key] for key in PATH_KEYS if isinstance(args.get(key), str)), None)
    if path is not None and any(word in name.lower() for word in WRITE_WORDS):
        tool = "Write" if "content" in args else "Edit"
        return tool, {**args, "file_path": path}
    return name, args


def claude_result(name: str, result: dict[str, Any]) -> tuple[str, bool, Any]:
    """(content, is_error, toolUseResult).  A shell's JSON envelope is opened: Bash has none."""
    content, failed = text(result.get("content")), bool(result.get("is_error"))
    if name != "Bash":
        return content, failed, {}
    with contextlib.suppress(ValueError, RecursionError):
        body = json.loads(content)
        fields = body if isinstance(body, dict) else {}
        code = next((fields[k] for k in EXIT_KEYS if isinstance(fields.get(k), int)), None)
        if code is not None:
            output = text(body.get("stdout") or body.get("output") or "") + text(body.get("stderr"))
            failed, content = code != 0, f"Exit code {code}\n{output}" if code else output
    if failed:
        return content, True, f"Error: {content}"
    return content, False, {"stdout": content, "stderr": "", "interrupted": False, "isImage": False}


def project(item: Item) -> str:
    """The folder of all edited files, or "": it ignores edits outside the project."""
    folders = []
    for event in item["events"]:
        if event["type"] == "tool_call":
            path = claude_call(event.get("name") or "", arguments(event))[1].get("file_path")
            if isinstance(path, str) and path.startswith("/"):
                folders.append(posixpath.dirname(path))
    common = posixpath.commonpath(folders) if folders else ""
    return "" if common == "/" else common


def transcript(item: Item) -> list[dict[str, Any]]:
    """The turn as transcript entries, chained by uuid, one second apart."""
    entries: list[dict[str, Any]] = []
    names: dict[str, str] = {}

    def add(kind: str, message: dict[str, Any], **more: Any) -> None:
        number = len(entries)
        entries.append(
            {
                "type": kind,
                "uuid": f"00000000-0000-4000-8000-{number + 1:012d}",
                "parentUuid": f"00000000-0000-4000-8000-{number:012d}" if number else None,
                "sessionId": SESSION,
                "timestamp": (START + timedelta(seconds=number)).isoformat(),
                "cwd": str(FOLDER),
                "version": "2.1.281",
                "isSidechain": False,
                "userType": "external",
                "message": message,
                **more,
            }
        )

    def block(content: dict[str, Any]) -> None:
        number = len(entries)
        message = {"role": "assistant", "id": f"msg_{number}", "content": [content]}
        add("assistant", {**message, "model": "none", "stop_reason": None})

    add("user", {"role": "user", "content": item.get("task") or "Go on."})
    for event in item["events"]:
        key = str(event.get("call_id") or "")
        if event["type"] == "message":
            if event.get("role") == "user":
                add("user", {"role": "user", "content": text(event.get("text"))})
            else:
                block({"type": "text", "text": text(event.get("text"))})
        elif event["type"] == "tool_call":
            name, args = claude_call(event.get("name") or "", arguments(event))
            names[key] = name
            block({"type": "tool_use", "id": key, "name": name, "input": args})
        else:
            content, failed, detail = claude_result(names.get(key, ""), event)
            result = {"type": "tool_result", "tool_use_id": key, "content": content}
            message = {"role": "user", "content": [{**result, "is_error": failed}]}
            add("user", message, toolUseResult=detail)
    block({"type": "text", "text": item["closing"]})
    return entries


def prepare(item: Item) -> list[str]:
    lines = "".join(json.dumps(entry) + "\n" for entry in transcript(item))
    root = project(item)
    if root:
        lines = lines.replace(root, str(FOLDER))
    (FOLDER / "session.jsonl").write_text(lines, encoding="utf-8")
    (FOLDER / "message.txt").write_text(item["closing"], encoding="utf-8", errors="replace")
    where = ["--transcript", str(FOLDER / "session.jsonl")]
    return ["check", *where, "--message-file", str(FOLDER / "message.txt"), "--json"]


def judge(argv: list[str]) -> Answer:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(argv)
    if code == 2:
        # It refuses an empty message, which claims nothing.
        if not Path(argv[4]).read_text(encoding="utf-8"):
            return Answer(False, "empty closing")
        raise ValueError(err.getvalue().strip())
    decision = json.loads(out.getvalue())
    return Answer(
        decision["decision"] == "block",
        "; ".join(f"{c['claim_type']}: {c['reason']}" for c in decision["claims"]),
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        # No settings but its own: it reads the user's and the environment's.
        for key in [key for key in os.environ if key.startswith("PROOF_OF_DONE")]:
            del os.environ[key]
        os.environ |= {"HOME": home, "XDG_CONFIG_HOME": home}
        from proof_of_done.cli import (  # type: ignore[import-not-found, unused-ignore]
            main,
        )

        FOLDER = Path(home).resolve() / "project"
        FOLDER.mkdir()
        (FOLDER / ".git").mkdir()
        serve("proof-of-done", prepare, judge)
    sys.exit(0)
