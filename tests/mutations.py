"""Damaged transcripts: what is lost, cut, moved, unknown or of the wrong type.

    python -m tests.mutations 10000     judge so many; prints crashes and blocks of honest turns

A mutation never writes other evidence: it hides some, or makes it unreadable.
"""

from __future__ import annotations

import copy
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.claude_code_transcripts import Entry, rendered, stop

CASES = Path(__file__).resolve().parent / "cases" / "long"
WRONG: tuple[Any, ...] = (None, 5, -1.5, True, [], {}, [[None]], "x", {"type": "text"})
UNKNOWN: tuple[Any, ...] = (
    {"type": "hologram", "payload": {"role": "user", "content": "4 failed"}},
    {"type": "tool-echo", "sessionId": "s", "message": {"role": "user", "content": "1 failed"}},
    {"type": None},
    {"kind": "user"},
    [],
    7,
    None,
)

Lines = list[str]
Mutation = Callable[[random.Random, Lines], None]


def _line(entry: Any) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))


def dropped(dice: random.Random, lines: Lines) -> None:
    """Some lines in a row are lost."""
    at = dice.randrange(len(lines))
    del lines[at : at + dice.choice((1, 1, 1, 2, 4, 12))]


def cut(dice: random.Random, lines: Lines) -> None:
    """A line ends early."""
    at = dice.randrange(len(lines))
    lines[at] = lines[at][: dice.randrange(len(lines[at]) + 1)]


def cut_end(dice: random.Random, lines: Lines) -> None:
    """The file ends early."""
    del lines[dice.randrange(len(lines)) :]
    if lines and dice.random() < 0.5:
        lines[-1] = lines[-1][: dice.randrange(len(lines[-1]) + 1)]


def cut_start(dice: random.Random, lines: Lines) -> None:
    """The file begins late."""
    del lines[: dice.randrange(len(lines)) + 1]


def moved(dice: random.Random, lines: Lines) -> None:
    """A few lines are in another order."""
    at = dice.randrange(len(lines))
    part = lines[at : at + dice.randrange(2, 8)]
    dice.shuffle(part)
    lines[at : at + len(part)] = part


def swapped(dice: random.Random, lines: Lines) -> None:
    """Two lines have changed places."""
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def doubled(dice: random.Random, lines: Lines) -> None:
    """A line is there twice."""
    lines.insert(dice.randrange(len(lines) + 1), dice.choice(lines))


def unknown(dice: random.Random, lines: Lines) -> None:
    """An entry of a type that no release has."""
    lines.insert(dice.randrange(len(lines) + 1), _line(dice.choice(UNKNOWN)))


def noise(dice: random.Random, lines: Lines) -> None:
    """Bytes that are no JSON."""
    words = dice.choice(("", "{", "}{", "\x00\x01", "[" * 20_000, '"', "nul", "\ufeff{}", "{" * 3))
    lines.insert(dice.randrange(len(lines) + 1), words)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield value, key
        if isinstance(item, (dict, list)):
            yield from _places(item)


def _at_a_place(dice: random.Random, lines: Lines, change: Callable[[Any, Any], object]) -> None:
    """Change one place, at any depth, of one line that is an object."""
    at = dice.randrange(len(lines))
    try:
        entry = json.loads(lines[at])
    except (ValueError, RecursionError):
        return
    if not isinstance(entry, dict) or not entry:
        return
    change(*dice.choice(list(_places(entry))))
    lines[at] = _line(entry)


def retyped(dice: random.Random, lines: Lines) -> None:
    """One value, at any depth, is of another type."""

    def change(holder: Any, key: Any) -> None:
        old = holder[key]
        holder[key] = dice.choice([each for each in WRONG if type(each) is not type(old)])

    _at_a_place(dice, lines, change)


def unkeyed(dice: random.Random, lines: Lines) -> None:
    """One key is gone."""
    _at_a_place(dice, lines, lambda holder, key: holder.pop(key))


MUTATIONS: tuple[Mutation, ...] = (
    *(dropped, cut, cut_end, cut_start, moved, swapped, doubled, unknown, noise, retyped, unkeyed),
)


def rows() -> list[Entry]:
    """The long cases."""
    return [
        json.loads(line)
        for path in sorted(CASES.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").split("\n")
        if line.strip()
    ]


class Trial:
    """One damaged transcript: which row, which mutations, what the hook answered."""

    def __init__(self, number: int, cases: list[Entry], folder: Path) -> None:
        dice = random.Random(number)
        self.number = number
        self.row = cases[number % len(cases)]
        self.applied: list[str] = []
        lines = [_line(entry) for entry in copy.deepcopy(rendered(self.row))]
        for _ in range(dice.choice((1, 1, 1, 2, 3))):
            if lines:
                mutation = dice.choice(MUTATIONS)
                self.applied.append(mutation.__name__)
                mutation(dice, lines)
        path = folder / "session.jsonl"
        end = dice.choice(("\n", "\n", ""))
        path.write_text("\n".join(lines) + end, encoding="utf-8", errors="replace", newline="\n")
        self.given = stop(path, self.row["closing"], session_id=f"m{number}")
        self.answer: dict[str, Any] = {}
        self.fault = ""

    def judge(self) -> Trial:
        """Let the hook answer, in block mode; a fault is kept, not raised."""
        from agent_polygraph.hooks.run import answered

        try:
            given = answered("claude-code", "block", self.given)
        except Exception as fault:
            self.fault = f"{type(fault).__name__}: {fault}"
        else:
            self.answer = json.loads(given) if given else {}
        return self

    @property
    def wrong(self) -> str:
        """Why this is a failure, empty where it is none."""
        honest = self.row["label"] == "honest"
        what = self.fault or ("blocked, and honest" if honest and "decision" in self.answer else "")
        return what and f"{self.number}: {self.row['id']}: {', '.join(self.applied)}: {what}"


def main(count: int, first: int = 0) -> int:
    from agent_polygraph.hooks import scene

    scene._WAIT_S = 0.0
    cases = rows()
    told: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_STATE_HOME"] = name
        for number in range(first, first + count):
            trial = Trial(number, cases, Path(name)).judge()
            kind = (
                "block" if "decision" in trial.answer else "notice" if trial.answer else "silence"
            )
            told["crash" if trial.fault else f"{trial.row['label']}: {kind}"] += 1
            if trial.wrong:
                print(trial.wrong)
    print(", ".join(f"{kind} {count}" for kind, count in sorted(told.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
