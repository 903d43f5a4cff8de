"""What reads is one snapshot that cannot write; what writes sees what others committed before it asks."""

from collections.abc import AsyncIterator, Callable

import pytest
from sqlalchemy import Connection, delete, func, select

from state.model.errors import TruthUnavailable
from state.stores.control_tables import ChatSessionTable
from state.stores.records import RecordStores
from tests.integration.records.places import Place

COUNT = select(func.count()).select_from(ChatSessionTable)


@pytest.fixture
async def stores(place: Place) -> AsyncIterator[RecordStores]:
    found = place.stores()
    yield found
    await found.close()


def counting_twice(place: Place) -> Callable[[Connection], tuple[int, int]]:
    """How many sessions there are, before and after somebody else inserts one."""

    def work(connection: Connection) -> tuple[int, int]:
        before = connection.execute(COUNT).scalar_one()
        place.run("INSERT INTO chat_session (session_id, owner_key, opened_at) VALUES ('theirs', 'k', 1)")
        return before, connection.execute(COUNT).scalar_one()

    return work


async def test_a_reading_transaction_is_one_snapshot(place: Place, stores: RecordStores) -> None:
    assert await stores.control._database.read("test", counting_twice(place)) == (0, 0)
    assert await stores.control._database.read("test", lambda db: db.execute(COUNT).scalar_one()) == 1


async def test_a_writing_transaction_sees_what_others_committed(place: Place, stores: RecordStores) -> None:
    assert await stores.control._database.write("test", counting_twice(place)) == (0, 1)


async def test_a_reading_transaction_cannot_write(stores: RecordStores) -> None:
    with pytest.raises(TruthUnavailable):
        await stores.control._database.read("test", lambda db: db.execute(delete(ChatSessionTable)))
