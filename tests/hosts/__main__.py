"""`python -m tests.hosts [HOST[/ENV] ...]`: the tests against the real hosts.

`tests/hosts/<host>/<env>.txt` is a pip requirements file.
Each gets an environment of its own under `.hosts/`, with this tree installed in it,
and runs the tests of its folder there.
A host that cannot be installed here is skipped, and the last line says so;
`--require` makes that a failure.  Exit 0 when every host that ran passed, else 1.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NOTHING_RAN = 5  # of pytest
ENVIRONMENTS = ROOT / ".hosts"


def requirements(named: list[str]) -> list[Path]:
    """The requirements files asked for, all of them when none is named."""
    found = sorted(HERE.glob("*/*.txt"))
    if not named:
        return found
    chosen = [f for f in found if {f.parent.name, f"{f.parent.name}/{f.stem}"} & set(named)]
    if not chosen:
        raise SystemExit(f"no host of that name; there is {', '.join(label(f) for f in found)}")
    return chosen


def label(file: Path) -> str:
    """`<host>/<env>` of a requirements file."""
    return f"{file.parent.name}/{file.stem}"


def install(file: Path) -> tuple[Path, str]:
    """The environment's interpreter, and why it could not be had ("" when it could)."""
    home = ENVIRONMENTS / file.parent.name / file.stem
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    ready = home / ".ready"
    wanted = file.read_text(encoding="utf-8")
    if ready.exists() and ready.read_text(encoding="utf-8") == wanted and python.exists():
        return python, ""
    steps = [
        [sys.executable, "-m", "venv", "--clear", str(home)],
        [
            *(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--editable", str(ROOT), "pytest>=8.3", "--requirement", str(file)),
        ],
    ]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines()
            return python, lines[-1] if lines else f"exit {done.returncode}"
    ready.write_text(wanted, encoding="utf-8")
    return python, ""


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.hosts", description="the tests against the real hosts"
    )
    parser.add_argument("hosts", nargs="*", metavar="HOST[/ENV]", help="which (default: all)")
    parser.add_argument("--require", action="store_true", help="a host not installed is a failure")
    parser.add_argument("--install", action="store_true", help="set up, and run no test")
    options = parser.parse_args(argv)
    report: list[str] = []
    failed = False
    for file in requirements(options.hosts):
        print(f"== {label(file)}", flush=True)
        python, reason = install(file)
        if reason:
            report.append(f"{label(file)}: SKIPPED, could not be installed: {reason}")
            failed |= options.require
            continue
        if options.install:
            report.append(f"{label(file)}: {python}")
            continue
        tests = [str(python), "-m", "pytest", "-rs", str(file.parent)]
        code = subprocess.run(tests, cwd=ROOT, check=False).returncode
        if code == NOTHING_RAN:
            report.append(f"{label(file)}: SKIPPED, nothing ran (the reasons are above)")
            failed |= options.require
            continue
        report.append(f"{label(file)}: {'passed' if code == 0 else f'FAILED (pytest exit {code})'}")
        failed |= code != 0
    print("\n".join(report))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
