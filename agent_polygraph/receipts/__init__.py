"""Receipts: proof, for whoever holds the scope, that a tool call ran and what came back.

    from agent_polygraph import ToolCall, verify
    from agent_polygraph.receipts import ReceiptScope

    scope = ReceiptScope()
    token = scope.issue(ToolCall("c1", "send_email", {"to": "dana@example.com"}), "sent")
    shown = token.append_to("sent")             # what the model gets to see
    verify(events, closing, receipts=scope)     # a token that was never issued is a finding

The model sees tokens and can repeat them; it cannot make one, for it has no key.  What that proves,
and what it does not, is in docs/receipts.md.  Hosts: `receipts.langgraph`, `receipts.openai_agents`
and `receipts.litellm`.  The HMAC form needs the standard library only; `signed=True` (Ed25519, for
third parties) needs the extra `receipts`.
"""

from __future__ import annotations

from ..tokens import OUTCOMES, Issued, Token, find, split
from .encoding import ReceiptError
from .scope import Receipt, ReceiptScope

__all__ = [
    "OUTCOMES",
    "Issued",
    "Receipt",
    "ReceiptError",
    "ReceiptScope",
    "Token",
    "find",
    "split",
]
