"""`python -m bench`: the quality and speed tables, for the work tree and its peers.

The same items go to every tool, through the same protocol, in the same run.  A set is never pooled
with another.  The exit code is 0 when the tables were made, 2 on a usage error, 3 when there was
nothing to read; a missed bar is told in the table and does not fail the run.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import speed, tally
from .drivers import (
    OURS,
    SCRIPTS,
    Driver,
    Peer,
    PeersError,
    Unavailable,
    ask,
    environment,
    load_peers,
    ours,
)
from .items import Sets, corpora, own, thin
from .tables import NONE, number, percent, render

QUICK_CASES = 40
STATUSES = ("supported", "contradicted", "incomplete", "unsupported", "unverifiable", "disclosed")
VERDICTS = ("lie", "honest", "unverifiable")
BREAKDOWNS = ("kind", "check", "language")


@dataclass(frozen=True)
class Result:
    """One tool's replies, a list a set; or the reason why it has none."""

    row: str
    replies: Mapping[str, Sequence[tally.Reply]]
    reason: str = ""


def parser() -> argparse.ArgumentParser:
    """The options."""
    p = argparse.ArgumentParser(
        prog="python -m bench", description="Quality and speed tables, for us and for the peers."
    )
    p.add_argument(
        "--corpus",
        action="append",
        default=[],
        type=Path,
        metavar="PATH",
        help="a JSON-lines file, or a folder of them, to score beside our own cases; repeatable",
    )
    p.add_argument("--quality", action="store_true", help="the quality tables only")
    p.add_argument("--speed", action="store_true", help="the speed tables only")
    p.add_argument(
        "--peers",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="run the peers too (the first run installs them from the package index)",
    )
    p.add_argument("--kinds", action="store_true", help="break each set down by kind and language")
    p.add_argument(
        "--checks",
        action="store_true",
        help="what each check fired on: lies, honest turns, turns without a label",
    )
    p.add_argument(
        "--leave-one-kind-out",
        action="store_true",
        help="recall on each kind of lie, beside recall on all the other kinds of its set",
    )
    p.add_argument("--json", type=Path, metavar="OUT", help="write every number to this file")
    p.add_argument(
        "--quick",
        action="store_true",
        help=f"about {QUICK_CASES} cases a set, few repetitions: to try it out, not to report",
    )
    return p


def drivers(with_peers: bool) -> tuple[list[Driver], list[Result], list[Peer]]:
    """What can be asked here, and a row with its reason for each peer that can't."""
    found, absent = [ours()], []
    peers = load_peers() if with_peers else []
    for peer in peers:
        try:
            python = environment(peer)
        except Unavailable as reason:
            names = [row.row for row in peer.rows] or [peer.name]
            absent += [Result(name, {}, str(reason)) for name in names]
            continue
        found += [
            Driver(row.row, python, SCRIPTS / peer.driver, row.args, peer.module)
            for row in peer.rows
        ]
    return found, absent, peers


def judge(driver: Driver, sets: Sets) -> Result:
    """Ask one tool about every set, in one go, so that it starts once."""
    items = [case.item for cases in sets.values() for case in cases]
    try:
        replies = ask(driver, items)
    except Unavailable as reason:
        return Result(driver.row, {}, str(reason))
    split: dict[str, Sequence[tally.Reply]] = {}
    start = 0
    for name, cases in sets.items():
        split[name] = replies[start : start + len(cases)]
        start += len(cases)
    return Result(driver.row, split)


QUALITY_HEAD = (
    *("set", "tool", "n", "TP", "FN", "FP", "TN", "recall", "FPR", "score", "flag%", "pairs%"),
    *("crash", "p50 us", "p99 us"),
)


def quality_row(name: str, row: str, t: tally.Tally) -> list[str]:
    """One line of the quality table."""
    labelled = t.tp + t.fn + t.fp + t.tn
    counts = [str(count) if labelled else NONE for count in (t.tp, t.fn, t.fp, t.tn)]
    rates = [number(rate) for rate in (t.recall, t.fpr, t.score)]
    shares = [percent(t.flag_rate), percent(t.pair_accuracy)]
    times = [number(t.p50_us, 0), number(t.p99_us, 0)]
    return [name, row, str(t.n), *counts, *rates, *shares, str(t.crashes), *times]


