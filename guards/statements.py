"""The visible texts of a draft against what they rest on: claims, absence, kinds, partial results. Pure."""

from collections.abc import Iterator

from guards.claims.check import Standing, uncarried
from guards.claims.folding import fold_case
from guards.claims.quoting import foreign_words
from guards.claims.support import Evidence, Support
from guards.claims.wording import ATTRIBUTION, CAUSAL, HEALTH, TOTALITY, UNIVERSAL_ABSENCE, WordList
from guards.draft_structure import fault
from guards.grounds import Ground, absence_support, could_be_derived, is_carried_elsewhere, support_of
from guards.polarity import polarity_faults
from guards.run_evidence import RunEvidence
from guards.totality import totals_claimed
from state.model.draft import Analysis, Conclusion, Hypothesis, Limitations
from state.model.enums import AnalysisKind, ConclusionKind, HypothesisStatus, ViolationCode
from state.model.verdict import Violation

_TITLE_FIELDS = ("title", "breadcrumb")
_MAX_FOREIGN_WORDS = 5


def analysis_text_faults(analysis: Analysis, place: str, ground: Ground, run: RunEvidence) -> Iterator[Violation]:
    """What the text of an analysis says beyond its evidence."""
    if analysis.kind is AnalysisKind.NEGATIVE_OBSERVATION:
        if not ground.is_broken:
            yield from _absence_faults(analysis.text, place, ground, run)
        return
    yield from claim_faults(analysis.text, place, ground, run, standing=Standing.FINDING)
    yield from _totality_faults(analysis.text, place, ground, run)
    yield from _health_faults(analysis.text, place, ground, run)
    yield from polarity_faults(analysis.text, place, ground, run)
    if ground.is_documents_only:
        yield from _document_faults(analysis, place, ground, run)


def conclusion_text_faults(conclusion: Conclusion, ground: Ground, run: RunEvidence) -> Iterator[Violation]:
    """What the conclusion says beyond its analyses, and what its kind may not say."""
    standing = Standing.FINDING if conclusion.kind is ConclusionKind.ROOT_CAUSE else Standing.FACT
    yield from claim_faults(conclusion.text, "conclusion", ground, run, standing=standing)
    yield from _totality_faults(conclusion.text, "conclusion", ground, run)
    yield from polarity_faults(conclusion.text, "conclusion", ground, run)
    if ground.empty and not ground.is_broken:
        yield from _universal_faults(conclusion.text, "conclusion", support_of(ground, run))
    else:
        yield from _health_faults(conclusion.text, "conclusion", ground, run)
    if conclusion.kind is ConclusionKind.OBSERVATION:
        for word in CAUSAL.find(conclusion.text):
            yield fault(ViolationCode.CAUSE_IN_OBSERVATION, "conclusion", word)
    if not (ground.is_broken or _has_telemetry(conclusion, ground)):
        yield fault(ViolationCode.TELEMETRY_MISSING, "conclusion")


def _has_telemetry(conclusion: Conclusion, ground: Ground) -> bool:
    """An empty result can answer a narrow question; it can never be all there is behind a cause."""
    searched = any(result.is_telemetry for result in ground.empty)
    return ground.has_telemetry or (conclusion.kind is ConclusionKind.OBSERVATION and searched)


def hypothesis_faults(hypothesis: Hypothesis, place: str, ground: Ground, run: RunEvidence) -> Iterator[Violation]:
    """What a hypothesis says beyond its analyses; a judged one needs something found."""
    yield from claim_faults(hypothesis.text, place, ground, run, standing=Standing.ADVICE)
    yield from _health_faults(hypothesis.text, place, ground, run)
    if hypothesis.status is HypothesisStatus.OPEN or ground.cited:
        return
    if not hypothesis.based_on_analysis_ids:
        yield fault(ViolationCode.BASIS_MISSING, place)
    elif ground.empty and not ground.is_broken:
        yield fault(ViolationCode.ABSENCE_OUT_OF_SCOPE, place, hypothesis.status)


