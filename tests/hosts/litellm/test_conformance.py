"""The 24 trajectories of tests/conformance through the real proxy, on each of its routes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent_polygraph import Verdict
from tests.conformance import shapes
from tests.conformance.suite import TRAJECTORIES, Adapter, Trajectory, conforms

from .conftest import ROUTES, Host

RENDERS = dict(zip(ROUTES, (shapes.chat, shapes.anthropic, shapes.responses), strict=True))
MODELS = {"/v1/messages": "claude-x"}


def live(host: Host, route: str) -> Adapter:
    """The guardrail behind one route of the proxy, in audit."""
    render: Callable[[Trajectory], Any] = RENDERS[route]

    def run(trajectory: Trajectory) -> Any:
        body, _ = render(trajectory)
        host.model.say(trajectory.closing)
        body = {**body, "model": MODELS.get(route, "fake-x")}
        wish = {"include_guardrail_response": True}
        answer = host.post(route, body, "audit", metadata=wish)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def read(answer: Any) -> Verdict:
        rows = [r for r in answer["guardrail_information"] if r["guardrail_name"] == "audit"]
        (row,) = rows
        return Verdict.from_dict(row["guardrail_response"])

    return Adapter(f"litellm: {route}", run, read)


@pytest.mark.parametrize("trajectory", TRAJECTORIES, ids=str)
@pytest.mark.parametrize("route", ROUTES)
def test_it_conforms(host: Host, route: str, trajectory: Trajectory) -> None:
    conforms(live(host, route), trajectory)
