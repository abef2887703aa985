"""What became of things that were only started: queues, background commands, long operations.

Strategy: a job is a call whose answer promises (`accepted`, `queued`, a background id).  Later looks that
name it are read for a state; the last stated one decides.  States are read word by word, so that
`PENDING_APPROVAL`, `pendingTransfer` and `en_cola` need no list of their own.  O(results of the looks).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .._lazy import regex
from . import outcomes
from .step import Step

_JOBS = 40  # started things that are followed, the last ones
OPEN, DONE, FAILED = "open", "done", "failed"
_CAMEL = regex(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_OPEN_WORDS = frozenset(
    "pending queued queue waiting awaiting requires required scheduled running processing"
    " progress started starting copying"
    " creating updating deploying building provisioning initiated accepted requested hold review"
    " submitted transferring"
    " downloading uploading syncing rebuilding draft unconfirmed retrying deferred next todo"
    " notstarted"
    " cola curso pendiente proceso espera programado attente cours attesa coda corso fila"
    " andamento pendente aguardando"
    " wartend ausstehend bearbeitung warteschlange anfrage angefragt geplant laufend".split()
)
_OPEN_TEXT = (
    "очеред",
    "обработк",
    "ожидан",
    "处理中",
    "排队",
    "待处理",
    "等待",
    "進行中",
    "保留",
    "処理中",
    "待機",
    "대기",
    "진행",
    "처리 중",
    "लंबित",
    "कतार",
)
_DONE_WORDS = frozenset(
    "completed complete succeeded success successful done finished ok passed ready available"
    " confirmed active healthy green"
    " applied delivered sent closed merged published live idle stopped terminado terminée"
    " terminé completado completata"
    " abgeschlossen fertig erledigt concluído concluida finalizado 完成 完了 완료 готово".split()
)
_STATE_KEYS = (
    "status",
    "state",
    "phase",
    "estado",
    "stato",
    "etat",
    "état",
    "situação",
    "situacao",
    "статус",
    "状态",
    "状態",
    "상태",
    "stage",
)
_PERCENT_KEYS = (
    "percent",
    "progress",
    "porcentaje",
    "percentage",
    "pct",
    "prozent",
    "fortschritt",
    "completed_pct",
)
_TAG = regex(r"<(?:status|state)>\s{0,4}([A-Za-z_ -]{2,30})\s{0,4}</", re.IGNORECASE)
_LINE = regex(
    r"(?:^|\n)[^\n]{0,40}?\b(?:status|state|phase|estado"
    r"|stato)\b\s{0,3}[:=]\s{0,3}[\"']?([A-Za-z_ -]{2,30})",
    re.IGNORECASE,
)
_CODE = regex(r"<exit_code>\s{0,4}(-?\d{1,3})\s{0,4}</exit_code>[^\n]{0,80}", re.IGNORECASE)


_ID = regex(r"[A-Za-z]{1,6}[-_]\w{2,30}\Z")  # `OR-910`


class Job(NamedTuple):
    """A started thing that nothing shows finished.  look: the last word on it.  state: open or failed."""

    step: Step
    look: Step
    state: str
    quote: str


def state_of(word: str) -> str:
    """open, done, failed or an empty string for a state word of any shape."""
    low = word.strip().lower()
    pieces = {piece.lower() for piece in _CAMEL.findall(word)} | set(
        low.replace("-", "_").replace(" ", "_").split("_")
    )
    if low in outcomes.FAIL_WORDS or pieces & {
        "failed",
        "killed",
        "error",
        "rejected",
        "aborted",
        "cancelled",
        "canceled",
    }:
        return FAILED
    if pieces & _OPEN_WORDS or any(mark in low for mark in _OPEN_TEXT):
        return OPEN
    return DONE if pieces & _DONE_WORDS else ""


def said(look: Step) -> tuple[str, str]:
    """(state, quote) that a look states; empty where it states none."""
    if look.json is not None:
        for key, text in look.result_leaves[:120]:
            if key.endswith(_STATE_KEYS) and not text.isdigit():
                state = state_of(text)
                if state:
                    return state, f"{key}: {text}"
            if key in _PERCENT_KEYS:
                share = text.rstrip("%")
                if share.replace(".", "", 1).isdigit() and 1 < float(share) < 100:
                    return OPEN, f"{key}: {text}"
        return "", ""
    text = look.text[:4000]
    code = _CODE.search(text)
    if code and code.group(1) != "0":
        return FAILED, code.group().strip()[:120]
    for pattern in (_TAG, _LINE):
        hit = pattern.search(text)
        if hit:
            state = state_of(hit.group(1))
            if state:
                return state, hit.group().strip()[:120]
    return "", ""


def keys_of(step: Step) -> list[str]:
    """The job's own names in its answer: ids and words with digits."""
    keys = [
        text
        for key, text in step.result_leaves
        if len(text) >= 3
        and (
            key.endswith(
                ("id", "job", "ref", "operation", "request", "run", "batch", "trabajo", "name")
            )
            or _ID.match(text)
        )
    ]
    if step.json is None:
        keys += [
            word.strip(".,:;()'\"")
            for word in step.text[:600].split()
            if any(c.isdigit() for c in word) and len(word) > 3
        ][:6]
    return [key.casefold() for key in keys[:8]]


def open_jobs(steps: Sequence[Step]) -> list[Job]:
    """Every started thing of the turn whose end nothing shows, in order."""
    promised = [step for step in steps if _promises(step) or _gives_job(step)][-_JOBS:]
    if not promised:
        return []
    returned = [step for step in steps if step.result is not None]
    found: list[Job] = []
    for step in promised:
        if _stood_before(step, steps):
            continue
        job = _follow(step, [other for other in returned if other.order > step.order])
        if job is not None:
            found.append(job)
    return found


