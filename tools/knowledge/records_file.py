"""The SQLite file that says what should be in an index: documents, chunks, tasks. Several processes may use it at once.

The index is the place of the text; this file says what is in force, in one transaction each.
"""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_SCHEMA = """
CREATE TABLE IF NOT EXISTS document (
  kb_scope TEXT NOT NULL, path TEXT NOT NULL, collection TEXT NOT NULL, doc_id TEXT NOT NULL, sha256 TEXT NOT NULL,
  settings TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, title TEXT NOT NULL, category TEXT NOT NULL,
  problem TEXT NOT NULL, PRIMARY KEY (collection, kb_scope, path)
);
CREATE TABLE IF NOT EXISTS chunk (
  collection TEXT NOT NULL, evidence_key TEXT NOT NULL, doc_id TEXT NOT NULL, text_sha256 TEXT NOT NULL,
  PRIMARY KEY (collection, evidence_key)
);
CREATE INDEX IF NOT EXISTS chunk_text ON chunk (text_sha256);
CREATE INDEX IF NOT EXISTS chunk_document ON chunk (collection, doc_id);
CREATE TABLE IF NOT EXISTS hidden (
  collection TEXT NOT NULL, version TEXT NOT NULL, PRIMARY KEY (collection, version)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS serving (
  base TEXT PRIMARY KEY, collection TEXT NOT NULL, building TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS job (
  job_id TEXT PRIMARY KEY, base TEXT NOT NULL, kb_scope TEXT NOT NULL, path TEXT NOT NULL, doc_id TEXT NOT NULL,
  sha256 TEXT NOT NULL, settings TEXT NOT NULL, category TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
  not_before REAL NOT NULL, problem TEXT NOT NULL, embedded INTEGER NOT NULL, reused INTEGER NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS job_state ON job (base, state);
CREATE INDEX IF NOT EXISTS job_document ON job (doc_id);
"""
_ADDED = {"version": "TEXT", "format": "TEXT", "size_bytes": "INTEGER", "given_category": "TEXT", "updated_at": "TEXT"}
"""Columns of ``document`` that files of earlier versions lack."""


class RecordsFile:
    """Open file; thread-safe."""

    def __init__(self, path: Path) -> None:
        """Opens or creates the file.

        Raises:
            sqlite3.Error: the file is no database of ours.
            OSError: the file cannot be made.
        """
        self._lock = threading.RLock()
        path.touch(mode=0o600)
        self._connection = sqlite3.connect(path, timeout=5.0, check_same_thread=False, isolation_level=None)
        for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.executescript(_SCHEMA)
        self._add_columns()

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Rows of a SELECT."""
        with self._lock:
            return self._connection.execute(query, tuple(values)).fetchall()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction; an error inside undoes it."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def forget_traces(self) -> None:
        """Moves the write-ahead log into the file: no deleted row is left in it, unless others read just now."""
        with self._lock:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _add_columns(self) -> None:
        present = {row[1] for row in self._connection.execute("PRAGMA table_info(document)")}
        for name, kind in _ADDED.items():
            if name not in present:
                default = "0" if kind == "INTEGER" else "''"
                self._connection.execute(f"ALTER TABLE document ADD COLUMN {name} {kind} NOT NULL DEFAULT {default}")
