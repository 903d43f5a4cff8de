"""The port every database stands behind. One door per vendor; a door can only read."""

from dataclasses import dataclass
from typing import Protocol

from state.model.evidence import Scalar
from tools.sql.catalogue import Catalogue
from tools.sql.validator import ValidSql


@dataclass(frozen=True)
class RowSet:
    """Rows as read, in the order of the source; cells in the order of the outputs."""

    rows: tuple[tuple[Scalar, ...], ...]
    """Finite numbers, text of at most 2001 characters, ``<N bytes>`` for a blob, None for NULL."""
    more: bool
    """True if the source held further rows beyond the cap."""


class SqlSource(Protocol):
    """One database, read-only for certain."""

    @property
    def catalogue(self) -> Catalogue:
        """What may be asked for."""
        ...

    async def run(self, valid: ValidSql, *, timeout_s: float, row_cap: int) -> RowSet:
        """At most ``row_cap`` rows (1–100). Never blocks the event loop.

        Raises ToolFailed: TOOL_TIMEOUT; RESULT_TOO_LARGE (over 256 KiB of JSON, or the statement is estimated dearer
        than the configured ceiling and was not run); INVALID_REQUEST (a server says that a value or a function does not
        fit a column's type); else TOOL_EXECUTION_ERROR.
        On CancelledError the statement has ended at the database before it propagates; of a server that answers
        nothing any more the connection is cut within about three seconds, and its own timeout ends the statement.
        """
        ...
