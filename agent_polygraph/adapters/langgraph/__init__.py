"""LangGraph and LangChain: what a graph did, recorded while it runs, and its last reply checked.

    from agent_polygraph.adapters.langgraph import Capture

    capture = Capture()
    result = graph.invoke({"messages": [("user", "Refund order 4821 and email me.")]}, capture.config())
    capture.check(result).ledger.summary

`Capture` is a callback handler: tools and graph stay as they are.  `verify_node` checks inside a graph,
`VerifyMiddleware` inside `create_agent`.  The host is imported when one of them is used; `final_reply`
and `check_messages` need none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._lazy import lazily
from .._shape import field_of, sequence, string, text_of

if TYPE_CHECKING:
    from .guard import VerifyMiddleware, verify_node
    from .handler import Capture
    from .outcome import ClaimNotBorneOut

__all__ = ["Capture", "ClaimNotBorneOut", "VerifyMiddleware", "final_reply", "verify_node"]

_HOMES = {
    "Capture": "handler",
    "ClaimNotBorneOut": "outcome",
    "VerifyMiddleware": "guard",
    "verify_node": "guard",
}


def final_reply(state: Any, messages_key: str = "messages") -> str:
    """The text of the last message, where it is the agent's and calls no tool; else "".

    state: a graph's state (a mapping or an object with the messages), or the messages themselves.
    """
    messages = state if isinstance(state, (list, tuple)) else field_of(state, messages_key)
    last = next(iter(reversed(sequence(messages))), None)
    if last is None:
        return ""
    kind = string(field_of(last, "type")) or string(field_of(last, "role"))
    if kind not in ("ai", "assistant", "AIMessageChunk") or field_of(last, "tool_calls"):
        return ""
    return text_of(field_of(last, "content"))


if not TYPE_CHECKING:  # a checker that saw this would let any misspelt name pass
    __getattr__, __dir__ = lazily(__name__, _HOMES, __all__)
