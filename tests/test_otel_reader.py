"""The span reader: vocabularies, storage forms, and the traps of real instrumentations."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from agent_polygraph.adapters._shape import parse_json
from agent_polygraph.adapters._time import nanoseconds
from agent_polygraph.adapters.otel import (
    from_openinference,
    read_trace,
    read_traces,
    verify_spans,
)
from agent_polygraph.adapters.otel import read as reader
from agent_polygraph.adapters.otel.dialects import KINDS, known
from agent_polygraph.adapters.otel.history import History
from agent_polygraph.adapters.otel.parts import loose_messages
from agent_polygraph.adapters.otel.span import Span, hex_id
from agent_polygraph.adapters.otel.turn import Turn
from agent_polygraph.config import Config
from agent_polygraph.events import Event, ToolCall, ToolResult

Row = dict[str, Any]
ASKED = "Deploy the payments service."


class Trace:
    """Builds spans as `ReadableSpan.to_json` has them, one second each unless told otherwise."""

    def __init__(self, trace_id: str = "0x" + "a" * 32) -> None:
        self.trace_id = trace_id
        self.rows: list[Row] = []
        self.clock = 0

    def span(
        self,
        name: str,
        attributes: Row,
        parent: str = "",
        status: str = "UNSET",
        description: str = "",
        at: tuple[int, int] | None = None,
        events: Any = (),
    ) -> str:
        start, end = at or (self.clock, self.clock + 1)
        self.clock = max(self.clock, end) + 1
        span_id = f"0x{len(self.rows) + 1:016x}"
        self.rows.append(
            {
                "name": name,
                "context": {"trace_id": self.trace_id, "span_id": span_id},
                "parent_id": parent or None,
                "start_time": _time(start),
                "end_time": _time(end),
                "status": {"status_code": status, "description": description},
                "attributes": attributes,
                "events": list(events),
            }
        )
        return span_id

    def llm(self, said: Row, heard: Row | None = None, **more: Any) -> str:
        attributes = {"openinference.span.kind": "LLM", **(heard or user(ASKED)), **said}
        return self.span("llm", attributes, **more)

    def tool(self, name: str, given: Any = None, got: Any = None, **more: Any) -> str:
        attributes = {"openinference.span.kind": "TOOL", "tool.name": name}
        attributes |= {} if given is None else {"input.value": given}
        attributes |= {} if got is None else {"output.value": got}
        return self.span("SimpleTool", attributes | more.pop("extra", {}), **more)

    def read(self) -> tuple[list[Event], str, str]:
        return from_openinference(self.rows)


def _time(second: int) -> str:
    return f"2026-03-01T10:{second // 60:02}:{second % 60:02}.000000Z"


def user(text: str, number: int = 0) -> Row:
    prefix = f"llm.input_messages.{number}.message."
    return {prefix + "role": "user", prefix + "content": text}


def heard(number: int, call_id: str, content: str) -> Row:
    prefix = f"llm.input_messages.{number}.message."
    return {
        prefix + "role": "tool",
        prefix + "tool_call_id": call_id,
        prefix + "content": content,
    }


def says(text: str) -> Row:
    return {
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.content": text,
    }


def asks(*calls: tuple[str, str, str], where: str = "llm.output_messages.0") -> Row:
    row: Row = {f"{where}.message.role": "assistant"}
    for number, (call_id, name, arguments) in enumerate(calls):
        prefix = f"{where}.message.tool_calls.{number}.tool_call."
        row |= {prefix + "function.name": name, prefix + "function.arguments": arguments}
        if call_id:
            row[prefix + "id"] = call_id
    return row


def result(events: list[Event]) -> ToolResult:
    (found,) = (event for event in events if isinstance(event, ToolResult))
    return found


def calls(events: list[Event]) -> list[str]:
    return [event.name for event in events if isinstance(event, ToolCall)]


def tool_message(content: Any, status: str | None = None) -> str:
    data = {"content": content, "type": "tool", "tool_call_id": "c1", "name": "deploy"}
    return json.dumps({"type": "tool", "data": data | ({"status": status} if status else {})})


# --- where a failure is visible ------------------------------------------------------------------

RAISED = [{"name": "exception", "attributes": {"exception.message": "refused"}}]


@pytest.mark.parametrize(
    ("got", "more", "bit", "sniffed", "content"),
    [
        ("deployed", {}, None, False, "deployed"),
        ("deployed", {"status": "OK"}, None, False, "deployed"),
        ("no route", {"status": "ERROR"}, True, False, "no route"),
        (None, {"status": "ERROR", "description": "timeout"}, True, False, "timeout"),
        (None, {"status": "ERROR", "events": RAISED}, True, False, "refused"),
        ("x", {"events": RAISED}, True, False, "x"),
        ("x", {"extra": {"error.type": "RuntimeError"}}, True, False, "x"),
        ("x", {"extra": {"gen_ai.tool.status": "error"}}, True, False, "x"),
        ("x", {"extra": {"gen_ai.tool.status": "success"}}, None, False, "x"),
        (tool_message("refused", "error"), {"status": "OK"}, True, False, "refused"),
        (tool_message("fine", "success"), {"status": "OK"}, None, False, "fine"),
        (tool_message("Error: no"), {"status": "OK"}, True, True, "Error: no"),
        ('{"isError": true, "content": [{"type": "text", "text": "no"}]}', {}, True, False, "no"),
        ('{"isError": false, "content": [{"type": "text", "text": "k"}]}', {}, None, False, "k"),
        (
            '{"blocks": [{"text": "no"}], "raw_output": null, "is_error": true}',
            {},
            True,
            False,
            "no",
        ),
        (
            '{"blocks": [], "raw_output": {"status": "error"}, "is_error": false}',
            {},
            True,
            False,
            {"status": "error"},
        ),
        (
            "{'status': 'error', 'exit_code': 1}",
            {},
            True,
            False,
            {"status": "error", "exit_code": 1},
        ),
        ("Error: connection refused", {"status": "OK"}, True, True, "Error: connection refused"),
        ('"Error: connection refused"', {}, True, True, "Error: connection refused"),
    ],
)
def test_bits(got: Any, more: Row, bit: bool | None, sniffed: bool, content: Any) -> None:
    trace = Trace()
    trace.llm(asks(("c1", "deploy", '{"service": "payments"}')))
    trace.tool("deploy", "payments", got, **more)
    trace.llm(says("Done."))
    events, closing, task = trace.read()
    found = result(events)
    assert (found.is_error, found.error_sniffed) == (bit, sniffed)
    assert found.content == content
    assert events[0] == ToolCall("c1", "deploy", {"service": "payments"})
    assert (closing, task) == ("Done.", ASKED)


def test_nothing_is_sniffed_where_the_caller_forbids_it() -> None:
    trace = Trace()
    trace.tool("deploy", "{}", "Error: no")
    events, _, _ = from_openinference(trace.rows, config=Config(error_sniff=False))
    assert result(events).is_error is None


def test_a_failed_call_without_an_output_has_its_message() -> None:
    """A LangChain tool span that raised has no output; the model was told why."""
    trace = Trace()
    trace.llm(asks(("c1", "deploy", "{}")))
    trace.tool("deploy", "{}", status="ERROR", description="RuntimeError('x')Traceback ...")
    trace.llm(says("Done."), user(ASKED) | heard(1, "c1", "Tool error: registry refused"))
    assert result(trace.read()[0]).content == "Tool error: registry refused"


def test_a_status_that_only_the_graph_knows() -> None:
    """LangGraph answers an unknown tool itself: no tool span, a status in the node's state."""
    trace = Trace()
    trace.llm(asks(("c1", "nope", "{}")))
    state = json.dumps(
        {"messages": [json.loads(tool_message("nope is not a valid tool", "error"))]}
    )
    trace.span("tools", {"openinference.span.kind": "CHAIN", "output.value": state})
    trace.llm(says("Done."), user(ASKED) | heard(1, "c1", "nope is not a valid tool"))
    events, _, _ = trace.read()
    assert calls(events) == ["nope"]
    assert result(events).is_error is True


