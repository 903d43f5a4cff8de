"""The one door between a request of the model and a backend.

Order (each step before the next): run and lease → call id and idempotency → tool → request → placeholders →
scope not searched yet → budget → canonical PROJECTING → execute → raw size → secrets removed → identifiers
masked → project → projection size → READY. An error after begin is a canonical ERROR; before it, no record.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Protocol

import structlog
from pydantic import ValidationError

from state.model.enums import Coverage, EvidenceKind, EvidenceStatus, InvocationStatus, ToolCode
from state.model.errors import InvalidToolInput, ToolFailed, TruthUnavailable
from state.model.evidence import CanonicalRecord, Item, Projection, parse_projection, render_projection
from state.model.ids import TOOL_CALL_ID, ToolCallId, digest
from state.model.placeholders import PlaceholderMap, mask_json, unmask_json
from state.model.redaction import redact_json
from state.model.run import BudgetEntry, BudgetKind, Lease, RunFacts, sum_usage
from state.model.tool_call import ModelCall, Refused
from state.ports import CanonicalStore, Clock, ControlStore
from tools.addressing import speaks_to_reader
from tools.contract import CallContext, EvidenceTool, Prepared, RawResult, ToolCard

CANONICAL_TTL = timedelta(hours=2, minutes=10)
"""Life of a canonical record from its begin; must exceed ``max_run_age_s``."""

log = structlog.get_logger("tools.boundary")


@dataclass(frozen=True)
class ToolRequest:
    """A call whose envelope was accepted."""

    call: ModelCall
    input: dict[str, object]
    """The tool's own arguments, still unchecked."""
    remaining_s: float
    """Active seconds left; the call's timeout never exceeds it."""

    def digest(self) -> str:
        """SHA-256 of tool name and arguments: the same call id with another digest is refused."""
        return digest(_dump([self.call.name, self.input]))


class ToolDoor(Protocol):
    """What the gate asks: the live boundary, or the recording of a run that is replayed."""

    @property
    def specs(self) -> tuple[ToolCard, ...]:
        """The registered tools in a fixed order."""
        ...

    async def call(
        self, lease: Lease, facts: RunFacts, context: CallContext, request: ToolRequest
    ) -> CanonicalRecord | Refused:
        """The record of the call, or why nothing was executed."""
        ...


