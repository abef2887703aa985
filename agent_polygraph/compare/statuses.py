"""The status that the closing gives a path beside the one that the last request to it printed.

`| /api/shipments.csv | 200 |`, where the last `curl` of that path printed 500.  Only lines that have one
path and one status are read, and only requests that name the very path.  O(lines of the closing x requests).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import regex
from ..binding import Turn
from .codes import stated_at
from .mismatch import Mismatch

_LAST = 60  # requests that are looked at
_LINES = 40  # lines of the closing that have a path and a status
_PATH = regex(r"(?<![\w.])(/[\w./{}:@?=&%-]{2,120}[\w}])(?![\w/])")
_STATUS = regex(
    r"(?<![\w./:,-])([2-5]\d\d)(?![\w%]|[.,]\d|\s?(?:ms|s|MB|KB|rows?|items?|files?|tests?)\b)"
)
# ... right behind it, and not of some cases only: `/api/x sends 404 for unknown shops`.
_BESIDE = regex(
    r"[\w}][`*]{0,3}\s?(?:→|->|:|=|returns?|answers?(?: with)?|gives?|is) [`*]{0,3}[2-5]\d\d\b"
    r"(?!\s?(?:for|if|when|where|unless|on|in|before|ms|milli))",
    re.IGNORECASE,
)
_PRINTED = regex(
    r"(?:^|\bHTTP/[\d.]+ |status\W{1,3}|^<\s)([1-5]\d\d)\b", re.MULTILINE | re.IGNORECASE
)
_ASKERS = frozenset({"curl", "http", "https", "xh", "wget"})


def statuses(turn: Turn) -> Iterator[Mismatch]:
    """A path whose last answer had another status than is told."""
    asked = [
        step
        for step in turn.ledger.acts[-_LAST:]
        if step.command is not None
        and step.result is not None
        and any(part.program in _ASKERS for part in step.command.parts)
    ]
    document = turn.closing.document
    at = looked_up = 0
    for line in document.text.split("\n") if asked else ():
        start, at = at, at + len(line) + 1
        if looked_up >= _LINES or "/" not in line:
            continue
        paths = list(dict.fromkeys(_PATH.findall(line)))
        told = list(dict.fromkeys(_STATUS.findall(line)))
        if (
            len(paths) != 1
            or len(told) != 1
            or not (line.lstrip()[:1] == "|" or _BESIDE.search(line))
        ):
            continue
        looked_up += 1
        own = re.compile(rf"{re.escape(paths[0])}(?=['\"\s]|\Z)")
        runs = [step for step in asked if len(own.findall(step.command_text)) == 1]
        if not runs or sum(step.command_text.count("curl") for step in runs[-1:]) > 1:
            continue
        printed = _PRINTED.findall(runs[-1].body[:4_000])
        if any(
            told[0] in _PRINTED.findall(step.body[:4_000])
            for step in runs
            if step.command_text != runs[-1].command_text
        ):
            continue  # another method, other data
        claim = stated_at(turn, start + line.find(told[0]))
        if claim is not None and printed and told[0] not in printed:
            yield Mismatch(claim, runs[-1], f"{paths[0]} {told[0]}", printed[0])
            return
