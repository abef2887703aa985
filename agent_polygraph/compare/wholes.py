"""A whole told of parts: `selftest reports 9/9 ok`, where the last that was printed is `8/9 ok`.

O(closing + the last results), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import has_any, regex
from ..binding import Turn
from ..evidence.step import Step
from .codes import stated_at
from .mismatch import Mismatch

_LAST = 30  # calls that are looked at
_READ = 20_000
_JOINTS = (" of ", "/", " out of ", " von ", " de ", " sur ", " di ", " из ")
_WHOLE = regex(
    r"(?<![\w.,/:-])(\d{1,5})\s?(?:/|of|out of|von|de|sur|di|из)\s?\1(?![\w/-]|[.,]\d)",
    re.IGNORECASE,
)
_PART = regex(
    r"(?<![\w.,/:-])(\d{1,5})\s?(?:/|of|out of)\s?(\d{1,5})(?![\w/-]|[.,]\d)", re.IGNORECASE
)
# What a share is a share of.
_STATE = regex(
    r"\b(?:ok|pass(?:ed|es|ing)?|green|ready|healthy|up|done|succe\w+|available|running|complete[d]?|synced|valid"
    r"|match(?:es|ed)?|reachable|online|imported|migrated|processed|sent|delivered|uploaded|verified)\b",
    re.IGNORECASE,
)


def wholes(turn: Turn) -> Iterator[Mismatch]:
    """All of so many are told to be well, and the last share of that many that was printed is a part."""
    text = turn.closing.document.text
    for found in _WHOLE.finditer(text) if has_any(text, _JOINTS) else ():
        whole = found.group(1)
        claim = stated_at(turn, found.start())
        if claim is None or int(whole) < 2:
            continue
        said = _STATE.search(text, found.end(), found.end() + 24)
        shares = list(_shares(turn, whole))
        if said is None or not shares or any(share == whole for _, share, _ in shares):
            continue
        step, share, line = shares[-1]
        since = [later for later in turn.ledger.acts if later.order > step.order]
        if len(since) > 1 or not all(later.edited for later in since):
            continue  # what came since may have done the rest
        alike = _STATE.search(line)
        told = re.search(rf"(?<!\d){share}(?!\d)", text[: found.start()] + text[found.end() :])
        if alike and alike.group()[:4].casefold() == said.group()[:4].casefold() and not told:
            yield Mismatch(claim, step, found.group(), line.strip()[:80])
            return


def _shares(turn: Turn, whole: str) -> Iterator[tuple[Step, str, str]]:
    """(step, the part, its line) of every share that was printed, in order; `3 of 9 ok name` counts them up."""
    for step in turn.ledger.acts[-_LAST:]:
        if step.result is None or whole not in step.body:
            continue
        for line in step.body[-_READ:].split("\n"):
            for found in _PART.finditer(line) if whole in line else ():
                behind = line[found.end() :].strip(" .)]")
                if found.group(2) == whole and _STATE.fullmatch(behind):
                    yield step, found.group(1), line
