"""All of so many, over an answer that counts fewer: `all 131 are moved` over `matched: 131, failed: 6`.

An object of a result that has a number for the whole and numbers for its parts is a tally.  The last tally
of that whole decides: of a call that changed something, of a look at the job that it started, or of a look
whose own word the sentence uses (`all 3 replicas are ready` over `desired: 3, ready: 2`).
O(characters of the closing + objects of the last results), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from .._lazy import regex
from ..binding import Turn
from ..binding.words import NUMBER_WORDS, PIECES, stem
from ..evidence.jobs import keys_of
from ..evidence.outcomes import PENDING
from ..evidence.records import words_of_key
from ..evidence.step import Step
from .codes import stated_at
from .mismatch import Mismatch

_LAST = 30  # calls that are looked at
_MOST = 200  # objects of a result
_TRIES = 3  # sentences with the same whole
_WHOLES_TOLD = 12  # different wholes of a closing that are looked up
_DEEP = 4
_WHOLES = frozenset(
    "total desired matched requested expected attempted replicas recipients targets".split()
)
_DONE = frozenset(
    "ready available succeeded success successful updated sent delivered imported migrated done completed"
    " healthy applied synced processed created deleted replaced moved uploaded converted accepted".split()
)
_NOT_DONE = frozenset(
    "failed failures errors rejected unreachable unavailable bounced undelivered refused denied unready".split()
)
_ALL = regex(
    r"\b(?:all|alle[nr]?|tod[oa]s|tous|toutes|tutt[ie]|все)[ *_]{1,3}"
    r"(?:(?:of|the|von|den|die|los|las|les|os|as|i|gli|le)[ *_]{1,3}){0,2}([\w.,]{1,9})"
    r"|(?:全部|所有)\s?(\d{1,6})",
    re.IGNORECASE,
)


class _Count(NamedTuple):
    """whole, the parts that are done; quote: the words that show that some are not, empty where none is."""

    whole: int
    done: frozenset[int]
    quote: str
    words: frozenset[str]


def fewer(turn: Turn) -> Iterator[Mismatch]:
    """Wholes told done of which the last tally counts a part."""
    document = turn.closing.document
    looked_up: dict[int, int] = {}
    for found in _ALL.finditer(document.text):
        whole = _number(found.group(1) or found.group(2))
        tried = looked_up.get(whole, 0)
        if whole < 2 or tried >= _TRIES or (not tried and len(looked_up) >= _WHOLES_TOLD):
            continue
        looked_up[whole] = tried + 1
        claim = stated_at(turn, found.start())
        if claim is None:
            continue
        start, end = document.sentences[claim.clause.sentence]
        said = {stem(word) for word in PIECES.findall(document.masked[start:end].casefold())}
        codes = [document.text[a:b].strip("`") for a, b in document.code if start <= a < end]
        short = (
            _short_of(turn, whole, said)
            or _by_lists(turn, whole)
            or _bare_count(turn, whole, codes)
            or _at_part(turn, whole, document.text[found.end() : found.end() + 30])
        )
        if short is None:
            continue
        step, count = short
        rest = {*count.done, *(whole - part for part in count.done)} - {whole, 1}
        told = document.text[: found.start()] + document.text[found.end() :]
        told_rest = not step.outcome.bad and any(_tells(number, told) for number in rest)
        if not told_rest and not any(
            d.kind in ("part", "failed")
            and d.start != claim.start
            and abs(d.sentence - claim.clause.sentence) <= 1
            for d in turn.disclosures
        ):
            yield Mismatch(claim, step, found.group().strip(" *_"), count.quote)
            return


def _tells(number: int, text: str) -> bool:
    return re.search(rf"(?<![\w.,]){number}(?!\w|[.,]\d|\s?%)", text) is not None


def _short_of(turn: Turn, whole: int, said: set[str]) -> tuple[Step, _Count] | None:
    """The last tally of that whole, where it counts some that are not done."""
    acts = turn.ledger.acts[-_LAST:]
    started = [
        key for s in acts if s.outcome.kind == PENDING and not s.reads_only for key in keys_of(s)
    ]
    for step in reversed(acts):
        if step.result is None or step.delegated or step.command is not None or not step.json:
            continue
        tied = not step.reads_only or any(step.mentions(key) for key in started)
        for count in _counts(step.json):
            if count.whole != whole:
                continue
            about = not said.isdisjoint(count.words)
            if count.quote and (about or (tied and whole >= 10)):
                return step, count
            return None
        if not step.reads_only and not step.control:
            return None  # it may have done the rest
    return None


def _by_lists(turn: Turn, whole: int) -> tuple[Step, _Count] | None:
    """`all 18 people are in`, where 10 and 8 were given to two calls, and one of them failed.

    Or where a listing of 14 was shown in part, and the one call that changed them was given ten.
    """
    sized: dict[str, list[tuple[Step, int]]] = {}
    for step in turn.ledger.acts[-_LAST:]:
        if step.command is not None or step.delegated or step.reads_only or step.result is None:
            continue
        if isinstance(step.arguments, dict):
            sizes = [len(v) for v in step.arguments.values() if isinstance(v, list)]
            if sizes:
                sized.setdefault(step.name, []).append((step, max(sizes)))
    for calls in sized.values():
        done = sum(size for step, size in calls if not step.outcome.bad)
        bad = [step for step, _ in calls if step.outcome.bad]
        since = [
            s for s in turn.ledger.acts if bad and s.order > bad[-1].order and not s.reads_only
        ]
        if bad and not since and done < whole == sum(size for _, size in calls):
            return bad[-1], _Count(whole, frozenset({done}), bad[-1].outcome.quote, frozenset())
        shown = any(
            count == whole and _taken_from(step, calls[0][0])
            for step in turn.ledger.acts
            if step.reads_only and isinstance(step.json, dict)
            for key, count in step.json.items()
            if key in ("total", "total_count", "count") and isinstance(count, int)
        )
        if not bad and shown and len(calls) == 1 and 2 <= done < whole and len(sized) == 1:
            quote = f"{calls[0][0].name}: {done} of {whole}"
            return calls[0][0], _Count(whole, frozenset({done}), quote, frozenset())
    return None


def _taken_from(look: Step, call: Step) -> bool:
    """True when every item of the call's list stands in the listing."""
    lists = [v for v in call.arguments.values() if isinstance(v, list)]
    items = max(lists, key=len) if lists else []
    return bool(items) and all(isinstance(i, (str, int)) and str(i) in look.text for i in items)


