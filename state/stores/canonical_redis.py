"""CanonicalStore in Redis 6 or later, or Valkey. Fails closed.

Expiry is judged on one clock, the server's, by Redis itself: a key gets the record's ``expires_at`` once, when the
record begins, and no later command touches it. So all processes agree on what is on record; where the server's clock
differs from that of the process, records live that much longer or shorter, and ``check`` tells. Fence and placeholder
map live until the last record of the run, at least the TTL from when the fence was raised or the last placeholder was
new. What expired, Redis deletes physically by itself.

Every write is one script, so nothing is ever half written. The rules are those of every backend
(``canonical_rules``): a transition is decided here and takes place only if the record is still, to the byte, the one
that it was decided on.

TruthUnavailable on a write means "not known to be done": it may have been executed, or still be. No write is repeated
here. Repeated by the caller: ``begin`` returns the record of the first attempt, ``fail`` an ERROR record as it is,
``complete`` raises TruthUnavailable if the first attempt had come through; fences and placeholders are idempotent.
"""

from collections.abc import Callable, Mapping, Sequence

from state.model.enums import EvidenceStatus, ToolCode
from state.model.errors import ResultsGone, TruthUnavailable
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, ToolCallId
from state.model.run import Lease
from state.ports import Clock
from state.stores import canonical_redis_scripts as scripts
from state.stores.canonical_redis_check import judge
from state.stores.canonical_redis_scripts import Script
from state.stores.canonical_redis_server import RedisServer, Request
from state.stores.canonical_redis_values import (
    PREFIX,
    Reply,
    RunKeys,
    Seen,
    call_field,
    expiry_ms,
    read_int,
    read_map,
    read_record,
    read_seen,
)
from state.stores.canonical_rules import CANONICAL_TTL_S, STORE, check_begin, completed, copied, failed

MAX_ROUNDS = 8
"""How often a read or a transition is taken up again because the run changed meanwhile."""


