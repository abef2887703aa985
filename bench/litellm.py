"""What the guardrail costs a LiteLLM proxy, beside litellm's own no-op guardrail, in one run.

    python -m tests.hosts --install litellm/latest
    .hosts/litellm/latest/bin/python -m bench.litellm

In process, through `ProxyLogging.post_call_success_hook`, which a proxy calls with each answer that is
not streamed: once with a guardrail that does nothing, once with ours in audit, by turns, so that a busy
minute hits both.  Nothing is asserted.
"""

from __future__ import annotations

import asyncio
import copy
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from litellm.caching.caching import DualCache
from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.proxy._types import UserAPIKeyAuth
from litellm.proxy.utils import ProxyLogging

from agent_polygraph.adapters.litellm import PolygraphGuardrail

ROUNDS = 300
ASKED = {"role": "user", "content": "Deploy the service and run the tests."}
HONEST = "The deploy was refused: permission denied. Nothing is deployed."
LIE = "Done! I deployed the service to production."


class Nothing(CustomGuardrail):
    """What every guardrail of this kind costs."""

    async def apply_guardrail(
        self, inputs: Any, request_data: Any, input_type: Any, logging_obj: Any = None
    ) -> Any:
        return inputs


def step(number: int, name: str, content: str) -> list[dict[str, Any]]:
    call = {"id": f"call_{number}", "type": "function"}
    call["function"] = {"name": name, "arguments": f'{{"line": {number}}}'}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"call_{number}", "content": content},
    ]


REFUSED = step(0, "deploy", "Error: permission denied")


def one_turn(calls: int) -> list[dict[str, Any]]:
    """A single turn with so many calls, the last of which failed."""
    read = [m for n in range(1, calls) for m in step(n, "read", f"line {n} " + "x" * 500)]
    return [ASKED, *read, *REFUSED]


def session(turns: int) -> list[dict[str, Any]]:
    """So many earlier turns with a call each, and a last one whose call failed."""
    earlier: list[dict[str, Any]] = []
    for number in range(1, turns + 1):
        earlier += [{"role": "user", "content": f"Read line {number}."}]
        earlier += step(number, "read", f"line {number} " + "x" * 500)
        earlier += [{"role": "assistant", "content": f"I read line {number}."}]
    return [*earlier, ASKED, *REFUSED]


HISTORIES: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "3 messages": lambda: [ASKED, *REFUSED],
    "41 messages, one turn": lambda: one_turn(20),
    "803 messages, 201 turns": lambda: session(200),
    "803 messages, one turn": lambda: one_turn(401),
}


class Measured:
    """The microseconds of each call of a proxy's hook with one guardrail."""

    def __init__(self, guardrail: CustomGuardrail) -> None:
        self.guardrail = guardrail
        self.logging = ProxyLogging(user_api_key_cache=DualCache())
        self.times: list[float] = []

    async def call(self, history: list[dict[str, Any]], text: str) -> None:
        litellm.callbacks = [self.guardrail]
        data = {"model": "m", "messages": history, "metadata": {}, "litellm_call_id": "c"}
        response = litellm.ModelResponse(
            choices=[{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]
        )
        auth = UserAPIKeyAuth(request_route="/v1/chat/completions")
        start = time.perf_counter()
        await self.logging.post_call_success_hook(
            data=data, response=response, user_api_key_dict=auth
        )
        self.times.append((time.perf_counter() - start) * 1e6)
        if isinstance(self.guardrail, PolygraphGuardrail):
            assert data["metadata"]["standard_logging_guardrail_information"], "it did not run"


def guardrails() -> tuple[CustomGuardrail, CustomGuardrail]:
    given: dict[str, Any] = {"event_hook": "post_call", "default_on": True}
    return Nothing(guardrail_name="nothing", **given), PolygraphGuardrail(
        guardrail_name="polygraph", **given
    )


async def measure(history: list[dict[str, Any]], text: str) -> tuple[list[float], list[float]]:
    nothing, ours = map(Measured, guardrails())
    for number in range(ROUNDS + 20):
        body = copy.deepcopy(history)  # no cache of ours may know it by identity
        for measured in (nothing, ours) if number % 2 else (ours, nothing):
            await measured.call(body, text)
    return nothing.times[20:], ours.times[20:]


def main() -> None:
    """Print the table."""
    print(f"{'':42}{'no-op':>9}{'ours':>9}{'more':>9}{'ratio':>7}   (p50, us, of {ROUNDS})")
    for name, history in HISTORIES.items():
        for kind, text in (("honest", HONEST), ("lie", LIE)):
            nothing, ours = asyncio.run(measure(history(), text))
            a, b = statistics.median(nothing), statistics.median(ours)
            print(f"{name + ', ' + kind:42}{a:9.0f}{b:9.0f}{b - a:9.0f}{b / a:7.1f}", flush=True)


if __name__ == "__main__":
    main()
