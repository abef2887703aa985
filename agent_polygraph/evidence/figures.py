"""Numbers of a result, line by line, with the words they stand beside.

A number alone says little; a number in a labelled place does.  `Row` is such a place: a line of text or
an object of a JSON result, with its numbers and its labels.  Two questions are asked of them: does a
claimed number stand anywhere, or follow from numbers that stand together; and which row does a claim
with the same labels mean.  Time is linear in the text; derivation looks at a bounded pool.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .._lazy import regex, remembered
from .shell import PAGERS
from .values import number

if TYPE_CHECKING:
    from .step import Step

_LINES = 600  # rows read of one result
_LINE = 300  # longer lines are prose or data dumps, not labelled figures
_POOL = 60
# The sign or digit stands first and is looked behind from: the scanner then skips to the next one.
_NUMBER = regex(
    r"[-+−\d](?:(?<![\w.,/:…•-].)|(?<=\b[xX×].)(?<=\d)|(?<=×.))(?:(?<=\d)\d{0,14}"
    r"|(?<!\d)\d{1,15})(?:[.,'\u00a0\u202f’]\d{1,15}){0,6}(?![\d]|[-/:]\d"
    r"|\.\d)(?=([A-Za-zµ%°€$]{0,4}))"
)
# A number after these words names a place.
LABEL = regex(
    r"(?:lines?|pages?|ports?|rows?|steps?|sections?|versions?|chapters?|numbers?|no\.|nr\."
    r"|zeilen?|seiten?|líneas?|páginas?|lignes?|linhas?|righe?"
    r"|строк\w{0,3}|top|under|over|than|above|below|most|least)[\s`*_#]{0,3}$",
    re.I,
)
_GROUP = regex(r"\d{3}(?!\d)")
_CODES = regex(r"\x1b\[[0-9;]{0,12}m")


_DIGIT = regex(r"\d")
_NONE: frozenset[float] = frozenset()


class Row:
    """One labelled place: its numbers, the words beside them (case-folded), the line itself.

    labels: None where they are those of the line; they are then read when somebody asks.
    """

    __slots__ = ("_labels", "line", "numbers", "percents")

    def __init__(
        self,
        numbers: tuple[float, ...],
        labels: frozenset[str] | None,
        line: str,
        percents: frozenset[float] = _NONE,
    ) -> None:
        self.numbers, self._labels, self.line, self.percents = numbers, labels, line, percents

    @property
    def labels(self) -> frozenset[str]:
        """The words that can name the place."""
        if self._labels is None:
            self._labels = labels_in(self.line)
        return self._labels


# Numbers that commas part, and no thousands: a group of another length than three stands among them.
_SERIES = regex(
    r"(?=\d+(?:,\d{3})*,(?!\d{3}(?:,|\Z)|\d{1,2}\Z)|\d{4,}(?:,\d+){2,}|\d{5,},\d{3,})\d+(?:,\d+)+"
)
_THOUSANDS = regex(r"(?<!\d)\d{1,3}[ \u00a0\u202f]\Z")


def numbers_in(text: str) -> list[tuple[float, str, int, int]]:
    """(value, unit, start, end) of the free-standing numbers of `text`; ids, dates and versions are none."""
    found: list[tuple[float, str, int, int]] = []
    for match in _NUMBER.finditer(text):
        raw = match.group().rstrip(".,'")
        if raw.count(".") > 1 and "," not in raw:
            continue  # a version or an address
        if _SERIES.fullmatch(raw):  # `88214,88209,412`: cells of a row
            at = match.start()
            for cell in raw.split(","):
                if (amount := number(cell)) is not None:
                    found.append((amount, "", at, at + len(cell)))
                at += len(cell) + 1
            continue
        value = number(raw)
        at = match.start()
        if value is not None and _GROUP.match(raw) and _THOUSANDS.search(text, max(0, at - 4), at):
            continue  # the rest of `15 310`
        if value is not None:
            after = text[match.end() : match.end() + 2]
            unit = match.group(1) or ("%" if after[:1] == "%" or after == " %" else "")
            found.append((value, unit, match.start(), match.end()))
    return found


def plain(text: str) -> str:
    """`text` without the codes that colour it."""
    return _CODES.sub("", text) if "\x1b[" in text else text


def labels_in(text: str) -> frozenset[str]:
    """The words of `text` that can name a row: words, paths, ids; plain numbers are none."""
    found: set[str] = set()
    for raw in text.casefold().replace("|", " ").replace("=", " ").split():
        word = raw.strip("\"'`*_.,;:!?()[]{}<>„“”«»。，、")
        if len(word) < 2 or not (word.isalpha() or any(map(str.isalpha, word))):
            continue
        if (
            word[0].isdigit()
            and word.lstrip("0123456789.,").isalpha()
            and len(word.lstrip("0123456789.,")) <= 4
        ):
            continue  # `412mb`
        found.add(word)
    return frozenset(found)


def rows(step: Step) -> tuple[Row, ...]:
    """The labelled figures of a step's result.  O(characters), cached by the step."""
    if step.json is not None:
        long = "\n".join(text for _, text in step.result_leaves if len(text) > 60 or "\n" in text)
        return (*_of_json(step.json), *_of_text(long))
    return tuple(_of_text(step.text))


