"""How many rows were changed: `3,588 rows were removed` over `DELETE 2588`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from .._lazy import has_any, regex
from ..binding import Turn
from ..evidence.figures import subset_sums
from ..evidence.values import number
from .codes import stated_at
from .mismatch import Mismatch
from .tally import tally

_MOST = 20  # such numbers of a closing
_VERBS = {
    "DELETE": r"delet|remov|purg|drop|gelösch|entfern|eliminad|borrad|supprim|effac|eliminat|cancellat|removid|apagad",
    "UPDATE": r"updat|chang|set\b|aktualisier|geändert|actualizad|modificad|mise?s? à jour|aggiornat|atualiz",
    "INSERT": r"insert|add|import|load|eingefüg|importier|insertad|importad|insér|importé|inserit|importat|inserid",
}
_DONE = regex(r"^(DELETE|UPDATE|INSERT)(?: 0)? (\d{1,12})\s*$", re.MULTILINE)
_ROWS = regex(
    r"(?<![\w.,/-])(\d{1,3}(?:[,.\u202f ]\d{3})+|\d{1,9}) (?:\w+ )?"
    r"(?:rows?|records?|entries|Zeilen|Datensätze|Einträge|filas|registros|lignes|enregistrements|righe|linhas)\b"
    r"[^.,;\n|]{0,24}",
    re.IGNORECASE,
)


# A limit, a share, what was kept from it.
_NO_COUNT = regex(
    r"\b(?:per|pro|por|par|limit\w*|at most|up to|max\w*|batch\w*|being|höchstens|bis zu|hasta|jusqu|até|fino a)\b|%",
    re.IGNORECASE,
)


def rows_changed(turn: Turn) -> Iterator[Mismatch]:
    """A number of rows with a verb of SQL behind it that stands in no answer, where that verb answered."""
    text = turn.closing.document.text
    if not any(map(str.isdigit, text)):
        return
    answers = [
        (step, found.group(1), int(found.group(2)), found.group().strip())
        for step in turn.ledger.acts
        if step.result is not None and has_any(step.body, ("DELETE ", "UPDATE ", "INSERT "))
        for found in islice(_DONE.finditer(step.body[:20_000]), 200)
    ]
    for told in islice(_ROWS.finditer(text), _MOST) if answers else ():
        if _NO_COUNT.search(text[max(0, told.start() - 24) : told.end()]):
            continue
        value = number(told.group(1))
        verb = next(
            (
                verb
                for verb, words in _VERBS.items()
                if re.search(rf"\b(?:{words})", told.group(), re.I)
            ),
            "",
        )
        own = [answer for answer in answers if answer[1] == verb]
        claim = stated_at(turn, told.start()) if own and value is not None else None
        if (
            claim is None
            or value is None
            or value in subset_sums([count for _, _, count, _ in own])
        ):
            continue
        if not tally(turn).stands(value, 0) and not tally(turn).follows(value, 0):
            step, _, _, line = own[-1]
            yield Mismatch(claim, step, told.group().strip(), line)
            return
