"""Everything a process that serves has, opened once: sources and models, live runs, documents, cases, alerts.

The HTTP layer works with this alone. Nothing above it knows a store or a node.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import structlog

from config.settings import Settings
from graph.alert_group import AlertGroup, AlertNotification, read_group
from graph.app import App, Records, open_app
from graph.cases import Cases
from graph.document_desk import DocumentDesk, open_desk
from graph.executing import Room
from graph.live_runs import LiveRuns, LiveTimes, RunOrder, live_runs
from graph.opening import OnOpening, untold
from graph.system import SystemIds
from graph.tending import TendTimes
from state.model.enums import Language
from state.model.ids import RunId, SessionId
from state.ports import Clock, ServiceStore

log = structlog.get_logger("graph.served")


@dataclass(frozen=True)
class AlertStart:
    """The run of one group of alerts."""

    run_id: RunId
    session_id: SessionId
    joined: bool
    """True: it had been started for an earlier notification."""
    group: AlertGroup


@dataclass(frozen=True)
class Served:
    """The doors to everything below HTTP."""

    app: App
    live: LiveRuns
    documents: DocumentDesk

    @property
    def records(self) -> Records:
        """Past runs, also those under way."""
        return self.app.records

    @property
    def service(self) -> ServiceStore:
        """Judgements, cases, alert groups, repeated requests, accesses."""
        return self.app.records.stores.service

    @property
    def clock(self) -> Clock:
        """The time by which this process writes."""
        return self.app.records.stores.clock

    @cached_property
    def cases(self) -> Cases:
        """What people say of results, and the cases that come of it."""
        return Cases(self.service, self.documents, self.clock, SystemIds().uuid)

    def new_run_id(self) -> RunId:
        """A fresh identity for the next run."""
        return self.app.new_run_id()

    async def start_alert(self, sent: AlertNotification, *, owner_key: str) -> tuple[AlertStart, ...]:
        """The detached run of the notification's group, started now or joined; empty where nothing fires.

        Raises:
            InvalidQuery: the alerts began after the time the sources speak of.
            TooManyRuns: try again later; the same notification starts the run then.
            TruthUnavailable: a store cannot be used.
        """
        group = read_group(sent, owner_key=owner_key, language=self._language)
        if group is None:
            return ()
        claimed = await self.service.join_alert(group.group, self.new_run_id(), now=self.clock.now())
        row = await self.records.run(claimed.run_id)
        if row is None:
            # Claimed by this notification, or by one that found no room: the run starts now, under the same id.
            order = RunOrder(
                query=group.question,
                owner_key=owner_key,
                options=group.options,
                detached=True,
                run_id=claimed.run_id,
                alert=group.origin,
            )
            await self.live.start(order)
            row = await self.records.run(claimed.run_id)
        log.info("alert", run_id=claimed.run_id, joined=claimed.joined, related=len(group.related_risks))
        return (AlertStart(claimed.run_id, row.session_id, claimed.joined, group),) if row else ()

    @property
    def _language(self) -> Language | None:
        return self.app.runner.deps.policy.language


@asynccontextmanager
async def open_served(settings: Settings, world: Path | None, on_opening: OnOpening = untold) -> AsyncIterator[Served]:
    """A process ready to serve over one world folder; None: the configured one, else no source at all.

    ``on_opening`` hears what is opened next. At the end runs are closed or given up first, then documents, then
    sources and stores.

    Raises:
        Misconfigured: a setting, the world or the knowledge base cannot be used.
        TruthUnavailable: a store cannot be reached.
    """
    times = LiveTimes(tend=TendTimes(grace_s=settings.disconnect_grace_s))
    async with (
        open_app(settings, world, on_opening) as app,
        open_desk(settings, app.sources.runbooks) as documents,
        live_runs(
            app.runner,
            app.new_run_id,
            room=Room(settings.max_running, settings.max_running_per_key),
            times=times,
            forget_old=lambda: app.records.stores.forget_old(retention_days=settings.retention_days),
            now=app.current,
        ) as live,
    ):
        yield Served(app, live, documents)
