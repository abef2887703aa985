"""curl against a server on the loopback, sqlite3, psql against a PostgreSQL started here."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from _record import Recorder


def row(kind: str, outcome: str, **counts: int) -> dict[str, object]:
    return {"kind": kind, "outcome": outcome, **counts}


class _Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "demo/1.0", ""

    def do_GET(self) -> None:
        code = int(self.path.strip("/") or 200)
        if code == 0:
            time.sleep(5)
            return
        body = b'{"ok": true}\n' if code < 400 else b'{"error": "no"}\n'
        self.send_response(code)
        if code == 302:
            self.send_header("Location", "/200")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def date_time_string(self, timestamp: float | None = None) -> str:
        return "Fri, 02 Jan 2026 03:04:05 GMT"

    def log_message(self, *args: object) -> None:
        pass


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def curl() -> None:
    port = _free_port()
    server = HTTPServer(("127.0.0.1", port), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Recorder("curl") as r:
        base = f"http://127.0.0.1:{port}"
        plain = r.scrub
        r.scrub = lambda text: plain(text.replace(str(port), "8080"))  # type: ignore[method-assign]
        http = "http"
        r.run("200 -i", f"curl -si {base}/200", row(http, "passed"), exit_code=0)
        r.run("404 -i", f"curl -si {base}/404", row(http, "failed"), exit_code=0)
        r.run("500 -v", f"curl -sv {base}/500", row(http, "failed"), exit_code=0)
        r.run("201 -i", f"curl -si -X POST -d x {base}/201", row(http, "passed"), exit_code=0)
        r.run(
            "302 -iL",
            f"curl -siL {base}/302",
            [row(http, "passed"), row(http, "passed")],
            exit_code=0,
        )
        r.run("404 -f", f"curl -sSf {base}/404", row(http, "failed"), exit_code=22)
        r.run("404 plain", f"curl -s {base}/404", None, exit_code=0)
        r.run("200 plain", f"curl -s {base}/200", None, exit_code=0)
        r.run(
            "code labelled",
            f"curl -s -o /dev/null -w 'HTTP %{{http_code}}\\n' {base}/200",
            row(http, "passed"),
            exit_code=0,
        )
        r.run(
            "code status",
            f"curl -s -w '\\nstatus: %{{http_code}}\\n' {base}/500",
            row(http, "failed"),
            exit_code=0,
        )
        r.run(
            "code http_code",
            f"curl -s -w '\\nHTTP_CODE:%{{http_code}}' {base}/404",
            row(http, "failed"),
            exit_code=0,
        )
        r.run(
            "code bare", f"curl -s -o /dev/null -w '%{{http_code}}' {base}/200", None, exit_code=0
        )
        r.run(
            "refused",
            "curl -sS http://127.0.0.1:1/",
            row(http, "error"),
            exit_code=7,
        )
        r.run(
            "refused labelled",
            "curl -s -o /dev/null -w 'HTTP %{http_code}' http://127.0.0.1:1/",
            row(http, "error"),
            exit_code=7,
        )
        r.run("timeout", f"curl -sS -m 1 {base}/0", row(http, "timeout"), exit_code=28)
        r.run("no host", "curl -sS http://nothing.invalid/", row(http, "error"), exit_code=6)
        r.run("masked", "curl -sS http://127.0.0.1:1/ || true", row(http, "error"), exit_code=0)
        r.run(
            "masked echo", f"curl -sSf {base}/500; echo exit: $?", row(http, "failed"), exit_code=0
        )
    server.shutdown()


def sqlite() -> None:
    with Recorder("sqlite3") as r:
        r.run(
            "setup",
            "sqlite3 d.db 'create table t(a integer unique); insert into t values (1),(2)'",
            None,
            exit_code=0,
        )
        r.run("rows", "sqlite3 d.db 'select * from t'", None, exit_code=0)
        r.run("no table", "sqlite3 d.db 'select * from nothing'", row("db", "failed"), exit_code=1)
        r.run("constraint", "sqlite3 d.db 'insert into t values (1)'", row("db", "failed"))
        r.run("script", "printf 'select 1;\\nselec 2;\\n' | sqlite3 d.db", row("db", "failed"))
        r.run(
            "masked",
            "sqlite3 d.db 'select * from nothing' || true",
            row("db", "failed"),
            exit_code=0,
        )


def psql() -> None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not found:
        raise SystemExit("no PostgreSQL server: apt-get install postgresql")
    bin_ = found[-1]
    data = Path(tempfile.mkdtemp(prefix="pg-", dir="/var/tmp"))
    port = _free_port()
    as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    if as_user:
        shutil.chown(data, "postgres", "postgres")

    def run(*words: object) -> None:
        command = [*as_user, *map(str, words)]
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL)

    run(
        bin_ / "initdb",
        "-D",
        data / "d",
        "-A",
        "trust",
        "-U",
        "dev",
        "-E",
        "UTF8",
        "--locale",
        "C.UTF-8",
    )
    run(
        bin_ / "pg_ctl",
        "-D",
        data / "d",
        "-w",
        "-l",
        data / "log",
        "-o",
        f"-p {port} -h 127.0.0.1 -k {data}",
        "start",
    )
    try:
        with Recorder("psql") as r:
            plain = r.scrub
            r.scrub = lambda text: plain(text.replace(str(port), "5432"))  # type: ignore[method-assign]
            q = f"psql -h 127.0.0.1 -p {port} -U dev postgres"
            db = "db"
            r.run(
                "create", f"{q} -c 'create table t(a int unique)'", row(db, "passed"), exit_code=0
            )
            r.run(
                "insert",
                f"{q} -c 'insert into t values (1),(2),(3)'",
                row(db, "passed", total=3),
                exit_code=0,
            )
            r.run("select", f"{q} -c 'select * from t'", row(db, "passed", total=3), exit_code=0)
            r.run(
                "select none",
                f"{q} -c 'select * from t where a > 9'",
                row(db, "empty", total=0),
                exit_code=0,
            )
            r.run(
                "update",
                f"{q} -c 'update t set a = a + 10'",
                row(db, "passed", total=3),
                exit_code=0,
            )
            r.run(
                "update none",
                f"{q} -c 'update t set a = 1 where a = 99'",
                row(db, "empty", total=0),
                exit_code=0,
            )
            r.run(
                "delete",
                f"{q} -c 'delete from t where a = 11'",
                row(db, "passed", total=1),
                exit_code=0,
            )
            r.run("no table", f"{q} -c 'select * from nothing'", row(db, "failed"), exit_code=1)
            r.run(
                "constraint", f"{q} -c 'insert into t values (12)'", row(db, "failed"), exit_code=1
            )
            r.run(
                "file",
                f"printf 'create table u(a int);\\nselect 1;\\nselec 2;\\n' > f.sql; {q} -f f.sql",
                row(db, "failed"),
                exit_code=0,
            )
            r.run(
                "masked", f"{q} -c 'select * from nothing' || true", row(db, "failed"), exit_code=0
            )
            r.run(
                "refused",
                "psql -h 127.0.0.1 -p 1 -U dev postgres -c 'select 1'",
                row(db, "error"),
                exit_code=2,
            )
            r.run(
                "no database",
                f"psql -h 127.0.0.1 -p {port} -U dev nothing -c 'select 1'",
                row(db, "error"),
                exit_code=2,
            )
    finally:
        run(bin_ / "pg_ctl", "-D", data / "d", "-m", "immediate", "stop")
        shutil.rmtree(data, ignore_errors=True)


def main() -> None:
    curl()
    sqlite()
    psql()


if __name__ == "__main__":
    main()
