"""The topology as people see it, from the builder's own edges: Mermaid for documents, nodes and edges for a page."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import cast

from langgraph.graph import END, START

from graph.topology import Builder, build_topology
from nodes.deps import Deps

_ERROR = "__error_handler__"
_SHAPES = {START: "START((start))", END: "END((end))"}


@dataclass(frozen=True)
class Edge:
    """One way from a node to another."""

    start: str
    end: str
    condition: str | None
    """The exit that leads there; None: always."""


@dataclass(frozen=True)
class Picture:
    """The graph without anything live. ``START`` and ``END`` are no nodes; edges name them."""

    nodes: tuple[str, ...]
    """In reading order."""
    edges: tuple[Edge, ...]
    mermaid: str


@cache
def picture() -> Picture:
    """The graph that is executed, without the edges of unforeseen errors. Opens nothing."""
    builder = build_topology(cast(Deps, None))
    nodes = tuple(name for name in builder.nodes if not name.startswith(_ERROR))
    return Picture(nodes, tuple(edges_of(builder)), draw(builder))


def edges_of(builder: Builder) -> Iterator[Edge]:
    """Every edge but those of unforeseen errors; one an exit where a node decides."""
    for start, end in sorted(builder.edges):
        if not start.startswith(_ERROR):
            yield Edge(_plain(start), _plain(end), None)
    for start, branches in builder.branches.items():
        for branch in branches.values():
            for exit_, end in (branch.ends or {}).items():
                yield Edge(_plain(start), _plain(end), str(exit_))


def draw(builder: Builder) -> str:
    """Mermaid text: one arrow per pair of nodes with all its exits; error edges as one dashed note."""
    arrows = [*_edges(builder), *_branches(builder)]
    guarded = sum(name.startswith(_ERROR) for name in builder.nodes)
    error = f"    any[any of the {guarded} nodes above] -. unforeseen error .-> close_run"
    return "\n".join(["flowchart TD", *sorted(arrows), error])


def _edges(builder: Builder) -> Iterator[str]:
    for start, end in builder.edges:
        if not start.startswith(_ERROR):
            yield f"    {_shape(start)} --> {_shape(end)}"


def _branches(builder: Builder) -> Iterator[str]:
    for start, branches in builder.branches.items():
        ends = [item for branch in branches.values() for item in (branch.ends or {}).items()]
        for target in dict.fromkeys(target for _, target in ends):
            exits = ", ".join(str(exit_) for exit_, to in ends if to == target)
            yield f"    {start} -- {exits} --> {_shape(target)}"


def _plain(name: str) -> str:
    return {START: "START", END: "END"}.get(name, name)


def _shape(name: str) -> str:
    return _SHAPES.get(name, name)
