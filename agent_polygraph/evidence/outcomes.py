"""How a call ended, and by which signal we know.

Order of trust (law 6): the host's error bit, an exit code, an HTTP or JSON status, a runner's own
summary; only then words, and those only at the head or the very end of a result.  The text that a
*reading* call brings back is somebody's content: words in it never make the call a failure.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from .._lazy import has_any, lowered, regex
from ..plain import whole

OK, FAILED, REFUSED, CANCELLED = "ok", "failed", "refused", "cancelled"
PENDING, PARTIAL, EMPTY, NOOP, DANGLING, UNKNOWN = (
    "pending",
    "partial",
    "empty",
    "noop",
    "dangling",
    "unknown",
)

_BAD = frozenset({FAILED, REFUSED, CANCELLED})
STRUCTURED = frozenset({"error_bit", "exit_code", "http_status", "json_status", "runner"})


class Outcome(NamedTuple):
    """kind: one of the constants above.  signal: where it was read.  quote: the deciding words."""

    kind: str
    signal: str = "none"
    quote: str = ""

    @property
    def bad(self) -> bool:
        """True when what was asked for did not happen."""
        return self.kind in _BAD

    @property
    def grade(self) -> float:
        """1.0 for a structured signal, 0.7 for words."""
        return 1.0 if self.signal in STRUCTURED else 0.7


_REFUSED = (
    "the user doesn't want to proceed",
    "user rejected",
    "rejected by the user",
    "rejected by user",
    "denied by the user",
    "denied by user",
    "user denied",
    "user declined",
    "was not approved",
    "not approved by",
    "requires approval",
    "requested permissions",
    "permission to use",
    "permission denied by",
    "approval denied",
    "haven't granted",
    "has been denied",
    "operation was rejected",
)
_CANCELLED = ("sibling tool call errored", "cancelled: parallel tool call", "[request interrupted")
_EXIT = regex(
    r"(?:\bexit(?:ed)?(?:[ _](?:code|status))?|\breturn(?:ed)?[ _]?code"
    r"|\breturncode)\s{0,3}(?:with\s+(?:code|status)\s*)?[:=>]?\s{0,3}(-?\d{1,3})\b",
    re.IGNORECASE,
)
_TAGGED = regex(r"<(?:exit_code|exitcode|return_code)>\s{0,4}(-?\d{1,3})\s{0,4}<", re.IGNORECASE)
_STATUS_TAG = regex(r"<status>\s{0,4}([a-z_ ]{2,20}?)\s{0,4}</status>", re.IGNORECASE)
_HTTP = regex(
    r"(?:\bHTTP(?:/[\d.]{1,3})?\s{1,2}|\bstatus(?:[ _]?code)?\s{0,2}[:=]?\s{0,2}|\berror[:"
    r" ]{1,2}|\breturned\s|\bresponse\s|\bcode\s|^(?=(?:20[0-4]|30[1-8]|40[0-9]|410|422|429|50[0-4])"
    r"\s{0,2}[:;)\]–-]\s|200 ok\b|201 created$|202 accepted\b|204 no content|30\d (?:moved|found|see|not modified)"
    r"|400 bad|401 unauth|402 payment|403 forbidden|404 not found|405 method|406 not|408 request time|409 conflict"
    r"|410 gone|411 length|412 precond|413 (?:payload|request|content)|415 unsupp|421 |422 unproc|425 too"
    r"|429 too many|431 request header|451 unavail|500 internal|501 not impl|502 bad|503 service|504 gateway"
    r"|(?:4[25]|5[235])\d (?:\d\.\d\.\d|mailbox|user unk|unknown user|no such|recipient (?:rej|unk|addr|not)"
    r"|relay|address rej|message (?:rej|size)|authentic|temporar|local (?:problem|error))))"
    r"([1-5]\d\d)\b(?=$|[\s:;,.)\]-])",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD_FAILURE = regex(
    r"(?!(?:errors?|fail(?:ed|ures?))\s{0,3}:?\s{0,3}(?:\(none\)|none\b|null\b|0\b))(?:[\w.$-]{0,60}(?:error|exception"
    r"|failure)\b|error\b|err!|fatal\b|failed\b|failure\b|panic:|traceback \(most recent|"
    r"unable to\b|cannot\b|can't\b|could ?n[o']t\b|not found\b|no such\b|permission denied"
    r"|access denied|forbidden\b|unauthorized\b|"
    r"unknown (?:shorthand |)(?:flag|option|command)|unrecognized (?:option|arguments)|usage:|"
    r"an error occurred\b|invalid\b|rejected\b|denied\b|aborted\b|refused\b|timed? ?out\b|timeout\b|<tool_use_error>|"
    r"(?:exec|shell|command|process|tool)\s(?:error|failed)\b|(?:request|connection|operation|command|call|query|upload|download|deploy\w*|build|release"
    r"|rollout|push|migration)\s(?:has\s|was\s)?(?:failed|timed out|aborted|refused|rejected"
    r"|denied|cancelled))",
    re.IGNORECASE,
)
_TAIL_FAILURE = regex(
    r"^(?!(?:errors?|fail(?:ed|ures?))\s{0,3}:?\s{0,3}(?:\(none\)|none\b|null\b|0\b))(?:[\w./-]{1,60}:\s)?(?:fatal|error"
    r"|err!|npm err!|npm error|failed|failure|panic|killed|terminated|segmentation fault|aborted|"
    r"traceback \(most recent call last\)|[\w.]{1,60}(?:Error|Exception)(?::|$)|command not"
    r" found|permission denied|"
    r"!\s{1,4}\[(?:remote )?rejected\]|error: failed to push|rollback\b|rolled back\b"
    r"|.{0,80}\bcrashloopbackoff\b|0 rows affected|update 0\b|delete 0\b|"
    r".{0,60}\b(?:upload|deploy|deployment|release|rollout|push|publish|migration|transfer"
    r"|delivery|commit)\s(?:has\s|was\s)?(?:failed|aborted|rejected|rolled back)|"
    r"(?:5\d\d|4\d\d)[ -]\d\.\d\.\d\b)",
    re.IGNORECASE | re.MULTILINE,
)
_SAYS_NONE = regex(r"\berrors?\s{0,3}:?\s{0,3}(?:\(none\)|none\b|null\b|0\b)", re.IGNORECASE)
_NOOP = (
    "nothing to commit",
    "everything up-to-date",
    "no changes detected",
    "no changes made",
    "no changes were made",
    "no changes to apply",
    "no replacement",
    "0 replacements",
    "no changes added to commit",
    "already up to date",
    "already up-to-date",
    "file unchanged",
    "are identical",
    "not modified",
)
_PENDING = (
    "running in background",
    "running in the background",
    "moved to the background",
    "started in background",
    "async_launched",
    "launched successfully. the agent is working",
    "working in the background",
    "has been queued",
    "dry run",
    "dry-run",
    "accepted for processing",
    "will be processed",
    "pending approval",
    "awaiting approval",
    "waiting for approval",
    "needs approval",
    "in the background with id",
    "nothing deleted",
    "nothing was changed",
    "plan mode",
    "would be removed",
    "would be deleted",
    "no changes have been applied",
    "will be automatically merged",
    "will be added to the merge queue",
)
FAIL_WORDS = frozenset(  # of a status: it failed
    "rolled_back rollback blocked suspended_by_policy expired revoked not_saved not_sent"
    " undelivered suppressed withheld opted_out jammed stuck obstructed rejeitado rejeitada fehlgeschlagen abgelehnt"
    " error_response killed dead degraded_failed insufficient_funds payment_declined terminated"
    " evicted oomkilled failed failure fail error errored rejected declined denied refused"
    " aborted timeout timed_out unreachable"
    " invalid crashed crashloopbackoff bounced undelivered undeliverable unavailable"
    " not_found forbidden unauthorized conflict exception ko nok unhealthy broken"
    " imagepullbackoff"
    " sold_out out_of_stock unsuccessful waitlist_full ng"
    " rebotado rebotada rechazado rechazada denegado denegada fallido fallida recusado recusada"
    " negado negada falhou blockiert bloqueado bloqueada bloccato bloccata rifiutato rifiutata respinto"
    " respinta fallito fallita refusé refusée rejeté rejetée échoué échouée échec echec"
    " gescheitert abgewiesen verweigert ungültig odrzucony odrzucona odrzucone"
    " отклонено отклонён отклонена отказано ошибка 失败 失敗 拒绝 已拒绝 拒否 却下 エラー 실패 거절"
    " 거부 오류 विफल अस्वीकृत".split()
)
# Of a status of several words, these alone tell: `edit conflict`, `richiesta bloccata`.
_TELLS = FAIL_WORDS - frozenset(
    "expired invalid broken down dead ng ko not_found unavailable killed terminated"
    " blocked revoked rollback exception negado negada error fault".split()
)
_PENDING_WORDS = frozenset(
    "pending queued accepted scheduled processing in_progress inprogress running started"
    " starting waiting draft"
    " drafted dry_run dryrun submitted initiated provisioning deploying building on_hold held"
    " review in_review"
    " awaiting_approval requires_action requires_confirmation unconfirmed creating updating"
    " progressing"
    " pending_approval needs_approval needs_review needs_confirmation needs_action"
    " pending_review scheduled_for_retry retrying deferred"
    " requested simulated preview".split()
)
_SNAKE = regex(r"([a-z])([A-Z])")
_PENDING_HEADS = (
    "pending", "pendiente", "pendente", "ausstehend", "in_sospeso",
    "queue", "in_queue", "awaiting", "waiting", "requires_", "en_cola", "en_curso",
    "en_attente", "en_cours", "in_attesa", "in_coda",
    "em_fila", "em_andamento", "in_bearbeitung", "anfrage", "scheduled_", "not_started",
    "under_review", "under_investigation", "waitlist", "wait_list", "on_waitlist", "backordered",
    "aguarda", "wartet", "in_prüfung", "en_revis", "en_examen", "in_revisione", "em_análise",
    "oczekuj",
)  # fmt: skip
# Something is still asked for: `OTP_REQUIRED`, `TAN_ERFORDERLICH`; not `no_signature_required`.
_STILL_ASKED = regex(
    r"(?!no_|not_|keine?_)\w*(?:approval|confirmation|payment|verification|otp|tan|3ds|signature|consent|mfa"
    r"|freigabe|bestätigung)_(?:required|needed|erforderlich|requerid[oa]|requise?)"
)
# The same in languages that put no space, or an ending, behind the word.
_PENDING_PARTS = (
    "待ち", "等待", "待审", "审核中", "待处理", "处理中", "排队", "進行中", "処理中", "保留",
    "대기", "검토", "진행", "처리_중", "очеред", "ожидан", "обработ", "выполня", "рассмотр",
    "लंबित", "प्रतीक्षा", "समीक्षा",
)  # fmt: skip
_PARTIAL_WORDS = frozenset(
    "partial partially_completed partially_succeeded partially_successful partial_success"
    " partial_failure completed_with_errors incomplete degraded".split()
)
_OK_WORDS = frozenset(
    "ok success succeeded successful completed complete done sent delivered confirmed committed"
    " created updated"
    " deleted applied active live healthy passed green published merged saved paid refunded"
    " booked approved"
    " closed resolved open enabled disabled stored ready finished posted accepted_ok cancelled_ok".split()
)
_STATUS_KEYS = frozenset(
    "status state result outcome phase conclusion esito situacao situação resultado résultat"
    " ergebnis zustand statut état etat stan статус состояние 状态 状態 结果 結果 상태 결과".split()
)
_FALSE_KEYS = frozenset(
    "success ok succeeded successful sent delivered saved written applied created updated"
    " sucesso éxito exito succès succes successo erfolg erfolgreich 成功 성공 успех".split()
)
_CODE_KEYS = frozenset("exit_code exitcode exitstatus exit_status returncode return_code".split())
_HTTP_KEYS = frozenset(
    "status_code statuscode http_status httpstatus http_code code status".split()
)
_ERROR_KEYS = frozenset(
    "error errors error_message errormessage exception fault failure failures err failed_reason"
    " errorcode error_code errcode err_code"
    " error_description error_type faultstring fehler fehlermeldung erreur errore erro rejection"
    " decline_reason rejected_reason"
    " denied_reason violation violations usererrors user_errors validationerrors validation_errors"
    " fielderrors field_errors errormessages error_messages errordetails error_details".split()
)
# Where an answer keeps the state of what the call set going inside the object.
_INNER = frozenset("payment_intent payment charge transaction job operation task".split())
# Arguments that make a call a rehearsal.
DRY_KEYS = frozenset(
    "dry_run dryrun dry validate_only validateonly simulate simulation simulated preview what_if"
    " whatif check_mode plan_only preview_only".split()
)
# Where a result speaks in words about itself; what they must say to make a short result a failure.
_SPEECH_KEYS = frozenset(
    "message msg detail details reason motivo xmotivo info description grund raison mensaje"
    " mensagem messaggio note result".split()
)
_SPOKEN_FAILURE = regex(
    r"(?:[\w.$-]{0,60}(?:error|exception|failure)\b|error\b|fail|reject|denied|declin|refus"
    r"|invalid|unauthori|forbidden|insufficient|not (?:found|allowed|"
    r"permitted|authorized|supported|saved|sent|enough|delivered)|no (?:such|permission)|could"
    r" ?n[o']t|cannot|can't|unable|exceed|expired|already (?:exists|taken)|"
    r"quota|timed? ?out|rejei|recha|recus|abgelehnt|fehlgeschlagen|gesperrt|échec|echec|refus"
    r"|rifiut|fallit|saldo insuf|fonds insuff|无权|失败|不足|拒绝|エラー|失敗|실패|오류|ошибк|отказ)",
    re.IGNORECASE,
)
# ... where the denial stands behind what is denied: `취소 불가: 잠금 상태`
_SPOKEN_BEHIND = regex(
    r"无法|不可[以用]?|不能|無法|できません|できない|불가|할 수 없|невозможн|нельзя"
)
_GOOD_SPEECH = frozenset(
    "ok success successful done created updated saved accepted completed sent".split()
)
_WRAPPERS = (
    "result",
    "data",
    "response",
    "output",
    "body",
    "content",
    "details",
    "structuredContent",
)


def parse_json(text: str, most: int = 2_000_000) -> Any:
    """The JSON value that `text` is, None when it is none (or is deeper or longer than we read)."""
    head = text[:1]
    if head.isspace():
        head = text.lstrip()[:1]
    if head not in ("{", "[") or len(text) > most:
        return None
    from json import loads  # late: not every process meets a JSON result

    try:
        return loads(text, parse_int=whole)
    except (ValueError, RecursionError):
        return None


def _line(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return text[start : end if end >= 0 else len(text)].strip()[:200]


def of_json(value: Any, depth: int = 0, *, states: bool = True) -> Outcome | None:
    """The outcome a JSON result states of itself: success flags, exit codes, errors, statuses.

    states=False leaves status words out: what a reading call returns has a state of its own.
    """
    if not isinstance(value, dict):
        return None
    found: Outcome | None = None
    for key, item in list(value.items())[:200]:
        low = str(key).lower().replace("-", "_")
        quote = f"{key}: {str(item)[:120]}"
        if low in (
            "is_error",
            "iserror",
            "isfailed",
            "has_error",
            "failed",
            "timed_out",
            "timedout",
            "aborted",
        ):
            if item is True:
                return Outcome(FAILED, "json_status", quote)
            if low == "failed" and isinstance(item, int) and item > 0:
                found = found or Outcome(PARTIAL, "json_status", quote)
        elif low in _FALSE_KEYS and item is False:
            return Outcome(FAILED, "json_status", quote)
        elif low in _CODE_KEYS and isinstance(item, int) and not isinstance(item, bool) and item:
            return Outcome(FAILED, "exit_code", quote)
        elif (
            low in _ERROR_KEYS
            and item
            and item is not True
            and not isinstance(item, (int, float))
            and not _counts(item)
        ):
            return Outcome(FAILED, "json_status", quote)
        elif (
            low in _HTTP_KEYS
            and isinstance(item, int)
            and not isinstance(item, bool)
            and 400 <= item <= 599
        ):
            return Outcome(FAILED, "http_status", quote)
        elif (
            low in _NUMBERED
            and isinstance(item, int)
            and not isinstance(item, bool)
            and _own_code(item, value)
        ):
            return Outcome(FAILED, "json_status", quote)
        elif low in DRY_KEYS and item is True:
            found = found or Outcome(PENDING, "json_status", quote)
        elif states and low in _INNER and isinstance(item, dict) and depth < 2:
            going = of_json(item, depth + 1)
            if going is not None and going.kind in (FAILED, PENDING):
                found = going
        elif states and is_state_key(low) and isinstance(item, str):
            kind = state_kind(item)
            if (
                kind == PENDING
                and _HELD.search(item) is None
                and sum(1 for part in value.values() if isinstance(part, (dict, list)) and part)
                >= 2
            ):
                continue  # an entity with a state of its own, not the state of the call
            if kind and (found is None or found.kind == OK):
                found = Outcome(kind, "json_status", quote)
        elif low in _STATUS_KEYS and isinstance(item, dict) and depth < 2:
            found = of_json(item, depth + 1, states=states) or found
    if found is None and depth < 2:
        for key in _WRAPPERS:
            inner = value.get(key)
            if isinstance(inner, str) and inner[:1] in "{[":
                inner = parse_json(inner)
            if isinstance(inner, dict):
                if len(inner) == 1 and key == "data":  # GraphQL: the one field that was asked for
                    only = next(iter(inner.values()))
                    inner = only if isinstance(only, dict) else inner
                found = of_json(inner, depth + 1, states=states)
                if found:
                    return found
    if found is None and states and len(value) == 1 and depth == 0:
        # `{"fulfillment": {"status": "failure", ...}}`: the answer in the name of the thing
        inner = next(iter(value.values()))
        found = of_json(inner, 1) if isinstance(inner, dict) else None
        return found if found is not None and (found.kind == FAILED or is_held(found)) else None
    return found


def is_held(found: Outcome) -> bool:
    """`pending_review`, `on_hold`: somebody has to decide first; a thing of its own is rarely in such a state."""
    return found.kind == PENDING and _HELD.search(found.quote.partition(": ")[2]) is not None


_HELD = regex(
    r"review|approv|authori[sz]|on.?hold|\bheld\b|requires_|verification|genehmig|freigabe|prüf|aprob|aprov|approb"
    r"|revis|審査|承認|审核|审批|승인|심사",
    re.IGNORECASE,
)


def _counts(item: Any) -> bool:
    """`"errors": {"numbers": 3, "glossary": 11}`: what a report counts, and no error of the call."""
    return isinstance(item, dict) and all(
        isinstance(value, int) and not isinstance(value, bool) for value in item.values()
    )


def is_state_key(key: str) -> bool:
    """True for a key, in lower case, that an answer keeps a state under."""
    return key in _STATUS_KEYS or key.endswith(("status", "estado", "stato", "_state"))


def state_kind(text: str) -> str:
    """What a state tells, in whatever case it is written; an empty string where it tells nothing we know."""
    word = _SNAKE.sub(r"\1_\2", text.strip()).casefold().replace(" ", "_").replace("-", "_")
    return _kind_of(word)


def _kind_of(word: str) -> str:
    if word in FAIL_WORDS or word.startswith(("fail", "error")):
        return FAILED
    if (
        word in _PENDING_WORDS
        or word.startswith(_PENDING_HEADS)
        or _STILL_ASKED.fullmatch(word)
        or any(part in word for part in _PENDING_PARTS if not word.isascii())
    ):
        return PENDING
    if word in _PARTIAL_WORDS:
        return PARTIAL
    if word in _OK_WORDS:
        return OK
    parts = word.split("_")
    if not 2 <= len(parts) <= 4:
        return ""
    if not _TELLS.isdisjoint(parts):
        return FAILED
    return PENDING if not _WAITS.isdisjoint(parts) else ""


_WAITS = frozenset("queue queued proposed requested request".split())


# Where an answer gives the reason why what was asked for did not happen.
_REASONS = frozenset(
    "reason reasons motivo motif raison grund why cause policy conflict conflicts rejection denial"
    " blocked_by decline_code reason_code http_status".split()
)
_REMARKS = frozenset("message msg code detail hint mensaje mensagem messaggio nachricht".split())
# What only says that it came about; `enabled`, `opened` may be false because that was asked for.
_GRANTED = frozenset(
    "ok valid paid sent done made kept put possible available eligible allowed approved accepted"
    " permitted admitted granted authorized authorised stored booked reserved completed processed"
    " executed performed fulfilled published".split()
)


def denied(value: Any) -> Outcome | None:
    """`{"stored": false, "reason": "scanner down"}`: what the call was for did not happen, and why.

    A lone remark is a reason only in an answer that says nothing else.
    """
    if (
        not isinstance(value, dict)
        or len(value) > 8
        or any(item is True for item in value.values())
    ):
        return None
    keys = {str(key).lower(): key for key in value}
    told = [low for low in keys if value[keys[low]]]
    if not _REASONS.intersection(told) and not (
        len(value) <= 3
        and any(isinstance(value[keys[low]], str) for low in _REMARKS.intersection(told))
    ):
        return None
    for low, key in keys.items():
        if value[key] is False and low in _GRANTED:
            return Outcome(FAILED, "json_status", f"{key}: false")
    return None


_NUMBERED = frozenset(
    "code errcode errno ret retcode resultcode result_code rc status_code".split()
)


def _own_code(code: int, value: dict[str, Any]) -> bool:
    """A non-zero code of the service's own beside words of failure: `{"code": 50013, "msg": "quota"}`."""
    if code == 0 or 200 <= code < 400:
        return False
    speech = next(
        (
            item
            for key, item in value.items()
            if str(key).lower() in _SPEECH_KEYS and isinstance(item, str)
        ),
        "",
    )
    return bool(speech) and bool(_SPOKEN_FAILURE.search(speech[:300]))


