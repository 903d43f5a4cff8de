"""Fork: the steps a run went through, and a new run that goes on from one of them."""

from collections.abc import Awaitable
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Header
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr
from sse_starlette import EventSourceResponse

from graph.app import ForkOrder
from graph.served import Served
from service.http.codes import ProblemCode
from service.http.context import Guarded, OneStream, Shared, User, readable_run
from service.http.problems import HttpProblem, answers
from service.http.routes_runs import STREAM, start_once
from state.model.caller import Caller
from state.model.diagnosis import RunOptions
from state.model.ids import RunId, digest
from state.model.served import KeptRequest

router = APIRouter(route_class=Guarded, tags=["runs"])

_EXAMPLES: list[Any] = [
    {"at": 7},
    {"at": "guard_evidence", "options": {"max_tool_calls": 4}},
    {"at": "agent:2", "detach": True},
]


class ForkLimits(BaseModel):
    """Limits of the fork; they can only lower those of the service. What the parent spent does not count."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    deadline_s: float | None = Field(None, gt=0)
    """Active seconds."""
    max_model_calls: int | None = Field(None, ge=1)
    max_tool_calls: int | None = Field(None, ge=0)
    max_total_tokens: int | None = Field(None, ge=1000)


class ForkBody(BaseModel):
    """Where to go on from."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True, json_schema_extra={"examples": _EXAMPLES})

    at: Annotated[StrictInt, Field(ge=1, le=10_000)] | Annotated[StrictStr, Field(min_length=1, max_length=100)]
    """The number of a step, the name of a node (its last time; `agent:2` its second), or the id of a checkpoint."""
    detach: bool = False
    """True: the run goes on without a stream."""
    options: ForkLimits = Field(default_factory=ForkLimits)


class StepReply(BaseModel):
    """One step of a run."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    number: int
    """From 1, which is the opening of the run; the first step of a fork is 2."""
    node: str
    """What the run did next."""
    checkpoint_id: str
    at: datetime


class StepsReply(BaseModel):
    """In order."""

    steps: list[StepReply]


@router.get("/api/runs/{run_id}/steps", responses=answers(ProblemCode.NOT_FOUND))
async def steps(shared: Shared, caller: User, run_id: str) -> StepsReply:
    """The steps from which another run can go on; none once they are not kept any more (7 days)."""
    row = await readable_run(shared.served, caller, run_id)
    found = await shared.served.records.steps(row)
    return StepsReply(steps=[StepReply.model_validate(step.model_dump()) for step in found])


@router.post(
    "/api/runs/{run_id}/fork",
    response_class=EventSourceResponse,
    dependencies=[OneStream],
    responses=STREAM
    | answers(
        ProblemCode.BAD_REQUEST,
        ProblemCode.NOT_FOUND,
        ProblemCode.RUN_REFUSED,
        ProblemCode.IDEMPOTENCY_MISMATCH,
        ProblemCode.EVIDENCE_EXPIRED,
        ProblemCode.TOO_LARGE,
        ProblemCode.UNSUPPORTED_MEDIA_TYPE,
        ProblemCode.INVALID_REQUEST,
        ProblemCode.TOO_MANY_RUNS,
        ProblemCode.TOO_MANY_STREAMS,
    ),
)
async def fork(
    shared: Shared,
    caller: User,
    run_id: str,
    body: ForkBody,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=200)] = None,
) -> EventSourceResponse:
    """Go on from a step of an own run as a new run of the same session, and watch it. The parent is not touched."""
    parent = await own_run(shared.served, caller, run_id)
    order = ForkOrder(
        parent_run_id=parent,
        at=str(body.at),
        run_id=shared.served.new_run_id(),
        owner_key=caller.name,
        options=RunOptions.model_validate(body.options.model_dump()),
    )

    def start(given: RunId) -> Awaitable[RunId]:
        return shared.served.live.fork(replace(order, run_id=given), detached=body.detach)

    if idempotency_key is None:
        new_run_id = await start(order.run_id)
    else:
        asked = digest(f"{parent}\n{body.model_dump_json()}")
        mine = KeptRequest(owner_key=caller.name, key=idempotency_key, body_sha256=asked, run_id=order.run_id)
        new_run_id = await start_once(shared, mine, start)
    return shared.streams.response(shared.served.live, new_run_id)


async def own_run(served: Served, caller: Caller, run_id: str) -> RunId:
    """The run, if it is the caller's own; nobody forks another's, whatever its roles.

    Raises:
        HttpProblem: 404, there is none or it is another's; nobody can tell which.
        TruthUnavailable: the runs cannot be read.
    """
    row = await served.records.run(RunId(run_id))
    if row is None or row.owner_key != caller.name:
        raise HttpProblem(ProblemCode.NOT_FOUND)
    return row.run_id
