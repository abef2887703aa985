"""Numbers beside their labels: a clause and a row of a result that name the same thing."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import accumulate

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..claims.text import Clause
from ..evidence.figures import Row, labels_in, measures, near, numbers_in, places_of
from ..evidence.step import Step
from .counted import SMALL
from .mismatch import Mismatch
from .planned import estimated, planned, title_at
from .sums import grown_alike, reckoned
from .tally import SCALE, UNITS, Tally, tally

# Units of time: a span is seldom measured, it is policy or habit.
_TIME_WORDS = frozenset(
    "bit bits byte bytes second seconds sec secs minute minutes min mins hour hours hrs day days week weeks month"
    " months year years business"
    " sekunden minuten stunden tage tagen wochen monate jahre segundos minutos horas días"
    " semanas meses años"
    " secondes heures jours semaines mois ans dias anos secondi minuti ore giorni settimane mesi"
    " anni"
    " секунд минут часов дней недель лет मिनट घंटे दिन".split()
)


_TIME_CHARACTERS = (
    "日",
    "天",
    "週",
    "周",
    "月",
    "年",
    "時",
    "时",
    "分",
    "秒",
    "小時",
    "小时",
    "시",
    "분",
    "초",
    "일",
    "주",
    "개월",
    "년",
)


_POOL = 16
_LOOKED_UP = 60  # numbers that stand nowhere
_ROWS_READ = 400_000  # rows that are gone through for all of them together


_QUIET = frozenset(
    "polarity.hedge polarity.future polarity.cond polarity.intent polarity.request"
    " polarity.prior polarity.excuse".split()
)


# Words that label nothing by themselves.
_PLAIN = frozenset(
    "the and for with are was were has have had that this from into per all each total time"
    " count now of in on to is".split()
)


# A label of what may be, not of what is.
_BOUND = regex(r"(?:\b|_)(?:max|min|limit|cap|threshold|budget|quota)(?:\b|_)", re.IGNORECASE)


def beside_labels(turn: Turn) -> Iterator[Mismatch]:
    """Numbers that stand nowhere, in a clause whose labels stand beside another number."""
    document = turn.closing.document
    if not any(map(str.isdigit, document.text)):
        return
    steps = [step for step in turn.ledger.acts if not step.outcome.bad and measures(step)]
    if not steps:
        return
    held = [
        (value.start, value.end)
        for value in document.values
        if value.kind in ("path", "url", "id", "sha", "date", "time", "email", "amount")
    ]
    held += [*document.code, *document.quotes]
    inside = _inside(held)
    by_clause: dict[int, list[Claim]] = {}
    for claim in turn.claims:
        by_clause.setdefault(claim.start, []).append(claim)
    looked_up = rows = 0
    for clause in document.clauses:
        if not clause.states:
            continue
        text = document.text[clause.start : clause.end]
        if not any(map(str.isdigit, text)):
            continue
        claims = by_clause.get(clause.start, [])
        if claims and not any(claim.plain for claim in claims):
            continue
        if any(tag.name in _QUIET for tag in turn.closing.tags_in(clause.start, clause.end)):
            continue
        claim = next((c for c in claims if c.plain), None) or Claim(
            "figure", "", clause.start, clause.end, clause, "asserted"
        )
        for value, unit, start, end in numbers_in(text):
            at = clause.start + start
            if inside(at) or any(a <= at < b for a, b in clause.holes):
                continue
            if clause.block == "table" and _in_label(text, start):
                continue
            places = places_of(text[start:end])
            if not places and unit != "%" and (value <= SMALL or 1900 <= value <= 2100):
                continue
            if not places and unit != "%" and not _labelled(clause, text, start, end):
                continue
            if (
                text[:start].rstrip()[-1:] in _CURRENCY
                or _CONVERTED.search(document.text[max(0, at - 24) : at])
                or _ABOUT.search(text[max(0, start - 40) : start])
                or _of_time(text[end:])
                or tally(turn).stands(value, places)
                or tally(turn).resized(value, places)
                or tally(turn).scaled(value, places, unit, text[end:])
                or reckoned(turn, value)
                or _grouped(turn, text[start:end])
            ):
                continue
            looked_up += 1
            rows = rows or sum(len(step.rows) for step in steps)
            if looked_up > _LOOKED_UP or looked_up * rows > _ROWS_READ:
                return
            hit = _beside(tally(turn), steps, text, (start, end), value, unit, places)
            if hit and any(grown_alike(turn, value, number) for number in hit[1].numbers):
                continue
            if hit and _converted(value, places, [n for n, *_ in numbers_in(text)]):
                continue  # `| 412.6 ms | 0.41 s |`
            if (
                hit
                and clause.block == "table"
                and (planned(title_at(document.text, at)) or estimated(turn))
            ):
                continue  # `| | today | target |`
            if hit and _BOUND.search(hit[1].line):
                told = {n for n, *_ in numbers_in(document.text[clause.start : clause.end + 20])}
                if told.issuperset(hit[1].numbers):
                    continue  # `145 a night (max 150)`: the bound is told beside what keeps to it
            if hit:
                step, row = hit
                yield Mismatch(
                    claim,
                    step,
                    text[start:end] + ("%" if unit == "%" else ""),
                    row.line[:80],
                    row.line,
                )
                break


def _converted(value: float, places: int, others: list[float]) -> bool:
    """True for another number of the clause in a larger unit."""
    slack = 0.51 * 10**-places
    return places > 0 and any(
        abs(other / size - value) <= slack < value for other in others for size in UNITS
    )


def _form(text: str, start: int, end: int, unit: str) -> tuple[str, int]:
    """(sort, decimals) of the number that stands there."""
    places = places_of(text[start:end])
    if unit == "%":
        return "share", places
    if _SIZE.match(text[end : end + 8].lstrip()):
        return "size", places
    return ("scaled" if SCALE.match(text, end) else "plain"), places


_SIZE = regex(r"(?:[kKMGTP]i?[Bb]|[Bb]ytes?|[Bb]its?)\b")


def _denies(row: Row, sort: str, places: int) -> bool:
    """True for a row with a number of the same sort: a share is denied by a share, a size by a size.

    A whole number is denied by a whole one, and a share by a bare decimal as exact as it is: a column has no `%`.
    """
    for _, unit, start, end in numbers_in(row.line):
        other, exact = _form(row.line, start, end, unit)
        if other == sort and (sort != "plain" or bool(exact) == bool(places)):
            return True
        if (sort, other) == ("share", "plain") and exact == places > 0:
            return True
    return False


def _grouped(turn: Turn, text: str) -> bool:
    """`84.210` where dots part the thousands: the number without them stands in the evidence."""
    bare = text.strip("+-−")
    return bool(_DOTTED.fullmatch(bare)) and tally(turn).stands(float(bare.replace(".", "")), 0)


_DOTTED = regex(r"\d{1,3}(?:\.\d{3})+")


def _in_label(text: str, at: int) -> bool:
    """True in the first cell of a row: `| Erlöse 19 % (Kz 81) | 84.210 |`."""
    return "|" not in text[:at].lstrip("| ")


_ABOUT = regex(
    r"(?:~|≈|\b(?:roughly|about|around|approximately|approx|circa|nearly|almost|ungefähr|rund|etwa"
    r"|knapp|environ|presque|aproximadamente|unos|unas|cerca|quase|quasi|около|примерно)\b|约|約|약"
    r"|लगभग)(?:(?!\. )[^;]){0,24}$",
    re.IGNORECASE,
)


_CONVERTED = regex(r"\d[\d.,]{0,12}\s?[^\W\d]{1,8}\s?\($")  # `38.6 km (24 miles)`


_CURRENCY = tuple("$€£¥₹₩₽#")


def _labelled(clause: Clause, text: str, start: int, end: int) -> bool:
    """True when a whole number counts something: a word follows, or it fills a cell."""
    if clause.block == "table" or text[:start].rstrip(" *_")[-1:] in (":", "="):
        return True
    after = text[end:].lstrip(" *_")
    return (after[:1].isalpha() and not text[end : end + 1].isalpha()) or after[:1] > "\u2fff"


def _inside(spans: list[tuple[int, int]]) -> Callable[[int], bool]:
    """Whether a place is in one of the spans: looked up."""
    ordered = sorted(spans)
    starts = [start for start, _ in ordered]
    ends = list(accumulate((end for _, end in ordered), max))  # how far those up to here reach

    def inside(at: int) -> bool:
        before = bisect_right(starts, at)
        return before > 0 and at < ends[before - 1]

    return inside


def _of_time(after: str) -> bool:
    word = after.strip(" -*_").split(maxsplit=1)
    return bool(word) and (
        word[0].strip(".,;:!?)*_").casefold() in _TIME_WORDS or word[0].startswith(_TIME_CHARACTERS)
    )


def _beside(
    known: Tally,
    steps: list[Step],
    text: str,
    span: tuple[int, int],
    value: float,
    unit: str,
    places: int,
) -> tuple[Step, Row] | None:
    """The latest step and row that have the clause's labels and another number."""
    labels = labels_in(text) - _PLAIN
    tight = _adjacent(text, *span)
    later = frozenset(label for label in labels_in(text[span[1] :]) if "." in label or "/" in label)
    said = {number for number, *_ in numbers_in(text)} - {value}
    telling = {number for number in said if number >= 100 or number != int(number)}
    hits = [
        (step, row, how)
        for step in steps
        for row in step.rows
        if not labels.isdisjoint(row.labels)
        and (how := _anchored(row, labels, tight, later, telling, unit))
    ]
    if hits:
        step, row, how = hits[-1]
        if not _denies(row, *_form(text, *span, unit)):
            return None
        alike = [number for _, other, _ in reversed(hits) for number in other.numbers]
        pools = [alike[:_POOL]]
        if (
            how < 3
        ):  # a row that bears just this label is the place itself; others may be reckoned with
            pools += [
                [number for other in step.rows for number in other.numbers][:_POOL],
                _compact(steps),
            ]
        share = unit == "%" or places > 0
        return (
            None
            if any(known.follows(value, places, [*pool, *said], share=share) for pool in pools)
            else (step, row)
        )
    if unit == "%":
        return _share(steps, labels, value, places)
    return None


