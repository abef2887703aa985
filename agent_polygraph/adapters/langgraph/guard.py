"""Checks inside a graph: a node for a StateGraph, and the same as middleware of `create_agent`.

Modes: "annotate" puts the verdict into the reply's `response_metadata` and changes nothing else; "retry"
sends the model back once, with what does not hold, and annotates the second reply; "raise" raises
`ClaimNotBorneOut` where a check of `config.block_on` found a lie.  A guard never raises for any
other reason: what it can't judge passes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware, hook_config
from langchain_core.messages import AnyMessage, HumanMessage, convert_to_messages
from langgraph.graph import END
from langgraph.types import Command

from ...config import DEFAULT_CONFIG, Config
from ...tokens import Issuer
from ...verdict import Verdict
from .._shape import GUARD_FAULT, field_of, mapping
from ..messages import check_messages
from . import final_reply
from .handler import Capture, _names
from .outcome import ClaimNotBorneOut, blocks, feedback, known_mode

log = logging.getLogger("agent_polygraph")
# The author of a correction, of which a second one is never sent, and the key of a verdict.
NAME = "agent_polygraph"


class _Guard:
    """What node and middleware share."""

    def __init__(
        self,
        mode: str,
        known_tools: Iterable[Any],
        config: Config,
        receipts: Issuer | None,
        on_verdict: Callable[[Verdict], None] | None,
    ) -> None:
        self.mode = known_mode(mode)
        self.tools: dict[str, None] = dict.fromkeys(_names(known_tools))
        self.config = config
        self.receipts = receipts
        self.on_verdict = on_verdict

    def judge(self, messages: list[AnyMessage], capture: Capture | None) -> Verdict | None:
        """The verdict on the last message; None where it is no reply."""
        if not final_reply(messages):
            return None
        options: dict[str, Any] = {"config": self.config, "receipts": self.receipts}
        try:
            if capture is not None:
                verdict = capture.check({"messages": messages}, **options)
            else:
                known = list(self.tools) or None
                said = [m for m in messages if getattr(m, "name", None) != NAME]
                verdict = check_messages(said, known, **options)
                if _summarised(messages):
                    verdict = verdict.withheld(
                        "history_summarised", "earlier calls were summarised"
                    )
        except Exception:
            log.exception("agent-polygraph: the reply could not be judged")
            verdict = GUARD_FAULT
        if self.on_verdict is not None:
            try:
                self.on_verdict(verdict)
            except Exception:
                log.exception("agent-polygraph: on_verdict failed")
        return verdict

    def act(
        self, state: Any, capture: Capture | None, key: str = "messages"
    ) -> tuple[list[AnyMessage], bool]:
        """(messages to add, whether the model has to answer again)."""
        try:
            messages = _messages(state, key)
            verdict = self.judge(messages, capture)
            if verdict is None:
                return [], False
            if self.mode != "raise" or not blocks(verdict, self.config):
                return self._told(messages, verdict)
        except Exception:
            log.exception("agent-polygraph: the verdict could not be acted on")
            return [], False
        raise ClaimNotBorneOut(verdict)

    def _told(self, messages: list[AnyMessage], verdict: Verdict) -> tuple[list[AnyMessage], bool]:
        if self.mode == "retry" and verdict.is_lie and not _corrected(messages):
            return [HumanMessage(feedback(verdict), name=NAME)], True
        return [_annotated(messages[-1], verdict)], False


def _annotated(message: AnyMessage, verdict: Verdict) -> AnyMessage:
    """The message with the verdict in its metadata; its id makes the state replace the old one."""
    metadata = {**message.response_metadata, NAME: verdict.as_dict()}
    return message.model_copy(update={"response_metadata": metadata})


def _corrected(messages: list[AnyMessage]) -> bool:
    """True when the model was sent back since the user last spoke."""
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            return message.name == NAME
    return False


def _summarised(messages: list[AnyMessage]) -> bool:
    told = (mapping(field_of(message, "additional_kwargs")) for message in messages)
    return any(extra.get("lc_source") == "summarization" for extra in told)


def _messages(state: Any, key: str) -> list[AnyMessage]:
    found = field_of(state, key) or ()
    with suppress(Exception):  # what the host can't convert may be judged all the same
        return cast(list[AnyMessage], convert_to_messages(found))
    return list(found)


def verify_node(
    mode: str = "annotate",
    *,
    goto: str = "agent",
    known_tools: Iterable[Any] = (),
    capture: Capture | None = None,
    config: Config = DEFAULT_CONFIG,
    receipts: Issuer | None = None,
    on_verdict: Callable[[Verdict], None] | None = None,
    messages_key: str = "messages",
) -> Callable[[Any], Any]:
    """A node that checks the reply at the end of a graph; put it behind the node that replies.

    goto: the node to answer again in mode "retry"; there the node goes to END by itself, so give it no
    edge of its own.  known_tools: what the agent could call.  capture: a `Capture` in the run's
    config, whose evidence also covers subgraphs; else the state's messages count.  on_verdict: called
    with every verdict.  The state has to merge messages by their ids, as `add_messages` does.
    ValueError for an unknown mode.
    """
    guard = _Guard(mode, known_tools, config, receipts, on_verdict)

    def verify_reply(state: Any) -> Any:
        new, again = guard.act(state, capture, messages_key)
        update = {messages_key: new} if new else {}
        if guard.mode == "retry":
            return Command(goto=goto if again else END, update=update)
        return update

    return verify_reply


class VerifyMiddleware(AgentMiddleware[Any, Any]):
    """The check as middleware of `create_agent`, for sync and async runs.

    mode, config, receipts, on_verdict: as for `verify_node`.  Tools bound to the model are discovered;
    known_tools adds to them.
    """

    def __init__(
        self,
        mode: str = "annotate",
        *,
        known_tools: Iterable[Any] = (),
        capture: Capture | None = None,
        config: Config = DEFAULT_CONFIG,
        receipts: Issuer | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> None:
        super().__init__()
        self._guard = _Guard(mode, known_tools, config, receipts, on_verdict)
        self._capture = capture

    def _discover(self, request: Any) -> None:
        self._guard.tools.update(dict.fromkeys(_names(getattr(request, "tools", None))))

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        """Note the tools that the model is given."""
        self._discover(request)
        return handler(request)

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        """Note the tools that the model is given."""
        self._discover(request)
        return await handler(request)

    @hook_config(can_jump_to=["model"])
    def after_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Check a reply that calls no tool."""
        new, again = self._guard.act(state, self._capture)
        if not new:
            return None
        return {"messages": new, "jump_to": "model"} if again else {"messages": new}

    @hook_config(can_jump_to=["model"])
    async def aafter_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """Check a reply that calls no tool."""
        return self.after_model(state, runtime)


__all__ = ["ClaimNotBorneOut", "VerifyMiddleware", "verify_node"]
