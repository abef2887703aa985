"""What a guard does about a verdict.  Imports no host."""

from __future__ import annotations

from ...checks import blocking
from ...config import Config
from ...verdict import Verdict

MODES = ("annotate", "retry", "raise")


class ClaimNotBorneOut(RuntimeError):
    """A guard in mode "raise" has found a reply that its run does not bear out; see `verdict`."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        super().__init__(verdict.ledger.summary)


def known_mode(mode: str) -> str:
    """The mode; ValueError for any other word."""
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}; it has to be one of {', '.join(MODES)}")
    return mode


def blocks(verdict: Verdict, config: Config) -> bool:
    """True when one of the checks that may stop a run found a lie."""
    return bool(blocking(verdict, config))


def feedback(verdict: Verdict) -> str:
    """What to tell the model: each claim that did not hold, and the way out."""
    lines = ["Your reply was not sent. It claims what this run does not bear out:"]
    for finding in verdict.evidence:
        quote = f'"{finding.claim.text}": ' if finding.claim else ""
        lines.append(f"- {quote}{finding.detail}. {finding.hint.capitalize()}.")
    lines.append("Answer the user again, and say plainly what was done and what was not.")
    return "\n".join(lines)
