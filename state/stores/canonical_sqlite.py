"""CanonicalStore in one SQLite file. Fails closed. TTL: ``expires_at`` of the record, in seconds of the given clock.

Plain SQLAlchemy tables over the same ``Database`` as the control store: one transaction policy, one map of vendor
errors. Deletion overwrites pages and empties the write-ahead log, so that what expired is not left in the file.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection

from state.model.enums import EvidenceStatus, ToolCode
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, ToolCallId
from state.model.run import Lease
from state.ports import Clock
from state.stores import canonical_rows as rows
from state.stores.canonical_rules import CANONICAL_TTL_S, check_begin, completed, failed
from state.stores.canonical_tables import CANONICAL_SCHEMA
from state.stores.sqlite_file import sqlite_database


class SqliteCanonicalStore:
    """The port ``CanonicalStore``; contracts of its methods are written there."""

    def __init__(self, path: Path, clock: Clock, *, ttl_s: float = CANONICAL_TTL_S) -> None:
        self._database = sqlite_database(path, CANONICAL_SCHEMA, synchronous="FULL", secure_delete=True)
        self._clock = clock
        self._ttl = timedelta(seconds=ttl_s)

    async def open(self) -> None:
        """Open the file now.

        Raises:
            TruthUnavailable: it cannot be opened.
            Misconfigured: it was written by a newer version.
        """
        await self._database.open()

    async def close_store(self) -> None:
        """Close the file."""
        await self._database.close()

    async def raise_fence(self, lease: Lease) -> None:
        """See the port."""
        expires_at = self._clock.now() + self._ttl
        await self._database.write("raise_fence", lambda db: rows.raise_fence(db, lease, expires_at))

    async def begin(self, lease: Lease, record: CanonicalRecord) -> CanonicalRecord | None:
        """See the port."""
        check_begin(lease, record)
        now = self._clock.now()

        def work(db: Connection) -> CanonicalRecord | None:
            rows.require_fence(db, lease, now + self._ttl)
            there = rows.find_record(db, record.run_id, record.tool_call_id, now)
            if there is None:
                rows.insert_record(db, record, raw_json=None)
            return there

        return await self._database.write("begin", work)

    async def complete(
        self,
        lease: Lease,
        tool_call_id: ToolCallId,
        *,
        evidence_status: EvidenceStatus,
        projection_json: str,
        raw_json: str,
    ) -> CanonicalRecord:
        """See the port."""
        now = self._clock.now()

        def work(db: Connection) -> CanonicalRecord:
            rows.require_fence(db, lease, now + self._ttl)
            found = rows.find_record(db, lease.run_id, tool_call_id, now)
            return rows.replace_record(db, completed(found, evidence_status, projection_json, raw_json), raw_json)

        return await self._database.write("complete", work)

    async def fail(self, lease: Lease, tool_call_id: ToolCallId, code: ToolCode) -> CanonicalRecord:
        """See the port."""
        now = self._clock.now()

        def work(db: Connection) -> CanonicalRecord:
            rows.require_fence(db, lease, now + self._ttl)
            return rows.replace_record(db, failed(rows.find_record(db, lease.run_id, tool_call_id, now), code), None)

        return await self._database.write("fail", work)

    async def get(self, run_id: RunId, tool_call_id: ToolCallId) -> CanonicalRecord | None:
        """See the port."""
        now = self._clock.now()
        return await self._database.read("get", lambda db: rows.find_record(db, run_id, tool_call_id, now))

    async def records(self, run_id: RunId) -> tuple[CanonicalRecord, ...]:
        """See the port."""
        now = self._clock.now()
        return await self._database.read("records", lambda db: rows.live_records(db, run_id, now))

    async def raw(self, run_id: RunId, tool_call_id: ToolCallId) -> str | None:
        """See the port."""
        now = self._clock.now()
        return await self._database.read("raw", lambda db: rows.raw_of(db, run_id, tool_call_id, now))

    async def placeholders(self, run_id: RunId) -> dict[str, str]:
        """See the port."""
        now = self._clock.now()
        return await self._database.read("placeholders", lambda db: rows.placeholders_of(db, run_id, now))

    async def add_placeholders(self, lease: Lease, added: Mapping[str, str]) -> None:
        """See the port."""
        expires_at = self._clock.now() + self._ttl

        def work(db: Connection) -> None:
            rows.require_fence(db, lease, expires_at)
            rows.keep_placeholders(db, lease.run_id, {name: (value, expires_at) for name, value in added.items()})

        await self._database.write("add_placeholders", work)

    async def copy_finished(self, source: RunId, lease: Lease, ids: Sequence[ToolCallId]) -> None:
        """See the port."""
        now = self._clock.now()

        def work(db: Connection) -> None:
            rows.require_fence(db, lease, now + self._ttl)
            rows.copy_records(db, source, lease, ids, now)

        await self._database.write("copy_finished", work)

    async def sweep(self) -> int:
        """See the port."""
        now = self._clock.now()
        deleted = await self._database.write("sweep", lambda db: rows.delete_expired(db, now))
        await self._database.outside("sweep", rows.empty_log)
        return deleted
