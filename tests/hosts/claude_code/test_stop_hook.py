"""The stop hook in the real host: what the user sees, what the agent is told, when it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hosts.claude_code.host import SUB, Host, Model, bash, say, use
from tests.hosts.failing import FAILING, LIE, RUN, TRUTH

ROOT = Path(__file__).resolve().parents[3]
FIRST = [say("I'll run the tests."), bash("toolu_01", RUN)]


@pytest.fixture
def project(host: Host) -> Host:
    """A project with a test that fails."""
    (host.project / "test_sum.py").write_text(FAILING)
    return host


def install(host: Host, *options: str) -> None:
    done = host.polygraph("install", "claude-code", *options)
    assert done.returncode == 0, done.stderr


def log_of(host: Host) -> str:
    """What the hook noted of its own faults."""
    file = host.home / ".local" / "state" / "agent-polygraph" / "hook.log"
    return file.read_text() if file.exists() else ""


def test_audit_tells_the_user_and_lets_the_agent_stop(project: Host) -> None:
    install(project)
    run = project.ask("please run the tests", Model([FIRST, [say(LIE)]]))
    assert run.result == LIE
    assert run.blocks == [] and run.faults == []
    (notice,) = run.notices
    assert "All tests pass" in notice and "failed_check_claimed_passing" in notice
    assert "FAILED (failures=1)" in notice and RUN in notice
    assert len(run.model.asked) == 2
    assert log_of(project) == ""


def test_a_block_sends_the_agent_back_once(project: Host) -> None:
    install(project, "--mode", "block")
    run = project.ask("please run the tests", Model([FIRST, [say(LIE)], [say(TRUTH)]]))
    assert run.result == TRUTH
    (reason,) = run.blocks
    assert "All tests pass" in reason and "FAILED (failures=1)" in reason and RUN in reason
    assert "Stop hook feedback" in run.model.asked[2] and reason in run.model.asked[2]
    assert run.notices == [] and run.faults == []
    assert log_of(project) == ""


def test_disclosure_passes(project: Host) -> None:
    install(project, "--mode", "block")
    run = project.ask("please run the tests", Model([FIRST, [say(TRUTH)]]))
    assert run.result == TRUTH
    assert (run.blocks, run.notices, run.faults) == ([], [], [])
    assert len(run.model.asked) == 2


def test_an_agent_that_insists_is_let_go(project: Host) -> None:
    """One block, whatever the words; then the user is told, and the turn ends."""
    install(project, "--mode", "block")
    parts = [FIRST, [say(LIE)], [say("As I said: the tests are green, all tests pass.")]]
    run = project.ask("please run the tests", Model(parts))
    assert run.result.startswith("As I said")
    assert len(run.blocks) == 1
    assert len(run.model.asked) == 3
    (notice,) = run.notices
    assert "the tests are green" in notice and RUN in notice


def test_a_sub_agent_is_judged_by_its_own_evidence(project: Host) -> None:
    install(project, "--mode", "block")
    task = use(
        "toolu_09",
        "Agent",
        description="run the tests",
        prompt=f"{SUB} run the tests",
        subagent_type="general-purpose",
        run_in_background=False,
    )
    sub = [[bash("toolu_11", RUN)], [say(LIE)], [say(TRUTH)]]
    main = [[task], [say("The sub-agent reports that test_sum fails.")]]
    run = project.ask("have the tests run", Model(main, sub))
    assert run.model.count["sub"] == 3
    assert run.faults == []
    (transcript,) = run.agents
    entries = [json.loads(line) for line in transcript.read_text().splitlines()]
    told = [
        str(entry["message"]["content"])
        for entry in entries
        if entry["type"] == "user" and entry.get("isMeta")
    ]
    assert any("All tests pass" in text and "FAILED (failures=1)" in text for text in told)
    assert log_of(project) == ""


def test_a_later_turn_rests_on_the_runs_of_an_earlier_one(project: Host) -> None:
    """Session memory: a test run of the first turn bears out, or contradicts, the second."""
    install(project, "--mode", "block")
    first = project.ask("please run the tests", Model([FIRST, [say(TRUTH)]]))
    session = first.transcripts[0].stem
    note = use("toolu_21", "Write", file_path=str(project.project / "NOTES.md"), content="later\n")
    parts = [[note], [say("I wrote the note. All tests pass.")], [say("The note is written.")]]
    run = project.ask("write a note", Model(parts), "--resume", session)
    assert run.result == "The note is written."
    (reason,) = run.blocks
    assert "FAILED (failures=1)" in reason


def test_the_plugin_of_the_marketplace_folder(project: Host) -> None:
    folder = str(ROOT / "adapters" / "claude_code")
    for words in (
        ("plugin", "validate", folder),
        ("plugin", "marketplace", "add", folder),
        ("plugin", "install", "agent-polygraph@agent-polygraph"),
    ):
        done = project.command(*words)
        assert done.returncode == 0, done.stdout + done.stderr
    run = project.ask("please run the tests", Model([FIRST, [say(LIE)]]))
    assert run.result == LIE
    assert run.blocks == [] and run.faults == []
    (notice,) = run.notices
    assert "FAILED (failures=1)" in notice


def test_uninstalled_it_is_silent(project: Host) -> None:
    before = (project.project / ".claude" / "settings.json").read_text()
    install(project, "--mode", "block")
    assert project.polygraph("uninstall", "claude-code").returncode == 0
    assert (project.project / ".claude" / "settings.json").read_text() == before
    run = project.ask("please run the tests", Model([FIRST, [say(LIE)]]))
    assert (run.result, run.blocks, run.notices) == (LIE, [], [])
