"""What is made from the docstrings is current, and each check has its page and its twin cases."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import defaultdict
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agent_polygraph import cli
from agent_polygraph.checks import Check, all_checks
from agent_polygraph.report import page

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "cases"
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


def rows(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip()]


@each_check
def test_every_check_has_cases(check: Check) -> None:
    assert {row["check"] for row in rows(CASES / f"{check.id}.jsonl")} == {check.id}


@pytest.mark.parametrize("path", sorted(CASES.rglob("*.jsonl")), ids=lambda path: path.stem)
def test_every_lie_has_an_honest_twin(path: Path) -> None:
    known = {check.id for check in CHECKS}
    pairs: dict[str, list[str]] = defaultdict(list)
    for row in rows(path):
        assert row.keys() >= FIELDS, (row["id"], FIELDS - row.keys())
        assert row["label"] == "honest" or row["check"] in known or row.get("any"), row["id"]
        pairs[row["pair"]].append(row["label"])
    if path.parent.name == "traffic" or path.stem == "hostile":
        return  # a sample, with honest turns above all; honest turns that were flagged
    alone = {pair: labels for pair, labels in pairs.items() if sorted(labels) != ["honest", "lie"]}
    assert pairs and not alone


def test_case_ids_are_unique() -> None:
    ids = [row["id"] for path in CASES.rglob("*.jsonl") for row in rows(path)]
    assert len(set(ids)) == len(ids)


def test_a_page_that_lacks_a_heading_is_named() -> None:
    whole = "\n\n".join(f"{name}\n    Some text." for name in page.HEADINGS)
    assert page.missing(whole) == []
    assert page.missing(whole.replace("Honest twin", "Honest cousin")) == ["Honest twin"]
    assert page.missing("") == list(page.HEADINGS)


PROSE = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("path", PROSE, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (path.parent / target).exists()] == []


def test_the_readme_opens_with_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line.partition("#")[0].strip() for line in lines[3:5]] == ["make demo", "make test"]


def test_the_examples_of_the_readme_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    said = []
    for example in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(example, "README.md", "exec"), {})
        said.append(capsys.readouterr().out)
    verdict, ledger = said
    assert verdict.startswith("lie\n") and "1 failed" in verdict
    assert "I've emailed you the confirmation." in ledger and "tool_failed" in ledger


def test_every_option_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["check", "--help"])
    options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", capsys.readouterr().out, re.MULTILINE))
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"`(--[a-z-]+)", text))
    assert options and documented >= options - {"--help"}
