"""Changes to a JSON text that leave the rest of it as it was written.

Parsing and writing back would lose how a file is laid out.  Here a value is found by its place in the
text, and only it is written.  The text has to be valid JSON; ValueError where it is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_INDENT = re.compile(r"\n([ \t]+)\"")

Path = Sequence[str | int]


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object or array: its key or number, where it begins, where its value lies."""

    key: str | int
    begin: int
    start: int
    end: int


def members(text: str, at: int) -> list[Member]:
    """The members of the object or array that begins at `at`."""
    found: list[Member] = []
    table = text[at] == "{"
    at = _after(text, at + 1)
    while text[at] not in "}]":
        begin, key = at, len(found)
        name: str | int = key
        if table:
            name, at = _DECODER.raw_decode(text, at)
            at = _after(text, _after(text, at) + 1)  # the colon
        start = at
        _, at = _DECODER.raw_decode(text, at)
        found.append(Member(name, begin, start, at))
        at = _after(text, at)
        if text[at] == ",":
            at = _after(text, at + 1)
    return found


def place(text: str, path: Path) -> Member | None:
    """The value at a path of keys and numbers, None where there is none."""
    here = Member("", 0, _after(text, 0), len(text.rstrip()))
    for step in path:
        if text[here.start] not in "{[":
            return None
        # The last of two equal keys counts, as for a parser.
        found = [each for each in members(text, here.start) if each.key == step]
        if not found:
            return None
        here = found[-1]
    return here


def replaced(text: str, path: Path, value: Any) -> str:
    """The text with the value at `path`, which is there, replaced."""
    here = place(text, path)
    assert here is not None
    return text[: here.start] + _written(text, value, len(path)) + text[here.end :]


def added(text: str, path: Path, value: Any) -> str:
    """The text with a value added at `path`: a new key of an object, or the end of an array."""
    holder = place(text, path[:-1])
    assert holder is not None
    key = path[-1]
    words = _written(text, value, len(path))
    if isinstance(key, str):
        words = f"{json.dumps(key, ensure_ascii=False)}: {words}"
    inside = members(text, holder.start)
    newline, step = _style(text)
    if inside:
        at = inside[-1].end
        return f"{text[:at]},{newline}{step * len(path)}{words}{text[at:]}"
    close = holder.end - 1
    body = f"{newline}{step * len(path)}{words}{newline}{step * (len(path) - 1)}"
    return text[: holder.start + 1] + body + text[close:]


def removed(text: str, path: Path) -> str:
    """The text without the member at `path`, which is there."""
    here, holder = place(text, path), place(text, path[:-1])
    assert here is not None and holder is not None
    inside = members(text, holder.start)
    number = inside.index(here)
    if len(inside) == 1:
        return text[: holder.start + 1] + text[holder.end - 1 :]
    if number == 0:
        return text[: here.begin] + text[inside[1].begin :]
    return text[: inside[number - 1].end] + text[here.end :]


def _written(text: str, value: Any, depth: int) -> str:
    newline, step = _style(text)
    words = json.dumps(value, indent=step or None, ensure_ascii=False)
    return words.replace("\n", newline + step * depth)


def _style(text: str) -> tuple[str, str]:
    """(line end, indentation) of a text; two spaces where it has none."""
    found = _INDENT.search(text)
    return ("\r\n" if "\r\n" in text else "\n", found.group(1) if found else "  ")


def _after(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
