"""The numbers of a whole turn: does one stand anywhere, does it follow, what do things add up to.

What a turn shows is gathered only when a claimed number is asked for, place by place, until one has
it; looking one up is a binary search in each.  Numbers of the agent's own messages are no evidence and are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from .._lazy import cached_property, regex, remembered
from ..binding import Turn
from ..evidence.figures import derived, near, numbers_in, plain
from ..evidence.step import Step
from ..evidence.values import leaves, number

_POOL = 60
_SHORT = 12
_FEW = 8  # questions that are answered by looking for digits; beyond them all is gathered


# Words that make a number larger.
_SIZES = {
    word: size
    for size, words in (
        (1e3, "k thousand tausend tsd mille mil"),
        (1e6, "m million millionen mio millones milhões milioni"),
        (1e9, "b bn billion milliard milliarden milliards mrd miliardi bilhões"),
    )
    for word in words.split()
}
_SIZES |= dict.fromkeys("万萬만", 1e4) | dict.fromkeys("亿億억", 1e8)
SCALE = regex(
    r"\s?((?:" + "|".join(sorted(_SIZES, key=len, reverse=True)) + r")\b|[万萬만亿億억])",
    re.IGNORECASE,
)


class Tally:
    """Numbers that stand in results, arguments, the task and the user's messages."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._asked = 0
        self._known: dict[tuple[float, int], bool] = {}
        self._followed: dict[tuple[float, int, bool], bool] = {}
        self._seen: dict[int, list[float]] = {}  # by order: the numbers of the calls looked into

    @cached_property
    def _texts(self) -> list[str]:
        turn = self._turn
        told = [text[:20_000] for text in turn.ledger.told]
        results = [part for s in turn.ledger.steps for part in (plain(s.text), s.argument_text)]
        return [turn.task, *told, *results]

    @cached_property
    def _shown(self) -> list[float]:
        return [
            value for step in self._turn.ledger.acts for row in step.rows for value in row.numbers
        ]

    @cached_property
    def _told(self) -> list[float]:
        """The numbers of the task and the user's messages."""
        texts = [self._turn.task]
        texts += [text[:20_000] for text in self._turn.ledger.told]
        return sorted({abs(value) for text in texts for value, *_ in numbers_in(text)})

    @cached_property
    def _all(self) -> list[float]:
        found = {float(value) for value in _counted(self._turn)}
        found.update(self._told, *map(self._of, self._turn.ledger.steps))
        return sorted(found)

    def _of(self, step: Step) -> list[float]:
        if step.order not in self._seen:
            self._seen[step.order] = sorted(map(abs, _of_step(step)))
        return self._seen[step.order]

    def _places(self, size: float) -> Iterator[list[float]]:
        """Numbers, the likeliest to have `size` first: calls that show its digits, then everything."""
        self._asked += 1
        if self._asked <= _FEW and "_all" not in self.__dict__:
            yield self._told
            plain, grouped = f"{int(size)}", f"{int(size):,}"
            for step in self._turn.ledger.steps:
                if plain in step.text or grouped in step.text or plain in step.argument_text:
                    yield self._of(step)
        yield self._all

    def stands(self, value: float, places: int) -> bool:
        """True when the number, or one that it is a rounding of, stands in the evidence."""
        asked = abs(value), places
        if asked not in self._known:
            self._known[asked] = self._stands(*asked)
        return self._known[asked]

    def _stands(self, size: float, places: int) -> bool:
        digits, grouped = f"{size:.{places}f}", f"{size:,.{places}f}"
        if any(
            _holds(text, digits)
            or (grouped != digits and _holds(text, grouped))
            or _rounds(text[:_READ], size, places)
            for text in self._texts
        ):
            return True
        slack = 0.5 * 10**-places if places or size < 100 or size % 10 else max(0.5, 0.05 * size)
        for numbers in self._places(size):
            low = bisect_left(numbers, size - slack - 1e-9)
            high = bisect_right(numbers, size + slack + 1e-9)
            if any(near(size, other, places) for other in numbers[low:high]):
                return True
        return False

    def scaled(self, value: float, places: int, unit: str, after: str) -> bool:
        """`214 million` over 214000000, `0.21%` over 0.0021: the number stands in another size."""
        if unit == "%":
            return self.stands(value / 100, places + 2)
        sized = _BYTES.match(after)
        if sized and self._sized(value, places, sized):
            return True
        if places == 2 and self.stands(round(abs(value) * 100), 0):
            return True  # in the minor unit of a currency
        word = SCALE.match(after)
        if word is None:
            return False
        size = _SIZES[word.group(1).casefold()]
        return self.stands(value * size, places) or self._within(value, places, size)

    def resized(self, value: float, places: int) -> bool:
        """True when it stands in a larger or a smaller unit: 4.3 (GB) over 4301220 (KB), 1.2 (s) over 1204 (ms)."""
        if any(self._within(abs(value), places, size) for size in UNITS):
            return True
        return any(
            self.stands(float(small), len(small.partition(".")[2]))
            for small in (f"{abs(value) / size:.12g}" for size in UNITS[:3])
            if "e" not in small and ("." in small or len(small) > 1)
        )

    @cached_property
    def _integers(self) -> list[int]:
        """The long whole numbers of the evidence, in order."""
        found = {int(hit) for text in self._texts for hit in _LONG.findall(text[:_READ])}
        return sorted(found)

    def _sized(self, value: float, places: int, unit: re.Match[str]) -> bool:
        """`39 MiB` over 41200000."""
        power = "kmgt".index(unit.group(1).casefold()) + 1
        return any(self._within(value, places, base**power) for base in (1000, 1024))

    def _within(self, value: float, places: int, size: float) -> bool:
        """True when a whole number of the evidence is the value to its places: 9.1 M over 9120331."""
        low, high = ((value + sign * 0.51 * 10**-places) * size for sign in (-1, 1))
        return bisect_left(self._integers, low) < bisect_right(self._integers, high)

    def follows(
        self, value: float, places: int, pool: Iterable[float] = (), *, share: bool = True
    ) -> bool:
        """True when the number can be worked out from those of one pool, by default the turn's."""
        numbers = list(pool)
        if numbers:
            return self._follows(value, places, numbers, share)
        asked = value, places, share
        if asked not in self._followed:
            self._followed[asked] = self._follows(value, places, self._shown[: 2 * _POOL], share)
        return self._followed[asked]

    def _follows(self, value: float, places: int, numbers: list[float], share: bool) -> bool:
        if derived(value, places, numbers, share=share) or self._of_columns(value, places):
            return True
        if len(numbers) <= _SHORT:
            return any(near(abs(value), total, places) for total in _sums(numbers))
        return False

    def _of_columns(self, value: float, places: int) -> bool:
        """True for the sum of a column of a table, and for what two such sums differ by."""
        low = bisect_left(self._sums, abs(value) - 0.5)
        high = bisect_right(self._sums, abs(value) + 0.5)
        return any(near(abs(value), total, places) for total in self._sums[low:high])

    @cached_property
    def _sums(self) -> list[float]:
        sums = {total for step in self._turn.ledger.acts for total in _column_sums(step)}
        few = sorted(sums)[:_SHORT]
        return sorted(sums | {abs(one - other) for one in few for other in few} - {0.0})


