"""OpenTelemetry: spans and log records of any dialect as turns, live and stored.

The way of the data: a stored form or the SDK's own objects -> `span.Span` and `span.Log`
(`forms`) -> traces and the turns in them (`trace`) -> one turn's trajectory, closing and task
(`turn`, over the tables in `dialects`) -> a verdict, settled by what could not be seen.

Reading needs nothing but the standard library.  The live parts need the OpenTelemetry SDK, and
import it when they are made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._lazy import lazily

if TYPE_CHECKING:
    from .audit import AuditedTurn, verify_traces
    from .export import PolygraphSpanExporter
    from .live import PolygraphLogRecordProcessor, PolygraphSpanProcessor
    from .read import from_openinference, read_trace, read_traces, verify_spans
    from .write_back import (
        evaluation_log,
        evaluator_span,
        langfuse_scores,
        phoenix_annotations,
    )

_HOMES = {
    "audit": ("AuditedTurn", "verify_traces"),
    "export": ("PolygraphSpanExporter",),
    "live": ("PolygraphLogRecordProcessor", "PolygraphSpanProcessor"),
    "read": ("from_openinference", "read_trace", "read_traces", "verify_spans"),
    "write_back": (
        "evaluation_log",
        "evaluator_span",
        "langfuse_scores",
        "phoenix_annotations",
    ),
}
_LAZY = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "AuditedTurn",
    "PolygraphLogRecordProcessor",
    "PolygraphSpanExporter",
    "PolygraphSpanProcessor",
    "evaluation_log",
    "evaluator_span",
    "from_openinference",
    "langfuse_scores",
    "phoenix_annotations",
    "read_trace",
    "read_traces",
    "verify_spans",
    "verify_traces",
]

if not TYPE_CHECKING:  # a checker that saw this would let any misspelt name pass
    __getattr__, __dir__ = lazily(__name__, _LAZY, __all__)
