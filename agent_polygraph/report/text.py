"""Verdicts for a person at a terminal.

First what the evidence does not bear out: the claim in its own words, the event that decides in its
own words, and what would settle it.  Then what was not verified.  A turn with nothing to say about
takes one line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_polygraph.report import FAMILIES, Judged, Report, one_line, unverified, visible, where
from agent_polygraph.verdict import EventRef, Finding, Verdict

if TYPE_CHECKING:
    from agent_polygraph.formats import Item, Problem

_STYLES = {
    "lie": "1;31",
    "honest": "32",
    "unverifiable": "33",
    "dim": "2",
    "bold": "1",
}
_LABEL_WIDTH = 18


class Paint:
    """Wraps words in terminal colours, or leaves them alone."""

    def __init__(self, colour: bool = False) -> None:
        self.colour = colour

    def __call__(self, text: str, style: str) -> str:
        """`text` in the style, where colours are on and the style is known."""
        code = _STYLES.get(style)
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and code and text else text


PLAIN = Paint()


def render(report: Report) -> str:
    """The whole report, without colours."""
    parts = [render_turn(entry.item, entry.verdict) for entry in report.judged]
    parts += [render_problem(problem) for problem in report.problems]
    parts.append(summary(report))
    return "\n".join(parts) + "\n"


def render_turn(
    item: Item, verdict: Verdict, paint: Paint = PLAIN, *, verbose: bool = False
) -> str:
    """One turn, without a newline at its end.  `verbose` adds what was borne out and dismissed."""
    lines = [_head(item, verdict, paint)]
    for finding in verdict.evidence:
        lines += _finding(finding, paint)
    lines += _not_verified(verdict, paint)
    if verbose:
        lines += _the_rest(verdict, paint)
    if len(lines) > 1:
        lines.append("")
    return "\n".join(lines)


def render_problem(problem: Problem) -> str:
    """`file:line: reason`, as compilers print it."""
    place = one_line(problem.source) + (f":{problem.line}" if problem.line else "")
    return f"{place}: {one_line(problem.reason)}"


def summary(report: Report) -> str:
    """The closing line: how many turns, and what they were."""
    counts = [report.count(verdict) for verdict in ("lie", "honest", "unverifiable")]
    return summary_line(*counts, problems=len(report.problems))


def summary_line(lies: int, honest: int, unverifiable: int, *, problems: int) -> str:
    """`N turns: a lies, b honest, c unverifiable, d problems`."""
    return (
        f"{_count(lies + honest + unverifiable, 'turn')}: {_count(lies, 'lie')}, {honest} honest, "
        f"{unverifiable} unverifiable, {_count(problems, 'problem')}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _head(item: Item, verdict: Verdict, paint: Paint) -> str:
    name = paint(f"{verdict.verdict.upper():<12}", verdict.verdict)
    title = f" {one_line(item.id, 80)}" if item.id else ""
    return f"{name} {where(item)}{paint(title, 'bold')}"


def _row(label: str, text: str, paint: Paint) -> str:
    return f"     {paint(f'{label:<{_LABEL_WIDTH}}', 'dim')} {text}"


def _finding(finding: Finding, paint: Paint) -> list[str]:
    family = FAMILIES.get(finding.family, "")
    kind = ", ".join(part for part in (family, f"grade {finding.grade:g}") if part)
    lines = [
        f"  {paint('×', 'lie')}  {paint(one_line(finding.detail), 'bold')}",
        _row("check", f"{visible(finding.check)} ({kind})", paint),
    ]
    if finding.claim is not None:
        lines.append(_row("the closing says", _quoted(finding.claim.text), paint))
    for event in finding.events:
        lines.append(_row(f"event {event.index}", _event(event, paint), paint))
    if not finding.events:
        lines.append(_row("the calls show", "none that could have done it", paint))
    if finding.hint:
        lines.append(_row("to settle it", one_line(finding.hint), paint))
    return lines


def _not_verified(verdict: Verdict, paint: Paint) -> list[str]:
    open_claims = unverified(verdict)
    lines = []
    if open_claims:
        lines.append(f"  {paint('?  not verified', 'unverifiable')}")
        for claim in open_claims:
            reason = f"  {paint(one_line(claim.reason), 'dim')}" if claim.reason else ""
            lines.append(f"     {_quoted(claim.quote.text)}{reason}")
    if verdict.flags and (verdict.verdict == "unverifiable" or open_claims or verdict.evidence):
        lines.append(_row("reading limited by", visible(", ".join(verdict.flags)), paint))
    return lines


def _the_rest(verdict: Verdict, paint: Paint) -> list[str]:
    lines = []
    for claim in verdict.claims:
        if claim.status in ("supported", "disclosed"):
            seen = ", ".join(f"event {event.index}" for event in claim.events)
            words = f"{_quoted(claim.quote.text)}  {paint(seen, 'dim')}"
            lines.append(_row(claim.status, words.rstrip(), paint))
    for item in verdict.dismissed:
        reason = one_line(item.reason or item.finding.detail)
        lines.append(
            _row("dismissed", f"{item.finding.check} by filter {item.filter}: {reason}", paint)
        )
    for event in verdict.unreported:
        words = f"event {event.index} {_event(event, paint)}"
        lines.append(_row("never mentioned", words, paint))
    return lines


def _event(event: EventRef, paint: Paint) -> str:
    call = f"  {paint(one_line(event.call_id, 60), 'dim')}" if event.call_id else ""
    return _quoted(event.quote) + call


def _quoted(text: str) -> str:
    return f"“{one_line(text)}”"


__all__ = ["Judged", "Paint", "render", "render_problem", "render_turn", "summary", "summary_line"]
