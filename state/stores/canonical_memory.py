"""CanonicalStore in memory, for tests. Fails closed on request, forgets everything with the process."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from state.model.enums import EvidenceStatus, ToolCode
from state.model.errors import LeaseLost
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, ToolCallId
from state.model.run import Lease
from state.ports import Clock
from state.stores.canonical_rules import CANONICAL_TTL_S, check_begin, completed, copied, failed


@dataclass
class _Placeholder:
    value: str
    expires_at: datetime


@dataclass
class _Run:
    """What is kept of one run."""

    fence: int = 0
    fence_expires_at: datetime | None = None
    records: dict[ToolCallId, CanonicalRecord] = field(default_factory=dict)
    raw: dict[ToolCallId, str] = field(default_factory=dict)
    placeholders: dict[str, _Placeholder] = field(default_factory=dict)


class MemoryCanonicalStore:
    """The port ``CanonicalStore``; contracts of its methods are written there."""

    def __init__(self, clock: Clock, *, ttl_s: float = CANONICAL_TTL_S) -> None:
        self._clock = clock
        self._ttl = timedelta(seconds=ttl_s)
        self._runs: dict[RunId, _Run] = {}

    async def raise_fence(self, lease: Lease) -> None:
        """See the port."""
        run = self._runs.setdefault(lease.run_id, _Run())
        run.fence = max(run.fence, lease.epoch)
        run.fence_expires_at = self._clock.now() + self._ttl

    async def begin(self, lease: Lease, record: CanonicalRecord) -> CanonicalRecord | None:
        """See the port."""
        check_begin(lease, record)
        run = self._writable(lease)
        if there := self._live(run, record.tool_call_id):
            return there
        run.records.pop(record.tool_call_id, None)
        run.records[record.tool_call_id] = record
        return None

    async def complete(
        self,
        lease: Lease,
        tool_call_id: ToolCallId,
        *,
        evidence_status: EvidenceStatus,
        projection_json: str,
        raw_json: str,
    ) -> CanonicalRecord:
        """See the port."""
        run = self._writable(lease)
        record = completed(self._live(run, tool_call_id), evidence_status, projection_json, raw_json)
        run.records[tool_call_id], run.raw[tool_call_id] = record, raw_json
        return record

    async def fail(self, lease: Lease, tool_call_id: ToolCallId, code: ToolCode) -> CanonicalRecord:
        """See the port."""
        run = self._writable(lease)
        run.records[tool_call_id] = record = failed(self._live(run, tool_call_id), code)
        return record

    async def get(self, run_id: RunId, tool_call_id: ToolCallId) -> CanonicalRecord | None:
        """See the port."""
        return self._live(self._readable(run_id), tool_call_id)

    async def records(self, run_id: RunId) -> tuple[CanonicalRecord, ...]:
        """See the port."""
        now = self._clock.now()
        return tuple(record for record in self._readable(run_id).records.values() if record.expires_at > now)

    async def raw(self, run_id: RunId, tool_call_id: ToolCallId) -> str | None:
        """See the port."""
        run = self._readable(run_id)
        return run.raw.get(tool_call_id) if self._live(run, tool_call_id) else None

    async def placeholders(self, run_id: RunId) -> dict[str, str]:
        """See the port."""
        now = self._clock.now()
        kept = self._readable(run_id).placeholders
        return {name: held.value for name, held in kept.items() if held.expires_at > now}

    async def add_placeholders(self, lease: Lease, added: Mapping[str, str]) -> None:
        """See the port."""
        run = self._writable(lease)
        expires_at = self._clock.now() + self._ttl
        for name, value in added.items():
            run.placeholders.setdefault(name, _Placeholder(value, expires_at))

    async def copy_finished(self, source: RunId, lease: Lease, ids: Sequence[ToolCallId]) -> None:
        """See the port."""
        run, origin = self._writable(lease), self._readable(source)
        for record in copied(source, lease, ids, await self.records(source)):
            run.records.setdefault(record.tool_call_id, record)
            if (raw := origin.raw.get(record.tool_call_id)) is not None:
                run.raw.setdefault(record.tool_call_id, raw)
        for name, held in origin.placeholders.items():
            run.placeholders.setdefault(name, held)

    async def sweep(self) -> int:
        """See the port."""
        now = self._clock.now()
        return sum(_forget_expired(run, now) for run in self._runs.values())

    def _readable(self, run_id: RunId) -> _Run:
        return self._runs.get(run_id) or _Run()

    def _writable(self, lease: Lease) -> _Run:
        run = self._runs.setdefault(lease.run_id, _Run())
        if lease.epoch < run.fence:
            raise LeaseLost(lease.run_id)
        run.fence = lease.epoch
        run.fence_expires_at = run.fence_expires_at or self._clock.now() + self._ttl
        return run

    def _live(self, run: _Run, tool_call_id: ToolCallId) -> CanonicalRecord | None:
        record = run.records.get(tool_call_id)
        return record if record and record.expires_at > self._clock.now() else None


def _forget_expired(run: _Run, now: datetime) -> int:
    gone = [tool_call_id for tool_call_id, record in run.records.items() if record.expires_at <= now]
    for tool_call_id in gone:
        del run.records[tool_call_id]
        run.raw.pop(tool_call_id, None)
    names = [name for name, held in run.placeholders.items() if held.expires_at <= now]
    for name in names:
        del run.placeholders[name]
    fences = 0
    if run.fence_expires_at is not None and run.fence_expires_at <= now:
        run.fence, run.fence_expires_at, fences = 0, None, 1
    return len(gone) + fences + bool(names)
