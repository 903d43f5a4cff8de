"""Files and folders of a command line into a document library, with progress; everything left alone is named."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from state.model.base import Value
from state.model.errors import Misconfigured
from tools.knowledge.chunking import ChunkSettings
from tools.knowledge.document_library import DocumentLibrary, DocumentRefused
from tools.knowledge.folder import Problem, documents_of, shown_path
from tools.knowledge.formats.kinds import ALL_SUFFIXES, READABLE
from tools.knowledge.records import DocumentState
from tools.knowledge.tasks import Task, TaskId
from tools.regular_file import is_regular

_POLL_S = 0.2
_FINISHED = frozenset({DocumentState.READY, DocumentState.FAILED})


class Progress(Value):
    """One document is finished."""

    done: int
    """How many are finished, this one included."""
    total: int
    name: str
    state: DocumentState
    """READY or FAILED."""
    note: str
    """Why it FAILED, or what is to be noted; empty if nothing."""


class PathsSummary(Value):
    """What became of everything that was named."""

    added: int
    """Documents that are new or changed, and READY."""
    unchanged: int
    """Documents that were there already, under this or another name."""
    failed: tuple[Problem, ...]
    ignored: tuple[Problem, ...]
    """What is no document, with the reason."""
    noted: tuple[Problem, ...]
    """READY documents with a flaw."""
    embedded: int
    """Chunks the model was asked for."""
    reused: int
    """Chunks whose vector was already known."""
    seconds: float


@dataclass(frozen=True)
class _Found:
    """A file to add."""

    path: Path
    name: str
    """What the document will be called."""


def ingest_paths(
    library: DocumentLibrary,
    paths: Sequence[Path],
    *,
    kb_scope: str,
    progress: Callable[[Progress], None] = lambda _: None,
    chunks: ChunkSettings | None = None,
    category: str = "",
) -> PathsSummary:
    """What the files, and the documents of the folders, became. Returns when none is waiting any more. Blocking.

    A document is called after its file; one from a folder after the folder and its path there. Where another process
    holds the index, that process does the work and this one waits for it.

    Raises:
        Misconfigured: a path does not exist, or a folder holds more than 20 000 documents.
        RebuildInProgress: try again when it is done.
    """
    began = time.monotonic()
    found, ignored = _found(paths)
    waiting: dict[TaskId, str] = {}
    failed: list[Problem] = []
    unchanged = 0
    for file in found:
        try:
            added = library.add_file(file.path, kb_scope=kb_scope, name=file.name, chunks=chunks, category=category)
        except DocumentRefused as error:
            failed.append(Problem(path=file.name, why=error.why))
            continue
        if added.task_id is None:
            unchanged += 1
        else:
            waiting[added.task_id] = added.document.path
    tell = _Teller(progress, total=len(found), done=unchanged + len(failed))
    tasks = list(_finished(library, waiting, kb_scope, tell))
    failed += [Problem(path=task.path, why=task.problem) for task in tasks if task.state is DocumentState.FAILED]
    ready = [task for task in tasks if task.state is DocumentState.READY]
    return PathsSummary(
        added=len(ready),
        unchanged=unchanged,
        failed=tuple(failed),
        ignored=ignored,
        noted=tuple(Problem(path=task.path, why=task.problem) for task in ready if task.problem),
        embedded=sum(task.embedded for task in ready),
        reused=sum(task.reused for task in ready),
        seconds=time.monotonic() - began,
    )


class _Teller:
    """Counts what is finished and tells it."""

    def __init__(self, progress: Callable[[Progress], None], *, total: int, done: int) -> None:
        self._progress = progress
        self._total = total
        self._done = done

    def tell(self, task: Task) -> None:
        self._done += 1
        told = Progress(done=self._done, total=self._total, name=task.path, state=task.state, note=task.problem)
        self._progress(told)


def _finished(library: DocumentLibrary, waiting: dict[TaskId, str], kb_scope: str, tell: _Teller) -> Iterator[Task]:
    """The tasks as they are finished; without those that a later addition or a deletion made needless."""
    while waiting:
        if not library.run_due():
            time.sleep(_POLL_S)
        for task_id in list(waiting):
            task = library.task(task_id, kb_scope=kb_scope)
            if task is None:
                del waiting[task_id]
            elif task.state in _FINISHED:
                del waiting[task_id]
                tell.tell(task)
                yield task


def _found(paths: Sequence[Path]) -> tuple[list[_Found], tuple[Problem, ...]]:
    """Files to add in order, each once, and what was left alone.

    Raises:
        Misconfigured: a path does not exist, or a folder holds too much.
    """
    found: dict[Path, _Found] = {}
    ignored: list[Problem] = []
    for path in paths:
        if path.is_dir():
            inside, left = _in_folder(path)
            ignored += left
        elif path.exists():
            inside, left = _one(path)
            ignored += left
        else:
            raise Misconfigured("path", f"{path} does not exist")
        for file in inside:
            found.setdefault(file.path.resolve(), file)
    return list(found.values()), tuple(ignored)


def _one(path: Path) -> tuple[list[_Found], list[Problem]]:
    if not is_regular(path):
        return [], [Problem(path=shown_path(Path(path.name)), why="is not a regular file")]
    return [_Found(path, path.name)], []


def _in_folder(folder: Path) -> tuple[list[_Found], list[Problem]]:
    name = folder.resolve().name or "root"
    documents = documents_of(folder, ALL_SUFFIXES)
    found = [_Found(folder / path, f"{name}/{path.as_posix()}") for path in documents.paths]
    left = [Problem(path=f"{name}/{problem.path}", why=problem.why) for problem in documents.ignored]
    known = {file.path for file in found}
    others = sorted(
        path for path in folder.rglob("*") if is_regular(path) and not path.is_symlink() and path not in known
    )
    left += [
        Problem(path=f"{name}/{shown_path(path.relative_to(folder))}", why=_why(path.relative_to(folder)))
        for path in others
    ]
    return found, left


def _why(path: Path) -> str:
    return "is hidden" if any(part.startswith(".") for part in path.parts) else f"is none of {READABLE}"
