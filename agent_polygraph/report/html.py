"""Verdicts as one self-contained page: each closing with its claims marked, the events beside it.

No script, no external resource: a policy in the page forbids both, since what it shows was written
by models and tools.  Turns fold with the browser's own `details` and marks are links to their
events, so everything is reached by keyboard.  Light and dark follow the reader's setting.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from typing import Any

from agent_polygraph._version import __version__
from agent_polygraph.events import Event, ToolCall, ToolResult, TrajectoryError, normalize
from agent_polygraph.report import (
    FAMILIES,
    Judged,
    Report,
    describe,
    one_line,
    text,
    unverified,
    visible,
    where,
)
from agent_polygraph.verdict import EventRef, Finding, Quote, Verdict

# Characters of an event shown around the words that decide.
_EXCERPT = 900

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6570; --paper: #fff; --line: #d6dbe0;
  --panel: #f5f7f9; --lie: #b3261e; --lie-mark: #ffd9d5; --open: #805400; --open-mark: #ffe9b8;
  --fine: #1a6b35; --fine-mark: #d6f2dd; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e5e9ed; --soft: #9aa6b1; --paper: #14171a; --line: #343b42; --panel: #1d2226;
    --lie: #ff8a80; --lie-mark: #5c1f1b; --open: #ffc95c; --open-mark: #4a3600; --fine: #7fd699;
    --fine-mark: #173d24; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; } h2 { font-size: 1rem; margin: 1rem 0 .3rem; }
a { color: inherit; }
:focus-visible { outline: 3px solid var(--open); outline-offset: 2px; }
:target { outline: 2px solid var(--open); }
.skip { position: absolute; left: -999rem; } .skip:focus { position: static; }
details.turn { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0; }
summary { cursor: pointer; padding: .5rem .8rem; overflow-wrap: anywhere; }
.verdict { display: inline-block; min-width: 8rem; font-weight: 700; }
.lie { color: var(--lie); } .unverifiable { color: var(--open); } .honest { color: var(--fine); }
.soft { color: var(--soft); }
.body { display: grid; gap: 1rem 1.5rem; padding: 0 .8rem .8rem; grid-template-columns: 1fr 1fr; }
.body > * { min-width: 0; } .wide { grid-column: 1 / -1; }
@media (max-width: 50rem) { .body { grid-template-columns: 1fr; } }
pre, .closing { background: var(--panel); border: 1px solid var(--line); border-radius: .3rem;
  padding: .6rem; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { font: .85rem/1.45 ui-monospace, monospace; max-height: 24rem; overflow: auto; }
mark { color: inherit; background: var(--open-mark); border-radius: .2rem; }
mark.lie { background: var(--lie-mark); border-bottom: 2px solid var(--lie); }
mark.honest { background: var(--fine-mark); }
ol, ul { padding-left: 1.3rem; margin: .3rem 0; } li { margin: .4rem 0; }
"""


@dataclass(frozen=True, slots=True)
class _Mark:
    rank: int
    start: int
    end: int
    style: str
    title: str
    event: int | None


def render(report: Report) -> str:
    """The page, with a newline at its end."""
    summary = escape(text.summary(report))
    turns = "\n".join(_turn(number, entry) for number, entry in enumerate(report.judged, 1))
    problems = "\n".join(
        f"<li>{escape(text.render_problem(problem))}</li>" for problem in report.problems
    )
    unread = f'<h2 id="unread">Not read</h2>\n<ul>\n{problems}\n</ul>\n' if problems else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>agent-polygraph: {summary}</title>
<style>{_STYLE}</style>
</head>
<body>
<a class="skip" href="#turns">Skip to the turns</a>
<header>
<h1>agent-polygraph</h1>
<p>{summary}</p>
<p class="soft">Version {escape(__version__)}. A verdict is about one turn: what its closing message
claims against what its own tool calls show. Follow a marked claim to the event that decides it.</p>
</header>
<main id="turns">
{turns}
{unread}</main>
</body>
</html>
"""


def _turn(number: int, entry: Judged) -> str:
    item, verdict = entry.item, entry.verdict
    events = _events(item.events)
    refs = _cited(verdict)
    marks = _marks(item.closing, verdict, refs)
    opened = " open" if verdict.verdict == "lie" else ""
    task = f'<p class="wide soft">Task: {_safe(one_line(item.task, 600))}</p>' if item.task else ""
    return f"""<details class="turn" id="t{number}"{opened}>
