"""Closings in ten languages: what is claimed and what is not, as `parse` reads it.

The tables are tests/languages/*.txt; their README has the syntax.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_polygraph.claims.grammar import Closing, parse

TABLES = Path(__file__).resolve().parent / "languages"
SIGNS = {"+", "-", "~"}
_ACTS = ("action", "check", "works", "done")


def rows() -> list[tuple[str, str, str, tuple[str, ...]]]:
    """(language, sign, closing, what is to be read)."""
    found = []
    for path in sorted(TABLES.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line.strip():
                sign, _, rest = line.partition(" ")
                closing, _, wanted = rest.rpartition(" =")
                found.append((path.stem, sign, closing.replace("⏎", "\n"), tuple(wanted.split())))
    return found


def plain(closing: Closing) -> set[str]:
    """`kind:effect` of the acts, checks and successes that are simply stated; `kind` where it says all."""
    return {
        f"{claim.kind}:{claim.effect}" if claim.kind in ("action", "check") else claim.kind
        for claim in closing.claims
        if claim.plain and claim.kind in _ACTS
    }


def wrong(sign: str, text: str, wanted: tuple[str, ...]) -> str:
    """What is misread; empty where nothing is."""
    closing = parse(text)
    claimed = plain(closing)
    if sign in "+±":
        missing = [each for each in wanted if not each.startswith("!") and each not in claimed]
        extra = [
            each
            for each in wanted
            if each.startswith("!") and any(c.endswith(":" + each[1:]) for c in claimed)
        ]
        if missing or extra:
            return f"not read: {missing + extra}; read: {sorted(claimed)}"
        return "no disclosure" if sign == "±" and not closing.disclosures else ""
    if claimed:
        return f"read as claims: {sorted(claimed)}"
    return "no disclosure" if sign == "-" and not closing.disclosures else ""


ROWS = rows()


@pytest.mark.parametrize(
    ("language", "sign", "text", "wanted"), ROWS, ids=[f"{r[0]}-{i}" for i, r in enumerate(ROWS)]
)
def test_closing(language: str, sign: str, text: str, wanted: tuple[str, ...]) -> None:
    assert parse(text).languages[0] == language
    reason = wrong(sign, text, wanted)
    assert not reason, f"{text}\n{reason}"


def test_the_tables() -> None:
    languages = {language for language, *_ in ROWS}
    assert languages == {"de", "es", "fr", "pt", "it", "zh", "ja", "ko", "ru", "hi"}
    for language in languages:
        own = [row for row in ROWS if row[0] == language]
        assert len(own) >= 40
        assert len({text for _, _, text, _ in own}) == len(own)
        assert {sign for _, sign, *_ in own} >= SIGNS
