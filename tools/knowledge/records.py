"""What is known about each document: its state, its version in force, its chunks. One knowledge base of a records file.

A rebuild fills the records of another collection beside those in force; ``begin_building``, ``switch_to`` and
``stop_building`` say which collection counts.
"""

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from state.model.base import Value
from tools.knowledge.records_file import RecordsFile

_COLUMNS = (
    "kb_scope", "path", "doc_id", "sha256", "settings", "state", "attempts", "title", "category", "problem", "version",
    "format", "size_bytes", "given_category", "updated_at",
)  # fmt: skip
_LISTED = ", ".join(_COLUMNS)


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
    """Relative to its folder, with ``/``; in a library, its name."""
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
    """Why it FAILED, or what was wrong with it; one sentence."""
    version: str = ""
    """Names its rows in the index; empty if it has none there."""
    format: str = ""
    """What it was read as; empty before."""
    size_bytes: int = 0
    given_category: str = ""
    """Category it was added under, which wins over its own head; folded."""
    updated_at: str = ""
    """When it last became READY or FAILED; ISO 8601 UTC, empty before."""


class Records:
    """Open records of one knowledge base; thread-safe."""

    def __init__(self, path: Path | RecordsFile, collection: str, *, fixed: bool = False) -> None:
        """Opens or creates the file. ``collection`` is the one in force until a rebuild; ``fixed``: look at no other.

        Raises:
            sqlite3.Error: the file is no database of ours.
            OSError: the file cannot be made.
        """
        self.base = collection
        self._fixed = fixed
        self.file = path if isinstance(path, RecordsFile) else RecordsFile(path)

    @property
    def collection(self) -> str:
        """The collection in force."""
        return self.base if self._fixed else self._serving()[0]

    @property
    def building(self) -> str:
        """The collection that a rebuild is filling; empty if none is."""
        return "" if self._fixed else self._serving()[1]

    def of_collection(self, collection: str) -> "Records":
        """Records of exactly this collection, in the same file."""
        return Records(self.file, collection, fixed=True)

    def documents(self, kb_scope: str | None = None) -> tuple[DocumentRecord, ...]:
        """Documents by path; of every scope if none is named."""
        query = f"SELECT {_LISTED} FROM document WHERE collection = ? AND (? IS NULL OR kb_scope = ?) ORDER BY path"
        return tuple(map(_record, self.file.rows(query, (self.collection, kb_scope, kb_scope))))

    def document(self, doc_id: str) -> DocumentRecord | None:
        """The document, of any scope; None if there is none."""
        query = f"SELECT {_LISTED} FROM document WHERE collection = ? AND doc_id = ?"
        return next(map(_record, self.file.rows(query, (self.collection, doc_id))), None)

    def readiness(self, kb_scope: str) -> frozenset[tuple[str, bool]]:
        """Pairs of a category and whether READY, that documents of the scope have; empty: it has none."""
        query = "SELECT DISTINCT category, state = ? FROM document WHERE collection = ? AND kb_scope = ?"
        rows = self.file.rows(query, (DocumentState.READY.value, self.collection, kb_scope))
        return frozenset((str(category), bool(is_ready)) for category, is_ready in rows)

    def put(self, record: DocumentRecord) -> None:
        """Insert or replace the document's record."""
        self.put_all([record])

    def put_all(self, records: Sequence[DocumentRecord]) -> None:
        """Insert or replace these records, all or none."""
        collection = self.collection
        with self.file.write() as connection:
            for record in records:
                _put(connection, collection, record)

    def queue(self, record: DocumentRecord) -> DocumentRecord:
        """The document, PENDING from now on; what is in force of it stays so, whoever brings it in force meanwhile."""
        collection = self.collection
        with self.file.write() as connection:
            if not _version(connection, collection, record.doc_id):
                _put(connection, collection, record)
            connection.execute(
                "UPDATE document SET state = 'PENDING', problem = '' WHERE collection = ? AND doc_id = ?",
                (collection, record.doc_id),
            )
        found = self.document(record.doc_id)
        return found or record

    def chunks(self, doc_id: str) -> dict[str, str]:
        """Evidence key → SHA-256 of the embedded text, for what the index holds of the document."""
        query = "SELECT evidence_key, text_sha256 FROM chunk WHERE collection = ? AND doc_id = ?"
        return {str(key): str(text) for key, text in self.file.rows(query, (self.collection, doc_id))}

    def remove(self, record: DocumentRecord) -> frozenset[str]:
        """Delete the document and its chunks; the texts that no chunk has any more."""
        collection = self.collection
        with self.file.write() as connection:
            orphans = _put_chunks(connection, collection, record.doc_id, {})
            connection.execute("DELETE FROM document WHERE collection = ? AND doc_id = ?", (collection, record.doc_id))
        return orphans

    def hidden(self) -> frozenset[str]:
        """Versions whose rows searches must not see: being written, or replaced and not yet deleted."""
        rows = self.file.rows("SELECT version FROM hidden WHERE collection = ?", (self.collection,))
        return frozenset(str(version) for (version,) in rows)

    def hide(self, versions: Collection[str]) -> None:
        """Searches stop seeing these versions, before a row of them is written or deleted."""
        collection = self.collection
        with self.file.write() as connection:
            rows = [(collection, version) for version in versions if version]
            connection.executemany("INSERT OR IGNORE INTO hidden VALUES (?, ?)", rows)

    def reveal(self, versions: Collection[str]) -> None:
        """These versions have no rows any more, or all of them."""
        collection = self.collection
        with self.file.write() as connection:
            _reveal(connection, collection, versions)

    def bring_in_force(self, indexed: Sequence[tuple[DocumentRecord, Mapping[str, str]]]) -> frozenset[str]:
        """These documents with their chunks from now on; the texts that no chunk has any more.

        One transaction: searches see the new version, and no more the one it replaces, which stays hidden until it is
        deleted and revealed.
        """
        orphans: set[str] = set()
        collection = self.collection
        with self.file.write() as connection:
            for record, chunks in indexed:
                before = _version(connection, collection, record.doc_id)
                if before not in {"", record.version}:
                    connection.execute("INSERT OR IGNORE INTO hidden VALUES (?, ?)", (collection, before))
                _put(connection, collection, record)
                _reveal(connection, collection, [record.version])
                orphans |= _put_chunks(connection, collection, record.doc_id, chunks)
            return frozenset(text for text in orphans if not _is_used(connection, text))

    def clear(self) -> None:
        """Forget all documents of the collection: its index is empty."""
        self.drop([self.collection])

    def drop(self, collections: Collection[str]) -> frozenset[str]:
        """Forget these collections; the texts that no chunk has any more."""
        orphans: set[str] = set()
        with self.file.write() as connection:
            for name in collections:
                texts = connection.execute("SELECT text_sha256 FROM chunk WHERE collection = ?", (name,)).fetchall()
                for table in ("document", "chunk", "hidden"):
                    connection.execute(f"DELETE FROM {table} WHERE collection = ?", (name,))
                orphans |= {text for (text,) in texts if not _is_used(connection, text)}
        return frozenset(orphans)

    def chunk_count(self) -> int:
        """How many chunks the index should hold."""
        rows = self.file.rows("SELECT count(*) FROM chunk WHERE collection = ?", (self.collection,))
        return int(str(rows[0][0]))

    def begin_building(self, collection: str) -> bool:
        """True if from now on a rebuild fills this collection; False if another one is being filled."""
        with self.file.write() as connection:
            connection.execute("INSERT OR IGNORE INTO serving VALUES (?, ?, '')", (self.base, self.base))
            changed = connection.execute(
                "UPDATE serving SET building = ? WHERE base = ? AND building = ''", (collection, self.base)
            )
            return changed.rowcount == 1

    def switch_to(self, collection: str) -> None:
        """The collection being built is in force from now on. One transaction: whoever searches next searches it."""
        with self.file.write() as connection:
            connection.execute(
                "UPDATE serving SET collection = ?, building = '' WHERE base = ?", (collection, self.base)
            )

    def stop_building(self) -> None:
        """The rebuild is given up; what was in force stays so."""
        with self.file.write() as connection:
            connection.execute("UPDATE serving SET building = '' WHERE base = ?", (self.base,))

    def collections(self) -> frozenset[str]:
        """Every collection this file knows of."""
        rows = self.file.rows("SELECT DISTINCT collection FROM document UNION SELECT collection FROM serving")
        return frozenset(str(name) for (name,) in rows)

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def _serving(self) -> tuple[str, str]:
        rows = self.file.rows("SELECT collection, building FROM serving WHERE base = ?", (self.base,))
        return (str(rows[0][0]), str(rows[0][1])) if rows else (self.base, "")


