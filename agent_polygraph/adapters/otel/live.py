"""Live audit: a span processor that judges each agent turn once it is over.

`on_end` puts the span on a queue and returns; a thread of its own does the rest: groups spans into
traces, waits a little after a turn's last span (`settle_ms`), judges outside of any lock, and hands
the verdict to `emit`.  A turn is over when its trace's root in this process has ended or, in a
server whose root lives on, when its outermost agent span has.  Spans that come after the verdict
have it made once more.  Everything is bounded, and what a bound costs is counted and said in the
verdict.  Nothing here raises into the host.
"""

from __future__ import annotations

import logging
import os
import threading
import time
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import get_ident
from typing import Any, TypeAlias

from opentelemetry.sdk._logs import LogRecordProcessor
from opentelemetry.sdk.trace import SpanProcessor

from ...config import DEFAULT_CONFIG, Config
from .audit import AuditedTurn, audited, warm_up
from .dialects import known
from .read import read_turns
from .sdk import SCOPE, log_of, scope_of, span_of
from .span import Log, Record, Span
from .stream import Gone
from .write_back import EVALUATION, evaluation_log, evaluator_span

_log = logging.getLogger("agent_polygraph.otel")

Emit: TypeAlias = Callable[[AuditedTurn], None]

_IDLE_S = 0.1  # how often the thread looks while anything is held
_LOOK_S = 5.0  # how long a busy trace may keep a turn that is over from its verdict
_ROUND_S = 0.01  # of judging at a stretch
# Of one core, at most, for judging: while the host is at work, and while it makes spans by the
# thousand a second.
_SHARE, _BUSY_SHARE = 0.2, 0.02
_BUSY = 2_000  # spans a second
_QUEUE = 8_192  # spans that wait for the thread
_OPEN = 65_536  # spans that have begun and not ended


@dataclass(slots=True)
class Counters:
    """What happened so far.  dropped: by a bound; every trace it happened to is unverifiable."""

    judged: int = 0
    rejudged: int = 0
    dropped_spans: int = 0
    dropped_traces: int = 0
    failures: int = 0


@dataclass(slots=True)
class _Pending:
    """One trace as far as it came.  Times are of the monotonic clock; 0.0 where it has not been."""

    first: float
    touched: float
    ended: list[Any] = field(default_factory=list)  # ReadableSpans and Logs, not yet looked at
    dropped: bool = False  # it is not whole
    over: float = 0.0  # a turn has ended and waits for its verdict
    checked: float = 0.0  # when it was last looked at for an agent under a root that lives on
    judged: dict[str, str] = field(default_factory=dict)  # turn's span id -> verdict
    done: set[int] = field(default_factory=set)  # `id` of those in `ended` that were judged
    late_passes: int = 1  # how often spans that come after a verdict have it made once more


