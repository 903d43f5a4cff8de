"""kill -9 at the places that have a name, resumed by another process: nothing is lost, doubled or published twice."""

from pathlib import Path

import pytest

from tests.e2e.places import AFTER, BEFORE, COMMIT, Point
from tests.e2e.player import Task
from tests.e2e.processes import Playhouse
from tests.e2e.takeover import Whole, kill_and_resume, played_whole
from tests.e2e.where import FILES
from tests.e2e.witness import look, until_interrupted

pytestmark = pytest.mark.e2e

NAMED: dict[str, Point] = {
    "mid model call": Point("model", "agent", BEFORE, nth=2),
    "before begin": Point("canonical", "begin", BEFORE),
    "inside a backend call": Point("backend", "read", BEFORE),
    "inside the second backend call": Point("backend", "read", BEFORE, nth=2),
    "READY before the checkpoint": Point("canonical", "complete", AFTER),
    "after release": Point("control", "get_run", BEFORE, node="close_run"),
    "inside close_run, before its transaction": Point("control", "close", BEFORE),
    "inside close_run, at the commit": Point("control", "close", COMMIT),
    "inside close_run, after its transaction": Point("control", "close", AFTER),
}


@pytest.fixture(scope="module")
def whole(house: Playhouse, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return played_whole(house, tmp_path_factory.mktemp("whole"), FILES)


async def test_an_uninterrupted_run_succeeds(whole: Whole) -> None:
    assert whole.ended.result["outcome"] == "SUCCESS"
    assert whole.seen.starts == ("call-errors-1", "call-deploys-1")
    assert whole.seen.row is not None
    assert whole.seen.row.audit_lost == 0


@pytest.mark.parametrize("point", NAMED.values(), ids=NAMED.keys())
async def test_a_killed_run_is_resumed_by_another_process(
    tmp_path: Path, house: Playhouse, whole: Whole, point: Point
) -> None:
    await kill_and_resume(tmp_path, house, whole, point)


async def test_a_failing_run_killed_on_its_way_out_keeps_its_reason(tmp_path: Path, house: Playhouse) -> None:
    """Between the error and the closing only the error's text is in the checkpoint."""
    broken = Task(home="", canonical_down_in="guard_evidence")
    whole = house.play(broken.at(tmp_path / "whole"))
    assert whole.answer is not None
    n_writes = len(whole.answer["writes"][AFTER])
    codes = []
    for nth in range(n_writes - 8, n_writes + 1):
        home = tmp_path / str(nth)
        assert house.play(broken.at(home, point=Point(nth=nth), lease_s=0.05)).was_killed
        if not (await look(home)).is_over:
            await until_interrupted(home)
        codes.append(house.play(broken.at(home, do="resume", owner="resumer")).result["failure_code"])

    assert codes == ["RUN_PERSISTENCE_FAILED"] * 9
