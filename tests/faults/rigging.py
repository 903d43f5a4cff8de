"""The stage with one fault built in: the product's own stores over files that fail, a model that fails, a clock that jumps."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from graph.knowledge import KB_SCOPE
from graph.stores import AUDIT_FILE, CANONICAL_FILE, CHECKPOINT_FILE, CONTROL_FILE, RECORDING_FILE
from nodes.deps import Deps
from nodes.lease_keeper import LeaseKeeper
from state.model.audit import Timeline
from state.model.evidence import CanonicalRecord
from state.model.ids import digest
from state.model.run import RunRow
from state.ports import Clock
from state.stores.audit_sql import SqlAuditLog
from state.stores.audit_tables import AUDIT_SCHEMA
from state.stores.canonical_sqlite import SqliteCanonicalStore
from state.stores.canonical_tables import CANONICAL_SCHEMA
from state.stores.control_schema import CONTROL_SCHEMA
from state.stores.control_sql import SqlControlStore
from state.stores.recording_sql import RECORDING_SCHEMA, SqlRecording
from state.stores.schema import Schema
from state.stores.sqlite_file import BUSY_TIMEOUT_S, sqlite_database
from tests.faults.between import running_node
from tests.faults.dimensions import JUMPS, Kind, Part
from tests.faults.strike import BUSY_S, INTERNALS, SLOW_S, FaultyDatabase, Locked, Strike, bug

BEAT_S = 0.02
JUMP = timedelta(hours=3)
ASLEEP_S = 3600.0
OF_LEDGER = frozenset({"reserve", "settle", "entries"})
FORGED = ("is not available", "failed: forged deployment")


@dataclass
class Rig:
    """What of the product is replaced, and what must be closed again."""

    strike: Strike
    opened: AsyncExitStack
    foreign: RunRow | None = None
    """A run of somebody else that ended: what a wrong answer of the control store is."""

    def deps(self, deps: Deps, home: Path) -> Deps:
        """The dependencies with the fault in between."""
        clock = JumpingClock(deps.clock, self.strike)
        control = SqlControlStore(self._database(home / CONTROL_FILE, CONTROL_SCHEMA, self._control_part))
        audit = SqlAuditLog(self._database(home / AUDIT_FILE, AUDIT_SCHEMA, lambda _: Part.AUDIT))
        recording = SqlRecording(
            self._database(home / RECORDING_FILE, RECORDING_SCHEMA, lambda _: Part.RECORDING), clock
        )
        canonical = SqliteCanonicalStore(home / CANONICAL_FILE, clock)
        canonical._database = self._database(home / CANONICAL_FILE, CANONICAL_SCHEMA, lambda _: Part.CANONICAL)  # type: ignore[assignment]
        for store in (control, audit, recording, canonical):
            self.opened.push_async_callback(store.close_store)
        keeper = LeaseKeeper(control, canonical, clock, deps.keeper.owner, beat_s=BEAT_S)
        boundary = replace(deps.boundary, canonical=canonical, control=control, clock=clock)  # type: ignore[type-var]
        return replace(
            deps, control=control, canonical=canonical, audit=audit, recording=recording, clock=clock, keeper=keeper,
            boundary=boundary, sources=replace(deps.sources, kb_scope=KB_SCOPE),
        )  # fmt: skip

    def _database(self, path: Path, schema: Schema, part_of: Callable[[str], Part | None]) -> Any:
        waits_s = BUSY_S if self.strike.kind is Kind.HANG else BUSY_TIMEOUT_S
        inner = sqlite_database(path, schema, synchronous="NORMAL", busy_timeout_s=waits_s)
        faulty = FaultyDatabase(inner, path, self.strike, part_of)
        faulty.forge = self._forged
        return faulty

    def _control_part(self, operation: str) -> Part | None:
        """The heartbeat goes by the clock, not by the node."""
        if operation == "heartbeat":
            return None
        if operation == "offer_event":
            return Part.EVENTS
        return Part.LEDGER if operation in OF_LEDGER else Part.CONTROL

    def _forged(self, operation: str, found: Any) -> Any:
        """Something of the right form that is not so."""
        match operation, found:
            case "get_run", RunRow():
                return self.foreign
            case "entries", _:
                return ()
            case "close_timeline", Timeline(rows=rows, end_no=end_no):
                return Timeline(rows=rows[:-1], end_no=end_no)
            case _, CanonicalRecord():
                return forged(found)
            case "records", _:
                return tuple(forged(record) for record in found)
        return found

    def saver(self, saver: BaseCheckpointSaver[str], home: Path) -> BaseCheckpointSaver[str]:
        """The saver itself (LangGraph checks its type), failing after the node."""
        return faulty_saver(saver, self.strike, home / CHECKPOINT_FILE)


def forged(record: CanonicalRecord) -> CanonicalRecord:
    """Another text in the evidence, with a digest that fits it."""
    if record.projection_json is None:
        return record
    text = record.projection_json.replace(*FORGED)
    return record.model_copy(update={"projection_json": text, "projection_sha256": digest(text)})


class JumpingClock:
    """The system's clock, which jumps at the second look at it in the node: while the node is at work."""

    def __init__(self, inner: Clock, strike: Strike) -> None:
        self._inner = inner
        self._strike = strike
        self._looks = 0

    def now(self) -> datetime:
        self._look()
        shift = {Kind.AHEAD: JUMP, Kind.BACK: -JUMP}.get(self._strike.kind, timedelta())
        return self._inner.now() + (shift if self._has_jumped else timedelta())

    def monotonic(self) -> float:
        self._look()
        slept = ASLEEP_S if self._strike.kind is Kind.ASLEEP and self._has_jumped else 0.0
        return self._inner.monotonic() + slept

    def _look(self) -> None:
        if self._strike.part is Part.CLOCK and self._strike.kind in JUMPS and running_node() == self._strike.node:
            self._looks += 1
            self._strike.struck += self._looks == 2

    @property
    def _has_jumped(self) -> bool:
        return self._looks >= 2


