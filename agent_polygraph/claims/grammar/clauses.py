"""Slices of the closing that every rule of the grammar works on: a clause's tags, tokens, words."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from ..lexicon import BY_CHARACTER, Tag
from ..text import Clause
from .forms import Claim, Closing

_TAGS = 200  # tags of one clause that are read; no sentence has more


class Clauses:
    """The closing, its tags and its tokens, by clause."""

    def __init__(self, closing: Closing, tokens: Sequence[tuple[int, int]], most: int) -> None:
        self.closing = closing
        self.document = closing.document
        self.tokens = tokens
        self.most = most
        self.tag_starts = [tag.start for tag in closing.tags]
        self.token_starts = [start for start, _ in tokens]
        self.sets: list[Claim] = []
        self._words: dict[int, list[str]] = {}  # by the clause, which the document keeps
        self.language = closing.languages[0] if closing.languages else ""
        self.by_character = self.language in BY_CHARACTER
        self.doubtful: set[int] = (
            set()
        )  # where the word of an action may mean a state found or a failure

    def tags_in(self, clause: Clause) -> list[Tag]:
        low, high = (
            bisect_left(self.tag_starts, clause.start),
            bisect_left(self.tag_starts, clause.end),
        )
        tags, holes = self.closing.tags[low : min(high, low + _TAGS)], clause.holes
        return [tag for tag in tags if not within(tag.start, holes)] if holes else tags

    def spans_in(self, clause: Clause) -> list[tuple[int, int]]:
        low, high = (
            bisect_left(self.token_starts, clause.start),
            bisect_left(self.token_starts, clause.end),
        )
        spans, holes = self.tokens[low:high], clause.holes
        return [span for span in spans if not within(span[0], holes)] if holes else list(spans)

    def words_in(self, clause: Clause) -> list[str]:
        words = self._words.get(id(clause))
        if words is None:
            text = self.document.masked
            words = [text[a:b].casefold() for a, b in self.spans_in(clause)]
            self._words[id(clause)] = words
        return words


def within(position: int, holes: Iterable[tuple[int, int]]) -> bool:
    return any(a <= position < b for a, b in holes)
