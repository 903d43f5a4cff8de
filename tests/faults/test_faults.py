"""The fault table: every node × everything it depends on × every way that can go wrong → the documented end.

Cells that cannot occur are named with the reason (``expected.impossible``, counted in ``test_cells``).
"""

from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from nodes.deps import Deps
from state.model.evidence import parse_projection
from state.model.ids import RunId
from state.model.release import RunResult
from tests.faults.casts import cast_of
from tests.faults.dimensions import SOURCES, Kind, Part
from tests.faults.expected import FALSIFIED, RECORDS, RECORDS_OF, TABLE, UNOPENED, Ending, expected
from tests.faults.oracle import check_never_opened, check_run, nothing_left
from tests.faults.rigging import FOREIGN_THREAD, Rig
from tests.faults.sources import Evidence
from tests.faults.strike import Strike
from tests.graph.stage import RUN_ID, Stage, stage


def ending_of(result: RunResult) -> Ending:
    return result.failure_code or result.fallback_type or result.outcome


async def played(home: Path, strike: Strike, evidence: Evidence) -> RunResult:
    """How the run ended, after checking what must hold whatever happened."""
    with nothing_left(home):
        async with AsyncExitStack() as opened:
            rig = Rig(strike, opened)
            play = await opened.enter_async_context(_stage(home, rig, evidence))
            rig.foreign = await play.stores.control.get_run(RunId(FOREIGN_THREAD))
            result = await play.run()
            assert play.deps.keeper.held_runs() == ()
            if strike.part is Part.CONTROL and strike.node == "open_run" and strike.kind in UNOPENED:
                await check_never_opened(play, result)
            else:
                is_true = (strike.node, strike.part, strike.kind) not in FALSIFIED
                await check_run(play, result, is_trace_true=is_true)
            if strike.part in SOURCES:
                await check_record(play, strike)
    return result


async def check_record(play: Stage, strike: Strike) -> None:
    """What became of the call is on record as it was told to the model."""
    records = await play.stores.canonical.records(RUN_ID)
    record = next(one for one in records if one.tool_call_id in {"call-source", "knowledge-1"})
    projection = parse_projection(record.projection_json)
    found = record.error_code or (projection.coverage if projection else None)
    assert found == RECORDS_OF.get((strike.part, strike.kind), RECORDS[strike.kind])


def _stage(home: Path, rig: Rig, evidence: Evidence) -> AbstractAsyncContextManager[Stage]:
    strike = rig.strike

    def rigged(deps: Deps) -> Deps:
        found = rig.deps(deps, home)
        if strike.part not in SOURCES:
            return found
        tools = {**found.boundary.tools, **evidence.tools(strike)}  # type: ignore[attr-defined]
        return replace(found, boundary=replace(found.boundary, tools=tools))  # type: ignore[type-var]

    return stage(home, cast_of(strike), rig=rigged, checkpoints=lambda stores: rig.saver(stores.checkpoints, home))


@pytest.mark.parametrize(("node", "part", "kind"), TABLE, ids=lambda value: str(value).replace(" ", "-"))
async def test_fault(home: Path, evidence: Evidence, node: str, part: Part, kind: Kind) -> None:
    strike = Strike(node, part, kind)

    ended = await played(home, strike, evidence)

    assert strike.struck, "the fault never struck: the cell proves nothing"
    assert ending_of(ended) == expected(node, part, kind)
