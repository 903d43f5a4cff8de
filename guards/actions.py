"""Which actions a document stands behind; any other is shown as proposed, not verified. Pure."""

from collections.abc import Iterable, Mapping

from guards.citations import cited_items, evidence_views, verify_all
from state.model.draft import Action, Draft
from state.model.enums import EvidenceKind
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, ToolCallId
from state.model.release import EvidenceView


def verified_action(
    action: Action, draft: Draft, records: Mapping[ToolCallId, CanonicalRecord], *, run_id: RunId
) -> bool:
    """True if an analysis the action rests on quotes a knowledge item of a verified result, verbatim."""
    verified = verify_all(records, run_id)
    return quotes_document(action, draft, evidence_views(cited_items(draft, verified), verified))


def quotes_document(action: Action, draft: Draft, evidence: Iterable[EvidenceView]) -> bool:
    """The same from published evidence, for a report that outlives its records."""
    documents: dict[tuple[str, str], str] = {
        (view.tool_call_id, item.item_id): item.text
        for view in evidence
        for item in view.items
        if item.kind is EvidenceKind.KNOWLEDGE
    }
    basis = set(action.based_on_analysis_ids)
    quotes = (quote for one in draft.analysis if one.analysis_id in basis for quote in one.quotes)
    return any(
        bool(quote.text.strip()) and quote.text in documents.get((quote.tool_call_id, quote.item_id), "")
        for quote in quotes
    )
