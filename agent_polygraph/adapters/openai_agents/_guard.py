"""The guard on live runs: hooks collect the evidence, an output guardrail judges by it.

Strategy: the run's context object is the key.  The SDK hands the same object to the model hooks
and to the guardrail; tools get a context derived from it, which shares its `usage`, and are found
by that and by the id of a call that waits.  Runs that share a `usage` (an agent as a tool, in
parallel too) and an id are told apart by the turn's input, whose entries are the run's own.  What
can't be told apart is not judged.  A record lives as long as the run's context.

Nothing that is done here may fail a run: every way in from the SDK catches, notes that the
evidence has a gap, and the verdict on that run is `unverifiable`.
"""

from __future__ import annotations

import dataclasses
import inspect
import logging
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from ...checks import blocking
from ...config import DEFAULT_CONFIG, Config
from ...verdict import Verdict
from .._shape import GUARD_FAULT, ident, mapping
from ._items import claim_of, read_items
from ._record import RunRecord
from ._texts import error_text

logger = logging.getLogger("agent_polygraph")

MODES = ("audit", "block")
FAULTS = ("open", "closed")
NAME = "agent_polygraph"

_UNSEEN = Verdict("unverifiable", confidence=0.7, flags=("no_evidence",))
_AMBIGUOUS = Verdict("unverifiable", confidence=0.7, flags=("ambiguous_call_ids",))
# Flags of verdicts that were reached without the evidence.
_BLIND = frozenset(flag for one in (_UNSEEN, GUARD_FAULT, _AMBIGUOUS) for flag in one.flags)

# Parameters of `Runner.run` that leave the conversation with the server: the SDK then refuses
# output guardrails, since a rejected answer could not be taken back.
_SERVER_MANAGED = ("conversation_id", "previous_response_id", "auto_previous_response_id")
_REMEMBERED = 256


class _Run:
    """A record and the context it belongs to."""

    __slots__ = ("context", "record")

    def __init__(self, context: weakref.ref[Any], record: RunRecord) -> None:
        self.context, self.record = context, record


