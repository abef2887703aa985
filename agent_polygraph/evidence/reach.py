"""What a run could notice: which edits matter to which check, and which part of the work a run
covers.

Strategy: by the file's kind and by place.  A type checker does not read Python's tests of another
language, a run inside `web/` does not see `api/`, nobody's tests read a changelog.  Where it can't
be
told, the answer is no, since it is used to accuse.  Constant time a question.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from .._lazy import regex
from . import shell, values
from .changes import Change
from .step import Step
from .touched import is_doc

_ASIDE_DIRS = (
    "/tmp/",
    "/var/tmp/",
    "/.claude/",
    "/.cursor/",
    "/.codex/",
    "/.gemini/",
    "/.git/",
    "/.idea/",
    "/.vscode/",
    "/node_modules/",
    "/private/tmp/",
)
_NOTE_DIRS = (
    "docs/",
    "doc/",
    "notes/",
    "memory/",
    "plans/",
    "adr/",
    "wiki/",
    "guides/",
    "tmp/",
    ".claude/",
    "changelogs/",
    ".changeset/",
    "changes/",
    "newsfragments/",
)
_ASIDE = frozenset(
    "log lock csv tsv xlsx docx pptx ipynb_checkpoints out bak patch diff example sample"
    " http drawio excalidraw".split()
)
_CHANGELOGS = frozenset(
    "changes changelog news history release_notes todo notes memory claude agents plan"
    " readme".split()
)
# Languages by file name ending; a check that is bound to one does not see the others.
_FAMILY: dict[str, str] = {
    ending: family
    for family, endings in {
        "py": "py pyi pyx toml cfg ini",
        "js": "js jsx ts tsx mjs cjs mts cts vue svelte astro json css scss html",
        "go": "go mod sum",
        "rs": "rs toml",
        "jvm": "java kt kts scala groovy gradle xml properties",
        "rb": "rb erb rake haml slim yml",
        "php": "php blade twig",
        "cs": "cs fs vb csproj razor xaml",
        "c": "c cc cpp cxx h hpp hh cmake",
        "ex": "ex exs heex eex",
        "swift": "swift m mm",
        "sh": "sh bash zsh",
        "tf": "tf tfvars hcl",
    }.items()
    for ending in endings.split()
}
_RUNNER_FAMILY: dict[str, str] = {
    name: family
    for family, names in {
        "py": "pytest unittest mypy ruff flake8 pylint pyright black isort tox nox bandit ty",
        "js": (
            "jest vitest mocha eslint tsc biome prettier stylelint svelte-check vue-tsc"
            " playwright cypress ava node vite webpack next"
        ),
        "go": "go golangci-lint staticcheck gofmt gotestsum govulncheck",
        "rs": "cargo clippy rustfmt nextest rustc",
        "jvm": "maven gradle ktlint detekt checkstyle junit javac kotlinc",
        "rb": "rspec rubocop minitest rails standardrb",
        "php": "phpunit pest phpstan psalm pint phpcs php-cs-fixer",
        "cs": "dotnet",
        "c": "ctest gcc clang cmake ninja clang-tidy",
        "ex": "exunit mix credo dialyzer",
        "swift": "swift xcodebuild swiftlint",
        "sh": "shellcheck shfmt bats",
        "tf": "terraform tofu tflint",
    }.items()
    for name in names.split()
}
# What any run may read whatever the language: data, templates, build files.
_COMMON = frozenset(
    "json yaml yml toml xml sql graphql proto env html css template j2 snap".split()
)


def noticed_by(edit: Step, path: str, run: Step | None, kind: str) -> bool:
    """True when the run, done again, could come out differently for the edit of `path`."""
    if is_doc(path) or aside(path) or _only_words(edit, path):
        return False
    if "delete" in edit.effects and not edit.changes and edit.command is None:
        return False
    if run is not None and run.own_check is not None and run.own_check.suffixes:
        return path.endswith(run.own_check.suffixes)
    if _OF_CI.search("/" + path.lstrip("/")) is not None:
        return False  # what a CI system reads, and no run on this machine
    if run is None:
        return _ending(path) in _FAMILY and _ending(path) not in _COMMON
    own = _ending(path)
    if "delete" in edit.effects and own in _COMMON:
        return False  # an old config that the run did without
    if not own:
        name = path.rsplit("/", 1)[-1]
        if name not in (
            "package.json",
            "makefile",
            "dockerfile",
            "gemfile",
            "rakefile",
            "procfile",
            "justfile",
            "jenkinsfile",
        ):
            return False
        if name == "dockerfile" and kind in ("lint", "types", "format", "test"):
            return False
    family = _FAMILY.get(own, "")
    runner = run.runs_check[0] if run.runs_check else ""
    bound = _RUNNER_FAMILY.get(runner, "")
    if own and bound and own not in _COMMON and family != bound:
        return False
    if kind in ("lint", "types", "format") and own in _COMMON and family != bound:
        return False
    if kind == "build" and own in ("yaml", "yml", "tf", "tfvars", "sql"):
        return False
    return _in_place(path, run)


_OF_CI = regex(
    r"/\.(?:github|circleci|gitlab|buildkite|woodpecker|semaphore)/|/(?:\.gitlab-ci|\.travis|azure-pipelines|appveyor"
    r"|bitbucket-pipelines|\.drone|cloudbuild)\.ya?ml\Z|/dependabot\.ya?ml\Z|/renovate\.json5?\Z"
)


def aside(path: str) -> bool:
    """True for notes, logs, scratch files and the agent's own papers."""
    padded = "/" + path.lstrip("/")
    if any(part in padded for part in _ASIDE_DIRS):
        return True
    name = path.rsplit("/", 1)[-1]
    stem, dot, ending = name.rpartition(".")
    if ending in _ASIDE or (ending in ("", "txt") and (stem if dot else name) in _CHANGELOGS):
        return True
    return ending in ("", "txt", "html") and any(f"/{part}" in padded for part in _NOTE_DIRS)


