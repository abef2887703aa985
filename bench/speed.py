"""Speed of the work tree's detector, each figure beside its bar, and of the peers beside it.

Every figure is a median of several repetitions in one run, and wherever it can be a ratio: the same
machine and the same minute on both sides.  Nothing here is asserted in a test.
"""

from __future__ import annotations

import contextlib
import gc
import json
import signal
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from . import turns
from .drivers import Driver, Unavailable, ask, clean_environment
from .items import ROOT, Case, Sets
from .progress import Progress

SHORT, LONG = 200, 20_000
# A turn from here on counts as a real one for the json.loads ratio: shorter ones are all overhead.
REAL_EVENTS = 30
# A full text may take this much longer than a quarter of it: 4 is linear, 16 quadratic.
GROWTH = 6.0
# Under this many seconds a growth ratio measures the clock.
SHORTEST = 0.005
GIVE_UP = 30.0
PEER_PATIENCE = 30.0


@dataclass(frozen=True)
class Line:
    """One line of the speed table: a figure, its bar and whether it is met (None: no bar)."""

    what: str
    measured: float | None
    unit: str
    bar: float | None = None
    note: str = ""
    spoiled: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the figure is at most the bar, and nothing else spoils it (it is not linear)."""
        if self.bar is None:
            return None
        return not self.spoiled and self.measured is not None and self.measured <= self.bar

    def as_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return asdict(self) | {"met": self.met}


class TookTooLong(RuntimeError):
    """A measured call did not come back in time."""


@contextlib.contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise TookTooLong in the body after `seconds`; without effect where there is no SIGALRM."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def late(*_: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


Argument = TypeVar("Argument")


def seconds(call: Callable[[Argument], object], argument: Argument) -> float:
    """How long one call takes, in processor time: what else the machine does is left out."""
    start = time.process_time()
    call(argument)
    return time.process_time() - start


Verify = Callable[[turns.Item], object]


def work_tree_verify() -> Verify:
    """`verify` of the work tree, on an item."""
    from agent_polygraph import verify

    def run(item: turns.Item) -> object:
        return verify(item["events"], item["closing"], item["task"] or "", tools=item["tools"])

    return run


# --- import ------------------------------------------------------------------------------------


def import_milliseconds(python: Path, module: str, path: Path | None, reps: int) -> float:
    """Wall time of a process that imports `module` over one that does nothing; medians, in ms.

    The two kinds of process alternate, so that a busy minute hits both.  RuntimeError where the
    import fails.
    """
    environment = clean_environment() | ({"PYTHONPATH": str(path)} if path else {})
    # An installed package has its byte code; compiling the source each time is no import cost.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times: dict[str, list[float]] = {"pass": [], f"import {module}": []}
    for rep in range(reps + 1):
        for code, found in times.items():
            start = time.perf_counter()
            run = subprocess.run(
                [str(python), "-c", code], env=environment, capture_output=True, check=False
            )
            if run.returncode:
                raise RuntimeError(run.stderr.decode(errors="replace").strip()[-160:])
            # The first round writes the byte code.
            if rep:
                found.append(time.perf_counter() - start)
    bare, full = (statistics.median(found) for found in times.values())
    return (full - bare) * 1e3


def third_party_modules(module: str = "agent_polygraph.verify", path: Path = ROOT) -> list[str]:
    """Top-level modules that importing `module` pulls in beside itself and the standard library."""
    code = (
        "import sys; before = set(sys.modules); "
        f"import {module}; new = set(sys.modules) - before; "
        "print(*sorted({name.partition('.')[0] for name in new}))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env=clean_environment() | {"PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        check=True,
    )
    own = module.partition(".")[0]
    return [name for name in run.stdout.split() if name not in sys.stdlib_module_names | {own}]


def first_verdict_milliseconds(reps: int) -> float:
    """The first `verify` of a process, tables loaded and patterns compiled; median, in ms."""
    code = (
        "import time; from agent_polygraph import verify; t = time.perf_counter(); "
        "verify([{'type': 'tool_call', 'call_id': 'c', 'name': 'Bash', 'arguments': {}}],"
        " 'All tests pass.'); print((time.perf_counter() - t) * 1e3)"
    )
    environment = clean_environment() | {"PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    found = [
        float(subprocess.check_output([sys.executable, "-c", code], env=environment, text=True))
        for _ in range(reps)
    ]
    return statistics.median(found)


# --- the core ----------------------------------------------------------------------------------


def turn_seconds(verify: Verify, events: int, reps: int) -> float:
    """Median time of a verdict over a made-up session of `events` events, each another one."""
    found = []
    for salt in range(reps + 1):
        item = turns.session(events, salt)
        gc.collect()
        taken = seconds(verify, item)
        # The first one pays for what is loaded lazily.
        if salt:
            found.append(taken)
    return statistics.median(found)


def over_json(verify: Verify, cases: Sequence[Case]) -> list[float]:
    """For each long turn, the time of its verdict over that of `json.loads` of it; sorted.

    Each turn is judged once, so that no cache can answer; the median is taken over the turns.
    """
    ratios = []
    for case in cases:
        text = json.dumps(case.item)
        loads = statistics.median(seconds(json.loads, text) for _ in range(3))
        ratios.append(seconds(verify, json.loads(text)) / loads)
    return sorted(ratios)


def peak_megabytes(verify: Verify, events: int) -> float:
    """Most memory that a verdict holds over the data that it is given, in MB (tracemalloc)."""
    verify(turns.session(10))
    item = turns.session(events, 99)
    gc.collect()
    tracemalloc.start()
    try:
        verify(item)
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def stress(
    verify: Verify, make: Callable[[float, int], turns.Item], reps: int
) -> tuple[float | None, float | None]:
    """(seconds on the whole turn, that over the time on a quarter of it).

    make: the turn of a part of its size; each repetition is another one, so that no cache can answer it.
    None for what took over GIVE_UP seconds, and for a growth too short to be measured.
    """
    found = []
    for part in (0.25, 1.0):
        items = [make(part, rep) for rep in range(reps)]
        gc.collect()
        gc.freeze()  # a collection walks what this turn makes, and not what earlier ones left
        try:
            with deadline(GIVE_UP):
                found.append(statistics.median(seconds(verify, item) for item in items))
        except TookTooLong:
            return None, None
    quarter, whole = found
    return whole, (whole / quarter if whole >= SHORTEST else None)


def receipt_microseconds(reps: int) -> float:
    """Median time to issue a receipt for a call with a result of 1 KB and to verify it, in us."""
    from agent_polygraph import ToolCall
    from agent_polygraph.receipts import ReceiptScope

    scope, result = ReceiptScope(), "x" * 1024

    def pair(call: ToolCall) -> None:
        scope.verify(scope.issue(call, result), call, result)

    calls = [
        ToolCall(f"c{n}", "send_email", {"to": "dana@example.com", "subject": "Refund", "order": n})
        for n in range(reps * 500)
    ]
    return statistics.median(seconds(pair, call) for call in calls) * 1e6


def stresses() -> Iterator[tuple[str, Callable[[float, int], turns.Item]]]:
    """(name, maker) of every stress: a text in a place, or a turn of many calls."""
    for place in turns.PLACES:
        for name in turns.STRESS:
            yield (
                f"{name} as {place}",
                lambda part, salt, name=name, place=place: turns.stressed(  # type: ignore[misc]
                    f"{turns.stress_text(name, part)}{salt}", place
                ),
            )
    for name in turns.SHAPES:
        yield (
            f"{turns.SHAPE_CALLS:,} calls: {name}",
            lambda part, salt, name=name: turns.shaped(  # type: ignore[misc]
                name, int(turns.SHAPE_CALLS * part), int(part * 8) * 1_000_000 + salt * 10_000
            ),
        )


def measure(sets: Sets, quick: bool) -> list[Line]:
    """Every line of our speed table.  Takes about a minute, a few seconds where `quick`."""
    verify = work_tree_verify()
    reps = 3 if quick else 9
    lines: list[Line] = []
    jobs = 7 + len(list(stresses()))
    with Progress("speed", jobs) as bar:

        def add(*new: Line) -> None:
            lines.extend(new)
            bar.step()

        # The names are resolved lazily, so the bare import says little: the bar is for both.
        for module in ("agent_polygraph", "agent_polygraph.verify"):
            cost = import_milliseconds(Path(sys.executable), module, ROOT, reps)
            lines.append(Line(f"import {module} over bare python", cost, "ms", 25))
        others = third_party_modules()
        add(Line("third-party modules imported", len(others), "", 0, ", ".join(others)))
        add(Line("first verdict of a process", first_verdict_milliseconds(reps), "ms"))
        add(Line("receipt issued and verified, 1 KB", receipt_microseconds(reps), "us", 20))
        short = turn_seconds(verify, SHORT, reps * 3)
        add(Line(f"{SHORT} events", short * 1e3, "ms", 2))
        long = turn_seconds(verify, LONG, 1 if quick else 3)
        growth = (long / LONG) / (short / SHORT)
        add(
            Line(f"{LONG:,} events", long * 1e3, "ms"),
            Line(f"cost of an event at {LONG:,} over that at {SHORT}", growth, "x", 1.5),
        )
        for name, cases in sets.items():
            real = [case for case in cases if len(case.item["events"]) >= REAL_EVENTS]
            if real:
                ratios = over_json(verify, real[: 20 if quick else 200])
                note = f"{len(ratios)} turns, worst {ratios[-1]:.1f}"
                middle = statistics.median(ratios)
                what = f"a real turn over json.loads of it: {name}"
                lines.append(Line(what, middle, "x", 3, note))
        bar.step()
        peak = peak_megabytes(verify, LONG)
        add(Line(f"peak memory at {LONG:,} events over the data", peak, "MB", 40))
        for name, make in stresses():
            taken, grown = stress(verify, make, 1 if quick else 3)
            note = "growth too short to tell" if grown is None else f"growth {grown:.1f} for 4x"
            if taken is None:
                note = f"given up after {GIVE_UP:g} s"
            bent = grown is not None and grown > GROWTH
            note += ": not linear" if bent else ""
            add(Line(name, taken, "s", 1, note, spoiled=bent))
    return lines


# --- the peers beside us -----------------------------------------------------------------------


@dataclass(frozen=True)
class PeerSpeed:
    """One row of the side-by-side table.  Times in ms; None: it failed or took too long."""

    row: str
    import_ms: float | None
    short_ms: float | None
    long_ms: float | None
    worst_stress_ms: float | None
    worst_stress: str = ""
    note: str = ""

    @property
    def growth(self) -> float | None:
        """Cost of an event in the long turn over that in the short one."""
        if not self.short_ms or not self.long_ms:
            return None
        return (self.long_ms / LONG) / (self.short_ms / SHORT)


def beside(driver: Driver, quick: bool) -> PeerSpeed:
    """Import time, short and long turns, and the slowest stress closing, through the driver.

    The driver's own clock: the tool's call alone, not our putting the item into its shape.
    """
    reps = 3 if quick else 7
    notes: list[str] = []
    try:
        cost: float | None = import_milliseconds(driver.python, driver.module, driver.path, reps)
    except RuntimeError as error:
        cost = None
        notes.append(f"import: {error}")

    def middle(items: Sequence[turns.Item], what: str) -> float | None:
        try:
            replies = ask(driver, items, PEER_PATIENCE)
        except Unavailable as error:
            notes.append(f"{what}: {error}")
            return None
        bad = [reply.error for reply in replies[1:] if reply.error]
        if bad:
            notes.append(f"{what}: {bad[0]}")
            return None
        return statistics.median(reply.us for reply in replies[1:]) / 1e3

    short = middle([turns.session(SHORT, salt) for salt in range(reps + 1)], f"{SHORT} events")
    few = 2 if quick else 4
    long = middle([turns.session(LONG, salt) for salt in range(few)], f"{LONG:,} events")
    worst, which = _worst(driver, notes)
    return PeerSpeed(driver.row, cost, short, long, worst, which, "; ".join(notes))


def _worst(driver: Driver, notes: list[str]) -> tuple[float | None, str]:
    """The slowest stress closing: its ms and its name; None where one failed or took too long."""
    warm = turns.session(10)
    items = [warm, *(turns.stressed(turns.stress_text(name), "closing") for name in turns.STRESS)]
    try:
        replies = ask(driver, items, PEER_PATIENCE)[1:]
    except Unavailable as error:
        notes.append(f"stress: {error}")
        return None, ""
    bad = [
        f"{name}: {reply.error}"
        for name, reply in zip(turns.STRESS, replies, strict=True)
        if reply.error
    ]
    notes += bad
    slowest, name = max(zip((reply.us for reply in replies), turns.STRESS, strict=True))
    return (None, "") if bad else (slowest / 1e3, name)
