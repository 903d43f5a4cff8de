"""The accounts of docs/sql-accounts.md, made by the statements on that page, can read and do nothing else."""

import re
from pathlib import Path

import psycopg
import pymysql
import pytest

from state.model.errors import ToolFailed
from tests.integration.sql.incident import POSTGRES, WallClock, as_postgres, as_root, ask, mysql_at, postgres_at
from tests.servers import Server
from tests.tools.sql.samples import unchecked
from tools.sql.mysql_source import MysqlSqlSource
from tools.sql.postgres_source import PostgresSqlSource
from tools.sql.server import Offer
from tools.sql.write_rights import Finding, Right

PAGE = Path(__file__).parents[3] / "docs/sql-accounts.md"
OFFER = Offer(
    {"app.orders": ["id", "customer_id", "status", "total", "created_at", "booked_on", "note"], "app.customers": ["*"]}
)
on_postgres = pytest.mark.xdist_group("postgres")
on_mariadb = pytest.mark.xdist_group("mariadb")


def statements(kind: str) -> str:
    found = re.search(rf"<!-- statements: {kind} -->\n```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found, kind
    return "\n".join(line for line in found.group(1).splitlines() if not line.startswith("--"))


@pytest.fixture(scope="session")
def postgres_account(postgres_server: Server) -> Server:
    as_postgres(postgres_server, "CREATE DATABASE shop")
    as_postgres(postgres_server, POSTGRES, database="shop")
    as_postgres(postgres_server, statements("postgres"), database="shop")
    return postgres_server


@pytest.fixture(scope="session")
def mariadb_account(mariadb_shop: Server) -> Server:
    as_root(mariadb_shop, statements("mariadb"))
    return mariadb_shop


async def postgres_source(server: Server, user: str = "rootproof") -> PostgresSqlSource:
    place = postgres_at(server, database="shop", user=user, password="change-me")
    return await PostgresSqlSource.open(place, OFFER, clock=WallClock())


async def mariadb_source(server: Server, user: str = "rootproof") -> MysqlSqlSource:
    return await MysqlSqlSource.open(mysql_at(server, user=user, password="change-me"), OFFER, clock=WallClock())


@on_postgres
async def test_the_documented_postgres_account_reads_and_has_no_right_too_many(postgres_account: Server) -> None:
    source = await postgres_source(postgres_account)

    assert await source.check_read_only() == ()
    assert len((await ask(source, "SELECT id, note FROM app.orders")).rows) == 3


@on_mariadb
async def test_the_documented_mariadb_account_reads_and_has_no_right_too_many(mariadb_account: Server) -> None:
    source = await mariadb_source(mariadb_account)

    assert await source.check_read_only() == ()
    assert len((await ask(source, "SELECT id, note FROM app.orders")).rows) == 3
    assert source.catalogue.tables[0].primary_key == ("id",)


@on_mariadb
async def test_the_documented_mysql_statements_are_understood_here_too(mariadb_shop: Server) -> None:
    renamed = statements("mysql").replace("'rootproof'", "'rootproof8'")

    as_root(mariadb_shop, renamed)

    assert await (await mariadb_source(mariadb_shop, "rootproof8")).check_read_only() == ()


WRITING = [
    "INSERT INTO app.customers (id) VALUES (99)",
    "UPDATE app.customers SET tier = 'x'",
    "DELETE FROM app.orders",
    "CREATE TABLE app.mine (a int)",
    "CREATE TEMPORARY TABLE mine (a int)",
    "DROP TABLE app.orders",
    "SELECT api_key FROM app.customers",
    "SELECT who FROM app.hidden_audit",
]


@on_postgres
@pytest.mark.parametrize(
    "sql",
    [
        *WRITING,
        "SELECT lo_create(0)",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT lo_import('/etc/hostname')",
        "SELECT pg_read_file('/etc/hostname')",
        "SELECT pg_logical_emit_message(true, 'a', 'b')",
        "COPY app.customers TO '/tmp/never'",
        "COPY app.customers TO PROGRAM 'id'",
        "SELECT pg_reload_conf()",
    ],
)
def test_the_postgres_account_cannot(postgres_account: Server, sql: str) -> None:
    """Without Rootproof in between, and out of any read-only transaction."""
    with psycopg.connect(
        host=postgres_account.host, port=postgres_account.port, dbname="shop", user="rootproof", autocommit=True
    ) as connection:
        connection.execute("SET default_transaction_read_only = off")
        with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.UndefinedFunction)):
            connection.execute(sql.encode())


