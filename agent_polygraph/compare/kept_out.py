"""What is told to be untouched and was changed: `nothing under src/legacy was changed` over an edit in there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..evidence.touched import taken_back
from ..evidence.values import same_path
from .mismatch import Short

_MOST = 40  # names in code that are looked up
_CHANGED = r"(?:touch\w*|chang\w*|edit\w*|modif\w*|alter\w*)"
# Before the name, and behind it.
_BEFORE = regex(
    rf"\b(?:nothing|no (?:file|line|code)s?)\b[^.;\n]{{0,20}}\b(?:under|in|inside|below|of) [`*]{{0,2}}\Z"
    rf"|\b(?:not|never|n['’]t) {_CHANGED}(?: (?:anything|any file|a line|files?))?(?: (?:under|in|inside|below))?"
    r"(?: the)? [`*]{0,2}\Z"
    r"|\b(?:nichts|keine (?:Datei|Zeile))\b[^.;\n]{0,20}\b(?:unter|in) [`*]{0,2}\Z"
    r"|\brien (?:sous|dans) [`*]{0,2}\Z|\bnada (?:en|bajo|em|sob) [`*]{0,2}\Z|\bniente (?:in|sotto) [`*]{0,2}\Z",
    re.IGNORECASE,
)
_BEHIND = regex(
    rf"[`*]{{0,2}}\s?(?:(?:is|are|was|were|stays?|remains?) "
    r"(?:un(?:touched|changed|modified)|as (?:it|they) (?:was|were))"
    rf"|(?:is|was|were|are|has been|have been) (?:not|n['’]t) {_CHANGED}|(?:alone|untouched|unchanged|as is)\b"
    r"|(?:ist|sind|bleibt|blieb) (?:unverändert|unberührt)|(?:no se ha tocado|no cambia|sin cambios|queda igual)"
    r"|n'a pas (?:changé|été (?:modifié|touché))|reste inchangé"
    r"|(?:não foi alterad|não mudou|non è stat[oa] (?:toccat|modificat)))",
    re.IGNORECASE,
)
_NOTHING_IN = regex(r"(?:nothing|no |nichts|keine|rien|nada|niente)", re.IGNORECASE)
_DONE_TO_IT = regex(
    rf"[`*]{{0,2}}\s?(?:(?:was|were|is|has been|have been|had to be|wurde|ist|n'a été|se ha|foi|è stato) ?)?{_CHANGED}"
    r"|[`*]{0,2}\s?(?:wurde |ist )?(?:geändert|angefasst|modifié|cambiado|tocado|alterado|modificato|toccato)",
    re.IGNORECASE,
)
# `callers of parser.py are unchanged`
_PART_OF_IT = regex(
    r"\b(?:in|of|from|to|under|inside|for|von|aus|de|dans|en|di|do) (?:the )?[`*]{0,2}\Z",
    re.IGNORECASE,
)
_ELSE = regex(
    r"\b(?:else|other|others|besides|apart|except|only|further|beyond|sonst|weiter|außer|autre|sauf|más|otro|salvo|outr|altro"
    r"|public|behaviou?r|API|interface|signature|yet|still|before)\b",
    re.IGNORECASE,
)


def kept_out(turn: Turn) -> Iterator[Short]:
    """Files that an edit of this turn changed and the closing calls untouched."""
    # what a command line wrote may be a copy
    edits = [(s, path) for s, path in turn.ledger.edits if s.command is None and not s.outcome.bad]
    document = turn.closing.document
    text = document.text
    undone = [path for step in turn.ledger.acts for path in taken_back(step)] if edits else []
    for start, end in document.code[:_MOST] if edits else ():
        name = text[start:end].strip("`").strip().rstrip("/*")
        if len(name) < 4 or " " in name or not ("/" in name or "." in name[1:-1]):
            continue
        clause = document.statement_at(start)
        if clause is None or _ELSE.search(text, clause.start, clause.end):
            continue
        before = text[clause.start : start]
        denied = _BEFORE.search(before)
        if denied and _NOTHING_IN.match(denied.group()) and not _DONE_TO_IT.match(text, end):
            continue  # `nothing in settings.py handled this case`
        if not denied and (_BEHIND.match(text, end) is None or _PART_OF_IT.search(before)):
            continue
        for step, path in edits:
            inside = same_path(path, name) or f"/{name.strip('/')}/" in f"/{path.lstrip('/')}"
            again = sum(same_path(path, other) for _, other in edits) > 1  # it may be as it was
            if inside and not again and not any(same_path(path, back) for back in undone):
                claim = Claim("denial", "edit", clause.start, clause.end, clause, "asserted")
                yield Short(claim, step, f"an edit of this turn changed {path}")
                return