@dataclass(frozen=True)
class Boundary:
    """Executes evidence tools for one process; holds no state of a run."""

    tools: Mapping[str, EvidenceTool]
    canonical: CanonicalStore
    control: ControlStore
    clock: Clock

    @cached_property
    def specs(self) -> tuple[ToolCard, ...]:
        """The registered tools in the order in which they were configured; schemas are made once."""
        return tuple(
            ToolCard(
                name=tool.name,
                description=tool.description,
                input_schema=tool.input_model.model_json_schema(),
                catalogue_terms=tool.catalogue_terms,
            )
            for tool in self.tools.values()
        )

    async def call(
        self, lease: Lease, facts: RunFacts, context: CallContext, request: ToolRequest
    ) -> CanonicalRecord | Refused:
        """The record of the call, READY or ERROR; or why nothing was executed.

        Asked again with the same id and arguments it returns the stored record without executing or charging.
        Raises TruthUnavailable if truth cannot be kept, LeaseLost if another process holds the run.
        """
        call = request.call
        if lease.run_id != facts.run_id:
            return Refused(code=ToolCode.RUN_MISMATCH)
        if not TOOL_CALL_ID.fullmatch(call.tool_call_id):
            return Refused(code=ToolCode.INVALID_TOOL_CALL_ID)
        request_hash = request.digest()
        records = await self.canonical.records(facts.run_id)
        known = next((record for record in records if record.tool_call_id == call.tool_call_id), None)
        if known is not None:
            return await self._again(lease, known, request_hash)
        tool = self.tools.get(call.name)
        if tool is None:
            return Refused(code=ToolCode.TOOL_NOT_AUTHORIZED)
        prepared = await self._prepare(tool, facts, context, request.input)
        if isinstance(prepared, Refused):
            return prepared
        refused = await self._refuse_repeat_or_overspend(facts, request, prepared, records)
        if refused is not None:
            return refused
        begun = _Call(lease, facts, context, tool, prepared, request)
        await self._begin(begun, request_hash)
        return await self._execute(begun)

    async def _again(self, lease: Lease, known: CanonicalRecord, request_hash: str) -> CanonicalRecord | Refused:
        if known.request_hash != request_hash:
            return Refused(code=ToolCode.DUPLICATE_TOOL_CALL)
        if known.status is InvocationStatus.PROJECTING:
            return await self.canonical.fail(lease, known.tool_call_id, ToolCode.INTERRUPTED)
        return known

    async def _prepare(
        self, tool: EvidenceTool, facts: RunFacts, context: CallContext, given: dict[str, object]
    ) -> Prepared | Refused:
        if facts.mask_identifiers:
            known = PlaceholderMap(entries=await self.canonical.placeholders(facts.run_id))
            given = _members(unmask_json(given, known))
        try:
            arguments = tool.input_model.model_validate_json(json.dumps(given))
            return tool.prepare(arguments, context)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            return Refused(code=ToolCode.INVALID_REQUEST, why=f"{place}: {first['msg']}"[:300])
        except InvalidToolInput as refused:
            return Refused(code=refused.code, why=refused.why[:300])

    async def _refuse_repeat_or_overspend(
        self, facts: RunFacts, request: ToolRequest, prepared: Prepared, records: Sequence[CanonicalRecord]
    ) -> Refused | None:
        searched = {record.scope_key for record in records if record.status is InvocationStatus.READY}
        if prepared.scope_key in searched:
            return Refused(code=ToolCode.DUPLICATE_SCOPE)
        entries = await self.control.entries(facts.run_id)
        if any(entry.kind is BudgetKind.TOOL_CALL and entry.key == request.call.tool_call_id for entry in entries):
            return None  # admitted by a process that died before the call began: what it is held against is its own
        if not sum_usage(entries).allows_tool(facts.limits, request.call.name, request_bytes=_size(request.input)):
            return Refused(code=ToolCode.BUDGET_EXHAUSTED)
        return None

    async def _begin(self, begun: "_Call", request_hash: str) -> None:
        entry = BudgetEntry(
            run_id=begun.lease.run_id,
            kind=BudgetKind.TOOL_CALL,
            key=begun.id,
            component=begun.tool.name,
            reserved=begun.request_bytes,
        )
        await self.control.reserve(begun.lease, entry)
        begun_at = self.clock.now()
        record = CanonicalRecord(
            run_id=begun.lease.run_id,
            tool_call_id=begun.id,
            tool=begun.tool.name,
            request_hash=request_hash,
            scope_key=begun.prepared.scope_key,
            lease_epoch=begun.lease.epoch,
            status=InvocationStatus.PROJECTING,
            request_bytes=begun.request_bytes,
            begun_at=begun_at,
            expires_at=begun_at + CANONICAL_TTL,
        )
        if await self.canonical.begin(begun.lease, record) is not None:
            raise TruthUnavailable("canonical", "begin of a call id already begun")

    async def _execute(self, begun: "_Call") -> CanonicalRecord:
        try:
            raw_json, projection = await self._result(begun)
        except ToolFailed as failed:
            log.warning("tool call failed", tool=begun.tool.name, code=failed.code.value, detail=failed.log_detail)
            await self._settle(begun, 0)
            return await self.canonical.fail(begun.lease, begun.id, failed.code)
        projection_json = render_projection(projection)
        await self._settle(begun, len(raw_json.encode()) + len(projection_json.encode()))
        return await self._ready(begun, projection.evidence_status, projection_json, raw_json)

    async def _settle(self, begun: "_Call", result_bytes: int) -> None:
        spent = begun.request_bytes + result_bytes
        await self.control.settle(begun.lease, BudgetKind.TOOL_CALL, begun.id, spent, usage_reported=True)

    async def _result(self, begun: "_Call") -> tuple[str, Projection]:
        tool = begun.tool
        timeout_s = min(tool.timeout_s, max(0.1, begun.request.remaining_s))
        raw = await _run(tool, begun.prepared, begun.context, timeout_s)
        if _size(raw.payload) > tool.raw_cap_bytes:
            raise ToolFailed(ToolCode.RESULT_TOO_LARGE)
        # Half a second for a payload at its cap: not in the event loop.
        payload = _members(await asyncio.to_thread(redact_json, raw.payload))
        if begun.facts.mask_identifiers:
            payload = await self._mask(begun.lease, payload)
        clean = RawResult(payload=payload, coverage=raw.coverage)
        projection = _project(tool, begun.id, begun.prepared, clean)
        if begun.facts.mask_identifiers:
            projection = await self._mask_scope(begun.lease, projection)
        return _dump(payload), projection

    async def _mask(self, lease: Lease, payload: dict[str, object]) -> dict[str, object]:
        known = PlaceholderMap(entries=await self.canonical.placeholders(lease.run_id))
        masked, added = mask_json(payload, known)
        if added:
            await self.canonical.add_placeholders(lease, added)
        return _members(masked)

    async def _mask_scope(self, lease: Lease, projection: Projection) -> Projection:
        """The scope comes from the request, in which placeholders were resolved: they go back in."""
        scope = projection.scope
        words: dict[str, object] = {"filters": dict(scope.filters), "query": scope.query}
        return projection.model_copy(update={"scope": scope.model_copy(update=await self._mask(lease, words))})

    async def _ready(
        self, begun: "_Call", status: EvidenceStatus, projection_json: str, raw_json: str
    ) -> CanonicalRecord:
        try:
            return await self.canonical.complete(
                begun.lease, begun.id, evidence_status=status, projection_json=projection_json, raw_json=raw_json
            )
        except TruthUnavailable:
            # If even ERROR cannot be written the second failure ends the run.
            return await self.canonical.fail(begun.lease, begun.id, ToolCode.STORE_ERROR)


