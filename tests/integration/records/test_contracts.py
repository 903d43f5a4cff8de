"""The stores keep their contracts on PostgreSQL and MariaDB, as they do on SQLite."""

from collections.abc import AsyncIterator

import pytest

from state.stores.records import RecordStores, open_records_database
from tests.contracts.audit_digest import AuditDigestContract, DigestHarness
from tests.contracts.audit_log import AuditHarness, AuditLogContract
from tests.contracts.control_store import ControlHarness, ControlStoreContract
from tests.contracts.recording import RecordingContract, RecordingHarness
from tests.contracts.retention import Kept, RetentionContract
from tests.contracts.samples import SteppingClock
from tests.contracts.service_store import TABLES, ServiceHarness, ServiceStoreContract
from tests.integration.records.places import Place


@pytest.fixture
async def stores(place: Place) -> AsyncIterator[RecordStores]:
    found = place.stores()
    yield found
    await found.close()


class TestControlStore(ControlStoreContract):
    @pytest.fixture
    async def harness(self, place: Place, stores: RecordStores) -> AsyncIterator[ControlHarness]:
        brief = place.stores(lease_s=0.0)
        yield ControlHarness(stores.control, brief.control, place.run)
        await brief.close()


class TestAuditLog(AuditLogContract):
    @pytest.fixture
    async def harness(self, place: Place, stores: RecordStores) -> AsyncIterator[AuditHarness]:
        away = False

        async def stop() -> None:
            nonlocal away
            away = True
            place.run("ALTER TABLE trace_event RENAME TO trace_event_away")

        async def allow() -> None:
            nonlocal away
            away = False
            place.run("ALTER TABLE trace_event_away RENAME TO trace_event")

        yield AuditHarness(stores.audit, stop, allow)
        if away:
            await allow()


class TestAuditDigest(AuditDigestContract):
    @pytest.fixture
    async def harness(self, place: Place, stores: RecordStores) -> DigestHarness:
        return DigestHarness(stores.control, stores.audit, place.run)


class TestRecording(RecordingContract):
    @pytest.fixture
    async def harness(self, place: Place) -> AsyncIterator[RecordingHarness]:
        clock = SteppingClock()
        stores = open_records_database(place.url, password=None, clock=clock)

        async def pass_time(seconds: float) -> None:
            clock.advance(seconds)

        yield RecordingHarness(stores.recording, pass_time, stores.recording.close_store)
        await stores.close()


class TestServiceStore(ServiceStoreContract):
    @pytest.fixture
    async def service(self, place: Place, stores: RecordStores) -> AsyncIterator[ServiceHarness]:
        other, away = place.stores(), False

        def put_away() -> None:
            nonlocal away
            away = True
            place.run(*(f"ALTER TABLE {table} RENAME TO {table}_away" for table in TABLES))

        def put_back() -> None:
            nonlocal away
            away = False
            place.run(*(f"ALTER TABLE {table}_away RENAME TO {table}" for table in TABLES))

        yield ServiceHarness(stores.service, other.service, put_away, put_back)
        if away:
            put_back()
        await other.close()


class TestRetention(RetentionContract):
    @pytest.fixture
    async def kept(self, stores: RecordStores) -> Kept:
        return Kept(stores.control, stores.audit, stores.recording, stores.service)