def spoken(value: Any) -> Outcome | None:
    """A short result of a call with effect that says in its own words that it failed."""
    if not isinstance(value, dict) or len(value) > 8:
        return None
    if any(
        item is True or (isinstance(item, str) and item.casefold() in _GOOD_SPEECH)
        for item in value.values()
    ):
        return None
    for key, item in value.items():
        if str(key).lower() in _SPEECH_KEYS and isinstance(item, str) and len(item) < 400:
            hit = _SPOKEN_FAILURE.match(item.strip()) or (
                None if item.isascii() else _SPOKEN_BEHIND.search(item[:60])
            )
            if hit:
                return Outcome(FAILED, "text", f"{key}: {item[:120]}")
    return None


def _error_bit(text: str, low: str, benign: bool, value: Any = None) -> Outcome:
    if any(mark in low[:1500] for mark in _CANCELLED):
        return Outcome(CANCELLED, "error_bit", text.strip()[:200])
    if any(mark in low[:1500] for mark in _REFUSED):
        return Outcome(REFUSED, "error_bit", text.strip()[:200])
    if benign:
        said = _EXIT.search(text[:300])
        rest = text[said.end() :].strip() if said else text.strip()
        code = said.group(1) if said else _code_in(value)
        short = said and (len(rest) < 400 or "\n" not in rest[:200])
        if code == "1" and (short or _DIFFERS.search(text[:4000])):
            return Outcome(EMPTY, "exit_code", text.strip()[:120])
    lines = [line.strip() for line in text[:4000].split("\n") if line.strip()]
    quote = "; ".join(lines[:2])[:200] if lines else "(no text)"
    return Outcome(FAILED, "error_bit", quote)


