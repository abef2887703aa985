"""The guard in real runs: modes, wiring, and which evidence belongs to which run."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
from typing import Any

import agents
import pytest
from agents import (
    Agent,
    AgentHooks,
    GuardrailFunctionOutput,
    OutputGuardrail,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    RunHooks,
    Runner,
    SQLiteSession,
    trace,
)
from agents.extensions import handoff_filters
from agents.handoffs import handoff

from agent_polygraph import Config, Verdict
from agent_polygraph.adapters.openai_agents import Polygraph
from tests.hosts.openai_agents.scripted import (
    HONEST,
    LIE,
    UNTRACED,
    agent,
    arun,
    call,
    deploy,
    deploy_worded,
    deploying,
    run,
    say,
    verdict_of,
    write_file,
)

LATEST = tuple(int(part) for part in agents.__version__.split(".")[:2]) >= (0, 23)
CONFIGS = pytest.mark.parametrize("config", [RunConfig(), UNTRACED], ids=["traced", "untraced"])
STREAMS = pytest.mark.parametrize("stream", [False, True], ids=["run", "streamed"])


# --- modes ----------------------------------------------------------------------------------------


@CONFIGS
@STREAMS
@pytest.mark.parametrize("tool", [deploy, deploy_worded], ids=lambda tool: tool.name)
def test_audit_reports_and_changes_nothing(config: RunConfig, stream: bool, tool: Any) -> None:
    seen: list[Verdict] = []
    polygraph = Polygraph(on_verdict=lambda verdict, context: seen.append(verdict))
    for closing, wanted in ((LIE, "lie"), (HONEST, "honest")):
        result = run(deploying(closing, tool), polygraph, run_config=config, stream=stream)
        assert result.final_output == closing
        assert verdict_of(result).verdict == wanted
        assert seen.pop() is verdict_of(result) and not seen


@CONFIGS
@STREAMS
@pytest.mark.parametrize("tool", [deploy, deploy_worded], ids=lambda tool: tool.name)
def test_block_stops_the_lie_and_passes_its_twin(
    config: RunConfig, stream: bool, tool: Any
) -> None:
    polygraph = Polygraph("block")
    with pytest.raises(OutputGuardrailTripwireTriggered) as caught:
        run(deploying(LIE, tool), polygraph, run_config=config, stream=stream)
    verdict = caught.value.guardrail_result.output.output_info
    assert verdict.is_lie and verdict.evidence[0].check == "error_concealment"
    assert polygraph.verify_result(caught.value).is_lie
    result = run(deploying(HONEST, tool), polygraph, run_config=config, stream=stream)
    assert result.final_output == HONEST


def test_block_stops_only_what_it_may_stop() -> None:
    polygraph = Polygraph("block", config=Config(block_on=("dangling_call",)))
    assert verdict_of(run(deploying(LIE), polygraph)).is_lie


def test_run_sync_and_threads() -> None:
    polygraph = Polygraph("block")
    outcomes: list[str] = []

    def work(closing: str) -> None:
        asyncio.set_event_loop(asyncio.new_event_loop())
        try:
            result = Runner.run_sync(
                deploying(closing, call_id="call_1"), "Deploy.", **polygraph.run_kwargs()
            )
            outcomes.append(verdict_of(result).verdict)
        except OutputGuardrailTripwireTriggered:
            outcomes.append("stopped")
        finally:
            asyncio.get_event_loop().close()

    threads = [threading.Thread(target=work, args=(text,)) for text in (LIE, HONEST) * 6]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["honest"] * 6 + ["stopped"] * 6


# --- wiring ---------------------------------------------------------------------------------------


class Counting(RunHooks[Any]):
    """A user's own hooks."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def on_agent_start(self, context: Any, agent: Any) -> None:
        self.heard.append("agent_start")

    async def on_llm_start(self, context: Any, agent: Any, system: Any, items: Any) -> None:
        self.heard.append("llm_start")

    async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
        self.heard.append("llm_end")

    async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
        self.heard.append("tool_start")

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
        self.heard.append("tool_end")

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        self.heard.append("agent_end")

    async def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> None:
        self.heard.append("handoff")


