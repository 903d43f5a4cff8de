"""What a handler is given: the served system, who asks, in which language, and under which request id.

Every route module has ``router = APIRouter(route_class=Guarded)`` and every handler names its role by taking a
``User``, an ``Operator`` or an ``Auditor``; a route under ``/api`` without one is refused by a test.
"""

from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated, Any, cast

import orjson
from fastapi import Depends, Request, Response, params
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from config.settings import Settings
from graph.served import Served
from service.http.codes import ProblemCode
from service.http.metrics import Meters
from service.http.places import NoPlace
from service.http.problems import RETRY_AFTER_S, HttpProblem, accepted_language, limited
from service.http.sse import Streams
from service.texts import http as texts
from service.world_choice import BundledWorld
from state.model.caller import Caller, Role
from state.model.enums import Language
from state.model.ids import RunId
from state.model.run import RunRow
from state.ports import Clock


@dataclass(frozen=True)
class Context:
    """What all requests of one process share; there from start to shutdown."""

    settings: Settings
    served: Served
    clock: Clock
    streams: Streams
    meters: Meters
    demo: BundledWorld | None = None
    """The bundled incident that is served; None: real evidence."""


def context(request: Request) -> Context:
    """What this process shares."""
    return cast(Context, request.app.state.context)


def served(request: Request) -> Served:
    """The doors to everything below HTTP."""
    return context(request).served


def caller(request: Request) -> Caller:
    """Who asks, as the gate found before anything of the body was read.

    Raises:
        HttpProblem: 401, nobody known.
    """
    known = request.scope.get("rootproof.caller")
    if not isinstance(known, Caller):
        raise HttpProblem(ProblemCode.UNAUTHENTICATED)
    return known


def request_id(request: Request) -> str:
    """The id under which the log knows this request; also in ``X-Request-Id``."""
    return str(request.scope.get("rootproof.request_id", ""))


def language(request: Request) -> Language:
    """The language of every sentence written for the caller: ``Accept-Language``, else English."""
    return accepted_language(request.headers.get("accept-language", ""))


class Required:
    """A dependency: the caller, who has the role."""

    def __init__(self, role: Role) -> None:
        self.role = role

    def __call__(self, request: Request) -> Caller:
        """The caller.

        Raises:
            HttpProblem: 401 nobody known, 403 the role is missing.
        """
        known = caller(request)
        if not known.may(self.role):
            raise HttpProblem(ProblemCode.FORBIDDEN, role=self.role.value)
        return known


def require(role: Role) -> Required:
    """The dependency that lets only callers with this role in."""
    return Required(role)


User = Annotated[Caller, Depends(require(Role.USER))]
Operator = Annotated[Caller, Depends(require(Role.OPERATOR))]
Auditor = Annotated[Caller, Depends(require(Role.AUDITOR))]
Doors = Annotated[Served, Depends(served)]
Shared = Annotated[Context, Depends(context)]
Spoken = Annotated[Language, Depends(language)]
RequestId = Annotated[str, Depends(request_id)]


async def stream_place(request: Request) -> AsyncIterator[None]:
    """A place among the open streams of the caller, held from before the run is started until the stream has ended.

    Raises:
        HttpProblem: 429, the key has as many streams open as it may.
    """
    places, name = context(request).streams.places, caller(request).name
    try:
        with places.one(name):
            yield
    except NoPlace:
        problem = limited(ProblemCode.TOO_MANY_STREAMS, RETRY_AFTER_S, most=places.most)
        raise problem from None


OneStream = Depends(stream_place)
"""Of every route that answers with a stream, in its ``dependencies``."""


class StrictRequest(Request):
    """A request whose JSON is that of the standard: no NaN, no half of a character, and no deeper than 1 024."""

    async def json(self) -> Any:  # noqa: ANN401 - whatever was sent; the body's model reads it
        """The body.

        Raises:
            JSONDecodeError: it is no such JSON.
        """
        return orjson.loads(await self.body())


class Guarded(APIRoute):
    """A route that asks for its role and for the type of its body before it reads it; FastAPI reads the body first."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler behind its role."""
        inner, roles, expected = super().get_route_handler(), required_roles(self.dependant), self._body_type()

        async def guarded(request: Request) -> Response:
            for required in roles:
                required(request)
            if expected is not None:
                check_media_type(request, expected)
            return await inner(StrictRequest(request.scope, request.receive))

        return guarded

    def _body_type(self) -> str | None:
        if self.body_field is None:
            return None
        return "multipart/form-data" if isinstance(self.body_field.field_info, params.Form) else "application/json"


def check_media_type(request: Request, expected: str) -> None:
    """Return if a body, where one comes, is said to be of this type. Pure.

    Raises:
        HttpProblem: 415.
    """
    has_body = request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if has_body and given != expected:
        raise HttpProblem(ProblemCode.UNSUPPORTED_MEDIA_TYPE, expected=expected)


def required_roles(dependant: Dependant) -> tuple[Required, ...]:
    """Every role that stands before a handler; empty: anybody may call it."""
    own = (dependant.call,) if isinstance(dependant.call, Required) else ()
    return (*own, *(role for part in dependant.dependencies for role in required_roles(part)))


def check_commands(row: RunRow, caller: Caller) -> None:
    """Return if the caller may say something to or of the run: an own one, or any for an operator. Pure.

    Raises:
        HttpProblem: 403, it may only read it.
    """
    if row.owner_key != caller.name and not caller.may(Role.OPERATOR):
        raise HttpProblem(ProblemCode.FORBIDDEN, texts.NOT_YOURS)


async def readable_run(served: Served, caller: Caller, run_id: str) -> RunRow:
    """The run, if the caller may read it: an own one, or any for those who see every session.

    Raises:
        HttpProblem: 404, there is none or it is another's; nobody can tell which.
        TruthUnavailable: the runs cannot be read.
    """
    row = await served.records.run(RunId(run_id))
    if row is None or not (row.owner_key == caller.name or caller.sees_every_session):
        raise HttpProblem(ProblemCode.NOT_FOUND)
    return row
