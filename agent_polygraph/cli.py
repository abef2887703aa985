"""The command line: what every command shares of a terminal and a pipe.

The commands themselves are in `commands/`, one file each.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

# As a shell reports a process that a signal ended.
INTERRUPTED, BROKEN_PIPE = 130, 141

_EPILOG = """\
exit codes of check:
  0  no turn failed the gate            2  wrong usage
  1  a turn failed it (see --fail-on)   3  nothing could be read

examples:
  agent-polygraph check run.jsonl
  agent-polygraph check traces/messages --output-format html > report.html
  my-agent --emit-events | agent-polygraph check - -q
  agent-polygraph explain failed_check_claimed_passing
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code.  argparse itself exits with 2 on wrong usage."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words[:1] == ["hook"]:
        # Run at every stop of an agent: nothing is loaded for it that it does not need.
        from agent_polygraph.hooks.run import main as hook

        return hook(words[1:])
    import os

    from agent_polygraph.commands._shared import write_as

    parser = _parser()
    options = parser.parse_args(words)
    for stream in (sys.stdout, sys.stderr):
        write_as(stream, stream.encoding)
    try:
        code: int = options.run(options, parser)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone.  Python would try once more to flush when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


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
