"""The evidence tool over databases: validates, runs, and projects rows as citable items."""

import asyncio
from collections.abc import Mapping
from zoneinfo import ZoneInfo

from pydantic import Field, create_model

from state.model.enums import Coverage, EvidenceStatus, ToolCode
from state.model.errors import InvalidToolInput, ToolFailed
from state.model.evidence import Projection, Scalar, Scope, render_projection, scope8, scope_key
from state.model.ids import ToolCallId
from tools.contract import CallContext, Prepared, RawResult, ToolInput
from tools.sql.catalogue import Table
from tools.sql.describe import catalogue_terms, describe
from tools.sql.items import ItemBuilder, Row, has_cut_cell
from tools.sql.refusal import Refusal, shown
from tools.sql.sizes import MAX_CELL_CHARS, RAW_CAP_BYTES
from tools.sql.source import SqlSource
from tools.sql.tokens import MAX_SQL_BYTES
from tools.sql.validator import ValidSql, validate
from tools.sql.values import MAX_PARAMS

ROW_CAP = 100
_CELL_STEPS = (MAX_CELL_CHARS, 400, 80)
"""Cells are cut further only where not even one row fits otherwise."""


class QuerySqlInput(ToolInput):
    """Arguments of ``query_sql``."""

    datasource: str = Field(max_length=100)
    """Name of one datasource of the catalogue."""
    sql: str = Field(max_length=MAX_SQL_BYTES)
    """One plain SELECT."""
    params: tuple[Scalar, ...] = Field((), max_length=MAX_PARAMS)
    """Values of the ? placeholders, in their order."""


def _input_model(datasources: tuple[str, ...]) -> type[ToolInput]:
    """The arguments, their schema listing the datasources; an unknown one is still for ``prepare`` to name."""
    about = "One datasource of the catalogue."
    datasource = Field(max_length=100, description=about, json_schema_extra={"enum": [*datasources]})
    return create_model("QuerySqlInput", __base__=QuerySqlInput, datasource=(str, datasource))


