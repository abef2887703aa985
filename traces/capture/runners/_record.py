"""Run a command in a scratch project and write down what it printed, with nothing private in it.

One `Recorder` writes one file of traces/runners.  A row is
`{"runner", "case", "command", "exit_code", "output", "expect", "source"}`: `output` is stdout and stderr
together, as an agent host hands them over; `expect` is what the script that built the project knows
(how many tests it wrote to fail), never what a parser said: one dict, a list of dicts for several
runs, or null where the output holds no summary.  `source` is "recording" or "documentation".
"""

from __future__ import annotations

import getpass
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

OUT = Path(__file__).resolve().parents[2] / "runners"
CAP = 8_000  # characters of an output that are kept: half from the head, half from the tail
_FIXED = (  # what changes from one run to the next, and what names the machine
    (
        r"https?://(?!127\.0\.0\.1|localhost|example|docs?\.|github\.com|www\.|json\.|eslint|biomejs"
        r"|[\w.-]*\.(?:io|dev|rs)\b)[\w.-]+(?::\d+)?(?=/)",
        "https://registry.example",
    ),
    (r"(?m)^(?:Looking in (?:indexes|links): |WARNING: Location 'file:).*\n", ""),
    (r"\d{4}-\d\d-\d\d([T ])\d\d[:_]\d\d[:_]\d\d", r"2026-01-02\g<1>03:04:05"),
    (r"(?<=Start at  )[\d:]+", "03:04:05"),
    (r"(?<![\d.])\d+\.\d+(?= ?(?:s|ms|sec|secs|seconds|seconde)\b)", "0.12"),
    (r"(?<![\d.:])\d+(?= ?(?:ms|µs|ns)\b)", "12"),
    (r"(?<=real\t)\S+|(?<=user\t)\S+|(?<=sys\t)\S+", "0m0.100s"),
    (r"/tmp/(?!rec)[\w./-]+", "/tmp/rec"),
    (r"0x[0-9a-f]{8,}", "0x7f0000000000"),
)


class Recorder:
    """Collects the rows of one tool and writes them to traces/runners/<tool>.jsonl at the end."""

    def __init__(self, tool: str, extra_path: str = "") -> None:
        self.tool = tool
        self.rows: list[dict[str, Any]] = []
        self.base = Path(tempfile.mkdtemp(prefix="rec-"))
        self.project = self.base / "project"
        self.project.mkdir()
        (self.base / "home").mkdir()
        path = f"{extra_path}:{os.environ['PATH']}" if extra_path else os.environ["PATH"]
        self.env = {
            "PATH": path,
            "HOME": str(self.base / "home"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "PYTHONDONTWRITEBYTECODE": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
            "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
            "GOFLAGS": "-mod=mod",
            "GOPROXY": "off",
            "CARGO_HOME": os.environ.get("CARGO_HOME", str(Path.home() / ".cargo")),
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup")),
        }

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        shutil.rmtree(self.base, ignore_errors=True)
        if kind is None:
            OUT.mkdir(parents=True, exist_ok=True)
            lines = [json.dumps(row, ensure_ascii=False) for row in self.rows]
            (OUT / f"{self.tool}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
            print(f"{self.tool}: {len(self.rows)} rows")

    def write(self, files: dict[str, str], folder: str = "") -> Path:
        """Put files (path -> text) into the project, or into a folder of it."""
        root = self.project / folder if folder else self.project
        for name, text in files.items():
            target = root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return root

    def run(
        self,
        case: str,
        command: str,
        expect: dict[str, Any] | list[dict[str, Any]] | None,
        *,
        folder: str = "",
        env: dict[str, str] | None = None,
        exit_code: int | None = None,
        seconds: int = 300,
    ) -> str:
        """Run a bash command line and keep the row.  `exit_code` is checked where it is given."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.project / folder if folder else self.project,
            env={**self.env, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            check=False,
        )
        output = self.scrub(done.stdout.decode("utf-8", "replace"))
        if exit_code is not None and done.returncode != exit_code:
            raise SystemExit(f"{self.tool}/{case}: exit {done.returncode}\n{output}")
        self._keep(case, command, done.returncode, output, expect, "recording")
        return output

    def say(
        self,
        case: str,
        command: str,
        exit_code: int,
        output: str,
        expect: dict[str, Any] | list[dict[str, Any]] | None,
    ) -> None:
        """Keep a row whose output is written after the tool's documentation."""
        self._keep(case, command, exit_code, output, expect, "documentation")

    def _keep(
        self, case: str, command: str, code: int, output: str, expect: Any, source: str
    ) -> None:
        if len(output) > CAP:
            output = output[: CAP // 2] + "\n[...]\n" + output[-CAP // 2 :]
        self.rows.append(
            {
                "runner": self.tool,
                "case": case,
                "command": self.scrub(command),
                "exit_code": code,
                "output": output,
                "expect": expect,
                "source": source,
            }
        )

    def scrub(self, text: str) -> str:
        """`text` without this machine's paths, names and clock."""
        real = os.path.realpath(self.base)
        for here, there in (
            (str(self.project), "/project"),
            (f"{real}/project", "/project"),
            (str(self.base / "home"), "/home/dev"),
            (str(self.base), "/tmp/rec"),
            (real, "/tmp/rec"),
            *self.places(),
            (socket.gethostname(), "host"),
        ):
            text = text.replace(here, there)
        for pattern, instead in _FIXED:
            text = re.sub(pattern, instead, text)
        name = getpass.getuser()
        return re.sub(rf"\b{name}@", "dev@", text).replace(f"({name})", "(dev)")

    def places(self) -> list[tuple[str, str]]:
        """Further (path here, path in the recording) pairs: tool folders, caches."""
        tools = os.environ.get("RECORD_TOOLS", "")
        pairs = [(tools, "/opt/tools")] if tools else []
        for root in (os.path.realpath(os.sys.prefix), os.sys.base_prefix, str(Path.home())):
            pairs.append(
                (root, "/usr" if "home" not in root and root != str(Path.home()) else "/home/dev")
            )
        return pairs


def kit(kind: str, packages: str) -> Path:
    """A folder with the given PyPI ("python") or npm ("node") packages, made once per session.

    It lives in $RECORD_TOOLS or in the system's temp folder, never in the repository.
    """
    root = Path(
        os.environ.setdefault("RECORD_TOOLS", str(Path(tempfile.gettempdir()) / "record-tools"))
    )
    root.mkdir(parents=True, exist_ok=True)
    folder = root / kind
    if kind == "python":
        if not (folder / "bin" / "python").exists():
            subprocess.run(["python3", "-m", "venv", str(folder)], check=True)
        python = str(folder / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "-q", *packages.split()], check=True)
        return folder / "bin"
    folder.mkdir(exist_ok=True)
    if not (folder / "package.json").exists():
        (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    wanted = [
        p
        for p in packages.split()
        if not (folder / "node_modules" / re.sub(r"(?<=.)@.*", "", p)).exists()
    ]
    if wanted:
        subprocess.run(
            ["npm", "install", "--silent", "--no-audit", "--no-fund", *wanted],
            cwd=folder,
            check=True,
        )
    return folder / "node_modules" / ".bin"
