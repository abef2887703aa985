"""A commit told to be on another branch than git says: `committed to release/2.4` over `[main d02c9e7]`.

O(commits + sentences that give their sha), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import regex
from ..binding import Turn
from .codes import stated_at
from .mismatch import Mismatch

_MOST = 20  # commits of a turn, the last ones
_MADE = regex(r"^\[([\w./-]{1,80})(?: \(root-commit\))? ([0-9a-f]{7,40})\] ", re.MULTILINE)
_ON = regex(
    r"\bcommit\w*\b[^.`\n]{0,30}?\b(?:to|on|onto|auf|nach|sur|en|a|su|em) (?:the )?(?:branch )?`([\w./-]{2,80})`"
    r"|`([\w./-]{2,80})` (?:に|へ|上)",
    re.IGNORECASE,
)


def on_another_branch(turn: Turn) -> Iterator[Mismatch]:
    """Sentences that give a commit of this turn and name a branch that it was not made on."""
    steps = [
        step for step in turn.ledger.acts if "commit" in step.effects and step.command is not None
    ]
    made = [
        (step, hit.group(1), hit.group(2))
        for step in steps[-_MOST:]
        for hit in _MADE.finditer(step.body)
    ]
    document = turn.closing.document
    moved = any(
        re.search(
            r"git (?:cherry-pick|merge|rebase|push|branch -[fmM]|checkout -[bB]|switch -c)",
            step.command_text,
        )
        for step in turn.ledger.acts
        if step.command is not None and made and step.order >= made[0][0].order
    )
    for step, branch, sha in () if moved else made:
        known = {b for _, b, _ in made}
        for start, end in document.sentences:
            sentence = document.text[start:end]
            if sha[:7] not in sentence:
                continue
            for found in _ON.finditer(sentence):
                told = found.group(1) or found.group(2)
                claim = stated_at(turn, start + found.start(1 if found.group(1) else 2))
                named = _is_branch(turn, told)
                if claim is not None and told not in known and named:
                    yield Mismatch(claim, step, told, branch, f"[{branch} {sha}]")
                    return


def _is_branch(turn: Turn, name: str) -> bool:
    """True for a name that a command line or git itself uses as that of a branch."""
    own = re.escape(name)
    used = re.compile(
        r"git (?:-C \S+ )?(?:checkout|switch|branch|worktree|push|merge|rebase|pull|fetch|log|diff)\b[^&|;\n]*"
        rf"(?<![\w/.-])(?:origin/)?{own}(?![\w/.-])"
    )
    shown = re.compile(rf"(?:^|[ *]|On branch |origin/|branch '){own}(?:'|$|\s)", re.MULTILINE)
    return name in turn.task or any(
        used.search(step.command_text)
        or ("branch" in step.command_text and shown.search(step.text[:20_000]))
        for step in turn.ledger.acts
        if step.command is not None
    )