def limitation_faults(limitations: Limitations, run: RunEvidence) -> Iterator[Violation]:
    """Names, numbers and times in the limitations that neither run, question nor catalogue knows."""
    texts = [("scope", limitations.scope)]
    texts += [(f"missing_info.{index}", text) for index, text in enumerate(limitations.missing_info)]
    texts += [("next_check", limitations.next_check or "")]
    for name, text in texts:
        for word in unknown_words(text, run):
            yield fault(ViolationCode.CLAIM_NOT_IN_EVIDENCE, f"limitations.{name}", word)


def unknown_words(text: str, run: RunEvidence) -> tuple[str, ...]:
    """Numbers, times and names of the text that occur in no verified record, question or catalogue."""
    claims = uncarried(text, run.known_words, question="", standing=Standing.ADVICE) if text else ()
    return tuple(claim.text for claim in claims if not run.whole_run.carries(claim))


def claim_faults(text: str, place: str, ground: Ground, run: RunEvidence, *, standing: Standing) -> Iterator[Violation]:
    """Claims of the text that its ground does not carry."""
    support = support_of(ground, run)
    documents_count = standing is Standing.ADVICE or ground.is_documents_only
    for claim in uncarried(text, support, question=run.context.question, standing=standing):
        elsewhere = is_carried_elsewhere(claim, run, documents_count=documents_count)
        carried = elsewhere or could_be_derived(claim, ground, run)
        yield fault(ViolationCode.CLAIM_NOT_IN_EVIDENCE, place, claim.text, carried=carried)


def _absence_faults(text: str, place: str, ground: Ground, run: RunEvidence) -> Iterator[Violation]:
    support = absence_support(ground, run)
    for claim in uncarried(text, support, question="", standing=Standing.FACT):
        yield fault(ViolationCode.ABSENCE_OUT_OF_SCOPE, place, claim.text)
    yield from _universal_faults(text, place, support)


def _universal_faults(text: str, place: str, support: Support) -> Iterator[Violation]:
    shown = support.telemetry or support.everything
    words = dict.fromkeys(word for one in (UNIVERSAL_ABSENCE, HEALTH) for word in _unshown(one, text, shown))
    for word in words:
        yield fault(ViolationCode.ABSENCE_OUT_OF_SCOPE, place, word)


def _health_faults(text: str, place: str, ground: Ground, run: RunEvidence) -> Iterator[Violation]:
    """Words of health that no cited item uses itself; a document counts only where the text names it as one."""
    if ground.is_broken:
        return
    for word in _unshown(HEALTH, text, _speaking(text, support_of(ground, run))):
        yield fault(ViolationCode.ABSENCE_OUT_OF_SCOPE, place, word)


def _speaking(text: str, support: Support) -> tuple[Evidence, ...]:
    """What may excuse a word about how things were: a document only where it is all there is, or is named as one."""
    told = support.told if ATTRIBUTION.find(text) else support.telemetry
    return told if support.telemetry else support.everything


def _totality_faults(text: str, place: str, ground: Ground, run: RunEvidence) -> Iterator[Violation]:
    """Words of a whole over a cut or partial result that what was found does not use itself."""
    if not ground.is_cut:
        return
    pieces = _speaking(text, support_of(ground, run))
    used = {word for piece in pieces for word in TOTALITY.find(piece.text)}
    for word in totals_claimed(text, ground):
        if word not in used:
            yield fault(ViolationCode.CLAIM_NOT_IN_EVIDENCE, place, word)


def _unshown(words: WordList, text: str, pieces: tuple[Evidence, ...]) -> Iterator[str]:
    """Words of that list in the text which the evidence itself does not use as words of the list."""
    found = words.find(text)
    used = {word for piece in pieces for word in words.find(piece.text)} if found else set()
    return (word for word in found if word not in used)


def _document_faults(analysis: Analysis, place: str, ground: Ground, run: RunEvidence) -> Iterator[Violation]:
    """A runbook analysis may hold only words of its quotes (and the name of the document)."""
    titles = [str(item.fields[name]) for _, item in ground.cited for name in _TITLE_FIELDS if name in item.fields]
    foreign = foreign_words(analysis.text, (*(quote.text for quote in analysis.quotes), *titles))
    for word in foreign[:_MAX_FOREIGN_WORDS]:
        carried = any(fold_case(word) in piece.text for piece in run.whole_run.everything)
        yield fault(ViolationCode.CLAIM_NOT_IN_EVIDENCE, place, word, carried=carried)
