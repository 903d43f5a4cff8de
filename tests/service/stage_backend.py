"""A backend for command tests: real graph, real SQLite stores, a scripted model and a notebook instead of sources."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from config.settings import Settings
from graph.app import App, Records, open_records
from graph.doctor import Checkup, examine
from graph.sources import OpenSources
from tests.graph.stage import Cast, stage


@dataclass
class StageBackend:
    """One home folder; every command opens it anew, as a process does."""

    home: Path
    cast: Cast = field(default_factory=Cast)
    settings: Mapping[str, object] = field(default_factory=dict)
    opened_worlds: list[Path | None] = field(default_factory=list)
    open_error: Exception | None = None
    """Raised instead of opening the sources."""

    def load(self, overrides: Mapping[str, object]) -> Settings:
        given = {key: value for key, value in overrides.items() if value is not None}
        return Settings(**{"home": self.home, **self.settings, **given})

    @asynccontextmanager
    async def open_app(self, settings: Settings, world: Path | None) -> AsyncIterator[App]:
        self.opened_worlds.append(world)
        if self.open_error is not None:
            raise self.open_error
        async with stage(self.home, self.cast) as opened:
            sources = OpenSources(opened.deps.sources, {}, None, None)
            yield App(Records(settings, opened.stores), sources, opened.runner)

    def open_records(self, settings: Settings) -> AbstractAsyncContextManager[Records]:
        return open_records(settings)

    async def examine(self, settings: Settings, world: Path | None) -> Checkup:
        return await examine(settings, world)
