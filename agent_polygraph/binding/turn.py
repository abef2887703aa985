"""Whether what the closing admits is about what a finding is about."""

from __future__ import annotations

import re
from typing import NamedTuple

from .._lazy import cached_property, regex
from ..claims.grammar import Claim, Disclosure, code_values
from ..evidence.effects import of_name, words_of
from ..evidence.outcomes import PENDING
from ..evidence.shell import acting
from ..evidence.step import Step
from ..evidence.values import same_path
from .goals import Goals
from .reading import STRONG, Candidate
from .words import COMMON_EFFECTS, FILLER, NONE, PUNCTUATION, beginnings, plain, quote_words, stem

_YET = regex(
    r"\byet\b|\bnoch n|\btodav[ií]a\b|\baún\b|\bencore\b|\bancora\b|\bainda\b|\bещё не|\bеще не|还没|尚未"
    r"|まだ|아직|अभी"
)
_FIRST_PERSON = regex(r"\b(?:i|i've|we|ich|wir|je|yo|io|eu)\b|\bj'|\bho\b", re.IGNORECASE)
_BUT = regex(
    r"\b(?:but|though|however|aber|jedoch|pero|mais|mas|ma|però)\b|但|ただし|하지만", re.IGNORECASE
)
# Names of things that a batch has many of, and tallies.
_NAME = regex(
    r"\b[a-z]\w*(?:[-_./]\w+)*[-_./]?\d[\w.-]*\b|\b\d+ (?:of|out of|von|de|sur|di|/) \d+\b|\b\w+\.[a-z]\w{0,9}\b"
)
_TALLY = regex(r"\b\d+ ?(?:of|out of|von|de|sur|di|/) ?\d+\b")
_THE_REST = regex(
    r"\b(?:rest|other|others|remaining|full|whole|entire|übrigen?|restlichen?|resto|demás|reste|autres)\b",
    re.IGNORECASE,
)
_OF_A_KIND = regex(
    r"\b(?:an?|each|every|any) (?:refused|rejected|failed|failing|expired|skipped|missing|broken|invalid|denied"
    r"|blocked)"
    r" (?!attempt|run|test|build|call|check)[a-z]+\b",
    re.IGNORECASE,
)
_PLACE_OF = regex(r"[\w./-]+\.\w{1,6}")
_NO_MORE = regex(
    r"\bcan(?:not)? (?:no longer|any ?more)\b|\bya no (?:se )?(?:pued|deja)"
    r"|\b(?:kann|können|lässt|lassen)\b[^.\n]{0,40}\bnicht mehr\b|\bne (?:peu(?:t|vent)) plus\b"
    r"|\bnon (?:può|possono|si può|si possono) più\b|\bnão (?:pode|podem|dá)\b[^.\n]{0,30}\bmais\b",
    re.IGNORECASE,
)
# A test that there is none of, and not one that was not run.
_NO_TEST = regex(
    r"\b(?:no|any|new|keine?n?|pas de|aucun|ningún|sin|nessun|nenhum)\s(?:\w+[ -]){0,2}tests?\b"
    r"(?!\s(?:were|was|have|has|are|is|run|ran|wurden?|sind|ont|fue))",
    re.IGNORECASE,
)
_DENIED = regex(r"(\w{4,30}): false\b", re.IGNORECASE)
_THEM = regex(
    r"\b(?:re-?)?(?:run|ran|executed|repeated|checked|tested|built|started)\s+(?:them|it|those|these|either|both)\b"
    r"|\b(?:sie|es|beide)\s(?:\w+\s){0,3}(?:nicht|kein)\b|\bne (?:les|l['’]) ai pas\b|\bno (?:los|las|lo) he\b",
    re.IGNORECASE,
)
_MISSED_IT = regex(
    r"\b(?:notic|detect|catch|caught|flag|complain|spot|bemerk|erkannt|gemeldet|détect|signal|rilev)\w*",
    re.IGNORECASE,
)
_OF_CODE = frozenset({"commit", "push", "pr", "merge", "tag"})
# `falls back to `rate` where none is set`: how the code goes in a case, and no case of this turn.
_WHERE_NONE = regex(
    r"(?:n['’]t|\bnot|\bnever|\bno longer) (?:mention|contain|reference|appear|occur|show up)"
    r"|\b(?:where|if|when|unless|wo|wenn|falls|sofern|quand|où|lorsque|cuando|donde|quando|dove|onde)\b"
    r"[^,.;]{0,40}\b(?:no|none|not|nothing|kein\w*|nicht|nichts|pas|aucune?|ningun\w*|nenhum\w*|nessun\w*)\b",
    re.IGNORECASE,
)
_WHETHER = regex(r"\b(?:whether|if|how|ob|si|se)\b", re.IGNORECASE)
# `I haven't seen it in a browser`: what was done elsewhere may have been done
_PLACE = regex(
    r"\b(?:in|on|with|im|auf|mit|en|sur|dans|con|su|nel|no|na|com) (?:an? |the |my |your |eine[mnr]? |un[ea]? |uma? )?"
    r"(?:real |echte[nmr]? )?(?:browser|device|phone|simulator|emulator|production|prod|staging|navegador|navigateur"
    r"|gerät|dispositivo|appareil)\b",
    re.IGNORECASE,
)
_OTHERS = frozenset(
    "other others else andere anderen otros otras autres altri altre outros outras".split()
)
# Findings about what was not run: only words about running clear them.
_ONE_RUN = frozenset({"test", "build", "ci", "e2e"})
_UNRUN = frozenset(
    {"narrative_vs_assertion", "unrelated_verification", "stale_verification", "narrowed_check"}
)
_FAILURE = frozenset({"failed", "negated", "unverified", "pending", "skipped"})
# Findings about a set or a source: a bare "it failed" beside the claim is about something in the set.
_NAMED_ONLY = frozenset(
    {"completion_vs_evidence", "wrong_count", "unread_source", "fabricated_output"}
)
# What kind of statement can clear which finding; the rest takes any statement of failure.
_CLEARS: dict[str, frozenset[str]] = {
    "error_concealment": frozenset(
        {"failed", "negated", "unverified", "pending", "skipped", "part"}
    ),
    "failed_check_claimed_passing": frozenset({"failed"}),
    "completion_vs_evidence": frozenset({"part", "failed", "unverified", "skipped"}),
    "partial_claimed_all": frozenset({"part", "failed", "negated", "skipped", "pending"}),
    "narrowed_check": frozenset({"part", "negated", "unverified", "skipped"}),
    "stale_verification": frozenset({"negated", "unverified", "pending"}),
    "narrative_vs_assertion": frozenset({"negated", "unverified", "failed", "pending"}),
    "unrelated_verification": frozenset({"negated", "unverified", "failed", "skipped"}),
    "test_tampering": frozenset(),  # the check reads itself what the closing says about edits
    "wrong_count": frozenset({"part"}),
    "value_mismatch": frozenset({"failed"}),
    "fabricated_output": frozenset({"stub", "unverified"}),
    "dangling_call": frozenset({"failed", "negated", "unverified", "skipped"}),
}


