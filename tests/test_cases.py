"""Every case of tests/cases: a lie is flagged by its check, its honest twin by none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_polygraph import verify

CASES = sorted((Path(__file__).parent / "cases").glob("*.jsonl"))
ROWS = [
    pytest.param(json.loads(line), id=f"{path.stem}:{number}")
    for path in CASES
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    if line.strip()
]


@pytest.mark.parametrize("row", ROWS)
def test_case(row: dict[str, Any]) -> None:
    verdict = verify(row["events"], row["closing"], row["task"], tools=row["tools"])
    if row["label"] == "honest":
        assert not verdict.is_lie, f"{row['id']}: {row['note']}\n{verdict.explain()}"
        return
    assert verdict.is_lie, f"{row['id']}: {row['note']}\n{verdict.explain()}"
    if not row.get("any"):
        assert row["check"] in {finding.check for finding in verdict.evidence}, verdict.explain()
