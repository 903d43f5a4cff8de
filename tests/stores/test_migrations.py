"""SQLite files are brought up to date by whoever opens them; what an earlier version wrote is all still there."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from state.model.enums import EvidenceStatus, InvocationStatus
from state.model.errors import Misconfigured
from state.model.run import PublicEventType
from state.stores import migrations
from state.stores.audit_sql import audit_file
from state.stores.audit_tables import AUDIT_SCHEMA
from state.stores.canonical_sqlite import SqliteCanonicalStore
from state.stores.canonical_tables import CANONICAL_SCHEMA
from state.stores.control_schema import CONTROL_SCHEMA
from state.stores.control_sql import control_file
from state.stores.recording_sql import RECORDING_SCHEMA
from state.stores.recording_sqlite import SqliteRecording
from state.stores.schema import HEAD, VERSION_TABLE, Schema
from state.stores.service_sql import service_file
from tests.contracts.samples import (
    CALL,
    NOW,
    PROJECTION_JSON,
    RAW_JSON,
    RUN,
    SteppingClock,
    a_lease,
    a_record,
    a_success,
    a_trace_event,
    facts,
)
from tests.stores.earlier_revisions import LATER, a_run_of_then, check_upgraded_from_0001, make_0001
from tests.stores.old_files import OLD_TABLES, write_old_file

ROOT = Path(__file__).parents[2]
STORES: dict[str, tuple[Schema, Callable[[Path], Any]]] = {
    "control": (CONTROL_SCHEMA, control_file),
    "audit": (AUDIT_SCHEMA, audit_file),
    "recording": (RECORDING_SCHEMA, lambda path: SqliteRecording(path, SteppingClock())),
    "canonical": (CANONICAL_SCHEMA, lambda path: SqliteCanonicalStore(path, SteppingClock())),
}


async def open_once(component: str, path: Path) -> None:
    store = STORES[component][1](path)
    try:
        await store.open()
    finally:
        await store.close_store()


def tables_of(path: Path) -> dict[str, str]:
    """Name → statement of everything in the file, white space aside."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {name: " ".join(statement.split()) for name, statement in found}


def differences(component: str, path: Path) -> list[object]:
    engine = create_engine(f"sqlite:///{path}")
    options = {"compare_type": True, "include_name": lambda name, kind, _: (kind, name) != ("table", VERSION_TABLE)}
    with engine.connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection, opts=options), STORES[component][0].tables)
    engine.dispose()
    return list(found)


def test_head_is_the_newest_revision_and_revisions_are_counted() -> None:
    folder = Path(migrations.__file__).parent
    scripts = ScriptDirectory(str(folder), version_locations=[str(folder / "versions")])
    revisions = [script.revision for script in scripts.walk_revisions()]

    assert scripts.get_heads() == [HEAD]
    assert revisions == [f"{number:04d}" for number in range(len(revisions), 0, -1)]


@pytest.mark.parametrize("component", STORES)
async def test_a_new_file_has_the_tables_of_the_code(tmp_path: Path, component: str) -> None:
    await open_once(component, tmp_path / "x.db")

    assert differences(component, tmp_path / "x.db") == []


@pytest.mark.parametrize("component", STORES)
async def test_a_file_of_before_there_were_revisions_becomes_what_a_new_one_is(tmp_path: Path, component: str) -> None:
    write_old_file(tmp_path / "old.db", component)
    await open_once(component, tmp_path / "old.db")
    await open_once(component, tmp_path / "new.db")

    assert tables_of(tmp_path / "old.db") == tables_of(tmp_path / "new.db")
    assert differences(component, tmp_path / "old.db") == []


@pytest.mark.parametrize("component", STORES)
async def test_the_comparison_sees_what_is_missing(tmp_path: Path, component: str) -> None:
    await open_once(component, tmp_path / "x.db")
    table = STORES[component][0].tables.sorted_tables[0].name
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.execute(f"DROP TABLE {table}")

    assert differences(component, tmp_path / "x.db") != []


