"""What a runner's own summary says: tests, linters, builds, git, databases, deployments.

Reading goes by the form of the summary, never by the name of the tool that was called: the same
`==== 3 passed in 0.10s ====` is a pytest run whether it came from Bash, an MCP server or a wrapper
script.  Only whole summary lines count, so a passing suite may print "failed" in its logs as often
as it likes.

Strategy.  Every summary line that is known begins with one of a few hundred literal *heads*.  One
compiled pattern, anchored at line starts, finds the lines that have one; no other line is looked
at again.  The rows of that head then try their own pattern on that one line, and hits of one runner
that follow each other fold into one `RunSummary`.  Time is linear in the text: the scan is
possessive, and of a line only the first `_LINE` characters are read.

Adding a runner is one row of `_ROWS`:

    Row(runner, kind, outcome, "head|other head", r"pattern of the line", part="tests", ...)

- `head`: how the line starts, behind blanks, a symbol (a tick, `#`), a gutter, a time or a log
  level (`[INFO]`).  `@` stands for a number and a space: `@passed` is the head of `3 passed`,
  `67% passed`, `2/3 passed`.  `<.py>` is a path with that suffix before a position (`:12:5`),
  `<0>` a position alone, `<word>` any first word before one of the phrases of `_WORD`; the others
  are in `_SHAPES`.
- `outcome`: one of OUTCOMES; "" to decide by the counts; "?" for a line that only gives numbers; or
  a function of the match that returns one of these.
- the pattern is matched at the head.  Its groups `passed`, `failed`, `errors`, `skipped`, `total`
  and `files` fill the field of that name; `n` is a list like `1 failed, 3 passed` (see `_WORDS`).
- `part`: lines of one run that have different parts fold together.  The same part once more starts
  the next run (`again="new"`), adds up (`"sum"`) or replaces what it said (`"last"`).  Parts with a
  dot (`push.ref`) fold among those of the same first word only.
- `near`: the most characters that may lie between the line and the run's last line for it to fold.
- `soft`: counts only in a run that has no hard line.  `needs`: counts only inside an open run.
  `last`: counts only as the last line of the text.  `opens` and `closes`: starts or ends a run.
  `wraps`: the echo of another runner's end (an exit status, `make: *** ... Error 1`), dropped where
  that runner was read.  `tick`: the field that the line counts up by one.

Where two rows can match a line the one higher up wins, so the specific stands above the generic.
The forms come from recordings of the real tools (traces/runners) and, where a tool could not be
run, from its documentation; each recording says which.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from .._lazy import regex

KINDS = (
    *("test", "lint", "types", "format", "build", "install"),
    *("audit", "vcs", "deploy", "db", "http", "script"),
)
OUTCOMES = ("passed", "failed", "empty", "skipped", "killed", "timeout", "error", "partial")

_LINE = 600  # characters of a line that are read; no summary line is longer
_QUOTE = 300  # characters of the deciding line that are kept


class RunSummary(NamedTuple):
    """One run of one runner, as the runner itself sums it up.

    `line` is the deciding line, stripped, at most 300 characters; `start` is its offset in the
    text: `text[start : start + len(line)] == line` where the line has no colour codes or escapes.
    A count is None where the summary does not give it.  For linters and type checkers `failed` is
    the number of errors found; for databases `total` is the number of rows.
    """

    runner: str
    kind: str
    outcome: str
    line: str
    start: int
    passed: int | None = None
    failed: int | None = None
    errors: int | None = None
    skipped: int | None = None
    total: int | None = None
    files: int | None = None


# ------------------------------------------------------------------------------ the form of a row

_Match = re.Match[str]
_Outcome = str | Callable[[_Match], str]


class Row:
    """One form of summary line; the module's docstring says what each field means."""

    __slots__ = (
        *("runner", "kind", "outcome", "heads", "pattern", "part", "again", "near", "soft"),
        *("needs", "wraps", "opens", "closes", "last", "tick", "match"),
    )

    def __init__(
        self,
        runner: str | Callable[[_Match], str],
        kind: str | Callable[[_Match], str],
        outcome: _Outcome,
        heads: str,
        pattern: str,
        *,
        part: str = "",
        again: str = "new",
        near: int = 400,
        soft: bool = False,
        needs: bool = False,
        wraps: bool = False,
        opens: bool = False,
        closes: bool = False,
        last: bool = False,
        tick: str = "",
    ) -> None:
        self.runner, self.kind, self.outcome = runner, kind, outcome
        self.heads, self.pattern = heads, pattern
        self.part, self.again, self.near = part, again, near
        self.soft, self.needs, self.wraps = soft, needs, wraps
        self.opens, self.closes, self.last, self.tick = opens, closes, last, tick
        self.match: Callable[[str, int], _Match | None] = self._first

    def _first(self, line: str, at: int) -> _Match | None:
        self.match = re.compile(self.pattern).match  # most rows are never needed: compile late
        return self.match(line, at)


_NAME_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("types", ("typecheck", "type-check", "type_check", "types", "tsc", "mypy", "pyright")),
    ("lint", ("lint", "ruff", "clippy", "flake8", "checkstyle")),
    ("format", ("format", "fmt", "prettier", "black")),
    ("test", ("test", "spec", "e2e", "unit", "coverage", "vitest", "jest", "cypress")),
    ("audit", ("audit", "security")),
    ("db", ("migrat", "seed", "db:", "db-", "prisma")),
    ("deploy", ("deploy", "release", "publish", "rollout")),
    ("install", ("install", "bootstrap", "setup")),
    ("build", ("build", "compile", "bundle", "dist")),
    ("lint", ("check", "verify")),
)


def _kind_of_name(name: str) -> str:
    """The kind of work that a script, target or goal of that name does: `lint:fix` -> lint."""
    low = name.lower()
    return next((k for k, words in _NAME_WORDS if any(w in low for w in words)), "script")


def _exit(match: _Match) -> str:
    """What an exit status says by itself; 128 + n is an end by signal n."""
    code = int(match["code"][:6])
    known = {0: "passed", 124: "timeout", 126: "error", 127: "error", 130: "partial"}
    return known.get(code, "killed" if 128 < code < 160 else "failed")


def _http(match: _Match) -> str:
    code = match["code"]
    return "error" if code == "000" else "failed" if code[0] in "45" else "passed"


def _hosts(match: _Match) -> str:
    return "passed" if match["away"] == match["bad"] == "0" else "failed"


def _command(match: _Match) -> tuple[str, str]:
    name = match["name"].rsplit("/", 1)[-1]
    return runner_of([name, *match.groupdict(default="").get("rest", "").split()]) or (
        name,
        "script",
    )


def _runner_named(match: _Match) -> str:
    return _command(match)[0]


def _kind_named(match: _Match) -> str:
    return _command(match)[1]


def _kind_target(match: _Match) -> str:
    """The kind that the script or target named in the line does."""
    return _kind_of_name(match["name"] or "")


def _kind_built(match: _Match) -> str:
    """The kind that the target named in the line does; an unknown target is one to build."""
    kind = _kind_of_name(match["name"])
    return "build" if kind == "script" else kind


def _by(**outcomes: str) -> Callable[[_Match], str]:
    """The outcome listed for what group `o` matched (lower case, words joined by `_`)."""
    return lambda m: outcomes.get((m["o"] or "none").lower().replace(" ", "_"), "?")


def _above(group: str, then: str, otherwise: str) -> Callable[[_Match], str]:
    """`then` where the number in `group` is above zero."""
    return lambda m: then if int((m[group] or "0").replace(",", "")[:9]) else otherwise


_check = _by(
    **{"pass": "passed", "fail": "failed"}, pending="partial", cancel="partial", skipping="skipped"
)
_broken = _above("broken", "error", "?")
_if_failed = _above("failed", "failed", "?")
_found = _above("failed", "failed", "passed")
_rows = _above("total", "passed", "empty")

