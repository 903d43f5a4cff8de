"""From a search to its raw payload, and from there to what model and guards may see. Pure."""

from collections.abc import Sequence

from pydantic import Field, ValidationError

from state.model.base import Value
from state.model.enums import EvidenceKind, EvidenceStatus, RelevanceLevel, ToolCode
from state.model.errors import ToolFailed
from state.model.evidence import Item, Projection, Scope, render_projection
from state.model.ids import ToolCallId
from tools.contract import RawResult
from tools.knowledge.boundaries import excerpt
from tools.knowledge.lookup_trace import LookupTrace, trace_of
from tools.knowledge.packing import pack
from tools.knowledge.search import Found
from tools.knowledge.selection import Graded, SearchPolicy

_RAW_PASSAGE_CHARS = 1500


class _Passage(Value):
    """One hit in the raw payload."""

    evidence_key: str
    path: str
    category: str
    title: str
    breadcrumb: str
    relevance_level: RelevanceLevel
    text: str
    """Beginning of the chunk, at most 1500 characters."""
    is_cut: bool
    rank: int
    neighbour_of: str | None = None
    """Evidence key of the hit it stands beside; null for a hit."""
    quality: float = Field(ge=0, le=1)
    fused_score: float


class _Payload(Value):
    """The raw result: hits best first, then neighbours; ``audit`` holds no query and no text."""

    passages: tuple[_Passage, ...]
    left_out: int
    category_applied: str | None
    category_given_up: str | None
    audit: LookupTrace


def raw_payload(found: Found, policy: SearchPolicy, asked_category: str | None) -> dict[str, object]:
    """JSON values only; about 60 KiB at most."""
    given_up = asked_category if found.fallback_reason is not None else None
    hits = [_passage(item) for item in found.selection.graded]
    beside = [_passage(neighbour.item, neighbour_of=neighbour.of) for neighbour in found.neighbours]
    payload = _Payload(
        passages=(*hits, *beside),
        left_out=found.selection.left_out,
        category_applied=found.category,
        category_given_up=given_up,
        audit=trace_of(found, policy, asked_category),
    )
    return payload.model_dump(mode="json")


def project_passages(
    raw: RawResult, *, tool: str, tool_call_id: ToolCallId, source: str, query: str, cap_bytes: int
) -> Projection:
    """The projection within ``cap_bytes``: the best passages in full, the last ones short or not at all.

    Raises:
        ToolFailed: PROJECTION_ERROR, the payload has another shape or cannot be made to fit.
    """
    try:
        payload = _Payload.model_validate(raw.payload)
    except ValidationError as error:
        raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail="payload is not a knowledge result") from error
    empty = Projection(
        tool_call_id=tool_call_id,
        tool=tool,
        scope=Scope(source=source, filters=_filters(payload), query=query),
        coverage=raw.coverage,
        evidence_status=EvidenceStatus.EVIDENCE_FOUND if payload.passages else EvidenceStatus.NO_EVIDENCE,
        truncated=False,
        total_matches=None if payload.passages else 0,
    )
    for count in range(len(payload.passages), 0, -1):
        bare = empty.model_copy(update=_items(payload, [""] * count))
        texts = pack([p.text for p in payload.passages[:count]], cap_bytes - len(render_projection(bare).encode()))
        if texts is not None:
            return empty.model_copy(update=_items(payload, texts))
    if payload.passages:
        raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail="one title alone exceeds the projection's cap")
    return empty


def _passage(item: Graded, *, neighbour_of: str | None = None) -> _Passage:
    text = excerpt(item.hit.content, _RAW_PASSAGE_CHARS)
    return _Passage(
        evidence_key=item.hit.evidence_key,
        path=item.hit.path[:500],
        category=item.hit.category,
        title=item.hit.title,
        breadcrumb=item.hit.breadcrumb,
        relevance_level=item.level,
        text=text,
        is_cut=len(text) < len(item.hit.content),
        rank=item.rank,
        quality=item.quality,
        fused_score=item.hit.fused_score,
        neighbour_of=neighbour_of,
    )


def _filters(payload: _Payload) -> dict[str, str]:
    if payload.category_applied is not None:
        return {"category": payload.category_applied}
    if payload.category_given_up is not None:
        return {"category_given_up": payload.category_given_up}
    return {}


def _items(payload: _Payload, texts: Sequence[str]) -> dict[str, object]:
    """The first passages with these texts; ``truncated`` if anything that was found is not shown whole."""
    shown = list(zip(payload.passages, texts, strict=False))
    is_cut = any(passage.is_cut or len(text) < len(passage.text) for passage, text in shown)
    return {
        "items": tuple(_item(passage, text) for passage, text in shown),
        "truncated": is_cut or len(shown) < len(payload.passages) or payload.left_out > 0,
    }


def _item(passage: _Passage, text: str) -> Item:
    return Item(
        item_id=passage.evidence_key,
        kind=EvidenceKind.KNOWLEDGE,
        text=text,
        fields={
            "title": passage.title,
            "breadcrumb": passage.breadcrumb,
            "path": passage.path,
            "category": passage.category,
            "relevance_level": passage.relevance_level.value,
            **({} if passage.neighbour_of is None else {"neighbour_of": passage.neighbour_of}),
        },
        identified=True,
    )
