"""The commands of the command line, one file each.

A module of the command's name holds `add(commands)`, which declares its arguments and sets `run`:
a function of the parsed options and the parser that returns the exit code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

CLEAN, GATE, USAGE, UNREADABLE, UNWRITABLE = 0, 1, 2, 3, 4

# In the order --help lists them.
NAMES = (
    *("check", "explain", "checks", "audit_session"),
    *("install", "uninstall", "hook", "receipts"),
)