@remembered
def _column_sums(step: Step) -> list[float]:
    """Sums of the columns of the result's tables: of all rows, and of those that share a cell."""
    found: list[float] = []
    for table in _tables(step):
        for place in range(min(_COLUMNS, len(table[0]))):
            amounts = [
                (number(row[place]) if row[place][:1].isdigit() else None, row) for row in table
            ]
            known = [(amount, row) for amount, row in amounts if amount is not None]
            groups: dict[tuple[int, str], list[float]] = {}
            for amount, row in known:
                groups.setdefault((place, ""), []).append(amount)
                for other, cell in enumerate(row[:_COLUMNS]):
                    if other != place:
                        groups.setdefault((other, cell), []).append(amount)
            found += [sum(group) for group in groups.values() if len(group) >= 2]
    return found[:_MOST_SUMS]


_COLUMNS, _ROWS, _MOST_SUMS = 12, 400, 400  # of a table that are added up


def _tables(step: Step) -> Iterator[list[list[str]]]:
    """Rows of cells: objects of one list with the same keys, and delimited lines of one width."""
    lists = [step.json] if isinstance(step.json, list) else []
    if isinstance(step.json, dict):
        lists += [value for value in step.json.values() if isinstance(value, list)]
    for items in lists:
        records = [item for item in items[:_ROWS] if isinstance(item, dict)]
        if len(records) >= 2 and all(list(one) == list(records[0]) for one in records):
            yield [[str(cell) for cell in one.values()] for one in records]
    for mark in (",", "|", "\t", ";"):
        table: list[list[str]] = []
        for line in [*step.text[:_READ].split("\n")[:_ROWS], ""]:
            bare = line.strip().strip("|") if mark == "|" else line.strip("\r")
            cells = [cell.strip() for cell in bare.split(mark)]
            if len(cells) >= 2 and (not table or len(cells) == len(table[0])):
                table.append(cells)
                continue
            if len(table) >= 2:
                yield table
            table = []


