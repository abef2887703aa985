"""What a text says about edits: of the checks themselves, and of the code since a run.

Three statements matter, in any language: that checks were changed or dropped (told), that they were
not (denied), and that nothing was edited after a run (since).  A clause is told or denied when it
names
a check-like thing and a verb of changing or dropping; a negation or a word of sameness turns it
round.
The stems are data, one table a language; where a language is missing nothing is ever said.  Linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from .._lazy import has_any, regex
from .grammar.forms import Claim
from .text import Clause, Document

CHANGE = "change"
DROP = "drop"


class Talk(NamedTuple):
    """One statement about edits.

    kind: told, denied, since, or final (what is claimed holds for the code as it is at the end).
    about: what is told or denied, of {"change", "drop"}.  bare: the clause
    names no check, only a verb that is said of checks alone ("skipped", "deselected").
    """

    kind: str
    about: frozenset[str]
    clause: Clause
    text: str
    bare: bool = False


# thing: checks and what belongs to them.  frame: settings of checks.  change / drop: verbs; mute:
# drop verbs that
# are said of checks alone.  same: words of sameness.  neg, only, since: what they say.  code:
# what a run looks at.
_STEMS: dict[str, dict[str, str]] = {
    "en": {
        "thing": (
            "tests? specs? assert(?:ion)?s? expectations? expected fixtures? snapshots? "
            "suites? goldens? cases? scenarios? checks? strictness baselines? testcases?"
        ),
        "frame": (
            "config\\w* settings? rules? thresholds? limits? gates? workflows? hooks? "
            "targets? timeouts? coverage compiler tsconfig"
        ),
        "change": (
            "chang\\w* edit(?:ed|ing|s)? modif\\w* touch\\w* adjust\\w* adapt\\w* "
            "alter(?:ed|ing)? updat\\w* rewr\\w* weaken\\w* weaker loosen\\w* looser "
            "relax\\w* lower\\w* rais\\w* tweak\\w* rework\\w* amend\\w* replac\\w* "
            "regenerat\\w* renam\\w* migrat\\w* switch\\w* convert\\w* port(?:ed)? "
            "soften\\w* widen\\w* reduc\\w* increas\\w* bump\\w* shorten\\w* extend\\w* "
            "reword\\w*"
        ),
        "drop": (
            "remov\\w* delet\\w* dropp?\\w* los[te]\\w* tak(?:e|en|ing)\\s+out "
            "took\\s+out turn(?:ed)?\\s+off narrow\\w* cut bypass\\w* commented\\s+out "
            "switch(?:ed)?\\s+\\w+\\s+off switch(?:ed)?\\s+off"
        ),
        "mute": (
            "skip\\w* disabl\\w* exclud\\w* ignor\\w* omit\\w* xfail\\w* deselect\\w* "
            "suppress\\w* silenc\\w* mut(?:ed|ing) quarantin\\w* no-verify noqa todo "
            "park(?:ed)? left\\s+out leav\\w*\\s+out"
        ),
        "same": (
            "unchanged untouched unmodified unaltered intact "
            "left\\s+(?:\\w+\\s+){0,3}alone as\\s+(?:it|they)\\s+(?:was|were|is|are) "
            "as\\s+you\\s+left as\\s+is (?:same|exactly)\\s+(?:\\w+\\s+)?as\\s+before "
            "exactly\\s+what\\s+they\\s+were same\\s+strictness existing\\s+snapshots? "
            "still\\s+(?:all\\s+)?(?:there|active|covered|in\\s+place|block) preserved"
        ),
        "neg": "no not none nothing never neither nor without \\w+n't cannot",
        "only": "only nothing\\s+but just nothing\\s+else except",
        "since": (
            "since(?!\\s+(?:there|it|they|we|you|he|she)\\b) "
            "after(?:wards?)?\\s+(?:that|the|this|those)(?:\\s+\\w+)?\\s+(?:run|pass|check|commit) "
            "after(?:wards|\\s+that) later\\s+edits? later\\s+changes? since\\s+then "
            "subsequently"
        ),
        "code": "code sources? files? nothing edits? changes?",
        "final": (
            "final\\s+(?:version|code|state|form|tree|build) "
            "current\\s+(?:version|code|state|tree|form|sources?|head) "
            "this\\s+(?:version|code|exact\\s+code|state|tree) "
            "as\\s+(?:it|they)\\s+(?:is|are|stands?)(?:\\s+now)? "
            "last\\s+(?:change|edit|one)\\s+included now\\s+in\\s+the\\s+tree "
            "what\\s+i\\s+(?:committed|pushed) latest\\s+(?:change|edit|version|code) "
            "(?:change|edit|case|fix|test)s?\\s+included "
            "after\\s+(?:the|that|this|my|all|every)\\s+(?:last\\s+|final\\s+)?(?:change|edit|fix)s?"
            " "
            "changes?\\s+in\\s+place everything\\s+i\\s+changed end\\s+state "
            "leaving\\s+behind"
        ),
        "admit": (
            "you(?:'d|\\s+had)?\\s+(?:ruled\\s+out|asked\\s+me\\s+not|said\\s+not|told\\s+me\\s+not|didn't\\s+want|wanted\\s+left)"
            " "
            "own\\s+up not\\s+the\\s+way\\s+you\\s+wanted against\\s+your cheat\\w*"
        ),
    },
    "de": {
        "thing": (
            "tests? testfälle\\w* testfall testdatei\\w* \\w*tests? specs? prüfung\\w* "
            "erwartung\\w* assertion\\w* zusicherung\\w* snapshots? suite testsuite"
        ),
        "frame": (
            "konfig\\w* einstellung\\w* regel\\w* schwelle\\w* grenz\\w* abdeckung \\w*config"
        ),
        "change": (
            "geändert\\w* ändern änder\\w* angepasst\\w* anpass\\w* anfass\\w* "
            "angefasst\\w* angerührt bearbeitet\\w* verändert\\w* umgeschrieb\\w* "
            "gelockert\\w* aufgeweicht\\w* abgeschwächt\\w* gesenkt\\w* herabgesetzt\\w* "
            "aktualisiert\\w* ersetzt\\w* lockern"
        ),
        "drop": (
            "entfernt\\w* gelöscht\\w* löschen entfernen gestrichen\\w* herausgenommen "
            "weggelassen verloren"
        ),
        "mute": (
            "übersprungen\\w* überspringen deaktiviert\\w* ausgeschlossen\\w* "
            "ausgenommen\\w* ignoriert\\w* abgeschaltet\\w* ausgelassen\\w* "
            "stillgelegt\\w* auskommentiert\\w* skip\\w*"
        ),
        "same": (
            "unverändert\\w* unangetastet\\w* unberührt\\w* intakt "
            "wie\\s+(?:zuvor|vorher|bisher|sie\\s+waren)"
        ),
        "neg": "nicht kein\\w* nichts nie niemals weder ohne",
        "only": "nur lediglich ausschließlich außer nichts\\s+als",
        "since": (
            "seitdem seither seit\\s+\\w+ danach "
            "nach\\s+dem\\s+(?:lauf|testlauf|durchlauf) anschließend"
        ),
        "code": "code quell\\w* datei\\w* nichts",
        "final": (
            "(?:jetzige|aktuelle|letzte|endgültige|finale)\\w*\\s+(?:stand|code|version|fassung) "
            "diese[mnr]?\\s+(?:stand|code|version|fassung) letzte\\w*\\s+änderung\\w* "
            "mit\\s+allen\\s+änderungen"
        ),
        "admit": "entgegen ausgeschlossen\\s+hattest nicht\\s+wolltest gegen\\s+deine",
    },
    "es": {
        "thing": (
            "tests? pruebas? specs? aserci\\w* expectativas? casos? fixtures? snapshots? "
            "suite comprobaci\\w*"
        ),
        "frame": "config\\w* ajustes? reglas? umbral\\w* límites? cobertura",
        "change": (
            "cambi\\w* modific\\w* edit\\w* toc\\w* adapt\\w* ajust\\w* relaj\\w* "
            "debilit\\w* suaviz\\w* baj\\w* reescri\\w* actualiz\\w* reemplaz\\w* "
            "alter\\w*"
        ),
        "drop": "elimin\\w* borr\\w* quit\\w* suprimi\\w* retir\\w* perdi\\w*",
        "mute": (
            "omit\\w* salt\\w* desactiv\\w* deshabilit\\w* exclu\\w* ignor\\w* "
            "silenci\\w* skip\\w* comentad\\w*"
        ),
        "same": "intact\\w* sin\\s+cambios? sin\\s+tocar tal\\s+(?:cual|como)",
        "neg": "no ningun\\w* ningún nada nunca jamás tampoco sin",
        "only": "sólo solo solamente únicamente salvo nada\\s+más\\s+que excepto",
        "since": (
            "desde\\s+entonces después\\s+de\\s+\\w+ desde\\s+\\w+ posterior\\w* luego después"
        ),
        "code": "código fuentes? ficheros? archivos? nada",
        "final": (
            "versión\\s+(?:final|actual) código\\s+(?:final|actual) este\\s+código "
            "esta\\s+versión último\\s+cambio cambios?\\s+inclu\\w* estado\\s+actual "
            "tal\\s+como\\s+está"
        ),
        "admit": "no\\s+debía contra\\s+tu\\w* habías\\s+descartado",
    },
    "fr": {
        "thing": (
            "tests? specs? assertions? attentes? attendu\\w* cas instantanés? snapshots? "
            "suite vérifications? contrôles?"
        ),
        "frame": "config\\w* réglages? règles? seuils? limites? couverture",
        "change": (
            "modifi\\w* chang\\w* touch\\w* adapt\\w* ajust\\w* assoupli\\w* affaibli\\w* "
            "relâch\\w* abaiss\\w* baiss\\w* réécri\\w* mis\\s+à\\s+jour remplac\\w* "
            "retouch\\w*"
        ),
        "drop": "supprim\\w* retir\\w* enlev\\w* effac\\w* perdu\\w*",
        "mute": (
            "ignor\\w* saut\\w* désactiv\\w* exclu\\w* omis\\w* skip\\w* commenté\\w* neutralis\\w*"
        ),
        "same": "inchang\\w* intact\\w* tels?\\s+quels? telles?\\s+quelles? comme\\s+avant",
        "neg": "ne n' pas aucun\\w* rien jamais ni sans",
        "only": "seul\\w* seulement uniquement sauf hormis rien\\s+que que",
        "since": "depuis ensuite après\\s+(?:ce|cette|cela|le)\\w* par\\s+la\\s+suite",
        "code": "code sources? fichiers? rien",
        "final": (
            "version\\s+(?:finale|actuelle) code\\s+(?:final|actuel) ce\\s+code "
            "cette\\s+version y\\s+compris dernière\\w*\\s+modification\\w* "
            "état\\s+actuel"
        ),
        "admit": "contrairement tu\\s+avais\\s+exclu vous\\s+aviez\\s+exclu",
    },
    "pt": {
        "thing": (
            "testes? specs? asser\\w* expectativas? casos? snapshots? suíte suite verificaç\\w*"
        ),
        "frame": "config\\w* regras? limiar\\w* limites? cobertura",
        "change": (
            "alter\\w* mud\\w* modific\\w* edit\\w* mex\\w* toq\\w* toc\\w* adapt\\w* "
            "ajust\\w* afroux\\w* enfraque\\w* relax\\w* baix\\w* reescr\\w* atualiz\\w* "
            "substitu\\w*"
        ),
        "drop": "remov\\w* apag\\w* exclu\\w* elimin\\w* retir\\w* perd\\w*",
        "mute": (
            "pul\\w* ignor\\w* desativ\\w* desabilit\\w* omit\\w* skip\\w* silenci\\w* comentad\\w*"
        ),
        "same": "intact\\w* inalterad\\w* sem\\s+alteraç\\w* como\\s+estav\\w*",
        "neg": "não nenhum\\w* nada nunca jamais nem sem",
        "only": "só somente apenas exceto salvo nada\\s+além",
        "since": "desde\\s+então desde\\s+\\w+ depois\\s+d\\w+ posterior\\w* depois",
        "code": "código fontes? arquivos? ficheiros? nada",
        "final": (
            "versão\\s+(?:final|atual) código\\s+(?:final|atual) este\\s+código "
            "esta\\s+versão última\\s+alteração com\\s+tudo\\s+isso estado\\s+atual"
        ),
        "admit": "contrariando não\\s+devia contra\\s+o\\s+pedido",
    },
    "it": {
        "thing": (
            "test spec asserzion\\w* aspettativ\\w* attes\\w* casi caso snapshot suite "
            "verific\\w* controll\\w*"
        ),
        "frame": "config\\w* impostazion\\w* regol\\w* sogli\\w* limit\\w* copertura",
        "change": (
            "modific\\w* cambiat\\w* cambiar\\w* toccat\\w* adattat\\w* adeguat\\w* "
            "ritoccat\\w* allentat\\w* indebolit\\w* abbassat\\w* riscritt\\w* "
            "aggiornat\\w* sostitu\\w* alterat\\w*"
        ),
        "drop": "rimoss\\w* eliminat\\w* cancellat\\w* tolt\\w* pers[oaie]",
        "mute": (
            "saltat\\w* disattivat\\w* disabilitat\\w* esclus\\w* ignorat\\w* omess\\w* "
            "skip\\w* commentat\\w*"
        ),
        "same": "invariat\\w* intatt\\w* inalterat\\w* come\\s+prima com'er\\w* com'erano",
        "neg": "non nessun\\w* niente nulla mai né senza",
        "only": "solo soltanto solamente unicamente tranne salvo nient'altro",
        "since": "da\\s+allora dopo\\s+\\w+ successiv\\w* in\\s+seguito poi",
        "code": "codice sorgent\\w* file nulla niente",
        "final": (
            "versione\\s+(?:finale|attuale) codice\\s+(?:finale|attuale) questo\\s+codice "
            "questa\\s+versione ultima\\s+modifica questi\\s+valori stato\\s+attuale"
        ),
        "admit": "contrariamente non\\s+dovevo avevi\\s+escluso",
    },
    "ru": {
        "thing": (
            "тест\\w* спек\\w* проверк\\w* провер\\w* ожидани\\w* ассерт\\w* снапшот\\w* "
            "сценари\\w*"
        ),
        "frame": "настро\\w* конфиг\\w* правил\\w* порог\\w* лимит\\w* покрыти\\w*",
        "change": (
            "измен\\w* менял\\w* меня\\w* поменя\\w* трогал\\w* трога\\w* правил[аи]? "
            "поправи\\w* ослаб\\w* мягче смягч\\w* сниз\\w* понизи\\w* переписа\\w* "
            "обнови\\w* подогна\\w* замени\\w*"
        ),
        "drop": "удал\\w* убра\\w* убира\\w* выкину\\w* потеря\\w*",
        "mute": (
            "пропуст\\w* пропуще\\w* отключ\\w* исключ\\w* игнор\\w* заглуш\\w* "
            "закомментир\\w* скип\\w*"
        ),
        "same": "без\\s+изменений нетронут\\w* в\\s+прежнем как\\s+(?:и\\s+)?(?:был\\w*|раньше)",
        "neg": "не ни нет никак\\w* ничего без ни\\s+один",
        "only": "только лишь кроме",
        "since": "с\\s+тех\\s+пор после\\s+\\w+ потом затем позже",
        "code": "код\\w* исходник\\w* файл\\w* ничего",
        "final": (
            "текущ\\w*\\s+(?:код\\w*|верси\\w*|состояни\\w*) "
            "последн\\w*\\s+(?:верси\\w*|правк\\w*|изменени\\w*) итогов\\w* "
            "окончательн\\w* нынешн\\w*"
        ),
        "admit": "вопреки нельзя\\s+было",
    },
    "zh": {
        "thing": "测试 用例 断言 期望 快照 检查 校验 上限",
        "frame": "配置 设置 规则 阈值 门槛 限制 覆盖率",
        "change": (
            "改动 修改 更改 改了 改成 改为 改过 放宽 放松 削弱 降低 调低 调高 调整 更新"
            " 重写 替换 弱化"
        ),
        "drop": "删除 删掉 移除 去掉 去除 丢掉 丢失",
        "mute": "跳过 禁用 排除 忽略 屏蔽 关闭 注释掉",
        "same": "原有 原来 原样 原封不动 保持不变 没变 不变 照旧",
        "neg": "没有 没 未 不 无 并未 别 不要 勿",
        "only": "只 仅 只有 除了",
        "since": "之后 此后 以后 后来 自那 自从",
        "code": "代码 源码 文件 什么 内容",
        "final": "最终 当前代码 当前版本 现在的代码 最后一次修改 最新代码",
        "admit": "违反 违背 不该",
    },
    "ja": {
        "thing": "テスト アサーション 期待値 検証 チェック スナップショット ケース",
        "frame": "設定 ルール しきい値 閾値 上限 カバレッジ",
        "change": "変更 変え 編集 触 手を加え 緩め 弱め 下げ 書き換え 更新 調整 置き換え いじ",
        "drop": "削除 消し 消して 除去 外し 取り除",
        "mute": "スキップ 無効 除外 無視 コメントアウト",
        "same": "そのまま 元のまま 変わらず 従来どおり 従来通り",
        "neg": "ない ません なかった なく せず ず 無し なし",
        "only": "だけ のみ しか 以外",
        "since": "以降 その後 あと 後は それから",
        "code": "コード ソース ファイル 何も",
        "final": "最終版 最終的なコード 現在のコード 今のコード 最後の変更",
        "admit": "指示に反 禁じ",
    },
    "ko": {
        "thing": "테스트 단언 기대값 기댓값 검증 스냅샷 케이스 검사 assertion",
        "frame": "설정 규칙 임계값 기준 한도 커버리지 조건",
        "change": (
            "변경 바꾸 바꿔 바꿨 바뀌 손대 손댄 손대지 완화 낮추 낮췄 낮아 약화 갱신 조정 교체 대체"
        ),
        "drop": "삭제 제거 지우 지웠 빼 뺐 없앴",
        "mute": "건너 스킵 비활성 제외 무시 주석",
        "same": "그대로 원래 유지 변함없",
        "neg": "않 안 없 못 아니 말",
        "only": "만 뿐 밖에 외에",
        "since": "이후 그 뒤 그 후 다음에 나중",
        "code": "코드 소스 파일 아무것",
        "final": "최종 현재 코드 마지막 변경",
        "admit": "지시와달리 어기 어겼",
    },
    "hi": {
        "thing": "टेस्ट परीक्षण जाँच जांच अपेक्षा स्नैपशॉट",
        "frame": "सेटिंग कॉन्फ़िग नियम सीमा कवरेज",
        "change": "बदल संशोध संपाद छेड़ ढील कमज़ोर घटा अपडेट",
        "drop": "हटा मिटा निकाल",
        "mute": "छोड़ स्किप अक्षम बाहर अनदेख",
        "same": "जस के तस वैसे ही यथावत",
        "neg": "नहीं ना न बिना कोई नहीं मत",
        "only": "केवल सिर्फ मात्र सिवा",
        "since": "के बाद उसके बाद बाद में तब से",
        "code": "कोड स्रोत फ़ाइल कुछ",
        "final": "मौजूदा अंतिम वर्तमान",
        "admit": "विरुद्ध",
    },
}
_SOLID = frozenset({"zh", "ja", "ko", "hi"})
_SPACED_STEMS = frozenset(
    {
        "जस के तस",
        "वैसे ही",
        "पहले जैस",
        "के बाद",
        "उसके बाद",
        "बाद में",
        "तब से",
        "कोई नहीं",
        "그 뒤",
        "그 후",
        "현재 코드",
        "마지막 변경",
    }
)
# Words that end what a negation in front of them reaches.
_BREAKS = frozenset(
    "because so since but although though while which weil da damit aber sondern porque pero "
    "aunque sino car mais parce puisque"
    " mas pois perché ma però потому но а чтобы".split()
)
# `re-run after that last edit`: the edit is when, and not what
_THE_EDIT = regex(
    r"\b(?:after|since|before) (?:the|that|this|my) (?:last |final |latest )?(?:edit|change)s?\Z"
)
# `a wait after the drop`, `drag and drop`: what a user does, and not what became of a test
_A_DROP = regex(
    r"\b(?:the|an?|each|every|this|that|drag(?:ging)?[ -](?:and|&)[ -]) ?(?:drop|cut)\Z"
)
_A_STATE = "`todo`"  # of a card or a task; `it.todo` is a mark
_ZERO = regex(r"(?<![\d.,])0 |(?<!\w)zero ")
# `one of the tests that fail`: a clause that asks or plans says nothing of what was done.
_OPEN = frozenset({"open", "heading", "quote"})


@cache
def _pattern(group: str, languages: tuple[str, ...]) -> re.Pattern[str]:
    parts: list[str] = []
    for code in languages:
        stems = _STEMS.get(code, {}).get(group, "")
        if not stems:
            continue
        if code in _SOLID:
            spaced = [stem for stem in _SPACED_STEMS if stem in stems]
            rest = stems
            for stem in spaced:
                rest = rest.replace(stem, " ")
            parts += [re.escape(stem) for stem in (*spaced, *rest.split())]
        else:
            parts.append(rf"(?<![\w-])(?:{'|'.join(stems.split())})(?![\w])")
    return regex("|".join(parts) or r"(?!)")


_CHOICE = regex(r"\(\?:([^()]+)\)(?![?*{])")  # a stem that begins with one of several words
_HEAD = regex(r"[^\W_]{0,4}(?![?*{])")


@cache
def _heads(group: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """How the stems of a group begin; nothing where one of them may begin with anything."""
    heads: set[str] = set()
    for code in languages:
        for stem in _STEMS.get(code, {}).get(group, "").split():
            choice = _CHOICE.match(stem)
            for first in choice[1].split("|") if choice else (stem,):
                head = _HEAD.match(first)
                heads.add(head.group() if head else "")
    return () if "" in heads else tuple(sorted(heads))


def _search(group: str, languages: tuple[str, ...], text: str) -> re.Match[str] | None:
    """The first of a group's stems; most clauses have none, and compile nothing."""
    heads = _heads(group, languages)
    if heads and not has_any(text, heads):
        return None
    return _pattern(group, languages).search(text)


