"""The steps of a turn in order: each call with its result, read once and lazily.

A `Step` reads nothing until it is asked: a turn of hundreds of calls costs only what its closing
makes us look at.  `Ledger` pairs calls with results and answers the questions that checks ask: what
ran, what was changed, what came last.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from .. import tokens
from .._lazy import cached_property, kept, regex
from ..config import CheckCommand, Config
from ..events import Event, Message, ToolCall, ToolResult
from ..limits import cut
from ..plain import CUT, UNREAD, plain
from ..verdict import EventRef
from . import changes, effects, figures, outcomes, shell, values
from . import listing as listings
from . import records as recorded
from .changes import Change
from .outcomes import Outcome
from .runners import RunSummary, is_narrowed, read_summaries, runner_of

_COMMAND_KEYS = (
    "command", "cmd", "commands", "command_line", "commandline", "script", "shell_command", "bash",
    "comando", "commande",
    "befehl", "команда", "命令",
    "input", "code", "args", "arguments", "argv",
)  # fmt: skip
_COMMAND_SET = frozenset(_COMMAND_KEYS)
_PATH_KEYS = frozenset(
    "path file_path filepath file filename paths files notebook_path target_file filename_path"
    " relative_path"
    " abs_path absolute_path output_path fichier archivo datei arquivo ruta pfad chemin caminho"
    " percorso fichero".split()
)
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
_STATES = ("status", "state", "estado", "stato", "result", "outcome", "situacao", "situação")
_UP = frozenset("up start restart enable deploy connect activate resume boot".split())
_DOWN = frozenset("down inactive offline disconnected".split())
_BARS = frozenset(
    "lock block freeze disable deactivate suspend ban close stop pause hide revoke archive".split()
)
_BRINGS = frozenset("pull merge rebase cherry-pick apply am revert".split())
_DIFFSTAT = regex(r"^ {0,3}(\S{1,200}?)\s+\|\s+(?:\d+|Bin)\b", re.MULTILINE)
_MANAGERS_JS = ("npm", "pnpm", "yarn", "bun")
_ADDERS = {
    **dict.fromkeys(_MANAGERS_JS, frozenset({"install", "i", "add", "update", "upgrade", "remove", "uninstall"})),
    "cargo": frozenset({"add", "update"}), "uv": frozenset({"add", "remove"}),
    "poetry": frozenset({"add", "remove", "update"}),
}  # fmt: skip
_NO_PATH = regex(r"[\s{}()=;<>$&|*\"']")
_PROGRAM_KINDS = frozenset(
    {"test", "lint", "types", "format", "build", "audit", "vcs", "deploy", "install"}
)
_BENIGN_ONE = frozenset(
    "grep egrep rg diff test [ find cmp comm fgrep ag ack pgrep which type command git gh ls".split()
)
_OF_PEOPLE = regex(
    r"assign|owner|user|author|sender|from|reviewer|contact|login|caller|requester|approver|by$",
    re.IGNORECASE,
)
_LOOKERS = frozenset({"ls", "stat", "which", "command", "test", "["})
_EXIT_LINE = regex(r"\A(?:Error: )?Exit code:? \d+\n?", re.IGNORECASE)
_GIT_BENIGN = frozenset(
    {"diff", "grep", "merge-base", "ls-remote", "show-ref", "rev-parse", "check-ignore"}
)
_DOCS = frozenset(
    "md mdx rst txt adoc markdown org png jpg jpeg gif svg webp pdf ico license docx odt pptx"
    " wav mp3 mp4 mov ogg flac csv tsv xlsx xls zip gz tar tgz bz2 parquet log bak xlf xliff po pot".split()
)
_DOC_NAMES = frozenset(
    "license changelog changes authors contributors notice readme copying todo notes codeowners"
    " .gitignore .editorconfig memory".split()
)
_TEST_PATH = regex(
    r"(^|[/_.-])(tests?|specs?|__tests__|e2e|testing|cypress|features)([/_.-]|$)|test\.|tests?\b"
    r"|spec\.|_spec|Tests?\.|IT\.java"
)
_CHECK_NAMES = {
    "test": "test", "tests": "test", "testing": "test", "lint": "lint", "linter": "lint",
    "typecheck": "types",
    "typechecker": "types", "build": "build", "compile": "build",
}  # fmt: skip
_READS = frozenset({"read", "search", "verify"})
_ONLY_READS = frozenset({"read", "search", "compute", "run"})
_ONLY_LOOKS = effects.READ_ONLY | {"control"}
_CHANGES = frozenset({"edit", "create", "save", "delete", "rename", "move", "revert"})
_PAGERS = frozenset("cat head tail less more bat nl".split())
_JSON_FILES = (".json", ".jsonl", ".ipynb", ".har", ".sarif", ".webmanifest")
_CODE_WORDS = frozenset("python code repl notebook js".split())
_VERB_KEYS = ("action", "operation", "command", "service", "op")
_DRY_FLAGS = frozenset(
    "--dry-run --dryrun --dry_run --simulate --what-if --whatif --check-mode --noop --just-print".split()
)
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
# How Claude Code marks the output of a command among those of agents.
_LOCAL = "<task_type>local_bash"
_STATE_NOUNS = frozenset("status state estado stato etat état stand".split())
_UNKNOWN = frozenset({"opaque", "unknown"})  # no word of the name is a known verb
_PATCH_FILE = regex(
    r"^\*\*\* (?:Add|Update|Delete|Move to):? ?(?:File: )?(\S.{0,200})$|^\+\+\+ [ab]/(\S{1,200})",
    re.MULTILINE,
)

_NONE: frozenset[str] = frozenset()
_ARGUMENTS, _RESULT = "arguments_cut", "result_cut"


class Step:
    """One call and what came back.  `index` is the call's event index (the result's where it has none)."""

    def __init__(
        self,
        index: int,
        call_id: str,
        name: str,
        raw_arguments: Any,
        config: Config,
        patterns: tuple[re.Pattern[str], ...],
    ) -> None:
        self.index = index
        self.order = 0
        self.call_id = call_id
        self.name = name
        self.raw_arguments = raw_arguments
        self.result: ToolResult | None = None
        self.result_index: int | None = None
        self.notes: frozenset[str] = _NONE  # what of it was not read: flags of the verdict
        self.config = config
        self._patterns = patterns

    def __repr__(self) -> str:
        return (
            f"Step({self.index}, {self.name!r}, {self.outcome.kind if self.result else 'dangling'})"
        )

    # --- what is not read -------------------------------------------------------------------------

    def _cut(self, text: str, most: int, note: str) -> str:
        if len(text) <= most:
            return text
        self.notes |= {note}
        return cut(text, most)

    def _bounded(self, text: str) -> str:
        return self._cut(text, self.config.limits.argument_chars, _ARGUMENTS)

    def _plain(self, value: Any) -> Any:
        notes: set[str] = set()
        value = plain(value, notes)
        if notes:
            self.notes |= notes
        return value

    def _leaves(self, value: Any) -> list[tuple[str, str]]:
        found, whole = values.leaves(value)
        if not whole:
            self.notes |= {CUT}
        return [
            (key.lower(), item if isinstance(item, str) else str(item))
            for key, item in found
            if item is not None
        ]

    # --- the call ---------------------------------------------------------------------------------

    @cached_property
    def arguments(self) -> Any:
        """The arguments as a JSON value, the names in snake case; text that is no JSON stays text."""
        raw = self._plain(self.raw_arguments)
        if isinstance(raw, str) and raw[:1] in ("{", "["):
            value = outcomes.parse_json(raw)
            raw = raw if value is None else value
        if isinstance(raw, dict) and not "".join(raw).islower():
            return {_snake(key): item for key, item in raw.items()}
        return raw

    @cached_property
    def argument_leaves(self) -> list[tuple[str, str]]:
        """(key, text) of every scalar argument."""
        return self._leaves(self.arguments)

    @cached_property
    def argument_text(self) -> str:
        """All arguments as one searchable text."""
        return self._bounded(" \n".join(text for _, text in self.argument_leaves))

    @cached_property
    def folded_arguments(self) -> str:
        """`argument_text` without regard to case."""
        return self.argument_text.casefold()

    @cached_property
    def command_text(self) -> str:
        """The command line, where the call is one; else empty."""
        arguments = self.arguments
        if isinstance(arguments, str):
            return self._bounded(arguments) if self._is_shell else ""
        if not isinstance(arguments, dict):
            return ""
        program = self._program
        for key in _COMMAND_KEYS if not _COMMAND_SET.isdisjoint(arguments) else ():
            value = arguments.get(key)
            if not value:
                continue
            if key in ("input", "code", "args", "arguments", "argv", "bash") and not (
                self._is_shell or program
            ):
                continue
            if key == "code" and self._is_code:
                continue
            if (
                not self._is_shell
                and isinstance(value, str)
                and value.isidentifier()
                and len(arguments) > 1
            ):
                continue  # a verb (`command: "view"`), not a command line
            if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
                if len(value) >= 3 and value[0].rsplit("/", 1)[-1] in ("bash", "sh", "zsh"):
                    value = value[2]
                elif len(value) > 1:
                    value = shlex.join(value)
                else:
                    value = value[0]
            if isinstance(value, str) and value in _EDITOR_VERBS and not self._is_shell:
                continue
            if isinstance(value, str) and value:
                if program and value.split(None, 1)[:1] != [program]:
                    value = f"{program} {value}"
                return self._bounded(value)
        return self._spelled_command(arguments)

    def _spelled_command(self, arguments: dict[str, Any]) -> str:
        """A command line under another name: `{"befehl": "npm test"}`, `npm {"args": "run build"}`."""
        if self._program:
            words = [self.name.casefold()]
            for key, value in list(arguments.items())[:20]:
                text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
                words.append(
                    text if str(key).lower() in _BARE_KEYS or value is None else f"--{key} {text}"
                )
            return self._bounded(" ".join(words))
        if len(arguments) > 3:
            return ""
        for value in arguments.values():
            if (
                isinstance(value, str)
                and 3 < len(value) < 2_000
                and " " in value
                and "\n" not in value
            ):
                found = runner_of(value.split())
                if found and found[1] in _PROGRAM_KINDS:
                    return value
        return ""

    @property
    def _program(self) -> str:
        """The tool's name where it is a program's: `git {"args": "push"}`; else empty."""
        return _program_named(self.name)

    @property
    def _is_shell(self) -> bool:
        return _is_shell_named(self.name)

    @property
    def shell_call(self) -> bool:
        """True when the tool is a shell, not a program of its own."""
        return self._is_shell

    @cached_property
    def _is_code(self) -> bool:
        language = self.arguments.get("language", "") if isinstance(self.arguments, dict) else ""
        return not _CODE_WORDS.isdisjoint(effects.words_of(self.name)) and (
            str(language).lower() not in ("bash", "sh", "shell")
        )

    @cached_property
    def command(self) -> shell.Command | None:
        """The command line as shell.Command; None where the call is not one."""
        return shell.parse(self.command_text) if self.command_text else None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the tool's name."""
        return effects.words_of(self.name)

    @cached_property
    def effects(self) -> frozenset[str]:
        """What the call does (see evidence.effects)."""
        if self.command is not None:
            found = effects.of_command(self.command)
            named = effects.of_name(self.name) - {"run", "opaque", "read"}
            if isinstance(self.arguments, dict) and self.arguments.get("run_in_background") is True:
                found |= {"background"}
            return found | (named if not self._is_shell else frozenset())
        named = effects.of_name(self.name)
        if "transfer" in named and self._hands_over:
            named = named - {"pay", "move"}
        if self._exchanges:
            return (named - effects.READ_ONLY) | {"edit"}
        if (
            isinstance(self.arguments, dict)
            and _told_by_name(self.name, tuple(self.arguments))
            and not any(isinstance(item, (dict, list)) for item in self.arguments.values())
        ):
            return named or _UNKNOWN
        if "delegate" in named and self._fetches:
            return frozenset({"read"})
        if "delegate" in named and not self._briefs:
            named = named - {"delegate", "opaque"} or _UNKNOWN
        if self._is_code and ("run" in named or isinstance(self.arguments, dict)):
            return named | {"run", "opaque", "script"}
        arguments = self.arguments
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
                    return (
                        of_verb  # `str_replace_editor {"command": "view"}` can edit, and does not
                    )
                if of_verb:
                    return (named - {"opaque"}) | of_verb
            statement = next(
                (
                    text
                    for key, text in self.argument_leaves[:20]
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
                and self.words[-1] in _STATE_NOUNS
                and arguments.get(self.words[-1])
            ):
                return named | {
                    "edit",
                    "move_stage",
                }  # `ticket.status {"status": "closed"}` sets it
        return named or _UNKNOWN

    @property
    def _exchanges(self) -> bool:
        """True when the arguments name a file and the text to put into it: `search_replace` edits."""
        arguments = self.arguments
        if not isinstance(arguments, dict) or _NEW_TEXT.isdisjoint(arguments):
            return False
        return any(isinstance(arguments.get(key), str) for key in _FILE_KEYS)

    @property
    def _fetches(self) -> bool:
        """True when the call fetches what a background command printed, and no agent's report."""
        return self.words[-1:] == ("output",) and _LOCAL in self.text[:400]

    @property
    def _hands_over(self) -> bool:
        """True for `transfer_to_billing_agent {}`: without a number or an id nothing is moved."""
        return self.words[:2] == ("transfer", "to") and not any(
            any(sign.isdigit() for sign in text) for _, text in self.argument_leaves[:20]
        )

    @property
    def _briefs(self) -> bool:
        """True when the arguments hold a task in words: `agent.budget {}` hands nothing over."""
        arguments = self.arguments
        if isinstance(arguments, dict):
            return (
                any(
                    isinstance(item, str) and len(item.split()) >= 3
                    for item in list(arguments.values())[:20]
                )
                or len(arguments) > 2
            )
        return bool(arguments)

    @cached_property
    def control(self) -> bool:
        """True for bookkeeping calls (to-do lists, plans, final answers): never evidence."""
        return "control" in self.effects

    @property
    def delegated(self) -> bool:
        """True when another agent did the work: its report is its own claim."""
        return "delegate" in self.effects

    @cached_property
    def reads_only(self) -> bool:
        """True when the call can only look."""
        return bool(self.effects) and self.effects <= _ONLY_LOOKS

    @property
    def background(self) -> bool:
        """True when the call left something running."""
        return "background" in self.effects

    def can(self, claimed: str) -> bool:
        """True when the call could have had the claimed effect."""
        return "opaque" in self.effects or not self.effects.isdisjoint(effects.realised_by(claimed))

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """Normal forms of the paths that the call names, most telling first."""
        found: list[str] = []
        arguments = self.arguments
        for key, text in self.argument_leaves:
            if key in _PATH_KEYS and 0 < len(text) < 400 and "\n" not in text:
                found.append(values.norm_path(text))
        if self.command is not None:
            for part in self.command.parts:
                found += [values.norm_path(path) for path in part.writes]
                for word in part.words[1:]:
                    hit = values.classify(word.strip("'\"")) if len(word) < 300 else None
                    if hit and hit[0] == "path":
                        found.append(hit[1])
        elif isinstance(arguments, (str, dict)):
            text = (
                arguments
                if isinstance(arguments, str)
                else str(
                    arguments.get("patch") or arguments.get("input") or arguments.get("diff") or ""
                )
            )
            if "***" in text or "+++" in text:
                found += [
                    values.norm_path((m.group(1) or m.group(2)).strip())
                    for m in _PATCH_FILE.finditer(text[:64_000])
                ]
        return tuple(dict.fromkeys(filter(None, found)))

    @cached_property
    def edited(self) -> tuple[str, ...]:
        """Paths that the call changes; empty where it changes none."""
        if self.control or self.reads_only:
            return ()
        if self.command is not None:
            found: list[str] = []
            for part in self.command.parts:
                found += [values.norm_path(path) for path in part.writes]
                does = effects.of_simple(part)
                if does & {"edit", "delete", "move", "rename"} and part.program in (
                    "sed", "perl", "mv", "rm", "cp", "touch", "git", "patch", "tee",
                ):  # fmt: skip
                    words = _without_script(part.words) if part.program == "sed" else part.words
                    found += [
                        hit[1]
                        for word in words[1:]
                        if not word.startswith(("s/", "s|", "s#"))
                        and (hit := values.classify(word))
                        and hit[0] == "path"
                        and (
                            part.program != "git" or "." in hit[1].rsplit("/", 1)[-1]
                        )  # a branch is no file
                    ]
                if part.program == "tee":
                    found += [values.norm_path(w) for w in part.words[1:] if not w.startswith("-")]
                found += self._pulled(part)
            return tuple(dict.fromkeys(found))
        if self.effects & _CHANGES:
            return self.paths or ((self._lone_path,) if self._lone_path else ())
        return (self._lone_path,) if self._unnamed_edit else ()

    def _pulled(self, part: shell.Simple) -> list[str]:
        """Files that came in with `git pull` and its kin, or that a package manager rewrote."""
        words = [word for word in part.words[1:] if not word.startswith("-")]
        if (
            part.program in _ADDERS
            and len(words) > 1
            and words[0] in _ADDERS[part.program]
            and "-g" not in part.words
            and "--global" not in part.words
        ):
            return ["package.json"] if part.program in _MANAGERS_JS else [f"{part.program}.toml"]
        if part.program != "git" or not words or words[0] not in _BRINGS:
            return []
        found = [m.group(1) for m in _DIFFSTAT.finditer(self.text[:8_000])]
        if "--name-only" in self.command_text or "--name-status" in self.command_text:
            found += [
                hit[1] for line in self.text[:8_000].split("\n")[:200]
                if (pieces := line.split())
                and len(pieces) <= 2
                and (hit := values.classify(pieces[-1]))
                and hit[0] == "path"
            ]  # fmt: skip
        return [values.norm_path(path) for path in found[:100]]

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What the call replaced, wrote or deleted, as far as its arguments spell it out."""
        if self.command is not None:
            return tuple(changes.of_command(self.command))
        if not self.edited:
            return ()
        if "delete" in self.effects and "edit" not in self.effects:
            return tuple(Change(path, "", "", gone=True) for path in self.edited[:50])
        return tuple(changes.of_arguments(self.arguments, self.edited[0]))

    @cached_property
    def _lone_path(self) -> str:
        """The one path among the arguments of a call whose names we can't read."""
        if not isinstance(self.arguments, dict):
            return ""
        found = [
            hit[1]
            for key, text in self.arguments.items()
            if isinstance(text, str) and 0 < len(text) < 300 and not _NO_PATH.search(text)
            and not _OF_PEOPLE.search(str(key))
            and (hit := values.classify(text)) and hit[0] == "path"
        ]  # fmt: skip
        return found[0] if len(found) == 1 else ""

    @property
    def opens_file(self) -> bool:
        """A tool of unknown name that takes a path and nothing else."""
        return self.effects == {"opaque"} and bool(self._lone_path) and len(self.arguments) == 1

    @cached_property
    def _unnamed_edit(self) -> bool:
        """A tool of unknown name that takes a path and one or two texts and answers with a word or two."""
        if (
            self.effects != {"opaque"}
            or not self._lone_path
            or self.result is None
            or len(self.text) > 60
        ):
            return False
        texts = [
            v
            for v in self.arguments.values()
            if isinstance(v, str) and values.norm_path(v) != self._lone_path
        ]
        if len(self.arguments) != len(texts) + 1:
            return False
        return len(texts) == 2 or (len(texts) == 1 and ("\n" in texts[0] or len(texts[0]) >= 16))

    @cached_property
    def ids(self) -> frozenset[str]:
        """Normal forms of identifying values in the arguments: paths, ids, addresses, URLs."""
        found: set[str] = set(self.paths)
        for key, text in self.argument_leaves[:200]:
            if len(text) > 200:
                continue
            hit = values.classify(text.strip())
            if hit and hit[0] in ("id", "email", "url", "path", "sha", "number"):
                if hit[0] != "number" or key.endswith(("id", "number", "no", "key", "ref", "num")):
                    found.add(hit[1])
            elif (
                key.endswith(
                    (
                        "id",
                        "_id",
                        "name",
                        "to",
                        "target",
                        "service",
                        "env",
                        "branch",
                        "key",
                        "slug",
                        "title",
                        "recipient",
                    )
                )
                and text
            ):
                found.add(text.casefold()[:100])
        return frozenset(found)

    # --- the result -------------------------------------------------------------------------------

    @cached_property
    def text(self) -> str:
        """The result as text, bounded by limits.result_chars."""
        return self._cut(_told(self.content), self.config.limits.result_chars, _RESULT)

    @cached_property
    def content(self) -> Any:
        """The result's content as plain JSON, without the receipt that a runtime put behind it."""
        return None if self.result is None else tokens.split(self._plain(self.result.content))[0]

    @property
    def receipt(self) -> str:
        """The token of the receipt behind the result, "" for none."""
        return "" if self.result is None else tokens.split(self._plain(self.result.content))[1]

    @cached_property
    def json(self) -> Any:
        """The result's JSON value, None when it is none."""
        content = self.content
        if isinstance(content, (dict, list)) and not _is_parts(content):
            return content
        return outcomes.parse_json(_told(content)) if content else None

    @cached_property
    def result_leaves(self) -> list[tuple[str, str]]:
        """(key, text) of every scalar in a JSON result."""
        return self._leaves(self.json) if self.json is not None else []

    @cached_property
    def body(self) -> str:
        """The result's text with JSON strings unfolded, for runner summaries and quotes."""
        if self.json is None:
            return self.text
        text = "\n".join(text for _, text in self.result_leaves)
        return self._cut(text, self.config.limits.result_chars, _RESULT)

    @cached_property
    def listing(self) -> listings.Listing | None:
        """The listing that the result is; None where it is none."""
        return listings.of(self)

    @cached_property
    def records(self) -> tuple[recorded.Record, ...]:
        """The objects of a JSON result."""
        return recorded.records(self) if self.result is not None and not self.outcome.bad else ()

    @cached_property
    def rows(self) -> tuple[figures.Row, ...]:
        """The labelled numbers of the result."""
        return figures.rows(self) if self.result is not None else ()

    @cached_property
    def benign_one(self) -> bool:
        """True when exit 1 of this command line means "no match", not failure."""
        if self.command is None:
            return "search" in self.effects
        parts = [
            part
            for part in self.command.parts
            if part.program not in ("cd", "echo", "head", "tail", "wc", "sort", "cat")
        ]
        if not parts:
            return False
        last = parts[-1]
        if last.program == "git":
            return any(word in _GIT_BENIGN for word in last.words[1:3])
        if last.program == "gh":
            return "view" in last.words or "checks" in last.words or "list" in last.words
        return last.program in _BENIGN_ONE

    @cached_property
    def _ends_in_a_look(self) -> bool:
        """`make; rm out; ls out 2>/dev/null`: the exit code says that nothing is there, and no more."""
        parts = self.command.parts if self.command is not None else ()
        return len(parts) > 1 and parts[-1].program in _LOOKERS and parts[-1].before in (";", "\n")

    @cached_property
    def _brings_file(self) -> bool:
        """True when the result is the content of a file, and nothing in it speaks of the call."""
        if self.command is not None:
            parts = self.command.parts
            return bool(self.paths) and bool(parts) and all(p.program in _PAGERS for p in parts)
        if not ("read" in self.effects and self.effects <= _READS and self.paths):
            return False
        return self.json is None or self.paths[0].endswith(_JSON_FILES)

    @cached_property
    def outcome(self) -> Outcome:
        """How the call ended."""
        if self.result is None:
            return Outcome(outcomes.DANGLING, "error_bit", "(the call never returned)")
        only_reads = bool(self.effects) and self.effects <= _ONLY_READS and not self.runs_check
        bit = None if self.result.error_sniffed else self.result.is_error
        if UNREAD in self.notes and self.content is not None and not bit:
            return Outcome(outcomes.UNKNOWN, "none", "(not readable)")
        if self._brings_file:
            return outcomes.of_reader(self.text, bit, self.benign_one)
        text = self.text
        if self.command is None and self.edited:
            text = outcomes.of_editor(text)
        if bit and self._ends_in_a_look:
            text, bit = _EXIT_LINE.sub("", text, count=1), None
        found = outcomes.read(
            text,
            bit,
            self.json,
            reads=only_reads,
            benign=self.benign_one,
            runs=self.command is not None,
            patterns=self._patterns,
        )
        if (
            found.kind == outcomes.OK
            and "merge" in self.effects
            and found.quote.lower() in ("state: open", "status: open")
        ):
            return Outcome(outcomes.PENDING, found.signal, found.quote)  # armed, not merged
        if (
            found.kind == outcomes.PENDING
            and self.effects & {"send", "notify"}
            and "queued" in found.quote.lower()
        ):
            return Outcome(outcomes.OK, found.signal, found.quote)  # queued is how sending ends
        if found.kind == outcomes.FAILED and found.signal == "json_status" and self._meant(found):
            found = Outcome(outcomes.OK, found.signal, found.quote)
        if found.kind == outcomes.OK and not only_reads:
            if isinstance(self.json, dict):
                found = self._denied(self.json) or self._rehearsed() or found
            else:
                found = self._rehearsed() or found
        if found.kind == outcomes.PENDING and self.command is not None and not self.rehearsal:
            if any(map(_is_dry, self.command.parts)):
                found = Outcome(outcomes.OK, found.signal, found.quote)  # rehearsed, and then done
        if (
            found.kind == outcomes.EMPTY
            and found.signal == "exit_code"
            and any(kind in _CHECK_NAMES.values() for _, kind, _ in self.checks_run)
        ):
            return Outcome(outcomes.OK, found.signal, found.quote)  # only its last `grep` is empty
        if found.kind in (outcomes.OK, outcomes.UNKNOWN, outcomes.NOOP) and not only_reads:
            stated = self._stated_by_runner()
            if stated is not None:
                return stated
        return found

    def _denied(self, answer: dict[str, Any]) -> Outcome | None:
        """What an answer that calls itself good says against the very thing that the call is for."""
        return (
            self._denied_by_own_verb(answer)
            or (None if self._takes_back else outcomes.denied(answer))
            or self._not_up(answer)
            or self._no_room(answer)
        )

    def _denied_by_own_verb(self, answer: dict[str, Any]) -> Outcome | None:
        """`room_reserve` that answers `"reserved": false`."""
        verbs = tuple({word[:5] for word in (*self.words, *self.effects) if len(word) >= 4})
        for key, item in list(answer.items())[:40]:
            if item is False and len(key) >= 5 and key.isalpha() and key.lower().startswith(verbs):
                return Outcome(outcomes.FAILED, "json_status", f"{key}: false")
        return None

    def _meant(self, found: Outcome) -> bool:
        """`card.block` that answers `"status": "blocked"`, an update to the very state: it went through."""
        key, _, state = found.quote.partition(": ")
        low = state.strip().casefold()
        if not key.lower().endswith(_STATES) or len(low) < 4:
            return False
        if low.startswith(("bloc", "bloq")) and not _BARS.isdisjoint({*self.words, *self.effects}):
            return True
        return any(len(word) >= 4 and low.startswith(word[:5]) for word in self.words) or any(
            low == text.strip().casefold() for _, text in self.argument_leaves[:40]
        )

    @property
    def _takes_back(self) -> bool:
        """`unpublish`, `pause_campaign`: there a `false` is what was asked for."""
        return any(word.startswith("un") for word in self.words) or not _BARS.isdisjoint(
            {*self.words, *self.effects}
        )

    def _no_room(self, answer: dict[str, Any]) -> Outcome | None:
        """`reserve` that answers `"result": "full"`."""
        if "book" not in self.effects:
            return None
        for key, item in list(answer.items())[:40]:
            if key in ("result", "status", "outcome") and item in (
                "full",
                "FULL",
                "no_availability",
            ):
                return Outcome(outcomes.FAILED, "json_status", f"{key}: {item}")
        return None

    def _not_up(self, answer: dict[str, Any]) -> Outcome | None:
        """`vpn_up` that answers `"state": "down"`: the opposite of what the call is for."""
        if _UP.isdisjoint({*self.words, *self.effects}):
            return None
        for key, item in list(answer.items())[:40]:
            if (
                isinstance(item, str)
                and (item.lower() in _DOWN)
                and (
                    item.lower() == "down"
                    or not _UP.isdisjoint({*self.words, *self.effects} - {"up"})
                )
                and str(key).lower().endswith(("status", "state"))
            ):
                return Outcome(outcomes.FAILED, "json_status", f"{key}: {item}")
        return None

    def _rehearsed(self) -> Outcome | None:
        """A call whose own arguments make it a dry run."""
        if not isinstance(self.arguments, dict):
            return None
        for key, item in list(self.arguments.items())[:40]:
            if item is True and str(key).lower().replace("-", "_") in outcomes.DRY_KEYS:
                return Outcome(outcomes.PENDING, "json_status", f"{key}: true")
        return None

    @cached_property
    def rehearsal(self) -> bool:
        """True when the call only rehearsed: `--dry-run`, `{"validateOnly": true}`."""
        if self.command is not None:
            dry = [part for part in self.command.parts if _is_dry(part)]
            real = [part for part in self.command.parts if part not in dry]
            # `purge.py --dry-run; purge.py`: then it did run
            return bool(dry) and not any(a.words[:2] == b.words[:2] for a in dry for b in real)
        key = self.outcome.quote.partition(":")[0].lower().replace("-", "_")
        return self.outcome.kind == outcomes.PENDING and key in outcomes.DRY_KEYS

    def _stated_by_runner(self) -> Outcome | None:
        for summary in reversed(self.summaries):
            if "vulnerabilit" in summary.line:
                continue  # an audit notice of an install that went through
            if summary.kind in ("vcs", "deploy", "install", "db", "http", "build", "script") and summary.outcome in (
                "failed", "error", "killed", "timeout",
            ) and "(none)" not in summary.line:  # fmt: skip
                return Outcome(outcomes.FAILED, "runner", summary.line)
            if summary.kind in ("vcs",) and summary.outcome == "passed":
                return None
        return None

    @cached_property
    def summaries(self) -> tuple[RunSummary, ...]:
        """What runners say of themselves in the result."""
        if self.result is None or self.delegated or self.control:
            return ()
        body = _EXIT_LINE.sub("", self.body, count=1) if self._ends_in_a_look else self.body
        found = read_summaries(body) if body else ()
        return found or self._counted()

    def _counted(self) -> tuple[RunSummary, ...]:
        """A run told as JSON counts: `{"passed": 58, "failed": 2, "exit_code": 1}`."""
        value = self.json
        if not isinstance(value, dict):
            return ()
        inner = value.get("result") or value.get("summary") or value.get("data")
        for table in (value, inner):
            if (
                isinstance(table, dict)
                and isinstance(table.get("passed"), int)
                and "failed" in table
            ):
                failed, total = table.get("failed"), table.get("total")
                bad = bool(failed) if isinstance(failed, int) else False
                named = self.runs_check or ("json", "test")
                return (
                    RunSummary(
                        named[0],
                        named[1] if named[1] in ("test", "lint", "types") else "test",
                        "failed" if bad else "passed" if table["passed"] else "empty",
                        f"passed: {table['passed']}, failed: {failed}",
                        0,
                        passed=int(table["passed"]),
                        failed=failed if isinstance(failed, int) else None,
                        total=total if isinstance(total, int) else None,
                    ),
                )
        return ()

    @cached_property
    def runs_check(self) -> tuple[str, str] | None:
        """(runner, kind) by the command line or the tool's name, e.g. ("pytest", "test"), else None."""
        return self.checks_run[0][:2] if self.checks_run else self._named_check

    @cached_property
    def checks_run(self) -> tuple[tuple[str, str, bool], ...]:
        """(runner, kind, narrowed) of every known runner that the call starts, in order."""
        if self.command is None:
            named = self._named_check
            return ((*named, False),) if named else ()
        found = [
            (self._own_runner(part.words) or runner_of(part.words), part.words)
            for part in self.command.parts
            if part.words
        ]
        return tuple(dict.fromkeys((*pair, is_narrowed(words)) for pair, words in found if pair))

    @cached_property
    def own_check(self) -> CheckCommand | None:
        """The project's own check that the call runs, by the settings."""
        if self.command is None or not self.config.checks:
            return None
        for part in self.command.parts:
            for check in self.config.checks:
                wanted = check.command.split()
                if wanted and list(part.words[: len(wanted)]) == wanted:
                    return check
        return None

    def _own_runner(self, words: Sequence[str]) -> tuple[str, str] | None:
        own = self.own_check
        if own is None or list(words[: len(own.command.split())]) != own.command.split():
            return None
        return own.command, own.kind

    @property
    def _named_check(self) -> tuple[str, str] | None:
        """A tool that is a runner by its own name: `run_linter`, `ci.run_tests`, `flake8_run`."""
        return _check_named(self.name)

    @property
    def narrowed(self) -> bool:
        """True when the command line selects a part of the suite."""
        return any(narrowed for _, _, narrowed in self.checks_run)

    def masks_exit(self) -> bool:
        """True when the exit code of the run can't reach the caller."""
        if self.command is None:
            return False
        return any(
            hidden and part.words and runner_of(part.words)
            for part, hidden in zip(self.command.parts, self.command.masked(), strict=True)
        )

    def ref(self, quote: str = "") -> EventRef:
        """The event that shows how the step ended."""
        index = self.result_index if self.result_index is not None else self.index
        return EventRef(
            index, self.call_id, (quote or self.outcome.quote or self.text.strip()[:160])[:300]
        )

    def mentions(self, needle: str) -> bool:
        """True when the call's arguments or its result contain `needle`, ignoring case."""
        low = needle.casefold()
        return low in self.searchable

    @cached_property
    def searchable(self) -> str:
        """Arguments and result in one case-folded text."""
        inner = self.body if self.json is not None else ""
        return f"{self.name}\n{self.argument_text}\n{self.text}\n{inner}".casefold()


def _is_dry(part: shell.Simple) -> bool:
    return any(
        word.split("=")[0] in _DRY_FLAGS and not word.endswith(("=none", "=false"))
        for word in part.words[1:]
    )


def _without_script(words: Sequence[str]) -> Sequence[str]:
    """A `sed` command line without the script that it runs: what is left are files."""
    if any(word in ("-e", "-f") or word.startswith(("--expression", "--file")) for word in words):
        return [
            w for before, w in zip(("", *words), words, strict=False) if before not in ("-e", "-f")
        ]
    script = next(
        (n for n, word in enumerate(words[1:], 1) if not word.startswith("-")), len(words)
    )
    return [*words[:script], *words[script + 1 :]]


@lru_cache(maxsize=8)
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(p, re.IGNORECASE | re.MULTILINE) for p in patterns)


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


