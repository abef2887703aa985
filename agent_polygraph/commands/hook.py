"""`agent-polygraph hook`: what a host runs at a stop.  `agent_polygraph.hooks.run` does it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from agent_polygraph.hooks import run
from agent_polygraph.hooks.dialects import DIALECTS

if TYPE_CHECKING:
    from agent_polygraph.commands import Subparsers


def add(commands: Subparsers) -> None:
    """Declare the arguments; the command line hands over to `run` before they are parsed."""
    hook = commands.add_parser(
        "hook", help="judge the turn at a host's stop event (run by the host)"
    )
    hook.add_argument("host", choices=tuple(DIALECTS))
    hook.add_argument("--mode", choices=run.MODES, default="audit")
    hook.set_defaults(run=_hook)


def _hook(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    return run.main([options.host, "--mode", options.mode])
