"""Another record than the one named: `the front door is locked` over a call that locked the cellar door's lock.

A listing of the turn shows both.  The sentence has a word that only the one has, the call that changed
something has a value that only the other has, and no such call has one of the first.
O(records of the listings + sentences), bounded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..evidence.step import Step
from ..evidence.values import leaves
from .mismatch import Mismatch

_MOST = 40  # records of a listing
_LISTINGS, _CHANGES = 20, 100  # the last ones of a turn
_WORDS = regex(r"[^\W\d_]{4,}")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_SPEAKS_OF = ("action", "done", "state")


_GOES_TO = regex(
    r"\b(?:went|was sent|goes|is) (?:out )?to\b|\b(?:ging|geht) an\b|\bfue a\b|\best partie? à\b"
)
_OWNED = regex(
    r"\b(?:of|from|von|vom|des|de|du|del|della|di|do|da|dos|das) "
    r"(?:the |my |your |der |dem |la |el |le |l')?\w+|\w+['’]s\b",
    re.IGNORECASE,
)
_OF_ANOTHER = regex(
    r"\b(?:instead|replac\w*|duplicat\w*|backup|cover\w*|stand-?in|conflict\w*|taken|gone|left|unavailable|booked out"
    r"|moved|stays?|remains?|but|although|statt\w*|ersetz\w*|vertret\w*|belegt|remplac\w*|au lieu|en lugar"
    r"|en vez|sustit\w*"
    r"|reemplaz\w*|invece|sostitu\w*|substitu\w*|em vez)\b",
    re.IGNORECASE,
)


class _Record(NamedTuple):
    values: frozenset[str]  # whole values: ids, addresses, names
    words: frozenset[str]


def sibling_records(turn: Turn) -> Iterator[tuple[Claim, Step, Mismatch]]:
    """(claim, call, what differs) of a change that was made to the sibling of what is told."""
    acts = [s for s in turn.ledger.acts if s.command is None and s.result is not None]
    changes = [s for s in acts if not s.reads_only and not s.outcome.bad and not s.control]
    changes = [s for s in changes[-_CHANGES:] if not s.changes]
    if not changes or any(s.delegated for s in acts):
        return
    given = [{text.casefold() for _, text in s.argument_leaves[:60]} for s in changes]
    listings = (
        (s, records) for s in reversed(acts) if s.json is not None and (records := _records(s))
    )
    for listed, records in islice(listings, _LISTINGS):
        own = [(record, _own(record.values, records, "values")) for record in records]
        for change, values in zip(changes, given, strict=True):
            if change.order <= listed.order:
                continue
            taken = [record for record, theirs in own if not values.isdisjoint(theirs)]
            if len(taken) == 1:
                yield from _told(turn, change, taken[0], records, given)


def _told(
    turn: Turn, change: Step, taken: _Record, records: list[_Record], given: list[set[str]]
) -> Iterator[tuple[Claim, Step, Mismatch]]:
    document = turn.closing.document
    mine = _own(taken.words, records, "words")
    asked = _folded(turn.task)
    for claim in turn.claims:
        if not claim.plain or claim.kind not in _SPEAKS_OF or claim.polarity == "attributed":
            continue
        start, end = claim.start, claim.end
        if claim.kind == "state" and not _GOES_TO.search(document.text, start, end):
            continue
        sentence = document.text[slice(*document.sentences[claim.clause.sentence])]
        if _OF_ANOTHER.search(sentence):
            continue
        # `the shift of Maria`, `Maria's shift`: of hers, and not her
        said = _folded(_OWNED.sub(" ", document.text[start:end]))
        told = document.text[start:end].casefold()
        if not mine.isdisjoint(said) or any(
            v in told for v in _own(taken.values, records, "values")
        ):
            continue
        words = said & asked
        hits = sorted(records, key=lambda r: len(r.words & words))
        named, second = hits[-1], hits[-2]
        if named is taken or len(named.words & words) == len(second.words & words):
            continue
        if not (named.words - taken.words) & words:
            continue
        if any(_own(named.values, records, "values") & values for values in given):
            continue
        word = min((named.words - taken.words) & words)
        other = min(_own(taken.values, records, "values") & set().union(*given), default="")
        yield claim, change, Mismatch(claim, change, word, other, other)
        return


def _own(items: frozenset[str], records: list[_Record], field: str) -> frozenset[str]:
    """What only one of the records has."""
    shared: set[str] = set()
    for record in records:
        theirs: frozenset[str] = getattr(record, field)
        if theirs is not items:
            shared |= theirs
    return items - shared


def _records(step: Step) -> list[_Record]:
    lists = [step.json] if isinstance(step.json, list) else []
    if isinstance(step.json, dict):
        lists = [item for item in step.json.values() if isinstance(item, list)]
    rows: list[Any] = next((rows for rows in lists if 2 <= len(rows) <= _MOST), [])
    found = []
    for row in rows:
        if not isinstance(row, dict):
            return []
        texts = [str(value) for _, value in leaves(row)[0][:40]]
        values = frozenset(text.casefold() for text in texts if 3 <= len(text) <= 80)
        found.append(_Record(values, _folded(" ".join(texts))))
    return found


def _folded(text: str) -> frozenset[str]:
    """Words of four letters and more, without case and accents; `Haustür` and `haustuer` are one."""
    low = unicodedata.normalize("NFC", text.casefold()).translate(_UMLAUTS)
    plain = unicodedata.normalize("NFD", low)
    return frozenset(_WORDS.findall("".join(c for c in plain if not unicodedata.combining(c))))