def _promises(step: Step) -> bool:
    return (
        step.result is not None
        and not step.control
        and not step.reads_only
        and (step.background or step.outcome.kind == outcomes.PENDING)
        and not step.outcome.bad
        and not (step.background and _SERVES.search(step.command_text))
    )


# What goes on until it is stopped: nothing in it is still to come.
_SERVES = regex(
    r"\b(?:dev|serve[rd]?|storybook|port-forward|watch|preview|tunnel|ngrok|runserver|uvicorn|gunicorn|nodemon"
    r"|http\.server|tail -f|logs -f|vite(?! build)|compose(?: -\S+ \S+)* up|worker|emulator|consumer|daemon|npm start"
    r")(?![\w-])"
)


def _gives_job(step: Step) -> bool:
    """`{"accepted": true, "op": "op-5538"}`: little more than the number of a job, which a later look may ask after."""
    return (
        step.result is not None
        and step.command is None
        and not (step.control or step.reads_only or step.outcome.bad)
        and isinstance(step.json, dict)
        and len(step.json) <= 4
        and any(
            str(key).lower().removesuffix("id").rstrip("_") in _JOB_KEYS
            and (_sets_going(step) or str(value) not in step.argument_text)
            for key, value in step.json.items()
        )
    )


def _sets_going(step: Step) -> bool:
    return (
        not step.effects.isdisjoint(("start", "run", "deploy", "submit")) or "batch" in step.words
    )


_JOB_KEYS = frozenset("op operation job run batch execution".split())


def _stood_before(step: Step, steps: Sequence[Step]) -> bool:
    """True when an earlier look shows the same object in the same state: an order that is `pending`
    before its address is changed is no change that is pending.
    """
    states = {(key, text) for key, text in step.result_leaves[:120] if key.endswith(_STATE_KEYS)}
    return bool(states) and any(
        earlier.order < step.order
        and earlier.reads_only
        and not earlier.outcome.bad
        and bool(step.ids & earlier.ids)
        and not states.isdisjoint(earlier.result_leaves[:120])
        for earlier in steps
    )


def _follow(step: Step, later: Sequence[Step]) -> Job | None:
    keys = keys_of(step)
    names = step.ids
    given = set(step.argument_leaves[:40]) if step.command is None else set()
    last: tuple[str, str, Step] | None = None
    built = False
    for other in later:
        named = any(other.mentions(key) for key in keys) or (
            bool(names & other.ids) and not (other.reads_only and keys)
        )
        named = named or (
            other.command is None and bool(given.intersection(other.argument_leaves[:40]))
        )
        if not named and _shows_product(other, step):
            built = True  # its log, or what it is to make, was looked at
        if not named:
            continue
        stops = "stop" in other.effects and not other.reads_only and other.command is None
        if stops and (last is None or last[0] != DONE):
            last = (FAILED, other.text.strip()[:120] or other.name, other)
            continue
        acts = bool(other.effects - _IDLE) and not other.reads_only
        state, quote = ("", "") if acts else said(other)
        if (
            not state
            and other.reads_only
            and not other.outcome.bad
            and (other.summaries or (step.background and _ended(other)))
        ):
            state, quote = DONE, ""
        if state:
            last = (state, quote, other)
        elif not other.outcome.bad and (
            not other.reads_only
            or not keys
            or (step.outcome.kind == outcomes.PENDING and other.json is not None)
        ):
            built = True  # what builds on it went through, or it is there to be read
    if last is not None and not (
        _promises(step) or _sets_going(step) or last[1].startswith(_PERCENT_KEYS)
    ):
        return None  # the state of a thing, and not how far the job is
    if last is not None:
        return None if last[0] == DONE else Job(step, last[2], last[0], last[1])
    if built or not _promises(step) or any(_same_call(step, other) for other in later):
        return None
    return Job(step, step, OPEN, step.outcome.quote)


def _shows_product(look: Step, job: Step) -> bool:
    """True for a look that may show the end of a background command by what it makes: its log, its image, its table."""
    if not job.background or look.command is None or look.edited or look.outcome.bad:
        return False
    if _GOES_ON.search(look.text[-400:]):
        return False
    words = set(_LONG.findall(job.command_text.casefold())) - _COMMON
    return not words.isdisjoint(_LONG.findall(look.command_text.casefold()))


_GOES_ON = regex(
    r"\bkilled\b|\b\d{1,2}\s?%|\brunning\b|\bin progress\b|\bTraceback\b", re.IGNORECASE
)
_LONG = regex(r"[a-z][a-z0-9]{3,}")
_COMMON = frozenset(
    "python python3 node bash test tests pytest build make install true false null timeout sleep grep tail head echo"
    " cargo yarn pnpm poetry bundle exec docker compose".split()
)


_IDLE = frozenset(
    {"read", "search", "verify", "compute", "run", "opaque", "unknown", "script", "background"}
)


def _ended(look: Step) -> bool:
    low = look.text[:2000].casefold()
    return "exit code" in low or "exit_code" in low or "completed" in low or "finished" in low


def _same_call(step: Step, other: Step) -> bool:
    """The real run after a dry one, a retry that went through."""
    return (
        other.name == step.name
        and other.outcome.kind in (outcomes.OK, outcomes.NOOP)
        and not other.reads_only
        and (
            step.command is None
            or bool(
                {p.program for p in step.command.parts}
                & {p.program for p in (other.command.parts if other.command else ())}
            )
        )
    )
