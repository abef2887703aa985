"""Values that a length limit cut: OpenTelemetry does it silently.

A value that is JSON begins like it and parses; one that begins like it and does not was cut.  Its
length is then the limit, so plain text of exactly that length was cut too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._shape import parse_json, parse_literal

_SHORTEST = 16


def cut_lengths(values: Iterable[Any]) -> frozenset[int]:
    """Lengths of the values that a limit cut.  O(characters)."""
    return frozenset(len(value) for value in values if _was_cut(value))


def _was_cut(value: Any) -> bool:
    if not isinstance(value, str) or len(value) < _SHORTEST:
        return False
    if value[-1] in "}]":
        return False  # whole, or cut where nobody can tell
    if not value.startswith(('{"', '[{"', '["', "{'", "[{'")):
        return False
    return parse_json(value) is None and parse_literal(value) is None
