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
        return _scene(READERS[reader](file, os.fstat(file.fileno()).st_size), stop)


def _codex(file: BinaryIO, size: int) -> Reading:
    from ..adapters.stops import begins_codex_turn, from_codex_rollout

    return from_codex_rollout(_entries(tail.backward(file, size, begins_codex_turn)))


def _cursor(file: BinaryIO, size: int) -> Reading:
    from ..adapters.stops import begins_cursor_turn, from_cursor_transcript

    return from_cursor_transcript(_entries(tail.backward(file, size, begins_cursor_turn)))


def _gemini(file: BinaryIO, size: int) -> Reading:
    from ..adapters.stops import from_gemini_chat

    if size > tail.MOST:
        raise ValueError(f"a chat of {size} bytes; at most {tail.MOST} are read")
    text = file.read()
    try:
        return from_gemini_chat(json.loads(text))
    except ValueError:  # one message a line
        return from_gemini_chat([tail.parse(line) for line in text.split(b"\n") if line.strip()])


READERS = {"codex": _codex, "cursor": _cursor, "gemini": _gemini}


def _entries(lines: list[tail.Line]) -> list[object]:
    return [None if line.entry is tail.UNREAD else line.entry for line in lines]


def _scene(reading: Reading, stop: Stop) -> Scene:
    from ..events import Message, ToolCall, ToolResult
    from .scene import Scene

    scene = Scene(reading.closing if stop.closing is None else stop.closing)
    scene.events, scene.task, scene.tools = reading.events, reading.task, reading.tools
    asked = [
        index
        for index, event in enumerate(scene.events)
        if isinstance(event, Message) and event.role == "user"
    ]
    scene.border = asked[-1] + 1 if asked else 0
    scene.gaps = list(reading.skipped)
    calls = {event.call_id for event in scene.events if isinstance(event, ToolCall)}
    answers = {event.call_id for event in scene.events if isinstance(event, ToolResult)}
    scene.gaps += [
        f"call {each[:60]!r} and its result are not both there" for each in calls ^ answers
    ]
    said, found = (stop.closing or "").strip(), reading.closing.strip()
    if stop.closing is not None and not (found and (found in said or said in found)):
        scene.gaps.append("the last message is not in the record yet")
    elif found and said.endswith(found):
        scene.closing = reading.closing  # some hosts say all that was said since the request
    return scene
