"""A real Phoenix server shows the verdict on the turn's span."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

if importlib.util.find_spec("phoenix") is None:  # not imported: the server is another process
    pytest.skip("no Phoenix here", allow_module_level=True)

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from agent_polygraph.adapters.otel import (
    AuditedTurn,
    PolygraphSpanProcessor,
    phoenix_annotations,
    verify_traces,
)

PATIENCE_S = 120


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _ask(url: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or b"null")


def _until(look: Callable[[], Any]) -> Any:
    """What `look` gives once it gives something; the server works in its own time."""
    last: Exception | None = None
    for _ in range(PATIENCE_S * 2):
        try:
            found = look()
        except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
            if isinstance(error, urllib.error.HTTPError):
                error.close()  # it is the answer, with its connection
            found, last = None, error
        if found:
            return found
        time.sleep(0.5)
    raise AssertionError(f"nothing in {PATIENCE_S} s: {last}")


@pytest.fixture
def phoenix(tmp_path: Path) -> Iterator[str]:
    port = _free_port()
    settings = {
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(_free_port()),
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_WORKING_DIR": str(tmp_path),
        "PHOENIX_TELEMETRY_ENABLED": "false",
    }
    with (tmp_path / "server.log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "phoenix.server.main", "serve"],
            env={**os.environ, **settings},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _until(lambda: _ask(f"{address}/v1/projects"))
            yield address
        finally:
            server.terminate()
            server.wait(60)


def test_phoenix_shows_the_verdict(phoenix: str, played: Callable[..., None]) -> None:
    turns: list[AuditedTurn] = []
    send = phoenix_annotations(lambda body: _ask(f"{phoenix}/v1/span_annotations?sync=false", body))
    processor = PolygraphSpanProcessor([turns.append, send], settle_ms=3_600_000)
    provider = TracerProvider()
    provider.add_span_processor(processor)
    exporter = OTLPSpanExporter(endpoint=f"{phoenix}/v1/traces")
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    played(provider.get_tracer("test"))
    processor.force_flush()
    provider.shutdown()
    assert processor.counters.failures == 0
    (turn,) = turns
    where = f"{phoenix}/v1/projects/default"
    (shown,) = _until(lambda: _ask(f"{where}/span_annotations?span_ids={turn.span_id}")["data"])
    assert shown["name"] == "claim_honesty"
    assert shown["result"]["label"] == "lie" and shown["result"]["score"] == 0.0
    assert shown["annotator_kind"] == "CODE"
    # and what the server stored is read and judged the same
    stored = _until(lambda: _ask(f"{where}/spans?limit=100")["data"])
    (again,) = verify_traces(stored)
    assert again.verdict.verdict == "lie" and again.span_id == turn.span_id
