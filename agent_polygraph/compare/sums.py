"""Numbers that the closing works out itself: sums of its own lists, tables and sentences."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice

from .._lazy import has_any, lowered, regex, remembered
from ..binding import Turn
from ..binding.words import NUMBER_WORDS
from ..evidence.figures import measures, near, numbers_in
from ..evidence.step import Step
from .codes import stated_at
from .mismatch import Mismatch
from .tally import tally

_HEADS = 20  # heads of lists that are looked up
_STATED = 200  # numbers of the closing that are added up


def wrong_sum(turn: Turn) -> Iterator[Mismatch]:
    """`together 16,230:` over a list or table of its own, whose amounts add up to 12,630."""
    text = turn.closing.document.text
    for found in _TOGETHER.finditer(text) if has_any(lowered(text), _TOGETHER_WORDS) else ():
        rows = _ROWS.match(text, found.end())
        told = [value for value, *_ in numbers_in(found.group(1))]
        if rows is None or len(told) != 1:
            continue
        last = [
            numbers_in(line.rstrip(" |").rsplit("|", 1)[-1]) for line in rows.group().split("\n")
        ]
        amounts = [one[-1][0] for one in map(list, last) if one]
        claim = next(
            (c for c in turn.claims if c.start <= found.start(1) < c.end and c.plain), None
        )
        total = sum(amounts)
        if claim is None or len(amounts) < 2 or told[0] < max(amounts):
            continue
        steps = [step for step in turn.ledger.acts if measures(step)]
        if near(told[0], total, 0) or _column(turn, told[0]) or not steps:
            continue
        if tally(turn).stands(told[0], 0):
            continue
        if all(tally(turn).stands(amount, 0) for amount in amounts):
            shown = " + ".join(f"{amount:g}" for amount in amounts)
            yield Mismatch(claim, steps[-1], found.group(1), f"{total:g}", shown)
            return


def headed_sum(turn: Turn) -> Iterator[Mismatch]:
    """`turns up on 21 lines in five files:` over a list of five whose numbers add up to 17."""
    text = turn.closing.document.text
    for found in islice(_OVER.finditer(text), _HEADS) if ":" in text else ():
        rows = _ROWS.match(text, found.end())
        told = numbers_in(found.group(1))
        size = found.group(2).casefold()
        lines = [line for line in rows.group().split("\n") if line.strip()] if rows else []
        if len(told) != 1 or len(lines) != (
            int(size) if size.isdecimal() else NUMBER_WORDS.get(size)
        ):
            continue
        amounts = [_behind_the_name(line) for line in lines]
        claim = stated_at(turn, found.start(1))
        if claim is None or not all(amounts) or any(_tells_part(line) for line in lines):
            continue
        total = sum(amounts)
        several = [[value for value, *_ in numbers_in(line)] for line in lines]
        if any(sum(column) == told[0][0] for column in zip(*several, strict=False)) or any(
            sum(column) == told[0][0] for column in zip(*map(reversed, several), strict=False)
        ):
            continue  # `test_a.py: 12 passed, 3 failed`: another of the row's numbers
        steps = [step for step in turn.ledger.acts if measures(step)]
        known = tally(turn)
        if told[0][0] == total or not steps or known.stands(told[0][0], 0):
            continue
        if all(known.stands(amount, 0) or _ends_a_line(steps, amount) for amount in amounts):
            shown = " + ".join(f"{amount:g}" for amount in amounts)
            yield Mismatch(claim, steps[-1], found.group(1), f"{total:g}", shown)
            return


def summed_table(turn: Turn) -> Iterator[Mismatch]:
    """A table whose rows the evidence shows, and a total beside it that is none of its columns': `**Total: 1,284**`.

    The total stands in a last row, in the line behind the table, or bold before it beside the number of its rows.
    """
    text = turn.closing.document.text
    steps = [step for step in turn.ledger.acts if measures(step)]
    known = tally(turn)
    for table in islice(_TABLE.finditer(text), _HEADS) if steps and "|" in text else ():
        lines = [line for line in table.group(2).split("\n") if line.strip()]
        rows = [line for line in lines if not _TOTAL_ROW.match(line)]
        columns = [column for column in _columns(rows) if len(column) == len(rows)]
        sums = [sum(column) for column in columns]
        if len(rows) < 3 or not sums:
            continue
        for told, at in _totals(text, table, lines, len(rows)):
            if (
                any(
                    near(told, total, 0) or abs(told - total) <= 0.006 * len(rows) for total in sums
                )
                or known.stands(told, 0)
                or not any(
                    max(column) < told < 3 * total
                    for column, total in zip(columns, sums, strict=True)
                )
            ):
                continue
            if any(_factors(told, one, other) for one in columns for other in columns):
                continue  # quantity times price
            if at >= table.start(2) and any(
                known.stands(told - total, 2) for total in sums if told > total
            ):
                continue  # and what is not in the table: shipping, tax
            claim = stated_at(turn, at)
            column = next(
                (
                    c
                    for c in columns
                    if max(c) < told < 3 * sum(c) and all(known.stands(n, 0) for n in c)
                ),
                None,
            )
            if claim is not None and column is not None:
                shown = " + ".join(f"{amount:g}" for amount in column)
                yield Mismatch(claim, steps[-1], f"{told:,g}", f"{sum(column):,g}", shown)
                return


def _factors(told: float, one: list[float], other: list[float]) -> bool:
    return near(told, sum(a * b for a, b in zip(one, other, strict=True)), 2)


def _columns(rows: list[str]) -> list[list[float]]:
    """The numbers of each column whose cells have exactly one."""
    found: dict[int, list[float]] = {}
    for row in rows:
        for place, cell in enumerate(row.strip().strip("|").split("|")[1:]):
            numbers = _grouped(cell)
            if len(numbers) == 1 and "%" not in cell and _PARTLY.search(cell) is None:
                found.setdefault(place, []).append(numbers[0][0])
    return list(found.values())


def _grouped(cell: str) -> list[tuple[float, str, int, int]]:
    """The numbers of a cell, `4 200` being one."""
    return numbers_in(_THOUSANDS.sub("", cell))


_THOUSANDS = regex(r"(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))")


def _totals(
    text: str, table: re.Match[str], lines: list[str], size: int
) -> Iterator[tuple[float, int]]:
    """(number, place) of what is told as the sum of the table."""
    last = _TOTAL_ROW.match(lines[-1]) if lines else None
    behind = _FOOT.match(text, table.end())
    before = _LEAD.search(text, max(0, table.start() - 200), table.start(1) + 1)
    if last is not None:
        for cell in lines[-1].strip().strip("|").split("|")[1:]:
            numbers = _grouped(cell) if "%" not in cell else []
            if len(numbers) == 1:
                yield numbers[0][0], table.start(2)
    if behind is not None:
        numbers = _grouped(behind.group(1))
        if len(numbers) == 1:
            yield numbers[0][0], behind.start(1)
    if before is not None and NUMBER_WORDS.get(before.group(2).casefold(), before.group(2)) in (
        size,
        str(size),
    ):
        numbers = _grouped(before.group(1))
        if len(numbers) == 1:
            yield numbers[0][0], before.start(1)


_SUM = (
    r"(?:grand |sub)?total|in total|overall|altogether|sum|gesamt(?:summe)?|summe|insgesamt|total général|en total"
    r"|au total|totale|in totale|total geral|no total|合計|合计|总计|共计|합계|총계"
)
# The head of a table and its rows.
_TABLE = regex(
    r"(?:\A|\n)([ \t]*\|[^\n]*\|[ \t]*\n[ \t]*\|[ :|-]+\|?[ \t]*\n)((?:[ \t]*\|[^\n]*(?:\n|\Z)){3,80})"
)
_TOTAL_ROW = regex(rf"[ \t]*\|[ *_]*(?:{_SUM})\b[^|]*\|", re.IGNORECASE)
_FOOT = regex(rf"\s{{0,4}}[ *_>-]{{0,4}}(?:{_SUM})[ *_]*:[ *_]*([^\n.;(]{{1,30}})", re.IGNORECASE)
_LEAD = regex(
    r"\*\*([^*\n]{1,24}\d)\*\* (?:on|for|over|across|from|auf|für|en|sur|su|em) (\w{1,8}) [^\n|]{3,40}:\s{0,3}\n",
    re.IGNORECASE,
)


def _ends_a_line(steps: list[Step], amount: float) -> bool:
    """`src/client.ts:4` of a search that counts."""
    end = re.compile(rf":{amount:g}$", re.MULTILINE)
    return any(end.search(step.body[:20_000]) for step in steps)


def _behind_the_name(line: str) -> float:
    """The first number behind the name of a row, 0 where it has no name or no number."""
    found = _NAMED_ROW.match(line)
    numbers = numbers_in(line[found.end() :]) if found else []
    return numbers[0][0] if numbers else 0.0


def _tells_part(line: str) -> bool:
    """`at least 4`, `4 more`: no plain number of the row."""
    return _PARTLY.search(line) is not None


_OVER = regex(
    r"(?<![\w.,])\*{0,2}(\d{1,6})\*{0,2} [^\d\n:.]{2,40}\b(?:in|across|over|among|spread over|auf|en|dans|em) "
    r"(\w{1,8}) (?:different |verschiedenen? )?\w{3,20}:",
    re.IGNORECASE,
)
_NAMED_ROW = regex(r"[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+`[^`\n]{2,80}`[^\d\n]{0,6}")
_PARTLY = regex(
    r"\b(?:more|least|about|roughly|approx|ca|over|under|up to|of which|plus)\b|[~≈+]\s?\d",
    re.IGNORECASE,
)


# Every match of _TOGETHER has one of these.
_TOGETHER_WORDS = ("together", "total", "combined", "adding up", "insgesamt", "zusammen", "in all")
_TOGETHER = regex(
    r"\b(?:together|in total|altogether|combined|adding up to|insgesamt|zusammen|en total|au total|in totale"
    r"|no total|in all)\b[ *:]{1,4}([$€£]?\d[\d.,]*\d)[^:\n\d]{0,40}:",
    re.IGNORECASE,
)


_ROWS = regex(r"\s{0,6}\n(?:[ \t]*(?:\||[-*•]|\d{1,2}[.)])[^\n]*(?:\n|\Z)){2,60}")


def reckoned(turn: Turn, value: float) -> bool:
    """`519 in that window, with 3 more outside`: the closing's own numbers give the sum, or the difference."""
    own = _own_numbers(turn)
    return (
        _column(turn, value)
        or own.added(value)
        or any(
            value + other in own.known
            and all(own.borne(n) or own.added(n) for n in (other, value + other))
            for other in own.known
            if other > 0
        )
    )


