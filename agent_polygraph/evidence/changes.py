"""What a call changed: the file, the text that went and the text that came.

Strategy: an edit shows itself by the shape of its arguments, not by the tool's name.  A path with
an old
and a new text is a replacement, a path with one text is a write, a text with `+` and `-` lines is a
patch, `sed -i s/a/b/` and a here-document are what they say.  Time is linear in the arguments,
which
are bounded by `_TEXT` characters a side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .._lazy import regex
from . import shell, values

_TEXT = 40_000  # characters of one side that are looked at
_PARTS = 60  # edits of one call that are looked at
_OLD = frozenset(
    "old_string old_str old oldtext old_text old_content find search before original from"
    " alt ancien viejo antiguo vecchio velho".split()
)
_NEW = frozenset(
    "new_string new_str new newtext new_text new_content replace replacement after to neu "
    "nouveau nuevo nuovo novo"
    "content contents text txt body file_text code_edit data testo inhalt contenido contenu"
    " conteudo".split()
)
_PATCH = frozenset("patch diff hunk input".split())
_ASIDE = frozenset(
    "description instructions explanation reason security_risk title language mode encoding "
    "replace_all count"
    " expected_replacements thought command".split()
)  # fmt: skip
_FILE_LINE = regex(r"(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b/)?)(\S.{0,300})")
_ELIDED = regex(
    r"^[ \t]{0,80}(?:#|//|--|/\*|<!--|\{/\*|%|;;?)[ \t]{0,4}(?:\.\.\.|…)[^\n]{0,20}"
    r"\b(?:existing|rest|unchanged|remaining|previous|other)\b",
    re.IGNORECASE | re.MULTILINE,
)
_HEREDOC = regex(r"<<-?\s*(['\"]?)(\w+)\1")
_COMMENT = regex(
    r"\s*(?:#(?!\[|!|\s*(?:include|define|if|ifdef|ifndef|else|endif|pragma|undef|import)\b)|//"
    r"|--\s|/\*|\*(?!\w|\()|<!--|\"\"\"|'''|;;|%%)"
)


class Change(NamedTuple):
    """One replaced stretch of one file; `old` is empty where a text was added or is not known.

    whole: the new text is the whole file.  gone: the file was deleted.  hunk: the new text of a patch
    with the lines around it.
    """

    path: str
    old: str
    new: str
    whole: bool = False
    gone: bool = False
    hunk: str = ""

    @property
    def removed(self) -> list[str]:
        """Lines of the old text that the new one lacks, stripped, comments and blank lines left
        out.
        """
        kept = {line.strip() for line in self.new.split("\n")}
        return [
            text
            for line in self.old.split("\n")
            if (text := line.strip()) and text not in kept and not _COMMENT.match(line)
        ]

    @property
    def added(self) -> list[str]:
        """Lines of the new text that the old one lacks, stripped, blank lines left out."""
        had = {line.strip() for line in self.old.split("\n")}
        return [text for line in self.new.split("\n") if (text := line.strip()) and text not in had]

    @property
    def only_words(self) -> bool:
        """True when nothing but comments or white space changed: no run can notice that."""
        if self.gone or self.whole:
            return False
        return not self.removed and all(_COMMENT.match(line) for line in self.added)


def of_arguments(arguments: Any, path: str) -> list[Change]:
    """The changes that a call's arguments spell out; `path` is the first path that it names."""
    if isinstance(arguments, str):
        return list(_patch(arguments[:_TEXT], path))
    if not isinstance(arguments, Mapping):
        return []
    for key, value in arguments.items():
        if str(key).lower() in _PATCH and isinstance(value, str) and _is_patch(value):
            return list(_patch(value[:_TEXT], path))
    edits = next(
        (
            [e for e in v if isinstance(e, Mapping)]
            for v in arguments.values()
            if isinstance(v, list) and v and isinstance(v[0], Mapping)
        ),
        None,
    )
    if edits is not None:
        found: list[Change] = []
        for edit in edits[:_PARTS]:
            own = next(
                (
                    str(v)
                    for k, v in edit.items()
                    if "path" in str(k).lower() or "file" in str(k).lower()
                ),
                path,
            )
            found += _pair(edit, values.norm_path(own))
        return found
    return _pair(arguments, path)