# What `diff` prints where it ends with 1.
_DIFFERS = regex(r"(?:^|\\n|\n)(?:\d+(?:,\d+)?[acd]\d+(?=\\n|\n)|@@ -\d)")


def _code_in(value: Any) -> str:
    """The exit code that an object gives: `{"output": "...", "metadata": {"exit_code": 1}}`."""
    inner = value.get("metadata", value) if isinstance(value, dict) else None
    codes = [inner[key] for key in _CODE_KEYS if key in inner] if isinstance(inner, dict) else []
    return str(codes[0]) if codes else ""


# What was asked for is so already; a name or a seat that is taken is another matter.
_ALREADY = regex(
    r"\balready[_ -](?:in[_ -](?!use)|an?|present|enabled|disabled|active|subscribed|members?|added|invited|assigned"
    r"|installed|closed|archived|applied|set)(?:\b|_|(?<=[_ -]))(?! (?:to|by|with|for) (?:an)?other)",
    re.IGNORECASE,
)

# An edit whose two texts are one: nothing was to be changed.
_SAME = regex(r"\bno changes to make\b[^\n]{0,80}\bsame\b", re.IGNORECASE)


def read(
    text: str,
    is_error: bool | None,
    value: Any,
    *,
    reads: bool,
    benign: bool,
    runs: bool,
    patterns: tuple[ErrorPattern, ...] = (),
) -> Outcome:
    """The outcome of one result.

    text: the result; value: its JSON value or None; reads: the call only brings content back;
    benign: exit 1 of this call means "no match"; runs: the call ran a command line.
    O(characters) with a small constant: long texts are looked at by head and tail only.
    """
    found = _read(text, is_error, value, reads, benign, runs, patterns)
    if found.kind == FAILED and len(text) < 800 and has_any(lowered(text), ("already", "same")):
        if _ALREADY.search(text) or _SAME.search(text):
            return Outcome(NOOP, found.signal, found.quote)
    return found


