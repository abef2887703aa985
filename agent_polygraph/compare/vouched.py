"""What a helper reported and the agent says to have checked itself, without a look at one of the places.

`I checked both in the code myself: reports/filters.py:48, reports/export.py:19` over the helper's report, a `Glob`
and a to-do list.  The places stand in the report of this very turn, so a check of it has to stand behind it.
O(closing + calls), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..evidence.shell import PAGERS
from ..evidence.step import Step
from .codes import stated_at
from .mismatch import Short

_MOST = 20  # places of a closing
_READ = 20_000  # characters of a report
_FAR = 1_500  # characters behind the claim in which its list of places stands
_NEAR = 40  # characters behind the verb in which its object stands
_FILE = regex(r"[\w./@-]{0,200}[\w-]\.[A-Za-z]\w{0,7}(?=[:#`)\s,;*]|\.?(?:\s|$))")
# First person, and a look of its own: `I checked both in the code`, `I verified each of them myself`.
_I_CHECKED = regex(
    r"\bI(?: have|['’]ve)?(?: also| then| now| since| just| personally| myself)? "
    r"(?:checked|double-?checked|verified|confirmed|re-?read|read|opened|looked at|went through|reviewed)\b"
    r"|\bich habe?\b[^.\n]{0,60}\b(?:geprüft|überprüft|nachgeprüft|nachgesehen|verifiziert|gelesen|kontrolliert)\b"
    r"|\b(?:comprobé|verifiqué|revisé|he (?:comprobado|verificado|revisado))\b"
    r"|\bj['’]ai\b[^.\n]{0,20}\b(?:vérifié|contrôlé|relu|lu|confirmé)\b"
    r"|\b(?:verifiquei|conferi|chequei|revisei|confirmei)\b"
    r"|\bho\b[^.\n]{0,20}\b(?:verificato|controllato|confermato|letto|riletto)\b",
    re.IGNORECASE,
)
_THERE = regex(
    r"\b(?:in|against|at|from) (?:the |their |its )?(?:\w+ )?(?:code|sources?|files?|lines?|repo(?:sitory)?)\b"
    r"|\bmyself\b|\bpersonally\b|\bby hand\b|\bselbst\b|\bim (?:Code|Quelltext)\b|\bam Code\b"
    r"|\ben el código\b|\byo mism[oa]\b|\bpersonalmente\b|\bdans le code\b|\bmoi-même\b|\bno código\b|\beu mesm[oa]\b"
    r"|\bpessoalmente\b|\bnel codice\b|\bio stess[oa]\b|\bdi persona\b",
    re.IGNORECASE,
)
_NOT_SO = frozenset({"polarity.neg", "polarity.unverified", "polarity.skipped", "scope.part"})
_LISTS = frozenset("ls find fd tree stat wc du file test pwd cd echo mkdir which date".split())
_STATE = frozenset({"status", "branch", "stash", "fetch", "remote", "config"})


def vouched(turn: Turn) -> Iterator[Short]:
    """`I checked both in the code`, and none of the places that the report names was opened."""
    helpers = [s for s in turn.ledger.acts if s.delegated and s.result is not None]
    if not helpers:
        return
    document = turn.closing.document
    if _UNSURE.search(document.text):
        return
    reports = [h.text[:_READ].casefold() for h in helpers[-_MOST:]]
    for found in islice(_I_CHECKED.finditer(document.text), _MOST):
        claim = stated_at(turn, found.start())
        if claim is None or claim.clause.question:
            continue
        start, end = document.sentences[claim.clause.sentence]
        tags = {tag.name for tag in turn.closing.tags_in(claim.start, claim.end)}
        if not tags.isdisjoint(_NOT_SO):
            continue
        there = _THERE.search(document.text, start, end) is not None
        places = _places(document.text[start:end])
        near = end if not there else min(end, found.end() + _NEAR)
        if _REPORT.search(document.text, found.end() if there else start, near):
            continue  # `I read the report: pool.go:88 leaks`
        if there and not places:
            places = _places(document.text[end : end + _FAR])
        told = [p for p in places if any(p.rsplit("/", 1)[-1] in text for text in reports)]
        if not told or len(told) < len(places) or _may_have_seen(turn, told):
            continue
        why = f"no call of this turn opened {', '.join(told[:4])}"
        yield Short(Claim("denial", "read", claim.start, claim.end, claim.clause, "asserted"),
                    helpers[-1], why)  # fmt: skip
        return


_REPORT = regex(
    r"\b(?:reports?|findings?|summary|answer|output|bericht\w*|befund\w*|informes?|rapports?|relatórios?|resocont\w*)\b",
    re.IGNORECASE,
)
# That the rest, or all of it, was not checked may be told anywhere.
_UNSURE = regex(
    r"n['’]t (?:check|verif|read|open|confirm|look|review)|\bnot (?:yet )?(?:check|verif|read|open|confirm|review)"
    r"|\bunverified\b|\bunchecked\b|\bnicht (?:selbst |nach)?(?:ge|über)?prüft|\bsin (?:verificar|comprobar|revisar)"
    r"|\bno l[oa]s? (?:comprobé|verifiqué|revisé|he)|\bpas (?:vérifié|relu|contrôlé)"
    r"|\bnão (?:verifiquei|conferi|revisei)|\bnon (?:ho|l['’]ho|li ho|le ho) (?:verificat|controllat|lett)",
    re.IGNORECASE,
)


def _places(text: str) -> list[str]:
    """The files that a text names, case-folded, without their lines."""
    found = [hit.group().casefold() for hit in _FILE.finditer(text)]
    return list(dict.fromkeys(found))[:_MOST]


def _may_have_seen(turn: Turn, places: list[str]) -> bool:
    """True when a call of the agent's own may have shown one of the places."""
    names = [place.rsplit("/", 1)[-1] for place in places]
    return any(_shows(step, names) for step in turn.ledger.acts if not step.delegated)


def _shows(step: Step, names: list[str]) -> bool:
    if step.outcome.bad and step.outcome.kind != "noop":
        return False
    if step.command is not None:
        return any(
            part.program not in _LISTS
            and not (part.program == "git" and _STATE.intersection(part.words[1:2]))
            and not _elsewhere(part.words, names)
            for part in step.command.parts
            if part.words
        )
    if _lists(step):
        return False
    if step.paths and ("read" in step.effects or step.edited) and "search" not in step.effects:
        return any(path.rsplit("/", 1)[-1].casefold() in names for path in step.paths)
    return True  # a search, a diff, a tool that we do not know


def _lists(step: Step) -> bool:
    return step.reads_only and bool(_LIST_WORDS.intersection(step.words))


_LIST_WORDS = frozenset("list ls glob tree stat info exists".split())
_OPENERS = PAGERS | {"sed"}


def _elsewhere(words: tuple[str, ...], names: list[str]) -> bool:
    """True for `cat other.py`: it shows one file, and it is none of the places."""
    line = " ".join(words).casefold()
    return (
        words[0] in _OPENERS
        and "*" not in line
        and "." in line
        and not any(name in line for name in names)
    )
