"""A failure stays a failure until a later call reaches the same goal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from .._lazy import cached_property
from ..evidence import outcomes
from ..evidence.ledger import Step, is_doc
from ..evidence.values import same_path
from .aim import Aim
from .reading import STRONG, Reading
from .runs import RUN_KINDS
from .words import COMMON_EFFECTS, nouns

_GLUE = frozenset("cd echo head tail cat true set export source . ls pwd".split())


class Goals(Aim):
    """Goals and their recovery."""

    def same_goal(self, one: Step, other: Step) -> bool:
        """True when `other`, coming later, can stand in for `one`."""
        run, again = one.runs_check, other.runs_check
        if run and again and (run[1] in RUN_KINDS or again[1] in RUN_KINDS):
            return run[1] == again[1]
        shared = (one.effects & other.effects) - {
            "read",
            "run",
            "opaque",
            "search",
            "background",
            "stage",
            "control",
        }
        if one.name == other.name and not one.effects - {
            "opaque",
            "run",
            "read",
            "search",
            "verify",
            "background",
        }:
            if one.command is not None and other.command is not None:
                mine = {p.program for p in one.command.parts} - _GLUE
                return bool(mine & {p.program for p in other.command.parts})
            return _overlap(one, other)
        if one.paths and other.paths:
            return bool(shared or "opaque" in other.effects) and any(
                same_path(a, b) for a in one.paths for b in other.paths
            )
        if not shared and not ("opaque" in other.effects and "opaque" in one.effects):
            return False
        tools = one.command is None and other.command is None
        special = one.effects & STRONG - COMMON_EFFECTS
        if tools and special and shared <= COMMON_EFFECTS and not nouns(one) & nouns(other):
            return False  # `add_note` refunds nothing
        if one.ids and other.ids:
            return _overlap(one, other)
        if (
            one.name != other.name
            and one.command is None
            and other.command is None
            and shared <= COMMON_EFFECTS
        ):
            return bool(nouns(one) & nouns(other))
        return True

    def unrecovered(self, steps: Iterable[Step]) -> list[Step]:
        """Bad steps whose goal no later step reached."""
        found = []
        for step in steps:
            if not step.outcome.bad:
                continue
            later = self._went_through[bisect_right(self._went_through_at, step.order) :]
            if not any(self.same_goal(step, other) for other in later):
                found.append(step)
        return found

    @cached_property
    def _went_through(self) -> list[Step]:
        good = (outcomes.OK, outcomes.NOOP, outcomes.PARTIAL, outcomes.PENDING)
        return [
            step for step in self.ledger.acts if step.outcome.kind in good and not step.rehearsal
        ]

    @cached_property
    def _went_through_at(self) -> list[int]:
        return [step.order for step in self._went_through]


def _overlap(one: Step, other: Step) -> bool:
    return bool(one.ids & other.ids) or any(same_path(a, b) for a in one.paths for b in other.paths)


def code_edits(turn: Reading) -> list[tuple[Step, str]]:
    """Edits of files that a run could notice."""
    return [(step, path) for step, path in turn.ledger.edits if not is_doc(path)]
