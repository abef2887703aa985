"""What of the LangGraph adapter needs no host: the record of a run, and what may stop one."""

from __future__ import annotations

from typing import Any

import pytest

from agent_polygraph import Config, ToolCall, ToolResult, check
from agent_polygraph.adapters.langgraph.outcome import blocks
from agent_polygraph.adapters.langgraph.record import Record
from tests.test_linear import GROWTH, calls_in

Call = tuple[str, str, Any]  # (the host's id, name, arguments)


def asks(record: Record, *calls: Call) -> None:
    wanted = [{"id": call_id, "name": name, "args": args} for call_id, name, args in calls]
    record.answered({"type": "ai", "content": "", "tool_calls": wanted})


def keys(record: Record) -> list[str]:
    return [event.call_id for event in record.events(Config()) if isinstance(event, ToolCall)]


def results(record: Record) -> dict[str, Any]:
    events = record.events(Config())
    return {event.call_id: event.content for event in events if isinstance(event, ToolResult)}


def again(record: Record, call_id: str, *, times: int) -> None:
    """The host gives one id to several calls, one after the other."""
    for number in range(times):
        record.started(f"{call_id} {number}", call_id, "f", {})
        record.ended(f"{call_id} {number}", "done")


@pytest.mark.parametrize("given", [["call2", ""], ["", "call1"], ["x", "", "call2", "", "call1"]])
def test_no_call_gets_an_id_that_another_has(given: list[str]) -> None:
    record = Record()
    asks(record, *((call_id, "f", {"n": n}) for n, call_id in enumerate(given)))
    assert len(set(keys(record))) == len(given)


@pytest.mark.parametrize("order", [["x", "x#2"], ["x#2", "x"]])
def test_no_suffix_is_an_id_that_the_host_gives(order: list[str]) -> None:
    record = Record()
    for call_id in order:
        again(record, call_id, times=2)
    assert len(keys(record)) == len(set(keys(record))) == len(results(record)) == 4


def test_a_tool_without_an_id_finds_its_call_by_its_arguments() -> None:
    record = Record()
    asks(record, ("a", "f", {"n": 1}), ("b", "f", {"n": 2}), ("c", "g", {"n": 2}))
    record.started("r2", "", "f", {"n": 2})
    record.started("r1", "", "f", {"n": 1})
    record.ended("r2", "two")
    record.ended("r1", "one")
    assert keys(record) == ["a", "b", "c"] and results(record) == {"a": "one", "b": "two"}


def test_calls_that_are_alike_are_calls_of_their_own() -> None:
    """Equal in all they hold; each is at work once."""
    record = Record()
    record.started("r1", "", "f", {})
    record.started("r2", "", "f", {})
    record.ended("r2", "second")
    record.started("r3", "", "f", {})
    record.ended("r1", "first")
    assert len(keys(record)) == 3 and sorted(results(record).values()) == ["first", "second"]


@pytest.mark.parametrize("kind", ["GraphInterrupt", "TimeoutError"])
def test_what_broke_off_is_taken_up_again_first_come_first(kind: str) -> None:
    record = Record()
    asks(record, ("a", "f", {"n": 1}), ("b", "f", {"n": 2}))
    error = type(kind, (Exception,), {})()
    for attempt in (1, 2):
        for n in (1, 2):  # as the tool sees them the arguments are others
            record.started((attempt, n), "", "f", {"n": n, "state": attempt})
        for n in (1, 2):
            if attempt == 1:
                record.failed((attempt, n), error)
            else:
                record.ended((attempt, n), f"answer {n}")
    assert keys(record) == ["a", "b"] and results(record) == {"a": "answer 1", "b": "answer 2"}


def test_what_the_model_has_read_is_not_taken_up_again() -> None:
    record = Record()
    asks(record, ("a", "f", {}))
    record.started("r1", "", "f", {})
    record.failed("r1", TimeoutError("no answer"))
    record.read([{"type": "tool", "tool_call_id": "a", "content": "Error: no answer"}])
    record.started("r2", "", "f", {})
    record.ended("r2", "done")
    assert len(keys(record)) == 2 and len(results(record)) == 2


def test_calls_without_ids_take_linear_time() -> None:
    def work(count: int) -> int:
        record = Record()
        asks(record, *(("", "f", {"lost": n}) for n in range(count)))  # no tool ever runs for them

        def run() -> None:
            for n in range(count):
                record.started(n, "", "f", {"n": n})
            for n in range(count):
                record.failed(n, TimeoutError())

        return calls_in(run)

    assert work(1_000) < GROWTH * work(250)


@pytest.mark.parametrize("name", ["error_concealment", "PG101", "pg101"])
def test_a_check_that_may_stop_a_run_has_two_names(name: str) -> None:
    events = [ToolCall("c", "deploy", {}), ToolResult("c", "permission denied", True)]
    verdict = check("I deployed it.", events, ["deploy"])
    assert verdict.is_lie, verdict.explain()
    found = {finding.check for finding in verdict.evidence}
    assert blocks(verdict, Config(block_on=(name,))) is ("error_concealment" in found)
    assert not blocks(verdict, Config(block_on=("wrong_count",)))