# --- names, ids, arguments -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "attributes", "tool"),
    [
        ("SimpleTool", {"tool.name": "deploy"}, "deploy"),
        ("execute_tool deploy", {"gen_ai.tool.name": "deploy"}, "deploy"),
        ("execute_tool deploy", {}, "deploy"),
        ("tools/call deploy", {}, "deploy"),
        ("running tool: deploy", {}, "deploy"),
        ("deploy.run", {}, "deploy"),
        ("handoff to Refund Agent", {}, "transfer_to_refund_agent"),
    ],
)
def test_the_span_name_is_not_the_tool_name(name: str, attributes: Row, tool: str) -> None:
    trace = Trace()
    trace.span(name, {"openinference.span.kind": "TOOL", **attributes})
    assert calls(trace.read()[0]) == [tool]


@pytest.mark.parametrize(
    ("given", "arguments"),
    [
        ('{"service": "payments"}', {"service": "payments"}),
        ('{"args": [], "kwargs": {"service": "payments"}}', {"service": "payments"}),
        ('{"args": ["x"], "kwargs": {}}', {"args": ["x"]}),
        ({"service": "payments"}, {"service": "payments"}),
        ("payments", "payments"),
        (None, ""),
    ],
)
def test_arguments(given: Any, arguments: Any) -> None:
    trace = Trace()
    trace.tool("deploy", given, "ok")
    assert trace.read()[0][0] == ToolCall("otel1", "deploy", arguments)


