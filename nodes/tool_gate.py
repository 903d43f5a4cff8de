"""tool_gate: one request of the agent, through the protocol and the boundary. The only node that reaches a source."""

from guards.progress import judged_mechanically, stop_rules
from guards.tool_request import Admitted, admit
from nodes.ask_model import remaining_s
from nodes.deps import Step
from nodes.reading import call_context, facts_of
from nodes.taping import record_tool_result
from nodes.telling import announce, trace_invocation, trace_rejection
from state.model.diagnosis import DiagnosisState, GateResult
from state.model.enums import EvidenceStatus, InvocationStatus, Stage, ToolCode
from state.model.evidence import CanonicalRecord, Item, Projection, parse_projection
from state.model.ids import digest8
from state.model.progress import Assessed, CallFailed, Empty, Found, ProgressEvent, ProgressSnapshot, RequestRefused
from state.model.tool_call import AskEvidence, ModelCall, Observed, Refused
from tools.boundary import ToolRequest

NODE = "tool_gate"


async def tool_gate(state: DiagnosisState, step: Step) -> DiagnosisState:
    """What became of the request, for ``track_progress`` to fold."""
    move, facts, progress = state["move"], facts_of(state), state["progress"]
    assert isinstance(move, AskEvidence), "the agent's exit leads here only with a request"
    rules = stop_rules(facts.limits, n_tools=len(step.deps.tool_names))
    ruling = admit(move.call, progress, rules, tools=step.deps.tool_names)
    await _announce_gain(step, ruling.events)
    if not isinstance(ruling, Admitted):
        await _trace_rejection(step, move.call, ruling.feedback.tag)
        return {"gate": GateResult(events=ruling.events, feedback=ruling.feedback)}
    await announce(step, f"call:{move.call.tool_call_id}", Stage.DIAGNOSIS_RUNNING, tool=move.call.name)
    request = ToolRequest(call=move.call, input=ruling.input, remaining_s=remaining_s(step, facts))
    result = await step.deps.boundary.call(step.lease, facts, call_context(facts, step.deps), request)
    await record_tool_result(step, request, result)
    if isinstance(result, Refused):
        await _trace_rejection(step, move.call, result.code.value)
        refusal = RequestRefused(code=result.code)
        return {"gate": GateResult(events=(*ruling.events, refusal), feedback=result, note=ruling.note)}
    projection = parse_projection(result.projection_json)
    await trace_invocation(step, NODE, result, projection)
    event, observed = _observe(result, projection, progress)
    await _announce_result(step, result, projection)
    return {"gate": GateResult(events=(*ruling.events, event), feedback=observed, note=ruling.note)}


async def _announce_gain(step: Step, events: tuple[ProgressEvent, ...]) -> None:
    """What the agent says of its last result, told before the next search."""
    for event in events:
        if isinstance(event, Assessed):
            await announce(step, f"gain:{event.tool_call_id}", Stage.DIAGNOSIS_RUNNING, gain=event.gain.value)


def _observe(
    record: CanonicalRecord, projection: Projection | None, progress: ProgressSnapshot
) -> tuple[ProgressEvent, Observed]:
    """The progress event and the feedback of a finished call."""
    if record.status is not InvocationStatus.READY or projection is None:
        code = record.error_code or ToolCode.OBSERVATION_CONTRACT_MISMATCH
        failed = CallFailed(tool_call_id=record.tool_call_id, code=code)
        return failed, Observed(evidence_status=EvidenceStatus.ERROR, error_code=code)
    if projection.evidence_status is EvidenceStatus.NO_EVIDENCE:
        empty = Empty(tool_call_id=record.tool_call_id, tool=record.tool)
        return empty, Observed(evidence_status=EvidenceStatus.NO_EVIDENCE, mechanical="NO_EVIDENCE")
    keys = tuple(_item_key(item) for item in projection.items if item.identified)
    found = Found(tool_call_id=record.tool_call_id, tool=record.tool, item_keys=keys)
    judged = "NO_NEW_ITEMS" if judged_mechanically(progress, found) else None
    return found, Observed(evidence_status=EvidenceStatus.EVIDENCE_FOUND, mechanical=judged)


def _item_key(item: Item) -> str:
    """Names the item and which of its fields were shown: other columns of a known row are new."""
    return digest8("\n".join([item.item_id, *sorted(item.fields)]))


async def _announce_result(step: Step, record: CanonicalRecord, projection: Projection | None) -> None:
    scope = projection.scope if projection else None
    window = scope.window if scope else None
    await announce(
        step,
        f"result:{record.tool_call_id}",
        Stage.DIAGNOSIS_RUNNING,
        tool=record.tool,
        source=scope.source if scope else None,
        window_start=window.start.isoformat() if window else None,
        window_end=window.end.isoformat() if window else None,
        service=_catalogued(step, scope.filters.get("service") if scope else None),
        evidence_status=(record.evidence_status or EvidenceStatus.ERROR).value,
        code=record.error_code.value if record.error_code else None,
    )


def _catalogued(step: Step, service: str | None) -> str | None:
    """The service name only if a catalogue vouches for it: a model's own words never reach the public stream."""
    return service if service in step.deps.catalogue_terms else None


async def _trace_rejection(step: Step, call: ModelCall, why: str) -> None:
    await trace_rejection(step, NODE, call.tool_call_id, tool=call.name, why=why)
