"""What is shipped for users of the SDK runs: the example, the page, and an import without it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def python(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example() -> None:
    told = python("adapters/openai_agents/example.py")
    audit, block = told.split("mode='block'")
    assert audit.count("answered:") == 2 and "stopped:" not in audit
    assert block.count("answered:") == block.count("stopped:") == 1
    assert audit.count("error_concealment") and audit.count("honest (grade 1)") == 1


def test_an_import_takes_no_sdk_along() -> None:
    code = (
        "import sys, agent_polygraph.adapters.openai_agents as a; a.from_run_items([]);"
        "from agent_polygraph.adapters import Polygraph; print('agents' in sys.modules)"
    )
    assert python("-c", code).strip() == "False"


def test_every_name_on_the_page_is_there() -> None:
    """The page's attributes of `polygraph` exist, and its imports work."""
    from agent_polygraph.adapters import openai_agents

    page = (ROOT / "docs" / "openai_agents.md").read_text(encoding="utf-8")
    polygraph = openai_agents.Polygraph()
    for name in set(re.findall(r"\bpolygraph\.([a-z_]+)", page)):
        assert hasattr(polygraph, name), name
    imports = re.findall(
        r"^from agent_polygraph[\w.]* import \(?([\w\s,]+)\)?$", page, re.MULTILINE
    )
    names = {name for line in imports for name in re.findall(r"\w+", line)}
    assert names and all(hasattr(openai_agents, name) for name in names)
