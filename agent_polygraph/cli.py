"""The command line: what every command shares of a terminal and a pipe.

The commands themselves are in `commands/`, one file each.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

# As a shell reports a process that a signal ended.
INTERRUPTED, BROKEN_PIPE = 130, 141

_EPILOG = """\
agent-polygraph COMMAND --help tells the options and exit codes of a command

examples:
  agent-polygraph check run.jsonl
  agent-polygraph explain failed_check_claimed_passing
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code.  argparse itself exits with 2 on wrong usage."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words[:1] == ["hook"]:
        # Run at every stop of an agent: nothing is loaded for it that it does not need.
        from agent_polygraph.hooks import run

        return run.main(words[1:]) if argv is not None else run.process(words[1:])
    from agent_polygraph.commands._shared import write_as

    parser = _parser()
    options = parser.parse_args(words)
    if sys.stderr is None:  # closed by who started us
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        return _unwritable("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        write_as(stream, stream.encoding)
    try:
        code: int = options.run(options, parser)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:
        # What is read has been dealt with where it is read.
        _drop_output()
        return _unwritable(error.strerror or str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _unwritable(reason: str) -> int:
    from agent_polygraph.commands import UNWRITABLE

    print(f"agent-polygraph: the report could not be written: {reason}", file=sys.stderr)
    return UNWRITABLE


def _drop_output() -> None:
    """Python would try once more to flush what is left when it exits, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    import argparse
    from importlib import import_module

    from agent_polygraph._version import __version__
    from agent_polygraph.commands import NAMES

    parser = argparse.ArgumentParser(
        prog="agent-polygraph",
        description="Does the closing message of an agent turn claim what its own tool evidence "
        "contradicts, leaves incomplete, or never shows?",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"agent-polygraph {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in NAMES:
        import_module(f"agent_polygraph.commands.{name}").add(commands)
    return parser
