"""Acts that a noun names and a light verb reports: `el despliegue terminó`, `解約手続きが完了`, `백업을 마쳤습니다`.

Strategy: where a clause says "done" and holds no verb of its own, the noun that names an act is what was
done.  Chinese, Japanese and Korean verbs are such nouns too; they come from the word tables themselves.
O(characters of the clause).
"""

from __future__ import annotations

from functools import cache

from . import lexicon

# Noun -> effect; a Latin or Cyrillic one is matched from the start of a word, a German one at its end.
_NOUNS: dict[str, dict[str, str]] = {
    "de": {
        "bereitstellung": "deploy", "deployment": "deploy", "rollout": "deploy",
        "reservierung": "book", "buchung": "book",
        "erstattung": "refund", "überweisung": "pay", "zahlung": "pay", "kündigung": "cancel",
        "stornierung": "cancel",
        "migration": "migrate", "sicherung": "backup", "backup": "backup", "bestellung": "order",
        "installation": "install",
        "import": "import", "export": "export", "upload": "upload", "neustart": "restart",
        "löschung": "delete",
        "veröffentlichung": "release", "zusammenführung": "merge", "merge": "merge",
        "wiederherstellung": "restore",
    },
    "es": {
        "despliegue": "deploy", "reserva": "book", "reembolso": "refund", "devolución": "refund",
        "transferencia": "pay",
        "pago": "pay", "cancelación": "cancel", "migración": "migrate",
        "copia de seguridad": "backup", "respaldo": "backup",
        "instalación": "install", "importación": "import", "exportación": "export",
        "subida": "upload", "reinicio": "restart",
        "envío": "send", "borrado": "delete", "publicación": "release", "fusión": "merge",
        "merge": "merge", "restauración": "restore",
        "actualización": "upgrade", "sincronización": "sync",
    },
    "fr": {
        "déploiement": "deploy", "réservation": "book", "remboursement": "refund",
        "virement": "pay", "paiement": "pay",
        "résiliation": "cancel", "annulation": "cancel", "migration": "migrate",
        "sauvegarde": "backup", "installation": "install",
        "import": "import", "export": "export", "envoi": "send", "redémarrage": "restart",
        "suppression": "delete",
        "publication": "release", "fusion": "merge", "merge": "merge", "restauration": "restore",
        "mise à jour": "upgrade",
        "synchronisation": "sync", "mise en production": "deploy",
    },
    "pt": {
        "deploy": "deploy", "implantação": "deploy", "reserva": "book", "estorno": "refund",
        "reembolso": "refund",
        "transferência": "pay", "pagamento": "pay", "cancelamento": "cancel", "migração": "migrate",
        "backup": "backup",
        "cópia de segurança": "backup", "instalação": "install", "importação": "import",
        "exportação": "export", "envio": "send",
        "upload": "upload", "exclusão": "delete", "publicação": "release", "merge": "merge",
        "restauração": "restore",
        "atualização": "upgrade", "sincronização": "sync",
    },
    "it": {
        "deploy": "deploy", "rilascio": "release", "prenotazione": "book", "rimborso": "refund",
        "bonifico": "pay",
        "pagamento": "pay", "disdetta": "cancel", "annullamento": "cancel",
        "cancellazione": "delete", "migrazione": "migrate",
        "copia di sicurezza": "backup", "backup": "backup", "installazione": "install",
        "importazione": "import",
        "esportazione": "export", "invio": "send", "riavvio": "restart", "pubblicazione": "release",
        "merge": "merge",
        "ripristino": "restore", "aggiornamento": "upgrade", "sincronizzazione": "sync",
    },
    "ru": {
        "деплой": "deploy", "развёртывани": "deploy", "выкатк": "deploy", "бронировани": "book",
        "бронь": "book", "возврат": "refund",
        "перевод": "pay", "оплат": "pay", "платёж": "pay", "отмен": "cancel", "миграци": "migrate",
        "резервн": "backup", "бэкап": "backup",
        "установк": "install", "импорт": "import", "экспорт": "export", "отправк": "send",
        "загрузк": "upload", "удалени": "delete",
        "публикаци": "release", "релиз": "release", "слияни": "merge", "восстановлени": "restore",
        "обновлени": "upgrade",
        "синхронизаци": "sync", "рассылк": "send",
    },
    "hi": {
        "डिप्लॉय": "deploy", "तैनाती": "deploy", "बुकिंग": "book", "आरक्षण": "book",
        "रिफ़ंड": "refund", "रिफंड": "refund", "वापसी": "refund",
        "भुगतान": "pay", "रद्दीकरण": "cancel", "माइग्रेशन": "migrate", "बैकअप": "backup",
        "इंस्टॉल": "install", "आयात": "import",
        "निर्यात": "export", "अपलोड": "upload", "रिलीज़": "release", "मर्ज": "merge",
    },
}  # fmt: skip
_SPACED = frozenset(_NOUNS)
ACTS = frozenset(effect for nouns in _NOUNS.values() for effect in nouns.values()) | {
    "notify",
    "share",
    "assign",
    "archive",
}
_ENDS = {"ja": ("しました", "済み"), "ko": (" 했", "됨"), "zh": ("了", "成功")}


