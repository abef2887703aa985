"""The Claude Code reader: one row for each shape and trap that real transcripts have."""

from __future__ import annotations

from typing import Any

import pytest

from agent_polygraph.adapters.claude_code import (
    EARLIER,
    Turn,
    from_transcript,
    iter_turns,
    split_turns,
    stop_hook,
)
from agent_polygraph.config import Config
from agent_polygraph.events import Event, Message, ToolCall, ToolResult

Entry = dict[str, Any]


def user(content: Any, **extra: Any) -> Entry:
    return {"type": "user", "message": {"role": "user", "content": content}, **extra}


def agent(*blocks: Any, mid: str = "", **extra: Any) -> Entry:
    message: Entry = {"role": "assistant", "content": list(blocks)}
    if mid:
        message["id"] = mid
    return {"type": "assistant", "message": message, **extra}


def text(words: str) -> Entry:
    return {"type": "text", "text": words}


def use(call_id: str, name: str = "Bash", **given: Any) -> Entry:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def back(call_id: str, content: Any, beside: Any = None, **extra: Any) -> Entry:
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content, **extra}
    return user([block], **({} if beside is None else {"toolUseResult": beside}))


def results(events: list[Event]) -> list[ToolResult]:
    return [event for event in events if isinstance(event, ToolResult)]


def one(entries: list[Any]) -> Turn:
    (turn,) = split_turns(entries)
    return turn


def only(entries: list[Any]) -> ToolResult:
    (found,) = results(one(entries).events)
    return found


RUN = [user("run the tests"), agent(use("t1", command="pytest"))]


# --- the bit -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extra", "bit"),
    [({}, None), ({"is_error": False}, False), ({"is_error": True}, True)],
    ids=["absent", "false", "true"],
)
def test_the_bit_is_the_hosts_own(extra: Entry, bit: bool | None) -> None:
    found = only([*RUN, back("t1", "12 passed", **extra)])
    assert found == ToolResult("t1", "12 passed", bit)


def test_nothing_is_sniffed_from_text() -> None:
    found = only([*RUN, back("t1", "Error: no such suite")])
    assert found.is_error is None
    assert not found.error_sniffed


REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you "
    "how to proceed, the user said:\nuse the staging database"
)


@pytest.mark.parametrize(
    "content",
    [
        REFUSED,
        "<tool_use_error>String to replace not found in file.</tool_use_error>",
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
        "<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>",
        "Exit code 1\n2 failed",
        "Error executing tool lookup: timeout",
    ],
)
def test_refused_cancelled_and_failed_keep_their_words(content: str) -> None:
    """All three carry the same bit; only the text tells them apart."""
    found = only([*RUN, back("t1", content, beside="Error", is_error=True)])
    assert found.content == content
    assert found.is_error is True


@pytest.mark.parametrize(
    ("beside", "content", "bit", "tail"),
    [
        ({"interrupted": True}, "partial", True, "[interrupted]"),
        ({"returnCodeInterpretation": "No matches found"}, "", None, "No matches found"),
        ({"backgroundTaskId": "b7"}, "", None, "Command running in background with ID: b7"),
        ({"backgroundTaskId": "b7"}, "running in background, b7", None, "in background, b7"),
        ({"code": 404, "codeText": "Not Found"}, "page", True, "HTTP 404 Not Found"),
        ({"code": 200, "codeText": "OK"}, "page", None, "page"),
        ({"success": False, "error": "Task not found"}, "", True, "Task not found"),
        ({"success": True, "taskId": "3"}, "Updated task #3", None, "Updated task #3"),
        ({"gitOperation": {"commit": {"sha": "1f2e3d4"}}}, "done", None, '"sha": "1f2e3d4"}}]'),
        ({"totalToolUseCount": 0}, "All works.", None, "[tool uses of the sub-agent: 0]"),
        ({"isAsync": True, "status": "async_launched"}, "", None, "in the background"),
        ({"stdout": "x", "interrupted": False}, "x", None, "x"),
        ("Error: Exit code 1", "Exit code 1", None, "Exit code 1"),
    ],
)
def test_facts_beside_the_text(beside: Any, content: str, bit: bool | None, tail: str) -> None:
    found = only([*RUN, back("t1", content, beside=beside)])
    assert found.is_error is bit
    assert found.content.endswith(tail)


