"""What every host's wiring shares: a receipt for a call, whatever the tool returned."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from ..events import ToolCall
from ..plain import plain
from .encoding import ReceiptError
from .scope import ReceiptScope

log = logging.getLogger("agent_polygraph")


def outcome_of(error: BaseException) -> str:
    """How a call ended that raised: timeout, cancelled, denied or failed."""
    if isinstance(error, TimeoutError):
        return "timeout"
    if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt)):
        return "cancelled"
    return "denied" if isinstance(error, PermissionError) else "failed"


def issue_for(scope: ReceiptScope, call: ToolCall, result: Any, outcome: str = "ok") -> Any:
    """The result with a receipt behind it.

    What is no text, JSON or bytes is covered as plain JSON and returned unchanged.  Never raises: a
    call that cannot be receipted returns its result as it is, and the log says so.
    """
    try:
        covered = result if isinstance(result, (str, bytes)) else plain(result)
        arguments = call.arguments if isinstance(call.arguments, str) else plain(call.arguments)
        token = scope.issue(ToolCall(call.call_id, call.name, arguments), covered, outcome)
        return token.append_to(result)
    except ReceiptError as error:
        log.warning("agent-polygraph: no receipt for a call of %s: %s", call.name, error)
        return result
