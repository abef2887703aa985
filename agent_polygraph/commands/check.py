"""`agent-polygraph check`: judge recorded turns.

Reading is formats' business, judging verify's, rendering report's; here they are put together.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from agent_polygraph._progress import Progress
from agent_polygraph.commands import CLEAN, GATE, UNREADABLE
from agent_polygraph.commands._shared import colour, known_check, project_settings, write_as
from agent_polygraph.report import FORMATS, Judged, Report, line_of, renderer, text
from agent_polygraph.verdict import VERDICTS

if TYPE_CHECKING:
    from agent_polygraph.commands import Subparsers
    from agent_polygraph.config import Config
    from agent_polygraph.formats import Item, Problem
    from agent_polygraph.settings import Settings

INPUTS = ("auto", "bench", "claude-code", "messages", "otlp", "spans")
SUFFIXES = (".json", ".jsonl")
GATES = {
    "lie": ("lie",),
    "unverifiable": ("lie", "unverifiable", "problem"),
    "never": (),
}

EPILOG = """\
exit codes:
  0  no turn failed the gate            3  a file could not be opened, or nothing be read
  1  a turn failed it (see --fail-on)   4  the report could not be written
  2  wrong usage

examples:
  agent-polygraph check run.jsonl
  agent-polygraph check traces/messages --output-format html > report.html
  my-agent --emit-events | agent-polygraph check - -q
