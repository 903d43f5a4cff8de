"""Who plays in a cell: turns that reach the node, and a model that fails where the fault is one of a model."""

import json
from collections.abc import Mapping
from dataclasses import replace

from models.chat import FailureKind
from models.turns import WrittenCall, WrittenTurn
from state.model.tool_call import SUBMIT_TOOL
from tests.faults.dimensions import MODELS, SOURCES, Kind, Part
from tests.faults.sources import ASKED
from tests.faults.strike import SLOW_S, Strike, bug
from tests.graph.stage import SUPPORTED, TO_DIAGNOSIS, Cast, ask, gained, good_draft, submit

WRONG_QUOTE = json.loads(json.dumps(good_draft()).replace("errors:0", "errors:9"))
INVENTED = json.loads(json.dumps(good_draft()).replace("request timed out", "request timed out after deployment 9.9"))
REWORDED = json.loads(json.dumps(good_draft()).replace("could not get", "never could get"))
REPAIRED = json.dumps(good_draft())
_REACHING: dict[str, Cast] = {
    "answer_chat": Cast(question="hello"),
    "answer_knowledge": Cast(router=('{"intent":"KNOWLEDGE_QUERY"}',), question="How is a pool sized?"),
    "repair_draft": Cast(agent=(ask("errors"), submit(WRONG_QUOTE)), repair=(REPAIRED,)),
}
"""Casts that reach the node; the others lie on the way of a plain diagnosis."""
SHORT_S = 0.1
TIMES: Mapping[Part, str] = {
    Part.ROUTER: "router_timeout_s",
    Part.AGENT: "agent_timeout_s",
    Part.REPAIR: "repair_timeout_s",
    Part.REVIEW: "review_timeout_s",
}
_ROLE = {Part.ROUTER: "router", Part.AGENT: "agent", Part.REPAIR: "repair", Part.REVIEW: "semantic"}
_RIGHT: dict[Part, WrittenTurn] = {
    Part.ROUTER: WrittenTurn(text=TO_DIAGNOSIS),
    Part.AGENT: submit(good_draft()),
    Part.REPAIR: WrittenTurn(text=REPAIRED),
    Part.REVIEW: WrittenTurn(text=SUPPORTED),
}
_WRONG: dict[Part, WrittenTurn] = {
    Part.ROUTER: WrittenTurn(text='{"intent":"DIAGNOSIS","confidence":1}'),
    Part.AGENT: submit(INVENTED),
    Part.REPAIR: WrittenTurn(text=json.dumps(REWORDED)),
    Part.REVIEW: WrittenTurn(text='{"verdict":"MAYBE","reason":"who knows"}'),
}


def cast_of(strike: Strike) -> Cast:
    """The cast that reaches the node, with a failing model where the strike is one."""
    cast = _REACHING.get(strike.node, Cast())
    if strike.part in MODELS:
        return _with_model(cast, strike)
    if strike.part in SOURCES and strike.node == "tool_gate":
        return replace(cast, agent=(_first(strike.part), *_after_first()))
    # Forged evidence sends a draft to repair that was right; nothing but the evidence can be put right there.
    return replace(cast, repair=(REPAIRED, REPAIRED))


def _first(part: Part) -> WrittenTurn:
    """The request that reaches the source."""
    name, arguments = ASKED[part]
    envelope = {"previous_observation": None, "input": arguments}
    return WrittenTurn(calls=(WrittenCall(id="call-source", name=name, arguments=envelope),))


def _after_first() -> tuple[WrittenTurn, WrittenTurn]:
    """The run goes on whatever became of it; what is not due is ignored."""
    return ask("errors", gained("call-source", "NO_GAIN")), submit(good_draft())


def _with_model(cast: Cast, strike: Strike) -> Cast:
    before = (ask("errors"),) if strike.part is Part.AGENT else ()
    settings = {**cast.settings, TIMES[strike.part]: SHORT_S} if strike.kind is Kind.HANG else cast.settings
    turns = (*before, *(_turn(strike),) * 2)
    changed = replace(cast, **{_ROLE[strike.part]: turns}, settings=settings)
    return replace(changed, repair=(json.dumps(INVENTED),)) if strike.part is Part.AGENT else changed


def _turn(strike: Strike) -> object:
    strike.struck += 1
    right = _RIGHT[strike.part]
    match strike.kind:
        case Kind.EXCEPTION:
            return WrittenTurn(error=FailureKind.TRANSPORT)
        case Kind.BUG:
            return bug()
        case Kind.HANG:
            return WrittenTurn(hang=True)
        case Kind.SLOW:
            return right.model_copy(update={"delay_s": SLOW_S})
        case Kind.PARTIAL:
            return _cut_off(right)
        case Kind.WRONG:
            return _WRONG[strike.part]
    raise AssertionError(strike)


def _cut_off(turn: WrittenTurn) -> WrittenTurn:
    """The reply that ended in the middle, as at the output limit."""
    if not turn.calls:
        return WrittenTurn(text=turn.text[: len(turn.text) // 2])
    text = json.dumps(turn.calls[0].arguments)
    call = WrittenCall(id="submit-1", name=SUBMIT_TOOL, arguments=text[: len(text) // 2])
    return WrittenTurn(calls=(call,))
