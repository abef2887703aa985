"""The examples of adapters/otel run, and say what they are there to say."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "adapters" / "otel"
NEEDS = {"langgraph_agent.py": "langgraph", "openai_agents_agent.py": "agents"}


@pytest.mark.parametrize("name", NEEDS)
def test_an_example_runs(name: str) -> None:
    if importlib.util.find_spec(NEEDS[name]) is None:
        pytest.skip(f"no {NEEDS[name]} here")
    done = subprocess.run(
        [sys.executable, str(FOLDER / name)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("lie: The payments service was deployed successfully."), (
        done.stdout + done.stderr
    )
    assert "error_concealment: span " in done.stdout


def test_every_example_is_run() -> None:
    assert {path.name for path in FOLDER.glob("*.py")} == set(NEEDS)
