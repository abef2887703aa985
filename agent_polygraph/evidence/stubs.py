"""Functions that a turn wrote as stubs: a body that raises `NotImplementedError`, panics with `todo!()`.

Only what the calls spell out is read (`Step.changes`), and only the last text of a function counts.  A body
is a stub where nothing in front of the mark decides or returns anything; a base class, a test and a name
that is defined otherwise elsewhere are left alone.  O(characters of the changes), bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from .._lazy import has_any, regex
from .changes import Change
from .ledger import Ledger
from .step import Step
from .touched import is_test

_MARKS = ("notimplemented", "not implemented", "not yet implemented", "todo", "unimplemented")
_NOT_YET = r"[\"'`][^\"'`\n]{0,60}\b[Nn]ot (?:[Yy]et )?[Ii]mplemented"
_MARK = regex(
    r"\braise NotImplementedError\b"
    r"|\bthrow (?:new )?(?:System\.)?(?:NotImplementedException|UnimplementedError)\b"
    r"|\b(?:todo|unimplemented)!\s?\(|(?<![\w.])TODO\(|^\s*pass\s*#\s*(?:TODO|FIXME)\b"
    r"|\b(?:throw (?:new )?\\?\w{0,40}(?:Error|Exception)|fatalError|panic|preconditionFailure|raise|die)"
    rf"\s?\(?\s?{_NOT_YET}"
    rf"|\breturn\b[^\n]{{0,40}}\b(?:errors\.New|fmt\.Errorf|Err)\({_NOT_YET}",
    re.MULTILINE,
)
# Where a function begins, in the languages that say so; a method of a class in braces by its `{`.
_HEAD = regex(
    r"^[ \t]*(?:[\w<>\[\],.?@()]+[ \t]+){0,6}?(?:def|fn|func|fun|function\*?)[ \t]+"
    r"(?:\([^()\n]{0,80}\)[ \t]*|<[^<>\n]{0,40}>[ \t]*)?(?:self\.|[A-Z]\w*\.)?(\w+[?!]?)"
    r"|^[ \t]*(?:export[ \t]+)?(?:const|let|var|val)[ \t]+(\w+)[ \t]*(?::[^=\n]{1,80})?="
    r"[ \t]*(?:async[ \t]*)?(?:function\b|\([^()\n]{0,200}\)[^=\n]{0,60}=>|\w+[ \t]*=>)"
    r"|^[ \t]*(?:[\w<>\[\],.?]+[ \t]+){0,6}"
    r"(?!(?:if|for|while|switch|catch|match|with|using|lock|return|else)\b)"
    r"(\w+)[ \t]*\([^()\n]{0,200}\)[^;{}=\n]{0,80}(?:\s{0,40}\{|=>)",
    re.MULTILINE,
)
_INIT = regex(r"^[ \t]*(?:\w+[ \t]+){0,3}init[?!]?\(", re.MULTILINE)
# What makes a body more than a stub: something is decided, tried or given back in front of the mark.
_DECIDES = regex(
    r"\b(?:if|elif|else|unless|for|foreach|while|match|switch|case|when|try|except|catch|rescue|guard|return|yield"
    r"|with|select|default)\b|=>|\?\?|&&|\|\||\band\b|\bor\b"
)
_REMARK = regex(r"\s*(?:#(?!\[)|//|/\*|\*|--|\"\"\"|''')")
_DOC = regex(r"\"\"\".*?\"\"\"|'''.*?'''", re.DOTALL)
_BASE = regex(r"\b(?:ABC|[Aa]bstract\w*|Protocol|[Ii]nterface|trait|ABCMeta|Base\w*|\w*Base)\b")
_CLASS = regex(
    r"^[ \t]*(?:[\w@]+[ \t]+){0,4}(?:class|interface|trait|protocol|object|struct|impl|module)\b[^\n]{0,200}",
    re.MULTILINE,
)
_DECORATED = regex(r"abstract|overload", re.IGNORECASE)
_DOUBLE = regex(r"mock|fake|stub|dummy|double|example|template|scaffold", re.IGNORECASE)
_BODY = 4_000  # characters of a body that are looked at
_MOST = 400  # functions of one text that are looked at
_STUBS = 40  # stubs of one file, and files with stubs, that are kept
_MOVES = frozenset(
    "checkout restore stash reset apply merge pull rebase revert cherry-pick".split()
)


class Stub(NamedTuple):
    """A function whose last text is a stub: its name, the call that wrote it, its telling line."""

    name: str
    step: Step
    path: str
    line: str


def stubs(ledger: Ledger) -> list[Stub]:
    """Functions that were left as stubs, by the last text that a call of the turn wrote for each."""
    if ledger.delegates or not any(_marked(change) for change in _changes(ledger)):
        return []
    left: dict[str, dict[str, Stub]] = {}  # by path, then by name
    built: set[str] = set()
    for step in ledger.acts:
        if step.result is None or step.outcome.bad:
            continue
        if step.command is not None and any(
            part.program == "git" and not _MOVES.isdisjoint(part.words[1:4])
            for part in step.command.parts
        ):
            left.clear()
        if not step.changes and not step.reads_only:
            # what a call does to a file without saying it is not known
            for path in [p for p in left if p.rsplit("/", 1)[-1] in step.argument_text]:
                del left[path]
        for change in step.changes:
            _take(left, built, step, change)
    return [
        stub
        for path, own in left.items()
        for stub in own.values()
        if stub.name not in built and not is_test(path) and not _DOUBLE.search(path)
    ]


def _changes(ledger: Ledger) -> Iterator[Change]:
    for step in ledger.acts:
        if not step.reads_only:
            yield from step.changes


def _marked(change: Change) -> bool:
    text = change.hunk or change.new
    return has_any(text.casefold(), _MARKS) and _MARK.search(text) is not None


def _take(left: dict[str, dict[str, Stub]], built: set[str], step: Step, change: Change) -> None:
    own = left.setdefault(change.path, {})
    if change.whole or change.gone:
        own.clear()
    elif own:
        stays = {line.strip() for line in change.new.split("\n")}
        went = {line.strip() for line in change.old.split("\n")} - stays
        heads = set(_names(change.old)) - set(_names(change.new))
        for name in [name for name, stub in own.items() if stub.line in went or name in heads]:
            del own[name]
    for name, line in _functions(change.hunk or change.new):
        own.pop(name, None)
        if not line:
            built.add(name)
        elif len(own) < _STUBS:
            own[name] = Stub(name, step, change.path, line)
    if not own or len(left) > _STUBS:
        del left[change.path]


def _names(text: str) -> Iterator[str]:
    return (next(filter(None, found.groups())) for found in _HEAD.finditer(text))


def _functions(text: str) -> Iterator[tuple[str, str]]:
    """(name, the line that makes it a stub or nothing) of every function that the text defines."""
    found = list(islice(_HEAD.finditer(text), _MOST))
    ends = [other.start() for other in found[1:]] + [len(text)] * bool(found)
    bases = [
        (other.start(), _BASE.search(other.group()) is not None) for other in _CLASS.finditer(text)
    ]
    for head, end in zip(found, ends, strict=True):
        name = next(filter(None, head.groups()))
        line = _stub_line(text, head, min(end, head.end() + _BODY))
        within = bisect_left(bases, (head.start(), False)) - 1
        of_base = within >= 0 and bases[within][1]
        if not of_base if line else not _BODILESS.match(text, head.end()):
            yield name, line


# `fn delete(&self, k: &str) -> io::Result<bool>;`, `def size(self) -> int: ...`
_BODILESS = regex(r"[^\n{}]{0,300}(?:;|:[ \t]*\.\.\.)[ \t]*(?:\n|\Z)")


def _stub_line(text: str, head: re.Match[str], end: int) -> str:
    body = text[head.end() : end]
    if not has_any(body.casefold(), _MARKS) or _DECORATED.search(_above(text, head) + head.group()):
        return ""
    at = next((at for at in map(_begins, _MARK.finditer(body)) if not _in_remark(body, at)), None)
    if at is None:
        return ""
    first, *lines = _DOC.sub("", body[:at]).split("\n")
    lines = [line for line in lines[:-1] if line.strip() and not _REMARK.match(line)] + lines[-1:]
    indent = _indent(head.group())
    if any(_indent(line) <= indent and line.strip() not in _OPENERS for line in lines):
        return ""  # the body ended before
    # behind the head, in its own line: `fn f() -> X { todo!() }`, `const f = () => { throw ... }`
    own = first.partition("{")[2] if "{" in first else first.rpartition(":")[2]
    inside = "\n".join((own, *lines))
    nested = inside.count("{") - inside.count("}") - any(line.strip() == "{" for line in lines)
    if nested > 0 or _DECIDES.search(inside) or _INIT.search(inside):
        return ""
    start = body.rfind("\n", 0, at) + 1
    return body[start:].partition("\n")[0].strip()


_OPENERS = frozenset({"", "{", ")", ") {", "):"})


def _begins(mark: re.Match[str]) -> int:
    return mark.end() - len(mark.group().lstrip())


def _in_remark(body: str, at: int) -> bool:
    """True in a comment or a docstring, where the words stop nothing."""
    line = body[body.rfind("\n", 0, at) + 1 : at]
    return _IN_REMARK.search(line) is not None or any(
        body.count(quotes, 0, at) % 2 for quotes in ('"""', "'''")
    )


_IN_REMARK = regex(r"#|//|/\*|^\s*\*|--")


def _indent(line: str) -> int:
    line = line.lstrip("\n")
    return len(line) - len(line.lstrip())


def _above(text: str, head: re.Match[str]) -> str:
    """The line above, which may be `@abstractmethod`."""
    above = text[max(0, head.start() - 200) : head.start()].rstrip()
    return above[above.rfind("\n") + 1 :]


def shown_otherwise(ledger: Ledger, stub: Stub) -> bool:
    """True when a later look shows the function, and no mark of a stub."""
    own = re.compile(rf"\b(?:def|fn|func|fun|function)\s+{re.escape(stub.name)}\b")
    return any(
        own.search(step.text) and not _MARK.search(step.text)
        for step in ledger.steps[stub.step.order + 1 :]
    )
