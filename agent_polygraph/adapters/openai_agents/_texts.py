"""Constant texts that the SDK itself puts where a tool's result would be.

Neither items nor results of function tools have an error bit; where tracing is off these texts are
all that tells a handled exception, a timeout or an unknown tool.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...config import Config
from ...events import ToolResult
from .._shape import content_of, mapping, result, string

FAILED = (
    "An error occurred while running the tool. Please try again.",
    "An error occurred while parsing tool arguments. Please try again",
)
_FAILED_LINE = re.compile(
    r"Tool '[^'\n]{1,200}' (?:timed out after [\d.e+-]{1,30} seconds\.|not found\.)"
)
REFUSED = "Tool execution was not approved."
# What a span's error says instead of the real text.
REDACTED = "Tool execution failed. Error details are redacted."


def sdk_failed(text: str) -> bool:
    """True for a text that the SDK writes for a tool that failed."""
    return text.startswith(FAILED) or bool(_FAILED_LINE.fullmatch(text[:400].strip()))


def sdk_result(call_id: str, content: Any, said: bool | None, config: Config) -> ToolResult:
    """A result whose bit, where the host gave none, comes from the SDK's own texts first."""
    content = content_of(content)
    if said is None and isinstance(content, str):
        if content.startswith(REFUSED):
            return result(call_id, content, None, config, sniff=False)
        if sdk_failed(content):
            return ToolResult(call_id, content, True, error_sniffed=True)
    return result(call_id, content, said, config)


def error_text(error: Mapping[str, Any]) -> str:
    """The real text in a span's error, "" where the SDK keeps it back."""
    inner = error.get("data")
    said = mapping(inner).get("error") if isinstance(inner, Mapping) else inner
    text = string(said) or string(error.get("message"))
    return "" if text == REDACTED else text