@dataclass(frozen=True)
class _Call:
    """One admitted call on its way through the boundary."""

    lease: Lease
    facts: RunFacts
    context: CallContext
    tool: EvidenceTool
    prepared: Prepared
    request: ToolRequest

    @property
    def id(self) -> ToolCallId:
        return self.request.call.tool_call_id

    @property
    def request_bytes(self) -> int:
        return _size(self.request.input)


async def _run(tool: EvidenceTool, prepared: Prepared, context: CallContext, timeout_s: float) -> RawResult:
    try:
        async with asyncio.timeout(timeout_s):
            return await tool.execute(prepared, context)
    except TimeoutError as error:
        raise ToolFailed(ToolCode.TOOL_TIMEOUT) from error
    except (ToolFailed, TruthUnavailable):
        raise
    except Exception as error:
        detail = f"{type(error).__name__}: {error}"[:500]
        raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=detail) from error


def _project(tool: EvidenceTool, tool_call_id: ToolCallId, prepared: Prepared, raw: RawResult) -> Projection:
    """The tool's projection, if it keeps the contract of every projection.

    Raises:
        ToolFailed: it does not, or the tool could not make one.
    """
    try:
        projection = _judged(tool.project(tool_call_id, prepared, raw))
    except ToolFailed:
        raise
    except Exception as error:
        detail = f"{type(error).__name__}: {error}"[:500]
        raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail=detail) from error
    text = render_projection(projection)
    if len(text.encode()) > tool.projection_cap_bytes:
        raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail="projection larger than its cap")
    if not keeps_contract(projection, tool.name, tool_call_id) or parse_projection(text) != projection:
        raise ToolFailed(ToolCode.OBSERVATION_CONTRACT_MISMATCH)
    if projection.evidence_status is EvidenceStatus.NO_EVIDENCE and raw.coverage is not Coverage.COMPLETE:
        raise ToolFailed(ToolCode.INCOMPLETE_SEARCH)
    return projection


def _judged(projection: Projection) -> Projection:
    """The projection with every item that speaks to its reader as a document: it may be quoted, it proves nothing."""
    items = tuple(
        item.model_copy(update={"kind": EvidenceKind.KNOWLEDGE}) if _speaks(item) else item for item in projection.items
    )
    return projection.model_copy(update={"items": items})


def _speaks(item: Item) -> bool:
    words = (value for value in item.fields.values() if isinstance(value, str))
    return item.kind is EvidenceKind.TELEMETRY and any(speaks_to_reader(text) for text in (item.text, *words))


def keeps_contract(projection: Projection, tool: str, tool_call_id: ToolCallId) -> bool:
    """True if identity, status and items agree: FOUND has items, NO_EVIDENCE has none and a total of 0."""
    if (projection.tool, projection.tool_call_id) != (tool, tool_call_id):
        return False
    ids = [item.item_id for item in projection.items]
    if len(ids) != len(set(ids)):
        return False
    match projection.evidence_status:
        case EvidenceStatus.EVIDENCE_FOUND:
            return bool(ids)
        case EvidenceStatus.NO_EVIDENCE:
            return not ids and not projection.total_matches and not projection.truncated
        case EvidenceStatus.ERROR:
            return False


def _members(value: object) -> dict[str, object]:
    """An object that stayed one while its strings were rewritten."""
    assert isinstance(value, dict), "rewriting strings keeps the shape"
    return value


def _size(value: object) -> int:
    return len(_dump(value).encode())


def _dump(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