_TELLING_KEYS = frozenset({"method", "url", *_VERB_KEYS}) | _SQL_KEYS


@lru_cache(maxsize=1024)
def _snake(name: str) -> str:
    """`CommandLine`, `filePath` -> `command_line`, `file_path`; a constant stays what it is."""
    return name if name.isupper() else _HUMP.sub("_", name).lower()


_HUMP = regex(r"(?<=[a-z0-9])(?=[A-Z])")


@lru_cache(maxsize=1024)
def _is_shell_named(name: str) -> bool:
    return not _SHELL_WORDS.isdisjoint(effects.words_of(name))


@lru_cache(maxsize=1024)
def _program_named(name: str) -> str:
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


_LOOKS = frozenset("get list read write edit create search fetch show".split())
_NOT_WORD = regex(r"[^a-z0-9]+")


@lru_cache(maxsize=1024)
def _check_named(name: str) -> tuple[str, str] | None:
    """(runner, kind) of a tool that is a runner by its own name."""
    words = effects.words_of(name)
    if not _LOOKS.isdisjoint(words):
        return None
    for word in words:
        kind = _CHECK_NAMES.get(word)
        if kind:
            return word, kind
    for word in _NOT_WORD.split(name.lower()):
        found = runner_of((word,)) if word else None
        if found and found[1] in ("test", "lint", "types", "format"):
            return found
    return None


