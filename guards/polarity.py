"""Findings that say the reverse of what they cite: altered quotes, turned orders, denials, good news. Pure."""

from collections.abc import Iterator

from guards.claims.directions import turned_round
from guards.claims.polarity import denied_records, good_news, turned_words
from guards.claims.quoted import foreign_quotes
from guards.draft_structure import fault
from guards.grounds import Ground
from guards.run_evidence import RunEvidence
from state.model.enums import EvidenceKind, ViolationCode
from state.model.evidence import Item
from state.model.verdict import Violation


def polarity_faults(text: str, place: str, ground: Ground, run: RunEvidence) -> Iterator[Violation]:
    """What a finding or a conclusion turns round; nothing where a reference is broken."""
    if ground.is_broken:
        return
    shown = [_words(item) for _, item in ground.cited if item.kind is EvidenceKind.TELEMETRY]
    for span in foreign_quotes(text, _sources(ground, run)):
        carried = not foreign_quotes(f"“{span}”", (piece.text for piece in run.whole_run.everything))
        yield fault(ViolationCode.CLAIM_NOT_IN_EVIDENCE, place, span, carried=carried)
    turned = [*turned_round(text), *turned_words(text, shown), *good_news(text, shown)]
    if shown and not _shows_zero(ground):
        turned += denied_records(text)
    for words in dict.fromkeys(turned):
        yield fault(ViolationCode.CLAIM_NOT_IN_EVIDENCE, place, words)


def _sources(ground: Ground, run: RunEvidence) -> list[str]:
    """Everything a text may put in quotation marks: what it cites, what was asked there, and the question."""
    asked = [f"{result.projection.scope.query or ''} {result.projection.scope.filters}" for result, _ in ground.cited]
    empty = [f"{result.projection.scope.query or ''} {result.projection.scope.filters}" for result in ground.empty]
    return [*(_words(item) for _, item in ground.cited), *asked, *empty, run.context.question]


def _words(item: Item) -> str:
    return "\n".join([item.text, *(f"{name}: {value}" for name, value in item.fields.items())])


def _shows_zero(ground: Ground) -> bool:
    """Only an empty result, or a field that counts 0, shows that something was not recorded."""
    zero = any(value == 0 and not isinstance(value, bool) for _, item in ground.cited for value in item.fields.values())
    return zero or bool(ground.empty)
