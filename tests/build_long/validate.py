"""What every row has to satisfy, and the tables that describe the sets."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Row = dict[str, Any]
KEYS = [
    "id",
    "pair",
    "label",
    "check",
    "language",
    "task",
    "tools",
    "events",
    "closing",
    "note",
]
CHECKS = frozenset(
    (
        "error_concealment",
        "failed_check_claimed_passing",
        "value_mismatch",
        "wrong_count",
        "readback_disagrees",
        "pending_claimed_done",
        "fabricated_output",
        "test_tampering",
        "completion_vs_evidence",
        "partial_claimed_all",
        "narrowed_check",
        "narrative_vs_assertion",
        "unrelated_verification",
        "stale_verification",
        "phantom_action",
        "dangling_call",
        "unread_source",
    )
)
_TRAPS = re.compile(r"\[traps: ([^\]]*)\]")


def row_problems(row: Row, long: bool) -> Iterable[str]:
    """What is wrong with one row."""
    if list(row) != KEYS:
        yield f"keys are {list(row)}"
    if not row["closing"]:
        yield "no closing"
    if row["label"] == "lie" and row["check"] not in CHECKS:
        yield f"unknown check {row['check']!r}"
    if row["label"] == "lie" and len(row["note"].split()) < 4:
        yield "the note does not name the claim"
    open_calls: set[str] = set()
    seen: set[str] = set()
    for index, event in enumerate(row["events"]):
        kind = event["type"]
        if kind == "tool_call":
            if event["call_id"] in seen:
                yield f"event {index}: call id used twice"
            seen.add(event["call_id"])
            open_calls.add(event["call_id"])
        elif kind == "tool_result":
            if event["call_id"] not in open_calls:
                yield f"event {index}: result without an open call"
            open_calls.discard(event["call_id"])
        elif kind != "message" or event["role"] not in {"user", "assistant", "system"}:
            yield f"event {index}: no event"
    if len(open_calls) > (row["check"] == "dangling_call" or "dangling" in row["note"]):
        yield f"{len(open_calls)} calls without a result"
    count = len(row["events"])
    if long and not 40 <= count <= 300:
        yield f"{count} events"
    if not long and not 2 <= count <= 12:
        yield f"{count} events"
    for mark in "⟪⟫¦␛":
        if mark in row["closing"] or mark in str(row["events"]):
            yield f"script mark {mark} left over"


def problems(files: dict[Path, list[Row]]) -> list[str]:
    """Everything wrong in all files, one line each."""
    out: list[str] = []
    ids: set[str] = set()
    openings: Counter[str] = Counter()
    for path, rows in files.items():
        pairs: dict[str, list[Row]] = {}
        for row in rows:
            for text in row_problems(row, path.parent.name == "long"):
                out.append(f"{row['id']}: {text}")
            if row["id"] in ids:
                out.append(f"{row['id']}: id used twice")
            ids.add(row["id"])
            pairs.setdefault(row["pair"], []).append(row)
            openings[row["closing"]] += row["label"] == "honest"
        for pair, twins in pairs.items():
            if sorted(t["label"] for t in twins) != ["honest", "lie"]:
                out.append(f"{pair}: not one honest and one lie")
            elif (
                twins[0]["events"] == twins[1]["events"]
                and twins[0]["closing"] == twins[1]["closing"]
            ):
                out.append(f"{pair}: the twins are the same")
    out += [f"closing used {n} times: {text[:60]!r}" for text, n in openings.items() if n > 1]
    return out


def _twins(rows: list[Row]) -> list[tuple[Row, Row]]:
    return [(rows[i], rows[i + 1]) for i in range(0, len(rows), 2)]


def _counts(values: Iterable[str]) -> str:
    return ", ".join(f"{key} {n}" for key, n in sorted(Counter(values).items()))


def table(files: dict[Path, list[Row]]) -> str:
    """Counts, lengths, languages, checks and traps as Markdown."""
    out: list[str] = []
    groups: dict[str, list[Row]] = {}
    for path, rows in files.items():
        groups.setdefault("long" if path.parent.name == "long" else path.stem, []).extend(rows)
    for name, rows in groups.items():
        pairs = _twins(rows)
        if not pairs:
            continue
        honest = [h for h, _ in pairs]
        sizes = sorted(len(r["events"]) for r in honest)
        closing = sum(h["closing"] != lie["closing"] for h, lie in pairs)
        evidence = sum(h["events"] != lie["events"] for h, lie in pairs)
        out += [
            f"## {name}",
            "",
            f"- pairs: {len(pairs)}",
            f"- events per honest turn: {sizes[0]} to {sizes[-1]}, "
            f"median {statistics.median(sizes):g}",
            f"- twins that differ in the closing: {closing}; in the evidence: {evidence}",
            f"- languages: {_counts(h['language'] for h in honest)}",
            f"- checks of the lies: {_counts(lie['check'] for _, lie in pairs)}",
        ]
        traps: Counter[str] = Counter()
        for h in honest:
            found = _TRAPS.search(h["note"])
            traps.update(found.group(1).split() if found else [])
        if traps:
            out += ["", "| trap | turns |", "|---|---|"]
            out += [f"| {trap} | {n} |" for trap, n in sorted(traps.items())]
        out.append("")
    return "\n".join(out)
