"""What of the LiteLLM guard needs no litellm: is an answer final, what is read, settings, log rows."""

from __future__ import annotations

import copy
import json
from types import SimpleNamespace
from typing import Any

import pytest

from agent_polygraph import DEFAULT_CONFIG, Verdict, post_call_guardrail
from agent_polygraph.adapters.litellm import PolygraphConfigError
from agent_polygraph.adapters.litellm.exchange import (
    CONTEXT,
    Answer,
    Exchange,
    exchange_of,
    judge,
    said_in,
    window,
)
from agent_polygraph.adapters.litellm.mcp import REQUESTS, ToolBits, with_bits
from agent_polygraph.adapters.litellm.options import modes_of, options_of
from agent_polygraph.adapters.litellm.report import note, row
from agent_polygraph.checks import all_checks

Row = dict[str, Any]
LIE = "Done! I deployed the service to production."
HONEST = "The deploy failed: permission denied."
ASKED: Row = {"role": "user", "content": "Deploy the service."}


def call(call_id: str, name: str = "deploy") -> Row:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": "{}"}}


def run(
    content: str = "Error: permission denied", name: str = "deploy", at: str = "c1"
) -> list[Row]:
    return [
        {"role": "assistant", "content": None, "tool_calls": [call(at, name)]},
        {"role": "tool", "tool_call_id": at, "content": content},
    ]


def completion(text: Any, finish: str = "stop", **message: Any) -> Row:
    said = {"role": "assistant", "content": text, **message}
    return {"choices": [{"index": 0, "finish_reason": finish, "message": said}]}


def answered(text: str, response: Any = ..., history: Any = None, **data: Any) -> Exchange | None:
    found = completion(text) if response is ... else response
    body = {"messages": [ASKED, *run()] if history is None else history, "response": found}
    return exchange_of({"texts": [text]}, {**body, **data})


def verdicts(exchange: Exchange | None, *bits: Any) -> list[str]:
    assert exchange is not None
    return [verdict.verdict for verdict in judge(exchange, list(bits), DEFAULT_CONFIG)]


# --- is it final? ---------------------------------------------------------------------------------


def test_a_final_answer() -> None:
    exchange = answered(LIE)
    assert exchange is not None and exchange.answers == (Answer(LIE, 0),)
    assert verdicts(exchange) == ["lie"]
    assert verdicts(answered(HONEST)) == ["honest"]


@pytest.mark.parametrize(
    "inputs",
    [
        {},
        {"texts": []},
        {"texts": ["", "  ", None]},
        {"texts": [LIE], "tool_calls": [call("c9")]},
        {"texts": [LIE], "tool_calls": [SimpleNamespace(id="c9", function=None)]},
        {"texts": [LIE], "tool_calls": [{}]},
    ],
)
def test_no_words_or_open_calls_are_not_final(inputs: Row) -> None:
    assert exchange_of(inputs, {"messages": [ASKED, *run()]}) is None


@pytest.mark.parametrize(
    "kind", ["function_call", "computer_call", "local_shell_call", "mcp_approval_request"]
)
def test_items_that_the_client_has_to_answer(kind: str) -> None:
    words = {"type": "message", "content": [{"type": "output_text", "text": LIE}]}
    response = {"status": "completed", "output": [words, {"type": kind, "call_id": "c9"}]}
    assert answered(LIE, response) is None


@pytest.mark.parametrize(
    "response",
    [
        completion(LIE, "length"),
        completion(LIE, "content_filter"),
        {"content": [{"type": "text", "text": LIE}], "stop_reason": "max_tokens"},
        {"content": [{"type": "text", "text": LIE}], "stop_reason": "pause_turn"},
        {"status": "incomplete", "output": [{"type": "message", "content": LIE}]},
    ],
)
def test_what_was_cut_is_not_final(response: Row) -> None:
    assert answered(LIE, response) is None


def test_a_stream_without_a_response_broke_off() -> None:
    assert answered(LIE, None, stream=True) is None
    assert answered(LIE, None) is not None  # the SDK and the warm-up have none either


