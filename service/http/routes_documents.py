"""Knowledge: documents, their ingest tasks, the rebuild, and a search that says how each hit was found."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, zip_longest
from typing import Annotated, Any, Literal

from fastapi import APIRouter, File, Form, Query, Response, UploadFile
from pydantic import BaseModel, ConfigDict

from graph.document_desk import (
    MAX_FILE_BYTES,
    BaseSearch,
    DocumentRefused,
    ExplainedHit,
    IndexUnavailable,
    KeptDocument,
    RebuildInProgress,
)
from service.http.answering import present
from service.http.codes import ProblemCode
from service.http.context import Doors, Guarded, Operator, User
from service.http.gate import MAX_DOCUMENT_BYTES
from service.http.problems import RETRY_AFTER_S, HttpProblem, answers
from service.texts import routes as texts
from state.model.errors import Misconfigured, ModelFailed

router = APIRouter(route_class=Guarded, tags=["knowledge"])

State = Literal["PENDING", "PROCESSING", "READY", "FAILED"]
_FOLDERS = re.compile(r".*[/\\]", re.DOTALL)


class _Reply(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


class UploadReply(_Reply):
    """An ingest task, or a document that is there already."""

    task_id: str | None
    """None: these bytes are there already and nothing is to be done."""
    doc_id: str
    state: State


class DocumentReply(_Reply):
    """One document."""

    doc_id: str
    name: str
    title: str
    category: str
    """Folded to lower case; empty for none."""
    state: State
    chunks: int
    """How many chunks of it a search can find."""
    problem: str | None
    """Why it FAILED, or what was wrong with it."""
    updated_at: str
    """When it was added, or last became READY or FAILED."""


class DocumentsReply(_Reply):
    """Documents by name."""

    documents: list[DocumentReply]


class TaskReply(_Reply):
    """Where an ingest stands."""

    task_id: str
    doc_id: str
    name: str
    state: State
    attempts: int
    problem: str | None
    embedded: int
    """Chunks the embedding model was asked for."""
    reused: int
    """Chunks whose vector was known."""
    created_at: str
    updated_at: str


class RebuildReply(_Reply):
    """The rebuild has begun."""

    state: Literal["RUNNING"] = "RUNNING"


class AttemptReply(_Reply):
    """One attempt of a search."""

    source: str
    """Name of the knowledge base."""
    name: str
    candidates: int
    usable: bool
    top_quality: float
    duration_ms: int
    embed_ms: int


class HitReply(_Reply):
    """One found chunk."""

    rank: int
    title: str
    path: str
    section: str
    text: str
    """Verbatim beginning, at most 300 characters; untrusted."""
    quality: float
    """Its own cosine with the question, 0–1; gates and grades, never orders."""
    level: str
    found_by: list[str]
    """Lists that hold it: `dense`, `bm25`, `name`."""
    doc_id: str
    chunk: int
    source: str
    """Name of the knowledge base."""


class FoundReply(_Reply):
    """The hits, best first; empty if nothing reaches the thresholds."""

    question: str
    attempts: list[AttemptReply]
    hits: list[HitReply]
    dropped: int
    """Candidates that were not good enough, or for which there was no place."""


_THERE: dict[int | str, dict[str, Any]] = {200: {"model": UploadReply, "description": "The content is there already."}}


@router.post(
    "/api/documents",
    status_code=202,
    max_body_size=MAX_DOCUMENT_BYTES,
    responses=_THERE
    | answers(
        ProblemCode.BAD_REQUEST,
        ProblemCode.E_REBUILD_IN_PROGRESS,
        ProblemCode.TOO_LARGE,
        ProblemCode.UNSUPPORTED_MEDIA_TYPE,
        ProblemCode.INVALID_REQUEST,
    ),
)
async def add_document(
    doors: Doors,
    caller: Operator,
    response: Response,
    file: Annotated[UploadFile, File(description="Markdown, text, HTML, PDF or Word; at most 20 MiB.")],
    category: Annotated[str, Form(max_length=100)] = "",
) -> UploadReply:
    """Add a document, or replace the one of the same name; it is searchable once its task is READY."""
    check_size(file.size or 0)
    content = await file.read()
    with knowledge_problems():
        added = await doors.documents.add(content, name=plain_name(file.filename or ""), category=category)
    if added.task_id is None:
        response.status_code = 200
    return UploadReply(task_id=added.task_id, doc_id=added.doc_id, state=added.state.value)


@router.get("/api/documents", responses=answers())
async def list_documents(doors: Doors, caller: User) -> DocumentsReply:
    """Every document that people added."""
    with knowledge_problems():
        kept = await doors.documents.documents()
    return DocumentsReply(documents=[_document(one) for one in kept])


@router.get("/api/documents/{doc_id}", responses=answers(ProblemCode.NOT_FOUND))
async def one_document(doors: Doors, caller: User, doc_id: str) -> DocumentReply:
    """One document."""
    with knowledge_problems():
        kept = await doors.documents.document(doc_id)
    return _document(present(kept))


@router.delete(
    "/api/documents/{doc_id}",
    status_code=204,
    responses=answers(ProblemCode.NOT_FOUND, ProblemCode.E_REBUILD_IN_PROGRESS),
)
async def delete_document(doors: Doors, caller: Operator, doc_id: str) -> None:
    """Delete a document; when this is answered no search finds it any more."""
    with knowledge_problems():
        present(await doors.cases.delete_document(doc_id) or None)


@router.get("/api/tasks/{task_id}", responses=answers(ProblemCode.NOT_FOUND))
async def one_task(doors: Doors, caller: User, task_id: str) -> TaskReply:
    """Where an ingest stands; a finished task is remembered until a thousand newer ones are."""
    with knowledge_problems():
        task = present(await doors.documents.task(task_id))
    return TaskReply(
        task_id=task.task_id,
        doc_id=task.doc_id,
        name=task.path,
        state=task.state.value,
        attempts=task.attempts,
        problem=task.problem or None,
        embedded=task.embedded,
        reused=task.reused,
        created_at=task.created_at,
        updated_at=task.updated_at,
    )


@router.post(
    "/api/knowledge/rebuild",
    status_code=202,
    responses=answers(ProblemCode.E_REBUILD_IN_PROGRESS, ProblemCode.INVALID_REQUEST),
)
async def rebuild(doors: Doors, caller: Operator, confirm: Literal["REBUILD"]) -> RebuildReply:
    """Make the index anew from the stored files. Searches use the old one until the new one is complete."""
    with knowledge_problems():
        await doors.documents.rebuild()
    return RebuildReply()


@router.get("/api/knowledge/search", responses=answers(ProblemCode.INVALID_REQUEST))
async def search(
    doors: Doors,
    caller: User,
    q: Annotated[str, Query(min_length=1, max_length=500)],
    category: Annotated[str | None, Query(max_length=100)] = None,
) -> FoundReply:
    """Search the documents and the runbooks of a diagnosis, and say how each hit was found."""
    with knowledge_problems():
        searches = await doors.documents.search(q, category=category or None)
    return found_reply(q, searches)


@contextmanager
def knowledge_problems() -> Iterator[None]:
    """What goes wrong with the knowledge base, as problems.

    Raises:
        HttpProblem: in place of every error of it; no text of an error goes out.
    """
    try:
        yield
    except RebuildInProgress:
        raise HttpProblem(ProblemCode.E_REBUILD_IN_PROGRESS) from None
    except DocumentRefused:
        raise HttpProblem(ProblemCode.INVALID_REQUEST, texts.FILE_UNNAMED) from None
    except (Misconfigured, IndexUnavailable, ModelFailed) as error:
        raise HttpProblem(
            ProblemCode.UNAVAILABLE,
            texts.KNOWLEDGE_UNAVAILABLE,
            headers={"Retry-After": str(RETRY_AFTER_S)},
            seconds=RETRY_AFTER_S,
        ) from error


def check_size(size_bytes: int) -> None:
    """Return if a file of that size can be a document. Pure.

    Raises:
        HttpProblem: 422 it is empty, 413 it is larger than 20 MiB.
    """
    if not size_bytes:
        raise HttpProblem(ProblemCode.INVALID_REQUEST, texts.FILE_EMPTY)
    if size_bytes > MAX_FILE_BYTES:
        raise HttpProblem(ProblemCode.TOO_LARGE, texts.FILE_TOO_LARGE, limit_mib=MAX_FILE_BYTES // 1024**2)


def plain_name(filename: str) -> str:
    """The name without the folders that some browsers send before it. Pure."""
    return _FOLDERS.sub("", filename)


def found_reply(question: str, searches: Sequence[BaseSearch]) -> FoundReply:
    """The answers of several knowledge bases in one list: the first hits of all, then the second ones. Pure.

    That is their fusion by rank, as inside one of them: no hit is in two of them.
    """
    ranked = zip_longest(*([(one.source, hit) for hit in one.found.hits] for one in searches))
    hits = [pair for pair in chain.from_iterable(ranked) if pair is not None]
    return FoundReply(
        question=question,
        attempts=[
            AttemptReply(
                source=one.source,
                name=attempt.name.value,
                candidates=attempt.candidate_count,
                usable=attempt.usable,
                top_quality=attempt.top_similarity,
                duration_ms=attempt.duration_ms,
                embed_ms=attempt.embed_ms,
            )
            for one in searches
            for attempt in one.found.trace.attempts
        ],
        hits=[_hit(rank, source, hit) for rank, (source, hit) in enumerate(hits, 1)],
        dropped=sum(len(one.found.dropped) for one in searches),
    )


def _hit(rank: int, source: str, hit: ExplainedHit) -> HitReply:
    doc_id, _, chunk = hit.place.evidence_key.rpartition("#chunk-")
    return HitReply(
        rank=rank,
        title=hit.title,
        path=hit.path,
        section=hit.breadcrumb,
        text=hit.excerpt,
        quality=hit.place.similarity,
        level=hit.place.level.value,
        found_by=list(hit.sources),
        doc_id=doc_id,
        chunk=int(chunk),
        source=source,
    )


def _document(kept: KeptDocument) -> DocumentReply:
    record = kept.record
    return DocumentReply(
        doc_id=record.doc_id,
        name=record.path,
        title=record.title,
        category=record.category,
        state=record.state.value,
        chunks=kept.chunks,
        problem=record.problem or None,
        updated_at=kept.updated_at,
    )
