"""ControlStore over SQL. Fails closed: what cannot be read or written is TruthUnavailable, and nothing was changed.

One transaction per method; the rules are in the ``control_*`` rooms beside this file.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from state.model.audit import AuditDigest
from state.model.enums import CancellationReason
from state.model.ids import RunId, SessionId
from state.model.release import EvidenceView
from state.model.run import (
    LEASE_S,
    BudgetEntry,
    BudgetKind,
    BudgetUsage,
    Closing,
    Heartbeat,
    Lease,
    NewRun,
    PreviousTurn,
    PublicEvent,
    PublicEventType,
    RunRow,
    sum_usage,
)
from state.model.served import EVERY_RUN, RunFilter, SessionSummary
from state.ports import TakeStock, nothing_known
from state.stores import (
    control_audit,
    control_closing,
    control_events,
    control_lease,
    control_ledger,
    control_retention,
    control_rows,
    control_search,
    control_sessions,
    control_watching,
)
from state.stores.control_schema import CONTROL_SCHEMA
from state.stores.database import Database
from state.stores.list_limit import check_limit
from state.stores.sqlite_file import sqlite_database


def control_file(path: Path, *, lease_s: float = LEASE_S) -> "SqlControlStore":
    """A control store in one SQLite file, opened at first use."""
    return SqlControlStore(sqlite_database(path, CONTROL_SCHEMA, synchronous="FULL"), lease_s=lease_s)


class SqlControlStore:
    """The port ``ControlStore``; contracts of its methods are written there."""

    def __init__(self, database: Database, *, lease_s: float = LEASE_S) -> None:
        self._database = database
        self._lease_s = lease_s

    async def open(self) -> None:
        """Open the database now.

        Raises:
            TruthUnavailable: it cannot be opened.
            Misconfigured: it is not of the version this program needs.
        """
        await self._database.open()

    async def close_store(self) -> None:
        """Close the database (``close`` closes a run)."""
        await self._database.close()

    async def open_run(self, new: NewRun, owner: str) -> Lease:
        """See the port."""
        return await self._database.write(
            "open_run", lambda db: control_lease.open_run(db, new, owner, lease_s=self._lease_s)
        )

    async def take_lease(self, run_id: RunId, owner: str, *, resume: bool = False) -> Lease:
        """See the port."""
        return await self._database.write(
            "take_lease", lambda db: control_lease.take_lease(db, run_id, owner, resume=resume, lease_s=self._lease_s)
        )

    async def drop_lease(self, lease: Lease) -> None:
        """See the port."""
        await self._database.write("drop_lease", lambda db: control_lease.drop_lease(db, lease))

    async def heartbeat(self, leases: Sequence[Lease], active_ms: Mapping[RunId, int]) -> Heartbeat:
        """See the port."""
        return await self._database.write(
            "heartbeat", lambda db: control_lease.heartbeat(db, leases, active_ms, lease_s=self._lease_s)
        )

    async def request_cancel(self, run_id: RunId, reason: CancellationReason) -> bool:
        """See the port."""
        return await self._database.write("request_cancel", lambda db: control_lease.request_cancel(db, run_id, reason))

    async def get_run(self, run_id: RunId) -> RunRow | None:
        """See the port."""
        return await self._database.read("get_run", lambda db: control_rows.find_run(db, run_id))

    async def list_runs(self, wanted: RunFilter = EVERY_RUN, *, limit: int = 20) -> tuple[RunRow, ...]:
        """See the port.

        Raises:
            ValueError: ``limit`` is not within 1–200.
        """
        check_limit(limit)
        return await self._database.read("list_runs", lambda db: control_search.list_runs(db, wanted, limit=limit))

    async def list_sessions(self, *, limit: int = 50, owner_key: str | None = None) -> tuple[SessionSummary, ...]:
        """See the port.

        Raises:
            ValueError: ``limit`` is not within 1–200.
        """
        check_limit(limit)
        return await self._database.read(
            "list_sessions", lambda db: control_sessions.list_sessions(db, owner_key=owner_key, limit=limit)
        )

    async def session_owner(self, session_id: SessionId) -> str | None:
        """See the port."""
        return await self._database.read("session_owner", lambda db: control_sessions.session_owner(db, session_id))

    async def see_streams(self, run_ids: Sequence[RunId]) -> None:
        """See the port."""
        if run_ids:
            await self._database.write("see_streams", lambda db: control_watching.see_streams(db, run_ids))

    async def detach(self, run_id: RunId) -> bool:
        """See the port; False also if the run is asked to stop."""
        return await self._database.write("detach", lambda db: control_watching.detach(db, run_id))

    async def abandoned_runs(self, *, grace_s: float) -> tuple[RunId, ...]:
        """See the port; oldest first, without those that are asked to stop."""
        return await self._database.read(
            "abandoned_runs", lambda db: control_watching.abandoned_runs(db, grace_s=grace_s)
        )

    async def interrupted_runs(self) -> tuple[RunRow, ...]:
        """See the port."""
        return await self._database.read(
            "interrupted_runs", lambda db: control_rows.select_runs(db, *control_lease.is_interrupted())
        )

    async def previous_turn(self, session_id: SessionId, owner_key: str) -> PreviousTurn | None:
        """See the port."""
        return await self._database.read(
            "previous_turn", lambda db: control_rows.last_success(db, session_id, owner_key)
        )

    async def reserve(self, lease: Lease, entry: BudgetEntry) -> None:
        """See the port.

        Raises:
            ValueError: the entry is another run's.
        """
        if entry.run_id != lease.run_id:
            raise ValueError(f"entry of run {entry.run_id} under the lease of {lease.run_id}")
        await self._database.write("reserve", lambda db: control_ledger.reserve(db, lease, entry))

    async def settle(self, lease: Lease, kind: BudgetKind, key: str, amount: int, *, usage_reported: bool) -> None:
        """See the port."""
        await self._database.write(
            "settle",
            lambda db: control_ledger.settle(db, lease, kind, key, settled=amount, usage_reported=usage_reported),
        )

    async def usage(self, run_id: RunId) -> BudgetUsage:
        """See the port."""
        return sum_usage(await self.entries(run_id))

    async def entries(self, run_id: RunId) -> tuple[BudgetEntry, ...]:
        """See the port."""
        return await self._database.read("entries", lambda db: control_ledger.ledger(db, run_id))

    async def offer_event(
        self, lease: Lease, event_key: str, type_: PublicEventType, payload: dict[str, object]
    ) -> PublicEvent | None:
        """See the port."""
        control_events.check_offer(event_key, type_)
        return await self._database.write(
            "offer_event", lambda db: control_events.offer(db, lease, event_key, type_, payload)
        )

    async def public_events(self, run_id: RunId, *, after: int = 0) -> tuple[PublicEvent, ...]:
        """See the port."""
        return await self._database.read("public_events", lambda db: control_events.frames_after(db, run_id, after))

    async def set_intent(self, lease: Lease, intent: str) -> None:
        """See the port."""
        await self._database.write("set_intent", lambda db: control_rows.set_intent(db, lease, intent))

    async def close(self, lease: Lease, closing: Closing) -> RunRow:
        """See the port."""
        return await self._database.write("close", lambda db: control_closing.close_run(db, lease, closing))

    async def published_evidence(self, run_id: RunId) -> tuple[EvidenceView, ...]:
        """See the port."""
        return await self._database.read("published_evidence", lambda db: control_closing.evidence_of(db, run_id))

    async def audit_digest(self, run_id: RunId) -> AuditDigest | None:
        """See the port."""
        return await self._database.read("audit_digest", lambda db: control_audit.kept_digest(db, run_id))

    async def sweep(self, *, max_run_age_s: float, stock: TakeStock = nothing_known) -> tuple[RunRow, ...]:
        """See the port; transactions of one run each, so that one that fails keeps the others closed.

        The rows carry the sweeper's epoch: raise the canonical fence with it.
        """
        due = await self._database.read(
            "sweep", lambda db: control_closing.runs_to_close(db, max_run_age_s=max_run_age_s)
        )
        swept = [await self._sweep_run(row, max_run_age_s, stock) for row in due]
        return tuple(row for row in swept if row is not None)

    async def ended_before(self, limit: datetime, *, at_most: int) -> tuple[RunId, ...]:
        """Runs that ended at ``limit`` or earlier, oldest first; never one that is RUNNING.

        Raises:
            TruthUnavailable: the database cannot be read.
        """
        return await self._database.read(
            "ended_before", lambda db: control_retention.ended_before(db, limit, at_most=at_most)
        )

    async def delete_runs(self, run_ids: Sequence[RunId]) -> int:
        """How many of these runs were deleted with their ledger, events and evidence; one that is RUNNING stays.

        Raises:
            TruthUnavailable: the database cannot be written; nothing was deleted.
        """
        return await self._database.write("delete_runs", lambda db: control_retention.delete_runs(db, run_ids))

    async def delete_empty_sessions(self, limit: datetime, *, at_most: int) -> int:
        """How many sessions were deleted: opened at ``limit`` or earlier, and without any run.

        Raises:
            TruthUnavailable: the database cannot be written; nothing was deleted.
        """
        return await self._database.write(
            "delete_empty_sessions", lambda db: control_retention.delete_empty_sessions(db, limit, at_most=at_most)
        )

    async def _sweep_run(self, row: RunRow, max_run_age_s: float, stock: TakeStock) -> RunRow | None:
        lease = await self._database.write(
            "sweep", lambda db: control_closing.take_over_due(db, row, max_run_age_s=max_run_age_s)
        )
        if lease is None:
            return None
        known = await stock(lease)
        return await self._database.write("sweep", lambda db: control_closing.close_over_due(db, lease, known))
