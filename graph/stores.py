"""The embedded stores of one home folder: opened at first use, closed together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from config.settings import Settings
from graph.system import SystemClock
from state.ports import Clock
from state.stores.audit_sql import SqlAuditLog, audit_file
from state.stores.canonical_sqlite import SqliteCanonicalStore
from state.stores.checkpoints import CheckpointFile, open_checkpointer
from state.stores.control_sql import SqlControlStore, control_file
from state.stores.recording_sqlite import SqliteRecording

CONTROL_FILE, AUDIT_FILE, CANONICAL_FILE = "control.db", "audit.db", "canonical.db"
CHECKPOINT_FILE, RECORDING_FILE = "checkpoints.db", "recording.db"


@dataclass(frozen=True)
class Stores:
    """Everything a run writes."""

    home: Path
    clock: Clock
    control: SqlControlStore
    canonical: SqliteCanonicalStore
    audit: SqlAuditLog
    recording: SqliteRecording
    checkpoints: CheckpointFile


@asynccontextmanager
async def open_stores(settings: Settings) -> AsyncIterator[Stores]:
    """The stores of ``settings.home``; files are private to the user and created when missing."""
    home, clock = settings.home, SystemClock()
    control, audit = control_file(home / CONTROL_FILE), audit_file(home / AUDIT_FILE)
    canonical = SqliteCanonicalStore(home / CANONICAL_FILE, clock)
    recording = SqliteRecording(home / RECORDING_FILE, clock)
    async with open_checkpointer(home / CHECKPOINT_FILE) as checkpoints:
        try:
            yield Stores(home, clock, control, canonical, audit, recording, checkpoints)
        finally:
            await recording.close_store()
            await audit.close_store()
            await canonical.close_store()
            await control.close_store()
