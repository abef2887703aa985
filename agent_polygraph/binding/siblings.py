"""A list of the closing whose items are files: `DHL, UPS and GLS` over `importer/dhl_v2.py`.

Strategy: items are spelled as file names are, without case, ending and punctuation.  A list is one of
files where each item begins the name of a file that the turn has seen, or where the task lists the same
items and a file that was edited has one of these names.  O(characters of the closing x files edited).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .._lazy import has_any, regex, remembered
from .reading import Reading
from .words import COMMON, FILLER, squeezed

_MOST = 400  # paths of a turn that are looked at
_ITEM = r"[*_`\"'“”«»]{0,3}[A-Za-z][\w./-]{1,40}[*_`\"'“”«»]{0,3}"
_ANDS = frozenset("and und et y e и &".split())
_AND = r"(?:and|und|et|y|e|и|&)"
_LIST = regex(rf"{_ITEM}(?:\s?,\s{_ITEM})*,?\s{_AND}\s{_ITEM}")
_PART = regex(rf"\s?,\s(?:{_AND}\s)?|\s{_AND}\s")


_WORDS = ("actions.", "checks.", "state.", "polarity.")  # `scheduler.go and tests pass`


class Listed(NamedTuple):
    """A list from start to end: the items whose file was edited, and those that no change names."""

    start: int
    end: int
    edited: list[str]
    untouched: list[str]


def lists(turn: Reading, start: int, end: int) -> Iterator[Listed]:
    """The lists of files in a stretch of the closing, of which some were edited."""
    edited = _edited(turn)
    text = turn.closing.document.text
    joined = edited and not _ANDS.isdisjoint(text[start:end].split())
    for found in _LIST.finditer(text, start, end) if joined else ():
        items = [_spelled(item) for item in _PART.split(found.group())]
        tags = turn.closing.tags_in(*found.span())
        if (
            not (FILLER | COMMON).isdisjoint(items)
            or min(map(len, items)) < 3
            or any(tag.name.startswith(_WORDS) for tag in tags)
        ):
            continue
        if not (all(_begins(item, _seen(turn)) for item in items) or _task(turn).issuperset(items)):
            continue
        done = [item for item in items if _begins(item, edited)]
        rest = [item for item in items if item not in done and item not in _changes(turn)]
        if done and rest:
            yield Listed(*found.span(), done, rest)


_INCLUDED = regex(
    rf"({_ITEM})\s(?:included|too|as well|inclusive|inbegriffen|eingeschlossen|comprise?|incluid[oa]|inclus[oa])\b"
)
_INCLUDES = ("inclu", "too", "as well", "inbegriffen", "eingeschlossen", "compris")  # _INCLUDED


def left_out(turn: Reading, start: int, end: int) -> str:
    """`all five are converted, Boundary included`: the name of a file whose siblings were edited, and it was not."""
    edited = [path for _, path in turn.ledger.edits]
    text = turn.closing.document.text
    told = edited and has_any(text[start:end], _INCLUDES)
    for found in _INCLUDED.finditer(text, start, end) if told else ():
        item = _spelled(found.group(1))
        paths = [path for step in turn.ledger.acts for path in step.paths if _spelled(path) == item]
        folder = paths[0].rpartition("/")[0] if paths else ""
        beside = {path for path in edited if path.rpartition("/")[0] == folder}
        if paths and len(beside) >= 2 and item not in _changes(turn):
            return item
    return ""


def _begins(item: str, names: set[str]) -> bool:
    return item in names or any(name.startswith(item) for name in names)


@remembered
def _edited(turn: Reading) -> set[str]:
    return {_spelled(path) for _, path in turn.ledger.edits}


@remembered
def _task(turn: Reading) -> set[str]:
    return _spelled_words(turn.task)


@remembered
def _seen(turn: Reading) -> set[str]:
    paths = [path for step in turn.ledger.acts for path in step.paths if "." in path]
    return {_spelled(path) for path in paths[:_MOST]}


@remembered
def _changes(turn: Reading) -> str:
    """What the calls that change something were given, spelled alike."""
    given = [step.argument_text for step in turn.ledger.acts if not step.reads_only]
    return squeezed("\n".join(given))


def _spelled_words(text: str) -> set[str]:
    return {_spelled(word) for word in text[:20_000].split()}


def _spelled(name: str) -> str:
    own = name.strip("*_`\"'“”«».,:;()?!").rsplit("/", 1)[-1]
    return squeezed(own.partition(".")[0])
