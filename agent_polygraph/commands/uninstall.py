"""`agent-polygraph uninstall`: take the stop hook out of a host's settings."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from agent_polygraph.commands import CLEAN
from agent_polygraph.commands._shared import changed_settings
from agent_polygraph.commands.install import declare
from agent_polygraph.hooks import registration

if TYPE_CHECKING:
    from agent_polygraph.commands import Subparsers


def add(commands: Subparsers) -> None:
    """Declare the arguments."""
    uninstall = commands.add_parser(
        "uninstall",
        help="take the stop hook out of a host's settings",
        description="Remove the hook from Claude Code's settings.json; the change is shown.",
    )
    declare(uninstall)
    uninstall.set_defaults(run=_uninstall)


def _uninstall(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    path = registration.settings_path(options.scope)
    changed = changed_settings(path, registration.uninstalled, options.dry_run, parser)
    if not (changed and options.dry_run):
        print(f"{'taken out of' if changed else 'not in'} {path}")
    return CLEAN
