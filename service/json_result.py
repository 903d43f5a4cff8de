"""The machine-readable forms of what a command prints. Keys are always present; shapes are in docs/cli.md. Pure."""

import json
import re
from collections.abc import Mapping
from datetime import tzinfo

from service.run_view import RunView
from service.times import iso
from service.visible import visible
from state.model.alert import AlertOrigin
from state.model.evidence import Window
from state.model.release import Answer, DiagnosisReport, EvidenceView, SafeFallback

Json = dict[str, object]

_ABOVE_ASCII = re.compile(r"[^\x00-\x7e]")


def dump_json(value: Mapping[str, object] | list[Json]) -> str:
    """Indented JSON in which no character can act on a terminal; letters of every script stay readable."""
    return _ABOVE_ASCII.sub(_harmless, json.dumps(value, ensure_ascii=False, indent=2))


def result_json(view: RunView) -> Json:
    """The one object that ``diagnose``, ``demo`` and ``resume`` print."""
    result, content, kept = view.result, view.result.content, view.kept
    return {
        "run_id": result.run_id,
        "session_id": result.session_id,
        "intent": kept.row.intent if kept else None,
        "outcome": result.outcome,
        "run_state": result.run_state,
        "content_type": result.content_type,
        "fallback_type": result.fallback_type,
        "stop_reason": result.stop_reason,
        "failure_code": result.failure_code,
        "report": content.draft.model_dump(mode="json") if isinstance(content, DiagnosisReport) else None,
        "fallback": _fallback(content) if isinstance(content, SafeFallback) else None,
        "answer": {"text": content.text} if isinstance(content, Answer) else None,
        "evidence": [evidence_json(one) for one in view.evidence],
        "usage": _usage(view),
        "trace": {"events": len(kept.timeline) if kept else None, "steps": view.steps},
        "model": kept.row.model if kept else None,
        "window": _window(view.asked_window or view.searched_window, view.zone, view.zone_name),
        "alert": alert_json(kept.row.facts.alert) if kept and kept.row.facts.alert else None,
    }


def alert_json(alert: AlertOrigin) -> Json:
    """The alert a run came from; its texts are those of the alerting system, so untrusted."""
    return {
        "untrusted": True,
        "subject": {**alert.subject.model_dump(mode="json"), "diagnosed": True},
        "related_risks": [{**one.model_dump(mode="json"), "diagnosed": False} for one in alert.related_risks],
        "omitted": alert.omitted,
    }


def error_json(code: str, message: str) -> Json:
    """The object that is printed when there is no run to speak of."""
    return {"error": {"code": code, "message": message}}


def evidence_json(view: EvidenceView) -> Json:
    """One cited result with its cited items."""
    return {
        "tool_call_id": view.tool_call_id,
        "tool": view.tool,
        "scope": view.scope.model_dump(mode="json"),
        "evidence_status": view.evidence_status,
        "items": [{"item_id": item.item_id, "kind": item.kind, "text": item.text} for item in view.items],
    }


def _fallback(content: SafeFallback) -> Json:
    return content.model_dump(mode="json", exclude={"tag", "evidence"})


def _usage(view: RunView) -> Json:
    kept = view.kept
    return {
        "model_calls": kept.usage.model_calls if kept else None,
        "tool_calls": kept.usage.tool_calls if kept else None,
        "total_tokens": kept.usage.tokens if kept else None,
        "tokens_reconciled": kept.tokens_reconciled if kept else None,
        "wall_ms": view.wall_ms,
    }


def _window(window: Window | None, zone: tzinfo, zone_name: str) -> Json | None:
    if window is None:
        return None
    return {"start": iso(window.start, zone), "end": iso(window.end, zone), "time_zone": zone_name}


def _harmless(match: re.Match[str]) -> str:
    """JSON's own escape for a character that a terminal would obey; other characters stay."""
    char = match.group()
    return char if visible(char) == char else json.dumps(char)[1:-1]
