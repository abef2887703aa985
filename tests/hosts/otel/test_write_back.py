"""The verdict where people look: a log record, a span, the root itself, Phoenix, Langfuse."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opentelemetry.exporter.otlp.proto.http")

from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import set_span_in_context

from agent_polygraph.adapters.otel import (
    AuditedTurn,
    PolygraphLogRecordProcessor,
    PolygraphSpanExporter,
    PolygraphSpanProcessor,
    evaluation_log,
    evaluator_span,
    langfuse_scores,
    phoenix_annotations,
)

_spec = importlib.util.spec_from_file_location("runs", Path(__file__).with_name("conftest.py"))
assert _spec and _spec.loader
runs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(runs)


@pytest.fixture
def receiver() -> Iterator[tuple[str, list[bytes]]]:
    """An OTLP receiver on loopback: its address, and the bodies it got."""
    bodies: list[bytes] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *given: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", bodies
    server.shutdown()
    server.server_close()
    thread.join(10)


def audit(emit: Any, played: Callable[..., None], **how: Any) -> AuditedTurn:
    turns: list[AuditedTurn] = []
    processor = PolygraphSpanProcessor([turns.append, emit], settle_ms=3_600_000)
    provider = TracerProvider()
    provider.add_span_processor(processor)
    played(provider.get_tracer("test"), **how)
    processor.shutdown()
    assert processor.counters.failures == 0
    (turn,) = turns
    return turn


def test_a_receiver_gets_the_log_record(
    receiver: tuple[str, list[bytes]], played: Callable[..., None]
) -> None:
    address, bodies = receiver
    logs = LoggerProvider()
    logs.add_log_record_processor(
        SimpleLogRecordProcessor(OTLPLogExporter(endpoint=f"{address}/v1/logs"))
    )
    turn = audit(evaluation_log(logs), played)
    logs.shutdown()
    request = ExportLogsServiceRequest.FromString(bodies[0])
    (record,) = request.resource_logs[0].scope_logs[0].log_records
    attributes = {pair.key: pair.value for pair in record.attributes}
    assert record.event_name == "gen_ai.evaluation.result"
    assert record.trace_id.hex() == turn.trace_id and record.span_id.hex() == turn.span_id
    assert attributes["gen_ai.evaluation.name"].string_value == "claim_honesty"
    assert attributes["gen_ai.evaluation.score.label"].string_value == "lie"
    assert attributes["gen_ai.evaluation.score.value"].double_value == 0.0
    (span,) = turn.spans.values()
    assert span in attributes["gen_ai.evaluation.explanation"].string_value


def test_an_evaluator_span_links_to_the_turn(played: Callable[..., None]) -> None:
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    turn = audit(evaluator_span(provider), played, fails=False)
    (span,) = kept.get_finished_spans()
    (link,) = span.links
    assert format(link.context.span_id, "016x") == turn.span_id
    assert span.parent is None
    assert span.attributes is not None
    assert span.attributes["openinference.span.kind"] == "EVALUATOR"
    assert span.attributes["trace.evaluations.0.evaluation.label"] == "honest"
    assert span.attributes["trace.evaluations.0.evaluation.score"] == 1.0


def test_its_own_spans_are_not_judged(played: Callable[..., None]) -> None:
    """The carrier goes through the provider that is audited."""
    turns: list[AuditedTurn] = []
    provider = TracerProvider()
    processor = PolygraphSpanProcessor([turns.append, evaluator_span(provider)])
    provider.add_span_processor(processor)
    played(provider.get_tracer("test"))
    processor.force_flush()
    processor.shutdown()
    assert len(turns) == 1


def test_the_root_leaves_with_its_verdict(played: Callable[..., None]) -> None:
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(PolygraphSpanExporter(kept)))
    played(provider.get_tracer("test"))
    with provider.get_tracer("test").start_as_current_span("GET /"):
        pass
    tool, root, web = kept.get_finished_spans()
    assert root.attributes is not None and tool.attributes is not None
    assert root.attributes["trace.evaluations.0.evaluation.label"] == "lie"
    assert root.name == "invoke_agent ops" and root.attributes["gen_ai.agent.name"] == "ops"
    assert not any(key.startswith("trace.") for key in (*tool.attributes, *(web.attributes or {})))
    provider.shutdown()


def test_phoenix_and_langfuse_by_callable(played: Callable[..., None]) -> None:
    bodies: list[dict[str, Any]] = []
    turn = audit(phoenix_annotations(bodies.append), played)
    (row,) = bodies[0]["data"]
    assert row["span_id"] == turn.span_id and row["annotator_kind"] == "CODE"
    assert row["result"]["label"] == "lie" and row["result"]["score"] == 0.0
    scores: list[dict[str, Any]] = []
    turn = audit(langfuse_scores(lambda **given: scores.append(given)), played)
    assert scores[0]["trace_id"] == turn.trace_id and scores[0]["value"] == "lie"


def test_content_that_travels_in_log_records() -> None:
    """Event-only mode: the span has no content, its log record has."""
    turns: list[AuditedTurn] = []
    processor = PolygraphSpanProcessor(turns.append, settle_ms=3_600_000)
    spans, logs = TracerProvider(), LoggerProvider()
    spans.add_span_processor(processor)
    logs.add_log_record_processor(PolygraphLogRecordProcessor(processor))
    tracer = spans.get_tracer("test")
    with tracer.start_as_current_span(
        "agent", attributes={"gen_ai.operation.name": "invoke_agent"}
    ):
        runs.tool(tracer, fails=True)
        with tracer.start_as_current_span(
            "chat", attributes={"gen_ai.operation.name": "chat"}
        ) as chat:
            said = [{"role": "assistant", "parts": [{"type": "text", "content": runs.CLAIM}]}]
            logs.get_logger("test").emit(
                LogRecord(
                    event_name="gen_ai.client.inference.operation.details",
                    context=set_span_in_context(chat),
                    severity_number=SeverityNumber.INFO,
                    attributes={"gen_ai.output.messages": said},
                )
            )
    processor.shutdown()
    (turn,) = turns
    assert turn.closing == runs.CLAIM and turn.verdict.is_lie
