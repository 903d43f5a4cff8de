"""What the guards found. Pure."""

from state.model.base import Value
from state.model.draft import Draft
from state.model.enums import EvidenceOutcome, SemanticVerdict, ViolationCode
from state.model.ids import ToolCallId


class Violation(Value):
    """One fault of a draft."""

    code: ViolationCode
    where: str
    """Path in the draft, such as ``analysis.a2.quotes.0``."""
    what: str = ""
    """The offending token or id, bounded; for the repair model and the trace of the author, never published."""
    repairable: bool = False


class CitedItem(Value):
    """One item a draft rests on, with the proof that it was re-read."""

    tool_call_id: ToolCallId
    item_id: str
    sha256: str
    """Of the item as stored (``item_digest``); for a negative observation of the whole projection."""


class EvidenceVerdict(Value):
    """Result of the evidence guard over one draft."""

    outcome: EvidenceOutcome
    draft: Draft | None
    """The draft that passed: the submitted one, or (without a conclusion) what is left of it."""
    violations: tuple[Violation, ...] = ()
    dropped: tuple[str, ...] = ()
    """Ids of analyses dropped from a draft without a conclusion."""
    cited: tuple[CitedItem, ...] = ()


class SemanticReview(Value):
    """Result of the isolated review."""

    verdict: SemanticVerdict | None
    """None: no well-formed verdict in two attempts (SEMANTIC_UNAVAILABLE)."""
    attempts: int
    reason: str = ""
    """Model text, bounded; for the auditor only, never published."""
