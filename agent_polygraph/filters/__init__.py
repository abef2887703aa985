"""The filters, one file each: a filter vetoes a candidate finding and says why.

A filter module has `NAME` and `veto(turn, candidate) -> str`, a reason or an empty string.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from .._lazy import submodules

if TYPE_CHECKING:
    from ..binding import Candidate, Turn

Veto = Callable[["Turn", "Candidate"], str]


@lru_cache(maxsize=1)
def all_filters() -> tuple[tuple[str, Veto], ...]:
    """(name, veto) of every filter, in the order of their file names."""
    return tuple((module.NAME, module.veto) for module in submodules(__name__, __path__[0]))
