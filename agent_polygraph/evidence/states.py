"""The states of the things that a result lists: `warehouse  FAILED` among rows of jobs.

Read from a list of objects with a status key, or from a table of text whose head names the column.
O(characters of the result), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .._lazy import regex, remembered
from . import outcomes
from .step import Step

_CHARS, _ROWS = 20_000, 400
_READY = frozenset({"ready"})
_MORE_KEYS = _READY | {"health"}
# Listings of what was tried, not of what there is.
_TRIES = frozenset(
    "attempt attempts run runs history execution executions deploys deployment deployments export exports build"
    " builds event events release releases try retries".split()
)
_BAD = regex(
    r"(?:fail(?:ed|ure|ing)?|err(?:or(?:s|ed)?)?|crash(?:ed|ing|loop\w*)?|unhealthy|unreachable|timed?[ _-]?out"
    r"|oom(?:killed)?|down|ko|not[ _-]?ready|degraded|\w+backoff)(?:[ (:].{0,40})?"
)
_GAP = regex(r"[ ]*\|[ ]*|[ ]{2,}|\t+")
_WORD = regex(r"[^\W\d_]+")
_SHARE = regex(r"(\d{1,4})/(\d{1,4})")
_OVER = frozenset(
    # a finished job, and one that was taken down, has no ready container
    "completed succeeded complete terminating evicted closed cancelled canceled".split()
)


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
    if not _TRIES.isdisjoint(_called(step)):
        return None
    rows = list(_of_json(step.json) if step.json is not None else _of_text(step.body[:_CHARS]))
    bad = [(name, line) for name, states, shares, line in rows if _bad(states, shares)]
    waiting = [(name, line) for name, states, _, line in rows if _waits(states)]
    wholes = {whole for _, _, shares, _ in rows for part, whole in shares if part < whole}
    if len(rows) < 2 and not wholes:
        return None
    return States(len(rows), tuple(bad), tuple(waiting), frozenset(wholes))


def _shares(states: list[str]) -> list[tuple[int, int]]:
    hits = [hit for state in states if (hit := _SHARE.fullmatch(state.strip()))]
    return [(int(hit.group(1)), int(hit.group(2))) for hit in hits]


def _bad(states: list[str], shares: list[tuple[int, int]]) -> bool:
    low = [state.strip().casefold() for state in states]
    if not _OVER.isdisjoint(low):
        return False
    return any(part < whole for part, whole in shares) or any(map(_BAD.fullmatch, low))


def _waits(states: list[str]) -> bool:
    return any(outcomes.state_kind(state) == outcomes.PENDING for state in states)


def _is_state(key: str) -> bool:
    return key in _MORE_KEYS or outcomes.is_state_key(key)


def _called(step: Step) -> list[str]:
    """What a listing is called: the words of the tool, and the keys of the result."""
    keys = list(step.json)[:20] if isinstance(step.json, dict) else []
    name = " ".join(step.words) if step.command is None else ""
    return [word for text in (*keys, name) for word in _WORD.findall(str(text).casefold())]


_Row = tuple[str, list[str], list[tuple[int, int]], str]  # name, states, shares, the row


def _of_json(value: Any) -> Iterator[_Row]:
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
        shares = _shares([text for key, text in texts.items() if key in _READY])
        yield (
            name,
            states,
            shares,
            ", ".join(f"{key}: {text}" for key, text in list(texts.items())[:6]),
        )


# `lint<TAB>pass<TAB>22s`: rows of `gh pr checks`, which has no head.
_CHECKED = regex(
    r"^([^\t\n]{2,80})\t(pass|fail|pending|skipping|cancell?ed|success|failure)\t[^\n]*$",
    re.MULTILINE,
)
_SAID = {"fail": "failed", "failure": "failed", "pass": "passed"}


def _of_text(text: str) -> Iterator[_Row]:
    listed = _CHECKED.findall(text) if "\t" in text else []
    if len(listed) >= 2:
        for name, state in listed[:_ROWS]:
            yield name, [_SAID.get(state, state)], [], f"{name}  {state}"
        return
    head: list[str] = []
    places: list[int] = []
    for line in text.split("\n")[:_ROWS]:
        cells = [cell for cell in _GAP.split(line.strip().strip("|").strip()) if cell]
        low = [cell.casefold() for cell in cells]
        if not head and len(cells) >= 2:
            places = [n for n, cell in enumerate(low) if n and _is_state(cell)]
            head = low if places else []
        elif head and len(cells) == len(head):
            shares = _shares([cells[n] for n in places if head[n] in _READY])
            yield cells[0], [cells[n] for n in places], shares, line.strip()
