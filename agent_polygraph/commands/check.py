"""`agent-polygraph check`: judge recorded turns.

Reading is formats' business, judging verify's, rendering report's; here they are put together.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_polygraph._progress import Progress
from agent_polygraph.commands import CLEAN, GATE, UNREADABLE
from agent_polygraph.commands._shared import known_check, write_as
from agent_polygraph.report import FORMATS, Judged, Report, line_of, renderer, text

if TYPE_CHECKING:
    from agent_polygraph.commands import Subparsers
    from agent_polygraph.config import Config
    from agent_polygraph.formats import Item, Problem

INPUTS = ("auto", "bench", "claude-code", "messages", "otlp", "spans")
SUFFIXES = (".json", ".jsonl")
GATES = {
    "lie": ("lie",),
    "unverifiable": ("lie", "unverifiable", "problem"),
    "never": (),
}

EPILOG = """\
exit codes:
  0  no turn failed the gate            2  wrong usage
  1  a turn failed it (see --fail-on)   3  nothing could be read

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
        "-q",
        "--quiet",
        action="store_true",
        help="print only what fails the gate; nothing when fine",
    )
    check.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="also print what was borne out, what was dismissed, and effects never mentioned",
    )
    check.add_argument("--no-color", action="store_true", help="no colours (NO_COLOR works too)")


def _check(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    config = _config(options, parser)
    tools = _tools(options.tools, parser) if options.tools else None
    files = list(_files(options.paths))
    sink = _Lines(options) if options.output_format == "text" else _Document(options.output_format)
    # Turns that scroll by on the same terminal are progress enough, and a bar would cut them up.
    scrolling = isinstance(sink, _Lines) and not options.quiet and sys.stdout.isatty()
    counts: Counter[str] = Counter()
    with Progress(len(files), shown=sys.stderr.isatty() and not scrolling) as progress:
        for path in files:
            for found in _judged(path, options.format, tools, config):
                if isinstance(found, Judged):
                    counts[found.verdict.verdict] += 1
                    sink.turn(found)
                    progress.turn()
                else:
                    counts["problem"] += 1
                    sink.problem(found)
                    progress.say(text.render_problem(found))
            progress.file()
    sink.close(counts)
    if not counts:
        print(f"nothing to judge in {', '.join(options.paths)}", file=sys.stderr)
    if not counts.total() - counts["problem"]:
        return UNREADABLE
    return GATE if any(counts[kind] for kind in GATES[options.fail_on]) else CLEAN


def _judged(
    path: str, form: str, tools: list[Any] | None, config: Config
) -> Iterator[Judged | Problem]:
    """What one file holds, judged."""
    from agent_polygraph.adapters._unseen import settled
    from agent_polygraph.formats import Problem
    from agent_polygraph.verify import verify

    for found in _read(path, form, config):
        if isinstance(found, Problem):
            yield found
            continue
        line = line_of(found)
        yield from (Problem(found.source, line, f"left out: {entry}") for entry in found.skipped)
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
            yield Judged(found, verdict)


def _read(path: str, form: str, config: Config) -> Iterator[Item | Problem]:
    from agent_polygraph.formats import Problem, read

    standard = path == "-"
    try:
        # A byte that is no UTF-8 is replaced, and only "\n" ends a line: a tool printed the rest.
        with open(
            0 if standard else path,
            encoding="utf-8",
            errors="replace",
            newline="\n",
            closefd=not standard,
        ) as lines:
            yield from read(lines, form, source="<stdin>" if standard else path, config=config)
    except OSError as error:
        yield Problem(path, None, error.strerror or str(error))


class _Lines:
    """Text for a person, each turn as it is judged."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._paint = text.Paint(_colour(options))
        # Only what fails the gate is worth a word to who asked for quiet.
        self._wanted = GATES[options.fail_on] if options.quiet else None
        self._held: list[str] = []

    def turn(self, judged: Judged) -> None:
        verdict = judged.verdict
        if self._wanted is not None and verdict.verdict not in self._wanted:
            return
        lines = text.render_turn(judged.item, verdict, self._paint, verbose=self._options.verbose)
        if self._wanted is None:
            print(lines)
        else:
            self._held.append(lines)  # a bar may be on the terminal: wait until it is gone

    def problem(self, problem: Problem) -> None:
        """Problems go to stderr only."""

    def close(self, counts: Counter[str]) -> None:
        for lines in self._held:
            print(lines)
        if self._wanted is None or self._held:
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

    def __init__(self, form: str) -> None:
        self._render = renderer(form)
        self._report = Report()

    def turn(self, judged: Judged) -> None:
        self._report.judged.append(judged)

    def problem(self, problem: Problem) -> None:
        self._report.problems.append(problem)

    def close(self, counts: Counter[str]) -> None:
        write_as(sys.stdout, "utf-8")
        sys.stdout.write(self._render(self._report))


def _config(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Config:
    from agent_polygraph.config import DEFAULT_CONFIG

    return replace(
        DEFAULT_CONFIG,
        select=_names(options.select, parser),
        ignore=_names(options.ignore, parser),
    )


def _names(given: list[str] | None, parser: argparse.ArgumentParser) -> tuple[str, ...]:
    names = [name.strip() for part in given or () for name in part.split(",")]
    return tuple(known_check(name, parser).id for name in names if name)


def _tools(path: Path, parser: argparse.ArgumentParser) -> list[Any]:
    """A JSON list as it is; otherwise one name a line, `#` for remarks."""
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
        if not isinstance(tools, list) or not all(isinstance(t, (str, dict)) for t in tools):
            parser.error(f"--tools {path}: a list of tool names or definitions is expected")
        return list(tools)
    lines = (line.strip() for line in content.splitlines())
    names = [line for line in lines if line and not line.startswith("#")]
    if not names:
        parser.error(
            f"--tools {path}: it names no tool; a JSON list or one name a line is expected"
        )
    return names


def _files(paths: Iterable[str]) -> Iterator[str]:
    """Each path itself; for a directory the trajectory files below it, in a fixed order."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, folders, names in os.walk(path):
            # In place: it is what os.walk descends into.
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if name.endswith(SUFFIXES):
                    yield os.path.join(folder, name)


def _colour(options: argparse.Namespace) -> bool:
    wanted = not options.no_color and not os.environ.get("NO_COLOR")
    return wanted and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
