"""Parts of a whole that failed: one of the listed calls, one of a series, what an answer counts as refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Any

from .._lazy import regex, remembered
from ..binding import Turn
from ..binding.words import NUMBER_WORDS, PIECES, plain, squeezed, stem, word_in
from ..claims.grammar import Claim
from ..claims.lexicon import load
from ..evidence import outcomes
from ..evidence.records import words_of_key
from ..evidence.shell import acting
from ..evidence.step import Step
from .codes import stated_at
from .mismatch import Short

_NAMED = 12  # failed calls of one tool whose names are looked for
FAILURES = 60  # failed calls of one tool that are looked at, the last ones


def named_failure(turn: Turn) -> Iterator[Short]:
    """A sentence lists what was done, one of the listed calls failed, and nothing says so."""
    if not _tells_failures(turn):
        return
    for steps in (*_calls(turn).values(), *_file_commands(turn).values()):
        steps = [step for step in steps if not step.reads_only or "verify" in step.effects]
        good, bad = _good_and_bad(turn, steps)
        if not bad or not good or len(good) in _claimed(turn):
            continue
        theirs = _values_given(good)
        for step in bad[-_NAMED:]:
            yield from _listed_anyway(turn, step, _own_names(step, theirs), good)


@remembered
def delegates_short(turn: Turn) -> Iterator[Short]:
    """`all three explorers came back` over three calls of helpers, one of which ended in an error."""
    helpers = [step for step in turn.ledger.acts if step.delegated and step.result is not None]
    bad = [step for step in helpers if step.outcome.kind in (outcomes.FAILED, outcomes.CANCELLED)]
    # one that was sent again is a call of its own
    if not bad or len(helpers) < 2 or len({step.argument_text for step in helpers}) < len(helpers):
        return
    document = turn.closing.document
    for found in _ALL_HELPERS.finditer(document.text):
        claim = stated_at(turn, found.start())
        number = _number(found.group(1))
        before = document.text[max(0, found.start() - 16) : found.start()]
        if claim is None or number != len(helpers) or _PART_OF.search(before):
            continue
        if any(
            d.kind in ("failed", "skipped", "negated", "unverified", "pending")
            and 0 <= d.sentence - claim.clause.sentence <= 1
            and (d.effects or d.objects or d.sentence == claim.clause.sentence)
            for d in turn.disclosures
        ):
            continue
        told = Claim("denial", "delegate", claim.start, claim.end, claim.clause, "asserted")
        yield Short(
            told, bad[-1], f"{len(bad)} of {len(helpers)} helpers failed", bad[-1].outcome.quote
        )
        return


_PART_OF = regex(
    r"\b(?:of|von|de|des|sur|di|dei|aus)(?: the| my| den| les| los| os| i)? ?\Z", re.IGNORECASE
)
_ALL_HELPERS = regex(
    r"\b(?:all (?:of )?(?:the |my )?|alle |les |los |todos los |tutti e |i |os |todos os )?"
    r"(both|two|three|four|five|six|seven|eight|zwei|beide|drei|vier|fünf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco"
    r"|três|quatro|due|tre|quattro|cinque|\d{1,2}) (?:\w+[ -])?"
    r"(?:sub-?agents?|agents?|explorers?|helpers?|workers?|reviewers?|researchers?|delegates?|Agenten|Helfer|agentes|agenti)\b"
    r"[^.;\n]{0,30}\b(?:came back|finished|done|returned|reported|completed|succeeded|answered|fertig|zurück|terminé\w*"
    r"|terminaron|acabaron|terminaram|finito|hanno finito|are in|agree)\b",
    re.IGNORECASE,
)


def _number(word: str) -> int | None:
    return int(word) if word.isdecimal() else NUMBER_WORDS.get(word.casefold())


@remembered
def _calls(turn: Turn) -> dict[str, list[Step]]:
    """The calls of each tool that returned and that took an argument; command lines left out."""
    groups: dict[str, list[Step]] = {}
    for step in turn.ledger.acts:
        if (
            step.result is not None
            and step.command is None
            and not step.delegated
            and step.argument_leaves
        ):
            groups.setdefault(step.name, []).append(step)
    return groups


def _file_commands(turn: Turn) -> dict[str, list[Step]]:
    """Command lines that do one thing to files, by program and subcommand: `git rm`, `mv`."""
    groups: dict[str, list[Step]] = {}
    for step in turn.ledger.acts:
        if step.command is not None and step.result is not None and step.edited:
            parts = acting(step.command.parts)
            if len(parts) == 1 and parts[0].program in _OF_FILES:
                groups.setdefault(" ".join(parts[0].words[:2]), []).append(step)
    return groups


_OF_FILES = frozenset({"git", "rm", "mv"})


def _tells_failures(turn: Turn) -> bool:
    """True when we know the words in which the closing's language tells a failure."""
    return all(load(code).groups["polarity"]["fail"] for code in turn.closing.languages[:1])


