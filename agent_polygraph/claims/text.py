"""The closing as clauses, with everything that is not the agent's own statement masked.

Strategy: one pass over the lines gives blocks (paragraph, bullet, heading, table row, fence ...); code,
quotes, links and values are then blanked *in place*, so every span is an offset into the original
text.  Sentences and clauses are cut by punctuation only, which works the same in all languages.
No pattern can backtrack; the time is linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from .._lazy import regex
from ..evidence import values
from ..evidence.moments import is_month
from ..evidence.values import Value

_BULLET = regex(r"(?:[-*+•▪◦–·]|\d{1,3}[.)]|[a-z]\))\s+|[・●■◆▶]\s*(?=\S)")
_CHECKBOX = regex(r"\[([ xX✓✔-])\]\s*")
_FENCE = regex(r"(`{3,}|~{3,})")
_INLINE = regex(r"(`{1,2})([^`\n]{1,400})\1")
_LINK = regex(r"\]\(([^()\s]{1,500})\)")
_QUOTES = regex(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|「[^」\n]{1,300}」"
    r"|『[^』\n]{1,300}』"
    r"|(?<![\w'’])'[^'\n]{2,80}'(?![\w'’])|(?<![\w'’])‘[^’\n]{2,80}’(?![\w])"
)
# Korean parts clauses by endings: a past stem (final ㅆ) with `-고 -며 -지만 -는데`.
_PAST = "".join(chr(0xAC00 + 28 * i + 20) for i in range(399))
_KOREAN_END = regex(f"(?<=[{_PAST}])(?:고|으며|지만|으나|는데|습니다만)\\s")
_FACES = "[\U0001f600-\U0001f64f\U0001f389\U0001f44d\U0001f680\U0001f44c\U0001f4aa]\ufe0f?"
_LETTERS = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_PLAIN_END = regex(r"[.!?]+[\"')\]*_]*(?=\s|$)")  # of a sentence in ASCII: quicker to compile
_SENTENCE_END = regex(
    rf"[.!?…]+[\"'”’»)\]*_]*(?=\s|$)|[!?]+(?=[{_LETTERS}])"
    rf"|(?:(?<=\w)|(?<=\w ))(?:{_FACES})+(?=\s)|[。｡！？]+[」』）]*|[।॥]+"
)
# A wide mark needs no space behind it; between digits it is none.  `、` parts clauses in Japanese, words in Chinese.
_CLAUSE_END = regex(
    r"[;；:：]\s|[；：](?<!\d.)|[；：](?!\d)|\s[—–-]{1,3}\s|—|,\s?(?!\d)|[，、](?<!\d.)\s?|[，、]\s?(?!\d)"
    r"|\s→\s|\s=>\s|\s·\s|\s\|\s"
)
_LONGEST = 1_000  # characters of a clause
_KANA = regex("[\u3040-\u30ff]")
_PARENTHESIS = regex(r"[(（][^()（）\n]{1,400}[)）]")
_ABBREVIATIONS = frozenset(
    "e.g i.e vs etc approx no nr ca z.b d.h bzw u.a p.ej ej st dr mr mrs ms incl resp m mme mlle"
    " sr sra srta dott sig prof ing"
    " ggf evtl inkl bspw núm pág ул г т.е т.д т.п т.к".split()
)
_BEFORE_ORDINALS = frozenset(
    "der die das dem den des am im zum zur vom beim ab".split()
)  # `im 2. Versuch`
_STATUS_SIGNS = {
    **dict.fromkeys("✅✔☑✓🟢", "done"),
    **dict.fromkeys("❌✗✘🔴⏳", "open"),
    "⚠": "warn",
}


class Clause(NamedTuple):
    """A stretch of the closing between two cuts; `text == document.masked[start:end]`."""

    start: int
    end: int
    sentence: int
    block: str
    question: bool
    opener: str = ""
    sign: str = ""
    holes: tuple[tuple[int, int], ...] = ()  # parentheses inside, which are clauses of their own

    @property
    def states(self) -> bool:
        """False where it only asks, heads a section, plans or quotes."""
        return not self.question and self.block not in ("heading", "open", "quote")


class Document:
    """The closing read for structure.

    masked: the text with code, quotes and values blanked, same length.  code / quotes: spans of inline
    code and quoted strings.  fences: spans of fenced blocks (body only).  values: comparable values,
    also those in inline code.  sentences: spans.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.masked = ""
        self.clauses: list[Clause] = []
        self.sentences: list[tuple[int, int]] = []
        self.code: list[tuple[int, int]] = []
        self.quotes: list[tuple[int, int]] = []
        self.fences: list[tuple[int, int]] = []
        self.values: list[Value] = []
        self._holders: list[Clause | None] | None = None  # of `clause_at`

    def values_in(self, start: int, end: int) -> list[Value]:
        """Values whose start lies in [start, end)."""
        low = bisect_left(self.values, start, key=_start)
        return self.values[low : bisect_left(self.values, end, low, key=_start)]

    def code_in(self, start: int, end: int) -> list[str]:
        """Contents of inline code that starts in [start, end)."""
        return [self.text[a:b].strip("`") for a, b in _starting_in(self.code, start, end)]

    def quotes_in(self, start: int, end: int) -> list[str]:
        """Contents of quoted strings that start in [start, end)."""
        return [self.text[a + 1 : b - 1] for a, b in _starting_in(self.quotes, start, end)]

    def clause_at(self, at: int) -> Clause | None:
        """The clause that holds the place."""
        if self._holders is None:
            # the first clause that holds a place is its holder: they are few that overlap
            holders: list[Clause | None] = [None] * len(self.text)
            for clause in reversed(self.clauses):
                size = min(clause.end, len(holders)) - clause.start
                holders[clause.start : clause.end] = [clause] * size
            self._holders = holders
        return self._holders[at] if 0 <= at < len(self._holders) else None

    def statement_at(self, at: int) -> Clause | None:
        """The clause that holds the place, None where it states nothing."""
        clause = self.clause_at(at)
        return clause if clause is not None and clause.states else None


