"""A program that the closing names, and whose last run went wrong: `borg create has saved both`, exit code 2.

The program need not be known.  Where a plain sentence names it and tells of a success or of a result, its last
run has to bear that out: it did not end badly, and it was there at all (`command not found`).
O(command lines + sentences that name one), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..claims.text import Clause
from ..evidence.runners.argv import command_of
from ..evidence.shell import QUIET
from ..evidence.step import Step

_LAST = 60  # calls that are looked at
_FAILED, _NAMED = 20, 8  # programs that failed, and sentences that name one
# Programs that do whatever they are told to: of these the first two words name what is run.
_HOSTS = frozenset(
    "git docker podman kubectl npm pnpm yarn bun npx node deno python python3 pip pip3 cargo go make just gradle mvn"
    " dotnet php ruby rake rails bundle composer bash sh zsh ssh sudo terraform tofu helm aws gcloud az gh glab"
    " psql mysql sqlite3 curl wget nix brew apt apt-get systemctl docker-compose uv poetry mix swift flutter dart"
    " cp mv rm cd ls mkdir touch test export source env set true false".split()
)
_MISSING = regex(r"\b([\w.+-]{2,40}): (?:command )?not found\b|command not found: ([\w.+-]{2,40})")
_GOOD = frozenset({"state.pass", "state.works", "state.done", "state.zero"})
_SOFT = frozenset(
    f"polarity.{kind}"
    for kind in "neg fail skipped pending unverified future cond request hedge prior intent question".split()
)


class NamedFailure(NamedTuple):
    """The sentence that names the program, its last run, its name, and the run's own words."""

    claim: Claim
    step: Step
    name: str
    quote: str


def named_failures(turn: Turn) -> Iterator[NamedFailure]:
    """The first sentence that tells a success of a program whose last run failed or never started."""
    last = _last_runs(turn)
    document = turn.closing.document
    failed = [(name, *run) for name, run in last.items() if run[1]][-_FAILED:]
    for name, step, quote, absent in failed:
        spoken = name.split()[0] if absent else name
        if spoken not in document.text or _told(turn, name, quote) or _went_later(turn, step, name):
            continue
        named = re.finditer(rf"(?<![\w./-]){re.escape(spoken)}(?![\w/-])", document.text)
        for found in islice(named, _NAMED):
            coded = document.text[found.start() - 1 : found.start()] == "`"
            if not (absent or coded or " " in name):
                continue  # a word as any other
            clause = document.statement_at(found.start())
            if clause is not None and _tells_success(turn, clause, absent):
                claim = Claim("figure", "", clause.start, clause.end, clause, "asserted")
                yield NamedFailure(claim, step, name, quote)
                return


def _went_later(turn: Turn, failed: Step, name: str) -> bool:
    """True when a later line that went well runs it again, or the closing gives the exit code as meant."""
    program = name.split()[0]
    return any(
        step.order > failed.order
        and step.command is not None
        and not step.outcome.bad
        and any(
            program in part.words[:4] and (program in _HOSTS or _name(part.words) == name)
            for part in step.command.parts
        )
        for step in turn.ledger.acts
    ) or (_EXITS.search(turn.closing.document.text) is not None)


_EXITS = regex(r"\b(?:exits?|exited|exit code|returns?)\b[^.\n]{0,12}\b\d{1,3}\b", re.IGNORECASE)


def _last_runs(turn: Turn) -> dict[str, tuple[Step, str, bool]]:
    """Name -> its last run, the words of its failure (empty where it went well), whether it was not there."""
    found: dict[str, tuple[Step, str, bool]] = {}
    for step in turn.ledger.acts[-_LAST:]:
        if step.command is None or step.result is None:
            continue
        parts = step.command.parts
        gone = {one or other for one, other in _MISSING.findall(step.body[-4_000:])}
        for part in parts:
            name = _name(part.words)
            if not name:
                continue
            quote = ""
            if name.split()[0] in gone:
                quote = f"{name.split()[0]}: not found"
            elif step.outcome.bad and len(parts) == 1 and part.runner is None:
                quote = step.outcome.quote  # runners of checks speak for themselves
            found[name] = (step, quote, name.split()[0] in gone)
    return found


def _name(words: tuple[str, ...]) -> str:
    """The name of what a command line runs: `borg create`, `hyperfine`; empty for a shell's own."""
    argv = command_of(words)
    program = argv[0].rsplit("/", 1)[-1] if argv else ""
    if program in QUIET or not program.replace("-", "").replace("_", "").replace(".", "").isalnum():
        return ""
    verb = argv[1] if len(argv) > 1 and argv[1].isalpha() and len(argv[1]) >= 4 else ""
    if program in _HOSTS:
        return f"{program} {verb}" if verb and program != "git" else ""
    return f"{program} {verb}".strip() if verb or len(program) >= 4 else ""


def _told(turn: Turn, name: str, quote: str) -> bool:
    """True when a disclosure or a denial anywhere names the program or repeats the failure's own words."""
    document = turn.closing.document
    program = name.split()[0]
    around = [
        document.text[slice(*document.sentences[d.sentence])]
        for d in turn.disclosures
        if not d.vague
    ]
    return any(program in told for told in around) or _retold(quote, document.text)


def _retold(quote: str, text: str) -> bool:
    """True when the closing has three of the failure's own words."""
    words = set(re.findall(r"[A-Za-z_]{6,}", quote.casefold())) - {
        "failed",
        "error",
        "errors",
    }
    low = text.casefold()
    return sum(word in low for word in words) >= 3


def _tells_success(turn: Turn, clause: Clause, absent: bool) -> bool:
    start, end = turn.closing.document.sentences[clause.sentence]
    names = {tag.name for tag in turn.closing.tags_in(clause.start, clause.end)}
    if names & _SOFT or any(
        tag.name in ("polarity.fail", "polarity.unverified")
        for tag in turn.closing.tags_in(start, end)
    ):
        return False
    plain = any(c.plain and c.start == clause.start for c in turn.claims)
    return (
        bool(names & _GOOD)
        or plain
        or (absent and any(map(str.isdigit, turn.closing.document.text[start:end])))
    )