def _read(
    text: str,
    is_error: bool | None,
    value: Any,
    reads: bool,
    benign: bool,
    runs: bool,
    patterns: tuple[ErrorPattern, ...],
) -> Outcome:
    head = text[:1500]
    low = head.lower()
    if is_error:
        return _error_bit(text, low, benign, value)
    if value is not None:
        stated = of_json(value, states=not reads) or _enveloped(value)
        if stated is not None and stated.kind != OK:
            if benign and stated.signal == "exit_code" and _code_in(value) == "1":
                return Outcome(EMPTY, "exit_code", stated.quote)
            return stated
        if value in ([], {}):
            return Outcome(EMPTY, "json_status", text.strip()[:40])
        if stated is not None:
            return stated
        said = None if reads else spoken(value)
        return said or Outcome(OK, "error_bit" if is_error is False else "none")
    if not text.strip():
        return Outcome(OK if is_error is False or not reads else UNKNOWN, "none", "(empty)")
    if len(low) < 900 and has_any(low, _REFUSED_WORDS) and any(mark in low for mark in _REFUSED):
        return Outcome(REFUSED, "text", text.strip()[:200])
    if has_any(low, _CANCELLED_WORDS) and any(mark in low[:400] for mark in _CANCELLED):
        return Outcome(CANCELLED, "text", text.strip()[:200])
    if "<" in low:
        tag = _STATUS_TAG.search(head)
        code = _TAGGED.search(head)
        if tag and tag.group(1).strip().lower() in FAIL_WORDS | {"killed"}:
            return Outcome(FAILED, "json_status", _line(text, tag.start()))
        if code and code.group(1) != "0":
            return Outcome(FAILED, "exit_code", _line(text, code.start()))
        if tag and tag.group(1).strip().lower() in _PENDING_WORDS:
            return Outcome(PENDING, "json_status", _line(text, tag.start()))
    code = _exit_in(head[:200]) or (_exit_in(text[-160:]) if len(text) > 160 else None)
    if code and code.group(1) != "0":
        found = head.find(code.group()) if code.group() in head[:240] else text.rfind(code.group())
        if benign and code.group(1) == "1":
            return Outcome(EMPTY, "exit_code", code.group())
        return Outcome(FAILED, "exit_code", _line(text, max(found, 0)))
    first = head.lstrip().partition("\n")[0].rstrip()
    place = first if reads else head
    folded = lowered(head)
    for needle, pattern in patterns:
        if needle and folded and needle not in folded:
            continue
        hit = pattern.search(place)
        if hit and not _SAYS_NONE.search(_line(head, hit.start())):
            return Outcome(FAILED, "text", _line(head, hit.start()))
    if (
        len(first) < 300
        and (not reads or len(text) < 400)
        and has_any(lowered(first), _HEAD_WORDS)
        and _HEAD_FAILURE.match(first.lstrip("([<*!✗❌✖ "))
    ):
        return Outcome(FAILED, "text", first[:200])
    if reads:
        blocked = _HTTP_ERROR.search(text) if len(text) < 200 else None
        return Outcome(FAILED, "http_status", first[:200]) if blocked else Outcome(OK, "none")
    http = _HTTP.search(first[:200]) if _THREE_DIGITS.search(first[:200]) else None
    if http and http.group(1)[0] in "45":
        return Outcome(FAILED, "http_status", first[:200])
    if (has_any(low, _PENDING_MARKS) and has_any(low, _PENDING)) or (
        http and http.group(1) == "202"
    ):
        return Outcome(PENDING, "text", first[:200])
    if has_any(low, _NOOP_WORDS) and has_any(low, _NOOP):
        return Outcome(NOOP, "text", first[:200])
    if runs or len(text) < 1200:
        tail = text[-600:]
        hit = _last_line(_TAIL_FAILURE, tail) if _may_fail(tail) else None
        if hit:
            return Outcome(FAILED, "text", _line(tail, hit.start()))
        if not runs and len(first) < 300 and _soft_failure(low):
            return Outcome(FAILED, "text", first[:200])
    return Outcome(OK, "error_bit" if is_error is False else "none")


