"""The audit of a run as one number: its rows in order, each a line of text, chained by SHA-256. Pure.

What is hashed is documented to the byte in docs/trace-events.md, so that anybody can check it without this program.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass

from state.model.base import Value

NO_ROWS = "0" * 64
"""Digest of an empty audit: what the first row is chained to."""


@dataclass(frozen=True)
class AuditRow:
    """One row as the audit's table holds it; fields in the order of its columns."""

    run_id: str
    sequence_no: int
    event_key: str
    phase: str
    type: str
    node: str
    at: int
    """Microseconds since 1970 UTC."""
    duration_ms: int | None
    details: str
    """JSON text, as it was written."""
    lease_epoch: int


@dataclass(frozen=True)
class Timeline:
    """The audit of a run as its closing finds it."""

    rows: tuple[AuditRow, ...]
    """In order of ``sequence_no``, without the last event."""
    end_no: int
    """The number that the last event will have."""


class AuditDigest(Value):
    """How many rows, and what they are."""

    rows: int = 0
    sha256: str = NO_ROWS

    def with_row(self, row: AuditRow) -> "AuditDigest":
        """The digest of these rows and one more behind them."""
        chained = hashlib.sha256(self.sha256.encode() + b"\n" + line_of(row))
        return AuditDigest(rows=self.rows + 1, sha256=chained.hexdigest())


class AuditStock(Value):
    """What a closing knows of the audit of its run."""

    lost: int = 0
    """Events that are missing."""
    digest: AuditDigest | None = None
    """Of all rows but the last event; None: the audit could not be read or written, so none is recorded."""
    end_no: int = 0
    """The number that the last event will have."""


def line_of(row: AuditRow) -> bytes:
    """The row as a JSON array of its columns: ASCII, other characters escaped, no white space."""
    return json.dumps(astuple(row), separators=(",", ":"), ensure_ascii=True, default=repr).encode()


def digest_of(rows: Iterable[AuditRow]) -> AuditDigest:
    """The digest of rows that are in order of ``sequence_no``."""
    found = AuditDigest()
    for row in rows:
        found = found.with_row(row)
    return found
