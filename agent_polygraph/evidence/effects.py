"""What a call does, read from its name's words, its arguments and its command line.

An effect is a word of the closing's own vocabulary (`send`, `commit`, `deploy` ...), so that a claim and
a call meet by equality.  A call whose doing can't be read is `opaque`.  Two kinds of it are held to what
they could be: a `script` (an unknown program) and an `unknown` (a tool without a known verb); the rest
(clicks, free HTTP) may have done anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from .._lazy import regex
from .runners.argv import command_of
from .shell import QUIET, Command, Simple, simple

# Word of a tool's name -> effects.  The first known word decides together with the others.
_WORDS: dict[str, str] = {
    "read": "read", "get": "read", "fetch": "read", "view": "read", "show": "read", "open": "read",
    "cat": "read", "load": "read", "describe": "read", "retrieve": "read", "inspect": "read",
    "status": "read", "details": "read", "screenshot": "read", "head": "read",
    "download": "download read",
    "list": "read search", "ls": "read search", "tree": "read search", "glob": "search",
    "find": "search read",
    "search": "search read", "grep": "search read", "query": "search read", "lookup": "search read",
    "browse": "read", "scrape": "read", "crawl": "read", "navigate": "read", "goto": "read",
    "check": "verify read", "verify": "verify read", "validate": "verify read",
    "lint": "verify run",
    "test": "verify run", "tests": "verify run", "pytest": "verify run", "jest": "verify run",
    "count": "read search", "stat": "read", "diff": "read", "log": "read note submit",
    "logs": "read",
    "analyze": "read", "summarize": "read", "calculate": "compute", "calc": "compute",
    "compute": "compute",
    "think": "compute", "plan": "compute", "wait": "compute", "sleep": "compute",
    "write": "edit create save", "edit": "edit", "replace": "edit", "patch": "edit",
    "modify": "edit",
    "update": "edit upgrade move_stage", "set": "edit configure move_stage",
    "change": "edit move_stage",
    "put": "edit create save",
    "insert": "create edit", "append": "edit create", "upsert": "create edit", "rewrite": "edit",
    "add": "create edit note", "create": "create", "new": "create", "make": "create",
    "generate": "create",
    "save": "save create edit", "store": "save create edit", "record": "save note",
    "register": "create submit",
    "build": "build run", "compile": "build run", "format": "edit run",
    "delete": "delete", "remove": "delete edit", "drop": "delete", "purge": "delete",
    "clear": "delete", "reset": "reset edit",
    "archive": "archive delete move close", "rename": "rename edit", "move": "move edit move_stage",
    "copy": "create",
    "revert": "revert edit", "undo": "revert edit", "rollback": "revert deploy",
    "restore": "restore edit",
    "commit": "commit", "push": "push", "pr": "pr", "pull": "read", "merge": "merge", "tag": "tag",
    "release": "release deploy", "publish": "release post deploy", "ship": "deploy release",
    "deploy": "deploy", "rollout": "deploy", "promote": "deploy release",
    "apply": "apply deploy edit migrate",
    "provision": "create apply deploy", "migrate": "migrate apply", "migration": "migrate apply",
    "migrations": "migrate apply", "schema": "", "upgrade": "upgrade apply migrate",
    "install": "install",
    "import": "import create", "seed": "import create", "loaddata": "import create",
    "ingest": "import create", "populate": "import create", "backfill": "import create edit",
    "export": "export create save", "dumpdata": "export save", "upload": "upload create",
    "sync": "import export edit",
    "send": "send notify", "email": "send notify", "mail": "send notify", "sms": "send notify",
    "message": "send notify reply", "notify": "notify send", "alert": "notify send",
    "slack": "send notify",
    "invite": "send notify", "post": "post send create reply", "tweet": "post",
    "reply": "reply send",
    "respond": "reply send", "comment": "reply post note create", "note": "note create",
    "forward": "send",
    "pay": "pay", "charge": "pay", "payment": "pay", "refund": "refund pay", "credit": "refund pay",
    "payout": "pay", "transfer": "transfer pay move", "escalate": "transfer notify",
    "handoff": "transfer",
    "hand": "transfer", "human": "transfer", "certificate": "create send refund",
    "cancel": "cancel", "book": "book create order", "reserve": "book create",
    "schedule": "book create",
    "event": "book", "appointment": "book", "booking": "book", "reservation": "book", "po": "order",
    "reschedule": "book edit", "order": "order", "buy": "order pay", "purchase": "order pay",
    "checkout": "order pay", "return": "return refund order edit",
    "exchange": "exchange order edit",
    "submit": "submit create", "file": "", "report": "submit create", "close": "close",
    "resolve": "close",
    "reopen": "edit", "assign": "assign edit", "approve": "approve edit", "reject": "approve edit",
    "label": "edit", "stage": "move_stage", "enable": "enable edit", "disable": "disable edit",
    "activate": "enable", "deactivate": "disable", "toggle": "enable disable edit",
    "turn": "enable disable",
    "switch": "enable disable edit", "configure": "configure edit", "config": "configure",
    "restart": "restart", "reboot": "restart", "start": "start", "stop": "stop", "kill": "stop",
    "scale": "scale", "lock": "disable edit", "unlock": "enable edit", "grant": "edit", "revoke": "edit delete",
    "backup": "backup create", "snapshot": "backup create", "remind": "create notify",
    "reminder": "create notify", "reminders": "create notify",
    "remember": "save note", "memory": "save note read", "print": "send run", "play": "start",
    "fill": "edit", "type": "edit", "click": "opaque", "press": "opaque", "tap": "opaque",
    "work": "opaque", "invoke": "opaque", "agent": "opaque delegate", "task": "delegate",
    "delegate": "opaque delegate",
    "subagent": "opaque delegate", "workflow": "opaque", "action": "opaque",
    "trigger": "opaque start",
    "job": "", "cronjob": "opaque", "browser": "opaque", "computer": "opaque", "http": "opaque",
    "rest": "opaque", "api": "opaque", "request": "opaque", "webhook": "opaque",
    "run": "run", "execute": "run", "exec": "run", "shell": "run", "bash": "run", "terminal": "run",
    "python": "run", "code": "", "script": "run", "notebook": "edit run", "repl": "run",
    "sql": "run",
    "command": "run", "apply_patch": "edit create", "str_replace": "edit",
    "undo_edit": "revert edit",
}  # fmt: skip
# Verbs and act nouns of tools named in German, Spanish, French, Italian and Portuguese, with and without
# their accents, by effect.
_HEAD = 6  # letters that forms of a verb have in common
_FOREIGN: dict[str, str] = {
    "read": "lesen lese liest abrufen anzeigen zeigen holen laden öffnen oeffnen stand pruefen"
        " prüfen ver leer mostrar"
    " obtener consultar consulta abrir estado lire voir afficher ouvrir obtenir consulter etat"
    " état recuperer récupérer"
    " detail leggi leggere apri mostra vedi ottieni stato ler obter saldo",
    "search read": "suchen suche finden finde auflisten buscar busca listar encontrar chercher recherche"
        " rechercher"
    " lister trouver cerca cercare elenca elenco lista trova procurar pesquisar",
    "edit": "aendern ändern aendere bearbeiten ersetzen ersetze setzen setze aktualisieren editar"
        " modificar modifica"
    " cambiar sustituir reemplazar actualizar modifier remplacer changer mettre aggiorna"
    " aggiornare modificare cambia"
    " sostituisci sostituire imposta impostare alterar atualizar mudar substituir segna",
    "create edit": "anlegen erstellen hinzufuegen hinzufügen schreiben crear anadir añadir agregar escribir"
        " creer créer"
    " ajouter ecrire écrire crea creare aggiungi aggiungere scrivi scrivere criar adicionar"
    " escrever",
    "save create edit": "speichern guardar enregistrer sauvegarder salva salvare salvar",
    "delete": "loeschen löschen entfernen eliminar borrar quitar supprimer effacer retirer elimina"
        " eliminare cancella"
    " rimuovi excluir remover",
    "send notify": "senden schicken versenden verschicken nachricht enviar envia mandar avisar notificar"
        " mensaje envoyer prevenir prévenir avertir informer informar informieren informare avvertire"
    " expedier notifier invia inviare manda spedisci avvisa mensagem messaggio benachrichtigen",
    "send notify create": "einladen invitar inviter invita invitare convidar",
    "cancel": (
        "kuendigen kündigen stornieren absagen cancelar anular annuler resilier résilier annulla"
        " annullare disdici"
    ),
    "book create order": (
        "buchen reservieren reservar agendar reserver réserver prenota prenotare marcar"
        " vereinbaren"
    ),
    "pay transfer": "zahlen bezahlen ueberweisen überweisen ueberweisung überweisung pagar transferir payer"
        " virer paga"
    " pagare bonifico",
    "refund pay": "erstatten rueckerstatten reembolsar devolver rembourser rimborsa rimborsare",
    "order pay": (
        "bestellen pedir encargar commander ordina ordinare acquista comprar encomendar acheter"
        " kaufen"
    ),
    "disable edit": (
        "deaktivieren sperren desactivar bloquear desactiver désactiver bloquer disattiva blocca"
        " desativar"
    ),
    "enable edit": "aktivieren freischalten activar activer attiva attivare ativar",
    "restart": "neustarten reiniciar redemarrer redémarrer riavvia riavviare",
    "start": "starten arrancar iniciar demarrer démarrer lancer avvia avviare encender ligar",
    "stop disable": "stoppen anhalten abschalten parar detener arreter arrêter ferma fermare desligar",
    "stop disable delete": "apagar",
    "export create save": "exportieren exportar exporter esporta esportare",
    "import create": "importieren importar importer importa importare",
    "submit create": "einreichen beantragen anmelden presentar solicitar emitir soumettre deposer déposer emettre"
    " emettere richiedere",
    "note create": "notieren anotar annota annotare noter",
    "run": "ausfuehren ausführen ejecutar executar executer exécuter esegui eseguire",
    "deploy": "ausrollen bereitstellen desplegar deployer déployer",
    "close": "schliessen schließen cerrar fermer chiudi chiudere fechar encerrar",
}  # fmt: skip
_MORE_WORDS: dict[str, str] = {
    "read": "info whoami ping locate health metrics history recall peek track extract lookup trace"
        " preview profile usage"
    " enquiry inquiry scan detect",
    "compute": "convert translate estimate rate score define",
    "edit": (
        "mark extend adjust waive override rotate renew refresh subscribe unsubscribe pin unpin"
        " restrict"
    ),
    "disable edit": "ban block suspend mute freeze",
    "enable edit": "unban unblock unmute unfreeze resume",
    "move_stage edit": "transition advance",
    "note edit": "follow vote upvote endorse react",
    "send notify": "resend dispatch broadcast dm sms fax announce",
    "edit book": "shift postpone reagendar reprogramar remarcar umbuchen verschieben aplazar reporter rinviare",
    "cancel": "withdraw void",
    "approve edit book": "confirm accept decline",
    "create release": "issue reissue",
    "create": "draft transcribe render compress duplicate clone",
    "share send edit": "share unshare",
    "build run": "rebuild reindex",
    "run": "bench benchmark smoke replay",
    "submit create": "enroll enrol signup",
    "delete": "flush wipe erase prune",
}  # fmt: skip
_EFFECTS = {word: frozenset(effects.split()) for word, effects in _WORDS.items()}
for _table in (_FOREIGN, _MORE_WORDS):
    for _effects, _names in _table.items():
        for _name in _names.split():
            _EFFECTS.setdefault(_name, frozenset(_effects.split()))
_NOUNS = frozenset(
    "nachricht mensaje mensagem messaggio stand stato estado etat état saldo detail ver leer".split()
)
# What a request may say, where the lexicons only have what a closing says: `prévenir`, `überweise`.
_ASKS = {
    name[:_HEAD]: frozenset(effects.split())
    for effects, names in _FOREIGN.items()
    for name in names.split()
    if name not in _NOUNS
}
# Words that make the rest of a name the thing that is looked at.
_LOOKS = frozenset(
    "get logs list read search find fetch show lookup describe view query check status retrieve count".split()
) | frozenset(f"{_FOREIGN['read']} {_FOREIGN['search read']}".split())
# Verbs of change, where a word beside them may be a noun: `update_list`, `shopping_list_add`.
_VERBS = frozenset(
    "add create update set delete remove clear insert append put upsert edit modify move rename reset"
    " rebuild replace write save upload publish send cancel close archive restore enable disable assign"
    " unassign merge approve reject submit".split()
)
_UNDOES = frozenset("cancel delete remove clear close unassign reject".split())
_MADE = frozenset("book order create send notify submit pay".split())
_CASES = frozenset(
    "dispute ticket case issue incident claim complaint request inquiry account position pr bug job order".split()
)
_QUESTIONS = frozenset("get fetch find show lookup describe retrieve count".split())
_NONE: frozenset[str] = frozenset()
READ_ONLY = frozenset({"read", "search", "verify", "compute", "run"})
_CONTROL = frozenset(
    "todowrite todoread todo taskcreate taskupdate tasklist think plan exitplanmode enterplanmode"
    " askuserquestion finish final_answer final_result update_plan report_intent".split()
)
_CAMEL = regex(r"[A-ZÀ-Þ]+(?![^\W\d_A-ZÀ-Þ])|[A-ZÀ-Þ]?[^\W\d_A-ZÀ-Þ]+|\d+")
_WRITES_SQL = regex(
    r"\b(insert|update|delete|drop|alter|create|truncate|merge|replace|copy|rename|grant|revoke)\b",
    re.I,
)
_SQL_EFFECTS: dict[str, frozenset[str]] = {
    "insert": frozenset({"create", "import", "edit"}),
    "copy": frozenset({"import", "export", "create"}),
    "update": frozenset({"edit"}), "merge": frozenset({"edit", "import"}),
    "replace": frozenset({"edit", "create"}),
    "delete": frozenset({"delete", "edit"}), "drop": frozenset({"delete", "migrate"}),
    "truncate": frozenset({"delete"}),
    "rename": frozenset({"rename", "edit"}), "grant": frozenset({"edit", "share"}),
    "revoke": frozenset({"edit"}),
    "alter": frozenset({"migrate", "edit"}), "create": frozenset({"create", "migrate"}),
}  # fmt: skip

# What a claimed effect may be realised by, beyond itself.
_REALISED_BY: dict[str, frozenset[str]] = {
    claimed: frozenset((claimed + " " + others).split())
    for claimed, others in {
        "edit": (
            "commit push merge create save apply rename revert move configure upgrade delete"
            " exchange return note cancel format scale enable disable assign close archive restore"
        ),
        "create": (
            "edit save book submit order post note export copy branch pr upload import migrate"
            " apply"
        ),
        "save": "edit create export upload download note import commit",
        "rename": "move edit", "move": "rename edit", "archive": "edit move close",
        "delete": "edit close cancel rename move revert apply",
        "revert": "edit restore delete", "note": "create edit save post reply submit",
        "remind": "create notify book", "pr": "", "tag": "release", "release": "deploy push tag",
        "deploy": "apply release restart scale start push",
        "apply": (
            "deploy migrate edit configure create pay refund book order cancel exchange return"
            " run"
        ),
        "migrate": "apply edit create import run upgrade", "upgrade": "install edit apply",
        "install": "upgrade",
        "import": "create edit migrate upload run", "export": "create save download upload",
        "upload": "create post push export send", "download": "read save export",
        "send": "notify reply post", "notify": "send reply post", "reply": "send post note",
        "post": "send reply create",
        "pay": "order refund edit create book cancel exchange return upgrade",
        "refund": "return pay cancel exchange create edit delete book order",
        "transfer": "move pay", "cancel": "delete close edit return", "book": "create order edit",
        "order": "book create pay exchange return submit edit",
        "submit": "create post send edit order note return exchange",
        "close": "edit cancel delete move_stage merge", "assign": "edit", "approve": "edit",
        "move_stage": "edit close", "enable": "edit configure start",
        "disable": "edit configure stop delete",
        "configure": "edit create enable", "restart": "start stop deploy",
        "scale": "edit deploy apply",
        "start": "run restart enable deploy create", "stop": "disable delete cancel",
        "backup": "create export copy save",
        "restore": "revert edit import create", "return": "refund order edit submit",
        "exchange": "order edit submit",
        "build": "run", "run": "verify build",
    }.items()
}  # fmt: skip


# What the text of an unknown script has to speak of before it can have had an outward effect.
MARKS: dict[str, tuple[str, ...]] = {
    "push": ("push", "release", "publish"), "commit": ("commit",), "pr": ("pull", "pr", "merge"),
    "merge": ("merge",), "tag": ("tag", "release", "version"),
    **dict.fromkeys(("send", "notify", "reply", "post"), (
        "send", "mail", "smtp", "notif", "slack", "post", "message", "webhook", "hook", "alert",
        "sms", "telegram",
        "discord", "teams", "publish", "comment", "reply", "tweet", "toot", "report", "digest",
        "newsletter", "chat",
    )),
    "refund": ("refund", "credit"), "pay": ("pay", "charge", "invoice", "bill"),
    "transfer": ("transfer",),
    "book": ("book", "reserv", "schedul", "cron", "calendar"), "order": ("order", "buy", "purchas"),
    "cancel": ("cancel", "abort", "stop"),
    "submit": ("submit", "apply", "send", "upload", "post", "file"),
    "assign": ("assign",), "approve": ("approv",),
    "move_stage": ("stage", "status", "transition", "move"),
}  # fmt: skip


def realised_by(claimed: str) -> frozenset[str]:
    """The effects of calls that can make a claimed effect true."""
    return _REALISED_BY.get(claimed) or frozenset((claimed,))


_OF_THE_WEB = frozenset(
    "http https api rest web url raw send make do get post put patch delete fetch client perform execute call network"
    " graphql rpc".split()
)


@lru_cache(maxsize=2048)
def words_of(name: str) -> tuple[str, ...]:
    """The lower-case words of a tool's name: `mcp__crm__updateContact` -> crm, update, contact."""
    name = name[:200]
    if name.startswith("mcp__"):
        name = name[5:]
    return tuple(word.lower() for word in _CAMEL.findall(name))


