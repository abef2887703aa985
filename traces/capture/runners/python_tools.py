"""pytest, unittest, tox, nox, ruff, mypy, flake8, black, pylint, isort, pip, pre-commit, mkdocs, sphinx."""

from __future__ import annotations

from _record import Recorder, kit

PACKAGES = (
    "pytest pytest-cov pytest-xdist flake8 black pylint isort mypy ruff tox nox pre-commit django"
    " sphinx mkdocs sqlfluff bandit yamllint alembic codespell"
)
OK3 = "def test_a():\n    assert 1\ndef test_b():\n    assert 1\ndef test_c():\n    assert 1\n"
BAD = "def test_bad():\n    assert 1 == 2\n"
LOUD = (
    "import logging\ndef test_loud():\n    logging.error('Task 2 failed: 84')\n"
    "    print('ERROR: 3 failed, 0 passed')\n    assert 1\n"
)
SKIP = "import pytest\n@pytest.mark.skip(reason='later')\ndef test_s():\n    assert 0\n"
SLEEP = "import time\ndef test_slow():\n    time.sleep(30)\n"
U_OK = (
    "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(1)\n"
    "    def test_b(self):\n        self.assertTrue(1)\n"
)
U_BAD = U_OK + "    def test_c(self):\n        self.assertEqual(1, 2)\n"
U_ERR = U_OK + "    def test_d(self):\n        raise ValueError('x')\n"
U_SKIP = "import unittest\nclass T(unittest.TestCase):\n    @unittest.skip('x')\n    def test_a(self): pass\n"


def test(outcome: str, **counts: int) -> dict[str, object]:
    return {"kind": "test", "outcome": outcome, **counts}


