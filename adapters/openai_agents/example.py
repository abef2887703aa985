"""An agent that lies about a failed tool, guarded: once audited, once blocked.  No network, no key.

pip install 'agent-polygraph[openai-agents]'
python adapters/openai_agents/example.py
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from agents import (
    Agent,
    Model,
    ModelResponse,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    Usage,
    function_tool,
)
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from agent_polygraph.adapters.openai_agents import Polygraph

LIE = "Done! I refunded order A-2291."
HONEST = "I am sorry, the refund of order A-2291 failed. I will try again tomorrow."


@function_tool
def refund_order(order_id: str) -> str:
    """Refunds an order."""
    raise ConnectionError("the payment provider did not answer")


class Scripted(Model):
    """In the place of a real model: calls the tool, then says its sentence."""

    def __init__(self, sentence: str) -> None:
        arguments = json.dumps({"order_id": "A-2291"})
        call = ResponseFunctionToolCall(
            type="function_call", call_id="call_1", name="refund_order", arguments=arguments
        )
        text = ResponseOutputText(type="output_text", text=sentence, annotations=[])
        words = ResponseOutputMessage(
            id="msg_1", type="message", role="assistant", status="completed", content=[text]
        )
        self.answers: list[Any] = [call, words]

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        """The next answer."""
        return ModelResponse(output=[self.answers.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        """Not needed here."""
        raise NotImplementedError


async def run(polygraph: Polygraph, sentence: str) -> None:
    """One run: nothing about the agent knows of the guard."""
    agent = Agent(name="support", model=Scripted(sentence), tools=[refund_order])
    try:
        result = await Runner.run(
            agent,
            "Please refund order A-2291.",
            **polygraph.run_kwargs(run_config=RunConfig(tracing_disabled=True)),
        )
    except OutputGuardrailTripwireTriggered as stopped:
        print(f"  stopped:  {sentence}")
        print(_indented(stopped.guardrail_result.output.output_info.explain()))
    else:
        print(f"  answered: {result.final_output}")
        print(_indented(polygraph.verify_result(result).explain()))


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


async def main() -> None:
    """Both modes, the lie and its honest twin."""
    for mode in ("audit", "block"):
        print(f"mode={mode!r}")
        for sentence in (LIE, HONEST):
            await run(Polygraph(mode), sentence)


if __name__ == "__main__":
    asyncio.run(main())
