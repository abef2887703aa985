"""A change made to something that nobody named: `/visit/parking is live` over `publish(page=577)`, and it was 576.

A look of the turn gave one record for what the closing names, or was itself asked for it; the change was given
another id or name of the same form under the same key, and that stands nowhere before: not in what the user said,
not in an earlier call or result, and not in the closing.  No change was given the right one.
Only for agents with functions.  O(arguments + results), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..evidence.step import Step
from ..evidence.values import leaves
from .codes import stated_at
from .mismatch import Mismatch

_READ = 20_000  # characters of a text
_ALL = 300_000  # ... and of all that stands before a change
_MOST = 60  # changes and looks of a turn, the last ones; leaves of an answer
# Two of a kind, and no amount, date or time: a whole number, or a code of letters, digits and signs.
_CODE = regex(r"\d{2,12}|(?=\S*\d)(?=\S*[^\W\d])[\w./@-]{3,60}|[\w-]{2,40}(?:[.@][\w-]{2,40}){1,4}")
_TIME = regex(r"\d{4}-\d\d-\d\d.*|\d{1,2}[:.]\d\d.*|v?\d+\.\d+.*|\d+[^\W\d]{1,3}")
_MAKES = frozenset("create add book send notify post copy generate schedule".split())
_NO_NAME = frozenset(
    "text body title message comment reason note query q limit page_size size quantity qty amount amount_cents"
    " price total percent value description subject content date time start end from until count ttl version"
    " idempotency_key request_id trace_id nonce".split()
)


class _Known(NamedTuple):
    """One thing that a look was for: what it is known by, and the names that belong to it."""

    key: str
    value: str
    names: tuple[str, ...]


def strangers(turn: Turn) -> Iterator[tuple[Claim, Step, Mismatch]]:
    """(claim, call, what differs) of a change to another thing than the one that was looked up."""
    acts = [step for step in turn.ledger.acts if step.result is not None]
    if any(step.delegated or step.command is not None for step in acts):
        return
    changes = [
        step for step in acts
        if not (step.reads_only or step.outcome.bad or step.control)
    ][-_MOST:]  # fmt: skip
    if not changes:
        return
    changed = [step for step in changes if "unknown" not in step.effects]
    given = {text.casefold() for step in changed for _, text in step.argument_leaves[:_MOST]}
    before = "\n".join([turn.task, *(m.text[:_READ] for _, m in turn.ledger.messages)]).casefold()
    closing = turn.closing.document.text.casefold()
    known: dict[tuple[str, str], list[_Known]] = {}  # by key and form
    for step in acts:
        own = f"{step.argument_text[:_READ]}\n{step.text[:_READ]}".casefold()
        if step in changes:
            for key, text in step.argument_leaves[:_MOST]:
                things = known.get((_bare(key), _form(text)), ()) if _is_code(text) else ()
                if not things or _goes_by_another(step, key, before):
                    continue  # `assign(ticket=4471, agent=52)`: the new agent is what is set
                if (
                    _last(key) in _NO_NAME
                    or _stands(text.partition("@")[0], before)
                    or _stands(text, closing)
                ):
                    continue
                for thing in things[-_MOST:]:
                    if (
                        thing.value.casefold() not in given
                        and not any(_stands(name, own) for name in thing.names)
                        and (claim := _told(turn, thing)) is not None
                        and (not step.effects & _MAKES or _gives_another(turn, claim, step, text))
                    ):
                        said = thing.value
                        if said not in thing.names and thing.names:
                            said = f"{thing.names[0]} ({said})"
                        yield claim, step, Mismatch(claim, step, said, text, text)
                        return
        if not step.outcome.bad and (step.reads_only or "unknown" in step.effects):
            for thing in _looked_up(step):
                known.setdefault((thing.key, _form(thing.value)), []).append(thing)
        before += "\n" + own
        if len(before) > _ALL:
            return  # of so much more than can be looked through, nothing is a stranger


def _goes_by_another(step: Step, key: str, before: str) -> bool:
    """True when the call names what it changes by another id, and that one is known."""
    return any(
        other != key and _last(other) not in _NO_NAME and _is_code(text) and _stands(text, before)
        for other, text in step.argument_leaves[:_MOST]
    )


def _looked_up(look: Step) -> Iterator[_Known]:
    """What the look was asked for, and the one record that it gave."""
    asked = [(_bare(key), text) for key, text in look.argument_leaves[:_MOST] if _is_code(text)]
    for key, text in asked:
        if key not in _NO_NAME:
            yield _Known(key, text, (text,))
    holder, record = "", look.json
    while isinstance(record, dict) and len(record) <= 3:
        lists = [(k, v) for k, v in record.items() if isinstance(v, (list, dict))]
        if len(lists) != 1:
            break
        holder, record = lists[0]
        if isinstance(record, list):
            record = record[0] if len(record) == 1 else None
    if not isinstance(record, dict):
        return
    found = [(_last(key), str(text)) for key, text in leaves(record)[0][:_MOST]]
    names = tuple(text for key, text in found if len(text) >= 4 and not text.isdigit())
    for key, text in found:
        if key.endswith("id") and _is_code(text):
            yield _Known(_bare(f"{holder}_id" if key == "id" else key), text, names)


def _told(turn: Turn, thing: _Known) -> Claim | None:
    """The plain statement of the closing that names the thing."""
    document = turn.closing.document
    for name in thing.names:
        if name.casefold() not in document.text.casefold():
            continue
        for hit in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", document.text, re.IGNORECASE):
            claim = stated_at(turn, hit.start())
            if (
                claim is not None
                and _SAME_AS.search(document.text, claim.start, hit.start()) is None
                and claim.effect not in ("read", "search", "verify", "fetch")
                and not any(d.sentence == claim.clause.sentence for d in turn.disclosures)
            ):
                return claim
    return None


# What it is like, and not what was changed.
_SAME_AS = regex(
    r"\b(?:same|like|copied from|cloned from|matching|gleiche\w*|selbe\w*|wie|mism[oa]s?|como|mêmes?|comme|stess[oaie]"
    r"|come)\b|\b(?:layout|settings?|role|template|config(?:uration)?|value|address|permissions?) of \S*\Z",
    re.IGNORECASE,
)


def _gives_another(turn: Turn, claim: Claim, step: Step, text: str) -> bool:
    """True where the statement gives something else that the call was given: what is made may have a new name."""
    document = turn.closing.document
    told = document.text[slice(*document.sentences[claim.clause.sentence])].casefold()
    return any(
        len(own) >= 4 and own != text and _stands(own, told)
        for _, own in step.argument_leaves[:_MOST]
    )


def _is_code(text: str) -> bool:
    return _CODE.fullmatch(text) is not None and _TIME.fullmatch(text) is None


def _form(text: str) -> str:
    """`577` and `576` are of one form, `INV-12` and `INV-7` too, `www.a.test` and `files.a.test` too."""
    if text.isdigit():
        return f"0{len(text)}"
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", text))


def _last(key: str) -> str:
    return key.rpartition(".")[2].casefold()


def _bare(key: str) -> str:
    """`pages_id`, `page_id` and `page` are one key."""
    return re.sub(r"s?(?:_?ids?)?$", "", _last(key)) or "id"


def _stands(text: str, among: str) -> bool:
    low = text.casefold()
    return low in among and re.search(rf"(?<!\w){re.escape(low)}(?!\w)", among) is not None
