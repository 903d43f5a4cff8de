"""Calls of the command line in this process, with what they write."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from service import cli
from tests.graph.stage import Cast
from tests.service.stage_backend import StageBackend


@dataclass(frozen=True)
class Said:
    """What one call wrote, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Call = Callable[..., Said]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder without evidence in it."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def backend(tmp_path: Path, elsewhere: Path) -> StageBackend:
    return StageBackend(tmp_path / "home", Cast())


@pytest.fixture
def call(backend: StageBackend, capsys: pytest.CaptureFixture[str]) -> Call:
    def called(*words: str) -> Said:
        capsys.readouterr()
        code = cli.run(words, backend)
        written = capsys.readouterr()
        return Said(code, written.out, written.err)

    return called
