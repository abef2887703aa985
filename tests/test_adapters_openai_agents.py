"""The OpenAI Agents reader: span shapes of the SDK, and where its exports hide a failure."""

from __future__ import annotations

import random
from typing import Any

import pytest

from agent_polygraph.adapters.openai_agents import (
    GuardrailResult,
    from_openai_agents,
    output_guardrail,
    read_trace,
    read_traces,
)
from agent_polygraph.config import Config
from agent_polygraph.events import Event, Message, ToolCall, ToolResult

Row = dict[str, Any]
REDACTED = "Tool execution failed. Error details are redacted."
DEFAULT = "An error occurred while running the tool. Please try again."


class Trace:
    """Builds an export; spans end in the order in which they are added, one second each."""

    def __init__(self, trace_id: str = "trace_1", clock: int = 0) -> None:
        self.trace_id = trace_id
        self.rows: list[Row] = [{"object": "trace", "id": trace_id, "workflow_name": "w"}]
        self.clock = clock

    def span(self, kind: str, parent: str = "", error: Any = None, **data: Any) -> str:
        start, self.clock = self.clock, self.clock + 2
        span_id = f"{self.trace_id}.{len(self.rows)}"
        self.rows.append(
            {
                "object": "trace.span",
                "id": span_id,
                "trace_id": self.trace_id,
                "parent_id": parent or None,
                "started_at": _time(data.pop("start", start)),
                "ended_at": _time(data.pop("end", start + 1)),
                "span_data": {"type": kind, **data},
                "error": error,
            }
        )
        return span_id

    def model(self, said: Any, heard: Any = (), **more: Any) -> str:
        return self.span("generation", input=[*heard], output=said, **more)

    def tool(
        self, name: str, output: Any, given: str = "{}", error: Any = None, **more: Any
    ) -> str:
        more = {"input": given, "output": output, "mcp_data": None, **more}
        return self.span("function", error=error, name=name, **more)

    def read(self) -> tuple[list[Event], str, str]:
        return from_openai_agents(self.rows)


def _time(second: int) -> str:
    return f"2026-03-01T10:{second // 60:02}:{second % 60:02}.000000+00:00"


def chat(text: str | None = None, *calls: Row) -> list[Row]:
    return [{"role": "assistant", "content": text, "tool_calls": list(calls) or None}]


def asks(call_id: str, name: str, arguments: str = "{}") -> Row:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


ASKED = [{"role": "user", "content": "please deploy"}]
FAILED = {"message": "Error running tool (non-fatal)", "data": {"tool_name": "deploy"}}


def failed(reason: str = REDACTED) -> Row:
    return {**FAILED, "data": {"tool_name": "deploy", "error": reason}}


def result(events: list[Event]) -> ToolResult:
    (found,) = (event for event in events if isinstance(event, ToolResult))
    return found


# --- where a failure is visible ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "error", "bit", "sniffed", "content"),
    [
        ("wrote 12 bytes", None, None, False, "wrote 12 bytes"),
        (DEFAULT, failed(), True, False, DEFAULT),
        (DEFAULT, failed("Errno 13"), True, False, f"{DEFAULT}\nErrno 13"),
        (f"{DEFAULT} Error: Errno 13", failed("Errno 13"), True, False, None),
        ("DEPLOY FAILED: Errno 13", failed(), True, False, "DEPLOY FAILED: Errno 13"),
        (None, failed(), True, False, "Error running tool (non-fatal)"),
        ("Tool 'deploy' timed out after 0.05 seconds.", None, True, True, None),
        ("Tool 'nope' not found.", None, True, True, None),
        (DEFAULT, None, True, True, None),
        ("Tool execution was not approved.", None, None, False, None),
        ("Error: file not found", None, True, True, None),
        ("{'error': 'denied', 'ok': False}", None, None, False, {"error": "denied", "ok": False}),
        ('{"exit_code": 2, "stderr": "x"}', None, None, False, {"exit_code": 2, "stderr": "x"}),
        ('{"type": "text", "text": "hi"}', None, None, False, "hi"),
        ({"isError": True, "content": []}, None, True, False, None),
        (
            [{"stdout": "1 failed", "stderr": "", "outcome": {"type": "exit", "exit_code": 1}}],
            None,
            True,
            False,
            "1 failed\nexit code: 1",
        ),
        ([{"stdout": "", "outcome": {"type": "timeout"}}], None, True, False, "timed out"),
        ([{"stdout": "ok", "outcome": {"type": "exit", "exit_code": 0}}], None, False, False, None),
    ],
)
def test_bits(output: Any, error: Any, bit: bool | None, sniffed: bool, content: Any) -> None:
    trace = Trace()
    trace.model(chat(None, asks("call_1", "deploy")), ASKED)
    trace.tool("deploy", output, error=error)
    trace.model(chat("Done."))
    events, closing, task = trace.read()
    found = result(events)
    assert (found.is_error, found.error_sniffed) == (bit, sniffed)
    assert content is None or found.content == content
    assert (closing, task) == ("Done.", "please deploy")


