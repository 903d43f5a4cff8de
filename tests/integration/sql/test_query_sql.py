"""The tool over two schemas of a real server: what the model is told, asks, and may cite."""

from datetime import UTC, datetime

import pytest

from state.model.enums import Coverage, EvidenceStatus
from state.model.evidence import Projection, Window, parse_projection, render_projection
from state.model.ids import ToolCallId
from tests.integration.sql.incident import OFFER, WallClock, mysql_at, postgres_at
from tests.servers import Server
from tools.contract import CallContext, RawResult
from tools.sql.mysql_source import MysqlSqlSource
from tools.sql.postgres_source import PostgresSqlSource
from tools.sql.query_sql import QuerySql, QuerySqlInput

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
CONTEXT = CallContext(now=NOW, time_zone="Asia/Shanghai", default_window=Window(start=NOW, end=NOW), kb_scope="t")


async def found(tool: QuerySql, sql: str) -> Projection:
    prepared = tool.prepare(QuerySqlInput(datasource="shop", sql=sql), CONTEXT)
    raw = await tool.execute(prepared, CONTEXT)
    projection = tool.project(ToolCallId("call-1"), prepared, RawResult.model_validate_json(raw.model_dump_json()))
    assert parse_projection(render_projection(projection)) == projection
    return projection


async def check(tool: QuerySql) -> None:
    """Names with schema, from description to item id; times in one zone; nothing of a masked column."""
    assert "- app.orders(id bigint key, " in tool.description
    assert "- archive.orders(id bigint key, status " in tool.description
    assert "- customers(id int" in tool.description
    assert {"app.orders", "archive.orders", "customers"} <= set(tool.catalogue_terms)

    listed = await found(tool, "SELECT o.id, o.created_at, o.booked_on, o.note FROM app.orders AS o WHERE o.id = 2")
    joined = await found(
        tool,
        "SELECT o.id, a.status, c.region FROM app.orders o LEFT JOIN archive.orders a ON a.id = o.id"
        " JOIN customers c ON c.id = o.customer_id ORDER BY o.id",
    )
    nothing = await found(tool, "SELECT id FROM archive.orders WHERE status = 'NEW'")

    (item,) = listed.items
    assert (item.item_id, item.identified) == ("row:shop.app.orders:2", True)
    assert item.fields["created_at"] == "2026-03-01T10:05:00+00:00"
    assert item.fields["booked_on"] == "2026-03-01T18:05:00+08:00"
    assert listed.scope.query == "SELECT id, created_at, booked_on, note FROM app.orders WHERE id = 2"
    assert [item.fields for item in joined.items][0] == {"id": 1, "status": "OLD", "region": "[MASKED]"}
    assert (nothing.coverage, nothing.evidence_status) == (Coverage.COMPLETE, EvidenceStatus.NO_EVIDENCE)


@pytest.mark.xdist_group("postgres")
async def test_the_tool_over_postgres(postgres_shop: Server) -> None:
    source = await PostgresSqlSource.open(postgres_at(postgres_shop), OFFER, clock=WallClock())

    await check(QuerySql({"shop": source}))


@pytest.mark.xdist_group("mariadb")
async def test_the_tool_over_mariadb(mariadb_shop: Server) -> None:
    source = await MysqlSqlSource.open(mysql_at(mariadb_shop), OFFER, clock=WallClock())

    await check(QuerySql({"shop": source}))
