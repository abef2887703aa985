"""Installs the binary once for a version, under .hosts/npm; skips where that can't be done."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosts.claude_code.host import Host

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
NPM = ROOT / ".hosts" / "npm"


def wanted() -> str:
    """The npm package that the environment's requirements file names."""
    name = Path(sys.prefix).name
    file = HERE / f"{name if name in ('floor', 'latest') else 'floor'}.txt"
    return file.read_text(encoding="utf-8").partition("npm:")[2].split()[0]


def npm(*words: str) -> str:
    """What npm prints; skips where it can't."""
    found = shutil.which("npm")
    if found is None:
        pytest.skip("npm is not here: the claude binary can't be installed")
    done = subprocess.run([found, *words], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        line = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        pytest.skip(f"the claude binary can't be installed: {line}")
    return done.stdout.strip()


@pytest.fixture(scope="session")
def binary() -> Path:
    """The `claude` binary of this environment."""
    package = wanted()
    name, _, version = package.rpartition("@")
    if version == "latest":
        version = npm("view", package, "version").strip('"')
        floor = (HERE / "floor.txt").read_text(encoding="utf-8").split("@")[-1].strip()
        if version == floor:
            pytest.skip(f"the latest version is {floor}, which is the floor: tested there")
    home = NPM / version
    found = home / "node_modules" / ".bin" / "claude"
    if not found.exists():
        npm("install", "--no-audit", "--no-fund", "--prefix", str(home), f"{name}@{version}")
    done = subprocess.run(
        [str(found), "--version"], capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode:
        # The package's own link needs an install script; the platform package has the binary.
        (found,) = home.glob("node_modules/@anthropic-ai/claude-code-*/claude")
    return found


@pytest.fixture
def host(binary: Path, tmp_path: Path) -> Host:
    """A fresh project and home."""
    return Host(binary, tmp_path, str(Path(sys.executable).parent))
