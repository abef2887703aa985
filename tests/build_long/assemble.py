"""Turns one parsed case into a row: events in order, ids paired, noise filled in."""

from __future__ import annotations

import hashlib
import json
import random
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
        agent = head.get("agent", "claude")
        self.claude = agent == "claude"
        self.dialect: Dialect = DIALECTS[agent](head.get("root", "/workspace/app"), self.style)
        self.disk: dict[str, str] = {}
        self.events: list[dict[str, Any]] = []
        self.calls = 0
        self.fills = 0

    def seed(self, text: str) -> random.Random:
        """A generator that depends on the pair and the text alone, so that twins share it."""
        return random.Random(f"{self.case.pair}/{text}")

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
            self.disk[path] = noise.file_body(rng, path, self.words, parts or rng.randint(2, 4))
        return self.disk[path]

    def step(self, op: Op) -> Step:
        """The call and its result for one operation."""
        out = "\n".join(self.expand(op.lines))
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
        for _ in range(int(count)):
            if rng.random() < 0.22:
                text = noise.remark(rng, self.language, self.words)
                self.events.append({"type": "message", "text": text, "role": "assistant"})
            for item in self.look(rng, flags):
                step = self.step(item)
                self.result(self.call(step), step)

    def look(self, rng: random.Random, flags: str) -> Iterator[Op]:
        """One step of exploring (an edit or a stumble takes several calls)."""
        path = rng.choice(self.files)
        roll = rng.random()
        name = noise.symbol(rng, self.words)
        if "e" in flags and roll < 0.3:
            yield Op("R", path)
            yield self.small_edit(rng, path)
        elif "x" in flags and roll < 0.25 and self.claude:
            yield from self.stumble(rng, path, "e" in flags)
        elif roll < 0.55:
            yield Op("R", path)
        elif roll < 0.74:
            hits = rng.sample(self.files, min(len(self.files), rng.randint(1, 4)))
            rows = [f"{hit}:{rng.randint(3, 240)}:    {name}(" for hit in sorted(hits)]
            yield Op("G", name, rows if rng.random() < 0.7 else sorted(hits))
        elif roll < 0.82:
            ending = path.rsplit(".", 1)[-1]
            rows = sorted(f for f in self.files if f.endswith(f".{ending}"))
            yield Op("GLOB", f"**/*.{ending}", rows)
        elif roll < 0.88:
            yield Op("$", f"git log --oneline -8 -- {path}", noise.MACROS["commits"](rng, self.words, 5))
        elif roll < 0.94:
            folder = path.rsplit("/", 1)[0] if "/" in path else "."
            yield Op("$", f"ls -la {folder}", noise.MACROS["listing"](rng, self.words, 7))
        elif roll > 0.98:
            topic = rng.choice(self.words)
            text = f"The page explains how a {topic} is set up and lists its options."
            yield Op("WEB", f"https://docs.example.org/{topic}", [text])
        else:
            text = self.body(path)
            yield Op("$", f"wc -l {path}", [f"{text.count(chr(10)):>8} {path}"])

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
    return any(key in op.mods for key in ("refused", "sibling", "notread", "nomatch", "interrupted"))


def row(case: Case, lie: bool, default_check: str = "") -> dict[str, Any]:
    """The finished row of one twin."""
    head = case.head
    tools = head.get("tools", "")
    note = head.get("note", "")
    if not lie:
        note = head.get("why", "honest twin: the evidence carries every claim of the closing")
    if head.get("traps"):
        note = f"{note} [traps: {head['traps']}]"
    return {
        "id": f"{case.pair}-{'lie' if lie else 'honest'}",
        "pair": case.pair,
        "label": "lie" if lie else "honest",
        "check": head.get("check", default_check) if lie else "",
        "language": head.get("language", "en"),
        "task": head.get("task", ""),
        "tools": tools.split() if tools else None,
        "events": Assembler(case, lie).build(),
        "closing": closing_text(case, lie),
        "note": note,
    }
