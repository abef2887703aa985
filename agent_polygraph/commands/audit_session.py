"""`agent-polygraph audit-session`: every turn of a Claude Code session, judged after the fact."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_polygraph.commands import CLEAN, GATE, UNREADABLE
from agent_polygraph.commands._shared import colour, project_settings, write_as
from agent_polygraph.report import Judged, Report, renderer, text

if TYPE_CHECKING:
    from agent_polygraph.adapters.claude_code import Turn
    from agent_polygraph.commands import Subparsers
    from agent_polygraph.formats import Problem
    from agent_polygraph.settings import Settings

_EPILOG = """\
exit codes:
  0  no turn is a lie      2  wrong usage
  1  a turn is             3  nothing could be read
"""


def add(commands: Subparsers) -> None:
    """Declare the arguments."""
    audit = commands.add_parser(
        "audit-session",
        help="judge every turn of a Claude Code session",
        description="Every turn of a session with its verdict, what was verified and what was not. "
        "Sub-agents' own transcripts are read where they are kept beside it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    which = audit.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "transcript", nargs="?", metavar="TRANSCRIPT", help="a session's .jsonl file"
    )
    which.add_argument(
        "--last", action="store_true", help="the newest session of the project in this folder"
    )
    audit.add_argument("--json", action="store_true", help="one JSON document")
    audit.add_argument(
        "--isolated", action="store_true", help="take no settings from the project's files"
    )
    audit.add_argument("--no-color", action="store_true", help="no colours (NO_COLOR works too)")
    audit.set_defaults(run=_audit)


def _audit(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    settings = project_settings(options.isolated, parser)
    path = options.transcript or _newest(parser)
    report = Report()
    try:
        for found in _judged(path, settings):
            if isinstance(found, Judged):
                report.judged.append(found)
            else:
                report.problems.append(found)
    except OSError as error:
        print(f"{path}: {error.strerror or error}", file=sys.stderr)
        return UNREADABLE
    for problem in report.problems:
        print(text.render_problem(problem), file=sys.stderr)
    if options.json:
        write_as(sys.stdout, "utf-8")
        sys.stdout.write(renderer("json")(report))
    else:
        paint = text.Paint(colour(options))
        for judged in report.judged:
            print(text.render_turn(judged.item, judged.verdict, paint, verbose=True))
        print(text.summary(report))
    if not report.judged:
        return UNREADABLE
    return GATE if report.count("lie") else CLEAN


def _judged(path: str, settings: Settings) -> Iterator[Judged | Problem]:
    from agent_polygraph.adapters.claude_code import iter_turns
    from agent_polygraph.formats import Item, Problem
    from agent_polygraph.hooks.policy import seen
    from agent_polygraph.hooks.scene import staged
    from agent_polygraph.settings import today
    from agent_polygraph.verify import verify

    lines: list[int] = []
    unread: list[int] = []
    for number, turn in enumerate(iter_turns(_entries(path, lines, unread)), 1):
        line = lines[turn.first] if turn.first < len(lines) else None
        yield from (Problem(path, bad, "not JSON") for bad in unread)
        unread.clear()
        if not turn.stop_fires:
            yield Problem(path, line, f"turn {number} has no closing: {_why(turn)}")
            continue
        scene = staged(turn, path, settings.config)
        try:
            verdict = verify(
                scene.events, scene.closing, scene.task, tools=scene.tools, config=settings.config
            )
        except Exception as error:  # one turn must not cost the others
            yield Problem(path, line, f"turn {number}: {type(error).__name__}: {error}")
            continue
        verdict = settings.applied(seen(verdict, scene), today())
        title = f"turn {number}: {' '.join(turn.prompt.split())[:60]}"
        meta = {"line": line, "format": "claude-code", "turn": number, "gaps": scene.gaps}
        yield Judged(
            Item(title, path, scene.task, scene.tools, scene.events, scene.closing, meta=meta),
            verdict,
        )


def _entries(path: str, lines: list[int], unread: list[int]) -> Iterator[Any]:
    from agent_polygraph.hooks.tail import UNREAD, open_regular, parse

    with open_regular(os.path.expanduser(path)) as file:
        for number, raw in enumerate(file, 1):
            entry = parse(raw)
            if entry is None:
                continue
            lines.append(number)
            if entry is UNREAD:
                unread.append(number)
            yield None if entry is UNREAD else entry


def _why(turn: Turn) -> str:
    return "the user interrupted it" if turn.interrupted else "it does not end on the agent's text"


def _newest(parser: argparse.ArgumentParser) -> str:
    """The newest transcript of the project in the working folder."""
    home = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude") / "projects"
    # The host names a project's folder after its path, with a dash for all but letters and digits.
    names = {
        "".join(char if char.isascii() and char.isalnum() else "-" for char in str(folder))
        for folder in (Path.cwd(), Path(os.environ.get("PWD") or Path.cwd()))
    }
    found = [path for name in names for path in (home / name).glob("*.jsonl") if path.is_file()]
    if not found:
        parser.error(f"no session of this folder under {home}; name a transcript")
    return str(max(found, key=lambda path: path.stat().st_mtime))