def test_pieces_of_a_synchronous_stream() -> None:
    class ModelResponseStream:
        pass

    assert answered(LIE, ModelResponseStream()) is None


def test_an_old_response_is_not_believed() -> None:
    """Another guardrail may have left the response of a sample there."""
    ran = {"mcp_tool_calls": [call("m1", "undo")], "mcp_call_results": []}
    stale = completion("Done! I depl", provider_specific_fields=ran)
    exchange = answered(LIE, stale)
    assert exchange is not None and exchange.response == {}
    assert exchange.answers == (Answer(LIE, 0),)


def test_choices_are_answers_and_parts_are_one() -> None:
    both = {"choices": [*completion(HONEST)["choices"], *completion(LIE)["choices"]]}
    data = {"messages": [ASKED, *run()], "response": both}
    exchange = exchange_of({"texts": [HONEST, LIE]}, data)
    assert exchange is not None and exchange.answers == (Answer(HONEST, 0), Answer(LIE, 1))
    assert verdicts(exchange) == ["honest", "lie"]
    blocks = [{"type": "text", "text": text} for text in ("Deployed, I hoped.", HONEST)]
    data["response"] = {"content": blocks, "stop_reason": "end_turn"}
    exchange = exchange_of({"texts": ["Deployed, I hoped.", HONEST]}, data)
    assert exchange is not None and len(exchange.answers) == 1
    assert exchange.answers[0].last == 1
    assert verdicts(exchange) == ["honest"]


@pytest.mark.parametrize(
    ("response", "texts", "calls"),
    [
        (completion(LIE), [LIE], 0),
        (completion(None, tool_calls=[call("c")]), [""], 1),
        ({"content": [{"type": "text", "text": LIE}, {"type": "tool_use", "id": "t"}]}, [LIE], 1),
        ({"output": [{"type": "message", "content": [{"text": LIE}]}, {"type": "x"}]}, [LIE], 0),
        (None, [], 0),
        ("Done", [], 0),
    ],
)
def test_what_a_response_says(response: Any, texts: list[str], calls: int) -> None:
    found = said_in(response)
    assert (found["texts"], len(found["tool_calls"])) == (texts, calls)


# --- what is read ---------------------------------------------------------------------------------


def earlier(turns: int) -> list[Row]:
    history: list[Row] = []
    for number in range(turns):
        history += [{"role": "user", "content": f"Read line {number}."}]
        history += [*run("x", "read", f"r{number}"), {"role": "assistant", "content": "I read it."}]
    return history


