"""The stores of one process: what the service keeps lies beside the runs, and is forgotten with them."""

from datetime import timedelta
from pathlib import Path

import pytest

from config.settings import Settings
from graph.stores import CONTROL_FILE, Stores, open_stores
from state.model.errors import TruthUnavailable
from state.ports import ServiceStore
from tests.contracts.samples import RUN, a_new_run, a_success
from tests.contracts.service_store import a_judgement, an_access


async def test_the_service_keeps_its_rows_in_the_file_of_the_runs(tmp_path: Path) -> None:
    async with open_stores(Settings(home=tmp_path)) as stores:
        service: ServiceStore = stores.service
        await service.record_access(an_access())
        assert {path.name for path in tmp_path.glob("*.db")} >= {CONTROL_FILE}
        assert not list(tmp_path.glob("service*"))
    with pytest.raises(TruthUnavailable):
        await stores.service.accesses()

    async with open_stores(Settings(home=tmp_path)) as again:
        assert await again.service.accesses() == (an_access(),)


async def ended(stores: Stores) -> None:
    """A run that is over, judged and looked at just now."""
    lease = await stores.control.open_run(a_new_run(), "p1")
    await stores.control.close(lease, a_success())
    now = stores.clock.now()
    await stores.service.put_feedback(a_judgement(at=now))
    await stores.service.record_access(an_access(at=now))


async def test_what_is_younger_than_the_retention_stays(tmp_path: Path) -> None:
    async with open_stores(Settings(home=tmp_path)) as stores:
        await ended(stores)

        await stores.forget_old(retention_days=30.0)

        assert len(await stores.service.feedback(RUN)) == len(await stores.service.accesses()) == 1


async def test_what_is_older_is_forgotten(tmp_path: Path) -> None:
    async with open_stores(Settings(home=tmp_path)) as stores:
        await ended(stores)

        await stores.forget_old(retention_days=-timedelta(hours=1) / timedelta(days=1))

        assert await stores.control.get_run(RUN) is None
        assert await stores.service.feedback(RUN) == ()
        assert await stores.service.accesses() == ()
