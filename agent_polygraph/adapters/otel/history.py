"""The messages of a turn's model spans, each of which repeats all that came before it.

Finding messages and reading one are two steps therefore, and what was read before is not read again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from .._shape import parse_json
from .flat import Attributes, Row, Spread, in_order, spread


@dataclass(slots=True)
class Part:
    """One thing in a message: words ("user", "assistant"), a "call" or a "result".

    said: a result's own word on whether it failed.
    """

    kind: str
    value: Any = ""
    call_id: str = ""
    name: str = ""
    said: bool | None = None


class Parser:
    """How the messages of an attribute are found, and how one of them is read.

    flat: they are under keys that begin with the attribute's, not under the key itself.
    """

    def __init__(
        self,
        messages: Callable[[Attributes, str, History], Iterable[Any]],
        parts: Callable[[Any], Iterable[Part]],
        *,
        flat: bool = False,
    ) -> None:
        self.messages, self.parts, self.flat = messages, parts, flat


class History:
    """Reads messages; one that stood in the same place of the span before is not read again."""

    def __init__(self) -> None:
        self._before: dict[tuple[Parser, str], list[tuple[Any, list[Part]]]] = {}
        self._lists: dict[str, _Growing] = defaultdict(_Growing)
        self._spread: tuple[Attributes, Spread] = ({}, {})

    def load(self, key: str, text: str) -> Any:
        """The JSON container that the text of an attribute holds; None where it holds none."""
        return self._lists[key].load(text)

    def flat(self, attributes: Attributes) -> Spread:
        """The rows of a span by the heads of their keys; of the last span they are kept."""
        if self._spread[0] is not attributes:
            self._spread = attributes, spread(attributes)
        return self._spread[1]

    def rows(self, attributes: Attributes, head: str) -> list[Row]:
        """The rows under one head, in order."""
        return in_order(self.flat(attributes).get(head, {}))

    def read(self, parser: Parser, attributes: Attributes, key: str) -> list[Part]:
        """The parts of all messages of an attribute, in order."""
        before = self._before.get((parser, key), ())
        known = len(before)
        now: list[tuple[Any, list[Part]]] = []
        parts: list[Part] = []
        for number, message in enumerate(parser.messages(attributes, key, self)):
            if number < known and _same(before[number][0], message):
                pair = before[number]
            else:
                pair = message, list(parser.parts(message))
            now.append(pair)
            parts += pair[1]
        if now:
            self._before[parser, key] = now
        return parts


class _Growing:
    """Loads JSON texts; of a list that begins like the one before it, only what is new."""

    def __init__(self) -> None:
        self._begin = ""  # the last list without its last bracket
        self._items: list[Any] = []

    def load(self, text: str) -> Any:
        """What `parse_json` gives for `text`."""
        if text[-1:] != "]":
            return parse_json(text)
        begin, found = self._begin, None
        # Behind a list without its bracket there is a comma only where it goes on.
        if begin and text.startswith(begin) and text[len(begin) : len(begin) + 1] == ",":
            more = parse_json("[" + text[len(begin) + 1 :])
            found = [*self._items, *more] if more else None
        if found is None:
            found = parse_json(text)
        if isinstance(found, list) and found:
            self._begin, self._items = text[:-1], found
        return found


def _same(one: Any, other: Any) -> bool:
    # 1 and true are equal; no message is repeated with one in place of the other.
    try:
        return one is other or bool(one == other)
    except RecursionError:  # as deep as the parser goes
        return False
