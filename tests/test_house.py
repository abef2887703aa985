"""The house: what an import costs, what the wheel holds, which floor may use which."""

from __future__ import annotations

import ast
import inspect
import json
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import agent_polygraph
from agent_polygraph import Config, Finding, Message, ToolCall, ToolResult, Verdict, _version

if TYPE_CHECKING:
    from tests.conftest import Installed

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "agent_polygraph"
MODULES = sorted(PACKAGE.rglob("*.py"))


def evaluate(code: str) -> Any:
    """What `code` prints as JSON, in a fresh interpreter with this tree and no site-packages."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    return json.loads(done.stdout)


def test_importing_the_package_imports_nothing_else() -> None:
    new = evaluate(
        "import sys; before = set(sys.modules); import agent_polygraph;"
        "new = sorted(set(sys.modules) - before); import json; print(json.dumps(new))"
    )
    assert set(new) <= {
        "__future__",
        "types",
        "_types",
        "agent_polygraph",
        "agent_polygraph._version",
    }


def test_a_verdict_needs_the_standard_library_only() -> None:
    loaded = evaluate(
        "import sys; from agent_polygraph import verify; verify([], 'Done.');"
        "import json; print(json.dumps(sorted(sys.modules)))"
    )
    foreign = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert {name for name in foreign if not name.startswith("_")} == {"agent_polygraph"}
    floors = {name for name in loaded if name.startswith("agent_polygraph.")}
    above = ("agent_polygraph.adapters", "agent_polygraph.report")
    above += ("agent_polygraph.commands", "agent_polygraph.cli")
    assert not {name for name in floors if name.startswith(above)}


def test_every_public_name_resolves() -> None:
    for name in agent_polygraph.__all__:
        assert getattr(agent_polygraph, name) is not None, name
        assert name in dir(agent_polygraph)
    assert sorted(set(agent_polygraph.__all__)) == sorted(agent_polygraph.__all__)
    assert not hasattr(agent_polygraph, "veryfy")


@pytest.mark.parametrize(
    "first",
    [
        "from agent_polygraph import verify",
        "import agent_polygraph.verify",
        "from agent_polygraph.verify import verify",
        "import importlib; importlib.import_module('agent_polygraph.verify')",
        "import agent_polygraph.cli",
        "from agent_polygraph import *",
    ],
)
def test_verify_is_the_function_whoever_came_first(first: str) -> None:
    assert evaluate(
        f"{first}\nimport agent_polygraph, agent_polygraph.verify, json, sys\n"
        "from agent_polygraph import verify as named\n"
        "function = sys.modules['agent_polygraph.verify'].verify\n"
        "print(json.dumps(agent_polygraph.verify is named is function and callable(named)))"
    )


# The API of agent-polygraph 0.1.0: names, argument order and defaults stay.
OLD_API: dict[str, tuple[tuple[str, ...], dict[str, object]]] = {
    "verify": (
        ("trajectory", "final_claim", "task"),
        {"final_claim": "", "task": "", "judge": None, "escalate": "honest_only"},
    ),
    "Verdict": (
        ("verdict", "evidence", "confidence", "detector_version", "flags", "category"),
        {"evidence": (), "confidence": 1.0, "flags": (), "category": None},
    ),
    "Finding": (("check", "detail"), {}),
    "Config": (
        ("error_sniff", "error_patterns", "extra_truncation_markers", "redact_paths"),
        {"error_sniff": True, "extra_truncation_markers": (), "redact_paths": True},
    ),
    "Message": (("text",), {"text": ""}),
    "ToolCall": (("call_id", "name", "arguments"), {"name": "", "arguments": ""}),
    "ToolResult": (
        (
            *("call_id", "content", "is_error"),
            *("truncated", "error_sniffed", "truncation_inferred"),
        ),
        {
            **{"content": "", "is_error": False, "truncated": False},
            **{"error_sniffed": False, "truncation_inferred": False},
        },
    ),
    "from_bench": (("d",), {}),
    "to_bench": (("trajectory",), {}),
    "to_item": (("trajectory", "final_claim", "task"), {"final_claim": "", "task": ""}),
    "normalize_event": (("x",), {}),
    "from_openai_agents": (("trace_export",), {}),
    "output_guardrail": (
        ("trace_export", "final_claim", "task"),
        {"final_claim": None, "task": None, "mode": "audit"},
    ),
    "from_openinference": (("spans",), {}),
    "verify_spans": (
        ("spans", "final_claim", "task"),
        {"final_claim": None, "task": None, "mode": "audit"},
    ),
    "from_transcript": (("entries",), {}),
    "stop_hook": (("entries",), {"mode": "audit"}),
    "from_litellm": (("messages", "response"), {"response": None}),
    "post_call_guardrail": (("data", "response"), {"response": None, "mode": "audit"}),
}


@pytest.mark.parametrize("name", OLD_API)
def test_the_first_release_stays_valid(name: str) -> None:
    order, defaults = OLD_API[name]
    parameters = inspect.signature(getattr(agent_polygraph, name)).parameters
    assert tuple(parameters)[: len(order)] == order
    assert {key: parameters[key].default for key in defaults} == defaults


def test_the_values_of_the_first_release_stay() -> None:
    assert Verdict("lie", (Finding("a", "b"),)).is_lie
    assert agent_polygraph.detector_version == agent_polygraph.DETECTOR_VERSION
    assert agent_polygraph.detector_version == _version.__version__ == agent_polygraph.__version__
    assert Config() == agent_polygraph.DEFAULT_CONFIG
    assert Message("x").text == "x" and ToolCall("c").name == "" and not ToolResult("c").is_error


# A module may use its own floor and those below it.
FLOORS = (
    ("_version", "_lazy", "limits", "plain", "events"),
    ("tokens",),
    ("verdict", "config"),
    ("evidence",),
    ("claims",),
    ("binding",),
    ("compare", "proofs"),
    ("checks",),
    ("filters",),
    ("judge", "accounting"),
    ("verify",),
    ("ledger", "receipts", "redact"),
    ("_values",),
    ("adapters",),
    ("formats",),
    ("settings",),
    ("hooks",),
    ("report", "_progress"),
    ("commands",),
    ("cli",),
    ("__main__",),
)
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}
CORE = FLOOR["verify"]
# What would make a verdict depend on anything but the trajectory, the closing and the settings.
OUTSIDE_WORLD = {
    *("asyncio", "datetime", "glob", "http", "io", "multiprocessing", "os", "pathlib", "random"),
    *("secrets", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time"),
    *("urllib.request", "uuid"),
}


def imports(path: Path) -> Iterator[str]:
    """The full names of the modules that a file imports, wherever in it."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_uses_a_floor_above_it(path: Path) -> None:
    own = room(path)
    if own == "__init__":  # names all floors, and loads none
        return
    assert own in FLOOR, f"{own} is on no floor: add it to FLOORS"
    used = {name.split(".")[1] for name in imports(path) if name.startswith("agent_polygraph.")}
    assert not {name for name in used if FLOOR.get(name, -1) > FLOOR[own]}
    if FLOOR[own] <= CORE and own != "_lazy":  # it looks which checks there are
        names = {part for name in imports(path) for part in (name, name.partition(".")[0])}
        assert not names & OUTSIDE_WORLD


