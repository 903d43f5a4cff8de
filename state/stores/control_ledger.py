"""The budget ledger: written before spending, settled after. Inside the caller's transaction."""

from collections import Counter
from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, insert, select, update
from sqlmodel import col

from state.model.errors import TruthUnavailable
from state.model.ids import RunId
from state.model.run import BudgetEntry, BudgetKind, BudgetUsage, Lease
from state.stores.control_rows import require_lease
from state.stores.control_tables import BudgetEntryTable, plain_columns

_COLUMNS = plain_columns(BudgetEntryTable, BudgetEntry.model_fields)


def reserve(connection: Connection, lease: Lease, entry: BudgetEntry) -> None:
    """Write the entry unless there is one with its kind and key.

    Raises:
        LeaseLost: the lease does not hold.
    """
    require_lease(connection, lease)
    same = _same(lease.run_id, entry.kind, entry.key)
    if connection.scalar(select(col(BudgetEntryTable.entry_no)).where(*same)) is None:
        connection.execute(insert(BudgetEntryTable).values(entry.model_dump()))


def settle(
    connection: Connection, lease: Lease, kind: BudgetKind, key: str, *, settled: int, usage_reported: bool
) -> None:
    """Set what was really spent.

    Raises:
        LeaseLost: the lease does not hold.
        TruthUnavailable: nothing was reserved under this key.
    """
    require_lease(connection, lease)
    values = {"settled": settled, "usage_reported": usage_reported}
    same = _same(lease.run_id, kind, key)
    if connection.execute(update(BudgetEntryTable).where(*same).values(values)).rowcount != 1:
        raise TruthUnavailable("control", "settle")


def ledger(connection: Connection, run_id: RunId) -> tuple[BudgetEntry, ...]:
    """Every entry of the run in the order of writing."""
    query = select(*_COLUMNS).where(col(BudgetEntryTable.run_id) == run_id).order_by(col(BudgetEntryTable.entry_no))
    return tuple(BudgetEntry.model_validate(dict(row)) for row in connection.execute(query).mappings())


def sum_usage(entries: Sequence[BudgetEntry]) -> BudgetUsage:
    """Sums: what was settled where it is known, what was reserved otherwise. Pure."""
    models = [entry for entry in entries if entry.kind is BudgetKind.MODEL_CALL]
    tools = [entry for entry in entries if entry.kind is BudgetKind.TOOL_CALL]
    return BudgetUsage(
        model_calls=len(models),
        tokens=_spent(models),
        tool_calls=len(tools),
        calls_by_tool=dict(Counter(entry.component for entry in tools)),
        bytes=_spent(tools),
        usage_unavailable=sum(entry.settled is not None and not entry.usage_reported for entry in models),
    )


def _spent(entries: Sequence[BudgetEntry]) -> int:
    return sum(entry.reserved if entry.settled is None else entry.settled for entry in entries)


def _same(run_id: RunId, kind: BudgetKind, key: str) -> tuple[ColumnElement[bool], ...]:
    table = BudgetEntryTable
    return (col(table.run_id) == run_id, col(table.kind) == kind, col(table.key) == key)
