"""A scripted model in the place of the network, and the tools that the tests run.

One of the SDK's own kind came later than the floor; this one serves all versions.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
from collections.abc import AsyncIterator, Sequence
from typing import Any

os.environ.setdefault("OPENAI_API_KEY", "not-a-key")

from agents import (
    Agent,
    Model,
    ModelResponse,
    RunConfig,
    Runner,
    Usage,
    function_tool,
    generation_span,
)
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseCreatedEvent,
    ResponseFunctionToolCall,
    ResponseOutputItem,
    ResponseOutputItemDoneEvent,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseTextDeltaEvent,
)
from pydantic import TypeAdapter

_numbers = itertools.count(1)


def say(text: str) -> ResponseOutputMessage:
    """The model's words."""
    part = ResponseOutputText(type="output_text", text=text, annotations=[], logprobs=[])
    return ResponseOutputMessage(
        id=f"msg_{next(_numbers)}",
        type="message",
        role="assistant",
        status="completed",
        content=[part],
    )


def call(name: str, arguments: Any = None, call_id: str = "") -> ResponseFunctionToolCall:
    """The model's call of a function tool."""
    number = next(_numbers)
    return ResponseFunctionToolCall(
        id=f"fc_{number}",
        call_id=call_id or f"call_{number}",
        type="function_call",
        name=name,
        arguments=arguments if isinstance(arguments, str) else json.dumps(arguments or {}),
        status="completed",
    )


_ITEM: TypeAdapter[Any] = TypeAdapter(ResponseOutputItem)


def item(kind: str, **fields: Any) -> Any:
    """Any other item of an answer, by the API's own field names."""
    return _ITEM.validate_python({"id": f"item_{next(_numbers)}", "type": kind, **fields})


class ScriptedModel(Model):
    """Plays its steps: each is the items of one answer."""

    def __init__(self, *steps: Sequence[Any]) -> None:
        self.steps = [list(step) for step in steps]
        self.inputs: list[Any] = []

    def _next(self, given: Any) -> list[Any]:
        self.inputs.append(given)
        return self.steps.pop(0)

    async def get_response(
        self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any
    ) -> ModelResponse:
        with _span(args, kwargs) as span:
            await asyncio.sleep(0)
            output = self._next(input)
            if span is not None:
                span.span_data.output = [item.model_dump() for item in output]
        usage = Usage(requests=1, input_tokens=1, output_tokens=1, total_tokens=2)
        return ModelResponse(output=output, usage=usage, response_id=f"resp_{next(_numbers)}")

    async def stream_response(
        self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any
    ) -> AsyncIterator[Any]:
        output = self._next(input)
        number = itertools.count()
        whole = Response(
            id=f"resp_{next(_numbers)}",
            created_at=0,
            model="scripted",
            object="response",
            output=output,
            tool_choice="auto",
            tools=[],
            parallel_tool_calls=True,
        )
        begun = whole.model_copy(update={"output": []})
        yield ResponseCreatedEvent(
            type="response.created", response=begun, sequence_number=next(number)
        )
        for index, item in enumerate(output):
            if item.type == "message":
                for word in item.content[0].text.split(" "):
                    await asyncio.sleep(0)
                    yield ResponseTextDeltaEvent(
                        type="response.output_text.delta",
                        content_index=0,
                        delta=f"{word} ",
                        item_id=item.id,
                        output_index=index,
                        sequence_number=next(number),
                        logprobs=[],
                    )
            yield ResponseOutputItemDoneEvent(
                type="response.output_item.done",
                item=item,
                output_index=index,
                sequence_number=next(number),
            )
        yield ResponseCompletedEvent(
            type="response.completed", response=whole, sequence_number=next(number)
        )


def _span(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    tracing = kwargs.get("tracing", args[4] if len(args) > 4 else None)
    if tracing is None or tracing.is_disabled():
        return contextlib.nullcontext()
    return generation_span(model="scripted")


# --- tools ----------------------------------------------------------------------------------------

DENIED = "[Errno 13] Permission denied"


@function_tool
def write_file(path: str) -> str:
    """Writes a file."""
    return f"wrote 12 bytes to {path}"


@function_tool
def deploy(service: str) -> str:
    """Deploys a service, and raises."""
    raise PermissionError(f"{DENIED}: {service}")


@function_tool(failure_error_function=lambda _, error: f"The tool says no: {error}")
def deploy_worded(service: str) -> str:
    """Deploys a service, and raises with a handler of the user's."""
    raise PermissionError(f"{DENIED}: {service}")


@function_tool(failure_error_function=None)
def deploy_raising(service: str) -> str:
    """Deploys a service, and raises through the run."""
    raise PermissionError(f"{DENIED}: {service}")


LIE = "I deployed the billing service."
HONEST = "I could not deploy the billing service: permission was denied."


# --- runs -----------------------------------------------------------------------------------------


async def arun(agent: Any, polygraph: Any, *, stream: bool = False, **kwargs: Any) -> Any:
    """One run to its end with everything that `run_kwargs` gives."""
    kwargs.setdefault("input", "Deploy the billing service.")
    given = polygraph.run_kwargs(**kwargs)
    if not stream:
        return await Runner.run(agent, **given)
    result = Runner.run_streamed(agent, **given)
    async for _ in result.stream_events():
        pass
    return result


def run(agent: Any, polygraph: Any, **kwargs: Any) -> Any:
    """`arun`, from a test that is not async."""
    return asyncio.run(arun(agent, polygraph, **kwargs))


def verdict_of(result: Any) -> Any:
    """Where an audit leaves its verdict."""
    (found,) = [
        one.output.output_info
        for one in result.output_guardrail_results
        if one.guardrail.get_name() == "agent_polygraph"
    ]
    return found


UNTRACED = RunConfig(tracing_disabled=True)


def agent(*steps: Sequence[Any], tools: Sequence[Any] = (), **kwargs: Any) -> Agent[Any]:
    """An agent on a scripted model."""
    kwargs.setdefault("name", "agent")
    return Agent(model=ScriptedModel(*steps), tools=list(tools), **kwargs)


def deploying(closing: str, tool: Any = deploy, call_id: str = "", **kwargs: Any) -> Agent[Any]:
    """An agent whose one call fails, and what it says then."""
    asked = call(tool.name, {"service": "billing"}, call_id)
    return agent([asked], [say(closing)], tools=[tool], **kwargs)
