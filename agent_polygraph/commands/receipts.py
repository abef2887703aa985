"""`agent-polygraph receipts verify`: signed receipts, verified by whoever has the public key."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from agent_polygraph.commands import CLEAN, GATE, UNREADABLE

if TYPE_CHECKING:
    from agent_polygraph.commands import Subparsers

EPILOG = """\
exit codes:
  0  every receipt holds         2  wrong usage, or the extra `receipts` is not installed
  1  at least one does not       3  the file could not be read
"""


def add(commands: Subparsers) -> None:
    """Declare the arguments."""
    receipts = commands.add_parser("receipts", help="verify signed receipts")
    inner = receipts.add_subparsers(title="commands", metavar="COMMAND", required=True)
    verify = inner.add_parser(
        "verify",
        help="verify an export of signed receipts",
        description="Verify the receipts that ReceiptScope.export() of a signing scope wrote: each "
        "call with its result, their order, and that none is missing.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verify.set_defaults(run=_verify)
    verify.add_argument("file", metavar="FILE", help="the export, or - for standard input")
    verify.add_argument(
        "--public-key",
        metavar="KEY",
        help="the published key, ed25519:...; without it the file is checked against the key in it",
    )


def _verify(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from agent_polygraph.receipts import ReceiptError
    from agent_polygraph.receipts.chain import verify_lines
    from agent_polygraph.receipts.signing import PublicKey

    source = "<stdin>" if options.file == "-" else options.file
    try:
        expected = PublicKey.parse(options.public_key) if options.public_key else None
        with open(
            0 if options.file == "-" else options.file,
            encoding="utf-8",
            errors="replace",
            newline="\n",
            closefd=options.file != "-",
        ) as lines:
            checked = verify_lines(lines, expected)
    except ReceiptError as error:
        parser.error(str(error))
    except OSError as error:
        print(f"{source}: {error.strerror or error}", file=sys.stderr)
        return UNREADABLE
    for line, reason in checked.problems:
        print(f"{source}:{line}: {reason}", file=sys.stderr)
    if checked.key is None:
        return UNREADABLE
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(checked.outcomes.items()))
    print(f"{checked.good} receipts hold{f' ({told})' if told else ''}, key {checked.key}")
    if expected is None:
        print("the key is the file's own: compare it with the one that was published")
    return GATE if checked.problems else CLEAN
