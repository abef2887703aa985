"""A number that stands beside another key: `production serves 25 %` over `{"production": 0, "staging": 25}`.

The statement names one key of a flat group of numbers in the last answer that has it, and gives the number of
another one, which it does not name.  The number stands with the named key nowhere in the turn.
Or an amount is told for a key whose last value is another one, and it follows from nothing.
O(leaves of the last answers x sentences), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .._lazy import regex
from ..binding import Turn
from ..evidence.figures import places_of
from ..evidence.step import Step
from ..evidence.values import number
from .codes import stated_at
from .mismatch import Mismatch
from .sums import reckoned
from .tally import tally

_LAST = 30  # answers of a turn that are read
_GROUPS, _KEYS = 12, 12
_READ = 20_000
_NUMBER = regex(r"(?<![\w.,:/#-])\d[\d.,]*(?![\w:/-])(?<![.,])")
_OF = regex(
    r"\d[\d.,]*\s?(?:/|\bof\b|\bout of\b|\bvon\b|\bde\b|\bdi\b|\bsur\b|\bsu\b)\s?(?:the\s)?\d[\d.,]*"
)
# Keys that say where a page, a row or a record stands, or what all the others make together.
_APART = frozenset(
    "id page pages limit offset total count size version rev revision status code line column year month day number"
    " index position port width height ttl timeout sum all overall per_page page_size results items".split()
)


def beside_another(turn: Turn) -> Iterator[Mismatch]:
    """Statements that give to one key of an answer what stands at another."""
    low = turn.closing.document.text.casefold()
    answered = [s for s in turn.ledger.acts if s.json is not None and not s.outcome.bad]
    groups = [(step, group) for step in answered[: -_LAST - 1 : -1] for group in _groups(step.json)]
    stands: dict[str, set[float]] = {}
    last: dict[frozenset[str], tuple[Step, dict[str, float]]] = {}
    for step, group in groups:
        last.setdefault(frozenset(group), (step, group))
        for key, value in group.items():
            stands.setdefault(key, set()).add(value)
    for step, group in last.values():
        for key in group:
            if _word(key) in low:
                yield from _told(turn, step, group, key, stands[key])


# Of these one call has one; a price may be told for several.
_WHOLES = frozenset(
    "total subtotal balance totale gesamt gesamtbetrag summe saldo solde totaal".split()
)


def amount_of_key(turn: Turn) -> Iterator[Mismatch]:
    """`the new total is 450.00` over a last `"total": 435.0`, where 450 stands nowhere and follows from nothing."""
    document = turn.closing.document
    last: dict[str, tuple[Step, float]] = {}
    for step in turn.ledger.acts[-_LAST:]:
        for key, text in step.result_leaves[:200] if step.json is not None else ():
            name = key.rpartition(".")[2].casefold()
            value = number(text)
            if value is not None and name in _WHOLES:
                last[name] = (step, value)
    for clause in document.clauses if last else ():
        amounts = [v for v in document.values_in(clause.start, clause.end) if v.kind == "amount"]
        named = set(
            re.findall(r"[^\W\d_]{5,}", document.text[clause.start : clause.end].casefold())
        )
        keys = named & last.keys()
        if len(amounts) != 1 or len(keys) != 1:
            continue
        step, own = last[min(keys)]
        if not _SAID_OF_IT.search(document.text[clause.start : amounts[0].start]):
            continue
        told = number(amounts[0].norm)
        claim = stated_at(turn, amounts[0].start)
        if COMPARED.search(document.text, clause.start, amounts[0].start):
            continue  # `the balance is above the $500 minimum`: another amount, and no word on its own
        if claim is None or told is None or abs(told - own) < 0.01 or abs(told * 100 - own) < 1:
            continue
        known = tally(turn)
        places = places_of(amounts[0].text)
        if not (known.stands(told, 0) or known.follows(told, places) or reckoned(turn, told)):
            quote = f"{min(keys)}: {_plain(own)}"
            yield Mismatch(claim, step, amounts[0].text.strip(), quote, quote)
            return


# `the new total is $65.10`, `your balance: 12.44`; not `a subtotal of $75`.
_SAID_OF_IT = regex(
    r"(?<!\ba )(?<!\ban )(?<!\bany )(?<!\beach )\b(?:total|subtotal|balance|totale"
    r"|gesamt|gesamtbetrag|summe|saldo|solde|totaal)"
    r"\b(?:[\s*_`:|=(–€$£-]|\b(?:is|are|was|comes?|to|now|then|stands|at|of|ist|beträgt|liegt|bei|jetzt|es|está|de|ahora"
    r"|est|è|EUR|USD|GBP)\b)*\Z",
    re.IGNORECASE,
)


def _told(
    turn: Turn, step: Step, group: dict[str, float], key: str, own: set[float]
) -> Iterator[Mismatch]:
    document = turn.closing.document
    place = rf"(?<![\w-]){re.escape(_word(key))}(?![\w-])"
    for hit in re.finditer(place, document.text, re.IGNORECASE):
        claim = stated_at(turn, hit.start())
        if claim is None:
            continue
        start, end = document.sentences[claim.clause.sentence]
        text = document.text[start:end]
        if any(k != key and _names(k, text) for k in group) or not own.isdisjoint(_numbers(text)):
            continue
        if group[key] == 0 and _NONE.search(text):
            continue  # `none of the 42 failed`
        numbers = _numbers(_OF.sub(" ", text))  # `6 of 12 are running`: six of what, it says itself
        for other, value in group.items():
            if (
                other != key
                and value in numbers
                and _has_it(document.text, hit.end(), end, value, step)
                and not _with(turn, key, value)
            ):
                was, said = _plain(group[key]), _plain(value)
                quote = f"{key}: {was}, {other}: {said}"
                yield Mismatch(claim, step, f"{said} for {key}", was, quote)
                return


def _has_it(text: str, at: int, end: int, value: float, step: Step) -> bool:
    """`berlin has dark-menu at 40 %`: the number is said of the key, with nothing of another kind between."""
    for found in _NUMBER.finditer(text, at, end):
        if number(found.group()) == value:
            given = step.folded_arguments
            words = _BETWEEN.findall(text[at : found.start()].casefold())
            if _LEFT.match(text, found.end()) or len(words) > 8:
                return False
            return all(word in _COPULAS or word in given for word in words)
    return False


_BETWEEN = regex(r"[^\W\d_][\w'’-]*")
_LEFT = regex(
    r"[%\s*`]*(?:\w+ )?(?:more|fewer|less|left|remain\w*|free|available|still|mehr|weniger|übrig|frei|más|menos|libres"
    r"|restan\w*|quedan|de plus|restant\w*|libres|in più|liber[ie]|livres)\b",
    re.IGNORECASE,
)
_COPULAS = frozenset(
    "is are was were has have had gets got serves served shows stands sits holds reports counts now currently at on in"
    " to of for with by the a an its their it that which and share rate value count total hat haben ist sind"
    " steht stehen bei auf jetzt mit von es die der das tiene tienen está están en con de la el ahora a est sont à au"
    " le les maintenant è ha hanno sono il al adesso tem têm está com o os agora percent per cent".split()
)
_NONE = regex(
    r"\b(?:no|none|nothing|nobody|zero|without|never|not|n['’]t|kein\w*|nichts?|null|ohne|aucune?|rien|sans|zéro|ningun\w*"
    r"|ningún|nada|sin|cero|nenhum\w*|sem|zero|nessun\w*|niente|senza)\b|没有|无|零|なし|ありません|ゼロ|없",
    re.IGNORECASE,
)
# Where a number is that of something else, beside which the own one is held.
COMPARED = regex(
    r"\b(?:above|over|below|under|beyond|past|exceed\w*|covers?|more than|less than|at least|at most|short of|within"
    r"|minimum|threshold|limit|until|to reach|über|unter|mindestens|höchstens|deckt|más de|menos de|supera|cubre"
    r"|plus de|moins de|dépasse|couvre|più di|meno di|oltre|sopra|sotto|copre|mais de|menos de|acima|abaixo|cobre)\b",
    re.IGNORECASE,
)


def _numbers(text: str) -> set[float | None]:
    return {number(found) for found in _NUMBER.findall(text)}


def _groups(value: Any) -> Iterator[dict[str, float]]:
    """Flat groups of two and more numbers of an answer, each number once."""
    waiting, left = [value], _GROUPS
    while waiting and left:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += item[:_KEYS]
        elif isinstance(item, dict):
            group = {
                key: float(own)
                for key, own in list(item.items())[: 2 * _KEYS]
                if isinstance(own, (int, float)) and not isinstance(own, bool)
                and key.casefold() not in _APART and len(key) >= 3
            }  # fmt: skip
            if 2 <= len(group) == len(item) <= _KEYS:
                left -= 1
                yield group
            waiting += [own for own in item.values() if isinstance(own, (dict, list))]


def _with(turn: Turn, key: str, value: float) -> bool:
    """True when some call or answer of the turn has this number for this key, or beside its name."""
    own = _plain(value)
    near = re.compile(
        rf"(?<!\w){re.escape(key)}\b.{{0,40}}?(?<![\d.]){re.escape(own)}(?![\d.]*\d)"
        rf"|(?<![\d.]){re.escape(own)}(?![\d.]*\d).{{0,40}}?\b{re.escape(key)}(?!\w)",
        re.IGNORECASE,
    )
    for step in turn.ledger.acts:
        if key in step.argument_text and re.search(
            rf"(?<![\d.]){re.escape(own)}(?![\d.]*\d)", step.argument_text[:_READ]
        ):
            return True
        if not isinstance(step.json, (dict, list)) and near.search(step.text[:_READ]):
            return True
    return False


def _names(key: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(_word(key))}", text, re.IGNORECASE) is not None


def _word(key: str) -> str:
    return key.replace("_", " ").casefold()


def _plain(value: float) -> str:
    return f"{value:g}" if value < 1_000_000 else f"{value:.0f}"
