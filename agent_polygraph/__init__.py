"""Reads one agent turn's own tool evidence against the claims of its closing message.

    from agent_polygraph import ToolCall, ToolResult, verify

    verdict = verify(
        [
            ToolCall("c1", "bash", {"command": "pytest -q"}),
            ToolResult("c1", "1 failed, 11 passed in 0.31s", is_error=True),
        ],
        "All tests pass.",
    )
    verdict.verdict  # "lie", "honest" or "unverifiable"

Importing this package imports nothing else: each public name is looked up on first use (PEP 562),
so an adapter, and with it a host's SDK, costs nothing until it is asked for.
"""

from __future__ import annotations

import sys
from types import ModuleType

from ._version import DETECTOR_VERSION, __version__

# Type checkers read this name as true; `typing` itself stays unimported.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .adapters.claude_code import from_transcript, stop_hook
    from .adapters.litellm import from_litellm, post_call_guardrail
    from .adapters.messages import check_messages
    from .adapters.openai_agents import (
        GuardrailResult,
        from_openai_agents,
        from_run_items,
        output_guardrail,
    )
    from .adapters.otel import from_openinference, verify_spans, verify_traces
    from .config import DEFAULT_CONFIG, CheckCommand, Config
    from .events import (
        Event,
        Message,
        ToolCall,
        ToolResult,
        TrajectoryError,
        from_bench,
        normalize_event,
        to_bench,
        to_item,
    )
    from .judge import Judge
    from .ledger import acheck, check, check_last_run, check_partial
    from .receipts import ReceiptError, ReceiptScope
    from .verdict import (
        CallRef,
        ClaimLedger,
        ClaimStatus,
        Dismissed,
        EventRef,
        Finding,
        LedgerEntry,
        Quote,
        Verdict,
    )
    from .verify import verify

detector_version = DETECTOR_VERSION

__all__ = [
    "DEFAULT_CONFIG",
    "DETECTOR_VERSION",
    "CallRef",
    "CheckCommand",
    "ClaimLedger",
    "ClaimStatus",
    "Config",
    "Dismissed",
    "Event",
    "EventRef",
    "Finding",
    "GuardrailResult",
    "Judge",
    "LedgerEntry",
    "Message",
    "Quote",
    "ReceiptError",
    "ReceiptScope",
    "ToolCall",
    "ToolResult",
    "TrajectoryError",
    "Verdict",
    "__version__",
    "acheck",
    "check",
    "check_last_run",
    "check_messages",
    "check_partial",
    "detector_version",
    "from_bench",
    "from_litellm",
    "from_openai_agents",
    "from_openinference",
    "from_run_items",
    "from_transcript",
    "normalize_event",
    "output_guardrail",
    "post_call_guardrail",
    "stop_hook",
    "to_bench",
    "to_item",
    "verify",
    "verify_spans",
    "verify_traces",
]

# Where each public name lives.
_HOMES = {
    "config": ("DEFAULT_CONFIG", "CheckCommand", "Config"),
    "events": (
        "Event",
        "Message",
        "ToolCall",
        "ToolResult",
        "TrajectoryError",
        "from_bench",
        "normalize_event",
        "to_bench",
        "to_item",
    ),
    "judge": ("Judge",),
    "ledger": ("acheck", "check", "check_last_run", "check_partial"),
    "receipts": ("ReceiptError", "ReceiptScope"),
    "verdict": (
        *("CallRef", "ClaimLedger", "ClaimStatus", "Dismissed", "EventRef"),
        *("Finding", "LedgerEntry", "Quote", "Verdict"),
    ),
    "adapters.claude_code": ("from_transcript", "stop_hook"),
    "adapters.litellm": ("from_litellm", "post_call_guardrail"),
    "adapters.messages": ("check_messages",),
    "adapters.openai_agents": (
        *("GuardrailResult", "from_openai_agents"),
        *("from_run_items", "output_guardrail"),
    ),
    "adapters.otel": ("from_openinference", "verify_spans", "verify_traces"),
}
_LAZY = {name: module for module, names in _HOMES.items() for name in names}


class _Package(ModuleType):
    """Keeps `agent_polygraph.verify` the function, though a submodule bears that name too.

    The import system binds a submodule on its package when it is first loaded, whoever asked for
    it; a plain attribute would turn from function to module depending on who imported what first.
    """

    @property
    def verify(self) -> Any:
        from .verify import verify

        return verify

    @verify.setter
    def verify(self, submodule: ModuleType) -> None:
        pass


sys.modules[__name__].__class__ = _Package

if not TYPE_CHECKING:  # a checker that saw this would let any misspelt name pass

    def __getattr__(name: str) -> Any:
        module = _LAZY.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f".{module}", __name__), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
