"""Work grows as the turn does: counted in function calls, not in seconds."""

from __future__ import annotations

from collections.abc import Callable
from cProfile import Profile
from typing import Any

import pytest

from agent_polygraph import verify
from bench import turns

SMALL = 250
GROWTH = 4.8  # of the work, for four times the size: 4 is linear, over it is a cache that overflows


def calls_in(task: Callable[..., object], *args: Any, **options: Any) -> int:
    """The number of function calls that a call takes."""
    profile = Profile(builtins=True)
    profile.runcall(task, *args, **options)
    return sum(entry.callcount for entry in profile.getstats())


def work(item: turns.Item) -> int:
    """The number of function calls that judging the item takes."""
    return calls_in(verify, item["events"], item["closing"], item["task"], tools=item["tools"])


def grows(make: Callable[[int, int], turns.Item]) -> float:
    """The work on a turn over that on one a quarter of its size; make: (size, salt) -> turn."""
    work(make(SMALL, 1))  # what is loaded lazily is loaded now
    return work(make(4 * SMALL, 2)) / work(make(SMALL, 3))


@pytest.mark.parametrize("name", turns.SHAPES)
def test_calls(name: str) -> None:
    assert grows(lambda size, salt: turns.shaped(name, size, salt * 10_000)) < GROWTH


@pytest.mark.parametrize("place", turns.PLACES)
@pytest.mark.parametrize("name", [name for name, (piece, _) in turns.STRESS.items() if piece])
def test_texts(name: str, place: str) -> None:
    piece, _ = turns.STRESS[name]
    assert grows(lambda size, salt: turns.stressed(f"{piece * size} end {salt}", place)) < GROWTH
