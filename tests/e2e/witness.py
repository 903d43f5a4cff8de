"""What the stores of a home folder say about the run, read by a process that takes no part in it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from langchain_core.runnables import RunnableConfig

from config.settings import Settings
from graph.app import Records
from graph.audit_check import AuditCheck
from graph.stores import Stores, open_stores
from state.model.enums import InvocationStatus, RunState
from state.model.evidence import CanonicalRecord
from state.model.run import BudgetEntry, BudgetKind, BudgetUsage, PublicEvent, PublicEventType, RunRow
from tests.e2e.player import STARTS
from tests.graph.stage import RUN_ID

CLOSING = {PublicEventType.CONTENT, PublicEventType.FAILURE, PublicEventType.DONE}
PATIENCE_S = 15.0


@dataclass(frozen=True)
class Seen:
    """The run at one moment."""

    row: RunRow | None
    entries: tuple[BudgetEntry, ...]
    usage: BudgetUsage
    records: tuple[CanonicalRecord, ...]
    frames: tuple[PublicEvent, ...]
    event_keys: frozenset[str]
    """Keys of the audit events."""
    sequence: tuple[int, ...]
    recorded: tuple[str | None, ...]
    """What is kept for replay of every ledger entry, in its order."""
    checkpoints: tuple[str, ...]
    """Ids of the thread's checkpoints, newest first."""
    starts: tuple[str, ...]
    """Call id of every start of the backend."""
    audit: AuditCheck
    """Whether the audit is what it was when the run ended."""

    @property
    def is_over(self) -> bool:
        return self.row is not None and self.row.run_state is not RunState.RUNNING

    @property
    def was_in_backend(self) -> bool:
        """True if a call is begun that never came to its end."""
        return any(record.status is InvocationStatus.PROJECTING for record in self.records)

    @property
    def ends(self) -> list[PublicEventType]:
        """Closing frames in order."""
        return [frame.type for frame in self.frames if frame.type in CLOSING]

    @property
    def due_keys(self) -> frozenset[str]:
        """Keys of the events that the ledger proves to have happened."""
        return frozenset(
            f"tokens:{entry.key}" if entry.kind is BudgetKind.MODEL_CALL else f"invocation:{entry.key}"
            for entry in self.entries
        )


EMBEDDED: Mapping[str, object] = {}
"""Every store a file of the home folder; else the addresses of the servers, as settings."""


@asynccontextmanager
async def reading(home: Path, where: Mapping[str, object] = EMBEDDED) -> AsyncIterator[Stores]:
    async with open_stores(Settings(home=home, **where)) as stores:  # type: ignore[arg-type]
        yield stores


async def look(home: Path, where: Mapping[str, object] = EMBEDDED) -> Seen:
    """Everything kept about the run."""
    async with reading(home, where) as stores:
        events = await stores.audit.events(RUN_ID)
        entries = await stores.control.entries(RUN_ID)
        taped = [await stores.recording.get(RUN_ID, step_of(entry)) for entry in entries]
        starts = home / STARTS
        return Seen(
            row=await stores.control.get_run(RUN_ID),
            entries=entries,
            usage=await stores.control.usage(RUN_ID),
            records=await stores.canonical.records(RUN_ID),
            frames=await stores.control.public_events(RUN_ID),
            event_keys=frozenset(stored.event.event_key for stored in events),
            sequence=tuple(stored.sequence_no for stored in events),
            recorded=tuple(found[1] if found else None for found in taped),
            checkpoints=await _checkpoint_ids(stores),
            starts=tuple(starts.read_text().split()) if starts.exists() else (),
            audit=await Records(Settings(home=home), stores).verify(RUN_ID),
        )


async def _checkpoint_ids(stores: Stores) -> tuple[str, ...]:
    thread: RunnableConfig = {"configurable": {"thread_id": RUN_ID}}
    return tuple([saved.checkpoint["id"] async for saved in stores.checkpoints.alist(thread)])


def step_of(entry: BudgetEntry) -> str:
    """Name of the entry's recorded reply."""
    return entry.key if entry.kind is BudgetKind.MODEL_CALL else f"tool:{entry.key}"


async def until(home: Path, condition: Callable[[Stores], object], where: Mapping[str, object] = EMBEDDED) -> None:
    """Return once the condition (awaited) holds; fails after ``PATIENCE_S``."""
    async with reading(home, where) as stores, asyncio.timeout(PATIENCE_S):
        while not await condition(stores):  # type: ignore[misc]
            await asyncio.sleep(0.01)


async def until_interrupted(home: Path, where: Mapping[str, object] = EMBEDDED) -> None:
    """Return once the run is listed as one that nobody executes."""

    async def listed(stores: Stores) -> bool:
        return RUN_ID in {row.run_id for row in await stores.control.interrupted_runs()}

    await until(home, listed, where)


async def until_active(home: Path, *, ms: int) -> None:
    """Return once the run's row has this much active time."""

    async def reached(stores: Stores) -> bool:
        row = await stores.control.get_run(RUN_ID)
        return row is not None and row.active_ms >= ms

    await until(home, reached)


async def until_frozen(pid: int) -> None:
    """Return once the process has stopped itself."""
    async with asyncio.timeout(PATIENCE_S):
        while Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "T":
            await asyncio.sleep(0.01)
