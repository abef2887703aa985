"""Work grows as the turn does: counted in function calls, not in seconds."""

from __future__ import annotations

from collections.abc import Callable
from cProfile import Profile
from typing import Any

import pytest

from agent_polygraph import Config, verify
from agent_polygraph.events import normalize
from agent_polygraph.evidence.ledger import Ledger
from agent_polygraph.limits import SEAM, Limits
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


def told(calls: list[turns.Call], closing: str) -> turns.Item:
    """A turn of these calls with that closing."""
    events: list[dict[str, Any]] = []
    for number, (tool, arguments, content, failed) in enumerate(calls):
        call = f"c{number}"
        events.append({"type": "tool_call", "call_id": call, "name": tool, "arguments": arguments})
        result = {"type": "tool_result", "call_id": call, "content": content}
        events.append({**result, "is_error": failed})
    return {
        "id": "told",
        "task": "Do the work.",
        "tools": None,
        "events": events,
        "closing": closing,
    }


def backups(size: int, salt: int) -> turns.Item:
    answer = "pg_dump: error: no\n" * 20
    commands = [f"pg_dump x{salt + at} | gzip > y" for at in range(size)]
    calls: list[turns.Call] = [("Bash", {"command": line}, answer, False) for line in commands]
    return told(calls, "Backed up. " * size)


def edits(size: int, salt: int) -> turns.Item:
    paths = [f"src/m{salt + at}/file{salt + at}.ts" for at in range(size)]
    made = {"old_string": "a", "new_string": "b"}
    calls: list[turns.Call] = [("Edit", {"file_path": path, **made}, "ok", False) for path in paths]
    return told(calls, " ".join(f"I updated `{path}`." for path in paths))


def mails(size: int, salt: int) -> turns.Item:
    people = [f"u{salt + at}@example.com" for at in range(size)]
    calls: list[turns.Call] = [
        ("send_email", {"to": who, "body": "x"}, "ok", False) for who in people
    ]
    return told(calls, " ".join(f"I sent the mail to {who}." for who in people))


def refusals(size: int, salt: int) -> turns.Item:
    numbers = range(salt, salt + size)
    calls: list[turns.Call] = [("create_step", {"n": at}, "error: denied", True) for at in numbers]
    return told(calls, " ".join(f"Step {at} failed. Step {at} was created." for at in numbers))


@pytest.mark.parametrize("make", [backups, edits, mails, refusals])
def test_claims_and_calls(make: Callable[[int, int], turns.Item]) -> None:
    """Of four times the claims over four times the calls; held one against the other they are 16 times."""
    work(make(30, 1))
    assert work(make(160, 20_000)) / work(make(40, 10_000)) < 6.5


def test_what_is_read_of_many_results() -> None:
    limits = Limits(result_chars=1_000, turn_chars=2_500)
    sizes = (300, 900, 900, 5_000)
    calls: list[turns.Call] = [("Bash", {"command": "x"}, "a" * size, False) for size in sizes]
    ledger = Ledger(normalize(told(calls, "")["events"]), Config(limits=limits))
    read = [len(step.text.replace(SEAM, "")) for step in ledger.steps]
    assert read[0] == 300 and sum(read) <= 2_500 and min(read[1:]) >= 730
    assert ledger.notes == ["result_cut"]


def test_commands_of_a_line() -> None:
    line = "; ".join(f"echo {at}" for at in range(900)) + "; pytest"
    (step,) = Ledger(
        normalize(told([("Bash", {"command": line}, "", False)], "")["events"]), Config()
    ).steps
    assert step.command is not None and len(step.command.parts) == Limits().commands
    assert step.runs_check == ("pytest", "test") and "arguments_cut" in step.notes


def test_claims_over_many_calls() -> None:
    limits = Limits()
    assert [limits.claims_over(calls) for calls in (0, 500, 2_000, 10**6)] == [400, 400, 100, 50]
    assert Limits(claims=5).claims_over(10**6) == 5
