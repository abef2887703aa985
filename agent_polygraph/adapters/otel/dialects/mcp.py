"""Spans of the MCP SDK: a server's `tools/call` under the caller's own tool span.

It has the error bit (`error.type` is `tool_error` where the result has `isError`) and no content.
"""

from __future__ import annotations

from . import Dialect

DIALECT = Dialect(
    name="MCP",
    rank=15,
    kinds={
        "mcp.method.name": {"tools/call": "tool", "*": "other"},
    },
    prefixes=("tools/call ",),
)
