"""What a call set, and whether a later look still shows it.

Strategy: a write is read as pairs (field, value) and as replaced texts (old, new); a look at the same
object is read as records (JSON objects, `key: value` lines, rows of a table).  The last look that has
the field decides.  Nothing here knows a tool by name: the object is what both calls name, the field is
what the answer calls it.  O(arguments of the writes + results of the looks), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from .._lazy import cached_property, regex, remembered
from . import values
from .outcomes import EMPTY
from .step import Step

_RECENT = 60  # looks of a turn that are read, the last ones
_LOOKS = 12  # later looks at an object that are read, last first
_RECORDS = 200
_FIELD_KEYS = frozenset(
    "key field feld campo champ setting option property attribute param parameter variable".split()
)
_VALUE_KEYS = frozenset("value wert valor valeur valore val".split())
# Arguments that say where or how, and set nothing.
_ADDRESS = regex(
    r"(?:^|_)(?:id|ids|uuid|path|file|file_path|url|env|namespace|region|query|q|fields|limit"
    r"|page|reason|message|comment|body|text)$"
)
_OFF = frozenset(
    "false off no 0 none disabled inactive inactiva inativo inactivo inactif desactivado"
    " désactivé deaktiviert aus nein non"
    " nao não disattivata disattivato 否 关闭 無効 아니오".split()
)
_ON = frozenset(
    "true on yes 1 enabled active activa ativo activo actif activado activé aktiv aktiviert ein"
    " ja sí si sim oui attiva attivo 是 启用 有効 예".split()
)
_NOT = ("not ", "non ", "nicht ", "no ", "não ", "pas ")
_SED = regex(r"^s([/|#,@])((?:\\.|(?!\1)[^\\\n]){1,200})\1((?:\\.|(?!\1)[^\\\n]){0,200})\1")
_SEARCH = regex(r"<{5,9} ?SEARCH\n(.{1,2000}?)\n={5,9}\n(.{0,2000}?)\n?>{5,9} ?REPLACE", re.DOTALL)
_RENAME = regex(
    r"\brename\s(?:column\s)?[\"'`]?(\w{2,60})[\"'`]?\sto\s[\"'`]?(\w{2,60})", re.IGNORECASE
)
_LINE = regex(
    r"^\s{0,8}[\"']?([\w .-]{1,40}?)[\"']?\s{0,3}[:=]\s{0,3}[\"']?([^\n\"']{1,80}?)[\"']?,?$",
    re.MULTILINE,
)


class Denial(NamedTuple):
    """A later look that shows another state than the write set.

    wanted: what was set (empty for a removal).  shown: what stands there instead, as a quote.
    """

    write: Step
    look: Step
    wanted: str
    shown: str


def denials(steps: Sequence[Step]) -> list[Denial]:
    """Every write of the turn whose last look denies it, in order.  O(steps)."""
    acts = _Acts(steps)
    if not acts.looks:
        return []
    found: list[Denial] = []
    for write in steps:
        if (
            write.result is None
            or write.reads_only
            or write.delegated
            or write.control
            or write.order >= acts.looks[-1].order
        ):
            continue
        hit = _denied(write, acts) if not write.outcome.bad else _refused(write, acts)
        if hit is not None:
            found.append(hit)
    return found


def shown_done(steps: Sequence[Step]) -> frozenset[int]:
    """The orders of the failed calls whose last look has two and more of the values that they set, and no other."""
    acts = _Acts(steps)
    failed = [s for s in steps if s.command is None and not s.reads_only and s.outcome.bad]
    return frozenset(step.order for step in failed[-_RECENT:] if _agrees(step, acts))


def _agrees(write: Step, acts: _Acts) -> bool:
    for look in reversed(acts.looks_at(write)[-_LOOKS:]):
        shown = [(wanted, _shown(write, look, field)) for field, wanted in _pairs(write)]
        told = [(wanted, value) for wanted, value in shown if value is not None]
        if len(told) >= 2:
            return all(_equal(wanted, value) for wanted, value in told)
    return False


class _Acts:
    """The acts of a turn by what they are about."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = steps
        self.looks = [step for step in steps if _is_look(step)][-_RECENT:]

    @cached_property
    def _looks_by_key(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, look in enumerate(self.looks):
            for key in _keys(look):
                found.setdefault(key, []).append(place)
        return found

    def looks_at(self, write: Step) -> list[Step]:
        """The looks after the write that may be about the same object, in order."""
        places = {place for key in _keys(write) for place in self._looks_by_key.get(key, ())}
        return [
            look
            for place in sorted(places)
            if (look := self.looks[place]).order > write.order and _about(write, look)
        ]

    @cached_property
    def _writes(self) -> list[Step]:
        return [
            step
            for step in self.steps
            if step.result is not None and not step.reads_only and not step.outcome.bad
        ]

    @cached_property
    def _last_by_name(self) -> dict[str, int]:
        return {step.name: step.order for step in self._writes}

    @cached_property
    def _edits_by_tail(self) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for step in self._writes:
            for path in step.edited:
                found.setdefault(_tail(path), {})[path] = step.order
        return found

    def again(self, write: Step, look: Step) -> bool:
        """True when the object was written again after the look."""
        return self._last_by_name.get(write.name, -1) > look.order or any(
            order > look.order and values.same_path(path, own)
            for own in write.edited
            for path, order in self._edits_by_tail.get(_tail(own), {}).items()
        )

    @cached_property
    def _asked(self) -> dict[tuple[str, str], list[Step]]:
        found: dict[tuple[str, str], list[Step]] = {}
        for step in self.steps:
            if step.result is not None:
                found.setdefault((step.name, step.argument_text), []).append(step)
        return found

    def before(self, write: Step, look: Step) -> Step | None:
        """The last time before the write that the same was looked at."""
        alike = self._asked.get((look.name, look.argument_text), ())
        return next(
            (
                step
                for step in reversed(alike)
                if step.order < write.order and step.arguments == look.arguments
            ),
            None,
        )


def finds_nothing(look: Step) -> bool:
    """True for a search that went through and has no hit."""
    if not look.reads_only or "search" not in look.effects or look.result is None:
        return False
    return look.outcome.kind == EMPTY or _NO_HIT.match(look.text.strip()[:200]) is not None


_NO_HIT = regex(r"(?:no (?:files|matches|results|occurrences)\b.*|found 0\b.*|0 matches)?\Z", re.I)


def own_denials(step: Step) -> list[tuple[str, str]]:
    """(asked, `field: given`) where a call's own answer has another value for a field that it was given."""
    found: list[tuple[str, str]] = []
    answers = records(step)
    for field, wanted in _pairs(step):
        shown = [record[field] for record in answers if field in record]
        if shown and not any(_equal(wanted, text) for text in shown):
            short = shown[0].split(" (")[0]
            kinds = {values.classify(wanted), values.classify(short)}
            counted = values.number(short) is not None and values.number(wanted) is None
            if not _equal(wanted, short) and all(kinds) and not counted:  # `files: 1` counts them
                found.append((wanted, f"{field}: {short}"))
    return found


def _is_look(step: Step) -> bool:
    if step.result is None or step.outcome.bad or step.delegated or step.runs_check:
        return False
    if step.command is None and not step.argument_leaves and isinstance(step.json, dict):
        return True  # `tickets.snapshot()`: what is given nothing sets nothing
    return step.reads_only or (
        step.command is not None and bool(step.effects & {"read", "search"}) and not step.edited
    )


def _refused(write: Step, acts: _Acts) -> Denial | None:
    """A call that failed, and the last look at the object has another value than it was to set."""
    if write.command is not None or write.edited:
        return None
    for look in reversed(acts.looks_at(write)[-_LOOKS:]):
        for field, wanted in _pairs(write):
            shown = _shown(write, look, field)
            if shown is not None and not _equal(wanted, shown):
                return (
                    None
                    if acts.again(write, look)
                    else Denial(write, look, wanted, f"{field}: {shown}")
                )
    return None


def _denied(write: Step, acts: _Acts) -> Denial | None:
    near = acts.looks_at(write)[-_LOOKS:]
    for look in reversed(near):
        for old, new in _replaced(write):
            verdict = _still_old(old, new, look.text)
            if verdict is None:
                continue
            if not verdict or acts.again(write, look):
                return None
            return Denial(write, look, new, old)
        agrees = False
        for field, wanted in _pairs(write):
            shown = _shown(write, look, field)
            if shown is None:
                continue
            if not _equal(wanted, shown):
                return (
                    None
                    if acts.again(write, look)
                    else Denial(write, look, wanted, f"{field}: {shown}")
                )
            agrees = agrees or wanted.casefold() not in look.argument_text.casefold()
        if agrees:
            return None
        lost = _lost(write, look) or _elsewhere(write, look, near)
        if lost:
            return (
                None
                if acts.again(write, look)
                else Denial(write, look, lost, look.text.strip()[:120])
            )
        removed = _still_there(write, look)
        if removed:
            return None if acts.again(write, look) else Denial(write, look, "", removed)
        off = _flag_off(write, look)
        if off:
            return Denial(write, look, "", off)
    return _same_as_before(write, acts)


# --- the same object ----------------------------------------------------------------------------------


@remembered
def _names(step: Step) -> frozenset[str]:
    """Short argument values: what the call is about."""
    found = {path.rsplit("/", 1)[-1] for path in step.paths}
    if step.command is None:
        for _, text in step.argument_leaves[:60]:
            if (1 < len(text) <= 80 and not text.isdigit()) or (len(text) >= 2 and text.isdigit()):
                found.add(text.casefold())
    return frozenset(found)


def _tail(path: str) -> str:
    return path.rsplit("/", 1)[-1]


@remembered
def _keys(step: Step) -> frozenset[str]:
    """What two calls about one object have one of in common."""
    tails = frozenset(map(_tail, (*step.paths, *step.edited)))
    if step.command is not None:
        return tails
    return tails | _names(step) | {f"tool {step.words[:1]}"}


def _about(write: Step, look: Step) -> bool:
    if (
        write.paths
        and look.paths
        and any(values.same_path(a, b) for a in write.edited or write.paths for b in look.paths)
    ):
        return True
    if write.edited and look.paths and look.command is None:
        return False  # another file
    if write.command is not None or look.command is not None:
        return False
    return bool(_names(write) & _names(look)) or _kin(write, look)


def _kin(one: Step, other: Step) -> bool:
    """Tools of one family: `ads.update_campaign` and `ads.list_campaigns`."""
    a, b = one.words[:1], other.words[:1]
    return bool(a) and a == b and ("." in one.name or "_" in one.name)


# --- what was set -------------------------------------------------------------------------------------


@remembered
def _replaced(step: Step) -> list[tuple[str, str]]:
    """(old, new) texts that an edit exchanges."""
    found: list[tuple[str, str]] = []
    arguments = step.arguments
    if step.command is not None:
        for part in step.command.parts:
            if part.program == "sed" and any(
                w.startswith("-") and "i" in w for w in part.words[1:4]
            ):
                for word in part.words[1:]:
                    hit = _SED.match(word)
                    if hit:
                        found.append(
                            (hit.group(2).replace("\\", ""), hit.group(3).replace("\\", ""))
                        )
        return found
    if not isinstance(arguments, dict):
        return found
    for holder in (
        [arguments, *[e for e in arguments.get("edits", []) if isinstance(e, dict)][:20]]
        if isinstance(arguments.get("edits", []), list)
        else [arguments]
    ):
        old = (
            holder.get("old_string")
            or holder.get("old_str")
            or holder.get("old")
            or holder.get("search")
        )
        new = (
            holder.get("new_string")
            or holder.get("new_str")
            or holder.get("new")
            or holder.get("replace")
        )
        if isinstance(old, str) and isinstance(new, str) and old.strip():
            found.append((old, new))
    for _, text in step.argument_leaves[:20]:
        if "SEARCH" in text:
            found += [(m.group(1), m.group(2)) for m in _SEARCH.finditer(text[:20_000])]
        hit = _RENAME.search(text[:2000])
        if hit:
            found.append((hit.group(1), hit.group(2)))
    return found[:20]


def _still_old(old: str, new: str, text: str) -> bool | None:
    """True: the look shows the old line and not the new; False: it shows the new; None: neither."""
    mark_old, mark_new = _mark(old, new), _mark(new, old)
    if not mark_old or not text:
        return None
    if mark_new and _has(mark_new, text):
        return False
    if _has(mark_old, text):
        return True
    key = _KEYED.match(mark_new)
    # the one line of that key has another value, whatever the edit looked for
    return True if key and len(re.findall(_line_of(key.group(1)), text)) == 1 else None


_KEYED = regex(r"([A-Za-z_][\w.-]{2,40}\s?[:=]) ?\S")


def _line_of(key: str) -> str:
    return rf"(?m)^(?:\s*\d+[\t→:|])?\s*{re.escape(key)}"


def _mark(text: str, other: str) -> str:
    """The first line of `text` that `other` lacks: what a look has to show."""
    for line in text.split("\n"):
        line = " ".join(line.split())
        if len(line) >= 4 and line not in other:
            return line
    return ""


def _has(mark: str, text: str) -> bool:
    flat = " ".join(text.split())
    at = flat.find(mark)
    while at >= 0:
        if not (
            (mark[0].isalnum() and flat[at - 1 : at].isalnum())
            or (mark[-1].isalnum() and flat[at + len(mark) : at + len(mark) + 1].isalnum())
        ):
            return True
        at = flat.find(mark, at + 1)
    return False


@remembered
def _pairs(step: Step) -> list[tuple[str, str]]:
    """(field, value) that the call sets; addresses and texts left out."""
    if step.command is not None or (step.edited and step.paths and "save" in step.effects):
        return []
    leaves = step.argument_leaves[:40]
    named = dict(leaves)
    field = next((named[key] for key in _FIELD_KEYS if key in named), "")
    value = next((named[key] for key in _VALUE_KEYS if key in named), "")
    if field and value:
        return [(field.casefold(), value), ("value", value)]
    return [(key, text) for key, text in leaves if 0 < len(text) <= 80 and not _ADDRESS.search(key)]


# --- what is shown ------------------------------------------------------------------------------------


@remembered
def records(step: Step) -> list[dict[str, str]]:
    """The records of a look: field -> text, all lower case keys.  At most 200."""
    if step.json is not None:
        return list(_dicts(step.json))
    text = step.text[:20_000]
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in text.split("\n")
        if "|" in line
    ]
    if len(rows) >= 2:
        head = [cell.casefold() for cell in rows[0]]
        return [
            dict(zip(head, row, strict=False))
            for row in rows[1:_RECORDS]
            if any(cell.strip("-: ") for cell in row)
        ]
    pairs = {m.group(1).strip().casefold(): m.group(2).strip() for m in _LINE.finditer(text)}
    return [pairs] if pairs else []


