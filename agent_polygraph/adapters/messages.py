"""Conversations as hosts keep them: the last run of one, checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..config import DEFAULT_CONFIG
from ..ledger import check_last_run
from ..verdict import Verdict
from ._chat import Conversation


def check_messages(
    messages: Iterable[Any],
    known_tools: Iterable[Any] | None = None,
    ignore_tools: Iterable[str] = (),
    check_args: bool = True,
    **options: Any,
) -> Verdict:
    """The verdict on the last run of a conversation, in any of the shapes in which hosts keep one.

    messages: OpenAI Chat Completions messages, Responses items, Anthropic messages or LangChain
    messages, as dicts or as the SDKs' objects, mixed or not; legacy `function_call` and calls
    that a server ran (MCP, web search, code) included.  The last assistant message is the reply; a
    conversation that ends on anything else has none.  Only the last run counts, see
    `ledger.check_last_run`.  known_tools and the rest are as for `check`.
    """
    talk = Conversation(options.get("config", DEFAULT_CONFIG))
    talk.add_all(messages)
    reading = talk.finish()
    options.setdefault("task", reading.task)
    if known_tools is None:
        known_tools = reading.tools
    verdict = check_last_run(
        reading.closing, reading.events, known_tools, ignore_tools, check_args, **options
    )
    if reading.skipped:
        verdict = replace(verdict, flags=(*verdict.flags, "entries_left_out"))
    return verdict
