"""The SQLite canonical store passes the contract, and keeps its file private, shared and clean."""

import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from state.model.enums import EvidenceStatus
from state.model.errors import LeaseLost, TruthUnavailable
from state.stores.canonical_rules import CANONICAL_TTL_S
from state.stores.canonical_sqlite import SqliteCanonicalStore
from tests.contracts.canonical_store import CanonicalHarness, CanonicalStoreContract
from tests.contracts.samples import CALL, RUN, SteppingClock, a_lease, a_record

SECRET = "zq-only-in-the-evidence"


class TestSqliteCanonicalStore(CanonicalStoreContract):
    @pytest.fixture
    async def harness(self, tmp_path: Path) -> AsyncIterator[CanonicalHarness]:
        clock = SteppingClock()
        store = SqliteCanonicalStore(tmp_path / "canonical.db", clock)

        async def pass_time(seconds: float) -> None:
            clock.advance(seconds)

        yield CanonicalHarness(store, clock, CANONICAL_TTL_S, pass_time)
        await store.close_store()


def _bytes_on_disk(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


async def test_expired_evidence_is_physically_gone_after_the_sweep(tmp_path: Path) -> None:
    clock = SteppingClock()
    store = SqliteCanonicalStore(tmp_path / "canonical.db", clock)
    await store.begin(a_lease(), a_record(a_lease()))
    await store.complete(
        a_lease(), CALL, evidence_status=EvidenceStatus.EVIDENCE_FOUND, projection_json=SECRET, raw_json=SECRET * 900
    )
    await store.add_placeholders(a_lease(), {"<host-1>": SECRET})
    assert SECRET.encode() in _bytes_on_disk(tmp_path)
    clock.advance(CANONICAL_TTL_S)

    assert await store.sweep() == 3
    assert SECRET.encode() not in _bytes_on_disk(tmp_path)
    assert await store.sweep() == 0
    await store.close_store()


async def test_files_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    store = SqliteCanonicalStore(folder / "canonical.db", SteppingClock())
    await store.raise_fence(a_lease())

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}

    assert modes == {"canonical.db": 0o600, "canonical.db-wal": 0o600, "canonical.db-shm": 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    await store.close_store()


async def test_fence_of_one_process_stops_another(tmp_path: Path) -> None:
    one = SqliteCanonicalStore(tmp_path / "canonical.db", SteppingClock())
    other = SqliteCanonicalStore(tmp_path / "canonical.db", SteppingClock())
    await one.begin(a_lease(), a_record(a_lease()))
    await other.raise_fence(a_lease(epoch=2))

    with pytest.raises(LeaseLost):
        await one.complete(
            a_lease(), CALL, evidence_status=EvidenceStatus.NO_EVIDENCE, projection_json="{}", raw_json="{}"
        )
    await one.close_store()
    await other.close_store()


async def test_file_that_is_no_database_is_truth_unavailable(tmp_path: Path) -> None:
    (tmp_path / "canonical.db").write_bytes(b"not a database at all, but long enough to look like one" * 100)
    store = SqliteCanonicalStore(tmp_path / "canonical.db", SteppingClock())

    with pytest.raises(TruthUnavailable) as failure:
        await store.get(RUN, CALL)

    assert (failure.value.store, failure.value.operation) == ("canonical", "get")
    await store.close_store()


async def test_folder_that_cannot_be_made_is_truth_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = SqliteCanonicalStore(tmp_path / "file" / "canonical.db", SteppingClock())

    with pytest.raises(TruthUnavailable):
        await store.begin(a_lease(), a_record(a_lease()))
    await store.close_store()


async def test_closed_store_is_truth_unavailable(tmp_path: Path) -> None:
    store = SqliteCanonicalStore(tmp_path / "canonical.db", SteppingClock())
    await store.open()
    await store.close_store()

    with pytest.raises(TruthUnavailable):
        await store.get(RUN, CALL)
