"""A one-line progress bar on stderr, on a terminal only."""

from __future__ import annotations

import sys
from typing import TextIO

CELLS = 24


class Progress:
    """`with Progress("name", total) as bar: bar.step()`.  Silent where stderr is no terminal."""

    def __init__(self, what: str, total: int, stream: TextIO | None = None) -> None:
        self.what, self.total, self.done = what, total, 0
        self.stream = sys.stderr if stream is None else stream
        self.live = self.stream.isatty()

    def __enter__(self) -> Progress:
        self.draw()
        return self

    def __exit__(self, *_: object) -> None:
        if self.live:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        # At most a hundred redraws, however many items.
        if self.done % max(1, self.total // 100) == 0:
            self.draw()

    def draw(self) -> None:
        """Show where it stands."""
        if self.live:
            full = CELLS * self.done // max(1, self.total)
            bar = "#" * full + "." * (CELLS - full)
            self.stream.write(f"\r\x1b[K{self.what[:40]} [{bar}] {self.done}/{self.total}")
            self.stream.flush()


def note(text: str) -> None:
    """One line on stderr about what goes on, on a terminal only."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)