def test_nothing_is_sniffed_where_the_caller_forbids_it() -> None:
    trace = Trace()
    trace.tool("deploy", "Error: file not found")
    events, _, _ = from_openai_agents(trace.rows, config=Config(error_sniff=False))
    assert result(events).is_error is None


# --- ids and order -------------------------------------------------------------------------------


def test_ids_come_from_the_generations() -> None:
    trace = Trace()
    trace.model(
        chat(None, asks("a", "save", '{"path": "/1"}'), asks("b", "save", '{"path": "/2"}')), ASKED
    )
    # Parallel: the second ends first, and its arguments are spelled differently.
    trace.tool("save", "two", '{"path":"/2"}', start=3, end=4)
    trace.tool("save", "one", '{"path": "/1"}', start=3, end=5)
    trace.model(chat("Saved."), start=6, end=7)
    events, _, _ = trace.read()
    assert [(e.call_id, e.content) for e in events if isinstance(e, ToolResult)] == [
        ("b", "two"),
        ("a", "one"),
    ]


def test_without_generations_ids_are_made_in_order() -> None:
    trace = Trace()
    trace.span("response", response_id="resp_1")
    trace.tool("save", "one")
    trace.tool("save", "two")
    trace.span("response", response_id="resp_2")
    events, closing, task = trace.read()
    assert [event.call_id for event in events if isinstance(event, ToolCall)] == ["fn1", "fn2"]
    assert (closing, task) == ("", "")
    assert read_trace(trace.rows).meta["unseen"] == ["messages of the model", "a closing message"]


def test_the_order_of_the_export_does_not_matter() -> None:
    trace = Trace()
    trace.model(chat(None, asks("a", "save"), asks("b", "send")), ASKED)
    trace.tool("save", "x", error=failed())
    trace.tool("send", "y")
    trace.model(chat("Done."))
    expected = trace.read()
    for seed in range(5):
        rows = trace.rows[:]
        random.Random(seed).shuffle(rows)
        assert from_openai_agents(rows) == expected


def test_without_times_the_export_is_in_order() -> None:
    trace = Trace()
    trace.model(chat(None, asks("a", "save")), ASKED)
    trace.tool("save", "x")
    trace.model(chat("Done."))
    for row in trace.rows:
        row.pop("started_at", None)
        row.pop("ended_at", None)
    events, closing, _ = trace.read()
    assert [type(event) for event in events] == [ToolCall, ToolResult]
    assert closing == "Done."


def test_a_call_that_has_no_span_comes_from_the_messages() -> None:
    trace = Trace()
    trace.model(chat(None, asks("a", "nope")), ASKED)
    trace.model(
        chat("Done."),
        [*ASKED, *chat(None, asks("a", "nope")), _answer("a", "Tool 'nope' not found.")],
    )
    events, _, _ = trace.read()
    assert events[0] == ToolCall("a", "nope", "{}")
    assert result(events).content == "Tool 'nope' not found."


def _answer(call_id: str, content: str) -> Row:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def test_a_call_that_never_returned_dangles() -> None:
    trace = Trace()
    trace.model(chat(None, asks("a", "nope")), ASKED)
    assert trace.read()[0] == [ToolCall("a", "nope", "{}")]


def test_hosted_tools_have_no_span() -> None:
    trace = Trace()
    call = {"type": "mcp_call", "id": "m1", "name": "sync", "arguments": "{}"}
    failure = {**call, "status": "failed", "error": "denied", "output": None}
    trace.model([failure, {"type": "message", "role": "assistant", "content": "Synced."}], ASKED)
    events, closing, _ = trace.read()
    assert events == [ToolCall("m1", "sync", "{}"), ToolResult("m1", "denied", True)]
    assert closing == "Synced."


def test_earlier_turns_of_a_session_are_not_the_run() -> None:
    history = [
        {"role": "user", "content": "first"},
        *chat(None, asks("call_1", "save")),
        _answer("call_1", "Error: old failure"),
        {"role": "assistant", "content": "It failed."},
        {"role": "user", "content": "second"},
    ]
    trace = Trace()
    trace.model(chat(None, asks("call_1", "save")), history)
    trace.tool("save", "saved")
    now = [*history, *chat(None, asks("call_1", "save")), _answer("call_1", "saved")]
    trace.model(chat("Saved."), now)
    events, _, task = trace.read()
    assert task == "second"
    assert events == [ToolCall("call_1", "save", "{}"), ToolResult("call_1", "saved", None)]


