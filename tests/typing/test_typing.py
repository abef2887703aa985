"""The types, from the outside: mypy over a caller's files, against the installed package."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Installed

HERE = Path(__file__).parent
ERROR = re.compile(r"^(\w+\.py):(\d+): error: .*\[([\w-]+)\]$", re.MULTILINE)
MARK = re.compile(r"# E: ([\w-]+)")


@pytest.fixture(scope="module")
def report(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> str:
    # Away from the tree, so that only what is installed can be found.
    folder = tmp_path_factory.mktemp("caller")
    for name in ("consumer.py", "misuse.py"):
        shutil.copy(HERE / name, folder)
    run = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--no-pretty"),
            *("--config-file=", "--cache-dir", folder / "cache"),
            *("--python-executable", installed.python, "consumer.py", "misuse.py"),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def test_a_typed_caller_is_accepted(report: str) -> None:
    assert "consumer.py" not in report, report


def test_each_misuse_is_reported_and_nothing_else(report: str) -> None:
    lines = (HERE / "misuse.py").read_text(encoding="utf-8").splitlines()
    expected = {
        (number, mark[1]) for number, line in enumerate(lines, 1) if (mark := MARK.search(line))
    }
    reported = {
        (int(number), code) for name, number, code in ERROR.findall(report) if name == "misuse.py"
    }
    assert reported == expected, report
