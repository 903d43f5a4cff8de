"""A fork: the facts and the state of an earlier run under a new identity, on copies of the results they rest on.

The parent is only read. What a fork needs is written so that no half run is left behind: results and graph state first,
the row last. Until the row is there nobody finds the run, and what was written before it expires by itself.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from nodes.deps import Deps, Step
from nodes.open_run import initial_state, lowered, masked_facts, masks_identifiers, tell_opened
from nodes.taping import record_fork, record_tools
from nodes.telling import trace, trace_copied
from state.model.diagnosis import DiagnosisState, RunOptions
from state.model.enums import ModelRole, TraceEventType
from state.model.errors import RunRefused, TruthUnavailable
from state.model.ids import RunId, ToolCallId
from state.model.language import Bilingual
from state.model.progress import CallFailed, Empty, Found
from state.model.release import ReleaseDecision, SafeFallback
from state.model.run import BudgetKind, Lease, NewRun, RunFacts, RunRow
from state.model.tool_call import Observed, ToolTurn, Transcript

NODE = "open_run"
"""A fork is opened in its place; a run forked before it begins anew with the facts of its parent."""
COPIED = Bilingual(
    en="This run went on from the middle of run {parent}: what was found until then was copied, not searched again.",
    zh="本次运行从运行 {parent} 的中途继续：此前收集的结果是复制的，没有重新检索。",
)
Plant = Callable[[DiagnosisState], Awaitable[None]]
"""Keeps the state as that of the new run, which goes on from it."""
log = structlog.get_logger("nodes.forked")


@dataclass(frozen=True)
class Origin:
    """Where a run is forked."""

    row: RunRow
    checkpoint_id: str
    node: str
    """What the parent was about to do."""
    state: DiagnosisState
    """Empty before ``open_run``."""


@dataclass(frozen=True)
class Fork:
    """The run to be."""

    run_id: RunId
    thread_id: str
    options: RunOptions = RunOptions()
    """Only limits are read; they lower those of the settings, whatever the parent's were."""


def named_results(state: DiagnosisState) -> tuple[ToolCallId, ...]:
    """The calls whose results the state rests on, each once, in their order. Pure."""
    turns, gate, decision = state.get("transcript", Transcript()).turns, state.get("gate"), state.get("decision")
    calls = [turn.call.tool_call_id for turn in turns if isinstance(turn, ToolTurn) and _is_on_record(turn)]
    if gate is not None:
        calls += [event.tool_call_id for event in gate.events if isinstance(event, Found | Empty | CallFailed)]
    if decision is not None:
        calls += [cited.tool_call_id for cited in decision.cited]
    return tuple(dict.fromkeys(calls))


async def open_fork(deps: Deps, origin: Origin, fork: Fork, plant: Plant, wake: Callable[[object], None]) -> RunFacts:
    """The facts of the new run, which is open, held by this process, and goes on from the planted state.

    Raises:
        RunRefused: this process has other sources than the parent had, or may not show its results to a model.
        ResultsGone: a result that the state rests on has expired; nothing was opened.
        TruthUnavailable: a store cannot be used.
    """
    _check_may_go_on(deps, origin.row)
    first = Lease(run_id=fork.run_id, owner=deps.keeper.owner, epoch=1)
    step = Step(deps, first, fork.options, wake)
    await deps.canonical.copy_finished(origin.row.run_id, first, named_results(origin.state))
    facts = forked_facts(deps, origin.row, fork)
    state = forked_state(origin, await masked_facts(step, facts))
    await plant(state)
    await record_tools(step)
    await record_fork(step, origin.node, state)
    lease = await _opened(
        deps,
        NewRun(
            facts=facts,
            thread_id=fork.thread_id,
            model=deps.models[ModelRole.AGENT].name,
            world=deps.sources.name,
            fork_checkpoint=origin.checkpoint_id,
            intent=state["intent"],
        ),
    )
    await tell_fork(Step(deps, lease, fork.options, wake), facts, origin.checkpoint_id, state)
    return facts


