"""The turn at a stop: its evidence, what is out of sight, and what earlier turns prove.

Strategy: where the memory knows the place of the turn, the lines it points at and everything since
are read; else the end of the transcript is, backwards.  The closing is what the host says on standard
input; the transcript may lag behind it, so it is waited for a moment.  A call's sub-agent has a
transcript of its own, whose events are put where the call is.
"""

from __future__ import annotations

import os

from ..adapters.claude_code.transcript import DELEGATES, Cutter, Turn, begins
from ..config import Config
from ..events import Event, Message, ToolCall, ToolResult
from . import tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from .dialects import Stop
    from .memory import Memory

_WAITS, _WAIT_S = 10, 0.05
_AGENT_BYTES = 4 << 20  # of the transcripts of all sub-agents of a turn
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
# Tools of the host that change nothing and check nothing: no later turn needs to know of them.
LOOKS = frozenset(
    "Read Grep Glob LS NotebookRead TodoWrite TodoRead WebSearch WebFetch ToolSearch Skill "
    "AskUserQuestion EnterPlanMode ExitPlanMode TaskCreate TaskUpdate TaskList TaskGet".split()
)
# Background work that acts by itself; a shell only does what its command says.
_SHELLS = frozenset({"shell", "monitor"})


class Scene:
    """What there is to judge.

    events: the trajectory, earlier evidence first.  closing, task, tools: as `verify` takes them.
    gaps: signs that evidence of this turn is out of sight.  border: index of the first event of this
    turn.  beheaded: evidence of earlier turns is out of sight.  blind: indices of
    events behind which work is out of sight.  delegated: indices of events of sub-agents.  deferred:
    agents are still at work.  started: timestamp of the turn, as written.
    """

    def __init__(self, closing: str) -> None:
        self.events: list[Event] = []
        self.closing = closing
        self.task = ""
        self.tools: list[str] | None = None
        self.gaps: list[str] = []
        self.border = 0
        self.beheaded = False
        self.blind: list[int] = []
        self.delegated: set[int] = set()
        self.deferred = False
        self.started = ""

    def lacks(self, call_ids: Iterable[str]) -> None:
        """Note calls whose result is out of sight, or the other way round."""
        self.gaps += [
            f"call {call_id[:60]!r} and its result are not both there" for call_id in call_ids
        ]


def at_stop(stop: Stop, memory: Memory, config: Config) -> Scene:
    """Read the turn that ends here.  Raises OSError where there is no transcript to read."""
    with tail.open_regular(os.path.expanduser(stop.transcript)) as file:
        for last in (False,) * _WAITS + (True,):
            size = os.fstat(file.fileno()).st_size
            turn, lines, beheaded = _read(file, size, memory, config)
            if _is_there(turn, stop.closing) or last:
                break
            _wait()
        _remember(memory, lines, turn, size, beheaded)
    scene = staged(turn, stop.transcript, config, agent=stop.agent, running=stop.running)
    if stop.closing is not None:
        scene.closing = stop.closing
    if not _is_there(turn, stop.closing):
        scene.gaps.append("the last message is not in the transcript yet")
    scene.beheaded = beheaded
    if beheaded and not turn.origin and stop.agent:
        scene.gaps.append("the beginning of the turn is not there")
    return scene


def staged(
    turn: Turn,
    transcript: str,
    config: Config,
    *,
    agent: str = "",
    running: Sequence[dict[str, Any]] = (),
) -> Scene:
    """A turn of a transcript as a scene.  agent: the sub-agent whose own transcript it is.  running:
    background work that goes on, as the host tells of it.
    """
    scene = Scene(turn.closing)
    scene.gaps = list(turn.gaps)
    scene.lacks(turn.unpaired)
    scene.task, scene.tools, scene.started = turn.task, turn.tools, turn.started
    scene.beheaded = turn.unseen
    if not (turn.origin or agent):
        scene.gaps.append("the beginning of the turn is not there")
    others = {str(task.get("id")): task for task in running if task.get("id") != agent}
    if not agent:
        scene.deferred = any(str(task.get("type")) not in _SHELLS for task in others.values())
    _stage(scene, turn, transcript, others, config)
    return scene


def _wait() -> None:
    import time

    time.sleep(_WAIT_S)


