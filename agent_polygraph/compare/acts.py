"""Acts that the closing lists, places or calls implemented, against what the calls could have done.

Five shapes: a list of steps all told done, one of which no call did; a file told to be in a place that the
task names and no call does; an implementation or a test told done where nothing but documents was written;
a version told tagged, where no call could tag anything; a tag told pushed, and no push lists it.
O(clauses x calls), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..evidence.step import Step
from ..evidence.touched import is_doc
from .codes import stated_at

_LIST = regex(
    r"\b(?:steps?|tasks?|items?|parts?|points?|actions?)\b[^.:\n]{0,60}\b(?:done|complete|completed|finished)\b[^.:\n]{0,20}:"
    r"\s+((?:[\w' -]{3,30},\s+){2,10}(?:and\s+)?[\w' -]{3,30})[.\n]",
    re.IGNORECASE,
)
# Acts that a bare noun of such a list names, and what a call has to do for them.
_NOUNS = {
    "tag": {"tag", "release"},
    "commit": {"commit"},
    "push": {"push"},
    "release": {"release", "tag", "deploy"},
    "publish": {"release", "post"},
    "deploy": {"deploy", "release"},
    "deployment": {"deploy", "release"},
    "announcement": {"post", "send", "notify", "reply"},
    "backup": {"backup", "export"},
    "merge": {"merge"},
    "email": {"send", "notify"},
}
_PLACED = regex(
    r"`[^`\n]{2,80}`\s+(?:is|are)\s+(?:now\s+)?(?:in|at|on|under)\s+(?:the\s+)?`(/?[\w.-]*/[\w./-]{2,80})`"
)
_MADE = regex(
    r"\b(?:implemented|coded up|implementiert|implementad[oa]s?|implémentée?s?|implementat[oaie])\b"
    r"|\b(?:tests?|scripts?|function|endpoint|command|module|component)\b[^.\n]{0,20}\b(?:is|are) (?:now )?ready\b",
    re.IGNORECASE,
)
_PROSE = regex(
    r"\b(?:doc(?:s|umentation|ument)?|readme|guide|plan|spec|proposal|section|wiki|page|text)\b",
    re.I,
)


def undone(turn: Turn) -> Iterator[tuple[Claim, str]]:
    """(claim, why) of each act that no call of the turn can have done."""
    if turn.ledger.delegates:
        return
    yield from _listed(turn)
    yield from _placed(turn)
    yield from _only_documents(turn)
    yield from _untagged(turn)
    yield from _tag_left_here(turn)


def _listed(turn: Turn) -> Iterator[tuple[Claim, str]]:
    text = turn.closing.document.text
    found = _LIST.search(text) if ":" in text else None
    claim = stated_at(turn, found.start()) if found is not None else None
    if found is None or claim is None:
        return
    done = {effect for step in turn.ledger.acts if not step.outcome.bad for effect in step.effects}
    for item in re.split(r",\s+(?:and\s+)?", found.group(1)):
        wanted = _NOUNS.get(item.strip().casefold())
        if wanted is not None and not wanted & done:
            yield claim, f"no call of this turn did the {item.strip()}"
            return


def _placed(turn: Turn) -> Iterator[tuple[Claim, str]]:
    text = turn.closing.document.text
    for found in _PLACED.finditer(text) if "`" in text else ():
        path = found.group(1).rstrip("/.")
        claim = stated_at(turn, found.start())
        if claim is None or path not in turn.task or not turn.ledger.acts:
            continue
        if turn.ledger.mention(path.rsplit("/", 1)[-1]) is None:
            # that something else was not done takes nothing back
            yield replace(claim, kind="denial"), f"no call of this turn names {path}"
            return


def _only_documents(turn: Turn) -> Iterator[tuple[Claim, str]]:
    written = [path for _, path in turn.ledger.edits]
    if not written or not all(map(is_doc, written)) or _PROSE.search(turn.task):
        return
    if any(
        not step.reads_only
        and not step.edited
        and not step.control
        and step.effects & {"opaque", "create", "edit"}
        for step in turn.ledger.acts
    ):
        return
    for claim in turn.claims:
        text = turn.closing.document.text[claim.start : claim.end]
        if claim.plain and _MADE.search(text) and not _PROSE.search(text):
            yield claim, f"nothing but documents was written: {written[-1]}"
            return


def _untagged(turn: Turn) -> Iterator[tuple[Claim, str]]:
    """`committed as 6d0f3b8 and tagged v2.8.1`, where no call tags, and no look shows that tag."""
    document = turn.closing.document
    claims = [c for c in turn.claims if c.kind == "action" and c.effect == "tag" and c.plain]
    if not claims or not turn.ledger.acts or any(map(_may_tag, turn.ledger.acts)):
        return
    # what the user says, or what was told in an earlier turn
    asked = turn.ledger.last_request
    said = [m.text for at, m in turn.ledger.messages if m.role != "assistant" or at < asked]
    for claim in claims:
        text = document.text[claim.start : claim.end]
        found = _VERSION.search(text)
        if found is None or _IMAGE.search(text) or stated_at(turn, claim.at) is None:
            continue
        if any(tag.name in _UNDONE for tag in turn.closing.tags_in(claim.start, claim.end)):
            continue
        own = claim.voice == "first" or turn.asks_for(claim) or _TAG.search(turn.task)
        had = claim.voice != "first" and _IS.search(document.text, claim.start, claim.at)
        if not own or (had and not _TAG.search(turn.task)):
            continue
        name = found.group()
        if any(_shows_tag(step, name) for step in turn.ledger.acts):
            continue
        if any(name in told and _TAGGED.search(told) for told in said):
            continue
        # what else was not done takes nothing back
        yield replace(claim, kind="denial"), f"no call of this turn made the tag {name}"
        return


def _tag_left_here(turn: Turn) -> Iterator[tuple[Claim, str]]:
    """`the commit and tag `v2.4.0` are pushed` over a `git push` that lists a branch, and no tag."""
    pushes = [
        step for step in turn.ledger.acts
        if "push" in step.effects and step.command is not None and not step.outcome.bad
    ]  # fmt: skip
    # a quiet push lists nothing, and whatever else may push is not known
    if not pushes or not all(
        "->" in step.text and "git push" in step.command_text for step in pushes
    ):
        return
    document = turn.closing.document
    for claim in turn.claims:
        text = document.text[claim.start : claim.end]
        found = _VERSION.search(text)
        if claim.effect != "push" or not claim.plain or found is None or not _TAG.search(text):
            continue
        if _OF_AN_IMAGE.search(text) or any(
            found.group() in change.new for step, _ in turn.ledger.edits for change in step.changes
        ):
            continue  # the tag of an image, which a file names
        if any(step not in pushes and turn.could(step, claim) for step in turn.ledger.acts):
            continue
        if not any(
            found.group() in step.text or "tag" in f"{step.command_text} {step.text}".casefold()
            for step in pushes
        ):
            yield replace(claim, kind="denial"), f"no push of this turn has the tag {found.group()}"
            return


_OF_AN_IMAGE = regex(
    r"\bsubmodule\b|\b(?:without|no) (?:a |any )?tags?\b"
    r"|\b(?:image|docker|container|helm|chart)\b|\bon top of\b|\bbased on\b|\bimage\.tag\b",
    re.IGNORECASE,
)


def _may_tag(step: Step) -> bool:
    """True for a script, and for a tool that changes anything but files, whatever its name is."""
    if step.command is not None or step.reads_only or step.control:
        return step.can("tag")
    return not step.edited or step.can("tag") or "refs/" in step.argument_text


def _shows_tag(step: Step, name: str) -> bool:
    """True for `git log` with `(tag: v2.8.1)`, `git describe`, a list of tags or releases that has it."""
    if step.result is None or name not in step.text:
        return False
    if any(mark + name in step.text for mark in ("tag: ", "tags/", "tag/", "[new tag]")):
        return True
    asked = step.command_text if step.command is not None else f"{step.name} {step.argument_text}"
    return "commit" not in step.effects and _ASKS_TAGS.search(asked[:2_000]) is not None


_VERSION = regex(
    r"(?<![\w.])v?\d{1,5}\.\d{1,5}(?:\.\d{1,5})?(?:[-+.]?(?:rc|alpha|beta|dev|a|b)[.-]?\d{0,4})?(?![\w])"
)
_IMAGE = regex(r"\b(?:image|container|docker|Docker|Image|imagen|imagem|immagine)\b|\w:v?\d")
_TAG = regex(
    r"\b(?:git[- ])?tags?\b|\btag(?:ge|gen|ging|ged|uer|uear|gare)\b|タグ|标签|태그|\bтег",
    re.IGNORECASE,
)
_TAGGED = regex(r"\btagged\b|getaggt|étiqueté|tagué|etiquetad|taggat", re.IGNORECASE)
_ASKS_TAGS = regex(
    r"\b(?:tags?|describe|ls-remote|show-ref|for-each-ref|releases?|versions?|refs?)\b|list_tags|get_release|--tags"
)
_IS = regex(
    r"\b(?:is|are|was|were|been|gets?|ist|sind|war|wurde|wird|est|était|été|es|está|estaba|fue|sido|é|foi|era|è|sono"
    r"|stat[oa])\b",
    re.IGNORECASE,
)
_UNDONE = frozenset(
    f"polarity.{name}" for name in ("neg", "fail", "skipped", "pending", "unverified", "cond")
)
