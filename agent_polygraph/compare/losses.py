"""`your rows are untouched` over `prisma migrate reset`, `neither had uncommitted changes` over a forced removal.

Both sides are read: what a call of the turn threw away (`evidence.losses`), and a sentence that says that just
this was kept.  A closing that tells of the loss, of a copy or of a restore anywhere else is left alone.
O(characters of the closing x losses), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from .._lazy import regex
from ..binding import Turn
from ..binding.words import stem
from ..claims.grammar import Claim
from ..claims.text import Clause
from ..evidence.losses import Discard, Loss, discards, losses
from ..evidence.step import Step
from .codes import stated_at
from .mismatch import Short

_MOST = 20  # sentences of a closing that are looked up
# What is said to be as it was.  A negation in front of it turns it round; `nothing was lost` brings its own.
_KEPT = regex(
    r"\b(?:untouched|unaffected|intact|preserved|unharmed|retained|(?:was|were|is|are|been|all|data|rows) kept"
    r"|(?:is|are) (?:all )?still (?:all )?(?:there|in place)"
    r"|unberührt|unangetastet|unversehrt|(?:bleiben|blieben|geblieben|sind|wurden) (?:\w+ )?erhalten|(?:sind"
    r"|ist) (?:\w+ )?noch da"
    r"|intact[oa]s?|preservad[oa]s?|conservad[oa]s?|se conserv(?:a|an|ó|aron)|siguen ahí|sin tocar"
    r"|intacte?s|conservée?s?|préservée?s?|mantid[oa]s?|inalterad[oa]s?"
    r"|intatt[oaie]|conservat[oaie]|preservat[oaie]|rimast[oaie] al loro posto)\b"
    r"|そのまま(?:残って|です)|保持されて|影響(?:はありません|を受けていません)|(?:完好|保留|没有受到影响"
    r"|未受影响)|그대로 (?:남아|유지)|보존",
    re.IGNORECASE,
)
_NOTHING = regex(
    r"\bno (?:existing |such |actual )?(?:data|rows?|records?|entries|files?|volumes?|keys)\b[^.\n]{0,24}"
    r"\b(?:lost|removed"
    r"|deleted|affected"
    r"|harmed|touched|dropped)\b|\bnothing (?:was|is|has been|got) (?:lost|deleted|dropped|wiped)\b|\b(?:no"
    r"|without(?: any)?)"
    r" data[ -]loss\b|\bwithout losing\b"
    r"|\b(?:kein|ohne)\w* (?:daten|datensatz|zeilen?|einträge)\b[^.\n]{0,24}\bverl(?:oren|ust)\b|\b(?:kein"
    r"|ohne) datenverlust\b"
    r"|\bnichts (?:ist |ging |wurde )?(?:verloren|gelöscht)"
    r"|\b(?:no se perdi(?:ó|eron)|sin pérdida|ningún \w+ se perdió|nada se perdió)\b"
    r"|\b(?:aucune? (?:perte|donnée|ligne)\b[^.\n]{0,24}(?:perdue?s?|supprimée?s?)?|rien n['’]a été (?:perdu"
    r"|supprimé)"
    r"|sans perte)\b"
    r"|\b(?:nada (?:foi|se) perd\w+|sem perda|nenhum \w+ foi perdid[oa])\b"
    r"|\b(?:nulla è andato perso|niente è andato perso|nessun \w+ (?:è stato )?pers[oa]|senza perdita)\b"
    r"|データ(?:の)?(?:損失|消失)は(?:な|あり)|失われていません|没有(?:任何)?数据丢失|数据没有丢失"
    r"|데이터 손실(?:은|이)? 없",
    re.IGNORECASE,
)
_NOT = regex(
    r"\b(?:not|never|no longer|isn't|aren't|wasn't|weren't|cannot|can't|nicht|keine?|no|ne|pas|não|non|nem"
    r"|hardly|partly"
    r"|only|nur|sólo|solo)\b|n['’]t\b",
    re.IGNORECASE,
)
# What a change does to others.
_BY = regex(r" (?:by|von|durch|por|par|da|pel[oa])\b", re.IGNORECASE)
# Of what is in a database; not users, who may be unaffected by a change, and no tables, which have a schema.
_ROWS = regex(
    r"\b(?:data(?! (?:model|layer|flow|type|structure|access|source|format|fetch))|rows?|records?|entr(?:y|ies)"
    r"|database(?! (?:layer|schema|code|driver))|daten|datensätze|zeilen|einträge|datenbank|datos|filas"
    r"|registros|base de datos"
    r"|données|lignes|enregistrements|dados|linhas|dati|righe)\b"
    r"|データ|レコード|数据|记录|데이터|레코드",
    re.IGNORECASE,
)
_NOUNS = {
    "rows": _ROWS,
    "volume": regex(
        r"\b(?:data|volumes?|database|daten\w*|datos|volumen|données|dados|dati)\b|データ|数据|데이터",
        re.IGNORECASE,
    ),
    "resources": regex(
        r"\b(?:resources?|infrastructure|instances?|buckets?|ressourcen?|recursos?|risorse|infraestructura"
        r"|infrastruktur)\b",
        re.IGNORECASE,
    ),
}  # fmt: skip
# Words that tell of the loss or of a copy, in whatever sentence but the one that denies it.
_TELLS = regex(
    r"wip(?:e|ed|es|ing)\b|\bdrop(?:s|ped|ping)?\b|truncat|flush|\breset|\blost\b|\bgone\b|empt(?:y|ied)"
    r"|destroy|recreat|rebuil[td]"
    r"|delet|purg|clear(?:ed|s)\b|back(?:ed)? ?up|\bdump|restor|re-?import|re-?load|seed|scratch|throwaway"
    r"|disposable|test database"
    r"|gelöscht|geleert|verworfen|zurückgesetzt|neu (?:angelegt|aufgebaut)|verloren|sicherung|gesichert"
    r"|wiederhergestellt"
    r"|borr|elimin|vaci|reinici|restaur|respald|copia|perd|supprim|vidé|réinitialis|effac|sauvegard|recré"
    r"|apag|limp|zer(?:ei|ad)"
    r"|cancell|svuot|ripristin|azzer|pers[oaie]\b|削除|リセット|初期化|復元|バックアップ|删除|清空|重置|恢复"
    r"|备份|삭제|초기화|복원|백업",
    re.IGNORECASE,
)
_PROD = regex(
    r"\b(?:prod|production|live|produktion\w*|producción|produção|produzione)\b|本番|生产|운영",
    re.IGNORECASE,
)


def kept(turn: Turn) -> Iterator[Short]:
    """`your member rows are untouched`, where a call of this turn emptied the database."""
    gone = losses(turn.ledger)
    document = turn.closing.document
    if not gone:
        return
    for pattern in (_KEPT, _NOTHING):
        for found in islice(pattern.finditer(document.text), _MOST):
            clause = document.statement_at(found.start())
            if clause is None or stated_at(turn, found.start()) is None:
                continue
            start, end = document.sentences[clause.sentence]
            if pattern is _KEPT and (
                _NOT.search(document.text, clause.start, found.start())
                or _BY.match(document.text, found.end())
            ):
                continue
            if _TELLS.search(f"{document.text[: clause.start]} {document.text[clause.end :]}"):
                return
            said = document.text[clause.start : clause.end]
            if _ITS.search(said):
                said = document.text[start:end]
            loss = next((one for one in gone if _about(one, said, pattern is _NOTHING)), None)
            if loss is not None:
                why = f"`{loss.words[:80]}` of this turn took it away"
                yield Short(_denial(clause), loss.step, why, loss.words)
                return


_ITS = regex(r"\b(?:its|their|deren|dessen|sus|ses|leurs?|seus|suas|suoi|sue)\b", re.IGNORECASE)


def _about(loss: Loss, said: str, nothing: bool) -> bool:
    """True where the clause says just this was kept: by its name, or all there was."""
    if _PROD.search(said) and not _PROD.search(loss.words):
        return False
    name = loss.name.rsplit("/", 1)[-1]
    words = {stem(word) for word in _WORD.findall(said.casefold())}
    own = {stem(part) for part in _WORD.findall(name.casefold().replace("_", " "))}
    named = bool(own) and own <= words
    if loss.kind == "path":
        return named and len(name) >= 3
    if loss.name and loss.kind != "rows":
        return named or nothing
    return named or nothing or _NOUNS[loss.kind].search(said) is not None


_WORD = regex(r"[^\W_]+")

# `neither had uncommitted changes`, `the tree was clean`: how it was, not how it is now.
_CLEAN = regex(
    r"\b(?:neither|none|no|not|n['’]t|without)\b[^.\n]{0,40}\b(?:uncommitted|unsaved|unstaged"
    r"|unpushed or uncommitted|untracked|local)"
    r" (?:\w+ )?(?:changes?|work|edits?|modifications?|files?)|\bnothing (?:was )?uncommitted\b"
    r"|\b(?:tree|trees|worktrees?|working cop(?:y|ies)|checkouts?|both|they|it) (?:was|were)(?: all| both)? clean\b"
    r"|\bkeine?\w* (?:uncommittete\w*|nicht committete\w*|ungesicherte\w*|ungespeicherte\w*"
    r"|lokale\w*) (?:änderung\w*|arbeit)"
    r"|\b(?:arbeitsverzeichnis\w*|worktrees?|beide) (?:war|waren)(?: beide)? sauber\b"
    r"|\b(?:sin|no (?:había|tenían?)|ningun[oa]?\b[^.\n]{0,20}(?:tenía)) cambios (?:sin (?:confirmar"
    r"|commit\w*)|pendientes|locales)"
    r"|\b(?:aucune?|pas de|sans|n['’]avai\w+ (?:pas )?de?)\b[^.\n]{0,20}(?:modification"
    r"|changement)s? (?:non (?:commit\w+|validée?s?"
    r"|enregistrée?s?)|locale?s?)|\b(?:estaba|estaban|était|étaient|estava|estavam|era|erano) (?:limpi[oa]s?"
    r"|propres?|limp[oa]s?|pulit[oaie])\b"
    r"|\b(?:sem|não (?:havia|tinham?)|nenhum\w*\b[^.\n]{0,20}tinha) (?:alteraç\w+"
    r"|mudanças) (?:não (?:commitad\w+|confirmad\w+)|locais)"
    r"|\b(?:nessun\w*|senza|non (?:c['’]erano|avevano?))\b[^.\n]{0,20}modifich?\w* (?:non (?:committat\w+"
    r"|salvat\w+)|locali)"
    r"|没有未提交的|未コミットの(?:変更|作業)は(?:な|ありま)|커밋되지 않은 (?:변경|작업)\w{0,3} 없",
    re.IGNORECASE,
)
_FILES = regex(r"track|\bwork\b|files?|clean|sauber|limp|propre|pulit|arbeit", re.IGNORECASE)
_NOW = regex(r"\b(?:now|has|have|is|are|jetzt|ahora|maintenant|agora|adesso)\b", re.IGNORECASE)
_TELLS_DIRTY = regex(
    r"\bmodified\b|untracked|uncommitted|unstaged|\bdirty\b|discard|\blost\b|gone\b|threw|thrown|stash"
    r"|back(?:ed)? ?up|patch"
    r"|verworfen|verloren|gesichert|geändert|descart|perd|guard|respald|abandonn|sauvegard|scart|pers[oaie]\b"
    r"|salvat|salv"
    r"|丢弃|破棄|未提交|未コミット|버렸",
    re.IGNORECASE,
)


def committed(turn: Turn) -> Iterator[Short]:
    """`neither had uncommitted changes`, where the status of one showed some in front of its forced removal."""
    document = turn.closing.document
    told = list(islice(_CLEAN.finditer(document.text), _MOST))
    thrown = discards(turn.ledger) if told else []
    for found in told if thrown else ():
        clause = document.statement_at(found.start())
        if clause is None or stated_at(turn, found.start()) is None:
            continue
        start, end = document.sentences[clause.sentence]
        said = document.text[start:end]
        if _NOW.search(said) or _TELLS_DIRTY.search(
            f"{document.text[:start]} {document.text[end:]}"
        ):
            continue
        own = document.text[clause.start : clause.end]
        # untracked files are no changes, unless they are meant
        meant = [d for d in thrown if d.line[:2] != "??" or _FILES.search(found.group())]
        one = next((discard for discard in meant if _of_it(discard, thrown, own, said)), None)
        if one is not None:
            why = f"a look in front of `{one.step.command_text.strip()[:60]}` shows some"
            yield Short(_denial(clause), one.look, why, one.line[:200])
            return


# `your uncommitted edits in a.py are still there`
_DIRTY = regex(
    r"\b(?:uncommitted|unstaged|nicht committeten?|uncommitteten?|ungesicherten?) (?:\w+ )?"
    r"(?:changes|edits|work|modifications|änderungen|arbeit)\b"
    r"|\b(?:cambios|modifications|changements|alterações|mudanças|modifiche) (?:sin (?:confirmar|commitear)"
    r"|non commit\w+|non validée?s|não commitad\w+|non committate)\b"
    r"|未提交的(?:修改|更改|改动)|未コミットの変更|커밋되지 않은 변경",
    re.IGNORECASE,
)
_BEFORE = regex(
    r"\b(?:had|was|were|lost|gone|hatten?|waren?|había|avai\w+|tinha|aveva)\b", re.IGNORECASE
)
_IS_CLEAN = regex(
    r"(?:On branch [^\n]*\n(?:Your branch is[^\n]*\n)?\s*)?nothing to commit, working tree clean\s*|\s*"
)


def still_dirty(turn: Turn) -> Iterator[Short]:
    """`your uncommitted edits are still there`, where the last status of the turn prints none."""
    document = turn.closing.document
    told = list(islice(_DIRTY.finditer(document.text), _MOST))
    look = _last_status(turn) if told else None
    for found in told if look is not None else ():
        clause = document.statement_at(found.start())
        if look is None or clause is None or stated_at(turn, found.start()) is None:
            continue
        said = document.text[slice(*document.sentences[clause.sentence])]
        if (
            not _STILL_THERE.search(said)
            or document.text[max(0, found.start() - 3) : found.start()] == " 0 "
        ):
            continue
        if _NOT.search(said) or _BEFORE.search(said) or _TELLS_STASH.search(document.text):
            continue
        quote = look.text.strip()[:100] or "(nothing)"
        yield Short(_denial(clause), look, "the last `git status` shows no change", quote)
        return


_STILL_THERE = regex(
    r"\b(?:still|untouched|remain\w*|left|intact|in place|as (?:they|it) (?:were|was)|noch|weiterhin"
    r"|unberührt|unangetastet|siguen"
    r"|intact[oa]s?|toujours|encore|restent|ancora|ainda|continuam)\b|还在|仍|保留|そのまま|残って|그대로|남아",
    re.IGNORECASE,
)
_TELLS_STASH = regex(r"stash|patch|\.diff\b|back(?:ed)? ?up|discard|verworfen", re.IGNORECASE)


def _last_status(turn: Turn) -> Step | None:
    """The last look at the working tree, where it is clean and nothing was changed after it."""
    for step in reversed(turn.ledger.acts):
        parts = step.command.parts if step.command is not None else ()
        if parts and parts[0].words[:2] == ("git", "status") and not step.outcome.bad:
            alone = all(part.words[:2] in (("git", "status"), ("git", "stash")) for part in parts)
            clean = _IS_CLEAN.fullmatch(step.body) is not None
            return step if alone and clean and step.result is not None else None
        if not step.reads_only and not step.control:
            return None
    return None


def _of_it(discard: Discard, thrown: list[Discard], own: str, said: str) -> bool:
    """True unless the clause, or else the sentence, names others of what was thrown away, and not this."""
    names = {place for one in thrown for place in one.all} - {""}
    named = {name for name in names if name in own} or {name for name in names if name in said}
    return not named or discard.target.rsplit("/", 1)[-1] in named


def _denial(clause: Clause) -> Claim:
    return Claim("denial", "delete", clause.start, clause.end, clause, "asserted")
