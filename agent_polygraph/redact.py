"""Secrets out of a text before it is shown or stored; receipt tokens stay.

A receipt is no secret and is worth nothing once a character of it is masked, yet it looks like one to
a leak detector: long, random, base64.  O(characters); every repeat is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ._lazy import regex
from .tokens import find

MASK = "[redacted]"

# What vendors print on their keys, and the places where a secret has a name.
_PREFIXED = regex(
    r"(?<![A-Za-z0-9])(?:sk-|rk_live_|sk_live_|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abpr]-|AKIA|ASIA"
    r"|AIza|ya29\.|hf_|npm_|pypi-|SG\.|eyJ)[A-Za-z0-9_.+/=-]{12,4000}"
)
_NAMED = regex(
    r"((?:(?:api[_-]?key|secret|token|passw(?:or)?d|authorization)[\"']?\s?[:=]\s?[\"']?(?:bearer\s)?"
    r"|bearer\s))([A-Za-z0-9_.+/=~-]{12,4000})",
    re.IGNORECASE,
)
_BLOCK = regex(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,20000}"
    r"-----END [A-Z ]{0,40}-----"
)


def redact(text: str, patterns: Iterable[re.Pattern[str]] = ()) -> str:
    """`text` with what looks like a secret masked, and every receipt token left as it is.

    patterns: further ones, each match of which is masked whole.
    """
    parts: list[str] = []
    done = 0
    extra = tuple(patterns)
    for token in find(text):
        # A token that is cut or mangled is no receipt, and may be anything.
        if token.whole:
            parts += [_masked(text[done : token.start], extra), text[token.start : token.end]]
            done = token.end
    return "".join([*parts, _masked(text[done:], extra)])


def _masked(text: str, extra: tuple[re.Pattern[str], ...]) -> str:
    text = _BLOCK.sub(MASK, text)
    text = _PREFIXED.sub(MASK, text)
    text = _NAMED.sub(lambda match: match.group(1) + MASK, text)
    for pattern in extra:
        text = pattern.sub(MASK, text)
    return text
