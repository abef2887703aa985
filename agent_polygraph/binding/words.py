"""Words as claims and calls share them: stems, plain forms, the act that a noun names."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from unicodedata import combining, normalize

from .._lazy import regex, remembered
from ..evidence.effects import of_name, words_of
from ..evidence.step import Step

COMMON_EFFECTS = frozenset("create edit save delete".split())
NONE: frozenset[str] = frozenset()
# Words that join two acts in one clause.
JOINTS = regex(r"(?<=\s)(?:and|und|et|y|e|ed|и)(?=\s)")
SPEAKERS = frozenset("i i've we we've ich wir je j'ai nous yo io eu я мы".split())
# What takes the plainness from a statement.
CLOUDS = frozenset(
    f"polarity.{name}"
    for name in (
        "neg fail unverified skipped pending hedge future cond request attributed intent sorry prior"
    ).split()
)
# Small numbers in words; in English up to twelve, where people write them out.
NUMBER_WORDS: dict[str, int] = {
    word: number
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "null eins zwei drei vier fünf sechs sieben acht neun zehn",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez",
        "zéro un deux trois quatre cinq",
        "zero um dois três quatro cinco seis sete oito nove dez",
        "zero uno due tre quattro cinque",
    )
    for number, word in enumerate(words.split())
} | {"both": 2, "beide": 2, "sette": 7, "huit": 8, "neuf": 9, "dix": 10}
PIECES = regex(r"[^\W_]+")
PUNCTUATION = ".,:;!?()[]{}\"'`*_|<>«»“”„’"
BUSINESS = frozenset({"cancel", "refund", "order", "book", "transfer", "pay", "return", "exchange"})
ACTS: dict[str, frozenset[str]] = {
    noun: frozenset((effect,))
    for effect, nouns in {
        "exchange": "exchange umtausch cambio échange scambio troca",
        "return": "return rückgabe retoure devolución retour reso devolução",
        "cancel": "cancellation cancelation stornierung kündigung cancelación annulation résiliation"
            " annullamento disdetta"
        " cancelamento anulación",
        "book": (
            "booking reservation buchung reservierung reserva réservation prenotazione"
            " appointment termin cita"
        ),
        "refund": "refund erstattung rückerstattung reembolso remboursement rimborso",
        "pay": "payment zahlung pago paiement pagamento",
        "order": "order purchase bestellung pedido commande ordine compra",
        "transfer": "transfer überweisung transferencia virement trasferimento transferência escalation",
        "edit": "modification change update adjustment edit änderung modificación cambio"
            " actualización modificação"
        " modifica aggiornamento alteração atualização correction",
        "deploy": "deployment deploy rollout despliegue déploiement implantação bereitstellung",
        "migrate": "migration migración migração migrazione", "upload": "upload",
        "export": "export exportación exportação",
        "import": "import importación importation importazione importação",
        "backup": "backup sicherung sauvegarde respaldo",
        "restore": "restore restoration wiederherstellung restauration restauración ripristino",
        "restart": "restart reboot neustart reinicio redémarrage riavvio",
        "install": "installation instalación instalação",
        "delete": "deletion removal löschung eliminación suppression eliminazione exclusão",
        "revert": "rollback revert",
        "submit": (
            "submission application registration claim antrag solicitud demande richiesta pedido"
            " request enrolment enrollment"
        ),
        "notify": "notification benachrichtigung notificación",
        "send": "email e-mail invite invitation message mail",
        "merge": "merge", "release": "release", "upgrade": "upgrade",
    }.items()
    for noun in nouns.split()
}  # fmt: skip
CONCEPT_WORDS: dict[str, frozenset[str]] = {
    "email": frozenset("email mail message invite".split()),
    "meeting": frozenset("meeting event calendar slot appointment".split()),
    "invite": frozenset("invite invitation invit".split()),
    "address": frozenset({"address"}),
    "pr": frozenset("pull pr merge_request".split()),
    "record": frozenset("record contact customer account profile".split()),
    "contact": frozenset("contact record customer".split()),
    "deal": frozenset("deal opportunity stage".split()),
    "note": frozenset("note comment activity".split()),
    "item": frozenset("item product".split()),
    "reminder": frozenset("reminder remind".split()),
    "reservation": frozenset("reservation booking flight".split()),
    "refund": frozenset("refund credit".split()),
    "payment": frozenset("payment pay charge".split()),
}
FILLER = frozenset(
    "the and for was with that this not but has have are one two all now still fail error issue".split()
)
COMMON = frozenset(
    "error failed failure with from that this status result message exit code does the not".split()
)


def squeezed(text: str) -> str:
    """Letters and digits only, without case: `ingest_batch` and `IngestBatch` are one name."""
    return "".join(filter(str.isalnum, text)).casefold()


def plain(text: str) -> str:
    """Case and accents folded."""
    low = text.casefold()
    if low.isascii():
        return low
    return "".join(char for char in normalize("NFD", low) if not combining(char))


def acts_in(words: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for word in words:
        word = word.strip(PUNCTUATION)
        found |= ACTS.get(word, NONE) or ACTS.get(word.rstrip("s"), NONE)
    return frozenset(found)


@lru_cache(maxsize=256)
def concept_words(concept: str) -> frozenset[str]:
    """The stems of the words that a tool's name has for a concept of the word tables."""
    return frozenset(stem(word) for word in CONCEPT_WORDS.get(concept, (concept,)))