def asked_of(words: Iterable[str]) -> frozenset[str]:
    """Effects that the words of a request in another language than English ask for."""
    found = (_ASKS.get(word[:_HEAD]) for word in words if len(word) >= 4)
    return frozenset(effect for effects in found if effects for effect in effects)


# Things that write a log of their own.
_WRITE_LOGS = frozenset(
    "job build run task pipeline deploy deployment server service container pod system app application error audit"
    " access event backup query crash".split()
)


# `save_state`, `deploy_state`: there the state is what is set, so it is none of these.
_STATE_NOUNS = frozenset("info status progress suivi seguimiento progreso fortschritt".split())
_SETTERS = _VERBS - frozenset("restore cancel close merge rebuild approve".split()) | frozenset(
    "change patch mark post push toggle switch transition make apply sync log track report"
    " email mail sms text share notify export print reply message announce broadcast forward"
    " establecer cambiar actualizar changer modifier setzen ändern alterar mudar cambiare".split()
)


# A draft is written and goes nowhere, unless the name says that it does.
_GOES_OUT = frozenset("send sends publish post submit deliver dispatch".split())
_SENDING = frozenset("send notify reply post".split())


@lru_cache(maxsize=2048)
def of_name(name: str) -> frozenset[str]:
    """Effects that the words of a tool's name speak of."""
    low = name.lower()
    if low.rsplit(".", 1)[-1] in _CONTROL:
        return frozenset(("control",))
    if low in _EFFECTS:
        return _EFFECTS[low]
    found: set[str] = set()
    words = words_of(name)
    if ("pull" in words and "request" in words) or ("merge" in words and "request" in words):
        words = (*tuple(w for w in words if w not in ("pull", "merge", "request")), "pr")
    if words[-1:] == ("log",) and words[-2:-1] and words[-2] in _WRITE_LOGS:
        words = (*words[:-1], "logs")  # `jobLog` shows what `logCall` notes down
    if words[-1:] == ("request",) and words[:-1] and _OF_THE_WEB.isdisjoint(words):
        words = (*words[:-1], "submit")  # `labs.request` hands something in
    if len(words) > 1 and words[-1] in _STATE_NOUNS and _SETTERS.isdisjoint(words):
        return frozenset(("read",))  # `restore_info`, `backup.progress`: how that act is getting on
    for word in words:
        found |= _EFFECTS.get(word, _NONE)
    if "draft" in words and _GOES_OUT.isdisjoint(words):
        found = found - _SENDING | {"create"}  # `mail_create_draft`: written, and not sent
    if words[:1] == ("open",) and _CASES.intersection(words[1:]):
        found = found - {"read"} | {"create"}  # `open_dispute`: a case is made, not looked at
    tail = words_of(name.rsplit(".", 1)[-1].rsplit("__", 1)[-1])[:-1] + words[-1:]
    heads = words[:2] + words[-1:]
    if len(tail) < len(words) and not any(_EFFECTS.get(word) for word in tail):
        found -= {"read", "search", "verify"}  # `open311.follow`: the service is no verb
    elif len(tail) < len(words):
        heads = (
            tail[:2] + tail[-1:]
        )  # `search_admin.rebuild`: the last part of a dotted name is the verb
    changes = {word for word in heads[:1] + heads[-1:] if word in _VERBS}
    if changes and heads[0] not in _QUESTIONS:
        found -= {"read", "search", "verify"}  # `update_list`, `view_create`
        if changes & _UNDOES:
            found -= _MADE  # `cancel_appointment` books nothing
        return frozenset(found)
    if found & {"read", "search"} and any(
        word in _LOOKS for word in heads
    ):  # `get_order_details`, `list_invoices`, `email_search`: the noun is what is read
        found = {"read", "search"} & found | ({"verify"} & found)
    return frozenset(found)


