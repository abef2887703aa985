"""What a call is: the command line that it runs and what it can do, however its arguments spell it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .._lazy import regex
from . import effects, shell
from .runners import runner_of

if TYPE_CHECKING:
    from .step import Step


_COMMAND_KEYS = (
    "command", "cmd", "commands", "command_line", "commandline", "script", "shell_command", "bash",
    "comando", "commande",
    "befehl", "команда", "命令",
    "input", "code", "args", "arguments", "argv",
)  # fmt: skip
_COMMAND_SET = frozenset(_COMMAND_KEYS)
_SHELL_WORDS = frozenset(
    "bash shell terminal exec execute command run sh zsh powershell cmd console tool process".split()
)
_SHELLS = frozenset({"bash", "sh", "zsh", "fish", "shell", "powershell", "pwsh", "cmd", "terminal"})
# `{"command": "view", "path": ...}`: the verb of an editor tool, no command line.
_EDITOR_VERBS = frozenset(
    "view create str_replace insert undo_edit edit write read delete rename move append open".split()
)
_BARE_KEYS = frozenset(
    "args arguments argv cmd command subcommand t target task goal goals script run".split()
)
_PROGRAM_KINDS = frozenset(
    {"test", "lint", "types", "format", "build", "audit", "vcs", "deploy", "install"}
)
CHECK_NAMES = {
    "test": "test", "tests": "test", "testing": "test", "lint": "lint", "linter": "lint",
    "typecheck": "types",
    "typechecker": "types", "build": "build", "compile": "build",
}  # fmt: skip
_CODE_WORDS = frozenset("python code repl notebook js".split())
_VERB_KEYS = ("action", "operation", "command", "service", "op")
_NEW_TEXT = frozenset(
    "new_string new_str new_text code_edit new_source replacement replace_with insert_text"
    " replacement_chunks replacement_content code_content".split()
)
_FILE_KEYS = (
    "file_path",
    "path",
    "target_file",
    "absolute_path",
    "notebook_path",
    "filename",
    "filepath",
    "file",
)
_SQL_KEYS = frozenset({"sql", "statement", "query", "q", "stmt"})
_SQL = regex(
    r"\s{0,20}(?:with|select|insert|update|delete|alter|create|drop|truncate|merge|copy|begin"
    r"|grant|show|explain|analyze)\b",
    re.IGNORECASE,
)
_TELLING_KEYS = frozenset({"method", "url", *_VERB_KEYS}) | _SQL_KEYS
# How Claude Code marks the output of a command among those of agents.
_LOCAL = "<task_type>local_bash"
_STATE_NOUNS = frozenset("status state estado stato etat état stand".split())
_UNKNOWN = frozenset({"opaque", "unknown"})  # no word of the name is a known verb
_LOOKS = frozenset("get list read write edit create search fetch show".split())
_NOT_WORD = regex(r"[^a-z0-9]+")


def patch_of(name: str, arguments: Any) -> str:
    """The patch that a shell was given to apply; empty for any other call.

    `["apply_patch", "*** Begin Patch..."]`, and the same as a here-document of a command line.
    """
    if not isinstance(arguments, dict) or not is_shell(name):
        return ""
    given = arguments.get("command") or arguments.get("cmd")
    words = given if isinstance(given, list) else [given]
    text = words[-1] if words else None
    if not isinstance(text, str) or (at := text.find("*** Begin Patch")) < 0:
        return ""
    if words[:1] == ["apply_patch"] or text.lstrip().startswith("apply_patch"):
        end = text.find("*** End Patch", at)
        return text[at : end if end >= 0 else len(text)]
    return ""


def command_line(step: Step) -> str:
    """The command line, where the call is one; else empty."""
    arguments = step.arguments
    if isinstance(arguments, str):
        return step.bounded(arguments) if step.shell_call else ""
    if not isinstance(arguments, dict):
        return ""
    program = program_named(step.name)
    for key in _COMMAND_KEYS if not _COMMAND_SET.isdisjoint(arguments) else ():
        value = arguments.get(key)
        if not value:
            continue
        if key in ("input", "code", "args", "arguments", "argv", "bash") and not (
            step.shell_call or program
        ):
            continue
        if key == "code" and _is_code(step):
            continue
        if (
            not step.shell_call
            and isinstance(value, str)
            and value.isidentifier()
            and len(arguments) > 1
        ):
            continue  # a verb (`command: "view"`), not a command line
        if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
            if len(value) >= 3 and value[0].rsplit("/", 1)[-1] in ("bash", "sh", "zsh"):
                value = value[2]
            elif len(value) > 1:
                from shlex import join

                value = join(value)
            else:
                value = value[0]
        if isinstance(value, str) and value in _EDITOR_VERBS and not step.shell_call:
            continue
        if isinstance(value, str) and value:
            if program and value.split(None, 1)[:1] != [program]:
                value = f"{program} {value}"
            return step.bounded(value)
    return _spelled_otherwise(step, arguments)


def _spelled_otherwise(step: Step, arguments: dict[str, Any]) -> str:
    """A command line under another name: `{"befehl": "npm test"}`, `npm {"args": "run build"}`."""
    if program_named(step.name):
        words = [step.name.casefold()]
        for key, value in list(arguments.items())[:20]:
            text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
            words.append(
                text if str(key).lower() in _BARE_KEYS or value is None else f"--{key} {text}"
            )
        return step.bounded(" ".join(words))
    if len(arguments) > 3:
        return ""
    for value in arguments.values():
        if isinstance(value, str) and 3 < len(value) < 2_000 and " " in value and "\n" not in value:
            found = runner_of(value.split())
            if found and found[1] in _PROGRAM_KINDS:
                return value
    return ""


def does(step: Step) -> frozenset[str]:
    """What the call does (see evidence.effects)."""
    if step.command is not None:
        found = effects.of_command(step.command)
        named = effects.of_name(step.name) - {"run", "opaque", "read"}
        if isinstance(step.arguments, dict) and step.arguments.get("run_in_background") is True:
            found |= {"background"}
        return found | (named if not step.shell_call else frozenset())
    named = effects.of_name(step.name)
    if "transfer" in named and _hands_over(step):
        named = named - {"pay", "move"}
    if _exchanges(step):
        return (named - effects.READ_ONLY) | {"edit"}
    if (
        isinstance(step.arguments, dict)
        and _told_by_name(step.name, tuple(step.arguments))
        and not any(isinstance(item, (dict, list)) for item in step.arguments.values())
    ):
        return named or _UNKNOWN
    if "delegate" in named and _fetches(step):
        return frozenset({"read"})
    if "delegate" in named and not _briefs(step):
        named = named - {"delegate", "opaque"} or _UNKNOWN
    if _is_code(step) and ("run" in named or isinstance(step.arguments, dict)):
        return named | {"run", "opaque", "script"}
    arguments = step.arguments
    if isinstance(arguments, dict):
        method = str(arguments.get("method", "")).upper()
        if method in ("POST", "PUT", "PATCH", "DELETE"):
            return (named - {"read"}) | {"opaque"}
        if method == "GET" or (
            "url" in arguments
            and "opaque" in named
            and set(arguments) <= {"url", "headers", "params", "timeout"}
        ):
            return frozenset({"read", "verify"})
        verb = next(
            (
                arguments[key]
                for key in _VERB_KEYS
                # `get_logs {"service": "checkout"}`: what is read is named, nothing is done
                if arguments.get(key)
                and not (key == "service" and named and named <= effects.READ_ONLY)
            ),
            None,
        )
        if isinstance(verb, str) and len(verb) < 40:
            of_verb = effects.of_name(verb)
            if of_verb and of_verb <= effects.READ_ONLY:
                return of_verb  # `str_replace_editor {"command": "view"}` can edit, and does not
            if of_verb:
                return (named - {"opaque"}) | of_verb
        statement = next(
            (
                text
                for key, text in step.argument_leaves[:20]
                if key in _SQL_KEYS and _SQL.match(text)
            ),
            "",
        )
        if statement:
            return (named - {"read", "search"}) | effects.of_simple(
                shell.simple(("psql", statement))
            )
        if (
            named
            and named <= effects.READ_ONLY
            and step.words[-1] in _STATE_NOUNS
            and arguments.get(step.words[-1])
        ):
            return named | {
                "edit",
                "move_stage",
            }  # `ticket.status {"status": "closed"}` sets it
    return named or _UNKNOWN


def _exchanges(step: Step) -> bool:
    """True when the arguments name a file and the text to put into it: `search_replace` edits."""
    arguments = step.arguments
    if not isinstance(arguments, dict) or _NEW_TEXT.isdisjoint(arguments):
        return False
    return any(isinstance(arguments.get(key), str) for key in _FILE_KEYS)


def _fetches(step: Step) -> bool:
    """True when the call fetches what a background command printed, and no agent's report."""
    return step.words[-1:] == ("output",) and _LOCAL in step.text[:400]