@pytest.mark.parametrize(
    "attributes",
    [
        {"tool_call.id": "c9"},
        {"tool.id": "c9"},
        {"gen_ai.tool.call.id": "c9"},
        {"output.value": tool_message("x").replace("c1", "c9")},
    ],
)
def test_where_the_call_id_is(attributes: Row) -> None:
    trace = Trace()
    trace.span("t", {"openinference.span.kind": "TOOL", "tool.name": "deploy", **attributes})
    assert trace.read()[0][0].call_id == "c9"  # type: ignore[union-attr]


def test_spans_without_ids_meet_their_calls_by_name_and_arguments() -> None:
    trace = Trace()
    trace.llm(asks(("a", "save", '{"n": 1}'), ("b", "save", '{"n": 2}')))
    trace.tool("save", '{"kwargs": {"n": 2}}', "two", at=(5, 6))
    trace.tool("save", '{"kwargs": {"n": 1}}', "one", at=(5, 9))
    events, _, _ = trace.read()
    assert [(e.call_id, e.content) for e in events if isinstance(e, ToolResult)] == [
        ("b", "two"),
        ("a", "one"),
    ]


def test_a_placeholder_is_no_id() -> None:
    trace = Trace()
    trace.llm(asks(("a", "save", "{}")))
    trace.tool("save", "{}", "ok", extra={"gen_ai.tool.call.id": "<not specified>"})
    assert [event.call_id for event in trace.read()[0]] == ["a", "a"]  # type: ignore[union-attr]


def test_two_model_spans_of_one_call_are_one_call() -> None:
    trace = Trace()
    for _ in range(3):  # chat inside achat inside a client's own span
        trace.llm(asks(("a", "save", "{}")), at=(0, 2))
    trace.tool("save", "{}", "ok")
    assert len(trace.read()[0]) == 2


# --- order, structure, turns ---------------------------------------------------------------------


def test_the_order_of_the_list_does_not_matter() -> None:
    trace = Trace()
    root = trace.span("agent", {"openinference.span.kind": "AGENT"}, at=(0, 50))
    trace.llm(asks(("a", "deploy", "{}"), ("b", "test", "{}")), parent=root, at=(1, 2))
    trace.tool("deploy", "{}", "no", status="ERROR", parent=root, at=(3, 9))
    trace.tool("test", "{}", "12 passed", parent=root, at=(3, 5))
    trace.llm(says("Done."), parent=root, at=(10, 11))
    expected = trace.read()
    for seed in range(5):
        rows = trace.rows[:]
        random.Random(seed).shuffle(rows)
        assert from_openinference(rows) == expected
    assert [e.call_id for e in expected[0] if isinstance(e, ToolResult)] == ["b", "a"]