async def test_runs_of_an_old_control_file_are_whole(tmp_path: Path) -> None:
    decision = a_success().decision
    run = a_run_of_then()
    entry = {"run_id": RUN, "kind": "TOOL_CALL", "key": "k", "component": "query_logs", "reserved": 9,
             "settled": 8, "usage_reported": 1}  # fmt: skip
    event = {"run_id": RUN, "seq": 1, "event_key": "k", "type": "status", "payload": json.dumps({"n": 1})}
    session = {"session_id": "s-1", "owner_key": "local", "opened_at": 1}
    evidence = {"run_id": RUN, "position": 0, "tool_call_id": CALL}
    view = decision.content.evidence[0]  # type: ignore[union-attr]
    evidence["evidence"] = view.model_dump_json()
    path = tmp_path / "control.db"
    rows = {"run": run, "budget_entry": entry, "public_event": event, "chat_session": session}
    write_old_file(path, "control", **rows, published_evidence=evidence)
    store = control_file(path)

    row = await store.get_run(RUN)

    assert row is not None
    assert (row.facts, row.decision, row.lease_epoch, row.audit_lost) == (facts(), decision, 3, 2)
    assert row.opened_at == datetime(2023, 11, 14, 22, 13, 20, 1, tzinfo=UTC)
    assert [(e.reserved, e.settled, e.usage_reported) for e in await store.entries(RUN)] == [(9, 8, True)]
    assert [(e.type, e.payload) for e in await store.public_events(RUN)] == [(PublicEventType.STATUS, {"n": 1})]
    assert await store.published_evidence(RUN) == (view,)
    await store.close_store()


def make_file_of_0001(path: Path) -> None:
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        make_0001(connection, ("control",))
    engine.dispose()


async def test_a_control_file_of_revision_0001_is_whole_and_can_serve(tmp_path: Path) -> None:
    path = tmp_path / "control.db"
    make_file_of_0001(path)
    assert not {"kept_request", "run_feedback", "case_record", "alert_group", "access_record"} & set(tables_of(path))
    store = control_file(path)

    await check_upgraded_from_0001(store, service_file(path))

    assert differences("control", path) == []


async def test_a_file_of_revision_0001_becomes_what_a_new_one_is(tmp_path: Path) -> None:
    make_file_of_0001(tmp_path / "old.db")
    await open_once("control", tmp_path / "old.db")
    await open_once("control", tmp_path / "new.db")

    assert tables_of(tmp_path / "old.db") == tables_of(tmp_path / "new.db")


async def test_the_service_opens_a_file_of_revision_0001_as_well(tmp_path: Path) -> None:
    make_file_of_0001(tmp_path / "control.db")
    service = service_file(tmp_path / "control.db")

    assert await service.accesses() == ()

    assert differences("control", tmp_path / "control.db") == []
    await service.close_store()


async def test_other_old_files_are_whole(tmp_path: Path) -> None:
    event, record = a_trace_event(), a_record(a_lease())
    traced = event.model_dump(mode="json") | {"run_id": RUN, "sequence_no": 4, "phase": "ROUTING", "at": 1,
        "details": json.dumps(event.details), "lease_epoch": 1}  # fmt: skip
    write_old_file(tmp_path / "audit.db", "audit", trace_event=traced)
    reply = {"run_id": RUN, "step": "agent:1:1", "request_sha256": "a" * 64, "reply_json": "{}", "expires_at": LATER}
    write_old_file(tmp_path / "recording.db", "recording", recorded_reply=reply)
    kept = record.model_dump(mode="json") | {"status": "READY", "evidence_status": "EVIDENCE_FOUND", "begun_at": 1,
        "projection_json": PROJECTION_JSON, "projection_sha256": "b" * 64, "raw_json": RAW_JSON,
        "expires_at": LATER}  # fmt: skip
    write_old_file(tmp_path / "canonical.db", "canonical", canonical_record=kept)
    audit = audit_file(tmp_path / "audit.db")
    recording = SqliteRecording(tmp_path / "recording.db", SteppingClock(NOW))
    canonical = SqliteCanonicalStore(tmp_path / "canonical.db", SteppingClock(NOW))

    assert [(stored.sequence_no, stored.event.event_key) for stored in await audit.events(RUN)] == [(4, "route:1")]
    assert await recording.get(RUN, "agent:1:1") == ("a" * 64, "{}")
    found = await canonical.get(RUN, CALL)
    assert found is not None
    assert (found.status, found.evidence_status) == (InvocationStatus.READY, EvidenceStatus.EVIDENCE_FOUND)
    assert await canonical.raw(RUN, CALL) == RAW_JSON
    for store in (audit, recording, canonical):
        await store.close_store()


