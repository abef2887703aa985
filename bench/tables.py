"""Tables for people: Markdown pipes, padded so that they read as plain text too."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import east_asian_width

NONE = "-"


def number(value: float | None, digits: int = 3) -> str:
    """A rate or a time; "-" where there is none."""
    return NONE if value is None else f"{value:,.{digits}f}"


def percent(value: float | None, digits: int = 1) -> str:
    """A share as a percentage, without the sign (the heading has it)."""
    return NONE if value is None else f"{100 * value:.{digits}f}"


def width(text: str) -> int:
    """Columns on a terminal."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def render(head: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """A Markdown table.  The first `words` columns are left-aligned, the rest right-aligned."""
    widths = [max(map(width, column)) for column in zip(head, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = []
        for index, (cell, space) in enumerate(zip(cells, widths, strict=True)):
            blank = " " * (space - width(cell))
            padded.append(cell + blank if index < words else blank + cell)
        return "| " + " | ".join(padded) + " |"

    rule = [
        "-" * space if index < words else "-" * (space - 1) + ":"
        for index, space in enumerate(widths)
    ]
    return "\n".join([line(head), "| " + " | ".join(rule) + " |", *map(line, rows)])
