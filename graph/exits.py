"""Where each branching node may go: pure functions of the state that return a closed exit.

The maps in ``graph.topology`` turn exits into node names; a missing member fails at compile or in a test.
"""

from enum import StrEnum
from typing import assert_never

from state.model.diagnosis import DiagnosisState
from state.model.enums import CollectionState, EvidenceOutcome, Intent
from state.model.tool_call import AskEvidence, Halt, ReviseDraft, SubmitDraft


class RouteExit(StrEnum):
    """Exits of ``route``."""

    DIAGNOSE = "DIAGNOSE"
    CHAT = "CHAT"
    KNOWLEDGE = "KNOWLEDGE"
    UNAVAILABLE = "UNAVAILABLE"


class AgentExit(StrEnum):
    """Exits of ``agent``."""

    ASK_EVIDENCE = "ASK_EVIDENCE"
    SUBMIT_DRAFT = "SUBMIT_DRAFT"
    REVISE_DRAFT = "REVISE_DRAFT"
    HALT = "HALT"


class ProgressExit(StrEnum):
    """Exits of ``track_progress``."""

    COLLECT = "COLLECT"
    DELIVER_STOP = "DELIVER_STOP"
    STOPPED = "STOPPED"


def after_route(state: DiagnosisState) -> RouteExit:
    """By intent; without one the router was unavailable."""
    match state["intent"]:
        case None:
            return RouteExit.UNAVAILABLE
        case Intent.DIAGNOSIS:
            return RouteExit.DIAGNOSE
        case Intent.KNOWLEDGE_QUERY:
            return RouteExit.KNOWLEDGE
        case _:
            return RouteExit.CHAT


def after_agent(state: DiagnosisState) -> AgentExit:
    """By the agent's move."""
    move = state["move"]
    match move:
        case AskEvidence():
            return AgentExit.ASK_EVIDENCE
        case SubmitDraft():
            return AgentExit.SUBMIT_DRAFT
        case ReviseDraft():
            return AgentExit.REVISE_DRAFT
        case Halt() | None:
            return AgentExit.HALT
        case _:
            assert_never(move)


def after_progress(state: DiagnosisState) -> ProgressExit:
    """STOPPED once evidence was asked for after STOP_REQUIRED; DELIVER_STOP while it is news to the model."""
    progress = state["progress"]
    if progress.overrun:
        return ProgressExit.STOPPED
    if progress.collection is CollectionState.SATURATED:
        return ProgressExit.DELIVER_STOP
    return ProgressExit.COLLECT


def after_evidence(state: DiagnosisState) -> EvidenceOutcome:
    """By the guard's verdict; none is a rejection."""
    verdict = state["evidence"]
    return verdict.outcome if verdict else EvidenceOutcome.REJECTED
