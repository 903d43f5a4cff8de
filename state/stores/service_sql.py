"""ServiceStore over SQL, in the database of the control store. Fails closed: what cannot be written was not written.

One transaction per method; the rules are in ``service_rows`` and ``service_retention`` beside this file.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from state.model.ids import RunId
from state.model.served import AccessRecord, AlertRun, CaseRecord, CaseState, KeptRequest, RunFeedback
from state.stores import service_retention, service_rows
from state.stores.control_schema import CONTROL_SCHEMA
from state.stores.database import Database
from state.stores.list_limit import check_limit
from state.stores.sqlite_file import sqlite_database

SERVICE = "service"
"""Name of the store in errors."""
MAX_LISTED_ACCESSES = 1000


def service_file(path: Path) -> "SqlServiceStore":
    """A service store in the SQLite file of the control store, opened at first use."""
    return SqlServiceStore(sqlite_database(path, CONTROL_SCHEMA, store=SERVICE, synchronous="FULL"))


class SqlServiceStore:
    """The port ``ServiceStore``; contracts of its methods are written there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self) -> None:
        """Open the database now.

        Raises:
            TruthUnavailable: it cannot be opened.
            Misconfigured: it is not of the version this program needs.
        """
        await self._database.open()

    async def close_store(self) -> None:
        """Close the database."""
        await self._database.close()

    async def claim_request(self, request: KeptRequest, *, now: datetime) -> KeptRequest:
        """See the port."""
        return await self._database.write("claim_request", lambda db: service_rows.claim_request(db, request, now=now))

    async def put_feedback(self, feedback: RunFeedback) -> None:
        """See the port."""
        await self._database.write("put_feedback", lambda db: service_rows.put_feedback(db, feedback))

    async def feedback(self, run_id: RunId) -> tuple[RunFeedback, ...]:
        """See the port."""
        return await self._database.read("feedback", lambda db: service_rows.feedback_of(db, run_id))

    async def add_case(self, case: CaseRecord) -> CaseRecord:
        """See the port.

        Raises:
            ValueError: the case is decided already.
        """
        if case.state is not CaseState.PENDING:
            raise ValueError(f"case {case.case_id!r} is {case.state} before anybody decided")
        return await self._database.write("add_case", lambda db: service_rows.add_case(db, case))

    async def case(self, case_id: str) -> CaseRecord | None:
        """See the port."""
        return await self._database.read("case", lambda db: service_rows.find_case(db, case_id))

    async def cases(self, *, state: CaseState | None = None, limit: int = 50) -> tuple[CaseRecord, ...]:
        """See the port.

        Raises:
            ValueError: ``limit`` is not within 1–200.
        """
        check_limit(limit)
        return await self._database.read("cases", lambda db: service_rows.list_cases(db, state=state, limit=limit))

    async def decide_case(
        self, case_id: str, state: CaseState, *, by: str, now: datetime, doc_id: str | None = None
    ) -> CaseRecord | None:
        """See the port.

        Raises:
            ValueError: PENDING is no decision.
        """
        if state is CaseState.PENDING:
            raise ValueError("PENDING is no decision")
        return await self._database.write(
            "decide_case",
            lambda db: service_rows.decide_case(db, case_id, state, by=by, now=now, doc_id=doc_id),
        )

    async def join_alert(self, group: str, run_id: RunId, *, now: datetime, within_s: float = 1800.0) -> AlertRun:
        """See the port; a group that this very run claimed before is its own, not joined."""
        return await self._database.write(
            "join_alert", lambda db: service_rows.join_alert(db, group, run_id, now=now, within_s=within_s)
        )

    async def record_access(self, access: AccessRecord) -> None:
        """See the port."""
        await self._database.write("record_access", lambda db: service_rows.record_access(db, access))

    async def accesses(self, *, limit: int = 100) -> tuple[AccessRecord, ...]:
        """See the port.

        Raises:
            ValueError: ``limit`` is not within 1–1000.
        """
        check_limit(limit, at_most=MAX_LISTED_ACCESSES)
        return await self._database.read("accesses", lambda db: service_rows.list_accesses(db, limit=limit))

    async def forget_documents(self, doc_ids: Sequence[str]) -> int:
        """How many approved cases were deleted because the documents they had become are gone.

        Raises:
            TruthUnavailable: the database cannot be written; nothing was deleted.
        """
        return await self._database.write("forget_documents", lambda db: service_retention.delete_cases_of(db, doc_ids))

    async def forget_before(self, limit: datetime, *, now: datetime) -> int:
        """How many rows were deleted: requests older than a day, and what is of ``limit`` or earlier.

        A judgement and a case stay while their run is there, an approved case while its document is.

        Raises:
            TruthUnavailable: the database cannot be written; nothing was deleted.
        """
        return await self._database.write("forget_before", lambda db: service_retention.delete_old(db, limit, now=now))
