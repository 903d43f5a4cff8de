"""The documented account, made by the very statements of ``docs/sql-accounts.md``, over the tables of the corpus."""

import re
from pathlib import Path

from tests.integration.sql.incident import as_postgres, as_root
from tests.servers import Server
from tests.tools.sql.corpus.world import ALLOWLIST, script
from tools.sql.catalogue import Dialect
from tools.sql.server import Offer, SqlServer

_PAGE = Path(__file__).parents[3] / "docs" / "sql-accounts.md"
_FURTHER = {name: columns for name, columns in ALLOWLIST.items() if name not in ("orders", "customers")}
"""Tables that the page does not name; granted in its form."""
OFFER = Offer({f"app.{name}": columns for name, columns in ALLOWLIST.items()})


def documented(vendor: str) -> str:
    """The statements that the page gives for a vendor."""
    found = re.search(
        rf"<!-- statements: {vendor} -->\s*```sql\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found, f"the page has no statements for {vendor}"
    return found[1]


def make_postgres(server: Server) -> None:
    """The corpus in schema ``app`` of database ``shop``, and the account."""
    as_postgres(server, "CREATE DATABASE shop")
    made = f"CREATE SCHEMA app; SET search_path = app; SET TIME ZONE 'UTC'; {script(Dialect.POSTGRES)}"
    as_postgres(server, made, database="shop")
    as_postgres(server, "CREATE SEQUENCE app.counter; SELECT lo_from_bytea(4711, 'secret')", database="shop")
    as_postgres(server, documented("postgres"), database="shop")
    as_postgres(server, "; ".join(_grant(name, '"', "rootproof") for name in _FURTHER), database="shop")


def make_mariadb(server: Server) -> None:
    """The corpus in database ``app``, and the account."""
    as_root(server, f"CREATE DATABASE app; USE app; SET time_zone = '+00:00'; {script(Dialect.MYSQL)}")
    as_root(server, "CREATE SEQUENCE app.counter")
    as_root(server, documented("mariadb"))
    as_root(server, "; ".join(_grant(name, "`", "'rootproof'@'%'") for name in _FURTHER))


def _grant(name: str, quote: str, account: str) -> str:
    columns = ", ".join(f"{quote}{column}{quote}" for column in _FURTHER[name])
    return f"GRANT SELECT ({columns}) ON app.{quote}{name}{quote} TO {account}"


def account_at(server: Server, dialect: Dialect) -> SqlServer:
    """The server, asked by the documented account."""
    database = "shop" if dialect is Dialect.POSTGRES else "app"
    return SqlServer(
        name="shop", host=server.host, port=server.port, database=database, user="rootproof", password="change-me",
        tls="off",
    )  # fmt: skip
