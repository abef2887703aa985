"""Runner summaries against recordings of the real runners, near misses, envelopes and size."""

from __future__ import annotations

import importlib
import json
import random
import re
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agent_polygraph.evidence import runners
from agent_polygraph.evidence.runners import (
    KINDS,
    OUTCOMES,
    RunSummary,
    is_narrowed,
    read_summaries,
    rows,
    runner_of,
    scan,
)

RECORDED = Path(__file__).parents[1] / "traces" / "runners"
ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for path in sorted(RECORDED.glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
FIELDS = ("passed", "failed", "errors", "skipped", "total", "files")


def _name(row: dict[str, Any]) -> str:
    return f"{row['runner']}-{row['case']}"


def _wanted(row: dict[str, Any]) -> list[dict[str, Any]]:
    expect = row["expect"]
    return expect if isinstance(expect, list) else [expect] if expect else []


def _agrees(summary: RunSummary, expect: dict[str, Any]) -> bool:
    kinds = expect["kind"] if isinstance(expect["kind"], list) else [expect["kind"]]
    outcomes = expect["outcome"] if isinstance(expect["outcome"], list) else [expect["outcome"]]
    counts = all((getattr(summary, f) or 0) == expect[f] for f in FIELDS if f in expect)
    return summary.kind in kinds and summary.outcome in outcomes and counts


def _assert_agrees(text: str, expected: list[dict[str, Any]]) -> None:
    found = read_summaries(text)
    assert len(found) == len(expected) and all(map(_agrees, found, expected)), (expected, found)


# ------------------------------------------------------------------------------------- recordings


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_recording(row: dict[str, Any]) -> None:
    _assert_agrees(row["output"], _wanted(row))


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_summaries_quote_the_text(row: dict[str, Any]) -> None:
    text = row["output"]
    found = read_summaries(text)
    assert [summary.start for summary in found] == sorted(summary.start for summary in found)
    for summary in found:
        assert summary.kind in KINDS and summary.outcome in OUTCOMES
        assert 0 < len(summary.line) <= 300 and summary.line == summary.line.strip()
        assert 0 <= summary.start < len(text)
        if "\x1b" not in text and "\\" not in text:
            assert text.startswith(summary.line, summary.start)


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_recording_inside_json(row: dict[str, Any]) -> None:
    inside = json.dumps({"stdout": row["output"], "stderr": ""})
    if row["output"].count("\n") > 1 and not row["output"].lstrip().startswith(("{", "[")):
        _assert_agrees(inside, _wanted(row))


PLAIN = [
    row for row in ROWS if "\r" not in row["output"] and row["runner"] != "gh"
]  # gh prints tabs


@pytest.mark.parametrize("row", PLAIN, ids=_name)
def test_recording_in_a_numbered_listing(row: dict[str, Any]) -> None:
    lines = row["output"].rstrip("\n").split("\n")
    numbered = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, 1))
    _assert_agrees(numbered, _wanted(row))


def test_recordings_hold_nothing_private() -> None:
    private = re.compile(
        r"/root/|/home/(?!dev/|dev\b)|/tmp/(?!rec)|/work/|file:///opt/(?!tools)|pyenv"
    )
    for path in sorted(RECORDED.glob("*.jsonl")):
        text = path.read_text(encoding="utf-8")
        assert len(text.encode()) < 200_000, path.name
        assert not private.search(text), (path.name, private.search(text))


def test_recordings_cover_what_agents_run() -> None:
    recorded = {row["runner"] for row in ROWS if row["source"] == "recording"}
    assert recorded >= set(
        "pytest unittest jest vitest mocha node-test tsc eslint prettier ruff mypy flake8 black"
        " cargo go maven junit ctest make git npm pip curl sqlite3 psql phpunit rspec".split()
    )
    outcomes = Counter(
        expect["outcome"]
        for row in ROWS
        for expect in _wanted(row)
        if expect
        if isinstance(expect["outcome"], str)
    )
    assert set(outcomes) == set(OUTCOMES)
    assert {e["kind"] for row in ROWS for e in _wanted(row) if isinstance(e["kind"], str)} == set(
        KINDS
    )


# ------------------------------------------------------------------------------------ near misses

