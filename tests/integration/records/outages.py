"""Real troubles of real servers."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pymysql

from tests import servers
from tests.integration.records.places import Place
from tests.servers import Server


@contextlib.contextmanager
def paused(server: Server) -> Iterator[None]:
    """Every process of the server stands still: connections are accepted by the kernel and nobody answers."""
    stopped = [server.pid, *_children(server.pid)]
    for pid in stopped:
        _send(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in stopped:
            _send(pid, signal.SIGCONT)


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _send(pid: int, what: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, what)


@contextlib.contextmanager
def started(kind: str, folder: Path) -> Iterator[Server]:
    """A server for this test alone."""
    with (servers.postgres if kind == "postgres" else servers.mariadb)(folder) as server:
        yield server


@contextlib.contextmanager
def started_again(kind: str, dead: Server, *options: str) -> Iterator[Server]:
    """The killed server, on the same data and port."""
    data = dead.folder / "data"
    while servers.accepts(dead.port):
        time.sleep(0.01)
    if kind == "postgres":
        (data / "postmaster.pid").unlink()  # the dead process is not reaped yet, so it would count as alive
        command = [servers.program("postgres"), "-D", str(data), "-p", str(dead.port), "-k", "",
                   "-h", "127.0.0.1", "-F", *options]  # fmt: skip
        user, stop = "postgres", signal.SIGINT
    else:
        command = [servers.program("mariadbd", "mysqld"), "--no-defaults", f"--datadir={data}", f"--port={dead.port}",
                   "--bind-address=127.0.0.1", f"--socket={dead.folder / 's'}", f"--pid-file={dead.folder / 'pid'}",
                   *(["--user=mysql"] if os.geteuid() == 0 else []), *options]  # fmt: skip
        user, stop = None, signal.SIGTERM
    with servers.running(
        command, folder=dead.folder, port=dead.port, user=user, stop=stop, is_ready=lambda: _answers(kind, dead.port)
    ) as server:
        yield server


def _answers(kind: str, port: int) -> bool:
    """True if the server lets us in; one that accepts connections may still be recovering."""
    try:
        if kind == "postgres":
            psycopg.connect(host="127.0.0.1", port=port, user="postgres", connect_timeout=2).close()
        else:
            pymysql.connect(host="127.0.0.1", port=port, user="root", connect_timeout=2).close()
    except (psycopg.Error, pymysql.Error):
        return False
    return True


@contextlib.contextmanager
def read_only(place: Place) -> Iterator[None]:
    """Transactions of new connections may not write, as on a standby."""
    if place.kind == "postgres":
        on = f"ALTER DATABASE {place.name} SET default_transaction_read_only = on"
        off = f"ALTER DATABASE {place.name} RESET default_transaction_read_only"
    else:
        on, off = "SET GLOBAL tx_read_only = ON", "SET GLOBAL tx_read_only = OFF"
    place.run(on)
    try:
        yield
    finally:
        place.run("SET default_transaction_read_only = off" if place.kind == "postgres" else "SELECT 1", off)


def with_password(place: Place, password: str) -> str:
    """Url of a user of that database who needs that password."""
    if place.kind == "postgres":
        rules = place.server.folder / "data" / "pg_hba.conf"
        locked = "host all locked 127.0.0.1/32 scram-sha-256\n"
        if locked not in rules.read_text():
            rules.write_text(locked + rules.read_text())
        place.run(
            "DROP ROLE IF EXISTS locked", f"CREATE ROLE locked SUPERUSER LOGIN PASSWORD '{password}'",
            "SELECT pg_reload_conf()",
        )  # fmt: skip
    else:
        place.run(
            f"CREATE OR REPLACE USER locked@'127.0.0.1' IDENTIFIED BY '{password}'",
            "GRANT ALL ON *.* TO locked@'127.0.0.1'",
        )
    return place.url.replace("://postgres@", "://locked@").replace("://root@", "://locked@")