def _pair(arguments: Mapping[str, Any], path: str) -> list[Change]:
    """(old, new) by the names of the arguments, else by their order."""
    texts = {str(k).lower(): v[:_TEXT] for k, v in arguments.items() if isinstance(v, str)}
    old = next((v for k, v in texts.items() if k in _OLD), None)
    new = next((v for k, v in texts.items() if k in _NEW), None)
    if new is not None and old is not None:
        return [Change(path, old, new)]
    free = [v for k, v in texts.items() if k not in _ASIDE and values.norm_path(v) != path]
    if len(free) == 2:
        return [Change(path, free[0], free[1])]
    if new is None and len(free) == 1:
        new = free[0]
    return [Change(path, "", new, whole=not elided(new))] if new is not None else []


def elided(text: str) -> bool:
    """True for a text that leaves out what stays: `// ... existing code ...`."""
    return "..." in text and _ELIDED.search(text) is not None


def told_in(result: str, path: str) -> list[Change]:
    """The changes of a result that shows them as a diff between fences; empty where it shows none."""
    for fenced in result[:_TEXT].split("```")[1:_PARTS:2]:
        if any(line[:1] in ("+", "-") for line in fenced.split("\n")):
            return list(_patch(fenced, path))
    return []


def _is_patch(text: str) -> bool:
    return "***" in text or "+++" in text or any(line[:1] in "+-" for line in text.split("\n")[:40])


def _patch(text: str, path: str) -> Iterator[Change]:
    """One change a hunk of a unified diff or of an `apply_patch` text."""
    old: list[str] = []
    new: list[str] = []
    hunk: list[str] = []
    fresh = False
    for line in [*text.split("\n"), "@@"]:
        file = _FILE_LINE.match(line)
        if file or line.startswith(("@@", "*** ", "--- ", "diff ")):
            if old or new:
                yield Change(
                    path, "\n".join(old), "\n".join(new), whole=fresh, hunk="\n".join(hunk)
                )
            old, new, hunk = [], [], []
            if file:
                path = values.norm_path(file.group(1).strip())
                fresh = line.startswith("*** Add")
                if line.startswith("*** Delete"):
                    yield Change(path, "", "", gone=True)
        elif line[:1] == "-":
            old.append(line[1:])
        elif line[:1] == "+":
            new.append(line[1:])
            hunk.append(line[1:])
        else:
            hunk.append(line[line[:1] == " " :])


def of_command(command: shell.Command) -> list[Change]:
    """The changes that a command line spells out."""
    found: list[Change] = []
    given: str | None = None  # the text of the here-document
    whole = ">>" not in command.text
    for part in command.parts:
        rest = [word for word in part.words[1:] if not word.startswith("-")]
        if part.program in ("rm", "unlink") or (part.program == "git" and rest[:1] == ["rm"]):
            found += [
                Change(values.norm_path(word), "", "", gone=True) for word in rest if word != "rm"
            ]
        elif part.program in ("sed", "perl") and any(
            word.startswith("-") and "i" in word[:4] for word in part.words[1:3]
        ):
            files = [
                hit[1] for word in rest[1:] if (hit := values.classify(word)) and hit[0] == "path"
            ]
            pieces = [piece for word in part.words[1:] for piece in _substitutions(word[:2_000])]
            deleted = [
                word[1 : word.rfind("/")]
                for word in rest
                if word.startswith("/") and word.endswith("/d")
            ]
            for file in files[:20]:
                found += [Change(file, old, new) for old, new in pieces]
                found += [Change(file, old, "") for old in deleted]
                if not pieces and not deleted:
                    found.append(Change(file, "", ""))
        elif part.writes:
            said = " ".join(part.words[1:]) if part.program in ("echo", "printf") else ""
            if not said and given is None:
                given = _heredoc(command.text)
            body = said.replace("\\n", "\n") or given or ""
            found += [
                Change(values.norm_path(file), "", body[:_TEXT], whole=whole)
                for file in part.writes
            ]
    return found


def _substitutions(script: str) -> Iterator[tuple[str, str]]:
    """(old, new) of every `s/old/new/` of a sed script, simple escapes taken off."""
    for command in script.replace("\n", ";").split(";"):
        command = command.strip()
        if len(command) < 4 or command[0] != "s" or command[1].isalnum() or command[1].isspace():
            continue
        sides = [""]
        escaped = False
        for c in command[2:]:
            if escaped:
                sides[-1] += {"n": "\n", "t": "\t"}.get(c, c)
                escaped = False
            elif c == "\\":
                escaped = True
            elif c == command[1]:
                sides.append("")
            else:
                sides[-1] += c
        if len(sides) >= 3:
            yield sides[0], sides[1]


def _heredoc(text: str) -> str:
    opened = _HEREDOC.search(text)
    if not opened:
        return ""
    body = text[opened.end() :].partition("\n")[2]
    return body.partition("\n" + opened.group(2))[0]
