"""What a turn is once it is read: the closing, the ledger, and what is said about them.

The classes built on `Reading` add one kind of question each; `Turn` is the last of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .._lazy import cached_property
from ..claims.grammar import Claim, Closing, Disclosure, parse
from ..config import Config
from ..evidence.ledger import Ledger
from ..evidence.runners import RunSummary
from ..evidence.step import Step
from ..tokens import Issuer, Token
from ..verdict import EventRef

# Effects whose loss matters to whoever reads the closing.
STRONG = frozenset(
    "deploy release commit push merge pr tag send notify reply post pay refund transfer cancel"
    " book order exchange"
    " return submit close create edit delete apply migrate upgrade install import export upload"
    " restart scale start"
    " stop enable disable configure approve assign move_stage backup restore rename move revert"
    " save note archive"
    " share sync process remind reset build".split()
)
BAD_RUN = frozenset({"failed", "error", "killed", "timeout"})
HOLLOW_RUN = frozenset({"empty", "skipped"})


@dataclass(slots=True, eq=False)
class Candidate:
    """A finding before the filters: what, about which claim, by which steps."""

    check: str
    detail: str
    claim: Claim
    steps: tuple[Step, ...] = ()
    events: tuple[EventRef, ...] = ()
    hint: str = ""
    grade: float = 1.0
    status: str = ""


class Run(NamedTuple):
    """One run of a check: its step, what it said of itself, what it was."""

    step: Step
    kind: str
    runner: str
    outcome: str
    summary: RunSummary | None
    narrowed: bool
    line: str

    @property
    def bad(self) -> bool:
        """True when the run ended badly."""
        return self.outcome in BAD_RUN

    def ref(self) -> EventRef:
        """The line that decides."""
        return self.step.ref(self.line)


class Reading:
    """One turn, read: what checks and filters look at.

    tokens: receipts that the closing shows.  issuer: who can say whether they are real.
    """

    def __init__(
        self,
        closing: Closing,
        ledger: Ledger,
        task: str,
        tools: tuple[str, ...] | None,
        config: Config,
        tokens: tuple[Token, ...] = (),
        issuer: Issuer | None = None,
    ) -> None:
        self.closing = closing
        self.ledger = ledger
        self.task = task
        self.tools = tools
        self.config = config
        self.tokens = tokens
        self.issuer = issuer
        self.notes: dict[int, tuple[Step, ...]] = {}
        self.went_well: dict[str, list[Step]] = {}  # calls that did not fail, by effect, on demand
        self.memo: dict[str, object] = {}  # what several checks share, made on demand

    @cached_property
    def order(self) -> Closing:
        """The task, read as a closing is."""
        return parse(self.task)

    @property
    def claims(self) -> list[Claim]:
        """The claims, in order."""
        return self.closing.claims

    @cached_property
    def claims_by_sentence(self) -> dict[int, list[Claim]]:
        """The claims of each sentence."""
        found: dict[int, list[Claim]] = {}
        for claim in self.claims:
            found.setdefault(claim.clause.sentence, []).append(claim)
        return found

    @cached_property
    def actions_by_sentence(self) -> dict[int, list[Claim]]:
        """The action claims of each sentence that has one."""
        acts = {
            sentence: [claim for claim in claims if claim.kind == "action"]
            for sentence, claims in self.claims_by_sentence.items()
        }
        return {sentence: claims for sentence, claims in acts.items() if claims}

    @property
    def disclosures(self) -> list[Disclosure]:
        """The disclosures, in order."""
        return self.closing.disclosures
