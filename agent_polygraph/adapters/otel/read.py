"""From records of any form to turns, and the last of them as a trajectory or a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ...config import DEFAULT_CONFIG, Config
from ...events import Event
from .._shape import Reading, entries_of, plain
from .dialects import known
from .forms import form_of
from .span import Record, Span, begin_of
from .trace import Trace
from .turn import Turn

if TYPE_CHECKING:
    from ...verdict import Verdict


def read_turns(records: Iterable[Record], config: Config = DEFAULT_CONFIG) -> list[Reading]:
    """The turns of one trace, in order.

    O(n log n) in its spans, but for the events of earlier turns, which a later one begins with.
    """
    trace = Trace(records, known())
    found: list[Reading] = []
    before: Reading | None = None
    for turn in _joined(trace, config):
        reading = turn.read(before)
        reading.meta["trace_id"] = next((span.trace_id for span in turn.spans), "")
        found.append(reading)
        before = reading
    return found


def _joined(trace: Trace, config: Config) -> Iterator[Turn]:
    """Turns, an agent that gave no answer joined with the one that took over."""
    turns = trace.turns()
    held: list[Span] = []
    for number, spans in enumerate(turns):
        turn = Turn(trace, spans, config)
        held += spans
        if number == len(turns) - 1 or turn.closing:
            yield turn if len(held) == len(spans) else Turn(trace, held, config)
            held = []


def read_traces(spans: Any, config: Config = DEFAULT_CONFIG) -> Iterator[Reading]:
    """Each turn as a `Reading`, in order of the traces' first spans.

    spans: records of any stored form, in any order; a dataframe.  Never raises.
    """
    traces: dict[str, list[Record]] = {}
    skipped: list[str] = []
    for index, entry in entries(spans):
        row = plain(entry)
        form = form_of(row)
        if form is None:
            skipped.append(f"entry {index}: no span")
            continue
        for record in form.decode(row):
            traces.setdefault(record.trace_id, []).append(record)
    if skipped and not traces:
        yield Reading(skipped=skipped)
    for records in sorted(traces.values(), key=begin_of):
        for reading in read_turns(records, config):
            reading.skipped = skipped + reading.skipped
            skipped = []
            yield reading


def entries(spans: Any) -> Iterator[tuple[int, Any]]:
    """(index, record) of a list, of the rows of a dataframe, or of one record alone."""
    to_dict = getattr(spans, "to_dict", None)
    if callable(to_dict) and hasattr(spans, "columns"):  # a dataframe, as Phoenix gives it
        spans = to_dict("records")
    elif form_of(spans) is not None:
        spans = [spans]
    return entries_of(spans)


def read_trace(spans: Any, config: Config = DEFAULT_CONFIG) -> Reading:
    """The last turn that has anything of an agent in it."""
    last = Reading()
    skipped: list[str] = []
    for reading in read_traces(spans, config):
        skipped += reading.skipped
        if reading.events or reading.closing or not last.events:
            last = reading
    last.skipped = skipped
    return last


def from_openinference(
    spans: Any, *, config: Config = DEFAULT_CONFIG
) -> tuple[list[Event], str, str]:
    """Spans -> (trajectory, final_claim, task).

    spans: records of any stored form and any dialect, in any order: `ReadableSpan.to_json` parsed,
    OTLP/JSON documents, Phoenix exports, and the rest of docs/otel.md.  Of several turns the last
    with anything of an agent in it is read.  Never raises.  O(n log n) in the spans.
    """
    return read_trace(spans, config).triple


def verify_spans(
    spans: Any,
    final_claim: str | None = None,
    task: str | None = None,
    *,
    mode: str = "audit",
    config: Config = DEFAULT_CONFIG,
) -> Verdict:
    """Audit a recorded turn: the last one in `spans`.

    final_claim, task: what the caller knows better than the spans.  ValueError for any `mode` but
    "audit": spans are read when the run is over.
    """
    if mode == "block":
        raise ValueError(
            "mode='block' is not possible here: this is an audit of a run that is over; use a "
            "guardrail or a stop hook to block"
        )
    if mode != "audit":
        raise ValueError(f"mode is {mode!r}; it has to be 'audit'")
    return read_trace(spans, config).judged(final_claim, task, config)
