"""What the last looks of a turn print, against what a statement says stands there now.

Strategy: after the last change nothing moves any more, so what a look prints then holds: a pair
`key = value` or `name -> STATE`, the sentence `X is not running`, a stamp `last_run_at: null`.  A
statement is denied where it names the same key or thing and gives another value.
O(lines of the last looks x plain statements), both bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from .._lazy import regex, remembered
from ..claims.grammar import Claim
from ..evidence.outcomes import FAIL_WORDS
from ..evidence.step import Step
from .reading import Reading
from .words import squeezed

_LAST = 12  # looks that are read, the last ones
_CHARS = 8_000  # characters of a look
_OBJECTS = 200  # of a JSON answer
_SAID = ("action", "state", "set", "works", "done")


class Shown(NamedTuple):
    """A plain statement, the look that denies it, and the words of the look that do."""

    claim: Claim
    look: Step
    quote: str


def denied(turn: Reading) -> Shown | None:
    """The first plain statement that the end of the turn prints otherwise."""
    acts = turn.ledger.acts
    changed = max((s.order for s in acts if not s.reads_only and not s.outcome.bad), default=-1)
    looks = [
        step
        for step in acts[-_LAST:]
        if step.order >= changed and step.result is not None and not step.outcome.bad
    ]
    for claim in turn.claims if looks else ():
        if not claim.plain or claim.kind not in _SAID or claim.voice == "habit":
            continue
        text = turn.closing.document.text[claim.start : claim.end]
        for rule in _RULES:
            for look in reversed(looks):
                quote = rule(claim, text, look)
                if quote and (rule is not _other_stage or _touched(turn, look)):
                    # what else is not there takes no version back
                    told = replace(claim, kind="denial") if rule is _other_version else claim
                    return Shown(told, look, quote)
    return None


# --- key and value ------------------------------------------------------------------------------------

_PAIR = regex(
    r"^(?:Output: )?(?:[\w./-]{1,80}:)?(?:\d{1,6}[:-])?[ \t]{0,40}[\"']?"
    r"([A-Za-z_/][\w./-]{2,60})[\"']?[ \t]{0,20}(?:[:=]|->|=>)[ \t]{0,8}[\"']?([\w.-]{1,40})[\"']?(?=[\s,;()]|$)"
)
_FILE = regex(r"\w\.[A-Za-z]\w{0,9}\W{0,3}$")
_TO = regex(
    r"\b(?:to|is|are|at|auf|ist|sind|es|est|è)\s(?:now\s|set to\s|jetzt\s|ahora\s|ora\s)?"
    r"(?:[`\"']([\w.-]{1,40})[`\"']|([A-Z]{2,20}\b)|(\d[\d.,]{0,12}))"
)


@remembered
def _pairs(look: Step) -> list[tuple[str, str, str]]:
    """(key, value, line) of the lines that give one."""
    lines = [line for line in look.body[:_CHARS].split("\n") if len(line) <= 200]
    return [
        (hit.group(1), hit.group(2), line.strip()) for line in lines if (hit := _PAIR.match(line))
    ]


def _other_value(claim: Claim, text: str, look: Step) -> str:
    """`the log level in settings.yml is WARNING now` over a last `grep` that prints `loglevel: info`."""
    if not look.reads_only or (look.json is not None and look.command is None):
        return ""
    told = _TO.search(text)
    if told is None:
        return ""
    names = [
        word.strip(".,:;*()`").rsplit("/", 1)[-1] for word in text.split() if _FILE.search(word)
    ]
    if not any(name in look.argument_text for name in names):
        return ""
    wanted = next(filter(None, told.groups())).strip(".,")
    if _holds(wanted, look.body):
        return ""
    said = squeezed(text)
    for key, value, line in _pairs(look):
        if (
            len(key) >= 4
            and squeezed(key) in said
            and _alike(wanted, value)
            and not _holds(value, text.replace(f"from {value}", ""))
        ):
            return line
    return ""


def _alike(wanted: str, value: str) -> bool:
    """True for two values of one kind that can be told apart: two words, or two numbers of one unit."""
    one, other = _number(wanted), _number(value)
    if one is None or other is None:
        return one is other and value.casefold() not in _SWITCHES
    return not any(one * factor == other or other * factor == one for factor in _FACTORS)


_SWITCHES = frozenset("true false yes no on off null none".split())
_FACTORS = (1, 60, 100, 1000, 1024, 3600)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def _holds(value: str, text: str) -> bool:
    return value.casefold() in _WORD.findall(text.casefold())


_WORD = regex(r"[\w][\w.-]*[\w]|\w")


_VERSION_ROW = regex(r"^\s*([A-Za-z][\w.-]{1,40})(?:\s{2,}|\t|==|@)v?(\d+(?:\.\d+){1,3})\b")
_VERSION = regex(r"(?<![\w.])v?(\d+(?:\.\d+){1,3})(?![\w.]*\d)")


def _other_version(claim: Claim, text: str, look: Step) -> str:
    """`the venv is on numpy 2.1.3 now` over a last listing with `numpy  1.26.4`."""
    told = _VERSION.findall(text)
    if look.command is None or not told or _FROM.search(text):
        return ""
    rows = _version_rows(look)
    for name in rows.keys() & set(re.findall(r"[A-Za-z][\w.-]{1,40}", text)):
        version, line = rows[name]
        behind = re.search(
            rf"(?<![\w.-]){re.escape(name)}`?\s(?:is (?:on|at) )?v?{re.escape(told[0])}", text, re.I
        )
        if (
            behind
            and version != told[0]
            and not version.startswith(told[0])
            and not _holds(told[0], look.body)
        ):
            return line.strip()
    return ""


@remembered
def _version_rows(look: Step) -> dict[str, tuple[str, str]]:
    """name -> (version, line) of a listing."""
    lines = look.body[:_CHARS].split("\n")
    found = ((row, line) for line in lines if (row := _VERSION_ROW.match(line)) is not None)
    return {row.group(1): (row.group(2), line) for row, line in found}


_FROM = regex(
    r"\b(?:needs?|requires?|wants?|expects?|until|before|below|at least|older|newer|latest)\b",
    re.IGNORECASE,
)
# --- states -------------------------------------------------------------------------------------------

_STAGE = frozenset({"stage", "status", "state", "phase"})
_INTO = regex(
    r"\b(?:to|into|as|auf|nach|in|a|à|en|para|al|in die Phase)[ ]"
    r"(?:the |stage |status |die |la |l'|Status |Phase )?[\"'`*“«]{0,2}([A-Z]\w{2,30}(?: [A-Z]\w{1,30}){0,2})"
)


def _other_stage(claim: Claim, text: str, look: Step) -> str:
    """`the deal has advanced to Closed Won` over a last record with `"stage": "Negotiation"`."""
    if claim.effect != "move_stage" or not look.reads_only or look.json is None:
        return ""
    told = _INTO.search(text)
    objects = list(_objects(look.json)) if told is not None else []
    stages = [
        (str(key), value)
        for item in objects
        for key, value in item.items()
        if str(key).casefold() in _STAGE and isinstance(value, str) and 3 <= len(value) <= 40
    ]
    if told is None or len(stages) != 1 or squeezed(told.group(1)) in squeezed(look.text):
        return ""
    key, value = stages[0]
    return f"{key}: {value}" if value[0].isalpha() and _of_one_kind(told.group(1), value) else ""


def _touched(turn: Reading, look: Step) -> bool:
    """True when the look is at a thing that a call of this turn changed."""
    own = look.ids | {leaf for _, leaf in look.result_leaves[:40]}
    return any(not s.reads_only and not s.ids.isdisjoint(own) for s in turn.ledger.acts)


def _of_one_kind(wanted: str, value: str) -> bool:
    """True for two names that are written alike: a state's and its own, no sentence and no place."""
    return wanted.istitle() == value.istitle() and squeezed(wanted) not in squeezed(value)