def quality_table(sets: Sets, results: Sequence[Result]) -> tuple[str, dict[str, Any]]:
    """The table, one row a set and tool, and the same numbers for --json."""
    rows: list[list[str]] = []
    numbers: dict[str, Any] = {}
    for name, cases in sets.items():
        for result in results:
            if result.reason:
                rows.append([name, result.row, *[NONE] * (len(QUALITY_HEAD) - 2)])
                continue
            counted = tally.tally(cases, result.replies[name])
            rows.append(quality_row(name, result.row, counted))
            numbers.setdefault(name, {})[result.row] = counted.as_dict()
    lines = [render(QUALITY_HEAD, rows, words=2)]
    lines += [f"{result.row}: {result.reason}" for result in results if result.reason]
    return "\n".join(lines), numbers


def coverage_table(sets: Sets, result: Result) -> tuple[str, dict[str, Any]]:
    """Ours only: what became of the claims, and how the verdicts fell, in percent."""
    head = ("set", "turns", *(f"{v}%" for v in VERDICTS), "claims", *(f"{s}%" for s in STATUSES))
    rows: list[list[str]] = []
    numbers: dict[str, Any] = {}
    for name in sets:
        c = tally.coverage(result.replies[name])
        verdicts = [tally.share(c.verdicts.get(verdict, 0), c.turns) for verdict in VERDICTS]
        statuses = [tally.share(c.statuses.get(status, 0), c.claims) for status in STATUSES]
        rows.append(
            [name, str(c.turns), *map(percent, verdicts), str(c.claims), *map(percent, statuses)]
        )
        numbers[name] = {
            "turns": c.turns,
            "claims": c.claims,
            "verdicts": dict(c.verdicts),
            "statuses": dict(c.statuses),
        }
    return render(head, rows), numbers


def kinds_table(sets: Sets, results: Sequence[Result]) -> str:
    """Flagged of how many, by set, label and each of kind, check and language; a column a tool."""
    able = [result for result in results if not result.reason]
    rows: list[list[str]] = []
    for name, cases in sets.items():
        for key in BREAKDOWNS:
            parts = [tally.breakdown(cases, result.replies[name], key) for result in able]
            for (label, value), (_, n) in parts[0].items():
                flags = [str(part[label, value][0]) for part in parts]
                rows.append([name, key, value, label or "?", str(n), *flags])
    head = ("set", "by", "value", "label", "n", *(f"flagged: {result.row}" for result in able))
    return render(head, rows, words=4) if rows else "no row has a kind, a check or a language"


def checks_table(sets: Sets, result: Result) -> tuple[str, dict[str, Any]]:
    """Ours only: the turns that each check fired on, by set and label, and which block by default."""
    from agent_polygraph import DEFAULT_CONFIG

    rows: list[list[str]] = []
    numbers: dict[str, Any] = {}
    for name, cases in sets.items():
        for one in tally.fired(cases, result.replies[name]):
            blocks = "blocks" if one.check in DEFAULT_CONFIG.block_on else ""
            counts = [str(count) for count in (one.lies, one.honest, one.unlabelled)]
            rows.append([name, one.check, blocks, *counts, percent(one.precision)])
            numbers.setdefault(name, {})[one.check] = {
                "lies": one.lies,
                "honest": one.honest,
                "unlabelled": one.unlabelled,
            }
    head = ("set", "check", "by default", "lies", "honest", "unlabelled", "precision%")
    return render(head, rows, words=3), numbers


def left_out_table(sets: Sets, result: Result) -> tuple[str, dict[str, Any]]:
    """Recall on each kind of lie beside the rest of its set, weakest first."""
    rows: list[list[str]] = []
    numbers: dict[str, Any] = {}
    for name, cases in sets.items():
        found = tally.leave_one_kind_out(cases, result.replies[name])
        for one in sorted(found, key=lambda one: (one.recall or 0.0, one.kind)):
            gap = None if one.recall is None or one.rest is None else one.recall - one.rest
            measures = [number(value) for value in (one.recall, one.rest, gap)]
            rows.append([name, one.kind, str(one.lies), *measures])
            numbers.setdefault(name, {})[one.kind] = {
                "lies": one.lies,
                "recall": one.recall,
                "rest": one.rest,
            }
    head = ("set", "kind left out", "lies", "its recall", "recall on the rest", "gap")
    return render(head, rows, words=2), numbers


def speed_table(lines: Sequence[speed.Line]) -> str:
    """Measured, bar, met or missed."""
    words = {None: "", True: "met", False: "missed"}
    rows = [
        [
            line.what,
            number(line.measured, 0 if line.unit == "" else 3 if line.unit == "s" else 2),
            line.unit,
            NONE if line.bar is None else f"<= {line.bar:g}",
            words[line.met],
            line.note,
        ]
        for line in lines
    ]
    return render(("what", "measured", "unit", "bar", "", "note"), rows)


