"""Times of spans, whatever they are written as, in nanoseconds since 1970 as whole numbers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SIZES = ((10**17, 1), (10**14, 1_000), (10**11, 1_000_000), (0, 1_000_000_000))


def nanoseconds(value: Any) -> int:
    """A time as nanoseconds; 0 where there is none.

    Takes ISO 8601 text (with or without a zone, which then is UTC), numbers and digits: by their
    size nanoseconds, microseconds, milliseconds or seconds.
    """
    if type(value) is str and len(value) == 19 and value.isascii() and value.isdigit():
        return int(value)  # OTLP, and so nearly every time there is
    if isinstance(value, bool) or value is None:
        return 0
    if isinstance(value, (int, float)):
        return _of_number(value)
    if not isinstance(value, str) or not value:
        return 0
    text = value.strip()[:64]
    if text.isascii() and text.isdigit():
        return _of_number(int(text))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return 0
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        passed = moment - _EPOCH
    except OverflowError:
        return 0
    return ((passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds) * 1_000


def _of_number(value: int | float) -> int:
    if not 0 < value < 10**19:
        return 0
    factor = next(factor for size, factor in _SIZES if value >= size)
    return int(value * factor)


def span_length(value: Any) -> int:
    """An ISO 8601 duration of hours, minutes and seconds (`PT1M2.5S`) in nanoseconds; else 0."""
    if not isinstance(value, str) or not value.startswith("PT") or len(value) > 40:
        return 0
    total, digits = 0.0, ""
    for sign in value[2:]:
        if sign.isdecimal() or sign == ".":
            digits += sign
            continue
        factor = {"H": 3600, "M": 60, "S": 1}.get(sign)
        if factor is None or not digits or digits.count(".") > 1 or digits == ".":
            return 0
        total += float(digits) * factor
        digits = ""
    return int(total * 1_000_000_000)
