"""Receipts for MCP tools that a LiteLLM proxy runs.

    scope = ReceiptScope()
    litellm.success_callback.append(ReceiptHook(scope))     # or `callbacks:` of the proxy's config

The proxy takes a result apart that has structured content beside its text: such a result keeps its
form, and its receipt is known by the call's id only (`scope.tokens_of`).  One process, one scope: with
several workers each has its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litellm.integrations.custom_logger import CustomLogger

from ..events import ToolCall
from ..plain import plain
from .issuing import issue_for
from .scope import ReceiptScope


class ReceiptHook(CustomLogger):
    """Puts a receipt behind the result of each MCP tool call, as another text of its content."""

    def __init__(self, scope: ReceiptScope) -> None:
        super().__init__()
        self.scope = scope

    async def async_post_mcp_tool_call_hook(
        self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any
    ) -> Any:
        """The result with its receipt; None leaves it as it is."""
        original = kwargs.get("original_response")
        # mcp 2 spells its fields with underscores, mcp 1 as the protocol does.
        failed = getattr(original, "is_error", getattr(original, "isError", None))
        structured = getattr(
            original, "structured_content", getattr(original, "structuredContent", None)
        )
        content = list(response_obj.mcp_tool_call_response)
        shown = issue_for(self.scope, _call(kwargs), plain(content), "failed" if failed else "ok")
        if structured is not None or not shown:
            return None
        from mcp.types import TextContent

        response_obj.mcp_tool_call_response = [
            *content,
            TextContent(type="text", text=shown[-1]["text"]),
        ]
        return response_obj


def _call(kwargs: Mapping[str, Any]) -> ToolCall:
    """The call: its id where the model gave it one, else the id of the proxy's request."""
    parameters = kwargs.get("litellm_params") or {}
    metadata = kwargs.get("metadata") or parameters.get("metadata") or {}
    told = kwargs.get("mcp_tool_call_metadata") or {}
    name = told.get("name") or metadata.get("tool_name") or ""
    call_id = metadata.get("tool_call_id") or kwargs.get("litellm_call_id") or ""
    return ToolCall(str(call_id), str(name), plain(told.get("arguments") or {}))