def _hands_over(step: Step) -> bool:
    """True for `transfer_to_billing_agent {}`: without a number or an id nothing is moved."""
    return step.words[:2] == ("transfer", "to") and not any(
        any(sign.isdigit() for sign in text) for _, text in step.argument_leaves[:20]
    )


def _briefs(step: Step) -> bool:
    """True when the arguments hold a task in words: `agent.budget {}` hands nothing over."""
    arguments = step.arguments
    if isinstance(arguments, dict):
        return (
            any(
                isinstance(item, str) and len(item.split()) >= 3
                for item in list(arguments.values())[:20]
            )
            or len(arguments) > 2
        )
    return bool(arguments)


def _is_code(step: Step) -> bool:
    language = step.arguments.get("language", "") if isinstance(step.arguments, dict) else ""
    return not _CODE_WORDS.isdisjoint(effects.words_of(step.name)) and (
        str(language).lower() not in ("bash", "sh", "shell")
    )


@lru_cache(maxsize=1024)
def _told_by_name(name: str, keys: tuple[object, ...]) -> bool:
    """True when no argument of these names changes what the tool's name says that a call does."""
    words = effects.words_of(name)
    return (
        "delegate" not in effects.of_name(name)
        and _CODE_WORDS.isdisjoint(words)
        and (not words or words[-1] not in _STATE_NOUNS)
        and _TELLING_KEYS.isdisjoint([str(key).lower() for key in keys])
    )


@lru_cache(maxsize=1024)
def is_shell(name: str) -> bool:
    return not _SHELL_WORDS.isdisjoint(effects.words_of(name))


@lru_cache(maxsize=1024)
def program_named(name: str) -> str:
    """The program that a tool is named for, empty for any other tool.

    A shell is none: what it is given is the whole command line.
    """
    if name.casefold() in _SHELLS:
        return ""
    name = name.rsplit(".", 1)[-1].rsplit("__", 1)[-1]
    return (
        name
        if name in effects.PROGRAMS
        or effects.knows(name)
        or (name.isalpha() and runner_of((name,)))
        else ""
    )


@lru_cache(maxsize=1024)
def runner_named(name: str) -> tuple[str, str] | None:
    """(runner, kind) of a tool that is a runner by its own name."""
    words = effects.words_of(name)
    if not _LOOKS.isdisjoint(words):
        return None
    for word in words:
        kind = CHECK_NAMES.get(word)
        if kind:
            return word, kind
    for word in _NOT_WORD.split(name.lower()):
        found = runner_of((word,)) if word else None
        if found and found[1] in ("test", "lint", "types", "format"):
            return found
    return None
