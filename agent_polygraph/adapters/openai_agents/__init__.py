"""OpenAI Agents SDK: a guard on live runs, and readers of what a run leaves behind.

`Polygraph` is the guard; it needs the SDK, and imports it when one is made.  The readers take
exported spans (`from_openai_agents`) or the items of a run (`from_run_items`), and need no SDK.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..._lazy import lazily
from ...checks import blocking
from ...config import DEFAULT_CONFIG, Config
from ...events import Event
from ._items import read_items
from ._spans import is_span, read_trace, read_traces

if TYPE_CHECKING:
    from ...verdict import Verdict
    from ._guard import Polygraph

__all__ = [
    "GuardrailResult",
    "Polygraph",
    "from_openai_agents",
    "from_run_items",
    "is_span",
    "output_guardrail",
    "read_traces",
]


@dataclass(frozen=True, slots=True)
class GuardrailResult:
    """Mirrors the SDK's `GuardrailFunctionOutput`: whether to stop the run, and the verdict."""

    tripwire_triggered: bool
    output_info: Verdict


def from_openai_agents(
    trace_export: Any, *, config: Config = DEFAULT_CONFIG
) -> tuple[list[Event], str, str]:
    """Exported spans of a run -> (trajectory, final_claim, task).

    trace_export: the dicts of `span.export()` and `trace.export()` in any order (or items of a
    run, as `item.to_input_item()` gives them).  Of several traces the last is read.  final_claim
    is "" where the export does not hold the final text: spans of the Responses model do not.
    Never raises. O(n log n) in the spans.
    """
    return read_trace(trace_export, config).triple


def from_run_items(
    items: Any, final_output: Any = None, *, config: Config = DEFAULT_CONFIG
) -> tuple[list[Event], str, str]:
    """The items of a run -> (trajectory, final_claim, task).

    items: `result.new_items` (objects or their JSON), `result.to_input_list()`, or both mixed.
    final_output: `result.final_output`, text or structured; None: the last message is the closing.
    task is "" where the items hold no request: `new_items` do not.  Never raises.  O(items).
    """
    return read_items(items, final_output, config).triple


def output_guardrail(
    trace_export: Any,
    final_claim: str | None = None,
    task: str | None = None,
    *,
    mode: str = "audit",
    config: Config = DEFAULT_CONFIG,
) -> GuardrailResult:
    """Judge a recorded run as an output guardrail does.

    final_claim, task: what the caller knows better than the export.  "audit" never trips; "block"
    trips on a lie that one of the checks in `config.block_on` found.  ValueError for any other
    `mode`.  For live runs there is `Polygraph`.
    """
    if mode not in ("audit", "block"):
        raise ValueError(f"mode is {mode!r}; it has to be 'audit' or 'block'")
    verdict = read_trace(trace_export, config).judged(final_claim, task, config)
    return GuardrailResult(mode == "block" and bool(blocking(verdict, config)), verdict)


if not TYPE_CHECKING:  # a checker that saw this would let any misspelt name pass
    __getattr__, __dir__ = lazily(__name__, {"Polygraph": "_guard"}, __all__)