# How much larger one unit is than another.
UNITS = (1e3, 60.0, 1024.0, 1e6, 1024.0**2, 1e9, 1024.0**3, 3600.0)
_BYTES = regex(r"\s?([KMGTk])(?:i?B|i)\b")
_LONG = regex(r"(?<![\w.])(\d{4,15})(?:\.\d{1,12})?(?![\w.])")
_READ = 40_000  # characters of a text that are read for sizes


def _rounds(text: str, size: float, places: int) -> bool:
    """True when the text has a number with more places that rounds to this one: 741.9 for 742."""
    for whole in {int(size), max(0, int(size - 0.5 * 10**-places))}:
        needle = f"{whole}."
        at = text.find(needle) if size >= 10 or places else -1
        while at >= 0:
            found = _DECIMAL.match(text, at)
            if found and not text[max(0, at - 1) : at].isdigit():
                if len(found.group(1)) > places and near(size, float(found.group()), places):
                    return True
            at = text.find(needle, at + 1)
    return False


_DECIMAL = regex(r"\d{1,15}\.(\d{1,12})(?![\d.])")


def _holds(text: str, digits: str) -> bool:
    """True when the digits stand in the text as a number of their own."""
    at = text.find(digits)
    while at >= 0:
        end = at + len(digits)
        before, after = text[max(0, at - 1) : at], text[end : end + 2]
        if before == "," and (
            ("." in digits and len(digits.partition(".")[0]) != 3)
            or not text[max(0, at - 2) : at - 1].isdigit()
        ):
            before = ""  # a cell of a CSV line: `19258,MV,0.93`
        if before == ":" and _LINE_OF.search(text, max(0, at - 24), at):
            at = text.find(digits, at + 1)
            continue  # `book.py:17`
        flag = before.isalpha() and text[max(0, at - 2) : at - 1] == "-"  # `-m80`
        if (flag or not (before.isalnum() or before in (".", ",", "_"))) and not (
            after[:1].isdigit() or (after[:1] in (".", ",") and after[1:].isdigit())
        ):
            return True
        at = text.find(digits, at + 1)
    return False


_LINE_OF = regex(r"[\w-]\.[A-Za-z]\w{0,5}:\Z")


def _of_step(step: Step) -> set[float]:
    """Numbers that only the structure of a call or result shows."""
    found: set[float] = set()
    if step.json is not None:
        found |= {value for row in step.rows for value in row.numbers}
        found |= {value for value, *_ in numbers_in(step.body)}
    for _, item in leaves(step.arguments)[0]:
        if isinstance(item, (int, float)) and not isinstance(item, bool):
            found.add(float(item))
        elif isinstance(item, str) and item[:1].isdigit() and len(item) <= 20:
            amount = number(item)
            if amount is not None:
                found.add(amount)
    return found


def _counted(turn: Turn) -> set[int]:
    """What a reader can count: calls of a tool, lines and entries of a result, changed files."""
    found: set[int] = {
        len(turn.ledger.acts),
        len(turn.ledger.edits),
        len({p for _, p in turn.ledger.edits}),
    }
    names: dict[str, int] = {}
    for step in turn.ledger.acts:
        names[step.name] = names.get(step.name, 0) + 1
        lines = sum(1 for line in step.text.split("\n") if line.strip())
        found |= {lines, lines - 1, lines - 2}
        if step.json is not None and step.listing is not None:
            found |= {step.listing.rows, step.listing.total or 0}
        for value in (step.arguments, step.json):
            found |= _lengths(value)
    return found | set(names.values())


def _lengths(value: object) -> set[int]:
    found: set[int] = set()
    stack: list[tuple[object, int]] = [(value, 0)]
    while stack and len(found) < 200:
        item, depth = stack.pop()
        if isinstance(item, (list, tuple)):
            found.add(len(item))
            if depth < 4:
                stack.extend(
                    (inner, depth + 1) for inner in item[:50] if isinstance(inner, (dict, list))
                )
        elif isinstance(item, dict):
            found.add(len(item))
            if depth < 4:
                stack.extend(
                    (inner, depth + 1)
                    for inner in list(item.values())[:50]
                    if isinstance(inner, (dict, list))
                )
    return found


def _sums(numbers: list[float]) -> set[float]:
    found: set[float] = {0.0}
    for value in numbers[:_SHORT]:
        found |= {value + other for other in found}
    return found


def tally(turn: Turn) -> Tally:
    """The turn's tally, made at the first call."""
    made = turn.memo.get("tally")
    if not isinstance(made, Tally):
        made = turn.memo["tally"] = Tally(turn)
    return made
