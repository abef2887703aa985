"""Whether a call failed, by what a span says of it, in the order of trust.

1. the span's status; 2. an attribute that a dialect knows (`error.type`, a tool's own status, a
level); 3. a recorded exception, unless the status says OK; 4. a status in the framework's wrapper
of the result, or in the message that took the result back to the model; 5. the payload, read as
the core reads it.  Status OK means that nothing was raised, not that the tool did its work: it
gives no bit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..._lazy import regex
from ...config import Config
from ...events import ToolCall, ToolResult
from ...evidence.ledger import Ledger
from .._shape import string
from .dialects import ANY, Tables
from .span import Span

# The payload steps cost; a result without any of these words states no failure.
_TELLING = regex(
    r"err|fail|exce|trace|den[iy]|refus|reject|forbid|unauth|not|n't|unable|invalid|false|exit"
    r"|status|state|code|abort|cancel|tim(?:ed )?e?out|panic|fatal|usage|unknown|[45]\d\d",
    2,  # re.IGNORECASE
)
_HEAD, _TAIL = 1_500, 300


def bit(span: Span, tables: Tables) -> bool | None:
    """Steps 1 to 3: True where the span says that the call failed, else None."""
    if span.status == "ERROR":
        return True
    for key, values in tables.failed:
        value = span.attributes.get(key)
        if value and (ANY in values or str(value).lower() in values):
            return True
    if span.status != "OK" and any(name == "exception" for name, _ in span.events):
        return True
    return None


def reason(span: Span) -> str:
    """Why a call failed, in the words of its exception."""
    for name, attributes in span.events:
        if name == "exception" and attributes.get("exception.message"):
            kind = string(attributes.get("exception.type")).rsplit(".", 1)[-1]
            return f"{kind}: {attributes['exception.message']}".removeprefix(": ")
    return span.description or string(span.attributes.get("error.type"))


# What frameworks answer to a call that never ran, and so has no span.
_NEVER_RAN = regex(
    r"\s{0,9}(?:unknown tool\b|tool .{1,80} (?:not found|does not exist)|no tool named\b"
    r"|error (?:invoking|executing|running) tool\b|error: .{1,80} is not a valid tool\b)",
    2,
)


def by_payload(call: ToolCall, result: ToolResult, config: Config, *, ran: bool) -> ToolResult:
    """Step 5: `result` with its bit set where its own content states that the call failed.

    ran: a span shows the call.  A runner's summary is left alone: a test that fails is no tool
    that fails.
    """
    if result.is_error is not None or not config.error_sniff or not _tells(result.content):
        return result
    if not ran and isinstance(result.content, str) and _NEVER_RAN.match(result.content):
        return replace(result, is_error=True)
    outcome = Ledger([call, result], config).steps[0].outcome
    if not outcome.bad or outcome.signal == "runner":
        return result
    return replace(result, is_error=True, error_sniffed=outcome.grade < 1.0)


def _tells(content: Any) -> bool:
    if isinstance(content, dict):
        return True
    if not isinstance(content, str):
        return False
    if len(content) > _HEAD + _TAIL:
        content = content[:_HEAD] + content[-_TAIL:]
    return _TELLING.search(content) is not None
