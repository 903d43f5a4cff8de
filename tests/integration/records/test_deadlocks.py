"""Transactions that block each other are undone and run again by the store; the caller notices nothing."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable

import pytest
from sqlalchemy import Connection, update
from sqlmodel import col

from state.stores.control_tables import RunTable
from state.stores.records import RecordStores
from tests.contracts.samples import a_new_run, facts, run_id
from tests.integration.records.places import Place


@pytest.fixture
async def stores(place: Place) -> AsyncIterator[RecordStores]:
    found = place.stores()
    yield found
    await found.close()


def touching(first: int, second: int, meeting: threading.Barrier, tries: list[int]) -> Callable[[Connection], None]:
    """Changes the rows in that order; the first time it waits between them until the other has changed its first."""

    def work(connection: Connection) -> None:
        tries.append(first)
        _touch(connection, first)
        if tries.count(first) == 1:
            meeting.wait(5)
        _touch(connection, second)

    return work


def _touch(connection: Connection, number: int) -> None:
    changed = update(RunTable).where(col(RunTable.run_id) == run_id(number))
    connection.execute(changed.values(active_ms=col(RunTable.active_ms) + 1))


async def test_both_of_a_deadlock_get_through_and_count_once(stores: RecordStores) -> None:
    for number in (1, 2):
        await stores.control.open_run(a_new_run(facts(run_id(number))), "p1")
    meeting, tries = threading.Barrier(2), list[int]()
    database = stores.control._database

    await asyncio.gather(
        database.write("test", touching(1, 2, meeting, tries)),
        database.write("test", touching(2, 1, meeting, tries)),
    )

    rows = [await stores.control.get_run(run_id(number)) for number in (1, 2)]
    assert len(tries) == 3
    assert [row.active_ms for row in rows if row] == [2, 2]