def pytest(bin_: str) -> None:
    with Recorder("pytest", bin_) as r:
        r.write({"ok/test_ok.py": OK3, "bad/test_bad.py": OK3 + BAD, "loud/test_loud.py": LOUD})
        r.write({"skip/test_s.py": SKIP, "none/README": "", "slow/test_slow.py": SLEEP})
        r.write({"broken/test_x.py": "import nothing_there\n", "mixed/test_m.py": SKIP + BAD + OK3})
        r.write(
            {"mixed/test_x.py": "import pytest\n@pytest.mark.xfail\ndef test_xf():\n    assert 0\n"}
        )
        r.write(
            {
                "fix/test_f.py": "import pytest\n@pytest.fixture\ndef f():\n    raise OSError('no db')\n"
                "def test_f(f):\n    pass\ndef test_ok():\n    pass\n"
            }
        )
        r.write(
            {
                "onlyfix/test_f.py": "import pytest\n@pytest.fixture\ndef f():\n    raise OSError('no db')\n"
                "def test_f(f):\n    pass\n"
            }
        )
        r.write(
            {
                "part/test_p.py": OK3 + "import os, signal\ndef test_stop():\n"
                "    os.kill(os.getpid(), signal.SIGINT)\ndef test_never():\n    pass\n"
            }
        )
        r.write(
            {
                "lib/__init__.py": "def f(x):\n    if x:\n        return 1\n    return 2\n",
                "cov/test_c.py": "import sys\nsys.path.insert(0, '.')\nimport lib\n" + OK3,
            }
        )
        r.run("passing", "pytest ok", test("passed", passed=3), exit_code=0)
        r.run("passing -q", "pytest -q ok", test("passed", passed=3), exit_code=0)
        r.run("passing -v", "python -m pytest -v ok", test("passed", passed=3), exit_code=0)
        r.run(
            "passing -v colour", "pytest -v --color=yes ok", test("passed", passed=3), exit_code=0
        )
        r.run("passing loud", "pytest -s loud", test("passed", passed=1), exit_code=0)
        r.run("passing -rA loud", "pytest -rA loud", test("passed", passed=1), exit_code=0)
        r.run("failing", "pytest bad", test("failed", passed=3, failed=1), exit_code=1)
        r.run("failing -q", "pytest -q bad", test("failed", passed=3, failed=1), exit_code=1)
        r.run(
            "failing colour",
            "pytest --color=yes bad",
            test("failed", passed=3, failed=1),
            exit_code=1,
        )
        r.run("mixed", "pytest mixed", test("failed", passed=3, failed=1, skipped=1), exit_code=1)
        r.run("skipped", "pytest skip", test("skipped", skipped=1), exit_code=0)
        r.run("empty", "pytest none", test("empty"), exit_code=5)
        r.run("empty -q", "pytest -q none", test("empty"), exit_code=5)
        r.run("empty -k", "pytest ok -k nothing_like_this", test("empty"), exit_code=5)
        r.run("collect only", "pytest --collect-only -q ok", test("empty", total=3), exit_code=0)
        r.run("collection error", "pytest broken", test("error", errors=1), exit_code=2)
        r.run("collection error beside", "pytest broken ok", test("error", errors=1), exit_code=2)
        r.run("fixture error", "pytest fix", test("failed", passed=1, errors=1), exit_code=1)
        r.run("fixture error only", "pytest -q onlyfix", test("error", errors=1), exit_code=1)
        r.run("no such file", "pytest tests/test_nothing.py", test("error"), exit_code=4)
        r.run("no such option", "pytest --no-such-option", test("error"), exit_code=4)
        r.run("interrupted", "pytest part", test("partial", passed=3), exit_code=2)
        r.run("stopped at first", "pytest -x bad", test("failed", passed=3, failed=1), exit_code=1)
        r.run("killed silently", "timeout -s KILL 2 pytest slow", None)
        r.run(
            "killed", "timeout -s KILL 2 pytest slow; true", {"kind": "script", "outcome": "killed"}
        )
        r.run(
            "timeout",
            "timeout 2 pytest slow; echo exit: $?",
            {"kind": "script", "outcome": "timeout"},
        )
        r.run(
            "piped failing",
            "pytest bad 2>&1 | tail -3",
            test("failed", passed=3, failed=1),
            exit_code=0,
        )
        r.run("piped passing", "pytest ok 2>&1 | tail -1", test("passed", passed=3), exit_code=0)
        r.run("piped grep", "pytest bad 2>&1 | grep FAILED", test("failed", failed=1), exit_code=0)
        r.run("masked", "pytest bad || true", test("failed", passed=3, failed=1), exit_code=0)
        r.run(
            "masked echo",
            "pytest -q bad; echo exit: $?",
            test("failed", passed=3, failed=1),
            exit_code=0,
        )
        r.run(
            "masked echo pass",
            'pytest -q ok; echo "exit code: $?"',
            test("passed", passed=3),
            exit_code=0,
        )
        r.run(
            "two runs",
            "pytest -q bad; pytest -q ok",
            [test("failed", passed=3, failed=1), test("passed", passed=3)],
            exit_code=0,
        )
        r.run("xdist", "pytest -n 2 ok", test("passed", passed=3), exit_code=0)
        r.run(
            "coverage short", "pytest --cov=lib --cov-fail-under=100 cov", test("failed", passed=3)
        )
        r.run(
            "no module",
            "python -m pytest_not_there ok",
            {"kind": "script", "outcome": "error"},
            exit_code=1,
        )
        r.run("not installed", "/usr/bin/python3 -S -m pytest ok", test("error"), exit_code=1)
    with Recorder("unittest", bin_) as r:
        r.write(
            {
                "ok/test_a.py": U_OK,
                "bad/test_a.py": U_BAD,
                "err/test_a.py": U_ERR,
                "skip/test_a.py": U_SKIP,
            }
        )
        r.write({"broken/test_x.py": "import nothing_there\n", "none/a.py": ""})
        for name, outcome, counts in (
            ("ok", "passed", {"passed": 2}),
            ("bad", "failed", {"passed": 2, "failed": 1}),
            ("err", "failed", {"passed": 2, "errors": 1}),
            ("skip", "skipped", {"skipped": 1}),
            ("broken", "error", {"errors": 1}),
            ("none", "empty", {}),
        ):
            r.run(name, f"python -m unittest discover -s {name}", test(outcome, **counts))
            r.run(
                f"{name} -v", f"python -m unittest discover -v -s {name}", test(outcome, **counts)
            )
        r.run(
            "piped", "python -m unittest discover -s bad 2>&1 | tail -3", test("failed", failed=1)
        )
        r.run(
            "piped tail -1",
            "python -m unittest discover -s bad 2>&1 | tail -1",
            test("failed", failed=1),
        )
        r.run(
            "masked",
            "python -m unittest discover -s bad || true",
            test("failed", passed=2, failed=1),
        )
        r.run(
            "masked echo",
            "python -m unittest discover -s bad; echo exit: $?",
            test("failed", passed=2, failed=1),
        )
    with Recorder("django", bin_) as r:
        r.write(
            {
                "manage.py": "import os,sys\nos.environ['DJANGO_SETTINGS_MODULE']='settings'\n"
                "from django.core.management import execute_from_command_line as e\ne(sys.argv)\n",
                "settings.py": "SECRET_KEY='x'\nINSTALLED_APPS=['django.contrib.contenttypes','app']\n"
                "DATABASES={'default':{'ENGINE':'django.db.backends.sqlite3','NAME':'db.sqlite3'}}\n",
                "app/__init__.py": "",
                "app/tests.py": "from django.test import SimpleTestCase\n"
                "class T(SimpleTestCase):\n    def test_a(self): pass\n    def test_b(self): assert 0\n",
            }
        )
        r.run("failing", "python manage.py test", test("failed", passed=1, failed=1), exit_code=1)
        r.run("empty", "python manage.py test nothing.here", test("error", errors=1), exit_code=1)
        r.run(
            "migrate", "python manage.py migrate", {"kind": "db", "outcome": "passed"}, exit_code=0
        )
        r.run(
            "migrate again",
            "python manage.py migrate",
            {"kind": "db", "outcome": "empty"},
            exit_code=0,
        )


