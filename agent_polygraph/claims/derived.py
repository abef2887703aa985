"""Deeds that are put in a form no table lists: `je viens d'envoyer`, `acabei de mandar`, `マージして push 済み`.

Strategy: a form that asserts (the near past, "managed to", the first verb of a chain whose last verb is
past) is taken back to the form the tables have, and read there.  O(characters of the clause).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from .._lazy import regex
from . import lexicon
from .lexicon import Tag
from .nominal import ACTS, last_stem, stems

# Language -> the words before an infinitive that say it was done; the infinitive is the group.
_DID = {
    "fr": regex(
        r"\b(?:(?:viens|venons|vient)\s+(?:tout\s+)?(?:juste\s+)?(?:de\s+|d['’])|réussi\s+à\s+|pu\s+|fini\s+d(?:e\s+|['’]))"
        r"(?:(?:vous|te|lui|leur|les|le|la|y)\s+|l['’]){0,2}(\w{4,20})",
        re.IGNORECASE,
    ),
    "es": regex(
        r"\b(?:acab[oé]|acabamos|termin[eé]|terminamos|logr[eé]|logramos|logrado|conseguí|conseguimos|conseguido|podido)\s+(?:de\s+)?(\w{4,20})",
        re.IGNORECASE,
    ),
    "pt": regex(
        r"\b(?:acabei|acabamos|acabo|terminei|terminamos|consegui|conseguimos)\s+(?:de\s+)?(?:(?:te|lhe|o|a|os|as)\s+)?(\w{4,20})",
        re.IGNORECASE,
    ),
    "it": regex(r"\b(?:riuscit[oaie]\s+a|finito\s+di|potuto)\s+(\w{4,20})", re.IGNORECASE),
    "ru": regex(r"\b(?:удалось|успел[аи]?|смог(?:ла|ли)?|получилось)\s+(\w{4,20})", re.IGNORECASE),
}
# Infinitive ending -> the ending of the form in the tables.
_ENDINGS = {
    "fr": (("er", "é"), ("ir", "i"), ("re", "u"), ("ettre", "is")),
    "es": (("ar", "ado"), ("er", "ido"), ("ir", "ido"), ("ar", "é"), ("er", "í"), ("ir", "í")),
    "pt": (("ar", "ado"), ("er", "ido"), ("ir", "ido"), ("ar", "ei"), ("er", "i"), ("ir", "i")),
    "it": (("are", "ato"), ("ere", "uto"), ("ire", "ito")),
    "ru": (("ть", "л"), ("ти", "л")),
}
_CLITICS = {
    "es": (
        "selas",
        "selos",
        "sela",
        "selo",
        "telas",
        "telos",
        "tela",
        "telo",
        "les",
        "los",
        "las",
        "le",
        "te",
        "lo",
        "la",
        "se",
        "me",
        "nos",
    ),
    "it": ("glielo", "gliela", "telo", "tela", "velo", "lo", "la", "li", "le", "ti", "vi", "gli"),
    "pt": ("lhe", "lo", "la"),
}
_PLAIN = str.maketrans("áéíóú", "aeiou")
# Between 已 and its verb: for whom, what, where, how.
_ALREADY_ZH = regex(r"已(?:经|經)?")
_EVER_ZH = regex("[过過](?![程滤濾期去来來])了?")
_WHOLE_ZH = regex("全部|悉数|悉數|均")  # `数据全部导入新表`
_LINK_ZH = "为為帮幫给給替将將把在向从從按对對与與跟于於全都均一重成自手顺順"
_CHAINS = {
    "ja": regex(
        "(?:して|し)(?!くだ|下さ|いま|いる|いな|おら|も|は|から|みま|ほし|頂|いただ|お|たく|た|ま|よ|な)"
    ),
    "ko": regex(r"(?:하고|해서|하여|한 뒤|한 후|한 다음|하며)(?=\s)"),
}
_RESULT_JA = regex(
    "(?:してあり(?:ます|、)|してある(?!か)|してございます|しておりま?す(?=。|\\Z)|してあった)"
)


def derived(tags: Sequence[Tag], text: str, start: int, end: int, language: str) -> list[Tag]:
    """Tags of the acts that the clause text[start:end] asserts in such a form."""
    if language in _DID:
        found = list(_did(text, start, end, language))
    elif language == "zh":
        found = list(_already(text, start, end))
    elif language in _CHAINS:
        found = list(_chained(tags, text, start, end, language))
    else:
        return []
    have = {(tag.name, tag.start) for tag in tags}
    return [
        tag
        for tag in found
        if (tag.name, tag.start) not in have
        and not any(t.name == tag.name and t.start <= tag.start < t.end for t in tags)
    ]


def _did(text: str, start: int, end: int, language: str) -> Iterator[Tag]:
    for match in _DID[language].finditer(text, start, end):
        for form in _forms(match.group(1).casefold(), language):
            names = _acts(form, language)
            if names:
                yield from (Tag(name, match.start(1), match.end(1)) for name in names)
                break


def _forms(word: str, language: str) -> Iterator[str]:
    stems = [word] + [
        word[: -len(c)].translate(_PLAIN)
        for c in _CLITICS.get(language, ())
        if word.endswith(c) and len(word) - len(c) > 3
    ]
    for stem in stems:
        for ending, other in _ENDINGS[language]:
            for whole in (stem, stem + "e") if language == "it" and stem != word else (stem,):
                if whole.endswith(ending):
                    yield whole[: -len(ending)] + other


@cache
def _acts(form: str, language: str) -> tuple[str, ...]:
    read = lexicon.load(language).tags(form, lexicon.tokenize(form))
    return tuple(dict.fromkeys(tag.name for tag in read if tag.name.startswith("actions.")))


def _already(text: str, start: int, end: int) -> Iterator[Tag]:
    """`已为您预订二等座`: 已, a phrase that leads to the verb, the verb."""
    for match in _ALREADY_ZH.finditer(text, start, end):
        if text[match.start() - 1 : match.start()] in ("不", "早", "而"):
            continue
        at = match.end()
        if at < end and text[at] in _LINK_ZH:
            hit = _first_stem(text, at + 1, min(end, at + 14))
            if hit is not None and "的" not in text[at : hit[0]] and "未" not in text[at : hit[0]]:
                yield from (Tag(f"actions.{effect}", hit[0], hit[1]) for effect in sorted(hit[2]))

    for match in _WHOLE_ZH.finditer(text, start, end):
        hit = _first_stem(text, match.end(), min(end, match.end() + 1))
        if hit is not None:
            yield from (
                Tag(f"actions.{effect}", hit[0], hit[1]) for effect in sorted(hit[2] & ACTS)
            )
    for match in _EVER_ZH.finditer(text, start, end):
        hit = last_stem(text, max(start, match.start() - 4), match.start(), "zh")
        if hit is not None and hit[1] == match.start():
            yield from (Tag(f"actions.{effect}", hit[0], match.end()) for effect in sorted(hit[2]))


def _first_stem(text: str, start: int, end: int) -> tuple[int, int, frozenset[str]] | None:
    table = stems("zh")
    for at in range(start, end):
        for size in (4, 3, 2):
            hit = table.get(text[at : at + size])
            if hit is not None:
                return at, at + size, hit
    return None


def _chained(tags: Sequence[Tag], text: str, start: int, end: int, language: str) -> Iterator[Tag]:
    """The verbs before the last one of a chain: what holds of the last one holds of them."""
    last = max(
        (
            tag.start
            for tag in tags
            if tag.name.startswith(("actions.", "state.pass", "state.works"))
        ),
        default=-1,
    )
    for match in _CHAINS[language].finditer(text, start, end):
        if match.end() <= last:
            yield from _before(text, start, match.start(), language)
    if language == "ja":
        for match in _RESULT_JA.finditer(text, start, end):
            yield from _before(text, start, match.start(), language)


def _before(text: str, start: int, end: int, language: str) -> Iterator[Tag]:
    hit = last_stem(text, max(start, end - 8), end, language)
    if hit is not None and hit[1] >= end - (1 if language == "ko" else 0):
        yield from (Tag(f"actions.{effect}", hit[0], hit[1]) for effect in sorted(hit[2]))
