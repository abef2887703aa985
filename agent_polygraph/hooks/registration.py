"""The hook's entry in Claude Code's settings: put in, taken out, nothing else touched."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from typing import Any

from . import splice

EVENTS = ("Stop", "SubagentStop")
COMMAND = "agent-polygraph"
TIMEOUT_S = 30


def settings_path(scope: str) -> str:
    """Where the settings of a scope ("user" or "project") are."""
    if scope == "user":
        home = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
        return os.path.join(home, "settings.json")
    return os.path.join(os.getcwd(), ".claude", "settings.json")


def handler(scope: str, mode: str) -> dict[str, Any]:
    """The hook as the host runs it, without a shell.

    A project's settings are shared, so they name the command; the user's own name its place.
    """
    words = ["hook", "claude-code"] + (["--mode", mode] if mode != "audit" else [])
    command = COMMAND
    if scope == "user":
        beside = shutil.which(COMMAND, path=os.path.dirname(sys.executable))
        found = beside or shutil.which(COMMAND)
        command = os.path.abspath(found) if found else sys.executable
        if not found:
            words = ["-m", "agent_polygraph", *words]
    return {"type": "command", "command": command, "args": words, "timeout": TIMEOUT_S}


def installed(text: str, new: dict[str, Any]) -> str:
    """Settings with the hook in them; the same text where it is there already.  ValueError."""
    text = text if text.strip() else "{}\n"
    _checked(text)
    for event in EVENTS:
        own = _own(text, event)
        if own:
            for _ in own[1:]:
                text = _taken(text, _own(text, event)[-1])
            here = splice.place(text, own[0])
            assert here is not None
            if json.loads(text[here.start : here.end]) != new:
                text = splice.replaced(text, own[0], new)
            continue
        group = {"hooks": [new]}
        if splice.place(text, ("hooks",)) is None:
            text = splice.added(text, ("hooks",), {event: [group]})
        elif splice.place(text, ("hooks", event)) is None:
            text = splice.added(text, ("hooks", event), [group])
        else:
            text = splice.added(text, ("hooks", event, 0), group)
    return text


def uninstalled(text: str) -> str:
    """Settings without the hook, and without what is empty for its leaving.  ValueError."""
    if not text.strip():
        return text
    _checked(text)
    for event in EVENTS:
        while own := _own(text, event):
            text = _taken(text, own[-1])
    return text


def write(path: str, text: str) -> None:
    """Replace a file in one step, through a link to it, with the mode it had.  Raises OSError."""
    path = os.path.realpath(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle, part = tempfile.mkstemp(prefix=".settings-", dir=os.path.dirname(path))
    try:
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        if os.path.exists(path):
            shutil.copymode(path, part)
        else:
            os.chmod(part, 0o644)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


def _checked(text: str) -> None:
    """ValueError where the settings are not of the host's shape."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("an object is expected")
    hooks = value.get("hooks", {})
    if not isinstance(hooks, dict):
        raise ValueError("hooks: an object is expected")
    for event in EVENTS:
        if not isinstance(hooks.get(event, []), list):
            raise ValueError(f"hooks.{event}: a list is expected")


def _own(text: str, event: str) -> list[tuple[str | int, ...]]:
    """The paths of the hook's entries under an event."""
    groups = json.loads(text).get("hooks", {}).get(event, [])
    found: list[tuple[str | int, ...]] = []
    for number, group in enumerate(groups):
        inner = group.get("hooks") if isinstance(group, dict) else None
        for place, hook in enumerate(inner if isinstance(inner, list) else ()):
            if is_own(hook):
                found.append(("hooks", event, number, "hooks", place))
    return found


def is_own(hook: Any) -> bool:
    """True for a handler that runs this hook, however it is spelled."""
    if not isinstance(hook, dict) or hook.get("type") != "command":
        return False
    given = hook.get("args")
    words = [str(hook.get("command", "")), *map(str, given if isinstance(given, list) else ())]
    line = " ".join(words).replace("\\", "/")
    ours = "agent-polygraph" in line or "agent_polygraph" in line
    return ours and " hook " in line and "claude-code" in line


def _taken(text: str, path: tuple[str | int, ...]) -> str:
    """Without the entry, and without each holder that it leaves empty."""
    text = splice.removed(text, path)
    # the handlers of the group, the group, the event's groups, the event, all hooks
    holders: list[tuple[str | int, ...]] = [path[:4], path[:2], path[:1]]
    for holder in holders:
        here = splice.place(text, holder)
        if here is None or splice.members(text, here.start):
            break
        # an empty list of handlers empties its group
        text = splice.removed(text, holder[:3] if len(holder) == 4 else holder)
    return text
