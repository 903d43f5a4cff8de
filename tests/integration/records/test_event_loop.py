"""No store of a server blocks the event loop."""

from collections.abc import Iterator

import pytest

from state.stores.postgres_checkpoints import open_postgres_checkpointer, upgrade_checkpoints
from tests.contracts.samples import RUN, a_new_run, a_success, a_trace_event
from tests.integration.records.places import Place

blockbuster = pytest.importorskip("blockbuster")


@pytest.fixture
def guard() -> Iterator[None]:
    with blockbuster.blockbuster_ctx():
        yield


@pytest.fixture
def with_checkpoints(place: Place) -> Place:
    if place.kind == "postgres":
        upgrade_checkpoints(place.url, None)
    return place


async def test_records_never_block(with_checkpoints: Place, guard: None) -> None:
    stores = with_checkpoints.stores()
    lease = await stores.control.open_run(a_new_run(), "p1")
    await stores.audit.record(lease, a_trace_event())
    await stores.recording.put(RUN, "agent:1:1", "a" * 64, "{}")
    await stores.control.close(lease, a_success())
    assert (await stores.audit.lost(RUN), stores.recording.n_lost) == (0, 0)
    await stores.close()


async def test_checkpoints_never_block(with_checkpoints: Place, guard: None) -> None:
    if with_checkpoints.kind != "postgres":
        pytest.skip("there are no checkpoints in MySQL")
    async with open_postgres_checkpointer(with_checkpoints.url, password=None) as saver:
        assert await saver.aget_tuple({"configurable": {"thread_id": "t", "checkpoint_ns": ""}}) is None
        await saver.adelete_thread("t")
