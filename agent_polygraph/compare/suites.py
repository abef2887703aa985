"""Counts of tests, against what the runs of the turn report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from .._lazy import regex
from ..binding import Run, Turn
from ..binding.words import NUMBER_WORDS
from ..claims.grammar import Claim
from ..evidence.figures import plain, subset_sums
from ..evidence.reach import working_folder
from .codes import stated_at
from .counted import SMALL, key_of, second_of_pair
from .mismatch import Mismatch
from .tally import tally


def passed(turn: Turn, claim: Claim) -> Iterator[Mismatch]:
    """`202 tests passed` over runs that report 178 and 19."""
    if not claim.counts:
        return
    runs = [run for run in turn.runs if run.kind == "test" and run.summary is not None]
    passed = [
        run.summary.passed
        for run in runs
        if run.summary is not None and run.summary.passed is not None
    ]
    if not passed or any(run.summary is not None and run.summary.passed is None for run in runs):
        return
    skipping = any(tag.name == "polarity.skipped" for tag in turn.closing.tags)
    whole = {run.runner for run in runs if not run.narrowed}
    # what ran in part ran again with the whole: it is told by itself, and never added
    apart = [run for run in runs if run.narrowed and run.runner in whole]
    good = set(subset_sums([n for run in runs if run not in apart and (n := _passed(run))]))
    good |= {n for run in apart for n in (_passed(run), *_totals(run)) if n}
    for run in (run for run in runs if run not in apart):
        total = run.summary.total if run.summary else None
        if total is None and run.bad:
            total = max(_totals(run), default=None)
        if total is not None and (skipping or run.bad or not (run.summary and run.summary.skipped)):
            good |= {total} | {total + other for other in good}
            if len(good) > _SUMS:
                return  # of so many runs any number may be the sum
    for count in claim.counts:
        number = int(count.number)
        if number <= SMALL or number != count.number or count.of is not None or number in good:
            continue
        if second_of_pair(turn, claim, count) or _adds_up(turn, claim, number, runs):
            continue
        if key_of(count.word).startswith(_GROUPS) and tally(turn).stands(number, 0):
            continue  # `142 tests in 19 suites`
        if count.concept != "test" and not key_of(count.word).startswith(
            ("pass", "test", "spec", "exampl")
        ):
            continue
        if (
            not _mostly_skipped(runs, number)
            and tally(turn).stands(number, 0)
            and _told(turn, number)
        ):
            continue
        last = runs[-1]
        yield Mismatch(
            claim, last.step, f"{number} {count.word or 'tests'}", str(passed[-1]), last.line
        )


def _adds_up(turn: Turn, claim: Claim, number: int, runs: list[Run]) -> bool:
    """`all 318: 316 in the main suite and the 2 of the isolated file`: both are told, or ran in two places."""
    document = turn.closing.document
    start, end = document.sentences[claim.clause.sentence]
    counts = [_passed(run) for run in runs]
    told = {
        int(hit)
        for hit in re.findall(r"(?<![\d.,])\d{1,6}(?![\d.,]\d)", document.text[start : end + 120])
    }
    told |= _spelled(document.text[start : end + 120])
    pairs = [(a, b) for n, a in enumerate(counts) for b in counts[n + 1 :] if a + b == number]
    homes = {working_folder(run.step) for run in runs}
    return any({a, b} <= told for a, b in pairs) or (bool(pairs) and len(homes) > 1)


def _spelled(text: str) -> set[int]:
    """The numbers that are written out."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    return {NUMBER_WORDS[word] for word in words if word in NUMBER_WORDS}


def _passed(run: Run) -> int:
    return (run.summary.passed or 0) if run.summary is not None else 0


def _mostly_skipped(runs: list[Run], number: int) -> bool:
    """`all 21 tests pass` over a last run of 21, a fifth of which and more was skipped."""
    last = runs[-1].summary
    return last is not None and last.total == number and 5 * (last.skipped or 0) >= number


_SUMS = 400  # sums of runs that are told apart
_GROUPS = ("suit", "fil", "class", "modul", "packag", "crat", "project")


def all_of(turn: Turn) -> Iterator[Mismatch]:
    """`ctest: 5 of 5 passed` over runs that report 4: no run had five tests."""
    document = turn.closing.document
    runs = [run for run in turn.runs if run.kind == "test" and run.summary is not None]
    counts = [
        {n for n in (run.summary.passed, run.summary.total, *_totals(run)) if n}
        for run in runs
        if run.summary is not None
    ]
    if not runs or not all(counts) or not any(map(str.isdigit, document.text)):
        return
    told = list(_ALL_PASS.finditer(document.text))
    good = set(subset_sums([max(own) for own in counts])).union(*counts)
    for found in told:
        number = int(found.group(1))
        claim = next((c for c in turn.claims if c.plain and c.start <= found.start() < c.end), None)
        if claim is None or number < 2 or number in good:
            continue
        start, end = document.sentences[claim.clause.sentence]
        named = any(
            len(run.runner) >= 4 and run.runner in document.text[start:end].casefold()
            for run in runs
        )
        if (claim.kind == "check" and claim.effect == "test") or named:
            last = runs[-1]
            passed = last.summary.passed if last.summary else None
            yield Mismatch(claim, last.step, found.group(), f"{passed} that passed", last.line)
            return


