"""Databases on PostgreSQL and MariaDB; a test that takes ``place`` runs on both."""

from collections.abc import Callable

import pytest

from tests.integration.records.places import KINDS, Place, new_place


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def new(request: pytest.FixtureRequest, kind: str) -> Callable[[], Place]:
    """Makes empty databases."""
    server = request.getfixturevalue(f"{kind}_server")
    return lambda: new_place(server, kind)


@pytest.fixture(scope="module")
def migrated(new: Callable[[], Place]) -> Place:
    """One database for all tests of a module."""
    return new().migrated()


@pytest.fixture
def place(migrated: Place) -> Place:
    """The module's database, without rows."""
    migrated.clear()
    return migrated
