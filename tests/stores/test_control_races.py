"""Two real processes on one control file."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from state.stores.control_sql import SqlControlStore, control_file
from tests.contracts.control_races import ControlRaces, Race, race

__all__ = ["race"]
ROUNDS = 12


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("races") / "control.db")


@pytest.fixture(scope="module")
def store(race: Race, where: str) -> Iterator[SqlControlStore]:
    """Opened after both racers have used the fresh file; belongs to no event loop."""
    found = control_file(Path(where))
    yield found
    asyncio.run(found.close_store())


@pytest.fixture(params=range(ROUNDS))
def seed(request: pytest.FixtureRequest) -> int:
    return request.param


class TestControlRacesOnSqlite(ControlRaces):
    pass
