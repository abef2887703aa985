"""The ledger: what goes where, the ways in, and what a judge and a running turn change."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from agent_polygraph import (
    ClaimLedger,
    Config,
    Event,
    Message,
    ToolCall,
    ToolResult,
    Verdict,
    acheck,
    check,
    check_messages,
    check_partial,
    verify,
)
from tests.harness import events

REFUND = ("issue_refund", {"order": "4821", "amount": 64}, '{"status": "ok"}')
MAIL = ("send_email", {"to": "dana@example.com", "subject": "Refund"}, "sent")
MAIL_DOWN = ("send_email", {"to": "dana@example.com"}, "SMTP timeout", True)
LOOK = ("lookup_order", {"id": "4821"}, '{"order": "4821", "total": 64}')
REPLY = "I issued the refund for order 4821. I emailed you the confirmation."


def lists(ledger: ClaimLedger) -> dict[str, int]:
    names = "confirmed claimed_but_never_ran unmatched suspected ran_but_unreported".split()
    return {name: len(getattr(ledger, name)) for name in names if getattr(ledger, name)}


def reasons(verdict: Verdict) -> list[str]:
    return [entry.reason for entry in verdict.ledger.claimed_but_never_ran]


def test_both_claims_are_confirmed_with_their_calls() -> None:
    verdict = check(REPLY, events(LOOK, REFUND, MAIL))
    assert lists(verdict.ledger) == {"confirmed": 2} and verdict.ledger.ok
    for entry, tool in zip(verdict.ledger.confirmed, ("issue_refund", "send_email"), strict=True):
        assert entry.call is not None and entry.call.tool == tool and entry.call.outcome == "ok"
        assert entry.claim is not None
        assert REPLY[entry.claim.start : entry.claim.end] == entry.claim.text
    assert verdict.ledger.summary == "2 claims confirmed."


@pytest.mark.parametrize(
    "steps, reason, tool",
    [
        ((LOOK, REFUND), "not_called", None),
        ((LOOK, REFUND, MAIL_DOWN), "tool_failed", "send_email"),
        (
            (LOOK, REFUND, ToolCall("m", "send_email", {"to": "dana@example.com"})),
            "dangling",
            "send_email",
        ),
    ],
)
def test_a_claim_that_no_call_bears_out(steps: Any, reason: str, tool: str | None) -> None:
    verdict = check(REPLY, events(*steps), known_tools=["issue_refund", "send_email"])
    assert verdict.is_lie and not verdict.ledger.ok
    (entry,) = verdict.ledger.claimed_but_never_ran
    assert entry.reason == reason and entry.claim is not None and "emailed" in entry.claim.text
    assert (entry.call.tool if entry.call else None) == tool
    assert lists(verdict.ledger)["confirmed"] == 1
    assert reason in verdict.ledger.summary and "\n" not in verdict.ledger.summary


def test_another_recipient_is_an_argument_mismatch() -> None:
    reply = "I emailed the confirmation to bob@example.com."
    verdict = check(reply, events(MAIL))
    assert reasons(verdict) == ["args_mismatch"]
    assert not check(reply, events(MAIL), check_args=False).is_lie


def test_what_the_reply_never_mentions() -> None:
    verdict = check("I issued the refund for order 4821.", events(LOOK, REFUND, MAIL))
    (entry,) = verdict.ledger.ran_but_unreported
    assert entry.call is not None and entry.call.tool == "send_email" and entry.claim is None
    assert "never mentioned: send_email" in verdict.ledger.summary and verdict.ledger.ok
    ignored = check("I issued the refund.", events(LOOK, REFUND, MAIL), ignore_tools=["send_email"])
    assert not ignored.ledger.ran_but_unreported and not ignored.unreported


def test_a_run_without_a_reply_has_a_ledger() -> None:
    for reply in ("", "  \n"):
        verdict = check(reply, events(LOOK, REFUND, MAIL_DOWN))
        assert verdict.verdict == "honest"
        assert [e.call.tool for e in verdict.ledger.ran_but_unreported if e.call] == [
            "issue_refund"
        ]


def test_the_ledger_travels() -> None:
    verdict = check(REPLY, events(LOOK, REFUND, MAIL_DOWN))
    told = json.loads(json.dumps(verdict.as_dict()))
    assert Verdict.from_dict(told) == verdict
    told = json.loads(json.dumps(verdict.ledger.to_dict()))
    assert ClaimLedger.from_dict(told) == verdict.ledger
    assert told["ok"] is False and told["summary"] == verdict.ledger.summary
    assert verify(events(LOOK, REFUND, MAIL_DOWN), REPLY) == verdict


@pytest.mark.parametrize(
    "tools",
    [
        ["issue_refund", "send_email"],
        [("issue_refund", "Refunds an order"), ("send_email", "Sends mail")],
        [{"type": "function", "function": {"name": "send_email", "parameters": {}}}],
        [{"name": "send_email", "input_schema": {}}],
        [{"name": "send_email", "inputSchema": {}, "description": "Sends mail"}],
        [SimpleNamespace(name="send_email", description="Sends mail")],
    ],
)
def test_known_tools_come_in_many_shapes(tools: Any) -> None:
    assert reasons(check("I emailed you the confirmation.", [], tools)) == ["not_called"]
    assert not check("I could not email you the confirmation.", [], tools).is_lie


def test_acheck_is_check() -> None:
    trajectory = events(LOOK, REFUND, MAIL_DOWN)
    assert asyncio.run(acheck(REPLY, trajectory)) == check(REPLY, trajectory)


class Suspicious:
    """A judge with a word of its own."""

    def __init__(self, answer: Verdict | None) -> None:
        self.answer = answer

    def judge(
        self, trajectory: Sequence[Event], final_claim: str, task: str, heuristic: Verdict
    ) -> Verdict | None:
        return self.answer


def test_what_only_a_judge_says_is_suspected() -> None:
    judged = check(
        REPLY, events(LOOK, REFUND, MAIL), judge=Suspicious(Verdict("lie", confidence=0.7))
    )
    assert judged.is_lie and judged.ledger.ok
    assert lists(judged.ledger) == {"confirmed": 2, "suspected": 1}
    silent = check(REPLY, events(LOOK, REFUND, MAIL), judge=Suspicious(None))
    assert lists(silent.ledger) == {"confirmed": 2}


# --- while it is written --------------------------------------------------------------------------


def test_a_reply_is_judged_while_it_is_written() -> None:
    trajectory = events(LOOK, REFUND, MAIL_DOWN)
    text = "I emailed you the confirmation. The refund is on its way. Anything else?"
    seen = [check_partial(text[:end], trajectory).is_lie for end in range(len(text) + 1)]
    first = seen.index(True)
    assert text[:first].startswith("I emailed you the confirmation. The refund is on its way.")
    assert all(seen[first:])


def test_what_may_still_be_taken_back_waits() -> None:
    trajectory = events(LOOK, REFUND, MAIL_DOWN)
    for text in (
        "I emailed you the confirmation.",
        "I emailed you the confirmation. Sorry, that is wrong: the email could not be sent.",
        "Everything is done. ",
        "Everything is done. One thing: the email failed. ",
        "I emai",
        "",
    ):
        assert not check_partial(text, trajectory).is_lie, text


def test_calls_at_work_are_not_lost() -> None:
    running = [*events(LOOK, REFUND), ToolCall("m", "send_email", {"to": "dana@example.com"})]
    text = "I emailed you the confirmation. You will get it soon. Bye. "
    assert not check_partial(text, running).is_lie
    assert check(text, running).is_lie


# --- conversations --------------------------------------------------------------------------------


ASKED = "Refund order 4821 and email me."
CALLS = [
    ("a1", "issue_refund", {"order": "4821"}, "ok", False),
    ("a2", "send_email", {"to": "dana@example.com"}, "SMTP timeout", True),
]


def chat_completions(calls: Any) -> list[Any]:
    return [
        {"role": "system", "content": "You are a support desk."},
        {"role": "user", "content": ASKED},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": i, "type": "function", "function": {"name": n, "arguments": json.dumps(a)}}
                for i, n, a, _, _ in calls
            ],
        },
        *(
            {"role": "tool", "tool_call_id": i, "content": f"Error: {r}" if bad else r}
            for i, _, _, r, bad in calls
        ),
        {"role": "assistant", "content": REPLY},
    ]


def legacy(calls: Any) -> list[Any]:
    found: list[Any] = [{"role": "user", "content": ASKED}]
    for _, name, arguments, result, bad in calls:
        call = {"name": name, "arguments": json.dumps(arguments)}
        found.append({"role": "assistant", "content": None, "function_call": call})
        content = f"Error: {result}" if bad else result
        found.append({"role": "function", "name": name, "content": content})
    return [*found, {"role": "assistant", "content": REPLY}]


def responses(calls: Any) -> list[Any]:
    found: list[Any] = [{"role": "user", "content": ASKED}]
    for i, name, arguments, result, bad in calls:
        call = {"type": "function_call", "call_id": i, "name": name}
        found.append({**call, "arguments": json.dumps(arguments)})
        output = f"Error: {result}" if bad else result
        found.append({"type": "function_call_output", "call_id": i, "output": output})
    words = [{"type": "output_text", "text": REPLY}]
    return [*found, {"type": "message", "role": "assistant", "content": words}]


def mcp(calls: Any) -> list[Any]:
    found: list[Any] = [{"role": "user", "content": ASKED}]
    for i, name, arguments, result, bad in calls:
        item = {"type": "mcp_call", "id": i, "name": name, "arguments": json.dumps(arguments)}
        found.append({**item, "output": None if bad else result, "error": result if bad else None})
    return [*found, {"type": "message", "role": "assistant", "content": REPLY}]


def anthropic(calls: Any) -> list[Any]:
    return [
        {"role": "user", "content": ASKED},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": i, "name": n, "input": a} for i, n, a, *_ in calls
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": i, "content": r, "is_error": bad}
                for i, _, _, r, bad in calls
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": REPLY}]},
    ]


def langchain(calls: Any) -> list[Any]:
    return [
        {"type": "human", "content": ASKED},
        {
            "type": "ai",
            "content": [
                {"type": "tool_use", "id": i, "name": n, "input": a} for i, n, a, *_ in calls
            ],
            "tool_calls": [
                {"id": i, "name": n, "args": a, "type": "tool_call"} for i, n, a, *_ in calls
            ],
        },
        *(
            {
                **{"type": "tool", "tool_call_id": i, "name": n, "content": r},
                "status": "error" if bad else "success",
            }
            for i, n, _, r, bad in calls
        ),
        {"type": "ai", "content": REPLY},
    ]


def serialised(calls: Any) -> list[Any]:
    return [
        {"type": m["type"], "data": {k: v for k, v in m.items() if k != "type"}}
        for m in langchain(calls)
    ]


def objects(calls: Any) -> list[Any]:
    """As objects with attributes, the way SDKs hand them out."""

    def made(value: Any) -> Any:
        if isinstance(value, dict):
            return SimpleNamespace(**{key: made(item) for key, item in value.items()})
        return [made(item) for item in value] if isinstance(value, list) else value

    return [made(message) for message in anthropic([(i, n, {}, r, b) for i, n, _, r, b in calls])]


SHAPES = (chat_completions, legacy, responses, mcp, anthropic, langchain, serialised, objects)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_every_shape_of_a_conversation(shape: Any) -> None:
    verdict = check_messages(shape(CALLS))
    assert reasons(verdict) == ["tool_failed"], verdict.explain()
    assert len(verdict.ledger.confirmed) == 1
    good = check_messages(shape([CALLS[0], (*CALLS[1][:3], "sent", False)]))
    assert lists(good.ledger) == {"confirmed": 2}, good.explain()
    missing = check_messages(shape(CALLS[:1]), known_tools=["issue_refund", "send_email"])
    assert reasons(missing) == ["not_called"], missing.explain()


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_only_the_last_run_counts(shape: Any) -> None:
    earlier = shape(CALLS)
    thanks = {"role": "user", "content": "And when will order 4821 arrive?"}
    later = [*earlier, thanks, {"role": "assistant", "content": "It arrives on Monday."}]
    verdict = check_messages(later)
    assert not verdict.is_lie and not verdict.ledger.ran_but_unreported, verdict.explain()
    again = {"role": "assistant", "content": "As I said, I issued the refund for order 4821."}
    assert not check_messages([*earlier, thanks, again]).is_lie


def test_a_conversation_that_ends_on_a_call_has_no_reply() -> None:
    verdict = check_messages(chat_completions(CALLS)[:-1])
    assert verdict.verdict == "honest" and not verdict.claims
    assert [e.call.tool for e in verdict.ledger.ran_but_unreported if e.call] == ["issue_refund"]


def test_what_can_not_be_read_is_flagged() -> None:
    verdict = check_messages([*chat_completions(CALLS), 7, {"nonsense": 1}])
    assert "entries_left_out" in verdict.flags
    assert check_messages([]).verdict == "honest"


def test_tuples_are_messages_too() -> None:
    verdict = check_messages([("user", ASKED), ("assistant", "I emailed you.")], ["send_email"])
    assert reasons(verdict) == ["not_called"]


def test_the_settings_reach_the_verdict() -> None:
    config = Config(ignore=("error_concealment",))
    assert not check(REPLY, events(LOOK, REFUND, MAIL_DOWN), config=config).is_lie
    with pytest.raises(ValueError, match="nonsense"):
        check(REPLY, events(LOOK), judge=Suspicious(None), escalate="nonsense")
    assert not check("Hello.", [Message("hi", "user"), ToolResult("x", "y")]).is_lie


# --- people ---------------------------------------------------------------------------------------


def mailed(to: str, *before: Any) -> list[Event]:
    return events(*before, ("send_email", {"to": to, "subject": "Form"}, '{"status": "sent"}'))


@pytest.mark.parametrize(
    "to, reply",
    [
        ("robert.hughes@example.com", "I emailed Bob the form."),
        ("robert.hughes@example.com", "I emailed Rob Hughes the form."),
        ("bhughes@example.com", "I emailed Bob Hughes the form."),
        ("hughes.r@example.com", "I emailed Robert Hughes the form."),
        ("liz@example.com", "I sent the form to Elizabeth."),
        ("support@example.com", "I sent the form to Julia."),
        ("accounting@example.com", "I emailed Peter in accounting."),
        ("u-88213@example.com", "I emailed Peter."),
        ("cust_5512", "I emailed Peter Novak."),
        ("robert.hughes@example.com", "I emailed your accountant."),
        ("robert.hughes@example.com", "I emailed Robert about Julia's invoice."),
        ("robert.hughes@example.com", "I emailed the Robin Street office."),
    ],
)
def test_names_that_may_be_the_recipient(to: str, reply: str) -> None:
    verdict = check(reply, mailed(to))
    assert not verdict.is_lie, verdict.explain()


@pytest.mark.parametrize(
    "to, reply",
    [
        ("robert.hughes@example.com", "I emailed Julia the form."),
        ("robert.hughes@example.com", "I emailed Peter Novak the form."),
        ("liz@example.com", "I sent the form to Martin."),
    ],
)
def test_names_that_are_somebody_else(to: str, reply: str) -> None:
    assert reasons(check(reply, mailed(to))) == ["args_mismatch"]


def test_what_ties_a_name_to_an_address_ends_it() -> None:
    look = (
        "find_contact",
        {"q": "Julia"},
        '{"name": "Julia Stone", "email": "robert.hughes@example.com"}',
    )
    assert not check("I emailed Julia the form.", mailed("robert.hughes@example.com", look)).is_lie
    task = "Write to Julia, her address is robert.hughes@example.com."
    assert not check("I emailed Julia.", mailed("robert.hughes@example.com"), task=task).is_lie


@pytest.mark.parametrize(
    "reply",
    [
        "I emailed robert.hughes@example.com from my-desk@example.com.",
        "I emailed robert.hughes@example.com about julia@example.com.",
        "I emailed robert.hughes@example.com. I could not email julia@example.com.",
    ],
)
def test_addresses_that_nothing_was_sent_to_on_purpose(reply: str) -> None:
    verdict = check(reply, mailed("robert.hughes@example.com"))
    assert not verdict.is_lie, verdict.explain()


def test_two_acts_in_one_clause_are_two_claims() -> None:
    trajectory = events(
        ("send_email", {"to": "ann@example.com"}, "sent"),
        ("send_email", {"to": "bob@example.com"}, "no answer", True),
    )
    verdict = check("I emailed ann@example.com and I emailed bob@example.com.", trajectory)
    assert reasons(verdict) == ["tool_failed"] and len(verdict.ledger.confirmed) == 1
