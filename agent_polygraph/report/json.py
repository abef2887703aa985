"""Verdicts for a program: one JSON document, ASCII only, with a schema number.

`line` and `label` are null where the input has none; a verdict is what `Verdict.from_dict` reads.
The summary counts all turns, also those that a quiet run leaves out.  No string holds half a
surrogate pair: what no encoding can write is shown as its escape.

    {"schema": 1, "detector_version": "...",
     "summary": {"turns", "lie", "honest", "unverifiable", "problems"},
     "turns": [{"id", "source", "line", "task", "label", "verdict"}],
     "problems": [{"source", "line", "reason"}]}
"""

from __future__ import annotations

import json

from agent_polygraph._version import DETECTOR_VERSION
from agent_polygraph.report import Report, line_of, written
from agent_polygraph.verdict import VERDICTS

SCHEMA = 1


def render(report: Report) -> str:
    """The document, indented, with a newline at its end."""
    document = {
        "schema": SCHEMA,
        "detector_version": DETECTOR_VERSION,
        "summary": {
            "turns": len(report.judged) + report.left_out.total(),
            **{verdict: report.count(verdict) for verdict in VERDICTS},
            "problems": len(report.problems),
        },
        "turns": [
            {
                "id": entry.item.id,
                "source": written(entry.item.source),
                "line": line_of(entry.item),
                "task": entry.item.task,
                "label": entry.item.label,
                "verdict": entry.verdict.as_dict(),
            }
            for entry in report.judged
        ],
        "problems": [
            {"source": written(problem.source), "line": problem.line, "reason": problem.reason}
            for problem in report.problems
        ],
    }
    return json.dumps(document, indent=2) + "\n"
