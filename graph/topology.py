"""The whole flow on one page: open → route → (agent ⇄ tool gate → progress) → guards → release → close."""

from langgraph.graph import END, START, StateGraph

from graph.exits import (
    AgentExit,
    ProgressExit,
    RouteExit,
    after_agent,
    after_evidence,
    after_progress,
    after_route,
)
from nodes.agent import agent
from nodes.answer_chat import answer_chat
from nodes.answer_knowledge import answer_knowledge
from nodes.close_run import CloseRun
from nodes.deps import Deps
from nodes.guard_evidence import guard_evidence
from nodes.guard_semantics import guard_semantics
from nodes.held import held
from nodes.on_error import on_error, on_open_error
from nodes.open_run import OpenRun
from nodes.release import release
from nodes.repair_draft import repair_draft
from nodes.route import route
from nodes.tool_gate import tool_gate
from nodes.track_progress import track_progress
from state.model.diagnosis import DiagnosisState, RunInput, RunOptions, RunOutput
from state.model.enums import EvidenceOutcome

Builder = StateGraph[DiagnosisState, RunOptions, RunInput, RunOutput]


def build_topology(deps: Deps) -> Builder:
    """The uncompiled graph with its dependencies bound: nodes in reading order, then every edge."""
    graph = StateGraph(DiagnosisState, RunOptions, input_schema=RunInput, output_schema=RunOutput)

    graph.add_node("open_run", OpenRun(deps), error_handler=on_open_error)
    graph.add_node("route", held(deps, route), error_handler=on_error)
    graph.add_node("answer_chat", held(deps, answer_chat), error_handler=on_error)
    graph.add_node("answer_knowledge", held(deps, answer_knowledge), error_handler=on_error)
    graph.add_node("agent", held(deps, agent), error_handler=on_error)
    graph.add_node("tool_gate", held(deps, tool_gate), error_handler=on_error)
    graph.add_node("track_progress", held(deps, track_progress), error_handler=on_error)
    graph.add_node("guard_evidence", held(deps, guard_evidence), error_handler=on_error)
    graph.add_node("repair_draft", held(deps, repair_draft), error_handler=on_error)
    graph.add_node("guard_semantics", held(deps, guard_semantics), error_handler=on_error)
    graph.add_node("release", held(deps, release), error_handler=on_error)
    graph.add_node("close_run", CloseRun(deps))

    graph.add_edge(START, "open_run")
    graph.add_edge("open_run", "route")
    graph.add_conditional_edges(
        "route",
        after_route,
        {
            RouteExit.DIAGNOSE: "agent",
            RouteExit.CHAT: "answer_chat",
            RouteExit.KNOWLEDGE: "answer_knowledge",
            RouteExit.UNAVAILABLE: "close_run",
        },
    )
    graph.add_conditional_edges(
        "agent",
        after_agent,
        {
            AgentExit.ASK_EVIDENCE: "tool_gate",
            AgentExit.SUBMIT_DRAFT: "guard_evidence",
            AgentExit.REVISE_DRAFT: "agent",
            AgentExit.HALT: "release",
        },
    )
    graph.add_edge("tool_gate", "track_progress")
    graph.add_conditional_edges(
        "track_progress",
        after_progress,
        {ProgressExit.COLLECT: "agent", ProgressExit.DELIVER_STOP: "agent", ProgressExit.STOPPED: "release"},
    )
    graph.add_conditional_edges(
        "guard_evidence",
        after_evidence,
        {
            EvidenceOutcome.PASSED_WITH_CONCLUSION: "guard_semantics",
            EvidenceOutcome.PASSED_NO_CONCLUSION: "release",
            EvidenceOutcome.REPAIRABLE: "repair_draft",
            EvidenceOutcome.REJECTED: "release",
        },
    )
    graph.add_edge("repair_draft", "guard_evidence")
    graph.add_edge("guard_semantics", "release")
    graph.add_edge("answer_chat", "close_run")
    graph.add_edge("answer_knowledge", "close_run")
    graph.add_edge("release", "close_run")
    graph.add_edge("close_run", END)

    graph.add_edge("__error_handler__open_run", "close_run")
    graph.add_edge("__error_handler__route", "close_run")
    graph.add_edge("__error_handler__answer_chat", "close_run")
    graph.add_edge("__error_handler__answer_knowledge", "close_run")
    graph.add_edge("__error_handler__agent", "close_run")
    graph.add_edge("__error_handler__tool_gate", "close_run")
    graph.add_edge("__error_handler__track_progress", "close_run")
    graph.add_edge("__error_handler__guard_evidence", "close_run")
    graph.add_edge("__error_handler__repair_draft", "close_run")
    graph.add_edge("__error_handler__guard_semantics", "close_run")
    graph.add_edge("__error_handler__release", "close_run")
    return graph
