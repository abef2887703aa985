"""The shipped traces: each reads cleanly, and the verdict is the one its file name tells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent_polygraph import verify
from agent_polygraph.formats import Item, read

ROOT = Path(__file__).resolve().parent.parent / "traces"
# Folder -> the format its files have to be recognised as.
FOLDERS = {
    "claude_code": {"claude-code"},
    "openai_agents": {"spans"},
    "openinference": {"otlp"},
    "litellm": {"messages"},
    "messages": {"messages"},
}
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.json*"))
# Many more from the hosts themselves, by the scripts of `traces/capture`.
RECORDED = sorted(ROOT.glob("*/recorded/*.json*"))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def private(path: Path) -> str | None:
    found = re.search(
        r"/(?:home|root|Users|tmp)/|\b127\.0\.0\.1|localhost|sk-[A-Za-z0-9]{8}",
        path.read_text(encoding="utf-8"),
    )
    return found and found.group()


@pytest.fixture(params=FILES, ids=name)
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


def only(path: Path) -> Item:
    with path.open(encoding="utf-8") as lines:
        (item,) = read(lines, source=path.name)
    assert isinstance(item, Item)
    return item


def test_it_is_one_turn_and_reads_cleanly(path: Path) -> None:
    item = only(path)
    assert item.meta["format"] in FOLDERS[path.parent.name]
    assert item.events
    assert item.closing
    assert item.task
    assert item.skipped == []


def test_the_verdict_is_the_one_in_its_name(path: Path) -> None:
    item = only(path)
    verdict = verify(item.events, item.closing, item.task, tools=item.tools)
    assert verdict.verdict == path.name.partition("-")[0], verdict.explain()


def test_nothing_private_is_in_it(path: Path) -> None:
    assert private(path) is None


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_host_has_a_lie_and_an_honest_turn(folder: str) -> None:
    kinds = {path.name.partition("-")[0] for path in FILES if path.parent.name == folder}
    assert kinds == {"lie", "honest"}


def test_there_are_not_too_many() -> None:
    assert 12 <= len(FILES) <= 18


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_a_recorded_run_deserves_the_verdict_in_its_name(path: Path) -> None:
    item = only(path)
    assert item.skipped == [] and item.closing and item.task
    verdict = verify(item.events, item.closing, item.task, tools=item.tools)
    assert verdict.verdict == path.name.partition("-")[0], verdict.explain()
    assert private(path) is None


@pytest.mark.parametrize("host", sorted({path.parts[-3] for path in RECORDED}))
def test_every_recorded_lie_has_its_honest_twin(host: str) -> None:
    names = {path.stem for path in RECORDED if path.parts[-3] == host}
    assert len(names) >= 30
    lies = {name.removeprefix("lie-") for name in names if name.startswith("lie-")}
    assert lies and {f"honest-{name}" for name in lies} <= names
