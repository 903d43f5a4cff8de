"""What the model sees of a call: built from the canonical record for each prompt, never stored.

Control fields (counts, raw scores, thresholds, remaining budget) have no place here. Shapes are in
docs/model-protocol.md.
"""

from collections.abc import Sequence
from enum import StrEnum

from state.model.enums import EvidenceStatus, InformationGain, InvocationStatus, ProtocolViolation, ToolCode
from state.model.evidence import CanonicalRecord, Item, Projection, Scope, parse_projection
from state.model.tool_call import Refused, StopInstead, Violated

OBSERVATION_BYTES = 8 * 1024
"""Most a single observation may weigh in a prompt."""
EARLIER_ITEM_BYTES = 2 * 1024
"""Item text kept of an earlier GAINED observation."""
MAX_CHECKED_SCOPES = 12

Json = dict[str, object]


class Detail(StrEnum):
    """How much of an observation a prompt carries."""

    FULL = "FULL"
    EARLIER_GAINED = "EARLIER_GAINED"
    EARLIER_NO_GAIN = "EARLIER_NO_GAIN"


MESSAGES: dict[ToolCode, str] = {
    ToolCode.INVALID_TOOL_CALL_ID: "The tool call id is not legal.",
    ToolCode.RUN_MISMATCH: "This call belongs to another run.",
    ToolCode.RUN_INACTIVE: "This run has ended.",
    ToolCode.TOOL_NOT_AUTHORIZED: "This tool may not be used here.",
    ToolCode.NOT_READ_ONLY: "Only reading is allowed.",
    ToolCode.INVALID_REQUEST: "The input is not valid.",
    ToolCode.DUPLICATE_TOOL_CALL: "This tool call id was already used for another request.",
    ToolCode.DUPLICATE_SCOPE: "Exactly this scope was already searched. Do not rephrase it; search another scope.",
    ToolCode.PARALLEL_TOOL_CALL: "Only the first call of a message is executed. Send one call at a time.",
    ToolCode.BUDGET_EXHAUSTED: "No further call of this tool is possible in this run.",
    ToolCode.RESULT_TOO_LARGE: "The result is larger than allowed. Narrow the scope.",
    ToolCode.TOOL_TIMEOUT: "The search took too long. Narrow the scope.",
    ToolCode.TOOL_EXECUTION_ERROR: "The source could not answer. This is not evidence of anything.",
    ToolCode.INCOMPLETE_SEARCH: (
        "Nothing was found, but not all of the scope could be searched. This is not evidence of absence."
    ),
    ToolCode.INTERRUPTED: "The call was interrupted. Its scope does not count as searched.",
    ToolCode.PROJECTION_ERROR: "The result could not be read.",
    ToolCode.OBSERVATION_CONTRACT_MISMATCH: "The result could not be read.",
    ToolCode.STORE_ERROR: "The result could not be kept and cannot be cited.",
}
"""One sentence per code: all the model learns about a failure."""

_INSTRUCTIONS: dict[ProtocolViolation, str] = {
    ProtocolViolation.MISSING_PREVIOUS_OBSERVATION: (
        "Send the same call again with previous_observation naming the expected call id and its information_gain."
    ),
    ProtocolViolation.OUT_OF_ORDER_PREVIOUS_OBSERVATION: (
        "previous_observation must name the expected call id. Send the call again with it."
    ),
    ProtocolViolation.UNEXPECTED_PREVIOUS_OBSERVATION: (
        "No assessment is due. Send the call again with previous_observation null."
    ),
    ProtocolViolation.MISSING_INPUT: "Send the call again with the tool's arguments inside input.",
    ProtocolViolation.INVALID_ENVELOPE: (
        "Arguments must be one JSON object with exactly previous_observation and input. Send the call again."
    ),
    ProtocolViolation.UNKNOWN_TOOL: "There is no such tool. Use one of the tools offered, or submit_diagnosis.",
}