# fmt: off
_ROWS: tuple[Row, ...] = (
    # ---- pytest: docs.pytest.org/en/stable/how-to/output.html
    Row("pytest", "test", "",
        "=|@passed|@failed|@error|@skipped|@xfailed|@xpassed|@deselected|@warning|@subtests|@rerun",
        r"(?:=+ )?(?P<n>\d+ [a-z]+(?: passed| failed)?(?:, \d+ [a-z]+(?: passed| failed)?)*) in "
        r"\d[\d.]*s(?: \(\d+[\d:, a-z]*\))?(?: =+)?$", part="total"),
    Row("pytest", "test", "error", "=|no tests", r"(?:=+ )?no tests collected, \d+ errors? in ",
        part="total"),
    Row("pytest", "test", "empty", "=|no tests",
        r"(?:=+ )?no tests (?:ran|collected)(?: \(\d+ deselected\))? in [\d.]+s(?: =+)?$",
        part="total"),
    Row("pytest", "test", "empty", "=|@test", r"(?:=+ )?(?P<total>\d+)(?:/\d+)? tests? "
        r"collected(?: \(\d+ deselected\))?(?:, \d+ errors?)? in [\d.]+s(?: =+)?$", part="total"),
    Row("pytest", "test", "error", "!!!", r"!+ Interrupted: \d+ errors? during collection !+$",
        part="stop", opens=True),
    Row("pytest", "test", "partial", "!!!",
        r"!+ (?:KeyboardInterrupt|_pytest\.outcomes\.Exit.*|Interrupted: .*) !+$", part="stop",
        opens=True),
    Row("pytest", "test", "error", "ERROR: ", r"ERROR: (?:file or directory not found|not found: "
        r"|usage: (?:\S*pytest|__main__\.py)|found no collectors|Wrong expression|module or "
        r"package not found)", part="usage"),
    Row("pytest", "test", "error", "pytest: error: |__main__.py: error: ",
        r"(?:pytest|__main__\.py): error: ", part="usage", again="sum"),
    Row("pytest", "test", "error", "ImportError while loading conftest", "", part="usage"),
    Row("pytest", "test", "error", "INTERNALERROR> ", "", part="usage", again="sum"),
    Row("pytest", "test", "failed", "FAIL Required|ERROR: Coverage|Coverage failure",
        "(?:FAIL Required test coverage of|ERROR: Coverage failure|Coverage failure: total of)",
        part="coverage", again="sum", near=4000),
    Row("pytest", "test", "failed", "FAILED ", r"FAILED \S+\.py::\S", part="node", again="sum",
        soft=True, tick="failed"),
    Row("pytest", "test", "error", "ERROR ", r"ERROR \S+\.py(?:::\S+)?(?: - |$)", part="broken",
        again="sum", soft=True, tick="errors"),

    # ---- unittest, Django: docs.python.org/3/library/unittest.html
    Row("unittest", "test", "?", "Ran ", r"Ran (?P<total>\d+) tests? in [\d.]+s$", part="ran"),
    Row("unittest", "test", "", "OK",
        r"OK(?: \((?:(?:skipped=(?P<skipped>\d+)|[a-z ]+=\d+)(?:, )?)+\))?$", part="end",
        needs=True),
    Row("unittest", "test", "", "OK",
        r"OK \((?:(?:skipped=(?P<skipped>\d+)|expected failures=\d+)(?:, )?)+\)$", part="end"),
    Row("unittest", "test", "", "FAILED", r"FAILED \((?:(?:failures=(?P<failed>\d+)|"
        r"errors=(?P<errors>\d+)|skipped=(?P<skipped>\d+)|(?:expected failures|unexpected "
        r"successes)=(?P<unexpected>\d+))(?:, )?)+\)$", part="end"),
    Row("unittest", "test", "empty", "NO TESTS RAN", r"NO TESTS RAN(?: \(skipped=\d+\))?$",
        part="end"),
    Row("unittest", "test", "failed", "FAIL: ", r"FAIL: \w+ \([\w.]+\)", part="case", again="sum",
        soft=True, tick="failed"),
    Row("unittest", "test", "error", "ERROR: ", r"ERROR: \w+ \([\w.]+\)", part="broken",
        again="sum", soft=True, tick="errors"),

    # ---- tox, nox
    Row("tox", "test", "passed", "congratulations :)", r"congratulations :\)", part="end",
        wraps=True),
    Row("tox", "test", "failed", "evaluation failed :(", r"evaluation failed :\(", part="end",
        wraps=True),
    Row("tox", "test", "failed", "ERROR: ", r"ERROR: +[\w.-]+: commands failed$", part="env",
        again="sum", wraps=True),
    Row("nox", "test",
        _by(successful="passed", failed="failed", aborted="partial", skipped="skipped"), "nox > ",
        r"nox > Session \S+ (?:was )?(?P<o>successful|failed|aborted|skipped)", part="end",
        again="sum", wraps=True),

    # ---- jest: jestjs.io
    Row("jest", "test", _broken, "Test Suites:", r"Test Suites: +(?:(?P<broken>\d+) failed, )"
        r"?(?:\d+ \w+, )*(?:\d+ of )?(?P<files>\d+) total$", part="suites"),
    Row("jest", "test", "", "Tests:", r"Tests: +(?P<n>(?:\d+ \w+, )*\d+ total)$", part="tests"),
    Row("jest", "test", _above("failed", "failed", "?"), "Snapshots:",
        r"Snapshots: +(?P<failed>\d+) failed", part="snapshots"),
    Row("jest", "test", "failed", "Jest: ",
        "Jest: .*(?:threshold .*not met|does not meet .*threshold)", part="coverage"),
    Row("jest", "test", "empty", "No tests found", "No tests found, exiting with code [01]",
        part="tests"),
    Row("jest", "test", "error", "Test suite failed to run", "", part="suite", again="sum",
        soft=True),
    Row("jest", "test", "failed", "FAIL ", r"FAIL +\S+\.[cm]?[jt]sx?(?: \([\d.]+ m?s\))?$",
        part="file", again="sum", soft=True),
    Row("jest", "test", "passed", "PASS ", r"PASS +\S+\.[cm]?[jt]sx?(?: \([\d.]+ m?s\))?$",
        part="file", again="sum", soft=True),
    Row("jest", "test", "", '{"numFailedTestSuites"', r'.*?"numFailedTests":(?P<failed>\d+)'
        r',.*?"numPassedTests":(?P<passed>\d+),.*?"numTotalTests":(?P<total>\d+)', part="tests"),

    # ---- vitest: vitest.dev
    Row("vitest", "test", _broken, "Test Files ",
        r"Test Files  ?(?:(?P<broken>\d++) failed[ |]++)?+(?:\d++ \w++[ |]++)*+\((?P<files>\d+)\)$",
        part="suites"),
    Row("vitest", "test", "", "Tests ",
        r"Tests  +(?P<n>\d+ \w+(?: \| \d+ \w+)*) \((?P<total>\d+)\)$", part="tests"),
    Row("vitest", "test", "?", "Tests ", "Tests  +no tests$", part="tests"),
    Row("vitest", "test", "?", "Test Files ", "Test Files  +no tests$", part="suites"),
    Row("vitest", "test", "failed", "Errors ", r"Errors  +\d+ errors?$", part="unhandled"),
    Row("vitest", "test", "empty", "No test files found", "No test files found", part="tests"),
    Row("vitest", "test", "failed", "FAIL ", r"FAIL  ?(?:\|[^|]+\| )?\S+\.[cm]?[jt]sx? > \S",
        part="case", again="sum", soft=True, tick="failed"),

    # ---- mocha, Cypress: mochajs.org, docs.cypress.io
    Row("mocha", "test", "", "@passing", r"(?P<passed>\d+) passing(?: \([\d.]+m?[smh]\))?$",
        part="passing"),
    Row("mocha", "test", "?", "@pending", r"(?P<skipped>\d+) pending$", part="pending"),
    Row("mocha", "test", "failed", "@failing", r"(?P<failed>\d+) failing$", part="failing"),
    Row("mocha", "test", "", "@passing|@failing",
        r"(?P<n>\d+ (?:passing|failing)(?:,? \d+ (?:passing|failing|pending))+)$", part="all"),
    Row("mocha", "test", "empty", "Error: No test files found", "Error: No test files found",
        part="passing"),
    Row("cypress", "test", "passed", "All specs passed!", "All specs passed!", part="end"),
    Row("cypress", "test", "failed", "@failed", r"\d+ of \d+ failed \(\d+%\)", part="end"),
    Row("cypress", "test", "empty", "Can't run because no spec files",
        "Can't run because no spec files were found", part="end"),

    # ---- node:test, TAP, prove, bats: nodejs.org/api/test.html, testanything.org
    Row("node", "test", "?", "tests ", r"tests +(?P<total>\d+)$", part="tests"),
    Row("node", "test", "", "pass ", r"pass +(?P<passed>\d+)$", part="pass"),
    Row("node", "test", _if_failed, "fail ", r"fail +(?P<failed>\d+)$", part="fail"),
    Row("node", "test", _above("c", "failed", "?"), "cancelled ", r"cancelled (?P<c>\d+)$",
        part="cancelled", needs=True),
    Row("node", "test", "?", "skipped ", r"skipped (?P<skipped>\d+)$", part="skipped", needs=True),
    Row("node", "test", "error", "Could not find '", r"Could not find '[^']+\.[cm]?[jt]s'$",
        part="tests"),
    Row("tap", "test", "failed", "not ok ", r"not ok \d+(?! .*# (?:TODO|SKIP))", part="not",
        again="sum", soft=True, tick="failed"),
    Row("tap", "test", "?", "ok ", r"ok \d+ .*# SKIP", part="skip", again="sum", soft=True,
        tick="skipped"),
    Row("tap", "test", "passed", "ok ", r"ok \d+(?: |$)", part="ok", again="sum", soft=True,
        tick="passed"),
    Row("tap", "test", "partial", "Bail out!", "Bail out!", part="bail"),
    Row("prove", "test", "?", "Files=", r"Files=(?P<files>\d+), Tests=(?P<total>\d+), ",
        part="files"),
    Row("prove", "test",
        _by(PASS="passed", pass_="passed", fail="failed", notests="empty", **{"pass": "passed"}),
        "Result: ", "Result: (?P<o>PASS|FAIL|NOTESTS)$", part="end"),

    # ---- bun test: bun.sh/docs/cli/test
    Row("bun", "test", "", "@pass", r"(?P<passed>\d+) pass$", part="pass"),
    Row("bun", "test", _if_failed, "@fail", r"(?P<failed>\d+) fail$", part="fail"),
    Row("bun", "test", "?", "@skip", r"(?P<skipped>\d+) skip$", part="skip", needs=True),
    Row("bun", "test", "failed", "@error", r"(?P<errors>\d+) errors?$", part="error", needs=True),
    Row("bun", "test", "?", "Ran ", r"Ran (?P<total>\d+) tests? across (?P<files>\d+) files?\b",
        part="ran"),
    Row("bun", "test", "empty", "No tests found!|0 test files matching", "", part="ran"),
    Row("bun", "test", "empty", 'Test filter "', r"Test filter \"+[^\"]*\"+ had no matches",
        part="ran"),

    # ---- Playwright: playwright.dev/docs/test-reporters
    Row("playwright", "test", "failed", "@failed", r"(?P<failed>\d+) failed$", part="failed"),
    Row("playwright", "test", "?", "@flaky", r"\d+ flaky$", part="flaky"),
    Row("playwright", "test", "partial", "@interrupted", r"\d+ interrupted$", part="interrupted"),
    Row("playwright", "test", "", "@skipped", r"(?P<skipped>\d+) skipped$", part="skipped"),
    Row("playwright", "test", "?", "@did", r"\d+ did not run$", part="rest"),
    Row("playwright", "test", "", "@passed",
        r"(?P<passed>\d+) passed \((?:[\d.]+(?:ms|s|m|h) ?)+\)$", part="passed", near=8000),
    Row("playwright", "test", "empty", "Error: No tests found", "Error: No tests found",
        part="passed"),

    # ---- cargo test, nextest: doc.rust-lang.org/cargo, nexte.st
    Row("cargo", "test", _by(ok="", failed="failed"), "test result: ",
        r"test result: (?P<o>ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; "
        r"(?P<skipped>\d+) ignored", part="result", again="sum"),
    Row("cargo", "test", "failed", "error: ",
        r"error: (?:test failed, to rerun|\d+ targets? failed:|doctest failed)", part="end",
        again="sum"),
    Row("cargo", "test", "error", "error: ", r"error: could not compile `[^`]+` \([^)]*test[^)]*\)",
        part="compile", again="sum"),
    Row("cargo", "test", "failed", "test ", r"test \S+ \.\.\. FAILED$", part="case", again="sum",
        soft=True, tick="failed"),
    Row("nextest", "test", "", "Summary [", r"Summary \[ *[\d.]+s\] +(?:\d+/)?(?P<total>\d+) "
        r"tests? run: (?P<n>\d+ \w+(?: \([^)]*\))?(?:, \d+ [a-z]+(?: \([^)]*\))?)*)", part="end"),
    Row("nextest", "test", "empty", "error: no tests to run", "", part="end"),
    Row("cargo", "build", "failed", "error: ", "error: could not compile `[^`]+`", part="compile",
        again="sum"),
    Row("cargo", "build", "error", "error: ", r"error: (?:could not find `Cargo\.toml`|no such "
        r"command: `|no (?:test|bin|example|bench|library) targets? |package ID specification |"
        r"failed to (?:parse manifest|load manifest|select a version|get `|parse lock))",
        part="usage"),
    Row("cargo", "build", "passed", "Finished ",
        r"Finished (?:`\w+` profile|\w+) \[[^\]]*\] target\(s\)", part="finished", opens=True,
        soft=True),
    Row("rustc", "build", "failed", "error: aborting due to",
        r"error: aborting due to (?:(?P<failed>\d+)|one|\w+) previous errors?", part="end",
        soft=True),
    Row("rustfmt", "format", "failed", "Diff in ", r"Diff in \S+(?: at line \d+|:\d+):$",
        part="diff", again="sum", tick="failed"),

    # ---- go: pkg.go.dev/cmd/go, gotestsum, golangci-lint
    Row("gotestsum", "test", "", "DONE ", r"DONE(?: \d+ runs,)? (?P<total>\d+) tests?(?P<n>(?:, "
        r"\d+ (?:skipped|failures?|errors?))*) in [\d.]+s$", part="end"),
    Row("go", "test", "empty", "ok |ok\t",
        r"ok\s+\S+\s+(?:[\d.]+s|\(cached\)).*\[no tests to run\]", part="package", again="sum",
        tick="files"),
    Row("go", "test", "passed", "ok |ok\t", r"ok\s+\S+[/.\w-]+\s+(?:[\d.]+s|\(cached\))(?:\s|$)",
        part="package", again="sum", tick="files"),
    Row("go", "test", "empty", "? |?\t", r"\?\s+\S+\s+\[no test files\]", part="package",
        again="sum"),
    Row("go", "test", "error", "FAIL |FAIL\t", r"FAIL\s+\S+ \[(?:build|setup) failed\]",
        part="package", again="sum", tick="files"),
    Row("go", "test", "failed", "FAIL |FAIL\t", r"FAIL\s+\S+\s+[\d.]+s$", part="package",
        again="sum", tick="files"),
    Row("go", "test", "timeout", "panic: test timed out", "panic: test timed out after",
        part="panic"),
    Row("go", "test", "?", "--- PASS: ", r"--- PASS: \S+ \([\d.]+s\)$", part="pass", again="sum",
        tick="passed"),
    Row("go", "test", "failed", "--- FAIL: ", r"--- FAIL: \S+ \([\d.]+s\)$", part="fail",
        again="sum", tick="failed"),
    Row("go", "test", "?", "--- SKIP: ", r"--- SKIP: \S+ \([\d.]+s\)$", part="skip", again="sum",
        tick="skipped"),
    Row("go", "test", "empty", "testing: warning: no tests to run", "", part="none", again="sum"),
    Row("go", "test", "?", "FAIL", "FAIL$", part="end", again="sum", needs=True),
    Row("go", "test", "passed", "PASS", "PASS$", part="endpass", again="sum", needs=True),
    Row("go", "build", "error", "go: ", r"go: (?:no such tool|go\.mod file not found|cannot find "
        r"main|no module|\S+: no matching versions|module |errors parsing go\.mod|unknown "
        r"subcommand|warning: \"\./\.\.\.\" matched no packages)", part="go"),
    Row("go", "build", "error", "pattern ", r"pattern \S+: (?:directory prefix|no matching)",
        part="go"),
    Row("go", "test", "empty", "no packages to test", "no packages to test$", part="none",
        again="sum"),
    Row("go", "build", "error", "no required module|no Go files in|package ",
        r"(?:no required module provides package|no Go files in |package \S+ is not in (?:GOROOT|"
        r"std))", part="go"),
    Row("golangci-lint", "lint", _found, "@issues", r"(?P<failed>\d+) issues[.:]$", part="end"),
    Row("golangci-lint", "lint", "failed", "<.go>", r"\S+\.go:\d+:\d+: .{1,300} \([a-z]+\)$",
        part="diag", again="sum", soft=True, tick="failed"),
    Row("go vet", "lint", "failed", "vet: ", r"vet: \S+\.go:\d+:\d+: ", part="diag", again="sum",
        soft=True, tick="failed"),
    Row("go", "build", "failed", "<.go>", r"\S+\.go:\d+:\d+: \S", part="diag", again="sum",
        soft=True, tick="failed"),

    # ---- CTest, GoogleTest, Catch2, doctest
    Row("ctest", "test", "", "@tests",
        r"\d+% tests passed, (?P<failed>\d+) tests? failed out of (?P<total>\d+)$", part="end"),
    Row("ctest", "test", "empty", "No tests were found!!!", "", part="end"),
    Row("ctest", "test", "failed", "Errors while running CTest", "", part="errors", near=4000),
    Row("gtest", "test", "?", "[==========] ",
        r"\[=+\] (?P<total>\d+) tests? from \d+ test (?:suite|case)s? ran", part="ran"),
    Row("gtest", "test", "", "[  PASSED  ] ", r"\[  PASSED  \] (?P<passed>\d+) tests?\.",
        part="passed"),
    Row("gtest", "test", "?", "[  SKIPPED ] ", r"\[  SKIPPED \] (?P<skipped>\d+) tests?, listed",
        part="skipped"),
    Row("gtest", "test", "failed", "[  FAILED  ] ",
        r"\[  FAILED  \] (?P<failed>\d+) tests?, listed", part="failed"),
    Row("catch2", "test", "passed", "All tests passed (",
        r"All tests passed \(\d+ assertions? in (?P<passed>\d+) test cases?\)", part="cases"),
    Row("catch2", "test", "", "test cases: |[doctest] test cases: ",
        r"(?:\[doctest\] )?test cases: +(?P<total>\d+) \| +(?P<n>\d+ [a-z]+(?: \| +\d+ [a-z ]+)"
        r"*?)(?: \|)?$", part="cases"),
    Row("catch2", "test", "empty", "No tests ran|No test cases matched",
        "No test(?:s ran| cases matched .*)$", part="none", again="sum"),
    Row("doctest", "test", _by(success="passed", failure="failed"), "[doctest] Status: ",
        r"\[doctest\] Status: (?P<o>SUCCESS|FAILURE)!", part="status", wraps=True),

    # ---- JVM: Surefire, Failsafe, JUnit, Gradle, ktlint, detekt
    Row("maven", "test", "", "Tests run: ", r"Tests run: +(?P<total>\d+), +Failures: "
        r"+(?P<failed>\d+), +Errors: +(?P<errors>\d+), +Skipped: +(?P<skipped>\d+), Time elapsed",
        part="class", again="sum", soft=True),
    Row("maven", "test", "", "Tests run: ", r"Tests run: +(?P<total>\d+), +Failures: "
        r"+(?P<failed>\d+), +Errors: +(?P<errors>\d+), +Skipped: +(?P<skipped>\d+)$", part="total",
        again="sum", near=20_000),
    Row("junit", "test", "", "Tests run: ",
        r"Tests run: +(?P<total>\d+), +Failures: +(?P<failed>\d+)$", part="total"),
    Row("maven", "test", "empty", "No tests to run.", r"No tests to run\.$", part="none",
        again="sum"),
    Row("maven", "test", "skipped", "Tests are skipped.", r"Tests are skipped\.$", part="none",
        again="sum"),
    Row("maven", "build", "failed", "COMPILATION ERROR", "COMPILATION ERROR :? ?$", part="compile",
        again="sum", near=20_000),
    Row("maven", "build", "passed", "BUILD SUCCESS", "BUILD SUCCESS$", part="build", near=20_000,
        closes=True),
    Row("maven", "build", "failed", "BUILD FAILURE", "BUILD FAILURE$", part="build", near=20_000),
    Row("maven", "build", "failed", "Failed to execute goal ",
        r"Failed to execute goal (?:on project )?\S", part="goal", near=4000, soft=True),
    Row("junit", "test", "", "[ ", r"\[ +(?P<passed>\d+) tests successful +\]$", part="passed"),
    Row("junit", "test", _found, "[ ", r"\[ +(?P<failed>\d+) tests failed +\]$", part="failed"),
    Row("junit", "test", "?", "[ ", r"\[ +(?P<total>\d+) tests found +\]$", part="found"),
    Row("junit", "test", "?", "[ ", r"\[ +(?P<skipped>\d+) tests skipped +\]$", part="skipped"),
    Row("junit", "test", "passed", "OK (", r"OK \((?P<passed>\d+) tests?\)$", part="total"),
    Row("gradle", "test", "", "@tests completed|@test completed",
        r"(?P<total>\d+) tests? completed(?P<n>(?:, \d+ (?:failed|skipped))*)$", part="tests",
        near=20_000),
    Row("gradle", "test", "failed", "> Task ", r"> Task :\S*[tT]est\S* FAILED$", part="task",
        again="sum", near=20_000),
    Row("gradle", "test", "empty", "> Task ", r"> Task :\S*[tT]est NO-SOURCE$", part="task",
        again="sum", near=20_000),
    Row("gradle", "test", "passed", "> Task ",
        r"> Task :(?:\S+:)?test(?: UP-TO-DATE| FROM-CACHE)?$", part="task", again="sum",
        near=20_000),
    Row("gradle", "build", "failed", "> Task ", r"> Task :\S+ FAILED$", part="task", again="sum",
        near=20_000),
    Row("gradle", "test", "failed", "Execution failed for task '",
        r"Execution failed for task ':\S*[tT]est\S*'", part="what", near=20_000, again="sum"),
    Row("gradle", "build", "failed", "Execution failed for task '|FAILURE: Build failed with an",
        "", part="what", near=20_000, again="sum"),
    Row("gradle", "build", "passed", "BUILD SUCCESSFUL",
        r"BUILD SUCCESSFUL(?: in (?:\d+[hms]+ ?)+)?$", part="build", near=20_000, closes=True),
    Row("gradle", "build", "failed", "BUILD FAILED", r"BUILD FAILED(?: in (?:\d+[hms]+ ?)+)?$",
        part="build", near=20_000, closes=True),
    Row("ktlint", "lint", "failed", "Summary error count",
        r"Summary error count \(descending\) by rule:", part="end"),
    Row("ktlint", "lint", "failed", "<.kt>|<.kts>",
        r"\S+\.kts?:\d+:\d+: .{1,300} \((?:\w+:)?[\w-]+\)$", part="diag", again="sum", soft=True,
        tick="failed"),
    Row("detekt", "lint", "failed", "Analysis failed with ",
        r"Analysis failed with (?P<failed>\d+) (?:weighted )?issues", part="end"),

    # ---- PHP: phpunit.de, pestphp.com, phpstan.org, laravel.com/docs/pint
    Row("phpunit", "test", "passed", "OK (", r"OK \((?P<passed>\d+) tests?, \d+ assertions?\)$",
        part="end"),
    Row("phpunit", "test", "?", "OK, but |FAILURES!|ERRORS!|WARNINGS!",
        "(?:OK, but .*|FAILURES!|ERRORS!|WARNINGS!)$", part="banner"),
    Row("phpunit", "test", "empty", "Tests: ", r"Tests: (\d+), Assertions: 0, Warnings: \1\.$",
        part="end"),
    Row("phpunit", "test", "", "Tests: ", r"Tests: (?P<total>\d+), Assertions: \d+(?:, "
        r"(?:Errors: (?P<errors>\d+)|Failures: (?P<failed>\d+)|Skipped: (?P<skipped>\d+)|[\w ]+: "
        r"\d+))*\.$", part="end"),
    Row("phpunit", "test", "empty", "No tests executed!", "No tests executed!$", part="end"),
    Row("pest", "test", "", "Tests: ", r"Tests: +(?P<n>\d+ \w+(?:, \d+ \w+)*) \(\d+ assertions?\)$",
        part="end"),
    Row("phpstan", "types", "passed", "[OK] No errors", r"\[OK\] No errors$", part="end"),
    Row("phpstan", "types", "failed", "Found ", r"(?<=\[ERROR\] )Found (?P<failed>\d+) errors?$",
        part="end"),
    Row("psalm", "types", "passed", "No errors found!", "No errors found!$", part="end"),
    Row("pint", "format", _by(fail="failed", **{"pass": "passed"}), "PASS |FAIL ",
        r"(?P<o>PASS|FAIL) +\.{3,} (?P<files>\d+) files?(?:, (?P<failed>\d+) style issues?)?",
        part="end"),
    Row("phpcs", "lint", "failed", "FOUND ",
        r"FOUND (?P<failed>\d+) ERRORS? (?:AND \d+ WARNINGS? )?AFFECTING", part="file",
        again="sum"),
    Row("php", "lint", "passed", "No syntax errors detected in ", "", part="file", again="sum"),
    Row("php", "lint", "failed", "Errors parsing |PHP Parse error: ", "", part="file", again="sum"),

    # ---- Ruby: rspec.info, minitest, test-unit, rubocop.org, rake
    Row("rspec", "test", "", "@examples|@example", r"(?P<total>\d+) examples?, (?P<failed>\d+) "
        r"failures?(?:, (?P<skipped>\d+) pending)?(?:, (?P<errors>\d+) errors? occurred outside "
        r"of examples)?$", part="end"),
    Row("rspec", "test", "failed", "rspec ./", r"rspec \./\S+:\d+ # ", part="example", again="sum",
        soft=True, tick="failed"),
    Row("minitest", "test", "", "@runs|@tests", r"(?P<total>\d+) (?:runs|tests), \d+ assertions, "
        r"(?P<failed>\d+) failures, (?P<errors>\d+) errors(?:, (?P<skipped>\d+) (?:skips|"
        r"pendings))?", part="end"),
    Row("rubocop", "lint", "passed", "@files|@file",
        r"(?P<files>\d+) files? inspected, no offenses detected", part="end"),
    Row("rubocop", "lint", "failed", "@files|@file",
        r"(?P<files>\d+) files? inspected, (?P<failed>\d+) offenses? detected", part="end"),
    Row("rake", "build", "error", "rake aborted!|rails aborted!|bin/rails aborted!",
        r"\S+ aborted!$", part="end", wraps=True),
    Row("rails", "db", "passed", "== ", r"== \d+ \w+: (?:migrated|reverted) \([\d.]+s\) =+$",
        part="migration", again="sum"),
    Row("bundler", "install", "passed", "Bundle complete!|Bundled gems are installed", "",
        part="end"),

    # ---- .NET: learn.microsoft.com/dotnet/core/tools/dotnet-test
    Row("dotnet", "test", "", "Passed! |Failed! |Skipped! ",
        r"(?:Passed|Failed|Skipped)! +- Failed: +(?P<failed>\d+), Passed: +(?P<passed>\d+), "
        r"Skipped: +(?P<skipped>\d+), Total: +(?P<total>\d+)", part="assembly", again="sum"),
    Row("dotnet", "test", "", "Test summary: ", r"Test summary: total: (?P<total>\d+), failed: "
        r"(?P<failed>\d+), succeeded: (?P<passed>\d+), skipped: (?P<skipped>\d+)", part="assembly"),
    Row("dotnet", "test", _by(successful="passed", failed="failed", aborted="partial"), "Test Run ",
        r"Test Run (?P<o>Successful|Failed|Aborted)\.", part="run"),
    Row("dotnet", "test", "empty", "No test is available in ", "", part="assembly", again="sum"),
    Row("dotnet", "build", _by(succeeded="passed", failed="failed"), "Build ",
        r"Build (?P<o>succeeded|FAILED)\.$", part="build"),
    Row("dotnet", "build", _by(succeeded="passed", failed="failed"), "Build ",
        r"Build (?P<o>succeeded|failed)(?: with (?:(?P<failed>\d+) error\(s\))?[^i]*)? in [\d.]+s",
        part="build"),
    Row("dotnet", "build", "?", "@Error(s)", r"(?P<failed>\d+) Error\(s\)$", part="errors",
        needs=True),
    Row("dotnet", "build", "failed", "<.cs>|<.fs>|<.vb>|<.csproj>",
        r"\S+\.(?:cs|fs|vb|csproj)\(\d+,\d+\): error [A-Z]+\d+: ", part="diag", again="sum",
        soft=True, tick="failed"),

    # ---- Swift, Xcode
    Row("swift", "test", "", "Executed ", r"Executed (?P<total>\d+) tests?, with "
        r"(?:(?P<skipped>\d+) tests? skipped and )?(?P<failed>\d+) failures?", part="xctest",
        again="last"),
    Row("swift", "test", _by(passed="passed", failed="failed"), "Test run with ",
        r"Test run with (?P<total>\d+) tests?(?: in \d+ suites?)? (?P<o>passed|failed) after",
        part="testing"),
    Row("xcodebuild", "test", _by(succeeded="passed", failed="failed"), "** TEST ",
        r"\*\* TEST (?P<o>SUCCEEDED|FAILED) \*\*", part="end", wraps=True),
    Row("xcodebuild", "build", _by(succeeded="passed", failed="failed"), "** BUILD ",
        r"\*\* BUILD (?P<o>SUCCEEDED|FAILED) \*\*", part="end", wraps=True),

    Row("swift", "build", "passed", "Build complete!", r"Build complete!(?: \([\d.]+s\))?$",
        part="build"),

    # ---- Flutter, Dart: the clock in front of the counts is taken off
    Row("flutter", "test", "", "+", r"\+(?P<passed>\d+)(?: ~(?P<skipped>\d+))?(?: "
        r"-(?P<failed>\d+))?: (?:All tests passed!|Some tests failed\.)$", part="end"),

    # ---- Elixir, Erlang: hexdocs.pm/ex_unit
    Row("exunit", "test", "", "@tests|@test|@doctest|@doctests|@property|@properties",
        r"(?P<n>(?:\d+ (?:doctests?|propert\w+|features?), )*\d+ tests?, \d+ failures?(?:, \d+ "
        r"(?:excluded|invalid|skipped))*)(?: \(\d+ excluded\))?$", part="end"),
    Row("mix", "build", "error", "== Compilation error", "== Compilation error in file ",
        part="end"),
    Row("mix", "test", "empty", "There are no tests to run", "", part="end"),
    Row("eunit", "test", "passed", "All ", r"All (?P<passed>\d+) tests passed\.$", part="end"),
    Row("eunit", "test", "", "Failed: ",
        r"Failed: (?P<failed>\d+)\. +Skipped: (?P<skipped>\d+)\. +Passed: (?P<passed>\d+)\.",
        part="end"),

    # ---- JUnit XML reports, printed
    Row("junit-xml", "test", "", "<testsuites |<testsuite ",
        r"<testsuites? (?:(?:tests=\"+(?P<total>\d+)\"+|failures=\"+(?P<failed>\d+)\"+|"
        r"errors=\"+(?P<errors>\d+)\"+|skipped=\"+(?P<skipped>\d+)\"+|[\w:.-]+=\"+[^\"]*\"+)\s*)"
        r"+/?>", part="suite", again="last"),

    # ---- type checkers: TypeScript, mypy, pyright, svelte-check
    Row("tsc", "types", _found, "Found ", r"Found (?P<failed>\d+) errors?(?: in (?P<files>\d+) "
        r"files?\.| in the same file, starting at: .*| in \S+:\d+|\. Watching for file changes\.)"
        r"$", part="end"),
    Row("tsc", "types", "failed",
        "<.ts>|<.tsx>|<.js>|<.jsx>|<.mts>|<.cts>|<.vue>|<.svelte>|<.json>",
        r"\S+\.(?:[cm]?[jt]sx?|vue|svelte|json)(?:\(\d+,\d+\):|:\d+:\d+ -) error TS\d+: ",
        part="diag", again="sum", soft=True, tick="failed"),
    Row("tsc", "types", "empty", "error TS", "error TS18003: No inputs were found", part="usage"),
    Row("tsc", "types", "error", "error TS", r"error TS[56]\d{3}: ", part="usage"),
    Row("tsc", "types", "failed", "error TS", r"error TS\d+: ", part="diag", again="sum", soft=True,
        tick="failed"),
    Row("svelte-check", "types", _found, "svelte-check found ",
        r"svelte-check found (?P<failed>\d+) errors? and \d+ warnings?(?: in (?P<files>\d+) "
        r"files?)?", part="end"),
    Row("mypy", "types", "passed", "Success: ",
        r"Success: no issues found in (?P<files>\d+) source files?$", part="end"),
    Row("mypy", "types", "error", "Found ",
        r"Found (?P<failed>\d+) errors? in \d+ files? \(errors prevented further checking\)$",
        part="end"),
    Row("mypy", "types", "failed", "Found ",
        r"Found (?P<failed>\d+) errors? in \d+ files? \(checked (?P<files>\d+) source files?\)$",
        part="end"),
    Row("mypy", "types", "failed", "<.py>|<.pyi>",
        r"\S+\.pyi?:\d+(?::\d+)*: error: .*  \[[a-z-]+\]$", part="diag", again="sum", soft=True,
        tick="failed"),
    Row("mypy", "types", "empty", "There are no .py[i] files in", "", part="usage"),
    Row("mypy", "types", "error", "mypy: ", "mypy: (?:can't read file|error: )", part="usage"),
    Row("pyright", "types", _found, "@errors|@error",
        r"(?P<failed>\d+) errors?, \d+ warnings?, \d+ (?:informations?|notes?)$", part="end"),
    Row("pyright", "types", "failed", "<.py>|<.pyi>", r"\S+\.pyi?:\d+:\d+ - error: ", part="diag",
        again="sum", soft=True, tick="failed"),
    Row("pyright", "types", "empty", "No source files found", r"No source files found\.?$",
        part="end"),

    # ---- linters and formatters
    Row("eslint", "lint", _found, "@problems|@problem",
        r"\d+ problems? \((?P<failed>\d+) errors?, \d+ warnings?\)$", part="end"),
    Row("eslint", "lint", "failed", "ESLint found too many warnings", "", part="warnings"),
    Row("eslint", "lint", "error", "Oops! Something went wrong! :(", "", part="end"),
    Row("eslint", "lint", "failed", "<0>", r"\d+:\d+ +error +\S.* {2,}[\w@/-]+$", part="diag",
        again="sum", soft=True, tick="failed"),
    Row("stylelint", "lint", "error",
        "AllFilesIgnoredError: |NoFilesFoundError: |Error: No files matching the pattern", "",
        part="end"),
    Row("biome", "lint", _above("files", "passed", "empty"), "Checked ",
        r"Checked (?P<files>\d+) files? in [\d.]+ ?[mµn]?s\. ", part="checked"),
    Row("biome", "lint", "failed", "Found ", r"Found (?P<failed>\d+) errors?\.$", part="found",
        needs=True),
    Row("biome", "lint", "empty", "No files were processed in the specified paths", "",
        part="checked"),
    Row("prettier", "format", "passed", "All matched files use Prettier code style!", "",
        part="all", soft=True),
    Row("prettier", "format", "failed", "[warn] Code style issues ",
        r"\[warn\] Code style issues (?:found )?in (?:(?P<failed>\d+) files|the above file)",
        part="end"),
    Row("prettier", "format", "empty", "[error] No files matching|[error] No parser could be", "",
        part="end"),
    Row("prettier", "format", "error", "[error] ", r"\[error\] \S+: SyntaxError: ", part="syntax",
        again="sum"),
    Row("prettier", "format", "failed", "Error occurred when checking code style in", "",
        part="end"),
    Row("ruff", "lint", "passed", "All checks passed!", "All checks passed!$", part="end"),
    Row("ruff", "lint", _found, "Found ",
        r"Found \d+ errors? \(\d+ fixed, (?P<failed>\d+) remaining\)\.$", part="end"),
    Row("ruff", "lint", _found, "Found ", r"Found (?P<failed>\d+) errors?\.$", part="end"),
    Row("ruff", "lint", "empty", "warning: No Python files found under the given path", "",
        part="none"),
    Row("ruff", "lint", "error", "ruff failed|error: Failed to parse |error: unexpected argument",
        "", part="usage"),
    Row("black", "format", "failed", "@files|@file", r"(?P<failed>\d+) files? would be "
        r"reformatted(?:, (?P<passed>\d+) files? would be left unchanged)?\.$", part="end"),
    Row("black", "format", "passed", "@files|@file", r"(?P<files>\d+) files? (?:reformatted, \d+ "
        r"files? left unchanged|would be left unchanged|left unchanged|reformatted)\.$",
        part="end"),
    Row("black", "format", "error", "@files|@file",
        r".*\b(?P<errors>\d+) files? (?:failed|would fail) to reformat\.$", part="end"),
    Row("ruff", "format", "failed", "@files|@file", r"(?P<failed>\d+) files? would be "
        r"reformatted(?:, (?P<passed>\d+) files? already formatted)?$", part="end"),
    Row("ruff", "format", "passed", "@files|@file", r"(?P<files>\d+) files? (?:already formatted|"
        r"left unchanged|reformatted)(?:, \d+ files? (?:left unchanged|already formatted))?$",
        part="end"),
    Row("black", "format", "empty", "No Python files are present|No Path provided. Nothing to do",
        "", part="end"),
    Row("black", "format", "failed", "would reformat ", r"would reformat \S+$", part="file",
        again="sum", soft=True, tick="failed"),
    Row("black", "format", "error", "error: cannot format ", "", part="broken", again="sum",
        soft=True),
    Row("black", "format", "?", "All done!|Oh no!", "", part="banner", soft=True),
    Row("isort", "format", "failed", "ERROR: ", r"ERROR: \S+ Imports are incorrectly sorted",
        part="file", again="sum", tick="failed"),
    Row("pylint", "lint", _by(**{"10.00": "passed"}, none="failed"), "Your code has been rated at ",
        r"Your code has been rated at (?:(?P<o>10\.00)|-?[\d.]+)/10", part="rate"),
    Row("pylint", "lint", "failed", "<.py>", r"\S+\.py:\d+:\d+: [CRWEF]\d{4}: ", part="diag",
        again="sum", tick="failed"),
    Row("flake8", "lint", "failed", "<.py>|<.pyi>", r"\S+\.pyi?:\d+:\d+: [A-Z]{1,4}\d{2,4} ",
        part="diag", again="sum", soft=True, tick="failed"),
    Row("pyflakes", "lint", "failed", "<.py>", r"\S+\.py:\d+:\d+:? (?:'.*' imported but unused|"
        r"undefined name |local variable |redefinition of )", part="diag", again="sum", soft=True,
        tick="failed"),
    Row("bandit", "lint", "passed", "No issues identified.", "", part="end"),
    Row("markdownlint", "lint", _found, "Summary: ", r"Summary: (?P<failed>\d+) error\(s\)",
        part="end"),
    Row("markdownlint", "lint", "failed", "<.md>|<.mdx>|<.markdown>",
        r"\S+\.(?:md|mdx|markdown):\d+(?::\d+)? (?:error )?MD\d{3}/", part="diag", again="sum",
        soft=True, tick="failed"),
    Row("vale", "lint", _found, "@errors|@error",
        r"(?P<failed>\d+) errors?, \d+ warnings? and \d+ suggestions? in (?P<files>\d+) files?\.$",
        part="end"),
    Row("cspell", "lint", _found, "CSpell: ",
        r"CSpell: Files checked: (?P<files>\d+), Issues found: (?P<failed>\d+)", part="end"),
    Row("shellcheck", "lint", "failed", "In ", r"In \S+ line \d+:$", part="diag", again="sum",
        soft=True, tick="failed"),
    Row("shellcheck", "lint", "failed", "<.sh>|<.bash>",
        r"\S+:\d+:\d+: (?:warning|error|note): .* \[SC\d+\]$", part="diag", again="sum", soft=True,
        tick="failed"),
    Row("sqlfluff", "lint", _by(fail="failed", **{"pass": "passed"}), "== [",
        r"== \[[^\]]+\] (?P<o>FAIL|PASS)$", part="file", again="sum"),
    Row("sqlfluff", "lint", "passed", "All Finished", r"All Finished(?: \S+)?!", part="end"),
    Row("pre-commit", "lint", _by(passed="passed", failed="failed", skipped="skipped"), "<dots>",
        r".*\.{3,}(?:\([^)]*\))?(?P<o>Passed|Failed|Skipped)$", part="hook", again="sum"),
    Row("pre-commit", "lint", "error",
        "An error has occurred: InvalidConfigError|An error has occurred: FatalError", "",
        part="usage"),
    Row("husky", "vcs", "failed", "husky - ", "husky - .*(?:script failed|exited with) ",
        part="end", wraps=True),
    Row("lychee", "lint", _found, "@Total", r"\d+ Total .*?(?P<failed>\d+) Errors?", part="end"),
    Row("linkchecker", "lint", _found, "That's it. ",
        r"That's it\. .*?\. .*?(?P<failed>\d+) errors? found\.", part="end"),
    Row("markdown-link-check", "lint", "failed", "ERROR: ",
        r"ERROR: (?P<failed>\d+) dead links? found", part="end"),
    Row("markdown-link-check", "lint", "?", "@links", r"(?P<total>\d+) links checked\.$",
        part="total"),

    # ---- docs
    Row("mkdocs", "build", "failed", "Aborted with ",
        r"Aborted with (?:\d+ warnings? in strict mode!|a (?:configuration|build) error!)",
        part="end"),
    Row("mkdocs", "build", "passed", "INFO ", "INFO +-  Documentation built in ", part="end"),
    Row("sphinx", "build", "passed", "build succeeded", r"build succeeded(?:, \d+ warnings?)?\.$",
        part="end"),
    Row("sphinx", "build", "failed", "build finished with problems", "", part="end"),
    Row("sphinx", "build", "failed", "Warning, treated as error:|Sphinx error:", "", part="error"),

    # ---- builds: make, ninja, CMake, compilers, bundlers, images
    Row("make", _kind_built, "error", "make: *** |gmake: *** |make[",
        r"g?make(?:\[\d+\])?: \*\*\* No rule to make target '(?P<name>[^']+)'", part="end",
        wraps=True),
    Row("make", "build", "error", "make: *** ", r"make: \*\*\* No targets", part="end", wraps=True),
    Row("make", _kind_built, "killed", "make: *** |gmake: *** |make[",
        r"g?make(?:\[\d+\])?: \*\*\* \[(?:[^\]]*: )?(?P<name>[^\]]+)\] (?:Killed|Terminated|"
        r"Segmentation fault|Aborted)", part="end", again="sum", wraps=True),
    Row("make", _kind_built, _exit, "make: *** |gmake: *** |make[",
        r"g?make(?:\[\d+\])?: \*\*\* \[(?:[^\]]*: )?(?P<name>[^\]]+)\] Error (?P<code>\d+)",
        part="end", again="sum", wraps=True),
    Row("make", "build", "passed", "make: |make[",
        r"make(?:\[\d+\])?: (?:Nothing to be done for|'[^']+' is up to date\.)", part="end",
        again="sum"),
    Row("ninja", "build", "failed", "ninja: build stopped: |ninja: error: ", "", part="end"),
    Row("ninja", "build", "passed", "ninja: no work to do.", "", part="end"),
    Row("cmake", "build", "failed", "CMake Error", r"CMake Error(?: at \S+| in |:)", part="end",
        again="sum"),
    Row("cmake", "build", "failed", "-- Configuring incomplete", "", part="end", again="sum"),
    Row("cmake", "build", "passed", "-- Build files have been written to:", "", part="written"),
    Row("cmake", "build", "passed", "[100%] Built target ", "", part="target", again="sum"),
    Row("cc", "build", "failed",
        "<.c>|<.cc>|<.cpp>|<.cxx>|<.h>|<.hpp>|<.hh>|<.m>|<.mm>|<.swift>|<.zig>|<.java>|<.scala>",
        r"\S+\.(?:c|cc|cpp|cxx|h|hpp|hh|m|mm|swift|zig|java|scala)(?::\d+){1,2}: (?:fatal )"
        r"?error: ", part="diag", again="sum", soft=True, tick="failed"),
    Row("cc", "build", "failed", "collect2: error: |clang: error: |ld: ",
        r"(?:collect2: error: ld returned|clang: error: linker|ld: symbol\(s\) not found)",
        part="link", soft=True),
    Row("cc", "build", "failed", "@errors|@error", r"(?P<failed>\d+) errors?$", part="end",
        again="last", soft=True, needs=True),
    Row("esbuild", "build", "failed", "@errors|@error", r"(?P<failed>\d+) errors?$", part="end",
        again="last", soft=True, needs=True),
    Row("kotlin", "build", "failed", "e: file:", r"e: file:\S+:\d+:\d+ ", part="diag", again="sum",
        soft=True, tick="failed"),
    Row("webpack", "build", _by(successfully="passed", none="?"), "webpack ",
        r"webpack \d[\d.]* compiled (?P<o>successfully) in", part="end"),
    Row("webpack", "build", "failed", "webpack ",
        r"webpack \d[\d.]* compiled with (?P<failed>\d+) errors?", part="end"),
    Row("webpack", "build", "passed", "webpack ", r"webpack \d[\d.]* compiled with \d+ warnings?",
        part="end"),
    Row("vite", "build", "passed", "built in ", r"built in [\d.]+m?s\.?$", part="end"),
    Row("vite", "build", "failed", "error during build:", "", part="end"),
    Row("esbuild", "build", "failed",
        "Could not resolve |No matching export |Expected |Unexpected |Transforming ",
        r"(?<=\[ERROR\] )\S", part="diag", again="sum", soft=True, tick="failed"),
    Row("esbuild", "build", "passed", "Done in ", r"(?<=⚡ )Done in [\d.]+m?s$", part="end"),
    Row("rollup", "build", "passed", "created ", r"created \S+ in [\d.]+m?s$", part="end",
        again="sum"),
    Row("tsup", "build", "passed", "ESM Build success|ESM ⚡|CJS Build success|CJS ⚡", "",
        part="end", again="sum"),
    Row("next", "build", "passed", "Compiled successfully",
        r"Compiled successfully(?: in [\d.]+m?s)?$", part="end"),
    Row("next", "build", "failed", "Failed to compile.|Build error occurred",
        r"(?:Failed to compile\.|Build error occurred)$", part="end", again="sum"),
    Row("docker", "build", "failed", "ERROR: failed to |failed to solve: ",
        "(?:ERROR: failed to (?:solve|build|receive|read)|failed to solve: )", part="end"),
    Row("docker", "build", "passed", "Successfully tagged |Successfully built ",
        r"Successfully (?:built [0-9a-f]{12}$|tagged \S+:\S+$)", part="end", again="sum"),
    Row("docker", "build", "passed", "[+] Building ",
        r"\[\+\] Building [\d.]+s \(\d+/\d+\) FINISHED", part="end"),
    Row("docker", "build", "passed", "naming to ", r"naming to \S+(?: [\d.]+s)? done$", part="name",
        again="sum"),
    Row("docker", "deploy", "error", "Cannot connect to the Docker daemon|ERROR: Cannot connect "
        "to the Docker|docker: Cannot connect|error during connect:", "", part="daemon"),
    Row("docker", "deploy", "failed",
        "Error response from daemon:|docker: Error response from daemon:", "", part="daemon"),
    Row("docker", "deploy",
        _by(started="passed", running="passed", healthy="passed", error="failed", exited="failed"),
        "Container ",
        r"Container (?:\S+ {2,}|\S+[-_]\d+ )(?P<o>Started|Running|Healthy|Created|Error|Exited)\b",
        part="container", again="sum"),
    Row("docker", "deploy", "failed", 'dependency failed to start|service "',
        r"(?:dependency failed to start: |service \"[^\"]+\" didn't complete)", part="container",
        again="sum"),

    # ---- deployment: kubectl, Helm, Terraform, Ansible
    Row("kubectl", "deploy", "skipped", "<word>", r"[\w.-]+/[\w.-]+ (?:configured|created|"
        r"unchanged|deleted|patched) \((?:server )?dry run\)$", part="object", again="sum",
        tick="total"),
    Row("kubectl", "deploy", "passed", "<word>", r"[\w.-]+/[\w.-]+ (?:configured|created|"
        r"unchanged|scaled|restarted|patched|labeled|annotated|rolled back|image updated|exposed|"
        r"env updated)$", part="object", again="sum", tick="total"),
    Row("kubectl", "deploy", "passed", 'deployment "|statefulset |daemon set ',
        r"(?:deployment \"|statefulset |daemon set ).*(?:successfully rolled out|rolling update "
        r"complete|roll out complete)", part="rollout"),
    Row("kubectl", "deploy", "failed", "error: ", r"error: (?:deployment \"+[^\"]+\"+ exceeded "
        r"its progress deadline|error (?:validating|parsing) |unable to (?:recognize|read|"
        r"connect)|no matching resources|the server doesn't have)", part="end"),
    Row("kubectl", "deploy", "timeout", "error: ", "error: timed out waiting for the condition",
        part="end", again="sum"),
    Row("kubectl", "deploy", "failed", "Error from server", r"Error from server \(\w+\)",
        part="end", again="sum"),
    Row("kubectl", "deploy", "error", "The connection to the server ",
        r"The connection to the server \S+ was refused", part="end"),
    Row("terraform", "deploy", "passed", "Apply complete! |Destroy complete! ",
        "(?:Apply|Destroy) complete! Resources: ", part="end"),
    Row("terraform", "deploy", "skipped", "Plan: ",
        r"Plan: \d+ to add, \d+ to change, \d+ to destroy\.", part="plan"),
    Row("terraform", "deploy", "empty", "No changes. ",
        r"No changes\. (?:Your infrastructure|Infrastructure is)", part="plan"),
    Row("terraform", "deploy", "passed", "Success! The configuration is valid", "", part="end"),
    Row("terraform", "deploy", "failed", "Error: ", r"(?<=│ )Error: \S", part="error", again="sum"),
    Row("terraform", "deploy", "partial", "Apply cancelled.|Destroy cancelled.", "", part="end"),
    Row("helm", "deploy", "passed", 'Release "',
        r"Release \"+[^\"]+\"+ (?:has been (?:upgraded|installed)|does not exist\. Installing)",
        part="release"),
    Row("helm", "deploy", _by(deployed="passed", failed="failed"), "STATUS: ",
        "STATUS: (?P<o>deployed|failed)$", part="status"),
    Row("helm", "deploy", "partial", "STATUS: pending-", r"STATUS: pending-\w+$", part="status"),
    Row("helm", "deploy", "failed", "Error: ", "Error: (?:INSTALLATION|UPGRADE|UNINSTALL) "
        "FAILED: |Error: (?:chart|release|uninstall|rollback)[ :]", part="error"),
    Row("helm", "lint", _found, "@chart(s)|Error: ",
        r"(?:Error: )?\d+ chart\(s\) linted, (?P<failed>\d+) chart\(s\) failed", part="lint",
        again="last"),
    Row("ansible", "deploy", _hosts, "<word>",
        r"\S+ +: ok=\d+ +changed=\d+ +unreachable=(?P<away>\d+) +failed=(?P<bad>\d+)", part="host",
        again="sum"),

    # ---- git: git-scm.com/docs
    Row("git", "vcs", "?", "To ", r"To (?:\S+@\S+:\S+|\w+://\S+|\.{0,2}/\S+|\w:\S+|\S+\.git)$",
        part="push.to", opens=True, soft=True),
    Row("git", "vcs", "failed", "! [", r"! \[(?:remote )?(?:rejected|failure)\] ", part="push.ref",
        again="sum"),
    Row("git", "vcs", "failed", "error: failed to push some refs to", "", part="push.end",
        closes=True),
    Row("git", "vcs", "empty", "Everything up-to-date", "Everything up-to-date$", part="push.end"),
    Row("git", "vcs", "passed", "[new branch]|[new tag]|- [deleted]",
        r"(?:- )?\[(?:new branch|new tag|deleted)\] +\S+", part="push.ref", again="sum",
        needs=True),
    Row("git", "vcs", "passed", "<sha>", r"[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40} +(?:HEAD|"
        r"(?P<b>\S+)) +-> +(?(b)(?P=b)|\S+)(?: \(forced update\))?$", part="push.ref", again="sum"),
    Row("git", "vcs", "passed", "[", r"\[[^\]\n]{1,120} [0-9a-f]{7,40}\] \S", part="commit",
        closes=True),
    Row("git", "vcs", "empty",
        "nothing to commit|nothing added to commit|no changes added to commit",
        r"(?:nothing to commit(?:, working |$| \()|nothing added to commit but|no changes added "
        r"to commit)", part="commit"),
    Row("git", "vcs", "failed", "Aborting commit due to ", "", part="commit"),
    Row("git", "vcs", "passed", "Merge made by the ", "", part="merge.end"),
    Row("git", "vcs", "passed", "Fast-forward", r"Fast-forward(?: \(no commit created.*)?$",
        part="merge.end"),
    Row("git", "vcs", "empty", "Already up to date.", r"Already up to date\.$", part="merge.end"),
    Row("git", "vcs", "empty", "Current branch ", r"Current branch \S+ is up to date\.$",
        part="merge.end"),
    Row("git", "vcs", "failed", "CONFLICT (", r"CONFLICT \([^)]+\): ", part="merge.conflict",
        again="sum"),
    Row("git", "vcs", "failed", "Automatic merge failed; ", "", part="merge.end"),
    Row("git", "vcs", "passed", "Successfully rebased and updated", "", part="merge.end"),
    Row("git", "vcs", "failed", "error: ", r"error: (?:could not (?:apply|revert) |pathspec '|"
        r"Your local changes to the following|patch failed: |\S+: patch does not apply|cannot "
        r"(?:pull|rebase)|src refspec |Merging is not possible|Committing is not possible|branch "
        r"'[^']*' not found|The following untracked working tree files|unable to (?:create|"
        r"unlink))", part="merge.error", again="sum"),
    Row("git", "vcs", "error", "fatal: ", r"fatal: (?!true$|false$)[a-zA-Z'\"]", part="fatal",
        again="sum"),

    # ---- gh: cli.github.com/manual
    Row("gh", "vcs", "failed", "pull request create failed: ", "", part="end"),
    Row("gh", "vcs", "?", "Creating pull request for |Creating draft pull request for ", "",
        part="create"),
    Row("gh", "vcs", "passed", "https://", r"https://[\w.-]+/[\w.-]+/[\w.-]+/pull/\d+$", part="end",
        needs=True),
    Row("gh", "vcs", "failed", "a pull request for branch ",
        "a pull request for branch .* already exists", part="end"),
    Row("gh", "vcs", "empty", "no pull requests found for branch|no checks reported on", "",
        part="end"),
    Row("gh", "vcs", "passed",
        "Merged pull request|Squashed and merged pull|Rebased and merged pull", "", part="end"),
    Row("gh", "vcs", "failed", "Pull request ", r"Pull request \S+ is not mergeable", part="end"),
    Row("gh", "test", "passed", "All checks were successful", "All checks were successful$",
        part="checks"),
    Row("gh", "test", "failed", "Some checks were not successful",
        "Some checks were not successful$", part="checks"),
    Row("gh", "test", "partial", "Some checks are still pending", "Some checks are still pending$",
        part="checks"),
    Row("gh", "test", "?", "@cancelled|@failing|@successful",
        r"(?:\d+ cancelled, )?(?P<failed>\d+) failing, (?P<passed>\d+) successful, "
        r"(?P<skipped>\d+) skipped", part="counts", needs=True),
    Row("gh", "test", _check, "<tabs>",
        r"[^\t]+\t(?P<o>pass|fail|pending|skipping|cancel) ?\t[^\t]*\thttps?://", part="check",
        again="sum"),
    Row("gh", "vcs", "error", "gh: ", r"gh: .*\(HTTP \d{3}\)", part="end"),

    # ---- HTTP clients
    Row("curl", "http", "timeout", "curl: (28)", "", part="end"),
    Row("curl", "http", "failed", "curl: (22)", "", part="end"),
    Row("curl", "http", "error", "curl: (", r"curl: \(\d+\) ", part="end"),
    Row("curl", "http", _http, "HTTP/|< HTTP/", r"(?:< )?HTTP/[\d.]+ (?P<code>\d{3})\b",
        part="status"),
    Row("curl", "http", _http, "HTTP|http|Status|status|STATUS",
        r"(?<! )(?i:http[ _-]?(?:status|code)?(?:[ _]code)?|status(?:[ _]code)?)(?:=|:| |: )"
        r"(?P<code>[0-5]\d\d)(?: [A-Z][A-Za-z ]+)?$", part="code"),

    # ---- databases
    Row("sqlite3", "db", "failed",
        "Parse error|Runtime error|Error: near line|Error: in prepare|Error: stepping",
        r"(?:(?:Parse|Runtime) error(?: near line \d+)?: |Error: (?:near line|in prepare|"
        r"stepping))", part="error", again="sum"),
    Row("psql", "db", "failed", "ERROR:  ", r"ERROR:  (?!While executing)\S", part="error",
        again="sum"),
    Row("psql", "db", "failed", "psql:", r"psql:\S+:\d+: ERROR:  ", part="error", again="sum"),
    Row("psql", "db", "error", "psql: ", "psql: error: ", part="error"),
    Row("psql", "db", _rows, "(", r"\((?P<total>\d+) rows?\)$", part="rows"),
    Row("psql", "db", _rows, "UPDATE |DELETE |INSERT 0 |COPY |MERGE ",
        r"(?:UPDATE|DELETE|INSERT 0|COPY|MERGE) (?P<total>\d+)$", part="rows"),
    Row("psql", "db", "passed", "CREATE |ALTER |DROP |TRUNCATE TABLE",
        "(?:(?:CREATE|ALTER|DROP) (?:TABLE|INDEX|VIEW|SCHEMA|SEQUENCE|TYPE|FUNCTION|EXTENSION|"
        "DATABASE|ROLE)|TRUNCATE TABLE)$", part="ddl", again="sum"),
    Row("mysql", "db", "failed", "ERROR ", r"ERROR \d{4} \([0-9A-Z]{5}\)", part="error",
        again="sum"),
    Row("mysql", "db", "passed", "Query OK, ", r"Query OK, (?P<total>\d+) rows? affected",
        part="rows"),
    Row("mysql", "db", "passed", "@rows|@row", r"(?P<total>\d+) rows? in set \([\d.]+ sec\)",
        part="rows"),
    Row("mysql", "db", "empty", "Empty set (", r"Empty set \([\d.]+ sec\)", part="rows"),
    Row("alembic", "db", "passed", "INFO  [alembic",
        r"INFO  \[alembic\.runtime\.migration\] Running (?:up|down)grade ", part="migration",
        again="sum"),
    Row("alembic", "db", "failed", "FAILED: ",
        "FAILED: (?:Target database|Can't locate revision|Multiple head)", part="migration"),
    Row("django", "db", "passed", "Applying ", r"Applying [\w.]+\.{3} OK$", part="migration",
        again="sum"),
    Row("django", "db", "empty", "No migrations to apply.", "", part="migration"),
    Row("prisma", "db", "passed",
        "All migrations have been successfully applied|Your database is now in sync", "",
        part="end"),
    Row("dbt", "db", "", "Done. PASS=", r"Done\. PASS=(?P<passed>\d+) WARN=\d+ "
        r"ERROR=(?P<failed>\d+) SKIP=(?P<skipped>\d+)(?: [A-Z-]+=\d+)* TOTAL=(?P<total>\d+)",
        part="done"),

    # ---- package managers
    Row("npm", "install", "passed", "added |up to date|removed |changed ",
        r"(?:added|removed|changed|up to date)(?: \d+ packages?)?(?:, (?:and )?(?:added|removed|"
        r"changed|audited) \d+ packages?)* in [\d.]+m?s$", part="added"),
    Row("npm", "audit", "passed", "found 0 vulnerabilities", "found 0 vulnerabilities$",
        part="audit.end"),
    Row("npm", "audit", "failed", "@vulnerabilities|@high|@moderate|@low|@critical",
        r"(?P<failed>\d+) (?:(?:low|moderate|high|critical) severity )?vulnerabilit(?:y|ies)(?: "
        r"\(.*\))?$", part="audit.end"),
    Row("npm", _kind_target, "error",
        "npm error Missing script|npm ERR! Missing script|npm ERR! missing script",
        r"npm \S+ [Mm]issing script: \"*(?P<name>[^\"]+)", part="error"),
    Row("npm", _kind_target, "failed", "npm error Lifecycle script |npm ERR! Lifecycle script ",
        r"npm \S+ Lifecycle script `(?P<name>[^`]+)` failed", part="life", wraps=True),
    Row("npm", "install", "failed", "npm error code |npm ERR! code ",
        r"npm \S+ code E(?!LIFECYCLE)\w+$", part="error", wraps=True),
    Row("npm", "test", "failed", "npm ERR! Test failed.|npm error Test failed.", "", part="life",
        again="sum", wraps=True),
    Row("npm", "script", "failed", "npm ERR! |npm error ",
        r"npm \S+ (?:command failed|Test failed\.|code \d+$|errno \d+$)", part="life", again="sum",
        wraps=True),
    Row("pnpm", "test", "failed", "ELIFECYCLE", r"ELIFECYCLE\W+Test failed\.", part="life",
        again="sum", wraps=True),
    Row("pnpm", "script", "failed", "ELIFECYCLE|ERR_PNPM_RECURSIVE",
        "(?:ELIFECYCLE .*Command failed|ERR_PNPM_RECURSIVE_(?:RUN_FIRST|EXEC_FIRST)_FAIL)",
        part="life", again="sum", wraps=True),
    Row("pnpm", _kind_target, "error", "ERR_PNPM_NO_SCRIPT",
        r"ERR_PNPM_NO_SCRIPT\S*\W+Missing script: (?P<name>\S+)", part="error"),
    Row("pnpm", "script", "empty",
        "None of the selected packages has|No projects matched the filters", "", part="error"),
    Row("pnpm", "install", "failed", "ERR_PNPM_", r"ERR_PNPM_\w+ ", part="error"),
    Row("pnpm", "install", "passed", "Done in ", r"Done in [\d.]+ ?m?s(?: using pnpm v[\d.]+)?$",
        part="end"),
    Row("yarn", "script", "failed", "error Command failed with exit code",
        r"error Command failed with exit code \d+\.", part="life", wraps=True),
    Row("yarn", _kind_target, "error", 'error Command "',
        r"error Command \"+(?P<name>[^\"]+)\"+ not found\.", part="life"),
    Row("yarn", "install", "?", "Done in ", r"Done in [\d.]+s\.$", part="done", needs=True),
    Row("yarn", "install", "passed", "success ",
        r"success (?:Saved lockfile|Already up-to-date|Saved \d+ new dependenc)", part="end"),
    Row("bun", _kind_target, "failed", 'error: script "',
        r"error: script \"+(?P<name>[^\"]+)\"+ (?:exited with code|was terminated)", part="life",
        wraps=True),
    Row("bun", _kind_target, "error", 'error: Script not found "',
        r"error: Script not found \"+(?P<name>[^\"]+)\"", part="life"),
    Row("turbo", "script", _above("failed", "failed", "passed"), "Tasks: ",
        r"Tasks: +(?P<passed>\d+) successful, (?P<total>\d+) total(?P<failed>)", part="end",
        wraps=True),
    Row("turbo", "script", "failed", "ERROR  run failed|Failed: ",
        r"(?:ERROR  run failed: |Failed: +\S+#\S+)", part="failed", wraps=True),
    Row("nx", "script", "passed", "NX   Successfully ran target", "NX   Successfully ran targets? ",
        part="end", wraps=True),
    Row("nx", "script", "failed", "NX   ", "NX   (?:Running|Ran) targets? .*(?:failed)$",
        part="end", wraps=True),
    Row("pip", "install", "passed", "Successfully installed ", r"Successfully installed \S+-\d",
        part="end"),
    Row("pip", "install", "failed", "ERROR: ", "ERROR: (?:Could not find a version that "
        "satisfies|No matching distribution|Cannot install |ResolutionImpossible|Could not "
        "install packages|Could not open requirements file|Failed building wheel|Could not build "
        "wheels|Invalid requirement|Directory .* is not installable|Failed to build (?!gem))",
        part="error", again="sum"),
    Row("pip", "install", "failed", "error: ", "error: (?:externally-managed-environment|"
        "subprocess-exited-with-error|metadata-generation-failed)", part="error", again="sum"),
    Row("pip", "install", "empty", "Requirement already satisfied: ", "", part="satisfied",
        again="sum", soft=True),
    Row("pip-audit", "audit", "passed", "No known vulnerabilities found", "", part="end"),
    Row("pip-audit", "audit", "failed", "Found ",
        r"Found (?P<failed>\d+) known vulnerabilit(?:y|ies)", part="end"),
    Row("uv", "install", "passed", "Installed |Audited ",
        r"(?:Installed|Audited) \d+ packages? in [\d.]+m?s$", part="end"),
    Row("uv", "install", "failed", "No solution found when resolving", "", part="end"),
    Row("cargo-audit", "audit", "failed", "error: ",
        r"error: (?P<failed>\d+) vulnerabilit(?:y|ies) found!", part="end"),
    Row("apt", "install", "failed", "E: ", "E: (?:Unable to (?:locate package|fetch|acquire|"
        "correct)|Package .* has no installation|Could not)", part="error", again="sum"),
    Row("apt", "install", "passed", "@upgraded",
        r"\d+ upgraded, \d+ newly installed, \d+ to remove", part="end", soft=True),

    # ---- generic forms, behind everything specific
    Row("tests", "test", "passed", "All |all ",
        r"[Aa]ll (?:(?P<passed>\d+) )?tests (?:have )?pass(?:ed)?(?: successfully)?[.!]*$",
        part="all", soft=True),
    Row("tests", "test", "", "Tests|Results|Result|Test results|Test Results|RESULTS|TOTAL|Total|"
        "Summary|SUMMARY|Test summary|Test run|Passed|passed|PASSED|Failed|FAILED",
        r"(?:(?:Tests?|Test [Rr]esults?|RESULTS?|Results?|TOTAL|Total|Summary|SUMMARY|Test "
        r"summary|Test run)(?: run| completed)?: *+)?(?P<n>(?:\d++ (?:tests? )?(?i:passed|failed|"
        r"failures?|errors?|skipped|total|pending)|(?i:passed|failed|failures?|errors?|skipped|"
        r"total|pending|tests?): ?\d++)(?:[ ,;|/]++(?:\d++ (?:tests? )?(?i:passed|failed|"
        r"failures?|errors?|skipped|total|pending)|(?i:passed|failed|failures?|errors?|skipped|"
        r"total|pending|tests?): ?\d++))++)\.?$", part="counts", soft=True),
    Row("tests", "test", "",
        "@passed|@failed|@tests passed|@tests failed|@test failed|@test passed|@pass",
        r"(?P<n>\d++ (?:tests? )?(?:passed|failed|pass)(?:[ ,;|]++\d++ (?:tests? )?(?:passed|"
        r"failed|fail|failures?|errors?|skipped|pending|total|ignored|todo))++)(?: \([^()"
        r"]{1,40}+\))?\.?$", part="counts", soft=True),
    Row("tests", "test", "", "@tests|@test|@assertions|@checks",
        r"(?P<total>\d+) (?:tests?|checks?|assertions?)(?: run| completed)?[,:] (?P<n>\d+ "
        r"\w+(?:, \d+ \w+)*)\.?$", part="counts", soft=True),
    Row("tests", "test", "", "@tests|@test|@passed|@checks|@assertions",
        r"(?P<passed>\d+)(?:/| of )(?P<total>\d+) (?:tests? |checks? |assertions? )?(?:passed|"
        r"passing|pass)[.!]?$", part="counts", soft=True),
    Row("tests", "test", "", "@tests passed|@test passed", r"(?P<passed>\d+) tests? passed[.!]?$",
        part="counts", soft=True),
    Row("tests", "test", "failed", "@tests failed|@test failed",
        r"(?P<failed>\d+) tests? failed[.!]?$", part="failed", soft=True),
    Row("tests", "test", "failed", "FAIL|FAILED|FAILURE", "FAIL(?:ED|URE)?!?$", part="word",
        soft=True, last=True),
    Row("tests", "test", "passed", "PASS|PASSED", "PASS(?:ED)?!?$", part="word", soft=True,
        last=True),

    # ---- the shell
    Row("shell", "script", _exit, "Exit|exit|EXIT|Process |process |Command ",
        r"(?i:(?:(?:process |command )?(?:exited|failed) with |exit[ _-]?)(?:exit )?(?:code|"
        r"status)(?:: ?| )|exit: ?)(?P<code>\d{1,3})\.?$", part="exit", wraps=True),
    Row("shell", "script", _exit, "Exit|exit|EXIT|rc|RC|returncode=|RETURN",
        r"(?i:exit(?:[ _-]?(?:code|status))?|rc|returncode|return[ _]code) ?[:=] "
        r"?(?P<code>\d{1,3})$", part="exit", wraps=True, last=True),
    Row("shell", "script", _exit, "Error: Process completed|##[error]Process",
        r"(?:Error: |##\[error\])Process completed with exit code (?P<code>\d+)\.$", part="exit",
        wraps=True),
    Row("shell", "script", _exit, "[exit |(exit |[Exit |(Exit ",
        r"[\[(](?i:exit)(?: code| status)?:? (?P<code>\d{1,3})[\])]$", part="exit", wraps=True),
    Row("shell", "script", _exit,
        '"exit_code"|{"exit_code"|{"returncode"|"returncode"|{"exitCode"|"exitCode"',
        r"\{?\"\w+\": ?(?P<code>\d{1,3})[,}]", part="exit", wraps=True),
    Row("shell", "script", "timeout", "Command timed out|Error: Command timed out|timeout: "
        "sending signal|Timed out after|command timed out", "", part="end"),
    Row("shell", "script", "killed", "Killed|Terminated|Segmentation fault|Aborted|signal: |Bus "
        "error|Illegal instruction|Floating point exc",
        r"(?:Killed(?:: 9)?|Terminated(?:: 15)?|Segmentation fault(?:: 11)?(?: \(core dumped\))?|"
        r"Aborted(?: \(core dumped\))|Bus error|Illegal instruction(?: \(core dumped\))?|"
        r"Floating point exception.*|signal: (?:killed|terminated|segmentation fault.*))$",
        part="end", again="sum"),
    Row("shell", "script", "killed", "<killed>|<word>", r"\S+sh: line \d+: +\d+ [A-Z]", part="end",
        again="sum"),
    Row("node", "script", "killed", "FATAL ERROR: ", "FATAL ERROR: .*(?:out of memory|OOM)",
        part="end"),
    Row(_runner_named, _kind_named, "error",
        "bash: |sh: |/bin/sh: |/bin/bash: |zsh: |<word>|/usr/bin/env: |env: ",
        r"\S+?: (?:line \d+: |\d+: )?(?:command not found: )?(?P<name>[\w./@+-]+): (?:command )"
        r"?not found$", part="end"),
    Row(_runner_named, _kind_named, "error", "zsh: command not found: |zsh:1: command not found: ",
        r"zsh:(?:\d+:)? command not found: (?P<name>[\w./@+-]+)$", part="end"),
    Row(_runner_named, _kind_named, "error",
        "/usr/bin/env: |env: |timeout: |exec: |nohup: |sudo: |xargs: ",
        r"\S+: (?:failed to run command )?['\u2018\"]?(?P<name>[\w./@+-]+)['\u2019\"]?: (?:No "
        r"such file or directory|command not found)$", part="end"),
    Row(_runner_named, _kind_named, "error", "<word>",
        r"\S*python[\d.]*(?:\.exe)?: No module named '?(?P<name>[\w.-]+)'?$", part="end"),
)
# fmt: on


