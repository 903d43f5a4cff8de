"""``trace --json``, ``trace --verify --json`` and ``replay --json``: the records as they are kept. Pure."""

from typing import TYPE_CHECKING

from service.json_result import Json, evidence_json
from state.model.run import RunRow

if TYPE_CHECKING:
    from graph.app import RunTrace
    from graph.audit_check import AuditCheck
    from graph.replay import Replay

_SUMMARY = frozenset(
    {"run_id", "session_id", "query", "language", "model", "world", "opened_at", "closed_at", "resumes", "intent"}
    | {"run_state", "outcome", "content_type", "fallback_type", "stop_reason", "failure_code", "audit_lost"}
)


def runs_json(rows: tuple[RunRow, ...]) -> Json:
    """The last runs, newest first."""
    return {"runs": [row.model_dump(mode="json", include=set(_SUMMARY)) for row in rows]}


def trace_json(kept: "RunTrace") -> Json:
    """Everything kept about one run."""
    return {
        "run": kept.row.model_dump(mode="json"),
        "usage": {**kept.usage.model_dump(mode="json"), "tokens_reconciled": kept.tokens_reconciled},
        "timeline": [
            {
                "sequence_no": stored.sequence_no,
                "phase": stored.phase,
                **stored.event.model_dump(mode="json", exclude={"event_key"}),
            }
            for stored in kept.timeline
        ],
        "published": [event.model_dump(mode="json", exclude={"run_id", "event_key"}) for event in kept.published],
        "evidence": [evidence_json(view) for view in kept.evidence],
    }


def verification_json(check: "AuditCheck") -> Json:
    """Whether the audit of a run was changed since it ended; ``recorded`` is null where nothing was."""
    return check.model_dump(mode="json")


def replay_json(replay: "Replay") -> Json:
    """How a replay went."""
    return {
        "run_id": replay.original.run_id,
        "identical": replay.identical,
        "diverged_at": replay.diverged_at,
        "outcome": replay.result.outcome if replay.result else None,
    }


def cut_off_json(row: RunRow) -> Json:
    """The same of a run that was cut off from outside: there is nothing to compare."""
    return {"run_id": row.run_id, "identical": None, "diverged_at": None, "outcome": row.outcome}