_start = attrgetter("start")


def _starting_in(spans: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """Those of the sorted spans that start in [start, end)."""
    low = bisect_left(spans, (start,))
    return spans[low : bisect_left(spans, (end,), low)]


def _blank(buffer: list[str], start: int, end: int) -> None:
    buffer[start:end] = " " * (end - start)


def read(text: str) -> Document:
    """`text` as a Document.  O(characters)."""
    document = Document(text)
    lines: list[tuple[int, int, str, str]] = []  # start, end, block, sign
    position = 0
    fence = ""
    fence_start = 0
    buffer = list(text)
    table = 0
    for line in text.splitlines(keepends=True):
        start, position = position, position + len(line)
        content = line.strip()
        mark = _FENCE.match(content)
        if fence:
            if mark and content.startswith(fence) and not content.strip(fence[0]):
                document.fences.append((fence_start, start))
                fence = ""
            _blank(buffer, start, position)
            continue
        if mark:
            fence, fence_start = mark.group(1), position
            _blank(buffer, start, position)
            table = 0
            continue
        body = start + len(line) - len(line.lstrip())
        end = start + len(line.rstrip())
        if body >= end:
            lines.append((start, start, "blank", ""))
            table = 0
            continue
        block, sign = "paragraph", ""
        indented = line.startswith(("    ", "\t")) and not _bullet(content)
        if indented and lines and lines[-1][2] in ("blank", "code"):
            lines.append((body, body, "code", ""))  # an indented code block
            _blank(buffer, start, position)
            continue
        while content[:1] == ">":
            block = "quote"
            body += 1
            content = content[1:].lstrip()
            body = end - len(content)
        if content[:1] == "#" and content.lstrip("#")[:1] == " ":
            block = "heading"
        elif content[:1] == "|":
            table += 1
            block = "table" if table > 1 else "header"
            if not content.strip("|-: \t"):
                block = "rule"
        else:
            table = 0
            bullet = _bullet(content)
            if bullet:
                block = "bullet" if block != "quote" else block
                body += bullet.end()
                content = content[bullet.end() :]
            box = _CHECKBOX.match(content) if bullet else None
            if box:
                block = "open" if box.group(1) in " -" else "bullet"
                body += box.end()
            elif (
                block == "paragraph"
                and content.startswith("**")
                and content.rstrip(":").endswith("**")
                and (content.count("**") == 2 and len(content) < 80)
            ):
                block = "heading"
        for symbol, meaning in _STATUS_SIGNS.items():
            if symbol in content[:4] or (block == "table" and symbol in content):
                sign = meaning
        lines.append((body, end, block, sign))
    if fence:
        document.fences.append((fence_start, len(text)))
    _mask(document, buffer)
    document.masked = "".join(buffer)
    _cut(document, lines)
    return document


def _bullet(content: str) -> re.Match[str] | None:
    """What makes a line the item of a list; most lines begin with a word."""
    return None if content[:2].isalpha() else _BULLET.match(content)


def _mask(document: Document, buffer: list[str]) -> None:
    """Blank inline code, link targets, quotes and values; keep their spans."""
    half = "".join(buffer)
    for match in _INLINE.finditer(half):
        document.code.append(match.span())
        _blank(buffer, *match.span())
    half = "".join(buffer)
    for match in _LINK.finditer(half):
        _blank(buffer, match.start(1), match.end(1))
    for match in _QUOTES.finditer(half):
        document.quotes.append(match.span())
        _blank(buffer, *match.span())
    found = [
        value for value in values.find(document.text) if not _in_spans(value.start, document.fences)
    ]
    document.values = found
    masked = "".join(buffer)
    for value in found:
        if value.kind in ("path", "url", "email", "sha", "id") and not _prose_slash(value.text):
            if masked[value.start : value.end].strip():
                _blank(buffer, value.start, value.end)


def _prose_slash(piece: str) -> bool:
    """`and/or`, `read/write`: a slash between plain words is no path."""
    if "." in piece or "_" in piece or piece[:1] in "/~@":
        return False
    parts = piece.split("/")
    return len(parts) <= 3 and all(part.isalpha() and part.islower() for part in parts)


def _in_spans(position: int, spans: list[tuple[int, int]]) -> bool:
    return any(a <= position < b for a, b in spans)


def _cut(document: Document, lines: list[tuple[int, int, str, str]]) -> None:
    """Join paragraph lines, cut sentences, cut clauses."""
    blocks: list[tuple[int, int, str, str]] = []
    for start, end, block, sign in lines:
        if block in ("blank", "rule", "header", "code"):
            blocks.append((start, start, "blank", ""))
            continue
        if (
            block in ("paragraph", "quote")
            and blocks
            and blocks[-1][2] in (block, "bullet")
            and not sign
            and blocks[-1][1] < start
        ):
            last = blocks[-1]
            blocks[-1] = (last[0], end, last[2], last[3])
        else:
            blocks.append((start, end, block, sign))
    masked = document.masked
    ends = _PLAIN_END if masked.isascii() else _SENTENCE_END
    for start, end, block, sign in blocks:
        if block == "blank" or start >= end:
            continue
        if block == "table":
            _add(document, start, end, block, False, sign, cells=True)
            continue
        position = start
        for match in ends.finditer(masked, start, end):
            if match.group() == "." and _abbreviated(masked, position, match.start()):
                continue
            stop = match.end()
            _add(
                document, position, stop, block, "?" in match.group() or "？" in match.group(), sign
            )
            position = stop
        if masked[position:end].strip() or document.text[position:end].strip():
            tail = document.text[position:end].rstrip("*_)\"' ")
            _add(document, position, end, block, tail[-1:] in "?？" and bool(tail), sign)


def _abbreviated(text: str, start: int, dot: int) -> bool:
    word = text[max(start, dot - 12) : dot].split()
    if word and word[-1].isdigit() and len(word[-1]) <= 2:
        following = text[dot + 1 : dot + 16].split()[:1]
        if not following:
            return False
        ordinal = len(word) > 1 and word[-2].lower() in _BEFORE_ORDINALS
        return ordinal or is_month(following[0]) or following[0][0].islower()
    return bool(word) and word[-1].lower().lstrip("(") in _ABBREVIATIONS


def _add(
    document: Document,
    start: int,
    end: int,
    block: str,
    question: bool,
    sign: str,
    cells: bool = False,
) -> None:
    number = len(document.sentences)
    document.sentences.append((start, end))
    masked = document.masked
    if cells:
        document.clauses += [
            Clause(a, b, number, block, question, "", sign) for a, b in _bounded(masked, start, end)
        ]
        return
    holes = [match.span() for match in _PARENTHESIS.finditer(masked, start, end)]
    found: list[Clause] = []
    position, opener = start, ""
    listing = "、" in masked[start:end] and not _KANA.search(masked, start, end)
    cuts = [
        (m.start(), m.end(), m.group().strip()) for m in _CLAUSE_END.finditer(masked, start, end)
    ]
    ended = (
        []
        if masked.isascii()
        else [(m.end() - 1, m.end(), ",") for m in _KOREAN_END.finditer(masked, start, end)]
    )
    for stop, onward, mark in sorted(cuts + ended) if ended else cuts:
        if any(a <= stop < b for a, b in holes) or (listing and mark == "、"):
            continue
        for a, b in _bounded(masked, position, stop):
            found.append(_clause(a, b, number, block, question, opener, sign, holes))
        position, opener = onward, mark
    for a, b in _bounded(masked, position, end):
        found.append(_clause(a, b, number, block, question, opener, sign, holes))
    found = _rejoined(found, masked)
    for a, b in holes:
        found.append(Clause(a + 1, b - 1, number, block, question, "(", sign))
    found.sort(key=lambda clause: (clause.start, -clause.end))
    document.clauses += found


def _rejoined(clauses: list[Clause], masked: str) -> list[Clause]:
    """`both orders, 12 and 13, have been cancelled`: a clause that opens with its auxiliary goes back."""
    kept: list[Clause] = []
    for clause in clauses:
        words = masked[clause.start : clause.end].split(None, 1)
        if kept and clause.opener in (",", "，") and words and words[0].casefold() in _AUXILIARY:
            parts = [clause]
            while kept and len(parts) < 4:
                before = kept[-1]
                if _AUXILIARY.intersection(masked[before.start : before.end].casefold().split()):
                    break
                parts.append(kept.pop())
                if before.opener not in (",", "，"):
                    break
            first = parts[-1]
            holes = tuple(hole for part in reversed(parts) for hole in part.holes)
            clause = Clause(
                first.start, clause.end, clause.sentence, clause.block, clause.question,
                first.opener, clause.sign, holes,
            )  # fmt: skip
        kept.append(clause)
    return kept


_AUXILIARY = frozenset(
    "have has had was were is are been wurde wurden ist sind ont est sont han fueron foram sono".split()
)


def _bounded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span in parts of bounded length, cut at a space: rules compare the words of a clause."""
    while end - start > _LONGEST:
        cut = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST)
        stop = cut if cut > 0 else start + _LONGEST
        yield start, stop
        start = stop
    if start < end:
        yield start, end


def _clause(
    start: int,
    end: int,
    number: int,
    block: str,
    question: bool,
    opener: str,
    sign: str,
    holes: list[tuple[int, int]],
) -> Clause:
    inside = tuple((a, b) for a, b in holes if start <= a < end)
    return Clause(start, end, number, block, question, opener, sign, inside)