def _is_parts(content: Any) -> bool:
    return (
        isinstance(content, list)
        and bool(content)
        and all(
            isinstance(part, dict)
            and part.get("type") in ("text", "input_text", "output_text", "image", "tool_reference")
            for part in content
        )
    )


def as_text(content: Any, notes: set[str] | None = None) -> str:
    """A result's content as text: strings as they are, text parts joined, other JSON dumped."""
    return content if type(content) is str else _told(plain(content, notes))


def _told(content: Any) -> str:
    """Plain JSON as text."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if _is_parts(content):
        return "\n".join(str(part.get("text", "")) for part in content)
    from json import dumps

    return dumps(content, ensure_ascii=False)


def is_doc(path: str) -> bool:
    """True for files whose change no test run can notice: prose, pictures, licences, notes."""
    name = path.rsplit("/", 1)[-1]
    stem, dot, suffix = name.rpartition(".")
    if (stem if dot else name).lower() in _DOC_NAMES or name in _DOC_NAMES:
        return True
    return bool(dot) and suffix.lower() in _DOCS


@kept(1024)
def is_test(path: str) -> bool:
    """True for files that hold checks."""
    return bool(_TEST_PATH.search(path))


class Ledger:
    """All steps of the trajectory, and who said what between them."""

    def __init__(self, events: Sequence[Event], config: Config) -> None:
        self.config = config
        self.messages: list[tuple[int, Message]] = []
        self.steps: list[Step] = []
        self.orphans = 0
        patterns: tuple[re.Pattern[str], ...] = ()
        if config.error_sniff:
            patterns = _compiled(config.error_patterns)
        open_steps: dict[str, list[Step]] = {}
        for index, event in enumerate(events):
            if isinstance(event, ToolCall):
                step = Step(index, event.call_id, event.name, event.arguments, config, patterns)
                step.order = len(self.steps)
                self.steps.append(step)
                open_steps.setdefault(event.call_id, []).append(step)
            elif isinstance(event, ToolResult):
                waiting = open_steps.get(event.call_id)
                if waiting:
                    step = waiting.pop(0)
                else:
                    step = Step(index, event.call_id, "", None, config, patterns)
                    step.order = len(self.steps)
                    self.steps.append(step)
                    self.orphans += 1
                step.result, step.result_index = event, index
            else:
                self.messages.append((index, event))

    @cached_property
    def last_request(self) -> int:
        """Event index of the last user message, -1 where there is none."""
        return max((i for i, m in self.messages if m.role in ("user", "human")), default=-1)

    @cached_property
    def acts(self) -> list[Step]:
        """Steps that are evidence: everything but bookkeeping."""
        return [step for step in self.steps if "control" not in step.effects]

    @cached_property
    def delegates(self) -> bool:
        """True when a part of the work was another agent's."""
        return any(step.delegated for step in self.acts)

    @cached_property
    def edits(self) -> list[tuple[Step, str]]:
        """(step, path) of every file change that went through, in order."""
        return [
            (step, path)
            for step in self.acts
            for path in step.edited
            if not step.outcome.bad
            and step.result is not None
            and "*" not in path
            and "$$" not in path
        ]

    @cached_property
    def runs(self) -> list[tuple[Step, RunSummary]]:
        """(step, summary) of every run whose own words are in a result, in order."""
        return [(step, summary) for step in self.acts for summary in step.summaries]

    @property
    def notes(self) -> list[str]:
        """What of the steps was not read, as far as they were looked at."""
        return sorted(frozenset().union(*(step.notes for step in self.steps if step.notes)))

    def named_before(self, needle: str, order: int) -> bool:
        """True when a step before the one of that order contains `needle`, which is case-folded.

        Where it first stands is looked for once: O(characters) for each needle.
        """
        first = self._first_named.get(needle)
        if first is None:
            found = self.mention(needle)
            first = self._first_named[needle] = len(self.steps) if found is None else found.order
        return first < order

    @cached_property
    def _first_named(self) -> dict[str, int]:
        return {}

    def mention(self, needle: str, steps: Iterable[Step] | None = None) -> Step | None:
        """The first step whose arguments or result contain `needle`, ignoring case."""
        low = needle.casefold()
        for step in steps if steps is not None else self.steps:
            if low in step.searchable:
                return step
        return None
