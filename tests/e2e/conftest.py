"""Processes shared by the tests of one session."""

from collections.abc import Iterator

import pytest

from tests.e2e.processes import Playhouse


@pytest.fixture(scope="session")
def house() -> Iterator[Playhouse]:
    """Where the first process of every story plays, and those that take over."""
    found = Playhouse()
    yield found
    found.close()


@pytest.fixture(scope="session")
def other_house() -> Iterator[Playhouse]:
    """For a process that plays at the same time."""
    found = Playhouse()
    yield found
    found.close()
