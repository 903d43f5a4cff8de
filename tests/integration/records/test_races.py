"""Two real processes on one server."""

import asyncio
from collections.abc import Iterator

import pytest

from state.stores.control_sql import SqlControlStore
from tests.contracts.control_races import ControlRaces, race
from tests.integration.records.places import Place

__all__ = ["race"]
ROUNDS = 3


@pytest.fixture(scope="module")
def where(migrated: Place) -> str:
    return migrated.url


@pytest.fixture(scope="module")
def store(migrated: Place) -> Iterator[SqlControlStore]:
    """Belongs to no event loop."""
    found = migrated.stores()
    yield found.control
    asyncio.run(found.close())


@pytest.fixture(params=range(ROUNDS))
def seed(request: pytest.FixtureRequest) -> int:
    return request.param


class TestControlRaces(ControlRaces):
    pass
