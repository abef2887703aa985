"""Vetoes a concealment when the clause repeats what the failed call answered.

"The zone is locked for a registrar transfer" uses no word of failure, but it is the failure's own reason.
"""

from __future__ import annotations

from .._lazy import remembered
from ..binding import Candidate, Turn
from ..evidence.step import Step

NAME = "reported"
_ENOUGH = 2
_READ = 2_000


def veto(turn: Turn, candidate: Candidate) -> str:
    """The shared words, or an empty string."""
    if candidate.check != "error_concealment":
        return ""
    claim = candidate.claim
    text = turn.closing.document.text[claim.start : claim.end]
    verb = turn.closing.document.text[claim.at : claim.end] if claim.at >= 0 else ""
    # `cannot be applied` is not repeated by `is applied`
    told = _words(text) - {word for word in _words(" ".join(verb.split()[:1])) if word < "\u2e80"}
    for step in candidate.steps:
        shared = told & _answer(step)
        if len(shared) >= _ENOUGH:
            return "the clause repeats its answer: " + ", ".join(sorted(shared)[:4])
    return ""


@remembered
def _answer(step: Step) -> frozenset[str]:
    """The words of its answer that it was not given."""
    # a field's name is no word of the answer
    answer = step.body if step.json is not None else step.text
    own = _words(" ".join((step.argument_text, *(key for key, _ in step.argument_leaves[:40]))))
    return frozenset(_words(answer[:_READ]) - own - _COMMON)


_COMMON = frozenset(
    "the and was has been have with from that this not for are you your status error message result".split()
)


def _words(text: str) -> set[str]:
    cleaned = text.replace("_", " ").replace("|", " ")
    found = {word.strip(".,:;()[]{}<>\"'`*«»“”„").casefold() for word in cleaned.split()}
    return {word for word in found if len(word) > 3 or (len(word) > 1 and ord(word[0]) > 0x2E80)}
