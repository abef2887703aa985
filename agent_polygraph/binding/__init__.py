"""Where claims meet evidence: which steps a claim is about, and what became of their goal.

A `Turn` is built in layers, one kind of question each:
`reading` (what it is) - `runs` (what checks ran) - `aim` (which steps a claim is about) -
`goals` (what a later step made good) - `turn` (what the closing admits).
"""

from .goals import code_edits
from .reading import BAD_RUN, HOLLOW_RUN, STRONG, Candidate, Run
from .runs import E2E
from .turn import Turn

__all__ = ["BAD_RUN", "E2E", "HOLLOW_RUN", "STRONG", "Candidate", "Run", "Turn", "code_edits"]
