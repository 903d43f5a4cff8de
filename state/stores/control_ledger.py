"""The budget ledger: written before spending, settled after. Inside the caller's transaction."""

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlmodel import col

from state.model.errors import TruthUnavailable
from state.model.ids import RunId
from state.model.run import BudgetEntry, BudgetKind, Lease
from state.stores.control_rows import require_lease
from state.stores.control_tables import BudgetEntryTable, plain_columns

_TABLE = BudgetEntryTable
_SAME = (
    col(_TABLE.run_id) == bindparam("of_run"),
    col(_TABLE.kind) == bindparam("of_kind"),
    col(_TABLE.key) == bindparam("of_key"),
)
_FIND = select(col(_TABLE.entry_no)).where(*_SAME)
_INSERT = insert(_TABLE)
_SETTLE = update(_TABLE).where(*_SAME).values(settled=bindparam("spent"), usage_reported=bindparam("reported"))
_LEDGER = (
    select(*plain_columns(_TABLE, BudgetEntry.model_fields))
    .where(col(_TABLE.run_id) == bindparam("of_run"))
    .order_by(col(_TABLE.entry_no))
)


def reserve(connection: Connection, lease: Lease, entry: BudgetEntry) -> None:
    """Write the entry unless there is one with its kind and key.

    Raises:
        LeaseLost: the lease does not hold.
    """
    require_lease(connection, lease)
    if connection.scalar(_FIND, _same(lease.run_id, entry.kind, entry.key)) is None:
        connection.execute(_INSERT, entry.model_dump())


def settle(
    connection: Connection, lease: Lease, kind: BudgetKind, key: str, *, settled: int, usage_reported: bool
) -> None:
    """Set what was really spent.

    Raises:
        LeaseLost: the lease does not hold.
        TruthUnavailable: nothing was reserved under this key.
    """
    require_lease(connection, lease)
    spending = {"spent": settled, "reported": usage_reported}
    if connection.execute(_SETTLE, spending | _same(lease.run_id, kind, key)).rowcount != 1:
        raise TruthUnavailable("control", "settle")


def ledger(connection: Connection, run_id: RunId) -> tuple[BudgetEntry, ...]:
    """Every entry of the run in the order of writing."""
    rows = connection.execute(_LEDGER, {"of_run": run_id}).mappings()
    return tuple(BudgetEntry.model_validate(dict(row)) for row in rows)


def _same(run_id: RunId, kind: BudgetKind, key: str) -> dict[str, object]:
    return {"of_run": run_id, "of_kind": kind, "of_key": key}