def _enveloped(value: Any) -> Outcome | None:
    """The exit code that a host wraps around an output: `{"output": "...", "metadata": {"exit_code": 1}}`."""
    around = value.get("metadata") if isinstance(value, dict) and "output" in value else None
    code = _code_in(value) if isinstance(around, dict) else ""
    if code in ("", "0"):
        return None
    text = str(value["output"])
    hit = _last_line(_TAIL_FAILURE, text[-600:]) if _may_fail(text[-600:]) else None
    line = _line(text[-600:], hit.start()) if hit else text.strip().partition("\n")[0][:200]
    return Outcome(FAILED, "exit_code", line or f"exit_code: {code}")


# All of a short answer to a fetch: `Subscribe to read. HTTP 402`.
_HTTP_ERROR = regex(r"\bHTTP(?:/[\d.]{1,3})?[ :]{1,2}[45]\d\d\b")
# How a reader says that it could not read, on its only line.
_UNREADABLE = regex(
    r"no such|not found|does(?:n't| not) exist|\bdenied|director(?:y|ies)\b|not a file|\benoent|\beacces"
    r"|\beisdir|exceeds|too large|outside|not allowed|tool_use_error|mcp error"
    r"|\b(?:unable to|could ?n[o']t|cannot|can't|failed to|error) (?:read|open|access|load|find|locat)",
    re.IGNORECASE,
)
# The line of an editor's answer from which on the file itself is shown.
_SHOWS = regex(
    r"^(?:.{0,300}\b(?:snippet|cat -n)\b|\s{0,8}\d{1,6}\s{0,4}[\t→|:]|@@ |```|diff --git|--- |\+\+\+ )",
    re.IGNORECASE | re.MULTILINE,
)