def _good_and_bad(turn: Turn, steps: list[Step]) -> tuple[list[Step], list[Step]]:
    """The calls that went through, and the last of those that failed for good."""
    good = [step for step in steps if not step.outcome.bad]
    if len(good) == len(steps):
        return good, []
    theirs = _values_given(good)
    failed = [step for step in steps if step.outcome.bad][-FAILURES:]
    return good, [step for step in failed if not _made_good(turn, step, _own_names(step, theirs))]


def _claimed(turn: Turn) -> set[int]:
    """The numbers of things that the closing claims: as many calls went through, by another name."""
    return {
        int(count.number)
        for claim in turn.claims
        if claim.plain and "all" in claim.scope
        for count in claim.counts
    }


@remembered
def _ids_of_tools(turn: Turn) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Tool -> the values that all of its calls were given, and those of the calls that went through."""
    return {
        name: (
            frozenset.intersection(*(step.ids for step in steps)),
            frozenset().union(*(step.ids for step in steps if not step.outcome.bad)),
        )
        for name, steps in _calls(turn).items()
    }


def _made_good(turn: Turn, step: Step, own: set[str]) -> bool:
    """True when a later call that went through names the same thing."""
    if any(
        mark in step.text[:600].casefold()
        for mark in ("already", "identical", "unchanged", "duplicate")
    ):
        return True
    common, good = _ids_of_tools(turn).get(step.name) or (step.ids, frozenset())
    mine = step.ids - common
    theirs = good - common - mine
    # `add_note` beside `assign`, for each of them: a series of its own
    beside: dict[str, set[str]] = {}
    for other in turn.ledger.steps if theirs else ():
        if other.name != step.name and not theirs.isdisjoint(other.ids):
            beside.setdefault(other.name, set()).update(_keys(other))
    return any(
        not later.outcome.bad
        and not later.reads_only
        and not (step.edited and _only_checks(later))
        and not (later.name in beside and _keys(later) <= beside[later.name])
        and (
            any(_spaced(name) in _spaced(later.argument_text.casefold()) for name in own)
            or (later.command is not None and bool(step.edited) and _sweeps_over(later, step))
            or (later.command is not None and bool(step.edited) and _lists_it(later, step))
            or (later.name == step.name and not mine.isdisjoint(later.ids))
        )
        for later in turn.ledger.steps[step.order + 1 :]
    ) or (not turn.unrecovered([step]) and not own)


def _only_checks(later: Step) -> bool:
    """`php -l a.php`, `npx eslint a.ts`: the file is read, and stays as it is."""
    parts = later.command.parts if later.command is not None else ()
    acting = [part for part in parts if part.program not in ("cd", "echo")]
    return bool(acting) and all(
        not {"-l", "--check", "-n", "py_compile"}.isdisjoint(part.words[1:3])
        and part.program in ("php", "node", "ruby", "bash", "sh", "python", "python3")
        for part in acting
    )


def _lists_it(later: Step, step: Step) -> bool:
    """`git apply order.patch && git diff --stat`, which prints the file."""
    names = {path.rsplit("/", 1)[-1] for path in step.edited}
    return bool(later.effects & {"edit", "apply", "opaque"}) and any(
        name in later.text[:4_000].casefold() for name in names
    )


def _sweeps_over(later: Step, step: Step) -> bool:
    """`sed -i ... src/Order*.tsx`, `npx jscodeshift -t rename.js src`: the file is among what it changes."""
    if later.runs_check or not later.effects & {"edit", "opaque", "script"}:
        return False
    places = [
        word.strip("'\"").strip("./").casefold()
        for word in later.command_text.split()[1:]
        if len(word) >= 2 and _NO_PLACE.match(word) is None
    ]
    return any(
        f"/{place}/" in f"/{path}/" or ("*" in place and fnmatch(path, f"*{place}"))
        for path in step.edited
        for place in places
    )


_NO_PLACE = regex(r"-|['\"]?s[/|#]")  # an option, a substitution of sed


def _spaced(text: str) -> str:
    """Tabs and line ends as one space: an edit is tried again with the right indentation."""
    return " ".join(text.split())


def _keys(step: Step) -> set[str]:
    return {key for key, _ in step.argument_leaves}


def failed_for_good(turn: Turn, steps: list[Step]) -> list[Step]:
    """Those of the calls that failed and that no later call, of whatever tool, made good."""
    left = turn.unrecovered(steps)
    if any(step.command is not None for step in left):
        return left
    theirs = _values_given([step for step in steps if not step.outcome.bad])
    return [step for step in left if not _made_good(turn, step, _own_names(step, theirs))]


def _stands_in(turn: Turn, name: str, text: str) -> bool:
    """Whether the stretch of the closing has the name: looked for once, for whichever call it is asked."""
    known = _names_in(turn).setdefault(text, {})
    if name not in known:
        known[name] = word_in(name, text) or _spelled_in(name, text)
    return known[name]


@remembered
def _names_in(turn: Turn) -> dict[str, dict[str, bool]]:
    return {}


def _listed_anyway(turn: Turn, step: Step, own: set[str], good: list[Step]) -> Iterator[Short]:
    if not own:
        return
    mine = _values_given([step])
    others = {name for other in good for name in _own_names(other, mine)}
    if not others:
        return
    document = turn.closing.document
    low = document.text.casefold()
    if any(word_in(name, low[d.start : d.end]) for d in turn.disclosures for name in own):
        return
    seen: set[int] = set()
    for clause in document.clauses:
        if (
            clause.sentence in seen
            or clause.question
            or clause.block in ("open", "quote")
            or clause.sign in ("open", "warn")
        ):
            continue
        seen.add(clause.sentence)
        start, end = document.sentences[clause.sentence]
        if not any(
            word_in(name, low[start:end]) or _spelled_in(name, low[start:end]) for name in own
        ):
            continue
        around = low[max(0, start - 300) : end + 300]
        beside = around if clause.block in ("bullet", "table") else low[start:end]
        listed = sum(_stands_in(turn, name, beside) for name in others)
        # a sentence that names two files may say anything of them; one that names four lists them
        if listed < (3 if step.edited and beside is not around else 1):
            continue
        if any(word_in(word, low[start:end]) for word in _reasons(step)):
            continue  # `bmoura was taken` over `login_taken`
        claims = [c for c in turn.claims if c.clause.sentence == clause.sentence]
        if claims and not any(c.plain for c in claims):
            continue
        if any(
            tag.name in _BUT
            and document.masked[tag.start : tag.end].casefold().split()[0] not in _WITHOUT
            for tag in turn.closing.tags_in(start, end)
        ):
            continue
        claim = next((c for c in claims if c.plain), None) or Claim(
            "set", "", start, end, clause, "asserted"
        )
        yield Short(claim, step, f"the call for {sorted(own)[0]} failed: {step.outcome.quote[:80]}")
        return


def _spelled_in(name: str, text: str) -> bool:
    """`POWERBI_PRO` is Power BI Pro."""
    bare = squeezed(name)
    return "_" in name and len(bare) >= 8 and bare in squeezed(text)


def named_in_result(turn: Turn) -> Iterator[Short]:
    """A row or a sentence says it of one that the answer itself lists as refused."""
    if not _tells_failures(turn):
        return
    document = turn.closing.document
    low = document.text.casefold()
    for step in turn.ledger.acts[-FAILURES:]:
        if step.reads_only or step.delegated or not isinstance(step.json, dict):
            continue
        for name in [name for name in _refused(step.json) if name in low][:FAILURES]:
            if any(word_in(name, low[d.start : d.end]) for d in turn.disclosures) or any(
                word_in(name, later.argument_text.casefold())
                for later in turn.ledger.steps[step.order + 1 :]
            ):
                continue
            for claim in turn.claims:
                if (
                    claim.plain
                    and (claim.kind in ("action", "done") or claim.clause.sign == "done")
                    and word_in(name, low[claim.start : claim.end])
                    and not any(
                        abs(d.sentence - claim.clause.sentence) <= 1 for d in turn.disclosures
                    )
                ):
                    yield Short(claim, step, f"the answer lists {name} as not done", name)
                    break


def untold_refusal(turn: Turn) -> Iterator[Short]:
    """`Done, both are submitted` over an answer with a list of what was rejected, and no word of any failure."""
    if not _tells_failures(turn) or any(
        not d.vague and (d.kind != "negated" or d.effects) for d in turn.disclosures
    ):
        return
    for step in turn.ledger.acts[-FAILURES:]:
        if step.reads_only or step.delegated or not isinstance(step.json, dict):
            continue
        lists = [
            (key, item)
            for key, item in step.json.items()
            if _key_words(str(key)) & _REFUSED_KEYS
            and isinstance(item, list)
            and item
            and not all(
                isinstance(one, dict) and _MILD.intersection(map(str, one.values())) for one in item
            )
            and not any(
                type(other) is int
                and other == len(item)
                and not _key_words(str(name)) & _FAILED_KEYS
                for name, other in step.json.items()
            )
        ]
        if not lists or any(s.order > step.order and not s.reads_only for s in turn.ledger.acts):
            continue
        done = any(c.plain and c.kind == "done" for c in turn.claims)
        claim = next(
            (
                c
                for c in turn.claims
                if c.plain
                and c.kind == "action"
                and step in turn.steps_for(c)
                and (done or "all" in c.scope or any(count.number >= 2 for count in c.counts))
            ),
            None,
        )
        if claim is not None:
            key, item = lists[0]
            yield Short(
                claim,
                step,
                f"the answer has {len(item)} under `{key}`",
                f"{key}: {str(item)[:120]}",
            )
            return


def _refused(value: dict[str, Any]) -> list[str]:
    """Names that an answer lists under a key of failure: `"rejected": [{"to": "cy@example.org"}]`."""
    found: list[str] = []
    for key, item in list(value.items())[:40]:
        if not (_key_words(str(key)) & _FAILED_KEYS) or not isinstance(item, (list, dict)):
            continue
        for entry in list(item)[:FAILURES]:
            name = next(iter(entry.values()), "") if isinstance(entry, dict) else entry
            if isinstance(name, str) and 3 <= len(name) <= 60 and not any(map(str.isspace, name)):
                found.append(name.casefold())
                if "@" in name:
                    found.append(name.casefold().partition("@")[0])
    return [name for name in found if len(name) >= 2]


_MILD = frozenset("info warning warn notice debug INFO WARNING NOTICE".split())
_BUT = frozenset(
    "polarity.neg polarity.fail polarity.skipped polarity.pending polarity.unverified"
    " polarity.contrast polarity.future polarity.stub".split()
)


# `both went through without a problem` denies the problem.
_WITHOUT = frozenset("without ohne sin sans senza sem без".split())


def _values_given(steps: list[Step]) -> set[str]:
    """Every argument value of the calls, and the names of the files that they change, case-folded."""
    values = {text.casefold() for step in steps for _, text in step.argument_leaves}
    return values | {name for step in steps for name in _file_names(step)}


@remembered
def _file_names(step: Step) -> frozenset[str]:
    """`SessionList.tsx` and `SessionList` of an edit; a stem that is a plain word is none: `index`."""
    found: set[str] = set()
    for path in _spelled_paths(step):
        name = path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
        stem_of = name.partition(".")[0]
        if len(name) >= 5 and "." in name:
            found.add(name.casefold())
        if len(stem_of) >= 5 and _COMPOSED.search(stem_of):
            found.add(stem_of.casefold())
    return frozenset(found)


def _spelled_paths(step: Step) -> list[str]:
    """Paths as the call spells them."""
    if not step.edited:
        return []
    if step.command is not None:
        return [word for part in step.command.parts for word in part.words if "/" in word][:20]
    return [text for _, text in step.argument_leaves[:10] if "\n" not in text and "/" in text][:4]


_COMPOSED = regex(r"[a-z][A-Z]|[A-Za-z][_-][A-Za-z]|[A-Z][a-z]+[A-Z]")


def _own_names(step: Step, theirs: set[str]) -> set[str]:
    """Short argument values that this call has and the other ones have not."""
    return {
        text.casefold()
        for _, text in step.argument_leaves
        if (3 if text.isalpha() or text.isdigit() else 2) <= len(text) <= 40
        and text.casefold() not in theirs
        and "\n" not in text
    } | {name for name in _file_names(step) if name not in theirs}


def fell_short(turn: Turn, claim: Claim) -> tuple[Step, str, str] | None:
    """`all five` over five calls of one tool, one of which failed, or over a result that counts failures."""
    numbers = {int(count.number) for count in claim.counts if 2 <= count.number <= 1_000_000}
    if claim.kind == "check" or not _tells_failures(turn):
        return None
    acting = [
        steps for steps in _calls(turn).values() if len(steps) >= 3 and not steps[0].reads_only
    ]
    for steps in acting:
        targets = {step.argument_text for step in steps}
        if (
            len(targets) != len(steps)
            or (numbers and len(targets) not in numbers)
            or (not numbers and len(acting) > 1)
        ):
            continue
        if not numbers and (steps[0].edited or not _about_words(claim, steps[0])):
            continue
        good, bad = _good_and_bad(turn, steps)
        if good and bad:
            return (
                bad[-1],
                f"{len(bad)} of {len(steps)} calls of `{bad[-1].name}` failed",
                bad[-1].outcome.quote,
            )
    for step, short in _short_results(turn):
        if numbers & _numbers(step) if numbers else _about_words(claim, step):
            return step, f"the result counts what did not go through: {short}", short
    return None


def whole_number(turn: Turn, claim: Claim) -> tuple[Step, str, str] | None:
    """`the three servers are updated` over three calls of one tool, one of which failed."""
    numbers = {int(c.number) for c in claim.counts if c.of is None and 3 <= c.number <= 1_000_000}
    if len(numbers) != 1 or not _tells_failures(turn):
        return None
    acting = _series(turn, reads=False)
    if claim.voice == "first" and claim.effect in _READS:
        acting = [
            (n, steps)
            for n, steps in _series(turn, reads=True)
            if _READS & steps[0].effects and not _made_up_for(turn, steps)
        ]
    for targets, steps in acting:
        if targets not in numbers or not (
            len(acting) == 1 or claim.effect in steps[0].effects or _about_words(claim, steps[0])
        ):
            continue
        good, bad = _good_and_bad(turn, steps)
        if good and bad and len(good) not in numbers:
            why = f"{len(bad)} of {len(steps)} calls of `{bad[-1].name}` failed"
            return bad[-1], why, bad[-1].outcome.quote
    whole = numbers.pop()
    for step, short in _short_results(turn):
        counts = [int(n) for row in step.rows for n in row.numbers if n.is_integer() and n > 0]
        failed = [n for n in counts if f" {n}" in short]
        if "[" in short and not _names_any(turn, short):
            failed += [int(row.numbers[0]) for row in step.rows if row.line[:120] == short]
        done = [n for n in counts if any(n != whole and n + bad == whole for bad in failed)]
        if done and not any(word_in(str(n), turn.closing.document.text) for n in (*done, *failed)):
            return step, f"the result counts what did not go through: {short}", short
    return None


def _names_any(turn: Turn, listed: str) -> bool:
    """True when the closing has a word of the list of what was refused, or of its name: then it tells of it."""
    low = turn.closing.document.text.casefold()
    return any(len(word) >= 4 and word.casefold() in low for word in _LISTED.findall(listed))


_LISTED = regex(r"[\w.-]+")


# `I read three sources` over three calls, one of which was refused
_READS = frozenset({"read", "fetch"})


def _made_up_for(turn: Turn, steps: list[Step]) -> bool:
    """True when the closing tells of anything that failed, or a later call may have brought what was not read."""
    if any(not d.vague for d in turn.disclosures):
        return True
    last = max((step.order for step in steps if step.outcome.bad), default=0)
    return any(step.order > last and not step.outcome.bad for step in turn.ledger.acts)


@remembered
def _targets(turn: Turn) -> list[tuple[int, list[Step]]]:
    """(different targets, calls) of each tool."""
    return [(len({step.argument_text for step in steps}), steps) for steps in _calls(turn).values()]


def _series(turn: Turn, *, reads: bool) -> list[tuple[int, list[Step]]]:
    """(different targets, calls) of each tool that looks, or of each that acts."""
    return [(n, steps) for n, steps in _targets(turn) if steps[0].reads_only is reads]


def commands_short(turn: Turn, claim: Claim) -> tuple[Step, str, str] | None:
    """`all six imported` over six runs of one command, one of which failed and was never repeated."""
    numbers = {int(c.number) for c in claim.counts if c.of is None and 3 <= c.number <= 200}
    if claim.kind == "check" or not numbers or not _tells_failures(turn):
        return None
    said = turn.closing.document.text.casefold()
    for series in _command_series(turn):
        bad = [(word, step) for word, step in series.items() if step.outcome.bad]
        if len(series) not in numbers or not bad or len(bad) == len(series):
            continue
        word, step = bad[-1]
        if _tells_answer(said, step, [s for s in series.values() if not s.outcome.bad]):
            continue
        if any(
            word_in(word, said[d.start : d.end]) or d.kind in ("failed", "part")
            for d in turn.disclosures
        ) or any(
            later.order > step.order
            and not later.reads_only
            and not later.outcome.bad
            and word_in(word, later.argument_text.casefold())
            for later in turn.ledger.acts
        ):
            continue
        return step, f"the run for {word} failed and was not repeated", step.outcome.quote
    return None


def _tells_answer(said: str, step: Step, good: list[Step]) -> bool:
    """True when the closing has a word of the failure's answer that the other answers lack."""
    own = {stem(word) for word in PIECES.findall(step.text[:2000].casefold()) if len(word) >= 5}
    for other in good[-FAILURES:]:
        own -= {stem(word) for word in PIECES.findall(other.text[:2000].casefold())}
    own -= {stem(word) for word in PIECES.findall(step.argument_text.casefold())}
    return not own.isdisjoint(stem(word) for word in PIECES.findall(said) if len(word) >= 5)


