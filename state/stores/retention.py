"""Deletes what is older than it may be kept, over all stores of records. Fails closed.

Audit and recording go first: whatever stops it in the middle, a run that is still listed is found again next time.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from state.model.ids import RunId

BATCH = 100
"""Runs of one transaction: short enough that nobody waits for it."""
MAX_RUNS = 5_000
"""Of one sweep; the next goes on."""


class KeepsRuns(Protocol):
    """A store with rows of runs."""

    async def delete_runs(self, run_ids: Sequence[RunId]) -> object:
        """Delete everything of these runs."""
        ...


class ListsEndedRuns(Protocol):
    """The control store, as far as retention goes."""

    async def ended_before(self, limit: datetime, *, at_most: int) -> tuple[RunId, ...]:
        """Runs that ended at ``limit`` or earlier, oldest first."""
        ...

    async def delete_runs(self, run_ids: Sequence[RunId]) -> int:
        """How many of the runs were deleted."""
        ...

    async def delete_empty_sessions(self, limit: datetime, *, at_most: int) -> int:
        """How many old sessions without a run were deleted."""
        ...


class KeepsBesideRuns(Protocol):
    """The service store, as far as retention goes."""

    async def forget_before(self, limit: datetime, *, now: datetime) -> int:
        """How many rows were deleted that are of ``limit`` or earlier."""
        ...


async def sweep_retention(
    control: ListsEndedRuns,
    others: Sequence[KeepsRuns],
    service: KeepsBesideRuns,
    *,
    days: float,
    now: datetime,
    max_runs: int = MAX_RUNS,
) -> int:
    """How many runs were deleted: those that ended ``days`` days before ``now`` or earlier, ``max_runs`` at most.

    With them go their ledger, public events, published evidence, judgements, and their rows in ``others`` (audit,
    recording); and sessions of that age that no run is left in, and what ``service`` kept beside runs for so long. A
    RUNNING run is never deleted, however old.

    Raises:
        TruthUnavailable: a store cannot be used; whole batches may be gone already.
    """
    limit, n_deleted = now - timedelta(days=days), 0
    while n_deleted < max_runs:
        due = await control.ended_before(limit, at_most=min(BATCH, max_runs - n_deleted))
        if not due:
            break
        for other in others:
            await other.delete_runs(due)
        n_deleted += await control.delete_runs(due)
    await control.delete_empty_sessions(limit, at_most=max_runs)
    await service.forget_before(limit, now=now)
    return n_deleted