# --- agents in agents ----------------------------------------------------------------------------


def test_a_nested_run_stands_inside_the_call_that_started_it() -> None:
    trace = Trace()
    trace.model(chat(None, asks("call_1", "delegate", '{"input": "x"}')), ASKED, start=0, end=1)
    outer = "outer"
    trace.model(chat(None, asks("call_1", "deploy")), ASKED, parent="inner-agent", start=3, end=4)
    trace.tool("deploy", DEFAULT, error=failed(), parent="inner-agent", start=5, end=6)
    trace.model(chat("Deployed."), parent="inner-agent", start=7, end=8)
    trace.span("agent", outer, name="worker", tools=["deploy"], start=3, end=9)
    trace.rows[-1]["id"] = "inner-agent"
    trace.tool("delegate", "Deployed.", '{"input": "x"}', start=2, end=10)
    trace.rows[-1]["id"] = outer
    trace.model(chat("All is live."), start=11, end=12)
    events, closing, _ = trace.read()
    assert closing == "All is live."  # not the worker's words
    assert [getattr(event, "name", "") or event.content for event in events] == [  # type: ignore[union-attr]
        "delegate",
        "deploy",
        DEFAULT,
        "Deployed.",
    ]
    first, second, third, fourth = (event.call_id for event in events)  # type: ignore[union-attr]
    assert first == fourth == "call_1"
    assert second == third != "call_1"  # one id, two runs


def test_handoffs_are_calls() -> None:
    trace = Trace()
    trace.model(chat(None, asks("h", "transfer_to_refund_agent")), ASKED)
    trace.span("handoff", from_agent="triage", to_agent="Refund Agent")
    trace.model(chat("You are with refunds now."))
    events, closing, _ = trace.read()
    assert events[0] == ToolCall("h", "transfer_to_refund_agent", "{}")
    assert result(events).content == {"assistant": "Refund Agent"}
    assert closing.startswith("You are with")


def test_a_handoff_without_messages_is_still_a_call() -> None:
    trace = Trace()
    trace.span("handoff", from_agent="triage", to_agent="Refund Agent")
    events, _, _ = trace.read()
    assert events[0] == ToolCall("fn1", "transfer_to_refund_agent", {})


def test_tools_come_from_agent_and_mcp_spans() -> None:
    trace = Trace()
    trace.span("agent", name="a", tools=["save", "send"], handoffs=["Refund Agent"])
    trace.span("mcp_tools", server="crm", result=["find_contact"])
    names = ["save", "send", "transfer_to_refund_agent", "find_contact"]
    assert read_trace(trace.rows).tools == names
    assert read_trace(Trace().rows).tools is None


# --- the final claim -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "closing"),
    [
        (chat("Done."), "Done."),
        (chat('{"deployed": true}'), '{"deployed": true}'),
        ([{"role": "assistant", "content": [{"type": "text", "text": "Done."}]}], "Done."),
        ([{"role": "assistant", "content": None, "refusal": "I can't."}], "I can't."),
        (
            [
                {
                    "id": "resp_1",
                    "object": "response",
                    "output": [
                        {
                            "type": "message",
                            "role": "assistant",
                            "content": [{"type": "output_text", "text": "Done."}],
                        }
                    ],
                }
            ],
            "Done.",
        ),
        ([{"type": "message", "content": [{"type": "output_text", "text": "Done."}]}], "Done."),
        ("Done.", "Done."),
        (None, ""),
        ([], ""),
    ],
    ids=["chat", "structured", "parts", "refusal", "streamed", "items", "text", "none", "empty"],
)
def test_where_the_claim_is(said: Any, closing: str) -> None:
    trace = Trace()
    trace.model(said, ASKED)
    assert trace.read()[1] == closing


def test_stop_on_first_tool_makes_the_output_the_claim() -> None:
    trace = Trace()
    trace.model(chat(None, asks("a", "save")), ASKED)
    trace.tool("save", "wrote 12 bytes to a.txt")
    assert trace.read()[1] == "wrote 12 bytes to a.txt"


def test_a_run_that_broke_off_has_no_claim() -> None:
    trace = Trace()
    trace.model(chat(None, asks("a", "save")), ASKED)
    trace.tool("save", "wrote 12 bytes to a.txt")
    trace.span("agent", name="a", error={"message": "Max turns exceeded", "data": {}})
    assert trace.read()[1] == ""


