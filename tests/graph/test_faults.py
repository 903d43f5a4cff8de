"""The fault table: every node × every fault → the documented outcome, and what must hold whatever happens."""

import json
from pathlib import Path

import pytest

from models.turns import WrittenTurn
from state.model.enums import FailureCode, FallbackType, ReleaseOutcome, RunState
from state.model.release import DiagnosisReport, RunResult
from state.model.run import PublicEventType
from tests.graph.faults import Fault, Sabotage, failing_saver
from tests.graph.stage import RUN_ID, UNSUPPORTED, Cast, Stage, ask, good_draft, stage, submit

WRONG_QUOTE = json.loads(json.dumps(good_draft()).replace("errors:0", "errors:9"))
REPAIRED = Cast(agent=(ask("errors"), submit(WRONG_QUOTE)), repair=(json.dumps(good_draft()),))
REACHING: dict[str, Cast] = {
    "answer_chat": Cast(question="hello"),
    "answer_knowledge": Cast(router=('{"intent":"KNOWLEDGE_QUERY"}',), question="How is a pool sized?"),
    "repair_draft": REPAIRED,
}
"""A cast that reaches the node; the others lie on the way of a plain diagnosis."""

NODES = (
    "open_run",
    "route",
    "answer_chat",
    "answer_knowledge",
    "agent",
    "tool_gate",
    "track_progress",
    "guard_evidence",
    "repair_draft",
    "guard_semantics",
    "release",
    "close_run",
)
USES_CANONICAL = {
    "open_run",
    "answer_knowledge",
    "agent",
    "tool_gate",
    "guard_evidence",
    "repair_draft",
    "guard_semantics",
    "release",
    "close_run",
}
USES_CONTROL = set(NODES) - {"answer_chat", "guard_evidence", "release"}
"""Besides status events."""
LOST = FailureCode.RUN_PERSISTENCE_FAILED
BUG = FailureCode.INTERNAL_FAILURE

Expected = FailureCode | ReleaseOutcome


def expected(node: str, fault: Fault) -> Expected:
    """The documented outcome."""
    match fault:
        case Fault.EXCEPTION:
            return BUG
        case Fault.CANONICAL_DOWN:
            return LOST if node in USES_CANONICAL else ReleaseOutcome.SUCCESS
        case Fault.CONTROL_DOWN:
            return LOST if node in USES_CONTROL else ReleaseOutcome.SUCCESS
        case Fault.CANCELLED:
            return FailureCode.RUN_CANCELLED
        case Fault.CHECKPOINT_FAILS:
            return ReleaseOutcome.SUCCESS if node == "close_run" else LOST
        case Fault.AUDIT_DOWN | Fault.EVENTS_DOWN:
            return ReleaseOutcome.SUCCESS


UNREACHED = {
    ("open_run", Fault.CANCELLED): "nobody can cancel a run that is not open yet",
    ("release", Fault.EVENTS_DOWN): "announces nothing",
    ("close_run", Fault.EVENTS_DOWN): "announces nothing",
    ("track_progress", Fault.EVENTS_DOWN): "announces only a gain or a stop",
}
TABLE = [(node, fault) for node in NODES for fault in Fault if (node, fault) not in UNREACHED]


def outcome_of(result: RunResult) -> Expected:
    return result.failure_code or result.outcome


async def check_invariants(play: Stage, result: RunResult) -> None:
    """Whatever went wrong: one terminal state, content xor failure with its done, nothing unverified released."""
    row = await play.stores.control.get_run(RUN_ID)
    if row is None:
        assert not result.persisted
        return
    events = await play.stores.control.public_events(RUN_ID)
    ends = [event.type for event in events if event.type not in {PublicEventType.METADATA, PublicEventType.STATUS}]
    assert row.run_state is not RunState.RUNNING or not result.persisted
    if row.run_state is not RunState.RUNNING:
        assert ends in (
            [PublicEventType.CONTENT, PublicEventType.DONE],
            [PublicEventType.FAILURE, PublicEventType.DONE],
        )
        assert (PublicEventType.CONTENT in ends) == (row.content_type is not None)
    if not isinstance(result.content, DiagnosisReport):
        assert "could not get a connection" not in json.dumps([event.payload for event in events])


@pytest.mark.parametrize(("node", "fault"), TABLE, ids=lambda value: str(value).replace(" ", "-"))
async def test_fault(tmp_path: Path, node: str, fault: Fault) -> None:
    sabotage = Sabotage(node, fault)
    cast = REACHING.get(node, Cast())
    breaks = fault is Fault.CHECKPOINT_FAILS
    async with stage(
        tmp_path,
        cast,
        rig=sabotage.rig,
        checkpoints=(lambda stores: failing_saver(stores.checkpoints, sabotage)) if breaks else None,
    ) as play:
        result = await play.run()

        assert outcome_of(result) == expected(node, fault)
        if expected(node, fault) is not ReleaseOutcome.SUCCESS or fault is Fault.AUDIT_DOWN:
            assert sabotage.struck, "the fault never struck: the row proves nothing"
        await check_invariants(play, result)


async def test_an_audit_that_is_down_changes_no_byte_of_the_answer(tmp_path: Path) -> None:
    async with stage(tmp_path / "well") as play:
        well = await play.run()
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "audit.db").mkdir()
    async with stage(broken) as play:
        result = await play.run()
        row = await play.stores.control.get_run(RUN_ID)

    assert result.content == well.content
    assert row is not None
    assert row.audit_lost > 0


SLOW = WrittenTurn(hang=True)
NONSENSE = "{not json"


@pytest.mark.parametrize(
    ("cast", "what"),
    [
        (Cast(router=(SLOW,), settings={"router_timeout_s": 0.05}), FailureCode.ROUTING_UNAVAILABLE),
        (Cast(agent=(SLOW,), settings={"agent_timeout_s": 0.05}), FailureCode.DIAGNOSIS_UNAVAILABLE),
        (
            Cast(agent=(ask("errors"), SLOW), settings={"agent_timeout_s": 0.05}),
            FallbackType.INSUFFICIENT_EVIDENCE,
        ),
        (
            Cast(agent=REPAIRED.agent, repair=(SLOW,), settings={"repair_timeout_s": 0.05}),
            FallbackType.EVIDENCE_VALIDATION_FAILED,
        ),
        (Cast(semantic=(SLOW,), settings={"review_timeout_s": 0.05}), FallbackType.SEMANTIC_UNAVAILABLE),
        (Cast(router=(NONSENSE, NONSENSE)), FailureCode.ROUTING_UNAVAILABLE),
        (Cast(agent=(NONSENSE, NONSENSE)), FailureCode.DIAGNOSIS_UNAVAILABLE),
        (Cast(agent=REPAIRED.agent, repair=(NONSENSE,)), FallbackType.EVIDENCE_VALIDATION_FAILED),
        (Cast(semantic=(NONSENSE, NONSENSE)), FallbackType.SEMANTIC_UNAVAILABLE),
        (Cast(semantic=(UNSUPPORTED,)), FallbackType.SEMANTIC_UNSUPPORTED),
    ],
)
async def test_slow_and_malformed_models(tmp_path: Path, cast: Cast, what: object) -> None:
    async with stage(tmp_path, cast) as play:
        result = await play.run()

        assert what in {result.failure_code, result.fallback_type}
        await check_invariants(play, result)