NOTHING = """
we passed 3 exams
Task 2 failed: 84
Task 2 failed
I ran the tests and 3 passed, 1 failed because of the network.
3 passed the review and 1 failed it
All tests passed in the old branch, but this one has not run
The build failed twice yesterday.
BUILD SUCCESS is what Maven prints.
- 3 passed, 1 failed
* Fixed: 2 tests failed on Windows
## 1.2.0 - 4 tests passed
1a2b3c4 Fix: 3 tests failed
1a2b3c4 (HEAD -> main) [core] 3 passed
    Tests: 3 passed (see the log)
commit 1a2b3c4d5e6f708192a3b4c5d6e7f80912345678
Author: dev <dev@example.com>
assert result == "3 passed"
expect(out).toContain("Tests:       1 failed, 3 passed, 4 total")
print("==== 3 passed in 0.10s ====")
    return "FAILED (failures=1)"
logger.error("npm error code ERESOLVE")
raise SystemExit("make: *** [all] Error 2")
ERROR: connection to the queue lost, 3 jobs failed
WARNING: retry 3 failed
error: something odd
Error: the pump is broken
FAIL is a word
PASS the salt
OK
OK, so what next?
ok then
not ok at all
Killed by a bear
exit the shop
exit stage left
exit 2
Exit interviews: 3
status: open
Status: 3 open
HTTP is a protocol
http://example.com/404
Found it
Found 3 keys under the mat
Found 2 known issues in the tracker
rc=0 # so far
status_code = 400
    status: 404
fatal: true
fatal: (message: string) => void
nothing to commit, but without honoring it
SELECT 1
COMMIT
Plan: 1 to buy, 2 to sell
3 files changed, 10 insertions(+), 2 deletions(-)
3 problems remain
2 errors remain in the text, 1 warning
1 error of judgement
12 rows of seats
(3 rows of seats)
UPDATE accounts SET paid = 1
DELETE FROM t
CREATE a table
Success is near
Successfully landed on the moon
Done in a hurry
added 3 apples
up to date with the news
To whom it may concern
To be fixed: the lamp
To /dev/null with it: a story
[x] write tests
[main] server started
[INFO] Tests are fun
fatal attraction
> 3 passed, 1 failed
12:30 lunch, 3 passed by
2026-01-02 meeting: 4 passed the vote
a.py:3: a remark
see src/a.py:12:5 for the code
src/a.py:12:5 is the place
Finished the report
Running 3 laps
Ran 3 miles in 20 minutes
Ran 3 tests yesterday
Test Suites are nice
Tests are good
tests 3 ways to cook
pass 3 of the book
fail 3 times and try again
Summary: the tests passed
Result: PASSABLE
Result: the operation failed
Passed on: 3 people
Total: 42
TOTAL 42 3 93%
PLAY RECAP of the match
Tasks: 3 open, 4 total
Command line tools
Process improvement: code 3
bash: a shell
sh: quiet, please
make: a verb
make[1]: Entering directory '/project'
warning: in the working copy of 'a', LF will be replaced by CRLF
Container ship Started
Release "notes" of the band
deployment of troops was successfully rolled out by hand
service/desk opened
web/app created a stir
x/y unchanged since May
Apply the paint
No changes.
Merge the lanes
Everything is up-to-date
Everything up-to-date, it seems
nothing to see
Already up to date with the rent
CONFLICT: the early years
Warning, wet floor
build succeeded in the end
Compiled successfully by hand over 3 years
Executed 3 prisoners
Checked 3 bags
would reformat the disk
--- FAIL: a headline
--- PASS: the salt
FAIL  the exam
ok  to go
DONE with it
Analysis failed to convince
""".strip("\n").split("\n")


@pytest.mark.parametrize("line", NOTHING)
def test_no_summary(line: str) -> None:
    assert read_summaries(line) == ()
    assert read_summaries(f"first line\n{line}\nlast line") == ()


def test_no_summary_in_prose_code_or_changelog() -> None:
    changelog = "# Log\n\n## 2.0\n- 14 tests failed on Windows; all pass now\n- error: text\n"
    code = 'def test_a():\n    assert "3 failed, 1 passed in 0.1s" in run()\n    FAILED = 3\n'
    log = "1a2b3c4 tests: 3 passed, 1 failed\n5d6e7f8 BUILD FAILED on CI\n9a0b1c2 make: *** broke\n"
    diff = "+    print('Tests: 1 failed, 2 total')\n-FAILED (failures=1)\n+++ b/test_a.py\n"
    record = '{"order": {"id": "A-1", "status": "failed", "note": "3 passed"}, "items": [1, 2, 3]}'
    for text in (changelog, code, log, diff, record, "\n".join(NOTHING)):
        assert read_summaries(text) == ()


