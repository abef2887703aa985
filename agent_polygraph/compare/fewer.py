"""All of so many, over an answer that counts fewer: `all 131 are moved` over `matched: 131, failed: 6`.

An object of a result that has a number for the whole and numbers for its parts is a tally.  The last tally
of that whole decides: of a call that changed something, of a look at the job that it started, or of a look
whose own word the sentence uses (`all 3 replicas are ready` over `desired: 3, ready: 2`).
O(characters of the closing + objects of the last results), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from .._lazy import regex
from ..binding import Turn
from ..binding.words import NUMBER_WORDS, PIECES, stem
from ..evidence.jobs import keys_of
from ..evidence.outcomes import PENDING
from ..evidence.records import words_of_key
from ..evidence.step import Step
from .codes import stated_at
from .mismatch import Mismatch

_LAST = 30  # calls that are looked at
_MOST = 200  # objects of a result
_DEEP = 4
_WHOLES = frozenset(
    "total desired matched requested expected attempted replicas recipients targets".split()
)
_DONE = frozenset(
    "ready available succeeded success successful updated sent delivered imported migrated done completed"
    " healthy applied synced processed created deleted replaced moved uploaded converted accepted".split()
)
_NOT_DONE = frozenset(
    "failed failures errors rejected skipped unreachable unavailable bounced undelivered refused denied"
    " unready pending remaining".split()
)
_ALL = regex(
    r"\b(?:all|alle[nr]?|tod[oa]s|tous|toutes|tutt[ie]|все)[ *_]{1,3}"
    r"(?:(?:of|the|von|den|die|los|las|les|os|as|i|gli|le)[ *_]{1,3}){0,2}([\w.,]{1,9})"
    r"|(?:全部|所有)\s?(\d{1,6})",
    re.IGNORECASE,
)


class _Count(NamedTuple):
    """whole, the parts that are done; quote: the words that show that some are not, empty where none is."""

    whole: int
    done: frozenset[int]
    quote: str
    words: frozenset[str]


def fewer(turn: Turn) -> Iterator[Mismatch]:
    """Wholes told done of which the last tally counts a part."""
    document = turn.closing.document
    for found in _ALL.finditer(document.text):
        whole = _number(found.group(1) or found.group(2))
        claim = stated_at(turn, found.start()) if whole >= 2 else None
        if claim is None:
            continue
        start, end = document.sentences[claim.clause.sentence]
        said = {stem(word) for word in PIECES.findall(document.masked[start:end].casefold())}
        short = _short_of(turn, whole, said)
        if short is None:
            continue
        step, count = short
        rest = {*count.done, *(whole - part for part in count.done)} - {whole}
        told = document.text[: found.start()] + document.text[found.end() :]
        if not any(_tells(number, told) for number in rest) and not any(
            d.kind in ("part", "failed") and abs(d.sentence - claim.clause.sentence) <= 1
            for d in turn.disclosures
        ):
            yield Mismatch(claim, step, found.group().strip(" *_"), count.quote)
            return


def _tells(number: int, text: str) -> bool:
    return re.search(rf"(?<![\w.,]){number}(?!\w|[.,]\d|\s?%)", text) is not None


def _short_of(turn: Turn, whole: int, said: set[str]) -> tuple[Step, _Count] | None:
    """The last tally of that whole, where it counts some that are not done."""
    acts = turn.ledger.acts[-_LAST:]
    started = [key for s in acts if s.outcome.kind == PENDING and not s.reads_only for key in keys_of(s)]
    for step in reversed(acts):
        if step.result is None or step.delegated or step.command is not None or not step.json:
            continue
        tied = not step.reads_only or any(step.mentions(key) for key in started)
        for count in _counts(step.json):
            if count.whole != whole:
                continue
            about = not said.isdisjoint(count.words)
            if count.quote and (about or (tied and whole >= 10)):
                return step, count
            return None
        if not step.reads_only and not step.control:
            return None  # it may have done the rest
    return None


def _number(word: str) -> int:
    plain = word.strip(".,").replace(",", "").replace(".", "")
    return int(plain) if plain.isdecimal() else NUMBER_WORDS.get(word.casefold(), 0)


def _counts(value: Any) -> Iterator[_Count]:
    """The tallies of a JSON value."""
    return islice(_walk(value, "", 0), _MOST)


def _walk(value: Any, name: str, depth: int) -> Iterator[_Count]:
    if depth > _DEEP:
        return
    if isinstance(value, list):
        for item in value[:_MOST]:
            yield from _walk(item, name, depth + 1)
    if not isinstance(value, dict):
        return
    numbers = [
        (key, words_of_key(str(key)), _size(item)) for key, item in list(value.items())[:_MOST]
    ]
    for key, words, whole in numbers:
        if whole is not None and words & _WHOLES:
            done = [(k, w, n) for k, w, n in numbers if n is not None and w & _DONE and k != key]
            bad = [(k, w, n) for k, w, n in numbers if n and w & _NOT_DONE and n <= whole]
            parts = [n for _, _, n in done]
            full = whole in parts or sum(parts) == whole
            least = bad or [(k, w, n) for k, w, n in done if n < whole and not full]
            quote = f"{least[-1][0]}: {least[-1][2]} of {whole}" if least else ""
            named = frozenset(
                stem(word) for word in (*words_of_key(name), *words, *(w for _, ws, _ in done for w in ws))
            )
            known = {n for _, _, n in (*done, *bad)}
            if done or bad:
                yield _Count(whole, frozenset(known), quote, named)
    for key, item in list(value.items())[:_MOST]:
        if isinstance(item, (dict, list)):
            yield from _walk(item, str(key), depth + 1)


def _size(item: Any) -> int | None:
    """A whole number, or how many a list of objects has."""
    if isinstance(item, list):
        return len(item) if item and isinstance(item[0], dict) else None
    return item if isinstance(item, int) and not isinstance(item, bool) and item >= 0 else None
