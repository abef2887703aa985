"""Receipts behind MCP results, through the host's own dispatcher of hooks."""

from __future__ import annotations

import asyncio
import datetime
from typing import Any

import litellm
from litellm.litellm_core_utils.litellm_logging import Logging
from mcp.types import CallToolResult, TextContent

from agent_polygraph import ReceiptScope, ToolCall
from agent_polygraph.receipts import split
from agent_polygraph.receipts.litellm import ReceiptHook


def dispatch(scope: ReceiptScope, result: CallToolResult) -> CallToolResult:
    """What the proxy does with a result before it goes on to the model."""
    now = datetime.datetime.now()
    logging = Logging(
        model="MCP: deploy", messages=[], stream=False, call_type="call_mcp_tool",
        start_time=now, litellm_call_id="req-1", function_id="f",
    )  # fmt: skip
    kwargs = {
        "litellm_call_id": "req-1",
        "litellm_params": {"metadata": {"tool_call_id": "call_7", "tool_name": "deploy"}},
        "mcp_tool_call_metadata": {"name": "deploy", "arguments": {"env": "prod"}},
        "original_response": result,
    }
    before = litellm.success_callback
    litellm.success_callback = [ReceiptHook(scope)]
    try:
        run: Any = logging.async_post_mcp_tool_call_hook(
            kwargs=kwargs, response_obj=result, start_time=now, end_time=now
        )
        found: CallToolResult = asyncio.run(run)
        return found
    finally:
        litellm.success_callback = before


def made(text: str, **more: Any) -> CallToolResult:
    return CallToolResult.model_validate({"content": [{"type": "text", "text": text}], **more})


def test_a_text_result_gets_its_receipt() -> None:
    scope = ReceiptScope()
    result = dispatch(scope, made("deployed"))
    assert [type(part) for part in result.content] == [TextContent, TextContent]
    assert not result.model_dump().get("is_error", result.model_dump().get("isError"))
    ((token, issued),) = scope
    assert issued[1:] == ("call_7", "deploy", "ok")
    assert split(f"x\n{result.content[1].text}")[1] == token
    content = [part.model_dump() for part in result.content[:1]]
    assert scope.verify(token, ToolCall("call_7", "deploy", {"env": "prod"}), content)


def test_a_failed_call_has_a_receipt_that_says_so() -> None:
    scope = ReceiptScope()
    dispatch(scope, made("no such environment", isError=True))
    assert [issued.outcome for _, issued in scope] == ["failed"]


def test_structured_content_is_left_as_it_is() -> None:
    scope = ReceiptScope()
    result = dispatch(scope, made("deployed", structuredContent={"result": "deployed"}))
    dumped = result.model_dump(by_alias=True)
    assert len(result.content) == 1 and dumped["structuredContent"] == {"result": "deployed"}
    assert not dumped["isError"] and len(scope.tokens_of("call_7")) == 1