def _share(
    steps: list[Step], labels: frozenset[str], value: float, places: int
) -> tuple[Step, Row] | None:
    """A share of something that the last result to speak of it gives as another share."""
    names = [label for label in labels if len(label) >= 6]
    for step in reversed(steps):
        shares = [row for row in step.rows if row.percents]
        if any(near(value, number, places) for row in shares for number in row.numbers):
            return None
        if shares and any(name in step.body.casefold() for name in names):
            return step, shares[-1]
    return None


def _adjacent(text: str, start: int, end: int) -> frozenset[str]:
    """The label that a number bears itself: `0.64 (linear)`, `linear: 0.64`, `| linear | 0.64 |`."""
    after = text[end:].lstrip(" *_%")
    if after[:1] in ("(", "（"):
        return labels_in(after[1:].partition(")")[0][:60]) - _PLAIN
    before = text[:start].rstrip(" *_")
    if before[-1:] in (":", "=", "|"):
        return labels_in(before.rstrip(" :=|*_").rpartition("|")[2][-60:]) - _PLAIN
    return frozenset()


def _anchored(
    row: Row,
    labels: frozenset[str],
    tight: frozenset[str],
    later: frozenset[str],
    telling: set[float],
    unit: str,
) -> int:
    """How surely row and clause name the same thing: 3 the very label, 1-2 shared labels, 0 not at all.

    later: paths that come after the number (`removed 212 and wrote out.csv`): they label something else.
    telling: other numbers of the clause, large or broken.
    """
    own = row.labels - _PLAIN
    shared = own & labels
    if not shared:
        return 0
    if len(row.numbers) <= 3 and (
        (own <= labels and shared - later) or (tight and tight <= own and len(own) <= 4)
    ):
        return 3 if len(row.numbers) == 1 and tight and tight <= own else 2
    if unit == "%" and not row.percents:
        return 0
    if any(
        len(label) >= 5
        and (any(c.isdigit() for c in label) or "/" in label or "_" in label or "." in label)
        for label in shared - later
    ):
        return 1
    return int(len(own) <= 8 and not telling.isdisjoint(row.numbers))


def _compact(steps: list[Step]) -> list[float]:
    """Numbers of the turn's latest short results: what a reader would reckon with."""
    found: list[float] = []
    for step in reversed(steps):
        if 0 < len(step.rows) <= 6:
            found += [number for row in step.rows for number in row.numbers[:3]]
        if len(found) >= _POOL:
            break
    return found[:_POOL]
