"""Tracing without an exporter: nothing leaves the machine, and spans are made all the same."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

os.environ.setdefault("OPENAI_API_KEY", "not-a-key")


@pytest.fixture(autouse=True)
def _no_exporter() -> Iterator[None]:
    from agents.tracing import set_trace_processors

    set_trace_processors([])
    yield
