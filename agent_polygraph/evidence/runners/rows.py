"""The summary lines of each runner: one row per form.

Adding a runner is one row of `ROWS`:

    Row(runner, kind, outcome, "head|other head", r"pattern of the line", part="tests", ...)

- `head`: how the line starts, behind blanks, a symbol (a tick, `#`), a gutter, a time or a log
  level (`[INFO]`).  `@` stands for a number and a space: `@passed` is the head of `3 passed`,
  `67% passed`, `2/3 passed`.  `<.py>` is a path with that suffix before a position (`:12:5`),
  `<0>` a position alone, `<word>` any first word before one of the phrases of `WORD` of scan.py; the others
  are in `_SHAPES` there.
- `outcome`: one of OUTCOMES; "" to decide by the counts; "?" for a line that only gives numbers; or
  a function of the match that returns one of these.
- the pattern is matched at the head.  Its groups `passed`, `failed`, `errors`, `skipped`, `total`
  and `files` fill the field of that name; `n` is a list like `1 failed, 3 passed` (see `_WORDS` there).
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
from collections.abc import Callable
from typing import NamedTuple

from .argv import kind_of_name, runner_of

KINDS = (
    *("test", "lint", "types", "format", "build", "install"),
    *("audit", "vcs", "deploy", "db", "http", "script"),
)
OUTCOMES = ("passed", "failed", "empty", "skipped", "killed", "timeout", "error", "partial")

LINE = 600  # characters of a line that are read; no summary line is longer
QUOTE = 300  # characters of the deciding line that are kept


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
    return kind_of_name(match["name"] or "")


def _kind_built(match: _Match) -> str:
    """The kind that the target named in the line does; an unknown target is one to build."""
    kind = kind_of_name(match["name"])
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
ROWS: tuple[Row, ...] = (
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
    Row("credo", "lint", _found, "@mods",
        r"[\d.,]+ mods/funs, found (?:no issues|(?P<failed>\d+) )", part="end"),
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
    Row("rubocop", "lint", "passed", "@files|@file",
        r"(?P<files>\d+) files? inspected, (\d+) offenses? detected, \2 offenses? corrected$", part="end"),
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
    Row("dotnet", "script", "error", "MSBUILD : error MSB1003|MSBUILD : error MSB1009", "",
        part="usage", wraps=True),
    Row("dotnet", "test", "empty", "No test is available in ", "", part="assembly", again="sum"),
    Row("dotnet", "test", "empty", "No test matches the given testcase filter", "", part="assembly",
        again="sum"),
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
    Row("mix", "script", "error", "** (Mix) Could not find a Mix.Project|** (Mix) The task ",
        r"\*\* \(Mix\) (?:Could not find a Mix\.Project|The task \"[^\"]+\" could not be found)",
        part="usage", wraps=True),
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
    Row("tsc", "types", "error", "This is not the tsc command you are looking for", "", part="usage"),
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
    Row("composer", _kind_target, "error", 'Command "', r"Command \"(?P<name>[^\"]+)\" is not defined\.",
        part="life"),
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
    Row("bundle-audit", "audit", "failed", "Vulnerabilities found!", "Vulnerabilities found!$", part="end"),
    Row("bundle-audit", "audit", "passed", "No vulnerabilities found",
        "No vulnerabilities found$", part="end"),
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
    Row(_runner_named, _kind_named, "error", "bash: |sh: |/bin/sh: |/bin/bash: |zsh: |<word>",
        r"\S*?sh: (?:line \d+: |\d+: )?(?:\S*/)?(?P<name>[\w.@+-]+): (?:Permission denied|No such "
        r"file or directory)$", part="end"),
    Row(_runner_named, _kind_named, "error", "'", r"'(?P<name>[\w.-]+)' is not recognized as an "
        r"internal or external command", part="end"),
    Row(_runner_named, _kind_named, "error", "<word>",
        r"\S*python[\d.]*(?:\.exe)?: No module named '?(?P<name>[\w.-]+)'?$", part="end"),
)
# fmt: on
