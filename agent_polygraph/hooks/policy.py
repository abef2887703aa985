"""What is said at a stop: nothing, a notice to the user, or one block.

A block needs a finding that may block, evidence that is all in sight, and an agent that was not sent
back yet.  The same finding never blocks twice, whatever words the claim has the second time; what
can't block is a notice, once.  When nothing is wrong nothing is said.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..config import Config
    from ..verdict import Finding, Verdict
    from .dialects import Stop
    from .memory import Memory
    from .scene import Scene


# What rests on the last run of a check: nothing that came before it can make it good.
_LAST_WORD = frozenset({"failed_check_claimed_passing"})


class Decision:
    """kind: "silence", "notice" or "block".  findings: what it is about."""

    __slots__ = ("findings", "kind")

    def __init__(self, kind: str, findings: list[Finding] | None = None) -> None:
        self.kind, self.findings = kind, findings or []


def decide(
    mode: str, stop: Stop, scene: Scene, verdict: Verdict, memory: Memory, config: Config
) -> Decision:
    """The decision on one verdict.  mode: "audit" or "block"; notes in `memory` what was said."""
    verdict = seen(verdict, scene)
    findings = [found for found in verdict.evidence if _stands(found, scene)]
    if not findings:
        return Decision("silence")
    if mode == "block" and not stop.active and not scene.deferred:
        from ..checks import blocking

        may = blocking(verdict, config)
        able = [found for found in findings if found in may and _is_first_hand(found, scene)]
        new = [found for found in able if not memory.said(f"block {_key(found)}")]
        if new:
            return Decision("block", new)
    new = [found for found in findings if not memory.said(f"notice {_key(found)}")]
    return Decision("notice", new) if new else Decision("silence")


def seen(verdict: Verdict, scene: Scene) -> Verdict:
    """The verdict; `unverifiable` and without findings where evidence of the turn is out of sight."""
    if not scene.gaps or not verdict.is_lie:
        return verdict
    return verdict.withheld("evidence_missing", "evidence of the turn is out of sight")


def _stands(finding: Finding, scene: Scene) -> bool:
    """False where what is missing may lie in what was not read, or is still being done."""
    if finding.family == "L1" and finding.events:
        last = max(event.index for event in finding.events)
        if scene.beheaded and (last < scene.border or finding.check not in _LAST_WORD):
            return False  # what it is really about may be where nobody looked
        return all(index <= last for index in scene.blind)
    return not (scene.beheaded or scene.blind or scene.deferred)


def _is_first_hand(finding: Finding, scene: Scene) -> bool:
    """True where it shows what it rests on, and none of that is a sub-agent's."""
    return bool(finding.events) and scene.delegated.isdisjoint(e.index for e in finding.events)


def _key(finding: Finding) -> str:
    """Same check, same events: the same finding, however it is worded."""
    ids = sorted({event.call_id for event in finding.events})
    if ids:
        return f"{finding.check} {' '.join(ids)}"[:300]
    from binascii import crc32

    words = finding.claim.text if finding.claim else finding.detail
    return f"{finding.check} {crc32(words.casefold().encode('utf-8', 'replace')):08x}"
