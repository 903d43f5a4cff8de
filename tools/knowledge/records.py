"""What is known about each document: its state, its text's digest and its chunks. A SQLite file.

The index is the place of the text; these records say what should be in it, so that a rebuild is exact.
"""

import sqlite3
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from state.model.base import Value

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
"""
_COLUMNS = "kb_scope, path, doc_id, sha256, settings, state, attempts, title, category, problem"


class DocumentState(StrEnum):
    """Where a document stands. Only READY is searchable in full."""

    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    READY = "READY"
    FAILED = "FAILED"


class DocumentRecord(Value):
    """One document of one scope."""

    kb_scope: str
    path: str
    """Relative to its folder, with ``/``."""
    doc_id: str
    sha256: str
    """Of the file's bytes."""
    settings: str
    """Chunk settings it was cut with, as JSON."""
    state: DocumentState
    attempts: int = 0
    """How often indexing this content was begun."""
    title: str = ""
    category: str = ""
    problem: str = ""
    """Why it FAILED, or what was wrong with its head; one sentence."""


class Records:
    """Open records of one collection; thread-safe."""

    def __init__(self, path: Path, collection: str) -> None:
        """Opens or creates the file.

        Raises:
            sqlite3.Error: the file is no database of ours.
            OSError: the file cannot be made.
        """
        self._collection = collection
        self._lock = threading.Lock()
        path.touch(mode=0o600)
        self._connection = sqlite3.connect(path, timeout=5.0, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute("PRAGMA secure_delete = ON")
        self._connection.executescript(_SCHEMA)

    def documents(self, kb_scope: str | None = None) -> tuple[DocumentRecord, ...]:
        """Documents by path; of every scope if none is named."""
        query = f"SELECT {_COLUMNS} FROM document WHERE collection = ? AND (? IS NULL OR kb_scope = ?) ORDER BY path"
        with self._lock:
            rows = self._connection.execute(query, (self._collection, kb_scope, kb_scope)).fetchall()
        names = [name.strip() for name in _COLUMNS.split(",")]
        return tuple(DocumentRecord.model_validate(dict(zip(names, row, strict=True))) for row in rows)

    def put(self, record: DocumentRecord) -> None:
        """Insert or replace the document's record."""
        values = record.model_dump(mode="json")
        names = [name.strip() for name in _COLUMNS.split(",")]
        marks = ", ".join("?" for _ in range(len(names) + 1))
        with self._write() as connection:
            connection.execute(
                f"INSERT OR REPLACE INTO document (collection, {_COLUMNS}) VALUES ({marks})",
                (self._collection, *(values[name] for name in names)),
            )

    def chunks(self, doc_id: str) -> dict[str, str]:
        """Evidence key → SHA-256 of the embedded text, for what the index holds of the document."""
        query = "SELECT evidence_key, text_sha256 FROM chunk WHERE collection = ? AND doc_id = ?"
        with self._lock:
            return dict(self._connection.execute(query, (self._collection, doc_id)).fetchall())

    def put_chunks(self, doc_id: str, chunks: dict[str, str]) -> frozenset[str]:
        """Replace the document's chunks; the texts that no chunk of any collection has any more."""
        before = frozenset(self.chunks(doc_id).values())
        with self._write() as connection:
            connection.execute("DELETE FROM chunk WHERE collection = ? AND doc_id = ?", (self._collection, doc_id))
            rows = [(self._collection, key, doc_id, text) for key, text in chunks.items()]
            connection.executemany("INSERT INTO chunk VALUES (?, ?, ?, ?)", rows)
            return frozenset(text for text in before if not _is_used(connection, text))

    def remove(self, record: DocumentRecord) -> frozenset[str]:
        """Delete the document and its chunks; the texts that no chunk has any more."""
        orphans = self.put_chunks(record.doc_id, {})
        with self._write() as connection:
            connection.execute(
                "DELETE FROM document WHERE collection = ? AND kb_scope = ? AND path = ?",
                (self._collection, record.kb_scope, record.path),
            )
        return orphans

    def clear(self) -> None:
        """Forget all documents of the collection: its index is empty."""
        with self._write() as connection:
            connection.execute("DELETE FROM document WHERE collection = ?", (self._collection,))
            connection.execute("DELETE FROM chunk WHERE collection = ?", (self._collection,))

    def drop(self, collections: Collection[str]) -> frozenset[str]:
        """Forget other collections; the texts that no chunk has any more."""
        orphans: set[str] = set()
        with self._write() as connection:
            for name in collections:
                texts = connection.execute("SELECT text_sha256 FROM chunk WHERE collection = ?", (name,)).fetchall()
                connection.execute("DELETE FROM document WHERE collection = ?", (name,))
                connection.execute("DELETE FROM chunk WHERE collection = ?", (name,))
                orphans |= {text for (text,) in texts if not _is_used(connection, text)}
        return frozenset(orphans)

    def chunk_count(self) -> int:
        """How many chunks the index should hold."""
        query = "SELECT count(*) FROM chunk WHERE collection = ?"
        with self._lock:
            return int(self._connection.execute(query, (self._collection,)).fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._connection:
            yield self._connection


def _is_used(connection: sqlite3.Connection, text_sha256: str) -> bool:
    query = "SELECT 1 FROM chunk WHERE text_sha256 = ? LIMIT 1"
    return connection.execute(query, (text_sha256,)).fetchone() is not None


def all_ready(records: Collection[DocumentRecord]) -> bool:
    """True if every document can be searched in full; true for none."""
    return all(record.state is DocumentState.READY for record in records)
