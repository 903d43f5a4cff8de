"""What the commands work with: settings, sources and records, opened late so that ``--help`` opens nothing."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from config.settings import Settings
    from graph.app import App, Records
    from graph.doctor import Checkup


class Backend(Protocol):
    """The doors to everything below the command line."""

    def load(self, overrides: Mapping[str, object]) -> "Settings":
        """The settings in force. Raises Misconfigured."""
        ...

    def open_app(self, settings: "Settings", world: Path | None) -> "AbstractAsyncContextManager[App]":
        """A process ready to diagnose over that world."""
        ...

    def open_records(self, settings: "Settings") -> "AbstractAsyncContextManager[Records]":
        """Past runs."""
        ...

    async def examine(self, settings: "Settings", world: Path | None) -> "Checkup":
        """What is configured and reachable."""
        ...


class LiveBackend:
    """The real one."""

    def load(self, overrides: Mapping[str, object]) -> "Settings":
        """The settings of environment, file and command line. Raises Misconfigured."""
        from config.load import load_settings

        return load_settings(overrides=overrides)

    def open_app(self, settings: "Settings", world: Path | None) -> "AbstractAsyncContextManager[App]":
        """The embedded stores, the world's sources and the configured models."""
        from graph.app import open_app

        return open_app(settings, world)

    def open_records(self, settings: "Settings") -> "AbstractAsyncContextManager[Records]":
        """The embedded stores alone."""
        from graph.app import open_records

        return open_records(settings)

    async def examine(self, settings: "Settings", world: Path | None) -> "Checkup":
        """The facts of ``rootproof doctor``."""
        from graph.doctor import examine

        return await examine(settings, world)