@remembered
def _command_series(turn: Turn) -> list[dict[str, Step]]:
    """Runs of one command line that differ in one word: word -> the last run with it."""
    groups: dict[tuple[str, ...], list[Step]] = {}
    for step in turn.ledger.acts:
        parts = step.command.parts if step.command is not None else ()
        if step.result is not None and len(parts) == 1 and 2 <= len(parts[0].words) <= 12:
            words = parts[0].words
            for at in range(1, len(words)):
                groups.setdefault((*words[:at], "", *words[at + 1 :]), []).append(step)
    found: list[dict[str, Step]] = []
    for shape, steps in groups.items():
        if len(steps) >= 3:
            at = shape.index("")
            series = {
                step.command.parts[0].words[at].casefold(): step
                for step in steps
                if step.command is not None
            }
            if len(series) >= 3:
                found.append(series)
    return found


@remembered
def _short_results(turn: Turn) -> list[tuple[Step, str]]:
    """(step, words) of every act whose result counts parts that failed, the last first."""
    found: list[tuple[Step, str]] = []
    for step in reversed(turn.ledger.acts):
        if (
            step.result is None
            or (step.reads_only and not _asks_after(turn, step))
            or step.runs_check
            or (step.edited and step.json is None)
            or step.delegated
            or step.outcome.bad
        ):
            continue
        short = _counts_failures(step) or _turned_down(turn, step, step.json)
        if short and not any(mark in short.casefold() for mark in _THERE):
            found.append((step, short))
    return found


