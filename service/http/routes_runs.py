"""Ask and watch: a run as a stream, its events again, and the two things that may be said to it."""

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from sse_starlette import EventSourceResponse

from graph.live_runs import RunOrder
from service.http.codes import ProblemCode
from service.http.context import Context, Guarded, OneStream, Shared, User, check_commands, readable_run
from service.http.problems import HttpProblem, answers, invalid_request
from state.model.caller import Caller
from state.model.diagnosis import RunOptions
from state.model.errors import RunRefused
from state.model.ids import RunId, digest
from state.model.run import RunRow
from state.model.served import KeptRequest

router = APIRouter(route_class=Guarded, tags=["runs"])

_ASKED = frozenset({"query", "session_id", "follow_up_of", "options"})
"""Fields whose faults are faults of the question."""


class AskBody(BaseModel):
    """One question."""

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra={
            "example": {"query": "Why do payments fail since 14:05?", "options": {"language": "en", "since": "1h"}}
        },
    )

    query: str
    """The question; at most 4 000 characters."""
    session_id: str | None = None
    """A follow-up names the session of the question before. None: a new one."""
    follow_up_of: str | None = None
    """The user's earlier question."""
    detach: bool = False
    """True: the run goes on without a stream."""
    options: RunOptions = Field(default_factory=RunOptions)
    """They can only lower limits."""


class RunStateReply(BaseModel):
    """Where a run stands."""

    run_id: str
    run_state: str


class RunIdReply(BaseModel):
    """Which run."""

    run_id: str


class Asking(Guarded):
    """The route of a question: what is wrong with it is INVALID_QUERY, whoever finds it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler with its faults told apart."""
        inner = super().get_route_handler()

        async def asking(request: Request) -> Response:
            try:
                return await inner(request)
            except RequestValidationError as error:
                place = error.errors()[0]["loc"]
                if place[0] == "body" and place[1:2] and place[1] in _ASKED:
                    raise invalid_request(error, ProblemCode.INVALID_QUERY) from None
                raise

        return asking


_EXAMPLE = """id: 1
event: metadata
data: {"session_id":"s-1","run_id":"5f1c8c0e-6d2b-4e0e-9f0a-8f6b3a1f3b7d"}

id: 2
event: status
data: {"stage":"ROUTING"}

id: 9
event: done
data: {"outcome":"SUCCESS"}

"""
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The events of the run, from the first to `done`.",
        "headers": {"X-Run-Id": {"description": "The run.", "schema": {"type": "string"}}},
        "content": {"text/event-stream": {"schema": {"type": "string"}, "example": _EXAMPLE}},
    }
}
"""What every route that answers with a stream says of it."""
chats = APIRouter(route_class=Asking, tags=["runs"])


@chats.post(
    "/api/chat",
    response_class=EventSourceResponse,
    dependencies=[OneStream],
    responses=STREAM
    | answers(
        ProblemCode.BAD_REQUEST,
        ProblemCode.RUN_REFUSED,
        ProblemCode.IDEMPOTENCY_MISMATCH,
        ProblemCode.TOO_LARGE,
        ProblemCode.UNSUPPORTED_MEDIA_TYPE,
        ProblemCode.INVALID_QUERY,
        ProblemCode.INVALID_REQUEST,
        ProblemCode.TOO_MANY_RUNS,
        ProblemCode.TOO_MANY_STREAMS,
    ),
)
async def ask(
    shared: Shared,
    caller: User,
    body: AskBody,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=200)] = None,
) -> EventSourceResponse:
    """Ask a question and watch the run that answers it."""
    new_run_id = shared.served.new_run_id()
    order = RunOrder(
        query=body.query,
        owner_key=caller.name,
        options=body.options,
        session_id=body.session_id,
        follow_up_of=body.follow_up_of,
        detached=body.detach,
        run_id=new_run_id,
    )
    if idempotency_key is None:
        run_id = await shared.served.live.start(order)
    else:
        mine = KeptRequest(
            owner_key=caller.name,
            key=idempotency_key,
            body_sha256=digest(body.model_dump_json()),
            run_id=new_run_id,
        )
        run_id = await start_once(shared, mine, lambda given: shared.served.live.start(replace(order, run_id=given)))
    return shared.streams.response(shared.served.live, run_id)


