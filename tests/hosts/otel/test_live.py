"""The live processor on the real SDK."""

from __future__ import annotations

import importlib.util
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk")

from opentelemetry import context, trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

from agent_polygraph.adapters.otel import AuditedTurn, PolygraphSpanProcessor

_spec = importlib.util.spec_from_file_location("runs", Path(__file__).with_name("conftest.py"))
assert _spec and _spec.loader
runs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(runs)

Made = tuple[PolygraphSpanProcessor, Any, list[AuditedTurn]]
NOWHERE = Resource.get_empty()  # by default each span looks for its own
NEVER = 3_600_000  # settle_ms: nothing is judged before a flush


@pytest.fixture
def make() -> Iterator[Callable[..., Made]]:
    made: list[PolygraphSpanProcessor] = []

    def build(**settings: Any) -> Made:
        turns: list[AuditedTurn] = []
        processor = PolygraphSpanProcessor(
            settings.pop("emit", turns.append), **{"settle_ms": NEVER, **settings}
        )
        provider = TracerProvider()
        provider.add_span_processor(processor)
        made.append(processor)
        return processor, provider.get_tracer("test"), turns

    yield build
    for processor in made:
        processor.shutdown()


def verdicts(turns: list[AuditedTurn]) -> list[str]:
    return [turn.verdict.verdict for turn in turns]


@pytest.mark.parametrize(("fails", "verdict"), [(True, "lie"), (False, "honest")])
def test_a_turn_is_judged(
    make: Callable[..., Made], played: Callable[..., None], fails: bool, verdict: str
) -> None:
    processor, tracer, turns = make()
    played(tracer, fails=fails)
    assert processor.force_flush()
    assert verdicts(turns) == [verdict]
    assert processor.force_flush() and len(turns) == 1
    assert turns[0].closing == runs.CLAIM
    if fails:
        assert any(f"span {span}" in turns[0].explanation for span in turns[0].spans.values())


def test_it_needs_no_flush(make: Callable[..., Made], played: Callable[..., None]) -> None:
    came = threading.Event()
    _, tracer, _ = make(emit=lambda turn: came.set(), settle_ms=0)
    played(tracer)
    assert came.wait(60)


def test_a_late_span_has_the_verdict_made_once_more(make: Callable[..., Made]) -> None:
    """LangSmith's exporter ends parents before children."""
    processor, tracer, turns = make()
    with runs.agent(tracer):
        late = runs.tool(tracer, fails=True, end=False)
    processor.force_flush()
    late.end()
    processor.force_flush()
    assert verdicts(turns) == ["unverifiable", "lie"]
    assert processor.counters.rejudged == 1


def test_a_parent_in_another_process(
    make: Callable[..., Made], played: Callable[..., None]
) -> None:
    processor, tracer, turns = make()
    remote = NonRecordingSpan(SpanContext(7, 9, True, TraceFlags(1)))
    token = context.attach(trace.set_span_in_context(remote))
    played(tracer)
    context.detach(token)
    processor.force_flush()
    assert verdicts(turns) == ["lie"]


def test_a_server_whose_root_lives_on(
    make: Callable[..., Made], played: Callable[..., None]
) -> None:
    processor, tracer, turns = make()
    root = tracer.start_span("server")
    token = context.attach(trace.set_span_in_context(root))
    played(tracer, fails=True)
    processor.force_flush()
    assert verdicts(turns) == ["lie"]
    played(tracer, fails=False)
    processor.force_flush()
    assert verdicts(turns) == ["lie", "honest"]
    context.detach(token)
    root.end()
    processor.force_flush()
    assert len(turns) == 2


def test_an_agent_inside_an_agent_is_no_turn_of_its_own(
    make: Callable[..., Made], played: Callable[..., None]
) -> None:
    processor, tracer, turns = make()
    with runs.agent(tracer, name="outer"):
        played(tracer)
        processor.force_flush()
        assert turns == []
    processor.force_flush()
    assert verdicts(turns) == ["lie"]


def test_what_has_no_end_is_unverifiable(make: Callable[..., Made]) -> None:
    processor, tracer, turns = make()
    with runs.agent(tracer):
        runs.tool(tracer, fails=True)
        processor.shutdown()
    assert verdicts(turns) == ["unverifiable"]
    processor.shutdown()
    assert processor.force_flush()


def test_traces_without_an_agent_are_left_alone(make: Callable[..., Made]) -> None:
    processor, tracer, turns = make()
    with tracer.start_as_current_span("GET /"):
        tracer.start_span("SELECT").end()
    processor.force_flush()
    assert turns == [] and processor.counters.failures == 0


# --- bounds ---------------------------------------------------------------------------------------


