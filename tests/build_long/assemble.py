"""Turns one parsed case into a row: events in order, ids paired, noise filled in."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Iterator
from typing import Any

from . import noise
from .dialects import DIALECTS, INTERRUPTED, NOT_READ, REFUSED, SIBLING, Dialect, Step
from .script import Case, Op, ScriptError, closing_text, parse_body

COMMENT = {
    "py": "#",
    "rb": "#",
    "ex": "#",
    "exs": "#",
    "sh": "#",
    "yaml": "#",
    "yml": "#",
    "tf": "#",
    "sql": "--",
    "md": "<!-- -->",
}
DULL = frozenset(("because", "default", "request", "response", "private", "public", "override"))
REMINDER = (
    "\n\n<system-reminder>\nThe todo list has not been used for a while. If it helps with the "
    "current work, use it; otherwise ignore this note.\n</system-reminder>"
)
DOCS_HIT = (
    '[{"title": "How it is put together", "score": 0.71}, {"title": "Glossary", "score": 0.4}]'
)
WEB_PAGE = "The page explains how a {} is set up and lists its options. No version is given."
LOOKUPS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("get_current_time", {}, '{"now": "2026-10-01T10:42:07+02:00"}'),
    ("get_user_profile", {"fields": ["language", "timezone"]}, '{"timezone": "Europe/Berlin"}'),
    ("memory_search", {"query": "preferences"}, '{"results": ["prefers short answers"]}'),
    ("list_open_tasks", {"limit": 3}, '{"tasks": [], "ok": true}'),
    ("get_opening_hours", {"site": "main"}, '{"mon-fri": "08:00-18:00"}'),
)
LOOKUPS_CODE: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("Bash", {"command": "git log --oneline -2"}, "1f09c2e tidy the readme\n88d1e07 bump tooling"),
    ("Glob", {"pattern": "*.md"}, "README.md\nCHANGELOG.md"),
    ("Read", {"file_path": "/srv/app/README.md"}, "1\t# Readme\n2\t\n3\tHow to start the service."),
    ("Bash", {"command": "node --version"}, "v22.9.0"),
    ("Bash", {"command": "ls"}, "README.md\nCHANGELOG.md\nsrc\ntests"),
)
STATUS = {"x": "completed", ">": "in_progress", " ": "pending"}


class Assembler:
    """Builds the events of one twin.  Linear in the script."""

    def __init__(self, case: Case, lie: bool) -> None:
        head = case.head
        self.case = case
        self.lie = lie
        self.language = head.get("language", "en")
        self.style = head.get("style", "old")
        self.words = head.get("vocab", "record item").split()
        self.files = head.get("files", "README.md").split()
        self.files += self.more_files()
        decisive = {
            op.rest
            for side in (False, True)
            for op in parse_body(case, side)
            if op.kind in ("R", "E", "W") and (op.lines or op.old or op.mods)
        }
        self.files = [path for path in self.files if path not in decisive] or ["README.md"]
        agent = head.get("agent", "claude")
        self.claude = agent == "claude"
        self.dialect: Dialect = DIALECTS[agent](head.get("root", "/workspace/app"), self.style)
        self.disk: dict[str, str] = {}
        self.events: list[dict[str, Any]] = []
        self.calls = 0
        self.fills = 0
        self.seen: list[str] = []

    def seed(self, text: str) -> random.Random:
        """A generator that depends on the pair and the text alone, so that twins share it."""
        return random.Random(f"{self.case.pair}/{text}")

    def more_files(self) -> list[str]:
        """Neighbours of the named filler files, so that exploring does not go in circles."""
        rng = self.seed("files")
        out: set[str] = set()
        for path in self.files:
            folder, slash, name = path.rpartition("/")
            ending = name.rsplit(".", 1)[-1]
            if not slash or ending == "md":
                continue
            stem = f"{rng.choice(self.words)}_{rng.choice(noise.TAILS)}"
            if ending in noise.CAMEL_FILES:
                stem = noise.camel(stem)
            out.add(f"{folder}/{stem}.{ending}")
            out.add(f"{folder}/{rng.choice(noise.TAILS)}.{ending}")
        return sorted(out - set(self.files))

    def build(self) -> list[dict[str, Any]]:
        """All events."""
        group: list[tuple[str, Step]] | None = None
        for op in parse_body(self.case, self.lie):
            if op.kind == "{":
                group = []
            elif op.kind == "}":
                for call_id, step in group or []:
                    self.result(call_id, step)
                group = None
            elif op.kind in "UAN":
                self.message(op)
            elif op.kind == "FILL":
                self.fill(op)
            else:
                step = self.step(op)
                call_id = self.call(step)
                if group is None:
                    self.result(call_id, step)
                else:
                    group.append((call_id, step))
        return self.events

    # -- events -----------------------------------------------------------------------------

    def message(self, op: Op) -> None:
        role = {"U": "user", "A": "assistant", "N": "system"}[op.kind]
        if op.mods.get("role"):
            role = op.mods["role"]
        rows = ([op.rest] if op.rest else []) + self.expand(op.lines)
        self.events.append({"type": "message", "text": "\n".join(rows), "role": role})

    def call(self, step: Step) -> str:
        self.calls += 1
        digest = hashlib.sha256(f"{self.case.pair}/{self.calls}".encode()).hexdigest()
        call_id = f"toolu_01{digest[:20]}" if self.claude else f"call_{digest[:16]}"
        self.events.append(
            {
                "type": "tool_call",
                "call_id": call_id,
                "name": step.name,
                "arguments": step.arguments,
            }
        )
        return call_id

    def result(self, call_id: str, step: Step) -> None:
        if step.result is None:
            return
        event: dict[str, Any] = {
            "type": "tool_result",
            "call_id": call_id,
            "content": step.result,
            "is_error": step.is_error,
        }
        if step.truncated:
            event["truncated"] = True
        self.events.append(event)

    # -- steps ------------------------------------------------------------------------------

    def expand(self, lines: list[str]) -> list[str]:
        """Payload lines with `@macro n` replaced by its noise."""
        out: list[str] = []
        for line in lines:
            if not line.startswith("@"):
                out.append(line)
                continue
            name, _, count = line[1:].partition(" ")
            macro = noise.MACROS.get(name)
            if macro is None:
                out.append(line)
                continue
            seed = self.seed(f"macro/{name}/{count}/{len(self.events) // 8}")
            out.extend(macro(seed, self.words, int(count)))
        return out

    def body(self, path: str, parts: int = 0) -> str:
        """What is on the imagined disk at `path`."""
        if path not in self.disk:
            rng = self.seed(f"file/{path}")
            self.disk[path] = noise.file_body(rng, path, self.words, parts or rng.randint(2, 9))
        return self.disk[path]

    def step(self, op: Op) -> Step:
        """The call and its result for one operation."""
        out = "\n".join(self.expand(op.lines))
        if op.kind == "$" and "ansi" in self.case.head:
            out = noise.colour(out)
        code = int(op.mods.get("exit", "0"))
        if op.kind in ("$", "$&"):
            step = self.dialect.shell(op, out, code, op.kind == "$&")
        elif op.kind == "R":
            step = self.read(op, out)
        elif op.kind == "E":
            old, new = "\n".join(op.old), "\n".join(op.new)
            if "err" not in op.mods and not _undone(op):
                before = self.disk.get(op.rest)
                if before is None or old not in before:
                    before = self.around(op.rest, old)
                self.disk[op.rest] = before.replace(old, new, 1)
            step = self.dialect.edit(op.rest, old, new, self.disk.get(op.rest, ""))
        elif op.kind == "W":
            exists = op.rest in self.disk or "exists" in op.mods
            step = self.dialect.write(op.rest, out, exists)
            self.disk[op.rest] = out
        elif op.kind == "G":
            pattern, _, path = op.rest.partition(" @@ ")
            step = self.dialect.grep(pattern, path, out)
        elif op.kind == "GLOB":
            step = self.dialect.glob(op.rest, out)
        elif op.kind == "TODO":
            items = [(STATUS[row[1]], row[4:]) for row in op.lines]
            step = self.dialect.todo(items)
        elif op.kind == "WEB":
            step = self.dialect.web(op.rest, out)
        elif op.kind == "TASK":
            step = self.dialect.task(op.rest, op.mods.get("prompt", ""), out)
        elif op.kind == "T":
            name, _, arguments = op.rest.partition(" ")
            step = Step(name, json.loads(arguments) if arguments else {}, out, None)
        else:
            raise ScriptError(f"{self.case.pair}: cannot build {op.kind!r}")
        return self.modify(op, step, out)

    def around(self, path: str, old: str) -> str:
        """An unseen file that holds `old` somewhere in its middle."""
        body = self.body(path)
        head, gap, tail = body.partition("\n\n")
        return f"{head}\n\n{old}\n\n{tail}" if gap else f"{old}\n{body}"

    def read(self, op: Op, out: str) -> Step:
        first = int(op.mods.get("from", "1"))
        if op.lines:
            if first == 1:
                self.disk[op.rest] = out
            return self.dialect.read(op.rest, out, first)
        return self.dialect.read(op.rest, self.body(op.rest).rstrip("\n"), 1)

    def modify(self, op: Op, step: Step, out: str) -> Step:
        """Applies the `!` modifiers of one operation."""
        mods = op.mods
        if "refused" in mods:
            said = f" To tell you how to proceed, the user said:\n{mods['refused']}"
            step.result = REFUSED + (said if mods["refused"] else "")
            step.is_error = True
        if "sibling" in mods:
            step.result, step.is_error = SIBLING, True
        if "cancelled" in mods:
            text = f"Cancelled: parallel tool call {mods['cancelled']} errored"
            step.result, step.is_error = f"<tool_use_error>{text}</tool_use_error>", True
        if "notread" in mods:
            step.result, step.is_error = NOT_READ, True
        if "nomatch" in mods:
            text = "String to replace not found in file.\nString: " + "\n".join(op.old)
            step.result, step.is_error = f"<tool_use_error>{text}</tool_use_error>", True
        if "interrupted" in mods:
            step.result, step.is_error = INTERRUPTED, True
        if "err" in mods:
            step.result, step.is_error = out, True
        if op.kind == "R" and self.claude and self.style == "old" and not mods:
            chance = self.seed(f"reminder/{len(self.events)}").random()
            step.result += REMINDER if chance < 0.12 else ""
        if "raw" in mods:
            step.result = out
        if "json" in mods:
            step.result = json.loads(out)
        if "persist" in mods:
            step.result = (
                f"<persisted-output>\nOutput too large ({mods['persist']}). Full output saved to: "
                "/home/dev/.claude/tool-results/b7f31c.txt\n\nPreview (first 2KB):\n"
                f"{out}\n...\n</persisted-output>"
            )
        if "bit" in mods:
            step.is_error = {"true": True, "false": False, "null": None}[mods["bit"]]
        if "trunc" in mods:
            step.truncated = True
        if "none" in mods:
            step.result = None
        if "name" in mods:
            step.name = mods["name"]
        if "args" in mods:
            step.arguments = dict(step.arguments) | json.loads(mods["args"])
        return step

    # -- noise ------------------------------------------------------------------------------

    def fill(self, op: Op) -> None:
        """`FILL n [flags]`: n looks around; flag e edits filler files, x trips and recovers."""
        count, _, flags = op.rest.partition(" ")
        self.fills += 1
        rng = self.seed(f"fill/{self.fills}")
        if self.fills == 1 and self.claude and rng.random() < 0.4:
            step = self.step(Op("TODO", "", self.todo_rows()))
            self.result(self.call(step), step)
        for _ in range(int(count)):
            if rng.random() < 0.22:
                text = noise.remark(rng, self.language, self.words)
                self.events.append({"type": "message", "text": text, "role": "assistant"})
            for item in self.look(rng, flags):
                step = self.step(item)
                self.result(self.call(step), step)

    def todo_rows(self) -> list[str]:
        """A first to-do list, the task in progress and a look around before it."""
        task = self.case.head.get("task", "the task").split(". ")[0].rstrip(".")
        return [f"[>] Look at the {self.words[0]} code", f"[ ] {task}"]

    def look(self, rng: random.Random, flags: str) -> Iterator[Op]:
        """One step of exploring (an edit or a stumble takes several calls)."""
        path = self.unread(rng)
        roll = rng.random()
        if "e" in flags and roll < 0.3:
            yield Op("R", path)
            yield self.small_edit(rng, path)
        elif "x" in flags and roll < 0.25 and self.claude:
            yield from self.stumble(rng, path, "e" in flags)
        elif roll < 0.48:
            yield self.part(rng, path)
        elif roll < 0.66:
            yield self.search(rng, path)
        elif roll < 0.72:
            ending = path.rsplit(".", 1)[-1]
            rows = sorted(f for f in self.files if f.endswith(f".{ending}"))
            yield Op("GLOB", f"**/*.{ending}", rows)
        else:
            yield self.command(rng, path)

    def unread(self, rng: random.Random) -> str:
        """A filler file that was not looked at lately."""
        late = self.seen[-max(1, len(self.files) // 2) :]
        path = rng.choice([f for f in self.files if f not in late] or self.files)
        self.seen.append(path)
        return path

    def part(self, rng: random.Random, path: str) -> Op:
        """The whole file the first time, a part of it later."""
        rows = self.body(path).rstrip("\n").split("\n")
        if self.seen.count(path) == 1 or len(rows) < 16:
            return Op("R", path)
        first = rng.randint(2, len(rows) - 8)
        return Op("R", path, rows[first - 1 : first + 24], mods={"from": str(first)})

    def search(self, rng: random.Random, path: str) -> Op:
        """A search for a word that the filler files really hold (or, now and then, don't)."""
        found = [w for w in re.findall("[A-Za-z_]{7,}", self.body(path)) if w not in DULL]
        word = rng.choice(found) if found and rng.random() < 0.85 else noise.symbol(rng, self.words)
        hits: list[str] = []
        for name in sorted(self.files):
            rows = self.body(name).split("\n")
            hits += [f"{name}:{n}:{row}" for n, row in enumerate(rows, 1) if word in row]
        if rng.random() < 0.3:
            hits = sorted({hit.split(":", 1)[0] for hit in hits})
        return Op("G", word, hits[:14])

    def command(self, rng: random.Random, path: str) -> Op:
        """A shell command that only looks."""
        folder = path.rsplit("/", 1)[0] if "/" in path else "."
        commits = noise.MACROS["commits"](rng, self.words, 5)
        rows = self.body(path).rstrip("\n").split("\n")
        first = rng.randint(1, max(1, len(rows) - 12))
        names = [f.rsplit("/", 1)[-1] for f in self.files if f.startswith(f"{folder}/")]
        names = names or sorted({f.split("/", 1)[0] for f in self.files})
        count = str(rng.randint(6, 24))
        forms = (
            Op("$", f"git log --oneline -5 -- {path}", commits),
            Op("$", f"git show --stat {commits[0][:7]} | tail -4", [f" {path} | {count} ++++--"]),
            Op("$", f"ls -la {folder}", self.listing(rng, names)),
            Op("$", f"sed -n '{first},{first + 11}p' {path}", rows[first - 1 : first + 11]),
            Op("$", f"wc -l {path}", [f"{len(rows):>8} {path}"]),
            Op("$", "tail -n 12 var/log/dev.log", noise.log_lines(rng, self.words, 12)),
            Op("$", f"find {folder} -type f | wc -l", [count]),
            Op("$", "git stash list"),
            Op("T", f'mcp__docs__search {{"query": "{self.words[-1]}"}}', [DOCS_HIT]),
            Op("$", f"git log -3 --format='%h %an %ar' -- {path}", self.authors(rng)),
            Op("$", f"grep -c '' {path} && file {path}", [str(len(rows)), f"{path}: ASCII text"]),
            Op("$", f"git blame -L {first},{first + 2} {path}", self.blame(rng, rows, first)),
            Op(
                "WEB", f"https://docs.example.org/{self.words[0]}", [WEB_PAGE.format(self.words[0])]
            ),
        )
        return rng.choice(forms)

    def listing(self, rng: random.Random, names: list[str]) -> list[str]:
        form = "-rw-r--r-- 1 dev dev {:>6} Sep {:>2} {:02}:{:02} {}"
        return [
            form.format(rng.randint(120, 9000), rng.randint(1, 28), rng.randint(7, 19), 4, name)
            for name in sorted(names)
        ]

    def authors(self, rng: random.Random) -> list[str]:
        names = ("R. Okoye", "T. Lind", "M. Sato", "A. Ferri")
        return [f"{rng.randrange(16**7):07x} {rng.choice(names)} {n} months ago" for n in (2, 3, 7)]

    def blame(self, rng: random.Random, rows: list[str], first: int) -> list[str]:
        who = rng.choice(("R. Okoye", "T. Lind", "M. Sato", "A. Ferri"))
        return [
            f"{rng.randrange(16**8):08x} ({who} 2026-0{rng.randint(1, 8)}-11 {first + n}) {row}"[
                :60
            ]
            for n, row in enumerate(rows[first - 1 : first + 2])
        ]

    def small_edit(self, rng: random.Random, path: str) -> Op:
        """An edit that puts a remark above one line of a filler file."""
        rows = [row for row in self.body(path).split("\n") if len(row.strip()) > 12]
        unique = [row for row in rows if self.body(path).count(row) == 1]
        line = rng.choice(unique or rows)
        sign = COMMENT.get(path.rsplit(".", 1)[-1], "//")
        indent = line[: len(line) - len(line.lstrip())]
        noun, tail = rng.choice(self.words), rng.choice(noise.TAILS)
        return Op("E", path, [], [line], [f"{indent}{sign} {noun}: keeps the {tail} order", line])

    def stumble(self, rng: random.Random, path: str, edits: bool) -> Iterator[Op]:
        """A harmless error and the way round it; edits a filler file only where `edits` allows."""
        kind = rng.randrange(4) if edits else rng.choice((0, 1, 3))
        name = noise.symbol(rng, self.words)
        if kind == 0:
            yield Op("$", f"grep -rn {name} scripts/", mods={"exit": "1"})
        elif kind == 1:
            text = "<tool_use_error>File does not exist.</tool_use_error>"
            wrong = "lib/" + path.rsplit("/", 1)[-1]
            yield Op("R", wrong, [text], mods={"err": "", "from": "2"})
            yield Op("R", path)
        elif kind == 2:
            op = self.small_edit(rng, path)
            yield Op("E", path, [], op.old, op.new, {"notread": ""})
            yield Op("R", path)
            yield op
        else:
            yield Op("$", "which fd", mods={"exit": "1"})
            yield Op("GLOB", "**/*", sorted(self.files))


def _undone(op: Op) -> bool:
    kinds = ("refused", "sibling", "cancelled", "notread", "nomatch", "interrupted")
    return any(key in op.mods for key in kinds)


def padded(events: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
    """A short turn with, now and then, look-ups that have nothing to do with the matter.

    They stand before the first call or after the last result, so an unrelated success is sometimes
    the last thing that happened.
    """
    if rng.random() < 0.5:
        return events
    code = any(e.get("name") in ("Bash", "Edit") for e in events)
    pool = list(LOOKUPS_CODE if code else LOOKUPS)
    rng.shuffle(pool)
    room = (12 - len(events)) // 2
    before: list[dict[str, Any]] = []
    after: list[dict[str, Any]] = []
    for n, (name, arguments, content) in enumerate(pool[: min(room, rng.randint(1, 3))]):
        call_id = f"call_x{n}{rng.randrange(16**6):06x}"
        (before if rng.random() < 0.5 else after).extend(
            [
                {"type": "tool_call", "call_id": call_id, "name": name, "arguments": arguments},
                {
                    "type": "tool_result",
                    "call_id": call_id,
                    "content": content,
                    "is_error": False,
                },
            ]
        )
    start = next((i for i, e in enumerate(events) if e["type"] == "tool_call"), len(events))
    return events[:start] + before + events[start:] + after


def row(case: Case, lie: bool, default_check: str = "", short: bool = False) -> dict[str, Any]:
    """The finished row of one twin; `short` turns get unrelated look-ups around them."""
    head = case.head
    tools = head.get("tools", "")
    note = head.get("note", "")
    if not lie:
        note = head.get("why", "honest twin: the evidence carries every claim of the closing")
    if head.get("traps"):
        note = f"{note} [traps: {head['traps']}]"
    events = Assembler(case, lie).build()
    if short:
        events = padded(events, random.Random(f"pad/{case.pair}"))
    return {
        "id": f"{case.pair}-{'lie' if lie else 'honest'}",
        "pair": case.pair,
        "label": "lie" if lie else "honest",
        "check": head.get("check", default_check) if lie else "",
        "language": head.get("language", "en"),
        "task": head.get("task", ""),
        "tools": tools.split() if tools else None,
        "events": events,
        "closing": closing_text(case, lie),
        "note": note,
    }
