"""The PostgreSQL driver is an extra: absent, it is named; present, it is not imported before it is needed."""

import subprocess
import sys

import pytest

from state.model.errors import Misconfigured
from tests.tools.sql.samples import WallClock
from tools.sql.postgres_source import PostgresSqlSource
from tools.sql.server import Offer, SqlServer


async def test_without_its_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "tools.sql.postgres_door", raising=False)
    place = SqlServer("shop", "127.0.0.1", 5432, "shop", "reader", tls="off")

    with pytest.raises(Misconfigured, match=r"sources\.shop: .*pip install 'rootproof\[postgres\]'"):
        await PostgresSqlSource.open(place, Offer({"orders": ["*"]}), clock=WallClock())


def test_the_driver_is_not_imported_with_the_module() -> None:
    code = "import sys, tools.sql.postgres_source; sys.exit('psycopg' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
