"""A callback handler that records a run.  Nothing in it raises, and it changes nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from threading import Lock
from typing import Any, TypeVar, cast

from langchain_core.callbacks import BaseCallbackHandler

from ...config import DEFAULT_CONFIG, Config
from ...events import Event, Message, ToolCall
from ...ledger import check_last_run
from ...verdict import Verdict
from .._shape import GUARD_FAULT, ident, mapping, plain, sequence, string
from .._shape import tool_names as names_of
from . import final_reply
from .record import Record

log = logging.getLogger("agent_polygraph")
Method = TypeVar("Method", bound=Callable[..., Any])


def _quiet(method: Method) -> Method:
    """The record is ours, the run is the host's: a fault here must not cost it."""

    @wraps(method)
    def guarded(self: Capture, *args: Any, **kwargs: Any) -> None:
        try:
            with self._lock:
                method(self, *args, **kwargs)
        except Exception:
            self.faults += 1
            log.exception("agent-polygraph: an event of the run could not be recorded")

    return cast(Method, guarded)


class Capture(BaseCallbackHandler):
    """Records one conversation of a graph, chain or agent, and checks its last reply.

    Pass it in the config of every call (`graph.invoke(inputs, capture.config())`): sync, async and
    streamed runs, parallel tools, subgraphs and agents called as tools are recorded alike.  A run that
    is resumed after an interrupt goes on in the same Capture.  known_tools: tools to know of beside
    those bound to the models.  faults: how many events could not be recorded; with one missing
    nothing is judged any more.
    """

    run_inline = True  # in order, and without a thread

    def __init__(self, *, known_tools: Iterable[Any] = (), config: Config = DEFAULT_CONFIG) -> None:
        self.settings = config
        self.faults = 0
        self._lock = Lock()
        self._record = Record()
        self._record.tools.update(dict.fromkeys(_names(known_tools)))

    def config(self, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A config for `invoke`, `stream` and their like: this one with the handler added."""
        made = dict(config or {})
        held = made.get("callbacks")
        if held is None:
            made["callbacks"] = [self]
        elif isinstance(held, list):
            made["callbacks"] = [*held, self]
        else:  # a callback manager: the host's own way to add to it
            held = held.copy()
            held.add_handler(self, inherit=True)
            made["callbacks"] = held
        return made

    def __deepcopy__(self, memo: Any) -> Capture:
        return self  # hosts copy configs: it stays one record

    # --- what was recorded ------------------------------------------------------------------------

    @property
    def trajectory(self) -> list[Event]:
        """The events so far, the requests of the user included."""
        with self._lock:
            return self._record.events(self.settings)

    @property
    def tools(self) -> list[str]:
        """The names of the tools bound to the models, and of those that ran."""
        ran = [event.name for event in self.trajectory if isinstance(event, ToolCall)]
        return list(dict.fromkeys([*self._record.tools, *ran]))

    @property
    def reply(self) -> str:
        """The last words of a model that called no tool; "" while tools are at work."""
        return self._record.reply

    def check(self, result: Any = None, **options: Any) -> Verdict:
        """The verdict on the last reply.

        result: what the graph returned (or its messages, or the reply's text); without it the last
        words of a model count, which is what a stream leaves.  options: those of
        `agent_polygraph.check`.  A fault of ours is "unverifiable" with the flag `guard_fault`.
        """
        try:
            reply, events, tools = self._reply(result), self.trajectory, self.tools
        except Exception:
            log.exception("agent-polygraph: the record could not be read")
            return GUARD_FAULT
        if self.faults:
            return GUARD_FAULT
        asked = [e.text for e in events if isinstance(e, Message)]
        options.setdefault("config", self.settings)
        options.setdefault("task", asked[-1] if asked else "")
        options.setdefault("known_tools", tools)
        return check_last_run(reply, events, **options)

    def _reply(self, result: Any) -> str:
        """The reply in what `check` was given, whose messages are read along."""
        if result is None or isinstance(result, str):
            return self.reply if result is None else result
        with self._lock:
            known = mapping(result).get("messages", result)
            self._record.read(known if isinstance(known, (list, tuple)) else ())
        return final_reply(result)

    # --- callbacks --------------------------------------------------------------------------------

    @_quiet
    def on_chain_start(
        self, serialized: Any, inputs: Any, *, parent_run_id: Any = None, **kwargs: Any
    ) -> None:
        """The start of a run tells what was asked; a resumed one asks nothing new."""
        if parent_run_id is None:
            messages = sequence(mapping(inputs).get("messages"))
            self._record.read(messages)
            self._record.asked(_request(messages))

    @_quiet
    def on_chain_end(self, outputs: Any, *, parent_run_id: Any = None, **kwargs: Any) -> None:
        """The end of a run holds the results of calls that no model read."""
        if parent_run_id is None:
            self._record.read(mapping(outputs).get("messages"))

    @_quiet
    def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
        """What a model gets to read, and the tools bound to it."""
        for batch in sequence(messages):
            self._record.read(batch)
        bound = mapping(kwargs.get("invocation_params")).get("tools")
        bound = bound or mapping(kwargs.get("options")).get("tools")
        self._record.tools.update(dict.fromkeys(_names(bound)))

    @_quiet
    def on_llm_end(self, response: Any, **kwargs: Any) -> None:
        """What a model answered."""
        for batch in sequence(getattr(response, "generations", None)):
            for generation in sequence(batch)[:1]:
                message = getattr(generation, "message", None)
                if message is not None:
                    self._record.answered(message)

    @_quiet
    def on_tool_start(
        self, serialized: Any, input_str: Any, *, run_id: Any, inputs: Any = None, **kwargs: Any
    ) -> None:
        """A tool begins."""
        name = string(mapping(serialized).get("name")) or string(kwargs.get("name"))
        given = inputs if inputs is not None else input_str
        self._record.started(run_id, ident(kwargs.get("tool_call_id")), name, plain(given))

    @_quiet
    def on_tool_end(self, output: Any, *, run_id: Any, **kwargs: Any) -> None:
        """A tool returned."""
        self._record.ended(run_id, output)

    @_quiet
    def on_tool_error(self, error: BaseException, *, run_id: Any, **kwargs: Any) -> None:
        """A tool raised."""
        self._record.failed(run_id, error)


def _request(messages: Any) -> Any:
    """The last message, where the user said it."""
    last = next(iter(reversed(sequence(messages))), None)
    if isinstance(last, tuple) and len(last) == 2:
        last = {"type": last[0], "content": last[1]}
    known = mapping(plain(last)) if last is not None else {}
    kind = known.get("type") if known.get("type") != "message" else None
    return known if (kind or known.get("role")) in ("human", "user") else None


def _names(tools: Any) -> list[str]:
    given = [tool if isinstance(tool, (str, Mapping)) else _named(tool) for tool in tools or ()]
    return names_of(given)


def _named(tool: Any) -> Any:
    if isinstance(tool, (tuple, list)):
        return tool[0] if tool else ""
    return getattr(tool, "name", None) or getattr(tool, "__name__", "")
