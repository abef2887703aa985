"""Forms in which spans and logs are stored; each file has one, as a `Form`.

A form is told by its shape alone, so a file may mix them.  The first that takes a record decodes
it; the order is from the telling to the general.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..._shape import is_mapping
from .._load import tables
from ..span import Record


@dataclass(frozen=True, slots=True)
class Form:
    """name: for the docs.  rank: lower is tried first.  takes: is a record of this form.

    decode: the spans and log records in it; never raises.
    """

    name: str
    rank: int
    takes: Callable[[Mapping[str, Any]], bool]
    decode: Callable[[Mapping[str, Any]], Iterator[Record]]


@cache
def forms() -> tuple[Form, ...]:
    """All of them, in the order in which they are tried."""
    found: list[Form] = tables(__name__, "FORM")
    return tuple(sorted(found, key=lambda form: form.rank))


def form_of(row: Any) -> Form | None:
    """The form of one record; None where it is none."""
    if not is_mapping(row):
        return None
    for form in forms():
        if form.takes(row):
            return form
    return None


def decode(row: Any) -> Iterator[Record]:
    """The spans and log records in one record of any form; nothing for anything else."""
    form = form_of(row)
    return form.decode(row) if form is not None else iter(())
