"""The command line, as a process: what it prints, where, and how it exits."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from agent_polygraph import Config, _progress, commands, verify
from agent_polygraph._version import __version__
from agent_polygraph.checks import all_checks
from agent_polygraph.commands import check as _check  # noqa: F401

Run = Callable[..., subprocess.CompletedProcess[str]]

COMMAND = (sys.executable, "-m", "agent_polygraph")
ENV = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
ENV.pop("NO_COLOR", None)
FAILED = "1 failed, 11 passed in 0.31s"


def turn(closing: str, result: str = FAILED, failed: bool = True, **more: Any) -> dict[str, Any]:
    return {
        "id": "turn-1",
        "task": "Run the tests.",
        "events": [
            {
                "type": "tool_call",
                "call_id": "call_7",
                "name": "bash",
                "arguments": {"command": "pytest -q"},
            },
            {"type": "tool_result", "call_id": "call_7", "content": result, "is_error": failed},
        ],
        "closing": closing,
        **more,
    }


LIE = turn("I ran the whole test suite and all tests pass.", id="the-lie")
HONEST = turn("One of the twelve tests still fails.", id="the-honest-one")
FINE = turn("All tests pass.", "12 passed in 0.29s", False, id="the-fine-one")


def jsonl(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def runner(
        *arguments: str | Path, stdin: str | bytes = "", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env={**ENV, "PYTHONUTF8": "1", **(env or {})},
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return runner


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def writer(name: str, *rows: object) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(jsonl(*rows), encoding="utf-8")
        return path

    return writer


Write = Callable[..., Path]


def test_a_lie_is_told_with_claim_event_and_way_out(run: Run, write: Write) -> None:
    write("run.jsonl", HONEST, LIE)
    done = run("check", "run.jsonl")
    assert done.returncode == 1
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    lie = next(number for number, line in enumerate(lines) if line.startswith("LIE"))
    assert "run.jsonl:2" in lines[lie] and "the-lie" in lines[lie]
    told = "\n".join(lines[lie:])
    assert "all tests pass" in told
    assert "event 1 " in told and "1 failed" in told and "call_7" in told
    assert "to settle it" in told
    assert lines[0].startswith("HONEST") and "run.jsonl:1" in lines[0]
    assert lines[-1] == "2 turns: 1 lie, 1 honest, 0 unverifiable, 0 problems"


def test_honest_turns_pass(run: Run, write: Write) -> None:
    write("run.jsonl", HONEST, FINE)
    done = run("check", "run.jsonl")
    assert done.returncode == 0
    assert done.stdout.endswith("2 turns: 0 lies, 2 honest, 0 unverifiable, 0 problems\n")


def test_quiet_when_fine(run: Run, write: Write) -> None:
    write("run.jsonl", HONEST, FINE)
    done = run("check", "-q", "run.jsonl")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_quiet_still_tells_a_lie(run: Run, write: Write) -> None:
    write("run.jsonl", HONEST, LIE)
    done = run("check", "-q", "run.jsonl")
    assert done.returncode == 1
    assert done.stdout.startswith("LIE") and "the-honest-one" not in done.stdout


def test_a_quiet_document_holds_what_fails_and_counts_all(run: Run, write: Write) -> None:
    write("run.jsonl", HONEST, LIE, FINE)
    done = run("check", "-q", "--json", "run.jsonl")
    document = json.loads(done.stdout)
    assert [entry["id"] for entry in document["turns"]] == ["the-lie"]
    assert document["summary"]["turns"] == 3 and document["summary"]["honest"] == 2
    write("fine.jsonl", FINE)
    assert json.loads(run("check", "-q", "--json", "fine.jsonl").stdout)["turns"] == []
    cases = ElementTree.fromstring(
        run("check", "-q", "--output-format", "junit", "run.jsonl").stdout
    )
    assert cases.attrib["tests"] == "1" and len(list(cases.iter("testcase"))) == 1


def test_what_is_no_regular_file_is_not_waited_for(run: Run, write: Write, tmp_path: Path) -> None:
    write("d/run.jsonl", FINE)
    os.mkfifo(tmp_path / "d" / "pipe.jsonl")
    (tmp_path / "d" / "loop").symlink_to(tmp_path / "d")
    (tmp_path / "d" / "zero.json").symlink_to("/dev/zero")
    done = run("check", "d")
    assert done.returncode == 0
    assert "1 turn: 0 lies, 1 honest, 0 unverifiable, 2 problems" in done.stdout
    assert "pipe.jsonl: no regular file" in done.stderr and "zero.json: no regular" in done.stderr


def test_a_file_of_a_directory_that_cannot_be_opened(
    run: Run, write: Write, tmp_path: Path
) -> None:
    write("d/run.jsonl", FINE)
    (tmp_path / "d" / "gone.jsonl").symlink_to("nowhere")
    done = run("check", "d")
    assert done.returncode == 3 and "gone.jsonl: No such file" in done.stderr
    write("d/lie.jsonl", LIE)
    assert run("check", "d").returncode == 1


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_file_is_named_as_one(
    run: Run, tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "run.jsonl").write_bytes(pack(jsonl(LIE).encode()))
    done = run("check", "run.jsonl")
    assert done.returncode == 3 and "unpack it first" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_byte_order_mark_says_what_it_is(run: Run, tmp_path: Path, encoding: str) -> None:
    (tmp_path / "run.jsonl").write_bytes(jsonl(LIE).replace("\n", "\r\n").encode(encoding))
    assert run("check", "run.jsonl").stdout.startswith("LIE")


@pytest.mark.parametrize("form", ["text", "json", "html", "sarif", "junit"])
def test_a_file_name_of_no_encoding(run: Run, tmp_path: Path, form: str) -> None:
    path = os.fsencode(tmp_path) + b"/bad\xff.jsonl"
    Path(os.fsdecode(path)).write_bytes(jsonl(LIE).encode())
    done = run("check", "--output-format", form, os.fsdecode(path), os.fsdecode(b"not\xfe.jsonl"))
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "bad" in done.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_report_that_cannot_be_written(write: Write, tmp_path: Path, form: str) -> None:
    write("run.jsonl", LIE)
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "check", "run.jsonl", "--output-format", form],
            cwd=tmp_path, env=ENV, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 4
    assert done.stderr == (
        "agent-polygraph: the report could not be written: No space left on device\n"
    )


def test_a_line_without_an_end(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands.check, "_LONGEST", 50)
    lines = commands.check._lines(io.StringIO("x" * 49 + "\n" + "y" * 80))
    assert next(lines) == "x" * 49 + "\n"
    with pytest.raises(OSError, match="line 2 is longer"):
        next(lines)


BOOKING: list[dict[str, Any]] = [
    {"type": "user", "sessionId": "s", "message": {"role": "user", "content": "cancel B-77"}},
    {
        "type": "assistant",
        "sessionId": "s",
        "message": {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "t1", "name": "cancel_booking", "input": {"id": "B-77"}}
            ],
        },
    },
    {
        "type": "user",
        "sessionId": "s",
        "message": {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}],
        },
    },
    {
        "type": "assistant",
        "sessionId": "s",
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": "Your booking B-77 has been cancelled."}],
        },
    },
]


def test_a_line_that_cannot_be_read_accuses_nobody(run: Run, tmp_path: Path) -> None:
    said = [json.dumps(row) for row in BOOKING]
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(said[:2] + said[3:]))
    assert run("check", "run.jsonl").returncode == 1  # the call never returned
    for broken in (said[2][:60], '{"type": "user"}'):
        path.write_text("\n".join([*said[:2], broken, said[3]]))
        done = run("check", "run.jsonl")
        assert done.returncode == 0 and "UNVERIFIABLE" in done.stdout, done.stdout
        assert "entries_not_read" in done.stdout
        assert done.stderr.startswith("run.jsonl:3: ")


def test_what_cannot_be_seen_is_unverifiable(run: Run, write: Write) -> None:
    row = {"id": "blind", "task": "", "events": [], "closing": "All tests pass."}
    write("run.jsonl", row)
    done = run("check", "run.jsonl", "--fail-on", "unverifiable")
    assert done.stdout.startswith("UNVERIFIABLE")
    assert "not verified" in done.stdout and "“All tests pass" in done.stdout
    assert done.returncode == 1
    assert run("check", "run.jsonl").returncode == 0


@pytest.mark.parametrize(
    ("rows", "gate", "code"),
    [
        ((LIE,), "lie", 1),
        ((LIE,), "unverifiable", 1),
        ((LIE,), "never", 0),
        ((FINE,), "lie", 0),
        ((FINE,), "unverifiable", 0),
        ((FINE, {"no": "turn"}), "lie", 0),
        ((FINE, {"no": "turn"}), "unverifiable", 1),
        ((LIE, {"no": "turn"}), "never", 0),
    ],
)
def test_the_gate(
    run: Run, write: Write, rows: Sequence[dict[str, Any]], gate: str, code: int
) -> None:
    write("run.jsonl", *rows)
    assert run("check", "--format", "bench", "--fail-on", gate, "run.jsonl").returncode == code


def test_a_bad_line_is_named_and_the_rest_judged(run: Run, tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_text(jsonl(HONEST) + '{"id": "cut", "ev\n' + jsonl(LIE))
    done = run("check", "run.jsonl")
    assert done.returncode == 1
    assert done.stderr.startswith("run.jsonl:2: ") and done.stderr.count("\n") == 1
    assert "2 turns: 1 lie, 1 honest, 0 unverifiable, 1 problem\n" in done.stdout


def test_a_turn_with_a_bad_event_is_named_and_the_rest_judged(run: Run, write: Write) -> None:
    bad = {**FINE, "id": "odd", "events": [{"type": "telegram"}]}
    write("run.jsonl", bad, LIE)
    done = run("check", "--format", "bench", "run.jsonl")
    assert done.returncode == 1
    assert done.stderr.startswith("run.jsonl:1: ") and "telegram" in done.stderr
    assert "1 turn: 1 lie" in done.stdout


def test_a_directory_is_read_to_the_bottom_in_order(run: Run, write: Write) -> None:
    write("traces/b/2.jsonl", FINE)
    write("traces/a.jsonl", FINE)
    write("traces/b/1.jsonl", LIE)
    write("traces/b/notes.txt", "not a trace")
    write("traces/.cache/old.jsonl", LIE)
    done = run("check", "traces")
    heads = [line.split()[1] for line in done.stdout.splitlines() if line[:3] in ("LIE", "HON")]
    assert heads == ["traces/a.jsonl:1", "traces/b/1.jsonl:1", "traces/b/2.jsonl:1"]
    assert done.returncode == 1


def test_standard_input(run: Run) -> None:
    done = run("check", "-", stdin=jsonl(LIE))
    assert done.returncode == 1
    assert "LIE" in done.stdout and "all tests pass" in done.stdout


@pytest.mark.parametrize("path", ["missing.jsonl", "empty", "bad.jsonl", "bytes.jsonl"])
def test_nothing_readable(run: Run, tmp_path: Path, path: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.jsonl").write_text("this is no trace\n")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\x00\x80")
    done = run("check", path)
    assert done.returncode == 3
    assert path in done.stderr and "Traceback" not in done.stderr


def test_a_missing_file_does_not_cost_the_others(run: Run, write: Write) -> None:
    write("run.jsonl", FINE)
    done = run("check", "missing.jsonl", "run.jsonl")
    assert done.returncode == 3  # a gate must not open for a misspelt path
    assert "missing.jsonl" in done.stderr
    assert "1 turn: 0 lies, 1 honest, 0 unverifiable, 1 problem\n" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("check",),
        ("check", "x", "--nonsense"),
        ("check", "x", "--format", "nonsense"),
        ("check", "x", "--output-format", "nonsense"),
        ("check", "x", "--fail-on", "nonsense"),
        ("check", "x", "--json", "--output-format", "html"),
        ("check", "x", "--select", "nonsense"),
        ("check", "x", "--tools", "missing.json"),
        ("explain", "nonsense"),
    ],
)
def test_wrong_usage(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == "" and done.stderr.startswith("usage:")


def test_a_misspelt_check_is_corrected(run: Run) -> None:
    done = run("explain", "error_concealmnet")
    assert "did you mean 'error_concealment'?" in done.stderr


def test_a_config_with_an_unknown_check_is_refused() -> None:
    for config in (Config(select=("nope",)), Config(block_on=("PG101", "nope"))):
        with pytest.raises(ValueError, match="'nope'"):
            verify(LIE["events"], LIE["closing"], config=config)


def test_select_and_ignore(run: Run, write: Write) -> None:
    write("run.jsonl", LIE)
    found = json.loads(run("check", "run.jsonl", "--json").stdout)["turns"][0]["verdict"]
    names = {finding["check"] for finding in found["evidence"]}
    assert names
    assert run("check", "run.jsonl", "--ignore", ",".join(names)).returncode == 0
    code = next(check.code for check in all_checks() if check.id in names)
    only = json.loads(run("check", "run.jsonl", "--json", "--select", code).stdout)
    selected = [finding["check"] for finding in only["turns"][0]["verdict"]["evidence"]]
    assert {check.code for check in all_checks() if check.id in selected} == {code}


@pytest.mark.parametrize(
    "content",
    [
        '["bash", {"name": "read_file", "description": "Reads a file"}]',
        "# tools\nbash\n\nread_file\n",
    ],
)
def test_known_tools(run: Run, write: Write, tmp_path: Path, content: str) -> None:
    write("run.jsonl", LIE)
    (tmp_path / "tools").write_text(content)
    assert run("check", "run.jsonl", "--tools", "tools").returncode == 1


@pytest.mark.parametrize(
    "content", ["[", "[1]", "[" * 100_000, '{"a": 1', '{"a": 1}', "", "# only"]
)
def test_a_bad_tools_file_is_wrong_usage(
    run: Run, write: Write, tmp_path: Path, content: str
) -> None:
    write("run.jsonl", LIE)
    (tmp_path / "tools").write_text(content)
    done = run("check", "run.jsonl", "--tools", "tools")
    assert done.returncode == 2 and "Traceback" not in done.stderr


def test_json(run: Run, write: Write) -> None:
    write("run.jsonl", LIE, FINE, {"no": "turn"})
    done = run("check", "--format", "bench", "run.jsonl", "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 1
    assert document["schema"] == 1 and document["detector_version"] == __version__
    assert document["summary"] == {
        "turns": 2,
        "lie": 1,
        "honest": 1,
        "unverifiable": 0,
        "problems": 1,
    }
    first = document["turns"][0]
    assert (first["id"], first["source"], first["line"]) == ("the-lie", "run.jsonl", 1)
    claim = first["verdict"]["evidence"][0]["claim"]
    assert LIE["closing"][claim["start"] : claim["end"]] == claim["text"]
    assert document["problems"][0]["line"] == 3


def test_other_documents(run: Run, write: Write) -> None:
    write("run.jsonl", LIE, FINE)
    sarif = json.loads(run("check", "run.jsonl", "--output-format", "sarif").stdout)
    assert sarif["version"] == "2.1.0" and len(sarif["runs"][0]["results"]) >= 1
    junit = ElementTree.fromstring(run("check", "run.jsonl", "--output-format", "junit").stdout)
    assert (junit.get("tests"), junit.get("failures")) == ("2", "1")
    html = run("check", "run.jsonl", "--output-format", "html").stdout
    assert html.startswith("<!doctype html>") and "all tests pass" in html


def test_nothing_from_a_trace_acts_on_the_terminal(run: Run, write: Write) -> None:
    escape = "\x1b]0;owned\x07\x1b[2J\u202e"
    write("run.jsonl", turn(f"All tests pass.{escape}", f"{escape}{FAILED}", id=f"x{escape}"))
    for form in ("text", "json", "html", "sarif", "junit"):
        out = run("check", "run.jsonl", "--output-format", form).stdout
        assert not set(out) & set("\x1b\x07\u202e"), form


def test_what_no_encoding_can_write(run: Run, write: Write) -> None:
    write("run.jsonl", turn("All tests pass \ud83d \u2713.", FAILED, id="half \udc80"))
    for form in ("text", "json", "html", "sarif", "junit"):
        env = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
        done = run("check", "run.jsonl", "--output-format", form, env=env)
        assert (done.returncode, done.stderr) == (1, ""), form


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"agent-polygraph {__version__}\n"


def test_checks_lists_all(run: Run) -> None:
    lines = run("checks").stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [[c.code, c.id] for c in all_checks()]


def test_explain_by_id_and_by_code(run: Run) -> None:
    for check in all_checks():
        done = run("explain", check.id)
        assert done.returncode == 0
        assert done.stdout.startswith(f"# {check.id}\n")
        assert "## Honest twin" in done.stdout
    assert run("explain", all_checks()[0].code.lower()).stdout.startswith(f"# {all_checks()[0].id}")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("arguments", "env", "coloured"),
    [
        ((), {}, True),
        (("--no-color",), {}, False),
        ((), {"NO_COLOR": "1"}, False),
        ((), {"TERM": "dumb"}, False),
    ],
)
def test_colour_only_on_a_terminal(
    write: Write, tmp_path: Path, arguments: tuple[str, ...], env: dict[str, str], coloured: bool
) -> None:
    import pty

    write("run.jsonl", LIE)
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "check", "run.jsonl", *arguments],
        cwd=tmp_path,
        env={**ENV, "TERM": "xterm", **env},
        stdout=slave,
        stderr=subprocess.PIPE,
    )
    os.close(slave)
    out = b""
    try:
        while chunk := os.read(master, 65536):
            out += chunk
    except OSError:  # how Linux tells that the other end is closed
        pass
    os.close(master)
    assert process.stderr is not None
    with process.stderr as stream:
        assert stream.read() == b""
    assert process.wait() == 1
    assert (b"\x1b[" in out) is coloured
    assert b"LIE" in out


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_closed_pipe_is_quiet(write: Write, tmp_path: Path) -> None:
    write("run.jsonl", *[LIE] * 2000)
    process = subprocess.Popen(
        [*COMMAND, "check", "run.jsonl"],
        cwd=tmp_path,
        env=ENV,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline().startswith(b"LIE")
    process.stdout.close()
    with process.stderr as stream:
        assert stream.read() == b""
    assert process.wait() == 141


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_an_interrupt_ends_it(tmp_path: Path) -> None:
    fifo = tmp_path / "run.jsonl"
    os.mkfifo(fifo)
    process = subprocess.Popen(
        [*COMMAND, "check", fifo],
        env=ENV,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a job in the background inherits SIGINT as ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        with fifo.open("w"):  # returns once the other side has opened it to read
            process.send_signal(signal.SIGINT)
            out, error = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (process.returncode, out, error) == (130, "", "")


@pytest.mark.parametrize("rich", [True, False])
def test_the_progress_bar(monkeypatch: pytest.MonkeyPatch, rich: bool) -> None:
    monkeypatch.setattr(_progress, "_PATIENCE", 0)
    monkeypatch.setattr(_progress, "_REDRAW", 0)
    if not rich:
        monkeypatch.setitem(sys.modules, "rich.console", None)
    stream = io.StringIO()
    stream.isatty = lambda: True  # type: ignore[method-assign]
    with _progress.Progress(2, shown=True, stream=stream) as progress:
        progress.turn()
        progress.say("a.jsonl:3: no JSON")
        progress.file()
    drawn = stream.getvalue()
    assert "a.jsonl:3: no JSON\n" in drawn
    assert ("1/2 files, 1 turns" in drawn) is not rich
    assert "judging" in drawn


def test_no_progress_bar_where_none_is_wanted() -> None:
    stream = io.StringIO()
    with _progress.Progress(2, shown=False, stream=stream) as progress:
        progress.turn()
        progress.file()
    assert stream.getvalue() == "" and (progress.files, progress.turns) == (1, 1)


HOSTS = ("claude_code", "openai_agents", "openinference", "litellm", "messages")
TRACES = [
    path
    for host in HOSTS
    for path in sorted((Path(__file__).resolve().parent.parent / "traces" / host).iterdir())
    if path.suffix in (".json", ".jsonl")
]


@pytest.mark.parametrize("path", TRACES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_shipped_trace_is_judged_as_it_is_named(run: Run, path: Path) -> None:
    document = json.loads(run("check", path, "--json").stdout)
    verdicts = {turn["verdict"]["verdict"] for turn in document["turns"]}
    assert verdicts == {path.name.partition("-")[0]}, run("check", path).stdout
    assert document["problems"] == []