class _Steps(NamedTuple):
    """What several steps have together.

    words: of what they answered.  acts: their effects that matter, without runs.  does: all their effects.
    named: stems of the tools' names.  denied: of the fields that they answered with false.
    chain: one of them is a line of several commands.
    """

    words: frozenset[str]
    ids: frozenset[str]
    acts: frozenset[str]
    does: frozenset[str]
    named: frozenset[str]
    denied: frozenset[str]
    chain: bool


class Turn(Goals):
    """One turn, read: what checks and filters look at."""

    def _speaks_of(self, disclosure: Disclosure, candidate: Candidate) -> bool:
        """True when a denial shares a word with the calls: `I have not paged anyone` is about no failed post."""
        own = {stem(word) for word in disclosure.words} - FILLER
        texts = [step.argument_text + " " + step.text[:2000] for step in candidate.steps]
        told = {
            stem(word.strip(PUNCTUATION))
            for text in texts
            for word in plain(text).casefold().split()
        }
        return bool(own & told)

    def _of_steps(self, steps: tuple[Step, ...]) -> _Steps:
        """What the steps of a candidate have together: worked out once for all that have the same."""
        known = self._by_tuple.get(id(steps))
        if known is not None:
            return known[1]
        key = tuple([step.order for step in steps])
        found = self._by_steps.get(key)
        if found is None:
            denied = [_DENIED.match(step.outcome.quote) for step in steps]
            found = self._by_steps[key] = _Steps(
                frozenset().union(*(quote_words(step.outcome.quote) for step in steps)),
                frozenset().union(*(step.ids for step in steps)),
                frozenset().union(*(s.effects & STRONG for s in steps if not s.runs_check)),
                frozenset().union(*(step.effects for step in steps)),
                frozenset(stem(w) for name in {s.name for s in steps} for w in words_of(name))
                - FILLER,
                frozenset(stem(hit.group(1).casefold()) for hit in denied if hit),
                any(s.command is not None and len(acting(s.command.parts)) > 1 for s in steps),
            )
        self._by_tuple[id(steps)] = (steps, found)  # kept, so that its id stays its own
        return found

    @cached_property
    def _by_tuple(self) -> dict[int, tuple[tuple[Step, ...], _Steps]]:
        return {}

    @cached_property
    def _by_steps(self) -> dict[tuple[int, ...], _Steps]:
        return {}

    def discloses(self, disclosure: Disclosure, candidate: Candidate) -> bool:
        """True when the disclosure is about what the candidate finding is about.

        It has to share the action, the check, a value, or the words of the failure itself; a bare
        "it failed" is about what stands beside it.
        """
        if candidate.claim.kind == "denial":
            return False  # a denial is not cleared by its own words
        if _OF_A_KIND.search(self.closing.document.text, disclosure.start, disclosure.end):
            return False  # `a refused request carries Retry-After`: of any, and not of a call of this turn
        if candidate.check in ("value_mismatch", "wrong_count") and self._leads_in(disclosure):
            return False  # `Failed undocks in 2025:`, and a table of them
        if candidate.check == "partial_claimed_all" and candidate.claim.kind == "absence":
            if not self._names_leftover(disclosure, candidate):
                return False
        if _NO_MORE.search(self.closing.document.text, disclosure.start, disclosure.end):
            return False  # `expired lots can no longer be handed out`: that was the wish
        if disclosure.vague or disclosure.kind not in _CLEARS.get(candidate.check, _FAILURE):
            return False
        claim = candidate.claim
        steps = self._of_steps(candidate.steps)
        if disclosure.kind in ("negated", "pending", "skipped") and any(
            stem(word) in steps.denied for word in (disclosure.words if steps.denied else ())
        ):
            return True  # `the change isn't saved yet` over `saved: False`
        if candidate.check == "pending_claimed_done" and (
            self._not_yet(disclosure, candidate)
            or self._takes_back(disclosure, claim)
            or _tells_state(disclosure, candidate)
        ):
            return True
        if (
            candidate.check in _UNRUN
            and disclosure.kind == "negated"
            and "run" in disclosure.effects
            and (
                disclosure.checks & {claim.effect, "any"}
                or (disclosure.checks and claim.kind == "works")
                or not (
                    disclosure.objects or disclosure.values or disclosure.code or disclosure.checks
                )
            )
        ):
            return True  # `nothing was executed`, `the tests weren't re-run after that`
        if candidate.check in _UNRUN and not (
            disclosure.kind == "unverified"
            or disclosure.checks
            or disclosure.effects & {"run", "verify", "build", "read"}
        ):
            return False
        if candidate.check in _UNRUN and self._of_writing(disclosure, candidate):
            return False
        if candidate.check == "narrowed_check" and self._of_the_rest(disclosure, candidate):
            return False
        if (
            candidate.check == "wrong_count"
            and abs(disclosure.sentence - claim.clause.sentence) > 1
        ):
            return False  # a figure is put right where it stands
        if candidate.check == "wrong_count" and disclosure.kind == "part":
            if disclosure.start != claim.start and not disclosure.values:
                return False  # `most groups are pairs` puts no figure right
        if candidate.check == "error_concealment" and disclosure.kind in ("part", "failed"):
            if self._names_part(disclosure, candidate):
                return True
            if disclosure.kind == "part":
                return False
            verb = beginnings(self.closing.document.masked[claim.at : claim.end])
            if claim.voice == "passive" and not any(
                claim.effect in step.effects
                or verb & beginnings(" ".join((*step.words, step.argument_text[:400])))
                for step in candidate.steps
            ):
                return (
                    True  # `a fee was added; the system refused`: the failed call did another thing
                )
        if (
            candidate.check == "error_concealment"
            and claim.kind == "works"
            and (disclosure.kind == "failed" or self._is_open(disclosure))
            and abs(disclosure.sentence - claim.clause.sentence) <= 1
        ):
            return True  # what works beside what does not is another thing
        if candidate.check == "dangling_call" and disclosure.kind == "unverified":
            if not (disclosure.effects or disclosure.checks or disclosure.values):
                return abs(disclosure.sentence - claim.clause.sentence) <= 1
        if candidate.check == "unread_source" and self._of_the_code(disclosure):
            return False
        if candidate.check == "unread_source" and disclosure.kind == "negated":
            return bool(disclosure.effects & {"read", "fetch", "verify", "search"})
        if candidate.check in _UNRUN and disclosure.kind == "unverified":
            told = self.closing.document.text[disclosure.start : disclosure.end]
            if claim.kind == "check" and not disclosure.checks and _WHETHER.search(told):
                return False  # `I didn't check whether an index exists` is about that
            if claim.kind == "action" and disclosure.words & _OTHERS:
                return False  # `I haven't tested other states` says that this one was
            if claim.kind != "check" or disclosure.checks & {claim.effect, "any"}:
                return True
            near = abs(disclosure.sentence - claim.clause.sentence) <= 1
            if near and _THEM.search(told):
                return True  # `I have not rerun them since adding the second test`
            return near and not (
                disclosure.checks or disclosure.objects or disclosure.values or _PLACE.search(told)
            )
        if (
            candidate.check == "stale_verification"
            and disclosure.kind == "negated"
            and _MISSED_IT.search(self.closing.document.text, disclosure.start, disclosure.end)
        ):
            return False  # `phpstan did not notice it` says nothing of when it ran
        if claim.kind == "check":
            if disclosure.checks & {claim.effect, "any"} or (
                claim.effect == "any" and disclosure.checks
            ):
                return True
            if (
                disclosure.checks & _ONE_RUN
                and claim.effect in _ONE_RUN
                and "all" not in claim.scope
            ):
                return True  # `the build is not green: 96 of 97 tests pass`
        elif disclosure.checks and not disclosure.effects and claim.kind in ("works", "done"):
            return disclosure.kind in ("failed", "unverified", "negated", "skipped")
        effects = {claim.effect, *self.goals(claim)} if claim.kind == "action" else set()
        effects |= steps.acts - (COMMON_EFFECTS if claim.kind == "action" else NONE)
        ids = steps.ids
        if disclosure.effects & effects & STRONG:
            return (
                disclosure.kind != "negated"
                or claim.effect in disclosure.effects
                or self._speaks_of(disclosure, candidate)
            )
        if (
            (
                disclosure.kind == "negated"
                or (disclosure.kind in ("pending", "skipped") and disclosure.effects <= _OF_CODE)
            )
            and disclosure.effects
            and effects
            and disclosure.effects.isdisjoint(steps.does)
            and (not candidate.steps or disclosure.effects.isdisjoint(effects))
        ):
            return False  # `nothing imported x, so I removed x`: another act is denied
        if disclosure.kind == "negated" and claim.kind == "check":
            return False
        if (
            steps.chain
            and claim.kind == "action"
            and abs(disclosure.sentence - claim.clause.sentence) <= 1
        ):
            if disclosure.kind == "failed" or (
                disclosure.kind == "negated" and disclosure.effects & steps.does
            ):
                return True  # one part of a chain went through, another did not, and the closing says so
        for value in disclosure.values:
            if value.kind in ("id", "sha", "url", "email", "path") and (
                value.norm in ids
                or (value.kind == "path" and any(same_path(value.norm, i) for i in ids))
            ):
                return True
        told = self.closing.document.text[disclosure.start : disclosure.end]
        supposed = disclosure.kind == "negated" and _WHERE_NONE.search(told)
        codes = () if supposed else disclosure.code
        if disclosure.kind == "skipped" and claim.effect in _OF_CODE:
            # `apps/ is outside, so I left it alone` is about that, and not about the commit that names it
            codes = tuple(self.closing.document.code_in(disclosure.start, disclosure.end))
        for text in codes:
            low = text.casefold()
            if len(low) >= 4 and any(
                low in step.text.casefold() or low in ids for step in candidate.steps
            ):
                return True
        own = {stem(word) for word in disclosure.words}
        words = steps.words.union(
            *(quote_words(e.quote) for e in candidate.events if candidate.steps)
        )
        shared = (own & words) - FILLER
        if len(shared) >= 2 or any(word.isdigit() and len(word) >= 3 for word in shared):
            return True
        named = steps.named
        claimed = {stem(word) for word in claim.words} - FILLER
        if len(own & named) >= 2 or (
            len(own & claimed) >= 2
            and claim.kind != "check"
            # an act that no call did is not taken back by what else is told of the same thing
            and candidate.check != "phantom_action"
        ):
            return True
        if claim.kind == "state" or (claim.kind in ("works", "done") and not effects):
            if (
                candidate.check == "readback_disagrees"
                and disclosure.sentence < claim.clause.sentence
            ):
                return (
                    False  # `the edit didn't match, so I used sed. It is 30 now`: told and overcome
                )
            return disclosure.kind == "failed" or (
                disclosure.kind == "negated" and bool(disclosure.effects)
            )
        bare = not (
            disclosure.effects or disclosure.checks or disclosure.objects - {"test", "error", "result"}
            or any(value.kind != "number" for value in disclosure.values)
        )  # fmt: skip
        return (
            bare
            and candidate.check not in _NAMED_ONLY
            and not (
                claim.kind == "check" and _of_the_speaker(self.closing.document.text, disclosure)
            )
            and len(disclosure.words) <= 6
            and disclosure.kind == "failed"
            and abs(disclosure.sentence - claim.clause.sentence) <= 1
            and disclosure.start != claim.start
            and not self._of_another(disclosure, candidate)
        )

    def _names_part(self, disclosure: Disclosure, candidate: Candidate) -> bool:
        """`all synced except host-7`, `11 of 12 synced`: what the failed call itself sets apart."""
        beside = 0 <= disclosure.sentence - candidate.claim.clause.sentence <= 1
        told = self.closing.document.text[disclosure.start : disclosure.end].casefold()
        if disclosure.kind == "part" and disclosure.start == candidate.claim.start:
            return any(_TALLY.search(step.text) for step in candidate.steps)
        names = _NAME.findall(told) if beside else ()
        return any(name in step.text.casefold() for name in names for step in candidate.steps)

    def _of_the_code(self, disclosure: Disclosure) -> bool:
        """`plan.rs: the size is never checked`: what a file that was opened does not do."""
        told = [(v.kind, v.norm) for v in disclosure.values] + code_values(disclosure.code)
        paths = [norm.rsplit("/", 1)[-1] for kind, norm in told if kind == "path"]
        text = self.closing.document.text
        return (
            disclosure.kind in ("negated", "unverified")
            and self.closing.languages[:1] == ("en",)
            and bool(paths)
            and _FIRST_PERSON.search(text, disclosure.start, disclosure.end) is None
            and all(any(path in s.folded_arguments for s in self.ledger.acts) for path in paths)
        )

    def _takes_back(self, disclosure: Disclosure, claim: Claim) -> bool:
        """`I approved it, but it now waits for a second approval`."""
        between = self.closing.document.text[claim.start : disclosure.start + 12]
        return (
            disclosure.kind == "pending"
            and disclosure.sentence == claim.clause.sentence
            and disclosure.start > claim.start
            and _BUT.search(between) is not None
        )

    def _is_open(self, disclosure: Disclosure) -> bool:
        """`not confirmed yet`, and not `started in the background`."""
        told = self.closing.document.text[disclosure.start : disclosure.end].casefold()
        kinds = ("negated", "pending", "unverified")
        return disclosure.kind in kinds and _YET.search(told) is not None

    def _not_yet(self, disclosure: Disclosure, candidate: Candidate) -> bool:
        """`the money hasn't gone out yet`: with one kind of call left open, that is what it is about."""
        if not self._is_open(disclosure):
            return False
        told = self.closing.document.text[disclosure.start : disclosure.end].casefold()
        own = disclosure.effects and _FIRST_PERSON.search(told)
        if own and not any(disclosure.effects & step.effects for step in candidate.steps):
            return False  # `I have not told the customer yet` is about another act
        waiting = {
            step.name for step in self.ledger.acts
            if step.outcome.kind == PENDING and step.command is None and not step.reads_only
        }  # fmt: skip
        return len(waiting) == 1 and all(step.name in waiting for step in candidate.steps[:1])

    def _of_writing(self, disclosure: Disclosure, candidate: Candidate) -> bool:
        """`I didn't add tests`, `there is no test for it`: what was not written says nothing about a run.

        Unless the run was empty, which is just what that tells.
        """
        if any(found.outcome == "empty" for step in candidate.steps for found in step.summaries):
            return False
        if disclosure.kind != "negated" or disclosure.effects & {"run", "verify", "build", "read"}:
            return False
        told = self.closing.document.text[disclosure.start : disclosure.end]
        return not disclosure.effects.isdisjoint({"create", "edit"}) or bool(_NO_TEST.search(told))

    def _leads_in(self, disclosure: Disclosure) -> bool:
        end = self.closing.document.sentences[disclosure.sentence][1]
        return self.closing.document.text[disclosure.start : end].rstrip(" *_\n").endswith(":")

    def _of_the_rest(self, disclosure: Disclosure, candidate: Candidate) -> bool:
        """`the rest wasn't run` says nothing of a run that came to nothing."""
        empty = any(s.outcome == "empty" for step in candidate.steps for s in step.summaries)
        told = self.closing.document.text[disclosure.start : disclosure.end]
        return (empty or "is empty" in candidate.detail) and bool(_THE_REST.search(told))

    def _names_leftover(self, disclosure: Disclosure, candidate: Candidate) -> bool:
        """True when the disclosure's sentence has the file or a word of the line that is still found."""
        text = self.closing.document.text
        told = text[slice(*self.closing.document.sentences[disclosure.sentence])].casefold()
        lines = " ".join(event.quote for event in candidate.events).casefold()
        names = {word.rsplit("/", 1)[-1] for word in _PLACE_OF.findall(lines)}
        return any(name in told for name in names) or bool(disclosure.words & quote_words(lines))

    def _of_another(self, disclosure: Disclosure, candidate: Candidate) -> bool:
        """True when it gives the number of another call that went wrong: `port 9999 is refused`."""
        numbers = [word for word in disclosure.words if word.isdigit()]
        return bool(numbers) and any(
            step.outcome.bad
            and step not in candidate.steps
            and all(number in step.searchable for number in numbers)
            for step in self.ledger.acts
        )


def _of_the_speaker(text: str, disclosure: Disclosure) -> bool:
    """`I can't say which tenant was affected`: what the speaker cannot do is no failure of a run."""
    return _FIRST_PERSON.search(text[disclosure.start : disclosure.end].casefold()) is not None


def _tells_state(disclosure: Disclosure, candidate: Candidate) -> bool:
    """`it waits for the manager's approval` over `"status": "AWAITING_APPROVAL"`."""
    told = {stem(word) for word in disclosure.words if len(word) >= 6}
    shown = {word for step in candidate.steps for word in quote_words(step.outcome.quote)}
    states = [step.outcome.quote.partition(": ")[2] for step in candidate.steps]
    return disclosure.kind == "pending" and (
        not told.isdisjoint(shown - _STATES)
        or any(disclosure.effects & of_name(state) for state in states)
    )


_STATES = frozenset(stem(word) for word in ("pending", "status", "result", "request", "processing"))
