"""What is configured, what of it can be reached, and what a model would see. Facts only; the service words them.

Every part is examined on its own, so that one that is broken hides no other. Opening the sources brings the
knowledge base up to date, as any run would; stores are read only where they exist.
"""

import os
import sqlite3
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

import httpx2

from config.settings import Settings
from graph.doctor_sources import SourceFact, SourceState, examine_sources
from graph.sources import OpenSources, open_sources
from graph.stores import (
    AUDIT_FILE,
    CANONICAL_FILE,
    CHECKPOINT_FILE,
    CONTROL_FILE,
    RECORDING_FILE,
    checkpoint_server,
    open_stores,
)
from graph.system import SystemClock
from models.openai_compatible import OPENAI_URL, open_client
from models.roles import RoleModels, build_role_models
from state.model.enums import ModelRole, RedactionPolicy
from state.model.errors import RootproofError
from state.model.language import Bilingual
from state.model.world import World
from state.stores.server_url import is_postgres
from tools.logs.query_logs import QueryLogs

PROBE_TIMEOUT_S = 5.0
STORE_FILES = (CONTROL_FILE, CANONICAL_FILE, CHECKPOINT_FILE, AUDIT_FILE, RECORDING_FILE)
Part = Literal["stores", "models", "world"]


class EndpointState(StrEnum):
    """What a probe of the model's address found."""

    ANSWERS = "ANSWERS"
    KEY_REFUSED = "KEY_REFUSED"
    UNREACHABLE = "UNREACHABLE"
    FAULTY = "FAULTY"
    """It answers, but with an error of its own."""


@dataclass(frozen=True)
class StoreFact:
    """One store."""

    name: str
    size_bytes: int | None
    """Of an embedded file. None: not created yet, or on a server."""
    server: str = ""
    """Kind of server it is on; empty for a file."""


@dataclass(frozen=True)
class ModelFact:
    """The model of one role."""

    role: ModelRole
    name: str
    is_external: bool
    timeout_s: float


@dataclass(frozen=True)
class EndpointFact:
    """The address of the models, and what it said to a request for its list of models."""

    base_url: str
    state: EndpointState
    status: int | None = None


@dataclass(frozen=True)
class ToolFact:
    """One evidence tool as a model is told of it."""

    name: str
    description: str
    """With the catalogue of what its sources hold."""


@dataclass(frozen=True)
class UnreadFact:
    """A log file that cannot be searched."""

    source: str
    name: str
    """Relative to the source."""
    why: str
    """As ``tools.logs.port.Unread`` names it."""


@dataclass(frozen=True)
class KnowledgeFact:
    """The knowledge base after it was brought up to date."""

    documents: tuple[str, ...]
    """Titles."""
    chunks: int
    failed: tuple[tuple[str, str], ...]
    """Path and reason of documents that cannot be searched."""
    noted: tuple[tuple[str, str], ...]
    """Path and flaw of documents that can."""


@dataclass
class Checkup:
    """All facts; a part that could not be examined is empty and has an entry in ``problems``."""

    settings: Settings
    home_writable: bool = False
    stores: tuple[StoreFact, ...] = ()
    models: tuple[ModelFact, ...] = ()
    endpoint: EndpointFact | None = None
    masks_identifiers: bool = False
    world: World | None = None
    tools: tuple[ToolFact, ...] = ()
    knowledge: KnowledgeFact | None = None
    notices: tuple[Bilingual, ...] = ()
    unread: tuple[UnreadFact, ...] = ()
    systems: tuple[SourceFact, ...] = ()
    """The configured sources."""
    problems: list[tuple[Part, RootproofError]] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """True if nothing that is configured stands in the way of a run."""
        reachable = self.endpoint is None or self.endpoint.state is EndpointState.ANSWERS
        answering = all(fact.state is SourceState.ANSWERS for fact in self.systems)
        return self.home_writable and reachable and answering and not self.problems


async def examine(settings: Settings, world: Path | None) -> Checkup:
    """The checkup; it never raises for what is merely broken."""
    checkup = Checkup(settings)
    await _stores(checkup)
    await _models(checkup)
    await _sources(checkup, world)
    return checkup


