"""What a runner's own summary says: tests, linters, builds, git, databases, deployments.

Reading goes by the form of the summary, never by the name of the tool that was called: the same
`==== 3 passed in 0.10s ====` is a pytest run whether it came from Bash, an MCP server or a wrapper
script.  Only whole summary lines count, so a passing suite may print "failed" in its logs as often
as it likes.

Strategy.  Every summary line that is known begins with one of a few hundred literal *heads*.  One
compiled pattern anchored at line starts finds the lines that have one (no line without a head is ever
looked at again); the rows of that head then try their own pattern on that one line; hits of one
runner that follow each other fold into one `RunSummary`.  Time is linear in the text: the scan is
possessive, and a line is read up to `_LINE` characters.

Adding a runner is one row of `_ROWS`::

    Row(runner, kind, outcome, "head|other head", r"pattern of the line", part="tests", ...)

- `head`: how the line starts, after blanks, a symbol (`✖`, `#`) or a log level (`[INFO]`).  `@` stands
  for a number and one space: `@passed` is the head of `3 passed`.
- `outcome`: one of OUTCOMES; "" to decide by the counts; "?" for a line that gives numbers only.
- the pattern is matched from the head on, to the end of the line.  Its groups `passed`, `failed`,
  `errors`, `skipped`, `total` and `files` fill the field of that name; `n` is a list of counts such as
  `1 failed, 3 passed`, read word by word (`_WORDS`).
- `part`: lines of one run that have different parts fold together; the same part again starts the
  next run (`again="new"`), adds up (`"sum"`) or is replaced (`"last"`).
- `soft`: counts only where the run has no harder line; `needs`: counts only inside an open run;
  `wraps`: echoes the failure of what it started, and is dropped behind one; `opens`: starts a run;
  `tick`: the field that this line raises by one.

Where two rows can match a line the one higher up wins, so the specific stands above the generic.
The forms were taken from recordings of the real tools (traces/runners) and, where a tool could not be
run, from its documentation; the recording says which.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

KINDS = (
    "test",
    "lint",
    "types",
    "format",
    "build",
    "install",
    "audit",
    "vcs",
    "deploy",
    "db",
    "http",
    "script",
)
OUTCOMES = ("passed", "failed", "empty", "skipped", "killed", "timeout", "error", "partial")

_LINE = 600  # characters of a line that are read; no summary line is longer
_QUOTE = 300  # characters of the deciding line that are kept


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run of one runner, as the runner itself sums it up.

    `line` is the deciding line, stripped, at most 300 characters; `start` is its offset in the text.
    Where the text has neither colour codes nor line prefixes nor JSON escapes inside that line,
    `text[start:start + len(line)] == line`.  A count is None where the summary does not give it.
    For linters and type checkers `failed` is the number of errors found.
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


# --------------------------------------------------------------------------------------- the rows


class Row:
    """One form of summary line; the module's docstring says what each field means."""

    __slots__ = (
        "again",
        "heads",
        "kind",
        "match",
        "needs",
        "opens",
        "outcome",
        "part",
        "pattern",
        "runner",
        "soft",
        "tick",
        "wraps",
    )

    def __init__(
        self,
        runner: str,
        kind: str,
        outcome: str | Callable[[re.Match[str]], str],
        heads: str,
        pattern: str,
        *,
        part: str = "",
        again: str = "new",
        soft: bool = False,
        needs: bool = False,
        wraps: bool = False,
        opens: bool = False,
        tick: str = "",
    ) -> None:
        self.runner, self.kind, self.outcome = runner, kind, outcome
        self.heads, self.pattern, self.part, self.again = heads, pattern, part, again
        self.soft, self.needs, self.wraps, self.opens, self.tick = soft, needs, wraps, opens, tick
        self.match = self._first_match  # compiled at the first use: most rows are never needed

    def _first_match(self, line: str) -> re.Match[str] | None:
        self.match = re.compile(self.pattern).match  # type: ignore[method-assign, assignment]
        return self.match(line)


def _kind_of_name(name: str) -> str:
    """The kind of work that a script, target or goal of that name does: `lint:fix` -> lint."""
    for kind, words in _NAME_WORDS:
        for word in words:
            if word in name:
                return kind
    return "script"


