"""Turns and their verdicts, from anything stored: `verify_traces`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..._values import Problem, values
from ...config import DEFAULT_CONFIG, Config
from ...events import Event
from ...verdict import Verdict
from .._shape import Reading, plain
from .forms import form_of
from .read import entries, read_turns
from .stream import MAX_SPANS, MAX_SPANS_PER_TRACE, Grouper, OpenTrace


@dataclass(frozen=True, slots=True)
class AuditedTurn:
    """One turn of a trace with its verdict.

    trace_id, span_id: hex, of the turn's own span.  events, closing, task: what was judged.  spans:
    call id -> hex id of the tool span that shows it.  line: where its trace begins in a text.
    """

    trace_id: str
    span_id: str
    verdict: Verdict
    closing: str = ""
    task: str = ""
    events: tuple[Event, ...] = ()
    spans: Mapping[str, str] = field(default_factory=dict)
    line: int | None = None

    @property
    def explanation(self) -> str:
        """One or two sentences: each finding with the tool span that decides, or what is unseen."""
        found: list[str] = []
        for finding in self.verdict.evidence:
            spans = [self.spans.get(event.call_id, "") for event in finding.events]
            where = ", ".join(dict.fromkeys(f"span {span}" for span in spans if span))
            found.append(f"{finding.detail} ({finding.check}{': ' + where if where else ''})")
        if not found and self.verdict.verdict == "unverifiable":
            from .._unseen import REASONS

            found = [REASONS.get(flag, flag) for flag in self.verdict.flags]
            found = found or ["nothing in this turn shows what is claimed"]
        return "; ".join(found) or "nothing that was claimed is contradicted by the recorded calls"


def read_trace_turns(trace: OpenTrace, config: Config) -> list[Reading]:
    """The turns of a trace as far as it came."""
    turns = read_turns(trace.records, config)
    for reading in turns:
        reading.meta["line"] = trace.line
        if trace.dropped or trace.late:
            reading.meta["unseen"] = [*reading.meta["unseen"], "spans_dropped"]
    return turns


def audited(reading: Reading, config: Config = DEFAULT_CONFIG) -> AuditedTurn:
    """A turn, judged."""
    meta = reading.meta
    return AuditedTurn(
        trace_id=str(meta.get("trace_id", "")),
        span_id=str(meta.get("span_id", "")),
        verdict=reading.judged(None, None, config),
        closing=reading.closing,
        task=reading.task,
        events=tuple(reading.events),
        spans=meta.get("spans", {}),
        line=meta.get("line"),
    )


def warm_up() -> None:
    """Load what the first verdict needs, so that no later one pays for it."""
    audited(Reading(closing="Done.", meta={"unseen": []}))


def verify_traces(
    source: Any,
    *,
    config: Config = DEFAULT_CONFIG,
    max_spans: int = MAX_SPANS,
    max_spans_per_trace: int = MAX_SPANS_PER_TRACE,
) -> Iterator[AuditedTurn]:
    """Every turn in stored spans and log records, judged.

    source: text or its bytes, an open file, lines, parsed records of any stored form, a list of
    them, or a Phoenix dataframe.  It is streamed: memory is bounded by `max_spans`; of traces that had to go
    early, and of those over `max_spans_per_trace`, the verdict is never better than unverifiable.
    Traces without an agent, a model or a tool are left out.  Never raises for what it reads, but
    ValueError where a source holds something and no span at all, or is none of these.
    """
    grouper = Grouper(max_spans, max_spans_per_trace)
    seen, wrong = 0, ""
    for line, entry in _records(source):
        if isinstance(entry, Problem):
            wrong = wrong or f"line {entry.line}: {entry.reason}"
            continue
        row = entry if line else plain(entry)
        form = form_of(row)
        if form is None:
            where = f"line {line}" if line else f"entry of type {type(entry).__name__}"
            wrong = wrong or f"{where}: no span or log record"
            continue
        for record in form.decode(row):
            seen += 1
            for trace in grouper.add(record, line):
                yield from _judged(trace, config)
    if wrong and not seen:
        raise ValueError(f"no span in it; {wrong}")
    for trace in grouper.rest():
        yield from _judged(trace, config)


def _judged(trace: OpenTrace, config: Config) -> Iterator[AuditedTurn]:
    for reading in read_trace_turns(trace, config):
        if reading.meta["agentic"]:
            yield audited(reading, config)


def _records(source: Any) -> Iterator[tuple[int | None, Any]]:
    if isinstance(source, (bytes, bytearray)):
        source = source.decode("utf-8", "replace")
    if isinstance(source, str) or hasattr(source, "readline"):
        yield from _of_text(source)
        return
    many = isinstance(source, Iterable) and not isinstance(source, Mapping)
    if not (many or form_of(source) is not None or hasattr(source, "to_dict")):
        raise ValueError(
            f"{type(source).__name__} is no source of spans; it has to be text, an open file, "
            "lines, spans or log records as a stored form has them, or a dataframe"
        )
    for _, entry in entries(source):
        if isinstance(entry, (str, bytes, bytearray)):
            yield from _of_text([entry])
        else:
            yield None, entry


def _of_text(text: str | Iterable[Any]) -> Iterator[tuple[int | None, Any]]:
    for entry in values(text, "<traces>"):
        if isinstance(entry, Problem):
            yield entry.line, entry
            continue
        line, value = entry
        for row in value if isinstance(value, list) else [value]:
            yield line, row