@cache
def stems(language: str) -> dict[str, frozenset[str]]:
    """Verbal noun -> effects, of Chinese, Japanese or Korean: what the tables give in both regular forms."""
    one, other = _ENDS[language]
    found: dict[str, set[str]] = {}
    for effect, phrases in lexicon.load(language).groups["actions"].items():
        if effect == "other":
            continue
        whole = set(phrases)
        for phrase in phrases:
            stem = phrase[: -len(one)].lstrip("^")
            if (
                phrase.endswith(one)
                and "…" not in phrase
                and len(stem) > 1
                and stem + other in whole
            ):
                found.setdefault(stem, set()).add(effect)
    return {stem: frozenset(effects) for stem, effects in found.items()}


def last_stem(
    text: str, start: int, end: int, language: str
) -> tuple[int, int, frozenset[str]] | None:
    """(start, end, effects) of the last verbal noun that begins in the span; the longest one there."""
    table, longest = stems(language), _longest(language)
    for at in range(end - 1, start - 1, -1):
        for size in range(min(longest, end - at), 1, -1):
            hit = table.get(text[at : at + size])
            if hit is not None:
                before = next(
                    (
                        wide
                        for wide in (at - 1, at - 2)
                        if wide >= start and text[wide : at + size] in table
                    ),
                    at,
                )
                return before, at + size, table[text[before : at + size]]
    return None


@cache
def _longest(language: str) -> int:
    return max(map(len, stems(language)), default=0)


def _last_act(text: str, start: int, end: int, language: str) -> frozenset[str]:
    """The last verbal noun that names an act of some weight (`解約手続き` is about 解約)."""
    while end > start:
        hit = last_stem(text, start, end, language)
        if hit is None:
            break
        if hit[2] & ACTS:
            return hit[2] & ACTS
        end = hit[0]
    return frozenset()


def act_of(text: str, start: int, end: int, language: str) -> frozenset[str]:
    """The effects of the act that a noun of the span names; empty for none."""
    if language not in _SPACED:
        return _last_act(text, start, end, language) if language in _ENDS else frozenset()
    words = text[start:end].casefold().split()
    whole = " " + " ".join(word.strip(".,:;()*_`\"'«»") for word in words) + " "
    for noun, effect in _NOUNS[language].items():
        place = whole.find(noun)
        while place >= 0:
            tail = whole[place + len(noun) :].split(" ", 1)[0]
            headed = whole[place - 1] in " '’-"
            if (language == "de" and tail in ("", "en", "s") and (headed or len(noun) > 6)) or (
                headed and (tail in ("", "s", "es") or language in ("ru", "hi"))
            ):
                return frozenset((effect,))
            place = whole.find(noun, place + 1)
    return frozenset()
