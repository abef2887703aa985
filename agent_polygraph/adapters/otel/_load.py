"""Finds the tables of a package: one module each, under a name they all share."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def tables(package: str, name: str) -> list[Any]:
    """`module.<name>` of every module in `package`, in order of the file names."""
    path = import_module(package).__path__
    names = sorted(found.name for found in iter_modules(path) if not found.name.startswith("_"))
    return [getattr(import_module(f"{package}.{module}"), name) for module in names]
