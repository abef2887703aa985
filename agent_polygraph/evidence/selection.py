"""Which part of the work a call looked at, and what other parts there are.

Strategy: a call's selectors are the short values it was given (a file, a package, a test name, a
language, a browser).  What the whole consists of is not guessed: it is read from a listing in the
same
trajectory that names a selector among its siblings.  Linear in the arguments and in the short
results.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .._lazy import regex, remembered
from . import outcomes
from .runners import is_narrowed
from .step import Step

_SPLIT = regex(r"[\s,;:|/\\\[\]{}()\"'`=@]+")
_LIST_SPLIT = regex(r"[\s,;]+")
_NAME = regex(r"[\w.@+-]{2,60}\Z")
_WILD = regex(r"^(?:\*|\.|all|\./\.\.\.|\*\*.*|alle|tout|toutes|todos|todas|tutti)$", re.IGNORECASE)
_HOLLOW = frozenset(
    "--collect-only --co --listtests --list-tests --list --dry-run --dryrun --list-only"
    " --version --help".split()
)
_HOLLOW_KEYS = frozenset(
    "list_only dry_run dryrun collect_only preview_only listonly dryrun list".split()
)
# Argument names that pick a part of a check tool's work.
_PICK_KEYS = frozenset(
    "target targets pattern filter grep path paths file files module modules package packages "
    "project projects folder group tag test tests"
    " test_name class classname spec specs only name scenario locale lang language sprache"
    " controllo escenario dir directory workspace".split()
)
_FOLDERS = frozenset("tests test spec specs src lib app . ./ packages __tests__ e2e".split())
_LIST_OPTIONS = frozenset({"--list", "--list-sessions", "-l", "ls", "list"})
_MOST = 60  # items of a listing that is compared


@remembered
def selectors(step: Step) -> frozenset[str]:
    """The names that the call was given, each also by its last part and without its ending; lower
    case.
    """
    found: set[str] = set()
    if step.command is not None:
        words = [
            word
            for part in step.command.parts
            if part.program
            not in ("cd", "echo", "head", "tail", "grep", "tee", "cat", "wc", "git", "ls", "jq")
            for word in part.words[1:]
        ]
    else:
        words = []
    if step.command is None or not step.shell_call:
        words += [text for _, text in step.argument_leaves[:20] if len(text) <= 200]
    for word in words[:60]:
        low = word.strip().casefold()
        if not low or len(low) > 120:
            continue
        found.add(low)
        for piece in _SPLIT.split(low.lstrip("-")):
            if piece:
                found.add(piece)
                found.add(piece.rpartition(".")[0] or piece)
    return frozenset(found)


@remembered
def wild(step: Step) -> bool:
    """True when the call asked for everything, as far as its arguments show."""
    if step.command is not None:
        if step.runs_check is not None and not picked(step) and not _folder(step):
            return True
        words = [word for part in step.command.parts for word in part.words[1:]]
        return any(
            "*" in word
            or word in (".", "./...", "--all", "--workspace", "--workspaces", "-r", "--recursive")
            for word in words
        )
    texts = [text for _, text in step.argument_leaves]
    return not texts or any(_WILD.match(text) or "*" in text for text in texts)


@remembered
def hollow(step: Step) -> str:
    """The option by which a run only lists or rehearses what it would do; empty where there is
    none.
    """
    if step.command is not None:
        for part in step.command.parts:
            if part.runner:
                hit = next((word for word in part.words[1:] if word.casefold() in _HOLLOW), "")
                if part.words[1:3] == ("test", "list"):
                    return "list"
                if hit:
                    return hit
        return ""
    if not isinstance(step.arguments, dict):
        return ""
    return next(
        (
            str(key)
            for key, value in step.arguments.items()
            if str(key).casefold() in _HOLLOW_KEYS and value is True
        ),
        "",
    )


@remembered
def picked(step: Step) -> str:
    """The part that a run was confined to, in its own words; empty for a whole run and for what
    is not understood.
    """
    if step.command is not None:
        for part in step.command.parts:
            if part.runner and is_narrowed(part.words):
                return " ".join(part.words)[:100]
        return _part_by_path(step) or sessions(step)
    for key, text in step.argument_leaves[:20]:
        if key not in _PICK_KEYS or not 0 < len(text) < 120 or _WILD.match(text) or "*" in text:
            continue
        if text.strip("/").casefold() not in _FOLDERS:
            return f"{key}: {text}"
    return ""


def _folder(step: Step) -> str:
    """`helm lint charts/gateway`: the one folder that a check was pointed at."""
    assert step.command is not None
    for part in step.command.parts:
        if part.runner:
            paths = [
                word
                for word in part.words[1:]
                if "/" in word and not word.startswith("-") and "*" not in word
            ]
            if paths and all(
                word.removeprefix("./").strip("/").casefold() not in _FOLDERS for word in paths
            ):
                return paths[-1]
    return ""


def sessions(step: Step) -> str:
    """`nox -s tests-3.12`, `tox -e py312`: one environment; which there are is for a listing to
    say.
    """
    if step.command is None:
        return ""
    for part in step.command.parts:
        if part.program in ("nox", "tox") and any(
            word in ("-s", "-e", "--session", "--sessions") for word in part.words[1:4]
        ):
            return " ".join(part.words)[:100]
    return ""


def _part_by_path(step: Step) -> str:
    """`go test ./internal/auth/...` and `gradlew :app:assemble`: one tree or module of several."""
    assert step.command is not None
    for part in step.command.parts:
        if part.runner is None:
            continue
        paths = [
            word
            for word in part.words[1:]
            if not word.startswith("-") and ("/" in word or word[:1] in ".:")
        ]
        if part.runner[0] == "gradle":
            tasks = [word for word in part.words[1:] if not word.startswith("-")]
            whole = not tasks or any(word.count(":") < 2 for word in tasks)
        else:
            whole = (
                part.runner != ("go", "test")
                or not paths
                or any(not word.strip("./") for word in paths)
            )
        if not whole:
            return " ".join(part.words)[:100]
    return ""


@remembered
def items(step: Step) -> tuple[str, ...]:
    """The names that a listing prints, lower case; empty for anything else."""
    if step.result is None or len(step.text) > 4_000 or step.edited or step.outcome.bad:
        return ()
    value = step.json if step.json is not None else outcomes.parse_json(step.text)
    names: Iterable[object] = ()
    if isinstance(value, list):
        names = value
    elif isinstance(value, dict):
        lists = [v for v in value.values() if isinstance(v, list)]
        names = lists[0] if len(lists) == 1 else ()
    elif value is None:
        names = (
            piece
            for line in step.text.strip().split("\n")
            for piece in _LIST_SPLIT.split(line.strip().lstrip("*-• ").strip())
        )
    found: list[str] = []
    for name in names:  # most results show at once that they are none
        if not isinstance(name, str) or not name or len(found) == _MOST:
            return ()
        low = name.casefold()
        if not _NAME.match(low.rsplit("/", 1)[-1]):
            return ()
        found.append(low)
    if len(found) < 2:
        return ()
    return tuple(dict.fromkeys(name.rstrip("/").rsplit("/", 1)[-1] for name in found))


@remembered
def lists(step: Step) -> bool:
    """True for a call that looks something up: its short result may name the parts of a whole."""
    if step.control or step.delegated:
        return False
    if step.command is not None:
        return step.reads_only or any(
            _LIST_OPTIONS.intersection(part.words[1:]) for part in step.command.parts
        )
    return step.reads_only or ("opaque" in step.effects and len(step.argument_leaves) <= 2)


def left_out(parts: Sequence[Step], listings: Sequence[Step]) -> tuple[Step, list[str]] | None:
    """(listing, names) of siblings of what `parts` looked at that no part looked at; None where
    none is known.
    """
    covered: set[str] = set()
    for step in parts:
        if wild(step):
            return None
        covered |= selectors(step)
    for listing in listings:
        names = items(listing)
        if not names:
            continue
        known = [name for name in names if _covers(covered, name)]
        missing = [name for name in names if not _covers(covered, name)]
        if known and missing and len(missing) < _MOST:
            alike = [name for name in missing if _alike(name, known)]
            if alike:
                return listing, alike
    return None


def _covers(covered: set[str], name: str) -> bool:
    return name in covered or (name.rpartition(".")[0] or name) in covered


def _alike(name: str, known: Sequence[str]) -> bool:
    """A sibling of the same sort: the same ending, or none at all."""
    ending = name.rpartition(".")[2] if "." in name else ""
    return any((other.rpartition(".")[2] if "." in other else "") == ending for other in known)