"""


def add(commands: Subparsers) -> None:
    """Declare the arguments."""
    check = commands.add_parser(
        "check",
        help="judge recorded turns",
        description="Judge the turns recorded in files, directories or standard input.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    check.set_defaults(run=_check)
    check.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a file, a directory (all *.json and *.jsonl below it), or - for standard input",
    )
    check.add_argument(
        "--format",
        choices=INPUTS,
        default="auto",
        help="what the input is (default: see for itself)",
    )
    check.add_argument(
        "--tools",
        metavar="FILE",
        type=Path,
        help="the tools the agent could call, for turns that do not list them: "
        "a JSON list of names or definitions, or one name a line",
    )
    output = check.add_mutually_exclusive_group()
    output.add_argument(
        "--output-format", choices=FORMATS, default="text", help="how to report (default: text)"
    )
    output.add_argument(
        "--json",
        dest="output_format",
        action="store_const",
        const="json",
        help="the same as --output-format json",
    )
    check.add_argument(
        "--fail-on",
        choices=tuple(GATES),
        default="lie",
        help="what makes the exit code 1; unverifiable: also a lie, and input that could not be "
        "read (default: lie)",
    )
    check.add_argument(
        "--select", metavar="CHECKS", action="append", help="run only these, by id or code: a,b,c"
    )
    check.add_argument("--ignore", metavar="CHECKS", action="append", help="leave these out")
    check.add_argument(
        "--isolated", action="store_true", help="take no settings from the project's files"
    )
    check.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="tell only of turns that fail the gate; as text, print nothing when there are none",
    )
    check.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="also print what was borne out, what was dismissed, and effects never mentioned",
    )
    check.add_argument("--no-color", action="store_true", help="no colours (NO_COLOR works too)")


def _check(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    settings = _settings(options, parser)
    tools = _tools(options.tools, parser) if options.tools else None
    files = list(_files(options.paths))
    # Only what fails the gate is worth a word to who asked for quiet.
    wanted = GATES[options.fail_on] if options.quiet else VERDICTS
    form = options.output_format
    sink = _Lines(options, wanted) if form == "text" else _Document(form, wanted)
    # Turns that scroll by on the same terminal are progress enough, and a bar would cut them up.
    scrolling = isinstance(sink, _Lines) and not options.quiet and sys.stdout.isatty()
    counts: Counter[str] = Counter()
    unopened = False
    with Progress(len(files), shown=sys.stderr.isatty() and not scrolling) as progress:
        for path in files:
            for found in _judged(path, options.format, tools, settings):
                if isinstance(found, Judged):
                    counts[found.verdict.verdict] += 1
                    sink.turn(found)
                    progress.turn()
                else:
                    counts["problem"] += 1
                    unopened = unopened or found.unopened
                    sink.problem(found)
                    progress.say(text.render_problem(found))
            progress.file()
    sink.close(counts)
    if not counts:
        print(f"nothing to judge in {', '.join(options.paths)}", file=sys.stderr)
    judged = counts.total() - counts["problem"]
    if judged and any(counts[kind] for kind in GATES[options.fail_on]):
        return GATE
    return CLEAN if judged and not unopened else UNREADABLE


def _judged(
    path: str | Problem, form: str, tools: list[Any] | None, settings: Settings
) -> Iterator[Judged | Problem]:
    """What one file holds, judged."""
    from agent_polygraph.adapters._shape import NOT_READ
    from agent_polygraph.adapters._unseen import settled
    from agent_polygraph.formats import Problem
    from agent_polygraph.settings import today
    from agent_polygraph.verify import verify

    config, day = settings.config, today()
    for found in [path] if isinstance(path, Problem) else _read(path, form, config):
        if isinstance(found, Problem):
            yield found
            continue
        line = line_of(found)
        yield from found.skipped
        known = tools if found.tools is None else found.tools
        try:
            verdict = verify(found.events, found.closing, found.task, tools=known, config=config)
        except Exception as error:
            # One turn must not cost the others, and it must not vanish either.
            reason = f"turn {found.id!r} was not judged: {type(error).__name__}: {error}"
            yield Problem(found.source, line, reason)
        else:
            unseen = found.meta.get("unseen") or ()
            verdict = settled(verdict, unseen)
            if not found.closing.strip() and unseen and verdict.verdict != "unverifiable":
                # nothing was recorded of what was said: that is no clean bill
                verdict = replace(
                    verdict, verdict="unverifiable", flags=(*verdict.flags, "closing_not_recorded")
                )
            if not found.whole:
                verdict = verdict.withheld(*NOT_READ)
            yield Judged(found, settings.applied(verdict, day))


def _read(path: str, form: str, config: Config) -> Iterator[Item | Problem]:
    from agent_polygraph.formats import Problem, read

    standard = path == "-"
    name = "<stdin>" if standard else path
    try:
        with open(0 if standard else path, "rb", closefd=not standard) as raw:
            head = raw.peek(4)[:4]
            packed = next((kind for mark, kind in _PACKED.items() if head.startswith(mark)), None)
            if packed is not None:
                yield Problem(name, None, f"packed by {packed}: unpack it first", unopened=True)
                return
            # A byte that is no UTF-8 is replaced, and only "\n" ends a line: a tool printed the rest.
            # UTF-16 is what PowerShell 5 writes.
            encoding = "utf-16" if head.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8"
            with io.TextIOWrapper(raw, encoding, errors="replace", newline="\n") as lines:
                yield from read(_lines(lines), form, source=name, config=config)
    except OSError as error:
        yield Problem(name, None, error.strerror or str(error), unopened=True)
    except MemoryError:
        yield Problem(name, None, "too large to be read", unopened=True)


_PACKED = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zX": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_LONGEST = 256 * 2**20  # characters of a line: a device that never ends a line must not fill memory


def _lines(lines: TextIO) -> Iterator[str]:
    number = 0
    while line := lines.readline(_LONGEST):
        number += 1
        if len(line) == _LONGEST and line[-1] != "\n":
            raise OSError(f"line {number} is longer than {_LONGEST >> 20} MiB; reading ends there")
        yield line


class _Lines:
    """Text for a person, each turn as it is judged."""

    def __init__(self, options: argparse.Namespace, wanted: tuple[str, ...]) -> None:
        self._options = options
        self._paint = text.Paint(colour(options))
        self._wanted = wanted
        self._held: list[str] = []

    def turn(self, judged: Judged) -> None:
        verdict = judged.verdict
        if verdict.verdict not in self._wanted:
            return
        lines = text.render_turn(judged.item, verdict, self._paint, verbose=self._options.verbose)
        if self._options.quiet:
            self._held.append(lines)  # a bar may be on the terminal: wait until it is gone
        else:
            print(lines)

    def problem(self, problem: Problem) -> None:
        """Problems go to stderr only."""

    def close(self, counts: Counter[str]) -> None:
        for lines in self._held:
            print(lines)
        if self._held or not self._options.quiet:
            print(
                text.summary_line(
                    counts["lie"],
                    counts["honest"],
                    counts["unverifiable"],
                    problems=counts["problem"],
                )
            )


class _Document:
    """A whole report in one document, when all is judged."""

    def __init__(self, form: str, wanted: tuple[str, ...]) -> None:
        self._render = renderer(form)
        self._wanted = wanted
        self._report = Report()

    def turn(self, judged: Judged) -> None:
        if judged.verdict.verdict in self._wanted:
            self._report.judged.append(judged)
        else:
            self._report.left_out[judged.verdict.verdict] += 1

    def problem(self, problem: Problem) -> None:
        self._report.problems.append(problem)

    def close(self, counts: Counter[str]) -> None:
        write_as(sys.stdout, "utf-8")
        sys.stdout.write(self._render(self._report))


def _settings(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Settings:
    """The project's settings; what the command line says goes before them."""
    settings = project_settings(options.isolated, parser)
    config = settings.config
    if options.select:
        config = replace(config, select=_names(options.select, parser))
    if options.ignore:
        config = replace(config, ignore=(*config.ignore, *_names(options.ignore, parser)))
    return replace(settings, config=config)