# ------------------------------------------------------------------------------ the candidate lines

# What may stand before a head.  Each alternative takes at least one character and gives none back.
_BEFORE = (
    r"(?>(?=[#xX*,\d\[\x80-\U0010ffff])(?:"
    r"[^\x00-\x7f][^\x00-\x7f]*+[ \t]*+"  # a symbol: a tick, a cross, a box line
    r"|[#xX*,][ \t]*+(?<=[ ,])"  # a TAP comment, an ASCII cross, git's mark of a ref
    r"|\d(?:\d*+[\t\u2192][ \t]*+"  # the gutter of a numbered listing
    r"|\d:\d\d(?::\d\d\S*+)?+[ \t]++|\d{3}-\d\d-\d\d[T ]\S++[ \t]++)"  # a time
    r"|\[(?:INFO|ERROR|WARNING|WARN|\d)\][ \t]++"  # a log level, a process of `concurrently`
    r"|#\d++ (?:[\d.]++ )?+"  # a step of an image build
    r")*+|)"
)
# The task in front of each line of a monorepo's log: `core test: `, `core:test: `.
_TASK = r"(?:test|lint|build|type|check|format|ci)[\w-]*+(?::[\w-]++)*+: "
# A word before a position in a file, before one of the few phrases that sum up in this shape, or
# before the task or the bar that labels each line of a monorepo's or a container's log.
_WORD = (
    r"(?P<p>[\w./@+-]++)(?:"
    r":(?:\d++(?::\d|:? ++(?:error|MD))| (?:command |not found|No module |line \d|\d++: )"
    rf"|(?P<k>{_TASK}))"
    r"|\(\d++,\d"
    r"| (?:configured|created|unchanged|scaled|deleted|restarted|patched|labeled|annotated|exposed"
    r"|rolled back|image upd|env upd|[ \t]*+: ok=\d"
    rf"|(?P<l>{_TASK}|[ \t]*+\| )))"
)
_LABELS = ("Output:", "output:", "stdout:", "stderr:", "STDOUT:", "STDERR:", "Stdout:", "Stderr:")
# What no head can find: a mark in the line, words of which the text has one, the shape of the line,
# and the name of its rows.
_SHAPES = (
    (
        "....",
        ("Passed", "Failed", "Skipped"),
        regex(
            r"[^\n.]{1,120}+(?:\.[^\n.]{1,80}+){0,4}\.{3,}+(?:\([^)\n]{1,60}\))?"
            r"(?:Passed|Failed|Skipped)[ \t]*+(?=\n|\Z)"
        ),
        "<dots>",
    ),
    (
        " -> ",
        ("..",),
        regex(r"(?:[ \t]*+\d++[\t\u2192])?+[ \t*+=-]{0,6}+(?=[0-9a-f]{7,40}\.\.)"),
        "<sha>",
    ),
    (
        "\thttp",
        ("\t",),
        regex(
            r"(?=[^\t\n]{1,200}+\t(?:pass|fail|pending|skipping|cancel) ?\t[^\t\n]{0,40}+\thttp)"
        ),
        "<tabs>",
    ),
)
_SHA = regex(r"[0-9a-f]{7,40}\Z")
# What the shell adds at the very end, behind a line that its command did not finish.
_LAST = regex(
    r"(?<=[^\n\w])(?:(exit(?: code)?[:=] ?\d{1,3})|\w*sh: line \d++: ++\d++ [A-Z]\w++ [^\n]*)"
    r"(?=\s*\Z|\s*\n[,}])"
)

