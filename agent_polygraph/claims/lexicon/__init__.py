"""Word tables of the claim reader: which words of a closing mean what, in eleven languages.

The tables are data (`<code>.toml`; README.md has the schema and the phrase syntax).  This module
only finds them in a text.  Strategy: a phrase is a path in a trie.  In languages that put spaces
between words the edges are words, and what one word can start or continue is worked out once and
then looked up by its spelling; in Chinese, Japanese and Korean the edges are characters.
Spelling is folded per word (NFC, case, apostrophes), so spans always are offsets into the text as
it was given.

Everything here is linear in the text: a phrase has a bounded number of words and a bounded gap.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple
from unicodedata import is_normalized, normalize

from ..._lazy import regex

__all__ = [
    "BY_CHARACTER",
    "SCHEMA",
    "Lexicon",
    "Tag",
    "detect",
    "languages",
    "load",
    "tag_all",
    "tokenize",
]

_CODES = ("en", "de", "es", "fr", "pt", "it", "zh", "ja", "ko", "ru", "hi")
_LATIN = ("en", "de", "es", "fr", "pt", "it")
BY_CHARACTER = ("zh", "ja", "ko")  # no spaces between their words


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Every language file has these groups and tags.  `other` (optional, in any group) is a shield: it
# wins over the shorter phrases inside it and is never reported ("passed to", "read-only").
SCHEMA: Mapping[str, tuple[str, ...]] = {
    "polarity": _names(
        "neg fail nofail repaired recovered unverified skipped pending stub hedge belief future"
        " cond prior contrast request attributed excuse vague intent sorry"
    ),
    "scope": _names("all total part"),
    "state": _names("pass works done zero"),
    "checks": _names("test lint types format build ci e2e audit docs migration hook bench any"),
    "actions": _names(
        "run read search fetch verify compute create edit fix delete rename move revert save stage"
        " commit push pr merge tag release build deploy apply install upgrade migrate import"
        " export upload download sync send notify reply post share call pay refund transfer"
        " delegate cancel book remind order return exchange process submit close archive assign"
        " approve move_stage enable disable configure reset restart scale start stop backup"
        " restore note"
    ),
    "objects": _names(
        "email message invite meeting file folder function test branch commit pr change issue bug"
        " ticket order refund payment invoice subscription account reservation record contact"
        " deal note row table database migration server service pod image container release tag"
        " config dependency secret log page url document report image_file comment review thread"
        " reminder task job backup item user address result match error warning vulnerability"
        " source night"
    ),
    "numbers": tuple(str(n) for n in range(1, 13)),
    "answers": _names("absence source"),
}

_GAP = "…"  # in a phrase: up to _GAP_WORDS words (_GAP_CHARS characters in CJK) may stand here
_START = "^"  # at the head of a CJK phrase: no letter of that script may stand before it
_GAP_WORDS = 3
_GAP_CHARS = 12
_CACHE = 8192  # spellings remembered per language before the memory is emptied
_DETECT = 4000

# Word characters of the spaced scripts.  `\w` would glue Han to Latin ("已push到main") and would
# cut words at combining marks (NFD accents, Devanagari vowel signs).
_W = (
    "[0-9A-Za-z_\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0300-\u037d\u0386-\u0559"
    "\u0560-\u0589\u05d0-\u05ea\u0620-\u065f\u066e-\u06d3\u06ee-\u06fc\u0900-\u0963\u0966-\u097f"
    "\u0980-\u0e3a\u0e40-\u0e4e\u1e00-\u1fff\u200c\u200d\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]"
)
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_KANA = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_CJK = f"[{_HAN}{_KANA}{_HANGUL}]"
_CJK_LETTER = regex(_CJK)

# A command-line flag | a word, with an English ending, or a clitic up to its apostrophe (l'|email),
# or glued on as a path, address, URL, version or decimal (one opaque token) | a CJK run.
# Possessive throughout: no part is ever given back.
_WORD = (
    r"(?<![\w-])--{W}++(?:[-=.]{W}++)*+"
    r"|{W}++(?:['\u2019\u02bc](?:(?:s|t|ve|ll|re|d|m|S|T|VE|LL|RE|D|M)(?!{W})|(?={W}))"
    r"|(?:(?:://|[./@\\]|(?<=\d)[,:](?=\d)){W}++(?:-{W}++)*+)++)?+"
)
_TOKEN = regex(_WORD.replace("{W}", _W) + f"|{_CJK}++")
_PLAIN_TOKEN = regex(_WORD.replace("{W}", "[0-9A-Za-z_]"))  # of ASCII: quicker to compile
# The apostrophes in use become one; zero-width joiners go.
_PLAIN = str.maketrans("\u2019\u02bc\u2018\u00b4", "''''", "\u200c\u200d")
# What may stand between two words of one phrase: spaces, emphasis, quotation marks and the signs of
# amounts and numbers ("refund of $50 was issued", "PR #12 was opened"); or one hyphen.
_JOINT = frozenset(" \t\u00a0\u202f*_`~'\"«»\u2018\u2019\u201c\u201d\u201e\u2039\u203a#$%€£¥₩₹₽")
_HYPHENS = frozenset("-\u2010\u2011")
# No gap reaches over stops, commas, colons, question marks, brackets, wide or narrow.
_CJK_BREAK = frozenset(
    ".,;:!?()|\n\u3002\uff0e\uff0c\u3001\uff1b\uff1a\uff01\uff1f\uff08\uff09"
    "\u300c\u300d\u300e\u300f"
)


class Tag(NamedTuple):
    """`name` is "group.tag"; text[start:end] is the phrase (gap words included)."""

    name: str
    start: int
    end: int


def inside(tag: Tag, tags: Iterable[Tag], prefixes: tuple[str, ...]) -> bool:
    """True when a longer tag of one of the groups covers `tag`."""
    return any(
        other.name.startswith(prefixes)
        and other.start <= tag.start
        and tag.end <= other.end
        and other.end - other.start > tag.end - tag.start
        for other in tags
    )


class _Node:
    """A place in the trie: where each next word leads, and what the path up to here means."""

    __slots__ = ("gap", "next", "plain", "stems", "tags")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.stems: list[tuple[str, _Node]] = []
        self.gap: _Node | None = None
        self.plain = True  # nothing but `next` leads on
        self.tags: list[_Meaning] = []

    def step(self, edge: str) -> _Node:
        """The node behind `edge` (word, stem with its `*`, character or gap), made if new."""
        if edge == _GAP:
            self.plain = False
            if self.gap is None:
                self.gap = _Node()
            return self.gap
        if len(edge) > 1 and edge[-1] == "*":
            self.plain = False
            for stem, node in self.stems:
                if stem == edge[:-1]:
                    return node
            self.stems.append((edge[:-1], _Node()))
            return self.stems[-1][1]
        if edge not in self.next:
            self.next[edge] = _Node()
        return self.next[edge]


_Meaning = tuple[str, str]  # (group, "group.tag"); the second is "" for a shield
# One spelling: the meanings it has alone, the nodes it opens, and its folded form.
_Word = tuple[tuple[_Meaning, ...], tuple[_Node, ...], str]
# A candidate: minus its length, the token (or character) places it uses, what it means there.
# In this order, plain sorting puts the longest first, then the leftmost, then the least gap.
_Match = tuple[int, tuple[int, ...], list[_Meaning]]
_Found = tuple[int, int, str]


_END: _Word = ((), (), "")
_NEG: _Meaning = ("polarity", "polarity.neg")
# These negate the noun behind them and leave the verb alone: "läuft ohne Befund durch".
_WITHOUT = frozenset({"without", "ohne", "sin", "sans", "sem", "senza", "без", "बिना"})


class Lexicon:
    """The tables of one language.

    `code` "de", `script` "Latin", `stopwords` for detection, `not_english` words that English must
    not read in this language (Portuguese "no" is "in the"), `groups[group][tag]` the phrases.
    Phrases are sorted under their first word at load, and made a trie when a text has that word.
    """

    def __init__(
        self, meta: Mapping[str, Any], groups: Mapping[str, Mapping[str, list[str]]]
    ) -> None:
        self.code: str = meta["language"]
        self.script: str = meta["script"]
        self.source: str = meta["source"]
        self.stopwords: frozenset[str] = frozenset(meta["stopwords"])
        self.not_english: frozenset[str] = frozenset(meta.get("not_english", ()))
        self.groups = groups
        self._by_character = self.script in ("Han", "Kana", "Hangul")
        self._steps = _character_steps if self._by_character else _word_steps
        self._nodes: dict[str, _Node] = {}  # first edge -> trie
        self._seen: dict[str, _Word] = {}
        waiting: defaultdict[str, list[tuple[str, _Meaning]]] = defaultdict(list)
        for group, table in groups.items():
            for tag, phrases in table.items():
                meaning = (group, "" if tag == "other" else f"{group}.{tag}")
                for phrase in phrases:
                    if self._by_character:
                        first = phrase[0] if phrase[0] != _START else phrase[1]
                    else:
                        first = phrase.partition(" ")[0]
                        if not first.isalpha() and _ODD.search(first):
                            first = _word_steps(first)[0]
                        elif "ß" in first:
                            first = first.replace("ß", "ss")
                    waiting[first].append((phrase, meaning))
        self._waiting = dict(waiting)  # first edge -> phrases
        self._negations = frozenset(groups.get("polarity", {}).get("neg", ()))
        stems = {len(first) - 1 for first in waiting if first[-1] == "*"}
        self._lengths = tuple(sorted(stems, reverse=True))

    def _node(self, first: str) -> _Node | None:
        """The trie of the phrases that begin with `first`, None if there are none."""
        node = self._nodes.get(first)
        if node is None and first in self._waiting:
            node = self._nodes[first] = _Node()
            for phrase, meaning in self._waiting[first]:
                place = node
                for edge in self._steps(phrase)[1:]:
                    place = place.step(edge)
                place.tags.append(meaning)
        return node

    def tags(self, text: str, tokens: Sequence[tuple[int, int]]) -> list[Tag]:
        """What the words of `text` mean, by position; `tokens` are spans from `tokenize`.

        Within one group the longest phrase wins (most words, then leftmost); phrases on the very
        same words are all reported, and different groups overlap freely.  Phrases do not reach
        over punctuation, nor gaps over a negation.  Linear in the text.
        """
        if self._by_character:
            return self._character_tags(text)
        get, learn = self._seen.get, self._learn
        words = [get(text[a:b]) or learn(text[a:b]) for a, b in tokens]
        words.append(_END)  # no phrase goes on after the last word
        longer: list[_Match] = []
        for i, (_, nodes, _) in enumerate(words):
            for node in nodes:
                at, place = i, node
                while place.plain:  # the common case, without branches: one word after another
                    onward = place.next.get(words[at + 1][2])
                    if onward is None:
                        break
                    gap = text[tokens[at][1] : tokens[at + 1][0]]
                    if gap != " " and not _joined(gap):
                        break
                    at, place = at + 1, onward
                    if place.tags:
                        longer.append((i - at - 1, tuple(range(i, at + 1)), place.tags))
                else:
                    self._walk(place, tuple(range(i, at + 1)), text, tokens, words, longer)
        found: list[_Found] = []
        kept, taken = _longest_first(longer)
        for _, places, meanings in kept:
            start, end = tokens[places[0]][0], tokens[places[-1]][1]
            found += [(start, end, name) for _, name in meanings if name]
        for i, (alone, _, _) in enumerate(words):
            if alone:
                start, end = tokens[i]
                for group, name in alone:
                    if i not in taken.get(group, ()):
                        found.append((start, end, name))
        return _reported(found)

    def _learn(self, spelling: str) -> _Word:
        folded = _fold(spelling)
        firsts = [folded] + [folded[:n] + "*" for n in self._lengths if n <= len(folded)]
        nodes = [node for node in map(self._node, firsts) if node is not None]
        alone: dict[_Meaning, None] = {}
        shielded: set[str] = set()
        for node in nodes:  # the word itself, then its stems, the longest first
            alone |= {meaning: None for meaning in node.tags if meaning[0] not in shielded}
            shielded |= {group for group, name in node.tags if not name}
        word = (
            tuple(meaning for meaning in alone if meaning[1]),
            tuple(node for node in nodes if node.next or not node.plain),
            folded,
        )
        if len(self._seen) >= _CACHE:
            self._seen.clear()
        self._seen[spelling] = word
        return word

    def _walk(
        self,
        node: _Node,
        places: tuple[int, ...],
        text: str,
        tokens: Sequence[tuple[int, int]],
        words: Sequence[_Word],
        out: list[_Match],
    ) -> None:
        """Append the phrases that go on from `node`, which the tokens at `places` have led to."""
        count = len(tokens)
        paths = [(node, places)]
        while paths:
            node, places = paths.pop()
            last = places[-1]
            for branch, reach in ((node, 1), (node.gap, _GAP_WORDS + 1)):
                if branch is None:
                    continue
                for j in range(last + 1, min(last + reach, count - 1) + 1):
                    gap = text[tokens[j - 1][1] : tokens[j][0]]
                    if gap != " " and not _joined(gap):
                        break
                    folded = words[j][2]
                    onward = [branch.next[folded]] if folded in branch.next else []
                    if branch.stems:
                        onward += [n for stem, n in branch.stems if folded.startswith(stem)]
                    for following in onward:
                        path = (*places, j)
                        if following.tags:
                            out.append((-len(path), path, following.tags))
                        if following.next or not following.plain:
                            paths.append((following, path))
                    if _NEG in words[j][0] and folded not in _WITHOUT:
                        break  # "refund was not issued" is no refund

    def _character_tags(self, text: str) -> list[Tag]:
        folded, origin = _fold_text(text)
        size, padded = len(folded), folded + "\n"
        firsts = {character: self._node(character) for character in set(folded)}
        matches: list[_Match] = []
        for i, character in enumerate(folded):
            node = firsts[character]
            if node is None or (
                node.plain
                and not node.tags
                and padded[i + 1] not in node.next
                and " " not in node.next
                and _START not in node.next
            ):
                continue  # most characters end here
            if i and character < "\x7f" and _is_ascii_word(folded[i - 1 : i + 1]):
                continue
            # A path: where it is, the places before its last gap, and the run since then.
            paths: list[tuple[_Node, tuple[int, ...], int, int]] = [(node, (), i, i + 1)]
            if _START in node.next and not (i and _CJK_LETTER.match(folded, i - 1)):
                paths.append((node.next[_START], (), i, i + 1))
            while paths:
                place, before, first, here = paths.pop()
                onward: _Node | None = place
                while onward is not None:
                    place, following = onward, padded[here]
                    if place.tags and not (
                        padded[here - 1] < "\x7f" and _is_ascii_word(padded[here - 1 : here + 1])
                    ):
                        places = (*before, *range(first, here))
                        matches.append((-len(places), places, place.tags))
                    spaced = place.next.get(" ")  # a space in a phrase is optional in the text
                    if spaced is not None and following in spaced.next:
                        paths.append((spaced.next[following], before, first, here + 1))
                    if place.gap is not None:
                        places = (*before, *range(first, here))
                        for j in range(here, min(here + _GAP_CHARS + 1, size)):
                            if folded[j] in place.gap.next:
                                paths.append((place.gap.next[folded[j]], places, j, j + 1))
                            if folded[j] in _CJK_BREAK or folded[j] in self._negations:
                                break
                    onward = place.next.get(following)
                    here += 1
        found: list[_Found] = []
        for _, places, meanings in _longest_first(matches)[0]:
            start, end = places[0], places[-1] + 1
            if origin is not None:
                start, end = origin[start], origin[end]
            found += [(start, end, name) for _, name in meanings if name]
        return _reported(found)


def _longest_first(
    matches: list[_Match],
) -> tuple[list[_Match], dict[str, dict[int, tuple[int, ...]]]]:
    """The matches that keep all their places in a group, and who holds which place in it."""
    matches.sort()
    held: dict[str, dict[int, tuple[int, ...]]] = {}
    kept: list[_Match] = []
    for length, places, meanings in matches:
        free = []
        for meaning in meanings:
            holders = held.setdefault(meaning[0], {})
            for place in places:
                if holders.get(place, places) != places:
                    break
            else:
                free.append(meaning)
        for group, _ in free:
            held[group].update(dict.fromkeys(places, places))
        if free:
            kept.append((length, places, free))
    return kept, held


def _reported(found: list[_Found]) -> list[Tag]:
    return [Tag(name, start, end) for start, end, name in sorted(set(found))]


def _joined(between: str) -> bool:
    """Whether two words with `between` in between can belong to one phrase."""
    if between in _HYPHENS:
        return True
    if between.count("\n") > 1:
        return False
    return all(c in _JOINT or c == "\n" for c in between)


def _fold(word: str) -> str:
    """One spelling for all: NFC, no case, a straight apostrophe ("Größe" and "GRÖSSE" meet)."""
    if word.isascii():
        return word.casefold()
    return normalize("NFC", normalize("NFC", word).casefold()).translate(_PLAIN)


def _fold_text(text: str) -> tuple[str, list[int] | None]:
    """`text` in NFC and lower case, and where each character came from (None: same place)."""
    if is_normalized("NFC", text):
        lower = text.lower()
        if len(lower) == len(text):
            return lower, None
    out: list[str] = []
    origin: list[int] = []
    for match in _CLUSTER.finditer(text):
        part = normalize("NFC", match.group()).lower()
        out.append(part)
        origin += [match.start()] * len(part)
    origin.append(len(text))
    return "".join(out), origin


# A character with the marks that compose with it: Hangul in single letters, kana, Latin accents.
_CLUSTER = regex(
    "[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?|.[\u0300-\u036f\u3099\u309a]*+", re.S
)


def _is_ascii_word(characters: str) -> bool:
    return characters.isascii() and characters.isalnum()


_ODD = regex(r"[-'./]")  # what `tokenize` may split a word of a phrase at


def _word_steps(phrase: str) -> list[str]:
    steps: list[str] = []
    for word in phrase.split():
        if word == _GAP or word[-1] == "'" or not _ODD.search(word):
            steps.append(word.replace("ß", "ss"))
        else:
            stem = word.rstrip("*")
            parts = [_fold(stem[a:b]) for a, b in tokenize(stem)]
            if stem != word:
                parts[-1] += "*"
            steps += parts
    return steps


def _character_steps(phrase: str) -> list[str]:
    """Characters, with an optional space where the phrase has one or Latin and CJK letters meet."""
    steps: list[str] = []
    phrase = normalize("NFC", phrase).lower().replace(f" {_GAP} ", _GAP)
    if phrase[0] == _START:
        return [phrase[1], _START, *_character_steps(phrase[1:])[1:]]
    for c in phrase:
        letters = steps and steps[-1] not in f" {_GAP}" and c not in f" {_GAP}"
        if letters and _is_ascii_word(c) != _is_ascii_word(steps[-1]):
            steps.append(" ")
        steps.append(c)
    return steps


def tokenize(text: str) -> list[tuple[int, int]]:
    """Spans of the words of `text`, in order.  Linear.

    Hyphenated words are split ("double-checked"), a clitic keeps its apostrophe ("l'", "email"),
    English contractions stay whole ("couldn't").  Paths, addresses, URLs, versions, decimals and
    command-line flags are one token each; prose with a slash ("pass/fail") is split.
    """
    pattern = _PLAIN_TOKEN if text.isascii() else _TOKEN
    tokens = [match.span() for match in pattern.finditer(text)]
    if "/" not in text:
        return tokens
    out: list[tuple[int, int]] = []
    for start, end in tokens:
        if "/" in text[start:end] and _is_prose(text, start, end):
            for part in text[start:end].split("/"):
                out.append((start, start + len(part)))
                start += len(part) + 1
        else:
            out.append((start, end))
    return out


def _is_prose(text: str, start: int, end: int) -> bool:
    parts = text[start:end].split("/")
    around = text[max(0, start - 1) : start] + text[end : end + 1]
    return (
        len(parts) <= 4
        and all(p.isalpha() and (p.islower() or p.istitle() or p.isupper()) for p in parts)
        and not any(c in "/\\~.@" for c in around[: 1 if start else 0])
        and not text.startswith(("/", "\\"), end)
    )


def languages() -> tuple[str, ...]:
    """The codes that `load` knows, English first."""
    return _CODES


@cache
def load(code: str) -> Lexicon:
    """The tables of one language, read once.  ValueError for a code not in `languages()`."""
    if code not in _CODES:
        raise ValueError(f"no word tables for language {code!r}; there are {', '.join(_CODES)}")
    groups = parse_tables(_read(code))
    return Lexicon(groups.pop("meta"), groups)


# tomllib needs 20 ms for one of these files, too long for a hook.  They hold nothing but tables of
# plain strings and string arrays, which are JSON too; a test reads every file both ways.
_ENTRY = regex(r'^\[(\w+)\]|^("?\w+"?) = (\[[^\]]*\]|".*")', re.M)


def parse_tables(text: str) -> dict[str, dict[str, Any]]:
    """What `tomllib.loads(text)` gives for a file of tables of strings and string arrays."""
    from json import loads

    tables: dict[str, dict[str, Any]] = {}
    for match in _ENTRY.finditer(text):
        if match[1]:
            table = tables[match[1]] = {}
        else:
            table[match[2].strip('"')] = loads(match[3])
    return tables


@cache
def _read(name: str) -> str:
    return _text(_bytes(name))


@cache
def _bytes(name: str) -> bytes:
    # By the loader, as `importlib.resources` does it, without the 10 ms that importing that takes.
    loader: Any = __spec__.loader
    data: bytes = loader.get_data(f"{__path__[0]}/{name}.toml")
    return data


def _text(data: bytes) -> str:
    text = data.decode("utf-8")
    return text.replace("\r\n", "\n") if "\r" in text else text


def tag_all(text: str, tokens: Sequence[tuple[int, int]], codes: Sequence[str]) -> list[Tag]:
    """Tags from several languages at once, as `detect` names them, sorted, without repeats.

    English read beside another language leaves that language's own words alone (`not_english`); a
    second language leaves the first one's function words alone.
    """
    if len(codes) == 1:
        return load(codes[0]).tags(text, tokens)
    own: set[str] = set()
    found: set[Tag] = set()
    for code in codes:
        own |= load(code).not_english
    little = load(codes[0]).stopwords  # Spanish "se" is no Italian "if"
    for code in codes:
        tags = load(code).tags(text, tokens)
        spared = own if code == "en" else little if code != codes[0] else None
        if spared:
            tags = [t for t in tags if _fold(text[t.start : t.end]) not in spared]
        found.update(tags)
    return sorted(found, key=lambda tag: (tag.start, tag.end, tag.name))


# --- detection ---------------------------------------------------------------------------------

_SCRIPTS = {
    "ko": regex(f"[{_HANGUL}]"),
    "ja": regex(f"[{_KANA}]"),
    "zh": regex(f"[{_HAN}]"),
    "ru": regex("[\u0400-\u04ff]"),
    "hi": regex("[\u0900-\u097f]"),
    "": regex("[\u0370-\u03ff\u0530-\u08ff\u0980-\u10ff\u1200-\u137f\u1780-\u17ff]"),
}
_DENSE = ("ko", "ja", "zh")  # one character says about as much as three Latin letters


@cache
def _stopwords() -> dict[str, tuple[str, ...]]:
    """Word -> the Latin-script languages it counts for, "-" before one that we do not read."""
    table: dict[str, tuple[str, ...]] = {}
    for code in _LATIN:
        data = _bytes(code)
        head = _text(data[: data.index(b"\n[polarity]")])  # the rest is twenty times as long
        for word in parse_tables(head)["meta"]["stopwords"]:
            table[word] = (*table.get(word, ()), code)
    for code, words in parse_tables(_read("unread"))["stopwords"].items():
        for word in words:
            table[word] = (*table.get(word, ()), f"-{code}")
    return table


def tags_of(text: str) -> list[Tag]:
    """The tags of a text that is no closing: a task, a message.  Linear."""
    return tag_all(text, tokenize(text), detect(text) or ("en",))


def detect(text: str, context: str = "") -> tuple[str, ...]:
    """The languages to read `text` with, the likeliest first; () when it is in none of ours.

    Reads at most the first 4,000 characters, without what stands in backticks.  Script decides
    first, then stopwords; where a short text has hardly any ("Cupom criado"), the word tables and the
    language of `context` (what was asked) decide.  English is always among the answers, since closings in any language
    carry English terms.  () is a script or a Latin language without tables: abstain, do not guess.
    """
    prose = "".join(text[:_DETECT].split("`")[::2]) or text[:_DETECT]
    words = [_fold(prose[a:b]) for a, b in tokenize(prose)]
    latin = sum(len(w) for w in words if w.isalpha() and w[0] < "\u0250")
    shares: dict[str, int] = {}
    if not prose.isascii():
        for code, letters in _SCRIPTS.items():
            count = len(letters.findall(prose)) * (3 if code in _DENSE else 1)
            if count:
                shares[code] = count
        if "ja" in shares and shares["ja"] * 10 >= shares.get("zh", 0):
            shares["ja"] += shares.pop("zh", 0)
        elif "ja" in shares:
            shares["zh"] += shares.pop("ja")
        if "ko" in shares and shares["ko"] * 2 >= shares.get("zh", 0):
            shares["ko"] += shares.pop("zh", 0)
    whole = latin + sum(shares.values())
    native = sorted(((n, c) for c, n in shares.items() if n * 8 >= whole), reverse=True)
    if native and native[0][0] * 3 >= latin:
        if native[0][1] == "":
            return ()
        return (*[c for _, c in native if c], "en")
    answer = _detect_latin(words, context)
    return (*answer, *[c for _, c in native if c]) if answer else ()


def speaks(sentence: str) -> bool:
    """True where a sentence is for certain in a language that we read.  Fragments are not."""
    codes = detect(sentence)
    if not codes or codes[0] not in _LATIN:
        return bool(codes)
    hits = _hits([_fold(sentence[a:b]) for a, b in tokenize(sentence)])
    own = max(share for code, share in hits.items() if code[0] != "-")
    foreign = max((share for code, share in hits.items() if code[0] == "-"), default=0.0)
    return own >= 0.9 and own > 1.5 * foreign


@cache
def _foreign() -> frozenset[str]:
    """Stopwords of languages that we do not read, and of no other."""
    return frozenset(
        word for word, codes in _stopwords().items() if all(code[0] == "-" for code in codes)
    )


def may_be_unread(text: str) -> bool:
    """True where a part of `text` may be in a language that we do not read.  O(characters)."""
    if not text.isascii() and len(_SCRIPTS[""].findall(text)) >= 12:
        return True
    return len(_foreign().intersection(text.casefold().split())) >= 2


def _detect_latin(words: Sequence[str], context: str) -> tuple[str, ...]:
    hits = _hits(words)
    others = max(share for code, share in hits.items() if code != "en")
    if (
        max(hits.values()) < _SURE
        and len(words) <= _SHORT
        and (others >= hits["en"] or hits["en"] < 0.9)
    ):
        for code, share in _vocabulary(words).items():
            hits[code] += share
        for letter, codes in _LETTERS_OF.items():
            if any(letter in word for word in words):
                hits["en"] -= 0.3
                for code in codes:
                    hits[code] += 0.5 / len(codes)
        if context and max(hits.values()) < 2 * _SURE:
            asked = _hits([_fold(context[a:b]) for a, b in tokenize(context[:_DETECT])])
            best = max(asked, key=lambda code: asked[code])
            if asked[best] >= 1 and best[0] != "-":
                hits[best] += 1
    ranked = sorted(hits, key=lambda code: -hits[code])
    best = next(code for code in ranked if code[0] != "-")
    if ranked[0][0] == "-" and hits[ranked[0]] >= 2 and hits[ranked[0]] >= 1.5 * hits[best]:
        return ()
    read = [
        code
        for code in ranked
        if code[0] != "-" and code != "en" and hits[code] >= max(0.9, 0.5 * hits[best])
    ]
    if hits["en"] >= hits[best]:
        return ("en", *read[:1])
    return (*read[:2], "en")


_LETTERS_OF = {
    "ñ": ("es",), "ß": ("de",), "ä": ("de",), "ö": ("de",), "ü": ("de",), "ã": ("pt",), "õ": ("pt",), "ç": ("fr", "pt"),
    "è": ("fr", "it"), "ê": ("fr", "pt"), "à": ("fr", "it"), "ì": ("it",), "ò": ("it",), "ù": ("it", "fr"),
    "î": ("fr",),
    "œ": ("fr",), "ó": ("es", "pt"), "í": ("es", "pt"), "á": ("es", "pt"), "ú": ("es", "pt"), "é": ("es", "fr", "pt"),
}  # fmt: skip
_SURE = 1.5  # so many stopwords of one language tell it
_SHORT = 60  # words


def _hits(words: Sequence[str]) -> dict[str, float]:
    """Language -> how many of its stopwords there are, shared ones counted in part."""
    table, hits = _stopwords(), dict.fromkeys(_LATIN, 0.0)
    for word in words:
        codes = table.get(word)
        if codes:
            weight = 1 / len(codes)  # a word of many languages tells little
            for code in codes:
                hits[code] = hits.get(code, 0.0) + weight
    return hits


def _vocabulary(words: Sequence[str]) -> dict[str, float]:
    """Language -> how many words stand in its tables alone or beside few others."""
    found = dict.fromkeys(_LATIN, 0.0)
    for word in dict.fromkeys(words):
        if len(word) < 3:
            continue
        codes = [code for code in _LATIN if word in _spellings(code)]
        for code in codes:
            found[code] += 1 / len(codes)
    return found


@cache
def _spellings(code: str) -> frozenset[str]:
    """The one-word phrases of a language, found in the file's text: far quicker than reading it."""
    return frozenset(_ONE_WORD.findall(_read(code)))


_ONE_WORD = regex('"([^\\W\\d_]+)"')