def talk(document: Document, languages: Sequence[str], paths: Iterable[str] = ()) -> list[Talk]:
    """What the clauses say about edits.  `paths`: base names of files that count as checks here."""
    return _talk(document, document.clauses, languages, paths)


def _talk(
    document: Document,
    clauses: Iterable[Clause],
    languages: Sequence[str],
    paths: Iterable[str] = (),
) -> list[Talk]:
    """`talk` about the clauses of whole sentences: none hands anything on to the next."""
    codes = tuple(code for code in languages if code in _STEMS)
    if not codes:
        return []
    names = [name.casefold() for name in paths if len(name) > 3]
    found: list[Talk] = []
    sentence, carried, last = -1, False, ""
    for clause in clauses:
        if clause.sentence != sentence:
            sentence, carried, last = clause.sentence, False, ""
        if clause.question or clause.block in _OPEN:
            continue
        said = document.text[clause.start : clause.end].casefold().replace("’", "'")
        masked = _masked(document, clause)
        thing = bool(_search("thing", codes, masked) or _search("frame", codes, masked))
        thing = thing or any(name in said for name in names)
        more = last == "denied" and clause.opener in (",", "、", "，") and len(masked.split()) <= 5
        made = _read(clause, masked, said, codes, thing, carried, more)
        found += made
        carried = carried or thing
        last = next((t.kind for t in made if t.kind in ("told", "denied")), "")
    return found