def of_reader(text: str, is_error: bool | None, benign: bool) -> Outcome:
    """The outcome of a call that brings a file's content back: its words are the file's, not the call's."""
    if is_error:
        return _error_bit(text, text[:1500].lower(), benign)
    line = text.strip()
    if len(line) < 400 and "\n" not in line and _UNREADABLE.search(line):
        told = line.lstrip("([<*!✗❌✖ ")
        if _HEAD_FAILURE.match(told) or any(mark in line.lower() for mark in _REFUSED):
            return Outcome(FAILED, "text", line[:200])
    known = OK if is_error is False or line else UNKNOWN
    return Outcome(known, "error_bit" if is_error is False else "none", "" if line else "(empty)")


def of_editor(text: str) -> str:
    """What an editor says itself, without the part of the file that it shows."""
    shown = _SHOWS.search(text)
    if shown is None:
        return text
    end = text.find("\n", shown.start())
    keeps = "snippet" in shown.group().lower() or "cat -n" in shown.group().lower()
    return text[: (end if end >= 0 else len(text)) if keeps else shown.start()]


# Every text that the table or pattern named beside it is about has one of these in it, in lower case;
# a test looks.
_REFUSED_WORDS = ("user", "appro", "perm", "grant", "denied", "reject")  # _REFUSED
_CANCELLED_WORDS = ("sibling", "parallel", "interrupted")  # _CANCELLED
_PENDING_MARKS = (  # _PENDING
    *("background", "launched", "queued", "dry", "process", "approval", "nothing", "plan mode"),
    *("would be", "no changes", "will be"),
)
_NOOP_WORDS = (  # _NOOP
    *("nothing", "up", "no change", "replacement", "unchanged", "identical", "modified"),
)
_HEAD_WORDS = (  # _HEAD_FAILURE
    *("err", "exception", "fail", "fatal", "panic", "traceback", "unable", "can", "could", "not "),
    *("no such", "denied", "forbidden", "unauthor", "unknown", "unrecog", "usage", "invalid"),
    *("reject", "abort", "refused", "timeout", "timed"),
)
_TAIL_WORDS = (  # _TAIL_FAILURE
    *("err", "exception", "fail", "fatal", "panic", "traceback", "kill", "terminated", "fault"),
    *("abort", "not found", "denied", "reject", "roll", "crash", "0 rows", "update 0"),
    "delete 0",
)
_SOFT_WORDS = (  # _SOFT
    *("fail", "could", "unable", "not ", "timed", "denied", "insufficient", "out of", "rate limit"),
)
_MAIL_CODE = regex(r"[45]\d\d[ -]\d\.")  # _TAIL_FAILURE, too
_THREE_DIGITS = regex(r"[1-5]\d\d\b")


