"""The frames of a run's stream as typed values. Fields a newer service adds are ignored. Pure."""

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from service.client.problem import UnexpectedReply
from state.model.release import Answer, DiagnosisReport, SafeFallback

Released = Annotated[DiagnosisReport | SafeFallback | Answer, Field(discriminator="tag")]
"""What a run may publish."""


class _Frame(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    event_id: int | None = None
    """Sequence number of the event; None only where the service could not record it."""


class Metadata(_Frame):
    """The run that answers."""

    type: Literal["metadata"] = "metadata"
    session_id: str
    run_id: str


class Status(_Frame):
    """Where the run stands: configured names, codes and counts."""

    model_config = ConfigDict(extra="allow")

    type: Literal["status"] = "status"
    stage: str
    round: int | None = None
    """Step of the agent, from 1."""
    tool: str | None = None
    source: str | None = None
    window_start: str | None = None
    window_end: str | None = None
    service: str | None = None
    evidence_status: str | None = None
    code: str | None = None
    """Why a tool call ended in an error."""
    gain: str | None = None
    """`GAINED` or `NO_GAIN`, of the result before."""
    stop_reason: str | None = None
    outcome: str | None = None


class Content(_Frame):
    """What the run published."""

    type: Literal["content"] = "content"
    content_type: str
    payload: Released


class Failure(_Frame):
    """Why the run publishes nothing."""

    type: Literal["failure"] = "failure"
    code: str
    message: str = ""
    """One sentence for a person; empty where the service gives the code alone."""


class Done(_Frame):
    """The last event."""

    type: Literal["done"] = "done"
    outcome: str


Event = Annotated[Metadata | Status | Content | Failure | Done, Field(discriminator="type")]
_EVENT: TypeAdapter[Metadata | Status | Content | Failure | Done] = TypeAdapter(Event)
_KINDS = frozenset({"metadata", "status", "content", "failure", "done"})


class RunOutcome(BaseModel):
    """How a run ended, as its stream told. Exactly one of content and failure is set."""

    model_config = ConfigDict(frozen=True)

    run_id: str
    session_id: str | None
    """None if the stream was taken up after its beginning."""
    outcome: str
    """A `ReleaseOutcome`: `SUCCESS`, `FALLBACK`, `FAILED` or `CANCELLED`."""
    content: Content | None
    failure: Failure | None


def read_event(kind: str, data: str, event_id: str) -> Event | None:
    """The typed event; None for a kind that this client does not know, and for frames without data. Pure.

    Raises:
        UnexpectedReply: the event has not the form of its kind.
    """
    if kind not in _KINDS:
        return None
    try:
        fields = json.loads(data)
        given = fields if isinstance(fields, dict) else {}
        return _EVENT.validate_python({**given, "type": kind, "event_id": event_id or None}, extra=_extra(kind))
    except ValueError:
        raise UnexpectedReply(f"an event {kind!r} does not have the documented form") from None


def _extra(kind: str) -> Literal["allow", "ignore"]:
    """Given per call, because the values inside a report refuse unknown fields by themselves."""
    return "allow" if kind == "status" else "ignore"
