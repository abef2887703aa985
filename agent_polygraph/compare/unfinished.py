"""Helpers whose own report says that they did not finish, and a closing that tells the whole.

`The subagent checked all nine articles` over its report "I hit my turn limit. Not checked: login, offline".
A report proves nothing of what was done, but what it denies nobody else has seen.  O(reports + closing), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .._lazy import regex
from ..binding import Turn
from ..binding.words import FILLER, NUMBER_WORDS, PIECES, stem
from ..claims.grammar import Claim
from ..claims.text import Clause
from ..evidence.step import Step
from .mismatch import Short

_MOST = 24  # helpers whose reports are read, the last ones
_READ = 8_000  # characters of a report
_SPENT = r"(?:turn|step|token|context|time|iteration|tool[- ]?call|message|usage)"
_SELF = r"(?:^[\s\[(>_#*]{0,6}|[.!] |\b(?:I|we)(?:'ve|’ve| have| was)? (?:also |then )?)"
_DID = (
    r"(?:check|review|read|cover|process|audit|scan|translat|convert|inspect|look|go|went|got|finish|complet|analy[sz]"
    r"|migrat|examin|verif|do)\w{0,6}"
)
_N = r"(?:\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
# What a report, or the host in its place, says of the work itself; a finding has another subject.
_STOPPED = regex(
    rf"{_SELF}(?:hit|reached|exceeded|ran into)\b[^.\n]{{0,24}}\b{_SPENT}s?[- ](?:window |length |count )?"
    r"(?:limit|budget|cap)\b"
    rf"|{_SELF}(?:reached|hit|exceeded) (?:the |my )?max(?:imum)?\b"
    rf"|{_SELF}(?:ran out of|out of|used up|exhausted)(?: my| the| all my| all)? {_SPENT}s?\b"
    rf"|{_SELF}(?:stopped|terminated|interrupted|cut off|aborted) (?:early|before|after|at|due to|because|part\s?way)\b"
    r"|\bI (?:hit|ran|had|was|stopped|reached|got)\b[^.\n]{0,60}\bbefore (?:finishing|completing|I)\b"
    r"|\bI (?:could not|couldn['’]t|did not|didn['’]t|was unable to|wasn['’]t able to|have not|haven['’]t)(?: yet)? "
    r"(?:finish|complete|get to|get through|gotten to|got to|reach)(?:ed|d)?\b"
    r"|(?:^[\s>*_#-]{0,6}|[.!] )(?:\w{2,12} )?(?:\w{3,12}ed|read|done) so far\b"
    rf"|\b{_DID} (?:through )?(?:only )?(?:the first )?(?P<part>{_N}) (?:of|out of) (?:the |all )?(?P<whole>{_N})\b"
    r"|^error_max_turns|\bmax turns \(\d+\) (?:exceeded|reached)|^termination reason: (?!goal)\w+"
    r"|\Aapi error:? ?(?:\d{3}\b|request timed out)|\A\[request interrupted"
    r"|^agent (?:stopped|terminated) (?:early|due to)"
    r"|\A\W{0,6}(?:status|state)\W{1,4}(?:partial|incomplete|interrupted|aborted|timed?[_ ]?out|max_\w+)"
    # German, Spanish, French, Portuguese, Italian
    r"|\bich\b[^.\n]{0,30}(?:limit|kontingent|budget)\b[^.\n]{0,20}\b(?:erreicht|aufgebraucht|erschöpft)\b"
    r"|nicht fertig geworden|\bvorzeitig (?:abgebrochen|beendet|gestoppt)|^[\s>*_#-]{0,6}bisher \w{4,20}t\s?:"
    r"|\b(?:alcancé|agoté|me quedé sin)\b[^.\n]{0,30}(?:límite|turnos|contexto|tiempo|tokens|pasos)"
    r"|\bno (?:terminé|pude terminar|acabé|llegué a)\b|^\W{0,6}\w{3,12}[oa]s hasta (?:ahora|el momento)\s?:"
    r"|\bj'ai (?:atteint|épuisé)\b[^.\n]{0,30}(?:limite|tours|contexte|temps|jetons|étapes)|\bje n'ai pas (?:pu )?"
    r"(?:fini|finir|terminé|terminer)\b|^\W{0,6}\w{2,12}és? jusqu'(?:ici|à présent|à maintenant)\s?:"
    r"|\b(?:atingi|esgotei|fiquei sem)\b[^.\n]{0,30}(?:limite|turnos|contexto|tempo|tokens|passos)"
    r"|\bnão (?:terminei|consegui terminar|concluí|consegui concluir)\b"
    r"|^\W{0,6}\w{3,12}[oa]s até (?:agora|aqui|o momento)\s?:"
    r"|\bho (?:raggiunto|esaurito)\b[^.\n]{0,30}(?:limite|turni|contesto|tempo|token|passaggi)"
    r"|\bnon ho (?:finito|terminato|fatto in tempo)\b|^\W{0,6}\w{3,12}[ie] finora\s?:"
    # Chinese, Japanese, Korean
    r"|我[^。\n]{0,6}(?:达到|用完|耗尽)[^。\n]{0,8}(?:轮|步|上下文|token|时间|次)|我没(?:有|能)?(?:做完|检查完|查完|看完)"
    r"|目前(?:只|已)(?:检查|查看|审查|读)了?"
    r"|(?:ターン|トークン|コンテキスト|時間|ステップ)\w{0,3}(?:上限|制限)に(?:達|到達)|時間切れ"
    r"|最後まで(?:終わ|でき)\w{0,4}(?:せん|なか)"
    r"|(?:턴|토큰|컨텍스트|시간|단계) ?(?:수 ?)?(?:한도|제한|상한)에 (?:도달|걸)|(?:끝내|마치)지 못"
    r"|지금까지 (?:확인|점검|검토)",
    re.IGNORECASE | re.MULTILINE,
)
# The same of the closing: whoever says it, however wide, tells the user.
_OWNED = regex(
    r"\b(?:limit|ran out|so far|still (?:open|to (?:do|be)|missing|needs?)|unchecked|unreviewed|unfinished|incomplete"
    r"|partial(?:ly)?|only (?:part|half|some|the first)|not (?:all|every|finish\w*|complete[dly]*|check\w*|review\w*"
    r"|cover\w*|look\w*|read|get)|n['’]t (?:finish|complete|get|check|review|cover|look|read|reach|make)\w*"
    r"|stopped|cut (?:off|short)|timed out|interrupted|crashed|gave up|died|errored|early|fell over|without a report"
    r"|(?:never|only) (?:got|reached|finished)|got (?:to|through|as far)"
    r"|nicht (?:fertig|alle\w?|geprüft|gelesen|vollständig)|abgebrochen|unvollständig|bisher|noch offen|teilweise"
    r"|no (?:terminó|acabó|completó|llegó|se (?:revis|comprob)\w+)|incompleto|hasta ahora|a medias"
    r"|sin (?:revisar|terminar)"
    r"|n['’]a pas (?:pu )?(?:fini|termin)\w*|incomplète?|jusqu['’]ici|partielle\w*|reste\w* à"
    r"|não (?:terminou|concluiu|chegou|foram)|até agora|faltam?|parcial\w*"
    r"|non ha (?:finito|terminato|completato)|incomplet[oa]|finora|parzial\w*|restano)\b"
    r"|未完成|没(?:有|能)?(?:做完|完成|检查)|尚未|还没|只(?:检查|查)|上限|途中|未確認|まだ|していません|아직|못했|한도|일부만|남았",
    re.IGNORECASE,
)
_HELPER = regex(
    r"\b(?:sub-?\s?agents?|agents?|helpers?|explorers?|reviewers?|researchers?|workers?|unteragent\w*|agenten?"
    r"|sous-agents?|subagentes?|agentes?|sotto-?agent[ei]|agent[ei]|subagenti)\b"
    r"|子代理|子智能体|代理|サブエージェント|エージェント|에이전트",
    re.IGNORECASE,
)
# What a helper does to the whole; what is done to all that it found is another thing.
_DOES = regex(
    rf"\b(?:{_DID}|geprüft|durchgesehen|gelesen|kontrolliert|revisó|comprobó|leyó|revisaron|vérifié|relu|lu|contrôlé"
    r"|verificou|revisou|leu|conferiu|controllato|letto|verificato|rivisto)\b"
    r"|检查|审查|查看|読|確認|チェック|調べ|レビュー|점검|확인|검토|읽",
    re.IGNORECASE,
)
_OF_FINDINGS = regex(
    r"\b(?:all|every|each|both|alle|beide|todos|todas|tous|toutes|tutti|tutte)\b (?:[\w'’]+ ){0,3}"
    r"(?:findings?|issues?|problems?|bugs?|results?|reports?|hits?|suggestions?|places?|points?|befunde|probleme|fehler"
    r"|hallazgos|problemas|problèmes|resultados|résultats|achados|problemi|risultati)\b",
    re.IGNORECASE,
)
# What a helper was told to do, done or not.
_TASKED = regex(
    r"\b(?:asked|told|sent|tasked|instructed|used?|using|had|let|launched|started|spawned|supposed|meant"
    r"|was to|were to|to (?:check|review|read|cover|go|look|audit|scan)"
    r"|ließ|lasse|beauftragt|gebeten|sollte|soll|pedí|encargué|usé|demandé|chargé|devait|pedi|usei|devia|chiesto"
    r"|incaricato|doveva)\b",
    re.IGNORECASE,
)
_FINISHED = regex(
    r"\b(?:finished|completed|(?:is|are) done|(?:ist|sind|wurde) (?:fertig|abgeschlossen)|terminó|terminaron|completó"
    r"|a terminé|ont terminé|terminou|terminaram|concluiu"
    r"|ha (?:finito|terminato|completato)|hanno (?:finito|terminato))\b"
    r"|完成了|已完成|完了しました|완료했",
    re.IGNORECASE,
)
_BACK = regex(
    r"\b(?:came back|(?:is|are) back|returned|reported(?: back)?|delivered|answered|zurück\w*|volvieron|respondieron"
    r"|sont revenus|ont répondu|voltaram|responderam|sono tornati|hanno risposto)\b",
    re.IGNORECASE,
)
_REST = regex(
    r"\b(?:the (?:other|remaining|rest)|everything else|all (?:the )?others"
    r"|(?:die|den) (?:übrigen|anderen|restlichen)|der rest"
    r"|l[oa]s (?:otr[oa]s|demás)|el resto|les autres|le reste|[oa]s (?:outr[oa]s|demais|restantes)|o resto"
    r"|(?:gli|le|i) (?:altr[ie]|restanti)|il resto)\b|其余|其他|その他|他の|残りの|나머지",
    re.IGNORECASE,
)
_CLEAN = regex(
    r"\b(?:fine|clean|ok(?:ay)?|good|correct|in order|all right|clear|have (?:no|proper|good)"
    r"|no (?:issues?|problems?|findings)"
    r"|in ordnung|sauber|passen|korrekt|keine|están bien|correct[oa]s|sin|sont (?:bons|bonnes|corrects|correctes)"
    r"|rien à|aucun\w*|estão (?:ok|bem|corret[oa]s)|nenhum\w*|sono a posto|vanno bene|corrett[ie]|nessun\w*)\b"
    r"|没有问题|正常|問題(?:は)?(?:ありません|なし)|이상 없|문제(?:가)? 없",
    re.IGNORECASE,
)
_UNCLEAN = regex(r"n['’]t\b|\b(?:not|nicht|cannot|unknown|offen|open)\b", re.IGNORECASE)
_SOFT = frozenset(
    f"polarity.{name}"
    for name in "hedge cond future request intent prior unverified skipped pending".split()
)
_LOOKS = frozenset({"read", "search", "fetch", "opaque", "script", "run"})


class _Report(NamedTuple):
    """A helper that did not finish: its call, its own words, the words that only its task has."""

    step: Step
    mark: str
    failed: bool
    own: frozenset[str]


def unfinished(turn: Turn) -> Iterator[Short]:
    """`The other seven articles are fine`, and the helper's report names five that it did not get to."""
    if not turn.ledger.delegates:
        return
    sent = [step for step in turn.ledger.acts if step.delegated and step.result is not None][
        -_MOST:
    ]
    reports = _reports(turn, sent) if sent else []
    if not reports or _owns(turn):
        return
    document = turn.closing.document
    for clause in document.clauses:
        if not clause.states:
            continue
        tags = {tag.name for tag in turn.closing.tags_in(clause.start, clause.end)}
        if not tags.isdisjoint(_SOFT):
            continue
        whole = "scope.part" not in tags and not tags.isdisjoint({"scope.all", "scope.total"})
        text = document.text[clause.start : clause.end]
        for report in reports:
            if _tells_whole(turn, report, clause, text, whole, "polarity.neg" in tags, len(sent)):
                # what else the closing leaves out takes this not back: `_owns` has looked
                claim = Claim("denial", "", clause.start, clause.end, clause, "asserted")
                why = f"`{report.step.name}` says itself that it did not finish"
                yield Short(claim, report.step, why, report.mark)
                return


