"""A home folder that is migrated already and knows one run of somebody else; the evidence of one small world."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from state.model.ids import RunId
from tests.faults.rigging import FOREIGN_THREAD
from tests.faults.sources import Evidence, open_evidence
from tests.graph.stage import Cast, stage

IN_MEMORY = Path("/dev/shm")


@pytest.fixture(scope="session")
def quick_folder() -> Iterator[Path]:
    """A folder in memory where there is one: these tests are about faults, not about a disk."""
    place = IN_MEMORY if IN_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="rootproof-faults-", dir=place) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def used_home(quick_folder: Path) -> Path:
    """A home folder with one run that ended, of another session."""
    home = quick_folder / "used"

    async def use() -> None:
        async with stage(home, Cast(question="hello")) as play:
            request = {"query": "hello", "run_id": RunId(FOREIGN_THREAD), "session_id": "foreign"}
            await play.runner.run(request)  # type: ignore[arg-type]
            await play.stores.recording.open()

    asyncio.run(use())
    return home


@pytest.fixture
def home(used_home: Path, quick_folder: Path) -> Iterator[Path]:
    """The same, for one test."""
    with tempfile.TemporaryDirectory(dir=quick_folder) as folder:
        yield Path(shutil.copytree(used_home, Path(folder) / "home"))


@pytest.fixture(scope="session")
def evidence(quick_folder: Path) -> Iterator[Evidence]:
    with ExitStack() as opened:
        yield open_evidence(quick_folder / "world", quick_folder / "knowledge-home", opened)
