"""The topology as a Mermaid flow chart, drawn from the builder's own edges: the picture in README and docs."""

from collections.abc import Iterator

from langgraph.graph import END, START

from graph.topology import Builder

_ERROR = "__error_handler__"
_SHAPES = {START: "START((start))", END: "END((end))"}


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


def _shape(name: str) -> str:
    return _SHAPES.get(name, name)
