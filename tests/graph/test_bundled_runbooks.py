"""Which documents a process searches."""

from contextlib import ExitStack
from pathlib import Path

from config.settings import Settings
from graph.runbooks import Runbooks
from graph.system import SystemClock
from worlds import library_path


def test_the_bundled_library_is_its_runbooks_without_the_text_on_how_to_write_one(tmp_path: Path) -> None:
    with ExitStack() as opened:
        edition = Runbooks(Settings(home=tmp_path), None, SystemClock(), opened).now()

    assert edition is not None
    assert {record.path for record in edition.records} == {
        file.relative_to(library_path()).as_posix() for file in library_path().rglob("*.md")
    }
    assert (library_path() / "_README.txt").is_file()
