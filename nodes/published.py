"""What a released text shows beside itself: the cited items, re-read from the canonical records. Pure."""

from collections.abc import Mapping

from state.model.draft import Draft
from state.model.enums import EvidenceStatus
from state.model.evidence import CanonicalRecord, Projection, item_digest, parse_projection
from state.model.ids import ToolCallId, digest
from state.model.release import EvidenceView
from state.model.verdict import CitedItem

Records = Mapping[ToolCallId, CanonicalRecord]


def evidence_views(draft: Draft, records: Records) -> tuple[EvidenceView, ...]:
    """One view per cited result in order of first citation, with the items that quotes and derived values name."""
    views: list[EvidenceView] = []
    for call_id in _cited_calls(draft):
        projection = _projection(records, call_id)
        if projection is not None:
            views.append(_view(projection, _cited_items(draft, call_id)))
    return tuple(views)


def cited_unchanged(cited: CitedItem, records: Records) -> bool:
    """True if the item still reads as it did at release."""
    record = records.get(cited.tool_call_id)
    projection = _projection(records, cited.tool_call_id)
    if record is None or projection is None or record.projection_json is None:
        return False
    if projection.evidence_status is EvidenceStatus.NO_EVIDENCE:
        return digest(record.projection_json) == cited.sha256
    return any(item.item_id == cited.item_id and item_digest(item) == cited.sha256 for item in projection.items)


def _cited_calls(draft: Draft) -> tuple[ToolCallId, ...]:
    calls = [call_id for analysis in draft.analysis for call_id in analysis.tool_call_ids]
    return tuple(ToolCallId(call_id) for call_id in dict.fromkeys(calls))


def _cited_items(draft: Draft, call_id: ToolCallId) -> frozenset[str]:
    quoted = {(quote.tool_call_id, quote.item_id) for analysis in draft.analysis for quote in analysis.quotes}
    derived = {
        (ref.tool_call_id, ref.item_id)
        for analysis in draft.analysis
        for value in analysis.derived
        for ref in value.inputs
    }
    return frozenset(item_id for cited_call, item_id in quoted | derived if cited_call == call_id)


def _projection(records: Records, call_id: ToolCallId) -> Projection | None:
    record = records.get(call_id)
    return parse_projection(record.projection_json) if record else None


def _view(projection: Projection, item_ids: frozenset[str]) -> EvidenceView:
    return EvidenceView(
        tool_call_id=projection.tool_call_id,
        tool=projection.tool,
        scope=projection.scope,
        evidence_status=projection.evidence_status,
        items=tuple(item for item in projection.items if item.item_id in item_ids),
    )