_SCANNED = 6  # characters of a head that the scan looks for: few enough to compile fast


class _Heads:
    """The patterns that find a head, and the rows of each head in the order of `_ROWS`."""

    def __init__(self) -> None:
        owners: dict[str, list[int]] = {}
        for index, row in enumerate(_ROWS):
            for head in row.heads.split("|"):
                owners.setdefault(head, []).append(index)
        # The longest head of a line is taken, so it also answers for the heads that begin it.
        self.rows = {
            head: tuple(
                _ROWS[i]
                for i in sorted(
                    {i for n in range(len(head)) for i in owners.get(head[: n + 1], ())}
                )
            )
            for head in owners
        }
        scanned = sorted((*owners, *_LABELS), key=len, reverse=True)
        scanned = [head for head in scanned if head[0] != "<" or head[:2] in ("< ", "<t")]
        self.of_start: dict[str, list[str]] = {}
        for start in {head[: _SCANNED + (head[0] == "@")] for head in scanned}:
            self.of_start[start] = [
                head for head in scanned if head.startswith(start) or start.startswith(head)
            ]
        starts = [start for start in self.of_start if start[0] != "@"]
        lower = _any_of([start for start in starts if "a" <= start[0] <= "z"])
        upper = _any_of([start for start in starts if "A" <= start[0] <= "Z"])
        other = _any_of([start for start in starts if not start[0].isalpha()])
        words = _any_of([start[1:] for start in self.of_start if start[0] == "@"])
        head = (
            rf"[ \t]*+{_BEFORE}(?:(?P<h>(?=[a-z])(?:{lower})|(?=[A-Z])(?:{upper})|{other})"
            rf"|(?P<n>\d[\d,]*+(?:%|(?:/| of )\d++)?+) ++(?P<w>{words})"
            rf"|{_WORD})"
        )
        self.scan = re.compile(rf"\n{head}").finditer
        self.behind_label = regex(head)
        self.word = regex(_WORD)

    def key(self, found: _Match) -> tuple[str, int]:
        """The head that was found, as `_ROWS` writes it ("" for a mere label), and its offset."""
        group, text = found.lastgroup, found.string
        if group == "h":
            at = found.start("h")
            for head in self.of_start[found["h"]]:
                if text.startswith(head, at):
                    return ("" if head in _LABELS else head), at
            return "?", at
        if group == "w":
            at = found.start("w")
            for head in self.of_start["@" + found["w"]]:
                if text.startswith(head[1:], at):
                    return head, found.start("n")
            return "?", found.start("n")
        if group == "p":
            word, end = found["p"], found.end("p")
            if text[end] in " \t" or text.startswith(": ", end):
                return "<word>", found.start("p")
            return ("<0>" if word.isdigit() else f"<{word[word.rfind('.') :]}>"), found.start("p")
        return "", found.end()


