"""What a serving process says it searches."""

from pathlib import Path
from typing import get_args

from config.settings import Settings
from config.sources import Source
from graph.sources import OpenSources
from graph.standing import _TOOL_OF, _TOOL_OF_SYSTEM, SourceLine, sources_of
from nodes.deps import Sources
from state.model.errors import SourceUnreachable
from state.model.world import SourceKind, World, WorldSource
from tests.fakes import NOW

NOTHING = Sources(name="w", now=NOW, time_zone="UTC", kb_scope="w", notices=(), documents=())
SYSTEMS = {
    "lokiprod": {"kind": "loki", "url": "http://loki:3100", "selector": {"env": "prod"}},
    "orders": {"kind": "sqlite", "path": "orders.db"},
    "wiki": {"kind": "mcp", "url": "http://wiki/mcp", "tools": {"find": {}, "read": {}}},
}


def opened(*sources: WorldSource, missing: tuple[str, ...] = ()) -> OpenSources:
    world = World(path=Path("/w"), name="w", sources=sources) if sources else None
    gone = tuple(SourceUnreachable(f"sources.{name}", "no answer") for name in missing)
    return OpenSources(NOTHING, {}, world, None, gone)


def test_a_world_is_named_by_its_folders() -> None:
    found = opened(WorldSource(name="logs", kind=SourceKind.LOGS, path=Path("/w/logs")))

    assert sources_of(found, Settings()) == (SourceLine("logs", "query_logs", "logs"),)


def test_systems_are_named_with_the_tools_that_ask_them() -> None:
    found = sources_of(opened(), Settings(sources=SYSTEMS))  # type: ignore[arg-type]

    assert [(line.name, line.kind) for line in found] == [
        ("lokiprod", "loki"), ("orders", "sqlite"), ("wiki", "mcp"), ("wiki", "mcp"),
    ]  # fmt: skip
    assert [line.tool for line in found[:2]] == ["query_logs", "query_sql"]
    assert len({line.tool for line in found[2:]}) == 2


def test_a_system_that_does_not_answer_is_not_searched() -> None:
    found = sources_of(opened(missing=("lokiprod",)), Settings(sources=SYSTEMS))  # type: ignore[arg-type]

    assert "lokiprod" not in {line.name for line in found}


def test_every_kind_has_its_tool() -> None:
    kinds = {
        kind for model in get_args(get_args(Source)[0]) for kind in get_args(model.model_fields["kind"].annotation)
    }

    assert set(_TOOL_OF) == set(SourceKind)
    assert set(_TOOL_OF_SYSTEM) == kinds - {"mcp"}
