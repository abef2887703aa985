"""What the hooks of one run saw, kept as it came and read when the run is judged.

Strategy: a hook must cost microseconds, so it appends one tuple to a log and looks at no content.
What no hook shows (tools without a call id, tools that were not found, refused calls) stands at
the end of the next model call's input: only the items behind the last answer are looked at, and
only while a call of that answer still waits.  Everything else happens in `read`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...config import Config
from ...events import Event, Message, ToolCall, ToolResult
from .._shape import Reading, field_of, handoff_tool, ident, string
from ._items import RunConversation, snapshot, with_error

_HOSTED_MCP = "hosted_mcp"  # one tool that stands for all of a server


def call_id_of(item: Any) -> str:
    """The id by which an item's call and result find each other, "" where it has none."""
    return ident(field_of(item, "call_id"))


class RunRecord:
    """One run.  It never holds the run's context, whose end is its own.

    usage: the object that all contexts of the run share; held so that its `id` stays its own.
    errors: call id -> real error, of calls that a callback of the SDK called failed.
    nested: call id -> the records of the runs that it started.  speaker: the agent that was asked
    last.  ambiguous: a result could not be told from another run's.  outcome: what the guard made
    of the final output.
    """

    __slots__ = (
        *("usage", "started", "finished", "ambiguous", "outcome", "speaker"),
        *("errors", "nested", "agents"),
        *("_log", "_early", "_answer", "_back", "_told"),
    )

    def __init__(self, usage: Any) -> None:
        self.usage = usage
        self.started = False
        self.finished = False
        self.ambiguous = False
        self.outcome: Any = None
        self.speaker: Any = None
        self.errors: dict[str, str] = {}
        self.nested: dict[str, list[RunRecord]] = {}
        self.agents: dict[int, Any] = {}
        self._log: list[tuple[Any, ...]] = []
        self._early: dict[str, tuple[Any, str | None]] = {}
        self._answer: Any = None
        self._back: list[str] = []  # ids of the last answer's calls that came back, as they came
        self._told: dict[int, Any] = {}  # contexts of those calls

    # --- what the hooks call ---

    def asked(self, agent: Any, items: Sequence[Any]) -> None:
        """The model is asked, with these items."""
        if agent is not self.speaker:
            self.speaker = self.agents[id(agent)] = agent
        if not self.started:
            self.started = True
            self._log.append(("history", list(items)))
        elif self._answer is not None and len(self._back) < len(self._answer.output):
            self._look_behind(items)

    def _look_behind(self, items: Sequence[Any]) -> None:
        """Take what no hook told from the end of the input: the results of the last answer."""
        called, waiting = self._calls(), self._waiting()
        found: list[Any] = []
        for item in reversed(items):
            if not waiting:
                break
            call_id = call_id_of(item)
            if call_id and call_id not in called:
                break  # an earlier answer's: what is before it was looked at before
            if call_id in waiting and string(field_of(item, "type")).endswith("_output"):
                waiting.remove(call_id)
                self._back.append(call_id)
                found.append(item)
        for item in reversed(found):
            self._log.append(("output", item, self.errors.pop(call_id_of(item), None)))

    def answered(self, response: Any) -> None:
        """The model's answer; nothing where it is told twice."""
        if response is not self._answer:
            self._answer = response
            self._log.append(("answer", response.output))
            self._back, self._told = [], {}

    def returned(
        self,
        context: Any,
        call_id: str,
        name: str,
        value: Any,
        error: str | None,
        agent: bool,
    ) -> None:
        """A tool came back.  error: the span's, None without one.  agent: it ran another agent.

        call_id is "" where the SDK does not tell it.
        """
        if call_id:
            key = id(context)
            if key in self._told:
                return  # told twice: by the hooks of the run and by those of the agent
            self._told[key] = context
            self._back.append(call_id)
            if self.errors:
                known = self.errors.pop(call_id, None)
                error = known if error is None else error or known
        if type(value) is not str:
            value = snapshot(value)
        arguments = getattr(context, "tool_arguments", "")
        self._log.append(("value", call_id, name, arguments, value, error, agent))

    def returned_early(self, call_id: str, value: Any, error: str | None) -> None:
        """A tool came back before the run's first model call: it was approved, and resumed."""
        self._early[call_id] = (snapshot(value), error)

    def handed_off(self, source: Any, target: Any) -> None:
        """The run goes on with another agent: no tool hook tells so, and a filter may hide it."""
        wanted = handoff_name(source, target)
        waiting = self._waiting()
        for item in self._answer.output if self._answer is not None else ():
            call_id = call_id_of(item)
            if call_id in waiting and field_of(item, "name") == wanted:
                self._back.append(call_id)
                self._log.append(("handoff", call_id, string(field_of(target, "name"))))
                return

    def _calls(self) -> list[str]:
        """The ids of the last answer's calls."""
        output = self._answer.output if self._answer is not None else ()
        return [call_id for item in output if (call_id := call_id_of(item))]

    def _waiting(self) -> list[str]:
        """The ids of the last answer's calls that did not come back."""
        waiting = self._calls()
        for call_id in self._back:
            if call_id in waiting:
                waiting.remove(call_id)
        return waiting

    def waits(self, call_id: str) -> bool:
        """True where a call of that id waits for its result."""
        return call_id in self._waiting()

    def owns(self, context: Any, call_id: str) -> bool:
        """True where a tool's context may belong to this run."""
        return id(context) in self._told or self.waits(call_id)

    # --- what the guard calls ---

    def read(self, config: Config) -> Reading:
        """The run as a `Reading`; its closing is the last text of the model.  O(items)."""
        talk = RunConversation(config)
        loose: list[tuple[str, Any, str | None]] = []
        inner: dict[str, list[Event]] = {}
        for kind, *entry in self._log:
            if kind == "history":
                self._history(talk, entry[0])
            elif kind == "answer":
                for index, item in enumerate(entry[0]):
                    talk.add_item(item, f"item {index}")
            elif kind == "output":
                self._output(talk, *entry)
            elif kind == "handoff":
                talk.answer(entry[0], {"assistant": entry[1]}, None)
            elif entry[0]:
                self._value(talk, inner, *entry)
            else:
                loose.append((entry[1], entry[3], entry[4]))
        for name, value, error in loose:
            # Only where no later input showed the item, which says more.
            own = talk.waiting_for(name)
            if own:
                talk.settle(own, with_error(value, error or ""), _said(error))
        reading = talk.finish()
        if inner:
            reading.events = _inserted(reading.events, inner)
        reading.tools = self.tools()
        return reading

    def _history(self, talk: RunConversation, items: Iterable[Any]) -> None:
        for index, item in enumerate(items):
            early = self._early.get(call_id_of(item)) if self._early else None
            if early is not None and string(field_of(item, "type")).endswith("_output"):
                value, error = early
                talk.answer(call_id_of(item), with_error(value, error or ""), _said(error))
            else:
                talk.add_item(item, f"item {index}")

    def _output(self, talk: RunConversation, item: Any, error: str | None) -> None:
        if error is None:
            talk.add_item(item, "output")
        else:
            talk.answer(call_id_of(item), with_error(field_of(item, "output"), error), True)

    def _value(
        self,
        talk: RunConversation,
        inner: dict[str, list[Event]],
        call_id: str,
        name: str,
        arguments: Any,
        value: Any,
        error: str | None,
        agent: bool,
    ) -> None:
        own = talk.waiting(call_id, name, arguments)
        if not own:
            if call_id in talk.names:
                return
            own = talk.call(call_id, name, arguments)
        children = self.nested.get(call_id, ())
        if children:
            inner[own] = [event for child in children for event in child.acts(talk.config)]
        elif agent:
            talk.handed.add(own)
        talk.settle(own, with_error(value, error or ""), _said(error))

    def acts(self, config: Config) -> list[Event]:
        """Calls and results of a nested run: its words are no words of the run around it."""
        return [event for event in self.read(config).events if not isinstance(event, Message)]

    def tools(self) -> list[str] | None:
        """Names of what the agents of the run could call; None where that is not all known."""
        names: dict[str, None] = {}
        for agent in self.agents.values():
            own = _tools_of(agent)
            if own is None:
                return None
            names.update(dict.fromkeys(own))
        for child in (child for children in self.nested.values() for child in children):
            inner = child.tools()
            if inner is None:
                return None
            names.update(dict.fromkeys(inner))
        # An agent without any tool shows nothing; what it says it did is not seen, not disproved.
        return list(names) or None


