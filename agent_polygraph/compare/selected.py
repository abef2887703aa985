"""Things told checked one by one, of which only one was selected: `passes in Chromium, Firefox and WebKit`
over `--project=chromium`.

A list of the closing has a value that an option of the runs picked, and others that no command line of the
turn has.  O(command lines + lists of the closing), bounded.
"""

from __future__ import annotations

from collections.abc import Iterator

from .._lazy import has_any, regex
from ..binding import Turn
from ..binding.words import squeezed
from .codes import stated_at
from .mismatch import Short

_SENTENCES = 20  # sentences that name what was picked
_OPTION = regex(
    r"--?(?:project|browser|env|environment|target|platform|python|package|workspace|device|arch|profile|features?|tag"
    r"|suite|locale|region|cluster|shard|os)[= ]([\w.-]{2,40})"
)
_LIST = regex(
    r"[*_`]{0,2}[\w.-]{2,30}[*_`]{0,2}(?:, [*_`]{0,2}[\w.-]{2,30}[*_`]{0,2}){0,6},? (?:and|und|et|y|e|&)"
    r" [*_`]{0,2}[\w.-]{2,30}[*_`]{0,2}"
)
_SPLIT = regex(r", | (?:and|und|et|y|e|&) ")


def picked_one(turn: Turn) -> Iterator[Short]:
    """A list of which the last run of that kind took one, and no run the others."""
    lines = [s for s in turn.ledger.acts if s.command is not None and s.result is not None]
    picked = {squeezed(v): s for s in lines for v in _OPTION.findall(s.command_text)}
    if not picked or turn.ledger.delegates:
        return
    runs = [s for s in lines if s.runs_check is not None or s.checks_run]
    if not runs or any(not _OPTION.search(s.command_text) for s in runs[-1:]):
        return  # the last run took all of them
    given = squeezed("\n".join(s.command_text for s in lines if s in runs))
    shown = squeezed("\n".join(s.text[:8_000] for s in turn.ledger.acts if s.reads_only))
    document = turn.closing.document
    named = [
        span
        for span in document.sentences
        if span[1] - span[0] < 2_000 and has_any(squeezed(document.text[slice(*span)]), picked)
    ]
    for found in (
        hit for span in named[:_SENTENCES] for hit in _LIST.finditer(document.text, *span)
    ):
        items = [squeezed(item) for item in _SPLIT.split(found.group())]
        own = [item for item in items if item in picked]
        rest = [item for item in items if item not in given and len(item) >= 3]
        claim = stated_at(turn, found.start()) if own and rest else None
        if claim is None or any(d.sentence == claim.clause.sentence for d in turn.disclosures):
            continue
        passes = any(
            c.plain and c.kind in ("check", "works") and c.clause.sentence == claim.clause.sentence
            for c in turn.claims
        )
        if passes and all(item in shown for item in rest):
            step = picked[own[0]]
            why = f"only {own[0]} was run: no command line names {', '.join(rest)}"
            yield Short(claim, step, why, step.command_text.strip()[:120])
            return
