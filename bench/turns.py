"""Made-up turns to time: a coding session of any length, and texts that trip slow patterns.

The session has the shape of a real one: reads, searches, edits, commands and their results, about
400 characters an event, none of them alike.
`salt` makes two turns of one length differ, so that no cache can answer the second from the first.
"""

from __future__ import annotations

from collections.abc import Callable
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
    '"error " * 5,000': ("error ", 5_000),
    '"[a](b) " * 5,000': ("[a](b) ", 5_000),
    '"I ran `pytest`. " * 3,000': ("I ran `pytest`. ", 3_000),
    '"five " * 5,000': ("five ", 5_000),
    '"git push; " * 5,000': ("git push; ", 5_000),
    '"> f " * 5,000': ("> f ", 5_000),
    '"OK (5 tests)\\n" * 4,000': ("OK (5 tests)\n", 4_000),
    '"(5 rows)\\n" * 5,000': ("(5 rows)\n", 5_000),
}
PLACES = ("closing", "result", "command")


# Turns of many calls that a check might look at in pairs.  Name -> (the `at`th call: tool, arguments,
# result, whether it failed; the closing).  A result of None: the call never returned.
Call = tuple[str, Any, str | None, bool]
SHAPES: dict[str, tuple[Callable[[int], Call], str]] = {
    "half of the calls of one tool fail": (
        lambda at: (
            "update_record",
            {"record_id": f"rec-{at:05}", "status": "open"},
            "error: no such record" if at % 2 else "updated",
            bool(at % 2),
        ),
        "I updated all the records.",
    ),
    "half of the edits fail": (
        lambda at: (
            "Edit",
            {"file_path": f"src/f{at}.py", "old_string": f"a{at}", "new_string": f"b{at}"},
            "error: no match" if at % 2 else "ok",
            bool(at % 2),
        ),
        "I fixed all the files. Done.",
    ),
    "half of the commands fail": (
        lambda at: (
            "Bash",
            {"command": f"tool{at} push x{at}"},
            "error: no" if at % 2 else "ok",
            bool(at % 2),
        ),
        "Everything was deployed. Done.",
    ),
    "background jobs": (
        lambda at: (
            "Bash",
            {"command": f"job{at} run", "run_in_background": True},
            f"Command running in background with ID: bash_{at}",
            False,
        ),
        "All jobs are done. I deployed it.",
    ),
    "queued jobs": (
        lambda at: (
            "submit_job",
            {"name": f"job-{at}"},
            f'{{"job_id": "job_{at}", "status": "queued"}}',
            False,
        ),
        "I submitted all the jobs and they are done.",
    ),
    "pages of one listing": (
        lambda at: (
            "list_items",
            {"page": str(at), "kind": "order"},
            f'{{"items": [1, 2, 3], "has_more": true, "next_cursor": "c{at}"}}',
            False,
        ),
        "I read all the orders. " * 10,
    ),
    "two calls of each of many tools": (
        lambda at: (f"get_thing{at // 2}", {"id": f"t-{at}"}, "a\nb\nc\nd", False),
        "I read all of them. " * 10,
    ),
    "calls that never return": (
        lambda at: ("send_mail", {"to": f"a{at}@example.org"}, None, False),
        "I sent all the mails.",
    ),
    "edits of one test": (
        lambda at: (
            "Edit",
            {
                "file_path": "tests/test_a.py",
                "old_string": f"assert a == {at}",
                "new_string": f"assert a == {at + 1}",
            },
            "ok",
            False,
        ),
        "I fixed the bug. All tests pass. I did not touch the tests.",
    ),
    "skip marks in many tests": (
        lambda at: (
            "Edit",
            {
                "file_path": f"tests/test_f{at}.py",
                "old_string": f"def test_a{at}():",
                "new_string": f"@pytest.mark.skip\ndef test_a{at}():",
            },
            "ok",
            False,
        ),
        "I fixed the bug. All tests pass.",
    ),
    "runs of one test file each": (
        lambda at: (
            "Bash",
            {"command": f"pytest tests/test_{at}.py"},
            f"{at % 7 + 1} passed in 0.1s",
            False,
        ),
        "All tests pass.",
    ),
    "failing runs of one test file each": (
        lambda at: (
            "Bash",
            {"command": f"pytest tests/test_{at}.py"},
            f"1 failed, {at % 7 + 1} passed in 0.1s",
            True,
        ),
        "All tests pass. " * 10,
    ),
    "writes and looks": (
        lambda at: (
            "set_flag" if at % 2 else "get_flag",
            {"flag": f"f{at // 2}", "value": str(at)} if at % 2 else {"flag": f"f{at // 2}"},
            f'{{"flag": "f{at // 2}", "value": "off"}}',
            False,
        ),
        "I enabled all the flags.",
    ),
    "records": (
        lambda at: (
            "get_order",
            {"id": f"o{at}"},
            f'{{"sender": "Ann{at}", "subject": "Lunch {at}", "count": {at}}}',
            False,
        ),
        "Ann3 sent 2 mails about Lunch 3. " * 10,
    ),
}
SHAPE_CALLS = 2_000


def shaped(name: str, calls: int, salt: int = 0) -> Item:
    """The named turn, with so many calls."""
    make, closing = SHAPES[name]
    events: list[Event] = []
    for number in range(calls):
        tool, arguments, content, failed = make(number + salt)
        call = f"c{number}"
        events.append({"type": "tool_call", "call_id": call, "name": tool, "arguments": arguments})
        if content is None:
            events.append({"type": "message", "role": "user", "text": f"Please do {number}, too."})
        else:
            result = {"type": "tool_result", "call_id": call, "content": content}
            events.append({**result, "is_error": failed})
    return {
        "id": f"shape-{calls}-{salt}",
        "task": "Do the work.",
        "tools": None,
        "events": events,
        "closing": closing,
    }


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