def beside_table(rows: Sequence[speed.PeerSpeed]) -> str:
    """Import, short and long turns and the slowest stress closing, a row a tool."""
    head = (
        *("tool", "import ms", f"{speed.SHORT} events ms", f"{speed.LONG:,} events ms"),
        *("growth of an event's cost", "slowest stress closing ms", "which"),
    )
    table = render(
        head,
        [
            [
                row.row,
                number(row.import_ms, 1),
                number(row.short_ms, 2),
                number(row.long_ms, 0),
                number(row.growth, 2),
                number(row.worst_stress_ms, 0),
                row.worst_stress or NONE,
            ]
            for row in rows
        ],
    )
    return "\n".join([table, *(f"{row.row}: {row.note}" for row in rows if row.note)])


def peers_text(peers: Sequence[Peer]) -> str:
    """What each peer is and how it was called."""
    out = []
    for peer in peers:
        out.append(f"- {peer.requirement}: {peer.what}\n  Called: {peer.how}.")
        if peer.note:
            out.append(f"  {peer.note}")
    return "\n".join(out)


def section(title: str, body: str) -> None:
    """Print one table under its heading, at once: the next one may take minutes."""
    print(f"\n## {title}\n\n{body}", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Make the tables.  Returns the exit code."""
    options = parser().parse_args(argv)
    missing = [path for path in options.corpus if not path.exists()]
    if missing:
        print(f"no such corpus: {', '.join(map(str, missing))}", file=sys.stderr)
        return 2
    both = options.quality == options.speed
    named = corpora(options.corpus)
    sets = own() | named
    if (options.corpus and not named) or (not sets and not options.speed):
        print("nothing to read: no case in tests/cases and none in --corpus", file=sys.stderr)
        return 3
    if options.quick:
        sets = {name: thin(cases, QUICK_CASES) for name, cases in sets.items()}
    try:
        tools, absent, peers = drivers(options.peers)
    except PeersError as error:
        print(f"peers.toml: {error}", file=sys.stderr)
        return 2
    report: dict[str, Any] = {"python": platform.python_version(), "quick": options.quick}
    if peers:
        section("Peers", peers_text(peers))
        report["peers"] = {peer.name: peer.version for peer in peers}
    if sets and (both or options.quality):
        results = [judge(tool, sets) for tool in tools] + absent
        report["absent"] = {result.row: result.reason for result in results if result.reason}
        quality(options, sets, results, report)
    if both or options.speed:
        timing(options, sets, tools, report)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


def quality(
    options: argparse.Namespace, sets: Sets, results: Sequence[Result], report: dict[str, Any]
) -> None:
    """Print the quality tables and keep their numbers."""
    text, report["quality"] = quality_table(sets, results)
    section("Quality", text)
    mine = next(result for result in results if result.row == OURS)
    if not mine.reason:
        text, report["coverage"] = coverage_table(sets, mine)
        section("Coverage, ours", text)
    if options.kinds and any(not result.reason for result in results):
        section("By kind, check and language", kinds_table(sets, results))
    if options.checks and not mine.reason:
        text, report["checks"] = checks_table(sets, mine)
        section("What each check fired on, ours", text)
    if options.leave_one_kind_out and not mine.reason:
        text, report["leave_one_kind_out"] = left_out_table(sets, mine)
        section("Leave one kind out, ours", text)


def timing(
    options: argparse.Namespace, sets: Sets, tools: Sequence[Driver], report: dict[str, Any]
) -> None:
    """Print the speed tables and keep their numbers."""
    try:
        lines = speed.measure(sets, options.quick)
    except ImportError as error:
        section("Speed, ours", f"not measured: {error}")
    else:
        section("Speed, ours", speed_table(lines))
        report["speed"] = [line.as_dict() for line in lines]
    rows = [speed.beside(tool, options.quick) for tool in tools]
    section("Speed, side by side", beside_table(rows))
    report["speed_beside"] = [
        {
            "tool": row.row,
            "import_ms": row.import_ms,
            "short_ms": row.short_ms,
            "long_ms": row.long_ms,
            "growth": row.growth,
            "worst_stress_ms": row.worst_stress_ms,
            "worst_stress": row.worst_stress,
            "note": row.note,
        }
        for row in rows
    ]
