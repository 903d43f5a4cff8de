"""Everything valid: override one thing. Three results of one run (logs, orders table, runbook) and an empty search."""

from datetime import UTC, datetime, timedelta
from typing import Any

from state.model.draft import (
    Action,
    Analysis,
    Conclusion,
    Draft,
    Hypothesis,
    Limitations,
    Quote,
    Recommendation,
)
from state.model.enums import (
    AnalysisKind,
    ConclusionKind,
    Coverage,
    EvidenceKind,
    EvidenceStatus,
    HypothesisStatus,
    InvocationStatus,
    ToolCode,
)
from state.model.evidence import CanonicalRecord, Item, Projection, Scope, Window, render_projection
from state.model.ids import RunId, ToolCallId, digest

RUN = RunId("00000000-0000-4000-8000-000000000001")
OTHER_RUN = RunId("00000000-0000-4000-8000-000000000002")
NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
WINDOW = Window(start=datetime(2026, 3, 2, 13, 0, tzinfo=UTC), end=NOW)
QUESTION = "Why did payments time out this afternoon?"

LOGS, ORDERS, RUNBOOK, EMPTY = (ToolCallId(name) for name in ("call_logs", "call_orders", "call_runbook", "call_empty"))

HIKARI = Item(
    item_id="log:payments:2026-03-02T14:05:31.123Z:0a1b2c3d",
    kind=EvidenceKind.TELEMETRY,
    text=(
        "2026-03-02T14:05:31.123Z ERROR payment-service HikariPool-1 - Connection is not available, "
        "request timed out after 30000ms (total=20, active=20, idle=0, waiting=31)"
    ),
    fields={"ts": "2026-03-02T14:05:31.123+00:00", "service": "payment-service", "level": "ERROR"},
    identified=True,
)
PATTERN = Item(
    item_id="pat:11112222:33334444",
    kind=EvidenceKind.TELEMETRY,
    text="HikariPool-1 - Connection is not available, request timed out after <num>ms",
    fields={
        "count": 812,
        "first_ts": "2026-03-02T14:03:12+00:00",
        "last_ts": "2026-03-02T14:41:55+00:00",
        "service": "payment-service",
    },
)
ORDER = Item(
    item_id="row:orders:1",
    kind=EvidenceKind.TELEMETRY,
    text="status=FAILED, n=1240, avg_ms=4213.5",
    fields={"status": "FAILED", "n": 1240, "avg_ms": 4213.5},
)
CHUNK = Item(
    item_id="connection-pool-1a2b3c4d#chunk-2",
    kind=EvidenceKind.KNOWLEDGE,
    text="When every connection is in use, raise maximumPoolSize or find the transaction that keeps them open.",
    fields={"title": "Connection pool exhausted", "breadcrumb": "Databases > Connection pool exhausted"},
    identified=True,
)


def a_scope(**over: Any) -> Scope:
    return Scope(**{"source": "payments", "window": WINDOW, "filters": {"service": "payment-service"}, **over})


def a_projection(**over: Any) -> Projection:
    """Two items of the payment logs, a whole result."""
    base: dict[str, Any] = {
        "tool_call_id": LOGS,
        "tool": "query_logs",
        "scope": a_scope(),
        "coverage": Coverage.COMPLETE,
        "evidence_status": EvidenceStatus.EVIDENCE_FOUND,
        "truncated": False,
        "total_matches": 835,
        "items": (HIKARI, PATTERN),
    }
    return Projection(**{**base, **over})


def an_empty_projection(**over: Any) -> Projection:
    """Nothing in the logs of the database host."""
    base: dict[str, Any] = {
        "tool_call_id": EMPTY,
        "scope": a_scope(source="database-logs", filters={"service": "db-primary", "level": "ERROR"}),
        "evidence_status": EvidenceStatus.NO_EVIDENCE,
        "total_matches": 0,
        "items": (),
    }
    return a_projection(**{**base, **over})


def an_orders_projection(**over: Any) -> Projection:
    scope = Scope(
        source="shop", query="SELECT status, COUNT(*) AS n, AVG(took_ms) AS avg_ms FROM orders GROUP BY status"
    )
    base = {"tool_call_id": ORDERS, "tool": "query_sql", "scope": scope, "total_matches": 1, "items": (ORDER,)}
    return a_projection(**{**base, **over})


def a_runbook_projection(**over: Any) -> Projection:
    scope = Scope(source="runbooks", query="connection pool")
    base = {
        "tool_call_id": RUNBOOK,
        "tool": "lookup_knowledge",
        "scope": scope,
        "total_matches": None,
        "items": (CHUNK,),
    }
    return a_projection(**{**base, **over})