def runners_of_runners(bin_: str) -> None:
    with Recorder("tox", bin_) as r:
        r.write(
            {
                "tox.ini": "[tox]\nskipsdist=true\nenv_list=a,b\n[testenv]\nallowlist_externals=*\n"
                "commands=true\n[testenv:b]\ncommands=false\n"
            }
        )
        r.run("failing", "tox", test("failed"), exit_code=1)
        r.run("passing", "tox -e a", test("passed"), exit_code=0)
        r.run("piped", "tox 2>&1 | tail -3", test("failed"), exit_code=0)
    with Recorder("nox", bin_) as r:
        r.write(
            {
                "noxfile.py": "import nox\n@nox.session(venv_backend='none')\ndef tests(s):\n"
                "    s.run('true', external=True)\n@nox.session(venv_backend='none')\ndef bad(s):\n"
                "    s.run('false', external=True)\n"
            }
        )
        r.run("passing", "nox -s tests", test("passed"), exit_code=0)
        r.run("failing", "nox -s tests bad", test("failed"), exit_code=1)
    with Recorder("pre-commit", bin_) as r:
        r.write(
            {
                ".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - {id: a, name: check a, "
                "language: system, entry: 'true', always_run: true, pass_filenames: false}\n  - {id: b, name: "
                "no files here, language: system, entry: 'true', files: nothing}\n",
                "bad.yaml": "repos:\n- repo: local\n  hooks:\n  - {id: a, name: check a, language: system, "
                "entry: 'true', always_run: true}\n  - {id: c, name: Lint the code, language: system, "
                "entry: \"sh -c 'echo found 2 errors; exit 1'\", always_run: true}\n",
                "x.txt": "x\n",
            }
        )
        r.run("setup", "git init -q . && git add -A", None)
        r.rows.clear()
        hook = {"kind": "lint"}
        r.run("passing", "pre-commit run --all-files", {**hook, "outcome": "passed"}, exit_code=0)
        r.run(
            "failing",
            "pre-commit run --all-files -c bad.yaml",
            {**hook, "outcome": "failed"},
            exit_code=1,
        )
        r.run(
            "skipped", "pre-commit run b --all-files", {**hook, "outcome": "skipped"}, exit_code=0
        )
        r.run(
            "masked",
            "pre-commit run -a -c bad.yaml || true",
            {**hook, "outcome": "failed"},
            exit_code=0,
        )
        r.run(
            "bad config",
            "echo 'repos: 3' > c.yaml; pre-commit run -a -c c.yaml",
            {**hook, "outcome": "error"},
        )


