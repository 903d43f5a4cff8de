"""close_run: the only node that makes anything public, in the transaction that wins the terminal state.

The same closing serves the runner's ``finally``. Nothing rewrites the text after ``release``: placeholders
are looked up, item digests compared, and the row decides what is returned.
"""

import json
from dataclasses import dataclass

import structlog
from langgraph.runtime import Runtime

from guards.citations import reread_digest, verify_all
from guards.release import decide_failure
from nodes.deps import Deps, Step
from nodes.held import unrecorded
from state.model.audit import AuditStock, digest_of
from state.model.diagnosis import DiagnosisState, RunOptions
from state.model.enums import (
    CancellationReason,
    FailureCode,
    Language,
    ReleaseOutcome,
    RunState,
)
from state.model.errors import TruthUnavailable
from state.model.ids import RunId
from state.model.placeholders import PlaceholderMap, unmask_json
from state.model.release import ReleaseDecision, RunFailure, RunResult
from state.model.run import Closing, RunRow
from state.model.run_end import end_event, past_lease

log = structlog.get_logger("nodes.close_run")


@dataclass(frozen=True)
class CloseRun:
    """The node ``close_run``. It has no error edge: what it cannot write, it says in its result."""

    deps: Deps

    async def __call__(self, state: DiagnosisState, *, runtime: Runtime[RunOptions]) -> DiagnosisState:
        """The result as the run row says it; inputs that must not leak into a later run of the thread are cleared."""
        run_id = RunId(state.get("run_id") or "")
        try:
            with unrecorded():
                result = await self._close(run_id, state, runtime)
        except TruthUnavailable as error:
            log.error("run could not be closed", run_id=run_id, error=str(error))
            result = unpersisted(state, FailureCode.RUN_PERSISTENCE_FAILED)
        await self.deps.keeper.let_go(run_id, ended=result.persisted)
        return {"result": result, "follow_up_of": None, "parent_run_id": None}

    async def _close(self, run_id: RunId, state: DiagnosisState, runtime: Runtime[RunOptions]) -> RunResult:
        row = await self.deps.control.get_run(run_id)
        if row is None:
            return unpersisted(state, _code_of(state))
        if row.run_state is not RunState.RUNNING:
            await trace_finish(self.deps, row)
            return result_of(row)
        lease, options = await self.deps.keeper.hold(run_id), runtime.context or RunOptions()
        step = Step(self.deps, lease, options, runtime.stream_writer)
        row = await close(step, decision=state.get("decision"), failure=state.get("failure"))
        return result_of(row)


async def close(step: Step, *, decision: ReleaseDecision | None, failure: RunFailure | None) -> RunRow:
    """The terminal row of the run. A failure outweighs a decision; neither is INTERNAL_FAILURE.

    Raises TruthUnavailable if the control store cannot be written, LeaseLost if another process holds the run.
    """
    cancelled = failure is not None and failure.code is FailureCode.RUN_CANCELLED
    decided = await _decided(step, decision, failure)
    closing = Closing(
        decision=decided,
        cancelled=CancellationReason.USER_REQUESTED if cancelled else None,
        audit=await take_stock(step),
    )
    row = await step.deps.control.close(step.lease, closing)
    await trace_finish(step.deps, row)
    await _tell_witness(step.deps, row)
    step.wake({"type": "done"})
    return row


async def trace_finish(deps: Deps, row: RunRow) -> None:
    """Record RUN_FINISHED as the row has it; a no-op if it is there, so a crash after closing is mended by resume.

    Fails open: the run is over, whatever becomes of its last event.
    """
    try:
        usage = await deps.control.usage(row.run_id)
    except TruthUnavailable as error:
        log.warning("last event lost", run_id=row.run_id, error=str(error))
        return
    await deps.audit.record(past_lease(row), end_event(row, usage))


async def _tell_witness(deps: Deps, row: RunRow) -> None:
    """Log what the closing kept of the audit: a log that is kept elsewhere shows a change of both stores."""
    try:
        kept = await deps.control.audit_digest(row.run_id)
    except TruthUnavailable:
        return
    if kept is not None:
        log.info("audit closed", run_id=row.run_id, rows=kept.rows, sha256=kept.sha256)