def test_a_nested_run_stands_inside_the_call_and_says_nothing_for_the_caller() -> None:
    trace = Trace()
    trace.llm(asks(("n", "delegate", "{}")), at=(0, 1))
    outer = trace.tool("delegate", "{}", "All deployed.", at=(2, 20))
    inner = trace.span("agent", {"openinference.span.kind": "AGENT"}, parent=outer, at=(3, 19))
    trace.llm(asks(("n", "deploy", "{}")), user("inner"), parent=inner, at=(4, 5))
    trace.tool("deploy", "{}", "no", status="ERROR", parent=inner, at=(6, 7))
    trace.llm(says("All deployed."), user("inner"), parent=inner, at=(8, 9))
    trace.llm(says("Payments is live."), at=(21, 22))
    events, closing, task = trace.read()
    assert (closing, task) == ("Payments is live.", ASKED)
    assert calls(events) == ["delegate", "deploy"]
    assert [e.content for e in events if isinstance(e, ToolResult)] == ["no", "All deployed."]
    ids = [event.call_id for event in events]  # type: ignore[union-attr]
    assert ids[0] == ids[3] != ids[1] == ids[2]  # one id in two runs


def test_two_spans_of_one_call_are_joined() -> None:
    """A client's tool span around the server's: the inner one has the error."""
    trace = Trace()
    outer = trace.tool("deploy", '{"a": 1}', at=(0, 9))
    trace.span(
        "tools/call deploy", {"mcp.method.name": "tools/call"}, outer, "ERROR", "no", at=(1, 8)
    )
    events, _, _ = trace.read()
    assert calls(events) == ["deploy"]
    assert result(events).is_error is True


def test_an_agent_between_makes_them_two() -> None:
    trace = Trace()
    outer = trace.tool("deploy", "{}", at=(0, 9))
    inner = trace.span("agent", {"openinference.span.kind": "AGENT"}, outer, at=(1, 8))
    trace.tool("deploy", "{}", parent=inner, at=(2, 3))
    assert calls(trace.read()[0]) == ["deploy", "deploy"]


@pytest.mark.parametrize("name", ["final_answer", "finish", "final_result", "(merged tools)"])
def test_control_is_no_evidence(name: str) -> None:
    trace = Trace()
    trace.tool("deploy", "{}", "no", status="ERROR")
    trace.tool(name, "{}", "Completed.", status="OK")
    assert calls(trace.read()[0]) == ["deploy"]


def test_a_handoff_has_a_call_and_a_span() -> None:
    trace = Trace()
    trace.llm(asks(("h", "transfer_to_refund_agent", "{}")))
    trace.span("handoff to Refund Agent", {"openinference.span.kind": "TOOL"})
    assert calls(trace.read()[0]) == ["transfer_to_refund_agent"]


def test_earlier_turns_in_the_input_are_not_the_run() -> None:
    history = user("first") | asks(("old", "deploy", "{}"), where="llm.input_messages.1")
    history |= heard(2, "old", "Error: refused") | user("Try again.", 3)
    trace = Trace()
    trace.llm(asks(("new", "deploy", "{}")), history)
    trace.tool("deploy", "{}", "deployed")
    trace.llm(says("Deployed."), history | heard(5, "new", "deployed"))
    events, _, task = trace.read()
    assert task == "Try again."
    assert [event.call_id for event in events] == ["new", "new"]  # type: ignore[union-attr]


def test_raw_clients_have_one_trace_a_call() -> None:
    """The last trace's input holds the run: calls and results after the last request."""
    first, second = Trace(), Trace("0x" + "b" * 32)
    first.llm(asks(("c1", "deploy", "{}")))
    second.clock = 10
    history = user(ASKED) | asks(("c1", "deploy", "{}"), where="llm.input_messages.1")
    second.llm(says("Done."), history | heard(2, "c1", "Error: refused"))
    events, closing, _ = from_openinference(first.rows + second.rows)
    assert closing == "Done."
    assert calls(events) == ["deploy"]
    assert result(events).is_error is True


def test_two_turns_are_two_traces() -> None:
    first, second = Trace(), Trace("0x" + "b" * 32)
    second.clock = 60
    first.llm(says("One."))
    second.llm(says("Two."))
    rows = second.rows + first.rows
    assert [reading.closing for reading in read_traces(rows)] == ["One.", "Two."]
    assert from_openinference(rows)[1] == "Two."