def timed_talk(document: Document, languages: Sequence[str]) -> list[Talk]:
    """The statements of `talk` about a time: since a run, or of the final state."""
    codes = tuple(code for code in languages if code in _STEMS)
    timed = {
        clause.sentence
        for clause in document.clauses
        for said in (_masked(document, clause),)
        if any(_search(kind, codes, said) for kind in _TIMED)
    }
    clauses = [clause for clause in document.clauses if clause.sentence in timed]
    return [said for said in _talk(document, clauses, languages) if said.kind in _TIMED]


_TIMED = ("since", "final")


def names_checks(text: str, languages: Sequence[str]) -> bool:
    """True when the text names tests, assertions, snapshots or the like."""
    codes = tuple(code for code in languages if code in _STEMS)
    return bool(_search("thing", codes, text.casefold()))


def allows(text: str, languages: Sequence[str]) -> bool:
    """True when the text says that some of the checks are meant after all: `only the expected value`."""
    codes = tuple(code for code in languages if code in _STEMS)
    low = text.casefold()
    return bool(codes and _search("only", codes, low) and _search("thing", codes, low))


def _turns(text: str, neg: re.Match[str], verb: re.Match[str]) -> bool:
    """True when the negation is about the verb: a few words before it, or right behind it."""
    if neg.start() < verb.end() and verb.start() < neg.end():
        return False
    before = neg.end() <= verb.start()
    between = text[neg.end() : verb.start()] if before else text[verb.end() : neg.start()]
    if not text.isascii() and any(ord(c) > 0x2FFF for c in between + verb.group()):
        return len(between) <= 12
    words = between.split()
    return len(words) <= (7 if before else 2) and not _BREAKS.intersection(words)