_GIT: dict[str, str] = {
    "commit": "commit", "push": "push", "merge": "merge", "tag": "tag",
    "revert": "revert edit commit",
    "checkout": "edit revert branch", "switch": "branch", "branch": "branch",
    "restore": "revert edit", "reset": "revert edit",
    "stash": "edit revert", "mv": "rename move edit", "rm": "delete edit", "apply": "edit apply",
    "am": "edit commit",
    "cherry-pick": "commit edit", "rebase": "edit commit", "pull": "edit merge",
    "clone": "create download",
    "add": "stage", "clean": "delete", "worktree": "branch create",
}  # fmt: skip
_PROGRAMS: dict[str, str] = {
    "rm": "delete", "rmdir": "delete", "unlink": "delete", "mv": "move rename edit",
    "cp": "create copy edit",
    "mkdir": "create", "touch": "create edit", "ln": "create", "chmod": "edit configure",
    "chown": "edit",
    "tar": "create edit", "unzip": "create edit", "zip": "create", "rsync": "upload create deploy send",
    "scp": "upload send",
    "mail": "send", "mailx": "send", "sendmail": "send", "mutt": "send", "kill": "stop",
    "pkill": "stop",
    "pip": "install", "pip3": "install", "apt": "install", "apt-get": "install", "brew": "install",
    "patch": "edit", "ls": "read", "stat": "read", "du": "read", "df": "read", "ps": "read",
    "which": "read",
    "file": "read", "diff": "read", "env": "read", "whoami": "read", "uname": "read",
    "wp": "opaque edit",
    "createdb": "create", "dropdb": "delete", "pg_dump": "backup export",
    **dict.fromkeys(("mysqldump", "mariadb-dump", "mongodump", "pg_dumpall"), "backup export"),
    "mongorestore": "restore import", "crontab": "create edit configure install enable",
    "pg_restore": "restore import",
    "asdf": "install read", "nvm": "install", "tail": "read", "head": "read", "killall": "stop",
    **dict.fromkeys(
        "nproc uptime tty printenv free hostname id lscpu locale lsof history ulimit getent"
        " pgrep pstree vmstat iostat"
        " lsblk dmesg journalctl groups sha256sum md5sum shasum cksum objdump nm otool readelf"
        " strings hexdump xxd od"
        " dig nslookup host ping traceroute nc netstat ss ip ifconfig arp jobs type command man"
        " help yq xmllint ffprobe"
        " cloc tokei scc fuser last w who uname arch getconf sw_vers dpkg-query realpath"
        " readlink basename dirname".split(),
        "read",
    ),
}  # fmt: skip
_FLY = {"deploy": "deploy", "scale": "scale", "status": "read", "logs": "read", "releases": "read"}
_SERVICES = {  # what keeps services running
    "start": "start deploy", "stop": "stop", "restart": "restart start stop deploy",
    "reload": "restart configure deploy", "enable": "enable start configure install",
    "disable": "disable stop", "mask": "disable stop", "unmask": "enable",
    "daemon-reload": "configure restart", "load": "start enable install", "unload": "stop disable",
    "delete": "delete stop",
    **dict.fromkeys(
        "status is-active is-enabled is-failed show cat list-units list-timers list-unit-files logs ls".split(),
        "read",
    ),
}  # fmt: skip
_SUBCOMMANDS: dict[str, dict[str, str]] = {
    "kubectl": {"apply": "apply deploy edit", "create": "create", "delete": "delete stop", "scale": "scale",
                "rollout": "deploy restart", "set": "edit deploy", "patch": "edit", "edit": "edit",
                "get": "read",
                "describe": "read", "logs": "read", "exec": "opaque", "run": "create start",
                "label": "edit", "cordon": "edit",
                "drain": "edit", "annotate": "edit", "port-forward": "start", "diff": "read",
                "top": "read", "wait": "read"},
    "terraform": {"apply": "apply deploy", "destroy": "delete", "plan": "read", "import": "import", "init": "install",
                  "validate": "verify", "fmt": "edit", "show": "read", "state": "read edit",
                  "output": "read"},
    "helm": {"upgrade": "deploy upgrade", "install": "deploy install", "uninstall": "delete",
        "rollback": "revert deploy",
             "list": "read", "status": "read", "template": "read", "lint": "verify",
             "push": "push upload release", "package": "build create"},
    "docker": {"build": "build create", "push": "push upload release", "run": "start run",
        "rm": "delete", "rmi": "delete",
               "stop": "stop", "start": "start", "restart": "restart",
               "compose": "start stop build run", "tag": "tag",
               "ps": "read", "logs": "read", "images": "read", "inspect": "read",
               "pull": "download"},
    "npm": {"install": "install", "ci": "install", "i": "install", "publish": "release",
        "version": "tag edit", "update": "upgrade",
            "uninstall": "delete", "audit": "verify edit"},
    "yarn": {"install": "install", "add": "install", "publish": "release", "upgrade": "upgrade", "remove": "delete"},
    "pnpm": {"install": "install", "i": "install", "add": "install", "publish": "release",
        "update": "upgrade", "remove": "delete"},
    "cargo": {"publish": "release", "add": "install edit", "update": "upgrade", "fmt": "edit", "install": "install"},
    "uv": {"pip": "install", "sync": "install", "add": "install edit", "publish": "release", "lock": "edit"},
    "fly": _FLY, "flyctl": _FLY,
    **dict.fromkeys(("systemctl", "service", "supervisorctl", "pm2", "launchctl"), _SERVICES),
    "pulumi": {"up": "deploy apply", "preview": "read", "destroy": "delete", "stack": "read"},
    "vercel": {"deploy": "deploy"}, "firebase": {"deploy": "deploy"},
    "serverless": {"deploy": "deploy"},
    "alembic": {"upgrade": "migrate apply", "downgrade": "revert migrate", "revision": "create"},
    "twine": {"upload": "release upload"}, "gcloud": {}, "az": {}, "heroku": {},
    "aws": {"s3": "upload download create edit delete"},
    "gsutil": {"cp": "upload download create", "rsync": "upload create"},
    "rclone": {"copy": "upload create", "sync": "sync upload create edit move",
        "move": "move upload", "check": "read", "ls": "read",
               "lsf": "read", "size": "read", "delete": "delete"},
}  # fmt: skip
_SUBCOMMAND_EFFECTS = {
    program: {sub: frozenset(effects.split()) for sub, effects in table.items()}
    for program, table in _SUBCOMMANDS.items()
}
# Names of programs whose command line may come as a tool call of that name.
PROGRAMS = frozenset(_SUBCOMMANDS) | frozenset(
    "git gh glab bundle npx node python python3 make curl psql mysql sqlite3 bash sh rake rails"
    " composer php artisan go".split()
)
# Two words behind the program: what waits for what another call started, what only looks.
_BY_TWO_WORDS: dict[tuple[str, ...], frozenset[str]] = {
    ("kubectl", "rollout", "status"): frozenset({"deploy", "watch"}),
    ("kubectl", "rollout", "history"): frozenset({"read"}),
    ("kubectl", "rollout", "undo"): frozenset({"deploy", "revert"}),
    ("argocd", "app", "wait"): frozenset({"deploy", "sync", "watch"}),
    ("argocd", "app", "sync"): frozenset({"deploy", "sync", "apply"}),
    ("argocd", "app", "get"): frozenset({"read"}),
    ("nomad", "job", "run"): frozenset({"deploy", "start", "run"}),
    ("nomad", "job", "status"): frozenset({"read"}),
    ("nomad", "job", "plan"): frozenset({"read"}),
    ("nomad", "job", "validate"): frozenset({"read", "verify"}),
    ("nomad", "job", "stop"): frozenset({"stop"}),
    ("nomad", "job", "revert"): frozenset({"revert", "deploy"}),
    ("nomad", "deployment", "status"): frozenset({"deploy", "watch"}),
    ("nomad", "alloc", "status"): frozenset({"read"}),
    ("nomad", "alloc", "logs"): frozenset({"read"}),
    ("aws", "s3", "ls"): frozenset({"read"}),
    ("docker", "compose", "ps"): frozenset({"read"}),
    ("docker", "compose", "up"): frozenset(
        {"start", "restart", "build", "create", "deploy", "run"}
    ),
    ("docker", "compose", "down"): frozenset({"stop", "delete"}),
    ("docker", "compose", "stop"): frozenset({"stop"}),
    ("docker", "compose", "restart"): frozenset({"restart", "start", "stop"}),
    ("docker", "compose", "build"): frozenset({"build"}),
    ("docker", "compose", "config"): frozenset({"read", "verify"}),
    ("docker", "compose", "logs"): frozenset({"read"}),
    ("docker", "compose", "exec"): frozenset({"run", "opaque"}),
}
_GH = {
    ("pr", "create"): "pr create", ("pr", "merge"): "merge", ("pr", "close"): "close",
    ("pr", "comment"): "reply post note",
    ("pr", "review"): "reply approve post", ("pr", "edit"): "edit assign",
    ("issue", "create"): "create submit",
    ("issue", "close"): "close", ("issue", "comment"): "reply post note",
    ("issue", "edit"): "edit assign",
    ("release", "create"): "release create tag", ("release", "upload"): "upload",
    ("workflow", "run"): "start run",
    ("run", "rerun"): "start run", ("repo", "create"): "create",
}  # fmt: skip


