"""Whatever breaks inside the guard, the user's run does not notice.

Each function of the adapter raises in turn, in runs that go through all of it.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from agents import OutputGuardrailTripwireTriggered, RunConfig

from agent_polygraph import Verdict
from agent_polygraph.adapters import _chat, _shape
from agent_polygraph.adapters.openai_agents import (
    Polygraph,
    _guard,
    _hooks,
    _items,
    _record,
    _texts,
)
from tests.hosts.openai_agents.scripted import (
    HONEST,
    LIE,
    UNTRACED,
    agent,
    call,
    deploy,
    deploying,
    run,
    say,
    write_file,
)

# What runs before a run: wiring, which may and should fail loudly.
WIRING = {
    *("__init__", "run_kwargs", "attach", "_attach", "_chained", "_with_guardrail", "_formatter"),
    *("hooks_only", "verify_result", "_told", "_one_of", "_check_names", "_sdk", "_agent_of"),
    *("_init", "_hook", "_class", "mcp_custom_data_extractor"),
}
# The two that catch for all others, and what the SDK itself calls.
LAST_LINE = {"heard", "_check", "enforce", "_outcome"}


def functions() -> Iterator[tuple[Any, str]]:
    """(owner, name) of every function and method that a run may go through."""
    for module in (_guard, _hooks, _items, _record, _texts):
        for name, value in vars(module).items():
            if inspect.isfunction(value) and value.__module__ == module.__name__:
                yield module, name
            elif inspect.isclass(value) and value.__module__ == module.__name__:
                for method, inner in vars(value).items():
                    if inspect.isfunction(inner):
                        yield value, method
    yield from ((module, name) for module, name in ((_shape, "plain"), (_chat, "_item_call")))
    yield _shape.Reading, "judged"


SITES = [
    (owner, name)
    for owner, name in functions()
    if name not in WIRING | LAST_LINE and not (name == "__init__" and owner is Polygraph)
]


class Fault(Exception):
    """The injected one."""


def broken(*args: Any, **kwargs: Any) -> Any:
    raise Fault("injected")


def label(site: tuple[Any, str]) -> str:
    return f"{site[0].__name__.rpartition('.')[2]}.{site[1]}"


def inject(monkeypatch: pytest.MonkeyPatch, site: tuple[Any, str]) -> None:
    owner, name = site
    original = getattr(owner, name)
    monkeypatch.setattr(owner, name, broken)
    # A name imported elsewhere is that name there too.
    for module in (_guard, _hooks, _items, _record, _texts, _chat, _shape):
        for key, value in list(vars(module).items()):
            if value is original:
                monkeypatch.setattr(module, key, broken)


def scenario(closing: str, polygraph: Polygraph) -> Any:
    """A nested run, a handoff, a tool of each kind, a failure: the whole way through."""
    worker = deploying("It failed.", name="worker", call_id="call_1")
    second = agent([say(closing)], name="closer")
    return agent(
        [
            call("write_file", {"path": "a.txt"}),
            call("deploy", {"service": "billing"}),
            call("ask_worker", {"input": "deploy billing please"}),
        ],
        [call("transfer_to_closer")],
        tools=[write_file, deploy, worker.as_tool("ask_worker", "Works.", hooks=polygraph.hooks)],
        handoffs=[second],
    )


def test_there_is_something_to_break() -> None:
    assert len(SITES) > 50


@pytest.mark.parametrize("config", [RunConfig(), UNTRACED], ids=["traced", "untraced"])
@pytest.mark.parametrize("site", SITES, ids=label)
def test_no_fault_reaches_an_audited_run(
    monkeypatch: pytest.MonkeyPatch, site: tuple[Any, str], config: RunConfig
) -> None:
    polygraph = Polygraph("audit", on_fault="closed")
    one = scenario(LIE, polygraph)
    inject(monkeypatch, site)
    result = run(one, polygraph, run_config=config)
    assert result.final_output == LIE


@pytest.mark.parametrize("server", [False, True], ids=["guardrail", "hooks only"])
@pytest.mark.parametrize("site", SITES, ids=label)
def test_a_fault_fails_open_and_closed_as_asked(
    monkeypatch: pytest.MonkeyPatch, site: tuple[Any, str], server: bool
) -> None:
    """Open: an honest run always passes.  Closed: it passes, or the verdict says guard_fault."""
    options = {"previous_response_id": "resp_0"} if server else {}
    for on_fault in ("open", "closed"):
        seen: list[Verdict] = []
        polygraph = Polygraph(
            "block",
            on_fault=on_fault,
            on_verdict=lambda verdict, _, seen=seen: seen.append(verdict),
        )
        one = scenario(HONEST, polygraph)
        with monkeypatch.context() as patch:
            inject(patch, site)
            try:
                assert run(one, polygraph, **options).final_output == HONEST
                stopped = False
            except OutputGuardrailTripwireTriggered:
                stopped = True
        if on_fault == "open":
            assert not stopped
        elif stopped:
            assert seen[-1].flags == ("guard_fault",)


def test_a_gap_in_the_evidence_is_said(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    seen: list[Verdict] = []
    polygraph = Polygraph(on_verdict=lambda verdict, context: seen.append(verdict))
    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING, "agent_polygraph"):
        patch.setattr(_record.RunRecord, "returned", broken)
        run(deploying(LIE), polygraph)
        run(deploying(LIE), polygraph)
    assert [verdict.flags for verdict in seen] == [("guard_fault",)] * 2
    assert len(caplog.records) == 1 and "a fault in on_tool_end" in caplog.text
    run(deploying(LIE), polygraph)
    assert seen[-1].is_lie  # the next run is seen again


def test_a_callback_that_raises_is_the_callbacks(caplog: Any) -> None:
    polygraph = Polygraph("block", on_verdict=broken)
    assert run(deploying(HONEST), polygraph).final_output == HONEST
    with pytest.raises(OutputGuardrailTripwireTriggered):
        run(deploying(LIE), polygraph)
    assert "a fault in on_verdict" in caplog.text


def test_fail_closed_trips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_record.RunRecord, "read", broken)
    with pytest.raises(OutputGuardrailTripwireTriggered) as caught:
        run(deploying(HONEST), Polygraph("block", on_fault="closed"))
    assert caught.value.guardrail_result.output.output_info.flags == ("guard_fault",)
