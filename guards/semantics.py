"""The isolated review: what the reviewer sees, without any id of ours, and the strict reading of its verdict. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from guards.citations import TELEMETRY_TOOLS, Verified, cited_items, verify_all
from state.model.draft import Analysis, Draft, Limitations, Quote
from state.model.enums import EvidenceKind, SemanticVerdict
from state.model.evidence import CanonicalRecord, Item
from state.model.ids import RunId, ToolCallId
from state.model.strict_json import JsonProblem, parse_json_object

MAX_EVIDENCE_BYTES = 16 * 1024
"""Bound of the evidence shown; quoted spans are never cut, even if they alone exceed it."""
MAX_REASON_CHARS = 2000
_CONTEXT_CHARS = (100_000, 400, 120, 40, 0)
"""Cut order: characters of each item kept around its quoted spans; fields go before the last two steps."""
_FIELDS_UNTIL = 3
_SHORT_CHARS = 80
_GAP = " […] "

Json = dict[str, object]


@dataclass(frozen=True)
class _Exhibit:
    """One cited item, or one empty result, under the name the reviewer knows it by."""

    ref: str
    call_id: str
    item_id: str
    result: Verified
    item: Item | None
    quotes: tuple[str, ...]


def build_review(question: str, draft: Draft, records: Mapping[ToolCallId, CanonicalRecord], *, run_id: RunId) -> str:
    """One JSON object: the question, every sentence a person will see, and the cited evidence under A and E numbers.

    Evidence is cut in a fixed order to ``MAX_EVIDENCE_BYTES``; every quoted span stays.
    """
    exhibits = _exhibits(draft, verify_all(records, run_id))
    names = {analysis.analysis_id: f"A{index}" for index, analysis in enumerate(draft.analysis, 1)}
    view: Json = {"question": question, "draft": _draft(draft, names, exhibits), "evidence": _evidence(exhibits)}
    return _render(view)


def parse_verdict(text: str) -> tuple[SemanticVerdict, str] | None:
    """Verdict and bounded reason, or None unless the text is exactly ``{"verdict", "reason"}``."""
    parsed = parse_json_object(text)
    if isinstance(parsed, JsonProblem) or set(parsed) != {"verdict", "reason"}:
        return None
    verdict, reason = parsed["verdict"], parsed["reason"]
    if not isinstance(verdict, str) or not isinstance(reason, str) or verdict not in set(SemanticVerdict):
        return None
    return SemanticVerdict(verdict), reason[:MAX_REASON_CHARS]


def _exhibits(draft: Draft, verified: Mapping[str, Verified]) -> tuple[_Exhibit, ...]:
    quotes = [quote for analysis in draft.analysis for quote in analysis.quotes]
    return tuple(
        _Exhibit(
            ref=f"E{index}",
            call_id=cited.tool_call_id,
            item_id=cited.item_id,
            result=verified[cited.tool_call_id],
            item=verified[cited.tool_call_id].item(cited.item_id),
            quotes=_quotes_of(cited.tool_call_id, cited.item_id, quotes),
        )
        for index, cited in enumerate(cited_items(draft, verified), 1)
    )


def _quotes_of(call_id: str, item_id: str, quotes: Sequence[Quote]) -> tuple[str, ...]:
    return tuple(quote.text for quote in quotes if (quote.tool_call_id, quote.item_id) == (call_id, item_id))


def _draft(draft: Draft, names: Mapping[str, str], exhibits: Sequence[_Exhibit]) -> Json:
    refs = {(one.call_id, one.item_id): one.ref for one in exhibits}

    def based_on(ids: Sequence[str]) -> list[str]:
        return [names[analysis_id] for analysis_id in ids if analysis_id in names]

    def quoted(analysis: Analysis) -> list[Json]:
        """Quotes of the analysis; an empty result it cites is a quote of nothing."""
        pairs = [(refs.get((quote.tool_call_id, quote.item_id)), quote.text) for quote in analysis.quotes]
        pairs += [(refs.get((call_id, "")), "") for call_id in analysis.tool_call_ids]
        return [{"evidence": ref, "text": text} for ref, text in pairs if ref]

    conclusion = draft.conclusion
    return {
        "conclusion": conclusion
        and {
            "kind": conclusion.kind,
            "text": conclusion.text,
            "based_on": based_on(conclusion.based_on_analysis_ids),
        },
        "analysis": [
            {"ref": f"A{index}", "kind": one.kind, "text": one.text, "quotes": quoted(one)}
            for index, one in enumerate(draft.analysis, 1)
        ],
        "actions": [{"text": one.action, "based_on": based_on(one.based_on_analysis_ids)} for one in draft.action_plan],
        "recommendations": [
            {"text": one.text, "based_on": based_on(one.based_on_analysis_ids)} for one in draft.recommendations
        ],
        "hypotheses": [
            {"text": one.text, "status": one.status, "based_on": based_on(one.based_on_analysis_ids)}
            for one in draft.hypotheses
        ],
        "limitations": _limitations(draft.limitations),
    }


def _limitations(limitations: Limitations) -> Json:
    return {
        "scope": limitations.scope,
        "missing_info": list(limitations.missing_info),
        "next_check": limitations.next_check,
    }


def _evidence(exhibits: Sequence[_Exhibit]) -> list[Json]:
    """The exhibits at the least cut that fits; the last cut is taken whatever its size."""
    shown: list[Json] = []
    for step, n_context in enumerate(_CONTEXT_CHARS):
        shown = [_exhibit(one, n_context, with_fields=step < _FIELDS_UNTIL) for one in exhibits]
        if len(_render({"evidence": shown}).encode("utf-8", "replace")) <= MAX_EVIDENCE_BYTES:
            break
    return shown


def _exhibit(one: _Exhibit, n_context: int, *, with_fields: bool) -> Json:
    projection = one.result.projection
    window = projection.scope.window
    empty_kind = EvidenceKind.TELEMETRY if projection.tool in TELEMETRY_TOOLS else EvidenceKind.KNOWLEDGE
    return {
        "ref": one.ref,
        "kind": one.item.kind if one.item else empty_kind,
        "tool": projection.tool,
        "source": projection.scope.source,
        "window": window and window.model_dump(mode="json"),
        "evidence_status": projection.evidence_status,
        "text": _around(one.item.text, one.quotes, n_context) if one.item else "",
        "fields": _fields(one, with_all=with_fields),
    }


def _fields(one: _Exhibit, *, with_all: bool) -> Json:
    """Fields of an item, or what an empty result searched for. Those of an item without a quote are only shortened."""
    scope = one.result.projection.scope
    searched = {**scope.filters, "query": scope.query} if scope.query else dict(scope.filters)
    fields: Json = dict(one.item.fields) if one.item else dict(searched)
    if with_all:
        return fields
    if one.quotes:
        return {}
    return {name: value[:_SHORT_CHARS] if isinstance(value, str) else value for name, value in fields.items()}


def _around(text: str, quotes: Sequence[str], n_context: int) -> str:
    """The quoted spans of the text with so many characters beside each; the start of it where nothing is quoted."""
    spans = sorted((at, at + len(quote)) for quote in quotes if (at := text.find(quote)) >= 0) or [(0, 0)]
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        start, end = max(0, start - n_context), min(len(text), end + n_context)
        if kept and start <= kept[-1][1]:
            kept[-1] = (kept[-1][0], max(kept[-1][1], end))
        else:
            kept.append((start, end))
    pieces = _GAP.join(text[start:end] for start, end in kept)
    return (_GAP if kept[0][0] else "") + pieces + (_GAP if kept[-1][1] < len(text) else "")


def _render(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
