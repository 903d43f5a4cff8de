"""What is to be done with added documents: rows of the records file, so that they survive every process.

PENDING → PROCESSING → READY | FAILED. A task of a process that died is PROCESSING without a worker; whoever takes over
the writing begins it again.
"""

from collections.abc import Sequence
from typing import NewType

from state.model.base import Value
from tools.knowledge.records import DocumentState
from tools.knowledge.records_file import RecordsFile

MAX_ATTEMPTS = 3
BACKOFF_S = (2.0, 10.0)
"""Wait before the second and the third attempt."""
KEPT = 1000
"""Finished tasks that are remembered, newest first."""
TaskId = NewType("TaskId", str)
_FIELDS = (
    "task_id", "kb_scope", "path", "doc_id", "sha256", "settings", "category", "state", "attempts", "not_before",
    "problem", "embedded", "reused", "created_at", "updated_at",
)  # fmt: skip
_LISTED = ", ".join(_FIELDS).replace("task_id", "job_id")
"""Files of earlier versions call the table ``job`` and its key ``job_id``; a new name is not worth a migration."""


class Task(Value):
    """One addition of a document."""

    task_id: TaskId
    kb_scope: str
    path: str
    """Name of the document."""
    doc_id: str
    sha256: str
    """Of the bytes that are added."""
    settings: str
    """Chunk settings, as JSON."""
    category: str
    """Given with the document, folded; empty for none."""
    state: DocumentState
    attempts: int = 0
    not_before: float = 0.0
    """Seconds since 1970, before which it is not begun again."""
    problem: str = ""
    """Why the last attempt failed, or what is to be noted; one sentence."""
    embedded: int = 0
    """Chunks the model was asked for."""
    reused: int = 0
    """Chunks whose vector was already known."""
    created_at: str
    """ISO 8601 UTC."""
    updated_at: str


class Tasks:
    """Tasks of one knowledge base; thread-safe."""

    def __init__(self, file: RecordsFile, base: str) -> None:
        self._file = file
        self._base = base

    def put(self, task: Task) -> None:
        """Insert or replace the task; older ones of its document that wait are no longer needed and go."""
        with self._file.write() as connection:
            connection.execute(
                "DELETE FROM job WHERE base = ? AND doc_id = ? AND state = 'PENDING' AND job_id <> ?",
                (self._base, task.doc_id, task.task_id),
            )
            marks = ", ".join("?" for _ in range(len(_FIELDS) + 1))
            values = task.model_dump(mode="json")
            connection.execute(
                f"INSERT OR REPLACE INTO job (base, {_LISTED}) VALUES ({marks})",
                (self._base, *(values[name] for name in _FIELDS)),
            )
            connection.execute(
                "DELETE FROM job WHERE base = ? AND state IN ('READY', 'FAILED') AND job_id NOT IN ("
                "SELECT job_id FROM job WHERE base = ? AND state IN ('READY', 'FAILED') "
                f"ORDER BY updated_at DESC, rowid DESC LIMIT {KEPT})",
                (self._base, self._base),
            )

    def task(self, task_id: str) -> Task | None:
        """The task; None if there is none, or it is long finished."""
        return next(iter(self._select("job_id = ?", (task_id,))), None)

    def of_document(self, doc_id: str) -> Task | None:
        """The newest task of the document; None if none is remembered."""
        return next(iter(self._select("doc_id = ? ORDER BY created_at DESC, rowid DESC", (doc_id,))), None)

    def waiting(self) -> tuple[Task, ...]:
        """Tasks that are not finished, oldest first."""
        return self._select("state IN ('PENDING', 'PROCESSING') ORDER BY created_at, rowid", ())

    def claim(self, limit: int, *, now: float) -> tuple[Task, ...]:
        """The oldest tasks that are due, PROCESSING from now on, one attempt more each."""
        with self._file.write() as connection:
            due = self._select("state = 'PENDING' AND not_before <= ? ORDER BY created_at, rowid LIMIT ?", (now, limit))
            connection.executemany(
                "UPDATE job SET state = 'PROCESSING', attempts = attempts + 1 WHERE job_id = ?",
                [(task.task_id,) for task in due],
            )
        state = DocumentState.PROCESSING
        return tuple(task.model_copy(update={"state": state, "attempts": task.attempts + 1}) for task in due)

    def take_up(self) -> int:
        """How many tasks of a worker that died are PENDING again; only the holder of the writing may call it."""
        with self._file.write() as connection:
            changed = connection.execute(
                "UPDATE job SET state = 'PENDING', not_before = 0 WHERE base = ? AND state = 'PROCESSING'",
                (self._base,),
            )
            return changed.rowcount

    def forget(self, doc_id: str) -> None:
        """Delete every task of the document."""
        with self._file.write() as connection:
            connection.execute("DELETE FROM job WHERE base = ? AND doc_id = ?", (self._base, doc_id))

    def _select(self, condition: str, values: Sequence[object]) -> tuple[Task, ...]:
        query = f"SELECT {_LISTED} FROM job WHERE base = ? AND {condition}"
        rows = self._file.rows(query, (self._base, *values))
        return tuple(Task.model_validate(dict(zip(_FIELDS, row, strict=True))) for row in rows)
