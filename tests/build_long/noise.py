"""Reusable noise: plausible file bodies, long runner output, log lines, exploring remarks.

Everything is drawn from a seeded generator, so a case builds to the same bytes every time.
Nothing here claims, checks or changes anything that a closing may speak about.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

VERBS = ("load", "parse", "merge", "resolve", "collect", "build", "apply", "refresh", "format")
TAILS = ("batch", "window", "entry", "index", "cursor", "header", "bucket", "range", "policy")


def camel(name: str) -> str:
    """`price_list` -> `PriceList`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def lower_camel(name: str) -> str:
    """`price_list` -> `priceList`."""
    word = camel(name)
    return word[:1].lower() + word[1:]


def _snippets() -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    text = (HERE / "snippets.txt").read_text(encoding="utf-8")
    for block in text.split("%% ")[1:]:
        ending, _, body = block.partition("\n")
        out.setdefault(ending.strip(), []).append(body.strip("\n"))
    return out


HERE = Path(__file__).parent
SNIPPETS = _snippets()
REMARKS: dict[str, list[str]] = tomllib.loads((HERE / "remarks.toml").read_text(encoding="utf-8"))
CAMEL_FILES = frozenset(("java", "kt", "cs", "swift", "php", "tsx"))
SAME_AS = {
    "tsx": "ts",
    "js": "ts",
    "mjs": "ts",
    "vue": "ts",
    "kt": "java",
    "cs": "java",
    "exs": "ex",
    "cc": "cpp",
    "h": "cpp",
    "hpp": "cpp",
    "swift": "cpp",
    "dart": "cpp",
    "yml": "yaml",
    "mdx": "md",
}


def _names(rng: random.Random, words: list[str]) -> tuple[str, str, str, str]:
    return rng.choice(words), rng.choice(words), rng.choice(VERBS), rng.choice(TAILS)


def _filled(rng: random.Random, snippet: str, words: list[str]) -> str:
    noun, other, verb, tail = _names(rng, words)
    values = {
        "noun": noun,
        "Noun": camel(noun),
        "other": other,
        "Other": camel(other),
        "verb": verb,
        "Verb": camel(verb),
        "tail": tail,
        "Tail": camel(tail),
        "fn": lower_camel(f"{verb}_{noun}_{tail}"),
        "Fn": camel(f"{verb}_{noun}_{tail}"),
        "n": str(rng.choice((10, 16, 25, 32, 50, 64))),
    }
    for key, value in values.items():
        snippet = snippet.replace(f"«{key}»", value)
    return snippet


def file_body(rng: random.Random, path: str, words: list[str], parts: int) -> str:
    """A file of `parts` pieces in the language of the path's ending."""
    ending = path.rsplit(".", 1)[-1]
    forms = SNIPPETS.get(SAME_AS.get(ending, ending), SNIPPETS["md"])
    return "\n\n".join(_filled(rng, rng.choice(forms), words) for _ in range(parts)) + "\n"


def symbol(rng: random.Random, words: list[str]) -> str:
    """A name worth searching for."""
    noun, _, verb, tail = _names(rng, words)
    return f"{verb}_{noun}_{tail}"


def clock(rng: random.Random) -> str:
    """A log time stamp."""
    return f"2026-09-{rng.randint(1, 28):02} {rng.randint(6, 22):02}:{rng.randint(0, 59):02}"


def log_lines(rng: random.Random, words: list[str], count: int) -> list[str]:
    """Application log lines, some with alarming words, none of them about a check."""
    forms = (
        "{t}:{s:02} INFO  {n}.{v} - {v} took {k} ms",
        "{t}:{s:02} DEBUG {n}.{x} - cache miss for {x} {k}",
        "{t}:{s:02} WARN  {n}.{x} - {x} {k} failed once, retrying (attempt 1 of 3)",
        "{t}:{s:02} ERROR {n}.{v} - simulated {x} error for case {k}",
        "{t}:{s:02} INFO  {n}.{x} - {x} {k} closed",
        "{t}:{s:02} WARN  {n} - deprecated option '{x}_{v}' is still in use",
    )
    return [
        rng.choice(forms).format(
            t=clock(rng),
            s=rng.randint(0, 59),
            n=rng.choice(words),
            v=rng.choice(VERBS),
            x=rng.choice(TAILS),
            k=rng.randint(2, 990),
        )
        for _ in range(count)
    ]


def _suite_names(rng: random.Random, words: list[str], count: int) -> list[str]:
    pool = [f"{noun}_{tail}" for noun in words for tail in TAILS]
    rng.shuffle(pool)
    return sorted(pool[:count])


def _pytest(rng: random.Random, words: list[str], count: int) -> list[str]:
    names = _suite_names(rng, words, count)
    return [
        f"tests/test_{name}.py {'.' * rng.randint(3, 24)}".ljust(72)
        + f"[{(n * 96) // count + 3:>3}%]"
        for n, name in enumerate(names)
    ]