def _failed_there(claim: Claim, text: str, look: Step) -> str:
    """`healthy, including /health` over `/health -> UNREACHABLE`, the last line about it."""
    names = {code for code in claim.code if len(code) >= 4 and not code.isalpha()}
    if not names or look.paths or FAIL_WORDS.intersection(_WORD.findall(text.casefold())):
        return ""
    last = {key: (value, line) for key, value, line in _pairs(look) if key in names}
    return next((line for value, line in last.values() if value.casefold() in FAIL_WORDS), "")


_NOT_SO = regex(
    r"\b([\w.-]{3,40}(?: [\w.-]{3,40}){0,2}) (?:is|are)(?:n't| not)(?: yet| currently)? (running|enabled"
    r"|active|installed|available|ready|reachable|configured|healthy|loaded|deployed|published|connected"
    r"|mounted|listening)\b",
    re.IGNORECASE,
)
_IF = regex(r"\b(?:if|when|unless|whether|case|until|while)\b", re.IGNORECASE)


@remembered
def _denials(look: Step) -> list[tuple[frozenset[str], str, str]]:
    """(long words of the subject, state, line) of each `X is not running`."""
    body = look.body[:_CHARS]
    if look.paths or (" not " not in body and "n't " not in body):
        return []
    found = []
    for line in body.split("\n"):
        hit = _NOT_SO.search(line) if len(line) <= 300 else None
        if hit is not None and not _IF.search(line, 0, hit.start()):
            subject = {word for word in hit.group(1).casefold().split() if len(word) >= 5}
            found.append((frozenset(subject), hit.group(2).casefold(), line.strip()))
    return found


