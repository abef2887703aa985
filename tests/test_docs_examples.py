"""The Python of the pages about ledgers and receipts runs, and says what the pages say it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from agent_polygraph import cli

DOCS = Path(__file__).resolve().parent.parent / "docs"


def blocks(page: str) -> list[str]:
    """The Python blocks of a page."""
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)


def run(code: str) -> dict[str, Any]:
    """What the code leaves behind."""
    names: dict[str, Any] = {}
    exec(code, names)
    return names


def test_the_ledger_of_the_page() -> None:
    (code,) = blocks("ledger.md")
    told = code.rstrip().rsplit("# ", 1)[1]
    assert run(code)["verdict"].ledger.summary == told


def test_the_receipt_of_the_page() -> None:
    names = run(blocks("receipts.md")[0])
    assert names["scope"].verify(names["token"], names["call"], "sent")
    (line,) = [row for row in blocks("receipts.md")[0].splitlines() if row.startswith("verify(")]
    assert eval(line.partition("#")[0], names) == 1.0


def test_the_export_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("cryptography")
    monkeypatch.chdir(tmp_path)
    names = run(blocks("receipts.md")[1])
    key = names["scope"].public_key
    assert cli.main(["receipts", "verify", "receipts.jsonl", "--public-key", key]) == 0
    assert "0 receipts hold" in capsys.readouterr().out