@on_mariadb
@pytest.mark.parametrize(
    "sql",
    [
        *WRITING,
        "SELECT id FROM app.orders INTO OUTFILE '/tmp/never'",
        "SELECT LOAD_FILE('/etc/hostname') FROM mysql.user",
        "SET GLOBAL max_connections = 1",
        "LOCK TABLES app.orders WRITE",
        "SELECT user FROM mysql.user",
    ],
)
def test_the_mariadb_account_cannot(mariadb_account: Server, sql: str) -> None:
    with (
        pymysql.connect(
            host=mariadb_account.host,
            port=mariadb_account.port,
            user="rootproof",
            password="change-me",
            database="app",
            ssl_disabled=True,
        ) as connection,
        connection.cursor() as cursor,
    ):
        with pytest.raises((pymysql.err.OperationalError, pymysql.err.ProgrammingError), match="denied"):
            cursor.execute(sql)


@on_postgres
async def test_the_read_only_transaction_cannot_be_left(postgres_account: Server) -> None:
    source = await postgres_source(postgres_account)

    with pytest.raises(ToolFailed, match="read-write mode"):
        await source.run(unchecked("SELECT set_config('transaction_read_only', 'off', false)"), timeout_s=9, row_cap=1)


RIGHTS = [
    ("ALTER ROLE bad CREATEDB", Right.ROLE_ATTRIBUTE, "CREATEDB of the role bad"),
    ("ALTER ROLE bad CREATEROLE", Right.ROLE_ATTRIBUTE, "CREATEROLE of the role bad"),
    ("ALTER ROLE bad REPLICATION", Right.ROLE_ATTRIBUTE, "REPLICATION of the role bad"),
    ("ALTER ROLE bad BYPASSRLS", Right.ROLE_ATTRIBUTE, "BYPASSRLS of the role bad"),
    ("GRANT pg_write_all_data TO bad", Right.MEMBERSHIP, "pg_write_all_data"),
    ("GRANT pg_write_server_files TO bad", Right.MEMBERSHIP, "pg_write_server_files"),
    ("GRANT pg_read_server_files TO bad", Right.MEMBERSHIP, "pg_read_server_files"),
    ("GRANT pg_execute_server_program TO bad", Right.MEMBERSHIP, "pg_execute_server_program"),
    ("GRANT pg_signal_backend TO bad", Right.MEMBERSHIP, "pg_signal_backend"),
    ("CREATE ROLE boss CREATEDB; GRANT boss TO bad", Right.ROLE_ATTRIBUTE, "CREATEDB of the role boss"),
    ("CREATE ROLE writer; GRANT DELETE ON app.orders TO writer; GRANT writer TO bad", Right.TABLE, "DELETE on app.orders"),
    ("GRANT INSERT ON app.orders TO bad", Right.TABLE, "INSERT on app.orders"),
    ("GRANT UPDATE (tier) ON app.customers TO bad", Right.TABLE, "UPDATE on app.customers"),
    ("GRANT TRUNCATE ON app.orders TO bad", Right.TABLE, "TRUNCATE on app.orders"),
    ("GRANT TRIGGER ON app.orders TO bad", Right.TABLE, "TRIGGER on app.orders"),
    ("GRANT REFERENCES ON app.orders TO bad", Right.TABLE, "REFERENCES on app.orders"),
    ("GRANT INSERT ON app.orders TO PUBLIC", Right.TABLE, "INSERT on app.orders"),
    ("GRANT CREATE ON SCHEMA app TO bad", Right.SCHEMA, "CREATE on the schema app"),
    ("GRANT CREATE ON DATABASE shop TO bad", Right.DATABASE, "CREATE on the database shop"),
    ("GRANT TEMPORARY ON DATABASE shop TO bad", Right.DATABASE, "TEMPORARY on the database shop"),
    ("CREATE SEQUENCE app.s; GRANT USAGE ON SEQUENCE app.s TO bad", Right.SEQUENCE, "USAGE on the sequence app.s"),
    ("CREATE TABLE app.own (a int); ALTER TABLE app.own OWNER TO bad", Right.OWNERSHIP, "table app.own"),
    ("GRANT EXECUTE ON FUNCTION pg_read_file(text) TO bad", Right.FUNCTION, "pg_read_file(text)"),
    ("GRANT EXECUTE ON FUNCTION lo_create(oid) TO bad", Right.FUNCTION, "lo_create(oid)"),
    ("CREATE FUNCTION app.f() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'", Right.FUNCTION, "app.f()"),
    ("GRANT SET ON PARAMETER log_statement TO bad", Right.PARAMETER, "SET on the parameter log_statement"),
]  # fmt: skip


