"""A SQLite file is private, and opens while other processes use it."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from state.stores.control_sql import control_file
from state.stores.service_sql import service_file
from state.stores.sqlite_file import make_private, set_wal


def link_of(entry: Path) -> str:
    """Empty for the descriptor that lists the others: it is gone already."""
    try:
        return os.readlink(entry)
    except FileNotFoundError:
        return ""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_new_file_and_folder_are_for_the_owner_only(tmp_path: Path) -> None:
    make_private(tmp_path / "a" / "b" / "x.db")

    assert mode(tmp_path / "a" / "b" / "x.db") == 0o600
    assert mode(tmp_path / "a" / "b") == 0o700


def test_existing_file_is_closed_to_others_and_keeps_its_content(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("content")
    (tmp_path / "x.db").chmod(0o644)
    make_private(tmp_path / "x.db")

    assert mode(tmp_path / "x.db") == 0o600
    assert (tmp_path / "x.db").read_text() == "content"


def test_folder_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_private(tmp_path / "x.db")

    assert mode(tmp_path) == 0o755


@pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "BEGIN; SELECT * FROM sqlite_master"])
async def test_opening_waits_for_a_process_that_uses_the_file_in_another_mode(tmp_path: Path, lock: str) -> None:
    store = control_file(tmp_path / "control.db")
    with closing(sqlite3.connect(tmp_path / "control.db", isolation_level=None)) as other:
        other.execute("CREATE TABLE theirs (x)")
        for statement in lock.split("; "):
            other.execute(statement).fetchall()
        opening = asyncio.create_task(store.open())
        await asyncio.sleep(0.15)
        assert not opening.done()
        other.execute("COMMIT")

    await opening
    assert await store.list_runs() == ()
    await store.close_store()


def test_what_is_no_database_is_an_error_at_once(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"not a database, though long enough to look like one" * 100)

    with pytest.raises(sqlite3.DatabaseError):
        set_wal(tmp_path / "x.db")


LEAVING = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('SELECT count(*) FROM run'); db.close()"
"""Another process that looks into the file and goes: the last one to close a file in WAL mode deletes its log."""


async def test_what_is_written_survives_another_process_that_came_and_went(tmp_path: Path) -> None:
    file = tmp_path / "control.db"
    first, second = control_file(file), service_file(file)
    try:
        await first.open()
        await second.open()

        subprocess.run([sys.executable, "-c", LEAVING, str(file)], check=True)

        held = [link_of(entry) for entry in Path("/proc/self/fd").iterdir()]
        ours = [name for name in held if name.startswith(str(tmp_path))]
        assert any(name.endswith("-wal") for name in ours)
        assert not [name for name in ours if name.endswith("(deleted)")]
    finally:
        await first.close_store()
        await second.close_store()
