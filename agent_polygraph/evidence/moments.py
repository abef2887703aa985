"""Dates and times of day as people write them in the languages that we read.

Strategy: one pattern a way of writing, each anchored at its digits; a normal form makes `29 May`,
`29 мая`, `5月29日` and `2026-05-29` equal.  Durations (`3時間`, `3시간`, `за 3 часа`) are no times.  O(characters).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import has_any, regex

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner enero janvier janeiro gennaio января январь जनवरी",
            "february feb februar febrero février fevereiro febbraio февраля февраль फ़रवरी फरवरी",
            "march mar märz marzo mars março марта март मार्च",
            "april apr abril avril aprile апреля апрель अप्रैल",
            "may mai mayo maio maggio мая май मई",
            "june jun juni junio juin junho giugno июня июнь जून",
            "july jul juli julio juillet julho luglio июля июль जुलाई",
            "august aug agosto août августа август अगस्त",
            "september sep sept septiembre septembre setembro settembre сентября сентябрь सितंबर"
            " सितम्बर",
            "october oct oktober okt octubre octobre outubro ottobre октября октябрь अक्टूबर अक्तूबर",
            "november nov noviembre novembre novembro ноября ноябрь नवंबर नवम्बर",
            "december dec dezember dez diciembre décembre dezembro dicembre декабря декабрь"
            " दिसंबर दिसम्बर",
        ),
        1,
    )
    for name in names.split()
}
_READ = 20_000
_YEAR = r"(?:,?\s+(?:de\s+)?(\d{4}))?"
# A word with its marks: Devanagari vowel signs are no `\w`.
_WORD = "(?:[^\\W\\d_]|[\u0900-\u0963]){2,12}"
_DAY_MONTH = regex(
    rf"(\d(?<![\w.]\d)\d?)(?:st|nd|rd|th|\.|º|er)?\s+(?:de\s+|of\s+)?({_WORD})(?!\w)\.?" + _YEAR
)
_MONTH_DAY = regex(r"([^\W\d_]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?!\.\d)" + _YEAR)
_CJK_DATE = regex(r"(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]")
# The digit stands first and is looked behind from: the scanner then skips to the next one.
_CLOCK = regex(
    r"(\d(?<![0-9A-Za-z_].)(?:(?<=[01])\d|(?<=2)[0-3])?)[:.h]([0-5]\d)(?::[0-5]\d)?\s?([ap]\.?m\b)?",
    re.IGNORECASE,
)
_CLOCK12 = regex(r"([0-9](?<!\w.)(?:(?<=1)[0-2]|(?<=0)[1-9]|(?<!0)))\s?([ap])\.?m\b", re.IGNORECASE)
_HOUR = "([01]?\\d|2[0-4])"
_AFTERNOON = frozenset(
    "下午 晚上 傍晚 午後 夜 오후 저녁 밤 शाम रात दोपहर वечера вечера дня".split()
)
_DIGIT = regex(r"\d")
_HAND = regex(r"\d(?:[:.h]\d|\s?[aph]|\s+U)", re.IGNORECASE)  # in every time of an ASCII text
# What a text has to have of it; and an optional word of the half of the day, the hour, the minutes.
_HOURS = (
    (("h",), regex(rf"(?<!\d)()(?<![\w.,:]){_HOUR}\s?h(?:\s?([0-5]\d))?(?![\w])")),  # 20 h 15, 15h
    (("Uhr",), regex(rf"()(?<![\d.,:]){_HOUR}(?:\.([0-5]\d))?\s+Uhr\b")),
    (
        ("点", "點"),
        regex(
            rf"(下午|晚上|傍晚|上午|早上|凌晨|中午)?\s?(?<![\d.]){_HOUR}\s?[点點]\s?(?:([0-5]\d)\s?分|整|钟|鐘)"
        ),
    ),
    (
        ("点", "點", "时", "時"),
        regex(rf"(下午|晚上|傍晚|上午|早上|凌晨|中午)\s?{_HOUR}\s?[点點时時]()"),
    ),
    (
        ("時",),
        regex(rf"(午後|午前|夜|朝)?\s?(?<![\d.]){_HOUR}\s?時(?!間)(?:\s?([0-5]\d)\s?分)?"),
    ),
    (
        ("시",),
        regex(
            rf"(오후|오전|저녁|밤|아침)?\s?(?<![\d.]){_HOUR}\s?시(?!간|스|작|험|도)(?:\s?([0-5]\d)\s?분)?"
        ),
    ),
    (("बजे",), regex(rf"(शाम|रात|दोपहर|सुबह)?\s?(?<![\d.:]){_HOUR}()\s+बजे")),
)


def is_month(word: str) -> bool:
    """True for the name of a month in a language that we read."""
    return word.casefold().strip(".,;:") in _MONTHS


def moments(text: str) -> Iterator[tuple[str, str, int, int]]:
    """(kind, normal form, start, end) of the dates and times in `text`, in no order."""
    if not _DIGIT.search(text):
        return
    text = text[:_READ]
    yield from _dates(text)
    if not text.isascii() or _HAND.search(text):
        yield from _times(text)


def _dates(text: str) -> Iterator[tuple[str, str, int, int]]:
    taken: set[int] = set()
    for pattern, at_day, at_month in ((_DAY_MONTH, 1, 2), (_MONTH_DAY, 2, 1)):
        for match in pattern.finditer(text):
            month = _MONTHS.get(match.group(at_month).casefold())
            day = int(match.group(at_day))
            if month and 1 <= day <= 31 and match.start(at_month) not in taken:
                taken.add(match.start(at_month))
                yield (
                    "date",
                    f"{match.group(3) or '????'}-{month:02d}-{day:02d}",
                    match.start(),
                    match.end(),
                )
    for match in () if text.isascii() else _CJK_DATE.finditer(text):
        year, month, day = match.group(1), int(match.group(2)), int(match.group(3))
        yield "date", f"{year or '????'}-{month:02d}-{day:02d}", match.start(), match.end()


def _times(text: str) -> Iterator[tuple[str, str, int, int]]:
    taken: set[int] = set()  # places in a time that is read
    for match in _CLOCK.finditer(text):
        around = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        if (
            around[0] in (".", ":", ",")
            or around[1] == "%"
            or ("." in match.group() and not match.group(3))
        ):
            continue
        hour, half = int(match.group(1)), (match.group(3) or "").lower()
        if half:
            hour = hour % 12 + 12 * half.startswith("p")
        taken.update(range(*match.span()))
        yield "time", f"{hour:02d}:{match.group(2)}", match.start(), match.end()
    for match in _CLOCK12.finditer(text):
        hour = int(match.group(1)) % 12 + (12 if match.group(2).lower() == "p" else 0)
        yield "time", f"{hour:02d}:00", match.start(), match.end()
    for marks, pattern in _HOURS:
        for match in pattern.finditer(text) if has_any(text, marks) else ():
            if match.start(2) in taken:
                continue
            taken.update(range(*match.span()))
            hour = int(match.group(2))
            if match.group(1) in _AFTERNOON and hour < 12:
                hour += 12
            yield "time", f"{hour % 24:02d}:{match.group(3) or '00'}", match.start(2), match.end()