def result_of(row: RunRow) -> RunResult:
    """What a terminal row says."""
    decision = row.decision
    return RunResult(
        run_id=row.run_id,
        session_id=row.session_id,
        language=row.language,
        run_state=row.run_state,
        outcome=row.outcome or ReleaseOutcome.FAILED,
        content_type=row.content_type,
        fallback_type=row.fallback_type,
        failure_code=row.failure_code,
        stop_reason=row.stop_reason,
        content=decision.content if decision else None,
        closed_at=row.closed_at,
    )


def unpersisted(state: DiagnosisState, code: FailureCode) -> RunResult:
    """What is said when there is no row to close or it cannot be written: nothing is released."""
    facts = state.get("run")
    return RunResult(
        run_id=state.get("run_id") or "",
        session_id=state.get("session_id") or "",
        language=facts.language if facts else Language.EN,
        run_state=RunState.FAILED,
        outcome=ReleaseOutcome.FAILED,
        failure_code=code,
        persisted=False,
    )


def _code_of(state: DiagnosisState) -> FailureCode:
    failure = state.get("failure")
    return failure.code if failure else FailureCode.INTERNAL_FAILURE


async def _decided(step: Step, decision: ReleaseDecision | None, failure: RunFailure | None) -> ReleaseDecision:
    if failure is not None:
        return _failed(failure.code)
    if decision is None:
        return _failed(FailureCode.INTERNAL_FAILURE)
    try:
        if not await _unchanged(step, decision):
            log.error("cited evidence changed or vanished after release", run_id=step.lease.run_id)
            return _failed(FailureCode.RUN_PERSISTENCE_FAILED)
        return await _resolved(step, decision)
    except TruthUnavailable as error:
        log.error("evidence could not be re-read", run_id=step.lease.run_id, error=str(error))
        return _failed(FailureCode.RUN_PERSISTENCE_FAILED)


async def _unchanged(step: Step, decision: ReleaseDecision) -> bool:
    """True if every cited item still reads as it did at release."""
    if not decision.cited:
        return True
    run_id = step.lease.run_id
    records = {record.tool_call_id: record for record in await step.deps.canonical.records(run_id)}
    verified = verify_all(records, run_id)
    return all(reread_digest(verified.get(one.tool_call_id), one.item_id) == one.sha256 for one in decision.cited)


async def _resolved(step: Step, decision: ReleaseDecision) -> ReleaseDecision:
    """The decision with placeholders looked up for the session's owner."""
    placeholders = await step.deps.canonical.placeholders(step.lease.run_id)
    if not placeholders:
        return decision
    return ReleaseDecision.model_validate(
        unmask_json(json.loads(decision.model_dump_json()), PlaceholderMap(entries=placeholders))
    )


def _failed(code: FailureCode) -> ReleaseDecision:
    row = decide_failure(code)
    return ReleaseDecision(run_state=row.run_state, outcome=row.outcome, failure_code=code)


async def take_stock(step: Step) -> AuditStock:
    """The run's audit as it stands, closed to earlier holders: what is missing in it, and the digest of what is there.

    Missing are failed writes of this process and ledger entries without their event. An audit that is down leaves only
    the first and no digest: it never keeps a run from ending.
    """
    run_id = step.lease.run_id
    lost = await step.deps.audit.lost(run_id)
    timeline = await step.deps.audit.close_timeline(step.lease)
    if timeline is None:
        return AuditStock(lost=lost)
    there = {row.event_key for row in timeline.rows}
    entries = await step.deps.control.entries(run_id)
    expected = {f"tokens:{entry.key}" if entry.kind == "MODEL_CALL" else f"invocation:{entry.key}" for entry in entries}
    missing = max(lost, len(expected - there))
    return AuditStock(lost=missing, digest=digest_of(timeline.rows), end_no=timeline.end_no)
