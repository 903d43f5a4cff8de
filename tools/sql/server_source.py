"""A datasource on a database server: opening it, its time ranges, and running statements by the one executor."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from state.model.enums import ToolCode
from state.model.errors import Misconfigured, SourceUnreachable, ToolFailed
from state.ports import Clock
from tools.sql.catalogue import Catalogue, Dialect, Table
from tools.sql.executor import Executor
from tools.sql.offer import Held, build_catalogue, with_range
from tools.sql.server import Offer, SqlServer
from tools.sql.session import Door, NotReadOnly, Session
from tools.sql.source import RowSet
from tools.sql.validator import ValidSql, validate
from tools.sql.write_rights import Finding

RANGES_S = 2.0
"""Time given to finding the ranges of time columns when a source is opened."""
ONE_RANGE_S = 0.4
"""Of it for one column: without an index it would be a walk over the whole table."""
RIGHTS_S = 15.0
_RANGE_CHARS = 40


class ServerSource:
    """An ``SqlSource`` over one server. Made by the ``open`` of its vendor; close it with ``close``."""

    def __init__(self, catalogue: Catalogue, executor: Executor, vendor: "Vendor", *, timeout_s: float) -> None:
        self.catalogue = catalogue
        self.timeout_s = timeout_s
        self._executor = executor
        self._vendor = vendor

    async def run(self, valid: ValidSql, *, timeout_s: float, row_cap: int) -> RowSet:
        """As in the port; at most the datasource's own timeout.

        Raises:
            ToolFailed: as in the port.
        """
        return await self._executor.run(valid, timeout_s=min(timeout_s, self.timeout_s), row_cap=row_cap)

    async def check_read_only(self) -> tuple[Finding, ...]:
        """What the account may do beyond reading, by the server's own word; empty if nothing.

        Raises:
            ToolFailed: the server could not answer.
        """
        return await self._executor.work(self._vendor.read_findings, timeout_s=RIGHTS_S)

    def close(self) -> None:
        """Let go of its threads; idempotent."""
        self._executor.close()


@dataclass(frozen=True)
class Vendor:
    """What differs between vendors when a source is opened."""

    dialect: Dialect
    default_schema: str
    """Schema of a table that is named without one."""
    read_held: Callable[[Session, Offer], Held]
    """Asks what the allowlisted tables hold."""
    read_findings: Callable[[Session], tuple[Finding, ...]]
    """Asks what the account may do beyond reading."""


async def open_catalogue(
    server: SqlServer, offer: Offer, door: Door, *, vendor: Vendor, clock: Clock
) -> tuple[Catalogue, Executor]:
    """The catalogue with its time ranges, and what runs statements.

    Raises:
        SourceUnreachable: the server cannot be asked.
        Misconfigured: the allowlist does not fit it, or it gives no cost estimate although there is a ceiling.
    """
    executor = Executor(door, clock, offer.max_plan_cost)
    try:
        held = await executor.work(lambda session: vendor.read_held(session, offer), timeout_s=server.timeout_s)
        catalogue = build_catalogue(server, offer, held, dialect=vendor.dialect, schema=vendor.default_schema)
        if offer.max_plan_cost is not None:
            await executor.work(
                lambda session: _check_estimates(server, session, catalogue), timeout_s=server.timeout_s
            )
        ranged = await _with_ranges(catalogue, replace(executor, max_plan_cost=None), clock)
    except ToolFailed as failed:
        executor.close()
        raise SourceUnreachable(server.key, f"{server.host}:{server.port}: {_why(failed, door)}") from failed
    except Misconfigured:
        executor.close()
        raise
    return ranged, executor


def _why(failed: ToolFailed, door: Door) -> str:
    cause = failed.__cause__
    if failed.code is ToolCode.TOOL_TIMEOUT:
        return "the server did not answer in time"
    if isinstance(cause, NotReadOnly):
        return "the server did not confirm that the session can only read"
    return "the server could not say what it holds" if cause is None else door.reason_of(cause)


def _check_estimates(server: SqlServer, session: Session, catalogue: Catalogue) -> None:
    """Nothing, if the server estimates what statements cost.

    Raises:
        Misconfigured: it does not, so a ceiling would refuse everything.
    """
    probe = validate(f"SELECT COUNT(*) FROM {_written(catalogue.tables[0], catalogue)}", (), catalogue)
    assert isinstance(probe, ValidSql), "written from the catalogue"
    if session.cost(probe.sql, probe.params) is None:
        raise Misconfigured(f"{server.key}.max_plan_cost", "this server gives no cost estimate; leave it out")


async def _with_ranges(catalogue: Catalogue, executor: Executor, clock: Clock) -> Catalogue:
    until = clock.monotonic() + RANGES_S
    tables = list(catalogue.tables)
    for at, table in enumerate(tables):
        for place, column in enumerate(table.columns):
            left_s = min(ONE_RANGE_S, until - clock.monotonic())
            if column.is_time and not column.sensitive and left_s > 0:
                tables[at] = await _with_range(tables[at], place, catalogue, executor, left_s)
    return replace(catalogue, tables=tuple(tables))


async def _with_range(table: Table, place: int, catalogue: Catalogue, executor: Executor, left_s: float) -> Table:
    """The table with the range of one column; as it is if the server cannot tell it quickly."""
    name = _quoted(table.columns[place].name, catalogue.dialect)
    sql = f"SELECT MIN({name}), MAX({name}) FROM {_written(table, catalogue)}"
    probe = validate(sql, (), catalogue)
    if not isinstance(probe, ValidSql):
        return table
    try:
        found = await executor.run(probe, timeout_s=left_s, row_cap=1)
    except ToolFailed:
        return table
    ends = found.rows[0] if found.rows else ()
    if not ends or not all(isinstance(end, (str, int, float)) and len(str(end)) <= _RANGE_CHARS for end in ends):
        return table
    is_text = table.columns[place].zoned is None and all(isinstance(end, str) for end in ends)
    return with_range(table, place, str(ends[0]), str(ends[1]), text_times=is_text)


def _written(table: Table, catalogue: Catalogue) -> str:
    return f"{_quoted(table.schema, catalogue.dialect)}.{_quoted(table.name, catalogue.dialect)}"


def _quoted(name: str, dialect: Dialect) -> str:
    mark = "`" if dialect is Dialect.MYSQL else '"'
    return f"{mark}{name}{mark}"
