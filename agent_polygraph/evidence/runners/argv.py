"""Which runner a command line starts, and whether it runs the whole or a part.

Only the words are read: no file is looked at and nothing is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..._lazy import regex

# ---------------------------------------------------------------------------------- command lines

# What only starts another command -> its options that take a value.
_STARTERS: dict[str, str] = {
    **dict.fromkeys(
        "command exec nohup builtin eval fvm bunx pnpx stdbuf setsid doas chronic unbuffer".split(),
        "",
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
        "poetry pdm pipenv rye pixi hatch pipx heroku".split(), ("run exec", "-e --spec")
    ),
    **dict.fromkeys("bundle mise asdf rbenv pyenv direnv nvm".split(), ("exec x", "")),
    **{
        "fnm": ("exec", "--using"),
        "volta": ("run", "--node --npm --yarn"),
        "devbox": ("run", "-c"),
    },
    **dict.fromkeys("conda mamba micromamba".split(), ("run", "-n --name -p --prefix --cwd")),
    **{"npm": ("exec x", "-w --workspace -p --package"), "yarn": ("exec dlx", "-p")},
    **{"pnpm": ("exec dlx", "--filter -F -C --dir"), "bun": ("x", "")},
    "coverage": ("run", "--source --rcfile --omit"),
    **dict.fromkeys(("docker", "podman", "docker compose", "docker-compose"), _IN_DOCKER),
    "kubectl": ("exec", "-n --namespace -c --container --context"),
}
# Where the next word names a container, an image, a pod or a folder.
_PLACED = ("docker", "podman", "docker compose", "docker-compose", "kubectl", "direnv", "nvm")

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
_TARGETED = "make gmake just task rake invoke inv turbo nx lerna rush moon zig".split()
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


def kind_of_name(name: str) -> str:
    """The kind of work that a script, target or goal of that name does: `lint:fix` -> lint."""
    low = name.lower()
    return next((k for k, words in _NAME_WORDS if any(w in low for w in words)), "script")


def runs_anything(words: Sequence[str]) -> bool:
    """`make check`, `npm run verify`: a target whose name does not tell what kind of checks it runs."""
    argv = command_of(words)
    name = _base(argv[0]) if argv else ""
    return (name in _TARGETED or name in _SCRIPTED) and not _ANY_CHECK.isdisjoint(argv[1:4])


_SCRIPTED = frozenset({"npm", "pnpm", "yarn", "bun", "composer", "deno"})
_ANY_CHECK = frozenset({"check", "checks", "verify", "ci", "validate"})


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


def command_of(words: Sequence[str]) -> list[str]:
    """The command itself: without assignments, `sudo`, `npx`, `uv run`, `docker compose exec x`."""
    argv = [str(word) for word in words[:400]]
    for _ in range(10):  # starters nest only so deep
        while argv and "=" in argv[0] and _ASSIGNMENT.match(argv[0]):
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
        return _runner(command_of(words))
    return _runner_of(tuple(words))


# The same command is asked about many times in a turn; what is remembered is bounded in size, too.
_SHORT_COMMAND = 40


@lru_cache(maxsize=512)
def _runner_of(words: tuple[str, ...]) -> tuple[str, str] | None:
    return _runner(command_of(words))


# `playwright --version` runs nothing.
_ASKED_ABOUT = frozenset({"--version", "-V", "--help", "-h", "version", "help"})


def _runner(argv: Sequence[str]) -> tuple[str, str] | None:
    """`runner_of` for a command whose starters are off."""
    if not argv:
        return None
    name, rest = _base(argv[0]), list(argv[1:])
    if rest and _ASKED_ABOUT.issuperset(rest):
        return None
    if name == "docker-compose" or (name in ("docker", "podman") and rest[:1] == ["compose"]):
        return "docker", "build" if "build" in rest[:3] else "deploy"
    if name in _MANAGERS:
        return _managed(name, rest)
    words = [word for word in _behind(rest, _VALUED) if word[:1] != "-" and "=" not in word]
    if name in _JVM:
        tests = any(goal in " ".join(words) for goal in ("test", "verify", "check", "install"))
        return _JVM[name], "test" if tests else "build"
    if name in _TARGETED:
        return name, kind_of_name(" ".join(words)) if words else "build"
    script = (rest[0] if rest and _INTERPRETER.match(name) else argv[0]).rsplit("/", 1)[-1]
    if _is_test_script(script):
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


def _is_test_script(name: str) -> bool:
    return "." in name and _TEST_SCRIPT.match(name) is not None


def _managed(name: str, words: Sequence[str]) -> tuple[str, str]:
    """npm, pnpm, yarn and bun: their own verbs, the scripts they run, and the tools they start."""
    rest = [word for word in _behind(words, _VALUED) if not word.startswith("-")]
    if name == "yarn" and rest[:1] in (["workspace"], ["workspaces"]):
        rest = rest[2:]
    verb = rest[0] if rest else ""
    if verb in ("run", "run-script"):
        return name, kind_of_name(rest[1]) if len(rest) > 1 else "script"
    if verb in ("test", "t", "tst", "it"):
        return name, "test"
    if verb in _INSTALLS or (name == "yarn" and not verb):
        return name, "install"
    if verb in ("audit", "publish"):
        return name, "audit" if verb == "audit" else "deploy"
    if name == "npm":
        return name, "script"
    return (verb, _KIND_OF[verb]) if verb in _KIND_OF else (name, kind_of_name(verb))


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
    argv = command_of(words)
    found = _runner(argv)
    if found is None:
        return False
    runner, kind = found
    program = _base(argv[0])
    picks = _PICKS.union(_PICKS_OF.get(runner, "").split(), _PICKS_OF.get(program, "").split())
    free: list[str] = []
    takes = False
    for word in argv[1 + any(_is_test_script(word.rsplit("/", 1)[-1]) for word in argv[1:2]) :]:
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
