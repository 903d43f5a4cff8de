"""What a run's row keeps of its audit. Inside the caller's transaction."""

from collections.abc import Mapping

from sqlalchemy import Connection, select
from sqlmodel import col

from state.model.audit import AuditDigest, AuditStock
from state.model.ids import RunId
from state.model.run import Lease, sum_usage
from state.model.run_end import end_event, row_of
from state.stores.control_ledger import ledger
from state.stores.control_rows import find_run
from state.stores.control_tables import RunTable


def digest_columns(
    connection: Connection, lease: Lease, stock: AuditStock, terminal: Mapping[str, object]
) -> dict[str, object]:
    """The digest of the audit as it will be with the last event of a run that ends so; empty where nothing is known.

    ``terminal``: the columns that make the row terminal, with ``closed_at`` as a time.
    """
    row = find_run(connection, lease.run_id)
    if stock.digest is None or row is None:
        return {}
    ended = row.model_copy(update={**terminal, "lease_epoch": lease.epoch})
    end = end_event(ended, sum_usage(ledger(connection, lease.run_id)))
    whole = stock.digest.with_row(row_of(lease, stock.end_no, end))
    return {"audit_rows": whole.rows, "audit_sha256": whole.sha256}


def kept_digest(connection: Connection, run_id: RunId) -> AuditDigest | None:
    """The digest kept when the run was closed; None: there is none, or no such run."""
    query = select(col(RunTable.audit_rows), col(RunTable.audit_sha256)).where(col(RunTable.run_id) == run_id)
    found = connection.execute(query).one_or_none()
    if found is None or found.audit_rows is None or found.audit_sha256 is None:
        return None
    return AuditDigest(rows=found.audit_rows, sha256=found.audit_sha256)