def test_agents_without_an_answer_are_read_in_linear_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each hands over to the next; what is held of them is not read again with every one."""
    looked_at = 0

    class Counted(Turn):
        def __init__(self, trace: Any, spans: list[Span], *more: Any) -> None:
            nonlocal looked_at
            looked_at += len(spans)
            super().__init__(trace, spans, *more)

    monkeypatch.setattr(reader, "Turn", Counted)
    trace = Trace()
    for _ in range(50):
        agent = trace.span("agent", {"openinference.span.kind": "AGENT"}, at=(trace.clock, 900))
        trace.tool("save", "{}", "ok", parent=agent)
    trace.span("agent", {"openinference.span.kind": "AGENT", "output.value": "Done."})
    (reading,) = read_traces(trace.rows)
    assert reading.closing == "Done." and len(calls(reading.events)) == 50
    assert looked_at <= 2 * len(trace.rows)


@pytest.mark.parametrize(
    "texts",
    [
        ('[{"a": 1}]', '[{"a": 1}, {"b": 2}]', '[{"a": 1}, {"b": 2}]', '[{"a": 1}]'),
        ("[1]", "[12]", "[1 , 2]", "[1,2]", "[1,2,]", "[1,]", "[1,,2]", "[1,2]]"),
        ("[[1]]", "[[1]", "[[1],2]", "[[1],[2]]", "[[1]]]", "[[1]],2]"),
        ('["a"]', '["a","b"]', '["a,"]', '["a", "b"], "c"]', '["a","b"', "", "[]", "[,1]"),
        ("{}", '{"a": [1]}', '{"a": [1], "b": [2]}', '{"a": [1,2]}', "[1]", "no JSON]"),
    ],
)
def test_a_list_that_grows_is_loaded_as_if_it_were_alone(texts: tuple[str, ...]) -> None:
    for begin in range(len(texts)):
        history = History()
        for text in texts[begin:] + texts:
            assert history.load("messages", text) == parse_json(text), text


def test_messages_repeated_with_a_change_are_read_again() -> None:
    """A span's history is compared message by message, not by its length."""
    history = History()
    first = {"role": "user", "content": "Deploy."}
    for said in ("ok", "Error: refused"):
        back = {"role": "tool", "tool_call_id": "c1", "content": said}
        messages = json.dumps([first, back])
        user, got = history.read(loose_messages, {"input.value": messages}, "input.value")
        assert (user.value, got.value) == ("Deploy.", said)


def test_a_ring_of_parents_ends() -> None:
    trace = Trace()
    first, second = trace.tool("a", "{}", "x"), trace.tool("b", "{}", "y")
    trace.rows[0]["parent_id"], trace.rows[1]["parent_id"] = second, first
    assert len(trace.read()[0]) == 4


# --- the final claim -----------------------------------------------------------------------------


def lc(*messages: tuple[str, str]) -> str:
    rows = [{"type": kind, "data": {"type": kind, "content": text}} for kind, text in messages]
    return json.dumps({"messages": rows})


@pytest.mark.parametrize(
    ("kind", "output", "closing"),
    [
        ("AGENT", "Done.", "Done."),
        ("AGENT", '{"deployed": true, "note": "ok"}', "deployed: true\nnote: ok"),
        ("AGENT", '{"raw": "Done.", "tasks": []}', "Done."),
        ("AGENT", '{"answer": "Done."}', "Done."),
        ("AGENT", lc(("human", "go"), ("ai", "Done.")), "Done."),
        ("AGENT", lc(("human", "go"), ("ai", "Done."), ("tool", "x")), ""),
        ("AGENT", "None", ""),
        ("AGENT", None, ""),
        ("CHAIN", lc(("ai", "Done.")), "Done."),
        ("CHAIN", "Done.", "Done."),
        ("CHAIN", "StopEvent(result=AgentOutput(response=ChatMessage(role=<Mess...", ""),
    ],
)
def test_the_answer_of_an_agent_without_model_spans(
    kind: str, output: str | None, closing: str
) -> None:
    trace = Trace()
    root = trace.span(
        "root", {"openinference.span.kind": kind, "input.value": "go", "output.value": output}
    )
    trace.tool("deploy", "{}", "ok", parent=root)
    events, found, task = trace.read()
    assert found == closing
    assert task == "go"
    assert len(events) == 2


