"""Attributes that are spread over many keys: `<head>.<number>.<rest>`, as SDKs have to write lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Attributes: TypeAlias = Mapping[str, Any]
Row: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[str, int, str]
Spread: TypeAlias = dict[str, dict[int, Row]]
_PLACES, _PLACE_CHARS = 20_000, 200  # so many keys are remembered, and of this length


class _Places(dict[str, "Place | None"]):
    """`<head>.<number>.<rest>` for a key, by its first number; None for one without.

    All spans have the same few keys, and taking one apart costs ten times as much as finding it.
    """

    def __missing__(self, key: str) -> Place | None:
        if not isinstance(key, str):
            return None
        place = _place(key)
        if len(self) < _PLACES and len(key) <= _PLACE_CHARS:
            self[key] = place
        return place


def _place(key: str) -> Place | None:
    segments = key.split(".")
    for at, segment in enumerate(segments):
        if segment.isdecimal():
            head, rest = ".".join(segments[:at]), ".".join(segments[at + 1 :])
            return (head, int(segment), rest) if rest and len(segment) < 7 else None
    return None


place_of = _Places().__getitem__


def spread(attributes: Attributes) -> Spread:
    """`<head>.<number>.<rest>` as one dict of `rest` for each head and number."""
    found: Spread = {}
    for key, value in attributes.items():
        place = place_of(key)
        if place is None:
            continue
        head, number, rest = place
        if head not in found:
            found[head] = {number: {rest: value}}
        elif number not in found[head]:
            found[head][number] = {rest: value}
        else:
            found[head][number][rest] = value
    return found


def in_order(rows: dict[int, Row]) -> list[Row]:
    """The rows by their numbers."""
    return [rows[number] for number in sorted(rows)]
