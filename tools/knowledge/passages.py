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
from tools.knowledge.search import Found
from tools.knowledge.selection import Graded

AUDIT_SCHEMA = "rag_lookup_v1"
MAX_EXCERPT_CHARS = 1200
_RAW_PASSAGE_CHARS = 2 * MAX_EXCERPT_CHARS
_EXCERPT_STEPS = (1200, 1000, 800, 600, 400, 200, 100)
"""Tried in turn until the projection fits its bytes."""


class _Passage(Value):
    """One hit in the raw payload."""

    evidence_key: str
    path: str
    category: str
    title: str
    breadcrumb: str
    relevance_level: RelevanceLevel
    text: str
    """Beginning of the chunk, at most 2400 characters."""
    is_cut: bool
    rank: int
    quality: float = Field(ge=0, le=1)
    fused_score: float


class _Payload(Value):
    """The raw result; ``audit`` is what the audit keeps of it and holds no query and no text."""

    passages: tuple[_Passage, ...]
    left_out: int
    category_applied: str | None
    category_given_up: str | None
    audit: dict[str, object]


def raw_payload(found: Found, asked_category: str | None) -> dict[str, object]:
    """JSON values only; about 40 KiB at most."""
    given_up = asked_category if found.fallback_reason is not None else None
    payload = _Payload(
        passages=tuple(_passage(item) for item in found.selection.graded),
        left_out=found.selection.left_out,
        category_applied=found.category,
        category_given_up=given_up,
        audit=_audit(found, asked_category),
    )
    return payload.model_dump(mode="json")


def project_passages(
    raw: RawResult, *, tool: str, tool_call_id: ToolCallId, source: str, query: str, cap_bytes: int
) -> Projection:
    """The projection; excerpts shrink together until it fits ``cap_bytes``.

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
    for max_chars in _EXCERPT_STEPS:
        projection = empty.model_copy(update=_items(payload, max_chars))
        if len(render_projection(projection).encode()) <= cap_bytes:
            return projection
    raise ToolFailed(ToolCode.PROJECTION_ERROR, log_detail="titles alone exceed the projection's cap")


def _passage(item: Graded) -> _Passage:
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
    )


def _audit(found: Found, asked_category: str | None) -> dict[str, object]:
    graded = found.selection.graded
    return {
        "schema": AUDIT_SCHEMA,
        "selected_attempt": found.tried[-1].attempt.value,
        "fallback_reason": found.fallback_reason.value if found.fallback_reason else None,
        "category_filter": asked_category,
        "relevance_level": _batch_level(graded),
        "evidence_candidate_count": found.tried[-1].candidates,
        "evidence_block_count": len(graded),
        "evidence_keys": [item.hit.evidence_key for item in graded],
        "attempts": [
            {
                "name": tried.attempt.value,
                "candidate_count": tried.candidates,
                "usable": tried.usable,
                "top_similarity": round(tried.top_quality, 4),
                "duration_ms": tried.ms,
            }
            for tried in found.tried
        ],
    }


def _batch_level(graded: Sequence[Graded]) -> str | None:
    if not graded:
        return None
    levels = {item.level for item in graded}
    return (RelevanceLevel.PRECISE if RelevanceLevel.PRECISE in levels else RelevanceLevel.REFERENCE).value


def _filters(payload: _Payload) -> dict[str, str]:
    if payload.category_applied is not None:
        return {"category": payload.category_applied}
    if payload.category_given_up is not None:
        return {"category_given_up": payload.category_given_up}
    return {}


def _items(payload: _Payload, max_chars: int) -> dict[str, object]:
    texts = [excerpt(passage.text, max_chars) for passage in payload.passages]
    cut = [p.is_cut or len(text) < len(p.text) for p, text in zip(payload.passages, texts, strict=True)]
    return {
        "items": tuple(_item(passage, text) for passage, text in zip(payload.passages, texts, strict=True)),
        "truncated": bool(payload.passages) and (any(cut) or payload.left_out > 0),
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
        },
        identified=True,
    )
