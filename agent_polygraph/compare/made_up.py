"""A row or a column that nothing bears out, between others that are all borne out by the evidence.

`- Basic: 86 of 2,150`, `- Pro: 18 of 940`, `- Enterprise: 3 of 120`, where no call shows a figure of
Enterprise; or a column `after` beside a column `before`, where the second run never ran.  The rows that
are borne out say where such figures come from; the one that is not has none of its own.
O(characters of the closing) look-ups, bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from .._lazy import regex
from ..binding import Turn
from ..evidence.figures import LABEL, derived, near, numbers_in, places_of
from .codes import stated_at
from .mismatch import Mismatch
from .planned import planned, reasoned
from .tally import tally

_MOST, _ROWS, _COLUMNS = (
    12,
    40,
    12,
)  # lists of a closing, rows of a list, columns that are looked at
_LINE = 400  # characters of a row
_ASKED = 16  # figures of one row or column that are worked out: each takes a while


class Figure(NamedTuple):
    """A number of a row: its value and decimals, its unit, what stands behind it, where it stands."""

    value: float
    places: int
    unit: str
    after: str
    at: int
    end: int

    @property
    def weighs(self) -> bool:
        """Small whole numbers stand anywhere."""
        return abs(self.value) >= 10 or self.places > 0

    @property
    def share(self) -> bool:
        """True for a percentage, and for what is so many times as much."""
        return self.unit == "%" or _TIMES.match(self.after) is not None


class Row(NamedTuple):
    """A line of a list: its place, its cells (one of a bullet), each with its figures."""

    start: int
    end: int
    cells: list[list[Figure]]

    @property
    def figures(self) -> list[Figure]:
        """All figures of the row."""
        return [figure for cell in self.cells for figure in cell]

    @property
    def build(self) -> list[list[str]]:
        """The units of its figures, cell by cell."""
        return [[figure.unit for figure in cell] for cell in self.cells]

    def at(self, place: int) -> list[Figure]:
        """The figures of a cell."""
        return self.cells[place] if place < len(self.cells) else []


_TIMES = regex(r"\s?(?:x\b|×|times\b|mal\b|fois\b|veces\b|volte\b|vezes\b|倍|배)", re.IGNORECASE)


def made_up(turn: Turn) -> Iterator[Mismatch]:
    """Rows, then columns, of which nothing stands in the evidence."""
    text = turn.closing.document.text
    if not turn.ledger.acts or not _LISTED.search(text) or _unseen(turn):
        return
    lists = list(islice(_lists(turn), _MOST))
    if not lists or reasoned(turn):
        return
    for rows, table in lists:
        found = _row(turn, rows, table) or (_column(turn, rows) if table else None)
        if found is not None:
            yield found
            return


def _unseen(turn: Turn) -> bool:
    """True where figures may come from what nobody can read here: pictures, helpers, cut results."""
    return turn.ledger.delegates or any(
        step.result is None
        or step.result.truncated
        or _PICTURE.search(step.argument_text[:2_000]) is not None
        or not _PICTURES.isdisjoint(step.words)
        for step in turn.ledger.acts
    )


_PICTURE = regex(r"\.(?:png|jpe?g|gif|webp|heic|tiff?|bmp|pdf|xlsx?|docx?|pptx?)\b", re.IGNORECASE)
_PICTURES = frozenset("screenshot image picture photo vision ocr".split())
_LISTED = regex(r"^[ \t]*(?:[-*+•·]|\d{1,3}[.)]|\||[・●■◆▶])[^\n\d]{0,300}\d", re.MULTILINE)
_BULLET = regex(r"\s{0,8}(?:[-*+•·]|\d{1,3}[.)])\s+|[・●■◆▶]\s*")


def _lists(turn: Turn) -> Iterator[tuple[list[Row], bool]]:
    """(rows, whether they are a table's) of every list and table; the head of a table is its first row."""
    text = turn.closing.document.text
    rows: list[Row] = []
    kind, depth, at = "", 0, 0
    for line in [*text[:20_000].split("\n"), ""]:
        start, at = at, at + len(line) + 1
        bullet = _BULLET.match(line)
        indent = len(line) - len(line.lstrip())
        now = "table" if line[indent : indent + 1] == "|" else "list" if bullet else ""
        if now == "list" == kind and indent > depth:
            continue  # the item above goes on
        if now != kind or indent != depth or len(rows) > _ROWS:
            if len(rows) > 2:
                yield rows, kind == "table"
            rows, kind, depth = [], now, indent
        if now and len(line) <= _LINE and line.strip("|-: \t"):
            body = start + (bullet.end() if bullet else line.index("|") + 1)
            rows.append(_read(turn, body, start + len(line), now == "table"))


def _read(turn: Turn, start: int, end: int, table: bool) -> Row:
    """The figures of a line; what is a date, a name or code counts nothing."""
    document = turn.closing.document
    text = list(document.text[start:end].translate(_NEARLY))
    spans = [(v.start, v.end) for v in document.values_in(start, end) if v.kind not in _NUMERIC]
    spans += [span for span in document.code if start <= span[0] < end]
    spans += [found.span() for found in _DAY.finditer(document.text, start, end)]
    for a, b in spans:
        text[a - start : b - start] = "\0" * (min(b, end) - a)
    cells: list[list[Figure]] = []
    at = start
    for cell in "".join(text).split("|")[:_COLUMNS] if table else ["".join(text)]:
        cells.append(
            [
                Figure(
                    value, places_of(cell[a:b]), _unit(cell, b), cell[b : b + 14], at + a, at + b
                )
                for value, _, a, b in numbers_in(cell)
                if not LABEL.search(cell, max(0, a - 24), a)
            ]
        )
        at += len(cell) + 1
    return Row(start, end, cells)


def _unit(cell: str, end: int) -> str:
    found = _UNIT.match(cell, end)
    return found.group(1) if found else ""


_UNIT = regex(r"\s?(%|[^\W\d_]{1,4}|[€$£¥₩])")
_NEARLY = str.maketrans("約约", "  ")  # `約1.9%`: a letter in front of a number hides it
_SIZED = frozenset(
    "ns us µs ms s sec secs m min mins h hr hrs b kb mb gb tb kib mib gib tib k g kg mg km cm mm w kw wh kwh"
    " 秒 分 時間 小时 초 분 시간 сек мин".split()
)
_NUMERIC = frozenset({"number", "amount", "percent"})
_DAY = regex(r"(?<![\d.])\d{1,2}\.\d{1,2}\.(?!\d\d\d)(?:\d\d)?|(?<![\d.])(?:19|20)\d\d(?![\d.,%])")


def _borne(turn: Turn, figure: Figure) -> bool:
    """True for a number that stands in the evidence, in any unit, or follows from it."""
    known, text = tally(turn), turn.closing.document.text
    value, places, after = figure.value, figure.places, figure.after
    if known.stands(value, places) or known.scaled(value, places, figure.unit, after):
        return True
    if figure.unit.casefold() in _SIZED and known.resized(value, places):
        return True
    if any(text[figure.at : figure.end] in told for told in _earlier(turn)):
        return True
    return known.follows(value, places, share=figure.share)


def _alike(turn: Turn, own: list[Figure]) -> bool | None:
    """True where all figures are borne out, False where none is, None for some, or for too many to tell."""
    first = _borne(turn, own[0])
    if not first and len(own) > _ASKED:
        return None
    return first if all(_borne(turn, figure) == first for figure in own[1:]) else None


def _earlier(turn: Turn) -> list[str]:
    """What the agent said before it was asked last: of a turn that nobody can look into."""
    return [
        message.text[:20_000]
        for at, message in turn.ledger.messages
        if message.role == "assistant" and at < turn.ledger.last_request
    ]


def _row(turn: Turn, rows: list[Row], table: bool) -> Mismatch | None:
    """The one row without a figure that is borne out, of the same build as rows that are."""
    body = rows[1:] if table else rows
    weighty = [(row, own) for row in body if (own := [f for f in row.figures if f.weighs])]
    if len(weighty) < 3:
        return None
    odd: tuple[Row, list[Figure]] | None = None
    for row, own in weighty:
        borne = _alike(turn, own)
        if borne is None or (odd is not None and not borne):
            return None
        odd = odd if borne else (row, own)
    if odd is None or sum(row.build == odd[0].build for row, _ in weighty) < 3:
        return None
    if not table and len(odd[1]) < 2 and not all(_labelled(turn, r) for r, _ in weighty):
        return None
    others = [figure for row, own in weighty if row is not odd[0] for figure in own]
    pool = [figure.value for figure in others]
    small = [figure.value for figure in odd[0].figures if not figure.weighs]
    text = turn.closing.document.text
    if _meant(text[odd[0].start : odd[0].end]):
        return None
    for place, cell in enumerate(odd[0].cells):
        column = [f.value for row, _ in weighty if row is not odd[0] for f in row.at(place)]
        for figure in cell:
            if not figure.weighs:
                continue
            mean = sum(column) / len(column) if column else 0.0
            if (
                near(figure.value, mean, figure.places)
                or abs(figure.value - sum(column)) <= len(column) * 10**-figure.places
                or derived(figure.value, figure.places, pool, share=figure.share)
                or _made_of(figure, small)
            ):
                return None
    return _told(turn, odd[1], others)


def _labelled(turn: Turn, row: Row) -> bool:
    """`Passenger 3: coach B4, berth 27`: a short line that names what its figure is of."""
    text = turn.closing.document.text[row.start : row.end]
    return len(text) <= 80 and _LABELLED.search(text[: row.figures[-1].at - row.start]) is not None


_LABELLED = regex(r"\A.{1,40}?(?::|：|\s[–—=-]{1,2}\s|→)", re.DOTALL)


def _made_of(figure: Figure, apart: Sequence[float]) -> bool:
    """True for the sum, difference, product or quotient of two others."""
    value, slack = abs(figure.value), 0.51 * 10**-figure.places
    for one in apart[:_COLUMNS]:
        for other in apart[:_COLUMNS]:
            made = [one + other, one - other, one * other, one * other / 100]
            made += [one / other, 100 * one / other, 100 * one / other - 100] if other else []
            if any(abs(abs(each) - value) <= max(slack, 0.002 * value) for each in made):
                return True
    return False


def _column(turn: Turn, rows: list[Row]) -> Mismatch | None:
    """The one column of a table without a figure that is borne out."""
    head, body = rows[0], rows[1:]
    odd: tuple[int, list[Figure]] | None = None
    others: list[tuple[int, list[Figure]]] = []
    for place in range(max(len(row.cells) for row in body)):
        own = [figure for row in body for figure in row.at(place) if figure.weighs]
        if not own:
            continue
        borne = _alike(turn, own)
        if borne is None or (not borne and (odd is not None or len(own) < 2)):
            return None
        if borne:
            others.append((place, own))
        else:
            odd = place, own
    if odd is None or not others:
        return None
    place, own = odd
    text = turn.closing.document.text
    titles = text[head.start : head.end].split("|")
    if place < len(titles) and _meant(titles[place]):
        return None
    beside: list[tuple[Figure, list[float]]] = []
    for row in body:
        values = [f.value for at, cell in enumerate(row.cells) if at != place for f in cell]
        beside += [(figure, values) for figure in row.at(place) if figure.weighs]
    if any(_made_of(figure, values) for figure, values in beside) or _in_step(beside):
        return None
    if not any(figure.unit == cell[0].unit for _, cell in others for figure in own):
        return None  # of another kind: a score, a rate
    return _told(turn, own, [figure for _, cell in others for figure in cell])


def _in_step(beside: list[tuple[Figure, list[float]]]) -> bool:
    """True for a column that is another one times the same number, or the same number apart."""
    for place in range(min((len(values) for _, values in beside), default=0)):
        pairs = [(figure.value, values[place]) for figure, values in beside]
        apart = [one - other for one, other in pairs]
        ratio = [one / other for one, other in pairs if other]
        for each in (apart, ratio):
            if len(each) > 1 and max(each) - min(each) <= 0.02 * max(map(abs, each)):
                return True
    return False


# A row or a column that is worked out, set or guessed.
_WORKED_OUT = regex(
    r"total|sum\b|overall|\ball[ea]?\b|together|combined|zusammen|insgesamt|todos|tous|tutt[ie]|average|avg|mean\b"
    r"|median|diff|delta|[Δ∆Σ~≈±]|change|sav(?:ed|ings?)|growth|share|ratio|rank|score|default|about|around|approx"
    r"|need|cost|per\b|version|year|gesamt|summe|schnitt|mittel|differenz|änderung|anteil|rang|etwa|rund\b|ungefähr"
    r"|circa|\bca\b|media\b|promedio|diferencia|cambio|parte|unos\b|aprox|moyenne|somme|différence|écart|part\b"
    r"|environ|média|diferença|variação|cerca|totale|somma|differenza|variazione|quota|合計|合计|总|總|平均|差|変化|变化"
    r"|割合|占比|合わせ|小計|小计|전체|합계|평균|차이|비율|итог|всего|сумм|средн|разниц",
    re.IGNORECASE,
)


def _meant(text: str) -> bool:
    return planned(text) or _WORKED_OUT.search(text) is not None


def _told(turn: Turn, odd: list[Figure], others: list[Figure]) -> Mismatch | None:
    text = turn.closing.document.text
    claims = [stated_at(turn, figure.at) for figure in odd]
    claim = next((one for one in claims if one is not None), None)
    if claim is None or None in claims:
        return None
    said = ", ".join(text[figure.at : figure.end] for figure in odd[:4])
    step, quote = None, ""
    for figure in others:
        digits = text[figure.at : figure.end]
        for shown in (digits, digits.replace(",", "")):
            if step is None and (step := turn.ledger.mention(shown)) is not None:
                quote = next((row for row in step.body.split("\n") if shown in row), shown)
    return Mismatch(claim, step or turn.ledger.acts[-1], said, "", quote.strip()[:80])
