"""One call of a turn with its result, read once and lazily.

A `Step` reads nothing until it is asked: a turn of hundreds of calls costs only what its closing
makes us look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from .. import tokens
from .._lazy import cached_property, regex
from ..config import CheckCommand, Config
from ..events import ToolResult
from ..limits import cut
from ..plain import CUT, plain
from ..verdict import EventRef
from . import calls, changes, effects, ended, figures, outcomes, shell, touched, values
from . import listing as listings
from . import records as recorded
from .changes import Change
from .outcomes import ErrorPattern, Outcome
from .runners import RunSummary, is_narrowed, read_summaries

_ONLY_LOOKS = effects.READ_ONLY | {"control"}
_NONE: frozenset[str] = frozenset()
_ARGUMENTS, _RESULT = "arguments_cut", "result_cut"
_HUMP = regex(r"(?<=[a-z0-9])(?=[A-Z])")


class Step:
    """One call and what came back.  `index` is the call's event index (the result's where it has none)."""

    def __init__(
        self,
        index: int,
        call_id: str,
        name: str,
        raw_arguments: Any,
        config: Config,
        patterns: tuple[ErrorPattern, ...],
    ) -> None:
        self.index = index
        self.order = 0
        self.call_id = call_id
        patch = calls.patch_of(name, raw_arguments)
        self.name = "apply_patch" if patch else name
        self.raw_arguments = {"patch": patch} if patch else raw_arguments
        self.result: ToolResult | None = None
        self.result_index: int | None = None
        self.notes: frozenset[str] = _NONE  # what of it was not read: flags of the verdict
        self.config = config
        self.result_chars = config.limits.result_chars
        self.patterns = patterns

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

    def bounded(self, text: str) -> str:
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
        return self.bounded(" \n".join(text for _, text in self.argument_leaves))

    @cached_property
    def folded_arguments(self) -> str:
        """`argument_text` without regard to case."""
        return self.argument_text.casefold()

    @cached_property
    def command_text(self) -> str:
        """The command line, where the call is one; else empty."""
        return calls.command_line(self)

    @property
    def shell_call(self) -> bool:
        """True when the tool is a shell, not a program of its own."""
        return calls.is_shell(self.name)

    @cached_property
    def command(self) -> shell.Command | None:
        """The command line as shell.Command; None where the call is not one."""
        if not self.command_text:
            return None
        command, most = shell.parse(self.command_text), self.config.limits.commands
        if len(command.parts) > most:
            self.notes |= {_ARGUMENTS}
            head = most - most // 2
            command = command._replace(
                parts=(*command.parts[:head], *command.parts[len(command.parts) - most // 2 :])
            )
        return command

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the tool's name."""
        return effects.words_of(self.name)

    @cached_property
    def effects(self) -> frozenset[str]:
        """What the call does (see evidence.effects)."""
        return calls.does(self)

    @cached_property
    def control(self) -> bool:
        """True for bookkeeping calls (to-do lists, plans, final answers): never evidence."""
        return "control" in self.effects

    @cached_property
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
        return touched.named(self)

    @cached_property
    def edited(self) -> tuple[str, ...]:
        """Paths that the call changes; empty where it changes none."""
        return touched.changed(self)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What the call replaced, wrote or deleted, as far as its arguments spell it out."""
        if self.command is not None:
            return tuple(changes.of_command(self.command))
        if not self.edited:
            return ()
        if "delete" in self.effects and "edit" not in self.effects:
            return tuple(Change(path, "", "", gone=True) for path in self.edited[:50])
        made = changes.of_arguments(self.arguments, self.edited[0])
        if len(made) == 1 and not made[0].whole and not made[0].old and changes.elided(made[0].new):
            # the arguments leave out what stays and what went; the answer may show it
            return tuple(changes.told_in(self.text, made[0].path) or made)
        return tuple(made)

    @cached_property
    def lone_path(self) -> str:
        """The one path among the arguments of a call whose names we can't read."""
        return touched.lone(self)

    @property
    def opens_file(self) -> bool:
        """A tool of unknown name that takes a path and nothing else."""
        return self.effects == {"opaque"} and bool(self.lone_path) and len(self.arguments) == 1

    @cached_property
    def ids(self) -> frozenset[str]:
        """Normal forms of identifying values in the arguments: paths, ids, addresses, URLs."""
        return touched.ids(self)

    # --- the result -------------------------------------------------------------------------------

    @cached_property
    def text(self) -> str:
        """The result as text, bounded by limits.result_chars."""
        return self._cut(_told(self.content), self.result_chars, _RESULT)

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
        return self._cut(text, self.result_chars, _RESULT)

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
    def outcome(self) -> Outcome:
        """How the call ended."""
        return ended.ending(self)

    @cached_property
    def rehearsal(self) -> bool:
        """True when the call only rehearsed: `--dry-run`, `{"validateOnly": true}`."""
        return ended.rehearses(self)

    @cached_property
    def summaries(self) -> tuple[RunSummary, ...]:
        """What runners say of themselves in the result."""
        if self.result is None or self.delegated or self.control:
            return ()
        body = ended.without_look(self) if ended.ends_in_a_look(self) else self.body
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
            (self._own_runner(part.words) or part.runner, part.words)
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
        return calls.runner_named(self.name)

    @property
    def narrowed(self) -> bool:
        """True when the command line selects a part of the suite."""
        return any(narrowed for _, _, narrowed in self.checks_run)

    def masks_exit(self) -> bool:
        """True when the exit code of the run can't reach the caller."""
        if self.command is None:
            return False
        return any(
            hidden and part.runner
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


@lru_cache(maxsize=1024)
def _snake(name: str) -> str:
    """`CommandLine`, `filePath` -> `command_line`, `file_path`; a constant stays what it is."""
    return name if name.isupper() else _HUMP.sub("_", name).lower()


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
