"""Look back: runs, sessions, traces and evidence of one's own; of everybody for operators and auditors."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, ConfigDict

from graph.app import Records, backed_actions
from graph.reasoning import read_reasoning
from graph.run_trace import EvidenceDetail
from service.http.answering import present
from service.http.auditing import record_access
from service.http.codes import ProblemCode
from service.http.context import Auditor, Doors, Guarded, RequestId, Shared, Spoken, User, readable_run
from service.http.problems import HttpProblem, answers
from service.json_result import Json, alert_json, result_json
from service.run_view import RunView
from service.texts import routes as texts
from service.trace_json import trace_json, verification_json
from state.model.caller import Caller
from state.model.enums import ReleaseOutcome, RunState
from state.model.ids import RunId, SessionId, ToolCallId
from state.model.release import DiagnosisReport, RunResult
from state.model.run import RunRow
from state.model.served import RunFilter

router = APIRouter(route_class=Guarded, tags=["look back"])

T = TypeVar("T")
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The exported run.", "content": {"application/json": {"schema": {"type": "object"}}}}
}
Limit = Annotated[int, Query(ge=1, le=200)]
Before = Annotated[str | None, Query(pattern="^[0-9a-f-]{1,36}$")]
"""Run with which the page before ended."""


class _Reply(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


class RunSummary(_Reply):
    """One run in a list."""

    run_id: str
    session_id: str
    owner_key: str
    query: str
    language: str
    model: str
    opened_at: datetime
    closed_at: datetime | None
    intent: str | None
    run_state: str
    outcome: str | None
    """None while it is RUNNING."""
    content_type: str | None
    fallback_type: str | None
    stop_reason: str | None
    failure_code: str | None
    parent_run_id: str | None
    fork_checkpoint: str | None
    """The checkpoint of the parent from which this run went on; null: it is no fork."""


class RunsReply(_Reply):
    """One page, newest first."""

    runs: list[RunSummary]
    next: str | None
    """What `before` is for the next page; null: this one was the last."""


class SessionReply(_Reply):
    """Runs that belong together."""

    session_id: str
    owner_key: str
    opened_at: datetime
    runs: int
    last_opened_at: datetime | None
    last_query: str


class SessionsReply(_Reply):
    """The one asked in last first."""

    sessions: list[SessionReply]


class RawReply(_Reply):
    """A raw result."""

    tool_call_id: str
    raw: str
    """As stored; untrusted."""


class ReasoningEntry(_Reply):
    """One model step."""

    step: str
    """`role:round:attempt`."""
    at: datetime
    text: str | None
    """As the provider returned it; null where it returned none. Never evidence."""
    assistant: str
    """The text of the reply itself, released or not."""


class ReasoningReply(_Reply):
    """What models said beside their answers."""

    run_id: str
    available: bool
    why: str | None
    """One sentence where nothing is available."""
    entries: list[ReasoningEntry]


def wanted_runs(
    caller: User,
    session_id: Annotated[str | None, Query(max_length=64)] = None,
    outcome: ReleaseOutcome | None = None,
    q: Annotated[str, Query(max_length=200)] = "",
    before: Before = None,
) -> RunFilter:
    """Which runs a list names, of those the caller may see."""
    return RunFilter(
        session_id=SessionId(session_id) if session_id else None,
        owner_key=_only(caller),
        outcome=outcome,
        words=tuple(dict.fromkeys(q.casefold().split())),
        before=RunId(before) if before else None,
    )


Wanted = Annotated[RunFilter, Depends(wanted_runs)]


@router.get("/api/runs", responses=answers(ProblemCode.INVALID_REQUEST))
async def list_runs(doors: Doors, wanted: Wanted, limit: Limit = 20) -> RunsReply:
    """Runs, newest first; `q`: words that all are in the question."""
    return page_of(await doors.records.stores.control.list_runs(wanted, limit=limit), limit)


@router.get("/api/runs/{run_id}", responses=answers(ProblemCode.NOT_FOUND))
async def one_run(doors: Doors, caller: User, run_id: str) -> dict[str, Any]:
    """One run with its result; the object of `rootproof diagnose --json` and a little more."""
    row = await readable_run(doors, caller, run_id)
    return await run_json(doors.records, row)


@router.get("/api/sessions", responses=answers(ProblemCode.INVALID_REQUEST))
async def list_sessions(doors: Doors, caller: User, limit: Limit = 50) -> SessionsReply:
    """Sessions, the one asked in last first."""
    found = await doors.records.stores.control.list_sessions(limit=limit, owner_key=_only(caller))
    return SessionsReply(sessions=[SessionReply.model_validate(one.model_dump()) for one in found])


@router.get("/api/sessions/{session_id}/runs", responses=answers(ProblemCode.NOT_FOUND, ProblemCode.INVALID_REQUEST))
async def runs_of_session(
    doors: Doors, caller: User, session_id: str, limit: Limit = 50, before: Before = None
) -> RunsReply:
    """The runs of a session, newest first."""
    session = await readable_session(doors.records, caller, session_id)
    wanted = RunFilter(session_id=session, before=RunId(before) if before else None)
    return page_of(await doors.records.stores.control.list_runs(wanted, limit=limit), limit)


@router.get("/api/diagnosis/{session_id}/trace", responses=answers(ProblemCode.NOT_FOUND, ProblemCode.INVALID_REQUEST))
async def trace(
    doors: Doors, caller: User, session_id: str, run_id: Annotated[str | None, Query(max_length=64)] = None
) -> dict[str, Any]:
    """Everything kept about one run, by default the newest of the session."""
    records = doors.records
    row = await run_of_session(records, caller, session_id, run_id)
    kept = present(await records.trace(row.run_id))
    detail = await records.detail(kept)
    said = await doors.service.feedback(row.run_id)
    return trace_json(kept) | {
        "run": run_facts(kept.row),
        **detail.model_dump(mode="json"),
        "feedback": [one.model_dump(mode="json") for one in said],
        "verification": verification_json(await records.verify(row.run_id)),
    }


@router.get("/api/runs/{run_id}/evidence/{tool_call_id}", responses=answers(ProblemCode.NOT_FOUND))
async def evidence(doors: Doors, caller: User, run_id: str, tool_call_id: str) -> EvidenceDetail:
    """One tool result: whole while it is kept, afterwards the cited items alone with `expired: true`."""
    row = await readable_run(doors, caller, run_id)
    return present(await doors.records.evidence(row.run_id, ToolCallId(tool_call_id)))


@router.get(
    "/api/runs/{run_id}/evidence/{tool_call_id}/raw",
    responses=answers(ProblemCode.NOT_FOUND, ProblemCode.EVIDENCE_EXPIRED),
)
async def raw_evidence(
    shared: Shared, caller: Auditor, request_id: RequestId, run_id: str, tool_call_id: str
) -> RawReply:
    """The raw result as stored, without secrets. The access is recorded."""
    records, call_id = shared.served.records, ToolCallId(tool_call_id)
    row = await readable_run(shared.served, caller, run_id)
    present(await records.evidence(row.run_id, call_id))
    await record_access(shared, caller, "raw", row.run_id, request_id)
    raw = await records.raw_evidence(row.run_id, call_id)
    return RawReply(tool_call_id=call_id, raw=unexpired(raw, row.run_id, ProblemCode.EVIDENCE_EXPIRED))


@router.get(
    "/api/runs/{run_id}/export",
    response_class=Response,
    responses=_FILE | answers(ProblemCode.NOT_FOUND, ProblemCode.RUN_REFUSED, ProblemCode.RECORDING_EXPIRED),
)
async def export(shared: Shared, caller: Auditor, request_id: RequestId, run_id: str) -> Response:
    """One file that `rootproof replay --file` executes again, also on another machine. The access is recorded."""
    row = await readable_run(shared.served, caller, run_id)
    await record_access(shared, caller, "export", row.run_id, request_id)
    exported = unexpired(await shared.served.records.export(row.run_id), row.run_id, ProblemCode.RECORDING_EXPIRED)
    # Megabytes may be written: not on the loop that everybody waits for.
    text = await asyncio.to_thread(exported.model_dump_json)
    named = {"Content-Disposition": f'attachment; filename="rootproof-run-{row.run_id}.json"'}
    return Response(text, headers=named, media_type="application/json")


@router.get(
    "/api/diagnosis/{session_id}/trace/reasoning", responses=answers(ProblemCode.NOT_FOUND, ProblemCode.INVALID_REQUEST)
)
async def reasoning(
    shared: Shared,
    caller: Auditor,
    spoken: Spoken,
    request_id: RequestId,
    session_id: str,
    run_id: Annotated[str | None, Query(max_length=64)] = None,
) -> ReasoningReply:
    """What models said beside their answers, as the provider returned it. The access is recorded."""
    records = shared.served.records
    row = await run_of_session(records, caller, session_id, run_id)
    await record_access(shared, caller, "reasoning", row.run_id, request_id)
    kept = await read_reasoning(records.settings, records.stores, row.run_id)
    return ReasoningReply(
        run_id=row.run_id,
        available=kept.why is None,
        why=texts.REASONING_WHY[kept.why.value].text(spoken) if kept.why else None,
        entries=[ReasoningEntry.model_validate(one.model_dump()) for one in kept.entries],
    )


def run_facts(row: RunRow) -> Json:
    """What a trace says of the run itself; nothing of the machine that executed it. Pure."""
    return summary_of(row).model_dump(mode="json") | {
        "active_ms": row.active_ms,
        "resumes": row.resumes,
        "detached": row.detached,
        "cancel_reason": row.cancel_reason,
        "audit_lost": row.audit_lost,
        "time_zone": row.facts.time_zone,
        "notices": list(row.facts.notices),
        "limits": row.facts.limits.model_dump(mode="json"),
        "alert": alert_json(row.facts.alert) if row.facts.alert else None,
    }


def unexpired(kept: T | None, run_id: RunId, code: ProblemCode) -> T:
    """What is still kept. Pure.

    Raises:
        HttpProblem: 410, nothing is.
    """
    if kept is None:
        raise HttpProblem(code, run_id=run_id)
    return kept


async def run_json(records: Records, row: RunRow) -> Json:
    """The result object of one run; while it is RUNNING everything a result would say is null.

    Raises:
        TruthUnavailable: a store cannot be read.
    """
    kept = await records.trace(row.run_id)
    ended = await records.result(row.run_id)
    content = ended.content if ended else None
    shown = result_json(RunView(ended or _unended(row), kept))
    added = {
        "query": row.query,
        "language": row.language.value,
        "opened_at": row.opened_at,
        "closed_at": row.closed_at,
        "notices": list(row.facts.notices),
        "time_zone": row.facts.time_zone,
        "parent_run_id": row.parent_run_id,
        "fork_checkpoint": row.fork_checkpoint,
        "backed_actions": list(backed_actions(content)) if isinstance(content, DiagnosisReport) else [],
    }
    return shown | added | ({} if ended else {"outcome": None})


async def readable_session(records: Records, caller: Caller, session_id: str) -> SessionId:
    """The session, if the caller may read it.

    Raises:
        HttpProblem: 404, there is none or it is another's; nobody can tell which.
        TruthUnavailable: the sessions cannot be read.
    """
    known = SessionId(session_id)
    owner = await records.stores.control.session_owner(known)
    if owner is None or not (owner == caller.name or caller.sees_every_session):
        raise HttpProblem(ProblemCode.NOT_FOUND)
    return known


async def run_of_session(records: Records, caller: Caller, session_id: str, run_id: str | None) -> RunRow:
    """The named run of the session, else its newest one.

    Raises:
        HttpProblem: 404, there is none, or the session is another's.
        TruthUnavailable: the runs cannot be read.
    """
    session = await readable_session(records, caller, session_id)
    if run_id is None:
        row = next(iter(await records.stores.control.list_runs(RunFilter(session_id=session), limit=1)), None)
    else:
        row = await records.run(RunId(run_id))
    if row is None or row.session_id != session:
        raise HttpProblem(ProblemCode.NOT_FOUND)
    return row


def summary_of(row: RunRow) -> RunSummary:
    """The run as a list shows it. Pure."""
    return RunSummary.model_validate(row.model_dump(include=set(RunSummary.model_fields)))


def page_of(rows: Sequence[RunRow], limit: int) -> RunsReply:
    """A page as long as it was asked for may have another behind it. Pure."""
    return RunsReply(runs=[summary_of(row) for row in rows], next=rows[-1].run_id if len(rows) == limit else None)


def _only(caller: Caller) -> str | None:
    """The owner to whose runs a list is confined; None: everybody's."""
    return None if caller.sees_every_session else caller.name


def _unended(row: RunRow) -> RunResult:
    """A run that goes on, in the form of a result; its outcome is no fact and not shown."""
    return RunResult(
        run_id=row.run_id,
        session_id=row.session_id,
        language=row.language,
        run_state=RunState.RUNNING,
        outcome=ReleaseOutcome.FAILED,
    )
