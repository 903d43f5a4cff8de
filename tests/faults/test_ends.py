"""Faults that are no cell of the table: a person who cancels, models that err before anything is known, a deaf process."""

from dataclasses import replace
from pathlib import Path

import pytest

from models.turns import WrittenTurn
from nodes.deps import Deps
from nodes.lease_keeper import LeaseKeeper
from state.model.enums import CancellationReason, FailureCode, FallbackType, RunState
from state.model.errors import LeaseLost
from state.model.ids import RunId
from state.stores.control_sql import control_file
from tests.faults.between import Before
from tests.faults.casts import cast_of
from tests.faults.dimensions import NODES, Kind, Part
from tests.faults.oracle import check_run, nothing_left
from tests.faults.strike import Strike
from tests.graph.stage import RUN_ID, UNSUPPORTED, Cast, ask, stage

NONSENSE = "{not json"
HANGS = WrittenTurn(hang=True)
TOUCHES = set(NODES) - {"open_run"}
"""Nobody can cancel a run that is not open yet."""


@pytest.mark.parametrize("node", sorted(TOUCHES))
async def test_a_cancel_in_any_node_ends_the_run_cancelled(home: Path, node: str) -> None:
    with nothing_left(home):
        async with stage(home, cast_of(Strike(node, Part.CLOCK, Kind.SLOW))) as outside:

            async def cancel() -> None:
                await outside.stores.control.request_cancel(RunId(RUN_ID), CancellationReason.USER_REQUESTED)

            before = Before(node, ("control", "canonical", "audit"), cancel)
            async with stage(home, cast_of(Strike(node, Part.CLOCK, Kind.SLOW)), rig=before.rig) as play:
                result = await play.run()

                assert before.struck
                assert result.failure_code is FailureCode.RUN_CANCELLED
                row = await check_run(play, result, is_trace_true=True)
                assert (row.run_state, row.cancel_reason) == (RunState.CANCELLED, CancellationReason.USER_REQUESTED)


@pytest.mark.parametrize(
    ("cast", "end"),
    [
        (Cast(agent=(HANGS,), settings={"agent_timeout_s": 0.05}), FailureCode.DIAGNOSIS_UNAVAILABLE),
        (Cast(agent=(NONSENSE, NONSENSE)), FailureCode.DIAGNOSIS_UNAVAILABLE),
        (Cast(agent=(ask("errors"), NONSENSE, NONSENSE)), FallbackType.INSUFFICIENT_EVIDENCE),
        (Cast(semantic=(UNSUPPORTED,)), FallbackType.SEMANTIC_UNSUPPORTED),
    ],
)
async def test_models_that_are_slow_or_malformed(home: Path, cast: Cast, end: object) -> None:
    async with stage(home, cast) as play:
        result = await play.run()

        assert end in {result.failure_code, result.fallback_type}
        await check_run(play, result, is_trace_true=True)


async def test_an_audit_that_is_down_changes_no_byte_of_the_answer(home: Path, tmp_path: Path) -> None:
    async with stage(home) as play:
        well = await play.run()
    (tmp_path / "audit.db").mkdir()
    async with stage(tmp_path) as play:
        result = await play.run()
        row = await play.stores.control.get_run(RUN_ID)

        assert result.content == well.content
        assert row is not None
        assert row.audit_lost > 0
        assert await play.stores.control.audit_digest(RUN_ID) is None


async def test_a_process_that_hears_nothing_loses_the_run_to_the_next_which_ends_it(home: Path) -> None:
    """Its heartbeats do not come through: it stops by itself once its lease may have expired, and closes nothing."""
    own = control_file(home / "control.db", lease_s=0.1)

    def deaf(deps: Deps) -> Deps:
        control = Deaf(own)
        keeper = LeaseKeeper(control, deps.canonical, deps.clock, "deaf", beat_s=0.02, lease_s=0.1)  # type: ignore[arg-type]
        boundary = replace(deps.boundary, control=control)  # type: ignore[type-var]
        return replace(deps, control=control, keeper=keeper, boundary=boundary)

    slow = Cast(agent=(ask("errors").model_copy(update={"delay_s": 5.0}),))
    with nothing_left(home):
        async with stage(home, slow, rig=deaf) as play:
            with pytest.raises(LeaseLost):
                await play.run()
            row = await play.stores.control.get_run(RUN_ID)
            assert row is not None
            assert row.run_state is RunState.RUNNING
        async with stage(home, owner="next") as play:
            result = await play.runner.resume(RUN_ID)

            await check_run(play, result, is_trace_true=True)
            assert result.run_state is RunState.SUCCESS
        await own.close_store()


class Deaf:
    """A control store to which heartbeats do not come through."""

    def __init__(self, inner: object) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    async def heartbeat(self, *_: object) -> object:
        from state.model.errors import TruthUnavailable

        raise TruthUnavailable("control", "heartbeat")
