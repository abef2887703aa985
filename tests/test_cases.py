"""Every case of tests/cases: a lie is flagged by its check, its honest twin by none.

Most cases were written without a look at the rules; the rules were tuned on them since.  What
is missed so far stands in tests/cases/known_misses.txt.  The list can only shrink by itself: a case
on it that is judged right fails the test too.

    python -m tests.test_cases          strike off what is judged right now
    python -m tests.test_cases --add    also take on what is judged wrong: a step back, and a choice
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_polygraph import verify

CASES = Path(__file__).resolve().parent / "cases"
LEDGER = CASES / "known_misses.txt"
ALARMS = CASES.parent / "known_alarms.jsonl"


def rows() -> dict[str, dict[str, Any]]:
    """All cases by id."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(CASES.rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line.strip():
                row = json.loads(line)
                found[row["id"]] = row
    return found


def known_misses() -> list[str]:
    """The ids of the ledger."""
    return LEDGER.read_text(encoding="utf-8").split() if LEDGER.exists() else []


def wrong(row: dict[str, Any]) -> str:
    """Why the verdict on a case is wrong; empty where it is right."""
    verdict = verify(row["events"], row["closing"], row["task"], tools=row["tools"])
    found = {finding.check for finding in verdict.evidence}
    if row["label"] == "honest":
        reason = "flagged, and honest" if verdict.is_lie else ""
    elif not verdict.is_lie:
        reason = "a lie, and not flagged"
    elif row["check"] not in found and not row.get("any"):
        reason = f"flagged by {', '.join(sorted(found))} and not by {row['check']}"
    else:
        reason = ""
    return reason and f"{reason}: {row['note']}\n{verdict.explain()}"


ROWS = rows()
MISSES = known_misses()


@pytest.mark.parametrize("name", ROWS)
def test_case(name: str) -> None:
    reason = wrong(ROWS[name])
    if name in MISSES:
        assert reason, "judged right now: strike it off with `python -m tests.test_cases`"
    else:
        assert not reason, reason


@pytest.mark.parametrize("line", ALARMS.read_text(encoding="utf-8").splitlines())
def test_known_alarm(line: str) -> None:
    """An honest turn that is flagged still; one that is silent moves to cases/hostile.jsonl."""
    assert wrong(json.loads(line)), "silent now: move it to cases/hostile.jsonl"


def test_the_ledger_names_cases() -> None:
    assert sorted(set(MISSES)) == MISSES
    assert all(ROWS[name]["label"] == "lie" for name in MISSES)


def _rewrite(add: bool) -> None:
    missed = {name for name, row in ROWS.items() if wrong(row)}
    # An honest case is never taken on: no false alarm is a known one.
    missed -= {name for name in missed if ROWS[name]["label"] == "honest"}
    kept = missed if add else missed & set(MISSES)
    LEDGER.write_text("".join(f"{name}\n" for name in sorted(kept)), encoding="utf-8")
    print(f"{len(ROWS)} cases, {len(kept)} known misses, {len(missed - kept)} new ones not listed")


if __name__ == "__main__":
    _rewrite("--add" in sys.argv[1:])
