"""What is kept of a session between two stops.

No content is copied: of the earlier evidence only the places of its lines in the transcript are kept
(edits, runs, everything that is no mere look), so that the next stop reads these lines and the new
ones.  Beside them the findings that were told or blocked for already, and the settings in force.
"""

from __future__ import annotations

from . import state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LINES = 400
_KEYS = 100
_VERSION = 1


class Memory:
    """One session's, or one sub-agent's.

    at: where the last judged turn begins in the transcript, -1 where that is unknown.  index: (offset,
    length) of lines of earlier turns.  whole: nothing of the earlier turns is out of sight.  keys:
    what was said already, oldest first.  settings: the project's table as it was at the last stop,
    None where there was no stop.
    """

    def __init__(self, *ids: str) -> None:
        self.name = state.name_of(*ids)
        kept = state.load(self.name)
        if kept.get("version") != _VERSION:
            kept = {}
        self._kept = kept
        self.at = _number(kept.get("at"))
        self.index = _index(kept.get("index")) if self.at >= 0 else []
        self.whole = kept.get("whole") is True
        self.keys = [key for key in _list(kept.get("keys")) if isinstance(key, str)]
        settings = kept.get("settings")
        self.settings: dict[str, Any] | None = settings if isinstance(settings, dict) else None

    def said(self, key: str) -> bool:
        """True when it was said before; from now on it was."""
        if key in self.keys:
            return True
        self.keys.append(key)
        return False

    def save(self) -> None:
        """Write it, if it changed.  Raises OSError."""
        value = {
            "version": _VERSION,
            "at": self.at,
            "index": self.index[-_LINES:],
            "whole": self.whole,
            "keys": self.keys[-_KEYS:],
            "settings": self.settings,
        }
        if value != self._kept:
            state.save(self.name, value)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else -1


def _index(value: Any) -> list[list[int]]:
    found: list[list[int]] = []
    for pair in _list(value):
        if isinstance(pair, list) and len(pair) == 2 and min(map(_number, pair)) >= 0:
            found.append(pair)
    return found
