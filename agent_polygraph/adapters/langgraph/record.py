"""What a run did, as the callbacks tell it: calls by their ids, results as the model got to see them.

Two sources are laid over each other.  The tool callbacks know what ran, in subgraphs too, and what was
raised; the messages know what the model asked for, and what it was told, also of calls that no tool
ever ran for (an unknown name, a rejected approval).  A call that is interrupted, cancelled or still at
work has no result.  Imports no host.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from ...config import Config
from ...events import Event, Message, ToolCall
from .._chat import arguments_key
from .._shape import (
    bit,
    first,
    ident,
    mapping,
    plain,
    result,
    sequence,
    status_bit,
    string,
    text_of,
)

# Raised to hand control over, or from outside: the tool itself has given no answer.
_CONTROL = frozenset(
    {"GraphInterrupt", "NodeInterrupt", "GraphBubbleUp", "ParentCommand", "CancelledError"}
)


@dataclass(slots=True, eq=False)
class Call:
    """One call: its last attempt counts.  place: where it stands in the order of the run."""

    key: str
    name: str
    arguments: Any
    place: int
    attempts: int = 0  # that are at work
    answered: bool = False
    raised: bool = False
    content: Any = ""
    said: bool | None = None
    seen: bool = False  # the model has read the answer

    @property
    def waits(self) -> bool:
        """True where a tool that begins may be what was asked for."""
        return not self.attempts and (not self.answered or (self.raised and not self.seen))


@dataclass(slots=True)
class Record:
    """The run so far.  Not safe for threads: whoever feeds it holds a lock."""

    order: list[Call | Message] = field(default_factory=list)
    calls: dict[str, Call] = field(default_factory=dict)  # the last one of a host's call id
    running: dict[Any, Call] = field(default_factory=dict)  # by the callback's run id
    # Heaps of calls that may wait, first come first: by name, and by name and arguments.
    waiting: defaultdict[tuple[str, ...], list[tuple[int, Call]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    uses: Counter[str] = field(default_factory=Counter)  # of a host's id
    keys: set[str] = field(default_factory=set)  # of the calls
    tools: dict[str, None] = field(default_factory=dict)
    reply: str = ""

    # --- what is said -----------------------------------------------------------------------------

    def asked(self, message: Any) -> None:
        """A request of the user that starts a run."""
        text = text_of(plain(message).get("content")) if message is not None else ""
        if text:
            self.order.append(Message(text, "user"))
            self.reply = ""

    def answered(self, message: Any) -> None:
        """A message of a model: the calls that it asks for, or its words."""
        known = mapping(plain(message))
        wanted = [*sequence(known.get("tool_calls")), *sequence(known.get("invalid_tool_calls"))]
        for call in map(mapping, wanted):
            self._ask(ident(call.get("id")), string(call.get("name")), call.get("args"))
        self.reply = "" if wanted else text_of(known.get("content"))

    def read(self, messages: Any) -> None:
        """Messages that a model is about to read, or the state at the end: what calls brought."""
        for message in sequence(messages):
            if _kind(message) not in ("tool", "ToolMessageChunk"):
                continue
            known = mapping(plain(message))
            call = self._latest(ident(known.get("tool_call_id")))
            if call is not None and not call.seen:
                call.seen, call.answered = True, True
                call.content = first(known, "content")
                failed = status_bit(known.get("status"))
                call.said = bit(failed, True if call.raised else None)

    # --- what ran ---------------------------------------------------------------------------------

    def started(self, run: Any, call_id: str, name: str, arguments: Any) -> None:
        """A tool has begun."""
        waiting = self._latest(call_id) if call_id else self._by_name(name, arguments)
        if waiting is None or (waiting.answered and not waiting.raised):
            waiting = self._ask(call_id, name, arguments)
        else:  # the call that the model asked for, or another attempt at it
            waiting.answered = waiting.raised = waiting.seen = False
            waiting.said = None
        waiting.attempts += 1
        self.running[run] = waiting

    def ended(self, run: Any, output: Any) -> None:
        """A tool has returned."""
        call = self._stopped(run)
        if call is None:
            return
        known = mapping(plain(output)) if _kind(output) == "tool" else {}
        call.answered, call.raised = True, False
        call.content = first(known, "content") if known else _returned(output)
        call.said = status_bit(known.get("status")) if known else None

    def failed(self, run: Any, error: BaseException) -> None:
        """A tool has raised."""
        call = self._stopped(run)
        if call is None:
            return
        self._offer(call)
        if any(kind.__name__ in _CONTROL for kind in type(error).__mro__):
            return
        call.answered = call.raised = call.said = True
        call.content = f"{type(error).__name__}: {error}"

    def _stopped(self, run: Any) -> Call | None:
        call = self.running.pop(run, None)
        if call is not None:
            call.attempts -= 1
        return call

    # --- calls ------------------------------------------------------------------------------------

    def _ask(self, call_id: str, name: str, arguments: Any) -> Call:
        told = self._latest(call_id)
        if told is not None and not told.answered:
            return told  # told twice: by the model's message and by the state
        call = Call(self._unique(call_id), name, arguments, len(self.order))
        if call_id:
            self.calls[call_id] = call
        self.order.append(call)
        self._offer(call)
        return call

    def _unique(self, call_id: str) -> str:
        while True:
            self.uses[call_id] += 1
            count = self.uses[call_id]
            key = (call_id if count == 1 else f"{call_id}#{count}") if call_id else f"call{count}"
            if key not in self.keys:
                self.keys.add(key)
                return key

    def _latest(self, call_id: str) -> Call | None:
        return self.calls.get(call_id) if call_id else None

    def _offer(self, call: Call) -> None:
        """Let `_by_name` find the call; whether it still waits is asked then."""
        for kind in ((call.name,), (call.name, arguments_key(call.arguments))):
            heappush(self.waiting[kind], (call.place, call))

    def _by_name(self, name: str, arguments: Any) -> Call | None:
        """The call that the model asked for, where the host does not say which one a tool runs."""
        for kind in ((name, arguments_key(arguments)), (name,)):
            heap = self.waiting.get(kind)
            while heap:
                _, call = heappop(heap)
                if call.waits:
                    return call
        return None

    # --- the end ----------------------------------------------------------------------------------

    def events(self, config: Config) -> list[Event]:
        """The trajectory.  O(events)."""
        made: list[Event] = []
        for entry in self.order:
            if isinstance(entry, Message):
                made.append(entry)
                continue
            made.append(ToolCall(entry.key, entry.name, plain(entry.arguments) or ""))
            if entry.answered:
                made.append(result(entry.key, entry.content, entry.said, config))
        return made


def _kind(message: Any) -> str:
    known = mapping(message)
    return string(known.get("type") if known else getattr(message, "type", None))


def _returned(output: Any) -> Any:
    """What a tool gave back that is no message: text, JSON, or a Command that carries messages."""
    update = getattr(output, "update", None)
    if isinstance(update, dict):
        for message in sequence(update.get("messages")):
            if _kind(message) == "tool":
                return mapping(plain(message)).get("content")
    return plain(output)
