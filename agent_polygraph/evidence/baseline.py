"""Which calls ran on the state before the turn's own changes: stashed away, or in another checkout.

Strategy: one pass over the command lines follows `git stash`, `git worktree add` and `git checkout` of a
revision as far as they go; before the first edit of the turn everything runs on that state.
O(words of the command lines).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .._lazy import regex
from .shell import Simple
from .step import Step

_KEEPS = frozenset("pop apply list show drop clear branch".split())
# What is checked out where the changes of the turn are not.
_REVISION = regex(
    r"(?:(?:origin|upstream)/)?(?:main|master|develop|trunk)|HEAD[~^@]\S*|[0-9a-f]{7,40}|v?\d+\.\d[\w.]*"
)


def base_steps(steps: Iterable[Step], first_edit: int) -> list[Step]:
    """The calls that ran on it, in order.  first_edit: the order of the turn's first edit, -1 for none."""
    stashed = away = False
    trees: set[str] = set()
    found: list[Step] = []
    for step in steps:
        at_base = stashed or away or step.order < first_edit
        inside = False
        for part in step.command.parts if step.command is not None else ():
            words = part.words
            if part.program == "git":
                verb, rest = _verb(part)
                if verb == "stash":
                    stashed = not (rest and rest[0] in _KEEPS)
                elif verb == "worktree" and rest[:1] == ["add"]:
                    trees |= {_name(word) for word in rest[1:] if "/" in word and word[0] != "-"}
                elif verb in ("checkout", "switch") and "--" not in words:
                    away = len(rest) == 1 and bool(_REVISION.fullmatch(rest[0]))
            elif part.program == "cd" and len(words) > 1:
                inside = _name(words[1]) in trees
            at_base = at_base or stashed or away or inside
        if at_base:
            found.append(step)
    return found


def stashed_runs(step: Step) -> list[bool]:
    """For each runner of one command line, whether it ran while the changes were stashed away.

    `pytest && git stash && pytest; git stash pop`: the second one did.
    """
    found: list[bool] = []
    stashed = False
    for part in step.command.parts if step.command is not None else ():
        if part.program == "git":
            verb, rest = _verb(part)
            if verb == "stash":
                stashed = not (rest and rest[0] in _KEEPS)
        elif part.runner is not None:
            found.append(stashed)
    return found


def _verb(part: Simple) -> tuple[str, list[str]]:
    """(`stash`, the words behind it) of `git -C there stash -q`; flags are left out."""
    words = list(part.words[1:])
    while words and words[0].startswith("-"):
        del words[: 2 if words[0] in ("-C", "-c") else 1]
    if not words:
        return "", []
    rest: Sequence[str] = words[1:]
    return words[0], [word for word in rest if not word.startswith("-") or word == "-"]


def _name(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]
