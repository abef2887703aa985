"""An agent's run as spans of the real SDK."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

trace = pytest.importorskip("opentelemetry.trace")

CLAIM = "The payments service was deployed successfully."


def said(text: str) -> str:
    parts = [{"type": "text", "content": text}]
    return json.dumps([{"role": "assistant", "parts": parts}])


@contextmanager
def agent(tracer: Any, closing: str = CLAIM, name: str = "ops") -> Iterator[Any]:
    """An agent's span; what is made inside lies in it."""
    attributes = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": name,
        "gen_ai.output.messages": said(closing),
    }
    with tracer.start_as_current_span(f"invoke_agent {name}", attributes=attributes) as span:
        yield span


def tool(tracer: Any, *, fails: bool, end: bool = True) -> Any:
    """A tool's span."""
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "deploy",
        "gen_ai.tool.call.arguments": '{"service": "payments"}',
    }
    span = tracer.start_span("execute_tool deploy", attributes=attributes)
    if fails:
        span.set_status(trace.StatusCode.ERROR, "the registry refused the connection")
    else:
        span.set_attribute("gen_ai.tool.call.result", "payments deployed, revision 7")
    if end:
        span.end()
    return span


@pytest.fixture
def played() -> Callable[..., None]:
    """Plays one whole turn."""

    def play(tracer: Any, *, fails: bool = True) -> None:
        with agent(tracer):
            tool(tracer, fails=fails)

    return play
