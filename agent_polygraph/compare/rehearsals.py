"""Values of a rehearsal told as the answer of the real thing.

`the API answered with shipment shp_1`, where the run against the API failed and shp_1 was printed by
`book.py --mock`.  The value stands in no other result; what the agent wrote into the script is no answer.
O(closing + results), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from .._lazy import has_any, lowered, regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..claims.text import Clause
from ..evidence.figures import measures
from ..evidence.step import Step
from .mismatch import Mismatch

_MOST = 60  # values of a closing that are looked up
_READ = 40_000  # characters of a result
_MARKS = ("mock", "dry", "fake", "simul", "stub", "rehears")
_FLAG = regex(
    r"--?(?:(?:use|with|enable)[-_])?(?:mock(?:ed|s)?|dry[-_]?run|simulate|fake|stub(?:bed)?)(?:=(?:1|true|yes|on))?"
    r"|(?:\w*_)?(?:MOCK|DRY_?RUN|FAKE|SIMULATE|STUB)(?:_MODE)?=(?:1|true|yes|on|mock)",
    re.IGNORECASE,
)
# What a program says of itself when it only rehearses.
_SAYS = regex(
    r"\bmode[\"']?\s?[:=]\s?[\"']?(?:mock|dry[-_ ]?run|fake|simulat\w+|stub)|^\W{0,4}\[?(?:mock|dry[-_ ]?run|fake"
    r"|simulat(?:ed|ion)) ?(?:mode|response|data)?\b\W{0,3}(?:\]|:|$)|[\"'](?:mock(?:ed)?|dry_?run|simulated"
    r"|is_mock|fake)[\"']\s?:\s?true|\b(?:running|started|using|uses) (?:in |with |the |a )*(?:mock|dry[- ]run"
    r"|fake|stub|simulat(?:ed|ion))\b",
    re.IGNORECASE | re.MULTILINE,
)
# Words by which a closing owns up to it, or tells that the real thing is still to come.
_OWNED = regex(
    r"mock|\bdry|simul|\bfake|\bstub|test[- ]?mode|rehears|preview|\bwould\b|placeholder|dummy|canned|sample|fixture"
    r"|offline|made[- ]up|not (?:a )?real|hard-?coded|\bpretend|probelauf|testmodus|testlauf|trocken|attrappe|würde"
    r"|beispieldaten|prueba|ensayo|ficti[cv]|à blanc|essai|factice|bouchon|serait|\bteste|ensaio|\bprova\b|finto"
    r"|fittizi|simula|sarebbe|seria\b|sería\b|模拟|模擬|演练|试运行|假数据|モック|ドライ|シミュ|ダミー|試運転|모의|모킹"
    r"|드라이|시뮬|тестов|пробн|имитац|заглушк|мок",
    re.IGNORECASE,
)
# What only the real thing does: to answer, to be live; and the thing itself.
_REAL = regex(
    r"\b(?:api|server|service|endpoint|gateway|provider|backend|sandbox|production|live|for real|real run"
    r"|answered|returned|responded|replied|came back|accepted|confirmed|issued|produktiv\w*|antwortete|lieferte"
    r"|geantwortet|zurückgegeben|servidor|respondió|devolvió|serveur|répondu|renvoyé|respondeu|devolveu|retornou"
    r"|risposto|restituito|servizio|servicio|serviço|сервер|ответил|вернул)\b|接口|服务器|服务端|返回|サーバー|返し|返ってき"
    r"|応答|本番|서버|응답|반환",
    re.IGNORECASE,
)
_CODE = regex(r"(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{6,60}|\d{5,15}")


def rehearsed_values(turn: Turn) -> Iterator[Mismatch]:
    """Ids and codes that only a rehearsal printed, in a sentence about an answer or a live system."""
    acts = turn.ledger.acts
    dry = [step for step in acts if _rehearses(step)] if len(acts) < _MANY else []
    text = turn.closing.document.text
    if not dry or _OWNED.search(text) or _OWNED.search(turn.task):
        return
    for start, end, value in islice(_values(turn), _MOST):
        step = next((one for one in reversed(dry) if value in one.text[:_READ]), None)
        if step is None or _known(turn, value, dry):
            continue
        claim = _told(turn, start)
        if claim is not None:
            line = next((row for row in step.text.split("\n") if value in row), "")
            yield Mismatch(claim, step, text[start:end].strip("`"), "", line.strip()[:80])
            return


_MANY = 2_000


def _rehearses(step: Step) -> bool:
    """True for a call that went through and was not the real thing, by its flag or by its own words."""
    if step.result is None or step.outcome.bad or step.reads_only or step.edited:
        return False
    told = f"{step.command_text or step.argument_text[:2_000]}\n{step.text[:_READ]}"
    if not has_any(lowered(told), _MARKS) or step.summaries or step.runs_check:
        return False
    if step.command is None:
        return step.rehearsal or _SAYS.search(step.text[:_READ]) is not None
    dry = [part for part in step.command.parts if any(map(_FLAG.fullmatch, part.words))]
    programs = {part.words[:2] for part in step.command.parts if part not in dry}
    if dry:  # `purge.py --dry-run; purge.py`: then it did run
        return not any(part.words[:2] in programs for part in dry)
    return measures(step) and _SAYS.search(step.text[:_READ]) is not None


def _values(turn: Turn) -> Iterator[tuple[int, int, str]]:
    """(start, end, value) of the codes of the closing: in inline code, or ids in prose."""
    document = turn.closing.document
    for start, end in document.code:
        bare = document.text[start:end].strip("`")
        if _CODE.fullmatch(bare):
            yield start, end, bare
    for value in document.values:
        if value.kind in ("id", "sha") and _CODE.fullmatch(value.text):
            yield value.start, value.end, value.text


def _known(turn: Turn, value: str, dry: list[Step]) -> bool:
    """True where the value stands in the request, in another result, or in what a call was asked for."""
    told = [turn.task, *turn.ledger.told]
    if any(value in text for text in told):
        return True
    return any(
        value in step.text or (not step.edited and value in step.argument_text)
        for step in turn.ledger.steps
        if step not in dry
    ) or any(value in step.argument_text for step in dry)


def _told(turn: Turn, at: int) -> Claim | None:
    """The clause where its sentence simply tells of an answer, of a live system, or of an act upon one."""
    document = turn.closing.document
    clause = document.statement_at(at)
    if clause is None:
        return None
    start, end = document.sentences[clause.sentence]
    tags = turn.closing.tags_in(start, end)
    if any(
        tag.name in _SOFT and document.text[tag.start : tag.end].casefold() != "once"
        for tag in tags
    ):
        return None  # planned, asked for; `I ran it once` sets no condition
    acts = any(
        claim.kind == "action"
        and claim.effect in _UPON
        and claim.clause.sentence == clause.sentence
        for claim in turn.claims
        if claim.plain
    )
    if not acts and _REAL.search(document.text, start, end) is None:
        return None
    own = Clause(clause.start, clause.end, clause.sentence, clause.block, False)
    return Claim("figure", "", clause.start, clause.end, own, "asserted")


_UPON = frozenset(
    "book send pay order submit refund register deploy release publish notify transfer schedule charge".split()
)
_SOFT = frozenset(
    f"polarity.{name}" for name in ("hedge", "cond", "future", "request", "intent", "neg")
)
