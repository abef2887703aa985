"""Pieces of a text: what stands between spaces, and in scripts without spaces between letters.

`已升级到3.3.0，测试通过` is one run of non-space characters; the value in it is `3.3.0`.  A piece ends where
Han, kana or Hangul begin, unless it is a file name (`结果/报告.csv`, `資料_0305.pdf`).  O(characters).
"""

from __future__ import annotations

from collections.abc import Iterator

from .._lazy import regex

STRIP = "\"'`*_.,;:!?()[]{}<>|“”‘’«»„。，、；：！？（）【】「」『』…।《》〈〉"
LONGEST = 300
_CHUNK = regex(r"\S+")
_LETTERS = "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_GLUED = regex(f"[{_LETTERS}。，、；：！？（）【】「」『』《》〈〉]")
_WIDE = regex("[^。，、；：！？（）【】「」『』《》〈〉“”]+")
_RUN = regex(f"[^{_LETTERS}]+|[{_LETTERS}]+")
_NAME_TAIL = regex(r"(?:[._-][\w.-]*)?\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w.])|[/\\]")
# Before a file's name in running text: prepositions and case particles of Chinese and Japanese.
_BEFORE_NAME = "到至为為在成了把将將入从從给給用をにはがへ"


_LINK = "]("  # of Markdown


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the pieces of `text`, stripped of wrapping punctuation."""
    ascii_only = text.isascii()
    links = _LINK in text
    for match in _CHUNK.finditer(text):
        start, end = match.span()
        joint = text.find(_LINK, start, end) if links else -1
        if joint > 0:  # `[EXP-412](https://...)`: the label is a piece of its own
            if (piece := _stripped(text, start, joint)) is not None:
                yield piece
            start = joint + len(_LINK)
        if not ascii_only and _GLUED.search(text, start, end):
            for part in _WIDE.finditer(text, start, end):
                for a, b in _parts(text, *part.span()):
                    if (piece := _stripped(text, a, b)) is not None:
                        yield piece
        elif (piece := _stripped(text, start, end)) is not None:
            yield piece


def _stripped(text: str, start: int, end: int) -> tuple[int, int] | None:
    if end - start > LONGEST:
        return None
    raw = text[start:end]
    if raw.isalnum():
        return start, end
    left = len(raw) - len(raw.lstrip(STRIP))
    right = len(raw.rstrip(STRIP))
    return (start + left, start + right) if right > left else None


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The runs that hold no letter of a spaceless script, joined to the file names they belong to."""
    runs = [match.span() for match in _RUN.finditer(text, start, end)]
    begin = -1  # where a file name that is still growing began
    for position, (a, b) in enumerate(runs):
        letters = _GLUED.match(text, a) is not None
        if not letters:
            if begin < 0:
                begin = a
                if position and _NAME_TAIL.match(text, a, b):
                    begin = _name_start(text, *runs[position - 1])
            if not (text[b - 1] in "/\\" and position + 1 < len(runs)):
                following = runs[position + 2] if position + 2 < len(runs) else None
                if not (text[b - 1] in "_-" and following and _NAME_TAIL.match(text, *following)):
                    yield begin, b
                    begin = -1
        elif begin >= 0:
            last = position + 1 == len(runs)
            if last or not _NAME_TAIL.match(text, *runs[position + 1]):
                yield begin, b
                begin = -1


def _name_start(text: str, start: int, end: int) -> int:
    """Where the name begins in the letters before `.csv`: behind the last preposition."""
    return max((text.rfind(mark, start, end) for mark in _BEFORE_NAME), default=-1) + 1 or start