def linters(bin_: str) -> None:
    def lint(outcome: str, kind: str = "lint", **counts: int) -> dict[str, object]:
        return {"kind": kind, "outcome": outcome, **counts}

    files = {
        "ok/a.py": '"""A."""\n\nX = 1\n',
        "bad/b.py": "import os\nimport sys\nx=1\n",
        "syntax/s.py": "def (:\n",
        "none/README": "",
        "typed/t.py": 'def f(x: int) -> str:\n    return x\n\n\nf("a")\n',
    }
    with Recorder("ruff", bin_) as r:
        r.write(files)
        r.run("passing", "ruff check ok", lint("passed"), exit_code=0)
        r.run("failing", "ruff check --select F bad", lint("failed", failed=2), exit_code=1)
        r.run(
            "failing concise",
            "ruff check --select F --output-format concise bad",
            lint("failed", failed=2),
        )
        r.run(
            "piped",
            "ruff check --select F bad 2>&1 | tail -3",
            lint("failed", failed=2),
            exit_code=0,
        )
        r.run("masked", "ruff check --select F bad || true", lint("failed", failed=2), exit_code=0)
        r.run("empty", "ruff check none", lint("passed"), exit_code=0)
        r.run("syntax error", "ruff check syntax", lint("failed"), exit_code=1)
        r.run(
            "statistics",
            "ruff check --select F --statistics bad",
            lint("failed", failed=2),
            exit_code=1,
        )
        r.run(
            "fixed",
            "cp -r bad fixme && ruff check --fix fixme",
            lint("passed", failed=0),
            exit_code=0,
        )
        r.run(
            "format check passing", "ruff format --check ok", lint("passed", "format"), exit_code=0
        )
        r.run(
            "format check failing",
            "ruff format --check bad ok",
            lint("failed", "format", failed=1),
            exit_code=1,
        )
        r.run("format", "ruff format fixme", lint("passed", "format"), exit_code=0)
        r.run("format again", "ruff format ok fixme", lint("passed", "format"), exit_code=0)
        r.run("bad option", "ruff check --no-such ok", lint("error"), exit_code=2)
    with Recorder("mypy", bin_) as r:
        r.write(files)
        r.run("passing", "mypy ok", lint("passed", "types", files=1), exit_code=0)
        r.run("failing", "mypy typed", lint("failed", "types", failed=2, files=1), exit_code=1)
        r.run("piped", "mypy typed | tail -1", lint("failed", "types", failed=2), exit_code=0)
        r.run("piped head", "mypy typed | head -2", lint("failed", "types", failed=2), exit_code=0)
        r.run("masked", "mypy typed || true", lint("failed", "types", failed=2), exit_code=0)
        r.run("syntax error", "mypy syntax", lint("error", "types"), exit_code=2)
        r.run("no such file", "mypy nothing.py", lint("error", "types"), exit_code=2)
        r.run("empty", "mypy none", lint("empty", "types"), exit_code=2)
    with Recorder("flake8", bin_) as r:
        r.write(files)
        r.run("passing", "flake8 ok", None, exit_code=0)
        r.run("failing", "flake8 bad", lint("failed", failed=3), exit_code=1)
        r.run("syntax error", "flake8 syntax", lint("failed", failed=1), exit_code=1)
        r.run("masked", "flake8 bad || true", lint("failed", failed=3), exit_code=0)
    with Recorder("black", bin_) as r:
        r.write(files)
        r.run("passing", "black --check ok", lint("passed", "format"), exit_code=0)
        r.run("failing", "black --check bad ok", lint("failed", "format", failed=1), exit_code=1)
        r.run("reformatted", "cp -r bad x && black x", lint("passed", "format"), exit_code=0)
        r.run("empty", "black none", lint("empty", "format"), exit_code=0)
        r.run("syntax error", "black syntax", lint("error", "format"), exit_code=123)
        r.run("piped", "black --check bad 2>&1 | tail -2", lint("failed", "format", failed=1))
    with Recorder("pylint", bin_) as r:
        r.write(files)
        r.run("passing", "pylint ok/a.py", lint("passed"), exit_code=0)
        r.run("failing", "pylint bad/b.py", lint("failed"))
        r.run("piped", "pylint bad/b.py | tail -4", lint("failed"), exit_code=0)
    with Recorder("isort", bin_) as r:
        r.write({**files, "two.py": "import sys\nimport os\n"})
        r.run("failing", "isort --check two.py", lint("failed", "format", failed=1), exit_code=1)
        r.run("passing", "isort --check ok", None, exit_code=0)
    with Recorder("python-linters", bin_) as r:
        r.write(
            {
                **files,
                "q.sql": "SELECT  a from t\n",
                "ok.sql": "select a from t\n",
                "y.yml": "a: 1\n a: 2\n",
            }
        )
        r.run("bandit passing", "bandit -q ok/a.py; bandit ok/a.py", lint("passed"))
        r.run("sqlfluff failing", "sqlfluff lint --dialect ansi q.sql", lint("failed"), exit_code=1)
        r.run(
            "sqlfluff passing",
            "sqlfluff lint --dialect ansi ok.sql; echo 'exit: '$?",
            lint("passed"),
        )


