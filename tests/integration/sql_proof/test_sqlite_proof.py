"""SQLite with the validator off: the read-only session holds by itself. No server: the file, and the folder it is in."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from state.model.ids import digest
from tests.integration.sql_proof.hostility import as_asked, paths_named, run_all
from tests.tools.sql.corpus.reading import corpus
from tests.tools.sql.corpus.world import ALLOWLIST, script
from tests.tools.sql.samples import WallClock
from tools.sql.catalogue import Dialect
from tools.sql.sqlite_source import open_sqlite_file

HOSTILE = corpus("hostile", Dialect.SQLITE)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
async def test_no_hostile_statement_changes_or_leaves_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, journal: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.executescript(f"BEGIN; {script(Dialect.SQLITE)} COMMIT;")
    source = open_sqlite_file(path, clock=WallClock(), allowlist=ALLOWLIST)
    before, absent = digest(path.read_bytes()), paths_named(HOSTILE)

    endings = await run_all(source._executor.door, HOSTILE, as_asked)

    assert digest(path.read_bytes()) == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["shop.sqlite"]
    assert {entry for entry in absent if entry.exists()} == set()
    print(journal, dict(endings))
    assert sum(endings.values()) == len(HOSTILE)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