class _Own:
    """The closing's own numbers: whether the evidence bears one out, or is one the sum of two.  Asked once each."""

    def __init__(self, turn: Turn) -> None:
        found = numbers_in(turn.closing.document.text[:20_000])
        self.known = {number for number, *_ in islice(found, _STATED)}
        self.tally = tally(turn)
        self.stands: dict[float, bool] = {}
        self.sums: dict[float, bool] = {}

    def borne(self, number: float) -> bool:
        if number not in self.stands:
            stands = self.tally.stands(number, 0) or self.tally.follows(number, 0)
            self.stands[number] = stands
        return self.stands[number]

    def added(self, value: float) -> bool:
        """True for the sum of two of the numbers that the evidence bears out."""
        if value not in self.sums:
            self.sums[value] = any(
                value - other in self.known and self.borne(other) and self.borne(value - other)
                for other in self.known
                if 0 < other < value
            )
        return self.sums[value]


@remembered
def _own_numbers(turn: Turn) -> _Own:
    return _Own(turn)


def _column(turn: Turn, value: float) -> bool:
    """True for the sum of a column of one of the closing's tables, or of what its list items give."""
    sums = turn.memo.get("columns")
    if not isinstance(sums, set):
        sums = turn.memo["columns"] = set[float]()
        columns: dict[int, float] = {}
        for line in [*turn.closing.document.text[:20_000].split("\n"), ""]:
            if not (cells := _cells(line)):
                sums |= {round(total, 2) for total in columns.values()}
                columns = {}
            for place, amount in cells:
                columns[place] = columns.get(place, 0.0) + amount
    return round(value, 2) in sums


