"""The real clock and the real source of ids: the only doors to both."""

import time
import uuid
from datetime import UTC, datetime


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Current UTC instant."""
        return datetime.now(UTC)  # noqa: TID251  this is the door

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never goes back."""
        return time.monotonic()


class SystemIds:
    """Random UUIDs."""

    def uuid(self) -> str:
        """A new UUID in canonical lower-case form."""
        return str(uuid.uuid4())  # noqa: TID251  this is the door
