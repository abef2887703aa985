"""From clauses to claims: what the closing asserts, and what it discloses.

Strategy: every clause is tagged from the word tables of its language; from there on the rules know
tags only, so they are the same in every language.  A claim is one tag that asserts something (an
action done, a check passing, a thing working, a set complete ...) with the polarity that the tags
around it give.  A disclosure is a clause that says what did not happen.  Time is linear in the text.

The reader is built in layers: `clauses` (slices) - `voice` (who did it) - `polarity` (how it is meant) -
`statements` (the claims of a clause) - `disclosing` (what it admits) - `reader` (the walk).
"""

from __future__ import annotations

from ...evidence.values import regrouped
from .. import lexicon
from ..lexicon import Tag
from ..text import read
from .forms import ASSERTED, POLARITIES, Claim, Closing, Count, Disclosure, code_values
from .reader import Reader

__all__ = [
    "ASSERTED",
    "POLARITIES",
    "Claim",
    "Closing",
    "Count",
    "Disclosure",
    "code_values",
    "parse",
]

_DOT_GROUPS = ("de", "es", "pt", "it")  # `9.000` is nine thousand


def parse(text: str, most: int = 400, context: str = "") -> Closing:
    """Read a closing; at most `most` claims.  `context`: what was asked.  O(characters)."""
    document = read(text)
    languages = lexicon.detect(document.masked, context)
    closing = Closing(document, languages)
    if not languages:
        return closing
    if languages[0] in _DOT_GROUPS:
        document.values = regrouped(document.values)
    tokens = lexicon.tokenize(document.masked)
    closing.tags = [
        tag
        for tag in lexicon.tag_all(document.masked, tokens, languages)
        if not (tag.name.startswith("numbers.") and _compound(document.masked, tag))
        and not (tag.name == "polarity.hedge" and _month(text, tag))
    ]
    Reader(closing, tokens, most).read()
    return closing


def _compound(text: str, tag: Tag) -> bool:
    """`quarante-deux`, `twenty-one`: half a number."""
    before, after = text[max(0, tag.start - 2) : tag.start], text[tag.end : tag.end + 2]
    return (before[-1:] == "-" and before[:1].isalpha()) or (
        after[:1] == "-" and after[1:].isalpha()
    )


def _month(text: str, tag: Tag) -> bool:
    """`21 May`, `May 21`: no modal verb."""
    around = text[max(0, tag.start - 3) : tag.start] + text[tag.end : tag.end + 3]
    return text[tag.start : tag.end] == "May" and any(c.isdigit() for c in around)
