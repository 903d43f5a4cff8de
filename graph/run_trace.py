"""What a person may see of a run: its model steps, tool calls, spending, way through the graph, and what proves it.

Pure functions over what the stores hold; shapes are those of docs/http-api.md. Nothing here is reconstructed: what no
store knows is None.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graph.trace_sentences import Sentence, sentences_of
from state.model.base import Value
from state.model.enums import EvidenceStatus, TraceEventType
from state.model.evidence import CanonicalRecord, Item, Projection, Scope
from state.model.release import EvidenceView
from state.model.run import BudgetEntry, BudgetUsage, PublicEvent, PublicEventType, RunRow
from state.model.trace import StoredTraceEvent

REFUSED = "REFUSED"
"""Status of a request of which nothing was executed."""


class ModelStep(Value):
    """One attempt at one model call."""

    step: str
    """``role:round:attempt``, as the ledger and the recording name it."""
    sequence_no: int
    at: datetime
    duration_ms: int | None
    role: str
    outcome: str
    """``ok`` or the kind of the failure; of the agent also ``ask``, ``handed_in`` or ``draft``."""
    tokens: int | None
    """None: the provider reported no usage."""


class ToolLine(Value):
    """One request for evidence."""

    tool_call_id: str
    tool: str
    status: str
    """READY, ERROR, or REFUSED: nothing was executed."""
    evidence_status: str | None
    code: str | None
    """Why it failed or was refused."""
    coverage: str | None
    items: int
    bytes: int
    gain: str | None
    """What the agent, or code in its place, said of the result; None where nobody judged it."""
    scope: Scope | None
    """What was searched; None once the record has expired and nothing of it was cited."""
    at: datetime
    duration_ms: int | None
    """None once the record has expired, and of a result that was copied."""
    copied_from: str | None = None
    """The run that a fork got the result from; None: this run asked for it itself."""


class LedgerLine(Value):
    """One entry of the ledger."""

    kind: str
    key: str
    component: str
    reserved: int
    settled: int | None
    usage_reported: bool


class Visit(Value):
    """A node this run went through."""

    name: str
    at: datetime


class TokenSums(Value):
    """The same tokens, counted in three places."""

    traced: int | None
    """Sum of the model steps; None where no provider reported usage."""
    ledger: int
    finished: int | None
    """As written when the run ended; None before, or where that event was lost."""
    reconciled: bool | None
    """True if all three are the same; None where one of them is not known."""


class Ending(Value):
    """How a run ended, as one side tells it."""

    outcome: str | None
    content_type: str | None
    failure_code: str | None


class TraceSummary(Value):
    """What was kept against what was told."""

    tokens: TokenSums
    persisted: Ending
    """As the row says."""
    returned: Ending
    """As the published events say; the same, or something is wrong."""
    audit_lost: int


class TraceDetail(Value):
    """The parts of the trace that are derived."""

    steps: tuple[ModelStep, ...]
    tool_calls: tuple[ToolLine, ...]
    ledger: tuple[LedgerLine, ...]
    path: tuple[Visit, ...]
    sentences: tuple[Sentence, ...]
    summary: TraceSummary


class EvidenceDetail(Value):
    """One result: whole while it is kept, afterwards what was cited of it."""

    tool_call_id: str
    tool: str
    scope: Scope | None
    """None: the call failed, or the result has expired and nothing of it was cited."""
    evidence_status: str
    coverage: str | None
    items: tuple[Item, ...]
    cited_item_ids: tuple[str, ...]
    """Those on which the published answer rests."""
    expired: bool


@dataclass(frozen=True)
class KeptCall:
    """A call whose record has not expired."""

    record: CanonicalRecord
    projection: Projection | None
    """With placeholders looked up; None: it failed, or is not complete."""


@dataclass(frozen=True)
class RunTrace:
    """Everything kept about one run."""

    row: RunRow
    usage: BudgetUsage
    timeline: tuple[StoredTraceEvent, ...]
    published: tuple[PublicEvent, ...]
    evidence: tuple[EvidenceView, ...]

    @property
    def tokens_reconciled(self) -> bool | None:
        """True if the traced token counts add up to the ledger; None where a provider reported no usage for a call."""
        traced = [stored.event.details.get("total_tokens") for stored in _of(self, TraceEventType.MODEL_TOKEN_USAGE)]
        known = [tokens for tokens in traced if isinstance(tokens, int)]
        if not known or len(known) < len(traced):
            return None
        return sum(known) == self.usage.tokens


def read_detail(kept: RunTrace, entries: Sequence[BudgetEntry], calls: Mapping[str, KeptCall]) -> TraceDetail:
    """The derived parts. ``entries``: the ledger; ``calls``: by id, those whose record has not expired."""
    return TraceDetail(
        steps=tuple(_steps(kept)),
        tool_calls=tuple(_tool_lines(kept, calls)),
        ledger=tuple(LedgerLine.model_validate(entry.model_dump(mode="json", exclude={"run_id"})) for entry in entries),
        path=path_of(kept.timeline),
        sentences=sentences_of(kept.row.decision.content if kept.row.decision else None),
        summary=_summary(kept),
    )


def read_evidence(kept: RunTrace, call_id: str, call: KeptCall | None) -> EvidenceDetail | None:
    """One result of the run; None if the run made no such call. ``call``: None once its record has expired."""
    invoked = next((one for one in _invocations(kept) if one.event.details.get("tool_call_id") == call_id), None)
    cited = next((view for view in kept.evidence if view.tool_call_id == call_id), None)
    ids = tuple(item.item_id for item in cited.items) if cited else ()
    if call is not None:
        return _whole_result(call, ids)
    if cited is not None:
        return EvidenceDetail(
            **_names(call_id, cited.tool, cited.evidence_status),
            scope=cited.scope, coverage=None, items=cited.items, cited_item_ids=ids, expired=True,
        )  # fmt: skip
    if invoked is None:
        return None
    details = invoked.event.details
    status = _text(details.get("evidence_status")) or EvidenceStatus.ERROR
    return EvidenceDetail(
        **_names(call_id, str(details.get("tool")), status),
        scope=None, coverage=_text(details.get("coverage")), items=(), cited_item_ids=(), expired=True,
    )  # fmt: skip


def _whole_result(call: KeptCall, cited: tuple[str, ...]) -> EvidenceDetail:
    record, projection = call.record, call.projection
    return EvidenceDetail(
        **_names(record.tool_call_id, record.tool, record.evidence_status or EvidenceStatus.ERROR),
        scope=projection.scope if projection else None,
        coverage=projection.coverage if projection else None,
        items=projection.items if projection else (),
        cited_item_ids=cited,
        expired=False,
    )


def _names(call_id: str, tool: str, status: str) -> dict[str, str]:
    return {"tool_call_id": call_id, "tool": tool, "evidence_status": status}


def _of(kept: RunTrace, *types: TraceEventType) -> Iterator[StoredTraceEvent]:
    return (stored for stored in kept.timeline if stored.event.type in types)


def _invocations(kept: RunTrace) -> Iterator[StoredTraceEvent]:
    """Results on record, also those that came with a fork."""
    return _of(kept, TraceEventType.TOOL_INVOCATION, TraceEventType.TOOL_RESULT_COPIED)


def _steps(kept: RunTrace) -> Iterator[ModelStep]:
    turns = {stored.event.details.get("round"): stored for stored in _of(kept, TraceEventType.AGENT_MODEL_STEP)}
    for stored in _of(kept, TraceEventType.MODEL_TOKEN_USAGE):
        event = stored.event
        key, role = str(event.details.get("attempt")), str(event.details.get("role"))
        outcome = str(event.details.get("result"))
        turn = turns.get(_round(key)) if role == "agent" and outcome == "ok" else None
        yield ModelStep(
            step=key,
            sequence_no=stored.sequence_no,
            at=event.at,
            duration_ms=event.duration_ms,
            role=role,
            outcome=str(turn.event.details.get("result")) if turn else outcome,
            tokens=_whole(event.details.get("total_tokens")),
        )


def _round(step: str) -> int | None:
    parts = step.split(":")
    return int(parts[1]) if len(parts) == 3 and parts[1].isdecimal() else None


def _tool_lines(kept: RunTrace, calls: Mapping[str, KeptCall]) -> list[ToolLine]:
    """In the order they began. A call whose event was lost is told from its record, as long as that is kept."""
    gains = _gains(kept)
    scopes: dict[str, Scope] = {view.tool_call_id: view.scope for view in kept.evidence}
    lines = [_invoked(stored, calls, scopes, gains) for stored in _invocations(kept)]
    told = {line.tool_call_id for line in lines}
    lines += [_unaudited(call, gains) for call_id, call in calls.items() if call_id not in told]
    lines += [_refused(stored) for stored in _of(kept, TraceEventType.TOOL_REQUEST_REJECTED)]
    return sorted(lines, key=lambda line: line.at)


def _invoked(
    stored: StoredTraceEvent, calls: Mapping[str, KeptCall], scopes: Mapping[str, Scope], gains: Mapping[str, str]
) -> ToolLine:
    event, details = stored.event, stored.event.details
    call_id = str(details.get("tool_call_id"))
    call = calls.get(call_id)
    begun = call.record.begun_at if call else None
    source = _text(details.get("copied_from"))
    took = None if begun is None or source else max(0, round((event.at - begun).total_seconds() * 1000))
    return ToolLine(
        tool_call_id=call_id,
        tool=str(details.get("tool")),
        status=str(details.get("status")),
        evidence_status=_text(details.get("evidence_status")),
        code=_text(details.get("code")),
        coverage=_text(details.get("coverage")),
        items=_whole(details.get("items")) or 0,
        bytes=_whole(details.get("bytes")) or 0,
        gain=gains.get(call_id) or _text(details.get("gain")),
        scope=call.projection.scope if call and call.projection else scopes.get(call_id),
        at=begun or event.at,
        duration_ms=took,
        copied_from=source,
    )


def _unaudited(call: KeptCall, gains: Mapping[str, str]) -> ToolLine:
    record, projection = call.record, call.projection
    return ToolLine(
        tool_call_id=record.tool_call_id,
        tool=record.tool,
        status=record.status,
        evidence_status=record.evidence_status,
        code=record.error_code,
        coverage=projection.coverage if projection else None,
        items=len(projection.items) if projection else 0,
        bytes=record.request_bytes + record.raw_bytes + record.projection_bytes,
        gain=gains.get(record.tool_call_id),
        scope=projection.scope if projection else None,
        at=record.begun_at,
        duration_ms=None,
    )


def _refused(stored: StoredTraceEvent) -> ToolLine:
    details = stored.event.details
    return ToolLine(
        tool_call_id=str(details.get("tool_call_id")),
        tool=str(details.get("tool")),
        status=REFUSED,
        evidence_status=None,
        code=_text(details.get("why")),
        coverage=None,
        items=0,
        bytes=0,
        gain=None,
        scope=None,
        at=stored.event.at,
        duration_ms=None,
    )


def _gains(kept: RunTrace) -> dict[str, str]:
    """What was said of each result: told as a public event before the next search, or judged by code."""
    gains: dict[str, str] = {}
    for event in kept.published:
        prefix, _, call_id = event.event_key.partition(":")
        gain = event.payload.get("gain")
        if prefix in {"gain", "result"} and isinstance(gain, str):
            gains[call_id] = gain
    return gains


def path_of(timeline: Sequence[StoredTraceEvent]) -> tuple[Visit, ...]:
    """The nodes a run went through, in order, each at its first event. A node that was lost from the audit is missing.

    ``tool_gate`` leaves no event where a request broke the protocol; what follows it always, tells of it.
    """
    visits: list[Visit] = []
    seen: set[str] = set()
    for stored in timeline:
        event = stored.event
        key = event.type.value
        is_again = key in _BEGINS_A_TURN and TraceEventType.AGENT_MODEL_STEP.value in seen
        if not visits or visits[-1].name != event.node or is_again:
            if event.node == "track_progress" and visits and visits[-1].name != "tool_gate":
                visits.append(Visit(name="tool_gate", at=event.at))
            visits.append(Visit(name=event.node, at=event.at))
            seen = set()
        seen.add(key)
    return tuple(visits)


_BEGINS_A_TURN = frozenset({TraceEventType.MODEL_TOKEN_USAGE.value, TraceEventType.AGENT_MODEL_STEP.value})
"""After one turn of the agent these belong to its next: it is visited again."""


def _summary(kept: RunTrace) -> TraceSummary:
    row = kept.row
    return TraceSummary(
        tokens=_tokens(kept),
        persisted=Ending(
            outcome=row.outcome,
            content_type=row.content_type,
            failure_code=row.failure_code,
        ),
        returned=_returned(kept.published),
        audit_lost=row.audit_lost,
    )


def _tokens(kept: RunTrace) -> TokenSums:
    reported = [stored.event.details.get("total_tokens") for stored in _of(kept, TraceEventType.MODEL_TOKEN_USAGE)]
    known = [tokens for tokens in reported if isinstance(tokens, int)]
    ended = next(_of(kept, TraceEventType.RUN_FINISHED), None)
    finished = _whole(ended.event.details.get("total_tokens")) if ended else None
    traced = sum(known) if known else None
    agrees = kept.tokens_reconciled
    reconciled = None if agrees is None or finished is None else agrees and traced == finished
    return TokenSums(traced=traced, ledger=kept.usage.tokens, finished=finished, reconciled=reconciled)


def _returned(published: Sequence[PublicEvent]) -> Ending:
    told = {event.type: event.payload for event in published}
    content, failure = told.get(PublicEventType.CONTENT, {}), told.get(PublicEventType.FAILURE, {})
    return Ending(
        outcome=_text(told.get(PublicEventType.DONE, {}).get("outcome")),
        content_type=_text(content.get("content_type")),
        failure_code=_text(failure.get("code")),
    )


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
