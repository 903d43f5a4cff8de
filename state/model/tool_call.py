"""Requests of the model and what came back, in the form that state keeps. Pure."""

from typing import Literal

from pydantic import Field

from state.model.base import Value
from state.model.draft import Draft, InvalidDraft
from state.model.enums import EvidenceStatus, InformationGain, ProtocolViolation, StopReason, ToolCode
from state.model.ids import ToolCallId

SUBMIT_TOOL = "submit_diagnosis"
"""Reserved tool whose arguments are the draft; it has no envelope and is no evidence tool."""


class ModelCall(Value):
    """One tool call as the model wrote it."""

    tool_call_id: ToolCallId
    name: str = Field(max_length=64)
    arguments: str
    """JSON text, unparsed: strict parsing is the gate's."""


class Observed(Value):
    """The call is on canonical record; its observation is rebuilt from there for each prompt."""

    tag: Literal["observed"] = "observed"
    evidence_status: EvidenceStatus
    error_code: ToolCode | None = None
    gain: InformationGain | None = None
    """None while it awaits the model's assessment."""
    mechanical: str | None = None
    """NO_EVIDENCE or NO_NEW_ITEMS where code judged the result itself."""


class Refused(Value):
    """Nothing was executed."""

    tag: Literal["refused"] = "refused"
    code: ToolCode
    why: str = ""
    """One bounded sentence written by code."""


class Violated(Value):
    """The envelope broke the protocol; nothing was executed."""

    tag: Literal["violated"] = "violated"
    violation: ProtocolViolation
    missing_field: str | None = None
    expected_previous_tool_call_id: ToolCallId | None = None


class StopInstead(Value):
    """The call was not executed because collection had stopped."""

    tag: Literal["stop_instead"] = "stop_instead"
    reason: StopReason


Feedback = Observed | Refused | Violated | StopInstead


class ToolTurn(Value):
    """One message of the model that asked for evidence, and what it got."""

    tag: Literal["tool"] = "tool"
    call: ModelCall
    extra_calls: tuple[ModelCall, ...] = Field((), max_length=16)
    """Further calls in the same message: each answered PARALLEL_TOOL_CALL, none executed."""
    feedback: Feedback
    note: str = ""
    """For the trace: a previous_observation that was not due but named the last call."""
    delivered_stop: StopReason | None = None
    """Set on the one turn whose observation carries STOP_REQUIRED."""


class DraftTurn(Value):
    """An invalid hand-in, kept until its one correction."""

    tag: Literal["draft"] = "draft"
    submitted: ModelCall | None
    """The submit call; None if the model wrote a plain message."""
    text: str
    invalid: InvalidDraft


Turn = ToolTurn | DraftTurn


class Transcript(Value):
    """What the agent and the harness said to each other, ids and control view only."""

    turns: tuple[Turn, ...] = ()


class AskEvidence(Value):
    """The agent asks for one tool call."""

    tag: Literal["ask"] = "ask"
    call: ModelCall
    extra_calls: tuple[ModelCall, ...] = ()


class SubmitDraft(Value):
    """The agent handed in a valid draft."""

    tag: Literal["submit"] = "submit"
    draft: Draft


class ReviseDraft(Value):
    """The agent handed in an invalid draft for the first time; its turn is in the transcript."""

    tag: Literal["revise"] = "revise"


class Halt(Value):
    """The agent can go no further."""

    tag: Literal["halt"] = "halt"
    stop_reason: StopReason | None = None
    """MODEL_UNAVAILABLE, DEADLINE_REACHED or BUDGET_LIMIT_REACHED; None after a second invalid draft."""
    invalid: InvalidDraft | None = None


AgentMove = AskEvidence | SubmitDraft | ReviseDraft | Halt
