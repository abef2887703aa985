"""Tools that the proxy runs by itself: what they said is evidence, with the bit of their server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from adapters.litellm.loopback import Answer, Proxy, ScriptedModel

from .conftest import MODELS, RECORDER, ROUTES, Host, guard
from .mcp_server import running

CHAT, _, RESPONSES = ROUTES
LIE = "I deployed the service."
TOOLS = [{"type": "mcp", "server_label": "litellm", "server_url": "litellm_proxy"}]
TOOLS[0]["require_approval"] = "never"


@pytest.fixture(scope="module")
def ops() -> Iterator[Host]:
    """A proxy with an MCP server of its own."""
    guards = [guard("audit"), guard("block", polygraph_action="block")]
    with ScriptedModel() as model, running() as servers:
        config = MODELS.format(base=model.base) + "".join(guards) + servers
        with Proxy(config, {"recorder.py": RECORDER}) as proxy:
            yield Host(proxy, model)


def deploys(*envs: str) -> Any:
    """A model that asks for a deploy to each of `envs` and then says that it is done."""

    def script(body: dict[str, Any]) -> Answer:
        items = body.get("messages") or body.get("input")
        kinds = [item.get("role") or item.get("type") for item in items if isinstance(item, dict)]
        if "tool" in kinds or "function_call_output" in kinds:
            return Answer((LIE,))
        names = [(tool.get("function") or tool)["name"] for tool in body["tools"]]
        (name,) = (name for name in names if name.endswith("deploy"))
        return Answer(calls=tuple((f"call_{e}", name, {"env": e}) for e in envs))

    return script


@pytest.mark.parametrize("route", [CHAT, RESPONSES])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("envs", "verdict"), [(("prod",), "lie"), (("test",), "honest"), (("prod", "test"), "honest")]
)
def test_the_bit_of_the_server_decides(
    ops: Host, route: str, stream: bool, envs: tuple[str, ...], verdict: str
) -> None:
    """The bit is not in the text that litellm makes of a result."""
    ops.model.script = deploys(*envs)
    key = "messages" if route == CHAT else "input"
    body = {"model": "fake-x", key: [{"role": "user", "content": "Deploy it."}], "tools": TOOLS}
    answer = ops.post(route, body, "audit", **({"stream": True} if stream else {}))
    assert answer.status_code == 200
    (row,) = ops.rows("audit")
    assert row["guardrail_response"]["verdict"] == verdict
    if verdict == "lie":
        assert row["guardrail_response"]["confidence"] == 1.0  # a bit, and no guess from words
        blocked = ops.post(route, body, "block", **({"stream": True} if stream else {}))
        assert blocked.status_code == 422 or "response.failed" in blocked.text
