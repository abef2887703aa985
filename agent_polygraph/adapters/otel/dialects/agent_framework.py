"""Microsoft Agent Framework: GenAI names; bad arguments and unknown tools have no tool span.

`invoke_agent` holds the messages of the whole run, calls and results among them.
"""

from __future__ import annotations

from . import Dialect

DIALECT = Dialect(
    name="Agent Framework",
    rank=95,
    kinds={"workflow.id": {"*": "chain"}},
)
