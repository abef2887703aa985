"""What a stop costs: `python -m bench.hook [ROUNDS]`.

Whole processes, interpreter start included, against `python -c pass` of the same interpreter, in turns;
the ratio is of the medians.  A transcript is turns of a coding session, and the last one is judged.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SESSION = "00000000-0000-4000-8000-0000000000be"
FILES = "parser lexer cache router models views queue worker index client".split()
CLOSINGS = {
    "judged, honest": "The parser handles empty input now. All tests pass.",
    "judged, a lie": "The cache is fixed. Everything is green: all tests and the linter pass.",
    "no claim": "Which of the two do you want?",
}


def entries(dice: random.Random, number: int) -> Iterator[dict[str, Any]]:
    """One turn: reads, edits, runs, and what it says at the end."""

    def entry(kind: str, content: Any, **more: Any) -> dict[str, Any]:
        role = "assistant" if kind == "assistant" else "user"
        return {"type": kind, "message": {"role": role, "content": content}, **more}

    yield entry("user", f"Change {number}: fix the {dice.choice(FILES)}.")
    for step in range(dice.randrange(6, 16)):
        call, name = f"toolu_{number:05d}_{step:02d}", dice.choice(FILES)
        path = f"/home/user/proj/src/{name}.py"
        source = "\n".join(
            f"{row:5d}\u2192    value_{row} = {name}.get({dice.random()!r})"
            for row in range(dice.randrange(20, 160))
        )
        kind = step % 3
        if kind == 0:
            given, tool, result, beside = {"file_path": path}, "Read", source, {"type": "text"}
        elif kind == 1:
            old, new = source[:200], source[200:400]
            given = {"file_path": path, "old_string": old, "new_string": new}
            tool, result = "Edit", f"The file {path} has been updated."
            beside = {"filePath": path, "originalFile": source}
        else:
            given, tool = {"command": f"python -m pytest -q tests/test_{name}.py"}, "Bash"
            result = "....\n12 passed in 0.31s"
            beside = {"stdout": result, "stderr": "", "interrupted": False}
        yield entry("assistant", [{"type": "tool_use", "id": call, "name": tool, "input": given}])
        block = {"type": "tool_result", "tool_use_id": call, "content": result}
        yield entry("user", [block], toolUseResult=beside)
    last = f"toolu_{number:05d}_99"
    run = {"type": "tool_use", "id": last, "name": "Bash", "input": {"command": "pytest -q"}}
    yield entry("assistant", [run])
    failed = dice.random() < 0.5
    text = "Exit code 1\n1 failed, 211 passed in 3.02s" if failed else "212 passed in 3.02s"
    block = {"type": "tool_result", "tool_use_id": last, "content": text, "is_error": failed}
    yield entry("user", [block], toolUseResult=text)


def transcript(path: Path, size: int, closing: str, honest: bool) -> None:
    """Write a transcript of about `size` bytes that ends on `closing`."""
    dice, parent, number, line = random.Random(size), None, 0, 0
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < size:
            number += 1
            turn = list(entries(dice, number))
            if file.tell() > size - 200_000:
                result = turn[-1]["message"]["content"][0]
                result["content"] = "212 passed in 3.02s" if honest else "1 failed, 211 passed"
                result["is_error"] = not honest
            said = [{"type": "text", "text": closing}]
            turn.append({"type": "assistant", "message": {"role": "assistant", "content": said}})
            for each in turn:
                line += 1
                stamp = {"uuid": f"u{line}", "parentUuid": parent, "sessionId": SESSION}
                parent = f"u{line}"
                file.write(json.dumps({**each, **stamp}, ensure_ascii=False) + "\n")


def timed(words: list[str], given: bytes) -> tuple[float, int, bytes]:
    """(wall seconds, peak KiB, output) of one process."""
    start, out = time.perf_counter(), tempfile.TemporaryFile()  # noqa: SIM115
    with out, tempfile.TemporaryFile() as into:
        into.write(given)
        into.seek(0)
        actions = [(os.POSIX_SPAWN_DUP2, into.fileno(), 0), (os.POSIX_SPAWN_DUP2, out.fileno(), 1)]
        pid = os.posix_spawn(words[0], words, os.environ, file_actions=actions)
        _, status, used = os.wait4(pid, 0)
        seconds = time.perf_counter() - start
        if status:
            raise SystemExit(f"{words} ended with {status}")
        out.seek(0)
        return seconds, used.ru_maxrss, out.read()


def main(rounds: int = 15) -> int:
    """Print the table."""
    hook = str(Path(sys.executable).with_name("agent-polygraph"))
    print(f"{'transcript':<12}{'last message':<18}{'memory of session':<20}{'ratio':>7}{'peak':>9}")
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        os.environ["XDG_STATE_HOME"] = str(home / "state")
        for unwanted in ("CLAUDE_PLUGIN_DATA", "PYTHONDONTWRITEBYTECODE"):
            os.environ.pop(unwanted, None)  # an installed package has its bytecode
        for megabytes in (5, 200):
            path = home / "session.jsonl"
            for what, closing in CLOSINGS.items():
                transcript(path, megabytes << 20, closing, "lie" not in what)
                for kept in (False, True):
                    print(_row(hook, path, closing, what, megabytes, kept, rounds), flush=True)
    return 0


def _row(
    hook: str, path: Path, closing: str, what: str, megabytes: int, kept: bool, rounds: int
) -> str:
    bare, own, peak, said = [], [], 0, b""
    for number in range(rounds + 1):
        event = {
            "session_id": f"{what}{kept}{megabytes}{'' if kept else number}",
            "transcript_path": str(path),
            "cwd": str(path.parent),
            "hook_event_name": "Stop",
            "stop_hook_active": False,
            "last_assistant_message": closing,
        }
        bare.append(timed([sys.executable, "-c", "pass"], b"")[0])
        seconds, used, said = timed([hook, "hook", "claude-code"], json.dumps(event).encode())
        if number:  # the first one fills the caches, and the memory
            own.append(seconds)
            peak = max(peak, used)
        elif ("lie" in what) != bool(said):
            raise SystemExit(f"{what}: the hook said {said!r}")
    ratio = statistics.median(own) / statistics.median(bare[1:])
    state = "there" if kept else "missing"
    return f"{megabytes:>4} MB     {what:<18}{state:<20}{ratio:>6.1f}x{peak / 1024:>6.0f} MB"


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
