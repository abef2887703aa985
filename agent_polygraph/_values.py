"""Text as JSON values, each with the line it begins on, and a `Problem` for what is none.

Nothing is opened here and nothing raises for any input.  Time is linear in the text; memory is one
value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from .plain import encodable

REASON_CHARS = 300


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read.

    line: one-based, None where it is about no line.  unopened: the file could not be opened, or not
    read to its end.
    """

    source: str
    line: int | None
    reason: str
    unopened: bool = False


Value: TypeAlias = tuple[int, Any]  # (line it begins on, JSON value)


_DECODER = json.JSONDecoder(strict=False)  # control characters inside strings are taken as they are
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[{}\[\],:]|[^\s"{}\[\],:]+')
_SPACE = " \t\r\n\0\ufeff"
_BETWEEN = " \t\r\n,"


def _lines(text_or_lines: str | Iterable[str]) -> Iterator[str]:
    if isinstance(text_or_lines, str):
        # Not splitlines: a form feed or U+2028 inside a string ends no line.
        start = 0
        while start <= len(text_or_lines):
            end = text_or_lines.find("\n", start)
            end = len(text_or_lines) if end < 0 else end
            yield text_or_lines[start:end]
            start = end + 1
        return
    for line in text_or_lines:
        if isinstance(line, (bytes, bytearray)):
            yield bytes(line).decode("utf-8", "replace")
        else:
            yield str(line)


def values(text_or_lines: str | Iterable[str], source: str) -> Iterator[Value | Problem]:
    """The JSON values of a text, each with the line it begins on, and a Problem for what is none.

    A value is one line, or a document over many lines.  A line that is no value by itself opens a
    document; where the lines that follow can't continue it, they are read on their own again, so
    that one cut line costs one line.  Of a document that is broken in its middle the rest is left
    out, as far as it is indented.
    """
    document: list[tuple[int, str]] = []
    nesting = _Nesting()
    lost: _Lost | None = None
    for number, raw in enumerate(_lines(text_or_lines), 1):
        line = raw.strip(_SPACE)
        if not line:
            continue
        inner = raw[:1] in (" ", "\t") or line.rstrip(",") in ("}", "]")
        if document:
            state = nesting.feed(line)
            if state != "broken":
                document.append((number, raw.rstrip(_SPACE)))
                if state == "closed":
                    yield from _parsed_document(document, source)
                    document, nesting = [], _Nesting()
                continue
            for entry in _one_by_one(document, source):
                if isinstance(entry, _Lost) and inner:
                    lost = entry
                else:
                    yield entry.problem(source) if isinstance(entry, _Lost) else entry
            document, nesting = [], _Nesting()
        if lost is not None:
            if inner:
                lost.end = number
                continue
            yield lost.problem(source)
            lost = None
        value, reason = _parse(line)
        if reason is None:
            yield number, value
            continue
        state = nesting.feed(line) if reason.startswith("not JSON") else "broken"
        if state == "open":
            document = [(number, line)]
            continue
        if state == "closed" and reason.startswith("not JSON: Extra data"):
            yield from _parsed_document([(number, line)], source)
        else:
            yield Problem(source, number, reason)
        nesting = _Nesting()
    for entry in _one_by_one(document, source):
        yield entry.problem(source) if isinstance(entry, _Lost) else entry
    if lost is not None:
        yield lost.problem(source)


@dataclass(slots=True)
class _Lost:
    """Lines in a row that hold no whole value."""

    start: int
    end: int
    reason: str

    def problem(self, source: str) -> Problem:
        reason = self.reason
        if self.end > self.start:
            reason += f"; lines {self.start} to {self.end} hold no whole JSON value"
        return Problem(source, self.start, reason)


class _Nesting:
    """Follows the brackets of a document line by line.  O(characters)."""

    def __init__(self) -> None:
        self.stack: list[str] = []
        self.ended = False  # the last token ended a value
        self.opened = False  # any bracket at all

    def feed(self, line: str) -> str:
        """ "open", "closed" (outside all brackets) or "broken" (this can't be one document)."""
        for match in _TOKEN.finditer(line):
            token = match.group()
            sign = token[0]
            if sign in ",:":
                self.ended = False
            elif sign in "}]":
                if not self.stack or self.stack.pop() != ("{" if sign == "}" else "["):
                    return "broken"
                self.ended = True
            elif self.ended and self.stack:
                return "broken"  # a value right after a value
            elif sign in "{[":
                self.stack.append(sign)
                self.opened, self.ended = True, False
            else:
                # A string does not go on in the next line, and a document is no bare word.
                if not self.stack or (sign == '"' and (len(token) < 2 or token[-1] != '"')):
                    return "broken"
                self.ended = True
        return "open" if self.stack else "closed"


def _parse(line: str) -> tuple[Any, str | None]:
    """(value, None), or (None, why not).  Lone surrogates are replaced: no encoding has them."""
    line = encodable(line)
    try:
        value = _DECODER.decode(line)
    except json.JSONDecodeError as error:
        return None, f"not JSON: {error.msg} (column {error.colno})"
    except RecursionError:
        return None, "nested too deep to be read"
    except ValueError as error:  # a whole number of more digits than Python takes
        return None, f"a number that can't be read: {error}"[:REASON_CHARS]
    if "\\ud" in line or "\\uD" in line:
        value = encodable(value)
    return value, None


def _parsed_document(document: list[tuple[int, str]], source: str) -> Iterator[Value | Problem]:
    """The values of a document that is whole: one, or several back to back."""
    first = document[0][0]
    text = "\n".join(line for _, line in document)
    value, reason = _parse(text)
    if reason is None:
        yield first, value
        return
    position, line, counted = 0, first, 0
    while position < len(text):
        line += text.count("\n", counted, position)
        counted = position
        try:
            value, position = _DECODER.raw_decode(text, position)
        except RecursionError:
            yield Problem(source, line, "nested too deep to be read")
            return
        except ValueError as error:
            line += text.count("\n", counted, max(counted, getattr(error, "pos", counted)))
            yield Problem(source, line, f"not JSON: {getattr(error, 'msg', error)}"[:REASON_CHARS])
            return
        yield line, encodable(value)
        while position < len(text) and text[position] in _BETWEEN:
            position += 1


def _one_by_one(document: list[tuple[int, str]], source: str) -> Iterator[Value | Problem | _Lost]:
    """The lines of what is no document after all: those that are values, and the runs between.

    The run that reaches the end comes as `_Lost`: the lines that follow may belong to it.
    """
    lost: _Lost | None = None
    inside = len(document) > 1 and _member(document)
    for number, line in document:
        value, reason = None, "a part of a broken document"
        if line[0] in "{[" and not (inside and number > document[0][0]):
            value, why = _parse(line)
            if why is not None and line.endswith(","):
                value, again = _parse(line[:-1])
                why = why if again is not None else None
            reason = why or ""
        if reason:
            lost = lost or _Lost(number, number, reason)
            lost.end = number
            continue
        if lost is not None:
            yield lost.problem(source)
            lost = None
        yield number, value
    if lost is not None:
        yield lost


def _member(document: list[tuple[int, str]]) -> bool:
    """True when the lines are members of an object that the first line left open.

    An item of its own has no comma behind it; in a list, cut or not, each line is one all the same.
    """
    nesting = _Nesting()
    nesting.feed(document[0][1])
    return "{" in nesting.stack and any(line.endswith(",") for _, line in document[1:])
