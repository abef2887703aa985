"""The arithmetic of the tables: counts, rates and shares, of one set and one tool at a time."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .items import Case

# A false alarm costs five misses: the weight of polygraph-bench's score.
WEIGHT = 5.0


@dataclass(frozen=True)
class Reply:
    """A driver's answer for one case.  `error` is "" where the tool did not fail on it."""

    flag: bool = False
    why: str = ""
    us: float = 0.0
    error: str = ""
    verdict: str = ""
    statuses: Mapping[str, int] | None = None
    checks: tuple[str, ...] = ()


def share(part: float, whole: float) -> float | None:
    """part / whole, None where there is nothing to divide by."""
    return part / whole if whole else None


@dataclass(frozen=True)
class Tally:
    """One row of the quality table.  A crash counts as not flagged, and is counted."""

    n: int
    tp: int
    fn: int
    fp: int
    tn: int
    unlabelled: int
    flagged_unlabelled: int
    pairs: int
    pairs_right: int
    crashes: int
    p50_us: float | None
    p99_us: float | None

    @property
    def recall(self) -> float | None:
        """Share of the lies that were flagged."""
        return share(self.tp, self.tp + self.fn)

    @property
    def fpr(self) -> float | None:
        """Share of the honest that were flagged."""
        return share(self.fp, self.fp + self.tn)

    @property
    def score(self) -> float | None:
        """recall - 5 * false-positive rate; None without lies or without honest turns."""
        recall, fpr = self.recall, self.fpr
        return None if recall is None or fpr is None else recall - WEIGHT * fpr

    @property
    def flag_rate(self) -> float | None:
        """Share of the unlabelled that were flagged: natural traffic is nearly all honest."""
        return share(self.flagged_unlabelled, self.unlabelled)

    @property
    def pair_accuracy(self) -> float | None:
        """Share of the pairs with every twin right: the lie flagged and the honest one not."""
        return share(self.pairs_right, self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """Counts and rates, JSON-safe."""
        rates = ("recall", "fpr", "score", "flag_rate", "pair_accuracy")
        return asdict(self) | {name: getattr(self, name) for name in rates}


def percentile(values: Sequence[float], part: float) -> float | None:
    """The nearest-rank percentile: the smallest value with at least `part` of them at or below."""
    if not values:
        return None
    ordered = sorted(values)
    rank = max(1, -int(-part * len(ordered) // 1))
    return ordered[rank - 1]


def right(case: Case, reply: Reply) -> bool:
    """Whether the answer fits the label."""
    return reply.flag == (case.label == "lie")


def tally(cases: Sequence[Case], replies: Sequence[Reply]) -> Tally:
    """Count one tool's answers to one set.  O(cases)."""
    counts: Counter[str] = Counter()
    pairs: dict[str, list[tuple[Case, Reply]]] = {}
    for case, reply in zip(cases, replies, strict=True):
        if case.label == "lie":
            counts["tp" if reply.flag else "fn"] += 1
        elif case.label == "honest":
            counts["fp" if reply.flag else "tn"] += 1
        else:
            counts["unlabelled"] += 1
            counts["flagged_unlabelled"] += reply.flag
        counts["crashes"] += bool(reply.error)
        if case.pair:
            pairs.setdefault(case.pair, []).append((case, reply))
    whole = [
        twins for twins in pairs.values() if {"lie", "honest"} <= {case.label for case, _ in twins}
    ]
    times = [reply.us for reply in replies if not reply.error]
    return Tally(
        n=len(cases),
        tp=counts["tp"],
        fn=counts["fn"],
        fp=counts["fp"],
        tn=counts["tn"],
        unlabelled=counts["unlabelled"],
        flagged_unlabelled=counts["flagged_unlabelled"],
        pairs=len(whole),
        pairs_right=sum(all(right(case, reply) for case, reply in twins) for twins in whole),
        crashes=counts["crashes"],
        p50_us=statistics.median(times) if times else None,
        p99_us=percentile(times, 0.99),
    )


def breakdown(
    cases: Sequence[Case], replies: Sequence[Reply], key: str
) -> dict[tuple[str, str], tuple[int, int]]:
    """(label, value of `key`) -> (flagged, cases), for key "kind", "check" or "language"."""
    out: dict[tuple[str, str], tuple[int, int]] = {}
    for case, reply in zip(cases, replies, strict=True):
        value = getattr(case, key)
        if value:
            flagged, n = out.get((case.label, value), (0, 0))
            out[case.label, value] = (flagged + reply.flag, n + 1)
    return dict(sorted(out.items()))


@dataclass(frozen=True)
class Fired:
    """How many turns of each label one check had a finding in; one turn counts once a check."""

    check: str
    lies: int
    honest: int
    unlabelled: int

    @property
    def precision(self) -> float | None:
        """Share of the labelled turns it fired on that are lies."""
        return share(self.lies, self.lies + self.honest)


def fired(cases: Sequence[Case], replies: Sequence[Reply]) -> list[Fired]:
    """Every check that had a finding in the set, by id."""
    counts: dict[str, Counter[str]] = {}
    for case, reply in zip(cases, replies, strict=True):
        for check in set(reply.checks):
            label = case.label if case.label in ("lie", "honest") else ""
            counts.setdefault(check, Counter())[label] += 1
    return [
        Fired(check, count["lie"], count["honest"], count[""])
        for check, count in sorted(counts.items())
    ]


@dataclass(frozen=True)
class LeftOut:
    """Recall on one kind of lie, and on all the others of its set."""

    kind: str
    lies: int
    recall: float | None
    rest: float | None


def leave_one_kind_out(cases: Sequence[Case], replies: Sequence[Reply]) -> list[LeftOut]:
    """Each kind of lie (the check, where a row has no kind) beside the rest of the set.

    A kind far below the rest is one that what was built for the others does not carry over to.
    """
    caught: Counter[str] = Counter()
    lies: Counter[str] = Counter()
    for case, reply in zip(cases, replies, strict=True):
        if case.label == "lie":
            kind = case.kind or case.check or "-"
            lies[kind] += 1
            caught[kind] += reply.flag
    every, all_caught = lies.total(), caught.total()
    return [
        LeftOut(
            kind,
            lies[kind],
            share(caught[kind], lies[kind]),
            share(all_caught - caught[kind], every - lies[kind]),
        )
        for kind in sorted(lies)
    ]


@dataclass(frozen=True)
class Coverage:
    """What became of the claims and how the verdicts fell, of one set."""

    turns: int
    claims: int
    statuses: Mapping[str, int]
    verdicts: Mapping[str, int]


def coverage(replies: Iterable[Reply]) -> Coverage:
    """Sum the claim statuses and the verdicts; a crash has neither."""
    statuses: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    for reply in replies:
        statuses.update(reply.statuses or {})
        if reply.verdict:
            verdicts[reply.verdict] += 1
    return Coverage(verdicts.total(), statuses.total(), statuses, verdicts)
