"""The topology, read from the builder's own edges and branches: the drawing hides what these show."""

from typing import cast

import pytest
from langgraph.graph import END, START

from graph import exits
from graph.exits import AgentExit, ProgressExit, RouteExit
from graph.topology import Builder, build_topology
from nodes.deps import Deps
from state.model.enums import EvidenceOutcome

NODES = {
    "open_run",
    "route",
    "answer_chat",
    "answer_knowledge",
    "agent",
    "tool_gate",
    "track_progress",
    "guard_evidence",
    "repair_draft",
    "guard_semantics",
    "release",
    "close_run",
}
EDGES = {
    (START, "open_run"),
    ("open_run", "route"),
    ("tool_gate", "track_progress"),
    ("repair_draft", "guard_evidence"),
    ("guard_semantics", "release"),
    ("answer_chat", "close_run"),
    ("answer_knowledge", "close_run"),
    ("release", "close_run"),
    ("close_run", END),
    ("__error_handler__open_run", "close_run"),
    ("__error_handler__route", "close_run"),
    ("__error_handler__answer_chat", "close_run"),
    ("__error_handler__answer_knowledge", "close_run"),
    ("__error_handler__agent", "close_run"),
    ("__error_handler__tool_gate", "close_run"),
    ("__error_handler__track_progress", "close_run"),
    ("__error_handler__guard_evidence", "close_run"),
    ("__error_handler__repair_draft", "close_run"),
    ("__error_handler__guard_semantics", "close_run"),
    ("__error_handler__release", "close_run"),
}
BRANCHES: dict[str, dict[object, str]] = {
    "route": {
        RouteExit.DIAGNOSE: "agent",
        RouteExit.CHAT: "answer_chat",
        RouteExit.KNOWLEDGE: "answer_knowledge",
        RouteExit.UNAVAILABLE: "close_run",
    },
    "agent": {
        AgentExit.ASK_EVIDENCE: "tool_gate",
        AgentExit.SUBMIT_DRAFT: "guard_evidence",
        AgentExit.REVISE_DRAFT: "agent",
        AgentExit.HALT: "release",
    },
    "track_progress": {
        ProgressExit.COLLECT: "agent",
        ProgressExit.DELIVER_STOP: "agent",
        ProgressExit.STOPPED: "release",
    },
    "guard_evidence": {
        EvidenceOutcome.PASSED_WITH_CONCLUSION: "guard_semantics",
        EvidenceOutcome.PASSED_NO_CONCLUSION: "release",
        EvidenceOutcome.REPAIRABLE: "repair_draft",
        EvidenceOutcome.REJECTED: "release",
    },
}


@pytest.fixture(scope="module")
def builder() -> Builder:
    """Nodes only close over their dependencies when built."""
    return build_topology(cast(Deps, object()))


def targets(builder: Builder) -> dict[str, set[str]]:
    """Where each node may go: edges, branches, and its error handler."""
    reached: dict[str, set[str]] = {}
    for start, end in builder.edges:
        reached.setdefault(start, set()).add(end)
    for start, branches in builder.branches.items():
        for branch in branches.values():
            reached.setdefault(start, set()).update((branch.ends or {}).values())
    for name, node in builder.nodes.items():
        if node.error_handler_node:
            reached.setdefault(name, set()).add(node.error_handler_node)
    return reached


def reachable(start: str, edges: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for target in edges.get(waiting.pop(), set()) - found:
            found.add(target)
            waiting.append(target)
    return found


def test_the_edges_are_these_and_no_others(builder: Builder) -> None:
    assert builder.edges == EDGES


def test_the_branches_are_these_and_no_others(builder: Builder) -> None:
    found = {
        name: dict(branch.ends or {}) for name, branches in builder.branches.items() for branch in branches.values()
    }

    assert found == BRANCHES


@pytest.mark.parametrize(
    ("node", "exit_type"),
    [
        ("route", RouteExit),
        ("agent", AgentExit),
        ("track_progress", ProgressExit),
        ("guard_evidence", EvidenceOutcome),
    ],
)
def test_every_exit_is_mapped_and_no_more(builder: Builder, node: str, exit_type: type) -> None:
    (branch,) = builder.branches[node].values()

    assert set(branch.ends or {}) == set(exit_type)


def test_every_node_is_there_and_reachable(builder: Builder) -> None:
    own = {name for name in builder.nodes if not name.startswith("__error_handler__")}

    assert own == NODES
    assert own <= reachable(START, targets(builder))


def test_every_node_reaches_the_end(builder: Builder) -> None:
    edges = targets(builder)

    assert all(END in reachable(name, edges) for name in builder.nodes)


def test_only_close_run_reaches_the_end(builder: Builder) -> None:
    assert {start for start, ends in targets(builder).items() if END in ends} == {"close_run"}


def test_every_node_but_close_run_has_an_error_handler(builder: Builder) -> None:
    guarded = {name for name in NODES if builder.nodes[name].error_handler_node}

    assert guarded == NODES - {"close_run"}


def test_every_edge_function_returns_a_closed_enum() -> None:
    returned = [exits.after_route, exits.after_agent, exits.after_progress, exits.after_evidence]

    names = {function.__annotations__["return"].__name__ for function in returned}

    assert names == {"RouteExit", "AgentExit", "ProgressExit", "EvidenceOutcome"}


def test_only_release_and_the_answering_nodes_lead_to_a_publication(builder: Builder) -> None:
    leading = {start for start, ends in targets(builder).items() if "close_run" in ends}

    assert {name for name in leading if not name.startswith("__")} == {
        "release",
        "answer_chat",
        "answer_knowledge",
        "route",
    }
