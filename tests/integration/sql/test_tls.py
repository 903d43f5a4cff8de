"""TLS to both servers: required, verified, refused; and ending a statement inside it."""

import asyncio
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from state.model.errors import Misconfigured
from tests import servers
from tests.integration.sql.incident import (
    MYSQL,
    OFFER,
    WallClock,
    as_postgres,
    as_root,
    ask,
    mysql_at,
    postgres_at,
    until,
)
from tests.servers import Server
from tests.tools.sql.samples import unchecked
from tools.sql.mysql_source import MysqlSqlSource
from tools.sql.postgres_source import PostgresSqlSource


def certificate(folder: Path, owner: str) -> tuple[Path, Path]:
    """A self-signed certificate for 127.0.0.1 and localhost, readable by the server's user."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [servers.program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)],
        check=True, capture_output=True,
    )  # fmt: skip
    key.chmod(0o600)
    cert.chmod(0o644)
    with suppress(PermissionError, LookupError):
        shutil.chown(key, owner)
    return cert, key


@pytest.fixture(scope="module")
def postgres_tls(postgres_shop: Server) -> Path:
    cert, key = certificate(postgres_shop.folder / "data", "postgres")
    for name, value in (("ssl_cert_file", cert), ("ssl_key_file", key), ("ssl", "on")):
        as_postgres(postgres_shop, f"ALTER SYSTEM SET {name} = '{value}'")
    as_postgres(postgres_shop, "SELECT pg_reload_conf()")
    return cert


@pytest.fixture(scope="module")
def mariadb_tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    folder = tmp_path_factory.mktemp("mariadb_tls")
    folder.chmod(0o755)
    cert, key = certificate(folder, "mysql")
    with servers.mariadb(folder, f"--ssl-cert={cert}", f"--ssl-key={key}") as server:
        as_root(server, MYSQL)
        yield server, cert


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("tls", ["require", "verify"])
async def test_postgres_over_tls(postgres_shop: Server, postgres_tls: Path, tls: str) -> None:
    place = postgres_at(postgres_shop, tls=tls, ca_file=postgres_tls, timeout_s=20)
    source = await PostgresSqlSource.open(place, OFFER, clock=WallClock())
    encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl AND application_name = 'rootproof' AND query LIKE '%pg_sleep(77%'"
    assert len((await ask(source, "SELECT id FROM app.orders")).rows) == 3

    task = asyncio.ensure_future(source.run(unchecked("SELECT pg_sleep(77)"), timeout_s=60, row_cap=1))
    await until(lambda: as_postgres(postgres_shop, encrypted) == [(1,)])
    task.cancel()

    await until(lambda: as_postgres(postgres_shop, encrypted) == [(0,)])
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.xdist_group("postgres")
async def test_a_postgres_with_a_certificate_of_nobody_is_refused(postgres_shop: Server, postgres_tls: Path) -> None:
    with pytest.raises(Misconfigured, match="TLS"):
        await PostgresSqlSource.open(postgres_at(postgres_shop, tls="verify"), OFFER, clock=WallClock())


@pytest.mark.xdist_group("mariadb")
@pytest.mark.parametrize("tls", ["require", "verify"])
async def test_mariadb_over_tls(mariadb_tls: tuple[Server, Path], tls: str) -> None:
    server, cert = mariadb_tls
    source = await MysqlSqlSource.open(mysql_at(server, tls=tls, ca_file=cert), OFFER, clock=WallClock())
    ours = "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE '%SLEEP(77)%' AND ID <> CONNECTION_ID()"
    cipher = await source.run(unchecked("SELECT variable_value FROM information_schema.session_status"
                                        " WHERE variable_name = 'Ssl_cipher'"), timeout_s=9, row_cap=1)  # fmt: skip
    assert cipher.rows[0][0]

    task = asyncio.ensure_future(source.run(unchecked("SELECT SLEEP(77)"), timeout_s=60, row_cap=1))
    await until(lambda: as_root(server, ours) == [(1,)])
    task.cancel()

    await until(lambda: as_root(server, ours) == [(0,)])
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.xdist_group("mariadb")
async def test_a_mariadb_that_falls_silent_inside_tls_is_cut_off(mariadb_tls: tuple[Server, Path]) -> None:
    server, cert = mariadb_tls
    source = await MysqlSqlSource.open(mysql_at(server, tls="verify", ca_file=cert), OFFER, clock=WallClock())
    task = asyncio.ensure_future(source.run(unchecked("SELECT SLEEP(77)"), timeout_s=60, row_cap=1))
    await until(
        lambda: (
            as_root(server, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT SLEEP%'")
            == [(1,)]
        )
    )

    server.pause()
    try:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    finally:
        server.go_on()


@pytest.mark.xdist_group("mariadb")
async def test_a_mariadb_with_a_certificate_of_nobody_is_refused(mariadb_tls: tuple[Server, Path]) -> None:
    with pytest.raises(Misconfigured, match="TLS"):
        await MysqlSqlSource.open(mysql_at(mariadb_tls[0], tls="verify"), OFFER, clock=WallClock())


async def test_a_certificate_file_that_is_absent_is_named(tmp_path: Path) -> None:
    place = mysql_at(Server("127.0.0.1", 1, tmp_path, 0), tls="verify", ca_file=tmp_path / "none.pem")

    with pytest.raises(Misconfigured, match=r"sources\.shop\.ca_file"):
        await MysqlSqlSource.open(place, OFFER, clock=WallClock())
