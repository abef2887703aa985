"""The files a hook keeps: where they are, how they are written, and the log of its own faults.

Everything is bounded: the log by its size, the sessions by their number.  Nothing here may fail a
hook: who can't write does without.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_APP = "agent-polygraph"
_LOG_BYTES = 256 * 1024
_LINE_CHARS = 500
_SESSIONS = 200
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


def folder() -> str:
    """The folder of the hook's files: the host's for a plugin, else the user's state directory."""
    given = os.environ.get("CLAUDE_PLUGIN_DATA", "")
    if os.path.isabs(given):
        return given
    given = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(given):
        return os.path.join(given, _APP)
    if os.name == "nt":
        local = os.environ.get("LOCALAPPDATA", "")
        return os.path.join(local or os.path.expanduser("~"), _APP, "State")
    if sys.platform == "darwin":
        return os.path.expanduser(f"~/Library/Application Support/{_APP}")
    return os.path.expanduser(f"~/.local/state/{_APP}")


def log(words: str) -> None:
    """Add one line to the log.  Never raises."""
    try:
        home = folder()
        os.makedirs(home, mode=0o700, exist_ok=True)
        path = os.path.join(home, "hook.log")
        try:
            if os.path.getsize(path) > _LOG_BYTES:
                os.replace(path, path + ".1")
        except OSError:
            pass
        import time

        flat = " ".join(words.split())[:_LINE_CHARS]
        line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {flat}\n"
        with open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(line)
    except Exception:
        return


def name_of(*ids: str) -> str:
    """A file name for ids that may hold anything; for different ids almost surely a different one."""
    from binascii import crc32

    whole = "\n".join(ids)
    clean = "".join(char if char in _SAFE else "_" for char in whole)[:80]
    return f"{clean}-{crc32(whole.encode('utf-8', 'backslashreplace')):08x}.json"


def load(name: str) -> dict[str, Any]:
    """A session's file; empty where there is none that can be read."""
    try:
        with open(os.path.join(folder(), "sessions", name), "rb") as file:
            found = json.loads(file.read(1 << 20))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def save(name: str, value: dict[str, Any]) -> None:
    """Write a session's file in one step; the oldest ones go.  Raises OSError."""
    home = os.path.join(folder(), "sessions")
    path = os.path.join(home, name)
    if not os.path.exists(path):
        os.makedirs(home, mode=0o700, exist_ok=True)
        _forget(home)
    part = f"{path}.{os.getpid()}.{id(value):x}"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(value, file, separators=(",", ":"))
    os.replace(part, path)


def _forget(home: str) -> None:
    from contextlib import suppress

    files = []
    with os.scandir(home) as found:
        for entry in found:
            with suppress(OSError):  # another hook was faster
                if entry.is_file():
                    files.append((entry.stat().st_mtime, entry.path))
    for _, path in sorted(files)[: max(0, len(files) - _SESSIONS)]:
        with suppress(OSError):
            os.remove(path)