class QuerySql:
    """An ``EvidenceTool`` over one or more SQL datasources."""

    name = "query_sql"
    input_model: type[ToolInput]
    raw_cap_bytes = RAW_CAP_BYTES
    projection_cap_bytes = 64 * 1024

    def __init__(self, sources: Mapping[str, SqlSource], *, timeout_s: float = 5.0) -> None:
        self._sources = dict(sources)
        self.timeout_s = timeout_s
        self.input_model = _input_model(tuple(self._sources))
        catalogues = {name: source.catalogue for name, source in self._sources.items()}
        self.description = describe(catalogues)
        self.catalogue_terms = catalogue_terms(catalogues)

    def prepare(self, arguments: ToolInput, context: CallContext) -> Prepared:
        """The statement rebuilt, with every value in place. Pure.

        Raises:
            InvalidToolInput: unknown datasource, or a statement that is refused (INVALID_REQUEST, NOT_READ_ONLY).
        """
        given = QuerySqlInput.model_validate(arguments.model_dump())
        valid = self._validated(given.datasource, given.sql, given.params)
        scope: dict[str, Scalar] = {"datasource": given.datasource, "sql": valid.normalised}
        return Prepared(
            normalised={**scope, "limit": valid.limit, "time_zone": context.time_zone},
            scope_key=scope_key(self.name, {**scope}),
        )

    def _validated(self, datasource: str, sql: str, params: tuple[Scalar, ...]) -> ValidSql:
        source = self._sources.get(datasource)
        if source is None:
            why = f"There is no datasource {shown(datasource)}; the datasources are {', '.join(self._sources)}."
            raise InvalidToolInput(ToolCode.INVALID_REQUEST, why[:280])
        valid = validate(sql, params, source.catalogue)
        if isinstance(valid, Refusal):
            raise InvalidToolInput(valid.code, valid.why)
        return valid

    async def execute(self, prepared: Prepared, context: CallContext) -> RawResult:
        """The rows. What is run is validated again from the normalised request, right here.

        Raises:
            ToolFailed: the source could not answer in time, in size or at all, or has changed since ``prepare``.
        """
        valid = self._again(prepared, ToolCode.TOOL_EXECUTION_ERROR)
        # A zone is a file until it is first used; ``project`` must find it loaded.
        await asyncio.to_thread(ZoneInfo, _text(prepared, "time_zone"))
        source = self._sources[_text(prepared, "datasource")]
        found = await source.run(valid, timeout_s=self.timeout_s, row_cap=_row_cap(prepared))
        payload: dict[str, object] = {"rows": [list(row) for row in found.rows], "more": found.more}
        return RawResult(payload=payload, coverage=Coverage.PARTIAL if found.more else Coverage.COMPLETE)

    def _again(self, prepared: Prepared, code: ToolCode) -> ValidSql:
        try:
            return self._validated(_text(prepared, "datasource"), _text(prepared, "sql"), ())
        except InvalidToolInput as error:
            raise ToolFailed(code, log_detail=f"no longer valid: {error.why}") from error

    def project(self, tool_call_id: ToolCallId, prepared: Prepared, raw: RawResult) -> Projection:
        """At most 100 rows and 64 KiB. Pure.

        Raises:
            ToolFailed: PROJECTION_ERROR: the payload is not rows of this statement, or not one row fits.
        """
        valid = self._again(prepared, ToolCode.PROJECTION_ERROR)
        rows = _rows(raw, width=len(valid.outputs))
        more = raw.coverage is Coverage.PARTIAL
        empty = Projection(
            tool_call_id=tool_call_id,
            tool=self.name,
            scope=_scope(prepared),
            coverage=raw.coverage,
            evidence_status=EvidenceStatus.EVIDENCE_FOUND if rows else EvidenceStatus.NO_EVIDENCE,
            truncated=more,
            total_matches=None if more else len(rows),
        )
        return self._filled(empty, self._builder(valid, prepared), rows) if rows else empty

    def _builder(self, valid: ValidSql, prepared: Prepared) -> ItemBuilder:
        datasource = _text(prepared, "datasource")
        label = self._table_label(datasource, valid.query.first.table)
        return ItemBuilder(valid, label, scope8(prepared.scope_key), ZoneInfo(_text(prepared, "time_zone")))

    def _table_label(self, datasource: str, table: Table) -> str:
        """The table's name; with schema or datasource where the name alone means more than one table."""
        others = [other.name.lower() for source in self._sources.values() for other in source.catalogue.tables]
        name = self._sources[datasource].catalogue.label(table)
        return name if others.count(table.name.lower()) == 1 and name == table.name else f"{datasource}.{name}"

    def _filled(self, empty: Projection, builder: ItemBuilder, rows: list[Row]) -> Projection:
        room = self.projection_cap_bytes - len(render_projection(empty).encode()) - len("false")
        for cell_chars in _CELL_STEPS:
            items = builder.build(rows[:ROW_CAP], cell_chars=cell_chars)
            kept = _how_many_fit([len(item.model_dump_json().encode()) + 1 for item in items], room)
            if kept:
                shortened = kept < len(rows) or has_cut_cell(rows[:kept], cell_chars=cell_chars)
                truncated = empty.truncated or shortened
                return empty.model_copy(update={"items": items[:kept], "truncated": truncated})
        raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail="not one row fits")


def _row_cap(prepared: Prepared) -> int:
    limit = prepared.normalised.get("limit")
    return min(limit, ROW_CAP) if isinstance(limit, int) else ROW_CAP


def _text(prepared: Prepared, name: str) -> str:
    value = prepared.normalised.get(name)
    return value if isinstance(value, str) else ""


def _scope(prepared: Prepared) -> Scope:
    limit = prepared.normalised.get("limit")
    limited = f" LIMIT {limit}" if limit is not None else ""
    return Scope(source=_text(prepared, "datasource"), query=_text(prepared, "sql") + limited)


def _rows(raw: RawResult, *, width: int) -> list[Row]:
    rows = raw.payload.get("rows")
    if not isinstance(rows, list) or any(not isinstance(row, list) or len(row) != width for row in rows):
        raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail="the payload holds no rows of this statement")
    return rows


def _how_many_fit(sizes: list[int], room: int) -> int:
    kept = total = 0
    for size in sizes:
        total += size
        if total > room:
            break
        kept += 1
    return kept
