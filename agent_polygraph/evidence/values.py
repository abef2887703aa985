"""Things that can be compared: paths, ids, shas, amounts, dates, times, addresses, counts.

Strategy: text is cut at white space and each piece is looked at once, so the time is linear whatever
the text is made of.  Comparison is by a normal form, never by spelling: `2026-05-29` is
`29 May 2026`, `$1,200.00` is `1200`, `./src/a.py` ends `/repo/src/a.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from .._lazy import regex

_STRIP = "\"'`*_.,;:!?()[]{}<>|“”‘’«»„。，、；：！？（）【】「」『』…"
_LONGEST = 300
_PIECE = regex(r"[^\s。，、；！？「」『』【】]+")  # no space follows these marks
# Every value of ASCII text has one of these in it; nine of ten words have none.
_MARKED = regex(r"(?<!\S)[^\s0-9/\\.@$%]*+[0-9/\\.@$%]\S*+")
_DIGIT = regex(r"\d")
_IN_NUMBERS = frozenset(".,'’-+−")
_NUMBER = regex(r"[-+−]?\d{1,15}(?:[.,'\u00a0\u202f’]\d{1,15}){0,6}")
_ISO_DATE = regex(r"(\d{4})-(\d{2})-(\d{2})")
_CLOCK = regex(r"\b([01]?\d|2[0-3])(?:[:.h]|\s?[hH]\s)([0-5]\d)(?::[0-5]\d)?\s?([ap]\.?m\b)?", re.IGNORECASE)
# What a time has in any case, quick to look for.
_CLOCK_AT = regex(r"\d(?:[:.hH]|\s?[hH]\s)[0-5]")
_CLOCK12_AT = regex(r"\d\s?[aApP]\.?[mM]")
_CLOCK12 = regex(r"\b(1[0-2]|0?[1-9])\s?([ap])\.?m\b", re.IGNORECASE)
_SHA = regex(r"[0-9a-f]{7,40}\Z")
_EXTENSION = regex(r"\.[A-Za-z][A-Za-z0-9_+-]{0,11}\Z")
_CURRENCY = "$€£¥₹₩₽"
_CURRENCY_CODES = frozenset("usd eur gbp jpy inr krw rub chf cny brl cad aud mxn".split())
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner enero janvier janeiro gennaio января январь",
            "february feb februar febrero février fevereiro febbraio февраля февраль",
            "march mar märz marzo mars março марта март",
            "april apr abril avril aprile апреля апрель",
            "may mai mayo maio maggio мая май",
            "june jun juni junio juin junho giugno июня июнь",
            "july jul juli julio juillet julho luglio июля июль",
            "august aug agosto août августа август",
            "september sep sept septiembre septembre setembro settembre сентября сентябрь",
            "october oct oktober okt octubre octobre outubro ottobre октября октябрь",
            "november nov noviembre novembre novembro ноября ноябрь",
            "december dec dezember dez diciembre décembre dezembro dicembre декабря декабрь",
        ),
        1,
    )
    for name in names.split()
}


class Value(NamedTuple):
    """A comparable thing in a text: its kind, normal form, spelling and place.

    Kinds: path url email sha id amount percent number date time.
    """

    kind: str
    norm: str
    text: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def number(text: str) -> float | None:
    """`1,234.50`, `1.234,50`, `1 234` -> a float; None when it is no number."""
    plain = text.replace("\u00a0", "").replace("\u202f", "").replace("'", "").replace("’", "")
    plain = plain.replace("−", "-").lstrip("+")
    comma, dot = plain.rfind(","), plain.rfind(".")
    if comma >= 0 and dot >= 0:
        decimal = max(comma, dot)
        plain = re.sub(r"[.,]", "", plain[:decimal]) + "." + plain[decimal + 1 :]
    elif comma >= 0 or dot >= 0:
        mark = "," if comma >= 0 else "."
        head, _, tail = plain.rpartition(mark)
        grouped = plain.count(mark) > 1 or (
            len(tail) == 3 and 0 < len(head.lstrip("-")) <= 3 and not head.lstrip("-").startswith("0")
        )
        if mark == "." and grouped and plain.count(mark) == 1:
            grouped = False
        if plain.count(mark) > 1 and any(len(part) != 3 for part in plain.split(mark)[1:]):
            return None  # a version, an address
        plain = plain.replace(mark, "") if grouped else head.replace(mark, "") + "." + tail
    try:
        return float(plain)
    except ValueError:
        return None


def _norm_number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(round(value, 6))


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the white-space separated pieces of `text`, stripped of wrapping punctuation."""
    for match in _PIECE.finditer(text):
        start, end = match.span()
        if end - start > _LONGEST:
            continue
        raw = match.group()
        left = len(raw) - len(raw.lstrip(_STRIP))
        right = len(raw.rstrip(_STRIP))
        if right > left:
            yield start + left, start + right


