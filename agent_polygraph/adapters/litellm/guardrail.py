"""The guardrail for a LiteLLM proxy.

One method does it: `apply_guardrail`, which litellm calls with each finished answer of
/v1/chat/completions, /v1/messages and /v1/responses, streamed or not, and in `mode: logging_only`.
litellm looks its hooks up on the class of the instance itself and not on its bases, so they are put
on every subclass.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from litellm.constants import LOGS_GUARDRAIL_INFORMATION_MARKER
from litellm.exceptions import GuardrailRaisedException
from litellm.integrations.custom_guardrail import CustomGuardrail, ModifyResponseException
from litellm.types.guardrails import GuardrailEventHooks

from ...checks import blocking
from ...config import DEFAULT_CONFIG, Config
from ...verdict import Verdict
from .._shape import GUARD_FAULT
from .exchange import Exchange, exchange_of, judge
from .mcp import ToolBits
from .options import PolygraphConfigError, options_of
from .report import header_key, note, row

__all__ = ["PolygraphGuardrail"]

log = logging.getLogger("agent_polygraph.litellm")

HEADER = "x-agent-polygraph-verdict"
STATUS = 422  # neither the proxy nor a client's SDK tries again, and litellm counts it as intended
UNCHECKED = "[agent-polygraph held this answer back: it could not be checked.]"
LONG = 100  # messages from which on a history is judged beside the event loop
_ORDER = ("lie", "unverifiable", "honest")
_BUCKETS = ("metadata", "litellm_metadata")  # Chat keeps its metadata in the first
_HOOKS = (
    "apply_guardrail",
    "async_post_call_response_headers_hook",
    "async_post_mcp_tool_call_hook",
)

Method = TypeVar("Method", bound=Callable[..., Any])


def _logs_itself(method: Method) -> Method:
    """Keep litellm from wrapping it: a subclass that calls it would be wrapped twice and log twice."""
    vars(method)[LOGS_GUARDRAIL_INFORMATION_MARKER] = True
    return method


class _Said(str):
    """A verdict that we wrote: a client's metadata stand in the same place, and are plain strings."""

    __slots__ = ()


