"""Checks made weaker: what a turn's edits and commands took away from tests, linters and gates.

Strategy: only what changed is read (`Step.changes`), and only in files that hold checks or their
settings.  A line counts as weaker by what it says, in the notation of the tool: a skip mark, an
exclusion, a lower threshold, a switched-off rule, a removed command.  The patterns are data.
Linear in the changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .._lazy import has_any, kept, regex
from .changes import Change
from .ledger import Ledger
from .runners import runner_of
from .step import Step
from .touched import is_test

SKIP = regex(
    r"@pytest\.mark\.(?:skip|xfail)(?!if)|pytest\.(?:skip|xfail)\(|unittest\.(?:skip"
    r"|expectedFailure)(?!If|Unless)|@skip\b|@expectedFailure"
    r"|\b(?:it|test|describe|context|suite|Scenario)\.(?:skip|todo|fixme|fails|failing)\("
    r"|\bx(?:it|describe|test|specify|context)\b[ (]"
    r"|@Disabled|@Ignore\b|#\[ignore|\bt\.Skip(?:f|Now)?\(|\bskip\s*[:(]\s*(?:true|['\"])"
    r"|Assert\.Ignore|\[Ignore|\[(?:Fact|Theory)\(Skip|@(?:module)?tag :skip"
    r"|markTestSkipped|markTestIncomplete|--deselect|-DskipTests|^\s*pending[ (]['\"]|GTEST_SKIP"
    r"|\bDISABLED_|XCTSkip|@Test\(enabled = false|\.only\(|skip_tests\(",
    re.MULTILINE,
)
_EXCLUDES = regex(
    r"\b(?:exclude|excludes|excluded|testPathIgnorePatterns|coveragePathIgnorePatterns"
    r"|ignorePatterns|ignore_patterns|collect_ignore(?:_glob)?|norecursedirs|omit"
    r"|per-file-ignores|ignores?|ignore_errors|skipLibCheck|skip|skip_tests?|exclusions"
    r"|extend-exclude|extend-ignore|disable_error_code|disable|disabled|disabled_rules"
    r"|disable-all)\b\s*[=:(\[\"']",
    re.IGNORECASE,
)
_INCLUDES = regex(
    r"\b(?:include|testMatch|testRegex|testpaths|spec_files|specs?|pattern|test_dirs"
    r"|python_files|files)\b['\"]?\s*[=:(\[]"
)
_MASKS = regex(
    r"\|\|\s*(?:true|:|exit 0)\b|continue-on-error:\s*true|allow_failure:\s*true"
    r"|ignore_errors?:\s*(?:true|yes)|\bset \+e\b|--passWithNoTests|--exit-zero"
    r"|--no-error-on-unmatched|failOnError\W+false|ignoreFailures\W+true|--pass-with-no-tests"
)
_SUPPRESS = regex(
    r"#\s*(?:noqa|type:\s*ignore|pyright:\s*ignore|pylint:\s*disable|nosec|pragma:\s*no cover)"
    r"|@ts-(?:ignore|expect-error|nocheck)|eslint-disable|biome-ignore|//\s*nolint|#\[allow\("
    r"|@SuppressWarnings|@Suppress\(|rubocop:disable|phpcs:ignore|@phpstan-ignore"
    r"|istanbul ignore|c8 ignore|NOLINT|# ?shellcheck disable|\$FlowFixMe"
)
_SUPPRESS_WORDS = (  # every match of _SUPPRESS has one of these
    *("noqa", "ignore", "disable", "nosec", "no cover", "expect-error", "nocheck", "nolint"),
    *("allow(", "@Suppress", "NOLINT", "FlowFixMe"),
)
_OFF = regex(
    r"['\"]?([\w./@-]{2,60})['\"]?\s*[:=]\s*\[?\s*['\"]?(off|warn|false|none|basic|0|no"
    r"|disabled?)\b",
    re.IGNORECASE,
)
_ON = regex(
    r"['\"]?([\w./@-]{2,60})['\"]?\s*[:=]\s*\[?\s*['\"]?(error|strict|true|all|standard|on|yes|2"
    r"|1|enabled?)\b",
    re.IGNORECASE,
)
_NUMBER = regex(r"['\"]?([\w./-]{2,40})['\"]?\s*[:= ]\s*['\"]?(\d{1,9}(?:\.\d{1,6})?)\b")
_FLOOR = regex(
    r"lines|branches|functions|statements|threshold|cover|fail[-_]?under|minimum|min[-_]|score"
    r"|target",
    re.IGNORECASE,
)
_CEILING = regex(
    r"max|warning|timeout|limit|tolerance|delta|retries|budget|epsilon|precision", re.IGNORECASE
)
CONFIG = regex(
    r"(?:^|/)(?:tsconfig[\w.]*\.json|jsconfig\.json|(?:jest|vitest|playwright|cypress|karma"
    r"|eslint|stylelint|prettier|babel|biome|wallaby)[\w.]*\.(?:[cm]?[jt]s|json|ya?ml)"
    r"|\.(?:eslint|stylelint|prettier|mocha|nyc|c8|babel)rc[\w.]*"
    r"|\.[\w-]+ignore|pytest\.ini|pyproject\.toml|setup\.cfg|tox\.ini|noxfile\.py|conftest\.py"
    r"|\.flake8|\.pylintrc|pylintrc|ruff\.toml|\.ruff\.toml|mypy\.ini|\.coveragerc"
    r"|pyrightconfig\.json|phpunit[\w.]*\.xml[\w.]*|phpstan[\w.]*\.neon[\w.]*"
    r"|\.rubocop[\w.]*\.yml|\.rspec|\.golangci[\w.]*\.ya?ml|clippy\.toml|detekt[\w.]*\.yml"
    r"|makefile|gnumakefile|justfile|taskfile\.ya?ml|rakefile|package\.json|lefthook\.ya?ml"
    r"|\.pre-commit-config\.yaml|\.husky/[\w-]+|codecov\.ya?ml|sonar[\w-]*\.properties"
    r"|\.github/workflows/[\w.-]+\.ya?ml|\.gitlab-ci\.ya?ml|azure-pipelines[\w.]*\.ya?ml"
    r"|jenkinsfile|\.circleci/config\.ya?ml|bitbucket-pipelines\.ya?ml)$"
)  # fmt: skip
_EXPECTED = regex(
    r"(?:^|[/_.-])(?:expect\w*|golden\w*|snapshots?|__snapshots__|baselines?|approved|reference"
    r"|attes\w*|esperad\w*|erwart\w*|attendu\w*)(?:[/_.-]|$)|\.snap$"
)
_ASSERTS = regex(
    r"\bassert\w*\b|\bexpect\w*\s*[(.{]|\.should\b|\.to(?:Be|Equal|Have|Match|Throw"
    r"|Contain)\w*\(|\bshould(?:Be|_|\s)|\bverify\(|\bt\.(?:Error|Fatal)f?\(|\b(?:EXPECT|ASSERT"
    r"|REQUIRE|CHECK)(?:_\w+)?\(|\bis_expected\b|\bwant\b\s*:?=|\bexpected\w*\b\s*[:=]"
)
_TEST_HEAD = regex(
    r"^\s*(?:async )?(?:def test|function test|func Test|test\b|it\b|specify\b|scenario\b"
    r"|@Test\b|#\[test\]|TEST(?:_\w)?\(|public (?:async )?(?:void|Task) \w*[Tt]est)",
    re.MULTILINE,
)
_IMPORT = regex(
    r"^(?:(?:import|from|use|using|require|include|package)\b|(?:const|let"
    r"|var) .{0,200}\brequire\(|#include|@testable)"
)
_HELPER = regex(
    r"(?:^|/)(?:helpers?|support|utils?|fixtures?|factories|mocks?|stubs?|conftest)(?:[/_.-]|$)"
)
_UPDATES = frozenset(
    "-u --update-snapshot --update-snapshots --updateSnapshot --snapshot-update --update"
    " --force-regen --update-goldens --update-golden --accept --approve".split()
)
_UPDATE_ENV = regex(
    r"\b(?:UPDATE_\w+|INSTA_UPDATE|REGENERATE_\w+|UPDATE)=(?:1|true|always|yes|all)\b"
)
_SKIP_ENV = regex(r"\b(?:SKIP=\S+|HUSKY=0|LEFTHOOK=0|PRE_COMMIT_ALLOW_NO_CONFIG=1)")


_MOST = 60  # weakenings of one file, and changes of one call, that are looked at


class Weakening(NamedTuple):
    """One thing that made a check weaker.

    kind: skip, exclude, include, strictness, threshold, limit, command, mask, suppress,
    expectation, deleted, snapshot, bypass,
    touched (an existing test was changed in any way).  about: "drop" or "change", as in
    claims.edit_talk.
    what: words for the finding.
    """

    kind: str
    about: str
    step: Step
    path: str
    what: str


def weakenings(ledger: Ledger) -> list[Weakening]:
    """Everything in the trajectory that made a check weaker and was not taken back, in order."""
    lasting: list[Weakening] = []  # of the run itself: nothing takes it back
    standing: dict[str, list[Weakening]] = {}  # by path
    for step in ledger.acts:
        if (
            step.result is None
            or step.delegated
            or (step.reads_only and step.command is None)
            or step.outcome.bad
        ):
            continue
        if step.command is not None:
            lasting += _commands(step)
            if _puts_back(step):
                standing.clear()
        for change in step.changes:
            kept = [w for w in standing.get(change.path, ()) if not _reverses(change, w)]
            standing[change.path] = [*kept, *_change(ledger, step, change)][-_MOST:]
    found = [*lasting, *(w for path in standing.values() for w in path)]
    return sorted(found, key=lambda w: w.step.order)


def _change(ledger: Ledger, step: Step, change: Change) -> Iterator[Weakening]:
    path = change.path
    if change.gone:
        if is_test(path) and "." in path.rsplit("/", 1)[-1]:
            yield Weakening("deleted", "drop", step, path, f"{path} was deleted")
        return
    added = "\n".join(change.added)
    fresh = change.whole and not _known(ledger, step, path)
    sets_up = _sets_up(path)
    holds_checks = is_test(path) and not sets_up
    if holds_checks:
        mark = SKIP.search(added)
        if mark and not fresh and not SKIP.search(change.old) and not _conditional(added, mark):
            yield Weakening(
                "skip", "drop", step, path, f"`{mark.group().strip()}` was added to {path}"
            )
    if sets_up and not fresh:
        yield from _config(step, change, added)
    elif holds_checks and not mark_only(change):
        yield from _tests(step, change, fresh)
    elif _expects(path) and not fresh:
        yield Weakening(
            "expectation", "change", step, path, f"the expected values in {path} were changed"
        )
    if (
        not fresh
        and not holds_checks
        and added
        and has_any(added, _SUPPRESS_WORDS)
        and _SUPPRESS.search(added)
        and not _SUPPRESS.search(change.old)
    ):
        only = all(_SUPPRESS.search(line) for line in change.added)
        hit = _SUPPRESS.search(added)
        if only and hit:
            yield Weakening("suppress", "drop", step, path, f"`{hit.group()}` was added to {path}")


@kept(1024)
def _sets_up(path: str) -> bool:
    """True for the settings of checks."""
    return CONFIG.search(path) is not None


@kept(1024)
def _expects(path: str) -> bool:
    """True for stored results that a check compares with."""
    return _EXPECTED.search(path) is not None


def _conditional(text: str, mark: re.Match[str]) -> bool:
    """True for a skip under a condition (`if testing.Short() { t.Skip() }`): it says where a test
    can't run.
    """
    if not mark.group().endswith("("):
        return False
    above = text[: mark.start()].rstrip().split("\n")[-2:]
    return any(
        line.lstrip().startswith(
            ("if ", "if(", "unless ", "} else", "elif ", "except", "catch", "guard ")
        )
        for line in above
    )


def mark_only(change: Change) -> bool:
    """True when a skip mark is all that was added."""
    return (
        bool(change.added)
        and not change.removed
        and all(SKIP.search(line) for line in change.added)
    )


def _config(step: Step, change: Change, added: str) -> Iterator[Weakening]:
    path, old = change.path, change.old
    hit = _MASKS.search(added)
    if hit and not _MASKS.search(old):
        yield Weakening("mask", "drop", step, path, f"`{hit.group()}` was added to {path}")
    hit = _EXCLUDES.search(added)
    ignores = path.rsplit("/", 1)[-1].endswith("ignore") and not path.endswith(
        (".gitignore", ".dockerignore", ".npmignore")
    )
    if (hit and not _EXCLUDES.search(old)) or (ignores and added):
        yield Weakening(
            "exclude",
            "drop",
            step,
            path,
            f"`{hit.group().strip() if hit else added[:60]}` was added to {path}",
        )
    hit = _INCLUDES.search(added)
    if hit and _INCLUDES.search("\n".join(change.removed)):
        yield Weakening(
            "include", "drop", step, path, f"`{hit.group().strip()}` was changed in {path}"
        )
    before = {m.group(1).casefold() for m in _ON.finditer(old)}
    for m in _OFF.finditer(added):
        if m.group(1).casefold() in before:
            yield Weakening("strictness", "change", step, path, f"`{m.group().strip()}` in {path}")
            break
    yield from _numbers(step, change)
    gone = [line for line in change.removed if _runs(line)]
    if gone and not change.whole and not any(_same_program(line, change.added) for line in gone):
        yield Weakening("command", "drop", step, path, f"`{gone[0][:80]}` was taken out of {path}")


def _numbers(step: Step, change: Change) -> Iterator[Weakening]:
    """The same key with a lower floor or a higher ceiling."""
    before = {m.group(1).casefold(): float(m.group(2)) for m in _NUMBER.finditer(change.old)}
    for m in _NUMBER.finditer(change.new):
        key, value = m.group(1).casefold(), float(m.group(2))
        was = before.get(key)
        if was is None or was == value:
            continue
        lower = (_FLOOR.search(key) and value < was) or ("warning" in key and value > was)
        if lower or (_CEILING.search(key) and value > was):
            yield Weakening(
                "threshold" if lower else "limit",
                "change",
                step,
                change.path,
                f"`{key}` went from {was:g} to {value:g} in {change.path}",
            )
            return


def _tests(step: Step, change: Change, fresh: bool) -> Iterator[Weakening]:
    path = change.path
    if fresh:
        return
    if change.whole:
        yield Weakening("rewritten", "change", step, path, f"{path} was written anew")
        return
    removed = [line for line in change.removed if not _IMPORT.match(line)]
    if not removed:
        return
    heads = len(_TEST_HEAD.findall(change.old)) - len(_TEST_HEAD.findall(change.new))
    if heads > 0:
        yield Weakening("deleted", "drop", step, path, f"a test was taken out of {path}")
    elif any(_ASSERTS.search(line) for line in removed):
        line = next(line for line in removed if _ASSERTS.search(line))
        yield Weakening("expectation", "change", step, path, f"`{line[:80]}` was changed in {path}")
    elif not _HELPER.search(path):
        yield from _numbers(step, change)
        yield Weakening(
            "touched", "change", step, path, f"`{removed[0][:80]}` was changed in {path}"
        )


def _commands(step: Step) -> Iterator[Weakening]:
    assert step.command is not None
    text = step.command_text
    updates = skips = None
    if "=" in text:
        updates, skips = _UPDATE_ENV.search(text), _SKIP_ENV.search(text)
    for part in step.command.parts:
        if part.runner and part.runner[1] == "test":
            hit = next((word for word in part.words[1:] if word.partition("=")[0] in _UPDATES), "")
            if hit or updates:
                yield Weakening(
                    "snapshot",
                    "change",
                    step,
                    "",
                    f"`{hit or (updates.group() if updates else '')}` overwrote the stored snapshots",
                )
        if (
            part.program == "git"
            and part.words[1:2]
            and part.words[1] in ("commit", "push", "merge")
        ):
            hit = (
                "--no-verify"
                if "--no-verify" in part.words
                else "-n"
                if "-n" in part.words and part.words[1] == "commit"
                else ""
            )
            if hit or skips:
                yield Weakening(
                    "bypass",
                    "drop",
                    step,
                    "",
                    f"`{hit or (skips.group() if skips else '')}` left the hooks out",
                )


def _known(ledger: Ledger, step: Step, path: str) -> bool:
    """True when the file was there before the step wrote it: read, run or listed earlier in the
    trajectory.
    """
    said = step.text[:300].casefold()
    if "created" in said or "new file" in said:
        return False
    if "updated" in said or "overw" in said:
        return True
    name = path.rsplit("/", 1)[-1]
    return any(
        name in earlier.searchable
        for earlier in ledger.steps[max(0, step.order - 200) : step.order]
        if not earlier.edited
    )


def _reverses(change: Change, weak: Weakening) -> bool:
    """True when a later change takes the weakening back."""
    if weak.path != change.path or weak.kind in ("snapshot", "bypass"):
        return False
    if change.whole and weak.kind == "skip":
        return not SKIP.search(change.new)
    for earlier in weak.step.changes[:_MOST]:
        if earlier.path != change.path or not change.old:
            continue
        if (
            earlier.new
            and change.old
            and earlier.new.strip() == change.old.strip()
            and earlier.old.strip() == change.new.strip()
        ):
            return True
        if weak.kind == "skip" and SKIP.search(change.old) and not SKIP.search(change.new):
            return True
        if (
            weak.kind in ("exclude", "mask")
            and (_EXCLUDES.search(change.old) or _MASKS.search(change.old))
            and not (_EXCLUDES.search(change.new) or _MASKS.search(change.new))
        ):
            return True
    return False


def _puts_back(step: Step) -> bool:
    """True for `git checkout -- .`, `git restore`, `git stash`, `git reset --hard`: the tree is
    as it was.
    """
    assert step.command is not None
    for part in step.command.parts:
        words = part.words[1:]
        if part.program != "git" or not words:
            continue
        if words[0] in ("restore", "stash") and not {
            "list",
            "show",
            "pop",
            "apply",
            "drop",
        }.intersection(words[1:2]):
            return True
        if words[0] == "checkout" and (
            "--" in words or "." in words or any("." in word and "/" in word for word in words)
        ):
            return True
        if words[0] == "reset" and "--hard" in words:
            return True
    return False


def _runs(line: str) -> bool:
    """True when a line of a config file starts a check: `staticcheck ./...`, `- run: npm test`,
    `"lint": "eslint ."`.
    """
    text = line.strip().lstrip("-@ ").strip()
    for cut in (
        text,
        text.partition("run:")[2],
        text.partition("entry:")[2],
        text.partition(":")[2],
    ):
        words = cut.strip().strip("\"',").split()
        if words and len(words) < 40:
            found = runner_of(words)
            if found and found[1] in ("test", "lint", "types", "format", "audit"):
                return True
    return False


def _same_program(line: str, added: list[str]) -> bool:
    words = {word.strip("\"',") for word in line.split()}
    return any(
        len(words & {word.strip("\"',") for word in other.split()}) >= max(1, len(words) // 2)
        for other in added
    )
