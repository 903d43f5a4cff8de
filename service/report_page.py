"""The page of an ended run: its conclusion or its one sentence first, then the proof, then the run itself. Pure."""

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from service.about import about
from service.alert_section import alert_blocks
from service.citations import Citations
from service.fallback_page import fallback_blocks
from service.invocation import step
from service.page import Block, Entry, Heading, Headline, Page, Paragraph, Source, Tone, Verbatim
from service.run_view import RunView
from service.speech import Speech
from service.texts import report as texts
from service.texts.codes import FAILURE
from state.model.draft import Action, Analysis, Draft
from state.model.enums import ConclusionKind, FailureCode, HypothesisStatus, ReleaseOutcome
from state.model.release import Answer, DiagnosisReport, SafeFallback

_STATUS = {
    HypothesisStatus.OPEN: texts.OPEN,
    HypothesisStatus.SUPPORTED: texts.SUPPORTED,
    HypothesisStatus.EXCLUDED: texts.EXCLUDED,
}


_SENTENCE_END = re.compile(r"[。！？](?=.)|[.!?](?=\s+[^a-z\s])|\n")


def first_sentence(text: str) -> tuple[str, str]:
    """The first sentence and the rest, both without white space around them; a text of one sentence has no rest."""
    bare = text.strip()
    end = _SENTENCE_END.search(bare)
    return (bare[: end.end()].rstrip(), bare[end.end() :].lstrip()) if end else (bare, "")


def build_page(view: RunView) -> Page:
    """Everything a person needs of that run, in its language."""
    say = Speech(view.result.language)
    return tuple((*_body(view, say), *alert_blocks(view, say), *about(view, say)))


def _body(view: RunView, say: Speech) -> Iterator[Block]:
    match view.result.content:
        case DiagnosisReport(draft=draft):
            yield from _report(draft, Citations(view, say), view.backed_actions)
        case SafeFallback() as fallback:
            yield from fallback_blocks(fallback, say, elsewhere=view.elsewhere)
        case Answer() as answer:
            yield from _answer(answer, Citations(view, say))
        case None:
            yield from _failure(view, say)
        case _ as unknown:
            assert_never(unknown)


def _report(draft: Draft, citations: Citations, backed: tuple[bool, ...]) -> Iterator[Block]:
    say = citations.say
    numbers = {one.analysis_id: number for number, one in enumerate(draft.analysis, start=1)}
    if draft.conclusion is not None:
        is_cause = draft.conclusion.kind is ConclusionKind.ROOT_CAUSE
        yield Headline(say(texts.ROOT_CAUSE if is_cause else texts.OBSERVATION), Tone.GOOD)
        first, rest = first_sentence(draft.conclusion.text)
        yield Paragraph(first, strong=True)
        if rest:
            yield Paragraph(rest)
        yield Paragraph(
            say(texts.RESTS_ON, numbers=_cited(draft.conclusion.based_on_analysis_ids, numbers)), quiet=True
        )
    yield Heading(say(texts.PROOF))
    for number, analysis in enumerate(draft.analysis, start=1):
        yield Entry(_analysis_text(analysis, citations), marker=f"[{number}]")
        yield from citations.blocks(analysis)
    yield from _section(say(texts.ACTIONS), _actions(draft.action_plan, backed, numbers, say))
    yield from _section(
        say(texts.RECOMMENDATIONS),
        (Entry(one.text, remark=_cited(one.based_on_analysis_ids, numbers)) for one in draft.recommendations),
    )
    yield from _section(
        say(texts.HYPOTHESES), (Entry(one.text, remark=say(_STATUS[one.status])) for one in draft.hypotheses)
    )
    yield from _section(say(texts.LIMITATIONS), _limitations(draft, say))


def _section(title: str, blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks under their heading; nothing if there are none."""
    inside = tuple(blocks)
    if inside:
        yield Heading(title)
        yield from inside


def _cited(ids: Iterable[str], numbers: dict[str, int]) -> str:
    return " ".join(f"[{number}]" for number in sorted({numbers[one] for one in ids if one in numbers}))


def _analysis_text(analysis: Analysis, citations: Citations) -> str:
    if citations.rests_on_documents(analysis):
        return citations.say(texts.RUNBOOK_SAYS, text=analysis.text)
    return analysis.text


def _actions(
    actions: tuple[Action, ...], backed: tuple[bool, ...], numbers: dict[str, int], say: Speech
) -> Iterator[Block]:
    for number, action in enumerate(actions):
        is_backed = number < len(backed) and backed[number]
        remarks = [say(texts.FROM_RUNBOOK if is_backed else texts.PROPOSED)]
        remarks += [say(texts.CONFIRM)] if action.requires_human_confirmation else []
        remarks += [_cited(action.based_on_analysis_ids, numbers)]
        yield Entry(action.action, remark=say(texts.SEPARATOR).join(filter(None, remarks)))


def _limitations(draft: Draft, say: Speech) -> Iterator[Block]:
    limits = draft.limitations
    if limits.scope.strip():
        yield Entry(say(texts.COVERS, text=limits.scope))
    for missing in limits.missing_info:
        yield Entry(say(texts.MISSING, text=missing))
    if limits.next_check:
        yield Entry(say(texts.NEXT_CHECK, text=limits.next_check))


def _answer(answer: Answer, citations: Citations) -> Iterator[Block]:
    """Chat and meta answers as they are; a knowledge answer as its preface and the passages it quotes."""
    yield Headline(citations.say(texts.ANSWER), Tone.GOOD)
    if not answer.quotes:
        yield Paragraph(answer.text)
        return
    yield Paragraph(answer.text.split("\n\n", 1)[0])
    for view in answer.quotes:
        for item in view.items:
            yield Entry(str(item.fields.get("breadcrumb") or item.fields.get("title") or item.item_id))
            yield Source(citations.source_line(view, item.item_id))
            yield Verbatim(item.text)


def _failure(view: RunView, say: Speech) -> Iterator[Block]:
    is_cancelled = view.result.outcome is ReleaseOutcome.CANCELLED
    code = view.result.failure_code or FailureCode.INTERNAL_FAILURE
    yield Headline(say(texts.RUN_CANCELLED if is_cancelled else texts.RUN_FAILED), Tone.BAD)
    yield Paragraph(say(FAILURE[code]))
    if not is_cancelled:
        yield Heading(say(texts.NEXT_STEPS))
        yield step(say(texts.DOCTOR_STEP, command="rootproof doctor"), world=view.elsewhere)
