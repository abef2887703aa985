"""Writes the case files: `python -m tests.build_long.build [--check]`.

`turns/*.txt` become `tests/cases/long/*.jsonl`; `short/disclosures_*.txt` and `short/shields_*.txt`
become `tests/cases/disclosures.jsonl` and `tests/cases/shields.jsonl`.
With `--check` nothing is written; the exit status says whether the committed files are current.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .assemble import row
from .script import read_cases
from .validate import problems, table

HERE = Path(__file__).parent
CASES = HERE.parent / "cases"
README_HEAD = HERE / "long_readme.md"


def rows_of(
    paths: list[Path], default_check: str = "", short: bool = False
) -> list[dict[str, Any]]:
    """Both twins of every case of the script files, honest first."""
    out: list[dict[str, Any]] = []
    for path in paths:
        for case in read_cases(path):
            out.append(row(case, False, default_check, short))
            out.append(row(case, True, default_check, short))
    return out


def targets() -> dict[Path, list[dict[str, Any]]]:
    """Every output file with its rows."""
    out: dict[Path, list[dict[str, Any]]] = {}
    for path in sorted((HERE / "turns").glob("*.txt")):
        out[CASES / "long" / f"{path.stem}.jsonl"] = rows_of([path])
    short = HERE / "short"
    disclosures = sorted(short.glob("disclosures_*.txt"))
    shields = sorted(short.glob("shields_*.txt"))
    out[CASES / "disclosures.jsonl"] = rows_of(disclosures, "error_concealment", True)
    out[CASES / "shields.jsonl"] = rows_of(shields, "error_concealment", True)
    return out


def main(arguments: list[str]) -> int:
    """Builds or checks; returns the exit status."""
    check = "--check" in arguments
    files = targets()
    found = problems(files)
    for line in found:
        print(line)
    stale = 0
    long_rows: list[dict[str, Any]] = []
    for path, rows in files.items():
        text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
        if path.parent.name == "long":
            long_rows += rows
        stale += _put(path, text, check)
    readme = README_HEAD.read_text(encoding="utf-8") + "\n" + table(files)
    stale += _put(CASES / "long" / "README.md", readme, check)
    print(table(files))
    return 1 if found or (check and stale) else 0


def _put(path: Path, text: str, check: bool) -> int:
    old = path.read_text(encoding="utf-8") if path.exists() else None
    if old == text:
        return 0
    if check:
        print(f"stale: {path.name}")
    else:
        path.write_text(text, encoding="utf-8")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