def _vitest(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f" ✓ src/{name.replace('_', '-')}.test.ts ({rng.randint(2, 22)} tests) "
        f"{rng.randint(3, 480)}ms"
        for name in _suite_names(rng, words, count)
    ]


def _jest(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [f"PASS  src/{name}.test.js" for name in _suite_names(rng, words, count)]


def _gotest(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"ok  \texample.com/app/internal/{name}\t{rng.randint(3, 900) / 1000:.3f}s"
        for name in _suite_names(rng, words, count)
    ]


def _cargo(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [f"test {name}::keeps_order ... ok" for name in _suite_names(rng, words, count)]


def _maven(rng: random.Random, words: list[str], count: int) -> list[str]:
    out: list[str] = []
    for name in _suite_names(rng, words, count):
        tests = rng.randint(2, 14)
        out.append(f"[INFO] Running com.example.{camel(name)}Test")
        out.append(
            f"[INFO] Tests run: {tests}, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: "
            f"{rng.randint(20, 900) / 1000:.3f} s -- in com.example.{camel(name)}Test"
        )
    return out


def _ctest(rng: random.Random, words: list[str], count: int) -> list[str]:
    out: list[str] = []
    for n, name in enumerate(_suite_names(rng, words, count), 1):
        out.append(f"      Start {n:>2}: {name}")
        out.append(
            f"{n:>2}/{count} Test #{n}: {name} ".ljust(48, ".")
            + f"   Passed    {rng.randint(1, 90) / 100:.2f} sec"
        )
    return out


def _npm(rng: random.Random, words: list[str], count: int) -> list[str]:
    names = ("inflight", "glob", "rimraf", "abab", "domexception", "sourcemap-codec", "uuid", "q")
    return [
        f"npm warn deprecated {rng.choice(names)}@{rng.randint(1, 8)}.{rng.randint(0, 9)}.0: "
        "this version is no longer supported"
        for _ in range(count)
    ]


def _build(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"[{n * 100 // count:>3}%] Building CXX object src/CMakeFiles/app.dir/{name}.cc.o"
        for n, name in enumerate(_suite_names(rng, words, count))
    ]


def _docker(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"#{n} [stage-1 {n}/{count}] COPY {rng.choice(words)} /app/{rng.choice(TAILS)} "
        f"DONE {rng.randint(1, 40) / 10}s"
        for n in range(1, count + 1)
    ]


def _listing(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"-rw-r--r-- 1 dev dev {rng.randint(120, 48000):>6} Sep {rng.randint(1, 28):>2} "
        f"{rng.randint(6, 22):02}:{rng.randint(0, 59):02} {name}"
        for name in _suite_names(rng, words, count)
    ]


def _refresh(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"aws_{rng.choice(words)}_{rng.choice(TAILS)}.{rng.choice(words)}: Refreshing state... "
        f"[id={rng.randrange(16**8):08x}]"
        for _ in range(count)
    ]


def _rows(rng: random.Random, words: list[str], count: int) -> list[str]:
    return [
        f"{rng.randint(1000, 9999)},{rng.choice(words)},{rng.choice(TAILS)},"
        f"{rng.randint(100, 99999) / 100:.2f}"
        for _ in range(count)
    ]


def _commits(rng: random.Random, words: list[str], count: int) -> list[str]:
    forms = (
        "fix {x} of the {n}",
        "{n}: keep the {x} when it is empty",
        "docs: explain the {n} {x}",
        "chore: bump {n} tooling",
        "feat({n}): {v} by {x}",
    )
    return [
        f"{rng.randrange(16**7):07x} "
        + rng.choice(forms).format(n=rng.choice(words), x=rng.choice(TAILS), v=rng.choice(VERBS))
        for _ in range(count)
    ]


MACROS: dict[str, Callable[[random.Random, list[str], int], list[str]]] = {
    "logs": log_lines,
    "pytest": _pytest,
    "vitest": _vitest,
    "jest": _jest,
    "gotest": _gotest,
    "cargo": _cargo,
    "maven": _maven,
    "ctest": _ctest,
    "npm": _npm,
    "build": _build,
    "docker": _docker,
    "listing": _listing,
    "refresh": _refresh,
    "rows": _rows,
    "commits": _commits,
}


def remark(rng: random.Random, language: str, words: list[str]) -> str:
    """A sentence an agent says between two looks."""
    forms = REMARKS.get(language, REMARKS["en"])
    return rng.choice(forms).format(n=rng.choice(words), x=rng.choice(TAILS))


_GREEN = re.compile(r"\d+ passed|✓|\bPASS\b")
_RED = re.compile("\\d+ failed|\u00d7|\\bFAIL\\b")


def colour(text: str) -> str:
    """Runner output as a terminal would get it, with ANSI colours."""
    text = _GREEN.sub(lambda m: f"\x1b[32m{m.group()}\x1b[39m", text)
    return _RED.sub(lambda m: f"\x1b[31m{m.group()}\x1b[39m", text)