def _of_text(text: str) -> list[Row]:
    found: list[Row] = []
    for raw in text.split("\n", _LINES)[:_LINES]:
        if len(raw) > _LINE or not _DIGIT.search(raw):
            continue
        line = (_CODES.sub("", raw) if "\x1b" in raw else raw).strip()
        numbers = numbers_in(line)
        if numbers:
            found.append(
                Row(
                    tuple([value for value, _, _, _ in numbers]),
                    None,
                    line,
                    frozenset([value for value, unit, _, _ in numbers if unit == "%"]),
                )
            )
    return found


def _of_json(value: Any) -> Iterable[Row]:
    """A row for each scalar of a JSON value, labelled with its key and its object's short strings."""
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    seen = 0
    while stack and seen < 2000:
        key, item, depth = stack.pop()
        seen += 1
        if isinstance(item, dict):
            pairs = list(item.items())[:80]
            names = [text for _, text in pairs if isinstance(text, str) and len(text) <= 60]
            around = labels_in(" ".join(names))
            for name, inner in pairs:
                amount = _amount(inner)
                if amount is not None:
                    words = frozenset(str(name).casefold().replace("-", "_").split("_"))
                    yield Row((amount,), around | words, f"{name}: {str(inner)[:80]}")
                elif isinstance(inner, list):
                    words = frozenset(str(name).casefold().replace("-", "_").split("_"))
                    yield Row((float(len(inner)),), words, f"{name}: {str(inner)[:80]}")
                if isinstance(inner, (dict, list)) and depth < 8:
                    stack.append((str(name), inner, depth + 1))
        elif isinstance(item, list) and depth < 8:
            for inner in item[:200]:
                if isinstance(inner, list) and any(
                    _amount(cell) is not None for cell in inner[:20]
                ):
                    cells = inner[:20]
                    yield Row(
                        tuple(n for cell in cells if (n := _amount(cell)) is not None),
                        labels_in(" ".join(c for c in cells if isinstance(c, str))),
                        str(inner)[:100],
                    )
                elif isinstance(inner, (dict, list)):
                    stack.append((key, inner, depth + 1))
                elif (amount := _amount(inner)) is not None:
                    yield Row((amount,), frozenset(), f"{key}: {inner}")


def _amount(item: Any) -> float | None:
    if isinstance(item, bool):
        return None
    if isinstance(item, (int, float)):
        return float(item)
    if isinstance(item, str) and len(item) <= 20 and item[:1].isdigit():
        return number(item.rstrip("%"))
    return None


