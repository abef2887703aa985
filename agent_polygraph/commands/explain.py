"""`agent-polygraph explain`: the page of a check."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from agent_polygraph.commands import CLEAN
from agent_polygraph.commands._shared import known_check
from agent_polygraph.report import page

if TYPE_CHECKING:
    from agent_polygraph.commands import Subparsers


def add(commands: Subparsers) -> None:
    """Declare the arguments."""
    explain = commands.add_parser("explain", help="print the page of a check")
    explain.set_defaults(run=_explain)
    explain.add_argument("check", metavar="CHECK", help="its id or code")


def _explain(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    check = known_check(options.check, parser)
    print(page.page(check, page.docstrings().get(check.id, "")), end="")
    return CLEAN