class PolygraphSpanProcessor(SpanProcessor):  # type: ignore[misc]
    """Judges agent turns as their spans end.

    emit: "log" (the default: a `gen_ai.evaluation.result` log record on the turn's span), "span"
    (an OpenInference EVALUATOR span linked to it), a callable that takes an `AuditedTurn`, or
    several of these; None for none.  settle_ms: how long after a turn's end late spans may come.
    max_traces, max_spans_per_trace: what is held; the trace that was not touched for longest goes
    first, unjudged and counted.  max_age_s: a trace without an end is judged after this long, as
    what it is: incomplete.  What comes of either later is never better than unverifiable.

    Add it after processors that rewrite spans: `provider.add_span_processor(...)`.
    """

    def __init__(
        self,
        emit: str | Emit | Sequence[str | Emit] | None = "log",
        *,
        settle_ms: int = 500,
        max_traces: int = 1_000,
        max_spans_per_trace: int = 1_000,
        max_age_s: float = 3_600.0,
        config: Config = DEFAULT_CONFIG,
    ) -> None:
        self._emits = _emits(emit)
        self._settle = max(0, settle_ms) / 1_000
        self._max_traces = max(1, max_traces)
        self._max_spans = max(1, max_spans_per_trace)
        self._max_age = max_age_s
        self._config = config
        self._kind_of = known().kind_of
        self.counters = Counters()
        self._closed = False
        self._reset()
        if hasattr(os, "register_at_fork"):
            own = weakref.WeakMethod(self._reset)
            os.register_at_fork(after_in_child=lambda: _call(own))

    def _reset(self) -> None:
        """A fresh start: no thread, no spans, no locks that a thread of the parent holds."""
        self._queue: deque[Any] = deque()
        self._begun: OrderedDict[int, Any] = OrderedDict()
        self._traces: OrderedDict[int, _Pending] = OrderedDict()
        self._work = threading.Lock()
        self._wake = threading.Lock()
        self._wake.acquire()
        self._thread: threading.Thread | None = None
        self._asleep = True
        self._worker = 0  # the thread that judges just now
        self._looked = time.monotonic()  # when it last emptied the queue
        self._rest = 0.0  # until when it judges nothing, to keep to its share
        self._gone = Gone()  # traces that are not whole
        self._lost = False  # the queue was full: some of those that are held may be such

    # --- what the SDK calls -----------------------------------------------------------------------

    def on_start(self, span: Any, parent_context: Any = None) -> None:
        """Remember a span that has begun: whether an agent is the outermost shows at its end."""
        self._begun[span.context.span_id] = span
        if len(self._begun) > _OPEN:
            with suppress(KeyError):  # another thread was faster
                self._begun.popitem(last=False)

    def on_end(self, span: Any) -> None:
        """Queue an ended span.  Never blocks, never raises."""
        self._begun.pop(span.context.span_id, None)
        self._put(span)

    def _put(self, item: Any) -> None:
        if self._worker == get_ident():
            return  # made by an emit: a judge of its own must not be judged
        if len(self._queue) < _QUEUE:
            self._queue.append(item)
        else:
            self.counters.dropped_spans += 1
            self._gone.add(_trace_id(item))
            self._lost = True
        if self._asleep:
            self._rouse()

    def _rouse(self) -> None:
        if self._closed:
            return
        self._asleep = False
        if self._thread is None:
            self._thread = threading.Thread(
                target=_run, args=(weakref.ref(self),), name="agent-polygraph", daemon=True
            )
            try:
                self._thread.start()
            except RuntimeError:  # the interpreter is going down: shutdown judges
                self._thread = None
                return
        with suppress(RuntimeError):  # somebody roused it already
            self._wake.release()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Judge every turn that is over, without waiting for late spans.  True when done in time."""
        return self._drain(timeout_millis, everything=False)

    def shutdown(self) -> None:
        """Judge what is left, turns without an end as incomplete.  Idempotent."""
        if self._closed:
            return
        self._drain(30_000, everything=True)
        self._closed = True
        with suppress(RuntimeError):
            self._wake.release()

    def _drain(self, timeout_millis: int, *, everything: bool) -> bool:
        if self._closed or self._worker == get_ident():
            return True  # called from an emit: what it would wait for is itself
        until = time.monotonic() + max(0, timeout_millis) / 1_000
        if not self._work.acquire(timeout=max(0.0, until - time.monotonic())):
            return False
        try:
            self._worker = get_ident()
            self._collect()
            for pending in list(self._traces.values()):
                if not pending.over:
                    self._look_for_agents(pending, time.monotonic())
                if pending.over:
                    self._judge(pending)
                elif everything and len(pending.done) < len(pending.ended):
                    self._judge(pending, whole=False)
                if time.monotonic() > until:
                    return False
            return True
        finally:
            self._worker = 0
            self._work.release()

    # --- the thread -------------------------------------------------------------------------------

    def _step(self) -> float | None:
        """One round of work.  Seconds until the next; None: nothing to do until a span comes."""
        with self._work:
            self._worker = get_ident()
            try:
                waiting = len(self._queue)
                self._collect()
                began = time.monotonic()
                rate = waiting / max(began - self._looked, 0.001)
                self._looked = began
                soonest = _IDLE_S
                if began >= self._rest:
                    soonest = self._due()
                    share = _BUSY_SHARE if rate > _BUSY else _SHARE
                    now = time.monotonic()
                    self._rest = now + (now - began) * (1 - share) / share
                    soonest = max(soonest, self._rest - now)
            finally:
                self._worker = 0
        if not self._traces and not self._queue:
            return None
        return min(soonest, _IDLE_S)

    def _collect(self) -> None:
        """Sort the queue into traces."""
        now = time.monotonic()
        queue, traces = self._queue, self._traces
        for _ in range(len(queue)):
            try:
                self._file(queue.popleft(), now)
            except Exception:
                self._failed("a span could not be read")
        if self._lost:
            self._lost = False
            for trace_id, pending in traces.items():
                pending.dropped |= trace_id in self._gone
        while len(traces) > self._max_traces:
            trace_id, oldest = traces.popitem(last=False)
            left = len(oldest.ended) - len(oldest.done)
            if left > 0:
                self.counters.dropped_traces += 1
                self.counters.dropped_spans += left
                self._gone.add(trace_id)

    def _file(self, item: Any, now: float) -> None:
        is_log = isinstance(item, Log)
        if not is_log and scope_of(item) == SCOPE:
            return
        trace_id = _trace_id(item)
        pending = self._traces.get(trace_id)
        if pending is None:
            pending = self._traces[trace_id] = _Pending(now, now)
            pending.dropped = trace_id in self._gone
        else:
            self._traces.move_to_end(trace_id)
        pending.touched = now
        if len(pending.ended) >= self._max_spans:
            self._forget_done(pending)
        if len(pending.ended) >= self._max_spans:
            pending.dropped = True
            self.counters.dropped_spans += 1
        else:
            pending.ended.append(item)
        if not is_log and (item.parent is None or item.parent.is_remote):
            pending.over = now
        elif pending.judged and not pending.over and pending.late_passes:
            pending.late_passes -= 1
            pending.over = now

    def _forget_done(self, pending: _Pending) -> None:
        """Make room: the spans of turns that have their verdict."""
        pending.ended = [item for item in pending.ended if id(item) not in pending.done]
        pending.done.clear()

    def _due(self) -> float:
        """Judge what has settled; seconds until the next."""
        began = now = time.monotonic()
        soonest = _IDLE_S
        for trace_id, pending in list(self._traces.items()):
            if not pending.over and now - max(pending.checked, pending.touched) > self._settle:
                self._look_for_agents(pending, now)
            elif not pending.over and now - pending.checked > _LOOK_S:
                self._look_for_agents(pending, now)  # busy, and its root may never end
            if pending.over:
                wait = max(pending.over, pending.touched) + self._settle - now
                if pending.over and now - pending.over > _LOOK_S:
                    wait = 0.0
                soonest = min(soonest, max(wait, 0.0))
                if wait <= 0:
                    self._judge(pending)
                    now = time.monotonic()
                    if now - began > _ROUND_S:
                        return 0.0  # rest, by the share of the core
            elif len(pending.done) >= len(pending.ended):
                if now - pending.touched > 2 * self._settle + 1.0:
                    del self._traces[trace_id]  # no late span will come
            elif now - pending.first > self._max_age:
                self._judge(pending, whole=False)
                self._gone.add(trace_id)
                del self._traces[trace_id]
        return soonest

    def _look_for_agents(self, pending: _Pending, now: float) -> None:
        """An agent's span that lies in no other's ends a turn, though the root lives on."""
        pending.checked = now
        for item in pending.ended:
            if not isinstance(item, Log) and id(item) not in pending.done:
                if self._kind_of(item.attributes or {}) == "agent" and self._outermost(item):
                    pending.over = now
                    return

    def _outermost(self, span: Any) -> bool:
        """True where no span that is still open is an agent's, or may turn out to be one."""
        own, parent = scope_of(span), span.parent
        for _ in range(200):
            node = self._begun.get(parent.span_id) if parent is not None else None
            if node is None:
                return True
            # An instrumentation that tells the kind only at the end is known by its scope.
            late_teller = own.startswith(_INSTRUMENTATIONS) and scope_of(node) == own
            if late_teller or self._kind_of(node.attributes or {}) in _ABOVE:
                return False
            parent = node.parent
        return False

    def _judge(self, pending: _Pending, *, whole: bool = True) -> None:
        """Judge the turns of a trace that are over; `whole` False: also those that are not."""
        pending.over = 0.0
        try:
            items = [item for item in pending.ended if id(item) not in pending.done]
            if len(items) < len(pending.ended) and not self._new_turn(items):
                items = pending.ended  # late spans of a turn that was judged
            ready = items if not whole else self._over(items)
            for turn in self._turns(ready, pending, whole):
                self._emit(turn)
            pending.done.update(map(id, ready))
        except Exception:
            self._failed("a trace could not be judged")

    def _new_turn(self, items: list[Any]) -> bool:
        return any(
            not isinstance(item, Log) and self._kind_of(item.attributes or {}) == "agent"
            for item in items
        )

    def _over(self, items: list[Any]) -> list[Any]:
        """Those that lie in no span which is still open, unless only in one above all agents."""
        known = {item.context.span_id: item for item in items if not isinstance(item, Log)}
        tops: dict[int, bool] = {}

        def over(item: Any) -> bool:
            path: list[int] = []
            node = item
            while True:
                number = node.context.span_id
                if number in tops:
                    found = tops[number]
                    break
                path.append(number)
                parent = node.parent
                if parent is None or len(path) > 10_000:
                    found = True
                    break
                if parent.span_id in known and parent.span_id not in path[-50:]:
                    node = known[parent.span_id]
                    continue
                found = parent.span_id not in self._begun or self._outermost(node)
                break
            for number in path:
                tops[number] = found
            return found

        def said(log: Log) -> bool:
            number = int(log.span_id, 16)
            return over(known[number]) if number in known else number not in self._begun

        return [item for item in items if (said if isinstance(item, Log) else over)(item)]

    def _turns(self, items: list[Any], pending: _Pending, whole: bool) -> list[AuditedTurn]:
        """Turns that have no verdict yet, or another one than before."""
        records: list[Record] = []
        for item in items:
            record = item if isinstance(item, Log) else span_of(item)
            if isinstance(record, Span) and record.parent_id and whole:
                # A parent that is still open is no parent that is missing.
                record.remote |= int(record.parent_id, 16) in self._begun
            records.append(record)
        found: list[AuditedTurn] = []
        for reading in read_turns(records, self._config):
            if not reading.meta["agentic"]:
                continue
            lost = "spans_dropped" if pending.dropped else "" if whole else "spans_missing"
            if lost:
                reading.meta["unseen"] = [*reading.meta["unseen"], lost]
            turn = audited(reading, self._config)
            before = pending.judged.get(turn.span_id)
            if before == turn.verdict.verdict:
                continue
            pending.judged[turn.span_id] = turn.verdict.verdict
            if before is None:
                self.counters.judged += 1
            else:
                self.counters.rejudged += 1
            found.append(turn)
        return found

    def _emit(self, turn: AuditedTurn) -> None:
        for emit in self._emits:
            try:
                emit(turn)
            except Exception:
                self._failed("an emit raised")

    def _failed(self, what: str) -> None:
        self.counters.failures += 1
        if self.counters.failures <= 3:  # not a line a span
            _log.warning("%s", what, exc_info=True)


