"""The word tables are read by a small reader of our own; it has to agree with the TOML parser."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from agent_polygraph.claims import lexicon

FOLDER = Path(lexicon.__file__).parent


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_a_table_reads_as_toml(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert lexicon.parse_tables(text) == tomllib.loads(text)