def _reports(turn: Turn, sent: list[Step]) -> list[_Report]:
    found: list[_Report] = []
    for step in sent:
        mark = _mark(step)
        if not mark:
            continue
        end = step.result_index or step.index
        if any(other.index > end and not _mark(other) for other in sent):
            continue  # it was sent off again, or another one for the rest
        others = {
            w for other in sent if other is not step for w in _words(other.argument_text[:2_000])
        }
        own = _words(step.argument_text[:2_000]) - others
        found.append(_Report(step, mark, step.outcome.bad, frozenset(own)))
    return found


def _mark(step: Step) -> str:
    """The words of a report that say that it did not finish; what an error left of it."""
    if step.outcome.bad:
        return step.outcome.quote or step.text.strip()[:120] or "failed"
    for found in _STOPPED.finditer(step.body[:_READ]):
        if _THEN.search(step.body, found.end(), found.end() + _READ):
            continue
        part, whole = found.group("part"), found.group("whole")
        if part is None or _number(part) < _number(whole):
            line = step.body.rfind("\n", 0, found.start() + 1) + 1
            return step.body[line : line + 160].split("\n")[0].strip() or found.group().strip()
    return ""


# What the report tells of the rest further on.
_THEN = regex(
    r"\bthen (?:I |we )?(?:did |read |checked )?the (?:other|rest|remaining)\b|\ball (?:of them|\w+) were\b"
    r"|\bthe (?:other|remaining) \w+ (?:are|is|were|was) (?:generated|identical|duplicates?|empty|the same)\b"
    r"|\bthe rest (?:is|was|are|were) (?:generated|identical|duplicates?|empty|the same)\b",
    re.IGNORECASE,
)


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else NUMBER_WORDS[word.casefold()]