def _looks_like_path(piece: str) -> bool:
    if "/" in piece or "\\" in piece:
        return not piece.startswith("//") and any(map(str.isalpha, piece))
    extension = _EXTENSION.search(piece)
    return extension is not None and extension.start() > 1 and not piece[0].isdigit() and piece.count(".") <= 3


def classify(piece: str) -> tuple[str, str] | None:
    """(kind, normal form) of one piece, None for an ordinary word.  O(len)."""
    if not piece or len(piece) > _LONGEST:
        return None
    low = piece.casefold()
    if "://" in low:
        return "url", low.rstrip("/")
    at = low.find("@")
    if at > 0 and "." in low[at:] and "/" not in low:
        return "email", low
    if low.startswith("www."):
        return "url", low.rstrip("/")
    if piece[0] in _CURRENCY or piece[-1] in _CURRENCY:
        amount = number(piece.strip(_CURRENCY + " "))
        return ("amount", _norm_number(amount)) if amount is not None else None
    if piece[-1] == "%":
        share = number(piece[:-1])
        return ("percent", _norm_number(share)) if share is not None else None
    if _ISO_DATE.match(piece):
        return "date", piece[:10]
    digits = sum(map(str.isdigit, piece))
    if digits and digits + sum(map(_IN_NUMBERS.__contains__, piece)) == len(piece):
        if piece.startswith("-") or "-" not in piece:
            value = number(piece)
            if value is not None:
                return "number", _norm_number(value)
        return "id", low
    if digits and _SHA.match(low) and any(map(str.isalpha, low)):
        return "sha", low
    if _looks_like_path(piece):
        return "path", norm_path(piece)
    if piece[0] == "#" and digits:
        return "id", low.lstrip("#")
    letters = sum(map(str.isalpha, piece)) if digits else 0
    if digits and letters and digits + letters >= 4 and ("_" in piece or "-" in piece or digits >= 3):
        return "id", low
    return None


def norm_path(path: str) -> str:
    """A path's comparable form: forward slashes, no `./`, no line suffix, lower case."""
    path = path.replace("\\", "/").casefold()
    head, colon, tail = path.partition(":")
    if colon and head and "/" not in tail:
        path = head
    while path.startswith("./"):
        path = path[2:]
    return path.rstrip("/")


def same_path(one: str, other: str) -> bool:
    """True when one normal-form path is the other or ends it at a separator."""
    if one == other:
        return True
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return bool(shorter) and longer.endswith("/" + shorter.lstrip("/"))


def find(text: str, most: int = 400) -> list[Value]:
    """The values in `text`, at most `most`, in order.  O(characters)."""
    found: list[Value] = []
    for match in (_MARKED if text.isascii() else _PIECE).finditer(text):
        raw = match.group()
        piece = raw.strip(_STRIP)
        if not piece or piece.isalpha() or len(raw) > _LONGEST:
            continue
        kind_norm = classify(piece)
        if kind_norm is None:
            continue
        kind, norm = kind_norm
        start = match.start() + len(raw) - len(raw.lstrip(_STRIP))
        found.append(Value(kind, norm, piece, start, start + len(piece)))
        if len(found) >= most:
            break
        if kind == "number" and (end := _currency_behind(text, match.end())):
            found[-1] = Value("amount", norm, text[start:end], start, end)
    found += _dates_and_times(text)
    found.sort(key=lambda value: (value.start, value.end))
    return found


