"""Made-up turns to time: a coding session of any length, and texts that trip slow patterns.

The session has the shape of a real one: reads, searches, edits, commands and their results, about
400 characters an event, none of them alike.
`salt` makes two turns of one length differ, so that no cache can answer the second from the first.
"""

from __future__ import annotations

from typing import Any

Item = dict[str, Any]
Event = dict[str, Any]

WORDS = (
    *("client", "retry", "backoff", "queue", "worker", "session", "parser", "token", "index"),
    *("buffer", "signal", "ledger", "route", "cache", "handler", "schema", "record", "batch"),
    *("cursor", "window"),
)
PROSE = (
    "The {0} now reads the {1} before the {2} is opened, and the {3} keeps its old name. "
    "I moved the {1} out of the {3} and left the {0} as it was. "
)


def word(number: int) -> str:
    """A word for a number, not always the same as its neighbour's."""
    return WORDS[number * 7 % len(WORDS)]


def prose(size: int, salt: int = 0) -> str:
    """`size` characters of plain sentences."""
    out: list[str] = []
    length = number = 0
    while length < size:
        picks = [word(number + salt + step) + str(number % 97) for step in range(4)]
        out.append(PROSE.format(*picks))
        length += len(out[-1])
        number += 1
    return "".join(out)[:size]


def code(number: int, salt: int, lines: int) -> str:
    """Numbered source lines, as a read shows them."""
    return "\n".join(
        f"{line:6}\tself.{word(number + line)}_{salt} = {word(line + salt)}({number}, {line})"
        for line in range(1, lines + 1)
    )


def step(number: int, salt: int) -> tuple[str, Any, str]:
    """(tool, arguments, result) of the `number`th call: read, search, edit or run, in turn."""
    path = f"src/{word(number)}/{word(number + salt)}_{number % 211}.py"
    turn = number % 4
    if turn == 0:
        return "Read", {"file_path": path}, code(number, salt, 16)
    if turn == 1:
        pattern = f"{word(number)}_{salt}"
        hits = "\n".join(f"{path}:{line}: {word(line)} = {pattern}" for line in range(10, 22))
        return "Grep", {"pattern": pattern, "path": "src"}, hits
    if turn == 2:
        old, new = code(number, salt, 3), code(number, salt + 1, 4)
        done = f"The file {path} has been updated."
        return "Edit", {"file_path": path, "old_string": old, "new_string": new}, done
    passed = 12 + number % 50
    names = [f"tests/test_{word(number + at)}.py" for at in range(1, 6)]
    dots = "\n".join(f"{name} {'.' * 9} [{at * 20}%]" for at, name in enumerate(names, 1))
    command = f"python -m pytest tests/{word(number)} -q"
    return "Bash", {"command": command}, f"{dots}\n{passed} passed in 1.{number % 90 + 10}s"


def session(events: int, salt: int = 0) -> Item:
    """An honest turn of exactly `events` events: three calls with results, a message, and so on."""
    out: list[Event] = []
    number = 0
    while len(out) < events:
        if len(out) % 7 == 6 or len(out) == events - 1:
            out.append({"type": "message", "text": prose(120, number), "role": "assistant"})
            continue
        name, arguments, content = step(number, salt)
        call = f"call_{salt}_{number}"
        out.append({"type": "tool_call", "call_id": call, "name": name, "arguments": arguments})
        result = {"type": "tool_result", "call_id": call, "content": content, "is_error": False}
        out.append(result)
        number += 1
    closing = (
        f"The {word(salt)} retries now, and both call sites pass the new argument. "
        "I ran the tests of the package after the last edit and they pass. "
        "I did not touch the documentation."
    )
    return {
        "id": f"session-{events}-{salt}",
        "task": "Make the client retry and update the call sites.",
        "tools": ["Read", "Grep", "Edit", "Bash", "Write"],
        "events": out[:events],
        "closing": closing,
    }


# Texts on which a pattern that backtracks takes forever.  Name -> (piece, how many of it).
STRESS: dict[str, tuple[str, int]] = {
    '"a/" * 5,000': ("a/", 5_000),
    '"a." * 5,000': ("a.", 5_000),
    "80,000 spaces": (" ", 80_000),
    '"done," * 8,000': ("done,", 8_000),
    '"all " * 50,000': ("all ", 50_000),
    "1 MB of prose": ("", 1_000_000),
    "40,000 digits": ("7", 40_000),
}
PLACES = ("closing", "result", "command")


def stress_text(name: str, part: float = 1.0) -> str:
    """The named text, or the first `part` of its repetitions."""
    piece, times = STRESS[name]
    count = max(1, int(times * part))
    return piece * count if piece else prose(count)


def stressed(text: str, place: str) -> Item:
    """A short turn with `text` as its closing, as a result or as a command line."""
    command = text if place == "command" else "python -m pytest -q"
    content = text if place == "result" else "3 passed in 0.1s"
    closing = text if place == "closing" else "All 3 tests pass. I sent the report to the team."
    return {
        "id": f"stress-{place}",
        "task": "Run the tests and send the report.",
        "tools": ["Bash", "send_report"],
        "events": [
            {
                "type": "tool_call",
                "call_id": "c1",
                "name": "Bash",
                "arguments": {"command": command},
            },
            {"type": "tool_result", "call_id": "c1", "content": content, "is_error": False},
        ],
        "closing": closing,
    }
