"""A server's tables come from the migrations alone, whoever runs them, however often, and wherever they ended."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, event, inspect

from state.model.errors import Misconfigured, TruthUnavailable
from state.stores.migrations.upgrade import bring_to_head
from state.stores.records_upgrade import current, upgrade
from state.stores.schema import HEAD, VERSION_TABLE
from tests.integration.records.places import QUICK, Place, closing_engine, tables
from tests.stores.earlier_revisions import check_upgraded_from_0001, make_0001

COMPONENTS = ("control", "audit", "recording")


def differences(place: Place) -> list[object]:
    """What the migrations should still do to make the tables those of the code."""
    with closing_engine(place.admin()) as engine, engine.connect() as connection:
        options = {"compare_type": True, "include_name": lambda name, kind, _: (kind, name) != ("table", VERSION_TABLE)}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), tables()))


@pytest.fixture
def empty(new: Callable[[], Place]) -> Place:
    return new()


async def test_an_empty_database_is_refused_and_told_the_way_out(empty: Place) -> None:
    stores = empty.stores()

    with pytest.raises(Misconfigured, match="rootproof db upgrade") as refusal:
        await stores.open()

    assert refusal.value.key == "database_url"
    await stores.close()


async def test_upgrade_makes_the_tables_of_the_code_and_says_from_where_to_where(empty: Place) -> None:
    assert current(empty.url, None) is None
    assert upgrade(empty.url, None) == (None, HEAD)
    assert upgrade(empty.url, None) == (HEAD, HEAD)

    assert current(empty.url, None) == HEAD
    assert differences(empty) == []
    stores = empty.stores()
    await stores.open()
    await stores.close()


def test_the_comparison_sees_a_column_of_another_type(empty: Place) -> None:
    upgrade(empty.url, None)
    empty.run("ALTER TABLE chat_session DROP COLUMN opened_at", "CREATE INDEX extra ON budget_entry (kind)")

    assert len(differences(empty)) == 2


@pytest.mark.parametrize("revision", ["0000", "9999"])
async def test_another_version_is_refused(empty: Place, revision: str) -> None:
    upgrade(empty.url, None)
    empty.run(f"UPDATE {VERSION_TABLE} SET version_num = '{revision}'")
    stores = empty.stores()

    with pytest.raises(Misconfigured, match="newer" if revision > HEAD else "older schema 0000; run `rootproof db up"):
        await stores.open()
    await stores.close()


def test_upgrade_leaves_a_newer_database_alone(empty: Place) -> None:
    upgrade(empty.url, None)
    empty.run(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")

    with pytest.raises(Misconfigured, match="newer"):
        upgrade(empty.url, None)
    assert current(empty.url, None) == "9999"


def test_of_two_upgrades_at_once_one_works_and_the_other_finds_it_done(empty: Place) -> None:
    with ThreadPoolExecutor(2) as threads:
        results = list(threads.map(lambda _: upgrade(empty.url, None), range(2)))

    assert sorted(results, key=str) == [(HEAD, HEAD), (None, HEAD)]
    assert differences(empty) == []


class Cut(Exception):
    """The process ends here."""


def die_after(connection: Connection, n_changes: int) -> None:
    """After so many created tables and indexes and added columns, nothing more is sent."""
    changes = 0

    def cut(_: Connection, __: object, statement: str, *___: object) -> None:
        nonlocal changes
        changes += statement.lstrip().upper().startswith(("CREATE", "ALTER"))
        if changes > n_changes:
            raise Cut

    event.listen(connection, "before_cursor_execute", cut)


def upgrade_that_dies(place: Place, n_changes: int) -> None:
    with closing_engine(place.admin()) as engine:
        connection = engine.execution_options(isolation_level="READ COMMITTED").connect()
        connection.begin()
        die_after(connection, n_changes)
        with pytest.raises(Cut):
            bring_to_head(connection, COMPONENTS, "test")
        connection.invalidate()
        connection.close()


@pytest.fixture
def of_0001(empty: Place) -> Place:
    """A database that the program of revision 0001 made and filled."""
    with closing_engine(empty.admin()) as engine:
        with engine.execution_options(isolation_level="READ COMMITTED").begin() as connection:
            make_0001(connection, COMPONENTS)
    return empty


async def test_a_database_of_revision_0001_is_refused_until_it_is_upgraded_and_then_whole(of_0001: Place) -> None:
    stores = of_0001.stores()
    with pytest.raises(Misconfigured, match="has the older schema 0001; run `rootproof db upgrade`"):
        await stores.open()
    await stores.close()

    assert upgrade(of_0001.url, None) == ("0001", HEAD)

    assert differences(of_0001) == []
    upgraded = of_0001.stores()
    await check_upgraded_from_0001(upgraded.control, upgraded.service)
    await upgraded.close()


@pytest.mark.parametrize("n_changes", range(13))
async def test_an_upgrade_from_0001_that_died_in_the_middle_is_gone_on_with(of_0001: Place, n_changes: int) -> None:
    upgrade_that_dies(of_0001, n_changes)

    assert current(of_0001.url, None) == "0001"
    assert upgrade(of_0001.url, None) == ("0001", HEAD)
    assert differences(of_0001) == []
    upgraded = of_0001.stores()
    await check_upgraded_from_0001(upgraded.control, upgraded.service)
    await upgraded.close()


@pytest.mark.parametrize("n_tables", [1, 2, 3, 7, 10])
def test_an_upgrade_that_died_in_the_middle_is_gone_on_with(empty: Place, n_tables: int) -> None:
    upgrade_that_dies(empty, n_tables)
    with closing_engine(empty.admin()) as engine:
        left = inspect(engine).get_table_names()

    assert bool(left) == (empty.kind == "mariadb")
    assert upgrade(empty.url, None) == (None, HEAD)
    assert differences(empty) == []


async def test_a_database_left_in_the_middle_is_refused(empty: Place) -> None:
    upgrade_that_dies(empty, 5)
    stores = empty.stores()

    with pytest.raises(Misconfigured, match="has no tables of Rootproof; run `rootproof db upgrade`"):
        await stores.open()
    await stores.close()


def test_an_upgrade_waits_for_another_only_so_long(empty: Place) -> None:
    lock = (
        "SELECT pg_advisory_lock(('x' || substr(encode(sha256('rootproof schema'), 'hex'), 1, 16))::bit(64)::bigint)"
        if empty.kind == "postgres"
        else "SELECT GET_LOCK(CONCAT('rootproof schema ', MD5(DATABASE())), 0)"
    )
    with closing_engine(empty.admin()) as engine, engine.connect() as other:
        other.exec_driver_sql(lock)
        with pytest.raises(TruthUnavailable):
            upgrade(empty.url, None, limits=QUICK)

    assert upgrade(empty.url, None) == (None, HEAD)
