"""The end of a transcript, read backwards, so that a long session costs what its last turn costs.

Strategy: blocks from the end, cut into lines, parsed newest first until an entry begins a turn;
then some more as context.  Lines of types that are large and never evidence are not parsed.  Time
and memory are linear in what is read, and that is bounded.
"""

from __future__ import annotations

import json
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, BinaryIO

MOST = 8 << 20  # bytes of one turn
CONTEXT = 256 << 10  # bytes before it, where no memory says what was there
_BLOCK = 64 << 10
# How lines begin that are large and hold no evidence.
_NOISE = tuple(
    f'{{"type":"{kind}'.encode()
    for kind in ("api-request", "file-history-snapshot", "cost-state", "last-prompt", "atis-latch")
)
UNREAD = object()  # a line that is no JSON


class Line:
    """One line: where it begins, how long it is, the entry (UNREAD where it is none)."""

    __slots__ = ("entry", "length", "offset")

    def __init__(self, offset: int, length: int, entry: Any) -> None:
        self.offset, self.length, self.entry = offset, length, entry


def open_regular(path: str) -> BinaryIO:
    """Open a file for reading; OSError for anything that is no plain file (a pipe would hang)."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(f"not a file: {path!r}")
    return open(path, "rb")


def parse(raw: bytes) -> Any:
    """The entry of a line, None for noise and blank lines, UNREAD for what is no JSON."""
    raw = raw.strip()
    if not raw or raw.startswith(_NOISE):
        return None
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return UNREAD


def forward(file: BinaryIO, start: int, end: int) -> list[Line]:
    """The lines from `start` to `end`."""
    file.seek(start)
    lines: list[Line] = []
    at = start
    for raw in file.read(end - start).split(b"\n"):
        _add(lines, at, raw)
        at += len(raw) + 1
    return lines


def backward(file: BinaryIO, end: int, begins: Callable[[Any], str]) -> list[Line]:
    """The lines of the last turn and some before it, in order.

    begins: see `adapters.claude_code.transcript.begins`.  At most MOST bytes are read.
    """
    found: list[Line] = []  # newest first
    at, rest, block = end, b"", _BLOCK
    turn = -1  # where the turn begins, once that is known
    local = False
    while at > 0 and end - at < MOST and (turn < 0 or turn - at < CONTEXT):
        size = min(block, at)
        at -= size
        file.seek(at)
        pieces = (file.read(size) + rest).split(b"\n")
        rest = pieces.pop(0) if at else b""
        offset = at + len(rest) + (1 if at else 0) + sum(len(piece) + 1 for piece in pieces)
        for raw in reversed(pieces):
            offset -= len(raw) + 1
            _add(found, offset, raw)
            entry = found[-1].entry if found and found[-1].offset == offset else None
            if turn >= 0 or not isinstance(entry, dict):
                continue
            mark = begins(entry)
            if mark == "local":
                local = True
            elif mark == "prompt" or (mark == "command" and not local):
                turn = offset
            elif mark == "command":
                local = False
        block = min(block * 2, 1 << 20)
    found.reverse()
    return found


def _add(lines: list[Line], offset: int, raw: bytes) -> None:
    entry = parse(raw)
    if entry is not None:
        lines.append(Line(offset, len(raw), entry))


def at_lines(file: BinaryIO, size: int, index: Iterable[Sequence[int]]) -> list[Any]:
    """The entries of lines whose places are known; UNREAD where there is no line any more."""
    entries: list[Any] = []
    for offset, length in index:
        if offset + length > size:
            entries.append(UNREAD)
            continue
        file.seek(offset)
        entries.append(parse(file.read(length)))
    return entries