def test_the_packages_own_sources_hold_no_summary() -> None:
    for path in sorted(Path(runners.__file__).parents[1].rglob("*.py")):
        assert read_summaries(path.read_text(encoding="utf-8")) == (), path.name


# ------------------------------------------------------------------------- envelopes and prefixes

PYTEST = "==================== 1 failed, 30 passed in 3.10s ===================="


@pytest.mark.parametrize(
    "text",
    [
        PYTEST,
        PYTEST.replace("=", ""),
        f"Output: {PYTEST}",
        f"Output:\n{PYTEST}\n",
        f"   12\t{PYTEST}",
        f"  12\u2192{PYTEST}",
        f"web-1  | {PYTEST}",
        f"core test: {PYTEST}",
        f"@demo/core:test: {PYTEST}",
        f"packages/core test:unit: {PYTEST}",
        f"[0] {PYTEST}",
        f"03:04:05 {PYTEST}",
        f"2026-01-02T03:04:05.123Z {PYTEST}",
        f"#12 34.56 {PYTEST}",
        f"test\tRun tests\t2026-01-02T03:04:05.1234567Z {PYTEST}",
        "\x1b[31m==== \x1b[1m1 failed\x1b[0m, \x1b[32m30 passed\x1b[0m\x1b[31m in 3.1s ===\x1b[0m",
        "[31m==== [1m1 failed[0m, [32m30 passed[0m in 3.10s ====[0m",
        json.dumps({"exit_code": 1, "stdout": PYTEST}),
        json.dumps({"exit_code": 1, "stdout": f"a\nb\n{PYTEST}\n"}, separators=(",", ":")),
        json.dumps([{"type": "text", "text": f"Exit code 1\n{PYTEST}\n"}]),
        json.dumps({"result": json.dumps({"stdout": f"a\n{PYTEST}\n", "code": 1})}),
        json.dumps({"stdout": f"\x1b[31m{PYTEST}\x1b[0m\n"}),
        repr({"stdout": f"a\n{PYTEST}\n", "returncode": 1}),
        json.dumps(f"a\nb\n{PYTEST}\n"),
        f"collected 31 items\r\n{PYTEST}\r\n",
        f"Exit code 1\n{PYTEST}",
        f"{PYTEST}\nexit: 1",
        f"{PYTEST}\nexit: 0",
        f"{PYTEST}\nmake: *** [Makefile:2: test] Error 1",
        f"{PYTEST}\nnpm error Lifecycle script `test` failed with error:\nnpm error code 1",
        f"FAILED tests/test_a.py::test_b - assert 1 == 2\n{PYTEST}",
    ],
)
def test_envelopes(text: str) -> None:
    (summary,) = read_summaries(text)
    assert (summary.runner, summary.outcome) == ("pytest", "failed")
    assert (summary.passed, summary.failed) == (30, 1)
    assert "1 failed" in text[summary.start : summary.start + 120]


def test_a_wrapper_that_disagrees_is_kept() -> None:
    passed = "3 passed in 0.10s"
    assert [s.outcome for s in read_summaries(f"{passed}\nexit: 1")] == ["passed", "failed"]
    assert [s.outcome for s in read_summaries(f"{passed}\nexit: 0")] == ["passed"]
    assert [s.outcome for s in read_summaries(f"Exit code 1\n{passed}")] == ["failed", "passed"]
    assert [s.outcome for s in read_summaries(f"{passed}\nmake: *** [lint] Error 1")] == [
        "passed",
        "failed",
    ]


