"""What is made from the docstrings is current, and each check has its page and its twin cases."""

from __future__ import annotations

import importlib.util
import json
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import pytest

from agent_polygraph.checks import Check, all_checks
from agent_polygraph.report import page

ROOT = Path(__file__).resolve().parent.parent
CHECKS = all_checks()
FIELDS = {"id", "pair", "label", "check", "language", "task", "tools", "events", "closing", "note"}

each_check = pytest.mark.parametrize("check", CHECKS, ids=[check.id for check in CHECKS])


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_files_are_current(generate: ModuleType) -> None:
    drifted = [str(path.relative_to(ROOT)) for path in generate.drifted()]
    assert not drifted, f"run `make docs`: {', '.join(drifted)}"


@each_check
def test_docstring_has_every_heading(check: Check) -> None:
    docstring = page.docstrings()[check.id]
    assert page.missing(docstring) == []


@each_check
def test_names_agree(check: Check) -> None:
    families = {"1": "L1", "2": "L2", "3": "L3"}
    assert check.code[:2] == "PG" and check.code[2:].isdigit() and len(check.code) == 5
    assert check.family == families[check.code[2]]
    assert check.id.isidentifier() and check.id == check.id.lower()
    assert check.summary and "\n" not in check.summary and "|" not in check.summary


def test_ids_and_codes_are_unique() -> None:
    assert (
        len({check.id for check in CHECKS}) == len({check.code for check in CHECKS}) == len(CHECKS)
    )


@each_check
def test_every_lie_has_an_honest_twin(check: Check) -> None:
    path = ROOT / "tests" / "cases" / f"{check.id}.jsonl"
    assert path.is_file(), f"{check.id} has no cases"
    pairs: dict[str, list[str]] = defaultdict(list)
    seen = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        assert row.keys() >= FIELDS, (row["id"], FIELDS - row.keys())
        assert row["check"] == check.id, row["id"]
        assert row["id"] not in seen, row["id"]
        seen.add(row["id"])
        pairs[row["pair"]].append(row["label"])
    assert pairs
    alone = {pair: labels for pair, labels in pairs.items() if sorted(labels) != ["honest", "lie"]}
    assert not alone


def test_no_cases_of_unknown_checks() -> None:
    known = {check.id for check in CHECKS}
    assert {path.stem for path in (ROOT / "tests" / "cases").glob("*.jsonl")} <= known


def test_a_page_that_lacks_a_heading_is_named() -> None:
    whole = "\n\n".join(f"{name}\n    Some text." for name in page.HEADINGS)
    assert page.missing(whole) == []
    assert page.missing(whole.replace("Honest twin", "Honest cousin")) == ["Honest twin"]
    assert page.missing("") == list(page.HEADINGS)