def near(claimed: float, shown: float, places: int) -> bool:
    """True when `claimed`, given with `places` decimals, is `shown` or a rounding of it."""
    if claimed == shown:
        return True
    if abs(round(shown, places) - claimed) < 1e-9:
        return True
    if places == 0 and abs(claimed) >= 100 and claimed % 10 == 0:  # about 96,000 for 96,210
        step = 10.0
        while claimed % (step * 10) == 0:
            step *= 10
        return abs(shown - claimed) <= step
    return False


def derived(claimed: float, places: int, pool: Sequence[float], *, share: bool = True) -> bool:
    """True when the number follows from numbers that stand together.

    Sums and differences of two, the sum of all; with share also ratios and changes in per cent.
    O(pool squared), the pool being cut at 60.
    """
    pool = tuple(dict.fromkeys(pool))[:_POOL]
    if near(claimed, sum(pool), places):
        return True
    size = abs(claimed)
    low, high = _around(size, places)
    plain, percents, ratios = _combined(pool)
    return any(
        near(size, value, places)
        for found in (plain, *((percents, *((ratios,) if places else ())) if share else ()))
        for value in found[bisect_left(found, low) : bisect_right(found, high)]
    )


@lru_cache(maxsize=4)  # a turn asks again and again for the same numbers
def _combined(pool: tuple[float, ...]) -> tuple[list[float], list[float], list[float]]:
    """What two numbers of the pool make, in order: sums and differences, per cent, ratios."""
    plain: set[float] = set()
    ratios: set[float] = set()
    percents: set[float] = set()
    for i, a in enumerate(pool):
        for b in pool[i:]:
            plain.add(a + b)
            plain.add(abs(a - b))
            for over, under in ((a, b), (b, a)):
                if under:
                    ratio = over / under
                    ratios.add(abs(ratio))
                    percents.add(abs(ratio) * 100)
                    percents.add(abs(ratio - 1) * 100)
    first, second, third = (
        sorted(value for value in found if value == value) for found in (plain, percents, ratios)
    )
    return first, second, third


def _around(size: float, places: int) -> tuple[float, float]:
    """A range that holds every number `near` the size, and few others."""
    slack = 10.0**-places
    if places == 0 and size >= 100 and size % 10 == 0:
        slack = size  # rounded, and nobody knows how far
    slack += 1e-6 + size * 1e-9
    return size - slack, size + slack


def places_of(text: str) -> int:
    """Decimals that a number is written with; three digits behind a comma are thousands."""
    bare = text.strip("%$€£ ")
    head, dot, tail = bare.rpartition(".")
    if "," in tail or not dot:
        head, dot, tail = bare.rpartition(",")
        if len(tail) == 3:
            return 0
    return len(tail) if dot and tail.isdigit() and head else 0


def subset_sums(numbers: Sequence[int], most: int = 12) -> frozenset[int]:
    """Every sum of some of the numbers, at most `most` of them looked at (the last ones)."""
    found = {0}
    for value in numbers[-most:]:
        found |= {value + other for other in found}
    return frozenset(found - {0})


_OPENERS = PAGERS | frozenset("sed grep rg egrep ag awk git".split())
_LOOKS = frozenset({"show", "diff", "log", "blame", "grep"})


@remembered
def measures(step: Step) -> bool:
    """True when the result is about the state of things, not the content of a file that was opened."""
    if step.result is None or step.delegated or step.control:
        return False
    if step.command is None:
        return not (step.paths and step.reads_only and step.json is None)
    programs = [
        part for part in step.command.parts if part.words and part.program not in ("cd", "echo")
    ]
    if not programs:
        return False
    first = programs[0]
    if first.program not in _OPENERS:
        return True
    counting = any(part.program in ("wc", "uniq") or "-c" in part.words for part in programs)
    if first.program == "git":
        return (
            counting
            or not _LOOKS.intersection(first.words[1:3])
            or "--stat" in first.words
            or "--shortstat" in first.words
        )
    return counting
