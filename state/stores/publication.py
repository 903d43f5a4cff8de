"""What a decision makes public: its closing frames and the evidence it cites. Pure."""

from state.model.base import Value
from state.model.enums import FailureCode, ReleaseOutcome, RunState
from state.model.release import Answer, Content, DiagnosisReport, EvidenceView, ReleaseDecision, SafeFallback
from state.model.run import PublicEventType

TERMINAL_TYPES = frozenset({PublicEventType.CONTENT, PublicEventType.FAILURE, PublicEventType.DONE})
TERMINAL_KEY = "closing:"
"""Keys of closing frames begin so; no other event may take one."""
_PUBLISHES = frozenset({ReleaseOutcome.SUCCESS, ReleaseOutcome.FALLBACK})


class Frame(Value):
    """One closing frame before it has a sequence number."""

    type: PublicEventType
    payload: dict[str, object]

    @property
    def event_key(self) -> str:
        """Fixed by the type: a run has at most one frame of each."""
        return f"{TERMINAL_KEY}{self.type}"


def closing_frames(decision: ReleaseDecision) -> tuple[Frame, Frame]:
    """``content`` xor ``failure``, then ``done``.

    Raises:
        ValueError: the decision is still running, or holds not exactly one of content and failure code.
    """
    done = Frame(type=PublicEventType.DONE, payload={"outcome": decision.outcome})
    return (_body(decision), done)


def _body(decision: ReleaseDecision) -> Frame:
    if decision.run_state is RunState.RUNNING:
        raise ValueError("a closing decision cannot be RUNNING")
    if decision.outcome in _PUBLISHES:
        return _content(decision)
    if decision.failure_code is None or decision.content is not None:
        raise ValueError(f"{decision.outcome} needs a failure code and no content")
    return Frame(type=PublicEventType.FAILURE, payload={"code": decision.failure_code})


def _content(decision: ReleaseDecision) -> Frame:
    if decision.content is None or decision.content_type is None or decision.failure_code is not None:
        raise ValueError(f"{decision.outcome} needs a content with its type and no failure code")
    payload = {"content_type": decision.content_type, "payload": decision.content.model_dump(mode="json")}
    return Frame(type=PublicEventType.CONTENT, payload=payload)


def cited_evidence(content: Content | None) -> tuple[EvidenceView, ...]:
    """What the content cites, in its order; empty without content."""
    match content:
        case None:
            return ()
        case Answer(quotes=quotes):
            return quotes
        case DiagnosisReport(evidence=evidence) | SafeFallback(evidence=evidence):
            return evidence


def cancelled(decision: ReleaseDecision | None = None) -> ReleaseDecision:
    """The decision a cancel puts in the place of another one; only its stop reason stays."""
    return ReleaseDecision(
        run_state=RunState.CANCELLED,
        outcome=ReleaseOutcome.CANCELLED,
        failure_code=FailureCode.RUN_CANCELLED,
        stop_reason=decision.stop_reason if decision else None,
    )


def expired() -> ReleaseDecision:
    """The decision for a run older than it may get."""
    return ReleaseDecision(
        run_state=RunState.FAILED, outcome=ReleaseOutcome.FAILED, failure_code=FailureCode.RUN_EXPIRED
    )
