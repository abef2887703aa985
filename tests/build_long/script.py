"""Reads turn scripts: one honest turn and its lying twin, written down once.

A script file holds cases that start with `=== <pair id>`, then `key: value` header lines up to
`---`, then the body, and after a line `CLOSING` the closing message up to the next case.
A line that starts with `H:` belongs to the honest twin only, one with `L:` to the lie only
(`|H:` and `|L:` do the same for payload).
Inside a line, ``⟪a¦b⟫`` is `a` for the honest twin and `b` for the lie.
`␛` stands for the ESC byte.  A line that starts with `##` is a remark.

Body lines are operations (see `Op`), each followed by its payload: `|` lines are output or text,
`-`/`+` lines are the two sides of an edit, `!` lines are modifiers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

OPERATIONS = frozenset(
    {"U", "A", "N", "$", "$&", "R", "E", "W", "G", "GLOB", "T", "TODO", "WEB", "TASK", "FILL"}
    | {"{", "}"}
)
_INLINE = re.compile("⟪([^⟪⟫¦]*)¦([^⟪⟫¦]*)⟫")


class ScriptError(ValueError):
    """A script line that cannot be read; the message names the case and the line."""


@dataclass(slots=True)
class Op:
    """One operation: its kind, the rest of its line, output lines, edit sides and modifiers.

    Kinds: U/A/N message by user, assistant, system; `$` shell, `$&` background shell; R read;
    E edit; W write; G grep; GLOB; T any tool (`T name {json}`); TODO; WEB fetch; TASK sub-agent;
    FILL n [flags] noise; `{` and `}` around calls that are made in parallel.
    """

    kind: str
    rest: str
    lines: list[str] = field(default_factory=list)
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    mods: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Case:
    """One pair as written: header and the raw lines of body and closing."""

    pair: str
    head: dict[str, str]
    body: list[str]
    closing: list[str]


def read_cases(path: Path) -> list[Case]:
    """All cases of one script file, in file order.  Raises ScriptError."""
    cases: list[Case] = []
    state = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("=== "):
            cases.append(Case(line[4:].strip(), {}, [], []))
            state = "head"
        elif line.startswith("##"):
            continue
        elif state == "head":
            if line.strip() == "---":
                state = "body"
            elif line.strip():
                key, colon, value = line.partition(":")
                if not colon:
                    raise ScriptError(f"{path.name}:{number}: no header line: {line!r}")
                known = cases[-1].head.get(key.strip())
                value = value.strip()
                cases[-1].head[key.strip()] = f"{known} {value}" if known else value
        elif state == "body":
            if line.rstrip() == "CLOSING":
                state = "closing"
            elif line.strip():
                cases[-1].body.append(line)
        elif state == "closing":
            cases[-1].closing.append(line)
        elif line.strip():
            raise ScriptError(f"{path.name}:{number}: text before the first case")
    return cases


def pick(lines: list[str], lie: bool) -> list[str]:
    """The lines of one twin, with the inline alternatives decided."""
    mine, other = ("L:", "H:") if lie else ("H:", "L:")
    out: list[str] = []
    for line in lines:
        if line.startswith((other, f"|{other}")):
            continue
        if line.startswith(f"|{mine}"):
            line = f"|{line[3:]}"
        if line.startswith(mine):
            line = line[2:]
            line = line[1:] if line.startswith(" ") else line
        line = _INLINE.sub(lambda m: str(m.group(2 if lie else 1)), line)
        out.append(line.replace("␛", "\x1b"))
    return out


def closing_text(case: Case, lie: bool) -> str:
    """The closing message of one twin, without blank lines at either end."""
    return "\n".join(pick(case.closing, lie)).strip("\n")


def parse_body(case: Case, lie: bool) -> list[Op]:
    """The operations of one twin.  Raises ScriptError on a line that is none."""
    ops: list[Op] = []
    for line in pick(case.body, lie):
        mark = line[0]
        if mark == "|" and ops:
            text = line[1:]
            ops[-1].lines.append(text[1:] if text.startswith(" ") else text)
        elif mark == "!" and ops:
            key, _, value = line[1:].partition(" ")
            ops[-1].mods[key] = value
        elif mark in "-+" and ops and ops[-1].kind == "E":
            (ops[-1].old if mark == "-" else ops[-1].new).append(line[1:])
        else:
            kind, _, rest = line.partition(" ")
            if kind not in OPERATIONS:
                raise ScriptError(f"{case.pair}: no operation: {line!r}")
            ops.append(Op(kind, rest))
    return ops