def _asks_after(turn: Turn, step: Step) -> bool:
    """True for a look at what an earlier act set going: it takes the number which that act answered with."""
    given = {text for _, text in step.argument_leaves[:20] if len(text) >= 4}
    answered = _answered(turn)
    return any(answered.get(text, step.order) < step.order for text in given)


@remembered
def _answered(turn: Turn) -> dict[str, int]:
    """What acts answered with, and the order of the first that did."""
    found: dict[str, int] = {}
    for act in turn.ledger.acts:
        if not act.reads_only and act.json is not None:
            for _, text in act.result_leaves[:40]:
                found.setdefault(text, act.order)
    return found


_THERE = ("duplicate", "already", "exist", "unchanged")  # what was left out is there


_REFUSED_KEYS = frozenset(
    "failed failures errors rejected refused denied undelivered unsent bounced abgelehnt fehlgeschlagen"
    " rejetes echecs rechazados fallidos rejeitados falhas rifiutati falliti".split()
)
_FAILED_KEYS = frozenset(
    "failed failures failure errors rejected skipped unreachable unavailable offline bounced undelivered"
    " refused"
    " denied invalid blocked missing"
    " unmatched conflicts timeout ignored dropped unsent permitted"
    " fehler fehlgeschlagen abgelehnt ubersprungen erreurs echecs rejetes ignores errores fallidos"
    " rechazados omitidos erros falhas rejeitados ignorados errori falliti rifiutati saltati".split()
)