def _read(
    file: Any, size: int, memory: Memory, config: Config
) -> tuple[Turn, list[tail.Line], bool]:
    """(the last turn, the lines it was cut from, whether earlier evidence is missing)."""
    cutter = Cutter(config)
    known = 0 <= memory.at <= size and size - memory.at <= tail.MOST
    if known:
        earlier = tail.at_lines(file, size, memory.index)
        lines = tail.forward(file, memory.at, size)
        known = tail.UNREAD not in earlier and bool(lines) and lines[0].entry is not tail.UNREAD
        if known:
            cutter.context(entry for entry in earlier if entry is not None)
    if not known:
        memory.at, memory.index, memory.whole = -1, [], False
        lines = tail.backward(file, size, begins)
    turn = Turn(0, -1)
    for number, line in enumerate(lines):
        for _ in cutter.feed(number, None if line.entry is tail.UNREAD else line.entry):
            pass
    turn = next(cutter.flush(), turn)
    beheaded = not memory.whole if known else bool(lines) and lines[0].offset > 0
    return turn, lines, beheaded or turn.unseen


def _is_there(turn: Turn, said: str | None) -> bool:
    """True when the transcript has arrived at the closing."""
    if said is None or not said.strip():
        return True
    last = [event.text for event in turn.events[-4:] if isinstance(event, Message)]
    return any(text.strip().endswith(said.strip()) for text in (turn.closing, *last))


def _remember(
    memory: Memory, lines: list[tail.Line], turn: Turn, size: int, beheaded: bool
) -> None:
    """Note where this turn begins, and where the evidence before it lies."""
    first = max(turn.first, 0)
    if not 0 <= first < len(lines):
        return
    ids: set[str] = set()
    for line in lines[:first]:
        if isinstance(line.entry, dict) and _proves(line.entry, ids):
            memory.index.append([line.offset, line.length])
    memory.whole = not beheaded
    memory.at = lines[first].offset


def _proves(entry: dict[str, Any], ids: set[str]) -> bool:
    """True for entries of an earlier turn that a later one may rest on.  `ids`: of kept calls."""
    kind, message = entry.get("type"), entry.get("message")
    if kind not in ("user", "assistant") or not isinstance(message, dict):
        return False
    if begins(entry) == "prompt":
        return True
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        if block.get("type") == "tool_use" and str(block.get("name")) not in LOOKS:
            ids.add(str(block.get("id")))
            return True
        if block.get("type") == "tool_result" and str(block.get("tool_use_id")) in ids:
            return True
    return False


# --- sub-agents and background work ---------------------------------------------------------------


def _stage(
    scene: Scene, turn: Turn, transcript: str, running: Iterable[str], config: Config
) -> None:
    """Lay out the events, with what sub-agents did in its place.  running: ids of background work."""
    names: dict[str, str] = {}
    if turn.earlier:
        scene.events = [*turn.earlier, Message(turn.prompt, "user")]
        scene.border = len(scene.events)
        for index, event in enumerate(turn.earlier):
            if isinstance(event, ToolCall) and event.name in DELEGATES:
                scene.blind.append(index)
    left = _AGENT_BYTES
    for event in turn.events:
        if isinstance(event, ToolCall):
            names[event.call_id] = event.name
        elif isinstance(event, ToolResult):
            text = event.content if isinstance(event.content, str) else ""
            hidden = any(task and task in text for task in running)
            agent = turn.agents.get(event.call_id, "")
            if agent:
                size, inner = _inner(transcript, agent, left, config)
                left -= size
                scene.delegated.update(range(len(scene.events), len(scene.events) + len(inner)))
                scene.events += inner
                hidden = hidden or not inner
            elif names.get(event.call_id) in DELEGATES:
                hidden = True
            if hidden:
                scene.blind.append(len(scene.events))
        scene.events.append(event)


def _inner(transcript: str, agent: str, most: int, config: Config) -> tuple[int, list[Event]]:
    """(bytes, what a sub-agent did), by its own transcript; nothing where that can't be seen in full."""
    if not _SAFE.issuperset(agent):
        return 0, []
    home = os.path.splitext(os.path.expanduser(transcript))[0]
    try:
        with tail.open_regular(os.path.join(home, "subagents", f"agent-{agent}.jsonl")) as file:
            size = os.fstat(file.fileno()).st_size
            if size > most:
                return 0, []
            lines = tail.forward(file, 0, size)
    except (OSError, ValueError):
        return 0, []
    cutter = Cutter(config)
    turns = [
        turn
        for number, line in enumerate(lines)
        for turn in cutter.feed(number, None if line.entry is tail.UNREAD else line.entry)
    ]
    turns += cutter.flush()
    if any(turn.gaps or turn.unpaired for turn in turns):
        return size, []
    return size, [
        event
        for turn in turns
        for event in turn.events
        if isinstance(event, (ToolCall, ToolResult))
    ]
