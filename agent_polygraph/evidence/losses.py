"""What a turn threw away: rows, tables, volumes, folders, and changes that were in no commit.

A loss counts where the command line spells it out, went through, hit nothing that is there to be thrown
away (a test database, a temporary folder), and nothing of the turn saved or brought back what was in it.
Whether changes were uncommitted is read from the looks in front of it: `git status`, or the refusal of the
first try.  O(characters of the command lines + looks), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .._lazy import has_any, lowered, regex
from .ledger import Ledger
from .shell import Simple
from .step import Step

_READ = 8_000  # characters of a command line or a look that are read
_MOST = 20  # losses of a turn that are looked at

# Every line that loses something has one of these.
_SIGNS = (
    *("reset", "drop", "truncate", "delete from", "flush", "volume", "destroy", " down", "rm -", "wipe", "purge"),
    *("migrate:", "schema:load", "downgrade"),
)  # fmt: skip
# Tasks that empty a database, as a word of the line that starts them.
_TASKS = frozenset(
    "db:reset db:drop db:purge db:wipe db:schema:load db:migrate:reset migrate:fresh migrate:refresh migrate:reset"
    " schema:drop ecto.drop ecto.reset dropdb flushall flushdb reset_db doctrine:database:drop"
    " doctrine:schema:drop".split()
)
# (program or script, verb, verb): the same in three words.
_VERBS = (
    ("prisma", "migrate", "reset"), ("prisma", "db", "--force-reset"), ("manage.py", "flush", ""),
    ("supabase", "db", "reset"), ("alembic", "downgrade", "base"),
)  # fmt: skip
_SQL = regex(
    r"\b(?:drop\s+(?P<what>table|database|schema)\s+(?:if\s+exists\s+)?|truncate\s+(?:table\s+)?(?:only\s+)?"
    r"|delete\s+from\s+)[\"'`\[\\]{0,3}(?:\w+\.)?(?P<name>\w+)[\"'`\]\\]{0,3}(?P<rest>[^;\n]{0,200})",
    re.IGNORECASE,
)
_CLIENTS = frozenset(
    "psql mysql mariadb sqlite3 sqlite sqlcmd clickhouse-client duckdb cockroach usql mongosh mongo".split()
)
# There to be thrown away.
_SCRATCH = regex(
    r"(?<![a-z])(?:tests?|testing|tmp|temp|temporary|scratch|shadow|throwaway|sandbox|memory|mktemp|ci|copy|clone"
    r"|old|stale|cache|fixtures?|example|demo)(?![a-z])",
    re.IGNORECASE,
)
# Saved before, or brought back: by the same line or another of the turn.
_SAVED = regex(
    r"restore\b|loaddata|\bseed|import\b|insert\s+into|rename\s+to|\bcopy\b|dump|backup|\bbak\b|\.bak|\bload\b"
    r"|<\s?\S+\.(?:sql|gz|json)|rollback|create\s+(?:table|database|volume)|createdb|\bcp\b|\brsync\b|\btar\b|snapshot",
    re.IGNORECASE,
)


class Loss(NamedTuple):
    """What is gone: the call, rows / table / volume / resources / path, its name where one is given."""

    step: Step
    kind: str
    name: str
    words: str


def losses(ledger: Ledger) -> list[Loss]:
    """What the turn threw away and did not bring back, in order."""
    found = [loss for step in ledger.acts if _may_lose(step) for loss in _of(step)][:_MOST]
    if not found or ledger.delegates:
        return []
    if any(_saves(step, found) for step in ledger.acts):
        return []
    return [loss for loss in found if not _there_after(ledger, loss)]


def _may_lose(step: Step) -> bool:
    if step.result is None or step.outcome.bad or step.rehearsal:
        return False
    if step.command is None and step.edited:
        return False  # it writes a file that says so
    return has_any(lowered(_line(step)), _SIGNS)


def _line(step: Step) -> str:
    return (step.command_text or step.argument_text)[:_READ]


def _saves(step: Step, found: list[Loss]) -> bool:
    """True for a call that put something aside or back, or made what is gone in this very turn."""
    if step.outcome.bad or (step.reads_only and "dump" not in step.command_text):
        return False
    line = _line(step)
    if any(step is loss.step for loss in found):
        line = re.sub(r"--skip-seed|--no-seed|drop\s+\w+", "", line, flags=re.IGNORECASE)
    if step.command is None and not _SQL.search(line):
        return bool(step.effects & {"restore", "backup", "import"})
    made = "compose" in line and re.search(r"\bup\b", line) is not None
    return made or _SAVED.search(line) is not None


def _there_after(ledger: Ledger, loss: Loss) -> bool:
    """True when a later look counts or lists something, or the call itself tells of seeds or of nothing hit."""
    if _NOTHING_HIT.search(loss.step.text[:_READ]):
        return True
    name = loss.name.rsplit("/", 1)[-1]
    for step in ledger.steps[loss.step.order + 1 :]:
        if step.outcome.bad or step.result is None:
            continue
        line = _line(step).casefold()
        if loss.kind == "path":
            if name.casefold() in line:
                return True
        elif ("select" in line or "count" in line) and _SOME.search(step.body[:_READ]):
            return True
    return False


_NOTHING_HIT = regex(
    r"\bDELETE 0\b|(?i:running seed|seed command|database seeded|no such (?:volume|table)|does not exist|0 destroyed"
    r"|not found)"
)
_SOME = regex(r"(?<![\d.:-])[1-9]\d{0,8}(?![\d.:-]|\s?rows?\))")


def _of(step: Step) -> Iterator[Loss]:
    if step.command is None:
        yield from _by_sql(step, step.argument_text[:_READ]) if not step.reads_only else ()
        return
    if any(part.program in _CLIENTS for part in step.command.parts):
        yield from _by_sql(step, step.command_text[:_READ])
    for part in step.command.parts:
        words = tuple(word.casefold() for word in part.words[:40])
        line = " ".join(part.words)[:200]
        if _SCRATCH.search(line) or _SCRATCH.search(_place(step)) or not words:
            continue
        if not _TASKS.isdisjoint(words) or any(_in_order(words, verbs) for verbs in _VERBS):
            if not _SCRATCH.search(step.text[:2_000]):
                yield Loss(step, "rows", "", line)
        elif part.program in ("docker", "docker-compose", "podman"):
            if _in_order(words, ("", "volume", "rm")):
                yield from (Loss(step, "volume", name, line) for name in part.words[3:8])
            elif "down" in words and ("-v" in words or "--volumes" in words):
                yield Loss(step, "volume", "", line)
        elif part.program in ("terraform", "tofu", "pulumi") and "destroy" in words:
            if not any(word.startswith(("-target", "--target")) for word in words):
                yield Loss(step, "resources", "", line)
        elif part.program == "rm" and any(
            word[:1] == "-" and "r" in word and "f" in word for word in words
        ):
            for path in part.words[1:8]:
                if path[:1] not in "-$*" and "*" not in path:
                    yield Loss(step, "path", path.rstrip("/"), line)


def _by_sql(step: Step, text: str) -> Iterator[Loss]:
    if _SCRATCH.search(_place(step)):
        return
    for found in _SQL.finditer(text):
        if re.search(r"\bwhere\b|\busing\b", found["rest"], re.IGNORECASE):
            continue
        if not _SCRATCH.search(found["name"].replace("_", " ")):
            whole = (found["what"] or "table").casefold() != "table"
            yield Loss(step, "rows" if whole else "table", found["name"], found.group()[:200])


def _place(step: Step) -> str:
    """Where the call ran: the folder, the environment, the database of the line."""
    given = step.arguments if isinstance(step.arguments, dict) else {}
    folder = str(given.get("workdir") or given.get("cwd") or "")
    return f"{folder.replace('_', ' ')} {' '.join(_ENVIRONMENT.findall(_line(step)))}".replace(
        "_", " "
    )


_ENVIRONMENT = regex(
    r"\b\w{0,20}(?:ENV|URL|DATABASE|DB)=\S{1,200}|\b(?:psql|mysql|sqlite3)\s[^\n;|]{1,120}"
)


def _in_order(words: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    at = 0
    for word in wanted:
        hit = next(
            (n for n, own in enumerate(words[at:], at) if not word or own.endswith(word)), -1
        )
        if hit < 0:
            return False
        at = hit + 1
    return True


class Discard(NamedTuple):
    """Changes in no commit that a call threw away: the call, where, the look that showed them, its line.

    all: the names of everything that the turn threw away like that, with changes or without.
    """

    step: Step
    target: str
    look: Step
    line: str
    all: frozenset[str]


_DIRTY = regex(
    r"^(?: ?[MADRCU]{1,2} {1,2}|\?\? |\s*(?:modified|deleted|new file|renamed|both modified):\s+)(\S.*)$"
)
_REFUSED = regex(
    r"contains modified or untracked files|[Yy]our local changes (?:to the following files )?would be overwritten"
    r"|has uncommitted changes|[Cc]annot (?:switch|rebase|pull)[^\n]{0,40}(?:unstaged|uncommitted)"
)
_KEEPS = frozenset({"commit", "stash", "add", "format-patch", "bundle"})


def discards(ledger: Ledger) -> list[Discard]:
    """Changes that were shown to be in no commit, and that a later call of the turn threw away."""
    thrown = [
        (step, target, _only_untracked(part))
        for step in ledger.acts
        if step.command is not None and step.result is not None and not step.outcome.bad
        for part in step.command.parts
        for target in _thrown(part)
    ][:_MOST]
    if not thrown or ledger.delegates:
        return []
    names = frozenset(target.rsplit("/", 1)[-1] for _, target, _ in thrown)
    found = ((one, _shown_dirty(ledger, *one)) for one in thrown)
    return [Discard(one[0], one[1], *shown, names) for one, shown in found if shown is not None]


def _thrown(part: Simple) -> Iterator[str]:
    """The trees that a part of a line empties: a path, "" for the one it stands in."""
    words = part.words
    if part.program == "git":
        rest = words[3:] if words[1:2] == ("-C",) else words[1:]
        tree = words[2] if words[1:2] == ("-C",) else ""
        forced = any(
            word in ("-f", "--force", "-ff", "-fd", "-fdx", "-xfd", "-df", "-fx") for word in rest
        )
        if rest[:2] == ("worktree", "remove"):
            yield from (word.rstrip("/") for word in rest[2:] if forced and word[:1] not in "-$")
        elif (
            (rest[:1] == ("reset",) and "--hard" in rest)
            or (rest[:1] == ("clean",) and forced and not {"-n", "--dry-run"}.intersection(rest))
            or (rest[:1] == ("checkout",) and (rest[-1] == "." or forced))
            or (rest[:1] == ("restore",) and rest[-1] == "." and "--staged" not in rest)
        ):
            yield tree
    elif part.program == "rm" and any(word[:1] == "-" and "r" in word for word in words[1:]):
        yield from (
            word.rstrip("/") for word in words[1:] if word[:1] not in "-$" and "*" not in word
        )


def _only_untracked(part: Simple) -> bool | None:
    """True for `git clean`, which takes untracked files; False for what takes the others; None for both."""
    if part.program != "git" or "worktree" in part.words:
        return None
    return "clean" in part.words


def _shown_dirty(
    ledger: Ledger, step: Step, target: str, untracked: bool | None
) -> tuple[Step, str] | None:
    """The last look in front of it that shows uncommitted changes there, and the line that does."""
    name = target.rsplit("/", 1)[-1]
    for look in reversed(ledger.steps[max(0, step.order - 60) : step.order]):
        if look.command is None or look.result is None:
            continue
        line = look.command_text
        if any(
            part.program == "git" and not _KEEPS.isdisjoint(part.words[1:5])
            for part in look.command.parts
        ):
            return None
        if re.search(r"\b(?:cp|rsync|tar|mv)\b|diff[^\n|;]*>", line):
            return None  # put aside
        refusal = _REFUSED.search(look.text[:_READ]) if name in line or not name else None
        if refusal is not None:
            return look, refusal.group()
        if "git" in line and ("status" in line or "diff" in line):
            dirty = [
                row
                for row in _rows(look, name)
                if untracked is None or row.startswith("??") is untracked
            ]
            dirty = _own(ledger, look, dirty)
            if dirty:
                return look, dirty[0].strip()
            if not name or name in line or name in look.text:
                return None
    return None


def _rows(look: Step, name: str) -> Iterator[str]:
    """The lines of a status that are about that tree: below a line that names it, or all where only it is asked."""
    lines = look.text[:_READ].split("\n")
    heads = [line for line in lines if line.strip() and not _DIRTY.match(line)]
    sections = bool(name) and any(name in line for line in heads)
    if name and not sections and name not in look.command_text:
        return
    if not name and re.search(r"\bgit -C\b|\bcd\b|worktree|\bfor\b", look.command_text):
        return  # of another tree
    if name and not sections and re.search(r"\bfor\b|;|&&", look.command_text):
        return  # of several, and nothing says which
    within = not sections
    for line in lines:
        if _DIRTY.match(line):
            if within:
                yield line
        elif sections and line.strip():
            within = name in line


def _own(ledger: Ledger, look: Step, rows: list[str]) -> list[str]:
    """The rows that are not of files which the turn itself changed before that look, or may have changed."""
    before = [step for step in ledger.steps[: look.order] if not (step.reads_only or step.control)]
    if any("opaque" in step.effects for step in before):
        return []
    mine = {path.rsplit("/", 1)[-1] for step in before for path in step.edited}
    return [row for row in rows if row.strip().rsplit("/", 1)[-1].rsplit(" ", 1)[-1] not in mine]
