"""Receipts in LangGraph: for a ToolNode, and as middleware of `create_agent`.

    scope = ReceiptScope()
    ToolNode(tools, **receipts_for(scope))                 # langgraph
    create_agent(model, tools, middleware=[ReceiptMiddleware(scope)])

Sub-agents share the scope by being built with it.  An interrupt gets no receipt: the call is not over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage
from langgraph.errors import GraphBubbleUp

from ..events import ToolCall
from .issuing import issue_for, outcome_of
from .scope import ReceiptScope


def receipts_for(scope: ReceiptScope) -> dict[str, Any]:
    """The arguments of a ToolNode that put a receipt behind each result, sync and async.

    Needs langgraph-prebuilt 1.0.2 or later.
    """

    def wrap(request: Any, execute: Any) -> Any:
        try:
            answer = execute(request)
        except BaseException as error:
            _raised(scope, request, error)
            raise
        return _receipted(scope, request, answer)

    async def awrap(request: Any, execute: Any) -> Any:
        try:
            answer = await execute(request)
        except BaseException as error:
            _raised(scope, request, error)
            raise
        return _receipted(scope, request, answer)

    return {"wrap_tool_call": wrap, "awrap_tool_call": awrap}


class ReceiptMiddleware(AgentMiddleware[Any, Any]):
    """The same as middleware: put it last, so that it sees what the tool itself returned."""

    def __init__(self, scope: ReceiptScope) -> None:
        super().__init__()
        wrappers = receipts_for(scope)
        self._wrap, self._awrap = wrappers["wrap_tool_call"], wrappers["awrap_tool_call"]

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        """Run the tool and put a receipt behind its result."""
        return self._wrap(request, handler)

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        """Run the tool and put a receipt behind its result."""
        return await self._awrap(request, handler)


def _call(request: Any) -> ToolCall:
    asked = request.tool_call
    return ToolCall(
        str(asked.get("id") or ""), str(asked.get("name") or ""), asked.get("args") or {}
    )


def _raised(scope: ReceiptScope, request: Any, error: BaseException) -> None:
    if not isinstance(error, GraphBubbleUp):
        issue_for(scope, _call(request), f"{type(error).__name__}: {error}", outcome_of(error))


def _receipted(scope: ReceiptScope, request: Any, answer: Any) -> Any:
    """The answer with its receipt; that of a Command goes behind the message in it."""
    call = _call(request)
    if isinstance(answer, ToolMessage):
        outcome = "failed" if answer.status == "error" else "ok"
        content = issue_for(scope, call, answer.content, outcome)
        return answer.model_copy(update={"content": content})
    update = getattr(answer, "update", None)
    if isinstance(update, Mapping):
        messages = [
            _receipted(scope, request, message)
            if isinstance(message, ToolMessage) and message.tool_call_id == call.call_id
            else message
            for message in update.get("messages") or ()
        ]
        answer.update = {**update, "messages": messages}
    return answer