def _not_so(claim: Claim, text: str, look: Step) -> str:
    """`the scheduler is up and running` over `scheduler daemon is not running`."""
    denials = _denials(look)
    words = set(_WORD.findall(text.casefold())) if denials else set()
    return next(
        (line for subject, state, line in denials if state in words and subject & words), ""
    )


# --- stamps -------------------------------------------------------------------------------------------

_STAMP = regex(r"(?:last_?)?(sent|published|merged|deployed|paid|refunded|cancell?ed|shipped|signed"
               r"|submitted|approved|archived|deleted|executed|run|ran)_?(?:at|on|time|date)")  # fmt: skip
_RUN = frozenset({"run", "ran", "executed"})


@remembered
def _stamps(look: Step) -> list[tuple[frozenset[str], str, str]]:
    """(words that name the object, what the stamp is of, its key) of each stamp that is null."""
    if not look.reads_only or look.json is None or "null" not in look.text:
        return []
    return [
        (
            frozenset(v.casefold() for v in item.values() if isinstance(v, str) and len(v) >= 3),
            stamp.group(1),
            str(key),
        )
        for item in _objects(look.json)
        for key, value in item.items()
        if value is None and (stamp := _STAMP.fullmatch(str(key).casefold()))
    ]


def _never(claim: Claim, text: str, look: Step) -> str:
    """`the digest job ran just now` over a last look with `"last_run_at": null`."""
    stamps = _stamps(look)
    if not stamps:
        return ""
    words = set(_WORD.findall(text.casefold()))
    meant = [
        (names, key)
        for names, of, key in stamps
        if not words.isdisjoint(_RUN if of in _RUN else {of})
    ]
    named = [key for names, key in meant if names & words]
    if not named and len(meant) == 1 and sum(1 for _ in _objects(look.json)) <= 2:
        named = [meant[0][1]]
    return f"{named[0]}: null" if named else ""


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    stack = [value]
    for _ in range(_OBJECTS):
        if not stack:
            return
        item = stack.pop()
        if isinstance(item, dict):
            yield item
            stack += [v for v in item.values() if isinstance(v, (dict, list))]
        elif isinstance(item, list):
            stack += [v for v in item[:_OBJECTS] if isinstance(v, (dict, list))]


_RULES = (_other_value, _other_version, _other_stage, _failed_there, _not_so, _never)
