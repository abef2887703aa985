"""Which runs of checks the turn holds, what each showed, and which of them still stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from .._lazy import cached_property, regex, remembered
from ..evidence import outcomes
from ..evidence.baseline import stashed_runs
from ..evidence.runners import RunSummary, runner_of
from ..evidence.step import Step
from ..evidence.values import norm_path
from .reading import BAD_RUN, Reading, Run

# Check types and the runner kinds that can show them.
CHECK_KINDS: dict[str, frozenset[str]] = {
    "test": frozenset({"test"}),
    "e2e": frozenset({"test"}),
    "lint": frozenset({"lint", "format"}),
    "format": frozenset({"format", "lint"}),
    "types": frozenset({"types", "build"}),
    "build": frozenset({"build", "types"}),
    "audit": frozenset({"audit"}),
    "docs": frozenset({"build", "lint"}),
    "ci": frozenset({"vcs"}),
    "migration": frozenset({"db"}),
    "any": frozenset({"test", "lint", "types", "format", "build", "audit"}),
}
E2E = frozenset(
    {
        "playwright",
        "cypress",
        "webdriverio",
        "nightwatch",
        "testcafe",
        "puppeteer",
        "detox",
        "maestro",
    }
)
RUN_KINDS = frozenset({"test", "lint", "types", "format", "build", "audit", "db"})
_COMPILES = frozenset(
    "maven gradle cargo nextest go gotestsum dotnet swift ctest xcodebuild mix sbt".split()
)
_PRINTERS = frozenset("cat bat less more head tail echo printf grep rg sed awk jq ls cd wc".split())
_NO_TESTS = regex(r"no tests? (?:were |was )?(?:found|ran|run|collected|executed|to run)\b", re.I)
_BYPASS = (
    "--no-verify",
    "SKIP=",
    "HUSKY=0",
    "commit -n ",
    "commit -anm",
    "commit -nm",
    "LEFTHOOK=0",
)
_CI_WORDS = frozenset("ci checks workflow pipeline pipelines actions run runs jobs".split())
_CI_COMMANDS = (
    "gh run",
    "gh pr checks",
    "gh pr view",
    "glab ci",
    "gh workflow",
    "circleci",
    "buildkite",
    "/check-runs",
    "/actions/",
)
_CI_BAD = frozenset(
    "failure failed fail error cancelled timed_out action_required startup_failure x".split()
)
_CI_OPEN = frozenset("pending queued in_progress running waiting requested expected".split())
# How `gh run view` marks a job.
_CI_SIGNS = {
    "✓": "passed",
    "✔": "passed",
    "✗": "failed",
    "✘": "failed",
    "X": "failed",
    "*": "running",
}
_CI_GOOD = frozenset("success successful passed pass completed_success".split())


class Runs(Reading):
    """Runs of checks."""

    @cached_property
    def runs(self) -> list[Run]:
        """Every run of a check, by what it printed or, failing that, by its command line."""
        found: list[Run] = []
        mute: set[tuple[str, str]] = set()  # what ran before, and did not show how it ended
        for step in self.ledger.acts:
            if not (step.summaries or step.checks_run):
                continue
            said = [s for s in step.summaries if s.kind in RUN_KINDS or s.runner in _MONOREPO]
            if said and _prints_ci(step):
                continue  # a log of another machine's run: see `ci_runs`
            if said and self._kept(step):
                said = [s for s in said if (s.runner, s.kind) in mute]
                if not said:
                    continue
            shown = {summary.kind for summary in said}
            aside = stashed_runs(step) if len(said) > 1 else []
            if len(aside) == len(said):
                said = [s for s, apart in zip(said, aside, strict=True) if not apart]
            for n, s in enumerate(said):
                narrowed = any(part for _, kind, part in step.checks_run if kind == s.kind)
                narrowed = narrowed and not _of_hook(step, said, n)
                found.append(Run(step, s.kind, _by_name(step, s), s.outcome, s, narrowed, s.line))
            found += [
                Run(step, kind, s.runner, s.outcome, None, False, s.line)
                for s in said
                if s.kind == "script" and s.outcome == "passed"
                for kind in _targets(step, s)
            ]
            mute.difference_update((s.runner, s.kind) for s in said)
            mute.update((runner, kind) for runner, kind, _ in step.checks_run if kind not in shown)
            for runner, kind, narrowed in step.checks_run:
                if kind in RUN_KINDS and kind not in shown:
                    state, line = _silent(step, said, runner)
                    found.append(Run(step, kind, runner, state, None, narrowed, line))
            if not step.outcome.bad and not step.masks_exit():
                for runner, kind in _echoed(step):
                    if kind not in shown and kind in RUN_KINDS:
                        found.append(
                            Run(step, kind, runner, "passed", None, False, step.outcome.quote)
                        )
            last = found[-1] if found and found[-1].step is step else None
            if last and last.kind == "build" and last.outcome == "passed" and _tests_along(last):
                found.append(
                    Run(step, "test", last.runner, "passed", None, last.narrowed, last.line)
                )
        return found

    def _kept(self, step: Step) -> bool:
        """True when the call prints a text that was kept: `cat old_ci.log` runs nothing.

        A file that an earlier call of the turn wrote or named (`pytest > out.txt`, a task's output) is
        the word of that call, and so is the end of a runner that ran and did not show one (`runs`).
        """
        if step.command is None:
            # `run_tests {"path": "tests"}` names what it runs, not a text that was kept.
            names = list(step.paths) if step.reads_only and not step.checks_run else []
            if not names:
                return False
        else:
            parts = step.command.parts
            if step.checks_run or not all(part.program in _PRINTERS for part in parts):
                return False
            names = [w for part in parts for w in part.words[1:] if "." in w[1:] or "/" in w]
        ends = {name.rstrip("/").rsplit("/", 1)[-1].casefold() for name in names}
        return not any(self.ledger.named_before(end, step.order) for end in ends)

    def runs_of(self, check: str) -> list[Run]:
        """The runs that can show the check type, in order."""
        kinds = CHECK_KINDS.get(check, frozenset())
        found = [
            run
            for run in self.runs
            if run.kind in kinds or (check == "test" and run.runner == "dbt")
        ]
        if check == "e2e":
            found = [
                run for run in found
                if run.runner in E2E or "e2e" in run.step.command_text or "integration" in run.step.command_text
            ]  # fmt: skip
        if check in ("types", "build"):
            own = [run for run in found if run.kind == check]
            last = own[-1].step.order if own else -1
            if check == "build" and any(
                r.outcome == "passed" for r in found if r.step.order > last >= 0
            ):
                own = found  # it compiles again by the other command
            tested = [r for r in self.runs if r.kind == "test" and r.runner in _COMPILES
                      and r.outcome == "passed" and r.step.order > last >= 0]  # fmt: skip
            if tested:
                own = [*own, *tested]  # what was tested was built
            found = (
                own
                or found
                or [run for run in self.runs if run.kind == "test" and run.runner in _COMPILES]
            )
        if check == "lint":
            own = [run for run in found if run.kind == "lint"]
            found = own or found
        if check == "docs":
            found = [
                run
                for run in found
                if run.runner
                in ("mkdocs", "sphinx", "vale", "markdownlint", "docusaurus", "linkcheck", "lychee")
            ]
        if check == "ci":
            return self.ci_runs
        if check == "hook":
            return self.hook_runs
        return found

    @cached_property
    def hook_runs(self) -> list[Run]:
        """What commit and push hooks did: their own summaries, or that they were bypassed."""
        found: list[Run] = []
        for step in self.ledger.acts:
            if not step.effects & {"commit", "push"} or step.result is None:
                continue
            bypass = next((mark for mark in _BYPASS if mark in step.command_text), "")
            if bypass and not step.outcome.bad:
                found.append(
                    Run(
                        step,
                        "hook",
                        "hook",
                        "failed",
                        None,
                        False,
                        f"bypassed with {bypass.strip()}",
                    )
                )
                continue
            said = [
                s for s in step.summaries if s.kind in ("test", "lint", "types", "format", "build")
            ]
            found += [Run(step, "hook", "hook", s.outcome, s, False, s.line) for s in said]
            if not said:  # a commit that went through took its hooks along
                state = "failed" if step.outcome.bad else "passed"
                found.append(Run(step, "hook", "hook", state, None, False, step.outcome.quote))
        return found

    @cached_property
    def ci_runs(self) -> list[Run]:
        """Looks at a CI system, with what they showed: failed, pending or passed."""
        found: list[Run] = []
        for step in self.ledger.acts:
            if step.result is None or step.delegated:
                continue
            if not _names_ci(step.words) and not _asks_ci(step.command_text):
                continue
            state, quote = _ci_state(step)
            if state:
                found.append(Run(step, "ci", "CI", state, None, False, quote))
        return found

    def standing(self, runs: Sequence[Run]) -> list[Run]:
        """The runs that nothing later supersedes: one per thing run, the last of each.

        A later run supersedes an earlier one of the same runner when it covers as much: the same
        command, or a whole-suite run over a narrowed one.  O(runs) for runs in order.
        """
        key = tuple(map(id, runs))
        if key not in self._standing:
            self._standing[key] = (tuple(runs), _standing(runs))  # the runs, so that ids stay
        return list(self._standing[key][1])

    @cached_property
    def _standing(self) -> dict[tuple[int, ...], tuple[tuple[Run, ...], list[Run]]]:
        return {}

    def rerun(self, old: Run) -> bool:
        """True when the same command ran again later, with no bad run in it."""
        return self._good_again.get((old.runner, _what(old)), -1) > old.step.order

    @cached_property
    def _good_again(self) -> dict[tuple[str, frozenset[str]], int]:
        """The last step that ran a thing and holds no bad run."""
        bad = {id(run.step) for run in self.runs if run.bad}
        return {
            (run.runner, _what(run)): run.step.order for run in self.runs if id(run.step) not in bad
        }


def _standing(runs: Sequence[Run]) -> list[Run]:
    alive = _Alive()
    for _, own in groupby(runs, key=lambda run: id(run.step)):
        fresh: dict[tuple[str, str, int], Run] = {}
        seen: set[tuple[str, str, bool]] = set()
        for run in own:
            if run.outcome in ("pending", "refused") and run.summary is None:
                continue
            if run.outcome == "unknown" and not _printed(run.step):
                continue
            if (run.kind, run.runner, run.narrowed) not in seen:
                seen.add((run.kind, run.runner, run.narrowed))
                alive.supersede(run)
                if run.kind == "test" and run.outcome == "passed" and run.runner in _COMPILES:
                    alive.compiled()
            fresh.pop((run.kind, run.runner, id(run.summary)), None)
            # a hidden exit code shows nothing, but it is the last word
            if run.outcome != "unknown":
                fresh[run.kind, run.runner, id(run.summary)] = run
        alive.add(fresh.values())
    kept = alive.ids()
    return [run for run in runs if id(run) in kept]


class _Alive:
    """Runs of earlier steps that still stand: by kind, by runner, by the longest word of what they cover.

    A narrowed run supersedes only what covers no more than it does, so that word is one of its own.
    """

    def __init__(self) -> None:
        self.tables: dict[str, dict[str, dict[str, list[Run]]]] = {}

    def add(self, runs: Iterable[Run]) -> None:
        for run in runs:
            longest = max(_what(run), key=lambda word: (len(word), word), default="")
            table = self.tables.setdefault(run.kind, {}).setdefault(run.runner, {})
            table.setdefault(longest, []).append(run)

    def supersede(self, new: Run) -> None:
        words = (*_what(new), "")
        for runner, table in self.tables.get(new.kind, {}).items():
            if not new.narrowed and (new.runner in _MONOREPO or _related(new.runner, runner)):
                table.clear()
                continue
            for word in words:
                if table.get(word):
                    table[word] = [old for old in table[word] if not _supersedes(new, old)]

    def compiled(self) -> None:
        """Tests that ran were built: no earlier failure of a compiler stands."""
        for kind in ("build", "types"):
            self.tables.pop(kind, None)

    def ids(self) -> set[int]:
        return {
            id(run)
            for tables in self.tables.values()
            for table in tables.values()
            for runs in table.values()
            for run in runs
        }


def _prints_ci(step: Step) -> bool:
    """`gh run view 9107 --log-failed`."""
    return step.command is not None and "--log" in step.command_text and _asks_ci(step.command_text)


def _names_ci(words: Sequence[str]) -> bool:
    """`list_workflow_runs`, `get_pull_request_status`."""
    return not _CI_WORDS.isdisjoint(words) or ("status" in words and not _CHANGES.isdisjoint(words))


_CHANGES = frozenset("pull pr commit merge mr".split())


def _asks_ci(line: str) -> bool:
    low = line.casefold()
    return bool(low) and any(mark in low for mark in _CI_COMMANDS)


def _ci_state(step: Step) -> tuple[str, str]:
    """(state, quote) of a CI listing: any failure, else anything open, else success."""
    pairs = [(text.strip().casefold(), f"{key}: {text}") for key, text in step.result_leaves
             if key in ("conclusion", "state", "status", "result", "bucket")]  # fmt: skip
    if not pairs:
        pairs = [
            (word.strip("✓✗X*()").casefold(), line.strip()[:160])
            for line in step.text.split("\n")[:200]
            for word in line.split("\t" if "\t" in line else None)[:8]
        ]
        pairs += [
            (_CI_SIGNS[line.strip()[0]], line.strip()[:160])
            for line in step.text.split("\n")[:200]
            if line.strip()[:2].endswith(" ") and line.strip()[0] in _CI_SIGNS
        ]
    for state, words in (("failed", _CI_BAD), ("pending", _CI_OPEN), ("passed", _CI_GOOD)):
        hit = next((quote for word, quote in pairs if word in words), "")
        if hit:
            return state, hit
    return "", ""


def _supersedes(new: Run, old: Run) -> bool:
    """True when a run of a later step and of the same kind is the last word on what `old` ran."""
    covered, had = _what(new), _what(old)
    if covered == had:
        return True
    if not _related(new.runner, old.runner):
        return False
    return not new.narrowed or (old.narrowed and covered >= had)


# Tools that run other projects' targets and sum them up: `Successfully ran targets lint, test, build`.
_MONOREPO = frozenset({"nx", "turbo", "lerna"})
_TARGETS = {
    "test": "test",
    "lint": "lint",
    "build": "build",
    "typecheck": "types",
    "type-check": "types",
}


def _targets(step: Step, summary: RunSummary) -> list[str]:
    """The kinds of work that the tool ran, by its own line or its command line."""
    words = set(_WORDS.findall(f"{summary.line} {step.command_text}".casefold()))
    return [kind for name, kind in _TARGETS.items() if name in words]


_WORDS = regex(r"[a-z][a-z-]+")


def _by_name(step: Step, summary: RunSummary) -> str:
    """The runner of a summary; an e2e runner that prints another one's (cypress: mocha's) by its own name."""
    own = {runner for runner, kind, _ in step.checks_run if kind == summary.kind} & E2E
    return own.pop() if len(own) == 1 else summary.runner


def _silent(step: Step, said: Sequence[RunSummary], runner: str) -> tuple[str, str]:
    """(state, line) of a run that printed no summary of its own kind."""
    outcome = step.outcome
    if said and _let_on(step, runner):
        return "passed", ""
    if (
        said
        and outcome.bad
        and outcome.signal in ("error_bit", "exit_code")
        and not any(s.outcome in BAD_RUN for s in said)
        and _ends_with(step, runner)
    ):
        return "failed", outcome.quote  # what passed is another's: `meson test` builds first
    if said:  # `BUILD SUCCESSFUL` of a test task, the last tool of a chain
        last = said[-1]
        return last.outcome, last.line
    if outcome.kind == outcomes.DANGLING:
        return "killed", outcome.quote
    if outcome.kind == outcomes.PENDING or step.background:
        return "pending", outcome.quote
    if outcome.kind in (outcomes.REFUSED, outcomes.CANCELLED):
        return "refused", outcome.quote
    if not _ONLY_LISTS.isdisjoint(step.command_text.split()) or _ABSENT.fullmatch(
        step.body.strip()
    ):
        return "refused", step.body.strip()[-100:]
    if outcome.bad:
        return ("failed" if _ends_with(step, runner) else "unknown"), outcome.quote
    none = _NO_TESTS.search(step.text[:2000])
    if none:
        return "empty", none.group()
    return ("unknown" if step.masks_exit() else "passed"), outcome.quote


_ABSENT = regex(r"[^\n]{0,60}\b[\w.-]{2,30}: (?:command )?not found")
# `pytest --collect-only`, `jest --listTests`: tests are named, and none runs.
_ONLY_LISTS = frozenset(
    {
        "--collect-only",
        "--co",
        "--listTests",
        "--list-tests",
        "--collectonly",
        "--list",
        "--list-only",
    }
)


def _let_on(step: Step, runner: str) -> bool:
    """`tsc --noEmit && npm test`: the tests printed something, so `tsc` went through."""
    parts = step.command.parts if step.command is not None else ()
    at = [n for n, part in enumerate(parts) if part.runner and part.runner[0] == runner]
    return bool(at) and parts[at[-1]].after == "&&"


def _ends_with(step: Step, runner: str) -> bool:
    """True when no other command of the line can be the one that failed: none stands behind the runner."""
    if step.command is None:
        return True
    parts = [part for part in step.command.parts if part.program not in _QUIET]
    at = [n for n, part in enumerate(parts) if part.runner and part.runner[0] == runner]
    return not at or all(part.before in ("|", "|&") for part in parts[at[-1] + 1 :])


_QUIET = frozenset({"echo", "printf", "true", ":", "cd", "exit", "set", "export"})


@remembered
def _echoed(step: Step) -> list[tuple[str, str]]:
    """(runner, kind) of the command lines that a script or hook says it runs: `> eslint src && jest --ci`."""
    lines = [line[2:] for line in step.text[:20_000].split("\n")[:200] if line.startswith("> ")]
    found = [runner_of(tuple(part.split())) for line in lines[:20] for part in line.split("&&")]
    return [pair for pair in found if pair is not None and pair[0] not in _WRAPPERS]


def _of_hook(step: Step, said: Sequence[RunSummary], n: int) -> bool:
    """`ruff --fix a.py && git commit`: the second summary of a linter is that of the hook."""
    if not step.effects & {"commit", "push"}:
        return False
    earlier = sum(one.kind == said[n].kind for one in said[:n])
    return earlier >= sum(kind == said[n].kind for _, kind, _ in step.checks_run)


_WITH_TESTS = {
    "gradle": frozenset({"build", "check"}),
    "maven": frozenset({"package", "verify", "install", "deploy"}),
}
_NO_TESTS_FLAGS = ("-x", "-DskipTests", "-Dmaven.test.skip", "-DskipITs")


def _tests_along(run: Run) -> bool:
    """`./gradlew clean build`, `mvn verify`: they run the tests on their way."""
    goals = _WITH_TESTS.get(run.runner)
    return goals is not None and any(
        not goals.isdisjoint(part.words)
        and not any(word.startswith(_NO_TESTS_FLAGS) for word in part.words)
        for part in (run.step.command.parts if run.step.command is not None else ())
    )


def _printed(step: Step) -> bool:
    """True when the run itself printed something: not only an `echo` behind it."""
    echoed = {
        line.strip()
        for part in (step.command.parts if step.command else ())
        if part.program in ("echo", "printf")
        for line in " ".join(part.words[1:]).split("\\n")
    }
    return any(line.strip() and line.strip() not in echoed for line in step.text.split("\n")[:200])


_WRAPPERS = frozenset("npm yarn pnpm make tox nox gradle mvn bun just generic test".split())


def _related(one: str, other: str) -> bool:
    """A wrapper and the tool it calls (`npm test`, `make test`, then `jest`) run the same thing."""
    return one == other or one in _WRAPPERS or other in _WRAPPERS


def _what(run: Run) -> frozenset[str]:
    """What a run covers: the words of its own part of the command line that select (paths, names, packages)."""
    own = _selected(run.step)
    return own.get(run.kind, own[""])


@remembered
def _selected(step: Step) -> dict[str, frozenset[str]]:
    """The words that select, by the kind of run whose part they stand in; all of them under ""."""
    if step.command is None:
        return {"": frozenset(text.casefold() for _, text in step.argument_leaves[:20])}
    found: dict[str, set[str]] = {"": set()}
    home: set[str] = set()
    for part in step.command.parts:
        if part.program in ("tail", "head", "grep", "echo", "cat", "true", "tee"):
            continue
        if part.program == "cd" and len(part.words) > 1:
            home.add("cd:" + norm_path(part.words[1]))
            continue
        words = {
            word.casefold()
            for before, word in pairwise(part.words)
            if not word.startswith("-") and before not in _FORMATS
        }
        found[""] |= words
        if part.runner is not None:
            found.setdefault(part.runner[1], set()).update(words)
    return {kind: frozenset(words | home) for kind, words in found.items()}


# Flags whose value changes what is printed, and not what is run.
_FORMATS = frozenset(
    "-f --format --reporter -o --output --output-format --color --formatter".split()
)