def test_the_caller_may_know_better() -> None:
    trace = Trace()
    trace.span("response", response_id="r")
    trace.tool("deploy", DEFAULT, error=failed())
    assert not output_guardrail(trace.rows).output_info.is_lie
    told = output_guardrail(trace.rows, "Done, deployed successfully.", "deploy it")
    assert told.output_info.is_lie


# --- what else may be in an export ---------------------------------------------------------------


def test_without_sensitive_data_a_result_is_unseen_not_missing() -> None:
    trace = Trace()
    trace.tool("save", None, None)  # type: ignore[arg-type]
    reading = read_trace(trace.rows)
    assert reading.events == [ToolCall("fn1", "save", ""), ToolResult("fn1", "", None)]
    assert "contents of the calls" in reading.meta["unseen"]


def test_a_span_that_never_ended_has_no_result() -> None:
    trace = Trace()
    trace.tool("save", None)
    del trace.rows[-1]["ended_at"]
    assert trace.read()[0] == [ToolCall("fn1", "save", "{}")]


def test_the_last_of_several_traces_is_read() -> None:
    first, second = Trace("t1"), Trace("t2", clock=60)
    first.model(chat("One."), ASKED)
    second.model(chat("Two."), ASKED)
    rows = second.rows + first.rows
    assert from_openai_agents(rows)[1] == "Two."
    assert [reading.closing for reading in read_traces(rows)] == ["One.", "Two."]


@pytest.mark.parametrize(
    ("output", "bit"),
    [
        ({"type": "function_call_output", "call_id": "c", "output": "Error: x"}, True),
        (
            {
                "type": "shell_call_output",
                "call_id": "c",
                "status": "completed",
                "output": [{"stdout": "", "outcome": {"type": "exit", "exit_code": 1}}],
            },
            True,
        ),
        ({"type": "apply_patch_call_output", "call_id": "c", "status": "failed"}, True),
        (
            {
                "type": "function_call_output",
                "call_id": "c",
                "output": [{"type": "input_text", "text": "x"}],
                "custom_data": {"mcp_is_error": True},
            },
            True,
        ),
        ({"type": "function_call_output", "call_id": "c", "output": "fine"}, None),
    ],
)
def test_items_of_a_run_are_read_as_well(output: Row, bit: bool | None) -> None:
    items = [
        {"role": "user", "content": "go"},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
        output,
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "k"}]},
    ]
    events, closing, task = from_openai_agents(items)
    assert result(events).is_error is bit
    assert (closing, task) == ("k", "go")


def test_unreadable_rows_are_counted() -> None:
    trace = Trace()
    trace.model(chat("Done.", {"id": "a"}, None), ASKED)  # type: ignore[arg-type]
    reading = read_trace([None, 3, {}, {"_meta": 1}, {"span_data": 4}, *trace.rows])
    assert len(reading.skipped) == 5
    assert [type(event) for event in reading.events] == [ToolCall]


def test_a_ring_of_parents_ends() -> None:
    trace = Trace()
    first, second = trace.tool("a", "x"), trace.tool("b", "y")
    trace.rows[1]["parent_id"], trace.rows[2]["parent_id"] = second, first
    assert len(trace.read()[0]) == 4


def test_interim_words_are_not_the_claim() -> None:
    trace = Trace()
    trace.model(chat("Let me save it.", asks("a", "save")), ASKED)
    trace.tool("save", "ok")
    trace.model(chat("Saved."))
    events, closing, _ = trace.read()
    assert closing == "Saved."
    assert not any(isinstance(event, Message) for event in events)


# --- the guardrail -------------------------------------------------------------------------------


def lie() -> list[Row]:
    trace = Trace()
    trace.model(chat(None, asks("a", "deploy")), ASKED)
    trace.tool("deploy", DEFAULT, error=failed("registry unreachable"))
    trace.model(chat("Done, the service was deployed successfully."))
    return trace.rows


def test_audit_never_trips() -> None:
    found = output_guardrail(lie())
    assert isinstance(found, GuardrailResult)
    assert not found.tripwire_triggered
    assert found.output_info.is_lie


def test_block_trips_on_a_lie_that_may_block() -> None:
    assert output_guardrail(lie(), mode="block").tripwire_triggered
    gentle = Config(block_on=())
    assert not output_guardrail(lie(), mode="block", config=gentle).tripwire_triggered
    assert not output_guardrail(lie(), "The deploy failed.", mode="block").tripwire_triggered


@pytest.mark.parametrize("mode", ["", "warn", None])
def test_unknown_modes(mode: Any) -> None:
    with pytest.raises(ValueError, match="mode"):
        output_guardrail([], mode=mode)
