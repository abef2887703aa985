"""Which files a call names and which it changes, and what kind of file a path is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .._lazy import kept, regex
from . import effects, shell, values

if TYPE_CHECKING:
    from .step import Step


_PATH_KEYS = frozenset(
    "path file_path filepath file filename paths files notebook_path target_file filename_path"
    " relative_path"
    " abs_path absolute_path output_path fichier archivo datei arquivo ruta pfad chemin caminho"
    " percorso fichero".split()
)
_BRINGS = frozenset("pull merge rebase cherry-pick apply am revert".split())
_DIFFSTAT = regex(r"^ {0,3}(\S{1,200}?)\s+\|\s+(?:\d+|Bin)\b", re.MULTILINE)
_MANAGERS_JS = ("npm", "pnpm", "yarn", "bun")
_ADDERS = {
    **dict.fromkeys(_MANAGERS_JS, frozenset({"install", "i", "add", "update", "upgrade", "remove", "uninstall"})),
    "cargo": frozenset({"add", "update"}), "uv": frozenset({"add", "remove"}),
    "poetry": frozenset({"add", "remove", "update"}),
}  # fmt: skip
_NO_PATH = regex(r"[\s{}()=;<>$&|*\"']")
_OF_PEOPLE = regex(
    r"assign|owner|user|author|sender|from|reviewer|contact|login|caller|requester|approver|by$",
    re.IGNORECASE,
)
_DOCS = frozenset(
    "md mdx rst txt adoc markdown org png jpg jpeg gif svg webp pdf ico license docx odt pptx"
    " wav mp3 mp4 mov ogg flac csv tsv xlsx xls zip gz tar tgz bz2 parquet log bak xlf xliff po pot".split()
)
_DOC_NAMES = frozenset(
    "license changelog changes authors contributors notice readme copying todo notes codeowners"
    " .gitignore .editorconfig memory".split()
)
_TEST_PATH = regex(
    r"(^|[/_.-])(tests?|specs?|__tests__|e2e|testing|cypress|features)([/_.-]|$)|test\.|tests?\b"
    r"|spec\.|_spec|Tests?\.|IT\.java"
)
_CHANGES = frozenset({"edit", "create", "save", "delete", "rename", "move", "revert"})
_PATCH_FILE = regex(
    r"^\*\*\* (?:Add|Update|Delete|Move to):? ?(?:File: )?(\S.{0,200})$|^\+\+\+ [ab]/(\S{1,200})",
    re.MULTILINE,
)


def named(step: Step) -> tuple[str, ...]:
    """Normal forms of the paths that the call names, most telling first."""
    found: list[str] = []
    arguments = step.arguments
    for key, text in step.argument_leaves:
        if key in _PATH_KEYS and 0 < len(text) < 400 and "\n" not in text:
            found.append(values.norm_path(text))
    if step.command is not None:
        for part in step.command.parts:
            found += [values.norm_path(path) for path in part.writes]
            for word in part.words[1:]:
                hit = values.classify(word.strip("'\"")) if len(word) < 300 else None
                if hit and hit[0] == "path":
                    found.append(hit[1])
    elif isinstance(arguments, (str, dict)):
        text = (
            arguments
            if isinstance(arguments, str)
            else str(
                arguments.get("patch") or arguments.get("input") or arguments.get("diff") or ""
            )
        )
        if "***" in text or "+++" in text:
            found += [
                values.norm_path((m.group(1) or m.group(2)).strip())
                for m in _PATCH_FILE.finditer(text[:64_000])
            ]
    return tuple(dict.fromkeys(filter(None, found)))


def changed(step: Step) -> tuple[str, ...]:
    """Paths that the call changes; empty where it changes none."""
    if step.control or step.reads_only:
        return ()
    if step.command is not None:
        found: list[str] = []
        for part in step.command.parts:
            found += [values.norm_path(path) for path in part.writes]
            does = effects.of_simple(part)
            if does & {"edit", "delete", "move", "rename"} and part.program in (
                "sed", "perl", "mv", "rm", "cp", "touch", "git", "patch", "tee",
            ):  # fmt: skip
                words = _without_script(part.words) if part.program == "sed" else part.words
                found += [
                    hit[1]
                    for word in words[1:]
                    if not word.startswith(("s/", "s|", "s#"))
                    and (hit := values.classify(word))
                    and hit[0] == "path"
                    and (
                        part.program != "git" or "." in hit[1].rsplit("/", 1)[-1]
                    )  # a branch is no file
                ]
            if part.program == "tee":
                found += [values.norm_path(w) for w in part.words[1:] if not w.startswith("-")]
            found += _pulled(step, part)
        return tuple(dict.fromkeys(found))
    if step.effects & _CHANGES:
        return step.paths or ((step.lone_path,) if _has_suffix(step.lone_path) else ())
    return (step.lone_path,) if _unnamed_edit(step) else ()


def _has_suffix(path: str) -> bool:
    """True for what is surely a file: `Europe/Berlin` is none."""
    return "." in path.rsplit("/", 1)[-1]


def _pulled(step: Step, part: shell.Simple) -> list[str]:
    """Files that came in with `git pull` and its kin, or that a package manager rewrote."""
    words = [word for word in part.words[1:] if not word.startswith("-")]
    if (
        part.program in _ADDERS
        and len(words) > 1
        and words[0] in _ADDERS[part.program]
        and "-g" not in part.words
        and "--global" not in part.words
    ):
        return ["package.json"] if part.program in _MANAGERS_JS else [f"{part.program}.toml"]
    if part.program != "git" or not words or words[0] not in _BRINGS:
        return []
    found = [m.group(1) for m in _DIFFSTAT.finditer(step.text[:8_000])]
    if "--name-only" in step.command_text or "--name-status" in step.command_text:
        found += [
            hit[1] for line in step.text[:8_000].split("\n")[:200]
            if (pieces := line.split())
            and len(pieces) <= 2
            and (hit := values.classify(pieces[-1]))
            and hit[0] == "path"
        ]  # fmt: skip
    return [values.norm_path(path) for path in found[:100]]


def lone(step: Step) -> str:
    """The one path among the arguments of a call whose names we can't read."""
    if not isinstance(step.arguments, dict):
        return ""
    found = [
        hit[1]
        for key, text in step.arguments.items()
        if isinstance(text, str) and 0 < len(text) < 300 and not _NO_PATH.search(text)
        and not _OF_PEOPLE.search(str(key))
        and (hit := values.classify(text)) and hit[0] == "path"
    ]  # fmt: skip
    return found[0] if len(found) == 1 else ""