@pytest.mark.parametrize(
    ("said", "closing"),
    [
        (says("Done."), "Done."),
        (
            {
                "llm.output_messages.0.message.role": "assistant",
                "llm.output_messages.0.message.contents.0.message_content.type": "text",
                "llm.output_messages.0.message.contents.0.message_content.text": "Done.",
            },
            "Done.",
        ),
        (asks(("a", "deploy", "{}")), ""),
        (says("On it.") | asks(("a", "deploy", "{}")), ""),
        (asks(("a", "final_result", '{"ok": true}')), "ok: true"),
        ({}, ""),
    ],
    ids=["content", "contents", "call", "text and call", "structured", "nothing"],
)
def test_the_last_words_of_the_model(said: Row, closing: str) -> None:
    trace = Trace()
    trace.llm(said)
    assert trace.read()[1] == closing


def test_a_crashed_agent_gave_no_answer() -> None:
    trace = Trace()
    attributes = {"openinference.span.kind": "AGENT", "output.value": "half an answer"}
    trace.span("root", attributes, status="ERROR")
    assert trace.read()[1] == ""


def test_a_cut_answer_gives_way_to_the_models_words() -> None:
    trace = Trace()
    root = trace.span(
        "run", {"openinference.span.kind": "CHAIN", "output.value": "StopEvent(result=..."}
    )
    trace.llm(says("Done."), parent=root)
    assert trace.read()[1] == "Done."


# --- the official GenAI vocabulary ---------------------------------------------------------------


def genai(op: str, **attributes: Any) -> Row:
    row = {"gen_ai.operation.name": op}
    return row | {"gen_ai." + key.replace("__", "."): value for key, value in attributes.items()}


def message(role: str, *parts: Row) -> Row:
    return {"role": role, "parts": list(parts)}


TEXT = {"type": "text", "content": ASKED}
CALL = {"type": "tool_call", "id": "c1", "name": "deploy", "arguments": {"service": "payments"}}


@pytest.mark.parametrize("form", [json.dumps, lambda value: value], ids=["JSON", "structured"])
@pytest.mark.parametrize(("role", "key"), [("tool", "response"), ("user", "result")])
def test_a_client_without_tool_spans(form: Any, role: str, key: str) -> None:
    """Results come back in the next input, under whichever role."""
    trace = Trace()
    asked = [message("user", TEXT)]
    trace.span(
        "chat",
        genai("chat", input__messages=form(asked), output__messages=form([message("a", CALL)])),
    )
    back = {"type": "tool_call_response", "id": "c1", key: "Error: refused"}
    said = [message("assistant", {"type": "text", "content": "Done."})]
    history = [*asked, message("assistant", CALL), message(role, back)]
    trace.span("chat", genai("chat", input__messages=form(history), output__messages=form(said)))
    events, closing, task = trace.read()
    assert events[0] == ToolCall("c1", "deploy", {"service": "payments"})
    assert result(events) == ToolResult("c1", "Error: refused", True, error_sniffed=True)
    assert (closing, task) == ("Done.", ASKED)


def test_tool_and_agent_spans() -> None:
    trace = Trace()
    said = json.dumps([message("assistant", {"type": "text", "content": "Done."})])
    root = trace.span(
        "invoke_agent ops",
        genai(
            "invoke_agent",
            output__messages=said,
            input__messages=json.dumps([message("user", TEXT)]),
        ),
        at=(0, 20),
    )
    attributes = genai("execute_tool", tool__name="deploy", tool__call__id="c1")
    attributes |= {"gen_ai.tool.call.arguments": '{"service": "payments"}', "error.type": "_OTHER"}
    trace.span("execute_tool deploy", attributes, root, "ERROR", "registry refused")
    events, closing, task = trace.read()
    assert events == [
        ToolCall("c1", "deploy", {"service": "payments"}),
        ToolResult("c1", "registry refused", True),
    ]
    assert (closing, task) == ("Done.", ASKED)


def test_the_tools_of_both_vocabularies() -> None:
    definitions = json.dumps([{"type": "function", "name": "deploy"}, {"name": "final_result"}])
    trace = Trace()
    trace.span("chat", genai("chat", tool__definitions=definitions))
    schema = {"llm.tools.0.tool.json_schema": json.dumps({"function": {"name": "test"}})}
    trace.llm(says("Hi.") | schema)
    assert read_trace(trace.rows).tools == ["deploy", "test"]


