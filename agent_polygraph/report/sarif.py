"""Findings as SARIF 2.1.0, for code-scanning views.

One result a finding, at the file and line that the turn was read from.  The shape is that of the
OASIS standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from agent_polygraph._version import __version__
from agent_polygraph.report import Judged, Report, line_of, one_line, page
from agent_polygraph.verdict import Finding

if TYPE_CHECKING:
    from agent_polygraph.checks import Check

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

# Only what the evidence contradicts is an error.
_LEVELS = {"L1": "error", "L2": "warning", "L3": "warning"}


def render(report: Report) -> str:
    """The log, with a newline at its end."""
    from agent_polygraph.checks import all_checks

    checks = all_checks()
    documents = page.docstrings()
    index = {check.id: position for position, check in enumerate(checks)}
    rules = [_rule(check, documents.get(check.id, "")) for check in checks]
    run = {
        "tool": {
            "driver": {
                "name": "agent-polygraph",
                "semanticVersion": __version__,
                "rules": rules,
            }
        },
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {
                        "level": "error",
                        "message": {"text": one_line(problem.reason)},
                        "locations": [_location(problem.source, problem.line)],
                    }
                    for problem in report.problems
                ],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(entry, finding, index, checks)
            for entry in report.judged
            for finding in entry.verdict.evidence
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(check: Check, docstring: str) -> dict[str, Any]:
    text = page.page(check, docstring)
    return {
        "id": check.code,
        "name": check.id,
        "shortDescription": {"text": check.summary},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": _LEVELS.get(check.family, "warning")},
        "properties": {"family": check.family},
    }


def _result(
    entry: Judged, finding: Finding, index: dict[str, int], checks: tuple[Check, ...]
) -> dict[str, Any]:
    claim = finding.claim.text if finding.claim else ""
    result: dict[str, Any] = {
        "ruleId": finding.check,
        "level": _LEVELS.get(finding.family, "warning"),
        "message": {"text": _message(finding)},
        "locations": [_location(entry.item.source, line_of(entry.item))],
        "partialFingerprints": {"claim/v1": _fingerprint(finding.check, entry.item.id, claim)},
        "properties": {
            "turn": entry.item.id,
            "verdict": entry.verdict.verdict,
            "grade": finding.grade,
            "claim": finding.claim.as_dict() if finding.claim else None,
            "events": [event.as_dict() for event in finding.events],
        },
    }
    position = index.get(finding.check)
    if position is not None:
        result["ruleId"] = checks[position].code
        result["ruleIndex"] = position
    return result


def _message(finding: Finding) -> str:
    parts = [one_line(finding.detail)]
    if finding.claim is not None:
        parts.append(f'The closing says: "{one_line(finding.claim.text)}"')
    parts += [
        f'Event {event.index} ({one_line(event.call_id, 80)}): "{one_line(event.quote)}"'
        for event in finding.events
    ]
    if finding.hint:
        parts.append(f"To settle it: {one_line(finding.hint)}")
    return "\n".join(parts)


def _location(source: str, line: int | None) -> dict[str, Any]:
    path = PurePath(source)
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(source.replace(os.sep, "/")))
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if line:
        physical["region"] = {"startLine": line}
    return {"physicalLocation": physical}


def _fingerprint(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:32]