def a_record(projection: Projection | None = None, **over: Any) -> CanonicalRecord:
    """The READY record of that projection (the payment logs)."""
    shown = projection or a_projection()
    text = render_projection(shown)
    base: dict[str, Any] = {
        "run_id": RUN,
        "tool_call_id": shown.tool_call_id,
        "tool": shown.tool,
        "request_hash": digest(shown.tool_call_id),
        "scope_key": f'["{shown.tool}",{{}}]',
        "lease_epoch": 1,
        "status": InvocationStatus.READY,
        "evidence_status": shown.evidence_status,
        "projection_json": text,
        "projection_sha256": digest(text),
        "begun_at": NOW,
        "expires_at": NOW + timedelta(hours=2, minutes=10),
    }
    return CanonicalRecord(**{**base, **over})


def an_error_record(call_id: str = "call_error") -> CanonicalRecord:
    return a_record(
        tool_call_id=ToolCallId(call_id),
        status=InvocationStatus.ERROR,
        evidence_status=EvidenceStatus.ERROR,
        error_code=ToolCode.TOOL_TIMEOUT,
        projection_json=None,
        projection_sha256=None,
    )


def the_records(*changed: CanonicalRecord) -> dict[ToolCallId, CanonicalRecord]:
    """The four records of the run by call id; a changed one replaces its like or is added."""
    projections = (a_projection(), an_orders_projection(), a_runbook_projection(), an_empty_projection())
    records = {one.tool_call_id: a_record(one) for one in projections}
    return {**records, **{one.tool_call_id: one for one in changed}}


def a_quote(item: Item = HIKARI, call_id: str = LOGS, text: str | None = None) -> Quote:
    return Quote(tool_call_id=call_id, item_id=item.item_id, text=item.text if text is None else text)


def an_analysis(**over: Any) -> Analysis:
    """The pool refused connections, quoted from the log event."""
    base: dict[str, Any] = {
        "analysis_id": "pool",
        "kind": AnalysisKind.NORMAL,
        "text": "At 14:05:31 payment-service waited 30000 ms for HikariPool-1, with 20 of 20 connections active.",
        "tool_call_ids": (LOGS,),
        "quotes": (a_quote(text="Connection is not available, request timed out after 30000ms"),),
    }
    return Analysis(**{**base, **over})


def a_runbook_analysis(**over: Any) -> Analysis:
    base: dict[str, Any] = {
        "analysis_id": "advice",
        "kind": AnalysisKind.NORMAL,
        "text": "The runbook says to find the transaction that keeps them open or raise maximumPoolSize.",
        "tool_call_ids": (RUNBOOK,),
        "quotes": (a_quote(CHUNK, RUNBOOK),),
    }
    return Analysis(**{**base, **over})


def a_negative(**over: Any) -> Analysis:
    """No errors in the logs of the database host."""
    base: dict[str, Any] = {
        "analysis_id": "quiet",
        "kind": AnalysisKind.NEGATIVE_OBSERVATION,
        "text": "No ERROR record of db-primary was found in database-logs between 13:00 and 15:00.",
        "tool_call_ids": (EMPTY,),
    }
    return Analysis(**{**base, **over})


def a_conclusion(**over: Any) -> Conclusion:
    base: dict[str, Any] = {
        "kind": ConclusionKind.ROOT_CAUSE,
        "text": "Payments timed out because all 20 connections of HikariPool-1 in payment-service were in use.",
        "based_on_analysis_ids": ("pool",),
    }
    return Conclusion(**{**base, **over})


def a_draft(**over: Any) -> Draft:
    """A draft with every part, which passes against ``the_records()``."""
    base: dict[str, Any] = {
        "conclusion": a_conclusion(),
        "analysis": (an_analysis(), a_runbook_analysis(), a_negative()),
        "action_plan": (Action(action="Raise maximumPoolSize.", based_on_analysis_ids=("advice",)),),
        "recommendations": (
            Recommendation(text="Watch the waiting threads of HikariPool-1.", based_on_analysis_ids=("pool",)),
        ),
        "hypotheses": (
            Hypothesis(
                text="A transaction keeps the connections of HikariPool-1 open.",
                status=HypothesisStatus.OPEN,
                based_on_analysis_ids=("pool", "advice"),
            ),
        ),
        "limitations": Limitations(
            scope="Logs of payment-service from 13:00 to 15:00 and the runbooks.",
            missing_info=("Open transactions of db-primary",),
            next_check="Query the open transactions of db-primary.",
        ),
    }
    return Draft(**{**base, **over})
