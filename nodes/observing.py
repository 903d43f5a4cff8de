"""The transcript as the agent reads it: observations rebuilt from the canonical records for each prompt. Pure."""

from collections.abc import Mapping, Sequence

from models.prompt_budget import RenderedTurn, rendered_turn
from state.model.enums import InformationGain, InvocationStatus, ToolCode
from state.model.evidence import CanonicalRecord, parse_projection
from state.model.ids import ToolCallId
from state.model.tool_call import (
    DraftTurn,
    Observed,
    Refused,
    StopInstead,
    ToolTurn,
    Transcript,
    Turn,
    Violated,
)
from tools.observation import (
    Detail,
    Json,
    render_observation,
    render_refusal,
    render_stop,
    render_violation,
    scope_line,
)

Records = Mapping[ToolCallId, CanonicalRecord]


def render_turns(transcript: Transcript, records: Records) -> list[RenderedTurn]:
    """One rendered turn per turn. Earlier results are shortened; for the draft, those that were a gain are whole."""
    turns = transcript.turns
    drafting = any(isinstance(turn, DraftTurn) or turn.delivered_stop for turn in turns)
    last = len(turns) - 1
    whole = [index == last or (drafting and _was_gain(turn)) for index, turn in enumerate(turns)]
    return [_render(turn, records, whole=whole[index]) for index, turn in enumerate(turns)]


def _was_gain(turn: Turn) -> bool:
    feedback = turn.feedback if isinstance(turn, ToolTurn) else None
    return isinstance(feedback, Observed) and feedback.gain is InformationGain.GAINED


def _render(turn: Turn, records: Records, *, whole: bool) -> RenderedTurn:
    if isinstance(turn, DraftTurn):
        invalid: Json = {
            "draft_invalid": True,
            "problem": turn.invalid.problem.value,
            "place": turn.invalid.place,
            "message": turn.invalid.why,
        }
        calls = [turn.submitted] if turn.submitted else []
        return rendered_turn(calls, [invalid], text="" if turn.submitted else turn.text)
    reply = _reply(turn, records, whole=whole)
    extra = render_refusal(Refused(code=ToolCode.PARALLEL_TOOL_CALL))
    return rendered_turn([turn.call, *turn.extra_calls], [reply, *(extra for _ in turn.extra_calls)])


def _reply(turn: ToolTurn, records: Records, *, whole: bool) -> Json:
    feedback = turn.feedback
    match feedback:
        case Observed():
            answer = _observation(turn.call.tool_call_id, feedback, records, whole=whole)
        case Refused():
            answer = render_refusal(feedback)
        case Violated():
            answer = render_violation(feedback)
        case StopInstead():
            return render_stop(feedback, checked_scopes(records), None)
    if turn.delivered_stop is not None:
        return render_stop(StopInstead(reason=turn.delivered_stop), checked_scopes(records), answer)
    return answer


def _observation(call_id: ToolCallId, observed: Observed, records: Records, *, whole: bool) -> Json:
    record = records.get(call_id)
    if record is None:
        return {"tool_call_id": call_id, "evidence_status": "ERROR", "code": "EVIDENCE_EXPIRED"}
    pending = observed.gain is None and observed.mechanical is None
    if whole or pending:
        detail = Detail.FULL
    elif observed.gain is InformationGain.GAINED:
        detail = Detail.EARLIER_GAINED
    else:
        detail = Detail.EARLIER_NO_GAIN
    judged = observed.mechanical if observed.mechanical == "NO_NEW_ITEMS" else None
    return render_observation(record, detail=detail, judged=judged)


def checked_scopes(records: Records) -> Sequence[str]:
    """One line per scope that was really searched, in the order of the calls."""
    ready = [record for record in records.values() if record.status is InvocationStatus.READY]
    projections = [(record.tool, parse_projection(record.projection_json)) for record in ready]
    return [scope_line(tool, projection.scope) for tool, projection in projections if projection]