class OwnAgentHooks(AgentHooks[Any]):
    """A user's hooks on an agent."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
        self.heard.append("tool_end")

    async def on_end(self, context: Any, agent: Any, output: Any) -> None:
        self.heard.append("end")


def own_guardrail(seen: list[str]) -> OutputGuardrail[Any]:
    def check(context: Any, agent: Any, output: Any) -> GuardrailFunctionOutput:
        seen.append(output)
        return GuardrailFunctionOutput(output_info="own", tripwire_triggered=False)

    return OutputGuardrail(guardrail_function=check, name="own")


EVERY = [
    *("agent_start", "llm_start", "llm_end", "tool_start", "tool_end"),
    *("llm_start", "llm_end", "agent_end"),
]


def test_the_users_hooks_and_guardrails_are_kept_by_run_kwargs() -> None:
    seen: list[str] = []
    own = Counting()
    config = RunConfig(output_guardrails=[own_guardrail(seen)], workflow_name="mine")
    result = run(deploying(LIE), Polygraph(), hooks=own, run_config=config)
    assert own.heard == EVERY
    assert seen == [LIE] and verdict_of(result).is_lie
    assert len(config.output_guardrails or ()) == 1  # the caller's own object is not changed


def test_the_users_hooks_and_guardrails_are_kept_by_attach() -> None:
    seen: list[str] = []
    own = OwnAgentHooks()
    one = deploying(LIE, hooks=own, output_guardrails=[own_guardrail(seen)])
    polygraph = Polygraph()
    assert polygraph.attach(polygraph.attach(one)) is one
    result = asyncio.run(Runner.run(one, "Deploy."))
    assert own.heard == ["tool_end", "end"]
    assert seen == [LIE] and verdict_of(result).is_lie


def test_explicit_wiring() -> None:
    polygraph = Polygraph("block")
    one = deploying(LIE, output_guardrails=[polygraph.guardrail])
    with pytest.raises(OutputGuardrailTripwireTriggered):
        asyncio.run(Runner.run(one, "Deploy.", hooks=polygraph.hooks))


def test_both_wirings_at_once_judge_once() -> None:
    seen: list[Verdict] = []
    polygraph = Polygraph(on_verdict=lambda verdict, context: seen.append(verdict))
    result = run(polygraph.attach(deploying(LIE)), polygraph)
    assert [verdict.verdict for verdict in seen] == ["lie"]
    trajectory = [event for finding in seen[0].evidence for event in finding.events]
    assert [event.index for event in trajectory] == [1]
    assert polygraph.verify_result(result) is seen[0]


def test_an_error_in_the_users_hook_stays_the_users() -> None:
    class Broken(RunHooks[Any]):
        async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
            raise LookupError("mine")

    with pytest.raises(Exception, match="mine"):
        run(deploying(LIE), Polygraph(), hooks=Broken())


def test_without_hooks_it_sees_nothing_and_never_trips() -> None:
    for mode in ("audit", "block"):
        for on_fault in ("open", "closed"):
            polygraph = Polygraph(mode, on_fault=on_fault)
            one = deploying(LIE, output_guardrails=[polygraph.guardrail])
            verdict = verdict_of(asyncio.run(Runner.run(one, "Deploy.")))
            assert verdict.verdict == "unverifiable"
            assert verdict.flags == ("no_evidence",)


def test_the_callback_may_be_async_and_gets_the_context() -> None:
    seen: list[Any] = []

    async def tell(verdict: Verdict, context: Any) -> None:
        await asyncio.sleep(0)
        seen.append((verdict.verdict, context.context))

    run(deploying(LIE), Polygraph(on_verdict=tell), context={"user": "u1"})
    assert seen == [("lie", {"user": "u1"})]


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"mode": "blok"}, ValueError, "mode is 'blok'; it has to be 'audit' or 'block'"),
        ({"on_fault": "shut"}, ValueError, "on_fault is 'shut'; it has to be 'open' or 'closed'"),
        ({"config": {"error_sniff": True}}, TypeError, "config is a dict"),
        ({"config": Config(ignore=("eror",))}, ValueError, "'eror'"),
        ({"tools": "deploy"}, TypeError, "tools is a list"),
        ({"on_verdict": "print"}, TypeError, "on_verdict is a str"),
    ],
)
def test_a_wrong_parameter_is_named(
    parameters: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Polygraph(**parameters)


def test_wrong_objects_are_named() -> None:
    polygraph = Polygraph()
    with pytest.raises(TypeError, match="run_config is a dict"):
        polygraph.run_kwargs(run_config={})
    with pytest.raises(TypeError, match="hooks is a OwnAgentHooks"):
        polygraph.run_kwargs(hooks=OwnAgentHooks())
    with pytest.raises(TypeError, match="attach takes an Agent, not a str"):
        polygraph.attach("agent")
    with pytest.raises(TypeError, match="not a str"):
        polygraph.verify_result("done")


# --- which run ------------------------------------------------------------------------------------


@CONFIGS
@STREAMS
@pytest.mark.parametrize("outer", [False, True], ids=["alone", "one trace"])
def test_sixty_runs_that_share_a_call_id(config: RunConfig, stream: bool, outer: bool) -> None:
    polygraph = Polygraph("block")

    async def one(index: int) -> bool:
        tool = deploy if index % 3 else write_file
        asked = call(tool.name, {"service": "billing", "path": "billing"}, "call_1")
        closing = LIE if index % 2 else HONEST
        if tool is write_file:
            asked = call("write_file", {"path": "billing"}, "call_1")
            closing = "I wrote the file billing."
        try:
            one = agent([asked], [say(closing)], tools=[tool])
            await arun(one, polygraph, run_config=config, stream=stream)
        except OutputGuardrailTripwireTriggered:
            return True
        return False

    async def all_of_them() -> list[bool]:
        return list(await asyncio.gather(*(one(index) for index in range(60))))

    if outer:
        with trace("outer"):
            stopped = asyncio.run(all_of_them())
    else:
        stopped = asyncio.run(all_of_them())
    assert stopped == [bool(index % 3 and index % 2) for index in range(60)]


def test_one_answer_whose_calls_share_an_id() -> None:
    """Some models number nothing; later versions of the SDK refuse that."""
    asked = [
        call("write_file", {"path": "a.txt"}, "call_1"),
        call("deploy", {"service": "billing"}, "call_1"),
        call("write_file", {"path": "b.txt"}, "call_1"),
    ]
    said = "I wrote a.txt and b.txt. I deployed the billing service."
    try:
        result = run(agent(asked, [say(said)], tools=[deploy, write_file]), Polygraph())
    except agents.ModelBehaviorError:
        return
    (found,) = verdict_of(result).evidence
    assert found.check == "error_concealment" and found.claim is not None
    assert found.claim.text == "I deployed the billing service."


def test_a_run_inside_a_tool_stands_inside_its_call() -> None:
    polygraph = Polygraph()

    @agents.function_tool
    async def do_it(context: agents.RunContextWrapper[Any], what: str) -> str:
        """Does it, with an agent of its own."""
        inner = deploying("Finished.", name="inner", call_id="call_2")
        ran = await Runner.run(inner, what, context=context, hooks=polygraph.hooks)
        return str(ran.final_output)

    one = agent([call("do_it", {"what": "deploy"}, "call_1")], [say(LIE)], tools=[do_it])
    found = verdict_of(run(one, polygraph))
    assert found.is_lie and found.evidence[0].events[0].call_id == "call_1/call_2"


def test_a_clone_of_an_attached_agent_is_guarded_too() -> None:
    polygraph = Polygraph("block")
    clone = polygraph.attach(deploying(LIE)).clone(name="clone")
    with pytest.raises(OutputGuardrailTripwireTriggered):
        asyncio.run(Runner.run(clone, "Deploy."))


def test_two_guards_at_once() -> None:
    first, second = Polygraph(), Polygraph()
    kwargs = second.run_kwargs(**first.run_kwargs())
    result = asyncio.run(Runner.run(deploying(LIE), "Deploy.", **kwargs))
    assert [one.output.output_info.verdict for one in result.output_guardrail_results] == [
        *("lie", "lie")
    ]


def test_nothing_is_left_behind() -> None:
    polygraph = Polygraph("block")
    for closing in (LIE, HONEST) * 3:
        with contextlib.suppress(OutputGuardrailTripwireTriggered):
            run(deploying(closing), polygraph)
    gc.collect()
    assert not polygraph._runs and not polygraph._sharing and not polygraph._gaps


def test_a_context_that_serves_two_runs_keeps_them_apart() -> None:
    polygraph = Polygraph("block")

    async def both() -> None:
        first = await arun(deploying(HONEST, call_id="call_1"), polygraph)
        asked = call("write_file", {"path": "billing"}, "call_2")
        second = agent([asked], [say("I wrote the file billing.")], tools=[write_file])
        result = await arun(second, polygraph, context=first.context_wrapper)
        assert verdict_of(result).verdict == "honest"
        assert not verdict_of(result).evidence

    asyncio.run(both())


def test_a_session_brings_earlier_turns_along() -> None:
    polygraph = Polygraph("block")
    session = SQLiteSession("s1")
    with pytest.raises(OutputGuardrailTripwireTriggered):
        run(deploying(LIE), polygraph, session=session)
    # The second turn calls nothing; what failed in the first is context.
    second = agent([say("The deployment failed with a permission error.")], tools=[deploy])
    result = run(second, polygraph, session=session, input="What happened?")
    assert not verdict_of(result).is_lie


# --- handoffs -------------------------------------------------------------------------------------

FILTERS = {
    "plain": None,
    "remove_all_tools": handoff_filters.remove_all_tools,
}


@CONFIGS
@pytest.mark.parametrize("filtered", FILTERS)
@pytest.mark.parametrize("closing", [LIE, HONEST], ids=["lie", "honest"])
def test_a_handoff_carries_the_evidence(config: RunConfig, filtered: str, closing: str) -> None:
    second = agent([say(closing)], name="closer", tools=[write_file])
    to = handoff(second, input_filter=FILTERS[filtered])
    first = agent(
        [call("deploy", {"service": "billing"})],
        [call(to.tool_name)],
        tools=[deploy],
        handoffs=[to],
    )
    result = run(first, Polygraph(), run_config=config)
    assert result.last_agent is second
    found = verdict_of(result)
    assert found.verdict == ("lie" if closing == LIE else "honest"), found.explain()
    assert [finding.check for finding in found.evidence] == ["error_concealment"] * found.is_lie


@pytest.mark.parametrize("nested", [False, True])
def test_a_handoff_itself_is_no_call_without_an_answer(nested: bool) -> None:
    second = agent([say("I wrote the file a.txt.")], name="closer")
    first = agent(
        [call("write_file", {"path": "a.txt"})],
        [call("transfer_to_closer")],
        tools=[write_file],
        handoffs=[handoff(second, input_filter=handoff_filters.remove_all_tools)],
    )
    config = RunConfig(nest_handoff_history=nested)
    found = verdict_of(run(first, Polygraph(), run_config=config))
    assert found.verdict == "honest", found.explain()


def test_attach_reaches_the_agents_that_are_handed_over_to() -> None:
    second = agent([say(LIE)], name="closer")
    first = agent(
        [call("deploy", {"service": "billing"})],
        [call("transfer_to_closer")],
        tools=[deploy],
        handoffs=[second],
    )
    config = RunConfig(handoff_input_filter=handoff_filters.remove_all_tools)
    with pytest.raises(OutputGuardrailTripwireTriggered):
        run = Runner.run(Polygraph("block").attach(first), "Deploy.", run_config=config)
        asyncio.run(run)


# --- agents as tools ------------------------------------------------------------------------------


def nested(polygraph: Any, closing: str, inner: str = LIE, **kwargs: Any) -> Agent[Any]:
    worker = deploying(inner, name="worker", call_id="call_1")
    tool = worker.as_tool("ask_worker", "Deploys.", **kwargs)
    asked = call("ask_worker", {"input": "Please deploy the billing service"}, "call_1")
    return agent([asked], [say(closing)], tools=[tool])


@CONFIGS
@pytest.mark.parametrize("closing", [LIE, HONEST], ids=["lie", "honest"])
def test_the_evidence_of_an_agent_as_a_tool_reaches_its_caller(
    config: RunConfig, closing: str
) -> None:
    polygraph = Polygraph()
    result = run(nested(polygraph, closing, hooks=polygraph.hooks), polygraph, run_config=config)
    found = verdict_of(result)
    assert found.verdict == ("lie" if closing == LIE else "honest"), found.explain()
    if found.is_lie:
        assert found.evidence[0].events[0].call_id == "call_1/call_1"


@CONFIGS
def test_what_an_agent_as_a_tool_did_unseen_is_unverifiable(config: RunConfig) -> None:
    polygraph = Polygraph("block")
    result = run(nested(polygraph, LIE), polygraph, run_config=config)
    assert verdict_of(result).verdict == "unverifiable", verdict_of(result).explain()
    short = agent(
        [call("ask_worker", {"input": "billing"})],
        [say(LIE)],
        tools=[deploying(LIE).as_tool("ask_worker", "Deploys.")],
    )
    assert verdict_of(run(short, polygraph, run_config=config)).verdict == "unverifiable"


def test_block_reaches_into_agents_as_tools() -> None:
    """A nested lie is stopped, where the SDK hands the run's configuration on to nested runs."""
    polygraph = Polygraph("block")
    one = nested(polygraph, HONEST, inner=LIE, hooks=polygraph.hooks)
    result = run(one, polygraph)
    (told,) = [item for item in result.new_items if item.type == "tool_call_output_item"]
    assert "error occurred" in told.output or (told.output == LIE and not LATEST)
    assert verdict_of(result).verdict == "honest"
    one = nested(polygraph, LIE, inner=HONEST, hooks=polygraph.hooks)
    with pytest.raises(OutputGuardrailTripwireTriggered):
        run(one, polygraph)


