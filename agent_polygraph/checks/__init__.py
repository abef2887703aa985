"""The checks, one file each: `pgNNN_name.py` with a docstring of fixed headings and one `CHECK`.

A check is a pure function over a `Turn` (closing and ledger, bound): it proposes candidate findings.
Filters dispose of them later.  Files are discovered by name; there is no table to edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..binding import Candidate, Turn


class Check(NamedTuple):
    """id: the field's name.  code: PGfnn.  family: L1, L2 or L3.  summary: one line.  run: the rule."""

    id: str
    code: str
    family: str
    summary: str
    run: Callable[[Turn], Iterable[Candidate]]


@lru_cache(maxsize=1)
def all_checks() -> tuple[Check, ...]:
    """Every check of this package, by code."""
    import importlib
    import pkgutil

    found = [
        importlib.import_module(f"{__name__}.{module.name}").CHECK
        for module in pkgutil.iter_modules(__path__)
        if module.name.startswith("pg")
    ]
    return tuple(sorted(found, key=lambda check: check.code))
