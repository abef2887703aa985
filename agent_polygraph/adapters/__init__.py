"""Readers of agent hosts: each turns a host's own record into a trajectory, a closing and a task.

The contract, the same for all: plain lists of dicts in, no SDK imported, never an exception for any
input, everything readable read and every unreadable entry counted; the host's structured error bit
first, and `error_sniffed` set only where the text alone said so.

Names are looked up on first use (PEP 562), so that importing one reader imports one reader.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .._lazy import lazily

if TYPE_CHECKING:
    from .claude_code import from_transcript, split_turns, stop_hook
    from .litellm import from_litellm, post_call_guardrail
    from .openai_agents import (
        GuardrailResult,
        Polygraph,
        from_openai_agents,
        from_run_items,
        output_guardrail,
    )
    from .otel import from_openinference, verify_spans, verify_traces

__all__ = [
    "GuardrailResult",
    "Polygraph",
    "from_litellm",
    "from_openai_agents",
    "from_openinference",
    "from_run_items",
    "from_transcript",
    "output_guardrail",
    "post_call_guardrail",
    "split_turns",
    "stop_hook",
    "verify_spans",
    "verify_traces",
]

_HOMES = {
    "claude_code": ("from_transcript", "split_turns", "stop_hook"),
    "langgraph": (),
    "litellm": ("from_litellm", "post_call_guardrail"),
    "openai_agents": (
        *("GuardrailResult", "Polygraph"),
        *("from_openai_agents", "from_run_items", "output_guardrail"),
    ),
    "otel": ("from_openinference", "verify_spans", "verify_traces"),
}

if not TYPE_CHECKING:  # a checker that saw this would let any misspelt name pass
    _find, __dir__ = lazily(
        __name__,
        {name: module for module, names in _HOMES.items() for name in names},
        (*__all__, *_HOMES),
    )

    def __getattr__(name: str) -> Any:
        return import_module(f".{name}", __name__) if name in _HOMES else _find(name)
