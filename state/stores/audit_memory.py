"""AuditLog in memory, for tests. Fails open: while ``failing``, events are lost and counted."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from state.model.audit import AuditRow, Timeline
from state.model.ids import RunId
from state.model.run import Lease
from state.model.run_end import END_KEY, row_of
from state.model.trace import StoredTraceEvent, TraceEvent
from state.stores.sequence_counter import SequenceCounter


@dataclass
class _Kept:
    """What there is of one run."""

    rows: dict[str, AuditRow] = field(default_factory=dict)
    fence_epoch: int = 0
    end_no: int = 0

    @property
    def highest(self) -> int:
        return max((row.sequence_no for row in self.rows.values()), default=0)

    def in_order(self) -> tuple[AuditRow, ...]:
        return tuple(sorted(self.rows.values(), key=lambda row: row.sequence_no))


class MemoryAuditLog:
    """The port ``AuditLog``; contracts of its methods are written there."""

    def __init__(self) -> None:
        self.failing = False
        """Set by a test: writes fail."""
        self._counters: dict[RunId, SequenceCounter] = {}
        self._kept: dict[RunId, _Kept] = {}

    async def record(self, lease: Lease, event: TraceEvent) -> None:
        """See the port."""
        counter = self._counters.setdefault(lease.run_id, SequenceCounter())
        index = counter.draw(event.event_key, lease.epoch)
        if self.failing:
            return
        kept = self._kept.setdefault(lease.run_id, _Kept())
        if lease.epoch >= kept.fence_epoch and event.event_key not in kept.rows:
            kept.rows[event.event_key] = row_of(lease, _number(lease, event, counter, index, kept), event)
        counter.keep(event.event_key)

    async def lost(self, run_id: RunId) -> int:
        """See the port."""
        counter = self._counters.get(run_id)
        return counter.n_lost if counter else 0

    async def close_timeline(self, lease: Lease) -> Timeline | None:
        """See the port."""
        kept = self._kept.setdefault(lease.run_id, _Kept())
        if self.failing or lease.epoch < kept.fence_epoch:
            return None
        counter = self._counters.setdefault(lease.run_id, SequenceCounter())
        next_no = counter.next_number(lease.epoch, highest_stored=kept.highest)
        kept.fence_epoch, kept.end_no = lease.epoch, max(kept.highest + 1, next_no)
        return Timeline(tuple(row for row in kept.in_order() if row.event_key != END_KEY), kept.end_no)

    async def rows(self, run_id: RunId) -> tuple[AuditRow, ...]:
        """See the port."""
        return self._kept.get(run_id, _Kept()).in_order()

    async def events(self, run_id: RunId) -> tuple[StoredTraceEvent, ...]:
        """See the port."""
        return tuple(_as_stored(row) for row in await self.rows(run_id))


def _number(lease: Lease, event: TraceEvent, counter: SequenceCounter, index: int, kept: _Kept) -> int:
    number = counter.number(index, highest_stored=kept.highest)
    if event.event_key == END_KEY and kept.end_no and lease.epoch == kept.fence_epoch:
        number = kept.end_no
    return kept.highest + 1 if number in {row.sequence_no for row in kept.rows.values()} else number


def _as_stored(row: AuditRow) -> StoredTraceEvent:
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=row.at)
    values = {name: getattr(row, name) for name in TraceEvent.model_fields}
    event = values | {"at": at, "details": json.loads(row.details)}
    return StoredTraceEvent.model_validate(
        {"run_id": row.run_id, "sequence_no": row.sequence_no, "phase": row.phase, "event": event}
    )
