"""`python -m bench.otel`: what auditing traces costs.

Stored: spans a second, and how many times as long as the JSON parser alone takes on the same text;
of the recorded traces, which are short, and of a mix of dialects and lengths (`bench.spans`).
Live (where the OpenTelemetry SDK is installed): what `on_start` and `on_end` cost a span over a
processor that does nothing, what a whole run costs, and memory over a million spans.  Times are
those of the thread or the process, so that a busy machine does not count.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent_polygraph import verify_traces
from agent_polygraph.adapters.otel import read_traces

from . import spans

TRACES = Path(__file__).resolve().parent.parent / "traces" / "otel"
SPANS_A_TRACE = 11


def best(work: Callable[[], Any], clock: Callable[[], float], times: int = 5) -> float:
    """The shortest of several runs, in seconds."""
    found = []
    for _ in range(times):
        began = clock()
        work()
        found.append(clock() - began)
    return min(found)


def stored() -> None:
    """Reading and judging the shipped traces, and a mix of what stores have."""
    paths = sorted(TRACES.glob("*.jsonl"))
    recorded = [path.read_text(encoding="utf-8") for path in paths]
    written = [
        (dialect, "\n".join(json.dumps(row) for row in rows)) for dialect, rows in spans.mix()
    ]
    rate("recorded runs, of all dialects", recorded)
    rate("mix of dialects and lengths", [text for _, text in written])
    for name in spans.DIALECTS:
        rate(f"{name} alone", [text for dialect, text in written if dialect == name])


def rate(what: str, texts: list[str]) -> None:
    """What the parser, reading and judging cost, for texts of one span a line."""
    rows = [[json.loads(line) for line in text.splitlines()] for text in texts]
    count = sum(map(len, rows))
    clock = time.process_time
    parser = best(lambda: [json.loads(line) for text in texts for line in text.splitlines()], clock)
    reading = best(lambda: [list(read_traces(one)) for one in rows], clock)
    whole = best(
        lambda: [list(read_traces(map(json.loads, text.splitlines()))) for text in texts], clock
    )
    judging = best(lambda: [list(verify_traces(text)) for text in texts], clock)
    print(f"stored, {what}: {count} spans of {sum(map(len, texts)) // count:,} characters")
    for name, seconds in (
        ("the JSON parser alone", parser),
        ("reading parsed spans", reading),
        ("text to readings", whole),
        ("text to verdicts", judging),
    ):
        print(f"  {name:24} {count / seconds:9,.0f} spans/s {seconds / parser:6.1f} x the parser")


def live(million: int) -> None:
    """The processor, against one that does nothing."""
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
        from opentelemetry.trace import SpanContext, TraceFlags
    except ImportError:
        print("live: no OpenTelemetry SDK here")
        return
    from agent_polygraph.adapters.otel import PolygraphSpanProcessor

    class Keeps(SpanProcessor):
        def __init__(self) -> None:
            self.ended: list[Any] = []

        def on_end(self, span: Any) -> None:
            self.ended.append(span)

    attributes = {
        "openinference.span.kind": "TOOL",
        "tool.name": "deploy",
        "input.value": '{"service": "payments"}',
        "output.value": "x" * 400,
    }

    def play(processor: Any, traces: int) -> None:
        provider = TracerProvider()
        provider.add_span_processor(processor)
        tracer = provider.get_tracer("bench")
        for _ in range(traces):
            with tracer.start_as_current_span("root"):
                for _ in range(SPANS_A_TRACE - 1):
                    with tracer.start_as_current_span("tool", attributes=attributes):
                        pass

    kept = Keeps()
    play(kept, 1_000)
    count = len(kept.ended)

    def calls(make: Callable[[], Any]) -> float:
        processor = make()

        def work() -> None:
            for span in kept.ended:
                processor.on_start(span)
                processor.on_end(span)

        return best(work, time.thread_time) / count * 1e6

    def audited() -> Any:
        return PolygraphSpanProcessor(None)

    print(f"live: {count} spans in traces of {SPANS_A_TRACE}")
    nothing, ours = calls(SpanProcessor), calls(audited)
    print(f"  on_start and on_end: {ours - nothing:.2f} us a span over a no-op")
    for name, clock in (("on its thread", time.thread_time), ("in the process", time.process_time)):
        plain = best(lambda: play(SpanProcessor(), 1_000), clock)
        judged = best(lambda: play(audited(), 1_000), clock)
        print(
            f"  making spans as fast as can be, {name}: {judged / plain:.2f} x "
            f"({(judged - plain) / count * 1e6:.1f} us a span)"
        )

    nowhere = Resource.get_empty()

    def ended(number: int) -> Any:
        trace_id, place = divmod(number, SPANS_A_TRACE)

        def context(span: int) -> Any:
            return SpanContext(trace_id + 1, span + 1, False, TraceFlags(1))

        first = trace_id * SPANS_A_TRACE
        return ReadableSpan(
            "tool",
            context(number),
            parent=context(first + SPANS_A_TRACE - 1) if place < SPANS_A_TRACE - 1 else None,
            resource=nowhere,
            attributes=attributes,
        )

    processor = audited()
    steps = 5
    for step in range(steps):
        for number in range(step * million // steps, (step + 1) * million // steps):
            processor.on_end(ended(number))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"  {(step + 1) * million // steps:9,} spans: peak {peak} MB")
    processor.shutdown()
    print(f"  {processor.counters}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.otel", description=__doc__)
    parser.add_argument("--spans", type=int, default=1_000_000, help="for the memory of it")
    options = parser.parse_args()
    stored()
    live(options.spans)
