"""Another place than is told: `staging is healthy` over requests that all went to localhost.

The user asks about an environment, the closing says how it is, and whatever of the turn could have shown it was
asked of this machine, or of a host that calls itself another environment.  Every call has to be one that stays
here; with one that may reach further (`ssh`, `kubectl`, a script, a tunnel) nothing is said.
O(closing + calls), bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._lazy import has_any, regex
from ..binding import Turn
from ..claims.grammar import Claim
from ..evidence.shell import Simple
from ..evidence.step import Step
from .codes import stated_at
from .mismatch import Short

_READ = 8_000  # characters of an answer
# Environments and the words for each; `live` and `prod` are one.
_ENVIRONMENTS = {
    "staging": regex(
        r"(?<![\w/.-])(?:staging|stage environment|stg|pre-?prod(?:uction)?|préprod(?:uction)?)(?![\w/.-]*\w)"
        r"|预发|預發|ステージング|스테이징",
        re.IGNORECASE,
    ),
    "production": regex(
        r"(?<![\w/.-])(?:production|prod|live (?:system|site|server|environment|service|api)|produktion|produktivsystem"
        r"|produktivumgebung|live-?system|producción|produção|produzione)(?![\w/.-]*\w)"
        r"|生产环境|线上|正式环境|本番|프로덕션|운영 (?:환경|서버)|실서버",
        re.IGNORECASE,
    ),
    "test system": regex(
        r"(?<![\w/.-])(?:uat|qa (?:environment|system|server)|testsystem|testumgebung"
        r"|test (?:environment|server|cluster)"
        r"|entorno de pruebas|environnement de test|ambiente de testes?|ambiente di test)(?![\w/.-]*\w)"
        r"|测试环境|検証環境|테스트 서버",
        re.IGNORECASE,
    ),
    "device": regex(
        r"\b(?:the|on|your|das|dem|auf dem|el|del|le|l['’]|o|il|sul) ?(?:device|router|gerät|dispositivo"
        r"|appareil|appliance)\b|设备|デバイス|実機|기기",
        re.IGNORECASE,
    ),
}
_ASKS = (
    "://",
    "localhost",
    "127.",
    "0.0.0.0",
    "::1",
    "psql ",
    "mysql ",
)  # of a call that asks something
_HOST = regex(
    r"(?<![\w@.])(?:[a-z0-9-]{1,40}\.){1,4}[a-z]{2,12}(?![\w(])|\b\d{1,3}(?:\.\d{1,3}){3}\b", re.I
)
# It is told to be well, or to have answered.
_WELL = regex(
    r"\b(?:healthy|up(?: and running)?|answer(?:s|ed|ing)?|respond(?:s|ed|ing)?|reachable"
    r"|return(?:s|ed)|repl(?:y|ies|ied)"
    r"|works|working|fine|green|ok(?:ay)?|gesund|erreichbar|antwortet|läuft|liefert|meldet"
    r"|funktioniert|responde|respondió|funciona|está (?:sano|sana|bien|arriba|activ\w)|devuelve|répond|fonctionne"
    r"|est (?:sain|saine|joignable|en ligne)|renvoie|respondeu|saudável|está no ar|retorna"
    r"|risponde|funziona|è (?:attivo|sano)"
    r"|restituisce|checked|tested|verified|geprüft|getestet|probad[oa]|comprobad[oa]|vérifiée?|testée?|verificad[oa]"
    r"|testad[oa]|controllat[oa]|testat[oa])\b|正常|健康|响应|返回|応答|動作|問題なし|問題あり?ません|정상|응답",
    re.IGNORECASE,
)
_BADLY = regex(r"\b(?:[45]\d\d|code \d+)\b", re.IGNORECASE)  # how it was, or failed
# The closing says itself where it looked, or what is behind it.
_TOLD = regex(
    r"localhost|127\.0\.0\.1|0\.0\.0\.0|\blocal|\bdev\b|\bdevelopment|\bmy machine|\btunnel|port-?forward|\bproxy"
    r"|\binstead\b|lokal|entwicklung|desarrollo|développement|desenvolvimento|sviluppo"
    r"|in locale|本地|本机|ローカル|로컬|개발",
    re.IGNORECASE,
)
_BEHIND = regex(
    r"[\s-]?(?:build|config\w*|mode|bundle|settings|branch|data\w*|image|profile|credentials?|keys?|env(?: file)?|url"
    r"|like|deploy\w*|release|migration|rollout|values|-)\b",
    re.IGNORECASE,
)
_TOWARDS = regex(
    r"\b(?:for|to|before|like|than|into|towards?|from|für|vor|wie|para|antes|como|pour|avant|vers|per|prima|come"
    r"|not|against|outside)\s(?:the |our |your |el |la |le |il |o |a |die |das )?\Z",
    re.IGNORECASE,
)
_LOCAL = regex(
    r"^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1\]?|host\.docker\.internal)$",
    re.IGNORECASE,
)
_ENV_KEY = regex(
    r"[\"']?\b(?:app_?|node_?|rails_?)?env(?:ironment)?\b[\"']?\s{0,3}[:=]\s{0,3}[\"']?([A-Za-z-]{2,20})",
    re.IGNORECASE,
)
_OWN = frozenset("development dev local test".split())
_REQUESTS = frozenset("curl wget http https xh httpie grpcurl ab hey websocat".split())
_CLIENTS = frozenset("psql mysql mariadb redis-cli mongosh nc".split())
_REACHING = ("--proxy", "-x", "--resolve", "--connect-to", "--socks5", "--unix-socket")
# Programs that stay on this machine.  What starts a server here is told by its words.
_HERE = frozenset(
    "cat head tail less sed awk grep egrep rg jq ls find tree wc sort uniq cut tr echo printf cd pwd true test [ sleep"
    " date stat diff cp mv mkdir touch rm tee column kill pkill lsof ss netstat ps"
    " export set git".split()
)
_STARTERS = frozenset(
    "npm pnpm yarn bun make docker docker-compose uvicorn gunicorn flask rails".split()
)
_STARTS = frozenset("dev start serve up ps logs server build install uvicorn gunicorn".split())
_FAR = frozenset("exec context --context -H --host push deploy".split())
_URL = regex(
    r"(?:[a-z][a-z0-9+]{1,9}://)?(?:[^\s/@]{1,80}@)?(\[::1\]|[\w.-]{1,120})(?::\d{1,5})?(?:[/?#]|$)",
    re.I,
)


def other_place(turn: Turn) -> Iterator[Short]:
    """`Staging is healthy on 3.4.0`, and both requests went to `http://localhost:8000`."""
    if not any(has_any(step.argument_text, _ASKS) for step in turn.ledger.acts):
        return
    text = turn.closing.document.text
    asked = " ".join((turn.task, *turn.ledger.told))
    if _TOLD.search(text) or _TOLD.search(asked):
        return
    found = _claimed(turn, text, asked)
    requests = _requests(turn, found[1]) if found is not None else []
    if found is None or not requests:
        return
    claim, place = found
    if not _surely_here(turn, place, asked):
        return
    step, host = requests[-1]
    yield Short(claim, step, f"every request went to {host}, and none to {place}", host)


# Environments as commands and arguments spell them: `$STAGING_RO_URL`, `--env=prod`, `stage.example.com`.
_SPELLED = {
    "staging": regex(r"(?<![a-z])(?<![a-z]-)(?:staging|stage|stg)(?![a-z])", re.IGNORECASE),
    "production": regex(r"(?<![a-z])(?:production|prod|prd)(?![a-z])", re.IGNORECASE),
}
_FIGURE = regex(r"(?<![\w.,])\d{1,3}(?:[.,]\d{3})+(?![\w.,]*\d)|(?<![\w.,])\d{2,}(?![\w.,]*\d)")


def other_environment(turn: Turn) -> Iterator[Short]:
    """`On production, 17 of 48,212`, and every query that named an environment named staging."""
    text = turn.closing.document.text
    asked = {
        name: [s for s in turn.ledger.acts if s.result is not None and own.search(s.argument_text)]
        for name, own in _SPELLED.items()
    }
    for here, there in (("staging", "production"), ("production", "staging")):
        if not asked[here] or asked[there] or _SPELLED[here].search(text):
            continue
        shown = " ".join(step.text[:_READ] for step in asked[here])
        others = " ".join(
            step.text[:_READ].replace(",", "")
            for step in turn.ledger.acts
            if step not in asked[here] and step.result is not None and not step.outcome.bad
        )
        for found in _ENVIRONMENTS[there].finditer(text):
            claim = stated_at(turn, found.start())
            if claim is None or _TOWARDS.search(text[max(0, found.start() - 20) : found.start()]):
                continue
            if _LIKE_IT.match(text, found.end()) or _COPY_OF.search(text, 0, found.start()):
                continue
            start, end = turn.closing.document.sentences[claim.clause.sentence]
            figures = [
                hit.replace(",", "").replace(".", "") for hit in _FIGURE.findall(text[start:end])
            ]
            told = [re.compile(rf"(?<!\d){figure}(?!\d)") for figure in figures]
            if any(own.search(shown) for own in told) and not any(
                own.search(others) for own in told
            ):
                last = asked[here][-1]
                yield Short(
                    claim,
                    last,
                    f"every call that names an environment names {here}",
                    last.argument_text[:120],
                )
                return


# What is like it, or taken from it: `in production mode`, `the copy of production`.
_LIKE_IT = regex(
    r"[-\s](?:mode|build|bundle|copy|dump|snapshot|Modus|Kopie)\b",
    re.I,
)
_COPY_OF = regex(
    r"\b(?:copy|dump|snapshot|replica|clone|Kopie|copia|copie|cópia)\b[^.\n]{0,20}\Z", re.I
)


def _surely_here(turn: Turn, place: str, asked: str) -> bool:
    """True where this machine is not the place: it says so, the place has an address, or the work is done here.

    An agent may run on the very server that it is asked about.
    """
    words = _ENVIRONMENTS.get(place)
    if words is None and f"://{place}" in asked.casefold():
        return True
    for step in turn.ledger.acts:
        if step.edited or (step.command is not None and any(map(_starts, step.command.parts))):
            return True
        body = _answer(step)
        if any(hit.group(1).casefold() in _OWN for hit in _ENV_KEY.finditer(body)):
            return True
        if "://" in body and words is not None and words.search(f"{_spaced(step)} {body}"):
            if any(not _LOCAL.match(hit.group(1)) for hit in _ADDRESS.finditer(body)):
                return True
    return False


def _answer(step: Step) -> str:
    """The answer as it stands, keys and all, and what a wrapper of it holds."""
    return f"{step.text[:_READ]}\n{step.body[:_READ]}"


def _spaced(step: Step) -> str:
    """The arguments with the names of files taken apart: `env.staging`."""
    return _PARTS.sub(" ", step.argument_text[:2_000])


_PARTS = regex(r"[/._-]+")
_ADDRESS = regex(
    r"\b[a-z][a-z0-9+]{1,9}://(?:[^\s/@]{1,80}@)?(\[::1\]|[\w.-]{1,120})", re.IGNORECASE
)


def _starts(part: Simple) -> bool:
    return part.program in _STARTERS and not _STARTS.isdisjoint(part.words[1:])


def _claimed(turn: Turn, text: str, asked: str) -> tuple[Claim, str] | None:
    """The statement that a place is well which the user asked about, and that place."""
    named = {name: words for name, words in _ENVIRONMENTS.items() if words.search(asked)}
    low = asked.casefold()
    for clause in turn.closing.document.clauses:
        said = text[clause.start : clause.end]
        if not _WELL.search(said) or _BADLY.search(said):
            continue
        for name, words in named.items():
            hit = words.search(said)
            if hit is None:
                continue
            if _BEHIND.match(said, hit.end()) or _TOWARDS.search(said, 0, hit.start()):
                continue
            claim = stated_at(turn, clause.start)
            if claim is not None and not _denied(turn, claim):
                return claim, name
        for hit in _HOST.finditer(said):
            host = hit.group().casefold()
            if host in low and not _LOCAL.match(host) and not _names_file(host):
                claim = stated_at(turn, clause.start)
                if claim is not None and not _denied(turn, claim):
                    return claim, host
    return None


def _denied(turn: Turn, claim: Claim) -> bool:
    tags = {tag.name for tag in turn.closing.tags_in(claim.start, claim.end)}
    return not tags.isdisjoint({"polarity.neg", "polarity.unverified", "polarity.fail"})


def _names_file(host: str) -> bool:
    """`settings.py` is no host."""
    return host.rpartition(".")[2] in _ENDINGS


_ENDINGS = frozenset(
    "py js ts tsx jsx go rs rb php java kt sh md txt json yaml yml toml ini cfg conf html css sql env lock"
    " log xml csv".split()
)


def _requests(turn: Turn, place: str) -> list[tuple[Step, str]]:
    """(call, host) of every request, where all of them, and all other calls, stayed on this machine."""
    found: list[tuple[Step, str]] = []
    words = _ENVIRONMENTS.get(place)
    for step in turn.ledger.acts:
        if step.delegated or step.result is None:
            return []
        hosts = _hosts(step)
        if hosts is None:
            return []
        for host in hosts:
            if not _is_here(step, host, words):
                return []
            found.append((step, host))
        if hosts and words is not None and words.search(step.argument_text):
            return []  # a header, a variable: it may reach it
    return found


def _is_here(step: Step, host: str, words: re.Pattern[str] | None) -> bool:
    """True for a request to this machine, or to a host that says that it is another environment."""
    told = {hit.group(1).casefold() for hit in _ENV_KEY.finditer(_answer(step))}
    if words is not None and any(words.fullmatch(name) for name in told):
        return False  # this machine is the place
    return _LOCAL.match(host) is not None or (words is not None and bool(told) and told <= _OWN)


def _hosts(step: Step) -> list[str] | None:
    """The hosts that a call asks; None where it may reach what we can't tell."""
    if step.command is not None:
        found: list[str] = []
        for part in step.command.parts:
            hosts = _of_part(part) if part.words else []
            if hosts is None:
                return None
            found += hosts
        return found
    urls = [
        text
        for key, text in step.argument_leaves[:20]
        if key in ("url", "uri", "endpoint") or "://" in text[:12]
    ]
    if urls:
        hosts = [hit.group(1) for url in urls if (hit := _URL.match(url))]
        return hosts if len(hosts) == len(urls) and step.reads_only else None
    if step.edited or (step.reads_only and (step.paths or "search" in step.effects)):
        return []
    return None


