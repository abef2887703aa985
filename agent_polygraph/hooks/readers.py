"""Which module reads which host's record, and the turn at its end as a scene."""

from __future__ import annotations

import json
import os

from ..config import DEFAULT_CONFIG
from . import tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from ..adapters._shape import Reading
    from .dialects import Stop
    from .memory import Memory
    from .scene import Scene


def at_stop(reader: str, stop: Stop, memory: Memory) -> Scene:
    """The turn that ends here, by the host's own record.  Raises OSError where there is none."""
    if reader == "claude_code":
        from .scene import at_stop as at_claude_stop

        return at_claude_stop(stop, memory, DEFAULT_CONFIG)
    with tail.open_regular(os.path.expanduser(stop.transcript)) as file:
        reading, beheaded = READERS[reader](file, os.fstat(file.fileno()).st_size)
        return _scene(reading, beheaded, stop)


def _codex(file: BinaryIO, size: int) -> tuple[Reading, bool]:
    from ..adapters.stops import begins_codex_turn, from_codex_rollout

    entries, beheaded = _entries(tail.backward(file, size, begins_codex_turn))
    return from_codex_rollout(entries), beheaded


def _cursor(file: BinaryIO, size: int) -> tuple[Reading, bool]:
    from ..adapters.stops import begins_cursor_turn, from_cursor_transcript

    entries, beheaded = _entries(tail.backward(file, size, begins_cursor_turn))
    return from_cursor_transcript(entries), beheaded


def _gemini(file: BinaryIO, size: int) -> tuple[Reading, bool]:
    from ..adapters.stops import from_gemini_chat

    if size > tail.MOST:
        raise ValueError(f"a chat of {size} bytes; at most {tail.MOST} are read")
    text = file.read()
    try:
        chat = json.loads(text)
    except ValueError:  # one message a line
        chat = [tail.parse(line) for line in text.split(b"\n") if line.strip()]
    return from_gemini_chat(chat), False


READERS = {"codex": _codex, "cursor": _cursor, "gemini": _gemini}


def _entries(lines: list[tail.Line]) -> tuple[list[object], bool]:
    """(the entries, whether earlier ones were not read)."""
    entries = [None if line.entry is tail.UNREAD else line.entry for line in lines]
    return entries, bool(lines) and lines[0].offset > 0


def _scene(reading: Reading, beheaded: bool, stop: Stop) -> Scene:
    from ..adapters._shape import unpaired
    from ..events import Message
    from .scene import Scene

    scene = Scene(reading.closing if stop.closing is None else stop.closing)
    scene.events, scene.task, scene.tools = reading.events, reading.task, reading.tools
    asked = [
        index
        for index, event in enumerate(scene.events)
        if isinstance(event, Message) and event.role == "user"
    ]
    scene.border = asked[-1] + 1 if asked else 0
    scene.beheaded = beheaded
    scene.gaps = list(reading.skipped)
    if not reading.meta.get("turns"):
        scene.gaps.append("the beginning of the turn is not there")
    scene.lacks(unpaired(scene.events))
    said, found = (stop.closing or "").strip(), reading.closing.strip()
    if stop.closing is not None and not (found and (found in said or said in found)):
        scene.gaps.append("the last message is not in the record yet")
    elif found and said.endswith(found):
        scene.closing = reading.closing  # some hosts say all that was said since the request
    return scene