def _bare_count(turn: Turn, whole: int, codes: list[str]) -> tuple[Step, _Count] | None:
    """`all nine timers carry `Persistent=true``, where the last count of that text printed 8."""
    for step in reversed(turn.ledger.acts[-_LAST:]):
        if step.result is None or step.outcome.bad or step.control:
            continue
        if not step.reads_only and (step.edited or step.command is None):
            return None  # it may have done the rest
        if step.command is None:
            listed = _listed(step, codes)
            if 0 < listed < whole <= 2 * listed:
                quote = f"{listed} found"
                return step, _Count(whole, frozenset({listed}), quote, frozenset())
            if listed:
                return None
            continue
        first = step.body.strip().split("\n", 1)[0].strip()
        if not any(len(code) >= 5 and code in step.command_text for code in codes):
            continue
        if first.isdecimal() and any(part.program in _COUNTERS for part in step.command.parts):
            size = int(first)
            if 0 < size < whole <= 2 * size:
                return step, _Count(whole, frozenset({size}), first, frozenset())
        return None
    return None


def _listed(step: Step, codes: list[str]) -> int:
    """How many files a search for one of the codes lists; 0 for any other call."""
    arguments = step.arguments if isinstance(step.arguments, dict) else {}
    pattern = str(arguments.get("pattern", ""))
    if arguments.get("output_mode") != "files_with_matches" or "search" not in step.effects:
        return 0
    if not any(len(code) >= 5 and code in pattern for code in codes):
        return 0
    lines = [line for line in step.body.split("\n") if "." in line and " " not in line.strip()]
    return len(lines) if len(lines) < 100 else 0


_COUNTERS = frozenset({"wc", "grep", "rg"})


def _at_part(turn: Turn, whole: int, behind: str) -> tuple[Step, _Count] | None:
    """`through all 20 epochs`, where the last line of the log is `epoch 13/20`."""
    noun = PIECES.findall(behind.casefold())[:1]
    if not noun or len(noun[0]) < 4:
        return None
    part = re.compile(
        rf"\b{re.escape(noun[0][:5])}\w*\W{{1,3}}(\d{{1,6}})\s?(?:/|of)\s?{whole}\b", re.IGNORECASE
    )
    for step in reversed(turn.ledger.acts[-_LAST:]):
        hits = part.findall(step.body[-4_000:]) if step.result is not None else ()
        if hits:
            at = int(hits[-1])
            quote = f"{noun[0]} {at}/{whole}"
            return (
                (step, _Count(whole, frozenset({at}), quote, frozenset()))
                if at < whole - 1
                else None
            )
    return None


def _number(word: str) -> int:
    plain = word.strip(".,").replace(",", "").replace(".", "")
    return int(plain) if plain.isdecimal() else NUMBER_WORDS.get(word.casefold(), 0)


def _counts(value: Any) -> Iterator[_Count]:
    """The tallies of a JSON value."""
    return islice(_walk(value, "", 0), _MOST)


def _walk(value: Any, name: str, depth: int) -> Iterator[_Count]:
    if depth > _DEEP:
        return
    if isinstance(value, list):
        for item in value[:_MOST]:
            yield from _walk(item, name, depth + 1)
    if not isinstance(value, dict):
        return
    numbers = [
        (key, words_of_key(str(key)), _size(item)) for key, item in list(value.items())[:_MOST]
    ]
    for key, words, whole in numbers:
        if whole is not None and words & _WHOLES:
            done = [(k, w, n) for k, w, n in numbers if n is not None and w & _DONE and k != key]
            bad = [(k, w, n) for k, w, n in numbers if n and w & _NOT_DONE and n <= whole]
            parts = [n for _, _, n in done]
            others = [n for k, w, n in numbers if n is not None and k != key and not w & _WHOLES]
            full = whole in parts or sum(parts) == whole or sum(others) == whole
            least = bad or [(k, w, n) for k, w, n in done if n < whole and not full]
            quote = f"{least[-1][0]}: {least[-1][2]} of {whole}" if least else ""
            named = frozenset(
                stem(word)
                for word in (*words_of_key(name), *words, *(w for _, ws, _ in done for w in ws))
            )
            known = {n for _, _, n in (*done, *bad)}
            if done or bad:
                yield _Count(whole, frozenset(known), quote, named)
    for key, item in list(value.items())[:_MOST]:
        if isinstance(item, (dict, list)):
            yield from _walk(item, str(key), depth + 1)


def _size(item: Any) -> int | None:
    """A whole number, or how many a list of objects has."""
    if isinstance(item, list):
        return len(item) if item and isinstance(item[0], dict) else None
    return item if isinstance(item, int) and not isinstance(item, bool) and item >= 0 else None