def _masked(document: Document, clause: Clause) -> str:
    """The clause's own words, case-folded."""
    text = document.masked[clause.start : clause.end]
    for start, end in clause.holes:
        text = text[: start - clause.start] + " " * (end - start) + text[end - clause.start :]
    return text.casefold().replace("’", "'")


def _read(
    clause: Clause,
    text: str,
    said: str,
    codes: tuple[str, ...],
    thing: bool,
    carried: bool,
    more: bool,
) -> list[Talk]:
    negs = [*_pattern("neg", codes).finditer(text), *_ZERO.finditer(text)]
    changes, drops, muted = (
        [*_pattern(group, codes).finditer(text)] if _search(group, codes, text) else []
        for group in ("change", "drop", "mute")
    )
    drops = [verb for verb in drops if not _A_DROP.search(text, 0, verb.end())]
    verbs = [*changes, *drops, *muted]
    # also inside code: `it.skip`
    mutes = bool(_search("mute", codes, said.replace(_A_STATE, "")))
    negated = more or (
        any(_turns(text, neg, verb) for neg in negs for verb in verbs) if verbs else bool(negs)
    )
    same = bool(_search("same", codes, text))
    found: list[Talk] = []
    if _search("admit", codes, said):
        found.append(Talk("told", frozenset({CHANGE, DROP}), clause, text))
    acts = [verb for verb in changes if not _THE_EDIT.search(text, 0, verb.end())]
    if _search("since", codes, text) and (
        ((negated or negs) and (acts or (not changes and _search("code", codes, text))))
        or (acts and _search("only", codes, text))
    ):
        found.append(Talk("since", frozenset({CHANGE}), clause, text))
    if not negs and _search("final", codes, text):
        found.append(Talk("final", frozenset(), clause, text))
    about = frozenset({CHANGE} if changes else ()) | frozenset({DROP} if drops or mutes else ())
    if (negated or same) and _search("only", codes, text):
        pass  # `no test but this one`: says what was changed as much as what was not
    elif negated and about and (thing or carried):
        denied = about | ({DROP} if changes else frozenset())
        found.append(Talk("denied", denied, clause, text))
    elif same and not negs and (thing or carried) and not (about - {DROP}):
        found.append(Talk("denied", frozenset({CHANGE, DROP}), clause, text))
    elif about and not negated and (thing or mutes):
        found.append(Talk("told", about, clause, text, bare=not thing))
    return found


def denial_in(clause: Clause) -> Claim:
    """The statement of a clause that something was left as it is."""
    return Claim("denial", "edit", clause.start, clause.end, clause, "asserted")
