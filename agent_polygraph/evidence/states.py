"""The states of the things that a result lists: `warehouse  FAILED` among rows of jobs.

Read from a list of objects with a status key, or from a table of text whose head names the column.
O(characters of the result), bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from .._lazy import regex, remembered
from . import outcomes
from .step import Step

_CHARS, _ROWS = 20_000, 400
_MORE_KEYS = frozenset({"ready", "health"})
_GAP = regex(r"[ ]*\|[ ]*|[ ]{2,}|\t+")
_SHARE = regex(r"(\d{1,4})/(\d{1,4})")
_OVER = frozenset({"completed", "succeeded", "complete"})  # a finished job has no ready container


class States(NamedTuple):
    """What a listing says of its things.

    rows: how many there are.  bad, waiting: (name, the row) of those that failed, and of those that are
    not at their end.  wholes: of how many parts a thing consists that has not all of them, `5/8`.
    """

    rows: int
    bad: tuple[tuple[str, str], ...]
    waiting: tuple[tuple[str, str], ...]
    wholes: frozenset[int]


@remembered
def states_of(step: Step) -> States | None:
    """The states that a result lists for its things; None where it lists none."""
    rows = list(_of_json(step.json) if step.json is not None else _of_text(step.body[:_CHARS]))
    bad = [(name, line) for name, states, line in rows if _bad(states)]
    waiting = [(name, line) for name, states, line in rows if _is(states, outcomes.PENDING)]
    wholes = {whole for _, states, _ in rows for part, whole in _shares(states) if part < whole}
    if len(rows) < 2 and not wholes:
        return None
    return States(len(rows), tuple(bad), tuple(waiting), frozenset(wholes))


def _shares(states: list[str]) -> list[tuple[int, int]]:
    hits = [hit for state in states if (hit := _SHARE.fullmatch(state.strip()))]
    return [(int(hit.group(1)), int(hit.group(2))) for hit in hits]


def _bad(states: list[str]) -> bool:
    low = [state.strip().casefold() for state in states]
    if not _OVER.isdisjoint(low):
        return False
    return any(part < whole for part, whole in _shares(low)) or _is(low, outcomes.FAILED)


def _is(states: list[str], kind: str) -> bool:
    words = (state.strip().casefold().replace(" ", "_").replace("-", "_") for state in states)
    return any(outcomes.kind_of(word) == kind for word in words)


def _is_state(key: str) -> bool:
    return (
        key in outcomes.STATUS_KEYS
        or key in _MORE_KEYS
        or key.endswith(("_status", "_state", "estado", "stato"))
    )


def _of_json(value: Any) -> Iterator[tuple[str, list[str], str]]:
    lists = [value] if isinstance(value, list) else []
    if isinstance(value, dict):
        lists = [item for item in value.values() if isinstance(item, list)]
    listed = [items for items in lists if len(items) >= 2]
    if len(listed) != 1:
        return
    for item in listed[0][:_ROWS]:
        if not isinstance(item, dict):
            return
        texts = {
            str(k).casefold(): v for k, v in item.items() if isinstance(v, str) and len(v) < 80
        }
        states = [text for key, text in texts.items() if _is_state(key)]
        name = next((text for key, text in texts.items() if not _is_state(key)), "")
        if not states or not name:
            return
        yield name, states, ", ".join(f"{key}: {text}" for key, text in list(texts.items())[:6])


def _of_text(text: str) -> Iterator[tuple[str, list[str], str]]:
    head: list[str] = []
    places: list[int] = []
    for line in text.split("\n")[:_ROWS]:
        cells = [cell for cell in _GAP.split(line.strip().strip("|").strip()) if cell]
        low = [cell.casefold() for cell in cells]
        if not head and len(cells) >= 2:
            places = [n for n, cell in enumerate(low) if n and _is_state(cell)]
            head = low if places else []
        elif head and len(cells) == len(head):
            yield cells[0], [cells[n] for n in places], line.strip()