def _dicts(value: Any) -> Iterator[dict[str, str]]:
    """Every JSON object with its scalar fields; those of an outer object are handed down."""
    stack: list[tuple[Any, dict[str, str]]] = [(value, {})]
    seen = 0
    while stack and seen < _RECORDS:
        item, outer = stack.pop()
        seen += 1
        if isinstance(item, list):
            stack += [(inner, outer) for inner in reversed(item[:_RECORDS])]
        elif isinstance(item, dict):
            own = {
                str(k).casefold(): ("true" if v is True else "false" if v is False else str(v))
                for k, v in list(item.items())[:60]
                if isinstance(v, (str, int, float, bool)) and len(str(v)) <= 200
            }
            inner = {**outer, **own}
            children = [v for v in item.values() if isinstance(v, (dict, list))]
            yield inner
            stack += [(child, inner) for child in reversed(children[:60])]


def _shown(write: Step, look: Step, field: str) -> str | None:
    """What the look gives for the field of the written object; None where it does not say."""
    mine = {
        text.casefold()
        for key, text in write.argument_leaves[:40]
        if len(text) <= 80 and key != field
    }
    asked = {text.casefold() for _, text in look.argument_leaves[:40] if len(text) <= 80}
    addressed = bool(mine & asked)
    found: list[tuple[int, str]] = []
    for record in records(look):
        if field not in record:
            continue
        shared = sum(1 for text in record.values() if text.casefold() in mine and len(text) > 1)
        if shared or addressed:
            found.append((shared, record[field]))
    if not found:
        return None
    best = max(score for score, _ in found)
    shown = [text for score, text in found if score == best]
    wanted = next((text for key, text in write.argument_leaves if key == field), "")
    if best == 0 and len(set(shown)) > 1:
        return None  # several records, and nothing says which is ours
    keys = [key for key, _ in write.argument_leaves[:40]]
    several = len(keys) != len(set(keys))  # one call for several objects: each has to show it
    if not several and any(_equal(wanted, text) for text in shown):
        return wanted
    return next((text for text in shown if wanted and not _equal(wanted, text)), shown[0])


