"""LiteLLM: a reader of request bodies, a guardrail for the proxy, a logger for users of the SDK.

The proxy's config names the guardrail by its dotted path,
`agent_polygraph.adapters.litellm.PolygraphGuardrail`.  It and `PolygraphLogger` need litellm, which
is imported when one of them is first looked up (PEP 562); the reader needs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if "__path__" not in globals():
    # litellm looks beside its config first: `<folder>/agent_polygraph/adapters/litellm.py`.
    raise ImportError(f"{__file__} is loaded in the place of the package {__name__}: move it away")

from ..._lazy import lazily
from .options import PolygraphConfigError
from .reader import from_litellm, post_call_guardrail, read_request

if TYPE_CHECKING:
    from .guardrail import PolygraphGuardrail
    from .logger import PolygraphLogger

__all__ = [
    "PolygraphConfigError",
    "PolygraphGuardrail",
    "PolygraphLogger",
    "from_litellm",
    "post_call_guardrail",
    "read_request",
]

_HOMES = {"PolygraphGuardrail": "guardrail", "PolygraphLogger": "logger"}

if not TYPE_CHECKING:  # a checker that saw this would let any misspelt name pass
    __getattr__, __dir__ = lazily(__name__, _HOMES, __all__)