# Options before a subcommand that take the next word: `kubectl -n shop get pods`.
_TAKE_NEXT = frozenset(
    "-n --namespace --context --kubeconfig --profile --region --project --account --repo -R -H"
    " --host --subscription --config --env --chdir --cluster".split()
)


_COMPOSE_TAKES = frozenset("-f --file -p --project-name --profile --env-file".split())


def _operands(words: Sequence[str]) -> list[str]:
    """The words that are no options, and no values of options before the first of them."""
    found: list[str] = []
    taken = False
    for word in words[1:]:
        if taken:
            taken = False
        elif word.startswith("-"):
            taken = word in (
                _COMPOSE_TAKES if found == ["compose"] else () if found else _TAKE_NEXT
            )
        else:
            found.append(word)
    return found


def _started(words: tuple[str, ...]) -> tuple[str, ...]:
    """What `xargs -n 1 -I {} cmd ...` starts; empty where it starts nothing, or another xargs."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _XARGS_TAKE else 1
    inner = words[at:]
    return inner if inner and inner[0] != "xargs" else ()


_XARGS_TAKE = frozenset("-a -d -E -I -L -n -P -s --max-args --max-procs --delimiter".split())


def of_simple(part: Simple) -> frozenset[str]:
    """Effects of one simple command."""
    found: set[str] = set()
    if part.writes:
        found |= {"edit", "create", "save"}
    program = part.program
    words = part.words
    rest = _operands(words)
    sub = rest[0].lower() if rest else ""
    if not program:
        return frozenset(found)
    if program == "xargs":
        inner = _started(words)
        return frozenset(found) | (
            of_simple(simple(inner, part.before, part.after)) if inner else frozenset()
        )
    if program == "git":
        while rest and ("/" in sub or sub == "c") and len(rest) > 1:
            rest = rest[1:]
            sub = rest[0].lower()
        found |= set(_GIT.get(sub, "read").split())
        if sub == "branch" and len(rest) == 1 and len(words) == 2:
            found = {"read"}
        if (sub == "branch" and {"-d", "-D", "--delete"}.intersection(words)) or (
            sub == "push" and {"--delete", "-d"}.intersection(words)
        ):
            found.add("delete")
        if sub == "worktree" and rest[1:2] == ["remove"]:
            found = {"branch", "delete"}
        if (sub in ("tag", "stash") and len(words) == 2) or "list" in rest[1:2] or "-l" in words:
            found = {"read"} if sub != "stash" or "list" in rest else found
        if "--dry-run" in words:
            found = {"read"}
        if sub == "reset" and not {"--hard", "--merge", "--keep"}.intersection(words):
            found = {"stage"}  # the files stay as they are
        if "--abort" in words or "--quit" in words:
            found = {"revert", "edit"}
    elif watch := _BY_TWO_WORDS.get((program, *(word.lower() for word in rest[:2]))):
        found |= watch
    elif program in ("gh", "glab", "hub"):
        verb = rest[1].lower() if len(rest) > 1 else ""
        listed = _GH.get(("pr" if sub == "mr" else sub, verb))  # `glab mr create`
        found |= set(listed.split()) if listed else of_name(verb) & {"delete", "close"} or {"read"}
        if sub == "api":
            mutates = any(w in ("POST", "PUT", "PATCH", "DELETE", "-f", "-F") for w in words)
            found |= {"opaque"} if mutates else {"read"}
    elif program in ("sed", "perl") and any(
        w.startswith("-") and not w.startswith("--") and "i" in w for w in words[1:4]
    ):
        found.add("edit")
    elif program in ("curl", "wget", "http", "https", "xh"):
        upper = [w.upper() for w in words]
        mutates = any(
            w in ("POST", "PUT", "PATCH", "DELETE", "-XPOST", "-XPUT", "-XPATCH", "-XDELETE")
            for w in upper
        ) or any(w in ("-d", "--data", "--data-raw", "--json", "-F", "--form", "-T") for w in words)
        found |= {"opaque", "run"} if mutates else {"read", "verify", "run"}
        saves = (
            any(w in ("-o", "-O", "--output", "-OJ", "-LO", "-sO", "-sLO", "-fsSLO") for w in words)
            or program == "wget"
        )
        if saves and "/dev/null" not in words:
            found |= {"download", "create", "save"}
    elif program in (
        "psql",
        "mysql",
        "sqlite3",
        "mariadb",
        "bq",
        "duckdb",
        "clickhouse-client",
        "mongosh",
    ):
        text = " ".join(words[1:])
        found |= {"run", "read"}
        writes = [match.group(1).lower() for match in _WRITES_SQL.finditer(text[:4000])]
        if writes:
            for word in writes:
                found |= _SQL_EFFECTS[word]
        elif any(w in ("-f", "--file") for w in words) or len(rest) < 1:
            found |= {"opaque", "script"}
    elif program in _SUBCOMMAND_EFFECTS:
        table = _SUBCOMMAND_EFFECTS[program]
        hit = next((table[w.lower()] for w in rest[:3] if w.lower() in table), None)
        looks = any(word.lower().split("-")[0] in _LOOKS for word in rest[:3])
        known = part.runner if hit is None and program in _LAUNCHERS else None
        if "--no-git-tag-version" in words:
            hit = frozenset({"edit"})
        if known and known[0] != program and known[0] in words:
            hit = _KIND_EFFECTS.get(known[1])  # `pnpm vitest run`, `uv run pytest`
        found |= (
            hit
            if hit is not None
            else {"read", "search"}
            if looks
            else {"run", "opaque", "script"} | _spoken(part)
        )
    elif program in _PROGRAMS:
        found |= (
            {"read"} if program == "crontab" and "-l" in words else set(_PROGRAMS[program].split())
        )
    elif program in QUIET:
        found |= (
            {"read"}
            if program in ("cat", "head", "tail", "grep", "rg", "egrep", "less", "awk", "jq", "sed")
            else set()
        )
        if program in ("grep", "egrep", "rg"):
            found.add("search")
    elif program in ("find", "fd"):
        found |= {"search", "read"} | ({"delete"} if "-delete" in words else set())
        runs = [at for at, word in enumerate(words) if word in ("-exec", "-execdir", "-ok")]
        for at, end in pairwise([*runs, len(words)]):
            found |= of_simple(simple(tuple(words[at + 1 : end])))
    elif (
        all(
            word in ("--version", "-v", "-V", "version", "--help", "-h", "-version")
            for word in words[1:]
        )
        and len(words) > 1
    ):
        found.add("read")
    elif program not in _SHELL_GLUE:
        known = part.runner
        does = _KIND_EFFECTS.get(known[1]) if known else None
        found |= does if does is not None else {"run", "opaque", "script"} | _spoken(part)
        if known and any(word.lower() in _UPDATES for word in words[1:]):
            found |= {"edit", "create"}
    return frozenset(found)


_LAUNCHERS = frozenset("npm pnpm yarn bun uv poetry pipenv hatch pdm rye bundle".split())
# What running a known runner does; scripts, deployments and databases stay opaque.
_KIND_EFFECTS: dict[str, frozenset[str]] = {
    "test": frozenset({"run", "verify"}),
    "lint": frozenset({"run", "verify"}),
    "types": frozenset({"run", "verify"}),
    "format": frozenset({"run", "verify", "edit"}),
    "audit": frozenset({"run", "verify"}),
    "build": frozenset({"run", "build"}),
    "install": frozenset({"run", "install"}),
}


def knows(program: str) -> bool:
    """True for programs whose subcommands are in the tables: a tool of that name runs a command line."""
    return program in _SUBCOMMAND_EFFECTS or program in (
        "git",
        "gh",
        "glab",
        "psql",
        "mysql",
        "sqlite3",
        "curl",
    )


_UPDATES = frozenset(
    "-u --update --updatesnapshot --update-snapshots --fix --write -w --fix-all --apply"
    " --snapshot-update --autocorrect -a --update-goldens --update-golden --update-snapshot"
    " --force-regen --accept --bless --in-place --overwrite --regenerate".split()
)


def _spoken(part: Simple) -> set[str]:
    """Effects that an unknown program's words speak of: `npx wrangler pages deploy`, `./release.sh`."""
    found: set[str] = set()
    for word in command_of(part.words)[:5]:
        if word.startswith("-"):
            if word.lower() in _UPDATES:
                found |= {"edit", "create"}
            continue
        for piece in words_of(word.rsplit("/", 1)[-1])[:4]:
            found |= _EFFECTS.get(piece, _NONE) & _OUTWARD
    return found


_OUTWARD = frozenset(
    "deploy release push publish send notify post upload restart start stop migrate apply backup"
    " restore export import install"
    " upgrade delete scale tag revert sync build create edit enable disable configure commit"
    " merge".split()
)


_SHELL_GLUE = frozenset(
    "for done do in while if then else fi case esac function return local unset shift trap wait"
    " } {".split()
)


@lru_cache(maxsize=512)
def of_command(command: Command) -> frozenset[str]:
    """Effects of a whole command line."""
    found: set[str] = set()
    for part in command.parts:
        found |= of_simple(part)
    if command.background:
        found.add("background")
    return frozenset(found)