def _equal(one: str, other: str) -> bool:
    a, b = one.strip().casefold(), other.strip().casefold()
    if a == b:
        return True
    truth = _truth(a), _truth(b)
    if None not in truth:
        return truth[0] == truth[1]
    x, y = values.number(a), values.number(b)
    if x is not None and y is not None:
        return x == y
    if (x is None) != (y is None) and None in truth:
        return a in b or b in a
    # an address and its longer form, a name and its id: only plain states are compared
    return (
        a in b
        or b in a
        or len(a.split()) > 8
        or len(b.split()) > 8
        or (not (_state(a) and _state(b)) and values.classify(a) != values.classify(b))
    )


def _truth(text: str) -> bool | None:
    for word in _NOT:
        if text.startswith(word) and text[len(word) :] in _ON:
            return False
    return True if text in _ON else False if text in _OFF else None


def _state(text: str) -> bool:
    return len(text) <= 40


def _still_there(write: Step, look: Step) -> str:
    """A removed member that the look still lists."""
    if not write.effects & {"delete"} or write.command is not None or look.json is None:
        return ""
    asked = {text.casefold() for _, text in look.argument_leaves[:40]}
    for _, text in write.argument_leaves[:20]:
        low = text.casefold()
        if not 2 <= len(text) <= 80 or low in asked:
            continue
        if any(
            leaf.casefold() == low
            for key, leaf in look.result_leaves[:400]
            if not key.startswith(("removed", "deleted", "inactive", "former", "archived"))
        ):
            return text
    return ""


