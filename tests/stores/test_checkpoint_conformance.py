"""LangGraph's own conformance suite passes on checkpoints in a SQLite file."""

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest

from state.stores.checkpoints import CheckpointFile, open_checkpointer

conformance = pytest.importorskip("langgraph.checkpoint.conformance")


async def test_the_sqlite_checkpointer_conforms(tmp_path: Path) -> None:
    numbers = count()

    @conformance.checkpointer_test(name="CheckpointFile")
    async def checkpointer() -> AsyncIterator[CheckpointFile]:
        async with open_checkpointer(tmp_path / f"{next(numbers)}.db") as saver:
            yield saver

    report = await conformance.validate(checkpointer)

    assert report.passed_all_base(), report