def _cells(line: str) -> list[tuple[int, float]]:
    """(place, number) of a table's row, by its columns, or of a list item, by their order."""
    if "|" in line:
        cells = enumerate(map(numbers_in, line.strip().strip("|").split("|")))
        return [(-1, 0.0), *((place, found[0][0]) for place, found in cells if len(found) == 1)]
    if _ITEM.match("\n" + line):
        return [(place, value) for place, (value, *_) in enumerate(numbers_in(line))]
    return []


_ITEM = regex(r"\n[ \t]{0,4}(?:[-*•]|\d{1,2}[.)])[ \t]")


def grown_alike(turn: Turn, number: float, found: float) -> bool:
    """`5 onions` over a recipe with 2, where other figures grew by the same factor."""
    if number == found:
        return False
    shown = _shown(turn)
    alike = 0
    for one in _told(turn):
        if one in (0, number):
            continue
        # those with abs(one * found - other * number) < 1e-6, number != 0
        for other in _about(shown, one * found, number):
            if other != found and abs(one * found - other * number) < 1e-6:
                alike += 1
                break
        if alike >= 2:
            return True
    return False


def _about(shown: list[float], product: float, number: float) -> list[float]:
    """Those of the sorted numbers that times `number` come to about the product."""
    if not number:
        return shown if abs(product) < 1e-6 else []
    middle, slack = product / number, 2e-6 / abs(number) + abs(product / number) * 1e-12
    return shown[bisect_left(shown, middle - slack) : bisect_right(shown, middle + slack)]


@remembered
def _told(turn: Turn) -> frozenset[float]:
    return frozenset(value for value, *_ in numbers_in(turn.closing.document.text[:20_000]))


@remembered
def _shown(turn: Turn) -> list[float]:
    return sorted({n for s in turn.ledger.acts for row in s.rows for n in row.numbers if n > 1})
