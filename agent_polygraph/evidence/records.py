"""Objects of a JSON result as records, and sentences compared with them slot by slot.

A sentence reports a record when it repeats some of its values.  The slots it does not repeat are then
comparable in any language: another count where the record counts, another name where the record names
a person.  Linear: every value is looked for once in a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .._lazy import regex

if TYPE_CHECKING:
    from .step import Step

COUNT_WORDS = frozenset(
    "result results count counts total totals num number numbers matches hits matched found"
    " returned rows".split()
)
# Keys whose value is the person a record is from, of or for.
PERSON_WORDS = frozenset(
    "sender from author owner assignee reporter customer client creator user recipient contact"
    " organizer host manager"
    " requester submitter approver reviewer driver patient employee".split()
)
_NAME = regex(r"[A-Z][^\W\d_]{1,19}(?: [A-Z][^\W\d_]{1,19}){0,2}\Z")
_MOST = 60


class Record(NamedTuple):
    """Scalars of one JSON object.  strings: (key, value); counts: (key, number) of count-like keys."""

    strings: tuple[tuple[str, str], ...]
    counts: tuple[tuple[str, int], ...]
    numbers: frozenset[float]


class Match(NamedTuple):
    """A record that a sentence repeats: which string slots it gives, which it does not."""

    record: Record
    told: tuple[tuple[str, str], ...]
    untold: tuple[tuple[str, str], ...]


@lru_cache(maxsize=4096)
def words_of_key(key: str) -> frozenset[str]:
    """`resultCount`, `result_count` -> {result, count}."""
    return frozenset(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower().replace("-", "_").split("_"))


def records(step: Step) -> tuple[Record, ...]:
    """The objects of a step's JSON result, at most 60."""
    return tuple(_walk(step.json)) if step.json is not None else ()


def _walk(value: Any) -> Iterator[Record]:
    stack: list[tuple[Any, int]] = [(value, 0)]
    made = 0
    while stack and made < _MOST:
        item, depth = stack.pop()
        if isinstance(item, dict):
            pairs = list(item.items())[:_MOST]
            strings = tuple(
                (str(k), v) for k, v in pairs if isinstance(v, str) and 3 <= len(v) <= 80
            )
            numbers = [
                (str(k), v)
                for k, v in pairs
                if isinstance(v, (int, float)) and not isinstance(v, bool)
            ]
            counts = tuple(
                (k, v) for k, v in numbers if isinstance(v, int) and words_of_key(k) & COUNT_WORDS
            )
            if strings or numbers:
                made += 1
                yield Record(strings, counts, frozenset(float(v) for _, v in numbers))
            if depth < 6:
                stack.extend((v, depth + 1) for _, v in pairs if isinstance(v, (dict, list)))
        elif isinstance(item, list) and depth < 6:
            stack.extend((v, depth + 1) for v in item[:_MOST] if isinstance(v, (dict, list)))


def matches(step: Step, sentence: str) -> Iterator[Match]:
    """The records of the step that the sentence repeats a value of."""
    low = sentence.casefold()
    for record in step.records:
        told: list[tuple[str, str]] = []
        untold: list[tuple[str, str]] = []
        for key, text in record.strings:
            (told if _holds(low, text.casefold()) else untold).append((key, text))
        if told:
            yield Match(record, tuple(told), tuple(untold))


def _holds(text: str, part: str) -> bool:
    """True when `part` stands in `text` as whole words."""
    at = text.find(part)
    while at >= 0:
        end = at + len(part)
        if not (text[at - 1 : at].isalnum() and at) and not text[end : end + 1].isalnum():
            return True
        at = text.find(part, at + 1)
    return False


def person(match: Match) -> tuple[str, str] | None:
    """(key, name) of the one person slot of the record, where the sentence leaves it out."""
    named = [
        (key, text)
        for key, text in (*match.told, *match.untold)
        if words_of_key(key) & PERSON_WORDS and _NAME.match(text)
    ]
    return named[0] if len(named) == 1 and named[0] in match.untold else None
