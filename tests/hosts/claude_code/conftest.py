"""The binary of this environment; the tests are skipped where it can't be installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.hosts.claude_code.host import Host, Missing, installed, newest

HERE = Path(__file__).resolve().parent


def version_in(name: str) -> str:
    """The version that a requirements file names."""
    return (HERE / f"{name}.txt").read_text(encoding="utf-8").rpartition("@")[2].strip()


@pytest.fixture(scope="session")
def binary() -> Path:
    """The `claude` binary of the environment that runs these tests; the floor's in any other."""
    floor = version_in("floor")
    try:
        if Path(sys.prefix).name != "latest":
            return installed(floor)
        latest = newest()
        if latest == floor:
            pytest.skip(f"the latest version is {floor}, which is the floor: tested there")
        return installed(latest)
    except Missing as reason:
        pytest.skip(f"the claude binary can't be installed: {reason}")


@pytest.fixture
def host(binary: Path, tmp_path: Path) -> Host:
    """A fresh project and home."""
    return Host(binary, tmp_path, str(Path(sys.executable).parent))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything was skipped nothing was tested: the exit code of a run without tests."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not set(reporter.stats) & {"passed", "failed", "error"}:
        session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED
