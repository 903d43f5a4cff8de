"""The SQL audit log passes the contract on SQLite, and never raises from a write."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from state.model.errors import TruthUnavailable
from state.stores import audit_sql
from state.stores.audit_sql import SqlAuditLog, audit_file
from state.stores.audit_tables import AUDIT_SCHEMA
from state.stores.sqlite_file import sqlite_database
from tests.contracts.audit_log import AuditHarness, AuditLogContract
from tests.contracts.samples import RUN, a_lease, a_trace_event


class Blocker:
    """Another process's write transaction: while it is open, nobody else can write."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)

    async def stop(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    async def allow(self) -> None:
        self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def blocker(tmp_path: Path) -> Iterator[Blocker]:
    found = Blocker(tmp_path / "audit.db")
    yield found
    found.close()


def impatient(path: Path) -> SqlAuditLog:
    return SqlAuditLog(sqlite_database(path, AUDIT_SCHEMA, synchronous="NORMAL", busy_timeout_s=0.0))


class TestSqlAuditLog(AuditLogContract):
    @pytest.fixture
    async def harness(self, tmp_path: Path, blocker: Blocker) -> AsyncIterator[AuditHarness]:
        log = impatient(tmp_path / "audit.db")
        await log.open()
        yield AuditHarness(log, blocker.stop, blocker.allow)
        await log.close_store()


async def test_another_process_counts_on_from_what_is_stored(tmp_path: Path) -> None:
    first, second = audit_file(tmp_path / "audit.db"), audit_file(tmp_path / "audit.db")
    await first.record(a_lease(epoch=1), a_trace_event("a"))
    await second.record(a_lease(epoch=2), a_trace_event("b"))

    stored = await first.events(RUN)

    assert [event.sequence_no for event in stored] == [1, 2]
    await first.close_store()
    await second.close_store()


async def test_late_write_of_a_lost_holder_takes_no_number_of_the_next(tmp_path: Path) -> None:
    old, new = audit_file(tmp_path / "audit.db"), audit_file(tmp_path / "audit.db")
    await old.record(a_lease(epoch=1), a_trace_event("a"))
    await new.record(a_lease(epoch=2), a_trace_event("b"))
    await old.record(a_lease(epoch=1), a_trace_event("late"))
    await new.record(a_lease(epoch=2), a_trace_event("c"))

    numbers = {event.event.event_key: event.sequence_no for event in await new.events(RUN)}

    assert (sorted(numbers), sorted(numbers.values())) == (["a", "b", "c", "late"], [1, 2, 3, 4])
    assert await old.lost(RUN) == 0
    await old.close_store()
    await new.close_store()


async def test_concurrent_events_of_a_run_all_get_a_number(tmp_path: Path) -> None:
    log = audit_file(tmp_path / "audit.db")
    await asyncio.gather(*(log.record(a_lease(), a_trace_event(f"e{n}")) for n in range(25)))

    assert [event.sequence_no for event in await log.events(RUN)] == list(range(1, 26))
    assert await log.lost(RUN) == 0
    await log.close_store()


async def test_cancelled_recording_is_counted_as_what_it_became(tmp_path: Path) -> None:
    log = audit_file(tmp_path / "audit.db")
    await log.open()
    task = asyncio.create_task(log.record(a_lease(), a_trace_event("a")))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert len(await log.events(RUN)) + await log.lost(RUN) == 1
    await log.close_store()


async def test_unusable_file_loses_events_without_an_error(tmp_path: Path) -> None:
    (tmp_path / "audit.db").mkdir()
    log = audit_file(tmp_path / "audit.db")

    await log.record(a_lease(), a_trace_event("a"))

    assert await log.lost(RUN) == 1
    with pytest.raises(TruthUnavailable):
        await log.events(RUN)
    await log.close_store()


def test_locked_audit_waits_less_than_a_store_of_truth() -> None:
    assert audit_sql.BUSY_TIMEOUT_S <= 1.0
