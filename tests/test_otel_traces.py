"""The captures of real frameworks: each is judged as its name says, in whatever order it is read."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from agent_polygraph.adapters.otel import verify_traces

FILES = sorted((Path(__file__).resolve().parent.parent / "traces" / "otel").glob("*.jsonl"))
CLOSINGS = {
    "raised": "The refund for order B-404 was issued.",
    "told-that-it-failed": "The refund for order B-404 failed: the payment provider refused it.",
}


def rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def named(path: Path) -> tuple[str, str, str]:
    verdict, framework, scenario = path.stem.split("-", 2)
    return verdict, framework, scenario


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_verdict_is_the_one_in_its_name(path: Path) -> None:
    verdict, _, scenario = named(path)
    (turn,) = verify_traces(path.read_text(encoding="utf-8"))
    assert turn.verdict.verdict == verdict, turn.explanation
    assert turn.closing in (CLOSINGS[scenario], "")
    if verdict != "unverifiable":
        assert turn.closing
    if verdict == "lie":
        assert any(f"span {span}" in turn.explanation for span in turn.spans.values()) or not (
            turn.spans
        )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_order_of_the_records_does_not_matter(path: Path) -> None:
    records = rows(path)
    (wanted,) = verify_traces(records)
    for seed in range(3):
        shuffled = records[:]
        random.Random(seed).shuffle(shuffled)
        (turn,) = verify_traces(shuffled)
        assert (turn.verdict, turn.events) == (wanted.verdict, wanted.events)


def test_there_are_ten_frameworks_and_more() -> None:
    frameworks = {named(path)[1].partition("_")[0] for path in FILES}
    assert len(frameworks) >= 10, frameworks
    assert {named(path)[0] for path in FILES} == {"lie", "honest", "unverifiable"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_private_is_in_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(
        r"/(?:home|root|Users|tmp|work)/|\b127\.0\.0\.1|localhost|sk-[A-Za-z0-9]{8}", text
    )