def render_observation(record: CanonicalRecord, *, detail: Detail, judged: str | None = None) -> Json:
    """The tool message of a recorded call.

    ``judged`` marks a result that code judged itself (NO_NEW_ITEMS). A record that is not READY, or whose
    projection does not parse, is shown as an error.
    """
    projection = parse_projection(record.projection_json)
    if record.status is not InvocationStatus.READY or projection is None:
        return _error(record)
    shown = _shown_items(projection, detail)
    body: Json = {
        "tool_call_id": record.tool_call_id,
        "tool": record.tool,
        "scope": render_scope(projection.scope),
        "coverage": projection.coverage.value,
        "evidence_status": projection.evidence_status.value,
        "truncated": projection.truncated or len(shown) < len(projection.items),
        "total_matches": projection.total_matches,
    }
    if detail is Detail.EARLIER_NO_GAIN:
        body["shortened"] = True
    else:
        body["items"] = [_render_item(item) for item in shown]
        if len(shown) < len(projection.items):
            body["shortened"] = True
    if judged:
        body["judged"] = judged
    return body


def render_scope(scope: Scope) -> Json:
    """The scope as the model reads it: instants as ISO 8601 UTC."""
    window = scope.window
    return {
        "source": scope.source,
        "window": {"start": window.start.isoformat(), "end": window.end.isoformat()} if window else None,
        "filters": scope.filters,
        "query": scope.query,
    }


def scope_line(tool: str, scope: Scope) -> str:
    """One bounded line that names a searched scope, for STOP_REQUIRED and fallbacks."""
    parts = [tool, scope.source]
    if scope.window:
        parts.append(f"{scope.window.start.isoformat()}/{scope.window.end.isoformat()}")
    parts += [f"{name}={value}" for name, value in sorted(scope.filters.items())]
    if scope.query:
        parts.append(scope.query)
    return " ".join(parts)[:320]


def render_refusal(refused: Refused) -> Json:
    """The tool message of a request that was refused before anything began."""
    message = MESSAGES[refused.code]
    return {"rejected": True, "code": refused.code.value, "message": f"{message} {refused.why}".strip()}


def render_violation(violated: Violated) -> Json:
    """The repairable observation of a protocol violation."""
    return {
        "repair_required": True,
        "violation_type": violated.violation.value,
        "missing_field": violated.missing_field,
        "expected_previous_tool_call_id": violated.expected_previous_tool_call_id,
        "allowed_information_gain": [gain.value for gain in InformationGain],
        "instruction": _INSTRUCTIONS[violated.violation],
    }


def render_stop(stop: StopInstead, checked: Sequence[str], observation: Json | None) -> Json:
    """STOP_REQUIRED: handed to the model once, with the last observation inside it if there is one."""
    body: Json = {
        "stop_required": True,
        "reason": stop.reason.value,
        "checked_scopes": list(checked[:MAX_CHECKED_SCOPES]),
        "instruction": "Collection has ended. Submit the diagnosis now, from what is verified; conclusion may be null.",
    }
    if observation is not None:
        body["observation"] = observation
    return body


def _error(record: CanonicalRecord) -> Json:
    code = record.error_code or ToolCode.INTERRUPTED
    return {
        "tool_call_id": record.tool_call_id,
        "tool": record.tool,
        "evidence_status": EvidenceStatus.ERROR.value,
        "code": code.value,
        "message": MESSAGES[code],
    }


def _shown_items(projection: Projection, detail: Detail) -> tuple[Item, ...]:
    match detail:
        case Detail.FULL:
            return _within(projection.items, OBSERVATION_BYTES - 1024)
        case Detail.EARLIER_GAINED:
            return _within(projection.items, EARLIER_ITEM_BYTES)
        case Detail.EARLIER_NO_GAIN:
            return ()


def _within(items: Sequence[Item], budget_bytes: int) -> tuple[Item, ...]:
    """Leading items that fit; items come in order of usefulness. The first always stays, cut by its tool's own cap."""
    kept: list[Item] = []
    used = 0
    for item in items:
        used += len(item.model_dump_json().encode())
        if kept and used > budget_bytes:
            break
        kept.append(item)
    return tuple(kept)


def _render_item(item: Item) -> Json:
    return {"item_id": item.item_id, "kind": item.kind.value, "text": item.text, "fields": item.fields}
