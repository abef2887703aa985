"""A failure stays a failure until a later call reaches the same goal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from .._lazy import cached_property, remembered
from ..evidence import outcomes
from ..evidence.step import Step
from ..evidence.touched import is_doc
from ..evidence.values import same_path
from .aim import Aim
from .reading import STRONG, Reading
from .runs import RUN_KINDS
from .words import COMMON_EFFECTS, nouns

_FEW = 20  # failures that are followed step by step
_GLUE = frozenset("cd echo head tail cat true set export source . ls pwd".split())


def _kinds(step: Step) -> frozenset[str]:
    """The kinds of checks that the call starts."""
    return frozenset(kind for _, kind, _ in step.checks_run if kind in RUN_KINDS)


class Goals(Aim):
    """Goals and their recovery."""

    def same_goal(self, one: Step, other: Step) -> bool:
        """True when `other`, coming later, can stand in for `one`."""
        if _stopped_in_conflict(one) and _concludes(other):
            return True
        run, again = one.runs_check, other.runs_check
        if run and again and (run[1] in RUN_KINDS or again[1] in RUN_KINDS):
            if (
                run[1] == "db"
                and _subcommands(one, other)
                and not one.effects & other.effects & STRONG
            ):
                return False  # `prisma generate` migrates nothing
            return run[1] == again[1] or not _kinds(one).isdisjoint(_kinds(other))
        shared = (one.effects & other.effects) - {
            "read",
            "run",
            "opaque",
            "search",
            "background",
            "stage",
            "control",
            "script",
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
        if one.command is other.command is None and _same_values(one, other):
            return True  # `runbook_execute` with the cluster, the name and the number of the call refused
        if not shared and not ("opaque" in other.effects and "opaque" in one.effects):
            return False
        if not shared and _subcommands(one, other):
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
        return [step for step in steps if step.outcome.bad and not self._reached_later(step)]

    def _reached_later(self, step: Step) -> bool:
        """True when a later step reached the goal of a bad one.

        A few are looked for step by step, which reads no more steps than it takes; many by the last
        step that can stand in for them, which is found once for all calls that are alike.
        """
        reached = self._reached.get(step.order)
        if reached is None:
            if len(self._reached) < _FEW:
                later = self._went_through[bisect_right(self._went_through_at, step.order) :]
                reached = any(self.same_goal(step, other) for other in later)
            else:
                reached = self._last_alike(step) > step.order
            self._reached[step.order] = reached
        return reached

    @cached_property
    def _reached(self) -> dict[int, bool]:
        return {}

    def _last_alike(self, step: Step) -> int:
        """The order of the last step that can stand in for `step`, -1 where there is none.

        O(1) for the second call that is alike, O(steps that share a value) for the first.
        """
        kind = (step.name, step.effects, step.runs_check, _programs(step))
        last = self._alike.get((kind, step.paths, step.ids))
        if last is None:
            if step.ids:
                unnamed = self._alike.get((kind, (), None))
                if unnamed is None:
                    unnamed = self._last_of(step, self._by_value.get("", ()))
                    self._alike[kind, (), None] = unnamed
                sharing = (self._last_of(step, self._by_value.get(v, ())) for v in _values(step))
                last = max((unnamed, *sharing))
            else:
                last = self._last_of(step, self._went_through)
            self._alike[kind, step.paths, step.ids] = last
        return last

    def _last_of(self, step: Step, others: Sequence[Step]) -> int:
        return next((o.order for o in reversed(others) if self.same_goal(step, o)), -1)

    @cached_property
    def _alike(self) -> dict[tuple[object, tuple[str, ...], frozenset[str] | None], int]:
        return {}

    @cached_property
    def _by_value(self) -> dict[str, list[Step]]:
        """What went through by the values that it shares with what can stand in for it."""
        found: dict[str, list[Step]] = {}
        for step in self._went_through:
            for value in _values(step):
                found.setdefault(value, []).append(step)
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


def _subcommands(one: Step, other: Step) -> bool:
    """Two lines that each call one and the same program, for things that we know."""
    mine, theirs = _programs(one), _programs(other)
    return (
        bool(mine) and mine == theirs
        and not one.effects.isdisjoint(STRONG) and not other.effects.isdisjoint(STRONG)
    )  # fmt: skip


def _programs(step: Step) -> frozenset[str] | None:
    if step.command is None:
        return None
    return frozenset(part.program for part in step.command.parts) - _GLUE


@remembered
def _values(step: Step) -> frozenset[str]:
    """Of these, two steps of one goal share one: a kind of check, a program, an id, the end of a path.

    A step without ids has "" as well: it may stand in for any.
    """
    check = step.runs_check
    return frozenset(
        (
            *((f"check {check[1]}",) if check else ()),
            *(f"program {name}" for name in _programs(step) or ()),
            *step.ids,
            *(f"/{path.rsplit('/', 1)[-1]}" for path in step.paths),
            *(() if step.ids else ("",)),
        )
    )


def _overlap(one: Step, other: Step) -> bool:
    return bool(one.ids & other.ids) or any(same_path(a, b) for a in one.paths for b in other.paths)


@remembered
def code_edits(turn: Reading) -> list[tuple[Step, str]]:
    """Edits of files that a run could notice."""
    return [(step, path) for step, path in turn.ledger.edits if not is_doc(path)]


def _same_values(one: Step, other: Step) -> bool:
    """True where a later call of another tool was given all that the first one was, three values or more."""
    mine = {text for _, text in one.argument_leaves[:40] if text}
    if len(mine) < 3 or (other.reads_only and "run" not in other.effects):
        return False
    return mine <= {text for _, text in other.argument_leaves[:60]}


def _stopped_in_conflict(step: Step) -> bool:
    """`git merge x` that left conflicts behind: it goes on, and is done with the commit."""
    return step.command is not None and "merge" in step.effects and "CONFLICT" in step.text


def _concludes(step: Step) -> bool:
    return step.command is not None and (
        "commit" in step.effects or "--continue" in step.command_text
    )