@pytest.mark.parametrize("attributes", [genai("chat"), genai("execute_tool", tool__name="x")])
def test_what_was_not_recorded_is_said(attributes: Row) -> None:
    """With content capture off (the default) there is nothing to audit."""
    trace = Trace()
    trace.span("s", attributes)
    assert "content_not_captured" in read_trace(trace.rows).meta["unseen"]
    assert verify_spans(trace.rows).verdict == "unverifiable"


# --- storage forms -------------------------------------------------------------------------------


def test_lists_in_attributes_are_messages_too() -> None:
    trace = Trace()
    messages = [{"message.role": "assistant", "message.content": "Done."}]
    attributes = {"openinference.span.kind": "LLM", "llm.output_messages": messages}
    trace.span("llm", attributes)
    assert trace.read()[1] == "Done."


@pytest.mark.parametrize(
    ("status", "bit"),
    [
        ({"status_code": "StatusCode.ERROR"}, True),
        ({"code": "STATUS_CODE_ERROR"}, True),
        ({"code": 2}, True),
        ("ERROR", True),
        ("Error", True),
        ({"code": 1}, None),
        ({}, None),
        (None, None),
    ],
)
def test_spellings_of_a_status(status: Any, bit: bool | None) -> None:
    trace = Trace()
    trace.tool("deploy", "{}", "x")
    trace.rows[0]["status"] = status
    assert result(trace.read()[0]).is_error is bit


@pytest.mark.parametrize(
    ("given", "digits", "wanted"),
    [
        ("0x00000000000000aB", 16, "00000000000000ab"),
        ("ab", 16, "00000000000000ab"),
        (0xAB, 16, "00000000000000ab"),
        ("AAAAAAAAAKs=", 16, "00000000000000ab"),
        ("507f1f77bcf86cd799439011", 32, "00000000507f1f77bcf86cd799439011"),
        ("bcf86cd79943", 16, "0000bcf86cd79943"),
        ("longwordlong", 16, "longwordlong"),  # base64 by its letters, and of another length
        ("run-1", 16, "run-1"),
        ("0" * 16, 16, ""),
        ("0", 16, ""),
        (0, 16, ""),
        (None, 16, ""),
    ],
)
def test_spellings_of_an_id(given: Any, digits: int, wanted: str) -> None:
    assert hex_id(given, digits) == wanted


@pytest.mark.parametrize(
    ("time", "wanted"),
    [
        ("2026-03-01T10:00:00Z", 1772359200 * 10**9),
        ("2026-03-01T10:00:00.000001+00:00", 1772359200 * 10**9 + 1000),
        ("2026-03-01 10:00:00", 1772359200 * 10**9),
        ("1772359200000000000", 1772359200 * 10**9),
        (1772359200000000000, 1772359200 * 10**9),
        (1772359200000000, 1772359200 * 10**9),
        (1772359200000, 1772359200 * 10**9),
        (1772359200, 1772359200 * 10**9),
        ("yesterday", 0),
        (None, 0),
        (True, 0),
        (float("nan"), 0),
        (float("inf"), 0),
        (-1, 0),
        ("9" * 5000, 0),
    ],
)
def test_times(time: Any, wanted: int) -> None:
    assert nanoseconds(time) == wanted


def test_unreadable_rows_are_counted() -> None:
    trace = Trace()
    trace.llm(says("Done."))
    reading = read_trace([None, 3, "x", {}, {"a": 1}, *trace.rows])
    assert reading.closing == "Done."
    assert len(reading.skipped) == 5


def test_every_table_is_whole() -> None:
    names = [dialect.name for dialect in known().dialects]
    assert len(set(names)) == len(names) >= 12
    for dialect in known().dialects:
        said = {kind for values in dialect.kinds.values() for kind in values.values()}
        assert said <= set(KINDS), dialect.name


# --- the audit -----------------------------------------------------------------------------------


def test_audit() -> None:
    trace = Trace()
    trace.llm(asks(("c1", "deploy", "{}")))
    trace.tool("deploy", "{}", "registry refused", status="ERROR")
    trace.llm(says("Done. The service was deployed successfully."))
    assert verify_spans(trace.rows).is_lie
    assert not verify_spans(trace.rows, "The deploy failed.").is_lie


@pytest.mark.parametrize("mode", ["block", "", "warn", None])
def test_only_audit_is_a_mode(mode: Any) -> None:
    with pytest.raises(ValueError, match="audit"):
        verify_spans([], mode=mode)