def test_a_trace_too_long_is_unverifiable(make: Callable[..., Made]) -> None:
    processor, tracer, turns = make(max_spans_per_trace=3)
    with runs.agent(tracer):
        for _ in range(5):
            runs.tool(tracer, fails=False)
    processor.force_flush()
    assert "spans_dropped" in turns[0].verdict.flags
    assert verdicts(turns) == ["unverifiable"]
    assert processor.counters.dropped_spans == 3


def test_the_oldest_trace_goes_first(
    make: Callable[..., Made], played: Callable[..., None]
) -> None:
    processor, tracer, turns = make(max_traces=2)
    for _ in range(5):
        played(tracer)
    processor.force_flush()
    assert len(turns) == 2
    assert processor.counters.dropped_traces == 3


def _ended(number: int, parent: int | None) -> ReadableSpan:
    def place(span_id: int) -> SpanContext:
        return SpanContext(number // 10 + 1, span_id, False, TraceFlags(1))

    return ReadableSpan(
        "tool",
        place(number + 1),
        parent=place(parent) if parent else None,
        resource=NOWHERE,
        attributes={"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "deploy"},
    )


def test_memory_is_flat() -> None:
    """`python -m bench.otel` does it over a million spans."""
    processor = PolygraphSpanProcessor(None, max_traces=100)

    def feed(first: int, last: int) -> int:
        for number in range(first, last):
            processor.on_end(_ended(number, number - number % 10 + 11 if number % 10 else None))
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = feed(0, 50_000)
    after = feed(50_000, 200_000)
    processor.shutdown()
    unit = 1024 if sys.platform != "darwin" else 1
    assert (after - before) * unit < 16 * 2**20
    assert len(processor._traces) <= 100
    assert processor.counters.dropped_spans > 0


# --- it never breaks the host ---------------------------------------------------------------------


def test_an_emit_that_raises(make: Callable[..., Made], played: Callable[..., None]) -> None:
    def broken(turn: AuditedTurn) -> None:
        raise RuntimeError("no")

    processor, tracer, _ = make(emit=[broken])
    played(tracer)
    assert processor.force_flush()
    assert processor.counters.failures == 1


def test_an_emit_that_makes_spans_and_flushes(
    make: Callable[..., Made], played: Callable[..., None]
) -> None:
    """A judge of its own, say, under the same instrumentation."""
    held: list[Any] = []

    def emit(turn: AuditedTurn) -> None:
        held.append(turn)
        played(held[0])
        assert held[1].force_flush()

    processor, tracer, _ = make(emit=emit)
    held += [tracer, processor]
    played(tracer)
    processor.force_flush()
    processor.force_flush()
    assert len(held) == 3 and processor.counters.failures == 0


@pytest.mark.parametrize("emit", ["nowhere", [3]])
def test_an_emit_that_is_none(emit: Any) -> None:
    with pytest.raises(ValueError, match="has to be"):
        PolygraphSpanProcessor(emit)


def test_many_threads(make: Callable[..., Made], played: Callable[..., None]) -> None:
    processor, tracer, turns = make()
    threads = [
        threading.Thread(target=lambda: [played(tracer) for _ in range(20)]) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    processor.force_flush()
    assert verdicts(turns) == ["lie"] * 160
    assert processor.counters.failures == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # that is what is tested
def test_a_fork_while_a_lock_is_held(
    make: Callable[..., Made], played: Callable[..., None]
) -> None:
    processor, tracer, turns = make()
    played(tracer)
    with processor._work:
        child = os.fork()
        if child == 0:
            signal.alarm(30)  # a deadlock ends the child
            turns.clear()
            played(tracer)
            processor.force_flush()
            os._exit(0 if verdicts(turns) == ["lie"] else 3)
    _, status = os.waitpid(child, 0)
    assert os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0
    processor.force_flush()
    assert verdicts(turns) == ["lie"]


def test_on_end_returns_at_once_whoever_holds_the_lock(
    make: Callable[..., Made], played: Callable[..., None]
) -> None:
    processor, tracer, _ = make()
    with processor._work:
        done = threading.Thread(target=played, args=(tracer,))
        done.start()
        done.join(60)
        assert not done.is_alive()
        assert not processor.force_flush(10)


def test_other_processors_go_on(played: Callable[..., None]) -> None:
    class Counts(SpanProcessor):
        ended = 0

        def on_end(self, span: ReadableSpan) -> None:
            self.ended += 1

    provider, counts = TracerProvider(), Counts()
    provider.add_span_processor(PolygraphSpanProcessor(None))
    provider.add_span_processor(counts)
    played(provider.get_tracer("test"))
    assert counts.ended == 2
    provider.shutdown()
