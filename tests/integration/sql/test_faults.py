"""How a database can fail, and the tool error each failure becomes; afterwards the next call works."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from state.model.errors import ToolFailed
from tests.integration.sql.incident import OFFER, WallClock, ask, mysql_at, postgres_at
from tests.servers import Server, free_port
from tests.source_faults import EXPECTED, Fault
from tools.sql.executor import Executor
from tools.sql.mysql_door import MysqlDoor
from tools.sql.mysql_source import MysqlSqlSource
from tools.sql.postgres_door import PostgresDoor
from tools.sql.postgres_source import PostgresSqlSource
from tools.sql.server_source import ServerSource

GARBAGE = {
    "http": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "zeros": b"\x00" * 4096,
    "every byte": bytes(range(256)) * 40,
    "a greeting and no more": b"\x4a\x00\x00\x00\x0a8.0.36\x00" + b"\x01" * 66,
    "a packet without end": b"\xff\xff\xff\x00\x0a" + b"x" * 2_000_000,
    "signed in, then nonsense": b"R\x00\x00\x00\x08\x00\x00\x00\x00Z\x00\x00\x00\x05I" + b"D\x7f\xff\xff\xff" + b"x" * 9000,
    "hanging up": b"",
}  # fmt: skip


@contextmanager
def speaking(words: bytes) -> Iterator[int]:
    """The port of a server that says this, whatever it is told, and hangs up."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.settimeout(0.5)
            try:
                self.request.sendall(words)
                if words:
                    self.request.recv(4096)
            except OSError:
                return

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield int(server.server_address[1])
        server.shutdown()


@contextmanager
def silent() -> Iterator[int]:
    """The port of a server that takes connections and says nothing."""
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        line.listen()
        yield int(line.getsockname()[1])


async def check_fault(source: ServerSource, broken: Executor, fault: Fault) -> None:
    good = source._executor
    source._executor = broken
    with pytest.raises(ToolFailed) as caught:
        await ask(source, "SELECT id FROM app.orders", timeout_s=5)

    assert caught.value.code is EXPECTED[fault]
    source._executor = good
    assert len((await ask(source, "SELECT id FROM app.orders")).rows) == 3
    source.close()


@pytest.mark.xdist_group("postgres")
async def test_a_postgres_that_is_down(postgres_shop: Server) -> None:
    place = postgres_at(postgres_shop)
    source = await PostgresSqlSource.open(place, OFFER, clock=WallClock())

    await check_fault(source, Executor(PostgresDoor(replace(place, port=free_port())), WallClock()), Fault.DOWN)


@pytest.mark.xdist_group("mariadb")
async def test_a_mariadb_that_is_down(mariadb_shop: Server) -> None:
    place = mysql_at(mariadb_shop)
    source = await MysqlSqlSource.open(place, OFFER, clock=WallClock())

    await check_fault(source, Executor(MysqlDoor(replace(place, port=free_port())), WallClock()), Fault.DOWN)


@pytest.mark.xdist_group("postgres")
async def test_a_postgres_that_refuses_the_account(postgres_shop: Server) -> None:
    place = postgres_at(postgres_shop)
    source = await PostgresSqlSource.open(place, OFFER, clock=WallClock())
    broken = Executor(PostgresDoor(replace(place, user="nobody", password="secret")), WallClock())

    await check_fault(source, broken, Fault.WRONG_CREDENTIALS)


@pytest.mark.xdist_group("mariadb")
async def test_a_mariadb_that_refuses_the_account(mariadb_shop: Server) -> None:
    place = mysql_at(mariadb_shop)
    source = await MysqlSqlSource.open(place, OFFER, clock=WallClock())
    broken = Executor(MysqlDoor(replace(place, user="nobody", password="sécret")), WallClock())

    await check_fault(source, broken, Fault.WRONG_CREDENTIALS)


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("words", GARBAGE.values(), ids=GARBAGE)
async def test_a_port_where_no_postgres_speaks(postgres_shop: Server, words: bytes) -> None:
    place = postgres_at(postgres_shop)
    source = await PostgresSqlSource.open(place, OFFER, clock=WallClock())

    with speaking(words) as port:
        broken = Executor(PostgresDoor(replace(place, port=port)), WallClock())
        await check_fault(source, broken, Fault.MALFORMED_ANSWER)


@pytest.mark.xdist_group("mariadb")
@pytest.mark.parametrize("words", GARBAGE.values(), ids=GARBAGE)
async def test_a_port_where_no_mariadb_speaks(mariadb_shop: Server, words: bytes) -> None:
    place = mysql_at(mariadb_shop)
    source = await MysqlSqlSource.open(place, OFFER, clock=WallClock())

    with speaking(words) as port:
        broken = Executor(MysqlDoor(replace(place, port=port)), WallClock())
        await check_fault(source, broken, Fault.MALFORMED_ANSWER)


@pytest.mark.xdist_group("postgres")
async def test_a_port_that_is_silent_where_postgres_should_be(
    postgres_shop: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.sql.postgres_door.CONNECT_S", 2.0)
    place = postgres_at(postgres_shop)
    source = await PostgresSqlSource.open(place, OFFER, clock=WallClock())

    with silent() as port:
        await check_fault(source, Executor(PostgresDoor(replace(place, port=port)), WallClock()), Fault.SLOW)


@pytest.mark.xdist_group("mariadb")
async def test_a_port_that_is_silent_where_mariadb_should_be(
    mariadb_shop: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.sql.mysql_door.CONNECT_S", 0.3)
    place = mysql_at(mariadb_shop)
    source = await MysqlSqlSource.open(place, OFFER, clock=WallClock())

    with silent() as port:
        await check_fault(source, Executor(MysqlDoor(replace(place, port=port)), WallClock()), Fault.SLOW)
