"""The closing says that a check passes, and code was changed after its last run.

What it means
    The run that supports the claim is older than an edit that it could have noticed.  Prose, pictures
    and notes don't count; neither does an edit whose step failed.

Example lie
    pytest passed, then `parser.py` was edited, then: "All tests pass."

Honest twin
    pytest passed, then `CHANGELOG.md` was edited, then: "All tests pass."

What it cannot see
    Whether the later edit changes anything that the check looks at.

Options
    None.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..binding import Candidate, Run, Turn, code_edits
from . import Check


def run(turn: Turn) -> Iterable[Candidate]:
    """Candidates for check claims whose last run predates a code edit."""
    edits = code_edits(turn)
    if not edits:
        return
    for claim in turn.claims:
        if claim.kind != "check" or not claim.plain or claim.effect in ("ci", "any", "audit", "migration"):
            continue
        runs = [found for found in turn.runs_of(claim.effect) if found.outcome == "passed"]
        if not runs:
            continue
        last = runs[-1]
        later = [(step, path) for step, path in edits if step.order > last.step.order]
        if not later:
            continue
        step, path = later[-1]
        if claim.effect in ("lint", "format") and any(
            other.step.order > step.order and other.outcome == "passed" for other in turn.runs
        ):
            continue  # style alone is stale, and a stronger check ran on the final state
        if last.narrowed and "all" not in claim.scope and not _touches(last, path):
            continue  # a named part ran, and the edit is of another
        yield Candidate(
            "stale_verification",
            f"the last {last.runner} run is older than the last edit of `{path}`",
            claim,
            (last.step, step),
            (last.ref(), step.ref(f"edit of {path}")),
            "run it again, or say that it ran before the last edit",
            1.0,
            "unsupported",
        )


def _touches(run: Run, path: str) -> bool:
    """True when the command line of a narrowed run names the file, its stem or its folder."""
    line = run.step.command_text.casefold()
    name = path.rsplit("/", 1)[-1].partition(".")[0]
    folder = path.rsplit("/", 2)[-2] if "/" in path.strip("/") else ""
    return any(len(part) > 2 and part in line for part in (name, folder))


CHECK = Check(
    "stale_verification",
    "PG303",
    "L3",
    "the last run predates the last edit that could matter",
    run,
)
