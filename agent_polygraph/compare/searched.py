"""A search told of the whole repository, where every search of the turn was of one of its folders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .._lazy import regex
from ..binding import Turn
from ..binding.words import PIECES
from ..evidence.step import Step
from .codes import stated_at
from .mismatch import Short

# What a tree of code is called.
_TREE = r"(?:repo(?:sitory|s(?:itorio)?)?|code ?base|code|project|workspace|monorepo|(?:source )?tree|projekt\w*)"
_WHOLE = regex(
    rf"\b(?:whole|entire|full|complete) {_TREE}\b"
    rf"|\b(?:anywhere|elsewhere|everywhere)(?: else)? in (?:the|this|your) {_TREE}\b"
    rf"|\ball (?:of|over|across) the {_TREE}\b|\bacross the (?:whole )?{_TREE}\b|\b(?:repo|codebase|project)-wide\b"
    r"|\b(?:ganze[nrsm]?|gesamte[nrsm]?|komplette[nrsm]?) (?:Repo\w*|Code\w*|Projekt\w*)\b"
    r"|\btodo el (?:repo\w*|código|proyecto)\b|\btout le (?:dépôt|code|projet|repo)\b"
    r"|\btutto il (?:repo\w*|codice|progetto)\b|\btodo o (?:repo\w*|código|projeto)\b"
    r"|(?:リポジトリ|コードベース|プロジェクト)全体"
    r"|(?:整个|全)(?:仓库|代码库|项目)|(?:저장소|코드베이스|프로젝트) 전체",
    re.IGNORECASE,
)
_SEARCHED = regex(
    r"\bsearch\w*\b|\bgrep\w*\b|\blook(?:ed|ing) (?:for|through)\b|\bchecked\b|\bscann?\w*\b"
    r"|\bno (?:other|more|further)\b"
    r"|\bnothing\b|\bnobody\b|\bnowhere\b|\bnone\b|\bonly (?:call|use|usage|place|reference|caller)\w*\b"
    r"|\b(?:durch)?such\w*\b|\bgepr\u00fcft\b|\bbusqu\w*\b|\bbusc\w*\b|\bcherch\w*\b|\bcerc\w*\b|\bprocur\w*\b"
    r"|検索|探し|搜索|查找|검색",
    re.IGNORECASE,
)
_GREPS = frozenset("grep egrep fgrep rg ag ack".split())
_TAKE_NEXT = frozenset(
    "-e -f -g -t -T -A -B -C -m -d -j --glob --type --include --exclude --exclude-dir --iglob"
    " --max-count --context".split()
)


def narrow_search(turn: Turn) -> Iterator[Short]:
    """`nobody else uses it: I searched the whole repository` over `rg NAME libs/auth`, and no wider look."""
    document = turn.closing.document
    told = list(_WHOLE.finditer(document.text))[:_TOLD]
    if not told or turn.ledger.delegates:
        return
    looks = [step for step in turn.ledger.acts if "search" in step.effects]
    if not looks or any("script" in step.effects for step in turn.ledger.acts):
        return
    low = document.text.casefold()
    sought = [(step, where) for step in looks for what, where in _searches(step) if what in low]
    if not sought or any(not where or _shallow(where) for _, where in sought):
        return
    if len({where.split("/")[0] for _, where in sought}) > 1:
        return  # these may be all there are
    if any(map(_wide, turn.ledger.acts)):
        return
    for at in told:
        claim = stated_at(turn, at.start())
        if claim is None:
            continue
        start, end = document.sentences[claim.clause.sentence]
        if _NOT.search(document.text, claim.start, at.start()):
            continue
        if _SEARCHED.search(document.text, start, end) is None:
            continue
        if any(
            d.kind in ("skipped", "unverified")
            or ("search" in d.effects and d.start != claim.start)
            for d in turn.disclosures
        ):
            return
        last, where = sought[-1]
        # that nobody uses it takes nothing back
        claim = replace(claim, kind="denial")
        yield Short(claim, last, f"only {where} was searched for it", last.command_text or where)
        return


_NOT = regex(
    r"\b(?:not|never|without|nicht|ohne|pas|sans|sin|senza|sem|não|non)\b|n['’]t\b", re.IGNORECASE
)
_TOLD = 8  # passages that are looked at


def _searches(step: Step) -> list[tuple[str, str]]:
    """(what is looked for, lower case; where, "" for everywhere) of each search of the call."""
    if step.command is None:
        if not isinstance(step.arguments, dict):
            return []
        what = step.arguments.get("pattern") or step.arguments.get("query") or ""
        where = step.arguments.get("path") or step.arguments.get("directory") or ""
        return [_pair(what, where)] if isinstance(what, str) and isinstance(where, str) else []
    found: list[tuple[str, str]] = []
    for part in step.command.parts:
        words = part.words[2:] if part.words[:2] == ("git", "grep") else part.words[1:]
        if part.program not in _GREPS and part.words[:2] != ("git", "grep"):
            continue
        if part.before in ("|", "|&"):
            continue  # it filters what another program prints
        plain = [
            word
            for n, word in enumerate(words)
            if not word.startswith("-") and (n == 0 or words[n - 1] not in _TAKE_NEXT)
        ]
        found += [_pair(plain[0], where) for where in plain[1:] or [""]] if plain else []
    return found


def _pair(what: str, where: str) -> tuple[str, str]:
    names = [word for word in PIECES.findall(what.casefold()) if len(word) > 3]
    longest = max(names, key=len, default=what.casefold())
    return longest, where.strip().removeprefix("./").rstrip("/")


def _shallow(where: str) -> bool:
    """A top folder may hold all the code there is."""
    return where in (".", "..") or where.startswith(("/", "~", "$")) or "/" not in where


def _wide(step: Step) -> bool:
    """A look at all of the tree: a search without a place, `xargs grep`, `git log -S`, a compiler's run."""
    parts = step.command.parts if step.command is not None else ()
    return (
        any(not where or where in (".", "*") for _, where in _searches(step))
        or any(part.program == "xargs" for part in parts)
        or any(
            word[:2] in ("-S", "-G")
            for part in parts
            if part.program == "git"
            for word in part.words
        )
        or any(kind in ("types", "build") for _, kind, _ in step.checks_run)
    )
