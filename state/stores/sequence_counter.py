"""Numbers the audit events of one run for its lease holder. A failed write consumes its number, which stays a gap."""


class SequenceCounter:
    """Counts from what the store held when the lease was first used; a new epoch loads again.

    Between loads an event is known by its index: how many numbers this holder had drawn with it.
    """

    def __init__(self) -> None:
        self._epoch = 0
        self._drawn = 0
        self._base: int | None = None
        self._lost: dict[str, int | None] = {}

    @property
    def n_lost(self) -> int:
        """Events that could not be written and were not filled in since."""
        return len(self._lost)

    def draw(self, event_key: str, epoch: int) -> int:
        """Index for this event: the one it was lost with, else the next. It counts as lost until ``keep``."""
        if epoch != self._epoch:
            self._start(epoch)
        index = self._lost.get(event_key)
        if index is None:
            self._drawn += 1
            index = self._drawn
        self._lost[event_key] = index
        return index

    def number(self, index: int, *, highest_stored: int) -> int:
        """Sequence number of the event with this index; the first call after a load fixes the base."""
        if self._base is None:
            self._base = highest_stored
        return self._base + index

    def next_number(self, epoch: int, *, highest_stored: int) -> int:
        """Sequence number that the next new event of this holder would have; draws nothing."""
        if epoch != self._epoch or self._base is None:
            return highest_stored + 1 + (self._drawn if epoch == self._epoch else 0)
        return self._base + self._drawn + 1

    def keep(self, event_key: str) -> None:
        """The event is in the store."""
        self._lost.pop(event_key, None)

    def _start(self, epoch: int) -> None:
        """Numbers lost under an earlier epoch stay gaps; their events, recorded again, draw new ones."""
        self._epoch, self._drawn, self._base = epoch, 0, None
        self._lost = dict.fromkeys(self._lost)
