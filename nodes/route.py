"""route: what the person wants. Rules first, then one bounded model call; in doubt a diagnosis."""

from guards.routing import parse_route, route_by_rule
from models.prompts import router_messages
from nodes.ask_model import NoAnswer, Question, ask_model
from nodes.deps import Step
from nodes.reading import facts_of
from nodes.telling import announce, trace
from state.model.diagnosis import DiagnosisState
from state.model.enums import FailureCode, Intent, ModelRole, Stage, TraceEventType
from state.model.release import RunFailure
from state.model.run import RunFacts


async def route(state: DiagnosisState, step: Step) -> DiagnosisState:
    """The intent; or the failure ROUTING_UNAVAILABLE after two attempts."""
    facts = facts_of(state)
    await announce(step, "route", Stage.ROUTING)
    intent = route_by_rule(facts.query)
    by_rule = intent is not None
    if intent is None:
        intent = await _ask_router(step, facts)
    if intent is None:
        return {"failure": RunFailure(code=FailureCode.ROUTING_UNAVAILABLE, node="route")}
    await step.deps.control.set_intent(step.lease, intent)
    await trace(step, "route:decision", TraceEventType.ROUTING_DECISION, "route", intent=intent.value, by_rule=by_rule)
    return {"intent": intent}


async def _ask_router(step: Step, facts: RunFacts) -> Intent | None:
    question = Question(
        node="route",
        role=ModelRole.ROUTER,
        round=1,
        messages=router_messages(facts.query),
        attempts=2,
        retry_unusable=True,
    )
    answer = await ask_model(step, facts, question, lambda reply: parse_route(reply.text))
    failed = isinstance(answer, NoAnswer)
    await trace(
        step,
        "route:attempt",
        TraceEventType.ROUTING_ATTEMPT,
        "route",
        result=answer.value if failed else "ok",
    )
    return None if isinstance(answer, NoAnswer) else answer
