"""AuditLog in memory, for tests. Fails open: while ``failing``, events are lost and counted."""

from state.model.ids import RunId
from state.model.run import Lease
from state.model.trace import PHASE_OF, StoredTraceEvent, TraceEvent
from state.stores.sequence_counter import SequenceCounter


class MemoryAuditLog:
    """The port ``AuditLog``; contracts of its methods are written there."""

    def __init__(self) -> None:
        self.failing = False
        """Set by a test: writes fail."""
        self._counters: dict[RunId, SequenceCounter] = {}
        self._stored: dict[RunId, dict[str, StoredTraceEvent]] = {}

    async def record(self, lease: Lease, event: TraceEvent) -> None:
        """See the port."""
        counter = self._counters.setdefault(lease.run_id, SequenceCounter())
        index = counter.draw(event.event_key, lease.epoch)
        if self.failing:
            return
        kept = self._stored.setdefault(lease.run_id, {})
        if event.event_key not in kept:
            kept[event.event_key] = _numbered(lease.run_id, event, counter, index, kept)
        counter.keep(event.event_key)

    async def lost(self, run_id: RunId) -> int:
        """See the port."""
        counter = self._counters.get(run_id)
        return counter.n_lost if counter else 0

    async def events(self, run_id: RunId) -> tuple[StoredTraceEvent, ...]:
        """See the port."""
        return tuple(sorted(self._stored.get(run_id, {}).values(), key=lambda stored: stored.sequence_no))


def _numbered(
    run_id: RunId, event: TraceEvent, counter: SequenceCounter, index: int, kept: dict[str, StoredTraceEvent]
) -> StoredTraceEvent:
    taken = {stored.sequence_no for stored in kept.values()}
    highest = max(taken, default=0)
    number = counter.number(index, highest_stored=highest)
    free = highest + 1 if number in taken else number
    return StoredTraceEvent(run_id=run_id, sequence_no=free, phase=PHASE_OF[event.type], event=event)
