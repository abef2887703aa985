"""A check's page, made of its module's docstring.

The docstring opens with the check's meaning in one line and then has the fixed `HEADINGS`, each on
a line of its own with its text indented below.  `agent-polygraph explain` prints the page;
docs/generate.py writes it to docs/checks.
"""

from __future__ import annotations

import inspect
import pkgutil
import textwrap
from importlib import import_module
from typing import TYPE_CHECKING

from agent_polygraph.report import FAMILIES

if TYPE_CHECKING:
    from agent_polygraph.checks import Check

HEADINGS = (
    "What it means",
    "Example lie",
    "Honest twin",
    "What it cannot see",
    "Options",
)


def docstrings() -> dict[str, str]:
    """The docstring of each check's module, by check id.  Empty text under `python -OO`."""
    from agent_polygraph import checks

    names = [entry.name for entry in pkgutil.iter_modules(checks.__path__)]
    modules = [import_module(f"{checks.__name__}.{name}") for name in names if name[:2] == "pg"]
    return {module.CHECK.id: inspect.cleandoc(module.__doc__ or "") for module in modules}


def sections(docstring: str) -> dict[str, str]:
    """The docstring's text under each of the `HEADINGS`, and under "" what stands before them.

    A heading is an unindented line that is exactly one of the names; the text below it is indented.
    """
    found: dict[str, list[str]] = {"": []}
    current = found[""]
    for line in docstring.splitlines():
        if line in HEADINGS:
            current = found.setdefault(line, [])
        else:
            current.append(line)
    return {name: textwrap.dedent("\n".join(lines)).strip() for name, lines in found.items()}


def missing(docstring: str) -> list[str]:
    """The `HEADINGS` that a docstring lacks or leaves empty."""
    parts = sections(docstring)
    return [name for name in HEADINGS if not parts.get(name)]


def page(check: Check, docstring: str) -> str:
    """The check's page as Markdown, with a newline at its end."""
    parts = sections(docstring)
    lines = [
        f"# {check.id}",
        "",
        f"`{check.code}` · {check.family} {FAMILIES.get(check.family, '')}".rstrip(),
        "",
        check.summary,
    ]
    lead = parts[""].strip()
    if lead and lead != check.summary:
        lines += ["", lead]
    for name in HEADINGS:
        if parts.get(name):
            lines += ["", f"## {name}", "", parts[name]]
    return "\n".join(lines) + "\n"


def table(checks: tuple[Check, ...], link: str = "{id}.md") -> str:
    """All checks as a Markdown table; `link` is where a check's page lies."""
    rows = ["| check | code | family | says |", "|---|---|---|---|"]
    rows += [
        f"| [{check.id}]({link.format(id=check.id)}) | {check.code} | "
        f"{check.family} {FAMILIES.get(check.family, '')} | {check.summary} |"
        for check in checks
    ]
    return "\n".join(rows)
