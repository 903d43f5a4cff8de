"""The one place where the HTTP application is put together: layers from the outside in, then the routes."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from config.keyring import Keyring
from config.settings import Settings
from graph.executing import TooManyRuns
from graph.served import Served
from graph.system import SystemClock, SystemIds
from service.http import (
    routes_alerts,
    routes_cases,
    routes_documents,
    routes_forks,
    routes_lookback,
    routes_runs,
    routes_system,
    static_page,
)
from service.http.context import Context
from service.http.envelope import Envelope
from service.http.gate import MAX_BODY_BYTES, Gate, needs_caller
from service.http.limits import make_rates
from service.http.metrics import Meters
from service.http.patience import Patience, SlowBodies
from service.http.places import Places
from service.http.problems import HttpProblem, ProblemBody, answer_problem
from service.http.sse import SEND_TIMEOUT_S, Streams
from service.world_choice import BundledWorld
from state.model.errors import InvalidQuery, RunRefused, TruthUnavailable

ROUTERS = (
    routes_runs.chats,
    routes_runs.router,
    routes_forks.router,
    routes_lookback.router,
    routes_cases.router,
    routes_documents.router,
    routes_alerts.router,
    routes_system.router,
)
WEB_FOLDER = Path(__file__).parents[1] / "web"
_ANSWERED = (
    HttpProblem,
    InvalidQuery,
    RunRefused,
    TruthUnavailable,
    TooManyRuns,
    RequestValidationError,
    HTTPException,
)
"""Errors with a meaning for the caller; every other one is the envelope's."""
_CORS_METHODS = ("GET", "POST", "DELETE")
_CORS_HEADERS = ("Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", "Accept-Language")
_CORS_SHOWN = ("X-Request-Id", "X-Run-Id", "Retry-After")

OpenServed = Callable[[], AbstractAsyncContextManager[Served]]


@dataclass(frozen=True)
class Setup:
    """What an application is made of besides its settings."""

    keyring: Keyring = Keyring()
    web: Path = WEB_FOLDER
    """Folder of the page; without it there is none."""
    send_timeout_s: float = SEND_TIMEOUT_S
    patience: Patience = Patience()
    demo: BundledWorld | None = None
    """The bundled incident that is served; None: real evidence."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set: every stream ends."""


def create_app(open_served: OpenServed, settings: Settings, setup: Setup | None = None) -> FastAPI:
    """The application; what it works with is opened when it starts and closed when it ends."""
    setup = setup or Setup()
    meters = Meters()
    app = FastAPI(
        title="Rootproof",
        version=version("rootproof"),
        summary="Incident diagnosis that publishes a root cause only when it can prove it.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(open_served, settings, setup, meters),
        middleware=_layers(settings, setup, meters),
        exception_handlers=dict.fromkeys(_ANSWERED, answer_problem),
    )
    for router in ROUTERS:
        # Not of the application: its own answer to a declared length would be no problem document.
        app.include_router(router, max_body_size=MAX_BODY_BYTES)
    static_page.mount(app, setup.web)
    app.openapi = lambda: _described(app)  # type: ignore[method-assign]
    return app


def _layers(settings: Settings, setup: Setup, meters: Meters) -> list[Middleware]:
    """From the outside in."""
    layers = [
        Middleware(Envelope, meters=meters, clock=SystemClock(), ids=SystemIds()),
        Middleware(SlowBodies, clock=SystemClock(), patience=setup.patience),
    ]
    if settings.cors_origins:
        layers.append(
            Middleware(
                CORSMiddleware,
                allow_origins=settings.cors_origins,
                allow_methods=_CORS_METHODS,
                allow_headers=_CORS_HEADERS,
                expose_headers=_CORS_SHOWN,
            )
        )
    origins = frozenset(settings.cors_origins)
    return [*layers, Middleware(Gate, keyring=setup.keyring, rates=make_rates(settings), origins=origins)]


def _lifespan(
    open_served: OpenServed, settings: Settings, setup: Setup, meters: Meters
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_served() as served:
            places = Places(settings.max_streams_per_key)
            streams = Streams(meters, setup.stopping, places, setup.send_timeout_s)
            app.state.context = Context(settings, served, SystemClock(), streams, meters, setup.demo)
            yield

    return lifespan


def _described(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document: every route with its key, and one shape for every problem."""
    if app.openapi_schema is None:
        document = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        schema = ProblemBody.model_json_schema(ref_template="#/components/schemas/{model}")
        parts = document.setdefault("components", {}).setdefault("schemas", {})
        parts.update({**schema.pop("$defs", {}), "ProblemBody": schema})
        for name in _FRAMEWORKS_OWN:
            parts.pop(name, None)
        document["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
        for path, operations in document["paths"].items():
            _describe(path, operations.values())
        app.openapi_schema = document
    return app.openapi_schema


def _describe(path: str, operations: Iterable[dict[str, Any]]) -> None:
    for operation in operations:
        operation["security"] = [{"key": []}] if needs_caller(path) else []
        if "application/json" in operation["responses"].get("422", {}).get("content", {}):
            # The framework's own shape, added where nothing can be wrong but the shape of the address.
            del operation["responses"]["422"]


_FRAMEWORKS_OWN = ("HTTPValidationError", "ValidationError")