def _unnamed_edit(step: Step) -> bool:
    """A tool of unknown name that takes a path and one or two texts and answers with a word or two."""
    if (
        step.effects != {"opaque"}
        or not step.lone_path
        or step.result is None
        or len(step.text) > 60
    ):
        return False
    texts = [
        v
        for v in step.arguments.values()
        if isinstance(v, str) and values.norm_path(v) != step.lone_path
    ]
    if len(step.arguments) != len(texts) + 1:
        return False
    return len(texts) == 2 or (len(texts) == 1 and ("\n" in texts[0] or len(texts[0]) >= 16))


def ids(step: Step) -> frozenset[str]:
    """Normal forms of identifying values in the arguments: paths, ids, addresses, URLs."""
    found: set[str] = set(step.paths)
    for key, text in step.argument_leaves[:200]:
        if len(text) > 200:
            continue
        hit = values.classify(text.strip())
        if hit and hit[0] in ("id", "email", "url", "path", "sha", "number"):
            if hit[0] != "number" or key.endswith(("id", "number", "no", "key", "ref", "num")):
                found.add(hit[1])
        elif (
            key.endswith(
                (
                    "id",
                    "_id",
                    "name",
                    "to",
                    "target",
                    "service",
                    "env",
                    "branch",
                    "key",
                    "slug",
                    "title",
                    "recipient",
                )
            )
            and text
        ):
            found.add(text.casefold()[:100])
    return frozenset(found)


def _without_script(words: Sequence[str]) -> Sequence[str]:
    """A `sed` command line without the script that it runs: what is left are files."""
    if any(word in ("-e", "-f") or word.startswith(("--expression", "--file")) for word in words):
        return [
            w for before, w in zip(("", *words), words, strict=False) if before not in ("-e", "-f")
        ]
    script = next(
        (n for n, word in enumerate(words[1:], 1) if not word.startswith("-")), len(words)
    )
    return [*words[:script], *words[script + 1 :]]


# Another state than the one that the repository has.
_OTHERWISE = ("-b", "-B", "-p", "-s", "-t", "--ours", "--theirs", "--source", "--track")


def taken_back(step: Step) -> list[str]:
    """The files of `git checkout -- FILE`, `git restore FILE`; none for a branch, an index or a revision."""
    found: list[str] = []
    if step.command is None or "git" not in step.command_text.casefold():
        return found
    parts = step.command.parts
    if any(part.program not in ("git", "cd", "echo") for part in parts):
        return []  # the rest of the line may change it again
    for part in parts:
        words = part.words
        if part.program != "git" or len(words) < 3 or "--staged" in words:
            continue
        verb = next((word for word in words[1:] if word in ("checkout", "restore")), "")
        rest = words[words.index(verb) + 1 :] if verb else ()
        if verb and not any(word.startswith(_OTHERWISE) for word in rest):
            files = [word for word in rest if word[:1] != "-"]
            if all("." in word.rsplit("/", 1)[-1][1:] and "~" not in word for word in files):
                found += map(values.norm_path, files)
    return found


def is_doc(path: str) -> bool:
    """True for files whose change no test run can notice: prose, pictures, licences, notes."""
    name = path.rsplit("/", 1)[-1]
    stem, dot, suffix = name.rpartition(".")
    if (stem if dot else name).lower() in _DOC_NAMES or name in _DOC_NAMES:
        return True
    return bool(dot) and suffix.lower() in _DOCS


@kept(1024)
def is_test(path: str) -> bool:
    """True for files that hold checks."""
    return bool(_TEST_PATH.search(path))
