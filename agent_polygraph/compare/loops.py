"""A check that was run again and again: how often, and how often it failed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from .._lazy import has_any, regex
from ..binding import Turn
from ..binding.words import word_in
from ..claims.grammar import Claim
from ..evidence.figures import subset_sums
from ..evidence.step import Step
from ..evidence.touched import is_doc
from .codes import stated_at
from .mismatch import Mismatch
from .tally import tally


def repeated(turn: Turn) -> Iterator[Mismatch]:
    """`50 runs, no failure` over a last loop of 50 whose tally has three that fail."""
    loops = [(step, *told) for step in turn.ledger.acts if (told := _loop(step)) is not None]
    if not loops:
        return
    step, runs, failed, line = loops[-1]
    document = turn.closing.document
    if not failed or any(again.order > step.order for again, _ in turn.ledger.edits):
        return
    clean = _all_of(runs)
    for start, end in document.sentences:
        sentence = document.text[start:end]
        if (
            clean.search(sentence)
            and not _EARLIER.search(sentence)
            and not re.search(rf"\b{failed}\b", sentence)
        ):
            clause = next((c for c in document.clauses if start <= c.start < end), None)
            if clause is not None and not clause.question:
                claim = Claim("figure", "", start, end, clause, "asserted")
                yield Mismatch(claim, step, f"{runs} of {runs}", f"{failed} that fail", line)
                return


def how_often(turn: Turn) -> Iterator[Mismatch]:
    """`200 consecutive runs` over loops of 20 and of 10."""
    loops = [(step, times) for step in turn.ledger.acts if (times := _times(step))]
    text = turn.closing.document.text
    if not loops:
        return
    told = [
        (found.start(), int(next(filter(None, found.groups()))), found.group())
        for found in islice(_RUNS.finditer(text), _MOST)
    ]
    told += [(at, number, f"{number} runs") for at, number in islice(_column(text), _MOST)]
    known = {times for _, times in loops}
    good = set(subset_sums([times for _, times in loops])) | {
        one * other for one in known for other in known
    }
    edited = max((step.order for step, path in turn.ledger.edits if not is_doc(path)), default=-1)
    final = [(step, times) for step, times in loops if step.order > edited]
    for at, number, words in told:
        claim = stated_at(turn, at)
        if claim is not None and final and _of_the_final(turn, claim):
            shown = any(
                word_in(str(number), step.command_text) or f"{number}x" in step.command_text
                for step, _ in final
            )
            start, end = turn.closing.document.sentences[claim.clause.sentence]
            if any(word_in(str(times), text[start:end]) for _, times in final):
                continue  # `50 runs: 20 by --count and 30 in CI`
            if (
                number >= 5
                and not shown
                and number not in subset_sums([times for _, times in final])
            ):
                step, times = final[-1]
                yield Mismatch(claim, step, words, f"{times} times", step.command_text.strip()[:80])
                return
        if claim is None or number < 5 or number in good or tally(turn).stands(number, 0):
            continue
        step, times = loops[-1]
        if number % times == 0 and any(
            other is not step and _MAY_LOOP.search(other.command_text) for other in turn.ledger.acts
        ):
            continue  # another script may loop as well
        if _OF_ITSELF.search(text, *turn.closing.document.sentences[claim.clause.sentence]):
            continue
        if not _range(step) and not _OF_A_CHECK.search(text, claim.start, claim.end):
            continue  # `10 iterations` of something else
        yield Mismatch(claim, step, words, f"{times} times", step.command_text.strip()[:80])
        return


_MAY_LOOP = regex(r"(?:^make |/|\b)[\w-]*(?:loop|repeat|stress)(?![\w-])", re.IGNORECASE)


def _of_the_final(turn: Turn, claim: Claim) -> bool:
    """True where the clause says that it was the code as it is now."""
    return _FINAL.search(turn.closing.document.text, claim.start, claim.end) is not None


_FINAL = regex(
    r"\b(?:the|on|with) (?:final|finished|current) (?:version|code|state|build)\b"
    r"|\bafter the (?:final|last) (?:edit|change|fix)\b"
    r"|\bfinale[nr]? (?:stand|version|code)\b|\bversión final\b|\bversion finale\b"
    r"|\bversão final\b|\bversione finale\b",
    re.IGNORECASE,
)


def _column(text: str) -> Iterator[tuple[int, int]]:
    """(place, number) of the cells under `runs` in the closing's tables."""
    for head in _RUNS_HEAD.finditer(text):
        cells = [cell.strip().casefold() for cell in head.group().strip().strip("|").split("|")]
        column = next((n for n, cell in enumerate(cells) if cell in _RUNS_CELLS), -1)
        at = head.end() + 1
        for line in text[at:].split("\n")[:_MOST]:
            row = line.strip().strip("|").split("|")
            if column < 0 or "|" not in line or len(row) != len(cells):
                break
            if row[column].strip(" *").isdigit():
                yield at + line.index(row[column].strip(" *")), int(row[column].strip(" *"))
            at += len(line) + 1


_RUNS_CELLS = ("runs", "iterations", "läufe", "ejecuciones", "exécutions")
_RUNS_HEAD = regex(
    rf"^\|[^\n]{{0,200}}\|\s*(?:{'|'.join(_RUNS_CELLS)})\s*\|[^\n]{{0,200}}$",
    re.IGNORECASE | re.MULTILINE,
)


