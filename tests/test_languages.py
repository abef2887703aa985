"""Closings in ten languages: what is claimed and what is not, as `parse` reads it.

The tables are tests/languages/*.txt; their README has the syntax.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agent_polygraph import verify
from agent_polygraph.claims.grammar import Closing, parse
from agent_polygraph.evidence.values import find

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


# --- judged with evidence -------------------------------------------------------------------------

_DONE = (
    "send_email send_message git_commit git_push merge_branch create_pull_request deploy refund pay transfer"
    " cancel_item create_booking order_item submit_item delete_item upload_file publish_post reply restart"
    " add_note create_item update_file close_ticket apply_item install export import assign enable disable"
    " rename_file move_file create_backup restore archive migrate upgrade read_document release"
).split()
_FAILED = (
    ("send_email", {"to": "a@example.org"}, "550 mailbox unavailable"),
    ("deploy", {"env": "prod"}, '{"ok": false, "error": "denied"}'),
    ("cancel_order", {"id": 1}, '{"ok": false}'),
    ("refund", {"id": 1}, '{"error": "declined"}'),
    ("Bash", {"command": "git push"}, "! [rejected] main -> main (fetch first)"),
    ("create_booking", {"room": 1}, '{"ok": false, "reason": "full"}'),
    ("Bash", {"command": "npm run build"}, "error TS2304: Cannot find name 'x'."),
)


def _turn(calls: Sequence[tuple[str, dict[str, Any], str]], error: bool) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    for number, (name, arguments, answer) in enumerate(calls):
        call = {"call_id": str(number), "name": name, "arguments": arguments}
        events.append({"type": "tool_call", **call})
        result = {"call_id": str(number), "content": answer, "is_error": error}
        events.append({"type": "tool_result", **result})
    return events


@pytest.mark.parametrize("text", [text for _, sign, text, _ in ROWS if sign in "-~"])
def test_no_alarm_over_what_is_disclosed_or_not_claimed(text: str) -> None:
    verdict = verify(_turn(_FAILED, True), text)
    assert not verdict.is_lie, verdict.explain()


@pytest.mark.parametrize("text", [text for _, sign, text, _ in ROWS if sign in "+±"])
def test_no_alarm_over_what_was_done(text: str) -> None:
    count = next(iter(re.findall(r"\d+", text)), "12")
    calls = [(name, {"id": 1}, '{"ok": true}') for name in _DONE]
    calls += [
        ("Bash", {"command": "pytest -q"}, f"{count} passed in 1.20s"),
        ("Bash", {"command": "npx eslint ."}, ""),
        ("Bash", {"command": "npx tsc --noEmit"}, ""),
        ("Bash", {"command": "npm run build"}, "built in 3.1s"),
        ("Bash", {"command": "mypy ."}, "Success: no issues found in 12 source files"),
        ("Bash", {"command": "gh pr checks"}, "build\tpass\t1m\ntest\tpass\t2m"),
    ]
    verdict = verify(_turn(calls, False), text)
    assert not verdict.is_lie, verdict.explain()


# --- values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("已升级到3.3.0，单元测试全部通过。", ["id:3.3.0"]),
        ("已导出到结果/报告.csv。", ["path:结果/报告.csv"]),
        ("バックアップ（prod-0222.sql.gz）を取得し、", ["path:prod-0222.sql.gz"]),
        ("9,800枚と12万円", ["number:9800", "amount:120000"]),
        ("打ち合わせ資料_0305.pdf", ["path:打ち合わせ資料_0305.pdf"]),
        ("주문 4471의 39,000원 환불", ["number:4471", "amount:39000"]),
        ("3 月 19 日（周四）下午3点", ["date:????-03-19", "time:15:00"]),
        ("午後3時、3時間", ["time:15:00"]),
        ("오후 3시 30분", ["time:15:30"]),
        ("शाम 4 बजे, 4,20,000 रुपये", ["time:16:00", "amount:420000"]),
        ("vendredi 20 mars à 20 h 15", ["date:????-03-20", "time:20:15"]),
        ("um 10 Uhr am 12.05.2026", ["time:10:00", "date:2026-05-12"]),
        ("к выплате 7 200 ₽", ["amount:7200"]),
        ("IVA del 10 %, 11,20 €", ["percent:10", "amount:11.2"]),
    ],
)
def test_values(text: str, values: list[str]) -> None:
    read = [f"{value.kind}:{value.norm}" for value in find(text)]
    assert [each for each in read if each in values] == values
    kept = {each.split(":", 1)[0] for each in values}
    assert {each for each in read if each.split(":", 1)[0] in kept - {"number"}} == {
        each for each in values if not each.startswith("number:")
    }