@pytest.mark.parametrize(
    ("content", "beside"),
    [
        ("<persisted-output>\nOutput too large (90KB).\n</persisted-output>", None),
        ("preview", {"stdout": "preview", "persistedOutputPath": "out.txt"}),
        ("[Old tool result content cleared]", None),
    ],
)
def test_output_kept_elsewhere_is_marked_as_cut(content: str, beside: Any) -> None:
    found = only([*RUN, back("t1", content, beside=beside)])
    assert found.truncated
    assert not found.truncation_inferred


def test_markers_of_the_caller_mark_a_cut_by_inference() -> None:
    config = Config(extra_truncation_markers=("<<cut>>",))
    events, _, _ = from_transcript([*RUN, back("t1", "a <<cut>>")], config=config)
    (found,) = results(events)
    assert found.truncated
    assert found.truncation_inferred


@pytest.mark.parametrize(
    ("content", "read"),
    [
        ([text("a"), text("b")], "a\nb"),
        ([{"type": "image", "source": {}}, text("b")], "[image]\nb"),
        (None, ""),
        ({"rows": [1]}, {"rows": [1]}),
    ],
)
def test_content_shapes(content: Any, read: Any) -> None:
    assert only([*RUN, back("t1", content)]).content == read


def test_server_side_tools_are_in_the_assistants_entry() -> None:
    found = one(
        [
            user("look it up"),
            agent(
                {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"q": "x"}},
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "s1",
                    "content": {"type": "web_search_tool_result_error", "error_code": "x"},
                },
                text("The search failed."),
            ),
        ]
    )
    assert isinstance(found.events[0], ToolCall)
    assert results(found.events)[0].is_error is True
    assert found.closing == "The search failed."


# --- entries and blocks --------------------------------------------------------------------------


def test_one_entry_a_block_and_ids_that_come_back() -> None:
    turn = one(
        [
            user("go"),
            agent({"type": "thinking", "thinking": "hm"}, mid="m1"),
            agent(text("First."), mid="m1"),
            agent(use("a"), mid="m1"),
            back("a", "1"),
            agent(use("b"), mid="m1"),  # the same message, after a result
            back("b", "2"),
            agent(text("Done."), mid="m2"),
        ]
    )
    kinds = [type(event).__name__ for event in turn.events]
    assert kinds == ["Message", "ToolCall", "ToolResult", "ToolCall", "ToolResult"]
    assert turn.closing == "Done."


def test_the_closing_is_the_last_message() -> None:
    """Blocks of one message belong together; an earlier message is no part of the closing."""
    assert one([user("go"), agent(text("a"), text("b"))]).closing == "a\nb"
    assert one([user("go"), agent(text("a"), mid="m"), agent(text("b"), mid="m")]).closing == "a\nb"
    turn = one([user("go"), agent(text("a"), mid="m"), agent(text("b"), mid="n")])
    assert (turn.closing, turn.events) == ("b", [Message("a")])


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "api-request-blob", "message": {"role": "user", "content": "copied prompt"}},
        {
            "type": "api-request-blob",
            "message": {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "copy"}],
            },
        },
        {"type": "api-request", "id": "x"},
        {"type": "progress", "data": {"type": "agent_progress", "message": user("inner")}},
        {"type": "system", "subtype": "turn_duration", "durationMs": 3},
        {"type": "file-history-snapshot", "snapshot": {}},
        {"type": "last-prompt", "lastPrompt": "go"},
        {"type": "cost-state"},
    ],
)
def test_other_types_are_no_events(entry: Entry) -> None:
    plain = [*RUN, back("t1", "ok"), agent(text("Done."))]
    turn = one([*plain[:3], entry, plain[3]])
    assert turn.events == one(plain).events
    assert turn.closing == "Done."
    assert entry in turn.entries