_heads: list[_Heads] = []  # made at the first use: importing stays cheap


def _any_of(literals: Sequence[str]) -> str:
    """An alternation of literals, the longest first, grouped by first character for speed."""
    groups: dict[str, list[str]] = {}
    for literal in sorted(literals, key=lambda text: (-len(text), text)):
        groups.setdefault(literal[0], []).append(re.escape(literal[1:]))
    return "|".join(
        re.escape(first) + (rests[0] if len(rests) == 1 else f"(?:{'|'.join(rests)})")
        for first, rests in sorted(groups.items())
    )


class _Hit(NamedTuple):
    """A row that matched the line at `at`; `others` are rows behind it that may match as well."""

    at: int
    end: int
    row: Row
    match: _Match
    line: str
    others: Sequence[Row]


def _hits(text: str) -> list[_Hit]:
    """Every line of `text` (which begins with a line break) that one of the rows matches."""
    if not _heads:
        _heads.append(_Heads())
    heads = _heads[0]
    hits: list[_Hit] = []
    for found in heads.scan(text):
        head = found
        for _ in range(4):  # a label may stand in front of a label
            key, at = heads.key(head)
            if key and _try(text, found.start() + 1, at, heads.rows.get(key, ()), hits):
                break
            if head.lastgroup == "h":  # a label, or a path that begins like a head
                follows = (
                    heads.word.match(text, at)
                    if key
                    else heads.behind_label.match(text, text.index(":", at) + 1)
                )
            elif key or _SHA.match(head["p"]):  # a sha is no label, but a line of a log
                break
            else:
                follows = heads.behind_label.match(text, head.end())
            if follows is None:
                break
            head = follows
    regular = len(hits)
    for mark, needed, shape, key in _SHAPES:
        at = text.find(mark) if mark[0] != "\t" or "\t" in text else -1
        if at >= 0 and not any(word in text for word in needed):
            continue
        while at >= 0:
            begin = text.rfind("\n", max(0, at - _LINE), at) + 1
            if begin and (shaped := shape.match(text, begin)):
                start = shaped.end() if key != "<dots>" else begin
                _try(text, start, start, heads.rows[key], hits)
            at = text.find("\n", at)
            at = text.find(mark, at) if at >= 0 else -1
    end = text[-160:]
    if ("xit" in end or ": line " in end) and (last := _LAST.search(end)):
        at = len(text) - len(end) + last.start()
        if all(hit.at < at for hit in hits[-1:]):
            _try(text, at, at, heads.rows["exit" if last[1] else "<killed>"], hits)
    if len(hits) > regular:
        hits.sort(key=lambda hit: hit.at)
    return hits


