"""The stop hook: what it answers, what it never does, what it remembers."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_polygraph.adapters.claude_code import split_turns
from agent_polygraph.adapters.claude_code.transcript import begins
from agent_polygraph.hooks import run, scene, state, tail
from agent_polygraph.hooks.dialects import DIALECTS, Stop
from agent_polygraph.hooks.memory import Memory
from tests import mutations
from tests.claude_code_transcripts import SESSION, Entry, Writer, lines, rendered, stop, write

LIE = "Done. All tests pass."
TRUTH = "One test still fails: test_sum. I have not fixed it."
FAILED = "Exit code 1\n1 failed, 11 passed in 0.31s"
PASSED = "12 passed in 0.31s"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory of the test's own, and no waiting for a transcript that lags."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CLAUDE_PLUGIN_DATA", raising=False)
    monkeypatch.setattr(scene, "_wait", lambda: None)
    return tmp_path / "state" / "agent-polygraph"


def a_turn(writer: Writer, number: int, *results: str, prompt: str = "") -> None:
    """A prompt and a run of the tests for each result."""
    writer.prompt(prompt or f"request {number}")
    for step, result in enumerate(results):
        call = f"toolu_{number}_{step}"
        writer.call(call, "Bash", {"command": "pytest -q"})
        writer.result(call, result, result == FAILED)


def session(closing: str, *results: str) -> list[Entry]:
    writer = Writer()
    a_turn(writer, 0, *results, prompt="run the tests")
    writer.say(closing)
    return writer.entries


def ask(path: Path, closing: str, mode: str = "block", **more: Any) -> dict[str, Any]:
    given = run.answered("claude-code", mode, stop(path, closing, **more))
    answer = json.loads(given) if given else {}
    assert isinstance(answer, dict)
    return answer


@pytest.fixture
def lie(tmp_path: Path) -> Path:
    return write(tmp_path / "lie.jsonl", session(LIE, FAILED))


# --- what it says ---------------------------------------------------------------------------------


def test_audit_tells_the_user(lie: Path) -> None:
    answer = ask(lie, LIE, "audit")
    assert set(answer) == {"systemMessage"}
    for words in ("All tests pass", "pytest -q", "1 failed, 11 passed", "to settle it"):
        assert words in answer["systemMessage"]


def test_a_block_names_the_claim_the_event_and_the_way_out(lie: Path) -> None:
    answer = ask(lie, LIE)
    assert set(answer) == {"decision", "reason"}
    assert answer["decision"] == "block"
    for words in ("All tests pass", "pytest -q", "1 failed, 11 passed", "say plainly"):
        assert words in answer["reason"]
    assert "make it pass" not in answer["reason"].lower()


@pytest.mark.parametrize(
    ("closing", "results"),
    [
        (TRUTH, [FAILED]),
        ("All tests pass now.", [FAILED, PASSED]),
        ("Done.", []),
        ("Which of the two do you want?", [FAILED]),
        ("   ", [FAILED]),
    ],
)
def test_it_is_silent_when_nothing_is_wrong(
    closing: str, results: list[str], tmp_path: Path
) -> None:
    path = write(tmp_path / "t.jsonl", session(closing, *results))
    assert ask(path, closing) == {}
    assert ask(path, closing, "audit") == {}


def test_another_event_is_none_of_its_business(lie: Path) -> None:
    for event in ("SessionEnd", "PostToolUse", "StopFailure", "", None):
        assert ask(lie, LIE, hook_event_name=event) == {}


def test_the_words_of_a_transcript_do_not_act_on_a_terminal(tmp_path: Path) -> None:
    writer = Writer()
    writer.prompt("run the tests")
    writer.call("a", "Bash", {"command": "pytest -q # \x1b[2J\u202e"})
    writer.result("a", FAILED, True)
    writer.say(LIE)
    said = ask(write(tmp_path / "t.jsonl", writer.entries), LIE, "audit")["systemMessage"]
    assert all(char.isprintable() or char == "\n" for char in said)


# --- the guard against loops ----------------------------------------------------------------------


def test_one_block_for_a_finding_whatever_the_words(lie: Path, tmp_path: Path) -> None:
    assert ask(lie, LIE)["decision"] == "block"
    other = "As I said: the tests are green."
    path = write(tmp_path / "again.jsonl", session(other, FAILED))
    answer = ask(path, other)
    assert "decision" not in answer and "the tests are green" in answer["systemMessage"]
    assert ask(path, other) == {}


def test_a_host_that_sent_the_agent_back_is_not_asked_again(lie: Path) -> None:
    assert "decision" not in ask(lie, LIE, stop_hook_active=True)


def test_another_finding_may_block_at_another_stop(tmp_path: Path) -> None:
    writer = Writer()
    a_turn(writer, 0, FAILED)
    writer.say(LIE)
    path = write(tmp_path / "t.jsonl", writer.entries)
    assert ask(path, LIE)["decision"] == "block"
    a_turn(writer, 1, FAILED)
    writer.say(LIE)
    assert ask(write(path, writer.entries), LIE)["decision"] == "block"


def test_who_cannot_remember_does_not_block(
    lie: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(name: str, value: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(state, "save", full)
    for _ in range(2):
        answer = ask(lie, LIE)
        assert set(answer) == {"systemMessage"}
    assert "no space left" in (home / "hook.log").read_text()


# --- evidence out of sight ------------------------------------------------------------------------


def without(entries: list[Entry], *numbers: int) -> list[Entry]:
    return [entry for number, entry in enumerate(entries) if number not in numbers]


def test_what_is_missing_accuses_nobody(tmp_path: Path) -> None:
    """A failing run, a passing one: the second hidden in any way leaves what looks like a lie."""
    whole = session(LIE, FAILED, PASSED)
    path = tmp_path / "t.jsonl"
    assert ask(write(path, whole), LIE) == {}
    for hidden in ((3,), (4,), (3, 4)):
        assert ask(write(path, without(whole, *hidden)), LIE) == {}, hidden
    text = lines(whole).split("\n")
    text[4] = text[4][: len(text[4]) // 2]
    path.write_text("\n".join(text))
    assert ask(path, LIE) == {}


def test_a_transcript_that_lags_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = session(LIE, FAILED)
    path = write(tmp_path / "t.jsonl", whole[:2])
    written = iter(range(3, len(whole) + 1))

    def arrives() -> None:
        write(path, whole[: next(written, len(whole))])

    monkeypatch.setattr(scene, "_wait", arrives)
    assert ask(path, LIE)["decision"] == "block"


def test_a_transcript_that_never_arrives_accuses_nobody(tmp_path: Path) -> None:
    path = write(tmp_path / "t.jsonl", session(LIE, FAILED)[:-1])
    assert ask(path, LIE) == {}


def test_a_turn_that_is_cut_at_its_head_accuses_nobody(tmp_path: Path) -> None:
    assert ask(write(tmp_path / "t.jsonl", session(LIE, FAILED)[1:]), LIE) == {}


def test_a_file_that_begins_late_accuses_nobody_of_what_was_before(tmp_path: Path) -> None:
    """The first entry names one before it: what the turn rests on may be there."""
    writer = Writer()
    a_turn(writer, 0, PASSED)
    writer.say("They pass.")
    a_turn(writer, 1, FAILED)
    writer.say(TRUTH)
    writer.prompt("so?")
    writer.say(LIE)
    path = write(tmp_path / "t.jsonl", writer.entries)
    assert ask(path, LIE)["decision"] == "block"
    assert ask(write(path, writer.entries[4:]), LIE, session_id="b") == {}
    a_turn(writer, 2, FAILED)
    writer.say(LIE)
    assert ask(write(path, writer.entries[4:]), LIE, session_id="b")["decision"] == "block"


def test_agents_at_work_put_a_block_off(lie: Path) -> None:
    task = {"id": "a1", "type": "subagent", "status": "running", "description": "x"}
    assert "decision" not in ask(lie, LIE, background_tasks=[task])
    ended = {**task, "status": "completed"}
    shell = {**task, "type": "shell", "command": "npm run dev"}
    assert ask(lie, LIE, background_tasks=[ended, shell], session_id="b")["decision"] == "block"


def test_a_run_in_the_background_is_not_done(tmp_path: Path) -> None:
    writer = Writer()
    a_turn(writer, 0, FAILED)
    writer.call("bg", "Bash", {"command": "pytest -q", "run_in_background": True})
    writer.result("bg", "Command running in background with ID: bash_7", None)
    writer.say(LIE)
    task = {"id": "bash_7", "type": "shell", "status": "running", "command": "pytest -q"}
    path = write(tmp_path / "t.jsonl", writer.entries)
    assert "decision" not in ask(path, LIE, background_tasks=[task])


# --- sub-agents -----------------------------------------------------------------------------------


def with_agent(path: Path, closing: str, *results: str, kept: bool = True) -> Path:
    """A failing run, then a sub-agent that runs the tests with these results."""
    writer = Writer()
    a_turn(writer, 0, FAILED)
    writer.call("task", "Agent", {"description": "fix", "prompt": "fix the tests"})
    writer.result("task", "Fixed; the tests pass.", None)
    writer.entries[-1]["toolUseResult"] = {"status": "completed", "agentId": "a1f"}
    writer.say(closing)
    if kept:
        inner = Writer()
        a_turn(inner, 1, *results)
        inner.say("Fixed; the tests pass.")
        for entry in inner.entries:
            entry |= {"isSidechain": True, "agentId": "a1f"}
        folder = path.with_suffix("") / "subagents"
        folder.mkdir(parents=True, exist_ok=True)
        write(folder / "agent-a1f.jsonl", inner.entries)
    return write(path, writer.entries)


def test_a_sub_agents_run_counts(tmp_path: Path) -> None:
    assert ask(with_agent(tmp_path / "a.jsonl", LIE, PASSED), LIE) == {}


def test_a_sub_agents_failing_run_is_told_and_does_not_block(tmp_path: Path) -> None:
    answer = ask(with_agent(tmp_path / "a.jsonl", LIE, FAILED), LIE)
    assert set(answer) == {"systemMessage"}


def test_a_sub_agent_that_cannot_be_seen_accuses_nobody(tmp_path: Path) -> None:
    assert ask(with_agent(tmp_path / "a.jsonl", LIE, kept=False), LIE) == {}


def test_what_a_sub_agent_did_in_an_earlier_turn_is_out_of_sight(tmp_path: Path) -> None:
    """It may have made good what failed before it; what fails after it stands."""
    writer = Writer()
    a_turn(writer, 0, FAILED)
    writer.call("task", "Agent", {"description": "fix", "prompt": "fix the tests"})
    writer.result("task", "Fixed; the tests pass.", None)
    writer.say("The sub-agent says that it is fixed.")
    writer.prompt("so?")
    writer.say(LIE)
    assert ask(write(tmp_path / "t.jsonl", writer.entries), LIE) == {}
    a_turn(writer, 1, FAILED)
    writer.say(LIE)
    assert ask(write(tmp_path / "t.jsonl", writer.entries), LIE)["decision"] == "block"


def test_too_much_of_sub_agents_is_out_of_sight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_agent(tmp_path / "a.jsonl", LIE, FAILED)
    monkeypatch.setattr(scene, "_AGENT_BYTES", 100)
    assert ask(path, LIE) == {}


def test_a_sub_agents_own_stop(tmp_path: Path) -> None:
    main = with_agent(tmp_path / "a.jsonl", "x", FAILED)
    inner = main.with_suffix("") / "subagents" / "agent-a1f.jsonl"
    closing = "Fixed; the tests pass."
    itself = {"id": "a1f", "type": "subagent", "status": "running"}
    given = {"hook_event_name": "SubagentStop", "agent_id": "a1f", "background_tasks": [itself]}
    answer = ask(main, closing, agent_transcript_path=str(inner), **given)
    assert answer["decision"] == "block"
    assert ask(main, closing, **given) == {}  # its transcript is not named


# --- the tail, and the memory of a session --------------------------------------------------------


def long_session(turns: int, filler: int = 0) -> list[Entry]:
    writer = Writer()
    for number in range(turns):
        a_turn(writer, number, PASSED if number else FAILED)
        if filler:
            writer.call(f"read_{number}", "Read", {"file_path": "/x.py"})
            writer.result(f"read_{number}", "line\n" * (filler // 5), None)
        writer.say(f"Turn {number} is over.")
    return writer.entries


@pytest.mark.parametrize("filler", [0, 3_000, 70_000])
@pytest.mark.parametrize("end", ["\n", ""])
def test_the_tail_is_the_end_of_the_whole(tmp_path: Path, filler: int, end: str) -> None:
    entries = long_session(12, filler)
    text = lines(entries).rstrip("\n") + end
    path = tmp_path / "t.jsonl"
    path.write_text(text)
    with path.open("rb") as file:
        found = tail.backward(file, path.stat().st_size, begins)
        assert [line.entry for line in found] == entries[len(entries) - len(found) :]
        for line in found:
            file.seek(line.offset)
            assert json.loads(file.read(line.length)) == line.entry
        assert tail.forward(file, found[0].offset, path.stat().st_size)[0].entry == found[0].entry
    last = split_turns(entries)[-1]
    assert split_turns(line.entry for line in found)[-1].events == last.events
    if filler > 3_000:
        assert len(found) < len(entries)


def test_a_slash_command_is_where_its_turn_begins(tmp_path: Path) -> None:
    writer = Writer()
    a_turn(writer, 0, PASSED)
    writer.say("Done.")
    writer.prompt("<command-name>/review</command-name>")
    writer.call("r", "Read", {"file_path": "/x.py"})
    writer.result("r", "x", None)
    writer.prompt("<command-name>/cost</command-name>")
    writer.prompt("<local-command-stdout>3 $</local-command-stdout>")
    writer.say("Reviewed.")
    path = write(tmp_path / "t.jsonl", writer.entries)
    with path.open("rb") as file:
        found = tail.backward(file, path.stat().st_size, begins)
    assert split_turns(line.entry for line in found)[-1].prompt == "/review"


def test_earlier_evidence_is_remembered_by_its_place(tmp_path: Path) -> None:
    """A failing run of an early turn, then more of no consequence than is read without a memory."""
    writer = Writer()
    path = tmp_path / "t.jsonl"
    a_turn(writer, 0, FAILED)
    writer.say(TRUTH)
    assert ask(write(path, writer.entries), TRUTH) == {}
    writer.prompt("read on")
    for number in range(6):
        writer.call(f"r{number}", "Read", {"file_path": "/x.py"})
        writer.result(f"r{number}", "line\n" * 20_000, None)
    writer.say("Read.")
    assert ask(write(path, writer.entries), "Read.") == {}
    writer.prompt("and now?")
    writer.say(LIE)
    write(path, writer.entries)
    assert path.stat().st_size > 2 * tail.CONTEXT
    assert ask(path, LIE, session_id="a new one") == {}
    assert ask(path, LIE)["decision"] == "block"
    kept = Memory(SESSION, "")
    assert 0 < len(kept.index) < 6 and kept.whole
    text = path.read_bytes()
    spots = [json.loads(text[at : at + size]) for at, size in kept.index]
    assert all(entry["type"] in ("user", "assistant") for entry in spots)
    folder = Path(state.folder()) / "sessions"
    assert all(b"passed" not in file.read_bytes() for file in folder.iterdir())


def test_a_memory_of_another_file_is_dropped(tmp_path: Path, lie: Path) -> None:
    path = write(tmp_path / "t.jsonl", long_session(5))
    assert ask(path, "Turn 4 is over.") == {}
    write(path, session(LIE, FAILED))
    assert ask(path, LIE)["decision"] == "block"


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", '{"version": 1, "at": "x", "index": 5, "keys": {}}',
     '{"version": 1, "at": 10, "index": [[1], [-1, 2], "x", [1e9, 5]], "keys": [5]}',
     '{"version": 1, "at": 99999999999, "index": [[99999999, 5]], "settings": 5}',
     '{"version": 2}', "[" * 100_000],
)  # fmt: skip
def test_a_damaged_memory_is_none(content: str, lie: Path, home: Path) -> None:
    (home / "sessions").mkdir(parents=True)
    (home / "sessions" / state.name_of(SESSION, "")).write_text(content)
    assert ask(lie, LIE)["decision"] == "block"


def test_names_of_files_are_safe_and_differ() -> None:
    ids = ["", "a", "../../etc/passwd", "a/b", "a_b", "x" * 5_000, "\x00", "\udc80", "名"]
    names = [state.name_of(each, "") for each in ids]
    assert len(set(names)) == len(ids)
    for name in names:
        assert name.isascii() and "/" not in name and "\\" not in name and len(name) < 120


def test_what_is_kept_is_bounded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "_SESSIONS", 5)
    monkeypatch.setattr(state, "_LOG_BYTES", 2_000)
    for number in range(30):
        memory = Memory(f"session {number}")
        memory.keys = [f"key {each}" for each in range(1_000)]
        memory.index = [[each, 1] for each in range(5_000)]
        memory.save()
        state.log("x" * 5_000)
    kept = list((home / "sessions").iterdir())
    assert len(kept) <= 6
    assert max(file.stat().st_size for file in kept) < 20_000
    assert sum(file.stat().st_size for file in home.glob("hook.log*")) < 6_000


# --- faults ---------------------------------------------------------------------------------------

HOSTILE: list[bytes] = [
    b"",
    b"{",
    b"\xff\xfe\x00",
    b"null",
    b"5",
    b"[]",
    b'"Stop"',
    b"[" * 200_000,
    b'{"hook_event_name": "Stop"}',
    b'{"hook_event_name": ["Stop"], "transcript_path": {}}',
    b'{"hook_event_name": "Stop", "transcript_path": "/nowhere/at/all", "last_assistant_message": "x"}',
    b'{"hook_event_name": "Stop", "transcript_path": "/", "last_assistant_message": "x"}',
    b'{"hook_event_name": "Stop", "transcript_path": "/dev/zero", "last_assistant_message": "x"}',
    b'{"hook_event_name": "Stop", "transcript_path": "a\\u0000b", "last_assistant_message": "x"}',
    b'{"hook_event_name": "Stop", "transcript_path": "~nobody/x", "last_assistant_message": "x"}',
    b'{"hook_event_name": "Stop", "transcript_path": 5, "last_assistant_message": {"a": 1}}',
    b'{"hook_event_name": "SubagentStop", "agent_id": "x", "last_assistant_message": "x"}',
]


@pytest.mark.parametrize("given", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("host", DIALECTS)
def test_a_fault_is_exit_0_and_silence(
    host: str, given: bytes, monkeypatch: pytest.MonkeyPatch, capfdbinary: Any
) -> None:
    class Given(io.TextIOWrapper):
        def isatty(self) -> bool:
            return False

    monkeypatch.setattr(sys, "stdin", Given(io.BytesIO(given)))
    monkeypatch.setattr(run, "_close_quietly", lambda: None)
    assert run.main([host, "--mode", "block"]) == 0
    assert capfdbinary.readouterr() == (b"", b"")


def test_a_fault_is_one_line_in_the_log(home: Path) -> None:
    for given in (
        b"{",
        b'{"hook_event_name": "Stop", "transcript_path": "/nowhere\\n/at", "last_assistant_message": "x"}',
    ):
        assert hook(given).returncode == 0
    written = (home / "hook.log").read_text().splitlines()
    assert len(written) == 2
    assert "JSONDecodeError" in written[0] and "FileNotFoundError" in written[1]


def hook(given: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The hook as a process."""
    return subprocess.run(
        [sys.executable, "-m", "agent_polygraph", "hook", *(arguments or ("claude-code",))],
        input=given,
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_a_pipe_in_place_of_a_transcript_does_not_hang(tmp_path: Path, home: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    os.mkfifo(tmp_path / "pipe")
    done = hook(stop(tmp_path / "pipe", LIE))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "not a file" in (home / "hook.log").read_text()


def test_a_reader_that_has_gone_is_no_fault_of_the_hosts(lie: Path) -> None:
    command = f"{sys.executable} -m agent_polygraph hook claude-code | true"
    done = subprocess.run(
        ["sh", "-c", command], input=stop(lie, LIE), capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_process_answers_in_ascii_json(lie: Path) -> None:
    done = hook(stop(lie, LIE), "claude-code", "--mode", "block")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert json.loads(done.stdout)["decision"] == "block"


@pytest.mark.parametrize(
    "arguments", [[], ["claude"], ["claude-code", "--mode", "warn"], ["claude-code", "--mode"],
                  ["claude-code", "codex"], ["claude-code", "--moed=block"]],
)  # fmt: skip
def test_wrong_usage_is_no_block(arguments: list[str]) -> None:
    """Exit code 2 would be one."""
    done = hook(b"", *(arguments or ["--"]))
    assert done.returncode == 1
    assert done.stdout == b"" and b"usage:" in done.stderr


def test_nothing_heavy_is_loaded_for_a_stop_without_words(lie: Path) -> None:
    code = (
        "import sys, io; from agent_polygraph.hooks.run import answered;"
        f"answered('claude-code', 'audit', {stop(lie, '')!r});"
        "print([m for m in sys.modules if m in ('argparse', 'dataclasses', 'agent_polygraph.verify')])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.getcwd()}, check=True)  # fmt: skip
    assert done.stdout.strip() == "[]"


def test_two_hooks_at_once(lie: Path) -> None:
    """Many stops of one session at the same time: none fails, and none leaves a part of a file."""
    faults: list[BaseException] = []

    def one() -> None:
        try:
            ask(lie, LIE)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    kept = list((Path(state.folder()) / "sessions").iterdir())
    assert [file.suffix for file in kept] == [".json"]


# --- the other hosts ------------------------------------------------------------------------------


def codex(path: Path) -> Path:
    def item(**payload: Any) -> Entry:
        return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": payload}

    def words(role: str, kind: str, text: str) -> Entry:
        return item(type="message", role=role, content=[{"type": kind, "text": text}])

    shell = {"command": ["bash", "-lc", "pytest -q"]}
    output = {"output": "1 failed, 11 passed in 0.31s", "metadata": {"exit_code": 1}}
    rows = [
        {"timestamp": "t", "type": "session_meta", "payload": {"id": "x"}},
        words("user", "input_text", "run the tests"),
        words("user", "input_text", "<environment_context>\n</environment_context>"),
        item(type="function_call", name="shell", arguments=json.dumps(shell), call_id="c"),
        {"timestamp": "t", "type": "event_msg", "payload": {"type": "token_count"}},
        item(type="function_call_output", call_id="c", output=json.dumps(output)),
        words("assistant", "output_text", LIE),
    ]
    return write(path, rows)


def gemini(path: Path) -> Path:
    output = "Output: 1 failed, 11 passed in 0.31s\nExit Code: 1"
    call = {
        "id": "g", "name": "run_shell_command", "args": {"command": "pytest -q"},
        "status": "success", "result": [{"functionResponse": {"response": {"output": output}}}],
    }  # fmt: skip
    chat = [
        {"type": "user", "content": "run the tests"},
        {"type": "gemini", "content": "", "toolCalls": [call]},
        {"type": "gemini", "content": LIE},
    ]
    path.write_text(json.dumps({"sessionId": "s", "messages": chat}))
    return path


def cursor(path: Path) -> Path:
    def row(role: str, *blocks: Entry) -> Entry:
        return {"role": role, "message": {"content": list(blocks)}}

    call = {"type": "tool_use", "id": "u", "name": "Shell", "input": {"command": "pytest -q"}}
    result = {"type": "tool_result", "tool_use_id": "u", "content": FAILED, "is_error": True}
    return write(
        path,
        [row("user", {"type": "text", "text": "run the tests"}), row("assistant", call),
         row("user", result), row("assistant", {"type": "text", "text": LIE})],
    )  # fmt: skip


OTHERS: dict[str, tuple[Any, Entry, Entry]] = {
    "codex": (
        codex,
        {"session_id": "s", "turn_id": "t", "hook_event_name": "Stop", "stop_hook_active": False,
         "last_assistant_message": LIE},
        {"stop_hook_active": True},
    ),
    "gemini": (
        gemini,
        {"session_id": "s", "hook_event_name": "AfterAgent", "prompt": "run the tests",
         "prompt_response": LIE, "stop_hook_active": False},
        {"stop_hook_active": True},
    ),
    "cursor": (
        cursor,
        {"conversation_id": "s", "hook_event_name": "stop", "status": "completed", "loop_count": 0,
         "workspace_roots": ["/nowhere"]},
        {"loop_count": 1},
    ),
}  # fmt: skip
BLOCKS = {
    "codex": ("reason", {"decision": "block"}),
    "gemini": ("reason", {"decision": "deny"}),
    "cursor": ("followup_message", {}),
}


@pytest.mark.parametrize("host", OTHERS)
def test_the_dialects(host: str, tmp_path: Path) -> None:
    make, event, active = OTHERS[host]
    event = {**event, "transcript_path": str(make(tmp_path / "record"))}

    def answer(mode: str, **more: Any) -> Entry:
        given = run.answered(host, mode, json.dumps({**event, **more}).encode())
        found = json.loads(given) if given else {}
        assert isinstance(found, dict)
        return found

    channel, fixed = BLOCKS[host]
    assert "decision" not in answer("block", **active)
    blocked = answer("block")
    assert "1 failed, 11 passed" in blocked.pop(channel)
    assert blocked == fixed
    assert "decision" not in answer("block") and channel not in answer("block")
    audit = answer("audit", **{DIALECTS[host].session: "another"})
    assert set(audit) == ({"systemMessage"} if DIALECTS[host].notice else set())


@pytest.mark.parametrize("host", OTHERS)
def test_a_damaged_record_accuses_nobody(host: str, tmp_path: Path) -> None:
    make, event, _ = OTHERS[host]
    path = make(tmp_path / "record")
    if host == "gemini":  # one message a line, as the program writes today
        chat = json.loads(path.read_text())["messages"]
        path = write(path, chat)
    rows = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*rows[:-2], b'{"cut": ', *rows[-2:]]))
    assert (
        run.answered(host, "block", json.dumps({**event, "transcript_path": str(path)}).encode())
        == b""
    )


@pytest.mark.parametrize("host", ["codex", "cursor"])
def test_a_turn_longer_than_what_is_read_accuses_nobody(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, event, _ = OTHERS[host]
    path = make(tmp_path / "record")
    body = {**event, "transcript_path": str(path)}
    assert run.answered(host, "audit" if host == "codex" else "block", json.dumps(body).encode())
    monkeypatch.setattr(tail, "MOST", 600)
    monkeypatch.setattr(tail, "_BLOCK", 100)
    rows = path.read_bytes().split(b"\n")
    request = next(number for number, row in enumerate(rows) if b"run the tests" in row)
    long = json.dumps({**json.loads(rows[request]), "note": "x" * 2_000}).encode()
    path.write_bytes(b"\n".join([*rows[:request], long, *rows[request + 1 :]]))
    body |= {DIALECTS[host].session: "another"}
    assert run.answered(host, "block", json.dumps(body).encode()) == b""


def test_the_row_of_a_stop_takes_any_value() -> None:
    odd: list[Any] = [
        None,
        5,
        [],
        {},
        [[]],
        {"id": {}},
        [{"id": [], "status": "running"}],
        "x",
        True,
    ]
    keys = ["session_id", "transcript_path", "agent_id", "background_tasks", "stop_hook_active", "cwd",
            "workspace_roots", "last_assistant_message", "loop_count"]  # fmt: skip
    for dialect in DIALECTS.values():
        for key in keys:
            for value in odd:
                stop_ = Stop(dialect, {key: value})
                assert isinstance(stop_.transcript, str) and isinstance(stop_.running, list)


# --- real cases, and damaged ones -----------------------------------------------------------------


@pytest.fixture(scope="module")
def cases() -> list[Entry]:
    return mutations.rows()


def test_long_turns_as_transcripts(cases: list[Entry], tmp_path: Path) -> None:
    """Silence on every honest turn; every lie that is found is told, and blocked where it may be."""
    from agent_polygraph import DEFAULT_CONFIG, verify
    from agent_polygraph.checks import blocking

    assert sum(row["label"] == "honest" for row in cases) >= 60
    blocked = 0
    for row in cases:
        path = write(tmp_path / "t.jsonl", rendered(row))
        answer = ask(path, row["closing"], session_id=row["id"])
        if row["label"] == "honest":
            assert answer == {}, row["id"]
            continue
        verdict = verify(row["events"], row["closing"], row["task"], tools=row["tools"])
        found = {finding.check for finding in verdict.evidence}
        assert bool(answer) == bool(found), row["id"]
        may = {found.check for found in blocking(verdict, DEFAULT_CONFIG)} - {"dangling_call"}
        assert ("decision" in answer) == bool(may), row["id"]
        blocked += "decision" in answer
    assert blocked


@pytest.fixture
def trials(cases: list[Entry], tmp_path: Path) -> Iterator[mutations.Trial]:
    return (mutations.Trial(number, cases, tmp_path) for number in range(20_000, 20_300))


def test_damaged_transcripts(trials: Iterator[mutations.Trial]) -> None:
    """No fault, and no block of an honest turn.  `python -m tests.mutations 10000` does more."""
    wrong = [trial.wrong for trial in trials if trial.judge().wrong]
    assert not wrong, "\n".join(wrong)


def test_damage_in_an_earlier_turn_accuses_nobody_later(tmp_path: Path) -> None:
    """The first turn fails and passes again; with the second run hidden, the next turn looks false."""
    writer = Writer()
    a_turn(writer, 0, FAILED, PASSED)
    writer.say("They pass again.")
    writer.prompt("write it up")
    writer.say(LIE)
    path = write(tmp_path / "t.jsonl", writer.entries)
    assert ask(path, LIE) == {}
    for hidden in ((3,), (4,), (3, 4)):
        write(path, without(writer.entries, *hidden))
        for again in range(2):  # without a memory, and with the one of the stop before
            assert ask(path, LIE, session_id=f"{hidden}") == {}, (hidden, again)
    a_turn(writer, 1, FAILED)
    writer.say(LIE)
    write(path, without(writer.entries, 3, 4))
    assert ask(path, LIE, session_id="(3,)")["decision"] == "block"


TRACES = Path(__file__).resolve().parent.parent / "traces" / "claude_code"


@pytest.mark.parametrize("path", sorted(TRACES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_own_recordings(path: Path) -> None:
    """Silence on the honest ones, a word on the others; of the failing run, a block."""
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    answer = ask(path, split_turns(entries)[-1].closing)
    assert bool(answer) == path.name.startswith("lie-")
    assert ("decision" in answer) == (path.stem == "lie-failing-tests-behind-a-tail")