def _tools_of(agent: Any) -> list[str] | None:
    if field_of(agent, "mcp_servers"):
        return None
    names = [string(field_of(tool, "name")) for tool in field_of(agent, "tools") or ()]
    if "" in names or _HOSTED_MCP in names:
        return None
    return names + [tool for _, tool in _handoffs(agent)]


def _said(error: str | None) -> bool | None:
    return None if error is None else True


def _handoffs(agent: Any) -> Iterable[tuple[str, str]]:
    """(the agent's name, the tool's name) of each handoff."""
    for handoff in field_of(agent, "handoffs") or ():
        tool = string(field_of(handoff, "tool_name"))
        name = string(field_of(handoff, "agent_name" if tool else "name"))
        yield name, tool or handoff_tool(name)


def handoff_name(source: Any, target: Any) -> str:
    """The name of the tool by which one agent handed over to another."""
    name = string(field_of(target, "name"))
    return next((tool for to, tool in _handoffs(source) if to == name), handoff_tool(name))


def _inserted(events: list[Event], inner: Mapping[str, list[Event]]) -> list[Event]:
    """Each nested run stands inside the call that started it, with ids of its own."""
    found: list[Event] = []
    for event in events:
        if isinstance(event, ToolResult) and event.call_id in inner:
            found += (_renamed(event.call_id, one) for one in inner[event.call_id])
        found.append(event)
    return found


def _renamed(outer: str, event: Event) -> Event:
    if isinstance(event, (ToolCall, ToolResult)):
        return replace(event, call_id=f"{outer}/{event.call_id}")
    return event