def _try(text: str, begin: int, at: int, rows: Sequence[Row], hits: list[_Hit]) -> bool:
    """Add the hit of the first of `rows` that matches at `at`; `begin` is where the line starts."""
    end = text.find("\n", at, begin + _LINE)
    if end < 0:
        end = min(len(text), begin + _LINE)
    line = text[begin:end].rstrip()
    for index, row in enumerate(rows):
        if match := row.match(line, at - begin):
            if row.last and (end + 200 < len(text) or not (text[end:] or " ").isspace()):
                continue
            said = line[at - begin : at - begin + _QUOTE]
            hits.append(_Hit(at, end, row, match, said, rows[index + 1 :] if row.needs else ()))
            return True
    return False


# ------------------------------------------------------------------------------- folding into runs

_WORDS = {
    **dict.fromkeys(("passed", "passing", "pass", "succeeded", "successful"), "passed"),
    **dict.fromkeys(
        ("failed", "failing", "fail", "failure", "failures", "invalid", "subtests failed"), "failed"
    ),
    **dict.fromkeys(("errors", "error", "errored"), "errors"),
    **dict.fromkeys(("skipped", "skips", "pending", "ignored", "disabled", "todo"), "skipped"),
    **dict.fromkeys(("total", "tests", "test", "doctest", "doctests", "properties"), "total"),
    **dict.fromkeys(("excluded", "deselected"), "left"),
    **dict.fromkeys(("xfailed", "xpassed", "flaky", "risky", "warnings"), "other"),
}
_COUNT = regex(r"(\d{1,9}) (subtests failed|[a-z]+)|([a-z]+)[:=] ?(\d{1,9})", re.I)
_FIELDS = ("passed", "failed", "errors", "skipped", "total", "files")
_FAILING = ("killed", "timeout", "error", "failed", "partial")  # the worst first
_RANK = {name: rank for rank, name in enumerate((*_FAILING, "passed", "skipped", "empty"))}


