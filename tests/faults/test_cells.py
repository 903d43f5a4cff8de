"""The table itself: no cell is left out, and what it says of nodes and stores is what happens."""

from collections import Counter
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path

from state.model.enums import ReleaseOutcome
from tests.faults.casts import cast_of
from tests.faults.dimensions import NODES, READS, STORES, WRITES, Kind, Part
from tests.faults.expected import TABLE, impossible
from tests.faults.rigging import Rig
from tests.faults.strike import Strike
from tests.graph.stage import Stage, stage


def test_every_cell_is_played_or_has_its_reason() -> None:
    cells = [(node, part, kind) for node in NODES for part in Part for kind in Kind]
    reasons = Counter(impossible(*cell) for cell in cells)

    assert len(cells) == 12 * 18 * 9
    assert reasons == {
        None: len(TABLE),
        "only a clock jumps": 612,
        "a clock neither fails nor waits": 72,
        "asks another model or none": 264,
        "reaches no source": 390,
        "does not use it": 150,
        "only reads: a reader of a SQLite file waits for nobody, and of servers see test_outages": 16,
        "nothing is read back": 15,
        "only writes": 13,
        "checkpoints are read once, before the first node": 11,
    }


async def test_nodes_use_the_stores_that_the_table_says(quick_folder: Path) -> None:
    """Four ways together go through every node."""
    used: set[tuple[Part, str, bool]] = set()
    for reached in ("answer_chat", "answer_knowledge", "repair_draft", "close_run"):
        strike = Strike(reached, Part.CLOCK, Kind.SLOW, touched=used)
        home = quick_folder / f"measured-{reached}"
        async with AsyncExitStack() as opened:
            play = await opened.enter_async_context(_stage(home, Rig(strike, opened)))
            assert (await play.run()).outcome is ReleaseOutcome.SUCCESS

    declared = {(part, node, writes) for part in STORES for writes in (False, True)
                for node in (WRITES if writes else READS)[part]}  # fmt: skip
    assert {use for use in used if use[1]} == declared


def _stage(home: Path, rig: Rig) -> AbstractAsyncContextManager[Stage]:
    return stage(home, cast_of(rig.strike), rig=lambda deps: rig.deps(deps, home))