class Polygraph:
    """Judges what an agent says it did by what its tools returned, in the run itself.

        polygraph = Polygraph(mode="block")
        result = await Runner.run(agent, "...", **polygraph.run_kwargs())

    mode: "audit" only reports; "block" also trips on a lie that one of the checks in
    `config.block_on` found.  tools: what the agents can call, where their own lists do not say.
    on_verdict: called with (verdict, run context) for each run that is judged; may be async.
    on_fault: what a fault of the guard itself does in block mode: "open" lets the run pass,
    "closed" trips.  A run whose evidence was not seen never trips.

    One object serves any number of runs at a time.  ValueError or TypeError for a wrong
    parameter; ImportError without the SDK.
    """

    def __init__(
        self,
        mode: str = "audit",
        *,
        config: Config = DEFAULT_CONFIG,
        tools: Iterable[Any] | None = None,
        on_verdict: Callable[[Verdict, Any], Any] | None = None,
        on_fault: str = "open",
    ) -> None:
        _one_of("mode", mode, MODES)
        _one_of("on_fault", on_fault, FAULTS)
        if not isinstance(config, Config):
            raise TypeError(f"config is a {type(config).__name__}; it has to be a Config")
        if isinstance(tools, (str, bytes, Mapping)):
            raise TypeError("tools is a list of names or tools, not one of them")
        if on_verdict is not None and not callable(on_verdict):
            raise TypeError(f"on_verdict is a {type(on_verdict).__name__}; it has to be callable")
        _check_names(config)
        self.mode, self.config, self.on_verdict, self.on_fault = mode, config, on_verdict, on_fault
        self.tools = None if tools is None else list(tools)
        self._sdk = _sdk()
        self._runs: dict[int, _Run] = {}  # id of the context
        self._sharing: dict[int, list[_Run]] = {}  # id of the usage: its runs that go on
        self._early: deque[tuple[Any, str, Any, str | None]] = deque(maxlen=_REMEMBERED)
        self._gaps: deque[Any] = deque(maxlen=_REMEMBERED)  # usages of runs that a fault hit
        self._faults: set[str] = set()
        self._handlers: dict[str, Callable[..., None]] = {
            "on_llm_start": self._llm_start,
            "on_llm_end": self._llm_end,
            "on_tool_end": self._tool_end,
            "on_handoff": self._handoff,
        }
        self.hooks = self._sdk.RUN_HOOKS(self)
        self.guardrail = self._sdk.OutputGuardrail(guardrail_function=self._check, name=NAME)

    # --- wiring -----------------------------------------------------------------------------------

    def run_kwargs(
        self, *, hooks: Any = None, run_config: Any = None, **others: Any
    ) -> dict[str, Any]:
        """Keyword arguments for `Runner.run`, `run_sync` and `run_streamed`.

        hooks, run_config: your own; both are kept and run as before.  others: whatever else
        `Runner.run` takes, passed on.  With `conversation_id`, `previous_response_id` or
        `auto_previous_response_id` the run is judged when its agent ends, since the SDK refuses
        guardrails there; in block mode it raises the same exception.
        """
        given: Any = self._sdk.RunConfig() if run_config is None else run_config
        if not isinstance(given, self._sdk.RunConfig):
            raise TypeError(f"run_config is a {type(given).__name__}; it has to be a RunConfig")
        if hooks is not None and not isinstance(hooks, self._sdk.RunHooksBase):
            raise TypeError(f"hooks is a {type(hooks).__name__}; it has to be RunHooks")
        server = any(others.get(name) for name in _SERVER_MANAGED)
        changes: dict[str, Any] = {}
        if hasattr(given, "tool_error_formatter"):
            changes["tool_error_formatter"] = self._formatter(given.tool_error_formatter)
        if not server:
            changes["output_guardrails"] = self._with_guardrail(given.output_guardrails)
        return {
            **others,
            "hooks": self._chained(hooks, judges=server),
            "run_config": dataclasses.replace(given, **changes),
        }

    def _chained(self, hooks: Any, judges: bool) -> Any:
        if isinstance(hooks, self._sdk.RUN_HOOKS) and hooks.guard is self:
            hooks = hooks.inner
        if hooks is None and not judges:
            return self.hooks
        return self._sdk.RUN_HOOKS(self, hooks, judges)

    def _with_guardrail(self, guardrails: Iterable[Any] | None) -> list[Any]:
        kept = list(guardrails or ())
        return kept if self.guardrail in kept else [*kept, self.guardrail]

    @property
    def hooks_only(self) -> Any:
        """Run hooks that also judge, for server-managed conversations wired by hand."""
        return self._sdk.RUN_HOOKS(self, None, True)

    def attach(self, agent: Any, *, server_managed: bool = False) -> Any:
        """Guard an agent wherever it runs, and the agents it hands over to; returns the agent.

        Its own hooks and guardrails are kept.  Agents that it uses as tools get hooks, so that
        their calls are seen.  server_managed: judge by hooks alone (see `run_kwargs`).  Doing it
        twice changes nothing.  TypeError for what is no agent.
        """
        if not hasattr(agent, "output_guardrails"):
            raise TypeError(f"attach takes an Agent, not a {type(agent).__name__}")
        waiting, seen = [(agent, True)], set()
        while waiting:
            one, speaks = waiting.pop()
            if id(one) in seen:
                continue
            seen.add(id(one))
            self._attach(one, speaks, server_managed)
            waiting += [(to, speaks) for to in map(_agent_of, one.handoffs) if to is not None]
            inner = (getattr(tool, "_agent_instance", None) for tool in one.tools)
            waiting += [(tool, False) for tool in inner if hasattr(tool, "output_guardrails")]
        return agent

    def _attach(self, agent: Any, speaks: bool, server_managed: bool) -> None:
        hooks = agent.hooks
        if not (isinstance(hooks, self._sdk.AGENT_HOOKS) and hooks.guard is self):
            agent.hooks = self._sdk.AGENT_HOOKS(self, hooks, speaks and server_managed)
        if speaks and not server_managed:
            agent.output_guardrails = self._with_guardrail(agent.output_guardrails)

    def _formatter(self, inner: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
        """Hears the real error of a tool whose handler keeps it back; changes no message."""

        def formatter(args: Any) -> Any:
            self.heard("tool_error_formatter", (args, inner is not None), {})
            return None if inner is None else inner(args)

        return formatter

    def mcp_custom_data_extractor(self, call: Any) -> dict[str, Any]:
        """For `MCPServer...(custom_data_extractor=...)`: the one way to an MCP server's error bit.

        SDK 0.17.6 and later.
        """
        self.heard("mcp_custom_data_extractor", (call,), {})
        return {"mcp_is_error": bool(getattr(call, "is_error", False))}

    # --- what the SDK tells -----------------------------------------------------------------------

    def heard(self, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Take in one call of a hook.  Never raises."""
        try:
            handler = self._handlers.get(name)
            if handler is not None:
                handler(*args, **kwargs)
            elif name == "tool_error_formatter":
                self._tool_failed(*args)
            elif name == "mcp_custom_data_extractor":
                self._mcp_failed(*args)
        except Exception:
            with suppress(Exception):
                self._gap(name, kwargs.get("context", args[0] if args else None))

    def _gap(self, name: str, context: Any) -> None:
        """Note that the evidence of a run is not whole."""
        self._log(name)
        self._gaps.append(getattr(context, "run_context", context).usage)

    def _log(self, name: str) -> None:
        first = name not in self._faults
        self._faults.add(name)
        logger.log(
            logging.WARNING if first else logging.DEBUG,
            "agent-polygraph: a fault in %s; the run goes on",
            name,
            exc_info=True,
        )

    def _llm_start(
        self, context: Any, agent: Any, system_prompt: Any = None, input_items: Any = ()
    ) -> None:
        self._going_on(context).asked(agent, input_items)

    def _llm_end(self, context: Any, agent: Any, response: Any) -> None:
        self._going_on(context).answered(response)

    def _tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
        span = self._sdk.get_current_span()
        error = None
        if span is not None and span.error and span.span_data.type == "function":
            error = error_text(mapping(span.error))
        call_id = getattr(context, "tool_call_id", None) or ""
        record = self._owner(context, call_id) if call_id else self._known(context)
        if record is not None:
            handed = getattr(tool, "_is_agent_tool", False) is True
            record.returned(context, call_id, tool.name, result, error, handed)
        elif call_id:
            self._early.append((context.usage, call_id, result, error))

    def _handoff(
        self,
        context: Any,
        from_agent: Any = None,
        to_agent: Any = None,
        agent: Any = None,
        source: Any = None,
    ) -> None:
        if agent is None and source is None and from_agent is None:
            return
        record = self._known(context)
        if record is not None:
            record.handed_off(from_agent or source, to_agent or agent)

    def _tool_failed(self, args: Any, worded: bool) -> None:
        # The SDK's own word for a call that was not approved says more than a bit.
        if args.kind == "approval_rejected" and not worded:
            return
        record = self._owner(args.run_context, args.call_id)
        if record is not None:
            error = args.error if hasattr(args, "error") else None
            record.errors[args.call_id] = f"{type(error).__name__}: {error}" if error else ""

    def _mcp_failed(self, call: Any) -> None:
        if call.is_error:
            context = call.run_context
            call_id = ident(getattr(context, "tool_call_id", None))
            record = self._owner(context, call_id)
            if record is not None:
                record.errors.setdefault(call_id, "")

    # --- which run --------------------------------------------------------------------------------

    def _known(self, context: Any) -> RunRecord | None:
        run = self._runs.get(id(context))
        return run.record if run is not None and run.context() is context else None

    def _going_on(self, context: Any) -> RunRecord:
        """The record of the run, a new one where the context serves another run."""
        record = self._known(context)
        if record is None or record.finished:
            record = self._begin(context)
        return record

    def _begin(self, context: Any) -> RunRecord:
        usage = context.usage
        record = RunRecord(usage)
        key, shared = id(context), id(usage)
        call_id = ident(getattr(context, "tool_call_id", None))
        if call_id:
            parents = [run for run in self._sharing.get(shared, ()) if run.record.waits(call_id)]
            if len(parents) == 1:
                parents[0].record.nested.setdefault(call_id, []).append(record)
        for owner, early, value, error in tuple(self._early):
            if owner is usage:
                record.returned_early(early, value, error)

        def forget(_: Any) -> None:
            with suppress(Exception):
                self._runs.pop(key, None)
                self._leave(shared, record)

        run = _Run(weakref.ref(context, forget), record)
        self._runs[key] = run
        self._sharing.setdefault(shared, []).append(run)
        return record

    def _leave(self, shared: int, record: RunRecord) -> None:
        left = [run for run in self._sharing.get(shared, ()) if run.record is not record]
        if left:
            self._sharing[shared] = left
        else:
            self._sharing.pop(shared, None)

    def _owner(self, context: Any, call_id: str) -> RunRecord | None:
        """The run that a tool's context belongs to."""
        runs = self._sharing.get(id(context.usage), ())
        if len(runs) == 1 and not hasattr(runs[0].context(), "tool_call_id"):
            return runs[0].record
        found = [run for run in runs if run.record.owns(context, call_id)]
        if len(found) > 1:
            same = [run for run in found if _same_turn(run.context(), context)]
            if len(same) != 1:
                for run in same or found:
                    run.record.ambiguous = True
                return None
            found = same
        return found[0].record if found else None

    def _ending(self, context: Any, agent: Any) -> RunRecord | None:
        """The run that ends with this agent, told by a context that is not the run's own."""
        known = self._known(context)
        if known is not None:
            return known
        runs = [
            run
            for run in self._sharing.get(id(context.usage), ())
            if run.record.speaker is agent and not run.record.finished
        ]
        if len(runs) > 1:
            runs = [run for run in runs if _same_turn(run.context(), context)]
        return runs[0].record if len(runs) == 1 else None

    # --- the verdict ------------------------------------------------------------------------------

    async def _check(self, context: Any, agent: Any, output: Any) -> Any:
        """The guardrail function.  Never raises."""
        verdict, trips = await self._outcome(lambda: self._known(context), context, output)
        return self._sdk.GuardrailFunctionOutput(output_info=verdict, tripwire_triggered=trips)

    async def enforce(self, context: Any, agent: Any, output: Any) -> None:
        """Judge a run at the end of its agent; in block mode raise what a guardrail raises."""
        verdict, trips = await self._outcome(lambda: self._ending(context, agent), context, output)
        if trips:
            sdk = self._sdk
            told = sdk.GuardrailFunctionOutput(output_info=verdict, tripwire_triggered=True)
            raise sdk.OutputGuardrailTripwireTriggered(
                sdk.OutputGuardrailResult(
                    guardrail=self.guardrail, agent_output=output, agent=agent, output=told
                )
            )

    async def _outcome(
        self, find: Callable[[], RunRecord | None], context: Any, output: Any
    ) -> tuple[Verdict, bool]:
        """(verdict, whether to stop the run).  Never raises."""
        try:
            record = find()
            # The guardrails of the agent and of the run may both be this one.
            if record is not None and record.outcome is not None and record.outcome[0] is output:
                _, verdict, trips = record.outcome
                return verdict, trips
            verdict = self._verdict(record, context, output)
            trips = self._trips(verdict)
            if record is not None:
                record.outcome = (output, verdict, trips)
                record.finished = True
                self._leave(id(record.usage), record)
        except Exception:
            with suppress(Exception):
                self._gap("the verdict", context)
            verdict, trips = GUARD_FAULT, self.mode == "block" and self.on_fault == "closed"
        if self.on_verdict is not None:
            try:
                told = self.on_verdict(verdict, context)
                if inspect.isawaitable(told):
                    await told
            except Exception:
                with suppress(Exception):
                    self._log("on_verdict")
        return verdict, trips

    def _verdict(self, record: RunRecord | None, context: Any, output: Any) -> Verdict:
        if any(usage is context.usage for usage in tuple(self._gaps)):
            return GUARD_FAULT
        if record is None:
            return _UNSEEN
        if record.ambiguous:
            return _AMBIGUOUS
        reading = record.read(self.config)
        if self.tools is not None:
            reading.tools = self.tools
        return reading.judged(claim_of(output), None, self.config)

    def _trips(self, verdict: Verdict) -> bool:
        if self.mode != "block":
            return False
        if "guard_fault" in verdict.flags:
            return self.on_fault == "closed"
        return bool(blocking(verdict, self.config))

    # --- afterwards -------------------------------------------------------------------------------

    def verify_result(self, result: Any) -> Verdict:
        """The verdict on a run that is over.

        result: a `RunResult`, a `RunResultStreaming`, or an exception of the SDK with what it kept
        of the run (`run_data`).  Where the hooks saw the run their
        evidence counts, else the items, which have no error bit of function tools.  A run without
        a final output claims nothing: honest.  An exception that kept nothing, and a stream that
        was not read to its end: `unverifiable`.
        TypeError for anything else.
        """
        data = getattr(result, "run_data", None)
        if data is None:
            data = result
        items = getattr(data, "new_items", None)
        if items is None:
            if isinstance(result, BaseException):
                return self._told(result) or _UNSEEN
            raise TypeError(
                "verify_result takes a RunResult or an exception of the SDK, "
                f"not a {type(result).__name__}"
            )
        told = self._told(result)
        if told is not None:
            return told
        if getattr(result, "is_complete", True) is False:
            return _UNSEEN  # a stream that goes on: what it will say is not known
        output = getattr(data, "final_output", None)
        output = "" if output is None else output
        context = getattr(data, "context_wrapper", None)
        record = self._known(context)
        if record is not None and not record.ambiguous:
            return self._verdict(record, context, output)
        given = getattr(data, "input", None)
        request = [{"role": "user", "content": given}] if isinstance(given, str) else given or ()
        reading = read_items([*request, *items], output, self.config)
        if self.tools is not None:
            reading.tools = self.tools
        return reading.judged(None, None, self.config)

    def _told(self, result: Any) -> Verdict | None:
        """The verdict that a guardrail reached in the run, where it saw the evidence."""
        ran: list[Any] = [getattr(result, "guardrail_result", None)]
        ran += getattr(result, "output_guardrail_results", None) or ()
        for one in ran:
            if getattr(one, "guardrail", None) is self.guardrail:
                verdict = one.output.output_info
                if isinstance(verdict, Verdict) and not _BLIND.intersection(verdict.flags):
                    return verdict
        return None


def _one_of(name: str, value: Any, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{name} is {value!r}; it has to be {' or '.join(map(repr, known))}")


def _check_names(config: Config) -> None:
    """A misspelt check shows when the guard is made, not as a fault of every run."""
    from ...verify import verify

    verify([], "Done.", config=config)


def _sdk() -> Any:
    try:
        from . import _hooks
    except ImportError as error:
        raise ImportError(
            "Polygraph needs the OpenAI Agents SDK: pip install 'agent-polygraph[openai-agents]'"
        ) from error
    return _hooks


def _agent_of(handoff: Any) -> Any:
    """The agent that a handoff leads to, None where that is decided later."""
    if hasattr(handoff, "output_guardrails"):
        return handoff
    agent = getattr(handoff, "_agent_ref", None)
    return agent() if callable(agent) else None


def _same_turn(run: Any, tool: Any) -> bool:
    """True where both contexts are of one turn: the entries of its input are the same objects."""
    mine, other = getattr(run, "turn_input", None), getattr(tool, "turn_input", None)
    if not mine or not other or len(mine) != len(other):
        return False
    return mine[0] is other[0] and mine[-1] is other[-1]