def _numbers(match: _Match) -> dict[str, int]:
    """The counts that a line gives, by field of RunSummary (and `other`)."""
    out: dict[str, int] = {}
    for name, digits in match.groupdict().items():
        if not digits:
            continue
        if name == "n":
            for count, word, key, value in _COUNT.findall(digits):
                if field := _WORDS.get((word or key).lower()):
                    out[field] = out.get(field, 0) + int(count or value)
        elif name in _FIELDS:
            out[name] = int(digits.replace(",", "")[:9])
    return out


class _Run:
    """The lines of one run so far."""

    __slots__ = (
        "counted",
        "end",
        "hard",
        "kinds",
        "marks",
        "numbers",
        "parts",
        "runner",
        "start",
        "wraps",
    )

    def __init__(self, runner: str, start: int) -> None:
        self.runner, self.start, self.end = runner, start, start
        self.hard = self.counted = False
        self.wraps = True
        self.kinds: list[str] = []
        self.parts: set[str] = set()
        # By hardness: the outcome, offset and text of each line; and the counts.
        self.marks: tuple[list[tuple[str, int, str, str]], ...] = ([], [])
        self.numbers: tuple[dict[str, int], ...] = ({}, {})

    def add(self, row: Row, match: _Match, hit: _Hit) -> None:
        hard = not row.soft
        numbers = self.numbers[hard]
        new = _numbers(match)
        if row.tick:
            new[row.tick] = new.get(row.tick, 0) + 1
        for field, number in new.items():
            numbers[field] = numbers.get(field, 0) + number if row.again == "sum" else number
        outcome = row.outcome if isinstance(row.outcome, str) else row.outcome(match)
        kind = row.kind if isinstance(row.kind, str) else row.kind(match)
        self.marks[hard].append((outcome, hit.at, hit.line, kind))
        self.kinds.append(kind)
        self.parts.add(row.part)
        self.hard |= hard
        self.wraps &= row.wraps
        self.end = hit.end

    def summary(self, back: _Back) -> RunSummary | None:
        """The run as one summary; None where its lines say nothing about an outcome."""
        marks, numbers = self.marks[self.hard], self.numbers[self.hard]
        kind = "test" if "test" in self.kinds else self.kinds[0]
        # A build that succeeded around skipped tests is no passing test run.
        outcomes = {mark[0] for mark in marks if mark[3] == kind or mark[0] in _FAILING}
        if "" in outcomes:
            outcomes.add(_counted(numbers))
        outcomes -= {"", "?"}
        if not outcomes:
            return None
        outcome = min(outcomes, key=_RANK.__getitem__)
        if (
            outcome == "passed"
            and kind == "test"
            and numbers
            and set(numbers) <= {"total", "files"}
        ):
            numbers["passed"] = numbers.get("total", 0)
        if outcome == "error" and kind == "test" and outcomes & {"passed", "failed"}:
            outcome = "failed"  # a part of it ran
        said = [mark for mark in marks if mark[0] == outcome]
        if not said or outcome not in _FAILING:
            said = [mark for mark in marks if mark[0] == ""] or said or marks
        _, at, line, _ = said[0]
        return RunSummary(
            self.runner,
            kind,
            outcome,
            line,
            back(at - 1),
            *(numbers.get(field) for field in _FIELDS),
        )


def _counted(numbers: dict[str, int]) -> str:
    """The outcome that the counts of a run mean; adds `passed` where only the total is given."""
    failed, errors = numbers.get("failed", 0), numbers.get("errors", 0)
    skipped = numbers.get("skipped", 0)
    if "passed" not in numbers and "total" in numbers:
        left = numbers.get("left", 0)
        numbers["passed"] = max(0, numbers["total"] - failed - errors - skipped - left)
    passed = numbers.get("passed", 0)
    if errors and not failed and not passed:
        return "error"
    if failed or errors:
        return "failed"
    if passed or numbers.get("other"):
        return "passed"
    return "skipped" if skipped else "empty"


def _fold(hits: list[_Hit]) -> list[_Run]:
    """The runs that the hits belong to, in order.  O(hits)."""
    runs: list[_Run] = []
    open_runs: dict[str, _Run] = {}
    for hit in hits:
        row, match = hit.row, hit.match
        family = _family(row, match)
        run = _continued(open_runs.get(family), row, hit.at)
        for other in hit.others:
            if run is not None or not row.needs:
                break
            if found := other.match(match.string, match.pos):
                row, match = other, found
                family = _family(row, match)
                run = _continued(open_runs.get(family), row, hit.at)
        if run is None:
            if row.needs:
                continue
            runner = row.runner if isinstance(row.runner, str) else row.runner(match)
            run = open_runs[family] = _Run(runner, hit.at)
            runs.append(run)
        run.add(row, match, hit)
        if row.closes:
            del open_runs[family]
    return runs


def _family(row: Row, match: _Match) -> str:
    """What folds together: one runner, or one command of it (the part `push.ref`)."""
    runner = row.runner if isinstance(row.runner, str) else row.runner(match)
    return runner + row.part.partition(".")[0] if "." in row.part else runner


def _continued(run: _Run | None, row: Row, at: int) -> _Run | None:
    """`run`, or None where a line of `row` at offset `at` does not belong to it."""
    if run is None or row.opens:
        return None
    if row.again == "new" and (row.part in run.parts or (not row.soft and at - run.end > row.near)):
        return None
    return run


def _settle(runs: list[_Run], back: _Back) -> list[RunSummary]:
    """The summaries of the runs, less those that only repeat what another one says.  O(runs)."""
    pairs = [(run, summary) for run in runs if (summary := run.summary(back)) is not None]
    pairs.sort(key=lambda pair: pair[1].start)
    # A run known by single diagnostics only is part of a run behind it that sums the work up.
    summed: dict[str, int] = {}
    for run, summary in pairs:
        if run.hard and not run.wraps:
            summed[summary.kind] = max(run.end, summed.get(summary.kind, 0))
    kept = [(run, s) for run, s in pairs if run.hard or run.end > summed.get(s.kind, -1)]
    proper = [not run.wraps for run, _ in kept]
    failing_ahead = any(p and s.outcome in _FAILING for p, (_, s) in zip(proper, kept, strict=True))
    out: list[RunSummary] = []
    for is_proper, (_, summary) in zip(proper, kept, strict=True):
        if not is_proper:
            if summary.outcome in _FAILING:
                echo = out[-1].outcome in _FAILING if out else failing_ahead
            else:
                echo = any(proper)
            if echo:
                continue
        out.append(summary)
    return out


# --------------------------------------------------------------------------------- text as it comes

_ANSI = regex(
    r"(?:\x1b|\\u001[bB]|\\x1b|\\033|\\e)\[[0-9;:?]{0,20}[A-Za-z]"
    r"|\x1b\][^\x07\x1b]{0,300}(?:\x07|\x1b\\)"
    r"|\[\d{1,3}(?:;\d{1,3}){0,4}m"
)
_CI_LOG = regex(
    r"^[^\t\n]{1,100}\t[^\t\n]{0,100}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]{8,20}Z ?", re.MULTILINE
)
_JSON = regex(r"\s*+(?:\w{1,20}:\s*+)?(?:\{\s*+[\"'}]|\[\s*+[{\"'])")
_UNICODE = regex(r"\\u[0-9a-fA-F]{4}")


def _unescape(text: str) -> str:
    """JSON (or Python's repr of it) with its strings on lines of their own; every offset stays."""
    if "\\" in text:
        text = text.replace("\\\\n", "  \n").replace("\\n", " \n").replace("\\r", " \r")
        text = text.replace("\\t", " \t").replace('\\"', "\0\0")
    text = (
        text.replace('": "', '": \n')
        .replace('":"', '":\n')
        .replace('",', "\n,")
        .replace('"}', "\n}")
    )
    if "': '" in text:
        text = text.replace("': '", "': \n").replace("',", "\n,").replace("'}", "\n}")
    if "\0\0:" in text:  # JSON inside a string of JSON
        text = text.replace("\0\0: \0\0", "  :  \n").replace("\0\0:\0\0", "  : \n")
        text = text.replace("\0\0,", " \n,").replace("\0\0}", " \n}")
    return text.replace("\0\0", '""')


def _character(escape: _Match) -> str:
    """The character that `\\uXXXX` stands for, padded to the length of the escape."""
    code = int(escape[0][2:], 16)
    return "      " if 0xD800 <= code < 0xE000 else chr(code).rjust(6)


class _Back:
    """Offsets of a text that had pieces taken out, turned into offsets of the text before."""

    def __init__(self) -> None:
        self.layers: list[tuple[list[int], list[int]]] = []

    def strip(self, pattern: re.Pattern[str], text: str) -> str:
        """`text` without what `pattern` matches."""
        parts: list[str] = []
        starts, shifts = [0], [0]
        at = gone = 0
        for found in pattern.finditer(text):
            parts.append(text[at : found.start()])
            at = found.end()
            gone += at - found.start()
            starts.append(at - gone)
            shifts.append(gone)
        if not gone:
            return text
        parts.append(text[at:])
        self.layers.append((starts, shifts))
        return "".join(parts)

    def __call__(self, offset: int) -> int:
        for starts, shifts in reversed(self.layers):
            offset += shifts[bisect_right(starts, offset) - 1]
        return offset


def read_summaries(text: str) -> tuple[RunSummary, ...]:
    """The runs that a tool result sums up, in order of appearance.

    `text` may be JSON around the output, coloured, numbered, prefixed or cut; what a runner prints
    over several lines for one run gives one summary, and several runs give several.  O(len(text)).
    """
    if not text:
        return ()
    back = _Back()
    clean = text
    if (
        ("\\" in text and ("\\u001b[" in text or "\\x1b[" in text or "\\033[" in text))
        or "\x1b" in text
        or "[39m" in text[-400:]
        or "[0m" in text[-400:]
    ):
        clean = back.strip(_ANSI, clean)
    escaped = "\\" in clean and "\\n" in clean
    if (escaped and clean.count("\\n") > clean.count("\n")) or (
        _JSON.match(clean) and (escaped or "pass" in clean or "fail" in clean or "xit" in clean)
    ):
        clean = _unescape(clean)
        if "\\u" in clean:
            clean = _UNICODE.sub(_character, clean)
    if "\r" in clean:
        clean = clean.replace("\r", "\n")
    if "Z " in clean[:400] and _CI_LOG.search(clean, 0, 400):
        clean = back.strip(_CI_LOG, clean)
    hits = _hits("\n" + clean)
    if not hits:
        return ()
    return tuple(_settle(_fold(hits), back))


# ---------------------------------------------------------------------------------- command lines

# What only starts another command -> its options that take a value.
_STARTERS: dict[str, str] = {
    **dict.fromkeys(
        "command exec nohup builtin eval bunx pnpx stdbuf setsid doas chronic unbuffer".split(), ""
    ),
    **{"npx": "-p --package -w --workspace", "uvx": "--from --with -p --python"},
    **{"sudo": "-u -g -h", "env": "-u -C", "nice": "-n", "ionice": "-c -n", "time": "-f -o"},
    **{"timeout": "-s --signal -k --kill-after", "gtimeout": "-s -k", "xvfb-run": "-n -s -e"},
    **{"cross-env": "", "dotenv": "-e -f", "script": "", "flock": ""},
}
_IN_DOCKER = (
    "exec run",
    "-e --env -u --user -w --workdir -v --volume --name --network --env-file -p --index",
)
# `poetry run pytest`: the first word -> the second word, and the options that take a value.
_SECOND: dict[str, tuple[str, str]] = {
    "uv": (
        "run",
        "--with --group --extra -p --python --package --env-file --project --directory",
    ),
    "uv tool": ("run", "--from --with -p --python"),
    **dict.fromkeys(
        "poetry pdm pipenv rye pixi hatch pipx heroku fvm".split(), ("run exec", "-e --spec")
    ),
    **dict.fromkeys("bundle mise asdf rbenv direnv".split(), ("exec x", "")),
    **{"npm": ("exec x", "-w --workspace -p --package"), "yarn": ("exec dlx", "-p")},
    **{"pnpm": ("exec dlx", "--filter -F -C --dir"), "bun": ("x", "")},
    "coverage": ("run", "--source --rcfile --omit"),
    **dict.fromkeys(("docker", "podman", "docker compose", "docker-compose"), _IN_DOCKER),
    "kubectl": ("exec", "-n --namespace -c --container --context"),
}
# Where the next word names a container, an image, a pod or a folder.
_PLACED = ("docker", "podman", "docker compose", "docker-compose", "kubectl", "direnv")

