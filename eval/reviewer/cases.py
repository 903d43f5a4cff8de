"""Reads the incidents: each draft becomes one case with its question and the records it cites."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

import yaml

from eval.reviewer.records import RUN_ID, CallSpec, call_id, item_id, record_of
from guards.evidence import EvidenceContext
from guards.semantics import build_review
from state.model.base import Value
from state.model.draft import (
    Action,
    Analysis,
    Conclusion,
    Derived,
    Draft,
    FieldRef,
    Hypothesis,
    Limitations,
    Quote,
    Recommendation,
)
from state.model.enums import AnalysisKind, ConclusionKind, DerivedOp, HypothesisStatus, Language, SemanticVerdict
from state.model.evidence import CanonicalRecord, Window
from state.model.ids import ToolCallId

INCIDENTS = Path(__file__).parent / "incidents"

Places = Mapping[str, tuple[CallSpec, str]]
"""Key of an item → the call that returned it, and its id there."""


class CaseKind(StrEnum):
    """What is wrong with a draft, if anything."""

    CORRECT = "correct"
    SWAPPED = "swapped"
    """Cause and effect changed places."""
    WRONG_SERVICE = "wrong_service"
    """Blames another service of the evidence."""
    CAUSE_AFTER_EFFECT = "cause_after_effect"
    """What is named as the cause began later than its effect."""
    SYMPTOM_AS_CAUSE = "symptom_as_cause"
    """A link in the middle of the chain is presented as its beginning."""
    NEGATION = "negation"
    """Affirms what the evidence denies, or the reverse."""
    ALTERNATIVE = "alternative"
    """Another cause that the runbook lists and the telemetry excludes."""
    WRONG_NUMBER = "wrong_number"
    """A number of the evidence, attached to another subject."""
    OVER_GENERAL = "over_general"
    """One place is made the whole system."""


class Split(StrEnum):
    """Who may look at a case: the author of a reviewer sees the texts of DEV only."""

    DEV = "dev"
    HELD_OUT = "held_out"


class QuoteSpec(Value):
    """Words of one item, verbatim."""

    item: str
    text: str


class DerivedSpec(Value):
    """A number computed from fields of items."""

    op: DerivedOp
    of: tuple[str, ...]
    """``item.field`` each, in order; an item alone for a count."""
    value: float
    rounding: int | None = None


class AnalysisSpec(Value):
    """One analysis; ``absent`` names calls that found nothing, then there are no quotes."""

    text: str
    quotes: tuple[QuoteSpec, ...] = ()
    derived: tuple[DerivedSpec, ...] = ()
    absent: tuple[str, ...] = ()


class AdviceSpec(Value):
    """An action, a recommendation or a hypothesis with the analyses it rests on."""

    text: str
    based_on: tuple[int, ...] = ()
    """Places of its analyses, counted from 1."""
    status: HypothesisStatus = HypothesisStatus.OPEN
    """Of a hypothesis."""


class DraftSpec(Value):
    """One draft as written."""

    name: str
    kind: CaseKind = CaseKind.CORRECT
    split: Split = Split.DEV
    conclusion: str = ""
    """Empty: the draft names none."""
    conclusion_kind: ConclusionKind = ConclusionKind.ROOT_CAUSE
    analysis: tuple[AnalysisSpec, ...]
    actions: tuple[AdviceSpec, ...] = ()
    recommendations: tuple[AdviceSpec, ...] = ()
    hypotheses: tuple[AdviceSpec, ...] = ()
    missing_info: tuple[str, ...] = ()
    next_check: str | None = None


class Incident(Value):
    """One invented incident: what was asked, what the tools answered, and what people wrote about it."""

    incident: str
    language: Language
    time_zone: str
    question: str
    window: Window
    catalogue: tuple[str, ...]
    """Names the tools vouch for: sources, services, tables."""
    scope: str
    """What the drafts say they searched."""
    evidence: tuple[CallSpec, ...]
    drafts: tuple[DraftSpec, ...]


@dataclass(frozen=True)
class ReviewCase:
    """One draft with everything that a guard or a reviewer needs. Shown by name only, never with its texts."""

    name: str
    language: Language
    kind: CaseKind
    expected: SemanticVerdict
    split: Split
    question: str = field(repr=False)
    draft: Draft = field(repr=False)
    records: Mapping[ToolCallId, CanonicalRecord] = field(repr=False)
    context: EvidenceContext = field(repr=False)

    @property
    def review(self) -> str:
        """The frozen input that a reviewer gets."""
        return build_review(self.question, self.draft, self.records, run_id=RUN_ID)


def load_cases(folder: Path = INCIDENTS) -> tuple[ReviewCase, ...]:
    """Every case of the folder's ``*.yaml`` files, in order of file and place; empty for a folder without one.

    Raises:
        pydantic.ValidationError: a file is not an incident.
        KeyError: a quote names an item that the incident does not hold.
    """
    return tuple(case for incident in load_incidents(folder) for case in cases_of(incident))


def load_incidents(folder: Path = INCIDENTS) -> tuple[Incident, ...]:
    """The incidents in order of file name.

    Raises:
        pydantic.ValidationError: a file is not an incident.
    """
    paths = sorted(folder.glob("*.yaml"))
    return tuple(Incident.model_validate(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in paths)


def cases_of(incident: Incident) -> Iterable[ReviewCase]:
    """The cases of one incident; they share its records."""
    ended_at = incident.window.end + timedelta(minutes=5)
    records = {call_id(spec.call): record_of(spec, incident.window, ended_at) for spec in incident.evidence}
    context = EvidenceContext(
        run_id=RUN_ID,
        question=incident.question,
        judged_at=ended_at + timedelta(minutes=1),
        time_zone=incident.time_zone,
        catalogue_terms=incident.catalogue,
        answered_ids=frozenset(records),
    )
    for spec in incident.drafts:
        is_correct = spec.kind is CaseKind.CORRECT
        yield ReviewCase(
            name=spec.name,
            language=incident.language,
            kind=spec.kind,
            expected=SemanticVerdict.SUPPORTED if is_correct else SemanticVerdict.UNSUPPORTED,
            split=spec.split,
            question=incident.question,
            draft=_draft(spec, incident),
            records=records,
            context=context,
        )


def _draft(spec: DraftSpec, incident: Incident) -> Draft:
    places = {item.key: (call, item_id(call, item)) for call in incident.evidence for item in call.items}
    analyses = tuple(_analysis(index, one, places) for index, one in enumerate(spec.analysis, 1))
    based_on = tuple(one.analysis_id for one in analyses)
    text = spec.conclusion.strip()
    return Draft(
        conclusion=Conclusion(kind=spec.conclusion_kind, text=text, based_on_analysis_ids=based_on) if text else None,
        analysis=analyses,
        action_plan=tuple(Action(action=one.text, based_on_analysis_ids=_ids(one)) for one in spec.actions),
        recommendations=tuple(
            Recommendation(text=one.text, based_on_analysis_ids=_ids(one)) for one in spec.recommendations
        ),
        hypotheses=tuple(
            Hypothesis(text=one.text, status=one.status, based_on_analysis_ids=_ids(one)) for one in spec.hypotheses
        ),
        limitations=Limitations(scope=incident.scope, missing_info=spec.missing_info, next_check=spec.next_check),
    )


def _ids(spec: AdviceSpec) -> tuple[str, ...]:
    return tuple(f"a{place}" for place in spec.based_on)


def _analysis(index: int, spec: AnalysisSpec, places: Places) -> Analysis:
    found = [(*places[quote.item], quote.text) for quote in spec.quotes]
    quotes = tuple(Quote(tool_call_id=call_id(call.call), item_id=item, text=text) for call, item, text in found)
    derived = tuple(_derived(one, places) for one in spec.derived)
    cited = [quote.tool_call_id for quote in quotes] + [call_id(name) for name in spec.absent]
    cited += [ref.tool_call_id for one in derived for ref in one.inputs]
    return Analysis(
        analysis_id=f"a{index}",
        kind=AnalysisKind.NEGATIVE_OBSERVATION if spec.absent else AnalysisKind.NORMAL,
        text=spec.text.strip(),
        tool_call_ids=tuple(dict.fromkeys(cited)),
        quotes=quotes,
        derived=derived,
    )


def _derived(spec: DerivedSpec, places: Places) -> Derived:
    named = [one.partition(".") for one in spec.of]
    inputs = tuple(
        FieldRef(tool_call_id=call_id(places[key][0].call), item_id=places[key][1], field=name)
        for key, _, name in named
    )
    return Derived(op=spec.op, inputs=inputs, value=spec.value, rounding=spec.rounding)