def _lost(write: Step, look: Step) -> str:
    """A line appended by `echo ... | tee -a f` or `>> f` that the whole file does not hold later."""
    if write.command is None or look.command is None or not write.edited:
        return ""
    whole = any(
        part.program == "cat"
        and part.after not in ("|", "|&")
        and any(
            values.same_path(values.norm_path(w), p) for w in part.words[1:] for p in write.edited
        )
        for part in look.command.parts
    )
    if not whole:
        return ""
    for part in write.command.parts:
        if part.program in ("echo", "printf") and len(part.words) >= 2:
            line = (
                " ".join(word for word in part.words[1:] if not word.startswith("-"))
                .split("\\n")[0]
                .strip()
            )
            if len(line) >= 4 and line not in look.text:
                return line
    return ""


def _elsewhere(write: Step, look: Step, near: Sequence[Step]) -> str:
    """A moved or added thing that the place it should be in lacks, and another place shows."""
    if (
        write.command is not None
        or not write.effects & {"move", "create", "move_stage"}
        or look.json is None
    ):
        return ""
    mine = [text for _, text in write.argument_leaves[:20] if 2 <= len(text) <= 80]
    place = {text.casefold() for _, text in look.argument_leaves[:20]} & {
        text.casefold() for text in mine
    }
    if not place or not look.result_leaves:
        return ""
    for text in mine:
        low = text.casefold()
        if low in place or low in look.text.casefold():
            continue
        if any(
            other is not look and low in other.text.casefold() and other.name == look.name
            for other in near
        ):
            return text
    return ""


