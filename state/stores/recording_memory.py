"""Recording in memory, for tests. Fails open on write: while ``failing``, replies are lost and counted."""

from datetime import datetime, timedelta

from state.model.ids import RunId
from state.ports import Clock
from state.stores.recording_rules import RECORDING_TTL_S


class MemoryRecording:
    """The port ``Recording``; contracts of its methods are written there."""

    def __init__(self, clock: Clock, *, ttl_s: float = RECORDING_TTL_S) -> None:
        self.failing = False
        """Set by a test: writes fail."""
        self.n_lost = 0
        self._clock = clock
        self._ttl = timedelta(seconds=ttl_s)
        self._replies: dict[tuple[RunId, str], tuple[str, str, datetime]] = {}

    async def put(self, run_id: RunId, step: str, request_sha256: str, reply_json: str) -> None:
        """See the port; a step recorded again is replaced."""
        if self.failing:
            self.n_lost += 1
        else:
            self._replies[run_id, step] = (request_sha256, reply_json, self._clock.now() + self._ttl)

    async def get(self, run_id: RunId, step: str) -> tuple[str, str] | None:
        """See the port; None also once expired."""
        sha256, reply, expires_at = self._replies.get((run_id, step), ("", "", self._clock.now()))
        return (sha256, reply) if expires_at > self._clock.now() else None

    async def sweep(self) -> int:
        """How many expired replies were deleted."""
        gone = [key for key, (_, _, expires_at) in self._replies.items() if expires_at <= self._clock.now()]
        for key in gone:
            del self._replies[key]
        return len(gone)
