"""Sentences of the closing against the records they repeat: the language-neutral comparison.

Strategy: a sentence that gives some of a record's values reports that record.  Its number has to be
the record's count, and the name it puts where the record names a person has to be that person.  No
word table is asked, so it holds in every language; what it needs is that the record is repeated.
"""

from __future__ import annotations

from collections.abc import Iterator

from .._lazy import regex, remembered
from ..binding import Turn
from ..claims.grammar import ASSERTED, Claim
from ..claims.lexicon import load
from ..claims.text import Clause
from ..evidence.figures import LABEL
from ..evidence.records import Match, matches, person
from ..evidence.step import Step
from .counted import SMALL
from .mismatch import Mismatch
from .tally import SCALE, tally

_CAPITAL = regex(r"(?<![\w.@/-])[A-Z][^\W\d_]{2,19}(?![\w@/-])")


# What makes the number before it a part of a date or a time.
_CALENDAR = tuple("年月日時时分秒년월일시분초")


def sentences(turn: Turn) -> Iterator[tuple[Claim, str]]:
    """(claim, text) of every sentence that simply states something."""
    document = turn.closing.document
    told = {claim.clause.sentence: claim for claim in reversed(turn.claims) if claim.plain}
    spoken = {claim.clause.sentence for claim in turn.claims}
    done: set[int] = set()
    for clause in document.clauses:
        number = clause.sentence
        if number in done:
            continue
        done.add(number)
        if not clause.states or clause.opener == "(":
            continue
        if number in spoken and number not in told:
            continue
        start, end = document.sentences[number]
        claim = told.get(number) or _claim(start, end, clause)
        yield claim, document.text[start:end]


def _claim(start: int, end: int, clause: Clause) -> Claim:
    return Claim("report", "", start, end, clause, ASSERTED)


@remembered
def _reported(turn: Turn) -> list[tuple[Claim, str, Step, Match]]:
    """The sentences with the last record that each repeats."""
    by_head = _steps_by_head(turn)
    if not by_head:
        return []
    reported: list[tuple[Claim, str, Step, Match]] = []
    for claim, text in sentences(turn):
        if len(text) > 600:
            continue
        heads = {"", *_RUN.findall(text.casefold())}
        near = {step.order: step for head in heads for step in by_head.get(head, ())}
        found = [(near[o], match) for o in sorted(near) for match in matches(near[o], text)]
        if found:
            most = max(len(match.told) for _, match in found)
            best = [(step, match) for step, match in found if len(match.told) == most]
            if len(best) == 1:  # a value that many records have tells none of them
                reported.append((claim, text, *best[0]))
    return reported


_RUN = regex(r"[^\W_]+")


def _steps_by_head(turn: Turn) -> dict[str, list[Step]]:
    """The steps with records, by the first word of each value that a sentence may repeat."""
    found: dict[str, list[Step]] = {}
    for step in turn.ledger.acts:
        if step.json is None or step.delegated:
            continue
        values = {text for record in step.records for _, text in record.strings}
        heads = {run[0] if (run := _RUN.match(text.casefold())) else "" for text in values}
        for head in heads:
            found.setdefault(head, []).append(step)
    return found


def wrong_counts(turn: Turn) -> Iterator[Mismatch]:
    """`Ann sent 3 mails about Lunch` over `{"sender": "Ann", "subject": "Lunch", "count": 2}`."""
    for claim, text, step, match in _reported(turn):
        counts = {number for _, number in match.record.counts}
        if len(counts) != 1 or 2 * len(match.told) < len(match.record.strings):
            continue  # a record with much else in it counts something of its own
        (count,) = counts
        start = turn.closing.document.sentences[claim.clause.sentence][0]
        values = turn.closing.document.values_in(start, start + len(text))
        dated = [(v.start, v.end) for v in values if v.kind in ("date", "time")]
        dated += turn.closing.document.quotes  # a title counts nothing
        said = [
            value
            for value in values
            if value.kind == "number"
            and not turn.closing.document.text.startswith(_CALENDAR, value.end)
            and not SCALE.match(turn.closing.document.text, value.end)
            and not any(value.text in told for _, told in match.told)
            and not any(a <= value.start < b for a, b in dated)
            and not LABEL.search(turn.closing.document.text[: value.start][-24:])
        ]
        if (
            len(said) == 1
            and "." not in said[0].norm
            and float(said[0].norm) not in match.record.numbers
            and not (float(said[0].norm) > SMALL and tally(turn).stands(float(said[0].norm), 0))
        ):
            yield Mismatch(claim, step, said[0].text, str(count))


def wrong_names(turn: Turn) -> Iterator[Mismatch]:
    """`Bob sent 2 mails about Lunch` over `{"sender": "Ann", "subject": "Lunch", "count": 2}`."""
    for claim, text, step, match in _reported(turn):
        slot = person(match)
        if slot is None:
            continue
        start = turn.closing.document.sentences[claim.clause.sentence][0]
        numbers = {
            float(value.norm)
            for value in turn.closing.document.values_in(start, start + len(text))
            if value.kind == "number"
        }
        counted = any(float(number) in numbers for _, number in match.record.counts)
        if len(match.told) + counted < 2:
            continue
        strange = [name for name in _names(turn, text) if not _known(turn, name)]
        if len(strange) == 1 and not any(
            part.casefold() in text.casefold() for part in slot[1].split()
        ):
            yield Mismatch(claim, step, strange[0], f"{slot[0]} {slot[1]}")


def _names(turn: Turn, text: str) -> list[str]:
    """Capitalised words of the sentence that are no word of its languages' tables."""
    plain: set[str] = set()
    for code in turn.closing.languages:
        plain |= load(code).stopwords
    tagged = {
        turn.closing.document.text[tag.start : tag.end].casefold() for tag in turn.closing.tags
    }
    return [
        match.group()
        for match in _CAPITAL.finditer(text)
        if match.group().casefold() not in plain and match.group().casefold() not in tagged
    ]


def _known(turn: Turn, name: str) -> bool:
    low = name.casefold()
    return (
        low in turn.task.casefold()
        or turn.ledger.mention(low) is not None
        or any(low in text.casefold() for text in turn.ledger.told)
    )
