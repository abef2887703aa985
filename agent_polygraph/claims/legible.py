"""A closing in the spelling that the word tables know, and the way back to its own.

Full-width and mathematical letters become plain ones, letters and their combining accents one
character, soft hyphens and zero-width marks inside words nothing, HTML tags what they do to the words
between them.  Code and quoted strings keep their spelling: they are compared with results.  A closing
that has none of this, nearly every one, costs one search.  O(characters).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple
from unicodedata import normalize

from .._lazy import regex
from ..verdict import Quote

_INLINE = "b|i|em|strong|u|s|span|a|mark|small|font|abbr|label|sup|sub"
_BLOCK = "p|div|br|hr|section|article|header|footer|main|body|html|ul|ol|table|tbody|thead|center"
_ITEM = "li|dt|dd|tr|td|th|h[1-6]|blockquote"
_STRANGE = regex(
    "[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\ufb00-\ufb06\U0001d400-\U0001d7ff]"
    "|[A-Za-z\u00c0-\u024f][\u0300-\u036f]{1,4}"
    "|[\u00ad\u200b\u2060\ufeff]"
    "|(?<=[A-Za-z])[\u200c\u200d](?=[A-Za-z])"
)
_TAG = regex(
    rf"</?(?:(?P<inline>{_INLINE})|(?P<block>{_BLOCK})|(?P<item>{_ITEM}))(?:\s[^<>\n]{{0,300}})?/?>"
    r"|&(?:nbsp|amp|lt|gt|quot|apos|#39|#160);",
    re.IGNORECASE,
)
_ENTITIES = {
    "&nbsp;": " ", "&#160;": " ", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"',
    "&apos;": "'", "&#39;": "'",
}  # fmt: skip
_FENCE = ("```", "~~~")


class Spelling(NamedTuple):
    """A text as it is read.  `places[i]` is where stretch i of it begins in the original."""

    text: str
    original: str
    starts: tuple[int, ...] = ()
    places: tuple[int, ...] = ()

    def own(self, quote: Quote) -> Quote:
        """A quote of `text` as the quote of the original that it stands for.  O(log changes)."""
        if not self.starts:
            return quote
        start, end = self._place(quote.start), self._place(quote.end)
        return Quote(self.original[start:end], start, end)

    def _place(self, position: int) -> int:
        at = bisect_right(self.starts, position) - 1
        following = self.places[at + 1] if at + 1 < len(self.places) else len(self.original)
        return min(self.places[at] + position - self.starts[at], following)


def read(text: str) -> Spelling:
    """`text` in plain spelling."""
    marked = "</" in text or "/>" in text or "<br" in text or "<p" in text or "<BR" in text
    if (text.isascii() or not _STRANGE.search(text)) and not (marked and _TAG.search(text)):
        return Spelling(text, text)
    changes: list[tuple[int, int, str]] = []
    fenced = False
    position = 0
    for line in text.splitlines(keepends=True):
        start, position = position, position + len(line)
        if line.lstrip().startswith(_FENCE):
            fenced = not fenced
        elif not fenced:
            changes += [
                (m.start(), m.end(), _plain(m.group()))
                for m in _STRANGE.finditer(text, start, position)
            ]
            # a tag in code or in a quoted string is what the line talks about
            if marked and "`" not in line:
                changes += [
                    (m.start(), m.end(), _words_of(m.group(), m.lastgroup))
                    for m in _TAG.finditer(text, start, position)
                ]
    return _changed(text, sorted(changes))


def _plain(piece: str) -> str:
    if piece[0] in "\u00ad\u200b\u2060\ufeff\u200c\u200d":
        return ""
    return normalize("NFC" if len(piece) > 1 else "NFKC", piece)


def _words_of(tag: str, kind: str | None) -> str:
    if kind is None:
        return _ENTITIES[tag.lower()]
    return "" if kind == "inline" else "\n"


def _changed(text: str, changes: list[tuple[int, int, str]]) -> Spelling:
    parts: list[str] = []
    starts, places = [0], [0]
    length = position = 0
    for start, end, new in changes:
        if start < position:
            continue
        parts += (text[position:start], new)
        length += start - position
        starts.append(length)
        places.append(start)
        length += len(new)
        starts.append(length)
        places.append(end)
        position = end
    parts.append(text[position:])
    return Spelling("".join(parts), text, tuple(starts), tuple(places))
