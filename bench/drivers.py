"""The peers: their list, their environments, and the driver protocol from our side.

A driver is a script that runs in the peer's own environment and answers items line by line (see
peers/serving.py).
One that dies or hangs on an item is started again after it; the item counts as a crash.
Nothing of a peer is imported here.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .items import ROOT
from .progress import Progress, note
from .tally import Reply

HERE = Path(__file__).resolve().parent
ENVS = HERE / ".envs"
SCRIPTS = HERE / "peers"
PEERS = HERE / "peers.toml"
OURS = "ours (work tree)"

REQUIRED = {"name", "version", "python", "module", "driver", "what", "how"}
OPTIONAL = {"note", "rows", "cannot"}
# Seconds without an answer after which a driver counts as hung, and how often it is started again.
PATIENCE = 120.0
RESTARTS = 8


class PeersError(ValueError):
    """peers.toml is wrong: says which peer and which key."""


class Unavailable(RuntimeError):
    """A peer can't be run here; the message is the reason that the table shows."""


@dataclass(frozen=True)
class Row:
    """One table row of a peer: its name and the driver's arguments."""

    row: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True)
class Peer:
    """One pinned package of peers.toml; `cannot` is why it has no rows."""

    name: str
    version: str
    python: tuple[int, int]
    module: str
    driver: str
    what: str
    how: str
    rows: tuple[Row, ...]
    note: str = ""
    cannot: str = ""

    @property
    def requirement(self) -> str:
        """What is installed."""
        return f"{self.name}=={self.version}"


def load_peers(path: Path = PEERS) -> list[Peer]:
    """Read peers.toml.  PeersError on a missing or unknown key, or a driver that does not exist."""
    with path.open("rb") as file:
        data = tomllib.load(file)
    if set(data) - {"peer"}:
        raise PeersError(f"{path.name}: unknown tables {sorted(set(data) - {'peer'})}")
    return [_peer(entry, path.parent / "peers") for entry in data.get("peer", ())]


def _peer(entry: Mapping[str, Any], drivers: Path) -> Peer:
    name = str(entry.get("name"))
    missing, unknown = REQUIRED - set(entry), set(entry) - REQUIRED - OPTIONAL
    if missing or unknown:
        raise PeersError(f"{name}: missing {sorted(missing)}, unknown {sorted(unknown)}")
    wrong = [key for key in REQUIRED if not isinstance(entry[key], str) or not entry[key].strip()]
    if wrong:
        raise PeersError(f"{name}: {sorted(wrong)} must be text")
    if bool(entry.get("rows")) == bool(entry.get("cannot")):
        raise PeersError(f"{name}: give rows, or say in `cannot` why there are none")
    if not (drivers / entry["driver"]).is_file():
        raise PeersError(f"{name}: no driver peers/{entry['driver']}")
    try:
        low, high = entry["python"].split(".")
        lowest = (int(low), int(high))
        rows = tuple(Row(row["row"], tuple(row.get("args", ()))) for row in entry.get("rows", ()))
    except (ValueError, TypeError, KeyError) as error:
        why = f"python is MAJOR.MINOR, a row is {{row, args}}: {error}"
        raise PeersError(f"{name}: {why}") from None
    return Peer(
        name=name,
        version=entry["version"],
        python=lowest,
        module=entry["module"],
        driver=entry["driver"],
        what=entry["what"],
        how=entry["how"],
        rows=rows,
        note=entry.get("note", ""),
        cannot=entry.get("cannot", ""),
    )


def interpreter(lowest: tuple[int, int]) -> Path:
    """A Python of at least `lowest`: this one, one on the PATH, one of pyenv's; or Unavailable."""
    if sys.version_info[:2] >= lowest:
        return Path(sys.executable)
    for candidate in _pythons(lowest):
        code = "import sys, venv; print(*sys.version_info[:2])"
        try:
            run = subprocess.run(
                [candidate, "-c", code], capture_output=True, text=True, timeout=60, check=True
            )
            found = tuple(map(int, run.stdout.split()))
        except (OSError, ValueError, subprocess.SubprocessError):
            continue
        if found >= lowest:
            return Path(candidate)
    raise Unavailable(f"needs Python {lowest[0]}.{lowest[1]} or later, and none was found")


def _pythons(lowest: tuple[int, int]) -> Iterator[str]:
    for minor in range(max(lowest[1], 13), lowest[1] - 1, -1):
        found = shutil.which(f"python{lowest[0]}.{minor}")
        if found:
            yield found
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from (str(path) for path in sorted(root.glob("versions/*/bin/python3"), reverse=True))


