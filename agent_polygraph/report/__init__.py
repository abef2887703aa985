"""Renders verdicts to a string: text, json, html, sarif, junit, one module each.

A renderer takes a `Report` and returns a string; it opens nothing and knows no terminal.  What came
out of a trajectory was written by a model or a tool, so it is hostile until shown otherwise: every
renderer passes it through `visible` and its own format's escaping.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

from agent_polygraph.events import Event, Message, ToolCall, ToolResult
from agent_polygraph.verdict import ClaimStatus, Verdict

if TYPE_CHECKING:
    from agent_polygraph.formats import Item, Problem

FORMATS = ("text", "json", "html", "sarif", "junit")

FAMILIES = {"L1": "contradicted", "L2": "incomplete", "L3": "unsupported"}

# Characters that would act on a terminal or reorder the text around them, and halves of surrogate
# pairs, which no encoding can write.  They are shown as their escapes.
_ACTIVE = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (
        *(code for code in range(0x20) if chr(code) not in "\t\n"),
        *range(0x7F, 0xA0),
        0x061C,
        0x200E,
        0x200F,
        *range(0x2028, 0x202F),
        *range(0x2066, 0x206A),
        *range(0xD800, 0xE000),
        0xFEFF,
        0xFFFE,
        0xFFFF,
    )
}


@dataclass(frozen=True, slots=True)
class Judged:
    """One turn and what was found."""

    item: Item
    verdict: Verdict


@dataclass(slots=True)
class Report:
    """A run: the judged turns, in reading order, and what could not be read.

    left_out: how many judged turns of each verdict were not to be told of.
    """

    judged: list[Judged] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def count(self, verdict: str) -> int:
        """How many turns got that verdict, told of or not.  O(turns)."""
        told = sum(1 for entry in self.judged if entry.verdict.verdict == verdict)
        return told + self.left_out[verdict]


def renderer(name: str) -> Callable[[Report], str]:
    """The function that renders a whole `Report` in the named format.  ValueError if unknown."""
    if name not in FORMATS:
        raise ValueError(f"{name!r} is no output format; there are {', '.join(FORMATS)}")
    render: Callable[[Report], str] = import_module(f"agent_polygraph.report.{name}").render
    return render


def visible(text: str) -> str:
    """`text` with characters that act on a terminal, or cannot be encoded, as their escapes."""
    return text.translate(_ACTIVE)


def written(path: str) -> str:
    """A file's name as text that any encoding can write: bytes of no character as their escapes."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def one_line(text: str, most: int = 300) -> str:
    """`text` on one line, without active characters, cut to `most` characters."""
    # A bounded head is enough, and keeps a megabyte on one line from being split.
    line = " ".join(text[: most * 4].split())
    cut = len(line) > most or len(text) > most * 4
    return visible(line[:most]) + (" …" if cut else "")


def unverified(verdict: Verdict) -> list[ClaimStatus]:
    """The claims nothing decides, each once, without those that a finding already names."""
    named = {finding.claim.text for finding in verdict.evidence if finding.claim is not None}
    claims: dict[tuple[str, str], ClaimStatus] = {}
    for claim in verdict.claims:
        if claim.status in ("unverifiable", "unsupported") and claim.quote.text not in named:
            claims.setdefault((claim.quote.text, claim.reason), claim)
    return list(claims.values())


def where(item: Item) -> str:
    """Where a turn was read: its file, and the line where known."""
    line = line_of(item)
    return one_line(item.source + (f":{line}" if line else ""))


def line_of(item: Item) -> int | None:
    """The one-based line a turn starts on, None where the format has none."""
    line = item.meta.get("line")
    return line if isinstance(line, int) and line > 0 else None


def describe(event: Event) -> str:
    """What an event is, in a few words."""
    if isinstance(event, ToolCall):
        return f"call of {event.name or 'a tool without a name'}"
    if isinstance(event, ToolResult):
        return "result, marked as an error" if event.is_error else "result"
    return f"{event.role} message" if isinstance(event, Message) else "event"
