"""How a call ended: what its result says, read in the light of what the call is for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .._lazy import regex
from ..plain import UNREAD
from . import outcomes, shell
from .calls import CHECK_NAMES
from .outcomes import Outcome

if TYPE_CHECKING:
    from .step import Step


_STATES = ("status", "state", "estado", "stato", "result", "outcome", "situacao", "situação")
_UP = frozenset("up start restart enable deploy connect activate resume boot".split())
_DOWN = frozenset("down inactive offline disconnected".split())
_BARS = frozenset(
    "lock block freeze disable deactivate suspend ban close stop pause hide revoke archive".split()
)
_BENIGN_ONE = frozenset(
    "grep egrep rg diff test [ find cmp comm fgrep ag ack pgrep which type command git gh ls".split()
)
_LOOKERS = frozenset({"ls", "stat", "which", "command", "test", "["})
_ASKS_OF = dict.fromkeys(("npm", "pnpm", "yarn"), frozenset({"audit", "outdated"}))
_FINDERS = frozenset({"lsof", "pgrep", "pidof", "ps", "getent"})  # 1: there is no such thing
_EXIT_LINE = regex(r"(?:Error: )?Exit code:? \d+", re.IGNORECASE)
_GIT_BENIGN = frozenset(
    {"diff", "grep", "merge-base", "ls-remote", "show-ref", "rev-parse", "check-ignore"}
)
_READS = frozenset({"read", "search", "verify"})
_ONLY_READS = frozenset({"read", "search", "compute", "run"})
_JSON_FILES = (".json", ".jsonl", ".ipynb", ".har", ".sarif", ".webmanifest")
_DRY_FLAGS = frozenset(
    "--dry-run --dryrun --dry_run --simulate --what-if --whatif --check-mode --noop --just-print".split()
)


def ending(step: Step) -> Outcome:
    """How the call ended."""
    if step.result is None:
        return Outcome(outcomes.DANGLING, "error_bit", "(the call never returned)")
    only_reads = bool(step.effects) and step.effects <= _ONLY_READS and not step.runs_check
    bit = None if step.result.error_sniffed else step.result.is_error
    if UNREAD in step.notes and step.content is not None and not bit:
        return Outcome(outcomes.UNKNOWN, "none", "(not readable)")
    if _brings_file(step):
        return outcomes.of_reader(step.text, bit, benign_one(step))
    text = step.text
    if step.command is None and step.edited:
        text = outcomes.of_editor(text)
    found = outcomes.read(
        text,
        bit,
        step.json,
        reads=only_reads,
        benign=benign_one(step),
        runs=step.command is not None,
        patterns=step.patterns,
    )
    if found.kind in (outcomes.OK, outcomes.UNKNOWN) and (inner := _printed(step)):
        found = outcomes.read(
            inner, bit, None,
            reads=only_reads, benign=benign_one(step), runs=True, patterns=step.patterns,
        )  # fmt: skip
    if found.bad and found.signal in ("error_bit", "exit_code") and ends_in_a_look(step):
        found = outcomes.read(
            without_look(step), None, None,
            reads=False, benign=False, runs=True, patterns=step.patterns,
        )  # fmt: skip
        if step.command is not None and step.command.parts[-1].before == "&&" and not found.bad:
            found = Outcome(outcomes.UNKNOWN, "none")  # the look, or what stands before it
    if found.bad and found.signal == "text" and bit is not True and tries_again(step):
        found = Outcome(outcomes.UNKNOWN, "none")
    if found.signal == "text" and found.quote[:6].lower() == "usage:" and _asks_for_help(step):
        found = Outcome(outcomes.OK, "none")
    if (
        found.kind == outcomes.OK
        and "merge" in step.effects
        and found.quote.lower() in ("state: open", "status: open")
    ):
        return Outcome(outcomes.PENDING, found.signal, found.quote)  # armed, not merged
    if (
        found.kind == outcomes.PENDING
        and step.effects & {"send", "notify"}
        and "queued" in found.quote.lower()
    ):
        return Outcome(outcomes.OK, found.signal, found.quote)  # queued is how sending ends
    if found.kind == outcomes.PENDING and _state_of_a_thing(step):
        return Outcome(outcomes.OK, found.signal, found.quote)
    if found.kind == outcomes.FAILED and found.signal == "json_status" and _meant(step, found):
        found = Outcome(outcomes.OK, found.signal, found.quote)
    if found.kind == outcomes.OK and not only_reads:
        if isinstance(step.json, dict):
            found = (
                _denied(step, step.json)
                or _ignored(step, step.json)
                or _awaits(step, step.json)
                or _rehearsed(step)
                or found
            )
        else:
            found = _rehearsed(step) or found
    if found.kind == outcomes.PENDING and step.command is not None and not step.rehearsal:
        if any(map(_is_dry, step.command.parts)):
            found = Outcome(outcomes.OK, found.signal, found.quote)  # rehearsed, and then done
    if (
        found.kind == outcomes.EMPTY
        and found.signal == "exit_code"
        and any(kind in CHECK_NAMES.values() for _, kind, _ in step.checks_run)
    ):
        return Outcome(outcomes.OK, found.signal, found.quote)  # only its last `grep` is empty
    if found.kind == outcomes.OK and not only_reads:
        found = _complaint(step, bit) or found
    if found.kind in (outcomes.OK, outcomes.UNKNOWN, outcomes.NOOP) and not only_reads:
        stated = _stated_by_runner(step)
        if stated is not None:
            return stated
    return found


def tries_again(step: Step) -> bool:
    """`npm ci || npm install`, `for i in 1 2 3; do curl ... && break; done`: what failed first decides nothing."""
    parts = step.command.parts if step.command is not None else ()
    programs = [part.program for part in parts if part.program not in _GLUE]
    return ("||" in {part.after for part in parts} or "break" in programs) and (
        "break" in programs or any(programs.count(name) > 1 for name in programs)
    )


def _complaint(step: Step, bit: bool | None) -> Outcome | None:
    """What a lone program says of itself: `rm: cannot remove 'a/b': Permission denied`.

    Where the host or the shell tells an exit code of its own, that is the word on it.
    """
    if step.command is None or bit is not None or step.json is not None:
        return None
    acting = [part for part in step.command.parts if part.program not in _GLUE]
    hit = _COMPLAINS.match(step.text) if len(acting) == 1 else None
    if hit is None or hit.group(1) != acting[0].program:
        return None
    several = sum(not word.startswith("-") for word in acting[0].words[1:]) > 1
    return Outcome(
        outcomes.PARTIAL if several else outcomes.FAILED, "text", hit.group().strip()[:200]
    )


_GLUE = frozenset("cd echo printf true : set export".split())
_COMPLAINS = regex(
    r"\s{0,4}([\w.-]{2,30}): (?:cannot|can't|could not|unable to|failed to) (?![^\n]*(?:No such file|File exists))"
    r"[^\n]{1,160}"
)


def _printed(step: Step) -> str:
    """What a command printed, where a host puts it into an object: `{"output": "...", "metadata": {...}}`."""
    answer = step.json
    if step.command is None or not isinstance(answer, dict):
        return ""
    return "\n".join(answer[key] for key in _STREAMS if isinstance(answer.get(key), str))


_STREAMS = ("output", "stdout", "stderr")


def _asks_for_help(step: Step) -> bool:
    return step.command is not None and any(
        not _HELP.isdisjoint(part.words) for part in step.command.parts
    )


_HELP = frozenset({"--help", "-h", "help"})


def _denied(step: Step, answer: dict[str, Any]) -> Outcome | None:
    """What an answer that calls itself good says against the very thing that the call is for."""
    if len(answer) <= 3:  # `{"status": 200, "data": {"booked": false}}`
        inner = next((answer[key] for key in _AROUND if isinstance(answer.get(key), dict)), None)
        answer = inner or answer
    return (
        _denied_by_own_verb(step, answer)
        or (None if _takes_back(step) else outcomes.denied(answer))
        or _not_up(step, answer)
        or _no_room(step, answer)
        or _gave_nothing(step, answer)
    )


_AROUND = ("data", "result", "response", "body", "payload")


def _ignored(step: Step, answer: dict[str, Any]) -> Outcome | None:
    """`{"ignored": ["priority"]}` of a call that set the priority: what was asked for was left as it is."""
    if not isinstance(step.arguments, dict):
        return None
    for key in _LEFT_OUT:
        names = answer.get(key)
        if isinstance(names, list) and names and all(isinstance(name, str) for name in names):
            asked = {str(name).casefold() for name in step.arguments}
            asked |= {
                k.casefold() for v in step.arguments.values() if isinstance(v, dict) for k in v
            }
            if {name.casefold() for name in names} <= asked:
                whole = len(asked) - len(names) <= 1  # the rest is the name of the thing
                kind = outcomes.FAILED if whole else outcomes.PARTIAL
                return Outcome(kind, "json_status", f"{key}: {', '.join(names)[:100]}")
    return None


_LEFT_OUT = (
    "ignored",
    "ignored_fields",
    "ignoredFields",
    "skipped_fields",
    "rejected_fields",
    "not_applied",
)


def _awaits(step: Step, answer: dict[str, Any]) -> Outcome | None:
    """`issueRefund` that answers `{"refund": {"state": "PENDING_APPROVAL"}}`: somebody has to agree first."""
    if not _TOUCHES_UP.isdisjoint(step.words):
        return None
    for word in {*step.words, *step.effects} & _NOUNS_OF_WAITING:
        inner = answer.get(word)
        found = outcomes.of_json(inner) if isinstance(inner, dict) else None
        if found is not None and outcomes.is_held(found):
            return found
    return None


_TOUCHES_UP = frozenset(
    "update edit change set add get note comment tag assign patch move rename".split()
)
_NOUNS_OF_WAITING = frozenset(
    "refund payment transfer order booking reservation return exchange release deployment request"
    " claim payout cancellation withdrawal".split()
)


def _state_of_a_thing(step: Step) -> bool:
    """`add_note` that answers `{"expense": {"status": "pending_approval"}}`: the state is the expense's."""
    answer = step.json
    if not isinstance(answer, dict) or len(answer) != 1 or step.command is not None:
        return False
    ((key, inner),) = answer.items()
    return (
        isinstance(inner, dict)
        and key not in ("result", "data", "response", "output", "body", "details")
        and step.effects.isdisjoint(_WAITED_FOR)
    )


