"""The safe fallback: what a run without a diagnosis may still say, built by code from verified records. Pure.

Text of the author appears only where the rules let it, always marked unverified, and never after a draft that
failed its validation or its review.
"""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import tzinfo

from guards import fallback_texts as texts
from guards.citations import Verified, view_of
from guards.evidence import EvidenceContext, judge
from guards.fallback_facts import (
    clip,
    describe_window,
    empty_search,
    is_found,
    key_items,
    observed_fact,
    source_of,
)
from guards.run_evidence import RunEvidence
from guards.statements import unknown_words
from state.model.draft import Draft, Hypothesis
from state.model.enums import AnalysisKind, FailureStage, FallbackType, HypothesisStatus, Language, StopReason
from state.model.evidence import CanonicalRecord, Window
from state.model.ids import ToolCallId
from state.model.language import Bilingual
from state.model.release import SafeFallback, Unverified
from state.model.verdict import Violation

MAX_FACTS = 12
_ITEMS_PER_FACT = 3
_MAX_SOURCES_NAMED = 4
_MAX_QUESTION_CHARS = 200

SILENT_TYPES = frozenset({FallbackType.EVIDENCE_VALIDATION_FAILED, FallbackType.SEMANTIC_UNSUPPORTED})
"""After these no text of the draft appears at all."""

STAGES = {
    FallbackType.MISSING_REQUIRED_CONTEXT: FailureStage.DIAGNOSIS_INPUT,
    FallbackType.INSUFFICIENT_EVIDENCE: FailureStage.DIAGNOSIS_COLLECTION,
    FallbackType.EVIDENCE_VALIDATION_FAILED: FailureStage.EVIDENCE_VALIDATION,
    FallbackType.SEMANTIC_UNSUPPORTED: FailureStage.SEMANTIC_VALIDATION,
    FallbackType.SEMANTIC_UNAVAILABLE: FailureStage.SEMANTIC_VALIDATION,
}
"""Where a run of each type lost its diagnosis."""


@dataclass(frozen=True)
class FallbackFacts:
    """Why there is no diagnosis, and how to say so."""

    type: FallbackType
    language: Language
    stop_reason: StopReason | None = None
    asked_window: Window | None = None
    """What the question or the caller asked for."""
    violations: tuple[Violation, ...] = ()
    """Of the evidence guard; only their codes are shown."""
    has_sources: bool = True
    """False: the process has nothing to search but documents, so no question could say enough."""


@dataclass(frozen=True)
class _Drawing:
    """A fallback while it is built."""

    facts: FallbackFacts
    run: RunEvidence
    found: tuple[Verified, ...]
    empty: tuple[Verified, ...]

    def say(self, text: Bilingual, /, **values: object) -> str:
        return text.text(self.facts.language, **values)

    @property
    def zone(self) -> tzinfo:
        return self.run.zone


def build_fallback(
    facts: FallbackFacts,
    records: Mapping[ToolCallId, CanonicalRecord],
    context: EvidenceContext,
    *,
    draft: Draft | None = None,
) -> SafeFallback:
    """The fallback for that type. ``draft`` is judged again here; nothing of it is taken on trust."""
    run = RunEvidence(records, context)
    results = sorted(run.verified.values(), key=lambda one: (one.record.begun_at.isoformat(), one.record.tool_call_id))
    found = tuple(one for one in results if is_found(one))
    drawing = _Drawing(facts, run, found[:MAX_FACTS], tuple(one for one in results if not is_found(one)))
    steps = _next_steps(drawing, _next_check(draft, drawing))
    checked = _checked(draft, drawing)
    return SafeFallback(
        type=facts.type,
        stop_reason=facts.stop_reason,
        summary=_summary(drawing, steps[0]),
        verified_sources=tuple(dict.fromkeys(source_of(one) for one in results)),
        observed_facts=tuple(observed_fact(one, facts.language, run.zone) for one in drawing.found),
        searched_empty=tuple(empty_search(one, facts.language, run.zone) for one in drawing.empty),
        ruled_out=_hypotheses(checked, HypothesisStatus.EXCLUDED),
        hypotheses=_hypotheses(checked, HypothesisStatus.OPEN),
        limitations=_limitations(draft, drawing),
        next_steps=steps,
        failure_stage=STAGES[facts.type],
        validation_issues=tuple(dict.fromkeys(one.code.value for one in facts.violations)),
        evidence=(
            *(view_of(one, (item.item_id for item in key_items(one, _ITEMS_PER_FACT))) for one in drawing.found),
            *(view_of(one, ()) for one in drawing.empty),
        ),
    )


