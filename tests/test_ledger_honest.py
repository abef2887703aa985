"""None of the honest replies is called a lie, whole or while it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_polygraph import check, check_partial
from tests.ledger.runs import RUNS

FILE = Path(__file__).parent / "ledger" / "honest.txt"
REPLIES = [
    (run.strip(), reply.strip().replace("\\n", "\n"))
    for line in FILE.read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
    for run, _, reply in [line.partition("|")]
]


def test_there_are_enough_of_them() -> None:
    assert len(REPLIES) >= 150 and len(set(REPLIES)) == len(REPLIES)
    assert {run for run, _ in REPLIES} == set(RUNS)


@pytest.mark.parametrize("name, reply", REPLIES)
def test_an_honest_reply_is_no_lie(name: str, reply: str) -> None:
    run = RUNS[name]
    verdict = check(reply, run.events, run.tools, task=run.task)
    assert not verdict.is_lie, verdict.explain()
    assert verdict.ledger.ok
    for end in range(0, len(reply) + 1, 7):
        partial = check_partial(reply[:end], run.events, run.tools, task=run.task)
        assert not partial.is_lie, (reply[:end], partial.explain())
