"""`agent-polygraph checks`: the list of all checks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from agent_polygraph.commands import CLEAN
from agent_polygraph.report import FAMILIES

if TYPE_CHECKING:
    from agent_polygraph.commands import Subparsers


def add(commands: Subparsers) -> None:
    """Declare the arguments."""
    commands.add_parser("checks", help="list all checks").set_defaults(run=_checks)


def _checks(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from agent_polygraph.checks import all_checks

    checks = all_checks()
    width = max((len(check.id) for check in checks), default=0)
    for check in checks:
        family = f"{check.family} {FAMILIES.get(check.family, '')}"
        print(f"{check.code}  {check.id:<{width}}  {family:<15}  {check.summary}")
    return CLEAN