def test_runs_stay_apart_and_lines_of_one_run_fold() -> None:
    two = "Tests:       1 failed, 3 total\nTime: 1s\n\nTests:       3 passed, 3 total\n"
    assert [s.outcome for s in read_summaries(two)] == ["failed", "passed"]
    cargo = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
    bad = "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n"
    (summary,) = read_summaries(cargo + "text\n" * 100 + bad)
    assert (summary.outcome, summary.passed, summary.failed) == ("failed", 4, 2)
    assert summary.line.startswith("test result: FAILED")
    mixed = f"{cargo}Ran 3 tests in 0.001s\n\nOK\n57 passing (1s)\n  3 failing\n"
    assert [(s.runner, s.outcome) for s in read_summaries(mixed)] == [
        ("cargo", "passed"),
        ("unittest", "passed"),
        ("mocha", "failed"),
    ]


def test_a_printed_line_does_not_beat_the_runner_behind_it() -> None:
    text = "3 failed, 0 passed\nTests:       2 passed, 2 total\n"
    assert [(s.runner, s.outcome) for s in read_summaries(text)] == [("jest", "passed")]


@pytest.mark.parametrize(
    ("line", "outcome", "counts"),
    [
        ("3 passed, 1 failed", "failed", (3, 1)),
        ("Results: 3 passed, 0 failed", "passed", (3, 0)),
        ("Tests: 1 failed, 2 passed", "failed", (2, 1)),
        ("Passed: 3, Failed: 1", "failed", (3, 1)),
        ("5 tests, 2 failures", "failed", (3, 2)),
        ("3/3 tests passed", "passed", (3, None)),
        ("All 12 tests passed!", "passed", (12, None)),
        ("57 passing, 3 failing", "failed", (57, 3)),
        ("57 passing 3 failing", "failed", (57, 3)),
        ("OK (3 tests)", "passed", (3, None)),
        ("FAIL", "failed", (None, None)),
        ("FAILED", "failed", (None, None)),
    ],
)
def test_generic_forms(line: str, outcome: str, counts: tuple[int | None, int | None]) -> None:
    (summary,) = read_summaries(f"some text\n{line}\n")
    assert (summary.kind, summary.outcome) == ("test", outcome)
    assert (summary.passed, summary.failed) == counts


# ----------------------------------------------------------------------------------- command lines

