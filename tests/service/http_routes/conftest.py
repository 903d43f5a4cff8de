"""A room of its own for each test that asks for one."""

import pytest

from tests.service.http_routes.room import Room, room


@pytest.fixture
async def place(tmp_path) -> Room:
    """One diagnosis may be asked for."""
    async with room(tmp_path / "home") as opened:
        yield opened