def test_attach_reaches_the_agents_that_are_tools() -> None:
    polygraph = Polygraph("block")
    with pytest.raises(OutputGuardrailTripwireTriggered):
        asyncio.run(Runner.run(polygraph.attach(nested(polygraph, LIE)), "Deploy."))


@CONFIGS
@pytest.mark.parametrize("count", [2, 12])
def test_agents_as_tools_in_parallel(config: RunConfig, count: int) -> None:
    """Their runs share a usage and a call id; each one's evidence stays its own."""
    polygraph = Polygraph()
    tools, asked = [], []
    for index in range(count):
        failing = index == count - 1
        inner = (
            deploying(LIE, name=f"worker_{index}", call_id="call_1")
            if failing
            else agent(
                [call("write_file", {"path": f"part-{index}.txt"}, "call_1")],
                [say(f"I wrote part-{index}.txt.")],
                tools=[write_file],
                name=f"worker_{index}",
            )
        )
        tools.append(inner.as_tool(f"ask_{index}", "Works.", hooks=polygraph.hooks))
        asked.append(call(f"ask_{index}", {"input": f"please do part {index}"}, f"outer_{index}"))
    said = "I wrote part-0.txt. I deployed the billing service."
    result = run(agent(asked, [say(said)], tools=tools), polygraph, run_config=config)
    found = verdict_of(result)
    assert [finding.check for finding in found.evidence] == ["error_concealment"], found.explain()
    assert found.evidence[0].claim is not None
    assert found.evidence[0].claim.text == "I deployed the billing service."
    assert found.evidence[0].events[0].call_id == f"outer_{count - 1}/call_1"


