"""Vectors of texts, each computed once: a cache in a SQLite file, keyed by model and SHA-256 of the text.

Only a cache: a file that is no database is replaced. Several processes may use it at once.
"""

import sqlite3
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from state.model.ids import digest

Vectors = npt.NDArray[np.float32]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vector (
  model TEXT NOT NULL, text_sha256 TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, text_sha256)
) WITHOUT ROWID
"""
_BATCH = 64
_AT_ONCE = 4
"""Batches under way."""


class EmbeddingModel(Protocol):
    """What the index needs of an embedding model (``models.embedding`` has those that exist)."""

    @property
    def name(self) -> str:
        """Identity: vectors of different names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, in order. Blocking. Raises ModelFailed."""
        ...


class Embedded(NamedTuple):
    """Vectors of some texts."""

    vectors: Vectors
    """One row a text, in order."""
    computed: int
    """How many were not in the cache."""


class VectorCache:
    """Open cache file; thread-safe."""

    def __init__(self, path: Path) -> None:
        """Opens or creates the file.

        Raises:
            sqlite3.OperationalError: the file cannot be opened, created or written.
        """
        self._lock = threading.Lock()
        try:
            self._connection = _connect(path)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            _delete(path)
            self._connection = _connect(path)

    def embed(self, model: EmbeddingModel, texts: Sequence[str]) -> Embedded:
        """Vectors of the texts; what is not cached is computed and kept.

        Raises:
            ModelFailed: the model cannot be reached.
        """
        return self.embed_groups(model, [texts])[0]

    def embed_groups(self, model: EmbeddingModel, groups: Sequence[Sequence[str]]) -> list[Embedded]:
        """Vectors of several groups of texts, computed together; a text in several groups counts for the first.

        Raises:
            ModelFailed: the model cannot be reached; what it answered before is kept.
        """
        keyed = [[(digest(text), text) for text in group] for group in groups]
        known = self._load(model, {key for group in keyed for key, _ in group})
        missing: dict[str, str] = {}
        counts: list[int] = []
        for group in keyed:
            new = {key: text for key, text in group if key not in known and key not in missing}
            counts.append(len(new))
            missing |= new
        known |= self._compute(model, missing)
        return [
            Embedded(_stacked([known[key] for key, _ in group], model), count)
            for group, count in zip(keyed, counts, strict=True)
        ]

    def forget(self, text_sha256s: Iterable[str]) -> None:
        """Delete the vectors of these texts, of every model."""
        with self._lock, self._connection:
            self._connection.executemany("DELETE FROM vector WHERE text_sha256 = ?", [(key,) for key in text_sha256s])

    def forget_traces(self) -> None:
        """Moves the write-ahead log into the file: no deleted row is left in it, unless others read just now."""
        with self._lock:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _load(self, model: EmbeddingModel, keys: Collection[str]) -> dict[str, Vectors]:
        query = "SELECT vector FROM vector WHERE model = ? AND text_sha256 = ?"
        with self._lock:
            found = {key: self._connection.execute(query, (model.name, key)).fetchone() for key in keys}
        size = 4 * model.dimension
        whole = {key: row[0] for key, row in found.items() if row and len(row[0]) == size}
        return {key: np.frombuffer(blob, dtype="<f4") for key, blob in whole.items()}

    def _compute(self, model: EmbeddingModel, missing: Mapping[str, str]) -> dict[str, Vectors]:
        """Several batches at a time: an endpoint answers them side by side, a local model takes turns.

        Raises:
            ModelFailed: of the first batch that failed; the others are kept.
        """
        keys = list(missing)
        batches = [keys[first : first + _BATCH] for first in range(0, len(keys), _BATCH)]

        def compute(batch: list[str]) -> dict[str, Vectors]:
            vectors = model.embed([missing[key] for key in batch])
            computed = dict(zip(batch, vectors, strict=True))
            self._store(model, computed)
            return computed

        if len(batches) <= 1:
            return compute(batches[0]) if batches else {}
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="embedding") as pool:
            parts = list(pool.map(compute, batches))
        return {key: vector for part in parts for key, vector in part.items()}

    def _store(self, model: EmbeddingModel, vectors: Mapping[str, Vectors]) -> None:
        rows = [(model.name, key, vector.astype("<f4").tobytes()) for key, vector in vectors.items()]
        with self._lock, self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", rows)


def _stacked(rows: Sequence[Vectors], model: EmbeddingModel) -> Vectors:
    return np.stack(rows) if rows else np.empty((0, model.dimension), np.float32)


def _connect(path: Path) -> sqlite3.Connection:
    if path.parent.is_dir():
        path.touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=5.0, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(_SCHEMA)
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def _delete(path: Path) -> None:
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)