def environment(peer: Peer, envs: Path = ENVS) -> Path:
    """The Python of the peer's own environment, made and filled where it is not there yet.

    Installs from the package index, on the first run only.  Unavailable, with pip's last line,
    where that fails.
    """
    if peer.cannot:
        raise Unavailable(peer.cannot)
    home = envs / peer.name
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = home / "bench-stamp"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == peer.requirement:
        return python
    base = interpreter(peer.python)
    note(f"setting up {peer.requirement} ...")
    shutil.rmtree(home, ignore_errors=True)
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    for command in ([str(base), "-m", "venv", str(home)], [*pip, peer.requirement]):
        run = subprocess.run(
            command, capture_output=True, text=True, env=clean_environment(), check=False
        )
        if run.returncode:
            shutil.rmtree(home, ignore_errors=True)
            # The last line of pip's is the reason; its hosts and paths are of no use in a table.
            last = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise Unavailable(f"not installed: {last[:120]}")
    stamp.write_text(peer.requirement, encoding="utf-8")
    return python


def clean_environment() -> dict[str, str]:
    """Ours without what would put the work tree, or a user's packages, into a peer's reach."""
    drop = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__"}
    kept = {key: value for key, value in os.environ.items() if key not in drop}
    return kept | {"PYTHONNOUSERSITE": "1", "PYTHONHASHSEED": "0"}


@dataclass(frozen=True)
class Driver:
    """A tool that can be asked: a table row, the interpreter and the script.

    `module` is imported for the import time, with `path` on PYTHONPATH where it is not installed.
    """

    row: str
    python: Path
    script: Path
    args: tuple[str, ...] = ()
    module: str = ""
    path: Path | None = None


def ours() -> Driver:
    """The work tree, by the same protocol."""
    script = SCRIPTS / "work_tree_peer.py"
    # The package resolves its names lazily: importing it alone would time an empty shell.
    return Driver(OURS, Path(sys.executable), script, module="agent_polygraph.verify", path=ROOT)


def ask(
    driver: Driver, items: Sequence[Mapping[str, Any]], patience: float = PATIENCE
) -> list[Reply]:
    """Put every item to the driver, in order.  One reply an item, whatever the driver does.

    Ids are replaced by positions: two corpora may use the same ones.  Unavailable where the driver
    does not get as far as saying that it is ready.
    """
    replies: list[Reply] = []
    restarts = 0
    with Progress(driver.row, len(items)) as bar:
        while len(replies) < len(items):
            replies += _session(driver, items, len(replies), patience, bar)
            if len(replies) < len(items):
                # The one that it was on is the culprit.
                restarts += 1
                replies.append(Reply(error=f"died or gave no answer in {patience:g} s"))
                if restarts > RESTARTS:
                    gone = Reply(error=f"given up after {RESTARTS} restarts")
                    replies += [gone] * (len(items) - len(replies))
    return replies


def _session(
    driver: Driver,
    items: Sequence[Mapping[str, Any]],
    start: int,
    patience: float,
    bar: Progress,
) -> list[Reply]:
    """The replies of one run of the driver, from item `start` on, until the end or its death."""
    replies: list[Reply] = []
    with tempfile.TemporaryDirectory() as folder:
        feed, errors = Path(folder) / "items.jsonl", Path(folder) / "stderr"
        with feed.open("w", encoding="utf-8") as file:
            for index in range(start, len(items)):
                file.write(json.dumps({**items[index], "id": str(index)}) + "\n")
        with feed.open("rb") as stdin, errors.open("wb") as stderr:
            process = subprocess.Popen(
                [str(driver.python), str(driver.script), *driver.args],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=folder,
                env=clean_environment(),
                text=True,
                encoding="utf-8",
            )
            try:
                lines = _lines(process, patience)
                hello = next(lines, "")
                if '"ready"' not in hello:
                    process.wait(timeout=10)
                    tail = errors.read_text(encoding="utf-8", errors="replace").strip()
                    last = (tail.splitlines() or ["no message"])[-1].replace(str(ROOT), ".")
                    raise Unavailable(f"its driver did not start: {last[:160]}")
                for line in lines:
                    position = start + len(replies)
                    replies.append(reply_of(line, str(position)))
                    bar.step()
                    if start + len(replies) == len(items):
                        break
            finally:
                process.kill()
                process.wait()
                if process.stdout:
                    process.stdout.close()
    return replies


def _lines(process: subprocess.Popen[str], patience: float) -> Iterator[str]:
    """Lines of the driver's stdout; it is killed where `patience` seconds pass without one."""
    assert process.stdout is not None
    while True:
        watch = threading.Timer(patience, process.kill)
        watch.start()
        try:
            line = process.stdout.readline()
        finally:
            watch.cancel()
        if not line:
            return
        yield line


def reply_of(line: str, expected: str) -> Reply:
    """A protocol line as a reply.  Unavailable where it is not the answer to item `expected`."""
    try:
        data = json.loads(line)
        fits = data["id"] == expected and isinstance(data["flag"], bool)
    except (ValueError, TypeError, KeyError):
        fits = False
    if not fits:
        raise Unavailable(f"its driver answered {line.strip()[:80]!r} to item {expected}")
    return Reply(
        flag=data["flag"],
        why=str(data.get("why", "")),
        us=float(data.get("us", 0.0)),
        error=str(data.get("error", "")),
        verdict=str(data.get("verdict", "")),
        statuses=data.get("statuses"),
        checks=tuple(data.get("checks") or ()),
    )
