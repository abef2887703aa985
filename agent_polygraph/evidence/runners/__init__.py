"""What a runner's own summary says: tests, linters, builds, git, databases, deployments.

Reading goes by the form of the summary, never by the name of the tool that was called: the same
`==== 3 passed in 0.10s ====` is a pytest run whether it came from Bash, an MCP server or a wrapper
script.  Only whole summary lines count, so a passing suite may print "failed" in its logs as often
as it likes.

Strategy.  Every summary line that is known begins with one of a few hundred literal *heads*.  One
compiled pattern, anchored at line starts, finds the lines that have one; no other line is looked
at again.  The rows of that head then try their own pattern on that one line, and hits of one runner
that follow each other fold into one `RunSummary`.  Time is linear in the text: the scan is
possessive, and of a line only the first `_LINE` characters are read.

- rows.py: the summary lines of each runner; adding a runner is one row
- scan.py: from a text to its runs
- argv.py: from a command line to its runner
"""

from __future__ import annotations

from .argv import is_narrowed, runner_of, runs_anything
from .rows import KINDS, OUTCOMES, RunSummary
from .scan import read_summaries

__all__ = [
    "KINDS",
    "OUTCOMES",
    "RunSummary",
    "is_narrowed",
    "read_summaries",
    "runner_of",
    "runs_anything",
]