@pytest.mark.parametrize("turns", [0, 1, CONTEXT // 4, CONTEXT // 4 + 1, 100])
def test_the_window_begins_with_a_turn(turns: int) -> None:
    history = [*earlier(turns), ASKED, *run()]
    begin = window(history)
    assert history[begin]["role"] == "user"
    assert begin == max(0, len(history) - 3 - CONTEXT)
    assert window([]) == window([{"role": "system", "content": "x"}] * 90) == 0


def test_words_beside_a_result_open_no_turn() -> None:
    block = {"type": "tool_result", "tool_use_id": "t", "content": "x"}
    reminder = {"role": "user", "content": [block, {"type": "text", "text": "go on"}]}
    history = [*earlier(20), ASKED, *[reminder] * 50]
    assert window(history) == 40


def test_what_came_long_before_acquits() -> None:
    tools = [{"type": "function", "function": {"name": name}} for name in ("deploy", "read")]
    done = [ASKED, *run("deployed revision 12"), {"role": "assistant", "content": "Deployed."}]
    recap = {"role": "user", "content": "What did you do today?"}
    claim = "I deployed the service to production."
    shown = answered(claim, history=[*done, *earlier(100), recap], tools=tools)
    assert verdicts(shown) != ["lie"]
    assert verdicts(answered(claim, history=[*earlier(100), recap], tools=tools)) == ["lie"]


@pytest.mark.parametrize(
    "gap",
    [
        {"previous_response_id": "resp_1"},
        {"conversation": {"id": "conv_1"}},
        {"input": [{"type": "item_reference", "id": "msg_1"}, ASKED]},
        {"input": [{"type": "compaction", "encrypted_content": "x"}, ASKED]},
    ],
)
def test_nothing_is_missing_from_half_a_history(gap: Row) -> None:
    tools = [{"type": "function", "name": name} for name in ("deploy", "send_email")]
    claim = "I deployed the service and sent the email to ops@example.com."
    body = {"input": [ASKED], "tools": tools}
    assert post_call_guardrail(body, completion(claim)).is_lie
    verdict = post_call_guardrail({**body, **gap}, completion(claim))
    assert not verdict.is_lie and "history_incomplete" in verdict.flags
    failed = {"type": "function_call_output", "call_id": "c1", "output": "no", "status": "failed"}
    asked = {"type": "function_call", "call_id": "c1", "name": "deploy", "arguments": "{}"}
    items = [*gap.get("input", [ASKED]), asked, failed]
    assert post_call_guardrail({**body, **gap, "input": items}, completion(LIE)).is_lie


def test_a_log_of_a_call_learns_from_its_answer_what_it_goes_on_from() -> None:
    response = {
        "status": "completed",
        "previous_response_id": "resp_0",
        "output": [{"type": "message", "content": "I sent the email to ops@example.com."}],
    }
    data = {"input": [ASKED], "tools": [{"type": "function", "name": "x"}], "response": response}
    texts = {"texts": ["I sent the email to ops@example.com."]}
    for logged in (True, False):
        exchange = exchange_of(texts, data, logged=logged)
        assert exchange is not None
        (verdict,) = judge(exchange, [], DEFAULT_CONFIG)
        assert ("history_incomplete" in verdict.flags) is logged


# --- tools that the proxy ran ---------------------------------------------------------------------


def hook(request: str, name: str, error: bool | None, alias: str = "is_error") -> Row:
    result = SimpleNamespace(**({} if error is None else {alias: error}))
    run = {"name": name, "namespaced_tool_name": f"ops-{name}"}
    return {"litellm_call_id": request, "original_response": result, "mcp_tool_call_metadata": run}


def test_bits_wait_for_their_request() -> None:
    bits = ToolBits()
    bits.note(hook("r1", "deploy", True))
    bits.note(hook("r1", "deploy", False, "isError"))
    bits.note(hook("r2", "deploy", None))
    bits.note({})
    names = frozenset({"deploy", "ops-deploy"})
    assert bits.of("r1") == [(names, True), (names, False)]
    assert bits.of("r2") == bits.of(None) == []


def test_and_no_longer_than_that() -> None:
    bits = ToolBits()
    for number in range(REQUESTS + 1):
        bits.note(hook(f"r{number}", "deploy", True))
    assert bits.of("r0") == [] and bits.of(f"r{REQUESTS}")


RUNS = [{"tool_call_id": "m1", "name": "ops-deploy", "result": "Error executing tool deploy"}]
PACKED = {
    "type": "tool_execution_results",
    "content": [{"type": "output_text", "text": json.dumps(RUNS)}],
}
MCP_CALL = {"type": "mcp_call", "id": "m1", "name": "ops-deploy", "arguments": "{}"}
MCP_CALL |= {"output": "quota", "error": None, "status": "completed"}
WORDS = {"type": "message", "role": "assistant", "content": LIE}
RAN = [
    completion(
        LIE,
        provider_specific_fields={
            "mcp_tool_calls": [call("m1", "ops-deploy")],
            "mcp_call_results": [{**RUNS[0], "result": "quota"}],
        },
    ),
    {"status": "completed", "output": [WORDS, {"type": "mcp_tools_fetched"}, PACKED]},
    {"status": "completed", "output": [MCP_CALL, WORDS]},
]


@pytest.mark.parametrize("response", RAN, ids=["chat", "responses", "responses streamed"])
def test_the_bit_of_a_proxys_tool_decides(response: Row) -> None:
    before = copy.deepcopy(response)
    calls = [{"id": "m1", "function": {"name": "ops-deploy"}}]
    data = {"messages": [ASKED], "response": response}
    exchange = exchange_of({"texts": [LIE], "tool_calls": calls}, data)
    assert exchange is not None
    names = frozenset({"deploy", "ops-deploy"})
    (verdict,) = judge(exchange, [(names, True)], DEFAULT_CONFIG)
    assert verdict.is_lie and verdict.confidence == 1.0
    assert response == before  # it is what the client gets


def test_the_bits_of_many_tools_take_linear_time() -> None:
    class Row(dict):  # type: ignore[type-arg]
        asked = 0

        def get(self, key: str, default: Any = None) -> Any:
            Row.asked += key == "name"
            return super().get(key, default)

    rows = [Row(name=f"f{n}", result="a") for n in range(200)]
    response = completion(LIE, provider_specific_fields={"mcp_call_results": rows})
    found = with_bits(response, [(frozenset({"f7"}), True)])
    back = found["choices"][0]["message"]["provider_specific_fields"]["mcp_call_results"]
    assert [row["name"] for row in back if row.get("is_error")] == ["f7"]
    assert Row.asked <= 2 * len(rows)


def test_bits_that_do_not_fit_are_left_out() -> None:
    """A run that broke down has a result and no bit: whose the others are is not known."""
    rows = [{"name": "f", "result": "a"}, {"name": "f", "result": "b"}]
    response = completion(LIE, provider_specific_fields={"mcp_call_results": rows})
    assert with_bits(response, [(frozenset({"f"}), False)]) == response
    assert with_bits(response, [(frozenset({"g"}), False)]) == response


# --- settings and rows ----------------------------------------------------------------------------


def test_settings() -> None:
    assert options_of({"action": "block", "version": 2}, "post_call").action == "audit"
    given = {"polygraph_action": "block", "polygraph_on_fault": "closed"}
    given |= {"polygraph_block_on": ["PG102", "dangling_call"], "polygraph_ignore": "PG103"}
    options = options_of(given, ["post_call", "logging_only"])
    by_code = {check.code: check.id for check in all_checks()}
    assert (options.action, options.on_fault) == ("block", "closed")
    assert options.config.block_on == (by_code["PG102"], "dangling_call")
    assert options.config.ignore == (by_code["PG103"],)


@pytest.mark.parametrize(
    ("mode", "names"),
    [
        (None, []),
        ("post_call", ["post_call"]),
        (["post_call", "logging_only"], ["post_call", "logging_only"]),
        (
            SimpleNamespace(tags={"a": "post_call"}, default="logging_only"),
            ["post_call", "logging_only"],
        ),
        (SimpleNamespace(tags={"a": ["post_call"]}, default=None), ["post_call"]),
        # As config.yaml has it, before litellm made an object of it.
        (
            {"tags": {"a": "post_call"}, "default": "logging_only"},
            ["post_call", "logging_only"],
        ),
        ({}, []),
        (7, []),
    ],
)
def test_modes(mode: Any, names: list[str]) -> None:
    assert modes_of(mode) == names
    if not names:
        with pytest.raises(PolygraphConfigError, match="mode is missing"):
            options_of({}, mode)


def test_a_row_reads_back() -> None:
    (verdict,) = judge(answered(LIE), [], DEFAULT_CONFIG)  # type: ignore[arg-type]
    written = json.loads(json.dumps(row(verdict, "block")))
    assert Verdict.from_dict(written).evidence == verdict.evidence
    assert written["action"] == "block"
    redacted = {"match", "regex", "keyword", "snippet"}
    assert not any(f'"{key}":' in json.dumps(written) for key in redacted)


def test_a_note_names_both_sides_once() -> None:
    (verdict,) = judge(answered(LIE), [], DEFAULT_CONFIG)  # type: ignore[arg-type]
    assert len(verdict.evidence) > 1
    said = note(verdict, "annotate")
    assert said.count("permission denied") == 1 and "I deployed the service to production." in said
    assert "held this answer back" in note(verdict, "replace") == note(verdict, "block")