_NAME_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("types", ("typecheck", "type-check", "type_check", "types", "tsc", "mypy", "pyright")),
    ("lint", ("lint", "ruff", "clippy", "flake8", "check-style", "checkstyle")),
    ("format", ("format", "fmt", "prettier")),
    ("test", ("test", "spec", "e2e", "unit", "coverage", "vitest", "jest", "pytest", "cypress")),
    ("audit", ("audit", "security")),
    ("db", ("migrat", "seed", "db:", "prisma")),
    ("deploy", ("deploy", "release", "publish", "rollout")),
    ("install", ("install", "bootstrap", "setup")),
    ("build", ("build", "compile", "bundle", "dist")),
    ("lint", ("check", "verify")),
)


def _exit_outcome(code: str) -> str:
    """What an exit status says by itself (128 + n: ended by signal n)."""
    number = int(code[:6])
    return {0: "passed", 124: "timeout", 126: "error", 127: "error", 130: "partial"}.get(
        number, "killed" if 128 < number < 160 else "failed"
    )


def _http_outcome(code: str) -> str:
    return "error" if code == "000" else "failed" if code[0] in "45" else "passed"


def _by(group: str, **outcomes: str) -> Callable[[re.Match[str]], str]:
    """An outcome looked up by what `group` matched (spaces as `_`), "" where it isn't listed."""
    return lambda match: outcomes.get((match[group] or "none").replace(" ", "_"), "")


def _nonzero(group: str, then: str, otherwise: str) -> Callable[[re.Match[str]], str]:
    """`then` where `group` matched a number above zero."""
    return lambda match: then if int((match[group] or "0")[:9]) else otherwise


_N = r"\d[\d,]*"
_SECONDS = r"[\d.]+ ?(?:ms|s|m|min|sec|seconds?)"
_COUNTS = r"(?P<n>\d+ [a-z]+(?: [a-z]+)?(?:, \d+ [a-z]+(?: [a-z]+)?)*)"

_ROWS: tuple[Row, ...] = (
    # ---- Python tests.  https://docs.pytest.org/en/stable/how-to/output.html
    Row(
        "pytest",
        "test",
        "",
        "=|@passed|@failed|@error|@skipped|@xfailed|@xpassed|@deselected|@warning|@subtests",
        r"(?:=+ )?(?P<n>\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|rerun"
        r"|warnings?|subtests passed|subtests failed)(?:, \d+ [a-z]+(?: passed| failed)?)*)"
        r" in \d[\d.]*s(?: \(\d+[\d:, a-z]*\))?(?: =+)?$",
        part="sum",
    ),
    Row("pytest", "test", "empty", "=|no tests", r"(?:=+ )?no tests (?:ran|collected)"
        r"(?: \(\d+ deselected\))? in [\d.]+s(?: =+)?$", part="sum"),
    Row("pytest", "test", "error", "=|no tests", r"(?:=+ )?no tests collected, \d+ errors? in",
        part="sum"),
    Row("pytest", "test", "empty", "=|@test", r"(?:=+ )?(?P<total>\d+)(?:/\d+)? tests? collected"
        r"(?: \(\d+ deselected\))?(?:, \d+ errors?)? in [\d.]+s(?: =+)?$", part="sum"),
    Row("pytest", "test", "error", "!!!", r"!+ Interrupted: \d+ errors? during collection !+$",
        part="stop"),
    Row("pytest", "test", "partial", "!!!", r"!+ (?:KeyboardInterrupt|_pytest\.outcomes\.Exit.*"
        r"|Interrupted: .*) !+$", part="stop"),
    Row("pytest", "test", "error", "ERROR: ", r"ERROR: (?:file or directory not found|not found|"
        r"usage: (?:\S*pytest|__main__\.py)|found no collectors|Wrong expression|"
        r"module or package not found)", part="usage"),
    Row("pytest", "test", "error", "pytest: error: |__main__.py: error: ",
        r"(?:pytest|__main__\.py): error: ", part="usage"),
    Row("pytest", "test", "error", "ImportError while loading conftest", r"", part="usage"),
    Row("pytest", "test", "failed", "FAIL ", r"FAIL Required test coverage of [\d.]+% not reached",
        part="cov"),
    Row("pytest", "test", "failed", "FAILED ", r"FAILED \S+\.py::\S", part="node", again="sum",
        soft=True, tick="failed"),
    Row("pytest", "test", "error", "ERROR ", r"ERROR \S+\.py(?:::\S+)?(?: - |$)", part="enode",
        again="sum", soft=True, tick="errors"),
    Row("pytest", "test", "?", "=", r"=+ test session starts =+$", part="open", opens=True),
)