def year(number: str) -> bool:
    return len(number) == 4 and number[:2] in ("19", "20")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without its commonest English endings: enough to meet a tool name's word."""
    word = word.casefold()
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


# Russian letters as names of tools spell them.
_LATIN = str.maketrans(
    dict(
        zip(
            "абвгдезийклмнопрстуфхцчшщъыьэюя",
            "a b v g d e z i y k l m n o p r s t u f kh ts ch sh shch  y  e yu ya".split(" "),
            strict=True,
        ),
        ж="zh",
        ё="e",
    )
)


def latin(word: str) -> str:
    """A word in lower-case Latin letters, without accents."""
    return plain(word.casefold().translate(_LATIN))


def beginnings(text: str) -> frozenset[str]:
    """The first six letters of the longer words, without accents: what forms of a word share."""
    return frozenset(word[:6] for word in PIECES.findall(plain(text)) if len(word) >= 6)


@remembered
def word_set(step: Step) -> frozenset[str]:
    return stems(step.words, tuple([key for key, _ in step.argument_leaves[:40]]))


@lru_cache(maxsize=1024)
def stems(words: tuple[str, ...], keys: tuple[str, ...]) -> frozenset[str]:
    """The stems of a tool's words and of its arguments' names: the same for most calls of a tool."""
    named = {stem(word) for word in words}
    for key in keys:
        named |= {stem(part) for part in key.replace("-", "_").split("_")}
    return frozenset(named)


def nouns(step: Step) -> frozenset[str]:
    """The words of a tool's name that are no verbs: what it is about.

    `crm.add_note` is about notes; of `email.send`, whose own name is all verb, the server's name tells.
    """
    own = words_of(step.name.rsplit("__", 1)[-1].rsplit(".", 1)[-1])
    return _nouns(own) or _nouns(step.words)


def _nouns(words: Iterable[str]) -> frozenset[str]:
    return frozenset(stem(word) for word in words if not of_name(word))


def quote_words(quote: str) -> set[str]:
    return {
        stem(word.strip(".,:;()[]{}'\"`"))
        for word in quote.casefold().replace("_", " ").split()
        if len(word) >= 3 and word.strip(".,:;()[]{}'\"`") not in COMMON
    }


def word_in(word: str, text: str) -> bool:
    """True when `word` stands in `text` with no letter or digit on either side."""
    at = text.find(word)
    while at >= 0:
        if not (text[at - 1 : at].isalnum() or text[at + len(word) : at + len(word) + 1].isalnum()):
            return True
        at = text.find(word, at + 1)
    return False
