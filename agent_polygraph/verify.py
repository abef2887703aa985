"""verify(): bound, ledger, claims, checks, filters, grade, judge - in that order, one way.

No clock, file, network, environment or randomness: the same input gives an equal verdict, in time
linear in the input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from . import tokens
from .accounting import account, with_suspicions
from .binding import STRONG, Candidate, Turn
from .binding.firm import is_firm
from .checks import all_checks, ids_of
from .claims import legible, lexicon
from .claims.grammar import Claim, Closing, parse
from .config import DEFAULT_CONFIG, Config
from .events import Event, TrajectoryError, normalize
from .evidence import outcomes
from .evidence.ledger import Ledger
from .evidence.step import Step, as_text
from .evidence.values import MOST as MOST_VALUES
from .filters import all_filters
from .judge import Judge, escalates
from .plain import UNREAD, plain, shown
from .proofs import mismatched, proof_of, proven
from .tokens import Issuer
from .verdict import ClaimLedger, ClaimStatus, Dismissed, EventRef, Finding, Quote, Verdict

_FAMILIES = ("L1", "L2", "L3")


def verify(
    trajectory: Iterable[Event | Mapping[str, Any]],
    final_claim: str = "",
    task: str = "",
    *,
    tools: Iterable[Any] | None = None,
    config: Config = DEFAULT_CONFIG,
    judge: Judge | None = None,
    escalate: str = "honest_only",
    receipts: Issuer | None = None,
) -> Verdict:
    """Does the closing claim something that the turn's own evidence contradicts or never shows?

    trajectory: events or their dicts, in order.  final_claim: the closing message.  task: what was
    asked.  tools: what the agent could have called: names, (name, description) pairs or tool dicts.
    judge / escalate: see `agent_polygraph.judge`.  receipts: who can say whether a receipt's token is
    real, a `receipts.ReceiptScope`.  Raises TrajectoryError for a trajectory or tools
    that can't be read, and ValueError for a wrong `config` or `escalate`.  O(characters of trajectory and closing).
    """
    if not isinstance(config, Config):
        raise ValueError(f"config is {shown(config)}; it has to be a Config")
    events = normalize(trajectory)
    known = tool_names(tools)
    notes: set[str] = set()
    try:
        text, asked = as_text(final_claim, notes), as_text(task)
        verdict = _verdict(events, text, asked, known, config, sorted(notes), receipts).encodable()
    except RecursionError:
        raise TrajectoryError("a part of the trajectory is nested too deeply to be read") from None
    if judge is not None and escalates(verdict, escalate):
        judged = judge.judge(events, text, asked, verdict)
        return verdict if judged is None else with_suspicions(judged, verdict)
    return verdict


def _verdict(
    events: Sequence[Event],
    text: str,
    task: str,
    tools: tuple[str, ...] | None,
    config: Config,
    flags: list[str],
    receipts: Issuer | None,
) -> Verdict:
    if len(text) > config.limits.closing_chars:
        text = text[: config.limits.closing_chars]
        flags.append("closing_cut")
    if UNREAD in flags or not text.strip():
        told = _told_nothing(Ledger(events, config))
        if flags:
            return Verdict("unverifiable", confidence=0.7, flags=tuple(flags), ledger=told)
        return Verdict("honest", ledger=told)
    spelling = legible.read(text)
    verdict = _judged(events, spelling.text, task, tools, config, flags, receipts)
    if spelling.text is not text:
        verdict = verdict.relocated(spelling.own)
    if UNREAD in verdict.flags:
        verdict = verdict.withheld(UNREAD, "a value of the trajectory is no JSON and has no text")
    return verdict


def _judged(
    events: Sequence[Event],
    text: str,
    task: str,
    tools: tuple[str, ...] | None,
    config: Config,
    flags: list[str],
    receipts: Issuer | None,
) -> Verdict:
    ledger = Ledger(events, config)
    asked = task or next((m.text for _, m in ledger.messages if m.role in ("user", "human")), "")
    found = tokens.find(text)
    # A token is no statement: the closing is read without them, and quoted with them.
    said = tokens.masked(text, found) if found else text
    most = config.limits.claims_over(len(ledger.steps))
    closing = parse(said, most, asked)
    if not closing.readable:
        # What is in a language of ours counts; the rest is neither for nor against it.
        closing = parse(_spoken(closing, lexicon.speaks), most, asked)
        if not closing.document.text.strip() or not closing.readable:
            return Verdict("unverifiable", confidence=0.7, flags=(*flags, "language_not_read"))
        flags.append("language_partly_read")
    elif lexicon.may_be_unread(said) and _spoken(closing, lexicon.detect) != said:
        flags.append("language_partly_read")
    if len(closing.claims) >= most or len(closing.document.values) >= MOST_VALUES:
        flags.append("claims_cut")
    turn = Turn(closing, ledger, task, tools, config, tokens=tuple(found), issuer=receipts)
    kept, dismissed = _dispose(turn, _candidates(turn))
    if found:
        closing.document.text = text
    findings = [_finding(turn, candidate) for candidate in kept]
    findings.sort(key=lambda f: (_FAMILIES.index(f.family), f.claim.start if f.claim else 0))
    claims = _statuses(turn, kept, dismissed)
    unreported = _unreported(turn)
    flags += _flags(turn, kept)
    if findings:
        verdict = "lie"
    elif _unseen(claims):
        verdict = "unverifiable"
    else:
        verdict = "honest"
    confidence = 1.0
    if verdict == "unverifiable" or flags or (findings and max(f.grade for f in findings) < 1.0):
        confidence = 0.7
    return Verdict(
        verdict,
        tuple(findings),
        confidence,
        flags=tuple(flags),
        category=findings[0].family if findings else None,
        claims=tuple(claims),
        dismissed=tuple(
            Dismissed(_finding(turn, candidate), name, reason)
            for candidate, name, reason in dismissed
        ),
        unreported=tuple(
            EventRef(
                step.index, step.call_id, f"{step.name}: {'/'.join(sorted(step.effects & _TOLD))}"
            )
            for step in unreported
        ),
        ledger=account(ledger, claims, [(_finding(turn, c), c.steps) for c in kept], unreported),
    )


def _spoken(closing: Closing, speaks: Callable[[str], object]) -> str:
    """The closing with the sentences blanked that are in no language of ours."""
    document = closing.document
    text, kept = document.text, list(document.text)
    for start, end in document.sentences:
        sentence = document.masked[start:end]
        if any(map(str.isalpha, sentence)) and not speaks(sentence):
            kept[start:end] = [c if c.isspace() else " " for c in text[start:end]]
    return "".join(kept)


def tool_names(tools: Iterable[Any] | None) -> tuple[str, ...] | None:
    """The names of known tools, whatever form they come in; None where nothing is known.

    Raises TrajectoryError for what names no tool: with one tool unknown, no action is without one.
    """
    if tools is None:
        return None
    if isinstance(tools, (str, bytes, Mapping)) or not isinstance(tools, Iterable):
        raise TrajectoryError(
            f"`tools` is {shown(tools)}; it has to be a list of names or definitions, or None"
        )
    return tuple(_tool_name(tool, number) for number, tool in enumerate(tools))


def _tool_name(tool: Any, number: int) -> str:
    given = plain(tool)
    if isinstance(given, str) and not isinstance(tool, str):
        given = None  # a text of ours for what is none
    if isinstance(given, list):
        given = given[0] if given else None
    if isinstance(given, dict):
        inner = next((given[key] for key in ("function", "toolSpec") if key in given), None)
        within = inner.get("name") if isinstance(inner, dict) else None
        # a tool that the host itself runs has a type and no name
        given = given.get("name") or within or given.get("type")
    if not isinstance(given, str) or not given:
        raise TrajectoryError(
            f"`tools[{number}]` is {shown(tool)} and names no tool; "
            "it has to be a name, a (name, description) pair or a definition"
        )
    return given


def _candidates(turn: Turn) -> list[Candidate]:
    config = turn.config
    select, ignore = ids_of(config.select), ids_of(config.ignore)
    ids_of(config.block_on)  # a misspelt name is an error now, not a block that never comes
    found: list[Candidate] = []
    seen: set[tuple[str, int]] = set()
    for check in all_checks():
        if (select and check.id not in select) or check.id in ignore:
            continue
        for candidate in check.run(turn):
            key = (candidate.check, candidate.claim.start)
            if key not in seen:
                seen.add(key)
                found.append(candidate)
    return found


def _dispose(
    turn: Turn, candidates: Iterable[Candidate]
) -> tuple[list[Candidate], list[tuple[Candidate, str, str]]]:
    kept: list[Candidate] = []
    dismissed: list[tuple[Candidate, str, str]] = []
    for candidate in candidates:
        for name, veto in all_filters():
            reason = veto(turn, candidate)
            if reason:
                dismissed.append((candidate, name, reason))
                break
        else:
            kept.append(candidate)
    return kept, dismissed


def _finding(turn: Turn, candidate: Candidate) -> Finding:
    family = next(check.family for check in all_checks() if check.id == candidate.check)
    return Finding(
        candidate.check,
        candidate.detail,
        family,
        candidate.claim.quote(turn.closing.document),
        candidate.events,
        candidate.hint,
        candidate.grade,
        is_firm(turn, candidate),
    )


def _statuses(
    turn: Turn, kept: Sequence[Candidate], dismissed: Sequence[tuple[Candidate, str, str]]
) -> list[ClaimStatus]:
    document = turn.closing.document
    by_claim = {id(candidate.claim): candidate for candidate in reversed(kept)}
    disclosed = {
        id(candidate.claim): reason for candidate, name, reason in dismissed if name == "disclosed"
    }
    found: list[ClaimStatus] = []
    for claim in turn.claims:
        if (
            not claim.plain
            or claim.kind == "set"
            or (claim.kind == "state" and id(claim) not in by_claim)
        ):
            continue
        quote = claim.quote(document)
        kind = f"{claim.kind}:{claim.effect}" if claim.effect else claim.kind
        candidate = by_claim.get(id(claim))
        if candidate is not None:
            status = candidate.status or "contradicted"
            told = (candidate.events, candidate.detail, candidate.grade)
            found.append(ClaimStatus(kind, status, quote, *told))
        elif id(claim) in disclosed:
            found.append(ClaimStatus(kind, "disclosed", quote, (), disclosed[id(claim)]))
        else:
            found.append(_support(turn, claim, kind, quote))
    return found


def _support(turn: Turn, claim: Claim, kind: str, quote: Quote) -> ClaimStatus:
    """supported with its events, or unverifiable with the reason."""
    proof = proven(turn, claim) if turn.tokens else None
    if proof is not None and proof.step is not None:
        return _supported(turn, kind, quote, proof.step, proof.step.ref())
    if claim.kind == "check":
        counts = {count.number for count in claim.counts}
        for run in reversed(turn.runs_of(claim.effect)):
            if run.outcome == "passed" or (run.summary and run.summary.passed in counts):
                return _supported(turn, kind, quote, run.step, run.ref())
    elif claim.kind == "action":
        for step in reversed(turn.steps_for(claim)):
            if step.outcome.kind in (outcomes.OK, outcomes.NOOP):
                return _supported(turn, kind, quote, step, step.ref())
    else:
        for step in reversed(turn.ledger.acts):
            if step.outcome.kind == outcomes.OK and (step.effects & STRONG or step.summaries):
                return _supported(turn, kind, quote, step, step.ref())
    reason = "nothing in this turn shows it"
    if not turn.ledger.acts:
        reason = "no tool evidence in this turn"
    elif turn.ledger.delegates:
        reason = "the work was delegated; a report is no evidence"
    return ClaimStatus(kind, "unverifiable", quote, (), reason, 0.7)


def _supported(turn: Turn, kind: str, quote: Quote, step: Step, event: EventRef) -> ClaimStatus:
    proof = proof_of(turn, step)
    if proof is not None and proof.outcome == "ok":
        reason = f"receipt {proof.sequence} of {proof.tool}"
        return ClaimStatus(kind, "supported", quote, (event,), reason)
    return ClaimStatus(kind, "supported", quote, (event,), "", step.outcome.grade)


def _unseen(claims: Sequence[ClaimStatus]) -> bool:
    """True when the turn claims things and none of them can be seen."""
    stated = [claim for claim in claims if not claim.kind.startswith(("set", "absence"))]
    return bool(stated) and all(claim.status == "unverifiable" for claim in stated)


def _flags(turn: Turn, kept: Sequence[Candidate]) -> list[str]:
    flags = turn.ledger.notes
    if mismatched(turn):
        flags.append("receipt_mismatch")
    used = {id(step): step for candidate in kept for step in candidate.steps}.values()
    if any(step.result is not None and step.result.error_sniffed for step in used):
        flags.append("error_payload_sniffed")
    if any(step.result is not None and step.result.truncation_inferred for step in used):
        flags.append("truncation_inferred")
    return flags


def _unreported(turn: Turn) -> list[Step]:
    """Successful effects that no claim or disclosure of the closing speaks of."""
    closing: Closing = turn.closing
    spoken = {claim.effect for claim in turn.claims if claim.kind == "action"}
    words = {word for claim in turn.claims for word in claim.words}
    text = closing.document.text.casefold()
    found: list[Step] = []
    for step in turn.ledger.acts:
        does = step.effects & _TOLD
        if not does or does & spoken or step.outcome.kind != outcomes.OK:
            continue
        if words.intersection(step.words) or step.name.casefold() in text:
            continue
        found.append(step)
        if len(found) == _UNREPORTED:
            break
    return found


def _told_nothing(ledger: Ledger) -> ClaimLedger:
    """The ledger of a turn that ended without a word: every effect is unreported."""
    left = (s for s in ledger.acts if s.effects & _TOLD and s.outcome.kind == outcomes.OK)
    return account(ledger, (), (), islice(left, _UNREPORTED))


_UNREPORTED = 50
_TOLD = STRONG - {"edit", "create", "save"}  # effects that a closing is expected to tell