_KIND_OF: dict[str, str] = {
    name: kind
    for kind, names in (
        (
            "test",
            "pytest py.test unittest jest vitest mocha ava tape tap nox tox ctest gotestsum rspec"
            " minitest phpunit pest prove bats nose2 cypress playwright karma behave cucumber"
            " jasmine eunit busted stestr trial paratest c8 nyc nextest testem nightwatch hurl",
        ),
        (
            "lint",
            "eslint stylelint flake8 pylint pyflakes pycodestyle pydocstyle rubocop standardrb"
            " standard xo oxlint golangci-lint staticcheck revive shellcheck hadolint yamllint"
            " markdownlint markdownlint-cli2 actionlint vale ktlint detekt swiftlint clang-tidy"
            " cppcheck bandit vulture sqlfluff phpcs tflint ansible-lint codespell cspell lychee"
            " linkchecker markdown-link-check pre-commit prek lint-staged knip depcheck semgrep"
            " commitlint jshint tslint textlint",
        ),
        (
            "types",
            "tsc vue-tsc mypy dmypy pyright basedpyright pyre pytype ty flow svelte-check phpstan"
            " psalm srb dialyzer tsd",
        ),
        (
            "format",
            "prettier black isort gofmt goimports gofumpt rustfmt clang-format shfmt autopep8 yapf"
            " pint php-cs-fixer dprint stylua taplo scalafmt swiftformat autoflake",
        ),
        (
            "build",
            "webpack esbuild rollup tsup parcel rspack swc babel cmake ninja gcc g++ cc c++ clang"
            " clang++ javac kotlinc rustc ant buck2 mkdocs sphinx-build hugo jekyll msbuild scons"
            " pyinstaller wasm-pack latexmk pdflatex",
        ),
        ("audit", "pip-audit safety trivy grype snyk govulncheck bundle-audit brakeman gitleaks"),
        ("vcs", "git gh glab hub hg svn jj"),
        (
            "deploy",
            "kubectl oc terragrunt pulumi ansible ansible-playbook vercel netlify flyctl fly"
            " heroku serverless sls cdk wrangler skaffold argocd twine goreleaser firebase",
        ),
        (
            "db",
            "psql sqlite3 mysql mariadb mongosh redis-cli alembic prisma knex dbt flyway liquibase"
            " goose dbmate drizzle-kit duckdb pg_dump pg_restore",
        ),
        ("http", "curl wget http https xh"),
        ("install", "pip pip3 apt apt-get brew conda mamba gem apk dnf yum"),
    )
    for name in names.split()
}
# Where the word behind the runner decides: kind=word, and last the kind for any other word.
_BY_VERB: dict[str, str] = {
    "cargo": "test=test test=t test=bench test=nextest test=miri build=build build=b build=check"
    " build=c build=doc lint=clippy format=fmt install=install install=add audit=audit audit=deny"
    " deploy=publish script",
    "go": "test=test build=build lint=vet format=fmt install=get install=mod script",
    "ruff": "format=format lint",
    "biome": "format=format lint",
    "dotnet": "test=test build=build build=publish install=restore format=format script",
    "swift": "test=test build=build script",
    "mix": "test=test build=compile format=format lint=credo types=dialyzer script",
    "deno": "test=test lint=lint format=fmt types=check script",
    "dart": "test=test types=analyze format=format build=compile install=pub script",
    "flutter": "test=test types=analyze build=build install=pub script",
    "docker": "build=build build=buildx script=ps script=logs script=images deploy",
    "podman": "build=build script=ps script=logs script=images deploy",
    "terraform": "lint=validate format=fmt install=init test=test deploy",
    "tofu": "lint=validate format=fmt install=init test=test deploy",
    "helm": "lint=lint test=test deploy",
    "rails": "test=test test=spec db=db:migrate db=db:seed script",
    "artisan": "test=test db=migrate script",
    "manage.py": "test=test db=migrate db=makemigrations lint=check script",
    "bazel": "test=test test=coverage build",
    "composer": "install=install install=update install=require audit=audit lint=validate script",
    "uv": "install=sync install=add install=pip install=lock build=build deploy=publish script",
    "poetry": "install=install install=add lint=check build=build deploy=publish script",
    "bundle": "audit=audit install",
    "next": "build=build lint=lint script",
    "vite": "build=build script",
    "astro": "types=check build=build script",
    "meson": "test=test build",
    "zig": "test=test build",
    "xcodebuild": "test=test build",
    "hatch": "test=test format=fmt build=build script",
    "sbt": "test=test test=testOnly build",
    "ng": "test=test build=build lint=lint test=e2e script",
    "stack": "test=test build=build script",
    "cabal": "test=test build=build script",
    "dune": "test=test test=runtest build=build format=fmt script",
    "lein": "test=test build=compile script",
    "rebar3": "test=eunit test=ct build=compile script",
    "gleam": "test=test build=build format=format script",
    "forge": "test=test build=build format=fmt script",
}
_SCRIPTS = ("manage.py", "artisan", "phpunit", "pest", "phpstan", "pint", "php-cs-fixer", "phpcs")
# What runs the target it is told: the target's name says the kind.
_TARGETED = "make gmake just task rake invoke inv turbo nx lerna rush moon".split()
_JVM = {"mvn": "maven", "mvnw": "maven", "gradle": "gradle", "gradlew": "gradle"}
_MANAGERS = ("npm", "pnpm", "yarn", "bun")
_VALUED = (
    "--filter -F -w --workspace --prefix -C --dir --cwd -f --manifest-path -n --namespace --context"
    " -s -pl --projects -p --project --directory --file --env-file".split()
)
_INSTALLS = "install i ci add update upgrade remove uninstall up dedupe link prune".split()
_ASSIGNMENT = regex(r"[A-Za-z_]\w*=")
_INTERPRETER = regex(
    r"(?:python|pypy|py|ruby)[\d.]*$|(?:bash|sh|zsh|node|perl|php|deno|bun|tsx|pwsh)$"
)
# A project's own runner: `run_tests.py`, `run-e2e.sh`, `tests.sh`, `run_suite.py`.
_TEST_SCRIPT = regex(
    r"(?:run[_-]?(?:all[_-]?)?(?:unit|e2e|integration|smoke|regression)?[_-]?(?:tests?|e2e|suite|specs?)"
    r"|(?:unit|e2e|integration|smoke|regression)?[_-]?tests?)\.(?:py|sh|js|mjs|ts|rb|ps1|pl)$"
)
_PYTHON = regex(r"(?:python|pypy|py)[\d.]*$")


def _base(word: str) -> str:
    """`./node_modules/.bin/jest` -> `jest`."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1]
    stem, dot, suffix = name.rpartition(".")
    return stem if dot and suffix in ("exe", "cmd", "bat", "phar", "sh") else name


def _behind(words: Sequence[str], valued: Sequence[str] = ()) -> list[str]:
    """`words` from the first that is no option; options in `valued` take the next word along."""
    at = 0
    while at < len(words) and words[at].startswith(("-", "+")) and words[at] != "--":
        at += 2 if words[at] in valued else 1
    if words[at : at + 1] == ["--"]:
        at += 1
    return list(words[at:])


def _command_of(words: Sequence[str]) -> list[str]:
    """The command itself: without assignments, `sudo`, `npx`, `uv run`, `docker compose exec x`."""
    argv = [str(word) for word in words[:400]]
    for _ in range(10):  # starters nest only so deep
        while argv and _ASSIGNMENT.match(argv[0]):
            del argv[0]
        if not argv:
            break
        name, rest = _base(argv[0]), argv[1:]
        if rest and (two := f"{name} {rest[0]}") in _SECOND:
            name, rest = two, rest[1:]
        if name in _STARTERS:
            rest = _behind(rest, _STARTERS[name].split())
            if name in ("timeout", "gtimeout", "flock"):
                rest = rest[1:]
        elif _PYTHON.match(name) and "-m" in rest[:5]:
            rest = rest[rest.index("-m") + 1 :]
        elif name in _SECOND:
            verbs, valued = (part.split() for part in _SECOND[name])
            inner = _behind(rest, valued)
            if len(inner) < 2 or inner[0] not in verbs:
                break
            if name == "coverage" and "-m" in inner[:6]:
                rest = inner[inner.index("-m") + 1 :]
            else:
                rest = _behind(inner[1:], valued)
            if name in _PLACED:
                rest = _behind(rest[1:])
        else:
            if rest and (name == "php" or _PYTHON.match(name)) and _base(rest[0]) in _SCRIPTS:
                argv = rest
            break
        argv = rest
    return argv


def runner_of(words: Sequence[str]) -> tuple[str, str] | None:
    """The runner and the kind of work of one simple command; None for any other command.

    `words` is the command line already split into words.  Assignments in front and what only starts
    another command (`npx`, `uv run`, `python -m`, `bundle exec`, `sudo`, `docker compose exec app`)
    are taken off here.  `["pnpm", "--filter", "x", "typecheck"]` -> `("pnpm", "types")`.
    """
    if len(words) > _SHORT_COMMAND:
        return _runner(_command_of(words))
    return _runner_of(tuple(words))


# The same command is asked about many times in a turn; what is remembered is bounded in size, too.
_SHORT_COMMAND = 40


@lru_cache(maxsize=512)
def _runner_of(words: tuple[str, ...]) -> tuple[str, str] | None:
    return _runner(_command_of(words))


def _runner(argv: Sequence[str]) -> tuple[str, str] | None:
    """`runner_of` for a command whose starters are off."""
    if not argv:
        return None
    name, rest = _base(argv[0]), list(argv[1:])
    if name == "docker-compose" or (name in ("docker", "podman") and rest[:1] == ["compose"]):
        return "docker", "build" if "build" in rest[:3] else "deploy"
    if name in _MANAGERS:
        return _managed(name, rest)
    words = [word for word in _behind(rest, _VALUED) if word[:1] != "-" and "=" not in word]
    if name in _JVM:
        tests = any(goal in " ".join(words) for goal in ("test", "verify", "check", "install"))
        return _JVM[name], "test" if tests else "build"
    if name in _TARGETED:
        return name, _kind_of_name(" ".join(words)) if words else "build"
    script = (rest[0] if rest and _INTERPRETER.match(name) else argv[0]).rsplit("/", 1)[-1]
    if _TEST_SCRIPT.match(script):
        return script.partition(".")[0], "test"
    if name == "node":
        return ("node", "test") if "--test" in rest else None
    verb = words[0] if words else ""
    if name in _BY_VERB:
        *listed, kind = _BY_VERB[name].split()
        kind = next((pair.partition("=")[0] for pair in listed if pair.endswith("=" + verb)), kind)
        renamed = {"clippy": "clippy", "nextest": "nextest", "fmt": "rustfmt"}
        return renamed.get(verb, name) if name == "cargo" else name, kind
    return (name, _KIND_OF[name]) if name in _KIND_OF else None


def _managed(name: str, words: Sequence[str]) -> tuple[str, str]:
    """npm, pnpm, yarn and bun: their own verbs, the scripts they run, and the tools they start."""
    rest = [word for word in _behind(words, _VALUED) if not word.startswith("-")]
    if name == "yarn" and rest[:1] in (["workspace"], ["workspaces"]):
        rest = rest[2:]
    verb = rest[0] if rest else ""
    if verb in ("run", "run-script"):
        return name, _kind_of_name(rest[1]) if len(rest) > 1 else "script"
    if verb in ("test", "t", "tst", "it"):
        return name, "test"
    if verb in _INSTALLS or (name == "yarn" and not verb):
        return name, "install"
    if verb in ("audit", "publish"):
        return name, "audit" if verb == "audit" else "deploy"
    if name == "npm":
        return name, "script"
    return (verb, _KIND_OF[verb]) if verb in _KIND_OF else (name, _kind_of_name(verb))


# Options that pick a part of the work, whatever the runner.
_PICKS = frozenset(
    "-k --lf --last-failed --deselect --testNamePattern --testPathPattern --testPathPatterns --only"
    " --onlyChanged --onlyFailures --changed --changedSince --findRelatedTests --selectProjects"
    " --shard --filter --grep --fgrep --tests --group --testsuite --tag --only-failures --example"
    " --next-failure --only-changed --staged --since --affected --rerun-failed --spec"
    " --test-name-pattern --test-only --skip -target --target --file --files -Dtest"
    " -Dit.test".split()
)
# Options, and words, that pick a part for one runner.
_PICKS_OF: dict[str, str] = {
    "pytest": "-m --ignore --ignore-glob --sw --stepwise",
    "jest": "-t -o -f",
    "vitest": "-t --project --dir related",
    "mocha": "-g -f",
    "playwright": "-g --project",
    "cypress": "-s",
    "go": "-run",
    "cargo": "-p --package --lib --bin --bins --doc --test --ignored -E",
    "nextest": "-p --package --lib --bin --bins --test -E",
    "maven": "-pl --projects",
    "ctest": "-R -L -E -LE -I --tests-regex --label-regex",
    "rspec": "-e -t",
    "minitest": "-n --name",
    "npm": "-w --workspace --prefix -t",
    "pnpm": "-F -C --dir -t",
    "yarn": "workspace --cwd -t",
    "bun": "-t --cwd",
}
# Options whose value is the next word, so that it is not taken for a path or a name.
_TAKES = frozenset(
    "-n -p -c -o -W -r -j -d -l -f -F -C --cov --cov-report --cov-config --rootdir --junitxml --tb"
    " --timeout --maxfail --config --reporter --reporters --jobs --color --profile --features"
    " --project --ext --parser --rulesdir --max-warnings --outputFile --coverage --workers"
    " --retries --repeat-each --log-level --log-file --test-dir --confcutdir --basetemp --format"
    " --require"
    " --ignore-path --pool --environment --browser --target-dir --manifest-path --bail"
    " --testTimeout --maxWorkers --durations --test-reporter --output-format --select".split()
)
# A folder that usually holds everything, a pattern over files, a Go or Bazel tree.
_WHOLE = regex(r"(?:\./)?(?:\.|tests?|specs?|src|lib|app|__tests__|packages|.*\*.*|.*\.\.\.)/?$")
_ONE_FILE = regex(
    r"[^=*]*(?:::|\.\w{1,6}:\d|\.(?:[cm]?[jt]sx?|pyi?|rb|php|exs?|go|rs|java|kts?|cs|swift|vue"
    r"|svelte|cc?|cpp|h|hpp|mdx?|css|scss|sql|sh|bats|feature|t)$)"
)
_PART = regex(
    r".*[:.-](?:unit|e2e|integration|smoke|api|ui|components?|backend|frontend|server|client|fast"
    r"|quick)\b"
)
_CHECKS = ("test", "lint", "types", "format")
# Runners that take a bare word for a name filter -> how many of their own words stand before it.
_FREE = {"jest": 0, "vitest": 0, "playwright": 1, "cargo": 1, "nextest": 2, "ava": 0}
_OWN_WORDS = ("run", "test", "nextest", "watch", "t", "bench")


def is_narrowed(words: Sequence[str]) -> bool:
    """Whether the command selects a part of the work: a file, a test, a name pattern, one package.

    False for the whole suite, for a folder that usually holds it (`tests`, `src`, `.`) and for what
    is not understood: the answer serves only to say that a check was narrower than claimed.
    """
    return (
        _is_narrowed(tuple(words))
        if len(words) <= _SHORT_COMMAND
        else _is_narrowed.__wrapped__(words)
    )


@lru_cache(maxsize=512)
def _is_narrowed(words: Sequence[str]) -> bool:
    argv = _command_of(words)
    found = _runner(argv)
    if found is None:
        return False
    runner, kind = found
    program = _base(argv[0])
    picks = _PICKS.union(_PICKS_OF.get(runner, "").split(), _PICKS_OF.get(program, "").split())
    free: list[str] = []
    takes = False
    for word in argv[1 + any(_TEST_SCRIPT.match(word.rsplit("/", 1)[-1]) for word in argv[1:2]) :]:
        if takes:
            takes = False
        elif word.startswith("-"):
            option = word.partition("=")[0]
            if option in picks and not word.endswith("*"):
                return True
            takes = option in _TAKES and "=" not in word
        elif word in picks or (kind in _CHECKS and _picks_one(runner, kind, word)):
            return True
        elif not _WHOLE.match(word) and word not in _OWN_WORDS:
            free.append(word)
    return kind == "test" and runner in _FREE and bool(free)


def _picks_one(runner: str, kind: str, word: str) -> bool:
    """Whether a word that is no option names one file, test, package, module or part of a suite."""
    if _ONE_FILE.match(word):
        return True
    if runner in _MANAGERS:
        return bool(_PART.match(word))
    if runner == "gradle":
        return word.count(":") > 1
    if runner == "go":
        return "/" in word and not word.endswith("...")
    return kind == "test" and "/" in word and not _WHOLE.match(word)
