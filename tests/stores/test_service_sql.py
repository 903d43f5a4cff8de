"""The SQL service store passes the contract on SQLite, in the file of the control store."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from state.model.errors import TruthUnavailable
from state.stores.control_sql import control_file
from state.stores.service_sql import service_file
from tests.contracts.samples import NOW, RUN, a_new_run
from tests.contracts.service_store import TABLES, ServiceHarness, ServiceStoreContract, a_case, a_request, an_access


def change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


class TestSqlServiceStore(ServiceStoreContract):
    @pytest.fixture
    async def service(self, tmp_path: Path) -> AsyncIterator[ServiceHarness]:
        path = tmp_path / "control.db"
        store, other = service_file(path), service_file(path)
        yield ServiceHarness(
            store,
            other,
            away=lambda: change(path, *(f"ALTER TABLE {table} RENAME TO {table}_away" for table in TABLES)),
            back=lambda: change(path, *(f"ALTER TABLE {table}_away RENAME TO {table}" for table in TABLES)),
        )
        await store.close_store()
        await other.close_store()


async def test_it_lives_beside_the_runs_whoever_opens_the_file_first(tmp_path: Path) -> None:
    for name, open_service_first in (("a.db", True), ("b.db", False)):
        control, service = control_file(tmp_path / name), service_file(tmp_path / name)
        first, second = (service, control) if open_service_first else (control, service)
        await first.open()
        await second.open()

        await control.open_run(a_new_run(), "p1")
        await service.record_access(an_access())

        assert await control.get_run(RUN) is not None
        assert await service.accesses() == (an_access(),)
        await control.close_store()
        await service.close_store()


async def test_what_is_kept_survives_closing_and_reopening_the_file(tmp_path: Path) -> None:
    first = service_file(tmp_path / "control.db")
    await first.add_case(a_case())
    await first.claim_request(a_request(), now=NOW)
    await first.close_store()
    second = service_file(tmp_path / "control.db")

    assert await second.case("case-1") == a_case()
    await second.close_store()


async def test_an_access_that_cannot_be_recorded_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "control.db"
    store = service_file(path)
    await store.open()
    change(path, "CREATE TRIGGER no BEFORE INSERT ON access_record BEGIN SELECT RAISE(ABORT, 'disk'); END")

    with pytest.raises(TruthUnavailable):
        await store.record_access(an_access())
    assert await store.accesses() == ()
    await store.close_store()


async def test_a_row_that_is_not_ours_is_truth_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "control.db"
    store = service_file(path)
    await store.add_case(a_case())
    change(path, "UPDATE case_record SET state = 'RELEASED'")

    with pytest.raises(TruthUnavailable):
        await store.case("case-1")
    await store.close_store()