def _record(row: Sequence[object]) -> DocumentRecord:
    return DocumentRecord.model_validate(dict(zip(_COLUMNS, row, strict=True)))


def _put(connection: sqlite3.Connection, collection: str, record: DocumentRecord) -> None:
    values = record.model_dump(mode="json")
    marks = ", ".join("?" for _ in range(len(_COLUMNS) + 1))
    connection.execute(
        f"INSERT OR REPLACE INTO document (collection, {_LISTED}) VALUES ({marks})",
        (collection, *(values[name] for name in _COLUMNS)),
    )


def _put_chunks(
    connection: sqlite3.Connection, collection: str, doc_id: str, chunks: Mapping[str, str]
) -> frozenset[str]:
    query = "SELECT text_sha256 FROM chunk WHERE collection = ? AND doc_id = ?"
    before = {text for (text,) in connection.execute(query, (collection, doc_id))}
    connection.execute("DELETE FROM chunk WHERE collection = ? AND doc_id = ?", (collection, doc_id))
    rows = [(collection, key, doc_id, text) for key, text in chunks.items()]
    connection.executemany("INSERT INTO chunk VALUES (?, ?, ?, ?)", rows)
    return frozenset(text for text in before if not _is_used(connection, text))


def _version(connection: sqlite3.Connection, collection: str, doc_id: str) -> str:
    query = "SELECT version FROM document WHERE collection = ? AND doc_id = ?"
    found = connection.execute(query, (collection, doc_id)).fetchone()
    return str(found[0]) if found else ""


def _reveal(connection: sqlite3.Connection, collection: str, versions: Collection[str]) -> None:
    rows = [(collection, version) for version in versions]
    connection.executemany("DELETE FROM hidden WHERE collection = ? AND version = ?", rows)


def _is_used(connection: sqlite3.Connection, text_sha256: str) -> bool:
    query = "SELECT 1 FROM chunk WHERE text_sha256 = ? LIMIT 1"
    return connection.execute(query, (text_sha256,)).fetchone() is not None
