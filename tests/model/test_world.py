"""The instant a world's questions refer to."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from state.model.world import World, settle_now

LATEST, DECLARED, CLOCK = (datetime(2026, 11, day, tzinfo=UTC) for day in (1, 2, 3))


def test_declared_before_latest_before_clock():
    world = World(path=Path("/w"), name="w")

    assert settle_now(world.model_copy(update={"now": DECLARED}), LATEST, CLOCK) == (DECLARED, False)
    assert settle_now(world, LATEST, CLOCK) == (LATEST + timedelta(seconds=1), True)
    assert settle_now(world, None, CLOCK) == (CLOCK, False)
