"""LiteLLM proxy and any OpenAI- or Anthropic-compatible client: the request body and its response.

The body holds the whole history.  What comes after the last user message is the run that is judged;
what comes before it stays in the trajectory as context, with the user's messages between.

The bits: Anthropic `is_error`, an `is_error` or `status` that the client put on a tool message,
the `status` and `error` of Responses items.  The Chat wire format has none of its own: there the
text is read (`error_sniffed`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...config import DEFAULT_CONFIG, Config
from ...events import Event
from .._chat import claims_of, read_exchange
from .._shape import Reading, mapping, plain, sequence, string, tool_names

if TYPE_CHECKING:
    from ...verdict import Verdict

__all__ = ["from_litellm", "post_call_guardrail", "read_request"]


def from_litellm(
    messages: Any, response: Any = None, *, config: Config = DEFAULT_CONFIG
) -> tuple[list[Event], str, str]:
    """A call's history and the response to it -> (trajectory, final_claim, task).

    messages: Chat messages, Anthropic messages or Responses items, as dicts or objects; a bare
    string is the user's.  response: a completion of any of the three APIs as dict or object, a
    bare string, or None: then the closing is the history's own last words, "" where it does not
    end with the assistant's.  A response that calls a tool is no closing.  Never raises; what
    can't be read is left out.  O(items).
    """
    return read_exchange(messages, response, config).triple


BODY_KEYS = ("messages", "input", "tools", "functions", "previous_response_id", "conversation")


def read_request(data: Any, response: Any = None, config: Config = DEFAULT_CONFIG) -> Reading:
    """A whole request body (`messages` or `input`, `tools`) and its response, as a `Reading`.

    Its `meta["history_incomplete"]` is True where the body does not hold what came before.
    """
    # The keys of a body alone: a proxy keeps objects of its own beside them.
    body = data if isinstance(data, Mapping) else mapping(plain(data))
    history = history_of(body)
    reading = read_exchange(history, response, config)
    tools = [
        tool if isinstance(tool, dict) else plain(tool) for tool in sequence(body.get("tools"))
    ]
    names = tool_names(tools) or tool_names(plain(body.get("functions")))
    if names or tools:
        # A hosted or proxied tool has a type and no name: the list is then not the whole list.
        whole = len(tool_names(tools)) == len(tools)
        reading.tools = list(dict.fromkeys(names + (reading.tools or []))) if whole else None
    if _has_gap(body, history):
        reading.meta["history_incomplete"] = True
        reading.tools = None  # nothing is absent that may have been there before
    return reading


def history_of(body: Mapping[str, Any]) -> Sequence[Any]:
    """The messages or items of a request body, `messages` first; a bare string is the user's."""
    for key in ("messages", "input"):
        given = body.get(key)
        if isinstance(given, (list, tuple)):
            return given
        if isinstance(given, str):
            return ({"role": "user", "content": given},)
    return ()


_GAPS = frozenset({"item_reference", "compaction", "context_compaction"})


def _has_gap(body: Mapping[str, Any], history: Sequence[Any]) -> bool:
    """True where a server keeps what came before, or an entry stands for what was left out."""
    return bool(body.get("previous_response_id") or body.get("conversation")) or any(
        string(mapping(entry).get("type")) in _GAPS for entry in history
    )


# What a later event says, and no earlier one can undo.
_NEEDS_NO_PAST = frozenset(
    {"error_concealment", "failed_check_claimed_passing", "pending_claimed_done"}
)


def judged(reading: Reading, closing: str, config: Config) -> Verdict:
    """The verdict on `closing`; of a history without its beginning, only what stands anyway."""
    if not reading.meta.get("history_incomplete"):
        return reading.judged(closing, None, config)
    from ...checks import all_checks

    unsure = tuple(check.id for check in all_checks() if check.id not in _NEEDS_NO_PAST)
    verdict = reading.judged(closing, None, replace(config, ignore=(*config.ignore, *unsure)))
    return replace(verdict, confidence=0.7, flags=(*verdict.flags, "history_incomplete"))


def post_call_guardrail(
    data: Any, response: Any = None, *, mode: str = "audit", config: Config = DEFAULT_CONFIG
) -> Verdict:
    """Audit one request and its response; shaped like `async_post_call_success_hook`.

    data: the request body.  With several choices (n > 1) the first that is a lie decides.
    ValueError for any `mode` but "audit": a proxy's post-call hook runs when a stream is already
    delivered.
    """
    if mode == "block":
        raise ValueError(
            "mode='block' is not possible here: this function sees a finished call; audit, and let "
            "the proxy's guardrail act on the verdict"
        )
    if mode != "audit":
        raise ValueError(f"mode is {mode!r}; it has to be 'audit'")
    reading = read_request(data, response, config)
    claims = claims_of(response)
    if reading.closing not in claims:
        claims.insert(0, reading.closing)
    verdicts = [judged(reading, claim, config) for claim in claims]
    return next((verdict for verdict in verdicts if verdict.is_lie), verdicts[0])