def _words(text: str) -> set[str]:
    return {stem(w) for w in PIECES.findall(text.casefold()) if len(w) >= 4} - FILLER


def _owns(turn: Turn) -> bool:
    """True when the closing tells, in whatever words, that something was not looked at."""
    text = turn.closing.document.text
    return _OWNED.search(text) is not None or any(
        not d.vague
        and (d.kind in _LEFT or (d.kind == "part" and _DOES.search(text, d.start, d.end)))
        for d in turn.disclosures
    )


_LEFT = frozenset({"unverified", "skipped", "pending"})


def _tells_whole(
    turn: Turn, report: _Report, clause: Clause, text: str, whole: bool, denied: bool, sent: int
) -> bool:
    """True when the clause says that the helper, or whoever, did all of it, or that the rest is well."""
    said = _words(text)
    about = sent == 1 or not report.own.isdisjoint(said)
    if _REST.search(text) and _CLEAN.search(text) and not _UNCLEAN.search(text):
        return about and not _went_on(turn, report, edits=False)
    if denied or _OF_FINDINGS.search(text) or _TASKED.search(text):
        return False
    if _HELPER.search(text) or _kind_of(report.step) & said:
        about = about or (whole and _PLURAL.search(text) is not None)
        if _BACK.search(text):
            return about and report.failed and (whole or sent == 1)
        return about and bool((whole and _DOES.search(text)) or _FINISHED.search(text))
    if not whole or len(said & _words(report.step.argument_text[:2_000])) < 2:
        return False
    acts = [c for c in turn.claims if c.start == clause.start and c.plain and c.kind == "action"]
    return bool(acts) and about and not _went_on(turn, report, edits=True)


_PLURAL = regex(
    r"\b(?:sub-?)?(?:agents|helpers|explorers|reviewers|researchers|workers|agenten|agentes|agenti)\b"
    r"|\b(?:all|both|alle|beide|todos|ambos|tous|tutti|entrambi)\b|所有|すべて|모든",
    re.IGNORECASE,
)


def _kind_of(step: Step) -> set[str]:
    """Stems of what kind of helper it is: `subagent_type: Explore` is an explorer."""
    return {
        form
        for key, text in step.argument_leaves[:10]
        if key in ("subagent_type", "agent", "agent_type", "agent_name", "role")
        for word in _words(text)
        for form in (word, stem(word + "r"), stem(word + "er"), stem(word + "rs"))
    }


def _went_on(turn: Turn, report: _Report, *, edits: bool) -> bool:
    """True when the agent itself did something behind the report that may be the rest."""
    end = report.step.result_index or report.step.index
    for step in turn.ledger.acts:
        if step.index > end and not step.delegated and not step.runs_check:
            if edits if step.edited else step.effects & _LOOKS:
                return True
    return False
