"""The steps of a turn in order: which result belongs to which call, what ran, what came last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .._lazy import cached_property
from ..config import Config
from ..events import Event, Message, ToolCall, ToolResult
from .outcomes import error_patterns
from .runners import RunSummary
from .step import Step


class Ledger:
    """All steps of the trajectory, and who said what between them."""

    def __init__(self, events: Sequence[Event], config: Config) -> None:
        self.config = config
        self.messages: list[tuple[int, Message]] = []
        self.steps: list[Step] = []
        self.orphans = 0
        patterns = error_patterns(config.error_patterns) if config.error_sniff else ()
        open_steps: dict[str, list[Step]] = {}
        for index, event in enumerate(events):
            if isinstance(event, ToolCall):
                step = Step(index, event.call_id, event.name, event.arguments, config, patterns)
                step.order = len(self.steps)
                self.steps.append(step)
                open_steps.setdefault(event.call_id, []).append(step)
            elif isinstance(event, ToolResult):
                waiting = open_steps.get(event.call_id)
                if waiting:
                    step = waiting.pop(0)
                else:
                    step = Step(index, event.call_id, "", None, config, patterns)
                    step.order = len(self.steps)
                    self.steps.append(step)
                    self.orphans += 1
                step.result, step.result_index = event, index
            else:
                self.messages.append((index, event))
        self._share_out()

    def _share_out(self) -> None:
        """Bound what is read of the longest results where all of them are too much to be read."""
        most, left = self.config.limits.result_chars, self.config.limits.turn_chars
        sizes = [
            min(most, len(step.result.content))
            for step in self.steps
            if step.result is not None and isinstance(step.result.content, str)
        ]
        if sum(sizes) <= left:
            return
        for place, size in enumerate(sorted(sizes)):
            share = left // (len(sizes) - place)
            if size > share:  # and so are all behind it
                break
            left -= size
        for step in self.steps:
            step.result_chars = max(1, min(most, share))

    @cached_property
    def last_request(self) -> int:
        """Event index of the last user message, -1 where there is none."""
        return max((i for i, m in self.messages if m.role in ("user", "human")), default=-1)

    @cached_property
    def told(self) -> list[str]:
        """What anyone but the agent said, in order: the user, the host."""
        return [message.text for _, message in self.messages if message.role != "assistant"]

    @cached_property
    def acts(self) -> list[Step]:
        """Steps that are evidence: everything but bookkeeping."""
        return [step for step in self.steps if "control" not in step.effects]

    @cached_property
    def delegates(self) -> bool:
        """True when a part of the work was another agent's."""
        return any(step.delegated for step in self.acts)

    @cached_property
    def edits(self) -> list[tuple[Step, str]]:
        """(step, path) of every file change that went through, in order."""
        return [
            (step, path)
            for step in self.acts
            for path in step.edited
            if not step.outcome.bad
            and step.result is not None
            and "*" not in path
            and "$$" not in path
        ]

    @cached_property
    def runs(self) -> list[tuple[Step, RunSummary]]:
        """(step, summary) of every run whose own words are in a result, in order."""
        return [(step, summary) for step in self.acts for summary in step.summaries]

    @property
    def notes(self) -> list[str]:
        """What of the steps was not read, as far as they were looked at."""
        return sorted(frozenset().union(*(step.notes for step in self.steps if step.notes)))

    def named_before(self, needle: str, order: int) -> bool:
        """True when a step before the one of that order contains `needle`, which is case-folded.

        Where it first stands is looked for once: O(characters) for each needle.
        """
        first = self._first_named.get(needle)
        if first is None:
            found = self.mention(needle)
            first = self._first_named[needle] = len(self.steps) if found is None else found.order
        return first < order

    @cached_property
    def _first_named(self) -> dict[str, int]:
        return {}

    def mention(self, needle: str, steps: Iterable[Step] | None = None) -> Step | None:
        """The first step whose arguments or result contain `needle`, ignoring case."""
        low = needle.casefold()
        for step in steps if steps is not None else self.steps:
            if low in step.searchable:
                return step
        return None