def _only_words(edit: Step, path: str) -> bool:
    own = [change for change in edit.changes if values.same_path(change.path, path)]
    return bool(own) and all(change.only_words or _renumbers(change) for change in own)


def _renumbers(change: Change) -> bool:
    """`version: 1.8.2` made `version: 1.8.3`: nothing that runs comes out differently."""
    old, new = change.old.strip(" ^\\$\"'"), change.new.strip(" \"'")
    if "version" not in old.casefold()[:20] or "\n" in old + new:
        return False
    return _DIGITS.sub("#", old.replace("\\", "")) == _DIGITS.sub("#", new)


_DIGITS = regex(r"\d+")


def _ending(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    return name.rpartition(".")[2] if "." in name.lstrip(".") else ""


def _in_place(path: str, run: Step) -> bool:
    """True unless the run is known to stay inside a folder that the path is outside of.

    Folders count from where the run changed to (`cd web && npm test`, `-C web`); a selected file or
    folder of tests says nothing of which sources it reads.
    """
    home = working_folder(run)
    if not home or home in (".", "/"):
        return True
    padded = f"/{path.strip('/')}/"
    if f"/{home.strip('/')}/" in padded:
        return True
    # an absolute home and a relative path can't be compared but by the last folder; in doubt it
    # is the same
    if home.startswith("/") != path.startswith("/"):
        return home.startswith("/") or f"/{home.rsplit('/', 1)[-1]}/" in padded
    return False


@lru_cache(maxsize=512)
def _folder_of(text: str) -> str:
    home = ""
    for part in shell.parse(text).parts:
        words = part.words
        if part.program == "cd" and len(words) > 1:
            home = values.norm_path(words[1])
        for option, following in pairwise(words):
            if option in (
                "-C",
                "--prefix",
                "--cwd",
                "--dir",
                "--manifest-path",
                "--project-directory",
                "--workspace",
                "-w",
            ):
                home = values.norm_path(following)
    return home.removesuffix("/cargo.toml")


def working_folder(run: Step) -> str:
    """The folder that a run is done in, empty where the command line does not say."""
    return _folder_of(run.command_text) if run.command_text else ""


_STARTS = frozenset(
    "python python3 node ruby php perl java deno bun go cargo dotnet bash sh zsh curl wget http "
    "make docker podman kubectl psql"
    " sqlite3 mysql ab wrk hyperfine k6 locust npx uvx npm pnpm yarn terraform tofu time"
    " ansible-playbook swift stack cabal rscript r julia lua luajit runghc elixir groovy scala clojure racket"
    " octave".split()
)
_STYLES = frozenset({"fmt", "format", "--write", "--fix", "-w"})


def _checks(step: Step) -> bool:
    return step.runs_check is not None and step.runs_check[1] not in ("vcs", "install")


def ran(step: Step) -> bool:
    """True when the step may have run the code, or checked it: a later edit would make it old.

    A formatter changes files; it shows nothing.  A call without arguments that names no run is a
    look round.
    """
    if step.control or step.delegated or step.edited:
        return step.delegated
    if step.summaries:
        return True
    if step.command is not None:
        return any(
            (part.program in _STARTS or "/" in part.words[0])
            and not _STYLES.intersection(part.words[1:])
            for part in step.command.parts
            if part.words
        ) or (_checks(step) and not _STYLES.intersection(step.command_text.split()))
    if _checks(step):
        return True
    if step.opens_file:
        return False
    return bool(step.argument_leaves) and (
        "opaque" in step.effects or "run" in step.effects or "verify" in step.effects
    )