async def _stores(checkup: Checkup) -> None:
    home = checkup.settings.home
    existing = next((folder for folder in (home, *home.parents) if folder.exists()), home)
    checkup.home_writable = existing.is_dir() and os.access(existing, os.W_OK)
    servers = _servers(checkup.settings)
    files = [home / name for name in STORE_FILES if Path(name).stem not in servers]
    checkup.stores = (
        *(StoreFact(file.stem, file.stat().st_size if file.is_file() else None) for file in files),
        *(StoreFact(name, None, server) for name, server in servers.items()),
    )
    if not servers and not all(file.is_file() for file in files):
        return
    try:
        async with open_stores(checkup.settings) as stores:
            await stores.control.list_runs(limit=1)
    except RootproofError as error:
        checkup.problems.append(("stores", error))
    except sqlite3.Error as error:
        checkup.problems.append(("stores", RootproofError(str(error))))


def _servers(settings: Settings) -> dict[str, str]:
    """Store → kind of the server it is on, for those that are on one."""
    found: dict[str, str] = {}
    if settings.redis_url is not None:
        found["canonical"] = "Redis"
    if settings.database_url is not None:
        kind = "PostgreSQL" if is_postgres(settings.database_url.get_secret_value()) else "MySQL"
        found |= dict.fromkeys(("control", "audit", "recording"), kind)
    if checkpoint_server(settings) is not None:
        found["checkpoints"] = "PostgreSQL"
    return found


async def _models(checkup: Checkup) -> None:
    try:
        models = build_role_models(checkup.settings)
    except RootproofError as error:
        checkup.problems.append(("models", error))
        return
    try:
        checkup.models = tuple(_model_fact(models, role) for role in ModelRole)
        checkup.masks_identifiers = _masks(checkup.settings, models)
        if models.closers:
            checkup.endpoint = await probe(checkup.settings)
    finally:
        await models.aclose()


def _model_fact(models: RoleModels, role: ModelRole) -> ModelFact:
    model = models[role]
    return ModelFact(role, model.name, model.is_external, model.timeout_s)


def _masks(settings: Settings, models: RoleModels) -> bool:
    if settings.redaction is RedactionPolicy.EXTERNAL_MODELS:
        return models.any_external
    return settings.redaction is RedactionPolicy.ALWAYS


async def probe(settings: Settings) -> EndpointFact:
    """Whether the models' address answers a request for its list of models. One request, no tokens."""
    base_url = settings.model_base_url or OPENAI_URL
    key = settings.model_api_key.get_secret_value() if settings.model_api_key else ""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with open_client(base_url) as client:
        try:
            reply = await client.get(f"{base_url}/models", headers=headers, timeout=PROBE_TIMEOUT_S)
        except httpx2.HTTPError:
            return EndpointFact(base_url, EndpointState.UNREACHABLE)
    return EndpointFact(base_url, _endpoint_state(reply.status_code), reply.status_code)


def _endpoint_state(status: int) -> EndpointState:
    """An endpoint without a list of models (404, 405) still answers."""
    if status in {401, 403}:
        return EndpointState.KEY_REFUSED
    return EndpointState.FAULTY if status >= 500 else EndpointState.ANSWERS


async def _sources(checkup: Checkup, world: Path | None) -> None:
    """The systems one by one, then everything that is usable together, as a run would find it."""
    settings, clock = checkup.settings, SystemClock()
    checkup.systems = await examine_sources(settings, settings.time_zone or "UTC", clock)
    usable = {fact.name: settings.sources[fact.name] for fact in checkup.systems if fact.is_usable}
    async with AsyncExitStack() as opened:
        try:
            sources = await opened.enter_async_context(
                open_sources(settings.model_copy(update={"sources": usable}), world, clock)
            )
        except RootproofError as error:
            checkup.problems.append(("world", error))
            return
        checkup.world = sources.world
        checkup.tools = tuple(ToolFact(tool.name, tool.description) for tool in sources.tools.values())
        checkup.unread = await _unread(sources)
        checkup.knowledge = _knowledge_fact(sources)
        checkup.notices = sources.sources.notices


async def _unread(sources: OpenSources) -> tuple[UnreadFact, ...]:
    logs = sources.tools.get(QueryLogs.name)
    if not isinstance(logs, QueryLogs):
        return ()
    return tuple(UnreadFact(source, one.name, one.why) for source, one in await logs.unread())


def _knowledge_fact(sources: OpenSources) -> KnowledgeFact | None:
    summary = sources.knowledge
    if summary is None:
        return None
    return KnowledgeFact(
        documents=sources.sources.documents,
        chunks=summary.chunks,
        failed=tuple((one.path, one.why) for one in summary.failed),
        noted=tuple((one.path, one.why) for one in summary.noted),
    )
