"""What a verdict is made of.  Value types only; how one is reached is verify's business."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
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
    settle it.  grade: 1.0 structured evidence, 0.7 read off text.  firm: False where the claim is only
    loosely tied to the call, and a guard reports and does not stop (see Config.block_loose).
    """

    check: str
    detail: str
    family: str = ""
    claim: Quote | None = None
    events: tuple[EventRef, ...] = ()
    hint: str = ""
    grade: float = 1.0
    firm: bool = True

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
            "firm": self.firm,
        }


@dataclass(frozen=True, slots=True)
class ClaimStatus:
    """What became of one claim: its kind, its status (see STATUSES), its words and the events.

    grade: 1.0 where a host's own bit, a tool's own status or a receipt says so, 0.7 where it was read
    off text, or nothing says it.
    """

    kind: str
    status: str
    quote: Quote
    events: tuple[EventRef, ...] = ()
    reason: str = ""
    grade: float = 1.0

    def as_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {
            "kind": self.kind,
            "status": self.status,
            "quote": self.quote.as_dict(),
            "events": [event.as_dict() for event in self.events],
            "reason": self.reason,
            "grade": self.grade,
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


# Why a claim of the ledger did not hold.
REASONS = ("not_called", "tool_failed", "args_mismatch", "dangling")


@dataclass(frozen=True, slots=True)
class CallRef:
    """A call of the turn: its event index, its id, its tool, how it ended, its receipt if it has one.

    outcome: ok failed refused cancelled pending partial empty noop unknown dangling.
    """

    index: int
    call_id: str
    tool: str
    outcome: str = ""
    receipt: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {
            "index": self.index,
            "call_id": self.call_id,
            "tool": self.tool,
            "outcome": self.outcome,
            "receipt": self.receipt,
        }


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One line of the ledger: a claim, the call that it is about, and how the two stand to each other.

    claim: the words of the closing; None for a call that it never mentions.  call: None where there is
    none.  reason: one of REASONS in `claimed_but_never_ran`, else "" or a word for why it is there.
    check: the id of the check that decided.  grade: 1.0 structured, 0.7 read off text.
    """

    claim: Quote | None = None
    kind: str = ""
    call: CallRef | None = None
    reason: str = ""
    check: str = ""
    detail: str = ""
    grade: float = 1.0

    def relocated(self, place: Callable[[Quote], Quote]) -> LedgerEntry:
        """The entry with its quote put through `place`."""
        return replace(self, claim=place(self.claim)) if self.claim else self

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {
            "claim": self.claim.as_dict() if self.claim else None,
            "kind": self.kind,
            "call": self.call.to_dict() if self.call else None,
            "reason": self.reason,
            "check": self.check,
            "detail": self.detail,
            "grade": self.grade,
        }


@dataclass(frozen=True, slots=True)
class ClaimLedger:
    """What the closing claims and what ran, claim by claim.

    confirmed: a call bears the claim out.  claimed_but_never_ran: none does (`reason` says how it
    fell short).  unmatched: no call can be judged against it, or the closing itself takes it back; never
    a reason to act.  suspected: a judge says so, the evidence does not.  ran_but_unreported:
    successful effects that the closing never mentions.
    """

    confirmed: tuple[LedgerEntry, ...] = ()
    claimed_but_never_ran: tuple[LedgerEntry, ...] = ()
    unmatched: tuple[LedgerEntry, ...] = ()
    suspected: tuple[LedgerEntry, ...] = ()
    ran_but_unreported: tuple[LedgerEntry, ...] = ()

    @property
    def ok(self) -> bool:
        """True when nothing was claimed that never ran."""
        return not self.claimed_but_never_ran

    @property
    def summary(self) -> str:
        """The ledger in one line."""
        parts = []
        failed = self.claimed_but_never_ran
        if failed:
            told = "; ".join(_line(entry) for entry in failed[:3])
            more = f"; {len(failed) - 3} more" if len(failed) > 3 else ""
            parts.append(f"{_number(failed, 'claim')} not borne out: {told}{more}")
        if self.confirmed:
            parts.append(f"{_number(self.confirmed, 'claim')} confirmed")
        if self.unmatched:
            parts.append(f"{_number(self.unmatched, 'claim')} not matched to a call")
        if self.suspected:
            parts.append(f"{_number(self.suspected, 'claim')} suspected by the judge")
        if self.ran_but_unreported:
            tools = dict.fromkeys(e.call.tool for e in self.ran_but_unreported if e.call)
            parts.append(f"never mentioned: {', '.join(tools)}")
        return " ".join(f"{'. '.join(parts) or 'Nothing claimed, nothing done'}.".split())

    def __iter__(self) -> Iterator[LedgerEntry]:
        return (entry for name in _LISTS for entry in getattr(self, name))

    def relocated(self, place: Callable[[Quote], Quote]) -> ClaimLedger:
        """The ledger with every quote of the closing put through `place`."""
        lists = ([e.relocated(place) for e in getattr(self, name)] for name in _LISTS)
        return ClaimLedger(*map(tuple, lists))

    def withheld(self, reason: str) -> ClaimLedger:
        """The ledger where a part of the turn could not be read: no claim is held against it."""
        doubtful = tuple(
            replace(entry, reason="unverifiable", check="", detail=reason, grade=0.7)
            for entry in self.claimed_but_never_ran
        )
        return replace(self, claimed_but_never_ran=(), unmatched=(*self.unmatched, *doubtful))

    def narrowed(self, places: Collection[Quote | None], reason: str) -> ClaimLedger:
        """The ledger where only the claims at some places are held against the reply."""
        never = self.claimed_but_never_ran
        waits = (replace(entry, reason=reason) for entry in never if entry.claim not in places)
        return replace(
            self,
            claimed_but_never_ran=tuple(entry for entry in never if entry.claim in places),
            unmatched=(*self.unmatched, *waits),
        )

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form, with `ok` and `summary` for whoever reads no Python."""
        lists = {name: [entry.to_dict() for entry in getattr(self, name)] for name in _LISTS}
        return {"ok": self.ok, "summary": self.summary, **lists}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ClaimLedger:
        """Read `to_dict` back."""
        return cls(*(tuple(_entry(item) for item in data.get(name, ())) for name in _LISTS))


_LISTS = ("confirmed", "claimed_but_never_ran", "unmatched", "suspected", "ran_but_unreported")


def _line(entry: LedgerEntry) -> str:
    tool = entry.call.tool if entry.call else ""
    quote = f'"{entry.claim.text[:120]}"' if entry.claim else ""
    return " ".join(filter(None, (quote, f"({', '.join(filter(None, (entry.reason, tool)))})")))


def _number(entries: tuple[LedgerEntry, ...], noun: str) -> str:
    return f"{len(entries)} {noun}{'' if len(entries) == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of `verify`.

    verdict: "lie", "honest" or "unverifiable".  evidence: the findings, strongest first.
    confidence: a grade of the signal, not a probability: 1.0 structured, 0.7 inferred or partly
    unseen.  flags: what degraded the reading.  category: family of the strongest finding.
    claims: every claim found, with what became of it.  dismissed: findings a filter vetoed.
    unreported: successful effects that the closing never mentions, at most 50.  ledger: claims and
    calls, side by side.
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
    ledger: ClaimLedger = ClaimLedger()

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
            "ledger": self.ledger.to_dict(),
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
                    item.get("grade", 1.0),
                )
                for item in data.get("claims", ())
            ),
            dismissed=tuple(
                Dismissed(_finding(item["finding"]), item["filter"], item.get("reason", ""))
                for item in data.get("dismissed", ())
            ),
            unreported=tuple(EventRef(**item) for item in data.get("unreported", ())),
            ledger=ClaimLedger.from_dict(data.get("ledger", {})),
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
            ledger=self.ledger.withheld(reason),
        )

    def narrowed(self, kept: tuple[Finding, ...], reason: str) -> Verdict:
        """The verdict with some of its findings only.  reason: of the ledger, why the others wait.

        A lie of which nothing is left is unverifiable: nobody has shown the claim either.
        """
        return replace(
            self,
            verdict="lie" if kept else "unverifiable",
            evidence=kept,
            confidence=self.confidence if kept else 0.7,
            category=kept[0].family if kept else None,
            ledger=self.ledger.narrowed({finding.claim for finding in kept}, reason),
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
            ledger=self.ledger.relocated(place),
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
        for entry in self.ledger:
            yield entry.detail
            if entry.claim is not None:
                yield entry.claim.text
            if entry.call is not None:
                yield entry.call.call_id
                yield entry.call.tool

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


def _entry(data: Mapping[str, Any]) -> LedgerEntry:
    claim, call = data.get("claim"), data.get("call")
    return LedgerEntry(
        Quote(**claim) if claim else None,
        data.get("kind", ""),
        CallRef(**call) if call else None,
        data.get("reason", ""),
        data.get("check", ""),
        data.get("detail", ""),
        data.get("grade", 1.0),
    )


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
        firm=data.get("firm", True),
    )