@on_postgres
async def test_every_right_too_many_on_postgres_is_found_and_its_repair_takes_it_away(postgres_account: Server) -> None:
    as_postgres(postgres_account, "CREATE ROLE bad LOGIN; GRANT USAGE ON SCHEMA app TO bad", database="shop")
    as_postgres(postgres_account, "GRANT SELECT ON app.orders, app.customers TO bad", database="shop")
    as_postgres(postgres_account, "; ".join(given for given, _, _ in RIGHTS), database="shop")
    try:
        source = await postgres_source(postgres_account, "bad")
        found = await source.check_read_only()

        wanted = {(right, subject) for _, right, subject in RIGHTS}
        assert wanted - {(finding.right, finding.subject) for finding in found} == set()
        as_postgres(postgres_account, "; ".join(finding.repair for finding in found), database="shop")
        assert await source.check_read_only() == ()
    finally:
        as_postgres(postgres_account, CLEAN, database="shop")


@on_postgres
async def test_of_a_superuser_only_that_is_told(postgres_account: Server) -> None:
    found = await (await postgres_source(postgres_account, "postgres")).check_read_only()

    assert {finding.right for finding in found} == {Right.ROLE_ATTRIBUTE}
    assert "ALTER ROLE postgres NOSUPERUSER" in [finding.repair for finding in found]


CLEAN = """
DROP FUNCTION IF EXISTS app.f(); DROP TABLE IF EXISTS app.own; DROP SEQUENCE IF EXISTS app.s;
REVOKE INSERT ON app.orders FROM PUBLIC; DROP OWNED BY bad;
DROP ROLE IF EXISTS boss;
DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'writer') THEN DROP OWNED BY writer; DROP ROLE writer; END IF; END $$;
DROP ROLE bad
"""

GRANTS = [
    ("GRANT INSERT ON app.orders TO bad", "INSERT on `app`.`orders`"),
    ("GRANT UPDATE (tier) ON app.customers TO bad", "UPDATE (`tier`) on `app`.`customers`"),
    ("GRANT CREATE TEMPORARY TABLES ON app.* TO bad", "CREATE TEMPORARY TABLES on `app`.*"),
    ("GRANT LOCK TABLES ON app.* TO bad", "LOCK TABLES on `app`.*"),
    ("GRANT EXECUTE ON app.* TO bad", "EXECUTE on `app`.*"),
    ("GRANT FILE ON *.* TO bad", "FILE on *.*"),
    ("GRANT PROCESS ON *.* TO bad", "PROCESS on *.*"),
    ("GRANT SUPER ON *.* TO bad", "SUPER on *.*"),
    ("GRANT SELECT ON app.orders TO bad WITH GRANT OPTION", "GRANT OPTION on `app`.`orders`"),
    ("CREATE ROLE keeper; GRANT keeper TO bad", "`keeper`"),
    ("GRANT DELETE ON app.orders TO PUBLIC", "DELETE on `app`.`orders`"),
    (
        "CREATE DATABASE test; INSERT INTO mysql.db (Host, Db, User, Insert_priv) VALUES ('%', 'test', '', 'Y');"
        " FLUSH PRIVILEGES",
        "`test`",
    ),
]


@on_mariadb
async def test_every_right_too_many_on_mariadb_is_found_and_its_repair_takes_it_away(mariadb_account: Server) -> None:
    as_root(mariadb_account, "CREATE USER bad IDENTIFIED BY 'change-me'; GRANT SELECT ON app.* TO bad")
    as_root(mariadb_account, "; ".join(given for given, _ in GRANTS))
    try:
        source = await mariadb_source(mariadb_account, "bad")
        found = await source.check_read_only()

        assert {finding.subject for finding in found} == {subject for _, subject in GRANTS}
        as_root(mariadb_account, "; ".join(finding.repair for finding in found))
        assert await source.check_read_only() == ()
    finally:
        as_root(mariadb_account, "DROP USER bad; DROP ROLE IF EXISTS keeper; DROP DATABASE IF EXISTS test")


def test_a_finding_is_a_plain_sentence() -> None:
    finding = Finding(Right.TABLE, "INSERT on app.orders", "REVOKE INSERT ON app.orders FROM bad")

    assert finding.sentence == "The account has INSERT on app.orders."
    assert all(Finding(right, "x", "y").sentence.endswith(".") for right in Right)
