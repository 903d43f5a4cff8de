"""Which actions a document stands behind; any other is shown as proposed, not verified. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping

from guards.citations import cited_items, evidence_views, verify_all
from guards.claims.folding import fold_words
from guards.claims.quoting import foreign_words
from guards.quotes import holds_quote
from state.model.draft import Action, Draft
from state.model.enums import EvidenceKind
from state.model.evidence import CanonicalRecord
from state.model.ids import RunId, ToolCallId
from state.model.release import EvidenceView

_SENTENCE = re.compile(r"(?<=[.;!?])\s+|[。;；!！?？\n]+")
_PROHIBITION = re.compile(
    r"\b(?:not|never|avoid(?:s|ed|ing)?|cannot|without|instead of|rather than|forbid(?:s|den)?|prohibit(?:s|ed)?)\b"
    r"|n['\u2019]t\b|不要|不得|不可|不能|不应|不宜|不必|无需|勿|(?<![级类分特识个区])别|禁|避免|而不是|而非",
    re.IGNORECASE,
)
"""A passage that forbids a step does not stand behind the step."""


def verified_action(
    action: Action, draft: Draft, records: Mapping[ToolCallId, CanonicalRecord], *, run_id: RunId
) -> bool:
    """True if the words of the action are those of document passages quoted by the analyses it rests on."""
    verified = verify_all(records, run_id)
    return quotes_document(action, draft, evidence_views(cited_items(draft, verified), verified))


def quotes_document(action: Action, draft: Draft, evidence: Iterable[EvidenceView]) -> bool:
    """The same from published evidence, for a report that outlives its records.

    A step without a negation is not carried by a sentence that forbids something.
    """
    passages = [sentence for quote in _passages(action, draft, evidence) for sentence in _SENTENCE.split(quote)]
    forbids = _PROHIBITION.search(fold_words(action.action)) is not None
    usable = [one for one in passages if forbids or not _PROHIBITION.search(fold_words(one))]
    says_something = bool(foreign_words(action.action, ()))
    return says_something and not foreign_words(action.action, usable)


def _passages(action: Action, draft: Draft, evidence: Iterable[EvidenceView]) -> Iterator[str]:
    """Quotes of documents in the analyses that the action rests on."""
    documents: dict[tuple[str, str], str] = {
        (view.tool_call_id, item.item_id): item.text
        for view in evidence
        for item in view.items
        if item.kind is EvidenceKind.KNOWLEDGE
    }
    basis = set(action.based_on_analysis_ids)
    for quote in (quote for one in draft.analysis if one.analysis_id in basis for quote in one.quotes):
        if holds_quote(documents.get((quote.tool_call_id, quote.item_id), ""), quote.text):
            yield quote.text
