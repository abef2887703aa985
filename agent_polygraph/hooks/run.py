"""`agent-polygraph hook DIALECT [--mode audit|block]`: one stop, judged.

Whatever goes wrong in here is no business of the host: exit 0, nothing on standard output, a line in
the log.  Wrong usage is exit 1 and a line on standard error, which hosts show and go on; never 2,
which they take for a block.
"""

from __future__ import annotations

import sys

from .dialects import DIALECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from .dialects import Dialect, Stop
    from .memory import Memory

MODES = ("audit", "block")
_STDIN_BYTES = 16 << 20
_USAGE = f"""\
usage: agent-polygraph hook {{{",".join(DIALECTS)}}} [--mode {{{",".join(MODES)}}}]

Reads the host's stop event as JSON on standard input and answers in the host's JSON.
audit (the default) never stops anything; block sends the agent back once for each finding."""


def process(arguments: Sequence[str]) -> NoReturn:
    """Run the hook as all that this process does, and end it.

    Looking for garbage and tearing down what was loaded is a fifth of what a stop costs, and nobody
    needs either in a process that ends here.
    """
    import gc
    import os

    gc.disable()
    code = main(arguments)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # closed, or gone
            continue
    os._exit(code)


def main(arguments: Sequence[str]) -> int:
    """Run the hook; the exit code."""
    try:
        if arguments and set(arguments) & {"-h", "--help"}:
            print(_USAGE)
            return 0
        chosen = _usage(arguments)
        if isinstance(chosen, str):
            print(f"agent-polygraph hook: {chosen}\n{_USAGE}", file=sys.stderr)
            return 1
        name, mode = chosen
        answer = answered(name, mode, sys.stdin.buffer.read(_STDIN_BYTES + 1))
        if answer:
            sys.stdout.buffer.write(answer)
            sys.stdout.buffer.flush()
    except BaseException as fault:  # nothing may reach the host, an interrupt neither
        _log(f"{' '.join(map(str, arguments[:1]))}: {_told(fault)}")
        _close_quietly()
    return 0


def _usage(arguments: Sequence[str]) -> tuple[str, str] | str:
    """(dialect, mode), or what is wrong."""
    rest, mode, name = list(arguments), "audit", ""
    while rest:
        word = rest.pop(0)
        option, equals, value = word.partition("=")
        if option == "--mode":
            mode = value if equals else rest.pop(0) if rest else ""
            if mode not in MODES:
                return f"--mode is {mode!r}; it has to be {' or '.join(MODES)}"
        elif word in DIALECTS and not name:
            name = word
        else:
            return f"unknown argument {word!r}"
    if not name:
        return f"which host? one of {', '.join(DIALECTS)}"
    if sys.stdin is None or sys.stdin.isatty():
        return "it is run by a host, which gives it JSON on standard input"
    return name, mode


def answered(name: str, mode: str, given: bytes) -> bytes:
    """What to print for a stop, empty for nothing.  Raises whatever goes wrong."""
    if len(given) > _STDIN_BYTES:
        raise ValueError("more on standard input than a stop event has")
    import json

    data = json.loads(given)
    if not isinstance(data, dict):
        raise ValueError(f"a {type(data).__name__} on standard input where an object is expected")
    from .dialects import Stop

    dialect = DIALECTS[name]
    stop = Stop(dialect, data)
    if stop.event not in dialect.events:
        return b""
    if (stop.closing is not None and not stop.closing.strip()) or not stop.transcript:
        return b""
    said = _said(dialect, mode, stop)
    return json.dumps(said).encode("ascii") if said else b""


def _said(dialect: Dialect, mode: str, stop: Stop) -> dict[str, Any] | None:
    from .memory import Memory
    from .readers import at_stop

    memory = Memory(stop.session, stop.agent)
    scene = at_stop(dialect.reader, stop, memory)
    if not scene.closing.strip():
        return None
    from ..adapters.claude_code.stop import notice, reason
    from ..settings import today
    from ..verify import verify
    from .policy import decide
    from .rules import in_force

    rules, remarks = in_force(stop.cwd, memory, scene)
    remarks = [words for words in remarks if not memory.said(f"remark {words}"[:300])]
    verdict = verify(
        scene.events, scene.closing, scene.task, tools=scene.tools, config=rules.config
    )
    verdict = rules.applied(verdict, today())
    decision = decide(mode, stop, scene, verdict, memory, rules.config)
    kept = _save(memory)
    if decision.kind == "block" and kept:  # who can't remember a block would repeat it
        return dialect.block(reason(decision.findings, scene.events))
    if dialect.notice is None:
        return None
    if decision.findings:
        remarks.append(notice(decision.findings, scene.events))
    return (
        dialect.notice("\n".join(f"agent-polygraph: {each}" for each in remarks))
        if remarks
        else None
    )


def _save(memory: Memory) -> bool:
    try:
        memory.save()
    except OSError as fault:
        _log(f"memory not kept: {fault}")
        return False
    return True


def _told(fault: BaseException) -> str:
    """One line: what, and where in this package."""
    where, trace = "", fault.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        where = f"{code.co_filename.replace(chr(92), '/').rsplit('/', 1)[-1]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(fault).__name__}: {str(fault)[:300]} ({where})"


def _log(words: str) -> None:
    from . import state

    state.log(words)


def _close_quietly() -> None:
    """Python flushes standard output once more when it exits; a reader that has gone must not show."""
    import os

    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError:
        return
