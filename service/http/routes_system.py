"""Operation: is it alive, is it ready, what does it count, and what is it."""

from datetime import datetime
from importlib.metadata import version
from typing import Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from graph.picture import picture
from graph.standing import describe, probe
from service.http.context import Doors, Guarded, Operator, Shared, Spoken, User
from service.http.metrics import MEDIA_TYPE
from service.http.problems import answers
from service.texts import http as texts
from state.model.caller import Role
from state.model.enums import Language

router = APIRouter(route_class=Guarded, tags=["operation"])

UNAVAILABLE = 503


class _Reply(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


class HealthReply(_Reply):
    """This process answers."""

    status: Literal["ok"] = "ok"


class DependencyReply(_Reply):
    """One thing without which no run can be executed."""

    status: Literal["ok", "down"]
    why: str | None
    """A code, never an internal."""


class ReadyReply(_Reply):
    """Whether runs can be executed here."""

    status: Literal["ok", "down"]
    dependencies: dict[str, DependencyReply]


class CallerReply(_Reply):
    """Who asks."""

    name: str
    roles: list[Role]


class SourceReply(_Reply):
    """One source of evidence."""

    name: str
    tool: str
    """The tool that searches it."""
    kind: str


class DemoReply(_Reply):
    """A bundled incident: invented data to try the service on."""

    name: str
    title: str
    question: str
    """A question that its data answers."""


class AboutReply(_Reply):
    """What this service is, for this caller."""

    version: str
    caller: CallerReply
    sources: list[SourceReply]
    notices: list[str]
    """What every report of this process says of its evidence."""
    model: str
    languages: list[Language]
    time_zone: str
    """IANA name in which the sources give times; times without an offset are taken to be in it."""
    now: datetime | None
    """The present of the sources; null: that of the clock."""
    demo: DemoReply | None
    """The bundled incident that is served; null: real evidence."""


class NodeReply(_Reply):
    """One node."""

    name: str
    title: str


class EdgeReply(_Reply):
    """One way between two nodes; `START` and `END` are the ends of the graph."""

    # ``from`` is a word of Python.
    start: str = Field(serialization_alias="from")
    end: str = Field(serialization_alias="to")
    condition: str | None
    """The exit that leads there; null: always."""


class GraphReply(_Reply):
    """The compiled graph."""

    nodes: list[NodeReply]
    edges: list[EdgeReply]
    mermaid: str


@router.get("/healthz")
async def healthz() -> HealthReply:
    """This process answers; it asks nothing else."""
    return HealthReply()


@router.get("/readyz", responses={UNAVAILABLE: {"model": ReadyReply, "description": "Something is down."}})
async def readyz(doors: Doors, response: Response) -> ReadyReply:
    """Can runs be executed here."""
    probed = await probe(doors)
    found = {name: DependencyReply(status="down" if why else "ok", why=why) for name, why in probed.items()}
    is_ready = all(one.status == "ok" for one in found.values())
    if not is_ready:
        response.status_code = UNAVAILABLE
    return ReadyReply(status="ok" if is_ready else "down", dependencies=found)


_PROMETHEUS: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "Prometheus text."}
}


@router.get(
    "/metrics",
    response_class=Response,
    responses={**_PROMETHEUS, **answers()},
)
async def metrics(shared: Shared, caller: Operator) -> Response:
    """What this process counted since it started."""
    shared.meters.running.set(shared.served.live.n_running)
    shared.meters.tell(shared.served.live.tally)
    return Response(shared.meters.text(), headers={"Content-Type": MEDIA_TYPE})


@router.get("/api/about", responses=answers())
async def about(shared: Shared, caller: User, spoken: Spoken) -> AboutReply:
    """What this service is."""
    known = await describe(shared.served, shared.settings)
    demo = shared.demo
    return AboutReply(
        version=version("rootproof"),
        caller=CallerReply(name=caller.name, roles=sorted(caller.roles)),
        sources=[SourceReply(name=one.name, tool=one.tool, kind=one.kind) for one in known.sources],
        notices=[notice.text(spoken) for notice in known.notices],
        model=known.model,
        languages=list(Language),
        time_zone=known.time_zone,
        now=known.now,
        demo=DemoReply(name=demo.name, title=demo.title.text(spoken), question=demo.question) if demo else None,
    )


@router.get("/api/graph", responses=answers())
async def graph(caller: User, spoken: Spoken) -> GraphReply:
    """The graph that every run takes its way through."""
    drawn = picture()
    return GraphReply(
        nodes=[NodeReply(name=name, title=texts.NODE[name].text(spoken)) for name in drawn.nodes],
        edges=[EdgeReply(start=edge.start, end=edge.end, condition=edge.condition) for edge in drawn.edges],
        mermaid=drawn.mermaid,
    )
