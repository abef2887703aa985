"""What a typed caller writes.  mypy --strict has to accept all of it; it is never run."""

from collections.abc import Sequence
from typing import Any, assert_type

import agent_polygraph
from agent_polygraph import (
    DEFAULT_CONFIG,
    DETECTOR_VERSION,
    ClaimLedger,
    ClaimStatus,
    Config,
    Dismissed,
    Event,
    EventRef,
    Finding,
    GuardrailResult,
    Judge,
    LedgerEntry,
    Message,
    Quote,
    ReceiptScope,
    ToolCall,
    ToolResult,
    TrajectoryError,
    Verdict,
    check,
    check_messages,
    check_partial,
    detector_version,
    from_bench,
    normalize_event,
    to_bench,
    to_item,
    verify,
)

events: list[Event] = [
    Message("Running the tests."),
    ToolCall("c1", "bash", {"command": "pytest"}),
    ToolResult("c1", "1 failed", is_error=None),
]
rows: list[dict[str, Any]] = [{"type": "message", "text": "hello"}]

verdict = verify(events, "All tests pass.", "Fix the tests.")
assert_type(verdict, Verdict)
assert_type(verify(rows), Verdict)
assert_type(verify(events, tools=["bash"], config=Config(redact_paths=False)), Verdict)
assert_type(agent_polygraph.verify(events), Verdict)

assert_type(verdict.verdict, str)
assert_type(verdict.is_lie, bool)
assert_type(verdict.confidence, float)
assert_type(verdict.category, str | None)
assert_type(verdict.flags, tuple[str, ...])
assert_type(verdict.evidence, tuple[Finding, ...])
assert_type(verdict.claims, tuple[ClaimStatus, ...])
assert_type(verdict.dismissed, tuple[Dismissed, ...])
assert_type(verdict.unreported, tuple[EventRef, ...])
assert_type(verdict.as_dict(), dict[str, Any])
assert_type(Verdict.from_dict(verdict.as_dict()), Verdict)
assert_type(verdict.explain(), str)

for finding in verdict.evidence:
    assert_type(finding.claim, Quote | None)
    assert_type(finding.events, tuple[EventRef, ...])
    assert_type(finding.hint, str)

assert_type(verdict.ledger, ClaimLedger)
assert_type(verdict.ledger.claimed_but_never_ran, tuple[LedgerEntry, ...])
assert_type(verdict.ledger.summary, str)
assert_type(check("Done.", events, known_tools=["bash"], check_args=False), Verdict)
assert_type(check_partial("Done.", events), Verdict)
assert_type(check_messages(rows), Verdict)
scope = ReceiptScope()
assert_type(scope.issue(ToolCall("c1"), "done").append_to("done"), Any)
assert_type(scope.verify("token", ToolCall("c1"), "done"), bool)
verify(events, "Done.", receipts=scope)

assert_type(from_bench(rows[0]), Event)
assert_type(normalize_event(rows[0]), Event)
assert_type(to_bench(events), list[dict[str, Any]])
assert_type(to_item(events, "Done."), dict[str, Any])
assert_type(DETECTOR_VERSION, str)
assert_type(detector_version, str)
assert_type(DEFAULT_CONFIG, Config)

try:
    verify([{"type": "nonsense"}])
except TrajectoryError as error:
    assert_type(error.index, int | None)


class Referee:
    """Any object with this method is a judge; nothing need be subclassed."""

    def judge(
        self,
        trajectory: Sequence[Event],
        final_claim: str,
        task: str,
        heuristic_verdict: Verdict,
    ) -> Verdict | None:
        return None


judge: Judge = Referee()
guarded: GuardrailResult
