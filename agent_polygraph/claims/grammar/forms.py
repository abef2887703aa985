"""What the closing is read into: claims, counts, disclosures."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from ...evidence.values import Value, classify
from ...verdict import Quote
from ..lexicon import Tag
from ..text import Clause, Document

ASSERTED = "asserted"
PASSES = frozenset({"pass", "passes", "passed", "passing"})
# Polarities other than `asserted` never convict by contradiction, save `believed` and `prior`.
POLARITIES = (
    ASSERTED, "believed", "hedged", "prior", "attributed", "negated", "failed", "unverified",
    "future", "conditional", "question", "requested", "heading",
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Claim:
    """One statement of the closing.

    kind: check, action, works, done, absence, source, set.  effect: the action's or check's name.
    polarity: see POLARITIES.  scope: subset of {all, total, part}.  objects: concepts of the word
    tables.  words: other content words, case-folded.  values / counts: what can be compared.
    """

    kind: str
    effect: str
    start: int
    end: int
    clause: Clause
    polarity: str
    scope: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    values: tuple[Value, ...] = ()
    counts: tuple[Count, ...] = ()
    checks: frozenset[str] = frozenset()
    code: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    at: int = -1  # where the word of the action stands
    voice: str = (
        ""  # of an action: first bare passive trailing third habit other (see grammar.voice)
    )

    def quote(self, document: Document) -> Quote:
        """The clause's words, as they stand in the closing."""
        start, end = self.start, self.end
        text = document.text
        while start < end and text[start] in " \t\n*_|>#-":
            start += 1
        while end > start and text[end - 1] in " \t\n*_|":
            end -= 1
        return Quote(text[start:end], start, end)

    @property
    def plain(self) -> bool:
        """True when the closing simply says so (belief does not soften a contradiction)."""
        return self.polarity in (ASSERTED, "believed")


class Count(NamedTuple):
    """A counted thing: `12 tests` -> (12.0, "test", "tests")."""

    number: float
    concept: str
    word: str
    start: int
    end: int
    of: float | None = None


class Disclosure(NamedTuple):
    """A clause that says what did not happen, or was not seen.

    kind: failed, negated, unverified, pending, skipped, stub, part.  vague: it names nothing.
    """

    kind: str
    start: int
    end: int
    sentence: int
    effects: frozenset[str]
    checks: frozenset[str]
    objects: frozenset[str]
    words: frozenset[str]
    values: tuple[Value, ...]
    code: tuple[str, ...]
    vague: bool
    prior: bool = False


class Closing:
    """The closing read: document, languages, claims, disclosures."""

    def __init__(self, document: Document, languages: tuple[str, ...]) -> None:
        self.document = document
        self.languages = languages
        self.claims: list[Claim] = []
        self.disclosures: list[Disclosure] = []
        self.tags: list[Tag] = []

    def tags_in(self, start: int, end: int) -> list[Tag]:
        """The tags that start in [start, end)."""
        low = bisect_left(self.tags, start, key=_start)
        return self.tags[low : bisect_left(self.tags, end, low, key=_start)]

    @property
    def readable(self) -> bool:
        """False when the text is in a language we have no tables for."""
        return bool(self.languages)


_start = attrgetter("start")


def code_values(code: Iterable[str]) -> list[tuple[str, str]]:
    """(kind, normal form) of inline-code pieces that are comparable values."""
    return [hit for text in code if (hit := classify(text.strip()))]
