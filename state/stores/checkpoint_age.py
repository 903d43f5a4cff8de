"""How old a checkpoint is, read from its id. Pure."""

import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from uuid import UUID

_log = logging.getLogger(__name__)
_GREGORIAN = datetime(1582, 10, 15, tzinfo=UTC)
"""Where the clock of a version 6 UUID starts, in steps of 100 ns."""


def written_at(checkpoint_id: str) -> datetime | None:
    """When a checkpoint was written, from its time-ordered id; None if the id carries no time."""
    try:
        identity = UUID(checkpoint_id)
    except ValueError:
        return None
    if identity.version != 6:
        return None
    high = identity.int >> 80
    steps = (high << 12) | ((identity.int >> 64) & 0xFFF)
    return _GREGORIAN + timedelta(microseconds=steps // 10)


def older_threads(newest: Iterable[tuple[str, str]], limit: datetime) -> list[str]:
    """Threads of the (thread, its newest checkpoint) pairs whose newest checkpoint was written before ``limit``.

    A thread of unknown age is kept, with a line in the log.
    """
    return [thread for thread, checkpoint_id in newest if _is_before(checkpoint_id, limit)]


def _is_before(checkpoint_id: str, limit: datetime) -> bool:
    at = written_at(checkpoint_id)
    if at is None:
        _log.warning("checkpoint %s carries no time; its thread is kept", checkpoint_id)
    return at is not None and at < limit