# What is done only when somebody has agreed to it.
_WAITED_FOR = frozenset(
    "refund pay transfer cancel return exchange release deploy order book".split()
)


def _gave_nothing(step: Step, answer: dict[str, Any]) -> Outcome | None:
    """`assign_seat` that answers `"seat": null`: what the call is for is not there."""
    if step.effects.isdisjoint(_GIVES) or _takes_back(step) or not step.words:
        return None
    noun = step.words[-1]
    if len(noun) < 4 or noun not in answer or answer[noun] is not None:
        return None
    given = {text for _, text in step.argument_leaves[:40]}
    if any(
        _NUMBER_KEY.search(str(key)) and item and str(item) not in given
        for key, item in answer.items()
    ):
        return None  # it was booked under a number, and the room is told later
    return Outcome(outcomes.FAILED, "json_status", f"{noun}: null")


_NUMBER_KEY = regex(r"(?:^|_)(?:id|confirmation|reservation|reference|ref|number|code|pnr|url)$")
_GIVES = frozenset({"assign", "book", "create", "order", "submit"})


def _denied_by_own_verb(step: Step, answer: dict[str, Any]) -> Outcome | None:
    """`room_reserve` that answers `"reserved": false`."""
    verbs = tuple({word[:5] for word in (*step.words, *step.effects) if len(word) >= 4})
    for key, item in list(answer.items())[:40]:
        if item is False and len(key) >= 5 and key.isalpha() and key.lower().startswith(verbs):
            return Outcome(outcomes.FAILED, "json_status", f"{key}: false")
    return None


