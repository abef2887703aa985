"""A measure that is off by a power of ten: `21.2 ms` over `212.10 ms`.

The measure stands in no result and follows from none, and a measure of the very same unit has its digits with
the point at another place.  With two digits alone the line has to name something that the call was given.
O(measures of the closing x measures of the results), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..evidence.figures import measures, near, numbers_in, places_of
from ..evidence.step import Step
from .codes import stated_at
from .mismatch import Mismatch
from .planned import planned, title_at
from .sibling_keys import COMPARED
from .sums import reckoned
from .tally import tally

_TOLD = 200  # measures of a closing that are read
_MOST = 12  # measures of a closing that are looked up
_LAST = 40  # calls whose results are read
_READ = 20_000
_UNIT = regex(
    r"\s?(ms|µs|us|ns|s|sec|seconds?|min|KB|kB|MB|GB|KiB|MiB|GiB|%|req/s|rps|ops/s)(?![^\W\d_])"
)
_SHIFTS = (10.0, 0.1, 100.0, 0.01, 1000.0, 0.001)
_WORD = regex(r"[\w./-]{4,}")


def shifted(turn: Turn) -> Iterator[Mismatch]:
    """Measures of the closing that a result has with another power of ten."""
    text = turn.closing.document.text
    told: list[tuple[float, int, int, str]] = []
    for value, _, start, end in numbers_in(text):
        if value > 0 and (behind := _UNIT.match(text, end)) is not None:
            told.append((value, start, end, behind.group(1)))
    if not told:
        return
    told = told[:_TOLD]
    steps = [step for step in turn.ledger.acts[-_LAST:] if measures(step) and not step.outcome.bad]
    asked = ((*one, places_of(text[one[1] : one[2]])) for one in told)
    unknown = (
        one for one in asked
        if len(re.sub(r"\D", "", text[one[1] : one[2]]).strip("0")) >= 2
        and not tally(turn).stands(one[0], one[4])
        and not tally(turn).resized(one[0], one[4])
        and not reckoned(turn, one[0])
    )  # fmt: skip
    for value, start, end, unit, places in islice(unknown, _MOST):
        claim = stated_at(turn, start)
        if claim is None or planned(title_at(text, start)) or _worked_out(turn, claim, start):
            continue
        for step in reversed(steps):
            hit = _of_its_digits(step, value, unit, places)
            if hit and (_digits(text[start:end]) >= 3 or _about(text, start, step)):
                yield Mismatch(claim, step, f"{text[start:end]} {unit}", hit, hit)
                return


def _worked_out(turn: Turn, claim: Claim, at: int) -> bool:
    """`so ten of them are 3180 KB`, `4.12 ms per request`, `far under the 2.5 % of the SLO`."""
    text = turn.closing.document.text
    start, end = turn.closing.document.sentences[claim.clause.sentence]
    return (
        _TIMES.search(text, start, end) is not None
        or COMPARED.search(text, max(start, at - 30), at) is not None
    )


_TIMES = regex(
    r"\b(?:ten|tens?fold|hundred|thousand|million|zehn|hundert|tausend|diez|cien|mil|dix|cent|mille|dez|cem|dieci|cento)\b"
    r"|(?<![\d.,])1(?:0|00|[,. ]?000)(?![\d.,])|\b(?:per|pro|por|par|je|each|apiece) \w+",
    re.IGNORECASE,
)


def unmeasured(turn: Turn) -> Iterator[tuple[Mismatch, Step]]:
    """`after: 268 ms`, where the command that printed the measure before failed when it ran again."""
    text = turn.closing.document.text
    first: dict[str, tuple[Step, set[str]]] = {}
    failed: list[tuple[Step, set[str]]] = []
    for step in turn.ledger.acts[-_LAST:]:
        line = step.command_text.strip()
        if not line or step.result is None:
            continue
        if line in first and step.outcome.bad:
            failed.append((step, first[line][1]))
        elif not step.outcome.bad:
            units = set(_MEASURED.findall(step.text[:_READ]))
            if units:
                first[line] = (step, units)
                failed = [(bad, own) for bad, own in failed if bad.command_text.strip() != line]
    known = tally(turn)
    for step, units in failed:
        for value, _, start, end in numbers_in(text)[:_TOLD]:
            unit = _UNIT.match(text, end)
            places = places_of(text[start:end])
            if unit is None or unit.group(1) not in units or known.stands(value, places):
                continue
            if (
                reckoned(turn, value)
                or known.follows(value, places)
                or known.resized(value, places)
            ):
                continue
            claim = stated_at(turn, start)
            line = text[text.rfind("\n", 0, start) + 1 : start]
            if "|" not in line and _AFTER.search(line) is None:
                continue
            if claim is not None and _A_LIMIT.search(text, claim.start, claim.end):
                continue
            if claim is not None and not planned(title_at(text, start)):
                said = text[start : unit.end()]
                yield Mismatch(claim, step, said, "", step.outcome.quote), step
                return


_AFTER = regex(
    r"\b(?:after\w*|now|new|current\w*|then|down to|to|from|takes?|is|jetzt|nachher|danach|neu|ahora|después|maintenant"
    r"|après|ora|dopo|agora|depois)\b|→|现在|今|지금|後",
    re.IGNORECASE,
)
# What is to be set, and was not measured.
_A_LIMIT = regex(
    r"\b(?:I|we|you)['’]d\b|\b(?:would|could|should|limit|timeout|budget|target|goal|threshold|at most|at least)\b",
    re.I,
)
_MEASURED = regex(r"\d\s?(ms|µs|us|ns|s|MB|GB|KB|kB|MiB|GiB)(?![^\W\d_])")


def _of_its_digits(step: Step, value: float, unit: str, places: int) -> str:
    """The measure of the result that has these digits, empty where none has."""
    body = step.text[:_READ]
    for shown, _, start, end in numbers_in(body):
        own = _UNIT.match(body, end)
        if own is None or own.group(1) != unit or near(value, shown, places):
            continue
        if any(near(value, shown * by, places) for by in _SHIFTS):
            return body[start : own.end()]
    return ""


def _about(text: str, at: int, step: Step) -> bool:
    """True when the line of the measure has a word or a number that the call was given."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)]
    return any(word in step.argument_text for word in _WORD.findall(line))


def _digits(number: str) -> int:
    return len(re.sub(r"\D", "", number).lstrip("0"))
