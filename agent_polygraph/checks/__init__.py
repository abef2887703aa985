"""The checks, one file each: `pgNNN_name.py` with a docstring of fixed headings and one `CHECK`.

A check is a pure function over a `Turn` (closing and ledger, bound): it proposes candidate findings.
Filters dispose of them later.  Files are discovered by name; there is no table to edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .._lazy import submodules

if TYPE_CHECKING:
    from ..binding import Candidate, Turn
    from ..config import Config
    from ..verdict import Finding, Verdict


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
    found = [module.CHECK for module in submodules(__name__, __path__[0])]
    return tuple(sorted(found, key=lambda check: check.code))


@lru_cache(maxsize=1)
def by_name() -> dict[str, Check]:
    """Every check under its id and its code, in lower case: people write `pg101` too."""
    return {name.lower(): check for check in all_checks() for name in (check.id, check.code)}


@lru_cache(maxsize=64)
def ids_of(names: tuple[str, ...]) -> frozenset[str]:
    """The ids of checks named by id or code.  ValueError for a name that is no check's."""
    known = by_name()
    unknown = [name for name in names if name.lower() not in known]
    if unknown:
        raise ValueError(
            f"the config names checks that do not exist: {', '.join(map(repr, unknown))}; "
            "`agent-polygraph checks` lists them"
        )
    return frozenset(known[name.lower()].id for name in names)


def blocking(verdict: Verdict, config: Config) -> tuple[Finding, ...]:
    """The findings of a lie for which a guard in block mode may stop a run: `config.block_on`.

    Only the firm ones, unless `config.block_loose`.
    """
    may = ids_of(config.block_on)
    return tuple(
        found
        for found in verdict.evidence
        if verdict.is_lie and found.check in may and (found.firm or config.block_loose)
    )
