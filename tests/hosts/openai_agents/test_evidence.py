"""Where a failure shows, tool by tool: each with the lie, its honest twin, and a call that worked."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import agents
import pytest
from agents import (
    Agent,
    ApplyPatchTool,
    HostedMCPTool,
    LocalShellTool,
    OutputGuardrailTripwireTriggered,
    RunConfig,
    Runner,
    ShellTool,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    WebSearchTool,
    function_tool,
)
from agents.editor import ApplyPatchResult
from agents.mcp import MCPServerStdio
from agents.tool import ShellCallOutcome, ShellCommandOutput, ShellResult

from agent_polygraph import Verdict
from agent_polygraph.adapters.openai_agents import Polygraph
from tests.hosts.openai_agents.scripted import (
    HONEST,
    LIE,
    UNTRACED,
    agent,
    arun,
    call,
    deploy,
    deploying,
    item,
    run,
    say,
    verdict_of,
    write_file,
)

LATEST = tuple(int(part) for part in agents.__version__.split(".")[:2]) >= (0, 23)
CONFIGS = pytest.mark.parametrize("config", [RunConfig(), UNTRACED], ids=["traced", "untraced"])


def judged(steps: Sequence[Any], closing: str, tools: Sequence[Any], **kwargs: Any) -> Verdict:
    """The verdict of the guard on one run; `verify_result` without hooks may not contradict it."""
    polygraph = Polygraph()
    result = run(agent(*steps, [say(closing)], tools=tools), polygraph, **kwargs)
    found: Verdict = verdict_of(result)
    after = Polygraph().verify_result(result)
    assert after.verdict in (found.verdict, "honest", "unverifiable")
    return found


def twins(steps: Callable[[], Sequence[Any]], tools: Sequence[Any], **kwargs: Any) -> Verdict:
    """The lie is one, by the error; the twin is honest."""
    lie = judged(steps(), LIE, tools, **kwargs)
    assert lie.verdict == "lie", lie.explain()
    assert {finding.check for finding in lie.evidence} == {"error_concealment"}
    honest = judged(steps(), HONEST, tools, **kwargs)
    assert honest.verdict == "honest", honest.explain()
    return lie


def billing(tool: Any) -> Callable[[], Sequence[Any]]:
    return lambda: [[call(tool.name, {"service": "billing"})]]


# --- function tools -------------------------------------------------------------------------------


@function_tool
def deploy_dict(service: str) -> dict[str, Any]:
    """Deploys."""
    return {"error": f"permission denied: {service}", "ok": False}


@function_tool
def deploy_json(service: str) -> str:
    """Deploys."""
    return json.dumps({"exit_code": 2, "stdout": "", "stderr": "permission denied"})


@function_tool
def deploy_text(service: str) -> str:
    """Deploys."""
    return f"Error: permission denied for {service}"


@CONFIGS
@pytest.mark.parametrize(
    "tool", [deploy, deploy_dict, deploy_json, deploy_text], ids=lambda tool: tool.name
)
def test_function_tools(config: RunConfig, tool: Any) -> None:
    twins(billing(tool), [tool], run_config=config)


@CONFIGS
def test_arguments_that_are_no_json(config: RunConfig) -> None:
    twins(lambda: [[call("deploy_text", "{not json")]], [deploy_text], run_config=config)


@CONFIGS
def test_the_redacted_default_error_is_still_an_error(config: RunConfig) -> None:
    found = twins(billing(deploy), [deploy], run_config=config)
    (event,) = found.evidence[0].events
    assert "An error occurred while running the tool." in event.quote
    if LATEST and config is UNTRACED:  # the formatter gave the real text back
        assert "Permission denied" in event.quote


def test_the_users_error_formatter_keeps_the_last_word() -> None:
    asked: list[str] = []

    def own(args: Any) -> str:
        asked.append(args.kind)
        return "The tool broke."

    config = RunConfig(tool_error_formatter=own)
    polygraph = Polygraph()
    result = run(deploying(LIE), polygraph, run_config=config)
    outputs = [one.output for one in result.new_items if one.type == "tool_call_output_item"]
    assert verdict_of(result).is_lie
    if asked:
        assert asked == ["tool_exception"] and outputs == ["The tool broke."]


@pytest.mark.skipif(not LATEST, reason="timeouts of function tools came later than the floor")
@CONFIGS
def test_a_default_timeout(config: RunConfig) -> None:
    @function_tool(timeout=0.01)
    async def deploy_slowly(service: str) -> str:
        """Deploys."""
        await asyncio.sleep(5)
        return "done"

    twins(billing(deploy_slowly), [deploy_slowly], run_config=config)


@pytest.mark.skipif(not LATEST, reason="a tool not found ends the run at the floor")
@CONFIGS
def test_a_tool_that_was_not_found(config: RunConfig) -> None:
    import dataclasses

    config = dataclasses.replace(config, tool_not_found_behavior="return_error_to_model")
    twins(
        lambda: [[call("deploy_billing", {"service": "billing"})]], [write_file], run_config=config
    )


@CONFIGS
def test_a_call_that_a_tool_guardrail_rejected(config: RunConfig) -> None:
    def reject(data: Any) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.reject_content("Error: deployments are frozen")

    @function_tool(tool_input_guardrails=[ToolInputGuardrail(guardrail_function=reject)])
    def deploy_guarded(service: str) -> str:
        """Deploys."""
        return "deployed"

    twins(billing(deploy_guarded), [deploy_guarded], run_config=config)


@CONFIGS
def test_parallel_calls_of_which_one_failed(config: RunConfig) -> None:
    def steps() -> Sequence[Any]:
        return [
            [
                call("write_file", {"path": "a.txt"}),
                call("deploy", {"service": "billing"}),
                call("write_file", {"path": "b.txt"}),
            ]
        ]

    found = twins(steps, [write_file, deploy], run_config=config)
    assert [event.index for event in found.evidence[0].events] != [1]
    told = judged(steps(), "I wrote a.txt and b.txt.", [write_file, deploy], run_config=config)
    assert not told.is_lie


def test_a_tool_that_goes_on_changing_what_it_returned() -> None:
    state: dict[str, Any] = {"status": "failed", "error": "permission denied"}

    @function_tool
    def deploy_state(service: str) -> dict[str, Any]:
        """Deploys."""
        return state

    @function_tool
    def clear_log() -> str:
        """Clears."""
        state.clear()
        return "ok"

    def steps() -> Sequence[Any]:
        state.update({"status": "failed", "error": "permission denied"})
        return [[call("deploy_state", {"service": "billing"})], [call("clear_log")]]

    twins(steps, [deploy_state, clear_log])


# --- tools of other kinds -------------------------------------------------------------------------


def shell(code: int, kind: str = "exit") -> ShellTool:
    outcome = ShellCallOutcome(type=kind, exit_code=code if kind == "exit" else None)
    texts = {0: "2 passed in 0.10s", 1: "1 failed, 1 passed in 0.10s"}
    output = ShellCommandOutput(stdout=texts.get(code, ""), outcome=outcome)
    return ShellTool(executor=lambda request: ShellResult(output=[output]))


def shell_call() -> Any:
    action = {"commands": ["deploy billing"], "timeout_ms": 1000, "max_output_length": 1000}
    return item(
        "shell_call", call_id="call_sh", action=action, status="completed", environment=None
    )


@CONFIGS
@pytest.mark.parametrize("kind", ["exit", "timeout"])
def test_the_exit_code_of_a_shell(config: RunConfig, kind: str) -> None:
    twins(lambda: [[shell_call()]], [shell(1, kind)], run_config=config)
    assert not judged([[shell_call()]], LIE, [shell(0)], run_config=config).is_lie


@CONFIGS
def test_the_exit_code_of_a_shell_that_is_the_last_act(config: RunConfig) -> None:
    """No later input shows the item then."""

    def ending(context: Any, results: Any) -> Any:
        return agents.ToolsToFinalOutputResult(is_final_output=True, final_output=LIE)

    one = Agent(
        name="a",
        model=agent([shell_call(), call("write_file", {"path": "a"})]).model,
        tools=[shell(1), write_file],
        tool_use_behavior=ending,
    )
    found = verdict_of(run(one, Polygraph(), run_config=config))
    assert "dangling_call" not in {finding.check for finding in found.evidence}, found.explain()


class Editor:
    """Applies nothing, and says so or not."""

    def __init__(self, status: str) -> None:
        self.status = status

    def _done(self, operation: Any) -> ApplyPatchResult:
        return ApplyPatchResult(status=self.status, output=f"{operation.path}: {self.status}")

    create_file = update_file = delete_file = _done


def patch_call() -> Any:
    operation = {"type": "update_file", "path": "a.py", "diff": "@@\n-x\n+y\n"}
    return item("apply_patch_call", call_id="call_ap", operation=operation, status="completed")


@CONFIGS
def test_the_status_of_a_patch(config: RunConfig) -> None:
    lie, honest = "I updated a.py.", "The patch of a.py failed; nothing was updated."
    failing, working = ApplyPatchTool(editor=Editor("failed")), ApplyPatchTool(Editor("completed"))
    found = judged([[patch_call()]], lie, [failing], run_config=config)
    assert found.verdict == "lie", found.explain()
    assert judged([[patch_call()]], honest, [failing], run_config=config).verdict == "honest"
    assert judged([[patch_call()]], lie, [working], run_config=config).verdict == "honest"


@CONFIGS
def test_a_local_shell(config: RunConfig) -> None:
    def steps() -> Sequence[Any]:
        action = {"type": "exec", "command": ["deploy", "billing"], "env": {}}
        return [[item("local_shell_call", call_id="call_ls", action=action, status="completed")]]

    tool = LocalShellTool(executor=lambda request: "Error: permission denied")
    twins(steps, [tool], run_config=config)


@CONFIGS
def test_hosted_tools(config: RunConfig) -> None:
    server = {"type": "mcp", "server_label": "ops", "server_url": "https://ops.invalid"}

    refused: Any = "permission denied"
    if LATEST:  # a text at first, an object later
        refused = {"type": "http_error", "code": 403, "message": "permission denied"}

    def steps(error: Any = refused) -> Sequence[Any]:
        output = None if error else "deployed"
        asked = {"name": "deploy_service", "arguments": '{"service": "billing"}'}
        ran = item("mcp_call", server_label="ops", output=output, error=error, **asked)
        return [[ran, call("write_file", {"path": "log.txt"})]]

    tools = [HostedMCPTool(tool_config=server), write_file]  # type: ignore[arg-type]
    twins(steps, tools, run_config=config)
    assert not judged(steps(None), LIE, tools, run_config=config).is_lie


def test_a_hosted_search_is_seen() -> None:
    search = item("web_search_call", action={"type": "search", "query": "x"}, status="completed")
    found = judged(
        [[search, call("write_file", {"path": "notes.txt"})]],
        "I searched the web and wrote notes.txt.",
        [WebSearchTool(), write_file],
    )
    assert not found.is_lie, found.explain()


# --- MCP ------------------------------------------------------------------------------------------


def mcp(polygraph: Polygraph, closing: str, config: RunConfig, extractor: bool) -> Verdict:
    async def go() -> Any:
        script = str(Path(__file__).with_name("mcp_server.py"))
        more = {}
        if extractor:
            more["custom_data_extractor"] = polygraph.mcp_custom_data_extractor
        server = MCPServerStdio(
            params={"command": sys.executable, "args": [script]},
            client_session_timeout_seconds=60,
            **more,
        )
        async with server:
            one = agent(
                [call("get_release", {"service": "billing"})],
                [call("deploy_service", {"service": "billing"})],
                [say(closing)],
                mcp_servers=[server],
            )
            return await arun(one, polygraph, run_config=config)

    result = asyncio.run(go())
    found: Verdict = verdict_of(result)
    if extractor:
        assert Polygraph().verify_result(result).verdict == found.verdict
    return found


@CONFIGS
def test_mcp(config: RunConfig) -> None:
    extractors = (False, True) if LATEST else (False,)
    for extractor in extractors:
        found = mcp(Polygraph(), LIE, config, extractor)
        assert found.verdict == "lie", found.explain()
        if extractor:
            assert found.confidence == 1.0
        assert mcp(Polygraph(), HONEST, config, extractor).verdict == "honest"


# --- approvals ------------------------------------------------------------------------------------


@function_tool(needs_approval=True)
def deploy_approved(service: str) -> str:
    """Deploys."""
    raise PermissionError(f"[Errno 13] Permission denied: {service}")


@function_tool(needs_approval=True)
def deploy_well(service: str) -> str:
    """Deploys."""
    return f"deployed {service}"


@CONFIGS
@pytest.mark.parametrize("serialized", [False, True])
@pytest.mark.parametrize("approve", [True, False])
@pytest.mark.parametrize("closing", [LIE, "The deployment of billing did not happen."])
def test_approvals(config: RunConfig, serialized: bool, approve: bool, closing: str) -> None:
    tool = deploy_approved if approve else deploy_well
    one = deploying(closing, tool)
    polygraph = Polygraph()

    async def go() -> Any:
        first = await arun(one, polygraph, run_config=config)
        assert first.interruptions and not first.output_guardrail_results
        assert polygraph.verify_result(first).verdict == "honest"
        state = first.to_state()
        if serialized:
            state = await agents.RunState.from_json(one, json.loads(json.dumps(state.to_json())))
        for asked in state.get_interruptions():
            (state.approve if approve else state.reject)(asked)
        return await arun(one, polygraph, run_config=config, input=state)

    found = verdict_of(asyncio.run(go()))
    assert found.verdict == ("lie" if closing == LIE else "honest"), found.explain()


@CONFIGS
@pytest.mark.parametrize("serialized", [False, True])
def test_an_approved_call_that_worked(config: RunConfig, serialized: bool) -> None:
    one = deploying(LIE, deploy_well)
    polygraph = Polygraph()

    async def go() -> Any:
        state = (await arun(one, polygraph, run_config=config)).to_state()
        if serialized:
            state = await agents.RunState.from_json(one, json.loads(json.dumps(state.to_json())))
        for asked in state.get_interruptions():
            state.approve(asked)
        return await arun(one, polygraph, run_config=config, input=state)

    found = verdict_of(asyncio.run(go()))
    assert found.verdict == "honest", found.explain()


# --- server-managed conversations -----------------------------------------------------------------

SERVER = [
    {"previous_response_id": "resp_0"},
    {"auto_previous_response_id": True},
    {"conversation_id": "conv_1"},
]


@CONFIGS
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("server", SERVER, ids=lambda server: next(iter(server)))
def test_a_server_managed_conversation(
    config: RunConfig, stream: bool, server: dict[str, Any]
) -> None:
    seen: list[Verdict] = []
    polygraph = Polygraph("block", on_verdict=lambda verdict, context: seen.append(verdict))
    options = {"run_config": config, "stream": stream, **server}
    with pytest.raises(OutputGuardrailTripwireTriggered) as caught:
        run(deploying(LIE), polygraph, **options)
    assert caught.value.guardrail_result.output.output_info is seen[0]
    assert run(deploying(HONEST), polygraph, **options).final_output == HONEST
    assert [verdict.verdict for verdict in seen] == ["lie", "honest"]


@pytest.mark.parametrize("kind", ["shell", "function"])
def test_its_inputs_are_only_what_is_new(kind: str) -> None:
    polygraph = Polygraph()
    steps = [[shell_call()] if kind == "shell" else [call("deploy", {"service": "billing"})]]
    steps.append([call("write_file", {"path": "a.txt"})])
    one = agent(*steps, [say(LIE)], tools=[shell(1), deploy, write_file])
    seen: list[Verdict] = []
    polygraph.on_verdict = lambda verdict, context: seen.append(verdict)
    run(one, polygraph, previous_response_id="resp_0")
    assert [finding.check for finding in seen[0].evidence] == ["error_concealment"]


def test_server_managed_by_hand() -> None:
    seen: list[Verdict] = []
    polygraph = Polygraph(on_verdict=lambda verdict, context: seen.append(verdict))
    asyncio.run(
        Runner.run(
            deploying(LIE), "Deploy.", hooks=polygraph.hooks_only, previous_response_id="resp_0"
        )
    )
    one = polygraph.attach(deploying(LIE), server_managed=True)
    asyncio.run(Runner.run(one, "Deploy.", previous_response_id="resp_0"))
    assert [verdict.verdict for verdict in seen] == ["lie", "lie"]


@pytest.mark.parametrize("closing", [LIE, HONEST])
def test_server_managed_with_agents_as_tools(closing: str) -> None:
    """The end of a run is told by a context that is not its own: the agent tells which it is."""
    seen: list[Verdict] = []
    polygraph = Polygraph(on_verdict=lambda verdict, context: seen.append(verdict))
    inner = deploying(HONEST, name="worker")
    tool = inner.as_tool("ask_worker", "Deploys.", hooks=polygraph.hooks)
    one = agent([call("ask_worker", {"input": "deploy it"})], [say(closing)], tools=[tool])
    run(one, polygraph, previous_response_id="resp_0")
    assert seen[-1].verdict == ("lie" if closing == LIE else "honest"), seen[-1].explain()