def install(bin_: str) -> None:
    with Recorder("pip", bin_) as r:
        r.write(
            {
                "pkg/pyproject.toml": "[project]\nname='demo'\nversion='1.0'\n",
                "pkg/demo.py": "",
                "broken/setup.py": "raise SystemExit(3)\n",
            }
        )
        r.run("setup", "python -m venv v && v/bin/pip install -q setuptools wheel; true", None)
        r.rows.clear()
        ok = {"kind": "install", "outcome": "passed"}
        bad = {"kind": "install", "outcome": "failed"}
        pip = "v/bin/pip --disable-pip-version-check install --no-index"
        r.run("passing", f"{pip} --no-build-isolation ./pkg", ok, exit_code=0)
        r.run("already", f"{pip} demo", {"kind": "install", "outcome": "empty"}, exit_code=0)
        r.run("not found", f"{pip} no-such-dist", bad, exit_code=1)
        r.run("piped", f"{pip} no-such-dist 2>&1 | tail -1", bad, exit_code=0)
        r.run("masked", f"{pip} no-such-dist || true", bad, exit_code=0)
        r.run("broken", f"{pip} --no-build-isolation ./broken", bad, exit_code=1)
        r.run("no requirements", f"{pip} -r requirements.txt", bad, exit_code=1)
    with Recorder("docs", bin_) as r:
        build = {"kind": "build"}
        r.write(
            {
                "mkdocs.yml": "site_name: x\nnav:\n- index.md\n",
                "docs/index.md": "# hi\n",
                "strict/mkdocs.yml": "site_name: x\n",
                "strict/docs/index.md": "[x](nothing.md)\n",
                "sp/conf.py": "project='x'\n",
                "sp/index.rst": "Hi\n==\n",
                "spw/conf.py": "project='x'\n",
                "spw/index.rst": "Hi\n==\n\n:ref:`nothing`\n",
            }
        )
        r.run("mkdocs passing", "mkdocs build", {**build, "outcome": "passed"}, exit_code=0)
        r.run(
            "mkdocs strict",
            "mkdocs build --strict",
            {**build, "outcome": "failed"},
            folder="strict",
            exit_code=1,
        )
        r.run("mkdocs no config", "mkdocs build -f no.yml", None)
        r.run("sphinx passing", "sphinx-build sp out", {**build, "outcome": "passed"}, exit_code=0)
        r.run(
            "sphinx warnings",
            "sphinx-build -n spw out2",
            {**build, "outcome": "passed"},
            exit_code=0,
        )
        r.run("sphinx -W", "sphinx-build -W spw out3", {**build, "outcome": "failed"})


def main() -> None:
    bin_ = str(kit("python", PACKAGES))
    pytest(bin_)
    runners_of_runners(bin_)
    linters(bin_)
    install(bin_)


if __name__ == "__main__":
    main()