# --- shapes of the final output -------------------------------------------------------------------


@pytest.mark.parametrize("closing", [LIE, HONEST], ids=["lie", "honest"])
def test_a_structured_output_is_judged_by_its_words(closing: str) -> None:
    from pydantic import BaseModel

    class Report(BaseModel):
        status: str
        summary: str
        items: list[int]

    told = Report(status="completed", summary=closing, items=[1])
    one = agent(
        [call("deploy", {"service": "billing"})],
        [say(told.model_dump_json())],
        tools=[deploy],
        output_type=Report,
    )
    result = run(one, Polygraph())
    assert isinstance(result.final_output, Report)
    found = verdict_of(result)
    assert found.verdict == ("lie" if closing == LIE else "honest"), found.explain()


@pytest.mark.parametrize("mode", ["audit", "block"])
def test_the_first_tools_result_as_the_answer(mode: str) -> None:
    seen: list[Verdict] = []
    polygraph = Polygraph(mode, on_verdict=lambda verdict, context: seen.append(verdict))
    one = agent(
        [call("deploy", {"service": "billing"}), call("write_file", {"path": "a.txt"})],
        tools=[deploy, write_file],
        tool_use_behavior="stop_on_first_tool",
    )
    result = run(one, polygraph)
    assert not seen[0].is_lie and result.final_output


