"""The Markdown of a past incident, written by code from what a run released or a person said. Pure.

Whatever came from outside stands on one line of its own, bounded and without markup at its start, so that no text of a
log or of a person becomes a heading of the document.
"""

import re
from collections.abc import Iterator, Sequence

from state.model.draft import Analysis, Draft
from state.model.language import Bilingual
from state.model.release import DiagnosisReport, EvidenceView
from state.model.run import RunRow
from state.model.served import CaseKind, CaseRecord
from tools.valid_text import plain_text

MAX_TITLE_CHARS, MAX_TEXT_CHARS, MAX_LINE_CHARS = 200, 20_000, 1000
_CAUSE = Bilingual(en="Cause", zh="原因")
_EVIDENCE = Bilingual(en="Evidence", zh="证据")
_ACTIONS = Bilingual(en="Actions", zh="处置步骤")
_LIMITS = Bilingual(en="Limits", zh="局限")
_QUESTION = Bilingual(en="Question", zh="问题")
_RUN = Bilingual(
    en="Run {run_id} of {opened_at}; confirmed as useful.", zh="运行 {run_id}，{opened_at}；已被确认有用。"
)
_CORRECTED = Bilingual(
    en="Run {run_id} of {opened_at}; the cause below is what a person reported instead of the published answer.",
    zh="运行 {run_id}，{opened_at}；下面的原因由人员报告，用来更正已发布的回答。",
)
_WRONG = Bilingual(en="What the run had answered, and was corrected", zh="运行原来的回答（已被更正）")
_MARKUP = re.compile(r"^(?:[#>=`~|\s]|[-+*](?=\s|$)|\d+[.)](?=\s|$))+")


def has_case(row: RunRow) -> bool:
    """True if the run released a report that names a cause or answers: that may become a confirmed case."""
    return _report(row) is not None


def confirmed_text(row: RunRow) -> str:
    """The document of a report that somebody found useful. Only for a run that ``has_case``."""
    report = _report(row)
    assert report is not None, "asked for a run without a report"
    return _document([_heading(row), _told(row, _RUN), *_sections(row, report)])


def correction_text(row: RunRow, correction: str) -> str:
    """The document of what somebody wrote instead; ``correction`` is untrusted."""
    lines = [line for part in correction.splitlines() if (line := one_line(part))]
    parts = [_heading(row), _told(row, _CORRECTED), _section(row, _CAUSE, [f"- {line}" for line in lines])]
    report = _report(row)
    if report is not None and report.draft.conclusion is not None:
        parts.append(_section(row, _WRONG, [f"- {one_line(report.draft.conclusion.text)}"]))
    return _document(parts)


def title_of(row: RunRow) -> str:
    """The question on one line."""
    return one_line(row.query)[:MAX_TITLE_CHARS]


def document_name_of(case: CaseRecord) -> str:
    """Name under which an approved case is added; one a case."""
    return f"case-{case.case_id}.md"


def offered(row: RunRow, kind: CaseKind, correction: str) -> str:
    """The document a case of this kind becomes."""
    return confirmed_text(row) if kind is CaseKind.CONFIRMED else correction_text(row, correction)


def one_line(text: str) -> str:
    """The text on one line, without control characters and leading markup, of at most ``MAX_LINE_CHARS``."""
    flat = " ".join(plain_text(text).split())
    return _MARKUP.sub("", flat).strip()[:MAX_LINE_CHARS]


def _report(row: RunRow) -> DiagnosisReport | None:
    content = row.decision.content if row.decision else None
    is_report = isinstance(content, DiagnosisReport) and content.draft.conclusion is not None
    return content if is_report and isinstance(content, DiagnosisReport) else None


def _sections(row: RunRow, report: DiagnosisReport) -> Iterator[str]:
    draft = report.draft
    assert draft.conclusion is not None
    yield _section(row, _CAUSE, [one_line(draft.conclusion.text)])
    evidence: dict[str, EvidenceView] = {view.tool_call_id: view for view in report.evidence}
    yield _section(row, _EVIDENCE, [line for one in draft.analysis for line in _analysis(one, evidence)])
    yield _section(row, _ACTIONS, [f"- {one_line(action.action)}" for action in draft.action_plan])
    yield _section(row, _LIMITS, [f"- {text}" for text in _limits(draft)])


def _analysis(one: Analysis, evidence: dict[str, EvidenceView]) -> Iterator[str]:
    """The statement, and beneath it each quote with the source it is from."""
    yield f"- {one_line(one.text)}"
    for quote in one.quotes:
        view = evidence.get(quote.tool_call_id)
        source = one_line(view.scope.source) if view else ""
        yield f"  - {one_line(quote.text)}{f' ({source})' if source else ''}"


def _limits(draft: Draft) -> list[str]:
    limits = draft.limitations
    return [one_line(text) for text in (limits.scope, *limits.missing_info, limits.next_check or "") if text.strip()]


def _heading(row: RunRow) -> str:
    return f"# {title_of(row)}"


def _told(row: RunRow, text: Bilingual) -> str:
    opened_at = row.opened_at.isoformat(timespec="minutes")
    told = text.text(row.language, run_id=row.run_id, opened_at=opened_at)
    return f"{told}\n\n{_QUESTION.text(row.language)}: {one_line(row.query)}"


def _section(row: RunRow, title: Bilingual, lines: Sequence[str]) -> str:
    return f"## {title.text(row.language)}\n\n" + "\n".join(lines) if lines else ""


def _document(parts: Sequence[str]) -> str:
    """The parts that say something, cut at a line where all together are too long."""
    text = "\n\n".join(part for part in parts if part)
    if len(text) <= MAX_TEXT_CHARS - 1:
        return f"{text}\n"
    return text[: MAX_TEXT_CHARS - 1].rpartition("\n")[0] + "\n"
