"""Vocabularies of span attributes: one table each, one file each.

A reader asks all tables in turn, since a span may speak two of them at once (an OpenInference
processor rewrites GenAI spans in place).  To add a vocabulary, add a file with a `DIALECT`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from .._load import tables
from ..history import Parser
from ..span import Span

KINDS = ("tool", "llm", "agent", "chain", "other")
ANY = "*"  # any value


@dataclass(frozen=True, slots=True)
class Dialect:
    """The attribute names of one vocabulary; of several, the first that is there counts.

    rank: lower is asked first.  kinds: attribute -> its values (`ANY`: any value) -> one of KINDS.
    failed: attribute -> the values that mean the call failed.  inputs, outputs: where the messages
    of a model call are.  answers: where an agent's final text is.  asked: where its task is.
    tools: where the tools that it could call are.  folds: what span events and log records of a
    span say, as attributes.  prefixes, suffixes: what a span name has around a tool's name.
    control: names of tools that end or hand over a run and show nothing of the world.
    """

    name: str
    rank: int
    kinds: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tool_name: tuple[str, ...] = ()
    call_id: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    result: tuple[str, ...] = ()
    failed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    inputs: tuple[tuple[str, Parser], ...] = ()
    outputs: tuple[tuple[str, Parser], ...] = ()
    answers: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    folds: Callable[[Span], Mapping[str, Any]] | None = None
    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    control: tuple[str, ...] = ()


class Tables:
    """All dialects as one: each purpose with its attributes in the order of the dialects."""

    def __init__(self, dialects: tuple[Dialect, ...]) -> None:
        self.dialects = dialects
        self.kinds = [pair for dialect in dialects for pair in dialect.kinds.items()]
        self.tool_name = self._names("tool_name")
        self.call_id = self._names("call_id")
        self.arguments = self._names("arguments")
        self.result = self._names("result")
        self.asked = self._names("asked")
        self.answers = self._names("answers")
        self.tools = self._names("tools")
        self.prefixes = self._names("prefixes")
        self.suffixes = self._names("suffixes")
        self.control = frozenset(self._names("control"))
        self.failed = [pair for dialect in dialects for pair in dialect.failed.items()]
        self.inputs = [pair for dialect in dialects for pair in dialect.inputs]
        self.outputs = [pair for dialect in dialects for pair in dialect.outputs]
        self.folds = [dialect.folds for dialect in dialects if dialect.folds is not None]
        self.parsers = dict(reversed([*self.inputs, *self.outputs]))
        # Where what goes in and comes out is.
        self.contents = frozenset((*self.arguments, *self.result, *self.parsers))

    def _names(self, purpose: str) -> tuple[str, ...]:
        names = (name for dialect in self.dialects for name in getattr(dialect, purpose))
        return tuple(dict.fromkeys(names))

    def kind_of(self, attributes: Mapping[str, Any]) -> str:
        """tool, llm, agent, chain or other, by the first attribute that tells."""
        for key, values in self.kinds:
            value = attributes.get(key)
            if value is None or value == "":
                continue
            found = values.get(value) if isinstance(value, str) else None
            if found is None and isinstance(value, str):
                found = values.get(value.upper())
            found = found or values.get(ANY)
            if found is not None:
                return found
        return "other"


@cache
def known() -> Tables:
    """The tables of all dialects, in order of their rank."""
    found: list[Dialect] = tables(__name__, "DIALECT")
    return Tables(tuple(sorted(found, key=lambda dialect: (dialect.rank, dialect.name))))