def _meant(step: Step, found: Outcome) -> bool:
    """`card.block` that answers `"status": "blocked"`, an update to the very state: it went through."""
    key, _, state = found.quote.partition(": ")
    low = state.strip().casefold()
    if not key.lower().endswith(_STATES) or len(low) < 4:
        return False
    if low.startswith(("bloc", "bloq")) and not _BARS.isdisjoint({*step.words, *step.effects}):
        return True
    return any(len(word) >= 4 and low.startswith(word[:5]) for word in step.words) or any(
        low == text.strip().casefold() for _, text in step.argument_leaves[:40]
    )


def _takes_back(step: Step) -> bool:
    """`unpublish`, `pause_campaign`: there a `false` is what was asked for."""
    return any(word.startswith("un") for word in step.words) or not _BARS.isdisjoint(
        {*step.words, *step.effects}
    )


def _no_room(step: Step, answer: dict[str, Any]) -> Outcome | None:
    """`reserve` that answers `"result": "full"`."""
    if "book" not in step.effects:
        return None
    for key, item in list(answer.items())[:40]:
        if key in ("result", "status", "outcome") and item in (
            "full",
            "FULL",
            "no_availability",
        ):
            return Outcome(outcomes.FAILED, "json_status", f"{key}: {item}")
    return None