def _checked(draft: Draft | None, drawing: _Drawing) -> Draft | None:
    """What can be verified of the draft without its conclusion; nothing after a failed validation or review."""
    if draft is None or drawing.facts.type in SILENT_TYPES:
        return None
    bare = draft.model_copy(update={"conclusion": None})
    return judge(bare, drawing.run.records, drawing.run.context).draft


def _hypotheses(draft: Draft | None, status: HypothesisStatus) -> tuple[Unverified, ...]:
    """Hypotheses of that status with a verified reference; an exclusion needs something found."""
    if draft is None:
        return ()
    normal = {one.analysis_id for one in draft.analysis if one.kind is AnalysisKind.NORMAL}
    verified = {one.analysis_id for one in draft.analysis}

    def stands(one: Hypothesis) -> bool:
        needed = normal if status is HypothesisStatus.EXCLUDED else verified
        return one.status is status and bool(needed & set(one.based_on_analysis_ids)) and bool(one.text.strip())

    return tuple(Unverified(text=one.text) for one in draft.hypotheses if stands(one))


def _limitations(draft: Draft | None, drawing: _Drawing) -> tuple[Unverified, ...]:
    """What the author says is missing, where every name, number and time in it is known to the run."""
    if draft is None or drawing.facts.type in SILENT_TYPES:
        return ()
    known = [text for text in draft.limitations.missing_info if _is_known(text, drawing.run)]
    check = _next_check(draft, drawing)
    if check:
        known.append(drawing.say(texts.SUGGESTED_CHECK, text=check))
    return tuple(Unverified(text=text) for text in known)


def _next_check(draft: Draft | None, drawing: _Drawing) -> str:
    """The check that the author suggests, by the same rule; empty if there is none to show."""
    check = (draft.limitations.next_check or "") if draft and drawing.facts.type not in SILENT_TYPES else ""
    return check.strip() if _is_known(check, drawing.run) else ""


def _is_known(text: str, run: RunEvidence) -> bool:
    return bool(text.strip()) and not unknown_words(text, run)


def _summary(drawing: _Drawing, next_step: str) -> str:
    """One sentence: what was searched, why it stopped, what to do next."""
    reason = drawing.facts.stop_reason
    why = drawing.say(texts.WHY_NO_DIAGNOSIS[drawing.facts.type])
    if reason and drawing.facts.type is FallbackType.INSUFFICIENT_EVIDENCE:
        why = drawing.say(texts.WHY_STOPPED[reason])
    if _lacks_sources(drawing.facts):
        why = drawing.say(texts.WHY_NO_SOURCE)
    return drawing.say(texts.SUMMARY, searched=_searched(drawing), why=why, next_step=next_step)


def _lacks_sources(facts: FallbackFacts) -> bool:
    return facts.type is FallbackType.MISSING_REQUIRED_CONTEXT and not facts.has_sources


def _searched(drawing: _Drawing) -> str:
    results = (*drawing.found, *drawing.empty)
    if not results:
        return drawing.say(texts.SEARCHED_NOTHING)
    names = list(dict.fromkeys(clip(one.projection.scope.source, 60) for one in results))
    sources = drawing.say(texts.SEPARATOR).join(names[:_MAX_SOURCES_NAMED])
    if len(names) > _MAX_SOURCES_NAMED:
        sources = drawing.say(texts.MORE_SOURCES, sources=sources, n=len(names) - _MAX_SOURCES_NAMED)
    return drawing.say(texts.SEARCHED, sources=sources, window=_searched_window(results, drawing))


def _searched_window(results: Iterable[Verified], drawing: _Drawing) -> str:
    """The span from the earliest start to the latest end of what was searched."""
    span = _span(one.projection.scope.window for one in results)
    if span is None:
        return ""
    return drawing.say(texts.SEARCHED_WINDOW, window=describe_window(span, drawing.facts.language, drawing.zone))


