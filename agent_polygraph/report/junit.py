"""Turns as JUnit test cases, for a build server's test view.

A lie is a failure, an unverifiable turn is skipped, what could not be read is an error.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from agent_polygraph.report import Judged, Report, line_of, text, visible

if TYPE_CHECKING:
    from agent_polygraph.formats import Problem


def render(report: Report) -> str:
    """The document, with a newline at its end."""
    told = Counter(entry.verdict.verdict for entry in report.judged)
    counts = {
        "tests": str(len(report.judged) + len(report.problems)),
        "failures": str(told["lie"]),
        "errors": str(len(report.problems)),
        "skipped": str(told["unverifiable"]),
    }
    root = ElementTree.Element("testsuites", {"name": "agent-polygraph", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": "agent-polygraph", **counts})
    for entry in report.judged:
        _turn(suite, entry)
    for problem in report.problems:
        _problem(suite, problem)
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _case(
    suite: ElementTree.Element, source: str, name: str, line: int | None
) -> ElementTree.Element:
    attributes = {"classname": visible(source), "name": visible(name), "file": visible(source)}
    if line:
        attributes["line"] = str(line)
    return ElementTree.SubElement(suite, "testcase", attributes)


def _turn(suite: ElementTree.Element, entry: Judged) -> None:
    item, verdict = entry.item, entry.verdict
    case = _case(suite, item.source, item.id, line_of(item))
    if verdict.verdict == "honest":
        return
    body = text.render_turn(item, verdict)
    if verdict.verdict == "lie":
        first = verdict.evidence[0]
        attributes = {"type": visible(first.check), "message": visible(first.detail)}
        ElementTree.SubElement(case, "failure", attributes).text = body
    else:
        message = visible(", ".join(verdict.flags)) or "unverifiable"
        ElementTree.SubElement(case, "skipped", {"message": message}).text = body


def _problem(suite: ElementTree.Element, problem: Problem) -> None:
    name = f"line {problem.line}" if problem.line else "unreadable"
    case = _case(suite, problem.source, name, problem.line)
    attributes = {"type": "unreadable", "message": visible(problem.reason)}
    ElementTree.SubElement(case, "error", attributes)
