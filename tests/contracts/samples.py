"""Valid values for the store contracts; override one thing per test."""

from datetime import UTC, datetime, timedelta

from state.model.draft import Analysis, Conclusion, Draft, Limitations
from state.model.enums import (
    AnalysisKind,
    ConclusionKind,
    ContentType,
    Coverage,
    EvidenceKind,
    EvidenceStatus,
    FailureCode,
    Intent,
    InvocationStatus,
    Language,
    RedactionPolicy,
    ReleaseOutcome,
    RunState,
    TraceEventType,
)
from state.model.evidence import CanonicalRecord, Item, Projection, Scope, Window, render_projection
from state.model.ids import RunId, SessionId, ToolCallId
from state.model.limits import RunLimits
from state.model.release import DiagnosisReport, EvidenceView, ReleaseDecision
from state.model.run import Closing, Lease, NewRun, RunFacts
from state.model.trace import TraceEvent

NOW = datetime(2026, 3, 5, 10, 0, 0, 123456, tzinfo=UTC)
RUN = RunId("00000000-0000-4000-8000-000000000001")
OTHER_RUN = RunId("00000000-0000-4000-8000-000000000002")
SESSION = SessionId("s-1")
CALL = ToolCallId("call_1")
OTHER_CALL = ToolCallId("call_2")


class SteppingClock:
    """A clock that stands until told to move on."""

    def __init__(self, at: datetime = NOW) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return (self.at - NOW).total_seconds()

    def advance(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


def run_id(number: int) -> RunId:
    return RunId(f"00000000-0000-4000-8000-{number:012d}")


def a_lease(run: RunId = RUN, *, epoch: int = 1, owner: str = "p1") -> Lease:
    return Lease(run_id=run, owner=owner, epoch=epoch)


def facts(
    run: RunId = RUN,
    *,
    session: str = SESSION,
    owner_key: str = "local",
    query: str = "为什么支付超时？",
    max_resumes: int = 2,
) -> RunFacts:
    return RunFacts(
        run_id=run,
        session_id=SessionId(session),
        owner_key=owner_key,
        query=query,
        language=Language.ZH,
        now=NOW,
        time_zone="Asia/Shanghai",
        window=Window(start=NOW - timedelta(hours=2), end=NOW),
        redaction=RedactionPolicy.EXTERNAL_MODELS,
        mask_identifiers=True,
        limits=RunLimits(max_resumes=max_resumes),
    )


def a_new_run(of: RunFacts | None = None) -> NewRun:
    of = of or facts()
    return NewRun(facts=of, thread_id=of.run_id, model="offline", world="/srv/worlds/payment")


def a_projection(call: ToolCallId = CALL, text: str = "HikariPool-1 - Connection is not available") -> Projection:
    item = Item(item_id="log:app:1:aaaa", kind=EvidenceKind.TELEMETRY, text=text, fields={"level": "ERROR", "n": 3})
    return Projection(
        tool_call_id=call,
        tool="query_logs",
        scope=Scope(source="app", filters={"service": "payment"}),
        coverage=Coverage.COMPLETE,
        evidence_status=EvidenceStatus.EVIDENCE_FOUND,
        truncated=False,
        total_matches=1,
        items=(item,),
    )


def a_record(
    lease: Lease, call: ToolCallId = CALL, *, begun_at: datetime = NOW, ttl_s: float = 7800.0
) -> CanonicalRecord:
    return CanonicalRecord(
        run_id=lease.run_id,
        tool_call_id=call,
        tool="query_logs",
        request_hash="f" * 64,
        scope_key='["query_logs",{"service":"payment"}]',
        lease_epoch=lease.epoch,
        status=InvocationStatus.PROJECTING,
        request_bytes=120,
        begun_at=begun_at,
        expires_at=begun_at + timedelta(seconds=ttl_s),
    )


PROJECTION_JSON = render_projection(a_projection())
RAW_JSON = '{"lines": ["HikariPool-1 - Connection is not available", "超时"]}'


def an_evidence_view(call: str = CALL) -> EvidenceView:
    seen = a_projection(ToolCallId(call))
    return EvidenceView(
        tool_call_id=ToolCallId(call),
        tool=seen.tool,
        scope=seen.scope,
        evidence_status=seen.evidence_status,
        items=seen.items,
    )


def a_report(text: str = "The pool is exhausted") -> DiagnosisReport:
    draft = Draft(
        conclusion=Conclusion(kind=ConclusionKind.ROOT_CAUSE, text=text, based_on_analysis_ids=("A1",)),
        analysis=(Analysis(analysis_id="A1", kind=AnalysisKind.NORMAL, text=text, tool_call_ids=(CALL,)),),
        limitations=Limitations(scope="payment logs, two hours", missing_info=("metrics",)),
    )
    return DiagnosisReport(draft=draft, evidence=(an_evidence_view(), an_evidence_view(OTHER_CALL)))


def a_success(text: str = "The pool is exhausted") -> Closing:
    decision = ReleaseDecision(
        run_state=RunState.SUCCESS,
        outcome=ReleaseOutcome.SUCCESS,
        content_type=ContentType.DIAGNOSIS_REPORT,
        content=a_report(text),
    )
    return Closing(decision=decision, intent=Intent.DIAGNOSIS)


def a_failure(code: FailureCode = FailureCode.INTERNAL_FAILURE) -> Closing:
    decision = ReleaseDecision(run_state=RunState.FAILED, outcome=ReleaseOutcome.FAILED, failure_code=code)
    return Closing(decision=decision)


def a_trace_event(key: str = "route:1", type_: TraceEventType = TraceEventType.ROUTING_DECISION) -> TraceEvent:
    details = {"intent": "DIAGNOSIS", "attempts": 1, "share": 0.5, "cached": False, "note": None}
    return TraceEvent(event_key=key, type=type_, node="route", at=NOW, duration_ms=12, details=details)
