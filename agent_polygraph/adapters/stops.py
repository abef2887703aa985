"""The records of other hosts with a stop hook: Codex CLI rollouts, Gemini CLI chats, Cursor transcripts.

Strategy: each is a conversation in another wrapping, so it is unwrapped entry by entry and read as one
(`_chat`).  The shapes are those of the real programs (Codex CLI 0.171.0, Gemini CLI 0.61.0); Cursor's are
from its documentation, and were not recorded.  Nothing raises; what can't be read is in `skipped`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..config import DEFAULT_CONFIG, Config
from ._chat import Conversation
from ._shape import Reading, as_text, first, ident, mapping, parse_json, sequence, string, text_of

# Codex puts the surroundings, and what a hook says, into user messages of their own.
_SURROUNDINGS = (
    *("<environment_context>", "<user_instructions>", "<permissions", "# AGENTS.md"),
    *("<hook_prompt", "<turn_aborted>", "<skill", "<subagent_notification>"),
)
_EXITED = "Process exited with code "


def from_codex_rollout(entries: Iterable[Any], *, config: Config = DEFAULT_CONFIG) -> Reading:
    """The lines of a rollout file, parsed: `{"timestamp", "type", "payload"}`.  O(entries)."""
    talk = Conversation(config)
    for number, entry in enumerate(entries):
        where = f"entry {number}"
        if not isinstance(entry, Mapping):
            talk.skip(where, f"a {type(entry).__name__}")
            continue
        if "payload" in entry and entry.get("type") != "response_item":
            continue  # what is shown to the user, settings, counts: copies or no evidence
        item = dict(mapping(entry.get("payload", entry)))
        if item.get("role") == "user" and text_of(item.get("content")).startswith(_SURROUNDINGS):
            continue
        code = _exit_code(item.get("output"))
        if code is not None:
            item.setdefault("is_error", code != 0)
        output = parse_json(item.get("output"))
        if isinstance(output, dict) and "output" in output:
            code = mapping(output.get("metadata")).get("exit_code")
            item["output"] = output["output"]
            if isinstance(code, int) and not isinstance(code, bool):
                item.setdefault("is_error", code != 0)
                if code:
                    item["output"] = f"Exit code {code}\n{as_text(output['output'])}"
        talk.add(item, where)
    return talk.finish()


def _exit_code(output: Any) -> int | None:
    """The exit code in the head that Codex puts before what a command printed."""
    head, found, _ = string(output).partition("\nOutput:\n")
    for line in head.split("\n") if found else ():
        code = line.removeprefix(_EXITED)
        if code != line and code.isdecimal():
            return int(code)
    return None


def begins_codex_turn(entry: Mapping[str, Any]) -> str:
    """ "prompt" where a rollout line is a request of the user, else "" (see `claude_code.begins`)."""
    item = mapping(entry.get("payload", entry))
    if item.get("role") != "user" or item.get("type") not in (None, "message"):
        return ""
    return "" if text_of(item.get("content")).startswith(_SURROUNDINGS) else "prompt"


def from_gemini_chat(chat: Any, *, config: Config = DEFAULT_CONFIG) -> Reading:
    """A chat, parsed: the lines of its file, `{"id", "type": "user" | "gemini", "content", "toolCalls"}`,
    or an older file, `{"messages": [...]}`.  O(messages).

    A message that grows is written again under its id, and `{"$set": {"messages"}}` replaces them all.
    """
    talk = Conversation(config)
    for message in _gemini_messages(talk, chat):
        kind, words = message.get("type"), text_of(message.get("content"))
        if kind == "user" and not words.startswith("<session_context>"):
            talk.add({"role": "user", "content": words})
        elif kind == "gemini":
            for call in map(mapping, sequence(message.get("toolCalls"))):
                _gemini_call(talk, call)
            talk.add({"role": "assistant", "content": words})
    return talk.finish()


def _gemini_messages(talk: Conversation, chat: Any) -> Iterable[Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for number, record in enumerate([chat] if isinstance(chat, Mapping) else sequence(chat)):
        if not isinstance(record, Mapping):
            talk.skip(f"entry {number}", f"a {type(record).__name__}")
            continue
        known = mapping(record)
        whole = first(mapping(known.get("$set")), "messages") or known.get("messages")
        if whole is not None:
            found.clear()
        for place, message in enumerate(sequence(whole) or [known]):
            key = ident(mapping(message).get("id")) or f"{number}.{place}"
            found[key] = mapping(message)
    return found.values()


def _gemini_call(talk: Conversation, call: Mapping[str, Any]) -> None:
    name, status = string(call.get("name")), string(call.get("status"))
    own = talk.call(ident(call.get("id")), name, call.get("args"))
    if status not in ("success", "error", "cancelled"):
        return  # it has not come back
    words: list[str] = []
    for part in sequence(call.get("result")):
        response = mapping(mapping(mapping(part).get("functionResponse")).get("response"))
        found = first(response, "error", "output", "content")
        words.append(as_text(response or part) if found is None else as_text(found))
    text = "\n".join(words) or string(call.get("resultDisplay"))
    if status == "cancelled" and "cancel" not in text.lower():
        text = f"Cancelled by the user\n{text}".rstrip()
    # A command that ended badly is a success of the tool that ran it.
    codes = [line[11:].strip() for line in text.split("\n") if line.startswith("Exit Code: ")]
    bad = name == "run_shell_command" and bool(codes) and codes[-1] not in ("0", "(none)")
    talk.settle(own, text, bad or status != "success")


def from_cursor_transcript(entries: Iterable[Any], *, config: Config = DEFAULT_CONFIG) -> Reading:
    """The lines of a transcript, parsed: `{"role", "message": {"content": [blocks]}}`.  O(entries)."""
    talk = Conversation(config)
    for number, entry in enumerate(entries):
        known = mapping(entry)
        content = first(mapping(known.get("message")), "content") or known.get("content")
        talk.add({"role": known.get("role"), "content": content}, f"entry {number}")
    return talk.finish()


def begins_cursor_turn(entry: Mapping[str, Any]) -> str:
    """ "prompt" where a transcript line is a request of the user, else ""."""
    return "prompt" if entry.get("role") == "user" else ""
