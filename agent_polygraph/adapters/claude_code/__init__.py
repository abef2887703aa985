"""Claude Code: its session transcript as turns, and the verdict a Stop hook gives on the last one.

`transcript` cuts entries into turns, `chain` says whether entries are missing, `stop` judges.  The
command that runs at the host's Stop, with its files and its memory, is `agent_polygraph.hooks`.
"""

from __future__ import annotations

from .stop import stop_hook
from .transcript import EARLIER, Turn, from_transcript, iter_turns, split_turns

__all__ = ["EARLIER", "Turn", "from_transcript", "iter_turns", "split_turns", "stop_hook"]
