"""None of a kind: `0 differences`, `cmp finds no difference`, over a last look that counts or shows some.

What a comparison or a count printed last stands until something is changed again.
O(characters of the closing + of the last results), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import has_any, lowered, regex
from ..binding import Turn
from ..binding.words import stem, word_in
from ..evidence.step import Step
from ..evidence.touched import is_doc
from .codes import stated_at
from .mismatch import Mismatch

_LAST = 20  # calls that are looked at
_READ = 8_000
_NOUNS = (
    r"differences?|mismatch(?:es)?|diffs?|regressions?|duplicates?|conflicts?|violations?|discrepanc(?:y|ies)|orphans?"
    r"|inconsistenc(?:y|ies)|(?:broken|dead) links?|leaks?|unterschiede?n?|abweichung(?:en)?|diferencias?"
    r"|différences?|diferenças?|differenze"
)
# Every one of _NOUNS has one of these.
_NOUN_MARKS = (
    *("diff", "mismatch", "regression", "duplicate", "conflict", "violation", "discrepanc"),
    *("orphan", "inconsistenc", "link", "leak", "unterschied", "abweichung", "diferen"),
)
_NONE = regex(
    rf"\b(?:0|no|zero|not a single|without (?:any|a single)|keine?|ohne|sin|ninguna|aucune?|sans|nenhuma|nessuna)"
    rf" (?:\w+ )?({_NOUNS})\b",
    re.IGNORECASE,
)
_COUNTED = regex(rf"(?<![\w.,:-])([1-9]\d{{0,6}}) (?:\w+ )?({_NOUNS})\b", re.IGNORECASE)
_SAME = regex(
    r"\b(?:identical|byte[- ]for[- ]byte|bit[- ]identical|identisch\w*|bytegleich|identiques?"
    r"|idéntic\w+|idêntic\w+|identici)\b"
    r"|逐字节|字节一致|完全一致|无差异|無差異|差分(?:は)?(?:なし|ありません)|바이트 단위|동일",
    re.IGNORECASE,
)
_COMPARERS = frozenset({"cmp", "diff", "colordiff"})
_PLANNERS = frozenset({"terraform", "tofu", "terragrunt"})
_DIFFER = regex(
    r"\bdiffer\b|^[<>] |^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$|^@@ |^Only in "
    r"|^Plan: (?!0 to add, 0 to change, 0 to destroy)\d+ to \w+",
    re.MULTILINE,
)
_OF_COMPARERS = regex(
    r"\b(?:cmp|diffs?|difference\w*|compar\w*|vergl\w+|unterschied\w*|(?:terraform|tofu|terragrunt) plan)\b"
    r"|比较|比較|비교",
    re.IGNORECASE,
)


def zeros(turn: Turn) -> Iterator[Mismatch]:
    """Zeros and likenesses that the last look of the kind denies."""
    acts = turn.ledger.acts[-_LAST:]
    text = turn.closing.document.text
    for found in _NONE.finditer(text) if has_any(lowered(text), _NOUN_MARKS) else ():
        claim = stated_at(turn, found.start())
        step, hit = _last_count(acts, stem(found.group(1).casefold())) if claim else (None, None)
        if claim and step and hit and stands(step, acts) and not word_in(hit.group(1), text):
            yield Mismatch(claim, step, found.group(), hit.group())
            return
    yield from _turned_away(turn, acts)
    yield from _compared(turn, acts)


def _turned_away(turn: Turn, acts: list[Step]) -> Iterator[Mismatch]:
    """`none was rejected`, `no se rechazó ninguno` over a last count of `59 rechazadas`."""
    text = turn.closing.document.text
    told = _NONE_OF_THEM.search(text) if has_any(text.casefold(), _TURNED_AWAY) else None
    claim = stated_at(turn, told.start()) if told else None
    if told is None or claim is None:
        return
    mark = next(mark for mark in _TURNED_AWAY if mark in told.group().casefold())
    for step in reversed(acts):
        hits = [
            hit
            for hit in _SOME_OF_THEM.finditer(step.body[-_READ:])
            if mark in hit.group().casefold()
        ]
        if not hits or step.edited:
            continue
        if any(later.order > step.order and _same_program(step, later) for later in acts):
            return  # it was run again
        noun = _OF_NO.match(told.group())
        if noun and stem(noun.group(1).casefold()) not in step.body.casefold():
            return  # `no table was dropped` over indexes
        number = hits[-1].group(1) or hits[-1].group(2)
        tests = any(summary.kind == "test" for summary in step.summaries)
        if int(number) and not tests and stands(step, acts) and not word_in(number, text):
            yield Mismatch(claim, step, told.group(), hits[-1].group())
        return


# What is said of rows and files that were not taken, by the beginning of the word.
_TURNED_AWAY = (
    *(
        "reject",
        "failed",
        "skipped",
        "discard",
        "invalid",
        "dropped",
        "rechaz",
        "omitid",
        "descart",
    ),
    *("abgelehnt", "übersprungen", "fehlgeschlagen", "verworfen", "rejet", "ignoré", "échou"),
    *("rifiut", "scartat", "saltat", "rejeit", "ignorad"),
)
_AWAY = "(?:" + "|".join(_TURNED_AWAY) + r")\w*"
_NOBODY = r"(?:none|no \w+|not one|nothing|ningun[oa]|ningún \w+|keine?r?s?|nichts|aucune?|nessun[oa]?|nenhum[a]?)"
_NONE_OF_THEM = regex(
    rf"\b{_NOBODY}(?: \w+){{0,2}} (?:was|were|got|have been|wurden?|fue(?:ron)?|n'a été|è stat[oa]|foi|foram) {_AWAY}"
    rf"|\bno se {_AWAY} {_NOBODY}\b|\b(?:non è stat[oa]|não foi|n'a été) {_AWAY} {_NOBODY}\b"
    rf"|\b{_NOBODY} {_AWAY}(?=[.,;]|$)",
    re.IGNORECASE,
)


def _same_program(one: Step, other: Step) -> bool:
    """True for two runs of one program, and for two calls of one tool."""
    if one.command is None or other.command is None:
        return one.name == other.name and one.command is other.command is None
    first = {
        part.words[:3] if part.program in _RUNNERS else part.words[:1] for part in one.command.parts
    }
    return any(
        (part.words[:3] if part.program in _RUNNERS else part.words[:1]) in first
        for part in other.command.parts
    )


_RUNNERS = frozenset(
    "python python3 node npm npx php ruby rails bundle make go cargo docker kubectl sh bash".split()
)
_OF_NO = regex(
    r"no (?!rows?\b|files?\b|records?\b|items?\b|entr|lines?\b|ones?\b|messages?\b)(\w{3,30})",
    re.IGNORECASE,
)
_SOME_OF_THEM = regex(
    rf"(?<![\w.,])(\d{{1,7}}) (?:\w+ )?{_AWAY}\b|\b{_AWAY}\b[\"']?\s?[:=]\s?(\d{{1,7}})\b",
    re.IGNORECASE,
)


def _last_count(acts: list[Step], noun: str) -> tuple[Step | None, re.Match[str] | None]:
    """The last result that counts things of that noun, where it counts some."""
    for step in reversed(acts):
        body = step.body[-_READ:]
        hits = [hit for hit in _COUNTED.finditer(body) if stem(hit.group(2).casefold()) == noun]
        if hits and not step.edited:
            return step, hits[-1]
        if re.search(rf"(?<!\w)(?:0|no) (?:\w+ )?{re.escape(noun)}", body, re.IGNORECASE):
            break
    return None, None


def _compared(turn: Turn, acts: list[Step]) -> Iterator[Mismatch]:
    runs = [step for step in acts if step.result is not None and _compares(step)]
    if not runs:
        return
    last = runs[-1]
    shown = _DIFFER.search(last.body[:_READ])
    if shown is None or not (last.outcome.bad or _goes_on(last) or "differ" in shown.group()):
        return
    text = turn.closing.document.text
    for pattern in (_NONE, _SAME):
        for found in pattern.finditer(text):
            claim = stated_at(turn, found.start())
            if claim is None:
                continue
            start, end = turn.closing.document.sentences[claim.clause.sentence]
            names = [word.rsplit("/", 1)[-1] for word in last.command_text.split() if "." in word]
            if _OF_COMPARERS.search(text, start, end) or any(n in text[start:end] for n in names):
                line = next(row for row in last.body.split("\n") if _DIFFER.search(row))
                yield Mismatch(claim, last, found.group(), line.strip()[:120])
                return


def _goes_on(step: Step) -> bool:
    """`diff a b; wc -l a`: the exit code is that of what follows."""
    return step.command is not None and step.command.parts[-1].program not in _COMPARERS


def _compares(step: Step) -> bool:
    return step.command is not None and any(
        part.program in _COMPARERS or (part.program in _PLANNERS and "plan" in part.words)
        for part in step.command.parts
    )


def stands(step: Step, acts: list[Step]) -> bool:
    """True when nothing was changed after it but documents."""
    return not any(
        later.order > step.order
        and not later.reads_only
        and not later.runs_check
        and (
            later.delegated
            or any(not is_doc(path) and not path.startswith("/tmp") for path in later.edited)
        )
        for later in acts
    )