<summary><span class="verdict {escape(verdict.verdict)}">{escape(verdict.verdict.upper())}</span>
{_safe(one_line(item.id, 120))} <span class="soft">{escape(where(item))}</span></summary>
<div class="body">
{task}{_findings(number, verdict)}
<section aria-label="Closing message"><h2>The closing message</h2>
<div class="closing">{_marked(number, item.closing, marks)}</div>
{_open_claims(number, verdict)}</section>
<section aria-label="Events that decide"><h2>The events that decide</h2>
{_evidence(number, events, refs)}</section>
</div>
</details>"""


def _findings(number: int, verdict: Verdict) -> str:
    if not verdict.evidence:
        return ""
    rows = "\n".join(_finding(number, finding) for finding in verdict.evidence)
    return f'<section class="wide" aria-label="Findings"><ol>\n{rows}\n</ol></section>'


def _finding(number: int, finding: Finding) -> str:
    family = FAMILIES.get(finding.family, "")
    events = ", ".join(_link(number, event) for event in finding.events)
    shown = events or "no call could have done it"
    hint = f"<br>To settle it: {_safe(one_line(finding.hint))}" if finding.hint else ""
    return (
        f'<li><strong class="lie">{_safe(one_line(finding.detail))}</strong><br>'
        f'<span class="soft">{_safe(finding.check)}, {escape(family)}, grade {finding.grade:g}; '
        f"{shown}</span>{hint}</li>"
    )


def _open_claims(number: int, verdict: Verdict) -> str:
    claims = unverified(verdict)
    flags = ""
    if verdict.flags:
        flags = f'<p class="soft">Reading limited by: {_safe(", ".join(verdict.flags))}</p>'
    if not claims:
        return flags
    rows = "\n".join(
        f"<li>“{_safe(one_line(claim.quote.text))}”"
        + (f' <span class="soft">{_safe(one_line(claim.reason))}</span>' if claim.reason else "")
        + "".join(f" {_link(number, event)}" for event in claim.events)
        + "</li>"
        for claim in claims
    )
    return f"<h2>Not verified</h2>\n<ul>\n{rows}\n</ul>\n{flags}"


def _evidence(number: int, events: list[Event], refs: dict[int, list[str]]) -> str:
    if not refs:
        return f'<p class="soft">None of the {len(events)} events is cited.</p>'
    calls = {event.call_id: event for event in events if isinstance(event, ToolCall)}
    blocks = []
    for index in sorted(refs):
        if not 0 <= index < len(events):
            continue
        event = events[index]
        call_id = "" if not isinstance(event, (ToolCall, ToolResult)) else event.call_id
        title = f"event {index}, {describe(event)}" + (f" ({call_id})" if call_id else "")
        lines = []
        call = calls.get(call_id)
        if isinstance(event, ToolResult) and call is not None:
            command = one_line(f"{call.name} {_text(call.arguments)}", 400)
            lines.append(f'<span class="soft">{_safe(command)}</span>\n')
        lines.append(_excerpt(_content(event), refs[index]))
        blocks.append(
            f'<h2 id="t{number}e{index}" tabindex="-1">{_safe(one_line(title))}</h2>\n'
            f'<pre tabindex="0">{"".join(lines)}</pre>'
        )
    return "\n".join(blocks)


def _excerpt(content: str, quotes: Iterable[str]) -> str:
    """The content around the first of the quotes that occurs in it, with that quote marked."""
    start, end = next(
        ((at, at + len(quote)) for quote in quotes if quote and (at := content.find(quote)) >= 0),
        (0, 0),
    )
    first = max(0, start - _EXCERPT // 2)
    last = min(len(content), max(end, start) + _EXCERPT // 2)
    before, quoted, after = content[first:start], content[start:end], content[end:last]
    marked = f'<mark class="lie">{_safe(quoted)}</mark>' if quoted else ""
    head = "… " if first else ""
    tail = " …" if last < len(content) else ""
    return f"{head}{_safe(before)}{marked}{_safe(after)}{tail}"


def _marks(closing: str, verdict: Verdict, refs: dict[int, list[str]]) -> list[_Mark]:
    """What to mark in the closing: findings first, then the claims they leave; no overlaps."""
    wanted: list[tuple[Quote, str, str, tuple[EventRef, ...]]] = [
        (finding.claim, "lie", finding.detail, finding.events)
        for finding in verdict.evidence
        if finding.claim is not None
    ]
    for claim in verdict.claims:
        style = "honest" if claim.status in ("supported", "disclosed") else "open"
        wanted.append((claim.quote, style, f"{claim.status} {claim.reason}", claim.events))
    marks = []
    for rank, (quote, style, title, events) in enumerate(wanted):
        # Offsets that do not fit the closing mark nothing, rather than the wrong words.
        if quote.start < quote.end and closing[quote.start : quote.end] == quote.text:
            target = next((event.index for event in events if event.index in refs), None)
            marks.append(_Mark(rank, quote.start, quote.end, style, title, target))
    return _apart(marks)


def _apart(marks: list[_Mark]) -> list[_Mark]:
    """The marks in order of place, split so that none overlap: where several lie, the first ranked.

    O(n * overlapping); verify bounds how many claims a closing can have.
    """
    points = sorted({point for mark in marks for point in (mark.start, mark.end)})
    by_start = sorted(marks, key=lambda mark: mark.start)
    apart: list[_Mark] = []
    active: list[_Mark] = []
    upcoming = 0
    for start, end in pairwise(points):
        while upcoming < len(by_start) and by_start[upcoming].start <= start:
            active.append(by_start[upcoming])
            upcoming += 1
        active = [mark for mark in active if mark.end > start]
        if active:
            best = min(active, key=lambda mark: mark.rank)
            apart.append(replace(best, start=start, end=end))
    return apart


def _marked(number: int, closing: str, marks: list[_Mark]) -> str:
    parts = []
    at = 0
    for mark in marks:
        words = _safe(closing[mark.start : mark.end])
        if mark.event is not None:
            words = f'<a href="#t{number}e{mark.event}">{words}</a>'
        title = _safe(one_line(mark.title))
        parts.append(_safe(closing[at : mark.start]))
        parts.append(f'<mark class="{mark.style}" title="{title}">{words}</mark>')
        at = mark.end
    parts.append(_safe(closing[at:]))
    return "".join(parts) or '<span class="soft">(empty)</span>'


def _cited(verdict: Verdict) -> dict[int, list[str]]:
    """The events to show, by index, with the words in each that decide."""
    cited: dict[int, list[str]] = {}
    for finding in verdict.evidence:
        for event in finding.events:
            cited.setdefault(event.index, []).append(event.quote)
    for claim in verdict.claims:
        for event in claim.events:
            cited.setdefault(event.index, []).append(event.quote)
    return cited


def _link(number: int, event: EventRef) -> str:
    call = f" ({_safe(one_line(event.call_id, 40))})" if event.call_id else ""
    return f'<a href="#t{number}e{event.index}">event {event.index}{call}</a>'


def _events(events: Any) -> list[Event]:
    try:
        return normalize(events)
    except TrajectoryError:
        return []


def _content(event: Event) -> str:
    if isinstance(event, ToolCall):
        return f"{event.name} {_text(event.arguments)}"
    return _text(event.content) if isinstance(event, ToolResult) else event.text


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.replace("\r\n", "\n")
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return f"({type(value).__name__})"


def _safe(text: str) -> str:
    return escape(visible(text), quote=True)
