"""A progress bar on stderr, for work that lasts, on a terminal only.

Drawn by `rich` where that is installed (the extra `cli`), otherwise by hand.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Protocol, TextIO

_PATIENCE = 0.5  # seconds of silence before a bar appears
_REDRAW = 0.1  # seconds between two drawings
_WIDTH = 24
_CLEAR = "\r\x1b[K"  # back to the start of the line, and erase it


class _Bar(Protocol):
    def draw(self, files: int, turns: int) -> None: ...

    def say(self, line: str) -> None: ...

    def close(self) -> None: ...


class Progress:
    """Counts files and turns; shows them once the work has lasted.

    A context manager.  `total` is the number of files.  Where `shown` is false it only counts.
    """

    def __init__(self, total: int, *, shown: bool, stream: TextIO | None = None) -> None:
        self.shown = shown
        self.files = 0
        self.turns = 0
        self._total = total
        self._stream = sys.stderr if stream is None else stream
        self._bar: _Bar | None = None
        self._due = time.monotonic() + _PATIENCE

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def turn(self) -> None:
        """One more turn is judged."""
        self.turns += 1
        self._tick()

    def file(self) -> None:
        """One more file is done."""
        self.files += 1
        self._tick()

    def say(self, line: str) -> None:
        """Print a line to the stream, clear of the bar."""
        if self._bar is None:
            print(line, file=self._stream, flush=True)
        else:
            self._bar.say(line)

    def _tick(self) -> None:
        if not self.shown or time.monotonic() < self._due:
            return
        if self._bar is None:
            self._bar = _bar(self._total, self._stream)
        self._bar.draw(self.files, self.turns)
        self._due = time.monotonic() + _REDRAW


def _bar(total: int, stream: TextIO) -> _Bar:
    try:
        return _RichBar(total, stream)
    except ImportError:
        return _PlainBar(total, stream)


class _RichBar:
    def __init__(self, total: int, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        self._progress: Any = RichProgress(
            TextColumn("judging"),
            BarColumn(_WIDTH),
            MofNCompleteColumn(),
            TextColumn("files, {task.fields[turns]} turns"),
            TimeElapsedColumn(),
            console=Console(file=stream),
            transient=True,
        )
        self._task = self._progress.add_task("judging", total=total, turns=0)
        self._progress.start()

    def draw(self, files: int, turns: int) -> None:
        self._progress.update(self._task, completed=files, turns=turns)

    def say(self, line: str) -> None:
        self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def close(self) -> None:
        self._progress.stop()


class _PlainBar:
    def __init__(self, total: int, stream: TextIO) -> None:
        self._total = total
        self._stream = stream

    def draw(self, files: int, turns: int) -> None:
        done = _WIDTH * files // max(self._total, 1)
        bar = "#" * done + "." * (_WIDTH - done)
        self._stream.write(f"\rjudging [{bar}] {files}/{self._total} files, {turns} turns")
        self._stream.flush()

    def say(self, line: str) -> None:
        self._stream.write(f"{_CLEAR}{line}\n")
        self._stream.flush()

    def close(self) -> None:
        self._stream.write(_CLEAR)
        self._stream.flush()
