"""The program of this environment; the tests are skipped where it can't be installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts import npm
from tests.hosts.npm import pytest_sessionfinish

__all__ = ["program", "pytest_sessionfinish"]


@pytest.fixture(scope="session")
def program() -> Path:
    """The `gemini` program of the environment that runs these tests; the floor's in any other."""
    return npm.wanted(Path(__file__).resolve().parent, "@google/gemini-cli", "gemini")