_FAILED_TEXT = regex(
    r"\b([1-9]\d{0,6})\s+(?:failed|skipped|rejected|unreachable|errors?|not found"
    r"|bounced)\b(?!\s?[=:])|\b(?:failed|unreachable|errors?)\s?[=:]\s?([1-9]\d{0,6})\b",
    re.I,
)


def _counts_failures(step: Step) -> str:
    """The words in which a result counts parts that failed, or an empty string."""
    if step.json is not None:
        for row in step.rows:
            name, _, rest = row.line.partition(":")
            if (
                row.numbers
                and row.numbers[0] > 0
                and _key_words(name) & _FAILED_KEYS
                and rest.strip() not in ("[]", "0")
            ):
                return row.line[:120]
        return ""
    hit = _FAILED_TEXT.search(step.text[:8000])
    return hit.group() if hit else ""


def _key_words(key: str) -> frozenset[str]:
    """The words of a key, without accents: programs often leave them out."""
    return frozenset(map(plain, words_of_key(key)))


def _turned_down(turn: Turn, step: Step, value: Any, depth: int = 0) -> str:
    """The first refused item of a list of answers, where others went through; one that is asked for again is none."""
    if depth > 3 or not isinstance(value, (dict, list)):
        return ""
    if isinstance(value, dict):
        inner = [_turned_down(turn, step, item, depth + 1) for item in [*value.values()][:40]]
        return next(filter(None, inner), "")
    items = [item for item in value[:FAILURES] if isinstance(item, dict)]
    bad = [item for item in items if _is_refusal(item)]
    if len(items) < len(value[:FAILURES]) or len(bad) == len(items):
        return ""
    later = [other for other in turn.ledger.acts if other.order > step.order]
    for item in bad:
        name = next((text for text in item.values() if isinstance(text, str)), "").casefold()
        if not any(name and name in other.folded_arguments for other in later):
            return str(item)[:120]
    return ""