def _span(windows: Iterable[Window | None]) -> Window | None:
    """From the earliest start to the latest end of those with a zone; None if there are none."""
    known = [window for window in windows if window and window.start.tzinfo and window.end.tzinfo]
    return Window(start=min(one.start for one in known), end=max(one.end for one in known)) if known else None


def _next_steps(drawing: _Drawing, check: str) -> tuple[str, ...]:
    """What to do, most useful first, as commands where there is one."""
    run_id = drawing.run.context.run_id
    trace = drawing.say(texts.STEP_TRACE, command=f"rootproof trace {run_id}")
    doctor = drawing.say(texts.STEP_DOCTOR, command="rootproof doctor")
    again = drawing.say(texts.STEP_AGAIN, command=_diagnose(drawing))
    kind, reason = drawing.facts.type, drawing.facts.stop_reason
    if _lacks_sources(drawing.facts):
        return drawing.say(texts.STEP_CONNECT), drawing.say(texts.STEP_DEMO, command="rootproof demo"), doctor
    if kind is FallbackType.MISSING_REQUIRED_CONTEXT:
        example = _command(drawing.say(texts.EXAMPLE_QUESTION), "--since 2h")
        return drawing.say(texts.STEP_CONTEXT, command=example), doctor
    if kind is FallbackType.SEMANTIC_UNAVAILABLE or reason in {StopReason.TOOLS_FAILING, StopReason.MODEL_UNAVAILABLE}:
        return doctor, again, trace
    if kind in SILENT_TYPES:
        return trace, drawing.say(texts.STEP_BY_HAND), _widened(drawing)
    if reason in {StopReason.BUDGET_LIMIT_REACHED, StopReason.DEADLINE_REACHED}:
        return _narrowed(drawing), trace
    if reason is StopReason.PROGRESS_PROTOCOL_VIOLATED:
        return again, trace
    if drawing.found:
        first = (drawing.say(texts.STEP_CHECK, text=check),) if check else ()
        return (*first, trace, _widened(drawing))
    return _widened(drawing), drawing.say(texts.STEP_MISSING_SOURCE, command="rootproof doctor"), trace


def _widened(drawing: _Drawing) -> str:
    """Twice as far back as was asked and searched, or six hours where time played no part yet."""
    results = (*drawing.found, *drawing.empty)
    window = _span((drawing.facts.asked_window, *(one.projection.scope.window for one in results)))
    options = _from_to(window, -1.0, drawing.zone) if window else ""
    return drawing.say(texts.STEP_WIDEN, command=_diagnose(drawing, options or "--since 6h"))


def _narrowed(drawing: _Drawing) -> str:
    """The later half of what was asked, or half an hour where no window was asked."""
    window = drawing.facts.asked_window
    options = _from_to(window, 0.5, drawing.zone) if window else ""
    return drawing.say(texts.STEP_NARROW, command=_diagnose(drawing, options or "--since 30m"))


def _from_to(window: Window, share: float, zone: tzinfo) -> str:
    """Options for a window that starts that share of its length later; empty where there is no such time."""
    try:
        start = (window.start + (window.end - window.start) * share).astimezone(zone)
        end = window.end.astimezone(zone)
    except (OverflowError, ValueError):
        return ""
    return f"--from {start.isoformat(timespec='seconds')} --to {end.isoformat(timespec='seconds')}"


def _diagnose(drawing: _Drawing, options: str = "") -> str:
    """The command that asks the question again; a long question is left for the person to fill in."""
    question = clip(drawing.run.context.question, _MAX_QUESTION_CHARS + 1)
    if not question or len(question) > _MAX_QUESTION_CHARS:
        question = drawing.say(texts.YOUR_QUESTION)
    return _command(question, options)


def _command(question: str, options: str) -> str:
    return " ".join(filter(None, ("rootproof diagnose", _quoted(question), options)))


def _quoted(question: str) -> str:
    """In double quotes where the shell takes them literally, else quoted so that it does."""
    literal = not any(char in question for char in '"\\$`!')
    return f'"{question}"' if literal else shlex.quote(question)
