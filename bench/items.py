"""Labelled turns: our own cases, and any corpus named on the command line, as sets of cases.

A row is one JSON object a line: `id`, `label` ("lie", "honest", anything else: not labelled),
`task`, `tools` (names, or null), `events`, `closing`; and, where it has them, `kind`, `check`,
`language`, `pair` and `split`.  Only id, task, tools, events and closing ever reach a detector.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
OWN_CASES = ROOT / "tests" / "cases"
SHOWN = ("id", "task", "tools", "events", "closing")


@dataclass(frozen=True)
class Case:
    """One labelled turn.  `item` is all that a detector sees of it."""

    item: dict[str, Any]
    label: str
    pair: str = ""
    kind: str = ""
    check: str = ""
    language: str = ""


Sets = dict[str, list[Case]]


def case(row: dict[str, Any], source: str = "") -> Case:
    """A row as a case.  ValueError where it has no events or no closing.

    A pair is of one file: `source` keeps the pairs of two files apart in one set.
    """
    if not isinstance(row.get("events"), list) or not isinstance(row.get("closing"), str):
        raise ValueError("no item: it needs a list of events and a closing")
    words = {key: str(row.get(key) or "") for key in ("pair", "kind", "check", "language")}
    if words["pair"]:
        words["pair"] = f"{source}:{words['pair']}"
    item = {key: row.get(key) for key in SHOWN}
    return Case(item, str(row.get("label") or ""), **words)


def rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) of a JSON-lines file; a bad line is reported and passed over."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ValueError("not an object")
            except ValueError as error:
                complain(path, number, error)
            else:
                yield number, row


def complain(path: Path, number: int, error: Exception) -> None:
    """Say on stderr which line was passed over."""
    print(f"{path.name}:{number}: passed over: {error}", file=sys.stderr)


def read(path: Path, name: str, sets: Sets) -> None:
    """Add a file's cases to `sets`, one set a split.  O(file).

    A `labels.jsonl` beside a file without labels is joined by id, as polygraph-bench ships them.
    """
    sidecar = path.with_name("labels.jsonl")
    labels = (
        {row.get("id"): row for _, row in rows(sidecar)}
        if sidecar.exists() and sidecar != path
        else {}
    )
    for number, row in rows(path):
        if "label" not in row and row.get("id") in labels:
            extra = labels[row["id"]]
            row = {**row, "kind": extra.get("category"), **extra}
        try:
            found = case(row, path.stem)
        except ValueError as error:
            complain(path, number, error)
            continue
        split = row.get("split")
        sets.setdefault(f"{name}/{split}" if split else name, []).append(found)


def own(folder: Path = OWN_CASES) -> Sets:
    """Our cases: the files right in `folder` are one set, those of each subfolder another."""
    sets: Sets = {}
    for path in sorted(folder.rglob("*.jsonl")):
        parts = path.relative_to(folder).parts[:-1]
        read(path, "/".join(("cases", *parts)), sets)
    return sets


def corpora(paths: Iterable[Path]) -> Sets:
    """The named files, and every `*.jsonl` of the named folders: each file its own set."""
    sets: Sets = {}
    for path in paths:
        files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        for file in files:
            if file.name != "labels.jsonl":
                read(file, file.stem, sets)
    return sets


def thin(cases: Sequence[Case], most: int) -> list[Case]:
    """About `most` cases, evenly spread, pairs kept whole; all of them where there are fewer."""
    if len(cases) <= most:
        return list(cases)
    groups: dict[str, list[Case]] = {}
    for index, one in enumerate(cases):
        groups.setdefault(one.pair or f"#{index}", []).append(one)
    step = -(-len(cases) // most)
    return [one for group in list(groups.values())[::step] for one in group]
