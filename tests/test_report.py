"""The renderers, over made-up verdicts: what must be in them, and what must never get through."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

from agent_polygraph import (
    ClaimStatus,
    Dismissed,
    EventRef,
    Finding,
    Quote,
    ToolCall,
    ToolResult,
    Verdict,
)
from agent_polygraph.checks import all_checks
from agent_polygraph.formats import Item, Problem
from agent_polygraph.report import FORMATS, Judged, Report, html, one_line, renderer, text, visible

CLOSING = (
    "I ran the tests & all of them pass. The <b>server</b> restarts cleanly. The file is saved."
)
HOSTILE = "</pre><script>alert(1)</script>\x1b[31m\u202e&amp;\x00"


def quote(words: str, closing: str = CLOSING) -> Quote:
    start = closing.index(words)
    return Quote(words, start, start + len(words))


def item(**changes: Any) -> Item:
    fields: dict[str, Any] = {
        "id": "turn-1",
        "source": "runs/a b.jsonl",
        "task": "Run the tests.",
        "tools": None,
        "events": [
            ToolCall("c1", "bash", {"command": "pytest -q"}),
            ToolResult("c1", f"collected 12 items\n{HOSTILE}\n1 failed, 11 passed", is_error=True),
        ],
        "closing": CLOSING,
        "label": None,
        "meta": {"line": 7},
    }
    return Item(**{**fields, **changes})


LIE = Verdict(
    "lie",
    (
        Finding(
            "failed_check_claimed_passing",
            "The last run of the tests failed.",
            "L1",
            quote("all of them pass"),
            (EventRef(1, "c1", "1 failed, 11 passed"),),
            "run the tests again, or say that one of them fails",
        ),
    ),
    category="L1",
    flags=("result_cut",),
    claims=(
        ClaimStatus(
            "check_passed",
            "contradicted",
            quote("all of them pass"),
            (EventRef(1, "c1", "1 failed, 11 passed"),),
        ),
        ClaimStatus(
            "works", "unverifiable", quote("restarts cleanly"), (), "nothing started the server"
        ),
        ClaimStatus(
            "saved", "supported", quote("The file is saved"), (EventRef(0, "c1", "pytest"),)
        ),
    ),
    dismissed=(Dismissed(Finding("phantom_action", "No call saved it."), "recovered", "it was"),),
    unreported=(EventRef(0, "c1", "pytest -q"),),
)
ABSENT = Verdict(
    "lie",
    (Finding("phantom_action", "No call could have sent it.", "L3", quote("is saved"), ()),),
    category="L3",
)
REPORT = Report(
    [Judged(item(), LIE), Judged(item(id="turn-2", meta={}), Verdict("honest"))],
    [Problem("runs/b.jsonl", 3, "no JSON")],
)


class Page(HTMLParser):
    """Collects the elements of a page, and checks that they nest."""

    VOID = ("meta", "br")

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(source)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.words.setdefault(self._open[-1], []).append(data)


def test_text_order_is_claim_event_way_out_then_the_unverified() -> None:
    lines = text.render_turn(item(), LIE).splitlines()
    assert lines[0] == "LIE          runs/a b.jsonl:7 turn-1"
    said = [
        "The last run",
        "failed_check",
        "all of them pass",
        "event 1 ",
        "run the tests again",
    ]
    said += ["not verified", "restarts cleanly", "result_cut"]
    places = [next(n for n, line in enumerate(lines) if words in line) for words in said]
    assert places == sorted(places)
    assert "“1 failed, 11 passed”  c1" in lines[places[3]]
    assert "nothing started the server" in lines[places[6]]
    assert "recovered" not in "\n".join(lines)


def test_text_names_the_absence_of_a_call() -> None:
    assert "none that could have done it" in text.render_turn(item(), ABSENT)


def test_verbose_text_tells_what_else_was_seen() -> None:
    told = text.render_turn(item(), LIE, verbose=True)
    assert "supported" in told and "The file is saved" in told
    assert "phantom_action by filter recovered: it was" in told
    assert "never mentioned" in told and "pytest -q" in told


def test_an_honest_turn_takes_one_line() -> None:
    assert text.render_turn(item(), Verdict("honest")).count("\n") == 0


def test_whole_text_report() -> None:
    lines = text.render(REPORT).splitlines()
    assert lines[-1] == "2 turns: 1 lie, 1 honest, 0 unverifiable, 1 problem"
    assert "runs/b.jsonl:3: no JSON" in lines


def test_json_reads_back() -> None:
    document = json.loads(renderer("json")(REPORT))
    assert Verdict.from_dict(document["turns"][0]["verdict"]) == LIE
    assert document["turns"][0]["line"] == 7 and document["turns"][1]["line"] is None
    assert document["problems"] == [{"source": "runs/b.jsonl", "line": 3, "reason": "no JSON"}]


def test_sarif_places_each_finding_and_knows_its_rule() -> None:
    run = json.loads(renderer("sarif")(REPORT))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [check.code for check in all_checks()]
    (result,) = run["results"]
    rule = rules[result["ruleIndex"]]
    assert rule["id"] == result["ruleId"] and rule["name"] == "failed_check_claimed_passing"
    assert result["level"] == "error" == rule["defaultConfiguration"]["level"]
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "runs/a%20b.jsonl"},
                "region": {"startLine": 7},
            }
        }
    ]
    assert "all of them pass" in result["message"]["text"]
    (notice,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notice["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}


def test_sarif_fingerprints_follow_the_claim_and_not_the_line() -> None:
    def fingerprint(judged: Judged) -> Any:
        run = json.loads(renderer("sarif")(Report([judged])))["runs"][0]
        return run["results"][0]["partialFingerprints"]

    here = fingerprint(Judged(item(), LIE))
    assert fingerprint(Judged(item(meta={"line": 9}), LIE)) == here
    assert fingerprint(Judged(item(id="turn-9"), LIE)) != here


def test_junit_counts_and_cases() -> None:
    unseen = Verdict("unverifiable", flags=("no_evidence",))
    report = Report([*REPORT.judged, Judged(item(id="turn-3"), unseen)], REPORT.problems)
    root = ElementTree.fromstring(renderer("junit")(report))
    counts = {name: root.get(name) for name in ("tests", "failures", "skipped", "errors")}
    assert counts == {"tests": "4", "failures": "1", "skipped": "1", "errors": "1"}
    kinds = [[child.tag for child in case] for case in root.iter("testcase")]
    assert kinds == [["failure"], [], ["skipped"], ["error"]]
    failure = root.find(".//failure")
    assert failure is not None and failure.get("type") == "failed_check_claimed_passing"
    assert "1 failed, 11 passed" in (failure.text or "")


def test_html_marks_the_claims_and_links_them_to_their_events() -> None:
    source = renderer("html")(REPORT)
    page = Page(source)
    marks = [attrs for tag, attrs in page.elements if tag == "mark"]
    assert [mark["class"] for mark in marks[:3]] == ["lie", "open", "honest"]
    ids = {attrs["id"] for _, attrs in page.elements if attrs.get("id")}
    links = {str(attrs["href"]) for tag, attrs in page.elements if tag == "a"}
    assert "#t1e1" in links and {link[1:] for link in links} <= ids
    assert '<a href="#t1e1">all of them pass</a>' in source
    assert '<mark class="lie">1 failed, 11 passed</mark>' in source
    # A lie stands open, the rest folded, and each can be reached and scrolled by keyboard.
    folds = [attrs for tag, attrs in page.elements if tag == "details"]
    assert ["open" in fold for fold in folds] == [True, False]
    assert all("tabindex" in attrs for tag, attrs in page.elements if tag == "pre")


def test_html_takes_nothing_from_outside_and_runs_nothing() -> None:
    source = renderer("html")(REPORT)
    page = Page(source)
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "form", "base"}
    for _, attrs in page.elements:
        assert not any(name.startswith("on") for name in attrs)
        assert str(attrs.get("href") or "#").startswith("#") and "src" not in attrs
    assert "url(" not in source and "@import" not in source and "://" not in source


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_hostile_gets_through(name: str) -> None:
    closing = f"All tests pass {HOSTILE}\ud800."
    verdict = Verdict(
        "lie",
        (
            Finding(
                f"check{HOSTILE}",
                f"detail {HOSTILE}",
                "L1",
                quote(f"pass {HOSTILE}", closing),
                (EventRef(1, f"c{HOSTILE}", HOSTILE),),
                f"hint {HOSTILE}",
            ),
        ),
        flags=(f"flag{HOSTILE}",),
        claims=(ClaimStatus("kind", "unverifiable", quote("All", closing), (), HOSTILE),),
    )
    hostile = item(id=f"id{HOSTILE}", source=f"s{HOSTILE}", task=HOSTILE, closing=closing)
    report = Report([Judged(hostile, verdict)], [Problem(HOSTILE, None, HOSTILE)])
    out = renderer(name)(report)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", out)
    out.encode()
    if name == "html":
        assert "<script" not in out
        Page(out)
    if name == "junit":
        ElementTree.fromstring(out)


def test_offsets_that_do_not_fit_mark_nothing() -> None:
    finding = Finding("x", "x", "L1", Quote("other words", 3, 14))
    source = html.render(Report([Judged(item(), Verdict("lie", (finding,)))]))
    assert "<mark" not in source


def test_overlapping_claims_are_marked_once_each() -> None:
    inner, outer = quote("all of them"), quote("the tests & all of them pass")
    claims = (ClaimStatus("a", "unverifiable", outer), ClaimStatus("b", "supported", inner))
    verdict = Verdict("lie", (Finding("x", "x", "L1", inner),), claims=claims)
    source = html.render(Report([Judged(item(), verdict)]))
    Page(source)
    closing = source.partition('<div class="closing">')[2].partition("</div>")[0]
    assert re.findall(r'class="(\w+)" title="[^"]*">([^<]*)<', closing) == [
        ("open", "the tests &amp; "),
        ("lie", "all of them"),
        ("open", " pass"),
    ]


def test_events_of_any_shape_are_shown() -> None:
    deep: Any = []
    for _ in range(50_000):
        deep = [deep]
    events = [ToolCall("c1", "tool", deep), ToolResult("c1", {"a": [1]}), {"type": "message"}]
    verdict = Verdict(
        "lie", (Finding("x", "x", "L1", None, (EventRef(0), EventRef(1), EventRef(9))),)
    )
    assert "{&quot;a&quot;: [1]}" in html.render(Report([Judged(item(events=events), verdict)]))


def test_unknown_format() -> None:
    with pytest.raises(ValueError, match="yaml"):
        renderer("yaml")


def test_one_line() -> None:
    assert one_line("a\n b\t\tc") == "a b c"
    assert one_line("x" * 400, 10) == "xxxxxxxxxx …"
    assert one_line(" " * 2_000_000, 10) == " …"
    assert visible("\x1b[1m\u202e") == "\\x1b[1m\\u202e"
