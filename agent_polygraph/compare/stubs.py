"""`to_xlsx` writes the workbook, over `raise NotImplementedError` in the last text that was written for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from .._lazy import regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..claims.text import Clause
from ..evidence.stubs import Stub, shown_otherwise, stubs
from .mismatch import Short

_MOST = 20  # places of a name, and stubs, that are looked up
_BUILT = regex(
    r"\b(?:(?:fully |now |all )?implement(?:ed|s|ing)?|is (?:now )?(?:complete|done|finished|functional|ready)"
    r"|(?:work|run)s? (?:end to end|as (?:asked|specified|intended))"
    r"|implementiert|umgesetzt|fertig|ausprogrammiert|implementad[oa]s?|implementan?|implementó|implémentée?s?"
    r"|implémente(?:nt)?|implementei|implementou|implementat[oaie]|implementano|implementato)\b"
    r"|実装(?:し|済|が完了|され)|已?实现了|已经?实现|实现完成|구현(?:했|하였|되었|완료)",
    re.IGNORECASE,
)
# `to_xlsx` writes ..., right behind the name; not `is registered`, `takes`, `needs`, `raises`.
_DOES = regex(
    r"[`*_\"')(]{0,4}(?:\([\w, ]{0,40}\)`?)? (?:(?:now|also|then|always|correctly|jetzt|auch|ahora|también|maintenant"
    r"|aussi|agora|também|ora|adesso|anche) ){0,2}"
    r"(?:does (?!not)(?:the same|so|it|that)|returns?|writes|creates|builds|deletes|removes|sends|computes|calculates"
    r"|parses|handles|reads|saves|stores|loads|generates|produces|validates|converts|renders|fetches|updates|inserts|checks"
    r"|sorts|filters|encodes|decodes|uploads|downloads|exports|imports|refunds|charges|cancels|merges|retries"
    r"|gibt|schreibt|erzeugt|erstellt|löscht|entfernt|liefert|berechnet|macht das(?:selbe| gleiche)|sendet|prüft|liest"
    r"|devuelve|escribe|crea|borra|elimina|calcula|envía|genera|guarda|valida"
    r"|renvoie|retourne|écrit|crée|supprime|calcule|envoie|génère|vérifie|fait (?:de même|la même)"
    r"|retorna|devolve|escreve|cria|apaga|remove|envia|gera|salva"
    r"|restituisce|scrive|cancella|rimuove|invia|salva|fa lo stesso)\b",
    re.IGNORECASE,
)
# Words that tell of a stub, or of work that is left; `polarity.stub` of the word tables has the rest.
_LEFT = regex(
    r"not[ _-]?(?:yet[ _-])?implemented|unimplemented|todo\b|fixme|\bstub|placeholder|skeleton|scaffold"
    r"|\bstill (?:needs?|missing|to)\b"
    r"|\b(?:left|remains?|yet) to\b|\bfollow[- ]up|\bbody is\b|\bempty\b|\braises?\b|\bthrows?\b|\bpanics?\b"
    r"|noch (?:nicht|offen|leer)|platzhalter|gerüst|wirft|fehlt|por hacer|pendiente|falta|todavía|aún no|lanza"
    r"|pas encore|reste à|à faire|lève|ébauche|ainda não|por fazer|lança|esboço|non ancora|da fare|solleva|segnaposto"
    r"|manca|未実装|未实现|尚未|占位|미구현",
    re.IGNORECASE,
)
_SOFT = frozenset(
    f"polarity.{name}" for name in ("hedge", "future", "request", "intent", "prior", "stub")
)
_AGAINST = _SOFT | frozenset(
    f"polarity.{name}" for name in ("neg", "fail", "skipped", "pending", "unverified", "cond")
)


def stubbed(turn: Turn) -> Iterator[Short]:
    """A function that is told built, or told to do something, and was left as a stub by its last text."""
    text = turn.closing.document.text
    if not turn.ledger.edits or _LEFT.search(text):
        return
    if any(d.kind == "stub" for d in turn.disclosures):
        return
    for stub in stubs(turn.ledger)[:_MOST]:
        clause = _told(turn, stub)
        if clause is None or shown_otherwise(turn.ledger, stub):
            continue
        claim = Claim("denial", "create", clause.start, clause.end, clause, "asserted")
        why = f"the last text of `{stub.name}` in {stub.path} is a stub"
        yield Short(claim, stub.step, why, stub.line[:200])
        return


def _told(turn: Turn, stub: Stub) -> Clause | None:
    """The clause that says it is built, or what it does."""
    document = turn.closing.document
    name = re.compile(rf"(?<![\w-]){re.escape(stub.name)}(?![\w-])")
    for found in islice(name.finditer(document.text), _MOST):
        clause = document.statement_at(found.start())
        if clause is None or not _meant(turn, stub, found.start()):
            continue
        if _DOES.match(document.text, found.end()):
            if not _tagged(turn, clause.start, found.end(), _AGAINST) and not _tagged(
                turn, found.end(), clause.end, _SOFT
            ):
                return clause
        start, end = document.sentences[clause.sentence]
        if _BUILT.search(document.text, start, end) and not _tagged(turn, start, end, _AGAINST):
            return clause
    return None


def _meant(turn: Turn, stub: Stub, at: int) -> bool:
    """True in code, and for a plain word where it is no everyday word, or the task has it too."""
    if any(start <= at < end for start, end in turn.closing.document.code):
        return True
    if "_" in stub.name or stub.name.lower() != stub.name[:1].lower() + stub.name[1:]:
        return True
    return re.search(rf"\b{re.escape(stub.name)}\b", turn.task) is not None


def _tagged(turn: Turn, start: int, end: int, names: frozenset[str]) -> bool:
    return any(tag.name in names for tag in turn.closing.tags_in(start, end))
