"""Reading citations: from a reference to the verified result behind it, and back to what was cited. Pure.

A result that cannot be verified is a violation code, never a guess. ``release`` and ``close_run`` re-read cited items
with the same functions, so that both compare the same bytes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from state.model.draft import Draft
from state.model.enums import AnalysisKind, Coverage, EvidenceKind, EvidenceStatus, InvocationStatus, ViolationCode
from state.model.evidence import CanonicalRecord, Item, Projection, item_digest, parse_projection
from state.model.ids import RunId, ToolCallId, digest
from state.model.release import EvidenceView
from state.model.verdict import CitedItem

TELEMETRY_TOOLS = frozenset({"query_logs", "query_sql", "query_metrics", "list_alerts"})
"""Tools whose empty result is an observation of the system; an empty search of documents is none."""


@dataclass(frozen=True)
class Verified:
    """A READY record of this run whose projection was parsed and agrees with it."""

    record: CanonicalRecord
    projection: Projection

    def item(self, item_id: str) -> Item | None:
        """The first item of that id; None if there is none. Later items of the same id cannot be cited."""
        return next((item for item in self.projection.items if item.item_id == item_id), None)

    @property
    def is_whole(self) -> bool:
        """True if the result is everything the scope held: totals and "all" may rest on it."""
        return self.projection.coverage is Coverage.COMPLETE and not self.projection.truncated

    @property
    def is_counted(self) -> bool:
        """True if the whole scope was read: the source's own counts hold, even where not every item is shown."""
        return self.projection.coverage is Coverage.COMPLETE

    @property
    def is_telemetry(self) -> bool:
        """True if it shows the system itself rather than documents."""
        kinds = {item.kind for item in self.projection.items}
        return EvidenceKind.TELEMETRY in kinds or (not kinds and self.projection.tool in TELEMETRY_TOOLS)


ACCEPTS = {
    AnalysisKind.NORMAL: EvidenceStatus.EVIDENCE_FOUND,
    AnalysisKind.NEGATIVE_OBSERVATION: EvidenceStatus.NO_EVIDENCE,
}
"""The evidence status each kind of analysis may cite."""


def verify(
    record: CanonicalRecord, call_id: str, run_id: RunId, *, kind: AnalysisKind | None = None
) -> Verified | ViolationCode:
    """The verified result, or the first reason why this record cannot be cited (by that kind of analysis)."""
    if record.tool_call_id != call_id:
        return ViolationCode.INVOCATION_ID_MISMATCH
    legal = record.status is InvocationStatus.READY and record.evidence_status in ACCEPTS.values()
    if not legal or record.run_id != run_id or record.projection_json is None:
        return ViolationCode.INVOCATION_NOT_REFERENCABLE
    if kind is not None and record.evidence_status is not ACCEPTS[kind]:
        return ViolationCode.EVIDENCE_KIND_MISMATCH
    projection = _parsed(record)
    if projection is None:
        return ViolationCode.PROJECTION_INVALID
    return Verified(record, projection) if _agrees(projection, record) else ViolationCode.PROJECTION_STATUS_MISMATCH


def verify_all(records: Mapping[ToolCallId, CanonicalRecord], run_id: RunId) -> dict[str, Verified]:
    """Every result of the run that may be cited, in the order given."""
    read = {call_id: verify(record, call_id, run_id) for call_id, record in records.items()}
    return {call_id: result for call_id, result in read.items() if isinstance(result, Verified)}


def is_expired(record: CanonicalRecord, at: datetime) -> bool:
    """True if the record's life had ended at that instant."""
    return _utc(record.expires_at) <= _utc(at)


def cited_items(draft: Draft, verified: Mapping[str, Verified]) -> tuple[CitedItem, ...]:
    """What the draft rests on with its digests, each once, in draft order."""
    found: dict[tuple[str, str], CitedItem] = {}
    for analysis in draft.analysis:
        pairs = [(quote.tool_call_id, quote.item_id) for quote in analysis.quotes]
        pairs += [(ref.tool_call_id, ref.item_id) for derived in analysis.derived for ref in derived.inputs]
        pairs += [(call_id, "") for call_id in analysis.tool_call_ids if _is_empty(verified.get(call_id))]
        for call_id, item_id in pairs:
            sha256 = reread_digest(verified.get(call_id), item_id)
            if sha256:
                cited = CitedItem(tool_call_id=ToolCallId(call_id), item_id=item_id, sha256=sha256)
                found.setdefault((call_id, item_id), cited)
    return tuple(found.values())


def reread_digest(result: Verified | None, item_id: str) -> str | None:
    """SHA-256 of the item, or of the whole projection for an empty id; None if it is not there (any more)."""
    if result is None:
        return None
    if not item_id:
        return digest(result.record.projection_json or "")
    item = result.item(item_id)
    return item_digest(item) if item else None


def evidence_views(cited: Iterable[CitedItem], verified: Mapping[str, Verified]) -> tuple[EvidenceView, ...]:
    """Cited results as published, one per call in order of first citation, with the cited items only."""
    by_call: dict[str, list[str]] = {}
    for one in cited:
        by_call.setdefault(one.tool_call_id, []).append(one.item_id)
    return tuple(view_of(verified[call_id], ids) for call_id, ids in by_call.items() if call_id in verified)


def cited_in(views: Iterable[EvidenceView], verified: Mapping[str, Verified]) -> tuple[CitedItem, ...]:
    """The citations behind published views: each item, or the whole projection of a view without items."""
    pairs = [
        (view.tool_call_id, item_id) for view in views for item_id in [item.item_id for item in view.items] or [""]
    ]
    found = [(call_id, item_id, reread_digest(verified.get(call_id), item_id)) for call_id, item_id in pairs]
    return tuple(
        CitedItem(tool_call_id=call_id, item_id=item_id, sha256=sha256) for call_id, item_id, sha256 in found if sha256
    )


def view_of(result: Verified, item_ids: Iterable[str]) -> EvidenceView:
    """One result as published with those of its items, in the given order."""
    items = tuple(item for item_id in item_ids if (item := result.item(item_id)))
    projection = result.projection
    return EvidenceView(
        tool_call_id=projection.tool_call_id,
        tool=projection.tool,
        scope=projection.scope,
        evidence_status=projection.evidence_status,
        items=items,
    )


def _parsed(record: CanonicalRecord) -> Projection | None:
    """The projection of the record's own bytes; None if they are not one, or not the ones that were sealed."""
    try:
        projection = parse_projection(record.projection_json)
        sealed = record.projection_sha256 in {None, digest(record.projection_json or "")}
    except UnicodeError:
        return None
    return projection if sealed else None


def _agrees(projection: Projection, record: CanonicalRecord) -> bool:
    named = (projection.tool_call_id, projection.tool, projection.evidence_status)
    if named != (record.tool_call_id, record.tool, record.evidence_status):
        return False
    if projection.evidence_status is EvidenceStatus.EVIDENCE_FOUND:
        return bool(projection.items)
    nothing = not projection.items and not projection.total_matches
    return nothing and projection.coverage is Coverage.COMPLETE and not projection.truncated


def _is_empty(result: Verified | None) -> bool:
    return result is not None and result.projection.evidence_status is EvidenceStatus.NO_EVIDENCE


def _utc(instant: datetime) -> datetime:
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)
