"""The classes that the SDK wants: hooks that tell the guard and then the user's own hooks.

The only module that imports the SDK.  The hooks are made from the SDK's own list of them, so that
one which a later version adds still reaches the user's hooks.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from types import new_class
from typing import TYPE_CHECKING, Any

from agents import (
    AgentHooks,
    GuardrailFunctionOutput,
    OutputGuardrail,
    OutputGuardrailResult,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    RunHooks,
)
from agents.lifecycle import RunHooksBase
from agents.tracing import get_current_span

if TYPE_CHECKING:
    from ._guard import Polygraph

__all__ = [
    "AGENT_HOOKS",
    "RUN_HOOKS",
    "GuardrailFunctionOutput",
    "OutputGuardrail",
    "OutputGuardrailResult",
    "OutputGuardrailTripwireTriggered",
    "RunConfig",
    "RunHooksBase",
    "get_current_span",
]

Hook = Callable[..., Coroutine[Any, Any, None]]
_ENDS = ("on_agent_end", "on_end")


def _init(self: Any, guard: Polygraph, inner: Any = None, judges: bool = False) -> None:
    """inner: the user's own hooks.  judges: the end of a run is judged here, by no guardrail."""
    self.guard, self.inner, self.judges = guard, inner, judges


def _hook(name: str) -> Hook:
    async def hook(self: Any, *args: Any, **kwargs: Any) -> None:
        self.guard.heard(name, args, kwargs)
        if self.inner is not None:
            await getattr(self.inner, name)(*args, **kwargs)
        if self.judges and name in _ENDS:
            await self.guard.enforce(*args, **kwargs)

    hook.__name__ = name
    return hook


def _class(name: str, base: Any) -> Any:
    """A class on one of the SDK's: made at run time, since its bases are generic aliases."""
    hooks = {hook: _hook(hook) for hook in dir(base) if hook.startswith("on_")}
    members = {"__init__": _init, "__doc__": _init.__doc__, **hooks}
    return new_class(name, (base,), exec_body=lambda body: body.update(members))


RUN_HOOKS = _class("PolygraphRunHooks", RunHooks)
AGENT_HOOKS = _class("PolygraphAgentHooks", AgentHooks)