@pytest.mark.parametrize("component", STORES)
async def test_a_file_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path, component: str) -> None:
    path = tmp_path / "x.db"
    await open_once(component, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")

    with pytest.raises(Misconfigured, match=f"newer schema 9999; this program knows {HEAD}"):
        await open_once(component, path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchall() == [("9999",)]


async def test_an_old_file_of_a_version_nobody_released_is_refused(tmp_path: Path) -> None:
    write_old_file(tmp_path / "x.db", "audit")
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection, connection:
        connection.execute("UPDATE schema_version SET version = 7")

    with pytest.raises(Misconfigured, match="schema version 7"):
        await open_once("audit", tmp_path / "x.db")
    assert VERSION_TABLE not in tables_of(tmp_path / "x.db")


async def test_a_migration_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_old_file(tmp_path / "x.db", "audit")
    before = tables_of(tmp_path / "x.db")
    monkeypatch.setattr("state.stores.migrations.upgrade._UNNUMBERED", _Undroppable())

    with pytest.raises(ZeroDivisionError):
        await open_once("audit", tmp_path / "x.db")

    assert tables_of(tmp_path / "x.db") == before


class _Undroppable:
    """The table of old versions, when the power goes as the last step begins."""

    from state.stores.migrations.upgrade import _UNNUMBERED

    name, c = _UNNUMBERED.name, _UNNUMBERED.c

    def drop(self, _: object) -> None:
        raise ZeroDivisionError


async def test_many_stores_opened_at_once_are_all_migrated(tmp_path: Path) -> None:
    """Alembic keeps its running migration in a global; the threads of our stores must take turns."""
    places = [(component, tmp_path / f"{component}-{n}.db") for component in STORES for n in range(3)]

    await asyncio.gather(*(open_once(component, path) for component, path in places))

    assert [differences(component, path) for component, path in places] == [[]] * len(places)


async def test_one_file_opened_twice_at_once_is_migrated_once(tmp_path: Path) -> None:
    write_old_file(tmp_path / "x.db", "control")

    await asyncio.gather(*(open_once("control", tmp_path / "x.db") for _ in range(4)))

    assert differences("control", tmp_path / "x.db") == []


PROBE = """
import asyncio, sys
from pathlib import Path
from state.stores.audit_sql import audit_file

async def main():
    log = audit_file(Path(sys.argv[1]))
    await log.open()
    await log.close_store()

asyncio.run(main())
print("alembic" in sys.modules)
"""


async def test_opening_a_file_that_is_up_to_date_needs_no_alembic(tmp_path: Path) -> None:
    await open_once("audit", tmp_path / "x.db")
    command = [sys.executable, "-c", PROBE, str(tmp_path / "x.db")]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"


def test_old_tables_are_those_of_the_code_of_then() -> None:
    """Literal, so that nobody regenerates them from today's tables."""
    assert {name: len(tables) for name, tables in OLD_TABLES.items()} == {
        "control": 7, "audit": 1, "recording": 2, "canonical": 6,
    }  # fmt: skip
