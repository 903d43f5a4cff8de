"""kill -9 at every write of every store, in the middle of its transaction and behind it; another process takes over.

The table is what a run does: each write that a node makes to a store, at the first time it makes it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.places import AFTER, COMMIT, Point
from tests.e2e.processes import Playhouse
from tests.e2e.takeover import Whole, kill_and_resume, kill_and_sweep, played_whole
from tests.e2e.where import FILES, Where, mariadb_and_redis, postgres_and_redis

pytestmark = pytest.mark.e2e

STORES = {
    "files": {"control", "canonical", "audit", "recording", "checkpoints"},
    "postgresql": {"control", "canonical", "audit", "recording", "checkpoints"},
    "mysql": {"control", "canonical", "audit", "recording", "checkpoints"},
}
LEAST = 40
"""Kinds of writes that a run makes."""


@pytest.fixture(scope="module", params=["files", "postgresql", "mysql"])
def where(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Where]:
    opened = {"postgresql": postgres_and_redis, "mysql": mariadb_and_redis}.get(request.param)
    if opened is None:
        yield FILES
        return
    with opened(tmp_path_factory.mktemp(request.param)) as found:
        yield found


@pytest.fixture(scope="module")
def whole(house: Playhouse, where: Where, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return played_whole(house, tmp_path_factory.mktemp("whole"), where)


def first_of_each(whole: Whole, when: str, *, by_method: bool = False) -> dict[str, int]:
    """Kind of write → which write of all it is the first time, counted from 1."""
    assert whole.ended.answer is not None
    found: dict[str, int] = {}
    for nth, kind in enumerate(whole.ended.answer["writes"][when], start=1):
        found.setdefault(kind.partition(":")[2] if by_method else kind, nth)
    return found


def test_the_run_writes_to_every_store(whole: Whole) -> None:
    kinds = first_of_each(whole, AFTER)

    assert len(kinds) > LEAST
    assert {kind.partition(":")[2].partition(".")[0] for kind in kinds} == STORES[whole.where.name]
    assert whole.ended.result["outcome"] == "SUCCESS"


async def test_killed_after_any_write_another_process_goes_on(tmp_path: Path, house: Playhouse, whole: Whole) -> None:
    failed: dict[str, str] = {}
    for kind, nth in first_of_each(whole, AFTER).items():
        try:
            await kill_and_resume(tmp_path / kind, house, whole, Point(nth=nth))
        except AssertionError as error:
            failed[kind] = str(error)[:400]

    assert failed == {}


async def test_killed_inside_any_transaction_another_process_goes_on(
    tmp_path: Path, house: Playhouse, whole: Whole
) -> None:
    """Everything is sent, nothing is committed. On servers once for each kind of transaction, whatever its node."""
    kinds = first_of_each(whole, COMMIT, by_method=whole.where is not FILES)
    failed: dict[str, str] = {}
    for kind, nth in kinds.items():
        try:
            await kill_and_resume(tmp_path / kind, house, whole, Point(when=COMMIT, nth=nth))
        except AssertionError as error:
            failed[kind] = str(error)[:400]

    assert len(kinds) >= 9
    assert failed == {}


async def test_killed_at_any_write_and_taken_up_by_nobody_it_is_swept(
    tmp_path: Path, house: Playhouse, whole: Whole
) -> None:
    places = [
        (when, kind, nth)
        for when in (COMMIT, AFTER)
        for kind, nth in first_of_each(whole, when, by_method=True).items()
    ]
    failed: dict[str, str] = {}
    for when, kind, nth in places:
        try:
            await kill_and_sweep(tmp_path / f"{kind}-{when}", house, whole, Point(when=when, nth=nth))
        except AssertionError as error:
            failed[f"{kind} {when}"] = str(error)[:400]

    assert len(places) >= 20
    assert failed == {}
