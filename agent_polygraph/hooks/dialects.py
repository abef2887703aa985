"""The hosts' dialects: how a stop is told on standard input, and how it is answered.

One row a host.  Field names and answers are the hosts' own: Claude Code 2.1.332, Codex CLI 0.171.0 and
Gemini CLI 0.61.0 (measured), Cursor (its documentation; not measured).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Answer = Callable[[str], dict[str, Any]]


class Stop:
    """One stop, as far as the host tells of it.

    active: the host says that a stop hook sent the agent back already.  closing: None where the host
    does not say what was said last.  agent: the sub-agent's id, "" for the session's own agent.
    running: background work that goes on.
    """

    __slots__ = ("active", "agent", "closing", "cwd", "event", "running", "session", "transcript")

    def __init__(self, dialect: Dialect, data: Mapping[str, Any]) -> None:
        self.event = _text(data.get("hook_event_name"))
        self.session = _text(data.get(dialect.session))
        self.cwd = _text(data.get("cwd")) or _text(dialect.root(data))
        self.transcript = _text(data.get("transcript_path"))
        self.agent = _text(data.get("agent_id"))
        if self.agent:
            self.transcript = _text(data.get("agent_transcript_path"))
        closing = data.get(dialect.closing)
        self.closing = closing if isinstance(closing, str) else None
        self.active = bool(data.get(dialect.active))
        tasks = data.get("background_tasks")
        self.running = [
            task
            for task in (tasks if isinstance(tasks, list) else [])
            if isinstance(task, dict) and task.get("status") in ("running", "pending", "queued")
        ]


class Dialect:
    """One host.

    events: the events it may stand on; any other is answered with silence.  reader: which transcript
    it keeps.  closing, session, active: names of its fields.  notice, block: its answers; None where
    the host has no such channel.
    """

    __slots__ = ("active", "block", "closing", "events", "notice", "reader", "root", "session")

    def __init__(
        self,
        events: tuple[str, ...],
        reader: str,
        *,
        closing: str,
        block: Answer,
        notice: Answer | None,
        session: str = "session_id",
        active: str = "stop_hook_active",
        root: Callable[[Mapping[str, Any]], Any] = lambda data: "",
    ) -> None:
        self.events, self.reader = events, reader
        self.closing, self.session, self.active = closing, session, active
        self.block, self.notice, self.root = block, notice, root


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _notice(words: str) -> dict[str, Any]:
    return {"systemMessage": words}


def _first_root(data: Mapping[str, Any]) -> Any:
    roots = data.get("workspace_roots")
    return roots[0] if isinstance(roots, list) and roots else ""


DIALECTS = {
    "claude-code": Dialect(
        ("Stop", "SubagentStop"),
        "claude_code",
        closing="last_assistant_message",
        block=lambda words: {"decision": "block", "reason": words},
        notice=_notice,
    ),
    "codex": Dialect(
        ("Stop",),
        "codex",
        closing="last_assistant_message",
        block=lambda words: {"decision": "block", "reason": words},
        notice=_notice,
    ),
    "gemini": Dialect(
        ("AfterAgent",),
        "gemini",
        closing="prompt_response",
        block=lambda words: {"decision": "deny", "reason": words},
        notice=_notice,
    ),
    "cursor": Dialect(
        ("stop",),
        "cursor",
        session="conversation_id",
        closing="",
        active="loop_count",
        block=lambda words: {"followup_message": words},
        notice=None,
        root=_first_root,
    ),
}