async def tell_fork(step: Step, facts: RunFacts, checkpoint_id: str, state: DiagnosisState) -> None:
    """Say outside where the run comes from and which results came with it; again it changes nothing. Fails open."""
    await tell_opened(step, facts)
    parent = facts.parent_run_id or RunId("")
    try:
        records = await step.deps.canonical.records(facts.run_id)
        entries = await step.deps.control.entries(facts.run_id)
    except TruthUnavailable as error:
        log.warning("copied results not told", run_id=facts.run_id, error=str(error))
        return
    # What the run executed itself was reserved before it was begun.
    own = {entry.key for entry in entries if entry.kind is BudgetKind.TOOL_CALL}
    copies = [record for record in records if record.tool_call_id not in own]
    await trace(
        step,
        "run:forked",
        TraceEventType.RUN_FORKED,
        NODE,
        parent_run_id=parent,
        checkpoint_id=checkpoint_id,
        copied=len(copies),
    )
    gains = _gains(state)
    for record in copies:
        await trace_copied(step, NODE, record, source=parent, gain=gains.get(record.tool_call_id))


def forked_facts(deps: Deps, row: RunRow, fork: Fork) -> RunFacts:
    """The parent's facts under the new identity: the same question, time and window; limits of its own."""
    notice = COPIED.text(row.language, parent=row.run_id)
    update = {
        "run_id": fork.run_id,
        "parent_run_id": row.run_id,
        "limits": lowered(deps.policy.limits, fork.options),
        "notices": (*row.facts.notices, notice),
    }
    return row.facts.model_copy(update=update)


def forked_state(origin: Origin, facts: RunFacts) -> DiagnosisState:
    """The parent's state under the identity of ``facts``. Pure."""
    if origin.node == NODE:
        return initial_state(origin.row.query, facts)
    return {
        **origin.state,
        "query": origin.row.query,
        "session_id": facts.session_id,
        "run_id": facts.run_id,
        "follow_up_of": facts.follow_up_of,
        "parent_run_id": facts.parent_run_id,
        "run": facts,
        "decision": _renamed(origin.state.get("decision"), origin.row.run_id, facts.run_id),
        "result": None,
    }


async def _opened(deps: Deps, new: NewRun) -> Lease:
    asked_at = deps.clock.monotonic()
    return await deps.keeper.adopt(await deps.control.open_run(new, deps.keeper.owner), asked_at=asked_at)


def _check_may_go_on(deps: Deps, row: RunRow) -> None:
    """Return if this process may go on with what the parent collected.

    Raises:
        RunRefused: it may not.
    """
    if row.world != deps.sources.name:
        raise RunRefused(row.run_id, "it searched other sources than this process has")
    if masks_identifiers(deps) and not row.facts.mask_identifiers:
        raise RunRefused(row.run_id, "its results show names and addresses that the model of this process may not see")


def _renamed(decision: ReleaseDecision | None, parent: RunId, run_id: RunId) -> ReleaseDecision | None:
    """The decision whose sentences by code name the new run; what is quoted from evidence stays as it is."""
    content = decision.content if decision else None
    if decision is None or not isinstance(content, SafeFallback):
        return decision
    steps = tuple(step.replace(parent, run_id) for step in content.next_steps)
    renamed = content.model_copy(update={"summary": content.summary.replace(parent, run_id), "next_steps": steps})
    return decision.model_copy(update={"content": renamed})


def _is_on_record(turn: ToolTurn) -> bool:
    return isinstance(turn.feedback, Observed)


def _gains(state: DiagnosisState) -> dict[ToolCallId, str]:
    """What was said of each result."""
    turns = [turn for turn in state["transcript"].turns if isinstance(turn, ToolTurn)]
    said = [(turn.call.tool_call_id, turn.feedback) for turn in turns]
    return {call: seen.gain.value for call, seen in said if isinstance(seen, Observed) and seen.gain is not None}
