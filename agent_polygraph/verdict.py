"""What a verdict is made of.  Value types only; how one is reached is verify's business."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ._version import DETECTOR_VERSION
from .plain import encodable, lone

SCHEMA_VERSION = 1
VERDICTS = ("lie", "honest", "unverifiable")
STATUSES = (
    "supported",
    "contradicted",
    "incomplete",
    "unsupported",
    "unverifiable",
    "disclosed",
)


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of the closing: `closing[start:end] == text`.

    Offsets count code points.  Half a surrogate pair, which no encoding has, is U+FFFD in `text`.
    """

    text: str
    start: int
    end: int

    def as_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {"text": self.text, "start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class EventRef:
    """An event that decides: its index in the trajectory, its call id, and the deciding words."""

    index: int
    call_id: str = ""
    quote: str = ""

    def as_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {"index": self.index, "call_id": self.call_id, "quote": self.quote}


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim that the evidence does not bear out.

    check: the check's id.  detail: one sentence for a person.  family: L1 contradicted, L2 incomplete,
    L3 unsupported.  claim: the words of the closing.  events: what decides; empty where the finding
    is that no capable call exists (then `detail` names the effect that is absent).  hint: what would
    settle it.  grade: 1.0 structured evidence, 0.7 read off text.
    """

    check: str
    detail: str
    family: str = ""
    claim: Quote | None = None
    events: tuple[EventRef, ...] = ()
    hint: str = ""
    grade: float = 1.0

    def as_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {
            "check": self.check,
            "detail": self.detail,
            "family": self.family,
            "claim": self.claim.as_dict() if self.claim else None,
            "events": [event.as_dict() for event in self.events],
            "hint": self.hint,
            "grade": self.grade,
        }


@dataclass(frozen=True, slots=True)
class ClaimStatus:
    """What became of one claim: its kind, its status (see STATUSES), its words and the events."""

    kind: str
    status: str
    quote: Quote
    events: tuple[EventRef, ...] = ()
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {
            "kind": self.kind,
            "status": self.status,
            "quote": self.quote.as_dict(),
            "events": [event.as_dict() for event in self.events],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Dismissed:
    """A candidate finding that a filter vetoed, and why."""

    finding: Finding
    filter: str
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {
            "finding": self.finding.as_dict(),
            "filter": self.filter,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of `verify`.

    verdict: "lie", "honest" or "unverifiable".  evidence: the findings, strongest first.
    confidence: a grade of the signal, not a probability: 1.0 structured, 0.7 inferred or partly
    unseen.  flags: what degraded the reading.  category: family of the strongest finding.
    claims: every claim found, with what became of it.  dismissed: findings a filter vetoed.
    unreported: successful effects that the closing never mentions.
    """

    verdict: str
    evidence: tuple[Finding, ...] = ()
    confidence: float = 1.0
    detector_version: str = DETECTOR_VERSION
    flags: tuple[str, ...] = ()
    category: str | None = None
    claims: tuple[ClaimStatus, ...] = ()
    dismissed: tuple[Dismissed, ...] = ()
    unreported: tuple[EventRef, ...] = ()

    @property
    def is_lie(self) -> bool:
        """True only for the verdict "lie"."""
        return self.verdict == "lie"

    def as_dict(self) -> dict[str, Any]:
        """JSON-safe form, with `schema` = SCHEMA_VERSION; `from_dict` reads it back."""
        return {
            "schema": SCHEMA_VERSION,
            "verdict": self.verdict,
            "evidence": [finding.as_dict() for finding in self.evidence],
            "confidence": self.confidence,
            "detector_version": self.detector_version,
            "flags": list(self.flags),
            "category": self.category,
            "claims": [claim.as_dict() for claim in self.claims],
            "dismissed": [item.as_dict() for item in self.dismissed],
            "unreported": [event.as_dict() for event in self.unreported],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Verdict:
        """Read `as_dict` back.  ValueError on another schema version."""
        schema = data.get("schema", SCHEMA_VERSION)
        if schema != SCHEMA_VERSION:
            raise ValueError(f"verdict schema {schema!r}; this version reads {SCHEMA_VERSION}")
        return cls(
            verdict=data["verdict"],
            evidence=tuple(_finding(item) for item in data.get("evidence", ())),
            confidence=data.get("confidence", 1.0),
            detector_version=data.get("detector_version", DETECTOR_VERSION),
            flags=tuple(data.get("flags", ())),
            category=data.get("category"),
            claims=tuple(
                ClaimStatus(
                    item["kind"],
                    item["status"],
                    Quote(**item["quote"]),
                    _refs(item),
                    item.get("reason", ""),
                )
                for item in data.get("claims", ())
            ),
            dismissed=tuple(
                Dismissed(_finding(item["finding"]), item["filter"], item.get("reason", ""))
                for item in data.get("dismissed", ())
            ),
            unreported=tuple(EventRef(**item) for item in data.get("unreported", ())),
        )

    def withheld(self, flag: str, reason: str) -> Verdict:
        """The verdict where a part of the turn could not be read: no finding stands.

        What was missed may be what a finding misses.  A lie becomes unverifiable and its findings
        are dismissed by `flag`; any other verdict is kept, at the grade 0.7.
        """
        return replace(
            self,
            verdict="unverifiable" if self.is_lie else self.verdict,
            evidence=(),
            confidence=min(self.confidence, 0.7),
            flags=tuple(dict.fromkeys((*self.flags, flag))),
            category=None,
            claims=tuple(
                replace(claim, status="unverifiable", reason=reason)
                if claim.status in ("contradicted", "incomplete", "unsupported")
                else claim
                for claim in self.claims
            ),
            dismissed=(*self.dismissed, *(Dismissed(f, flag, reason) for f in self.evidence)),
        )

    def relocated(self, place: Callable[[Quote], Quote]) -> Verdict:
        """The verdict with every quote of the closing put through `place`."""

        def moved(finding: Finding) -> Finding:
            return replace(finding, claim=place(finding.claim)) if finding.claim else finding

        return replace(
            self,
            evidence=tuple(map(moved, self.evidence)),
            claims=tuple(replace(claim, quote=place(claim.quote)) for claim in self.claims),
            dismissed=tuple(replace(d, finding=moved(d.finding)) for d in self.dismissed),
        )

    def encodable(self) -> Verdict:
        """The verdict without halves of surrogate pairs: U+FFFD for each.  O(characters)."""
        if not any(map(lone, self._texts())):
            return self
        return Verdict.from_dict(encodable(self.as_dict()))

    def _texts(self) -> Iterator[str]:
        for finding in (*self.evidence, *(item.finding for item in self.dismissed)):
            yield finding.detail
            yield finding.hint
            if finding.claim is not None:
                yield finding.claim.text
            for event in finding.events:
                yield event.call_id
                yield event.quote
        for item in self.dismissed:
            yield item.reason
        for claim in self.claims:
            yield claim.quote.text
            yield claim.reason
            for event in claim.events:
                yield event.call_id
                yield event.quote
        for event in self.unreported:
            yield event.call_id
            yield event.quote

    def explain(self) -> str:
        """The verdict in plain words: each finding with its claim, its events and the way out."""
        lines = [f"{self.verdict} (grade {self.confidence:g})"]
        for finding in self.evidence:
            lines.append(f"- {finding.check}: {finding.detail}")
            if finding.claim:
                lines.append(f'    claim: "{finding.claim.text}"')
            for event in finding.events:
                where = f"event {event.index}" + (f" ({event.call_id})" if event.call_id else "")
                lines.append(f"    {where}: {event.quote}")
            if finding.hint:
                lines.append(f"    to settle it: {finding.hint}")
        unseen = [claim for claim in self.claims if claim.status in ("unverifiable", "unsupported")]
        if unseen and not self.is_lie:
            lines.append("not verified:")
            lines += [f'- "{c.quote.text}"' + (f": {c.reason}" if c.reason else "") for c in unseen]
        return "\n".join(lines)


def _refs(data: Mapping[str, Any]) -> tuple[EventRef, ...]:
    return tuple(EventRef(**event) for event in data.get("events", ()))


def _finding(data: Mapping[str, Any]) -> Finding:
    claim = data.get("claim")
    return Finding(
        check=data["check"],
        detail=data["detail"],
        family=data.get("family", ""),
        claim=Quote(**claim) if claim else None,
        events=_refs(data),
        hint=data.get("hint", ""),
        grade=data.get("grade", 1.0),
    )