COMMANDS = {
    "npm test": ("npm", "test", False),
    "npm run lint": ("npm", "lint", False),
    "npm run test:unit": ("npm", "test", True),
    "npm run test:ci": ("npm", "test", False),
    "npm test -- src/a.test.js": ("npm", "test", True),
    "npm test -w core": ("npm", "test", True),
    "npm ci": ("npm", "install", False),
    "npm audit": ("npm", "audit", False),
    "pnpm --filter x typecheck": ("pnpm", "types", True),
    "pnpm exec tsc -p tsconfig.json": ("tsc", "types", False),
    "pnpm tsc --noEmit": ("tsc", "types", False),
    "pnpm -r test": ("pnpm", "test", False),
    "yarn workspace web test": ("yarn", "test", True),
    "yarn test": ("yarn", "test", False),
    "bun test": ("bun", "test", False),
    "CI=1 npx -y jest src/a.test.ts": ("jest", "test", True),
    "npx jest -t foo": ("jest", "test", True),
    "jest": ("jest", "test", False),
    "npx vitest run": ("vitest", "test", False),
    "vitest run src/a": ("vitest", "test", True),
    "mocha 'test/**/*.js'": ("mocha", "test", False),
    "node --test": ("node", "test", False),
    "node --test test/a.test.js": ("node", "test", True),
    "npx playwright test": ("playwright", "test", False),
    "playwright test -g login": ("playwright", "test", True),
    "python -m pytest -q": ("pytest", "test", False),
    "python3 -m pytest tests/test_a.py::test_b -x": ("pytest", "test", True),
    "pytest -n 4 --cov src --tb short": ("pytest", "test", False),
    "pytest tests/unit": ("pytest", "test", True),
    "pytest -m slow": ("pytest", "test", True),
    "uv run --frozen pytest -k foo": ("pytest", "test", True),
    "poetry run pytest tests": ("pytest", "test", False),
    "coverage run -m pytest": ("pytest", "test", False),
    "python manage.py test": ("manage.py", "test", False),
    "python manage.py migrate": ("manage.py", "db", False),
    "docker compose exec -T web pytest --lf": ("pytest", "test", True),
    "docker compose run --rm app npm test": ("npm", "test", False),
    "kubectl exec web -- pytest": ("pytest", "test", False),
    "timeout 60 xvfb-run -a npm test": ("npm", "test", False),
    "sudo -u x make lint": ("make", "lint", False),
    "make test": ("make", "test", False),
    "make": ("make", "build", False),
    "time cargo test --workspace": ("cargo", "test", False),
    "cargo test -p core": ("cargo", "test", True),
    "cargo test my_test": ("cargo", "test", True),
    "cargo test -- --nocapture": ("cargo", "test", False),
    "cargo clippy": ("clippy", "lint", False),
    "cargo fmt --check": ("rustfmt", "format", False),
    "cargo nextest run": ("nextest", "test", False),
    "go test ./...": ("go", "test", False),
    "go test -run TestX ./...": ("go", "test", True),
    "go test ./pkg/a": ("go", "test", True),
    "go vet ./...": ("go", "lint", False),
    "go build ./...": ("go", "build", False),
    "mvn verify": ("maven", "test", False),
    "mvn -pl core test": ("maven", "test", True),
    "mvn test -Dtest=FooTest": ("maven", "test", True),
    "./gradlew test": ("gradle", "test", False),
    "./gradlew :app:test": ("gradle", "test", True),
    "./gradlew test --tests X": ("gradle", "test", True),
    "./gradlew assemble": ("gradle", "build", False),
    "dotnet test --filter X": ("dotnet", "test", True),
    "swift test --filter A": ("swift", "test", True),
    "ctest --test-dir build": ("ctest", "test", False),
    "ctest -R a": ("ctest", "test", True),
    "bundle exec rspec spec/a_spec.rb:3": ("rspec", "test", True),
    "bin/rails test test/models/a_test.rb": ("rails", "test", True),
    "rails db:migrate": ("rails", "db", False),
    "phpunit --filter x": ("phpunit", "test", True),
    "php artisan test": ("artisan", "test", False),
    "mix test test/a_test.exs:3": ("mix", "test", True),
    "tsc --noEmit": ("tsc", "types", False),
    "mypy src/pkg/a.py": ("mypy", "types", True),
    "mypy pkg": ("mypy", "types", False),
    "eslint src": ("eslint", "lint", False),
    "eslint src/a.ts": ("eslint", "lint", True),
    "ruff check .": ("ruff", "lint", False),
    "ruff format --check a.py": ("ruff", "format", True),
    "prettier --check .": ("prettier", "format", False),
    "pre-commit run": ("pre-commit", "lint", False),
    "terraform plan": ("terraform", "deploy", False),
    "terraform apply -target=x": ("terraform", "deploy", True),
    "kubectl rollout status deployment/x": ("kubectl", "deploy", False),
    "docker build -t x .": ("docker", "build", False),
    "docker compose up -d": ("docker", "deploy", False),
    "turbo run test --filter=web": ("turbo", "test", True),
    "bazel test //...": ("bazel", "test", False),
    "bazel test //a:b": ("bazel", "test", True),
    "pip install -r requirements.txt": ("pip", "install", False),
    "git push": ("git", "vcs", False),
    "gh pr create": ("gh", "vcs", False),
    "psql -c x": ("psql", "db", False),
    "curl -s http://x": ("curl", "http", False),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str) -> None:
    runner, kind, narrowed = COMMANDS[command]
    words = shlex.split(command)
    assert runner_of(words) == (runner, kind)
    assert is_narrowed(words) is narrowed


@pytest.mark.parametrize(
    "command", ["", "ls -la", "cat tests/a.py", "node index.js", "FOO=1", "sudo", "cd x"]
)
def test_no_runner(command: str) -> None:
    words = shlex.split(command)
    assert runner_of(words) is None
    assert not is_narrowed(words)


# ----------------------------------------------------------------------------------- the row table


def test_every_row_is_sound() -> None:
    for row in rows.ROWS:
        re.compile(row.pattern)
        assert row.again in ("new", "sum", "last"), row.pattern
        assert not isinstance(row.kind, str) or row.kind in KINDS, row.pattern
        if isinstance(row.outcome, str):
            assert row.outcome in (*OUTCOMES, "", "?"), row.pattern
        assert row.heads and all(row.heads.split("|")), row.pattern
        assert not row.tick or row.tick in FIELDS, row.pattern


