"""The page of ``trace --verify``: whether the audit of a run was changed since it ended. Pure."""

from collections.abc import Iterator

from graph.audit_check import AuditCheck, AuditDifference, AuditVerdict
from service.exit_codes import ExitCode
from service.invocation import step
from service.page import Block, Headline, Page, Pairs, Paragraph, Tone
from service.speech import Speech
from service.texts import trace as texts
from state.model.enums import RunState
from state.model.run import RunRow

EXIT_OF_VERDICT: dict[AuditVerdict, ExitCode] = {
    AuditVerdict.VERIFIED: ExitCode.SUCCESS,
    AuditVerdict.ALTERED: ExitCode.FAILED,
    AuditVerdict.NOT_RECORDED: ExitCode.FALLBACK,
}
"""One code per verdict, as ``replay`` has them."""
_WORD = {
    AuditVerdict.VERIFIED: (texts.VERIFIED, Tone.GOOD),
    AuditVerdict.ALTERED: (texts.ALTERED, Tone.BAD),
    AuditVerdict.NOT_RECORDED: (texts.NOT_RECORDED, Tone.OPEN),
}


def verification_page(row: RunRow, check: AuditCheck, say: Speech) -> Page:
    """The verdict, in what an altered audit differs, and both digests."""
    word, tone = _WORD[check.verdict]
    head = Headline(say(texts.VERIFY, run_id=row.run_id, verdict=say(word)), tone)
    return (head, *_why(row, check, say), Pairs(_numbers(check, say)))


def _why(row: RunRow, check: AuditCheck, say: Speech) -> Iterator[Block]:
    yield Paragraph(_reason(row, check, say))
    if check.end_missing:
        yield step(say(texts.WHY_END, command=f"rootproof resume {row.run_id}"))


def _reason(row: RunRow, check: AuditCheck, say: Speech) -> str:
    if check.verdict is AuditVerdict.VERIFIED:
        return say(texts.WHY_VERIFIED)
    if check.recorded is None:
        return say(texts.WHY_RUNNING if row.run_state is RunState.RUNNING else texts.WHY_NOTHING)
    if check.difference is AuditDifference.COUNT:
        return say(texts.WHY_COUNT, found=check.found.rows, recorded=check.recorded.rows)
    return say(texts.WHY_CONTENT)


def _numbers(check: AuditCheck, say: Speech) -> tuple[tuple[str, str], ...]:
    kept = ((say(texts.KEPT_SHA256), check.recorded.sha256),) if check.recorded else ()
    return ((say(texts.ROWS), str(check.found.rows)), *kept, (say(texts.FOUND_SHA256), check.found.sha256))
