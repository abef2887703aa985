"""Shares of covered code, against the tables that the runs print.

A share that is said of a metric (statements, branches, functions, lines) or of the whole has to be one that a
table of the turn gives for it.  Formats: istanbul's table and summary (jest, vitest, c8, nyc), coverage.py,
`go tool cover -func`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import regex, remembered
from ..binding import Turn
from ..claims.grammar import Claim
from ..evidence.figures import plain
from ..evidence.step import Step
from .mismatch import Mismatch

_METRICS = {
    "statements": ("stmt", "statement", "anweisung"),
    "branches": ("branch", "zweig"),
    "functions": ("func",),
    "lines": ("line", "zeile"),
}
_HEADER = regex(r"^.*% ?Stmts.*$", re.MULTILINE)
_ALL_FILES = regex(r"^\s*All files\s*\|(.*)$", re.MULTILINE)
_SUMMARY = regex(r"^(Statements|Branches|Functions|Lines)\s*:\s*([\d.]+)%", re.MULTILINE)
_TOTAL = regex(r"^(?:TOTAL|total:)\s.*?(\d{1,3}(?:\.\d+)?)%", re.MULTILINE)
_SHARE = regex(r"(?<![\d.,])(\d{1,3}(?:[.,]\d{1,2})?)\s?%")
_COVERAGE = regex(
    r"\bcover|abdeckung|couvert|cobertura|copertura|カバレッジ|覆盖率|커버리지", re.IGNORECASE
)
_EVERY = regex(
    r"\b(?:all|every|each|alle|jede[rs]?|todos|todas|tous|toutes|tutti|tutte)\b", re.IGNORECASE
)


def coverage(turn: Turn) -> Iterator[Mismatch]:
    """Shares that no table of the turn gives for what they are said of."""
    text = turn.closing.document.text
    if "%" not in text or _COVERAGE.search(text) is None:
        return
    tables = [(step, table) for step in turn.ledger.acts if (table := _table(step))]
    if not tables:
        return
    step, last = tables[-1]
    for claim, line in _lines(turn):
        shares = [hit.group(1).replace(",", ".") for hit in _SHARE.finditer(line)]
        metric = _metric(line)
        if not shares:
            continue
        said = shares[-1]
        if metric in last and not _places(line):
            known = [table[metric] for _, table in tables if metric in table]
            if not any(_rounds(said, value) for value in known):
                yield Mismatch(
                    claim, step, f"{said}%", f"{metric} {last[metric]:g}%", step.text.strip()[:80]
                )
        elif (
            not metric
            and "total" in last
            and len(shares) == 1
            and said in ("100", "100.0")
            and _EVERY.search(line)
            and last["total"] < 100
        ):
            yield Mismatch(claim, step, f"{said}%", f"total {last['total']:g}%", _quote(step))


def _lines(turn: Turn) -> Iterator[tuple[Claim, str]]:
    """(claim, text) of each list item, row or sentence that simply states something."""
    document = turn.closing.document
    done: set[int] = set()
    for clause in document.clauses:
        if clause.sentence in done or not clause.states:
            continue
        done.add(clause.sentence)
        start, end = document.sentences[clause.sentence]
        claims = turn.claims_by_sentence.get(clause.sentence, [])
        if claims and not any(claim.plain for claim in claims):
            continue
        own = next((claim for claim in claims if claim.plain), None)
        yield own or Claim("figure", "", start, end, clause, "asserted"), document.text[start:end]


def _metric(line: str) -> str:
    """The one metric that the line speaks of, an empty string for none or several."""
    low = line.casefold()
    named = [
        name
        for name, stems in _METRICS.items()
        if any(re.search(rf"\b{stem}", low) for stem in stems)
    ]
    return named[0] if len(named) == 1 else ""


def _places(line: str) -> bool:
    """True for a line about one file: its share is in another row."""
    return (
        re.search(r"\w\.(?:[cm]?[jt]sx?|py|go|rb|rs|java|kt|cs|php|vue|svelte)\b", line) is not None
    )


@remembered
def _table(step: Step) -> dict[str, float]:
    """The shares of the whole that a result prints, by metric; empty where it prints none."""
    if step.result is None or (step.reads_only and step.command is None):
        return {}
    body = plain(step.body)[-20_000:]
    if "%" not in body:
        return {}
    found: dict[str, float] = {}
    row = _ALL_FILES.search(body) if _HEADER.search(body) else None
    if row is not None:
        cells = [cell.strip() for cell in row.group(1).split("|")]
        found |= {
            name: float(cell) for name, cell in zip(_METRICS, cells, strict=False) if _number(cell)
        }
    found |= {hit.group(1).casefold(): float(hit.group(2)) for hit in _SUMMARY.finditer(body)}
    total = _TOTAL.search(body)
    if total is not None:
        found["total"] = float(total.group(1))
    return found


def _rounds(said: str, value: float) -> bool:
    """True for a share said to its places, or cut after them."""
    places = len(said.partition(".")[2])
    return abs(float(said) - value) < 10.0**-places


def _number(cell: str) -> bool:
    return cell.replace(".", "", 1).isdigit()


def _quote(step: Step) -> str:
    body = plain(step.body)
    row = _ALL_FILES.search(body) or _TOTAL.search(body) or _SUMMARY.search(body)
    return row.group().strip() if row else ""
