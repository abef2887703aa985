"""Hosts that are npm packages: installed once a version, under .hosts/npm.

A requirements file of such a host names the package in a remark, `# npm: <package>@<version>`, since its
environment is Python's only for this tree and pytest.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


class Missing(Exception):
    """The host can't be tested here; the message says why."""


def wanted(folder: Path, package: str, name: str) -> Path:
    """The program of a host, in the version of the environment that runs; the floor in any other.

    Skips the test, with the reason, where it can't be had.
    """
    try:
        return _wanted(folder, package, name)
    except Missing as reason:
        pytest.skip(str(reason))


def _wanted(folder: Path, package: str, name: str) -> Path:
    floor = _version(folder / "floor.txt")
    if Path(sys.prefix).name != "latest":
        return installed(package, floor, name)
    latest = _npm("view", package, "version").strip().strip('"')
    if latest == floor:
        raise Missing(f"the latest version is {floor}, which is the floor: tested there")
    return installed(package, latest, name)


def installed(package: str, version: str, name: str) -> Path:
    """The program of a version, installed when it is not there yet."""
    home = ROOT / ".hosts" / "npm" / f"{name}-{version}"
    linked = home / "node_modules" / ".bin" / name
    if not linked.exists():
        _npm("install", "--no-audit", "--no-fund", "--prefix", str(home), f"{package}@{version}")
    # What a package links may need its install script, which npm may not run; the binary for the
    # platform then lies in a package beside it.
    for path in (linked, *home.glob(f"node_modules/{package}-*/{name}")):
        try:
            done = subprocess.run(
                [str(path), "--version"], capture_output=True, text=True, timeout=60, check=False
            )
        except OSError:
            continue
        if done.returncode == 0 and version in done.stdout:
            return path
    raise Missing(f"{package}@{version} is installed and does not run")


def _version(file: Path) -> str:
    return file.read_text(encoding="utf-8").rpartition("@")[2].strip()


def _npm(*words: str) -> str:
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("could not be installed: there is no npm")
    done = subprocess.run([npm, *words], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["npm gives no reason"])[-1]
        raise Missing(f"could not be installed: {reason}")
    return done.stdout


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything was skipped nothing was tested: the exit code of a run without tests."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not set(reporter.stats) & {"passed", "failed", "error"}:
        session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED
