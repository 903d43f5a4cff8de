"""A copy of an embedded index and its records, made while another process uses both."""

import sqlite3
from contextlib import closing
from pathlib import Path

_FILES = ("records.db", "index.db")
_TRIES = 5
_STATE = "SELECT (SELECT group_concat(doc_id || version || state) FROM document), (SELECT count(*) FROM hidden)"


def copy_index(home: Path, folder: Path) -> bool:
    """True if index and records are in the folder now and belong together; else neither is."""
    for _ in range(_TRIES):
        try:
            before = _state(home)
            for name in _FILES:
                _copy(home / name, folder / name)
            if before == _state(home):
                return True
        except sqlite3.Error:
            break
    for name in _FILES:
        (folder / name).unlink(missing_ok=True)
    return False


def _state(home: Path) -> object:
    with closing(_open(home / "records.db")) as records:
        return records.execute(_STATE).fetchone()


def _copy(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    target.touch(mode=0o600)
    with closing(_open(source)) as opened, closing(sqlite3.connect(target)) as copied:
        opened.backup(copied)


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=2.0)