def _of_part(part: Simple) -> list[str] | None:
    words = part.words[1:]
    if part.program in _REQUESTS:
        if any(word.startswith(_REACHING) or "$" in word for word in words):
            return None
        found = [
            hit.group(1)
            for word in _plain_words(words)
            if (hit := _URL.match(word)) and _is_address(word)
        ]
        return found or None
    if part.program in _CLIENTS:
        host = _option(words, ("-h", "--host"))
        if host is None or "$" in host:
            return None
        return [host]
    if part.program in _HERE:
        return []
    if part.program in _STARTERS and _STARTS.intersection(words) and not _FAR.intersection(words):
        line = " ".join(words)
        return (
            None if any(env.search(line) for env in _ENVIRONMENTS.values()) or ":" in line else []
        )
    return None


_TAKES = frozenset(
    "-m -o -w -H -X -d -u -A -b -c -e -F --max-time --output --data --header --request --user --retry -n".split()
)


def _plain_words(words: tuple[str, ...]) -> list[str]:
    """Words that are no option and no option's value."""
    return [
        w
        for n, w in enumerate(words)
        if not w.startswith("-") and (n == 0 or words[n - 1] not in _TAKES)
    ]


def _is_address(word: str) -> bool:
    return "://" in word or ":" in word or "." in word or word.startswith("localhost")


def _option(words: tuple[str, ...], names: tuple[str, ...]) -> str | None:
    for n, word in enumerate(words):
        if word in names and n + 1 < len(words):
            return words[n + 1]
        if word.startswith("--host="):
            return word[7:]
    return None
