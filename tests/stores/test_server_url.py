"""The address of a server is checked before anything is opened, and never carries or shows a password."""

import subprocess
import sys
from pathlib import Path

import pytest

from state.model.errors import Misconfigured
from state.stores.server_url import MYSQL, POSTGRES, server_url

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        ("postgresql://me@db/rootproof", POSTGRES),
        ("postgres://me@db:5433/rootproof", POSTGRES),
        ("postgresql+psycopg://me@db/rootproof?sslmode=verify-full&sslrootcert=/ca.pem", POSTGRES),
        ("postgresql://me@/rootproof?host=a:5432&host=b:5432&target_session_attrs=read-write", POSTGRES),
        ("mysql://me@db/rootproof", MYSQL),
        ("mariadb://me@db/rootproof?ssl_ca=/ca.pem&ssl_check_hostname=false", MYSQL),
        ("mysql+pymysql://me@db/rootproof", MYSQL),
    ],
)
def test_a_good_url_gets_its_driver_and_password(url: str, driver: str) -> None:
    found = server_url(url, "s3cret:@/", setting="database_url")

    assert (found.drivername, found.password, found.database) == (driver, "s3cret:@/", "rootproof")
    assert "s3cret" not in str(found)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("nonsense", "is no url"),
        ("", "is no url"),
        ("sqlite:///x.db", "must begin with"),
        ("postgresql+asyncpg://me@db/x", "must begin with"),
        ("oracle://me@db/x", "must begin with"),
        ("postgresql://me@db", "names no database"),
        ("mysql://me@db/", "names no database"),
        ("postgresql://me:s3cret@db/x", "must not hold the password"),
        ("mysql://me:s3cret@db/x", "must not hold the password"),
        ("postgresql://me@db/x?password=s3cret", "unknown options password"),
        ("postgresql://me@db/x?options=-c%20search_path=y&ssl_ca=z", "unknown options options, ssl_ca"),
        ("mysql://me@db/x?sslmode=require", "unknown options sslmode"),
        ("mysql://me@db/x?ssl_verify_identity=true", "unknown options ssl_verify_identity"),
        ("mysql://me@db/x?read_default_file=/etc/my.cnf&local_infile=1", "unknown options local_infile, read_default"),
    ],
)
def test_a_bad_url_is_refused_by_name_without_a_word_of_its_secrets(url: str, why: str) -> None:
    with pytest.raises(Misconfigured, match=why) as refusal:
        server_url(url, None, setting="database_url")

    assert refusal.value.key == "database_url"
    assert "s3cret" not in str(refusal.value)
    assert refusal.value.__cause__ is None


WITHOUT_THE_EXTRA = """
import asyncio, sys
sys.modules["psycopg"] = None

from state.model.errors import RootproofError
from state.stores.postgres_checkpoints import open_postgres_checkpointer, upgrade_checkpoints
from state.stores.records import open_records_database
from state.stores.records_upgrade import upgrade

url = "postgresql://me@db/x"

async def records(url):
    await open_records_database(url, password=None, clock=None).open()

async def checkpoints():
    async with open_postgres_checkpointer(url, password=None):
        pass

for call in (
    lambda: asyncio.run(records(url)),
    lambda: upgrade(url, None),
    lambda: asyncio.run(checkpoints()),
    lambda: upgrade_checkpoints(url, None),
    lambda: asyncio.run(records("mysql://me@127.0.0.1:1/x")),
):
    try:
        call()
    except RootproofError as error:
        print(error)
"""


def test_without_the_driver_of_postgres_the_extra_is_named_and_mysql_works() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_EXTRA], cwd=ROOT, capture_output=True, text=True, check=True
    )

    said = "PostgreSQL needs an extra: pip install 'rootproof[postgres]'"
    assert done.stdout.splitlines() == [
        f"database_url: {said}",
        f"database_url: {said}",
        f"checkpoint_url: {said}",
        f"checkpoint_url: {said}",
        "control store: open failed",
    ]
