"""Judge: what people say of results, and the cases that operators decide."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from graph.cases import CaseDecided
from service.http.answering import present
from service.http.codes import ProblemCode
from service.http.context import Doors, Guarded, Operator, User, check_commands
from service.http.problems import HttpProblem, answers
from service.http.routes_documents import knowledge_problems
from service.http.routes_lookback import run_of_session
from state.model.caller import Caller
from state.model.served import CaseRecord, CaseState, FeedbackVerdict

router = APIRouter(route_class=Guarded, tags=["judge"])


class FeedbackBody(BaseModel):
    """What a person says of a result."""

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra={
            "example": {
                "session_id": "s-1",
                "run_id": "5f1c8c0e-6d2b-4e0e-9f0a-8f6b3a1f3b7d",
                "verdict": "not_useful",
                "correction": "The certificate had expired.",
            }
        },
    )

    session_id: str = Field(max_length=64)
    run_id: str = Field(max_length=64)
    verdict: FeedbackVerdict
    correction: str = Field("", max_length=4000)
    """What was really the cause."""


class FeedbackReply(BaseModel):
    """The judgement is kept."""

    run_id: str
    verdict: FeedbackVerdict
    case_id: str | None
    """The case it offers; an operator decides whether it becomes a document."""


class CasesReply(BaseModel):
    """Newest first."""

    cases: list[CaseRecord]


@router.post(
    "/api/feedback",
    responses=answers(ProblemCode.BAD_REQUEST, ProblemCode.NOT_FOUND, ProblemCode.INVALID_REQUEST),
)
async def judge(doors: Doors, caller: User, body: FeedbackBody) -> FeedbackReply:
    """Say whether a result was useful, and what was really the cause; saying it again replaces it."""
    row = await run_of_session(doors.records, caller, body.session_id, body.run_id)
    check_commands(row, caller)
    case = await doors.cases.judge(row, owner_key=caller.name, verdict=body.verdict, correction=body.correction)
    return FeedbackReply(run_id=row.run_id, verdict=body.verdict, case_id=case.case_id if case else None)


@router.get("/api/cases", responses=answers(ProblemCode.INVALID_REQUEST))
async def list_cases(
    doors: Doors,
    caller: Operator,
    state: CaseState | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> CasesReply:
    """Cases, newest first."""
    return CasesReply(cases=list(await doors.cases.listed(state=state, limit=limit)))


@router.post(
    "/api/cases/{case_id}/approve",
    responses=answers(ProblemCode.NOT_FOUND, ProblemCode.CASE_DECIDED, ProblemCode.E_REBUILD_IN_PROGRESS),
)
async def approve(doors: Doors, caller: Operator, case_id: str) -> CaseRecord:
    """Make the case a document, which searches find once it is embedded."""
    return await _decided(doors, caller, case_id, CaseState.APPROVED)


@router.post("/api/cases/{case_id}/decline", responses=answers(ProblemCode.NOT_FOUND, ProblemCode.CASE_DECIDED))
async def decline(doors: Doors, caller: Operator, case_id: str) -> CaseRecord:
    """Leave the case out of the knowledge base."""
    return await _decided(doors, caller, case_id, CaseState.DECLINED)


async def _decided(doors: Doors, caller: Caller, case_id: str, state: CaseState) -> CaseRecord:
    """The case as this caller decided it.

    Raises:
        HttpProblem: 404 there is none, 409 it was decided before or the knowledge base is being rebuilt.
        TruthUnavailable: the decision cannot be kept.
    """
    decide = doors.cases.approve if state is CaseState.APPROVED else doors.cases.decline
    try:
        with knowledge_problems():
            return present(await decide(case_id, by=caller.name))
    except CaseDecided as decided:
        raise HttpProblem(ProblemCode.CASE_DECIDED, run_id=decided.case.run_id) from None