def _trace_id(item: Any) -> int:
    return int(item.trace_id, 16) if isinstance(item, Log) else item.context.trace_id


_ABOVE = frozenset({"agent", "chain", "tool"})
_INSTRUMENTATIONS = ("openinference.", "opentelemetry.instrumentation.")


def _emits(given: str | Emit | Sequence[str | Emit] | None) -> tuple[Emit, ...]:
    if given is None:
        return ()
    if isinstance(given, str) or callable(given):
        given = (given,)
    found: list[Emit] = []
    for one in given:
        if callable(one):
            found.append(one)
        elif one == "log":
            found.append(evaluation_log())
        elif one == "span":
            found.append(evaluator_span())
        else:
            raise ValueError(f"emit is {one!r}; it has to be 'log', 'span', a callable or None")
    return tuple(found)


def _call(method: weakref.WeakMethod[Callable[[], None]]) -> None:
    found = method()
    if found is not None:
        found()


def _run(own: weakref.ref[PolygraphSpanProcessor]) -> None:
    """The thread.  It holds no processor while it sleeps, so that one can go away."""
    warm_up()
    while True:
        processor = own()
        if processor is None or processor._closed:
            return
        wake = processor._wake
        try:
            pause = processor._step()
        except Exception:
            processor._failed("the thread of the audit")
            pause = _IDLE_S
        if pause is None:
            processor._asleep = True
            if processor._queue:  # something came in between
                processor._asleep = False
                pause = 0.0
        del processor
        if pause is None:
            wake.acquire(timeout=60.0)
        elif pause > 0:
            time.sleep(pause)


class PolygraphLogRecordProcessor(LogRecordProcessor):  # type: ignore[misc]
    """Hands log records that belong to spans to a `PolygraphSpanProcessor`.

    For instrumentations in event-only mode, whose content travels in log records:
    `logger_provider.add_log_record_processor(PolygraphLogRecordProcessor(processor))`.
    """

    def __init__(self, processor: PolygraphSpanProcessor) -> None:
        self._processor = processor

    def on_emit(self, log_record: Any) -> None:
        """Queue a record of the GenAI conventions.  Never blocks, never raises."""
        try:
            inner = getattr(log_record, "log_record", log_record)
            name = getattr(inner, "event_name", None) or (inner.attributes or {}).get("event.name")
            if isinstance(name, str) and name.startswith("gen_ai.") and name != EVALUATION:
                log = log_of(log_record)
                if log is not None:
                    self._processor._put(log)
        except Exception:
            self._processor._failed("a log record could not be read")

    def shutdown(self) -> None:
        """The span processor has the work."""

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """The span processor has the work."""
        return True
