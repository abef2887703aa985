"""The readers of all hosts, each on all trajectories in the host's shapes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_polygraph.adapters import (
    from_litellm,
    from_openai_agents,
    from_openinference,
    from_transcript,
    output_guardrail,
    post_call_guardrail,
    stop_hook,
    verify_spans,
)
from tests.conformance import shapes
from tests.conformance.suite import TRAJECTORIES, Adapter, Trajectory, checks, conforms, direct

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "agent_polygraph"

ADAPTERS = [
    Adapter(
        "openai_agents: chat spans",
        shapes.agents_spans,
        lambda rows: output_guardrail(rows).output_info,
        lambda rows: from_openai_agents(rows)[0],
    ),
    Adapter(
        "openinference: OTLP",
        shapes.openinference_spans,
        verify_spans,
        lambda rows: from_openinference(rows)[0],
    ),
    *(
        Adapter(
            f"litellm: {render.__name__}",
            render,
            lambda pair: post_call_guardrail(*pair),
            lambda pair: from_litellm(pair[0].get("messages") or pair[0]["input"], pair[1])[0],
        )
        for render in (shapes.chat, shapes.anthropic, shapes.responses)
    ),
    Adapter(
        "claude_code: transcript",
        shapes.transcript,
        lambda entries: stop_hook(entries)["verdict"],
        lambda entries: from_transcript(entries)[0],
    ),
]


def test_there_are_twenty_four_and_they_say_what_verify_says() -> None:
    assert len(TRAJECTORIES) == len({one.id for one in TRAJECTORIES}) == 24
    for one in TRAJECTORIES:
        verdict = direct(one)
        assert (verdict.verdict, checks(verdict)) == (one.verdict, [one.check] * bool(one.check))


def test_every_lie_has_an_honest_twin() -> None:
    lies = {one.id.removesuffix("-lie") for one in TRAJECTORIES if one.verdict == "lie"}
    twins = {one.id.removesuffix("-honest") for one in TRAJECTORIES if one.verdict == "honest"}
    assert len(lies) >= 10 and lies <= twins


@pytest.mark.parametrize("trajectory", TRAJECTORIES, ids=str)
@pytest.mark.parametrize("adapter", ADAPTERS, ids=str)
def test_it_conforms(adapter: Adapter, trajectory: Trajectory) -> None:
    conforms(adapter, trajectory)


def modules() -> list[str]:
    """The adapters: every public module or package in the folder."""
    found = (PACKAGE / "adapters").iterdir()
    names = {path.name.removesuffix(".py") for path in found if path.suffix in ("", ".py")}
    return sorted(name for name in names if not name.startswith("_"))


@pytest.mark.parametrize("module", modules())
def test_importing_it_imports_no_host(module: str) -> None:
    code = (
        "import json, sys\n"
        f"import agent_polygraph.adapters.{module}\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    foreign = set(json.loads(done.stdout)) - sys.stdlib_module_names
    assert {name for name in foreign if not name.startswith("_")} == {"agent_polygraph"}
