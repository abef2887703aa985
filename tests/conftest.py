"""Fixtures that build the distribution as a user would get it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment that holds the built wheel and nothing else."""

    python: Path
    script: Path


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the wheel and the sdist built from this tree."""
    folder = tmp_path_factory.mktemp("dist")
    _run(sys.executable, "-m", "hatchling", "build", "-d", folder)
    return folder


@pytest.fixture(scope="session")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an environment of its own."""
    home = tmp_path_factory.mktemp("installed") / "venv"
    _run(sys.executable, "-m", "venv", "--without-pip", home)
    scripts = home / ("Scripts" if sys.platform == "win32" else "bin")
    (wheel,) = dist.glob("*.whl")
    python = scripts / "python"
    _run(
        *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python),
        *("install", "--no-index", "--no-deps", wheel),
    )
    return Installed(python, scripts / "agent-polygraph")
