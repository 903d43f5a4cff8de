"""What a node tells the outside: public status events and the audit. Both fail open."""

import structlog

from nodes.deps import Step
from state.model.enums import Stage, TraceEventType
from state.model.errors import LeaseLost
from state.model.evidence import CanonicalRecord, Projection, Scalar, parse_projection
from state.model.ids import RunId, ToolCallId
from state.model.release import ReleaseDecision
from state.model.run import PublicEventType
from state.model.trace import TraceEvent

log = structlog.get_logger("nodes.telling")


async def announce(step: Step, key: str, stage: Stage, **facts: Scalar) -> None:
    """Offer one status event, once per ``key``: configured names, codes and counts, never free text."""
    payload: dict[str, object] = {"stage": stage.value, **{name: value for name, value in facts.items() if value}}
    await offer(step, key, PublicEventType.STATUS, payload)


async def offer(step: Step, key: str, type_: PublicEventType, payload: dict[str, object]) -> None:
    """Commit one public event and wake its followers; whatever fails only costs the narration.

    Raises:
        LeaseLost: another process holds the run.
    """
    try:
        event = await step.deps.control.offer_event(step.lease, key, type_, payload)
    except LeaseLost:
        raise
    except Exception as error:  # noqa: BLE001 - fails open whatever it is, as the audit does
        log.warning("status event lost", run_id=step.lease.run_id, key=key, error=str(error))
        return
    if event is not None:
        step.wake({"seq": event.seq, "type": event.type.value, "payload": event.payload})


async def trace(
    step: Step,
    key: str,
    type_: TraceEventType,
    node: str,
    *,
    duration_ms: int | None = None,
    **details: Scalar,
) -> None:
    """Write one audit event, once per ``key``; never raises."""
    at = step.deps.clock.now()
    event = TraceEvent(event_key=key, type=type_, node=node, at=at, duration_ms=duration_ms, details=details)
    await step.deps.audit.record(step.lease, event)


async def trace_invocation(step: Step, node: str, record: CanonicalRecord, projection: Projection | None) -> None:
    """Record what became of a call; ``projection`` is that of the record, None where it has none that can be read."""
    key, facts = f"invocation:{record.tool_call_id}", _facts_of(record, projection)
    await trace(step, key, TraceEventType.TOOL_INVOCATION, node, duration_ms=None, **facts)


async def trace_copied(step: Step, node: str, record: CanonicalRecord, *, source: RunId, gain: str | None) -> None:
    """Record a result that came with the fork; ``gain``: what was said of it in the run it was collected in."""
    facts = _facts_of(record, parse_projection(record.projection_json))
    copied: dict[str, Scalar] = {**facts, "gain": gain, "copied_from": source}
    await trace(
        step, f"copied:{record.tool_call_id}", TraceEventType.TOOL_RESULT_COPIED, node, duration_ms=None, **copied
    )


def _facts_of(record: CanonicalRecord, projection: Projection | None) -> dict[str, Scalar]:
    return {
        "tool_call_id": record.tool_call_id,
        "tool": record.tool,
        "status": record.status.value,
        "evidence_status": record.evidence_status.value if record.evidence_status else None,
        "code": record.error_code.value if record.error_code else None,
        "items": len(projection.items) if projection else 0,
        "coverage": projection.coverage.value if projection else None,
        "bytes": record.request_bytes + record.raw_bytes + record.projection_bytes,
    }


async def trace_rejection(step: Step, node: str, tool_call_id: ToolCallId, *, tool: str, why: str) -> None:
    """Record a request of which nothing was executed; a tool that does not exist is told as ``unknown``."""
    await trace(
        step,
        f"rejected:{tool_call_id}",
        TraceEventType.TOOL_REQUEST_REJECTED,
        node,
        tool_call_id=tool_call_id,
        tool=tool if tool in step.deps.tool_names else "unknown",
        why=why,
    )


async def trace_answer(step: Step, node: str, decision: ReleaseDecision) -> None:
    """Record what an answering node decided, as ``release`` records its own decision."""
    await trace(
        step,
        "release",
        TraceEventType.RELEASE_DECISION,
        node,
        row=decision.content_type.value if decision.content_type else None,
        run_state=decision.run_state.value,
        outcome=decision.outcome.value,
        cited=len(decision.cited),
    )
