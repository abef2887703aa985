"""The project's settings at a stop: those from before the turn.

An agent can write files, so a settings file that was changed in a turn does not count for that turn:
the settings of the last stop do, the defaults where there was none, and the user is told.
"""

from __future__ import annotations

import os

from ..events import ToolCall
from ..settings import Settings, SettingsError, find, load, read, today
from .scene import LOOKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .memory import Memory
    from .scene import Scene


def in_force(folder: str, memory: Memory, scene: Scene) -> tuple[Settings, list[str]]:
    """(the settings that count, remarks for the user)."""
    path = find(folder) if folder else ""
    before = _before(memory)
    remarks: list[str] = []
    try:
        now = load(path) if path else Settings()
    except SettingsError as error:
        return before or Settings(), [f"the settings are not used: {error}"]
    same = before is not None and before.table == now.table
    if path and not same and _changed(path, scene):
        name = os.path.basename(path)
        which = "those from before it" if before else "the defaults"
        return before or Settings(), [
            f"{name} was changed in this turn; {which} count until the next"
        ]
    if (
        before is not None
        and before.table
        and not os.path.exists(before.source)  # another one further up may count now
        and _named(os.path.basename(before.source), scene)
    ):
        name = os.path.basename(before.source)
        return before, [f"{name} was removed in this turn; it counts until the next"]
    memory.settings = {"table": now.table, "source": now.source}
    day = today()
    remarks += [
        f"the suppression of {each.check} ended on {each.expires}" for each in now.expired(day)
    ]
    return now, remarks


def _before(memory: Memory) -> Settings | None:
    kept = memory.settings
    if kept is None:
        return None
    try:
        return read(kept.get("table"), source=str(kept.get("source") or ""))
    except SettingsError:
        return None


def _changed(path: str, scene: Scene) -> bool:
    """True when the file was changed since the turn began, or a call of the turn names it."""
    began = _seconds(scene.started)
    try:
        if began is not None and os.stat(path).st_mtime > began:
            return True
    except OSError:
        return True
    return _named(os.path.basename(path), scene)


def _named(name: str, scene: Scene) -> bool:
    return bool(name) and any(
        isinstance(event, ToolCall) and event.name not in LOOKS and name in str(event.arguments)
        for event in scene.events[scene.border :]
    )


def _seconds(stamp: str) -> float | None:
    from datetime import datetime

    try:
        return datetime.fromisoformat(stamp).timestamp()
    except ValueError:
        return None
