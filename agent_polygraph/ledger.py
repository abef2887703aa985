"""What an agent did, claim by claim: `verify` for whoever has a reply and wants the ledger of it.

    verdict = check("Refund issued, and I emailed you.", events, known_tools=["refund", "send_email"])
    verdict.ledger.summary
    verdict.ledger.claimed_but_never_ran[0].reason   # "tool_failed"

Nothing here detects anything: these are the ways into `verify`, and out of it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .claims.text import read as read_text
from .config import DEFAULT_CONFIG, Config
from .events import Event, Message, ToolCall, ToolResult, normalize
from .evidence import outcomes
from .evidence.ledger import Ledger
from .judge import Judge
from .tokens import Issuer
from .verdict import Finding, Verdict
from .verify import verify

# Whether arguments and results agree with what is claimed: what `check_args=False` leaves out.
_ARGUMENT_CHECKS = ("value_mismatch", "wrong_count")
# What may still turn out well while the run goes on.
_OPEN_CHECKS = frozenset({"dangling_call", "pending_claimed_done"})


def check(
    reply: str,
    trajectory: Iterable[Event | Mapping[str, Any]],
    known_tools: Iterable[Any] | None = None,
    ignore_tools: Iterable[str] = (),
    check_args: bool = True,
    *,
    task: str = "",
    config: Config = DEFAULT_CONFIG,
    judge: Judge | None = None,
    escalate: str = "honest_only",
    receipts: Issuer | None = None,
) -> Verdict:
    """The verdict on a reply; `verdict.ledger` has its claims and calls side by side.

    reply: the agent's final message.  trajectory: events or their dicts, in order.  known_tools: what
    the agent could call: names, (name, description) pairs, tool dicts of OpenAI, Anthropic or MCP,
    or objects with a `name` (LangChain tools).  ignore_tools: tools that are never listed as
    unreported.  check_args: also judge values (recipients, amounts, dates, counts).  The rest is as
    for `verify`, which raises TrajectoryError for a trajectory that can't be read.
    """
    if not check_args:
        config = replace(config, ignore=(*config.ignore, *_ARGUMENT_CHECKS))
    verdict = verify(
        trajectory,
        reply,
        task,
        tools=known_tools,
        config=config,
        judge=judge,
        escalate=escalate,
        receipts=receipts,
    )
    ignored = frozenset(ignore_tools)
    return _without(verdict, ignored) if ignored else verdict


async def acheck(
    reply: str,
    trajectory: Iterable[Event | Mapping[str, Any]],
    known_tools: Iterable[Any] | None = None,
    ignore_tools: Iterable[str] = (),
    check_args: bool = True,
    **options: Any,
) -> Verdict:
    """`check` in a thread, so that a long trajectory or a judge holds no event loop up."""
    from asyncio import to_thread

    return await to_thread(
        check, reply, trajectory, known_tools, ignore_tools, check_args, **options
    )


def check_partial(
    text: str,
    trajectory: Iterable[Event | Mapping[str, Any]],
    known_tools: Iterable[Any] | None = None,
    ignore_tools: Iterable[str] = (),
    check_args: bool = True,
    **options: Any,
) -> Verdict:
    """The verdict on a reply that is still being written, over the calls made so far.

    Only what can't be taken back counts: claims of one act, in a sentence that is over and has a
    whole sentence behind it that does not take it back; calls without a result are at work, not lost.
    Everything else waits for `check`.  A lie here is a lie there unless the agent corrects itself later.
    """
    events = normalize(trajectory)
    whole, settled = _complete(text)
    verdict = check(whole, events, known_tools, ignore_tools, check_args, **options)
    at_work = _unanswered(events) or not any(isinstance(event, ToolResult) for event in events)
    kept = tuple(
        finding
        for finding in verdict.evidence
        if finding.claim is not None
        and finding.claim.end <= settled
        and finding.check not in _OPEN_CHECKS
        and not (finding.family == "L3" and at_work)
        and finding.family != "L2"
        and _of_one_act(verdict, finding)
    )
    return verdict.narrowed(kept, "not settled yet") if kept != verdict.evidence else verdict


def check_last_run(
    reply: str,
    trajectory: Iterable[Event | Mapping[str, Any]],
    known_tools: Iterable[Any] | None = None,
    ignore_tools: Iterable[str] = (),
    check_args: bool = True,
    **options: Any,
) -> Verdict:
    """`check` for a trajectory of several turns, told apart by the user's messages.

    What ran since the last request counts; what earlier turns did bears claims out, and what failed
    there accuses nobody.
    """
    config = options.get("config", DEFAULT_CONFIG)
    events, start = _last_run(normalize(trajectory), config)
    verdict = check(reply, events, known_tools, ignore_tools, check_args, **options)
    return _since(verdict, start)


# --- what counts ----------------------------------------------------------------------------------


def _last_run(events: list[Event], config: Config) -> tuple[list[Event], int]:
    """The events with earlier turns as context, and where the last run starts.

    Of earlier turns stays what was said, and the calls that went well.
    """
    asked = [i for i, e in enumerate(events) if isinstance(e, Message) and e.role == "user"]
    start = asked[-1] if asked else 0
    if not start:
        return events, 0
    earlier = Ledger(events[:start], config)
    gone: set[int] = set()
    for step in earlier.steps:
        if step.result_index is None or step.outcome.bad or step.outcome.kind == outcomes.UNKNOWN:
            gone |= {step.index, step.result_index or step.index}
    kept = [event for i, event in enumerate(events[:start]) if i not in gone]
    return [*kept, *events[start:]], len(kept)


def _since(verdict: Verdict, start: int) -> Verdict:
    """The verdict without what earlier turns left unreported."""
    ledger = verdict.ledger
    unreported = tuple(
        entry
        for entry in ledger.ran_but_unreported
        if entry.call is not None and entry.call.index >= start
    )
    return replace(
        verdict,
        unreported=tuple(event for event in verdict.unreported if event.index >= start),
        ledger=replace(ledger, ran_but_unreported=unreported),
    )


def _without(verdict: Verdict, tools: frozenset[str]) -> Verdict:
    """The verdict without the unreported calls of some tools."""
    ledger = verdict.ledger
    kept = tuple(e for e in ledger.ran_but_unreported if e.call is None or e.call.tool not in tools)
    places = {entry.call.index for entry in kept if entry.call is not None}
    return replace(
        verdict,
        unreported=tuple(event for event in verdict.unreported if event.index in places),
        ledger=replace(ledger, ran_but_unreported=kept),
    )


def _unanswered(events: list[Event]) -> frozenset[str]:
    answered = {event.call_id for event in events if isinstance(event, ToolResult)}
    return frozenset(
        event.call_id
        for event in events
        if isinstance(event, ToolCall) and event.call_id not in answered
    )


def _complete(text: str) -> tuple[str, int]:
    """(the text up to its last whole sentence, the end of the last sentence but one)."""
    document = read_text(text)
    ended = text.rstrip()[-1:] in ".!?…。！？" or text.endswith("\n")
    whole = document.sentences if ended else document.sentences[:-1]
    if len(whole) < 2:
        return (text[: whole[-1][1]] if whole else ""), 0
    return text[: whole[-1][1]], whole[-2][1]


def _of_one_act(verdict: Verdict, finding: Finding) -> bool:
    """True for a claim of an act or a value; `all done` may have its exceptions further down."""
    kinds = [c.kind for c in verdict.claims if c.quote == finding.claim]
    return any(kind.startswith("action") for kind in kinds)