def _strings_like(tree: Any, times: int, rng: random.Random) -> str:
    """A string that the parsed pattern matches, or nearly: its repeats are taken `times` times."""
    out = ""
    for op, value in tree:
        name = str(op)
        if name == "LITERAL":
            out += chr(value)
        elif name in ("IN", "ANY", "NOT_LITERAL"):
            negated = name == "NOT_LITERAL" or (name == "IN" and str(value[0][0]) == "NEGATE")
            literals = [chr(x) for o, x in value if str(o) == "LITERAL"] if name == "IN" else []
            out += rng.choice("a1 " if negated or not literals else literals)
            if name == "IN" and any(str(o) == "CATEGORY" for o, _ in value) and not negated:
                out = out[:-1] + rng.choice("1a ")
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, inner = value
            for _ in range(max(least, min(int(most), times))):
                out += _strings_like(inner, max(2, times // 6), rng)
        elif name == "SUBPATTERN":
            out += _strings_like(value[3], times, rng)
        elif name == "ATOMIC_GROUP":
            out += _strings_like(value, times, rng)
        elif name == "BRANCH":
            out += _strings_like(rng.choice(value[1]), times, rng)
    return out


def test_no_pattern_backtracks_far() -> None:
    # Long strings that almost match each pattern: one that backtracks would not come to an end.
    rng = random.Random(7)
    parse = importlib.import_module("re._parser").parse
    for row in rows.ROWS:
        pattern, tree = re.compile(row.pattern), parse(row.pattern)
        for times in (3, 30, 300):
            for _ in range(8):
                text = _strings_like(tree, times, rng)[: rows.LINE - 2]
                for tail in ("\0", "!", " x"):
                    pattern.match(text + tail)


# --------------------------------------------------------------------------------- size and effort

BIG = {
    "prose": "The team said that all the tests passed and nothing failed at all. ",
    "prose lines": "The team said that 3 passed and 1 failed, which was a surprise.\n",
    "passed": "passed ",
    "digits": "4",
    "ones": "1 ",
    "spaces": " ",
    "indented": "\n" + " " * 79,
    "dots": ".",
    "dotted lines": "a......................b\n",
    "escapes": "\x1b[",
    "json": '{"a":"',
    "backslashes": "\\n",
    "quotes": '\\"',
    "arrows": " -> ",
    "levels": "[INFO] ",
    "labels": "a test: ",
    "ticks": "\u2713",
    "equals": "=",
    "tabs": "a\tpass\t",
    "attributes": '<testsuite a="b" ',
    "returns": "\r",
    "shell": ": line 1: ",
    "counts": "1 failed, ",
}


def _work(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many lines the rows looked at and how many hits folded: the effort beyond the scan."""
    work = 0
    trying, folding = scan._try, scan._fold

    def tried(*args: Any) -> bool:
        nonlocal work
        work += 1
        return trying(*args)

    def folded(hits: list[Any]) -> list[Any]:
        nonlocal work
        work += len(hits)
        return folding(hits)

    with monkeypatch.context() as patch:
        patch.setattr(scan, "_try", tried)
        patch.setattr(scan, "_fold", folded)
        read_summaries(text)
    return work


@pytest.mark.parametrize("name", BIG)
def test_effort_is_linear(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    unit = BIG[name]
    small, large = (_work(unit * (size // len(unit)), monkeypatch) for size in (25_000, 100_000))
    assert large <= 4 * small + 8
    assert large <= 100_000 / 8


@pytest.mark.parametrize("name", BIG)
def test_a_megabyte_is_read(name: str) -> None:
    # Finishing at all is the assertion: a pattern that backtracks would take minutes here.
    unit = BIG[name]
    for text in (
        unit * (1_000_000 // len(unit)),
        f"x\n{unit * (1_000_000 // len(unit))}\n3 passed in 0.1s",
    ):
        assert all(s.outcome in OUTCOMES for s in read_summaries(text))


def test_a_long_line_is_read_to_its_bound() -> None:
    line = "=" * 250 + " 3 passed in 0.10s " + "=" * 250
    assert read_summaries(line)[0].passed == 3
    assert len(read_summaries(line)[0].line) == 300
    assert read_summaries("=" * 5000 + " 3 passed in 0.10s ===") == ()


def test_the_same_twice() -> None:
    for row in ROWS[::7]:
        assert read_summaries(row["output"]) == read_summaries(row["output"])
