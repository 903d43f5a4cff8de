"""Repair of references: what the repair model is shown, and proof that it changed no visible word. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence

from guards.citations import Verified, verify_all
from guards.claims.folding import fold_case
from state.model.draft import Analysis, Draft
from state.model.evidence import CanonicalRecord, Item
from state.model.ids import RunId, ToolCallId
from state.model.verdict import Violation

MAX_REPAIR_BYTES = 24 * 1024
"""Bound of the whole input; only a draft that is itself larger exceeds it, and then without records."""
_MAX_VIOLATIONS = 40
_MAX_ITEM_CHARS = 1200
_MAX_FIELD_CHARS = 200

Json = dict[str, object]


def visible_text(draft: Draft) -> tuple[str, ...]:
    """Every text a reader of the report sees, in order; absent texts are empty."""
    limits = draft.limitations
    return (
        draft.conclusion.text if draft.conclusion else "",
        *(analysis.text for analysis in draft.analysis),
        *(action.action for action in draft.action_plan),
        *(advice.text for advice in draft.recommendations),
        *(one.text for one in draft.hypotheses),
        limits.scope,
        *limits.missing_info,
        limits.next_check or "",
    )


def keeps_visible_text(before: Draft, after: Draft) -> bool:
    """True if only references differ: ids, quotes and derived values; never words, kinds, numbers or order of parts."""
    return _without_references(before) == _without_references(after)


def _without_references(draft: Draft) -> Draft:
    """The draft with everything a repair may change taken out."""
    bare = {"based_on_analysis_ids": ()}
    return draft.model_copy(
        update={
            "conclusion": draft.conclusion.model_copy(update=bare) if draft.conclusion else None,
            "analysis": tuple(Analysis(kind=one.kind, text=one.text) for one in draft.analysis),
            "action_plan": tuple(one.model_copy(update=bare) for one in draft.action_plan),
            "recommendations": tuple(one.model_copy(update=bare) for one in draft.recommendations),
            "hypotheses": tuple(one.model_copy(update=bare) for one in draft.hypotheses),
        }
    )


def build_repair_input(
    draft: Draft, violations: Sequence[Violation], records: Mapping[ToolCallId, CanonicalRecord], *, run_id: RunId
) -> str:
    """One JSON object: the whole draft, its violations, and the citable results, within ``MAX_REPAIR_BYTES``.

    Items are taken in a fixed order until the bound: those that hold what a violation misses, those of cited calls,
    the rest; long texts are cut at their end, so that any span of what is shown is verbatim.
    """
    shown = [{"code": one.code, "where": one.where, "what": one.what} for one in violations[:_MAX_VIOLATIONS]]
    frame: Json = {"draft": draft.model_dump(mode="json"), "violations": shown, "records": []}
    verified = verify_all(records, run_id)
    room = MAX_REPAIR_BYTES - _n_bytes(frame)
    chosen: dict[str, list[Json]] = {}
    for call_id, item in _in_order(draft, violations, verified):
        cost = _n_bytes(item) + 2 + (0 if call_id in chosen else _n_bytes(_head(verified[call_id])) + 2)
        if cost > room:
            continue
        chosen.setdefault(call_id, []).extend([item] if item else [])
        room -= cost
    frame["records"] = [{**_head(verified[call_id]), "items": items} for call_id, items in chosen.items()]
    return _render(frame)


def _in_order(
    draft: Draft, violations: Sequence[Violation], verified: Mapping[str, Verified]
) -> Iterator[tuple[str, Json]]:
    """Every citable result with its items, most useful first; a result without items stands for itself."""
    cited = {call_id for analysis in draft.analysis for call_id in analysis.tool_call_ids}
    missed = tuple(word for one in violations if (word := fold_case(one.what).strip()))
    pairs = [(call_id, item) for call_id, result in verified.items() for item in result.projection.items]
    empty = [call_id for call_id, result in verified.items() if not result.projection.items]

    def rank(pair: tuple[str, Item]) -> tuple[int, int]:
        holds = any(word in fold_case(pair[1].text) or word == pair[1].item_id for word in missed)
        return (0 if holds else 1, 0 if pair[0] in cited else 1)

    yield from ((call_id, {}) for call_id in empty)
    yield from ((call_id, _item(item)) for call_id, item in sorted(pairs, key=rank))


def _head(result: Verified) -> Json:
    projection = result.projection
    return {
        "tool_call_id": projection.tool_call_id,
        "tool": projection.tool,
        "evidence_status": projection.evidence_status,
        "scope": projection.scope.model_dump(mode="json"),
    }


def _item(item: Item) -> Json:
    fields = {
        name: value[:_MAX_FIELD_CHARS] if isinstance(value, str) else value for name, value in item.fields.items()
    }
    return {"item_id": item.item_id, "kind": item.kind, "text": item.text[:_MAX_ITEM_CHARS], "fields": fields}


def _render(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _n_bytes(value: Json) -> int:
    return len(_render(value).encode("utf-8", "replace"))