def _is_refusal(item: dict[str, Any]) -> bool:
    stated = outcomes.of_json(item, states=False)
    return stated is not None and stated.kind == outcomes.FAILED


@remembered
def _numbers(step: Step) -> set[int]:
    """Whole numbers of the result and the arguments, and the sum of the result's."""
    shown = [int(n) for row in step.rows for n in row.numbers if n.is_integer() and 0 <= n < 1e6]
    lengths = (
        [len(value) for value in step.arguments.values() if isinstance(value, list)]
        if isinstance(step.arguments, dict)
        else []
    )
    return {*shown, *lengths, sum(shown[:6]), *(a + b for a in shown[:8] for b in shown[:8])}


def _about_words(claim: Claim, step: Step) -> bool:
    return bool({stem(word) for word in claim.words if len(word) >= 4} & asked_of(step))


def _reasons(step: Step) -> set[str]:
    """Words of an error that the call itself did not give: `login_taken` -> taken."""
    given = step.argument_text.casefold()
    words = set(re.findall(r"[^\W\d_]{5,}", step.outcome.quote.casefold())) - _TOLD_BY_ALL
    verbs = {word[:5] for word in step.words}  # `cancelled` is what the call was to do
    return {word for word in words if word not in given and word[:5] not in verbs}


_TOLD_BY_ALL = frozenset("error errors message status failed false suggestions details".split())


@remembered
def asked_of(step: Step) -> set[str]:
    """Stems of the words that the call is made of."""
    return {
        stem(word)
        for word in (*step.words, *re.findall(r"[^\W\d_]{4,}", step.argument_text[:600].casefold()))
    }
