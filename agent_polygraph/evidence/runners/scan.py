"""From the text of a result to the runs that it sums up: find lines, fold them, settle.

The scan is one compiled pattern over all heads of `ROWS`; see the package for the strategy.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ..._lazy import regex
from .rows import LINE, QUOTE, ROWS, Row, RunSummary

# ------------------------------------------------------------------------------ the candidate lines

# What may stand before a head.  Each alternative takes at least one character and gives none back.
_BEFORE = (
    # a set that reaches over all planes takes 2 ms to compile, its complement none
    r"(?>(?=[#xX*,\d\[]|[^\x00-\x7f])(?:"
    r"[^\x00-\x7f][^\x00-\x7f]*+[ \t]*+"  # a symbol: a tick, a cross, a box line
    r"|[#xX*,][ \t]*+(?<=[ ,])"  # a TAP comment, an ASCII cross, git's mark of a ref
    r"|\d(?:\d*+[\t\u2192][ \t]*+"  # the gutter of a numbered listing
    r"|\d:\d\d(?::\d\d\S*+)?+[ \t]++|\d{3}-\d\d-\d\d[T ]\S++[ \t]++)"  # a time
    r"|\[(?:INFO|ERROR|WARNING|WARN|\d)\][ \t]++"  # a log level, a process of `concurrently`
    r"|#\d++ (?:[\d.]++ )?+"  # a step of an image build
    r")*+|)"
)
# The task in front of each line of a monorepo's log: `core test: `, `core:test: `.
_TASK = r"(?:test|lint|build|type|check|format|ci)[\w-]*+(?::[\w-]++)*+: "
# A word before a position in a file, before one of the few phrases that sum up in this shape, or
# before the task or the bar that labels each line of a monorepo's or a container's log.
_WORD = (
    r"(?P<p>[\w./@+-]++)(?:"
    r":(?:\d++(?::\d|:? ++(?:error|MD))| (?:command |not found|No module |line \d|\d++: )"
    rf"|(?P<k>{_TASK}))"
    r"|\(\d++,\d"
    r"| (?:configured|created|unchanged|scaled|deleted|restarted|patched|labeled|annotated|exposed"
    r"|rolled back|image upd|env upd|[ \t]*+: ok=\d"
    rf"|(?P<l>{_TASK}|[ \t]*+\| )))"
)
_LABELS = ("Output:", "output:", "stdout:", "stderr:", "STDOUT:", "STDERR:", "Stdout:", "Stderr:")
# What no head can find: a mark in the line, the rarest part of it before it, words of which the text has
# one, the shape of the line, and the name of its rows.
_SHAPES = (
    (
        "...",
        "....",
        ("Passed", "Failed", "Skipped"),
        regex(
            r"[^\n.]{1,120}+(?:\.[^\n.]{1,80}+){0,4}\.{3,}+(?:\([^)\n]{1,60}\))?"
            r"(?:Passed|Failed|Skipped)[ \t]*+(?=\n|\Z)"
        ),
        "<dots>",
    ),
    (
        "->",
        " -> ",
        ("..",),
        regex(r"(?:[ \t]*+\d++[\t\u2192])?+[ \t*+=-]{0,6}+(?=[0-9a-f]{7,40}\.\.)"),
        "<sha>",
    ),
    (
        "\t",
        "\thttp",
        ("\t",),
        regex(
            r"(?=[^\t\n]{1,200}+\t(?:pass|fail|pending|skipping|cancel) ?\t[^\t\n]{0,40}+\thttp)"
        ),
        "<tabs>",
    ),
)
_SHA = regex(r"[0-9a-f]{7,40}\Z")
# What the shell adds at the very end, behind a line that its command did not finish.
_LAST = regex(
    r"(?<=[^\n\w])(?:(exit(?: code)?[:=] ?\d{1,3})|\w*sh: line \d++: ++\d++ [A-Z]\w++ [^\n]*)"
    r"(?=\s*\Z|\s*\n[,}])"
)

_SCANNED = 7  # characters of a head that the scan looks for: few enough to compile fast, more than `return`


class _Heads:
    """The patterns that find a head, and the rows of each head in the order of `ROWS`."""

    def __init__(self) -> None:
        self.owners: dict[str, list[int]] = {}
        owners = self.owners
        for index, row in enumerate(ROWS):
            for head in row.heads.split("|"):
                owners.setdefault(head, []).append(index)
        self._rows: dict[str, tuple[Row, ...]] = {}
        scanned = sorted((*owners, *_LABELS), key=len, reverse=True)
        scanned = [head for head in scanned if head[0] != "<" or head[:2] in ("< ", "<t")]
        self.of_start: dict[str, list[str]] = {
            head[: _SCANNED + (head[0] == "@")]: [] for head in scanned
        }
        for head in scanned:
            for end in range(1, min(len(head), _SCANNED + 1) + 1):
                if head[:end] in self.of_start:
                    self.of_start[head[:end]].append(head)
        known = set(scanned)
        for start, heads in self.of_start.items():  # then the shorter ones that begin it
            heads += [start[:end] for end in range(len(start) - 1, 0, -1) if start[:end] in known]
        starts = [start for start in self.of_start if start[0] != "@"]
        lower = _any_of([start for start in starts if "a" <= start[0] <= "z"])
        upper = _any_of([start for start in starts if "A" <= start[0] <= "Z"])
        other = _any_of([start for start in starts if not start[0].isalpha()])
        words = _any_of([start[1:] for start in self.of_start if start[0] == "@"])
        head = (
            rf"[ \t]*+{_BEFORE}(?:(?P<h>(?=[a-z])(?:{lower})|(?=[A-Z])(?:{upper})|{other})"
            rf"|(?P<n>\d[\d,]*+(?:%|(?:/| of )\d++)?+) ++(?P<w>{words})"
            rf"|{_WORD})"
        )
        self.scan = re.compile(rf"\n{head}").finditer
        self.behind_label = regex(head)
        self.word = regex(_WORD)

    def rows(self, head: str) -> tuple[Row, ...]:
        """The rows of a head; the longest one of a line also answers for the heads that begin it."""
        if head not in self.owners:
            return ()
        if head not in self._rows:
            places = {i for n in range(len(head)) for i in self.owners.get(head[: n + 1], ())}
            self._rows[head] = tuple(ROWS[i] for i in sorted(places))
        return self._rows[head]

    def key(self, found: re.Match[str]) -> tuple[str, int]:
        """The head that was found, as `ROWS` writes it ("" for a mere label), and its offset."""
        group, text = found.lastgroup, found.string
        if group == "h":
            at = found.start("h")
            for head in self.of_start[found["h"]]:
                if text.startswith(head, at):
                    return ("" if head in _LABELS else head), at
            return "?", at
        if group == "w":
            at = found.start("w")
            for head in self.of_start["@" + found["w"]]:
                if text.startswith(head[1:], at):
                    return head, found.start("n")
            return "?", found.start("n")
        if group == "p":
            word, end = found["p"], found.end("p")
            if text[end] in " \t" or text.startswith(": ", end):
                return "<word>", found.start("p")
            return ("<0>" if word.isdigit() else f"<{word[word.rfind('.') :]}>"), found.start("p")
        return "", found.end()


_heads: list[_Heads] = []  # made at the first use: importing stays cheap


def _any_of(literals: Sequence[str]) -> str:
    """An alternation of literals, the longest first, grouped by first character for speed."""
    groups: dict[str, list[str]] = {}
    for literal in sorted(literals, key=lambda text: (-len(text), text)):
        groups.setdefault(literal[0], []).append(re.escape(literal[1:]))
    return "|".join(
        re.escape(first) + (rests[0] if len(rests) == 1 else f"(?:{'|'.join(rests)})")
        for first, rests in sorted(groups.items())
    )


class _Hit(NamedTuple):
    """A row that matched the line at `at`; `others` are rows behind it that may match as well."""

    at: int
    end: int
    row: Row
    match: re.Match[str]
    line: str
    others: Sequence[Row]


def _hits(text: str) -> list[_Hit]:
    """Every line of `text` (which begins with a line break) that one of the rows matches."""
    if not _heads:
        _heads.append(_Heads())
    heads = _heads[0]
    hits: list[_Hit] = []
    for found in heads.scan(text):
        head = found
        for _ in range(4):  # a label may stand in front of a label
            key, at = heads.key(head)
            if key and _try(text, found.start() + 1, at, heads.rows(key), hits):
                break
            if head.lastgroup == "h":  # a label, or a path that begins like a head
                follows = (
                    heads.word.match(text, at)
                    if key
                    else heads.behind_label.match(text, text.index(":", at) + 1)
                )
            elif key or _SHA.match(head["p"]):  # a sha is no label, but a line of a log
                break
            else:
                follows = heads.behind_label.match(text, head.end())
            if follows is None:
                break
            head = follows
    regular = len(hits)
    for rare, mark, needed, shape, key in _SHAPES:
        at = text.find(mark) if rare in text else -1
        if at >= 0 and not any(word in text for word in needed):
            continue
        while at >= 0:
            begin = text.rfind("\n", max(0, at - LINE), at) + 1
            if begin and (shaped := shape.match(text, begin)):
                start = shaped.end() if key != "<dots>" else begin
                _try(text, start, start, heads.rows(key), hits)
            at = text.find("\n", at)
            at = text.find(mark, at) if at >= 0 else -1
    end = text[-160:]
    if ("xit" in end or ": line " in end) and (last := _LAST.search(end)):
        at = len(text) - len(end) + last.start()
        if all(hit.at < at for hit in hits[-1:]):
            _try(text, at, at, heads.rows("exit" if last[1] else "<killed>"), hits)
    if len(hits) > regular:
        hits.sort(key=lambda hit: hit.at)
    return hits


def _try(text: str, begin: int, at: int, rows: Sequence[Row], hits: list[_Hit]) -> bool:
    """Add the hit of the first of `rows` that matches at `at`; `begin` is where the line starts."""
    end = text.find("\n", at, begin + LINE)
    if end < 0:
        end = min(len(text), begin + LINE)
    line = text[begin:end].rstrip()
    for index, row in enumerate(rows):
        if match := row.match(line, at - begin):
            if row.last and (end + 200 < len(text) or not (text[end:] or " ").isspace()):
                continue
            said = line[at - begin : at - begin + QUOTE]
            hits.append(_Hit(at, end, row, match, said, rows[index + 1 :] if row.needs else ()))
            return True
    return False


# ------------------------------------------------------------------------------- folding into runs

_WORDS = {
    **dict.fromkeys(("passed", "passing", "pass", "succeeded", "successful"), "passed"),
    **dict.fromkeys(
        ("failed", "failing", "fail", "failure", "failures", "invalid", "subtests failed"), "failed"
    ),
    **dict.fromkeys(("errors", "error", "errored"), "errors"),
    **dict.fromkeys(("skipped", "skips", "pending", "ignored", "disabled", "todo"), "skipped"),
    **dict.fromkeys(("total", "tests", "test", "doctest", "doctests", "properties"), "total"),
    **dict.fromkeys(("excluded", "deselected"), "left"),
    **dict.fromkeys(("xfailed", "xpassed", "flaky", "risky", "warnings"), "other"),
}
_COUNT = regex(r"(\d{1,9}) (subtests failed|[a-z]+)|([a-z]+)[:=] ?(\d{1,9})", re.I)
_FIELDS = ("passed", "failed", "errors", "skipped", "total", "files")
_FAILING = ("killed", "timeout", "error", "failed", "partial")  # the worst first
_RANK = {name: rank for rank, name in enumerate((*_FAILING, "passed", "skipped", "empty"))}


def _numbers(match: re.Match[str]) -> dict[str, int]:
    """The counts that a line gives, by field of RunSummary (and `other`)."""
    out: dict[str, int] = {}
    for name, digits in match.groupdict().items():
        if not digits:
            continue
        if name == "n":
            for count, word, key, value in _COUNT.findall(digits):
                if field := _WORDS.get((word or key).lower()):
                    out[field] = out.get(field, 0) + int(count or value)
        elif name in _FIELDS:
            out[name] = int(digits.replace(",", "")[:9])
    return out


class _Run:
    """The lines of one run so far."""

    __slots__ = (
        "counted",
        "end",
        "hard",
        "kinds",
        "marks",
        "numbers",
        "parts",
        "runner",
        "start",
        "wraps",
    )

    def __init__(self, runner: str, start: int) -> None:
        self.runner, self.start, self.end = runner, start, start
        self.hard = self.counted = False
        self.wraps = True
        self.kinds: list[str] = []
        self.parts: set[str] = set()
        # By hardness: the outcome, offset and text of each line; and the counts.
        self.marks: tuple[list[tuple[str, int, str, str]], ...] = ([], [])
        self.numbers: tuple[dict[str, int], ...] = ({}, {})

    def add(self, row: Row, match: re.Match[str], hit: _Hit) -> None:
        hard = not row.soft
        numbers = self.numbers[hard]
        new = _numbers(match)
        if row.tick:
            new[row.tick] = new.get(row.tick, 0) + 1
        for field, number in new.items():
            numbers[field] = numbers.get(field, 0) + number if row.again == "sum" else number
        outcome = row.outcome if isinstance(row.outcome, str) else row.outcome(match)
        kind = row.kind if isinstance(row.kind, str) else row.kind(match)
        self.marks[hard].append((outcome, hit.at, hit.line, kind))
        self.kinds.append(kind)
        self.parts.add(row.part)
        self.hard |= hard
        self.wraps &= row.wraps
        self.end = hit.end

    def summary(self, back: _Back) -> RunSummary | None:
        """The run as one summary; None where its lines say nothing about an outcome."""
        marks, numbers = self.marks[self.hard], self.numbers[self.hard]
        kind = "test" if "test" in self.kinds else self.kinds[0]
        # A build that succeeded around skipped tests is no passing test run.
        outcomes = {mark[0] for mark in marks if mark[3] == kind or mark[0] in _FAILING}
        if "" in outcomes:
            outcomes.add(_counted(numbers))
        outcomes -= {"", "?"}
        if not outcomes:
            return None
        outcome = min(outcomes, key=_RANK.__getitem__)
        if (
            outcome == "passed"
            and kind == "test"
            and numbers
            and set(numbers) <= {"total", "files"}
        ):
            numbers["passed"] = numbers.get("total", 0)
        if outcome == "error" and kind == "test" and outcomes & {"passed", "failed"}:
            outcome = "failed"  # a part of it ran
        said = [mark for mark in marks if mark[0] == outcome]
        if not said or outcome not in _FAILING:
            said = [mark for mark in marks if mark[0] == ""] or said or marks
        _, at, line, _ = said[0]
        return RunSummary(
            self.runner,
            kind,
            outcome,
            line,
            back(at - 1),
            *(numbers.get(field) for field in _FIELDS),
        )


def _counted(numbers: dict[str, int]) -> str:
    """The outcome that the counts of a run mean; adds `passed` where only the total is given."""
    failed, errors = numbers.get("failed", 0), numbers.get("errors", 0)
    skipped = numbers.get("skipped", 0)
    if "passed" not in numbers and "total" in numbers:
        left = numbers.get("left", 0)
        numbers["passed"] = max(0, numbers["total"] - failed - errors - skipped - left)
    passed = numbers.get("passed", 0)
    if errors and not failed and not passed:
        return "error"
    if failed or errors:
        return "failed"
    if passed or numbers.get("other"):
        return "passed"
    return "skipped" if skipped else "empty"


def _fold(hits: list[_Hit]) -> list[_Run]:
    """The runs that the hits belong to, in order.  O(hits)."""
    runs: list[_Run] = []
    open_runs: dict[str, _Run] = {}
    for hit in hits:
        row, match = hit.row, hit.match
        family = _family(row, match)
        run = _continued(open_runs.get(family), row, hit.at)
        for other in hit.others:
            if run is not None or not row.needs:
                break
            if found := other.match(match.string, match.pos):
                row, match = other, found
                family = _family(row, match)
                run = _continued(open_runs.get(family), row, hit.at)
        if run is None:
            if row.needs:
                continue
            runner = row.runner if isinstance(row.runner, str) else row.runner(match)
            run = open_runs[family] = _Run(runner, hit.at)
            runs.append(run)
        run.add(row, match, hit)
        if row.closes:
            del open_runs[family]
    return runs


def _family(row: Row, match: re.Match[str]) -> str:
    """What folds together: one runner, or one command of it (the part `push.ref`)."""
    runner = row.runner if isinstance(row.runner, str) else row.runner(match)
    return runner + row.part.partition(".")[0] if "." in row.part else runner


def _continued(run: _Run | None, row: Row, at: int) -> _Run | None:
    """`run`, or None where a line of `row` at offset `at` does not belong to it."""
    if run is None or row.opens:
        return None
    if row.again == "new" and (row.part in run.parts or (not row.soft and at - run.end > row.near)):
        return None
    return run


def _settle(runs: list[_Run], back: _Back) -> list[RunSummary]:
    """The summaries of the runs, less those that only repeat what another one says.  O(runs)."""
    pairs = [(run, summary) for run in runs if (summary := run.summary(back)) is not None]
    pairs.sort(key=lambda pair: pair[1].start)
    # A run known by single diagnostics only is part of a run behind it that sums the work up.
    summed: dict[str, int] = {}
    for run, summary in pairs:
        if run.hard and not run.wraps:
            summed[summary.kind] = max(run.end, summed.get(summary.kind, 0))
    kept = [(run, s) for run, s in pairs if run.hard or run.end > summed.get(s.kind, -1)]
    proper = [not run.wraps for run, _ in kept]
    failing_ahead = any(p and s.outcome in _FAILING for p, (_, s) in zip(proper, kept, strict=True))
    out: list[RunSummary] = []
    for is_proper, (_, summary) in zip(proper, kept, strict=True):
        if not is_proper:
            if summary.outcome in _FAILING:
                echo = out[-1].outcome in _FAILING if out else failing_ahead
            else:
                echo = any(proper)
            if echo:
                continue
        out.append(summary)
    return out


# --------------------------------------------------------------------------------- text as it comes

_ANSI = regex(
    r"(?:\x1b|\\u001[bB]|\\x1b|\\033|\\e)\[[0-9;:?]{0,20}[A-Za-z]"
    r"|\x1b\][^\x07\x1b]{0,300}(?:\x07|\x1b\\)"
    r"|\[\d{1,3}(?:;\d{1,3}){0,4}m"
)
_CI_LOG = regex(
    r"^[^\t\n]{1,100}\t[^\t\n]{0,100}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]{8,20}Z ?", re.MULTILINE
)
_JSON = regex(r"\s*+(?:\w{1,20}:\s*+)?(?:\{\s*+[\"'}]|\[\s*+[{\"'])")
_UNICODE = regex(r"\\u[0-9a-fA-F]{4}")


def _unescape(text: str) -> str:
    """JSON (or Python's repr of it) with its strings on lines of their own; every offset stays."""
    if "\\" in text:
        text = text.replace("\\\\n", "  \n").replace("\\n", " \n").replace("\\r", " \r")
        text = text.replace("\\t", " \t").replace('\\"', "\0\0")
    text = (
        text.replace('": "', '": \n')
        .replace('":"', '":\n')
        .replace('",', "\n,")
        .replace('"}', "\n}")
    )
    if "': '" in text:
        text = text.replace("': '", "': \n").replace("',", "\n,").replace("'}", "\n}")
    if "\0\0:" in text:  # JSON inside a string of JSON
        text = text.replace("\0\0: \0\0", "  :  \n").replace("\0\0:\0\0", "  : \n")
        text = text.replace("\0\0,", " \n,").replace("\0\0}", " \n}")
    return text.replace("\0\0", '""')


def _character(escape: re.Match[str]) -> str:
    """The character that `\\uXXXX` stands for, padded to the length of the escape."""
    code = int(escape[0][2:], 16)
    return "      " if 0xD800 <= code < 0xE000 else chr(code).rjust(6)


class _Back:
    """Offsets of a text that had pieces taken out, turned into offsets of the text before."""

    def __init__(self) -> None:
        self.layers: list[tuple[list[int], list[int]]] = []

    def strip(self, pattern: re.Pattern[str], text: str) -> str:
        """`text` without what `pattern` matches."""
        parts: list[str] = []
        starts, shifts = [0], [0]
        at = gone = 0
        for found in pattern.finditer(text):
            parts.append(text[at : found.start()])
            at = found.end()
            gone += at - found.start()
            starts.append(at - gone)
            shifts.append(gone)
        if not gone:
            return text
        parts.append(text[at:])
        self.layers.append((starts, shifts))
        return "".join(parts)

    def __call__(self, offset: int) -> int:
        for starts, shifts in reversed(self.layers):
            offset += shifts[bisect_right(starts, offset) - 1]
        return offset


def read_summaries(text: str) -> tuple[RunSummary, ...]:
    """The runs that a tool result sums up, in order of appearance.

    `text` may be JSON around the output, coloured, numbered, prefixed or cut; what a runner prints
    over several lines for one run gives one summary, and several runs give several.  O(len(text)).
    """
    if not text:
        return ()
    back = _Back()
    clean = text
    if (
        ("\\" in text and ("\\u001b[" in text or "\\x1b[" in text or "\\033[" in text))
        or "\x1b" in text
        or "[39m" in text[-400:]
        or "[0m" in text[-400:]
    ):
        clean = back.strip(_ANSI, clean)
    escaped = "\\" in clean and "\\n" in clean
    if (escaped and clean.count("\\n") > clean.count("\n")) or (
        _JSON.match(clean) and (escaped or "pass" in clean or "fail" in clean or "xit" in clean)
    ):
        clean = _unescape(clean)
        if "\\u" in clean:
            clean = _UNICODE.sub(_character, clean)
    if "\r" in clean:
        clean = clean.replace("\r", "\n")
    if "Z " in clean[:400] and _CI_LOG.search(clean, 0, 400):
        clean = back.strip(_CI_LOG, clean)
    hits = _hits("\n" + clean)
    if not hits:
        return ()
    return tuple(_settle(_fold(hits), back))