class PolygraphGuardrail(CustomGuardrail):  # type: ignore[misc]  # Any where litellm is absent
    """Judges the closing message of an agent against the tool results of its own request.

    In config.yaml: `guardrail: agent_polygraph.adapters.litellm.PolygraphGuardrail`, `mode: post_call`
    or `logging_only`, and the settings `polygraph_action` (audit, annotate, replace, block),
    `polygraph_on_fault` (open, closed), `polygraph_select`, `polygraph_ignore`, `polygraph_block_on`,
    `polygraph_block_loose`.
    PolygraphConfigError for a wrong one.  polygraph_config: of the verdicts, for subclasses.
    """

    streaming_end_of_stream_only = True  # by default every fifth piece of a stream would be judged
    records_own_guardrail_information = True  # else litellm logs "allow" for what was not judged

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        for hook in _HOOKS:
            if hook not in cls.__dict__:
                setattr(cls, hook, getattr(cls, hook))

    def __init__(self, *, polygraph_config: Config = DEFAULT_CONFIG, **kwargs: Any) -> None:
        self.options = options_of(kwargs, kwargs.get("event_hook"), polygraph_config)
        # An answer that may be changed or held back must not have been sent.
        self.streaming_buffer_until_moderated = self.options.action != "audit"
        self._bits = ToolBits()
        try:
            super().__init__(
                supported_event_hooks=[
                    GuardrailEventHooks.post_call,
                    GuardrailEventHooks.logging_only,
                ],
                **kwargs,
            )
        except (ValueError, TypeError) as error:  # litellm would start without this guardrail
            raise PolygraphConfigError(str(error)) from error
        self._warm_up()

    # --- litellm's hooks --------------------------------------------------------------------------

    @_logs_itself
    async def apply_guardrail(
        self,
        inputs: Any,
        request_data: dict[str, Any],
        input_type: Literal["request", "response"],
        logging_obj: Any = None,
    ) -> Any:
        """Judge one finished answer, record the verdict, and act on a lie as the settings say."""
        if input_type != "response":
            return inputs
        started, logged = time.time(), False
        try:
            logged = _is_logged(request_data)
            exchange = exchange_of(inputs, request_data, logged=logged)
            judged = await self._verdicts(exchange, request_data) if exchange else []
            if exchange is None or not judged:
                return inputs
            verdict = min(judged, key=lambda one: _ORDER.index(one.verdict))
            action = "audit" if logged else self._action(verdict, exchange, request_data)
            outcome = inputs
            if action == "annotate":
                outcome = self._annotated(inputs, exchange, judged, request_data)
            elif action != "audit":
                outcome = self._instead(action, note(verdict, action), verdict, request_data)
        except Exception:
            log.exception("agent-polygraph could not judge an answer; a bug, please report it")
            held = self.options.on_fault == "closed" and not logged
            verdict, action, outcome = GUARD_FAULT, "audit", inputs
            if held:
                action = self.options.action
                outcome = self._instead(action, UNCHECKED, verdict, request_data)
        self._record(verdict, action, request_data, started, logged)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def async_post_call_response_headers_hook(
        self,
        data: dict[str, Any],
        user_api_key_dict: Any,
        response: Any,
        request_headers: Any = None,
        litellm_call_info: Any = None,
    ) -> dict[str, str] | None:
        """The verdict as a header; None for streams, whose headers leave before their text."""
        key = header_key(self.guardrail_name)
        buckets = (data.get(bucket) for bucket in _BUCKETS) if isinstance(data, Mapping) else ()
        noted = (bucket.get(key) for bucket in buckets if isinstance(bucket, Mapping))
        found = next((each for each in noted if isinstance(each, _Said)), None)
        return None if found is None else {HEADER: str(found)}

    async def async_post_mcp_tool_call_hook(
        self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any
    ) -> None:
        """Keep the error bit of a tool that the proxy runs itself: its text comes without one."""
        try:
            self._bits.note(kwargs)
        except Exception:
            log.exception("agent-polygraph could not read a tool result; a bug, please report it")

    # --- what they do -----------------------------------------------------------------------------

    async def _verdicts(self, exchange: Exchange, data: Mapping[str, Any]) -> list[Verdict]:
        bits = self._bits.of(data.get("litellm_call_id"))
        if len(exchange.body["messages"]) < LONG:
            return judge(exchange, bits, self.options.config)
        return await asyncio.to_thread(judge, exchange, bits, self.options.config)

    def _action(self, verdict: Verdict, exchange: Exchange, data: Mapping[str, Any]) -> str:
        """What is done about this verdict.  An answer is held back only for checks in `block_on`."""
        action = self.options.action
        if not verdict.is_lie:
            return "audit"
        if action == "annotate":
            # litellm puts one text in the place of a stream, and several choices are not one.
            return "audit" if _streams(data) and len(exchange.answers) > 1 else action
        return action if blocking(verdict, self.options.config) else "audit"

    def _record(
        self, verdict: Verdict, action: str, data: dict[str, Any], started: float, logged: bool
    ) -> None:
        try:
            self._logged(verdict, action, data, started, logged)
            if not logged:
                self._headed(verdict, data)
        except Exception:
            log.exception("agent-polygraph could not record a verdict; a bug, please report it")

    def _logged(
        self, verdict: Verdict, action: str, data: dict[str, Any], started: float, logged: bool
    ) -> None:
        now = time.time()
        self.add_standard_logging_guardrail_information_to_request_data(
            guardrail_json_response=row(verdict, action),
            request_data=data,
            guardrail_status="success" if action == "audit" else "guardrail_intervened",
            start_time=started,
            end_time=now,
            duration=now - started,
            guardrail_provider="agent_polygraph",
            event_type=(
                GuardrailEventHooks.logging_only if logged else GuardrailEventHooks.post_call
            ),
        )

    def _headed(self, verdict: Verdict, data: dict[str, Any]) -> None:
        from litellm.proxy.common_utils.callback_utils import (
            add_guardrail_to_applied_guardrails_header,
        )

        for bucket in _BUCKETS:
            if isinstance(data.get(bucket), dict):
                data[bucket][header_key(self.guardrail_name)] = _Said(verdict.verdict)
        add_guardrail_to_applied_guardrails_header(
            request_data=data, guardrail_name=self.guardrail_name
        )

    def _annotated(
        self,
        inputs: Any,
        exchange: Exchange,
        judged: Sequence[Verdict],
        data: dict[str, Any],
    ) -> Any:
        """The inputs with a note behind each lie; where a stream drops those, an exception."""
        texts = list(inputs["texts"])
        for answer, verdict in zip(exchange.answers, judged, strict=True):
            if verdict.is_lie:
                texts[answer.last] = f"{texts[answer.last]}\n\n{note(verdict, 'annotate')}"
                if _streams(data):  # texts that are returned are dropped there
                    return self._instead("annotate", "\n\n".join(texts), verdict, data)
        return {**inputs, "texts": texts}

    def _instead(self, action: str, text: str, verdict: Verdict, data: dict[str, Any]) -> Any:
        """What to raise for litellm to send `text` and not the answer."""
        if action != "block":
            return ModifyResponseException(
                message=text,
                model=str(data.get("model") or "unknown"),
                request_data=data,
                guardrail_name=self.guardrail_name,
                detection_info=row(verdict, action),
            )
        if _streams(data):  # an HTTPException would come as an event stream with status 422
            return GuardrailRaisedException(
                guardrail_name=self.guardrail_name,
                message=text,
                should_wrap_with_default_message=False,
                status_code=STATUS,
                blocked_content=verdict.is_lie,
            )
        from fastapi import HTTPException

        found = row(verdict, action)
        return HTTPException(STATUS, {"error": text, "type": "agent_polygraph", "verdict": found})

    def _warm_up(self) -> None:
        """Patterns are compiled when first used: at the start, and not in the first request."""
        for closing in ("I deployed it and all 4 tests pass.", "The deploy failed."):
            data = {"messages": _WARM, "stream": False}
            exchange = exchange_of({"texts": [closing]}, data)
            if exchange is not None:
                judge(exchange, [], self.options.config)


_WARM: list[dict[str, Any]] = [
    {"role": "user", "content": "Deploy it and run the tests."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c1", "function": {"name": "deploy", "arguments": '{"env": "prod"}'}},
            {"id": "c2", "function": {"name": "bash", "arguments": '{"command": "pytest -q"}'}},
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "Error: permission denied"},
    {"role": "tool", "tool_call_id": "c2", "content": "1 failed, 3 passed in 0.31s"},
]


def _is_logged(data: Mapping[str, Any]) -> bool:
    """True in `logging_only`, which sees an answer after it was sent: it can only be audited.

    There the history stands under both keys, as one object.
    """
    history = data.get("messages")
    return history is not None and history is data.get("input")


def _streams(data: Mapping[str, Any]) -> bool:
    return data.get("stream") is True
