"""Retention passes its contract on the embedded files; what fails in the middle is found again."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from state.model.errors import TruthUnavailable
from state.model.ids import RunId
from state.stores.audit_sql import audit_file
from state.stores.control_sql import control_file
from state.stores.recording_sqlite import SqliteRecording
from state.stores.retention import sweep_retention
from state.stores.service_sql import service_file
from tests.contracts.retention import DAYS, Kept, RetentionContract
from tests.contracts.samples import SteppingClock


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Kept]:
    control, audit = control_file(tmp_path / "control.db"), audit_file(tmp_path / "audit.db")
    recording = SqliteRecording(tmp_path / "recording.db", SteppingClock())
    service = service_file(tmp_path / "control.db")
    yield Kept(control, audit, recording, service)
    await service.close_store()
    await recording.close_store()
    await audit.close_store()
    await control.close_store()


class TestRetentionOnSqlite(RetentionContract):
    pass


class Broken:
    """A store that cannot be used."""

    async def delete_runs(self, run_ids: Sequence[RunId]) -> object:
        raise TruthUnavailable("audit", "delete_runs")


async def test_a_run_stays_listed_until_its_audit_is_gone(kept: Kept) -> None:
    late = await kept.ended(1) + timedelta(days=DAYS)

    with pytest.raises(TruthUnavailable):
        await sweep_retention(kept.control, (Broken(),), kept.service, days=DAYS, now=late)

    assert (await kept.rows_of(1))["run"] == 1
    assert await kept.sweep(late) == 1


async def test_more_than_one_batch_is_deleted_in_one_sweep(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("state.stores.retention.BATCH", 2)
    for number in range(1, 6):
        ended_at = await kept.ended(number)

    assert await kept.sweep(ended_at + timedelta(days=DAYS)) == 5