def test_the_wheel_holds_the_package_and_its_data(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = Parser().parsestr(
            archive.read(next(name for name in names if name.endswith("/METADATA"))).decode()
        )
    info = f"agent_polygraph-{_version.__version__}.dist-info/"
    assert {name for name in names if not name.startswith(("agent_polygraph/", info))} == set()
    tree = {
        str(path.relative_to(ROOT).as_posix())
        for path in PACKAGE.rglob("*")
        if path.suffix in (".py", ".toml") or path.name == "py.typed"
    }
    assert {name for name in names if not name.startswith(info)} == tree
    assert f"{info}licenses/LICENSE" in names
    assert metadata["Name"] == "agent-polygraph" and metadata["Version"] == _version.__version__
    needs = metadata.get_all("Requires-Dist", [])
    assert [need for need in needs if "extra ==" not in need] == []


def test_the_sdist_holds_what_the_tests_need(dist: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"pyproject.toml", "Makefile", "README.md", "LICENSE", "CHANGELOG.md"}
    assert names >= {*wanted, "tests/test_house.py", "docs/generate.py", "agent_polygraph/py.typed"}
    assert not {name for name in names if name.startswith((".venv", ".git/", "bench/.envs"))}


def test_the_wheel_alone_gives_a_working_command(installed: Installed, tmp_path: Path) -> None:
    row = {"id": "a", "task": "", "events": [], "closing": "Hello."}
    (tmp_path / "run.jsonl").write_text(json.dumps(row) + "\n")
    for command in ([installed.script], [installed.python, "-m", "agent_polygraph"]):
        done = subprocess.run(
            [*command, "check", "--format", "bench", "run.jsonl"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert "1 turn: 0 lies" in done.stdout


def test_the_project_file_keeps_its_promises() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dependencies"] == []
    assert project["requires-python"] == ">=3.11"
    assert set(project["optional-dependencies"]) >= {
        *("cli", "dev", "langgraph", "litellm", "openai-agents", "otel", "receipts"),
    }
