"""What the documents say is what the code has."""

from pathlib import Path
from typing import cast

import pytest

from graph.picture import draw
from graph.topology import build_topology
from nodes.deps import Deps
from state.model import enums
from state.model.enums import TraceEventType
from state.model.trace import PHASE_OF

ROOT = Path(__file__).parents[2]
PICTURE = draw(build_topology(cast(Deps, None)))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["README.md", "docs/architecture.md"])
def test_the_picture_is_the_topology(name: str) -> None:
    assert f"```mermaid\n{PICTURE}\n```" in read(name)


@pytest.mark.parametrize("event", list(TraceEventType))
def test_every_trace_event_is_documented_and_has_a_phase(event: TraceEventType) -> None:
    assert f"| `{event.value}` |" in read("docs/trace-events.md")
    assert event in PHASE_OF


def test_every_code_is_in_the_glossary() -> None:
    glossary = read("docs/glossary.md")
    types = [value for value in vars(enums).values() if isinstance(value, type) and issubclass(value, enums.StrEnum)]
    codes = {member.value for type_ in types for member in type_}

    assert len(codes) > 100
    assert {code for code in codes if f"`{code}`" not in glossary} == set()


def test_every_decision_is_in_the_index() -> None:
    index = read("docs/decisions/README.md")
    notes = {path.name for path in (ROOT / "docs/decisions").glob("*.md")} - {"README.md"}

    assert notes
    assert {name for name in notes if f"({name})" not in index} == set()
