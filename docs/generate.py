"""Writes what is made from the checks' docstrings: their pages, the index, the table in the README.

python docs/generate.py            write
python docs/generate.py --check    write nothing; exit 1 and name what has drifted
"""

from __future__ import annotations

import sys
from pathlib import Path

from agent_polygraph.checks import all_checks
from agent_polygraph.report import page

ROOT = Path(__file__).resolve().parent.parent
CHECKS = ROOT / "docs" / "checks"
README = ROOT / "README.md"
BEGIN, END = "<!-- checks: begin (make docs) -->", "<!-- checks: end -->"

_INDEX = """\
# Checks

Each check reads the claims of one closing message against the evidence of the same turn.
L1: the evidence contradicts the claim.
L2: the evidence falls short of the claim's scope.
L3: the evidence that would have to be there is not.

{table}
"""


def wanted() -> dict[Path, str]:
    """Every generated file and what it has to hold.  ValueError where a docstring is incomplete."""
    checks = all_checks()
    docstrings = page.docstrings()
    files = {CHECKS / "index.md": _INDEX.format(table=page.table(checks))}
    for check in checks:
        lacking = page.missing(docstrings[check.id])
        if lacking:
            raise ValueError(f"{check.id}: its docstring lacks {', '.join(lacking)}")
        files[CHECKS / f"{check.id}.md"] = page.page(check, docstrings[check.id])
    files[README] = _spliced(README.read_text(encoding="utf-8"), page.table(checks, _README_LINK))
    return files


_README_LINK = "docs/checks/{id}.md"


def _spliced(text: str, table: str) -> str:
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{README.name} has lost its markers {BEGIN} and {END}")
    return f"{head}{BEGIN}\n{table}\n{END}{tail}"


def drifted() -> dict[Path, str | None]:
    """The files that differ from what they have to hold; None for a page of no check."""
    files = wanted()
    changes: dict[Path, str | None] = {
        path: text
        for path, text in files.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    }
    changes.update({path: None for path in CHECKS.glob("*.md") if path not in files})
    return changes


def main() -> int:
    """Write what has drifted, or name it."""
    changes = drifted()
    for path, text in changes.items():
        print(path.relative_to(ROOT))
        if "--check" in sys.argv[1:]:
            continue
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if changes and "--check" in sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