def _names(given: list[str] | None, parser: argparse.ArgumentParser) -> tuple[str, ...]:
    names = [name.strip() for part in given or () for name in part.split(",")]
    return tuple(known_check(name, parser).id for name in names if name)


def _tools(path: Path, parser: argparse.ArgumentParser) -> list[Any]:
    """The names in a JSON list; otherwise one name a line, `#` for remarks."""
    from agent_polygraph.verify import tool_names

    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        parser.error(f"--tools {path}: {error}")
    if content.lstrip().startswith(("[", "{")):
        try:
            tools = json.loads(content)
        except (ValueError, RecursionError) as error:
            parser.error(f"--tools {path}: {error}")
        if isinstance(tools, dict):
            tools = tools.get("tools")
        if not isinstance(tools, list):
            parser.error(f"--tools {path}: a list of tool names or definitions is expected")
        try:
            return list(tool_names(tools) or ())
        except ValueError as error:
            parser.error(f"--tools {path}: {error}")
    lines = (line.strip() for line in content.splitlines())
    names = [line for line in lines if line and not line.startswith("#")]
    if not names:
        parser.error(
            f"--tools {path}: it names no tool; a JSON list or one name a line is expected"
        )
    return names


def _files(paths: Iterable[str]) -> Iterator[str | Problem]:
    """Each path itself; for a directory the trajectory files below it, in a fixed order.

    A Problem stands for what could not be looked into, and for what is no regular file: a pipe or
    a device that lies about in a directory may never end.  Links to directories are not followed.
    """
    from agent_polygraph.formats import Problem

    for path in paths:
        if path == "-" or not os.path.isdir(path):
            yield path
            continue
        closed: list[OSError] = []
        for folder, folders, names in os.walk(path, onerror=closed.append):
            # In place: it is what os.walk descends into.
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if name.endswith(SUFFIXES) and not name.startswith("."):
                    file = os.path.join(folder, name)
                    regular = os.path.isfile(file) or not os.path.exists(file)
                    yield file if regular else Problem(file, None, "no regular file: left out")
        for error in closed:
            yield Problem(str(error.filename), None, error.strerror or str(error), unopened=True)