def _not_up(step: Step, answer: dict[str, Any]) -> Outcome | None:
    """`vpn_up` that answers `"state": "down"`: the opposite of what the call is for."""
    if _UP.isdisjoint({*step.words, *step.effects}):
        return None
    for key, item in list(answer.items())[:40]:
        if (
            isinstance(item, str)
            and (item.lower() in _DOWN)
            and (
                item.lower() == "down" or not _UP.isdisjoint({*step.words, *step.effects} - {"up"})
            )
            and str(key).lower().endswith(("status", "state"))
        ):
            return Outcome(outcomes.FAILED, "json_status", f"{key}: {item}")
    return None


def _rehearsed(step: Step) -> Outcome | None:
    """A call whose own arguments make it a dry run."""
    if not isinstance(step.arguments, dict):
        return None
    for key, item in list(step.arguments.items())[:40]:
        if item is True and str(key).lower().replace("-", "_") in outcomes.DRY_KEYS:
            return Outcome(outcomes.PENDING, "json_status", f"{key}: true")
    return None


def _stated_by_runner(step: Step) -> Outcome | None:
    if tries_again(step):
        return None  # which of them the line is from is not told
    for summary in reversed(step.summaries):
        if "vulnerabilit" in summary.line:
            continue  # an audit notice of an install that went through
        if summary.kind in ("vcs", "deploy", "install", "db", "http", "build", "script") and summary.outcome in (
            "failed", "error", "killed", "timeout",
        ) and "(none)" not in summary.line:  # fmt: skip
            return Outcome(outcomes.FAILED, "runner", summary.line)
        if summary.kind in ("vcs",) and summary.outcome == "passed":
            return None
    return None


def rehearses(step: Step) -> bool:
    """True when the call only rehearsed: `--dry-run`, `{"validateOnly": true}`."""
    if step.command is not None:
        dry = [part for part in step.command.parts if _is_dry(part)]
        real = [part for part in step.command.parts if part not in dry]
        # `purge.py --dry-run; purge.py`: then it did run
        return bool(dry) and not any(a.words[:2] == b.words[:2] for a in dry for b in real)
    key = step.outcome.quote.partition(":")[0].lower().replace("-", "_")
    return step.outcome.kind == outcomes.PENDING and key in outcomes.DRY_KEYS


def benign_one(step: Step) -> bool:
    """True when exit 1 of this command line means "no match", not failure."""
    if step.command is None:
        return "search" in step.effects
    parts = [
        part
        for part in step.command.parts
        if part.program not in ("cd", "echo", "head", "tail", "wc", "sort", "cat")
    ]
    if not parts:
        return False
    last = parts[-1]
    if last.program == "git":
        return any(word in _GIT_BENIGN for word in last.words[1:3])
    if last.program == "gh":
        return "view" in last.words or "checks" in last.words or "list" in last.words
    return last.program in _BENIGN_ONE


def ends_in_a_look(step: Step) -> bool:
    """`make; rm out; ls out 2>/dev/null`: the exit code says that nothing is there, and no more."""
    parts = step.command.parts if step.command is not None else ()
    if len(parts) < 2:
        return False
    last = parts[-1]
    looks = last.program in _LOOKERS or not _ASKS_OF.get(last.program, frozenset()).isdisjoint(
        last.words[1:2]
    )
    return (looks and last.before in (";", "\n")) or (
        last.program in _FINDERS and last.before in (";", "\n", "&&")
    )


def without_look(step: Step) -> str:
    """The output without exit codes and without what the closing look says itself: `ls: cannot access 'out'`."""
    program = step.command.parts[-1].program if step.command is not None else ""
    return "\n".join(
        line
        for line in step.body.split("\n")
        if not line.startswith(f"{program}: ") and not _EXIT_LINE.fullmatch(line)
    )


def _brings_file(step: Step) -> bool:
    """True when the result is the content of a file, and nothing in it speaks of the call."""
    if step.command is not None:
        parts = step.command.parts
        return bool(step.paths) and bool(parts) and all(p.program in shell.PAGERS for p in parts)
    if not ("read" in step.effects and step.effects <= _READS and step.paths):
        return False
    return step.json is None or step.paths[0].endswith(_JSON_FILES)


def _is_dry(part: shell.Simple) -> bool:
    return any(
        word.split("=")[0] in _DRY_FLAGS and not word.endswith(("=none", "=false"))
        for word in part.words[1:]
    )
