"""track_progress: folds what the gate did into the progress and the transcript; its exit says whether to go on."""

from guards.budget import collection_limit
from guards.progress import advance, deliver_stop, stop_rules
from nodes.ask_model import remaining_s
from nodes.deps import Step
from nodes.reading import facts_of
from nodes.telling import announce, trace
from state.model.diagnosis import DiagnosisState, GateResult
from state.model.enums import CollectionState, Stage, TraceEventType
from state.model.progress import Assessed, LimitReached, ProgressSnapshot
from state.model.run import RunFacts
from state.model.tool_call import AskEvidence, Observed, ToolTurn, Transcript


async def track_progress(state: DiagnosisState, step: Step) -> DiagnosisState:
    """Progress and transcript after the last request."""
    facts, gate, before = facts_of(state), state["gate"], state["progress"]
    assert gate is not None, "tool_gate runs first"
    after = await _fold(step, facts, before, gate)
    delivered = deliver_stop(after)
    move = state["move"]
    assert isinstance(move, AskEvidence), "a request led here"
    turn = ToolTurn(
        call=move.call,
        extra_calls=move.extra_calls,
        feedback=gate.feedback,
        note=gate.note,
        delivered_stop=delivered.stop_reason if delivered.stop_delivered and not before.stop_delivered else None,
    )
    transcript = Transcript(turns=(*_with_gains(state["transcript"], gate).turns, turn))
    await _tell(step, len(transcript.turns), before, delivered, gate)
    return {"progress": delivered, "transcript": transcript}


async def _fold(step: Step, facts: RunFacts, before: ProgressSnapshot, gate: GateResult) -> ProgressSnapshot:
    rules = stop_rules(facts.limits, n_tools=len(step.deps.tool_names))
    after = advance(before, gate.events, rules)
    usage = await step.deps.control.usage(facts.run_id)
    limit = collection_limit(
        usage,
        facts.limits,
        step.deps.policy.held_back,
        remaining_s=remaining_s(step, facts),
        tools=step.deps.tool_names,
    )
    return advance(after, [LimitReached(reason=limit)] if limit else [], rules)


def _with_gains(transcript: Transcript, gate: GateResult) -> Transcript:
    """The transcript with the assessed turn marked."""
    gains = {event.tool_call_id: event.gain for event in gate.events if isinstance(event, Assessed)}
    turns = tuple(
        turn.model_copy(update={"feedback": turn.feedback.model_copy(update={"gain": gains[turn.call.tool_call_id]})})
        if isinstance(turn, ToolTurn) and isinstance(turn.feedback, Observed) and turn.call.tool_call_id in gains
        else turn
        for turn in transcript.turns
    )
    return Transcript(turns=turns)


async def _tell(step: Step, n: int, before: ProgressSnapshot, after: ProgressSnapshot, gate: GateResult) -> None:
    gain = next((event.gain for event in gate.events if isinstance(event, Assessed)), None)
    await trace(
        step,
        f"progress:{n}",
        TraceEventType.TOOL_PROGRESS,
        "track_progress",
        events=",".join(event.tag for event in gate.events),
        gain=gain.value if gain else None,
        no_gain_run=after.no_gain_run,
        violation_run=after.violation_run,
        error_run=after.error_run,
        collection=after.collection.value,
        note=gate.note or None,
    )
    stopped = after.collection is CollectionState.SATURATED and before.collection is CollectionState.COLLECTING
    if stopped and after.stop_reason is not None:
        await announce(step, "stop", Stage.DIAGNOSIS_RUNNING, stop_reason=after.stop_reason.value)
        await trace(
            step,
            "stop",
            TraceEventType.COLLECTION_STOP,
            "track_progress",
            stop_reason=after.stop_reason.value,
        )