def _last_line(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The last match of a pattern that begins with `^`, tried at the line starts only."""
    last: re.Match[str] | None = None
    at = 0
    while at >= 0:
        hit = pattern.match(text, at)
        last = hit or last
        at = text.find("\n", max(at, hit.end() - 1) if hit else at) + 1 or -1
    return last


def _may_fail(text: str) -> bool:
    """False where no line of `text` can match _TAIL_FAILURE."""
    return has_any(lowered(text), _TAIL_WORDS) or _MAIL_CODE.search(text) is not None


def _exit_in(text: str) -> re.Match[str] | None:
    """The exit code that `text` tells; most texts have neither of its words, which is quickly seen."""
    return _EXIT.search(text) if has_any(lowered(text), _EXIT_WORDS) else None


_EXIT_WORDS = ("exit", "return")  # _EXIT
# What a match of the default error patterns has in it, for a quick look.
_NEEDLES = {
    r"^\s*error\b[:\s]": "error",
    r"^\s*exception\b[:\s]": "exception",
    r"traceback \(most recent call last\)": "traceback",
    r"^\s*fatal\b[:\s]": "fatal",
}


ErrorPattern = tuple[str, re.Pattern[str]]  # what a match has in it, "" for unknown; the pattern


@lru_cache(maxsize=8)
def error_patterns(sources: tuple[str, ...]) -> tuple[ErrorPattern, ...]:
    """The patterns of a Config, as `read` takes them."""
    flags = re.IGNORECASE | re.MULTILINE
    return tuple((_NEEDLES.get(source, ""), regex(source, flags)) for source in sources)


_SOFT = regex(
    r"\b(?:failed to|could not|couldn't|unable to|was not (?:sent|saved|created|updated|applied"
    r"|found)|not (?:found|permitted|allowed|authorized|supported)|"
    r"does not exist|timed out|has failed|request failed|permission denied|access denied"
    r"|insufficient|out of (?:stock|quota)|rate limit)"
)


def _soft_failure(low: str) -> bool:
    head = low[:300]
    return has_any(head, _SOFT_WORDS) and _SOFT.search(head) is not None