class RedisCanonicalStore:
    """The port ``CanonicalStore``; contracts of its methods are written there. Connects at first use.

    For one event loop: connections belong to the loop that used them first.
    """

    def __init__(self, url: str, clock: Clock, *, prefix: str = "rootproof", ttl_s: float = CANONICAL_TTL_S) -> None:
        """``url``: ``redis://`` or, with TLS, ``rediss://``; every key begins with ``prefix``.

        Raises:
            Misconfigured: the address is none; the message does not repeat it.
            ValueError: the prefix would break the names of keys.
        """
        if not PREFIX.fullmatch(prefix):
            raise ValueError("a prefix of keys holds only letters, digits and _.:-")
        self._server = RedisServer(url)
        self._clock = clock
        self._prefix = prefix
        self._ttl_ms = int(ttl_s * 1000)

    async def check(self) -> tuple[str, ...]:
        """Notices for the operator, none if all is well; for start-up and doctor.

        Raises:
            Misconfigured: the server may delete truth (``maxmemory-policy``), is a read-only replica, or refuses
                user or password.
            TruthUnavailable: it cannot be reached, or runs no scripts for this account.
        """
        facts = await self._server.facts()
        keys = self._keys(RunId("check"))
        request = Request("check", keys.run_id, scripts.READ, [keys.run], ["", "record"])
        there_ms = await self._server.read(request, lambda reply: read_int(reply[1]))
        return judge(facts, there_ms / 1000 - self._clock.now().timestamp())

    async def close_store(self) -> None:
        """Close the connections."""
        await self._server.close()

    async def raise_fence(self, lease: Lease) -> None:
        """See the port."""
        keys = self._keys(lease.run_id)
        await self._server.write(self._writing("raise_fence", lease, scripts.RAISE_FENCE, [keys.run]), _done)

    async def begin(self, lease: Lease, record: CanonicalRecord) -> CanonicalRecord | None:
        """See the port. One that has already expired by the server's clock raises TruthUnavailable."""
        check_begin(lease, record)
        keys, call = self._keys(lease.run_id), record.tool_call_id
        touched = [keys.run, keys.record(call), keys.placeholders]

        def understand(reply: Reply) -> CanonicalRecord | None:
            if reply[0] == b"THERE":
                return read_record(reply[1], lease.run_id, call)
            _done(reply)
            return None

        request = self._writing("begin", lease, scripts.BEGIN, touched, *_kept(record))
        return await self._server.write(request, understand)

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

        def rule(record: CanonicalRecord | None) -> CanonicalRecord:
            return completed(record, evidence_status, projection_json, raw_json)

        return await self._change("complete", lease, tool_call_id, rule, raw_json)

    async def fail(self, lease: Lease, tool_call_id: ToolCallId, code: ToolCode) -> CanonicalRecord:
        """See the port."""
        return await self._change("fail", lease, tool_call_id, lambda record: failed(record, code))

    async def get(self, run_id: RunId, tool_call_id: ToolCallId) -> CanonicalRecord | None:
        """See the port. One that is gone before its time raises TruthUnavailable."""
        found = (await self._seen("get", run_id, [tool_call_id])).found.get(tool_call_id)
        return found.record if found else None

    async def records(self, run_id: RunId) -> tuple[CanonicalRecord, ...]:
        """See the port.

        Raises:
            TruthUnavailable: as every method, and if one is gone before its time.
        """
        named: tuple[ToolCallId, ...] = ()
        for _ in range(MAX_ROUNDS):
            seen = await self._seen("records", run_id, named)
            if seen.named == named:
                return tuple(found.record for found in seen.found.values())
            named = seen.named
        raise TruthUnavailable(STORE, "records")

    async def raw(self, run_id: RunId, tool_call_id: ToolCallId) -> str | None:
        """See the port."""
        found = (await self._seen("raw", run_id, [tool_call_id], field="raw")).found.get(tool_call_id)
        return found.raw if found else None

    async def placeholders(self, run_id: RunId) -> dict[str, str]:
        """See the port. A map that is gone before its time raises TruthUnavailable."""
        return (await self._placeholders("placeholders", run_id))[1]

    async def add_placeholders(self, lease: Lease, added: Mapping[str, str]) -> None:
        """See the port. The map is one key: a new placeholder prolongs the life of the others too."""
        keys = self._keys(lease.run_id)
        pairs = _flat(added)
        request = self._writing("add_placeholders", lease, scripts.ADD_TO_MAP, [keys.run, keys.placeholders], *pairs)
        await self._server.write(request, _done)

    async def copy_finished(self, source: RunId, lease: Lease, ids: Sequence[ToolCallId]) -> None:
        """See the port. In a cluster two runs may lie on two servers: one is read, then the other is written."""
        await self._seen("copy_finished", lease.run_id, [], writer=lease)
        wanted = tuple(dict.fromkeys(ids))
        origin = (await self._seen("copy_finished", source, wanted, field="raw")).found
        records = copied(source, lease, wanted, [found.record for found in origin.values()])
        expiry, placeholders = await self._placeholders("copy_finished", source)
        texts = [text for record in records for text in (*_kept(record), origin[record.tool_call_id].raw or "")]
        keys = self._keys(lease.run_id)
        touched = [keys.run, keys.placeholders, *(keys.record(record.tool_call_id) for record in records)]
        request = self._writing("copy_finished", lease, scripts.COPY, touched, expiry, *texts, *_flat(placeholders))

        def understand(reply: Reply) -> None:
            if reply[0] == b"LATE":
                raise ResultsGone(lease.run_id, f"a result of run {source} is not on record any more")
            _done(reply)

        await self._server.write(request, understand)

    async def sweep(self) -> int:
        """Always 0: Redis deletes what expires by itself and tells nobody how much. Raises as every method."""
        await self._server.ping("sweep")
        return 0

    async def _change(
        self,
        operation: str,
        lease: Lease,
        tool_call_id: ToolCallId,
        rule: Callable[[CanonicalRecord | None], CanonicalRecord],
        raw_json: str | None = None,
    ) -> CanonicalRecord:
        """What the rule makes of the record, once it stands in the place of exactly that record.

        Raises:
            TruthUnavailable: as every method, and if others changed it all the time.
        """
        keys = self._keys(lease.run_id)
        raw = [] if raw_json is None else [raw_json]
        for _ in range(MAX_ROUNDS):
            found = (await self._seen(operation, lease.run_id, [tool_call_id], writer=lease)).found.get(tool_call_id)
            record = rule(found.record if found else None)
            texts = (found.text if found else "", record.model_dump_json(), *raw)
            touched = [keys.run, keys.record(tool_call_id)]
            request = self._writing(operation, lease, scripts.REPLACE, touched, *texts)
            if await self._server.write(request, lambda reply: reply == [b"DONE"]):
                return record
        raise TruthUnavailable(STORE, operation)

    async def _seen(
        self,
        operation: str,
        run_id: RunId,
        ids: Sequence[ToolCallId],
        *,
        field: str = "record",
        writer: Lease | None = None,
    ) -> Seen:
        """The run with these records; LeaseLost if ``writer`` may not write it any more."""
        keys = self._keys(run_id)
        touched = [keys.run, *(keys.record(tool_call_id) for tool_call_id in ids)]
        request = Request(operation, run_id, scripts.READ, touched, [writer.epoch if writer else "", field])
        return await self._server.read(request, lambda reply: read_seen(reply, run_id, ids))

    async def _placeholders(self, operation: str, run_id: RunId) -> tuple[int, dict[str, str]]:
        """Expiry of the map in milliseconds since 1970, and the map; 0 if it is empty."""
        keys = self._keys(run_id)
        request = Request(operation, run_id, scripts.READ_MAP, [keys.run, keys.placeholders], [])

        def understand(reply: Reply) -> tuple[int, dict[str, str]]:
            _, expiry, fields = reply
            there = read_map(fields)
            return read_int(expiry) if there else 0, there

        return await self._server.read(request, understand)

    def _writing(self, operation: str, lease: Lease, script: Script, keys: Sequence[str], *args: str | int) -> Request:
        return Request(operation, lease.run_id, script, keys, [lease.epoch, self._ttl_ms, *args])

    def _keys(self, run_id: RunId) -> RunKeys:
        return RunKeys(self._prefix, run_id)


def _done(reply: Reply) -> None:
    if reply != [b"DONE"]:
        raise ValueError("the server did not do it")


def _kept(record: CanonicalRecord) -> tuple[str, int, str]:
    return call_field(record.tool_call_id), expiry_ms(record.expires_at), record.model_dump_json()


def _flat(placeholders: Mapping[str, str]) -> list[str]:
    return [text for pair in placeholders.items() for text in pair]
