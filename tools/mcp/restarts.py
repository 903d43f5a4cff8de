"""How often a server that fails is started again. Pure."""

from dataclasses import dataclass

MAX_FAILED_STARTS = 3
"""Starts in a row without one answered call, until there is a pause."""
PAUSE_S = 60.0


@dataclass
class Restarts:
    """Counts starts; the time is monotonic seconds."""

    failed: int = 0
    """Starts since the last answered call."""
    paused_until: float = 0.0

    def may_start(self, now: float) -> bool:
        """True if one more start is allowed now; it is counted."""
        if self.failed >= MAX_FAILED_STARTS:
            if now < self.paused_until:
                return False
            self.failed = 0
        self.failed += 1
        self.paused_until = now + PAUSE_S
        return True

    def answered(self) -> None:
        """A call was answered: the server is well."""
        self.failed = 0
