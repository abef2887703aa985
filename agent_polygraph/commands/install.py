"""`agent-polygraph install`: put the stop hook into a host's settings."""

from __future__ import annotations

import argparse
import shutil
import sys
from typing import TYPE_CHECKING

from agent_polygraph.commands import CLEAN
from agent_polygraph.commands._shared import changed_settings
from agent_polygraph.hooks import registration

if TYPE_CHECKING:
    from agent_polygraph.commands import Subparsers


def add(commands: Subparsers) -> None:
    """Declare the arguments."""
    install = commands.add_parser(
        "install",
        help="put the stop hook into a host's settings",
        description="Add the hook to Claude Code's settings.json. Everything else in it stays as it "
        "is written; the change is shown.",
    )
    declare(install)
    install.add_argument(
        "--mode",
        choices=("audit", "block"),
        default="audit",
        help="audit: tell the user (default); block: send the agent back once for each finding",
    )
    install.set_defaults(run=_install)


def declare(command: argparse.ArgumentParser) -> None:
    """The arguments that installing and uninstalling share."""
    command.add_argument("host", choices=("claude-code",))
    scope = command.add_mutually_exclusive_group()
    scope.add_argument(
        "--project",
        dest="scope",
        action="store_const",
        const="project",
        default="project",
        help="in .claude/settings.json of this folder (default)",
    )
    scope.add_argument(
        "--user",
        dest="scope",
        action="store_const",
        const="user",
        help="in ~/.claude/settings.json, for all projects",
    )
    command.add_argument("--dry-run", action="store_true", help="show the change, write nothing")


def _install(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    new = registration.handler(options.scope, options.mode)
    path = registration.settings_path(options.scope)
    changed = changed_settings(
        path, lambda text: registration.installed(text, new), options.dry_run, parser
    )
    if not (changed and options.dry_run):
        print(f"{'installed in' if changed else 'already installed in'} {path}")
    if options.scope == "project" and shutil.which(registration.COMMAND) is None:
        print(
            f"warning: {registration.COMMAND} is not on PATH, where Claude Code will look for it",
            file=sys.stderr,
        )
    return CLEAN
