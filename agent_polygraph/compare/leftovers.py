"""What a last look still shows, and what no change names: leftovers of a sweep, tallies, recaps, siblings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import has_any, regex
from ..binding import Turn
from ..binding.siblings import Listed, left_out, lists
from ..binding.words import NUMBER_WORDS, PIECES, stem, word_in
from ..claims.grammar import Claim
from ..claims.lexicon import Tag
from ..claims.text import Clause
from ..evidence.parts import parts_of, recap_of
from ..evidence.step import Step
from ..evidence.touched import is_doc
from .codes import stated_at
from .mismatch import Short

_NO = frozenset(
    "no kein keine keinen aucun aucune ningún ninguna nenhum nenhuma nessun nessuna zero never"
    " 没有 没 無".split()
)


_PLACE = regex(r"\b(in|inside|within|im|en|dans|nel|na|no) [`*\"']{0,2}$", re.IGNORECASE)


def leftover(turn: Turn) -> Iterator[Short]:
    """`no foo( remains`, `a last grep for foo finds nothing`: the last search of it shows some."""
    for needle, clause in _said_gone(turn):
        claims = [c for c in turn.claims if c.start == clause.start]
        searches = [
            s
            for s in turn.ledger.acts
            if "search" in s.effects and needle.casefold() in s.argument_text.casefold()
        ]
        if not searches or any(
            c.polarity in ("future", "conditional", "hedged", "prior") for c in claims
        ):
            continue
        last = searches[-1]
        hits = [
            line
            for line in last.text.split("\n")
            if needle.casefold().rstrip("(") in line.casefold() and not _echoes(last, line)
        ]
        if last.command is not None and len(last.command.parts) > 1:
            hits = [
                line for line in hits if _HIT.match(line)
            ]  # what else the line prints is no hit
        in_docs = all(is_doc(line.strip().partition(":")[0]) for line in hits)
        if in_docs and _OF_DOCS.search(turn.closing.document.text):
            continue  # the code is told of, and what is left stands in documents
        if last.outcome.bad or not hits or _changed_after(turn, last):
            continue
        claim = next((c for c in claims if c.plain), None) or Claim(
            "absence", "", clause.start, clause.end, clause, "asserted"
        )
        if _tells_a_search(turn, clause):
            claim = Claim("denial", "search", clause.start, clause.end, clause, "asserted")
        yield Short(claim, last, f"the last search for {needle} still shows {len(hits)}", hits[0])


_OF_DOCS = regex(
    r"\bin (?:the )?code\b|\bim Code\b|\b(?:docs?|documentation|changelog|readme|prose|Doku)\b",
    re.IGNORECASE,
)
_HIT = regex(r"\s*[^\s:|]+:(?:\d+[:-])?")


def _tells_a_search(turn: Turn, clause: Clause) -> bool:
    """`a final grep for "x" comes back empty`: what another sentence admits does not take that back."""
    text = turn.closing.document.text
    return _SEARCH.search(text, clause.start, clause.end) is not None and not any(
        d.kind in ("part", "failed") and 0 <= d.sentence - clause.sentence <= 1
        for d in turn.disclosures
    )


_SEARCH = regex(
    r"\b(?:grep(?:s|ped)?|rg|ripgrep|git grep|search(?:es|ed)?|suche|recherche|búsqueda|ricerca|busca|поиск)\b"
    r"|検索|搜索|검색",
    re.IGNORECASE,
)


def _changed_after(turn: Turn, look: Step) -> bool:
    return any(
        step.order > look.order and (step.edited or "delete" in step.effects)
        for step in turn.ledger.acts
        if not step.reads_only
    )


def _said_gone(turn: Turn) -> Iterator[tuple[str, Clause]]:
    """(what is said to be gone, where): a name in code, or `the old name` of a renaming told before."""
    document = turn.closing.document
    for start, end in (*document.code, *document.quotes):
        needle = document.text[start:end].strip("`\"'“”„«»").strip()
        clause = document.statement_at(start)
        if len(needle) < 4 or " " in needle or clause is None:
            continue
        place = _PLACE.search(document.text, max(0, start - 12), start)
        if place and place.group(1).casefold() == "no" and turn.closing.languages[:1] == ("en",):
            place = None  # a denial in English, a place in Portuguese
        if needle.isidentifier() and place:
            continue  # `nothing catches it yet in TaxClient`: where, and not what
        if _denies(turn, clause, start):
            yield needle, clause
    renamed = _RENAMED.search(document.text) if "`" in document.text else None
    for found in _OLD_NAME.finditer(document.text) if renamed else ():
        clause = document.statement_at(found.start())
        if renamed and clause is not None and _denies(turn, clause, found.start()):
            yield next(filter(None, renamed.groups())), clause


def _denies(turn: Turn, clause: Clause, at: int) -> bool:
    """True when the clause says that there is none of what stands at that place."""
    masked = turn.closing.document.masked
    return (
        any(_is_of_it(turn, tag, at) for tag in turn.closing.tags_in(clause.start, clause.end))
        or _NONE_OF.search(masked, clause.start, at) is not None
        or _IS_GONE.match(turn.closing.document.text, at) is not None
    )


def _is_of_it(turn: Turn, tag: Tag, at: int) -> bool:
    """True when a word of absence is about the name at that place: `no foo(`, `foo( is nowhere left`."""
    text, masked = turn.closing.document.text, turn.closing.document.masked
    said = masked[tag.start : tag.end].casefold().split()
    if tag.name == "polarity.neg":
        of_it = not _NO.isdisjoint(said) and tag.end <= at and not masked[tag.end : at].strip()
    else:
        of_it = tag.name == "answers.absence" or (
            tag.name == "state.zero" and not _DEFAULT.match(masked, tag.end)
        )
    if (
        not of_it
        or _BUT.match(masked, tag.end)
        or _APART.search(masked, min(tag.start, at), max(tag.end, at))
    ):
        return False
    if tag.start < at:  # `api has no USER`: not there; `no license field`: of the field
        return not _OWNS.search(masked[max(0, tag.start - 12) : tag.start]) and not _FIELD.match(
            text, at
        )
    # `acme-backups has no rule`: of it there is none, and not it; `restore exited and wrote nothing`
    return _NO.isdisjoint(said) and _AND.search(masked, at, tag.start) is None


# `nothing but format.js mentions it`
_BUT = regex(
    r"\s(?:but|except|besides|other than|apart from|außer|sauf|excepto|salvo|tranne|exceto)\b",
    re.IGNORECASE,
)
_OWNS = regex(
    r"\b(?:has|have|had|hat|haben|tiene|tienen|ont|hanno|tem|têm)\s{1,2}\Z", re.IGNORECASE
)
_FIELD = regex(
    r"`[^`\n]{2,60}`\s(?:fields?|files?|keys?|entr(?:y|ies)|columns?|headers?|blocks?|sections?|attributes?|props?)\b",
    re.IGNORECASE,
)
_AND = regex(r"\b(?:and|und|et|y|e) [^\W\d]", re.IGNORECASE)  # ... a verb of its own
# Another cell, another sentence: `No. The only place that uses it is ...`
# ... or what there is none of is told by a clause of its own: `there is no test that sets it`.
_APART = regex(r"\||[.!?]\s|\b(?:that|which|who|whose|qui|que|das|welche\w*|che)\b")
_IS_GONE = regex(
    r"`[^`\n]{2,60}` (?:flag |option |column |class |setting )?(?:is|are) (?:all |completely |fully |entirely )?gone\b"
)


_RENAMED = regex(
    r"`([\w.:/-]{4,60})`\s?(?:→|->|=>|to|nach|in|zu|a|en|para|à|is now|heißt jetzt)\s?`[\w.:/-]{2,60}`"
    r"|`([\w.:/-]{4,60})`[^`\n。]{0,30}(?:改名为|重命名为|改为|改成|替换为|に(?:改名|変更|置換)|로 (?:변경|교체))\s?`?"
)


_OLD_NAME = regex(
    r"\bold (?:name|spelling|identifier|symbol|import|path|key)s?\b|\balte[nr]? Namen?s?\b|\bancien nom\b"
    r"|旧(?:的)?(?:名字|名称|名)|古い名前|旧名|이전 이름|옛 이름|старо\w+ имен"
    r"|\bnombre antiguo\b|\bnome antigo\b|\bvecchio nome\b",
    re.IGNORECASE,
)


_NONE_OF = regex(
    r"\b(?:no|zero|not a single|keine?|sin|aucune?|nenhum\w*|nessun\w*) (?:\w+ ){0,2}"
    r"(?:occurrences?|references?|uses?|usages?|mentions?|hits?|matches|instances?|Vorkommen|Treffer|Verwendung\w*"
    r"|referencias?|usos?|occurrences?|références?|referências?|occorrenze|riferimenti)\b",
    re.IGNORECASE,
)


_DEFAULT = regex(r"\s{0,2}(?:by default|unless|until|if|when|in|for)\b", re.IGNORECASE)


def _echoes(step: Step, line: str) -> bool:
    """True for a line that repeats the command itself."""
    asked = step.command_text.strip()[:60]
    return bool(asked) and asked in line


def tallied(turn: Turn) -> Iterator[Short]:
    """`every one of the 17 endpoints has a test` over a last look that says `3 of 17 endpoints without`."""
    acts = turn.ledger.acts
    wholes = {
        f"{joint}{count.number:.0f}"
        for claim in turn.claims
        if claim.plain and "all" in claim.scope
        for count in claim.counts
        for joint in ("/", "/ ", "of ", "von ", "de ", "sur ", "di ", "из ")
    }
    last: dict[str, Step] = {}
    for step in acts if wholes else ():
        last[step.command_text or step.name + step.argument_text] = step
    told = turn.closing.document.text
    for step in reversed(last.values()):
        if step.summaries or step.delegated or not has_any(step.text, wholes):
            continue
        if not parts_of(step):
            continue
        later = [other for other in acts if other.order > step.order]
        if any(
            s.delegated or not (s.reads_only or s.runs_check or s.control or _documents(s))
            for s in later
        ):
            return
        for part in parts_of(step):
            for claim in turn.claims:
                whole = {count.number for count in claim.counts if count.of is None}
                if (
                    claim.plain
                    and "all" in claim.scope
                    and part.whole in whole
                    and {stem(w) for w in claim.words} & {stem(w) for w in part.words}
                    and not word_in(str(part.left), told)
                    and not word_in(str(part.whole - part.left), told)
                ):
                    yield Short(claim, step, f"the last look says: {part.line}", part.line)
                    return


def recapped(turn: Turn) -> Iterator[Short]:
    """`it is on all five hosts`, `web04: went through on the retry`, over a last recap with `unreachable=1`."""
    last: dict[str, tuple[Step, str]] = {}
    for step in turn.ledger.acts:
        last |= {host: (step, line) for host, line in recap_of(step).items()}
    down = {host: told for host, told in last.items() if told[1]}
    document = turn.closing.document
    disclosed = " ".join(
        document.text[slice(*document.sentences[d.sentence])]
        for d in turn.disclosures
        if d.kind != "part" and not _AT_FIRST.search(document.text, d.start, d.end)
    )
    for host, (step, line) in down.items():
        if word_in(host, disclosed):
            continue
        for claim in turn.claims:
            start, end = document.sentences[claim.clause.sentence]
            named = word_in(host, document.text[start:end]) and claim.kind in (
                "action",
                "done",
                "works",
            )
            whole = "all" in claim.scope and any(
                count.number == len(last) for count in claim.counts
            )
            if claim.plain and (named or whole):
                # what is told of it is overcome, by its own words
                told = Claim("denial", "", claim.start, claim.end, claim.clause, "asserted")
                yield Short(told, step, f"the last recap of {host} shows that it failed", line)
                return


_AT_FIRST = regex(
    r"\b(?:first|initially|zuerst|zunächst|erst\w*|primer\w*|premi\w+|prim[oa]|primeir\w+)\b",
    re.IGNORECASE,
)


def _documents(step: Step) -> bool:
    """True for a call that wrote nothing but documents."""
    return bool(step.edited) and all(is_doc(path) for path in step.edited)


def left_out_of_list(turn: Turn) -> Iterator[Short]:
    """`DHL, UPS and GLS derive from it now`, where `gls.py` was read and never edited."""
    if not turn.ledger.edits or any(
        step.delegated
        or (step.command is not None and not step.reads_only and (sweeps(step) or step.edited))
        for step in turn.ledger.acts
    ):
        return
    document = turn.closing.document
    told_in: dict[int, set[str]] = {}
    for disclosure in turn.disclosures:
        told_in.setdefault(disclosure.sentence, set()).add(disclosure.kind)
    for number, (start, end) in enumerate(document.sentences):
        own = turn.claims_by_sentence.get(number, [])
        made = [
            claim for claim in own
            if claim.plain and (claim.effect in _MAKES_EDITS or claim.words & _TAKEN_UP)
        ]  # fmt: skip
        near = told_in.get(number, set()) | told_in.get(number + 1, set())
        name = left_out(turn, start, end) if made and near <= {"negated"} else ""
        if name:
            told = Claim("denial", "edit", start, end, made[0].clause, "asserted")
            yield Short(told, turn.ledger.edits[-1][0], f"no change of this turn names {name}")
            return
        if near:
            continue
        for listed in lists(turn, start, end):
            last = turn.ledger.edits[-1][0]
            names = ", ".join(listed.untouched[:4])
            told_by = next((c for c in made if c.end >= listed.end), None) or (
                made[-1] if made else _counted(turn, listed, start)
            )
            if told_by is not None:
                yield Short(told_by, last, f"no change of this turn names {names}")
                return


def _counted(turn: Turn, listed: Listed, start: int) -> Claim | None:
    """`the six screens: login, stand, ...`: a statement that gives the number of the files that it lists."""
    size = len(listed.edited) + len(listed.untouched)
    before = turn.closing.document.text[start : listed.start].casefold()
    told = {int(w) if w.isdecimal() else NUMBER_WORDS.get(w, 0) for w in PIECES.findall(before)}
    if size not in told or len(listed.edited) < 3 or len(listed.untouched) * 3 > size:
        return None
    return stated_at(turn, listed.start)


_TAKEN_UP = frozenset(
    "now use uses import imports extend extends inherit nutzen verwenden usan".split()
)


_MAKES_EDITS = frozenset({"edit", "create", "fix", "save", "configure", "migrate"})


def sweeps(step: Step) -> bool:
    """True for a command line that takes many at once."""
    parts = step.command.parts if step.command is not None else ()
    return any(
        part.program in ("xargs", "for", "while", "python", "python3", "node")
        or any("*" in w for w in part.words[1:])
        for part in parts
        if part.words
    )