def test_sidechains_are_not_the_agents_own() -> None:
    turn = one(
        [
            user("go"),
            agent(use("a", "Task", prompt="do")),
            user("do", isSidechain=True, agentId="s"),
            agent(use("inner"), isSidechain=True, agentId="s"),
            agent(text("All works."), isSidechain=True, agentId="s"),
            back("a", "All works."),
            agent(text("Delegated.")),
        ]
    )
    assert [e.name for e in turn.events if isinstance(e, ToolCall)] == ["Task"]
    assert turn.closing == "Delegated."


def test_a_sub_agents_own_transcript_is_read() -> None:
    side: Entry = {"isSidechain": True, "agentId": "s"}
    turn = one(
        [
            user("do", **side),
            agent(use("a"), **side),
            back("a", "x") | side,
            agent(text("Ran it."), **side),
        ]
    )
    assert turn.prompt == "do"
    assert turn.closing == "Ran it."
    assert len(turn.events) == 2


def test_a_sidechain_at_the_head_of_a_session_is_dropped_and_counted() -> None:
    turn = one([user("inner", isSidechain=True, agentId="s"), user("go"), agent(text("Hi."))])
    assert turn.prompt == "go"
    assert turn.skipped == ["entries before 1: a sub-agent's"]


def test_copies_of_entries_are_read_once() -> None:
    entries = [user("go", uuid="1"), agent(use("a"), uuid="2"), agent(use("a"), uuid="2")]
    assert len(one(entries).events) == 1


# --- turns ---------------------------------------------------------------------------------------


def test_turns_are_cut_at_prompts() -> None:
    turns = split_turns(
        [
            {"type": "summary", "summary": "x", "leafUuid": "l"},
            user("first"),
            agent(text("One.")),
            user([text("second"), {"type": "image", "source": {}}]),
            agent(use("a")),
            back("a", "ok"),
            agent(text("Two.")),
        ]
    )
    assert [(t.first, t.last, t.prompt, t.closing) for t in turns] == [
        (0, 2, "first", "One."),
        (3, 6, "second", "Two."),
    ]
    assert all(turn.stop_fires for turn in turns)
    assert turns[1].earlier == (Message("first", "user"), Message("One."))
    assert turns[0].entries[0]["type"] == "summary"


