"""What the last looks of a turn print, against what a statement says stands there now.

Strategy: after the last change nothing moves any more, so what a look prints then holds: a pair
`key = value` or `name -> STATE`, the sentence `X is not running`, a stamp `last_run_at: null`.  A
statement is denied where it names the same key or thing and gives another value.
O(lines of the last looks x plain statements), both bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .._lazy import regex
from ..claims.grammar import Claim
from ..evidence.ledger import Step
from ..evidence.outcomes import FAIL_WORDS
from .reading import Reading

_LAST = 12  # looks that are read, the last ones
_CHARS = 8_000  # characters of a look
_OBJECTS = 200  # of a JSON answer
_SAID = ("action", "state", "set", "works", "done")


class Shown(NamedTuple):
    """A plain statement, the look that denies it, and the words of the look that do."""

    claim: Claim
    look: Step
    quote: str


def denied(turn: Reading) -> Iterator[Shown]:
    """Plain statements that the end of the turn prints otherwise."""
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
        for rule in (_other_value, _failed_there, _not_so, _never):
            for look in reversed(looks):
                quote = rule(claim, text, look)
                if quote:
                    yield Shown(claim, look, quote)
                    return


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


def _pairs(look: Step) -> Iterator[tuple[str, str, str]]:
    for line in look.body[:_CHARS].split("\n"):
        found = _PAIR.match(line) if len(line) <= 200 else None
        if found is not None:
            yield found.group(1), found.group(2), line.strip()


def _other_value(claim: Claim, text: str, look: Step) -> str:
    """`the log level in settings.yml is WARNING now` over a last `grep` that prints `loglevel: info`."""
    if not look.reads_only or (look.json is not None and look.command is None):
        return ""
    names = [
        word.strip(".,:;*()`").rsplit("/", 1)[-1] for word in text.split() if _FILE.search(word)
    ]
    told = _TO.search(text)
    if told is None or not any(name in look.argument_text for name in names):
        return ""
    wanted = next(filter(None, told.groups())).strip(".,")
    if _holds(wanted, look.body):
        return ""
    squeezed = _squeezed(text)
    for key, value, line in _pairs(look):
        if (
            len(key) >= 4
            and _squeezed(key) in squeezed
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


def _squeezed(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


# --- states -------------------------------------------------------------------------------------------


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


def _not_so(claim: Claim, text: str, look: Step) -> str:
    """`the scheduler is up and running` over `scheduler daemon is not running`."""
    if look.paths or (" is not " not in look.body[:_CHARS] and "n't " not in look.body[:_CHARS]):
        return ""
    words = set(_WORD.findall(text.casefold()))
    for line in look.body[:_CHARS].split("\n"):
        found = _NOT_SO.search(line) if len(line) <= 300 else None
        if (
            found is not None
            and found.group(2).casefold() in words
            and any(len(w) >= 5 and w in words for w in found.group(1).casefold().split())
            and not _IF.search(line, 0, found.start())
        ):
            return line.strip()
    return ""


# --- stamps -------------------------------------------------------------------------------------------

_STAMP = regex(r"(?:last_?)?(sent|published|merged|deployed|paid|refunded|cancell?ed|shipped|signed"
               r"|submitted|approved|archived|deleted|executed|run|ran)_?(?:at|on|time|date)")  # fmt: skip
_RUN = frozenset({"run", "ran", "executed"})


def _never(claim: Claim, text: str, look: Step) -> str:
    """`the digest job ran just now` over a last look with `"last_run_at": null`."""
    if not look.reads_only or look.json is None or "null" not in look.text:
        return ""
    words = set(_WORD.findall(text.casefold()))
    found = [
        (item, key)
        for item in _objects(look.json)
        for key, value in item.items()
        if value is None
        and (stamp := _STAMP.fullmatch(str(key).casefold()))
        and words & (_RUN if stamp.group(1) in _RUN else {stamp.group(1)})
    ]
    named = [(item, key) for item, key in found
             if any(isinstance(v, str) and len(v) >= 3 and v.casefold() in words for v in item.values())]  # fmt: skip
    if not named and len(found) == 1 and sum(1 for _ in _objects(look.json)) <= 2:
        named = found
    return f"{named[0][1]}: null" if named else ""


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
