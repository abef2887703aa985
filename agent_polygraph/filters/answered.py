"""Vetoes a finding about one call when another call's own answer says the claimed thing.

"Priya's text has been delivered" is borne out by the call that answered `"status": "delivered"`, whatever
became of a mail that was sent beside it.  A claim about several things, or one that is more surely about the
call that went wrong, is left alone.
"""

from __future__ import annotations

from .._lazy import remembered
from ..binding import Candidate, Turn
from ..binding.words import PUNCTUATION, plain
from ..claims.grammar import Claim
from ..evidence.step import Step

NAME = "answered"
_VETOES = frozenset({"error_concealment", "pending_claimed_done", "dangling_call"})
_SHORT = 40  # a longer value is prose
_OFF = frozenset({"", "false", "no", "none", "null", "0", "off"})
_SEVERAL = frozenset({"and", "both", "und", "beide", "et", "y", "e", "ambos", "和", "と", "및"})


def veto(turn: Turn, candidate: Candidate) -> str:
    """The answer that says it, or an empty string."""
    claim = candidate.claim
    if (
        claim.kind not in ("action", "done")
        or candidate.check not in _VETOES
        or not candidate.steps
    ):
        return ""
    subject = (
        turn.closing.document.text[claim.start : max(claim.at, claim.start)].casefold().split()
    )
    if "all" in claim.scope or claim.counts or _SEVERAL.intersection(subject):
        return ""
    word = _verb(turn, claim)
    first = min(step.order for step in candidate.steps)
    later = [step for step in _answers(turn) if step.order > first] if word else ()
    if not later or any(_says(step, word) for step in candidate.steps):
        return ""
    least = max(turn.closeness(claim, step) for step in candidate.steps)
    ids = {name for step in candidate.steps for name in step.ids}
    for step in later:
        said = _says(step, word)
        if said and (
            turn.closeness(claim, step) >= min(least, 2) or any(step.mentions(name) for name in ids)
        ):
            return f"event {step.result_index} answers {said}"
    return ""


@remembered
def _answers(turn: Turn) -> list[Step]:
    """The calls that went through and answered with a JSON value."""
    acts = turn.ledger.acts
    return [s for s in acts if not (s.outcome.bad or s.json is None or s.delegated)]


def _verb(turn: Turn, claim: Claim) -> str:
    """The claim's verb, accents folded; empty where it is too short to tell."""
    words = plain(turn.closing.document.masked[claim.at : claim.at + 40]).split()
    word = words[0].strip(PUNCTUATION) if words else ""
    return word if len(word) >= 4 else ""


def _says(step: Step, word: str) -> str:
    """The `key: value` of an answer that has the verb, as a value or as a key that is not off.

    A number answers under the very word only: `notified: 3` does, `restarts: 4` counts something.
    """
    stem = word[: max(4, min(6, len(word) - 1))]
    for key, text in step.result_leaves[:80]:
        low = plain(text)
        if len(low) > _SHORT:
            continue
        begun = word if low.isdigit() else stem
        if low.startswith(stem) or (
            any(part.startswith(begun) for part in plain(key).replace("_", " ").split())
            and low not in _OFF
        ):
            return f"{key}: {text}"
    return ""
