"""answer_knowledge: a question to the documents, answered in their own words, through the tool boundary."""

from guards.knowledge_answer import build_knowledge_answer
from guards.release import KNOWLEDGE_ANSWER
from nodes.ask_model import remaining_s
from nodes.deps import Step
from nodes.reading import call_context, facts_of
from nodes.taping import record_tool_result
from nodes.telling import announce, trace_answer, trace_invocation
from state.model.diagnosis import DiagnosisState
from state.model.enums import FailureCode, ReleaseOutcome, Stage
from state.model.evidence import CanonicalRecord, Projection, parse_projection
from state.model.ids import ToolCallId
from state.model.release import ReleaseDecision, RunFailure
from state.model.run import RunFacts
from state.model.tool_call import ModelCall
from tools.boundary import ToolRequest

LOOKUP = "lookup_knowledge"
CALL_ID = ToolCallId("knowledge-1")
MAX_QUERY_CHARS = 500


async def answer_knowledge(state: DiagnosisState, step: Step) -> DiagnosisState:
    """The decision to publish quoted passages, or that nothing was found; the failure KNOWLEDGE_UNAVAILABLE else."""
    facts = facts_of(state)
    await announce(step, "knowledge", Stage.KNOWLEDGE_SEARCHING)
    projection = await _look_up(step, facts)
    if projection is None:
        failure = RunFailure(code=FailureCode.KNOWLEDGE_UNAVAILABLE, node="answer_knowledge")
        return {"failure": failure}
    await announce(step, "knowledge:answer", Stage.KNOWLEDGE_ANSWERING)
    answer, cited = build_knowledge_answer(projection, facts.language)
    decision = ReleaseDecision(
        run_state=KNOWLEDGE_ANSWER.run_state,
        outcome=ReleaseOutcome.SUCCESS,
        content_type=KNOWLEDGE_ANSWER.content_type,
        content=answer,
        cited=cited,
    )
    await trace_answer(step, "answer_knowledge", decision)
    return {"decision": decision}


async def _look_up(step: Step, facts: RunFacts) -> Projection | None:
    query = facts.query[:MAX_QUERY_CHARS]
    call = ModelCall(tool_call_id=CALL_ID, name=LOOKUP, arguments="{}")
    request = ToolRequest(call=call, input={"query": query}, remaining_s=remaining_s(step, facts))
    result = await step.deps.boundary.call(step.lease, facts, call_context(facts, step.deps), request)
    await record_tool_result(step, request, result)
    if not isinstance(result, CanonicalRecord):
        return None
    projection = parse_projection(result.projection_json)
    await trace_invocation(step, "answer_knowledge", result, projection)
    return projection