async def start_once(shared: Context, mine: KeptRequest, start: Callable[[RunId], Awaitable[RunId]]) -> RunId:
    """The run of this key: started now, or by the same request before, here or in another process.

    Raises:
        HttpProblem: IDEMPOTENCY_MISMATCH, the key was sent with another body.
        RunRefused: as ``start``, and whatever else it raises; the same key may try again.
    """
    kept = await shared.served.service.claim_request(mine, now=shared.clock.now())
    if kept.body_sha256 != mine.body_sha256:
        raise HttpProblem(ProblemCode.IDEMPOTENCY_MISMATCH, run_id=kept.run_id)
    if kept.run_id != mine.run_id and await _own_run(shared, mine.owner_key, kept.run_id):
        return kept.run_id
    # The request before may have been refused for want of room: its run is started now, under the same id.
    try:
        return await start(kept.run_id)
    except RunRefused:
        if kept.run_id != mine.run_id and await _own_run(shared, mine.owner_key, kept.run_id):
            return kept.run_id
        raise


async def _own_run(shared: Context, owner_key: str, run_id: RunId) -> bool:
    row = await shared.served.records.run(run_id)
    return row is not None and row.owner_key == owner_key


@router.get(
    "/api/runs/{run_id}/events",
    response_class=EventSourceResponse,
    dependencies=[OneStream],
    responses=STREAM | answers(ProblemCode.NOT_FOUND, ProblemCode.INVALID_REQUEST, ProblemCode.TOO_MANY_STREAMS),
)
async def watch(
    shared: Shared,
    caller: User,
    run_id: str,
    after: Annotated[int, Query(ge=0, le=10**9)] = 0,
    last_event_id: Annotated[int | None, Header(ge=0, le=10**9)] = None,
) -> EventSourceResponse:
    """The events of a run from there on, also after a restart; `Last-Event-ID` wins over `after`."""
    row = await readable_run(shared.served, caller, run_id)
    return shared.streams.response(
        shared.served.live, row.run_id, after=after if last_event_id is None else last_event_id
    )


@router.post(
    "/api/runs/{run_id}/cancel",
    status_code=202,
    responses=answers(ProblemCode.NOT_FOUND, ProblemCode.RUN_ENDED),
)
async def cancel(shared: Shared, caller: User, run_id: str) -> RunStateReply:
    """Ask a run to stop, wherever it is executed."""
    row = await _commanded_run(shared, caller, run_id)
    check_told(row, was_running=await shared.served.live.cancel(row.run_id))
    return RunStateReply(run_id=row.run_id, run_state=row.run_state.value)


@router.post(
    "/api/runs/{run_id}/detach",
    status_code=202,
    responses=answers(ProblemCode.NOT_FOUND, ProblemCode.RUN_ENDED),
)
async def detach(shared: Shared, caller: User, run_id: str) -> RunIdReply:
    """Let a run go on without a stream."""
    row = await _commanded_run(shared, caller, run_id)
    check_told(row, was_running=await shared.served.live.detach(row.run_id))
    return RunIdReply(run_id=row.run_id)


async def _commanded_run(shared: Context, caller: Caller, run_id: str) -> RunRow:
    """The run, if the caller may say something to it: an own one, or any for an operator.

    Raises:
        HttpProblem: 404 where the caller may not even read it, 403 where no more than that.
        TruthUnavailable: the runs cannot be read.
    """
    row = await readable_run(shared.served, caller, run_id)
    check_commands(row, caller)
    return row


def check_told(row: RunRow, *, was_running: bool) -> None:
    """Return if there was a run to be told something. Pure.

    Raises:
        HttpProblem: 409, it had ended.
    """
    if not was_running:
        raise HttpProblem(ProblemCode.RUN_ENDED, run_id=row.run_id)
