"""The binary of this environment; the tests are skipped where it can't be installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.hosts import npm
from tests.hosts.claude_code.host import PACKAGE, Host
from tests.hosts.npm import pytest_sessionfinish

__all__ = ["binary", "host", "pytest_sessionfinish"]

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def binary() -> Path:
    """The `claude` binary of the environment that runs these tests; the floor's in any other."""
    return npm.wanted(HERE, PACKAGE, "claude")


@pytest.fixture
def host(binary: Path, tmp_path: Path) -> Host:
    """A fresh project and home."""
    return Host(binary, tmp_path, str(Path(sys.executable).parent))