def _currency_behind(text: str, position: int) -> int:
    """Where the currency code ends that is the next piece from `position` on; 0 where it is none."""
    for match in _PIECE.finditer(text, position):
        raw = match.group()
        piece = raw.strip(_STRIP)
        if piece and len(raw) <= _LONGEST:
            known = piece.casefold() in _CURRENCY_CODES
            return match.start() + len(raw.rstrip(_STRIP)) if known else 0
    return 0


_YEAR = r"(?:,?\s+(?:de\s+)?(\d{4}))?"
_DAY_MONTH = regex(r"(\d(?<![\w.].)\d?)(?:st|nd|rd|th|\.|º|er)?\s+(?:de\s+|of\s+)?([^\W\d_]{3,9}+)\b\.?" + _YEAR)
_MONTH_DAY = regex(r"([^\W\d_]{3,9}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?!\.\d)" + _YEAR)
_CJK_DATE = regex(r"(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号]")
_SLASH_DATE = regex(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b")


def _dates_and_times(text: str) -> list[Value]:
    text = text[: 20_000 + 1]
    if not _DIGIT.search(text):
        return []
    found: list[Value] = []
    taken: set[int] = set()
    head = text[:20_000]
    for pattern, at_day, at_month in ((_DAY_MONTH, 1, 2), (_MONTH_DAY, 2, 1)):
        for match in pattern.finditer(head):
            month = _MONTHS.get(match.group(at_month).casefold())
            day = int(match.group(at_day))
            if month and 1 <= day <= 31 and match.start(at_month) not in taken:
                taken.add(match.start(at_month))
                norm = f"{match.group(3) or '????'}-{month:02d}-{day:02d}"
                found.append(Value("date", norm, match.group(), match.start(), match.end()))
    for match in () if head.isascii() else _CJK_DATE.finditer(head):
        norm = f"{match.group(1) or '????'}-{int(match.group(2)):02d}-{int(match.group(3)):02d}"
        found.append(Value("date", norm, match.group(), match.start(), match.end()))
    for match in _CLOCK.finditer(head) if _CLOCK_AT.search(head) else ():
        if text[match.start() - 1 : match.start()] in (".", ":", ",") or text[
            match.end() : match.end() + 1
        ] in ("%",):
            continue
        if "." in match.group() and not match.group(3):
            continue
        hour = int(match.group(1)) % 12 + 12 * (match.group(3) or "").lower().startswith("p") if (
            match.group(3)
        ) else int(match.group(1))
        norm = f"{hour:02d}:{match.group(2)}"
        found.append(Value("time", norm, match.group(), match.start(), match.end()))
    for match in _CLOCK12.finditer(head) if _CLOCK12_AT.search(head) else ():
        hour = int(match.group(1)) % 12 + (12 if match.group(2).lower() == "p" else 0)
        found.append(Value("time", f"{hour:02d}:00", match.group(), match.start(), match.end()))
    return found


def is_month(word: str) -> bool:
    """True for the name of a month in a language that we read."""
    return word.casefold().strip(".,;:") in _MONTHS


def same_date(one: str, other: str) -> bool:
    """Dates are equal where both say the part; a missing year (`????`) fits any."""
    return one[-5:] == other[-5:] and (
        one[:4] == other[:4] or "????" in (one[:4], other[:4])
    )


def leaves(value: Any, *, nodes: int = 2_000, depth: int = 12) -> Iterator[tuple[str, Any]]:
    """(key, scalar) of a JSON value, depth first, bounded.  The key is the nearest dict key."""
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    seen = 0
    while stack and seen < nodes:
        key, item, level = stack.pop()
        seen += 1
        if isinstance(item, dict):
            if level < depth:
                stack.extend((str(k), v, level + 1) for k, v in reversed(list(item.items())[:nodes]))
        elif isinstance(item, (list, tuple)):
            if level < depth:
                stack.extend((key, v, level + 1) for v in reversed(item[:nodes]))
        else:
            yield key, item
