"""Receipts for function tools of the OpenAI Agents SDK.

    scope = ReceiptScope()
    agent = Agent(name="desk", tools=[receipted(refund, scope), receipted(send_email, scope)])

Sub-agents share the scope by being built with it.  The SDK turns an exception of a tool into a text
before anybody sees it; that it failed is read off the tool's span.  What is no text is covered as its
`str`, which is what the SDK sends to the model.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..events import ToolCall
from .issuing import issue_for, outcome_of
from .scope import ReceiptScope


def receipted(tool: Any, scope: ReceiptScope) -> Any:
    """A copy of a FunctionTool whose results bear receipts.  TypeError for any other tool."""
    from agents import FunctionTool

    if not isinstance(tool, FunctionTool):
        raise TypeError(f"a {type(tool).__name__} is no FunctionTool; hosted tools run elsewhere")
    invoke = tool.on_invoke_tool

    async def on_invoke_tool(context: Any, arguments: str) -> Any:
        call = ToolCall(str(getattr(context, "tool_call_id", "")), tool.name, arguments)
        try:
            result = await invoke(context, arguments)
        except BaseException as error:
            issue_for(scope, call, f"{type(error).__name__}: {error}", outcome_of(error))
            raise
        shown = result if isinstance(result, str) or _is_output(result) else str(result)
        return issue_for(scope, call, shown, "failed" if _span_failed() else "ok")

    return replace(tool, on_invoke_tool=on_invoke_tool)


def _is_output(result: Any) -> bool:
    """True for the SDK's own output types, and lists of them: they are no text to add to."""
    first = result[0] if isinstance(result, list) and result else result
    return type(first).__module__.split(".")[0] == "agents"


def _span_failed() -> bool:
    from agents.tracing import get_current_span

    span = get_current_span()
    return bool(span is not None and span.error)
