"""The SQL control store passes the contract on SQLite."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from state.model.errors import TruthUnavailable
from state.stores.control_sql import control_file
from tests.contracts.control_store import ControlHarness, ControlStoreContract
from tests.contracts.samples import RUN, a_new_run


class TestSqlControlStore(ControlStoreContract):
    @pytest.fixture
    async def harness(self, tmp_path: Path) -> AsyncIterator[ControlHarness]:
        store = control_file(tmp_path / "control.db")
        brief = control_file(tmp_path / "control.db", lease_s=0.0)
        yield ControlHarness(store, brief, partial(tamper, tmp_path / "control.db"))
        await store.close_store()
        await brief.close_store()


def tamper(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


async def test_run_survives_closing_and_reopening_the_file(tmp_path: Path) -> None:
    first = control_file(tmp_path / "control.db")
    await first.open_run(a_new_run(), "p1")
    stored = await first.get_run(RUN)
    await first.close_store()
    second = control_file(tmp_path / "control.db")

    assert await second.get_run(RUN) == stored
    await second.close_store()


async def test_row_that_cannot_be_read_is_truth_unavailable(tmp_path: Path) -> None:
    store = control_file(tmp_path / "control.db")
    await store.open_run(a_new_run(), "p1")
    tamper(tmp_path / "control.db", "UPDATE run SET facts = '{'")

    with pytest.raises(TruthUnavailable) as failure:
        await store.get_run(RUN)

    assert failure.value.operation == "get_run"
    await store.close_store()


async def test_write_that_cannot_be_committed_is_truth_unavailable(tmp_path: Path) -> None:
    store = control_file(tmp_path / "control.db")
    await store.open()
    tamper(tmp_path / "control.db", "CREATE TRIGGER no BEFORE INSERT ON run BEGIN SELECT RAISE(ABORT, 'disk'); END")

    with pytest.raises(TruthUnavailable):
        await store.open_run(a_new_run(), "p1")
    await store.close_store()
