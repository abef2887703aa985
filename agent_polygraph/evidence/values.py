"""Things that can be compared: paths, ids, shas, amounts, dates, times, addresses, counts.

Strategy: text is cut at white space and each piece is looked at once, so the time is linear whatever
the text is made of.  Comparison is by a normal form, never by spelling: `2026-05-29` is
`29 May 2026`, `$1,200.00` is `1200`, `./src/a.py` ends `/repo/src/a.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from .._lazy import regex
from .glued import LONGEST, pieces
from .moments import moments

_ISO_DATE = regex(r"(\d{4})-(\d{2})-(\d{2})")
_IN_NUMBERS = frozenset(".,'’-+−")
_LAKHS = regex(r"-?\d{1,2}(?:,\d\d)+,\d{3}\Z")  # the Indian way: 4,20,000
_SHA = regex(r"[0-9a-f]{7,40}\Z")
_EXTENSION = regex(r"\.[A-Za-z][A-Za-z0-9_+-]{0,11}\Z")
_CURRENCY = "$€£¥₹₩₽"
_CURRENCY_CODES = frozenset("usd eur gbp jpy inr krw rub chf cny brl cad aud mxn".split())
# What scales a number, and what makes it an amount of money, in words and in scripts without spaces.
_SCALES = {
    **dict.fromkeys(("千", "천", "тыс"), 1e3),
    **dict.fromkeys(("万", "萬", "만"), 1e4),
    **dict.fromkeys(("亿", "億", "억"), 1e8),
    "लाख": 1e5,
    "млн": 1e6,
}
_SCALE = regex(r"\s?(" + "|".join(_SCALES) + ")(?![a-zа-я])")
_MONEY = regex(
    r"\s?(?:元|块钱|塊錢|円|원|[€£¥₹₩₽](?!\w)|(?:euros?|reais|рублей|рубля|рубль|руб|dólares|francs?"
    r"|pesos)\b|रुपये|रुपए|रुपया)",
    re.IGNORECASE,
)
_MONEY_BEFORE = regex(r"(?<!\w)(?:R\$|US\$|Rs\.?|₹|€)\s?\Z")
_SHARE = regex(r"[ \u00a0\u202f]%(?!\w)")
# `7 200 ₽`, `1 204 330.10`: groups of three behind a space, where nothing else can be meant.  The digit
# stands first and is looked behind from: the search then skips to the next one.
_GROUPS = regex(
    r"\d(?<![\w.,]\d)\d{0,2}(?:(?: \d{3}){2,4}|(?: \d{3})(?=(?:[.,]\d{1,2})?\s?(?:[€₽]|euros?\b"
    r"|руб)))(?:[.,]\d{1,2})?(?![.,]?\d)"
)
_SPACED = regex(r"[1-9](?<![\w.,][1-9])\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?![.,]?\d)")
_CALENDAR = regex(
    r"\s?(?:月|월|년|年|日|号(?!码)|號(?!碼)|時|时(?!候)|点(?!击)|點|시(?!스)|일(?![가-힣]))"
)
_DOTTED = regex(r"\d{1,3}(?:\.\d{3})+\Z")
_DAY_FIRST = regex(r"(\d{1,2})\.(\d{1,2})\.(\d{4})\Z")


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
            len(tail) == 3
            and 0 < len(head.lstrip("-")) <= 3
            and not head.lstrip("-").startswith("0")
        )
        if mark == "." and grouped and plain.count(mark) == 1:
            grouped = False
        uneven = plain.count(mark) > 1 and any(len(part) != 3 for part in plain.split(mark)[1:])
        if uneven and not _LAKHS.match(plain):
            return None  # a version, an address
        plain = plain.replace(mark, "") if grouped else head.replace(mark, "") + "." + tail
    try:
        return float(plain)
    except ValueError:
        return None


def _norm_number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(round(value, 6))


def _looks_like_path(piece: str) -> bool:
    if "/" in piece or "\\" in piece:
        return not piece.startswith("//") and any(map(str.isalpha, piece))
    extension = _EXTENSION.search(piece)
    return (
        extension is not None
        and extension.start() > 1
        and not piece[0].isdigit()
        and piece.count(".") <= 3
        and (extension.group() != ".map" or "." in piece[: extension.start()])  # `Pool.map`
        # `fmt.Errorf`, `process.env.NAME` are names
        and (extension.group().islower() or piece.isupper())
    )


def classify(piece: str) -> tuple[str, str] | None:
    """(kind, normal form) of one piece, None for an ordinary word.  O(len)."""
    return _classified(piece) if 0 < len(piece) <= LONGEST else None


@lru_cache(maxsize=4096)
def _classified(piece: str) -> tuple[str, str] | None:
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
    day = _DAY_FIRST.match(piece)
    if day is not None and 1 <= int(day.group(1)) <= 31 and 1 <= int(day.group(2)) <= 12:
        return "date", f"{day.group(3)}-{int(day.group(2)):02d}-{int(day.group(1)):02d}"
    digits = sum(map(str.isdigit, piece))
    if digits and digits + sum(map(_IN_NUMBERS.__contains__, piece)) == len(piece):
        if piece.startswith("-") or "-" not in piece:
            value = number(piece)
            if value is not None:
                return "number", _norm_number(value)
        return "id", low
    if digits and _SHA.match(low) and any(map(str.isalpha, low)):
        return "sha", low
    if "(" not in piece and _looks_like_path(piece):
        return "path", norm_path(piece)
    if piece[0] == "#" and digits:
        return "id", low.lstrip("#")
    letters = sum(map(str.isalpha, piece)) if digits else 0
    if (
        digits
        and letters
        and digits + letters >= 4
        and ("_" in piece or "-" in piece or digits >= 3)
    ):
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


MOST = 400  # values of one text


def find(text: str, most: int = MOST) -> list[Value]:
    """The values in `text`, at most `most`, in order.  O(characters)."""
    found: list[Value] = []
    previous = ""
    ascii_only = text.isascii()
    grouped = list(_grouped(text))
    inside = {place for value in grouped for place in range(value.start, value.end)}
    for start, end in pieces(text):
        if start in inside:
            continue
        piece = text[start:end]
        kind_norm = None if piece.isalpha() else classify(piece)
        if kind_norm:
            kind, norm = kind_norm
            if kind == "number" and not ascii_only and _CALENDAR.match(text, end):
                continue  # of a month, a year, an hour: no number of anything
            found.append(
                _measured(text, start, end, norm)
                if kind == "number"
                else Value(kind, norm, piece, start, end)
            )
            if len(found) >= most:
                break
        elif previous == "number" and piece.casefold() in _CURRENCY_CODES:
            last = found[-1]
            found[-1] = Value("amount", last.norm, text[last.start : end], last.start, end)
        previous = found[-1].kind if kind_norm else ""
    found += grouped
    found += [
        Value(kind, norm, text[start:end], start, end) for kind, norm, start, end in moments(text)
    ]
    found.sort(key=lambda value: (value.start, value.end))
    return found


def _measured(text: str, start: int, end: int, norm: str) -> Value:
    """A number with the word that scales it and the one that makes it an amount or a share."""
    scale = _SCALE.match(text, end)
    if scale is not None:
        norm, end = _norm_number(float(norm) * _SCALES[scale.group(1)]), scale.end()
    share = _SHARE.match(text, end)
    if share is not None:
        return Value("percent", norm, text[start : share.end()], start, share.end())
    money = _money(text, start, end)
    return Value(
        "amount" if money else "number", norm, text[start : money or end], start, money or end
    )


def _grouped(text: str) -> Iterator[Value]:
    # in English `3 200 responses` are three; a text with accents or Cyrillic groups by spaces
    for match in (_GROUPS if text.isascii() else _SPACED).finditer(text):
        amount = number("".join(match.group().split()))
        if amount is not None:
            start, end = match.span()
            yield _measured(text, start, end, _norm_number(amount))


def regrouped(found: Iterable[Value]) -> list[Value]:
    """The values with `9.000` read as nine thousand, for languages that group by dots."""
    return [
        v._replace(norm=v.text.rstrip(" €").replace(".", ""))
        if v.kind in ("number", "amount") and _DOTTED.match(v.text.rstrip(" €"))
        else v
        for v in found
    ]


def _money(text: str, start: int, end: int) -> int:
    """Where the word of a currency behind a number ends (`45 euros`, `39,000원`), else 0."""
    match = _MONEY.match(text, end)
    if match is not None:
        return match.end()
    return end if _MONEY_BEFORE.search(text, max(0, start - 5), start) else 0


def same_date(one: str, other: str) -> bool:
    """Dates are equal where both say the part; a missing year (`????`) fits any."""
    return one[-5:] == other[-5:] and (one[:4] == other[:4] or "????" in (one[:4], other[:4]))


_CONTAINERS = frozenset({dict, list})


def leaves(
    value: Any, *, nodes: int = 2_000, depth: int = 12
) -> tuple[list[tuple[str, Any]], bool]:
    """(key, scalar) of a JSON value, depth first, bounded; and whether that is all of them.

    The key is the nearest dict key.
    """
    if (
        isinstance(value, dict)
        and len(value) < nodes
        and _CONTAINERS.isdisjoint(map(type, value.values()))
    ):  # most arguments are flat
        return list(value.items()), True
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    found: list[tuple[str, Any]] = []
    seen = 0
    whole = True
    while stack and seen < nodes:
        key, item, level = stack.pop()
        seen += 1
        if not isinstance(item, (dict, list)):
            found.append((key, item))
        elif level >= depth:
            whole = whole and not item
        elif isinstance(item, dict):
            whole = whole and len(item) <= nodes
            stack.extend((str(k), v, level + 1) for k, v in reversed(list(item.items())[:nodes]))
        else:
            whole = whole and len(item) <= nodes
            stack.extend((key, v, level + 1) for v in reversed(item[:nodes]))
    return found, whole and not stack
