"""Runs whose every store is a server: Redis for records of calls, PostgreSQL or MariaDB for runs, PostgreSQL checkpoints."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pymysql
import pytest
import redis

from config.settings import Settings
from graph.app import Records
from graph.database import examine_tables, upgrade_tables
from graph.replay import replay_run
from graph.stores import open_stores
from state.model.enums import CancellationReason, FailureCode, ReleaseOutcome, RunState
from state.model.errors import Misconfigured, TruthUnavailable
from state.model.ids import RunId
from tests.graph.stage import RUN_ID, Cast, stage
from tests.servers import Server

pytestmark = pytest.mark.xdist_group("records")


@pytest.fixture
def postgres_url(postgres_server: Server) -> Iterator[str]:
    name = f"rp_{uuid4().hex}"
    admin = f"postgresql://postgres@127.0.0.1:{postgres_server.port}/postgres"
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        yield f"postgresql://postgres@127.0.0.1:{postgres_server.port}/{name}"
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def mariadb_url(mariadb_server: Server) -> Iterator[str]:
    name = f"rp_{uuid4().hex}"
    connection = pymysql.connect(host="127.0.0.1", port=mariadb_server.port, user="root", autocommit=True)
    with connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE `{name}`")
        yield f"mysql://root@127.0.0.1:{mariadb_server.port}/{name}"
        cursor.execute(f"DROP DATABASE `{name}`")


@pytest.fixture(params=["postgres", "mariadb"])
def servers(request: pytest.FixtureRequest, redis_server: Server, postgres_url: str) -> dict[str, object]:
    # The run has the same id in every test; records of the last one would be taken up.
    with redis.Redis(port=redis_server.port) as client:
        client.flushall()
    records = postgres_url if request.param == "postgres" else request.getfixturevalue("mariadb_url")
    return {
        "redis_url": f"redis://127.0.0.1:{redis_server.port}/0",
        "database_url": records,
        "checkpoint_url": postgres_url,
    }


async def test_a_process_refuses_tables_that_are_not_there_and_names_the_way_out(
    servers: dict[str, object], tmp_path: Path
) -> None:
    with pytest.raises(Misconfigured, match="rootproof db upgrade"):
        async with open_stores(Settings(home=tmp_path, **servers)):  # type: ignore[arg-type]
            pass


async def test_a_run_succeeds_is_traced_and_replayed(servers: dict[str, object], tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, **servers)  # type: ignore[arg-type]
    await upgrade_tables(settings)

    async with stage(tmp_path, Cast(settings=servers)) as played:
        result = await played.run()

    async with open_stores(settings) as stores:
        trace = await Records(settings, stores).trace(RunId(RUN_ID))
        again = await replay_run(settings, stores, RunId(RUN_ID))
    assert result.outcome is ReleaseOutcome.SUCCESS
    assert trace is not None and trace.row.run_state is RunState.SUCCESS and trace.evidence
    assert again.diverged_at is None
    assert list(tmp_path.glob("*.db")) == []


async def test_a_cancel_from_another_process_reaches_the_run(servers: dict[str, object], tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, **servers)  # type: ignore[arg-type]
    await upgrade_tables(settings)

    async with open_stores(settings) as other:

        async def cancel_and_hang() -> list[str]:
            await other.control.request_cancel(RunId(RUN_ID), CancellationReason.USER_REQUESTED)
            await asyncio.sleep(60)
            return []

        async with stage(tmp_path, Cast(settings=servers, pages={"errors": cancel_and_hang})) as played:
            result = await asyncio.wait_for(played.run(), 30)

    assert (result.run_state, result.failure_code) == (RunState.CANCELLED, FailureCode.RUN_CANCELLED)


async def test_tables_are_upgraded_once_and_then_current(servers: dict[str, object], tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, **servers)  # type: ignore[arg-type]

    before = await examine_tables(settings)
    upgraded = await upgrade_tables(settings)
    after = await examine_tables(settings)

    assert [fact.found for fact in before] == [None, None]
    assert [fact.name for fact in upgraded] == ["records", "checkpoints"]
    assert [fact.is_current for fact in after] == [True, True]


@pytest.mark.parametrize("setting", ["redis_url", "database_url", "checkpoint_url"])
async def test_a_server_that_is_down_stops_the_start_and_no_file_takes_its_place(
    setting: str, servers: dict[str, object], tmp_path: Path
) -> None:
    await upgrade_tables(Settings(home=tmp_path, **servers))  # type: ignore[arg-type]
    scheme = "redis" if setting == "redis_url" else "postgresql"
    down = Settings(home=tmp_path, **servers | {setting: f"{scheme}://me@127.0.0.1:1/x".replace("/x", "/0")})  # type: ignore[arg-type]

    with pytest.raises(TruthUnavailable):
        async with open_stores(down):
            pass

    assert list(tmp_path.glob("*.db")) == []
