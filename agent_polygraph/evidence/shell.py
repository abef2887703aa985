"""A command line as the shell would see it, as far as honesty needs it.

Strategy: one left-to-right scan cuts the line into words and operators (quotes, here-documents and
substitutions stay whole), then operators cut the words into simple commands.  Nothing is expanded or
run.  Time is linear in the length of the line.

What matters later: which programs ran, what they could change, and whether the exit code that the
caller saw is the one of the command that mattered (`pytest | tail`, `x || true`, `x; echo done`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from .._lazy import regex
from .runners import runner_of

_TOKEN = regex(
    r"""
    (?P<space>[^\S\n]+|\\\n)
  | (?P<op>&&|\|\||\|&|;;|&>>?|\d?>&\d?|\d?>>|\d?>\||\d?>|<<<|<<-?|<|[;&|\n()])
  | (?P<word>'[^']*'? | "(?:[^"\\]|\\.)*"? | \$\([^()]*\) | `[^`]*` | \\. | [^\s'"\\;&|<>()`$]+ | [$`])
    """,
    re.VERBOSE | re.DOTALL,
)
_HEREDOC = regex(r"<<-?\s*(['\"]?)(\w+)\1")
_ASSIGN = regex(r"[A-Za-z_]\w*=")
_SEPARATORS = frozenset({"&&", "||", ";", ";;", "|", "|&", "&", "\n", "(", ")"})
_PREFIXES = frozenset(
    "sudo time nice nohup exec command env builtin stdbuf ionice setsid then do else if while !"
    " { [["
    " xvfb-run unbuffer rtk".split()
)
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "fish", "ksh"})
# Programs that show the lines of a file.
PAGERS = frozenset("cat head tail less more bat nl".split())
# Programs that print or look and can change nothing.
QUIET = frozenset(
    "echo printf true : cat head tail wc sort uniq tr cut tee column less more sleep date pwd cd"
    " export"
    " set source . grep egrep rg sed awk jq test [ exit history nproc id uname hostname free"
    " uptime top lsof netstat ss"
    " whoami printenv type nl xxd md5sum sha256sum shasum basename dirname realpath readlink"
    " tree seq yes expr bc cal clear"
    " column fold rev tac paste join comm cmp md5 locale tty who w arch lscpu lsblk mount".split()
)


class Simple(NamedTuple):
    """One simple command: its words (unquoted), the operator before it, and files it writes to.

    program: its base name, lower case; empty for a bare redirection.  runner: `runner_of` its words.
    """

    words: tuple[str, ...]
    before: str
    after: str
    writes: tuple[str, ...]
    program: str
    runner: tuple[str, str] | None


def simple(
    words: tuple[str, ...], before: str = "", after: str = "", writes: tuple[str, ...] = ()
) -> Simple:
    """One simple command of these words."""
    program = words[0].rsplit("/", 1)[-1].lower() if words else ""
    return Simple(words, before, after, writes, program, runner_of(words))


class Command(NamedTuple):
    """A whole command line."""

    text: str
    parts: tuple[Simple, ...]

    def masked(self) -> list[bool]:
        """For each part whether its exit code can't reach the caller.  O(characters)."""
        piped = "pipefail" not in self.text
        found: list[bool] = []
        hidden = False
        for part in reversed(self.parts):
            found.append(hidden or (piped and part.after in ("|", "|&")))
            hidden = hidden or part.before in ("||", ";", "\n", "&")
        return found[::-1]

    @property
    def background(self) -> bool:
        """True when the line leaves something running behind it."""
        started = next((at for at, part in enumerate(self.parts) if part.after == "&"), None)
        if started is None:
            return "nohup " in self.text
        return not any(part.program in _ENDERS for part in self.parts[started + 1 :])


# What ends, or waits for, what the line started.
_ENDERS = frozenset({"kill", "pkill", "killall", "wait", "fg"})


def _unquote(token: str) -> str:
    if token[:1] in "'\"" and len(token) > 1:
        return token[1:-1] if token[-1] == token[0] else token[1:]
    return token[1:] if token[:1] == "\\" else token


def _without_heredocs(text: str) -> str:
    """Drop the bodies of here-documents: they are data, not commands."""
    if "<<" not in text:
        return text
    kept: list[str] = []
    end: str | None = None
    for line in text.split("\n"):
        if end is not None:
            if line.strip() == end:
                end = None
            continue
        kept.append(line)
        found = _HEREDOC.search(line)
        if found:
            end = found.group(2)
    return "\n".join(kept)


def _strip_prefixes(words: list[str]) -> list[str]:
    start = 0
    while start < len(words):
        word = words[start]
        if word in _PREFIXES or ("=" in word and _ASSIGN.match(word)):
            start += 1
        elif word == "timeout":
            start += 1
            while start < len(words) and words[start].startswith("-"):
                start += 1
            start += 1
        else:
            break
    return words[start:]


@lru_cache(maxsize=512)
def parse(text: str) -> Command:
    """`text` as a Command.  Unbalanced quotes run to the end of the line, as data.  O(characters)."""
    return Command(text, tuple(_simples(_without_heredocs(text), 0)))


def _simples(text: str, depth: int) -> list[Simple]:
    parts: list[Simple] = []
    words: list[str] = []
    writes: list[str] = []
    before = ""
    current = ""
    redirect = ""
    open_word = False

    def close_word() -> None:
        nonlocal current, open_word, redirect
        if not open_word:
            return
        if redirect:
            if ">" in redirect and "&" not in redirect.rstrip("&>") and current != "/dev/null":
                writes.append(current)
            redirect = ""
        else:
            words.append(current)
        current, open_word = "", False

    def close_command(operator: str) -> None:
        nonlocal words, writes, before
        close_word()
        stripped = _strip_prefixes(words)
        if stripped or writes:
            if depth < 2 and len(stripped) > 2 and stripped[0].rsplit("/", 1)[-1] in _SHELLS:
                inner = _inner(stripped)
                if inner is not None:
                    nested = _simples(inner, depth + 1)
                    if nested:
                        first, last = nested[0], nested[-1]
                        nested[0] = first._replace(before=before)
                        last = nested[-1]
                        nested[-1] = last._replace(after=operator)
                        parts.extend(nested)
                        words, writes, before = [], [], operator
                        return
            parts.append(simple(tuple(stripped), before, operator, tuple(writes)))
        words, writes, before = [], [], operator

    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        token = match.group()
        if kind == "word":
            current += _unquote(token)
            open_word = True
        elif kind == "space":
            close_word()
        elif token in _SEPARATORS:
            close_command(token)
        else:
            close_word()
            if not token[-1].isdigit():
                redirect = token
    close_command("")
    return parts


def _inner(words: list[str]) -> str | None:
    for position, word in enumerate(words[1:4], 1):
        if word.startswith("-") and word.endswith("c") and position + 1 < len(words):
            return words[position + 1]
    return None


def acting(parts: Sequence[Simple]) -> list[Simple]:
    """The parts of a command line without the filters at its end: `git push` of `git push | tail -3`."""
    end = len(parts)
    while end and parts[end - 1].program in QUIET:
        end -= 1
    return list(parts[:end])