def faulty_saver(saver: Any, strike: Strike, path: Path) -> BaseCheckpointSaver[str]:
    """What LangGraph writes after the node fails; what it reads when the run begins is another thread's."""
    write, read = saver.aput, saver.aget_tuple

    async def aput(config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        def save() -> Awaitable[Any]:
            return write(config, checkpoint, metadata, new_versions)

        if strike.part is not Part.CHECKPOINTS or not follows(checkpoint, strike.node):
            return await save()
        strike.struck += 1
        return await _badly_saved(save, strike.kind, saver, path)

    async def aget_tuple(config: Any) -> Any:
        if strike.part is Part.CHECKPOINTS and strike.kind is Kind.WRONG:
            strike.struck += 1
            other = {"configurable": {**config["configurable"], "thread_id": FOREIGN_THREAD}}
            return await read(other)
        return await read(config)

    saver.aput, saver.aget_tuple = aput, aget_tuple
    return saver  # type: ignore[no-any-return]


FOREIGN_THREAD = "99999999-9999-4999-8999-999999999999"


async def _badly_saved(save: Callable[[], Awaitable[Any]], kind: Kind, saver: Any, path: Path) -> Any:
    match kind:
        case Kind.EXCEPTION:
            raise sqlite3.OperationalError(INTERNALS)
        case Kind.BUG:
            raise bug()
        case Kind.HANG:
            await saver.conn.execute(f"PRAGMA busy_timeout = {int(BUSY_S * 1000)}")
            async with Locked(path):
                return await save()
        case Kind.SLOW:
            await asyncio.sleep(SLOW_S)
            return await save()
        case Kind.PARTIAL:
            await save()
            raise sqlite3.OperationalError(INTERNALS)
    return await save()


def follows(checkpoint: Any, node: str) -> bool:
    """True if this checkpoint is the first one after the node ran: it has seen the node's trigger."""
    seen = checkpoint["versions_seen"].get(node, {})
    newest = max(checkpoint["channel_versions"].values(), default="")
    return bool(seen) and _step_of(max(seen.values())) + 1 == _step_of(newest)


def _step_of(version: object) -> int:
    return int(str(version).split(".")[0])