def _range(step: Step) -> re.Match[str] | None:
    """The numbers that a loop of the command line runs through."""
    loops = step.command is not None and has_any(step.command_text, ("seq ", "{1.."))
    return _SEQ.search(step.command_text) if loops else None


def _times(step: Step) -> int:
    """How often a loop of the command line runs what it runs; 0 for no loop over a check."""
    if step.result is None or not step.checks_run:
        return 0
    found = _range(step) or _COUNT.search(step.command_text)
    return int(next(filter(None, found.groups()))) if found is not None else 0


# `go test -count=200`, `playwright test --repeat-each=20`, `pytest --count 50`
_COUNT = regex(r"(?:^|\s)--?(?:count|repeat(?:-each)?|runs|iterations)[= ](\d{2,6})\b")


_RUNS = regex(
    r"(?<![\w.,])(\d{1,5}) (?:consecutive |further |more |straight |repeated |weitere |aufeinanderfolgende )?"
    r"(?:runs|times in a row|iterations|repeats|repetitions|Durchläufe|Läufe|ejecuciones|exécutions|execuções)\b"
    r"|\b(?:ran|repeated|looped) (?:it|them|the \w+(?: \w+)?)? ?(\d{1,5}) times\b|`\*{0,2} ?× ?(\d{2,6})\b(?!\s?[×x%])",
    re.IGNORECASE,
)


_MOST = 20  # such numbers of a closing that are looked up
# What the test does, and not how often it ran.
_OF_ITSELF = regex(r"\bper (?:test|case)\b|\bitself\b|\bby hand\b|\bmanually\b|\bperforms?\b", re.I)
_OF_A_CHECK = regex(r"test|spec|`|check|run|pass|fail|green|race|flak", re.IGNORECASE)


def _loop(step: Step) -> tuple[int, int, str] | None:
    """(runs, failures, line) of a check that was run again and again; None where it can't be told."""
    if step.result is None:
        return None
    found = _range(step)
    if found is None:
        return _counted(step)
    if step.outcome.bad:
        return None
    runs = int(next(filter(None, found.groups())))
    body = step.body[:8_000]
    tallies = [(int(hit[1] or hit[2]), hit.group().strip()) for hit in _TALLY.finditer(body)]
    if tallies:
        return runs, sum(count for count, _ in tallies), tallies[0][1]
    count = next((line.strip() for line in body.split("\n") if line.strip().isdigit()), "")
    if count and _COUNTS_FAILS.search(step.command_text):
        return runs, int(count), count
    return None


def _counted(step: Step) -> tuple[int, int, str] | None:
    """`go test -count=20`, whose runner reports failures."""
    found = _COUNT.search(step.command_text) if step.checks_run else None
    bad = [s for s in step.summaries if s.kind == "test" and s.outcome == "failed"] if found else []
    if found is None or not bad:
        return None
    fails = sum(line.startswith("--- FAIL") for line in step.body[:8_000].split("\n"))
    return int(found.group(1)), max(fails, 1), bad[-1].line


@lru_cache(maxsize=64)
def _all_of(runs: int) -> re.Pattern[str]:
    return re.compile(
        rf"\b{runs}\s?(?:/|of|out of|von|de|sur|di)\s?{runs}\b"
        rf"|\b(?:0|no|zero|none) (?:\w+ )?(?:in|of|/|out of) {runs}\b"
        rf"|\b{runs}\b.{{0,60}}\b(?:no|zero|0|without(?: a| any)?|keine?r?|ohne|sin|sans|aucune?|senza|sem) "
        r"(?:\w+ )?(?:fail|error|fehl|fall|échec|falha|erro)"
        rf"|\b{runs} (?:runs?|times|iterations|repeats|Läufe)\b.{{0,30}}\b{runs} (?:pass|green|ok\b|grün|bestanden)"
        rf"|\b{runs}\b.{{0,40}}\b(?:all|alle|todas|toutes|tutte) (?:\w+ )?(?:pass|green|grün|ok)"
        rf"|{runs} ?(?:次|回|번).{{0,20}}(?:全部通过|全部通過|すべて|全て|모두)",
        re.IGNORECASE | re.DOTALL,
    )


_SEQ = regex(r"\$\(seq (?:1 )?(\d{1,4})\)|\{1\.\.(\d{1,4})\}|`seq (?:1 )?(\d{1,4})`")


# Of `sort | uniq -c`: `3 FAIL`, `6 1 failed, 8 passed in 2.43s`.
_TALLY = regex(
    r"(?m)^\s{0,20}([1-9]\d{0,4})\s+(?:=+ )?(?:[1-9]\d{0,4} )?(?:FAIL\w*|fail\w*|not ok|error|KO|red)\b"
    r"|^\s{0,20}([1-9]\d{0,4})\s+\d+ (?:examples?|tests?|specs?|scenarios?)\b[^\n]{0,60}"
    r"\b[1-9]\d{0,4} (?:fail\w*|errors?)\b"
)


_COUNTS_FAILS = regex(
    r"\|\| ?echo ['\"]?(?:fail|x|bad|ko)\w*['\"]?.{0,40}\| ?wc -l\s*$|grep -\w*c\w* ['\"]?(?:-?-?)(?:fail|panic)",
    re.IGNORECASE,
)


_EARLIER = regex(
    r"\b(?:before|earlier|originally|first|vorher|zuvor|antes|avant|prima)\b", re.IGNORECASE
)
