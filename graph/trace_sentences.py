"""Each sentence of a published answer with the results that prove it. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from state.model.base import Value
from state.model.draft import Analysis, Draft
from state.model.release import Answer, Content, DiagnosisReport, EvidenceView, SafeFallback


class SentencePart(StrEnum):
    """Where in the published answer a sentence stands."""

    ANALYSIS = "analysis"
    CONCLUSION = "conclusion"
    ACTION = "action"
    RECOMMENDATION = "recommendation"
    LIMITATION = "limitation"


class Cite(Value):
    """What a sentence rests on."""

    tool_call_id: str
    item_id: str
    """Empty: the whole result, which found nothing."""
    quote: str | None
    """The words of the item; None where a value was computed from it."""


class Sentence(Value):
    """One sentence of the published answer with what proves it."""

    id: str
    """Unique in its run; of an analysis its own id."""
    part: SentencePart
    text: str
    cites: tuple[Cite, ...] = ()
    """Empty: it claims nothing that needs proof, or is marked as unverified."""


def sentences_of(content: Content | None) -> tuple[Sentence, ...]:
    """Every sentence of the published answer with what proves it; empty if nothing was published."""
    match content:
        case None:
            return ()
        case DiagnosisReport():
            return tuple(_of_report(content.draft, {view.tool_call_id: view for view in content.evidence}))
        case SafeFallback():
            return tuple(_of_fallback(content))
        case Answer():
            cites = tuple(cite for view in content.quotes for cite in _cites_of(view))
            return (Sentence(id="answer", part=SentencePart.ANALYSIS, text=content.text, cites=cites),)


def _of_report(draft: Draft, evidence: Mapping[str, EvidenceView]) -> Iterator[Sentence]:
    cites = {one.analysis_id: _cites(one, evidence) for one in draft.analysis}

    def resting_on(ids: Sequence[str]) -> tuple[Cite, ...]:
        return tuple(dict.fromkeys(cite for name in ids for cite in cites.get(name, ())))

    if draft.conclusion is not None:
        based = resting_on(draft.conclusion.based_on_analysis_ids)
        yield Sentence(id="conclusion", part=SentencePart.CONCLUSION, text=draft.conclusion.text, cites=based)
    for one in draft.analysis:
        yield Sentence(id=one.analysis_id, part=SentencePart.ANALYSIS, text=one.text, cites=cites[one.analysis_id])
    for number, action in enumerate(draft.action_plan, start=1):
        based = resting_on(action.based_on_analysis_ids)
        yield Sentence(id=f"action:{number}", part=SentencePart.ACTION, text=action.action, cites=based)
    for number, advice in enumerate(draft.recommendations, start=1):
        based = resting_on(advice.based_on_analysis_ids)
        yield Sentence(id=f"recommendation:{number}", part=SentencePart.RECOMMENDATION, text=advice.text, cites=based)
    limits = draft.limitations
    texts = (limits.scope, *limits.missing_info, limits.next_check or "")
    yield from _numbered(SentencePart.LIMITATION, [text for text in texts if text])


def _cites(analysis: Analysis, evidence: Mapping[str, EvidenceView]) -> tuple[Cite, ...]:
    """Quotes, then what values were computed from, then results that found nothing; each once."""
    quotes = [Cite(tool_call_id=one.tool_call_id, item_id=one.item_id, quote=one.text) for one in analysis.quotes]
    quoted = {(one.tool_call_id, one.item_id) for one in quotes}
    inputs = [
        Cite(tool_call_id=ref.tool_call_id, item_id=ref.item_id, quote=None)
        for derived in analysis.derived
        for ref in derived.inputs
        if (ref.tool_call_id, ref.item_id) not in quoted
    ]
    empty = [
        Cite(tool_call_id=call_id, item_id="", quote=None)
        for call_id in analysis.tool_call_ids
        if (view := evidence.get(call_id)) is not None and not view.items
    ]
    return tuple(dict.fromkeys((*quotes, *inputs, *empty)))


def _of_fallback(fallback: SafeFallback) -> Iterator[Sentence]:
    evidence = {view.tool_call_id: view for view in fallback.evidence}
    yield Sentence(id="summary", part=SentencePart.LIMITATION, text=fallback.summary)
    for number, fact in enumerate(fallback.observed_facts, start=1):
        view = evidence.get(fact.tool_call_id)
        cites = _cites_of(view) if view else (Cite(tool_call_id=fact.tool_call_id, item_id="", quote=None),)
        yield Sentence(id=f"fact:{number}", part=SentencePart.ANALYSIS, text=fact.summary, cites=cites)
    yield from _numbered(SentencePart.LIMITATION, [one.text for one in fallback.limitations])
    yield from _numbered(SentencePart.RECOMMENDATION, fallback.next_steps)


def _cites_of(view: EvidenceView) -> tuple[Cite, ...]:
    items = tuple(Cite(tool_call_id=view.tool_call_id, item_id=item.item_id, quote=None) for item in view.items)
    return items or (Cite(tool_call_id=view.tool_call_id, item_id="", quote=None),)


def _numbered(part: SentencePart, texts: Sequence[str]) -> Iterator[Sentence]:
    return (Sentence(id=f"{part.value}:{n}", part=part, text=text) for n, text in enumerate(texts, start=1))