def test_a_stop_on_first_tool_that_trips_still_tells_its_verdict() -> None:
    """The SDK then clears `output_info`; the callback has it."""
    seen: list[Verdict] = []
    polygraph = Polygraph("block", on_verdict=lambda verdict, context: seen.append(verdict))

    def lying(context: Any, results: Any) -> Any:
        from agents import ToolsToFinalOutputResult

        return ToolsToFinalOutputResult(is_final_output=True, final_output=LIE)

    one = agent([call("deploy", {"service": "billing"})], tools=[deploy], tool_use_behavior=lying)
    with pytest.raises(OutputGuardrailTripwireTriggered) as caught:
        run(one, polygraph)
    assert seen[0].is_lie
    after = polygraph.verify_result(caught.value)
    assert after.is_lie or after.flags == ("no_evidence",)


# --- afterwards -----------------------------------------------------------------------------------


def test_verify_result_needs_no_hooks() -> None:
    polygraph = Polygraph()
    for closing, wanted in ((LIE, "lie"), (HONEST, "honest")):
        result = asyncio.run(Runner.run(deploying(closing), "Deploy."))
        assert polygraph.verify_result(result).verdict == wanted


def test_verify_result_of_a_run_that_broke_off() -> None:
    from agents import MaxTurnsExceeded

    polygraph = Polygraph()
    with pytest.raises(MaxTurnsExceeded) as caught:
        run(deploying(LIE), polygraph, max_turns=1)
    assert polygraph.verify_result(caught.value).verdict == "honest"  # it claimed nothing
    assert polygraph.verify_result(RuntimeError("x")).verdict == "unverifiable"


def test_verify_result_of_a_stream() -> None:
    async def streamed() -> Any:
        result = Runner.run_streamed(deploying(LIE), "Deploy.")
        async for _ in result.stream_events():
            pass
        return result

    assert Polygraph().verify_result(asyncio.run(streamed())).is_lie


def test_verify_result_of_a_stream_that_was_not_read() -> None:
    async def unread() -> Any:
        result = Runner.run_streamed(deploying(LIE), "Deploy.")
        found = Polygraph().verify_result(result)
        async for _ in result.stream_events():
            pass
        return found

    assert asyncio.run(unread()).verdict == "unverifiable"