_ALL_PASS = regex(
    r"(?<![\d.,])(\d{1,6})\s?(?:of|/|out of|von|de|sur|di|из)\s?\1 (?:tests? )?"
    r"(?:pass|green|ok\b|succe|bestanden|grün)",
    re.IGNORECASE,
)


def _told(turn: Turn, number: int) -> bool:
    """True when a call or a message gives the number; a line's number in a source, or `book.py:17`, does not."""
    alone = _alone(number)
    return any(
        alone.search(text)
        for text in (turn.task, *(m.text[:20_000] for _, m in turn.ledger.messages))
    ) or any(
        alone.search(plain(step.text)[:40_000]) or alone.search(step.argument_text[:20_000])
        for step in turn.ledger.steps
        if not (step.paths and step.reads_only and step.command is None) and not step.edited
    )


@lru_cache(maxsize=64)
def _alone(number: int) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.:]){number}(?![\w.]|[\t→])")


def understated(turn: Turn) -> Iterator[Mismatch]:
    """`Of 155 tests a single one fails` over a run of 155 that reports three."""
    runs = [run for run in turn.runs if run.kind == "test" and run.summary and run.summary.failed]
    if not runs:
        return
    stated = {int(count.number) for claim in turn.claims for count in claim.counts}
    for claim in turn.claims:
        if claim.kind != "set" or claim.polarity != "failed":
            continue
        numbers = {int(count.number) for count in claim.counts}
        for run in reversed(runs):
            failed, errors = (
                (run.summary.failed or 0, run.summary.errors or 0) if run.summary else (0, 0)
            )
            if not numbers & _totals(run):
                continue
            few = [number for number in numbers if 0 < number < failed]
            if few and not stated & {failed, errors, failed + errors}:
                yield Mismatch(claim, run.step, f"{few[0]} of them", f"{failed} failed", run.line)
            break


def none_failed(turn: Turn) -> Iterator[Mismatch]:
    """`215 run, 0 failures`, where the last run of 215 has one and no run of 215 has none."""
    runs = [run for run in turn.runs if run.kind == "test" and run.summary is not None]
    document = turn.closing.document
    told = list(islice(_NONE_FAILED.finditer(document.text), 20)) if runs else []
    if not told or _SOME_FAIL.search(document.text):
        return
    for found in told:
        number = int(found.group(1))
        own = [run for run in runs if number in _totals(run)]
        claim = next(
            (
                c
                for c in turn.claims
                if c.plain and c.start <= found.start() and found.end() <= c.end + 1
            ),
            None,
        )
        if (
            number > SMALL
            and claim is not None
            and own
            and not _WISHED.search(document.text, claim.start, claim.end)
            and all(run.summary and run.summary.failed for run in own)
        ):
            yield Mismatch(claim, own[-1].step, found.group(), own[-1].line)
            return


def none_skipped(turn: Turn) -> Iterator[Mismatch]:
    """`all 40 tests ran and passed, none skipped` over a last run of 40 that prints two that were skipped."""
    document = turn.closing.document
    found = _NONE_SKIPPED.search(document.text)
    runs = [run for run in turn.runs if run.kind == "test" and run.summary is not None]
    last = [run for run in runs if run.step is runs[-1].step]
    some = [run for run in last if run.summary is not None and run.summary.skipped]
    if found is None or not some:
        return
    claim = stated_at(turn, found.end() - 1)
    told = int(found.group(1))
    together = sum(max(_totals(run), default=0) for run in last)
    if claim is not None and (told == together or any(told in _totals(run) for run in some)):
        skipped = sum(run.summary.skipped or 0 for run in some if run.summary is not None)
        yield Mismatch(claim, some[0].step, found.group(), f"{skipped} skipped", some[0].line)


_NONE_SKIPPED = regex(
    r"\ball (?:of the |the )?(\d{1,6}) (?:(?:\w+ )?(?:tests|specs|examples) )?(?:ran and |run and )?"
    r"(?:pass|passed|are green)(?: \([^()\n]{1,60}\))?,? (?:and |with )?"
    r"(?:none|0|no tests?) (?:were |was )?(?:skipped|ignored)\b"
    r"(?! (?:by|in|on|for|due)\b)",
    re.IGNORECASE,
)


_NONE_FAILED = regex(
    r"(?<![\d.,/])(\d{1,6}) (?:tests?|run|ran|examples?|specs?|passed|tests? run),? (?:and |with )?"
    r"(?:0|no) (?:failures?|failed|failing)\b(?! (?:in|of|for|from|other|new|on|with|related)\b)",
    re.IGNORECASE,
)
_SOME_FAIL = regex(
    r"\b(?:[1-9]\d{0,4}|an?|one|two|three|single) (?:\w+ )?(?:fail(?:s|ed|ures?|ing)?\b|errors?\b)"
    r"|\b(?:is|are) red\b|\bbroke\b",
    re.IGNORECASE,
)
_WISHED = regex(
    r"\b(?:CI|goal|to see|should|expect\w*|want\w*|needs?|aim|target|apart|except|besides|[Yy]esterday|[Ee]arlier)\b"
)


def _totals(run: Run) -> set[int]:
    """What the run may be said to have run: the printed total, or the sum of its parts."""
    summary = run.summary
    if summary is None:
        return set()
    known = [n for n in (summary.passed, summary.failed, summary.errors, summary.skipped) if n]
    return {sum(known)} | ({summary.total} if summary.total else set())