_FLAGS = {
    "archive": "archiv", "enable": "enabl", "release": "publish", "send": "sent", "approve": "approv", "close": "clos",
    "cancel": "cancel", "disable": "disabl", "delete": "delet",
}  # fmt: skip


def _flag_off(write: Step, look: Step) -> str:
    """`is_archived: false` after an archive call."""
    if write.command is not None or not _names(write) & _names(look):
        return ""
    stems = [stem for effect, stem in _FLAGS.items() if effect in write.effects]
    flags = [(k, v) for k, v in look.result_leaves[:200] if any(stem in k for stem in stems)]
    if any(text == "True" for _, text in flags):
        return ""  # `"email_sent": true, "sms_sent": false`: one way of it was taken
    for key, text in look.result_leaves[:200]:
        if text == "False" and any(stem in key for stem in stems):
            return f"{key}: false"
    return ""


def _same_as_before(write: Step, acts: _Acts) -> Denial | None:
    """The same look, before and after the write, gives the same answer, and not what was set."""
    numbers = [text for _, text in write.argument_leaves[:40] if text.isdigit()]
    if write.command is not None:
        numbers = [
            word
            for part in write.command.parts
            for word in part.words[1:]
            if word.isdigit() and len(word) < 10
        ]
    if not numbers:
        return None
    for look in reversed(acts.looks):
        if look.order <= write.order:
            break
        if len(look.text) > 4000 or acts.again(write, look):
            continue
        before = acts.before(write, look)
        if (
            before is not None
            and before.text == look.text
            and not any(_has(number, look.text) for number in numbers)
        ):
            ours = write.ids & look.ids if write.command is None else _shared_words(write, look)
            if ours:
                return Denial(write, look, numbers[-1], look.text.strip()[:160])
    return None


def _shared_words(one: Step, other: Step) -> bool:
    if one.command is None or other.command is None:
        return False
    mine = {
        word
        for part in one.command.parts
        for word in part.words[1:]
        if len(word) > 3 and not word.startswith("-")
    }
    return any(word in mine for part in other.command.parts for word in part.words[1:])