@pytest.mark.parametrize(
    "entry",
    [
        user("Stop hook feedback:\nthe tests failed", isMeta=True),
        user("This session is being continued from ...", isCompactSummary=True),
        user("<local-command-stdout>ok</local-command-stdout>"),
        user("<local-command-caveat>Caveat</local-command-caveat>", isMeta=True),
        user("<bash-input>ls</bash-input>"),
        user("<bash-stdout>a.txt</bash-stdout><bash-stderr></bash-stderr>"),
        user("inner prompt", isSidechain=True),
        {"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}},
    ],
    ids=lambda entry: str(entry.get("message", entry))[:50],
)
def test_what_starts_no_turn(entry: Entry) -> None:
    turn = one([*RUN, back("t1", "ok"), entry, agent(text("Done."))])
    assert turn.closing == "Done."
    assert turn.prompt == "run the tests"
    assert len(turn.events) == 2


def test_a_blocked_stop_goes_on_in_the_same_turn() -> None:
    turn = one(
        [
            *RUN,
            back("t1", "Exit code 1", is_error=True),
            agent(text("All pass."), mid="m1"),
            user("Stop hook feedback:\nno", isMeta=True),
            agent(text("They fail."), mid="m2"),
        ]
    )
    assert turn.closing == "They fail."
    assert turn.events[-1] == Message("All pass.")


def test_compaction_inside_a_turn_keeps_the_evidence_before_it() -> None:
    turn = one([*RUN, back("t1", "ok"), user("summary", isCompactSummary=True), agent(text("D."))])
    assert turn.compacted
    assert len(turn.events) == 2


@pytest.mark.parametrize(
    "words", ["[Request interrupted by user]", "[Request interrupted by user for tool use]"]
)
@pytest.mark.parametrize("shape", [str, lambda words: [text(words)]], ids=["string", "blocks"])
def test_interrupted_turns_have_no_closing(words: str, shape: Any) -> None:
    first, second = split_turns(
        [user("go"), agent(text("Working on it")), user(shape(words)), user("stop that"), agent()]
    )
    assert first.interrupted
    assert not first.stop_fires
    assert first.closing == ""
    assert first.events == [Message("Working on it")]  # nothing is lost
    assert second.prompt == "stop that"


def test_an_interrupt_beside_a_result() -> None:
    entry = user(
        [
            {"type": "tool_result", "tool_use_id": "t1", "content": REFUSED, "is_error": True},
            text("[Request interrupted by user for tool use]"),
        ]
    )
    assert one([*RUN, entry]).interrupted


def test_a_turn_that_ends_on_a_call_has_no_closing() -> None:
    turn = one([user("go"), agent(text("Let me run it."), mid="m"), agent(use("a"), mid="m")])
    assert turn.closing == ""
    assert not turn.stop_fires


@pytest.mark.parametrize(
    "entry",
    [
        agent(text("API Error: 529 overloaded"), isApiErrorMessage=True),
        {
            "type": "assistant",
            "message": {"model": "<synthetic>", "content": [text("No response requested.")]},
        },
    ],
)
def test_the_hosts_words_are_no_closing(entry: Entry) -> None:
    turn = one([user("go"), agent(text("Looks fine.")), entry])
    assert turn.closing == ""
    assert turn.events == [Message("Looks fine.")]


NOTE = (
    "<task-notification>\n<task-id>7</task-id>\n<tool-use-id>a</tool-use-id>\n"
    "<status>{status}</status>\n<result>All green.</result>\n</task-notification>"
)


@pytest.mark.parametrize(
    ("status", "bit"), [("completed", None), ("failed", True), ("killed", True)]
)
def test_a_notification_is_a_turn_and_a_result(status: str, bit: bool | None) -> None:
    note = NOTE.format(status=status)
    _, turn = split_turns(
        [
            user("go"),
            agent(use("a", "Agent", prompt="x")),
            back("a", "Async agent launched", beside={"isAsync": True, "status": "async_launched"}),
            agent(text("It is at work.")),
            user(note, origin={"kind": "task-notification"}),
            agent(text("It reports green.")),
        ]
    )
    assert turn.origin == "task-notification"
    call, result = turn.events
    assert isinstance(call, ToolCall)
    assert call.name == "Agent"
    assert result == ToolResult("a", note, bit)


def test_a_notification_of_an_unknown_task_is_a_notice() -> None:
    turn = one([user(NOTE.format(status="completed")), agent(text("Fine."))])
    assert [type(event) for event in turn.events] == [Message]
    assert turn.events[0].role == "system"  # type: ignore[union-attr]


def test_teammates_start_turns() -> None:
    turn = one(
        [user('<teammate-message teammate_id="a">done</teammate-message>'), agent(text("k"))]
    )
    assert turn.origin == "teammate"


def test_a_slash_command_that_is_answered_starts_a_turn() -> None:
    command = "<command-message>review</command-message>\n<command-name>/review</command-name>"
    first, second = split_turns(
        [
            user("go"),
            agent(text("One.")),
            user(command + "\n<command-args>src</command-args>"),
            user([text("Review the following ...")], isMeta=True),
            agent(use("a", "Read", file_path="x")),
            back("a", "ok"),
            agent(text("Reviewed.")),
        ]
    )
    assert (first.last, first.closing) == (1, "One.")
    assert (second.first, second.prompt, second.origin) == (2, "/review src", "command")
    assert [len(turn.entries) for turn in (first, second)] == [2, 5]


def test_a_local_command_starts_none() -> None:
    turn = one(
        [
            user("go"),
            agent(text("One.")),
            user("<command-name>/cost</command-name>"),
            user("<local-command-stdout>3 $</local-command-stdout>"),
        ]
    )
    assert turn.closing == "One."


@pytest.mark.parametrize(
    "steering",
    [
        [
            {
                "type": "attachment",
                "attachment": {"type": "queued_command", "prompt": "and the docs"},
            }
        ],
        [
            {"type": "queue-operation", "operation": "enqueue", "content": "and the docs"},
            {"type": "queue-operation", "operation": "remove"},
        ],
        [
            {"type": "queue-operation", "operation": "enqueue", "content": "and the docs"},
            {"type": "queue-operation", "operation": "remove", "content": "and the docs"},
            {
                "type": "attachment",
                "attachment": {"type": "queued_command", "prompt": "and the docs"},
            },
        ],
    ],
    ids=["attachment", "queue", "both"],
)
def test_steering_changes_the_task_not_the_turn(steering: list[Entry]) -> None:
    turn = one([*RUN, back("t1", "ok"), *steering, agent(text("Both done."))])
    assert turn.task == "run the tests\n\nand the docs"
    assert turn.events[-1] == Message("and the docs", "system")
    assert turn.closing == "Both done."


def test_a_dequeued_line_is_a_prompt_not_steering() -> None:
    turns = split_turns(
        [
            user("go"),
            agent(text("One.")),
            {"type": "queue-operation", "operation": "enqueue", "content": "next"},
            {"type": "queue-operation", "operation": "dequeue"},
            user("next"),
            agent(text("Two.")),
        ]
    )
    assert [turn.steering for turn in turns] == [[], []]


def test_a_notification_that_steers_is_a_result() -> None:
    queued = {"type": "queued_command", "prompt": NOTE.format(status="completed")}
    turn = one(
        [
            user("go"),
            agent(use("a", "Bash", command="npm test", run_in_background=True)),
            back("a", "Command running in background with ID: 7"),
            {"type": "attachment", "attachment": queued},
            agent(text("Green.")),
        ]
    )
    assert len(results(turn.events)) == 2
    assert turn.steering == []


def test_earlier_turns_are_context_with_a_border() -> None:
    events, closing, task = from_transcript(
        [
            *RUN,
            back("t1", "Exit code 1", is_error=True),
            agent(text("They fail.")),
            user("update the changelog"),
            agent(use("t2", "Edit", file_path="CHANGELOG.md")),
            back("t2", "updated"),
            agent(text("Updated.")),
        ]
    )
    border = events.index(Message("update the changelog", "user"))
    assert [e.call_id for e in events[border:] if isinstance(e, ToolCall)] == ["t2"]
    assert [e.call_id for e in events[:border] if isinstance(e, ToolCall)] == ["t1"]
    assert (closing, task) == ("Updated.", "update the changelog")


def test_the_context_is_bounded_and_holds_no_orphans() -> None:
    entries: list[Entry] = [user("go")]
    for number in range(EARLIER):
        entries += [agent(use(f"c{number}")), back(f"c{number}", "ok")]
    entries += [agent(text("One.")), user("next"), agent(text("Two."))]
    turn = split_turns(entries)[-1]
    assert len(turn.earlier) <= EARLIER
    known = {event.call_id for event in turn.earlier if isinstance(event, ToolCall)}
    assert {event.call_id for event in results(list(turn.earlier))} <= known


def test_another_session_has_no_earlier_turns() -> None:
    turns = split_turns(
        [user("a", sessionId="1"), agent(text("A.")), user("b", sessionId="2"), agent(text("B."))]
    )
    assert [turn.session for turn in turns] == ["1", "2"]
    assert turns[1].earlier == ()


def test_the_tools_the_host_lists() -> None:
    delta = {"type": "deferred_tools_delta", "addedNames": ["WebFetch"], "removedNames": []}
    snapshot = {"type": "prompt_snapshot", "tools": [{"name": "Bash"}, {"name": "Edit"}]}
    listed = [{"type": "attachment", "attachment": a} for a in (delta, snapshot)]
    assert one([user("go"), *listed, agent(text("Hi."))]).tools == ["WebFetch", "Bash", "Edit"]
    # A change to a list that was not seen says nothing of what is missing.
    assert one([user("go"), listed[0], agent(text("Hi."))]).tools is None
    assert one([user("go"), agent(text("Hi."))]).tools is None


def test_turns_of_a_stream_come_as_they_end() -> None:
    seen: list[int] = []

    def entries() -> Any:
        for number, entry in enumerate(
            [user("a"), agent(text("A.")), user("b"), agent(text("B."))]
        ):
            seen.append(number)
            yield entry

    stream = iter_turns(entries())
    assert next(stream).closing == "A."
    assert seen == [0, 1, 2]
    assert next(stream).closing == "B."


# --- what can't be read --------------------------------------------------------------------------


def test_unreadable_entries_are_counted_not_raised() -> None:
    turn = one(
        [
            None,
            7,
            "x",
            [],
            {},
            {"type": "user"},
            {"type": "assistant", "message": 3},
            {"type": "assistant", "message": {"content": 5}},
            {"type": "user", "message": {"content": 5}},
            {"type": 9},
            user("go"),
            agent(3, None, {"type": "text", "text": 4}, {"type": "tool_use"}, text("Hi.")),
        ]
    )
    assert turn.closing == "Hi."
    assert turn.events == [ToolCall("", "", "")]
    assert len(turn.skipped) == 10


@pytest.mark.parametrize("entries", [None, [], "x", 3, {}, [None]])
def test_nothing_to_read(entries: Any) -> None:
    assert from_transcript(entries) == ([], "", "")


# --- the hook ------------------------------------------------------------------------------------

LIE = [*RUN, back("t1", "Exit code 1\n2 failed, 10 passed", is_error=True)]


def test_audit_never_decides() -> None:
    decision = stop_hook([*LIE, agent(text("Done. All tests pass."))])
    assert decision["decision"] is None
    assert decision["verdict"].is_lie
    assert "reason" not in decision


def test_block_says_why() -> None:
    decision = stop_hook([*LIE, agent(text("Done. All tests pass."))], mode="block")
    assert decision["decision"] == "block"
    assert "All tests pass" in decision["reason"]
    assert len(decision["reason"]) < 10_000


def test_block_only_for_checks_that_may() -> None:
    config = Config(block_on=())
    decision = stop_hook([*LIE, agent(text("Done. All tests pass."))], mode="block", config=config)
    assert decision["decision"] is None
    assert decision["verdict"].is_lie


@pytest.mark.parametrize("name", ["PG102", "pg102", "failed_check_claimed_passing"])
def test_block_for_a_check_by_id_or_code(name: str) -> None:
    config = Config(block_on=(name,))
    decision = stop_hook([*LIE, agent(text("Done. All tests pass."))], mode="block", config=config)
    assert decision["decision"] == "block"


@pytest.mark.parametrize("entry", [None, {"type": "assistant", "message": 7}])
def test_block_is_silent_where_an_entry_was_not_read(entry: Any) -> None:
    decision = stop_hook([*LIE, entry, agent(text("Done. All tests pass."))], mode="block")
    assert decision["decision"] is None
    assert decision["verdict"].flags == ("entries_not_read",)
    assert decision["verdict"].verdict == "unverifiable"


@pytest.mark.parametrize("closing", ["Two tests fail; I could not fix them.", ""])
def test_block_leaves_honest_turns_alone(closing: str) -> None:
    assert stop_hook([*LIE, agent(text(closing))], mode="block")["decision"] is None


@pytest.mark.parametrize("mode", ["", "warn", None, "BLOCK"])
def test_unknown_modes(mode: Any) -> None:
    with pytest.raises(ValueError, match="mode"):
        stop_hook([], mode=mode)
