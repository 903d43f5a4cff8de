"""What must hold in every cell, whatever went wrong."""

import asyncio
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.settings import Settings
from graph.app import Records, RunTrace
from graph.audit_check import AuditVerdict
from service.json_result import result_json
from service.report_page import build_page
from service.run_view import RunView
from service.trace_json import trace_json
from state.model.enums import ContentType, FailureCode, FallbackType, ReleaseOutcome, RunState
from state.model.release import DiagnosisReport, EvidenceView, RunResult
from state.model.run import BudgetKind, PublicEventType, RunRow
from tests.faults.strike import INTERNALS
from tests.graph.stage import PAGES, RUN_ID, Stage

SUCCESS, FALLBACK, FAILED, CANCELLED = ReleaseOutcome
CLOSING = {PublicEventType.CONTENT, PublicEventType.FAILURE, PublicEventType.DONE}
ENDS: set[tuple[RunState, ReleaseOutcome, str]] = {
    (RunState.CANCELLED, CANCELLED, FailureCode.RUN_CANCELLED),
    (RunState.FAILED, FAILED, FailureCode.RUN_PERSISTENCE_FAILED),
    (RunState.FAILED, FAILED, FailureCode.RUN_EXPIRED),
    (RunState.FAILED, FAILED, FailureCode.ROUTING_UNAVAILABLE),
    (RunState.FAILED, FAILED, FailureCode.DIAGNOSIS_UNAVAILABLE),
    (RunState.FAILED, FAILED, FailureCode.KNOWLEDGE_UNAVAILABLE),
    (RunState.FAILED, FAILED, FailureCode.INTERNAL_FAILURE),
    (RunState.TIMED_OUT, FAILED, FailureCode.RUN_TIMED_OUT),
    (RunState.BUDGET_EXHAUSTED, FAILED, FailureCode.BUDGET_EXHAUSTED),
    (RunState.TIMED_OUT, FALLBACK, FallbackType.INSUFFICIENT_EVIDENCE),
    (RunState.BUDGET_EXHAUSTED, FALLBACK, FallbackType.INSUFFICIENT_EVIDENCE),
    (RunState.SUCCESS, FALLBACK, FallbackType.INSUFFICIENT_EVIDENCE),
    (RunState.SUCCESS, FALLBACK, FallbackType.EVIDENCE_VALIDATION_FAILED),
    (RunState.SUCCESS, FALLBACK, FallbackType.SEMANTIC_UNAVAILABLE),
    (RunState.SUCCESS, FALLBACK, FallbackType.SEMANTIC_UNSUPPORTED),
    (RunState.SUCCESS, FALLBACK, FallbackType.MISSING_REQUIRED_CONTEXT),
    (RunState.SUCCESS, SUCCESS, ContentType.DIAGNOSIS_REPORT),
    (RunState.SUCCESS, SUCCESS, ContentType.KNOWLEDGE_ANSWER),
    (RunState.SUCCESS, SUCCESS, ContentType.SYSTEM_ANSWER),
}
"""The table of ends in the contracts, section 2."""
UNRELEASED = ("could not get a connection", "never could get", "after deployment 9.9", "forged deployment")
"""Words of drafts; they may be shown only in a report, and of that only the first."""
INTERNAL_WORDS = (INTERNALS, "s3cr3t", "private.py", "Traceback", "RuntimeError", "OperationalError", "secret_column",
                  "ToolFailed", "TruthUnavailable", "site-packages")  # fmt: skip


async def check_run(play: Stage, result: RunResult, *, is_trace_true: bool) -> RunRow:
    """The row of the ended run, after checking everything that is kept and shown of it."""
    records = Records(Settings(home=play.stores.home), play.stores)
    kept = await records.trace(RUN_ID)
    assert kept is not None
    check_one_end(kept, result)
    check_released(kept, result)
    await check_trace(records, kept, is_true=is_trace_true)
    check_nothing_internal(kept, result, play.stores.home)
    return kept.row


async def check_never_opened(play: Stage, result: RunResult) -> None:
    """There is no row, and the caller is told no more than that it failed."""
    assert await play.stores.control.get_run(RUN_ID) is None
    assert await play.stores.control.public_events(RUN_ID) == ()
    assert (result.persisted, result.outcome, result.content) == (False, FAILED, None)
    for word in (*INTERNAL_WORDS, str(play.stores.home)):
        assert word not in result.model_dump_json()


def check_one_end(kept: RunTrace, result: RunResult) -> None:
    """One terminal state, of the table; content xor failure with its done; and the caller is told the same."""
    row = kept.row
    what = row.failure_code or row.fallback_type or row.content_type
    assert row.outcome is not None, "the run has not ended"
    assert what is not None
    assert (row.run_state, row.outcome, what) in ENDS
    frames = [event.type for event in kept.published]
    body = PublicEventType.FAILURE if row.failure_code else PublicEventType.CONTENT
    assert [frame for frame in frames if frame in CLOSING] == [body, PublicEventType.DONE]
    assert frames[-1] is PublicEventType.DONE
    assert [event.seq for event in kept.published] == list(range(1, len(frames) + 1))
    if result.persisted:
        assert (result.run_state, result.outcome, result.failure_code, result.fallback_type) == (
            row.run_state, row.outcome, row.failure_code, row.fallback_type,
        )  # fmt: skip
        assert result.content == (row.decision.content if row.decision else None)


def check_released(kept: RunTrace, result: RunResult) -> None:
    """What is released is quoted from the true pages, whatever the stores say; of a draft that was not, no word."""
    for view in kept.evidence:
        if view.tool == "read_notebook":
            assert_true(view)
    content = kept.row.decision.content if kept.row.decision else None
    shown = json.dumps([event.payload for event in kept.published]) + result.model_dump_json()
    is_report = isinstance(content, DiagnosisReport)
    for words in UNRELEASED[1 if is_report else 0 :]:
        assert words not in shown
    if is_report:
        assert content.draft.conclusion is not None
        assert all(
            quote.text in PAGES["errors"][quote_index(quote.item_id)]
            for one in content.draft.analysis
            for quote in one.quotes
        )


def quote_index(item_id: str) -> int:
    return int(item_id.partition(":")[2])


def assert_true(view: EvidenceView) -> None:
    """The items are lines of the page as it was written."""
    for item in view.items:
        page, _, number = item.item_id.partition(":")
        lines = PAGES[page]
        assert isinstance(lines, list)
        assert item.text == lines[int(number)]


async def check_trace(records: Records, kept: RunTrace, *, is_true: bool) -> None:
    """Ledger, audit and end agree; what is missing in the audit is counted; what is told is what is kept.

    Where the fault falsified the trace itself, that it did is seen.
    """
    detail = await records.detail(kept)
    summary = detail.summary
    assert summary.persisted == summary.returned
    keys = {stored.event.event_key for stored in kept.timeline}
    entries = await records.stores.control.entries(RUN_ID)
    due = {f"tokens:{e.key}" if e.kind is BudgetKind.MODEL_CALL else f"invocation:{e.key}" for e in entries}
    assert len(due - keys) <= kept.row.audit_lost
    if due <= keys:
        reported = [e.settled for e in entries if e.kind is BudgetKind.MODEL_CALL and e.usage_reported]
        assert (summary.tokens.traced or 0) == sum(spent or 0 for spent in reported)
    check = await records.verify(RUN_ID)
    if not is_true:
        assert check.verdict is AuditVerdict.ALTERED
        return
    assert summary.tokens.finished in {None, summary.tokens.ledger}
    assert check.verdict is AuditVerdict.VERIFIED or kept.row.audit_lost or check.end_missing or check.recorded is None
    assert summary.tokens.reconciled is not False or kept.row.audit_lost
    numbers = [stored.sequence_no for stored in kept.timeline]
    assert numbers == sorted(set(numbers))


def check_nothing_internal(kept: RunTrace, result: RunResult, home: Path) -> None:
    """Neither stream, result, trace nor page holds internals, paths of this machine, or placeholders of errors."""
    row = kept.row.model_copy(update={"world": None})
    view = RunView(result, kept)
    shown = "\n".join(
        (
            json.dumps([event.payload for event in kept.published], default=str),
            json.dumps(result_json(view), default=str),
            json.dumps(trace_json(kept) | {"run": row.model_dump(mode="json")}, default=str),
            repr(build_page(view)),
        )
    )
    for word in (*INTERNAL_WORDS, str(home)):
        assert word not in shown


@contextmanager
def nothing_left(home: Path) -> Iterator[None]:
    """Afterwards there is no task, thread, open file or lease that was not there before."""
    tasks, threads = asyncio.all_tasks(), set(threading.enumerate())
    yield
    assert asyncio.all_tasks() - tasks == set()
    until = time.monotonic() + 3.0
    while left := {one.name for one in set(threading.enumerate()) - threads if is_ours(one)} | open_files(home):
        assert time.monotonic() < until, left
        time.sleep(0.005)


def is_ours(thread: threading.Thread) -> bool:
    """Threads of the loop's own pool stay until the loop ends, those of a source as long as it is open."""
    return not thread.name.startswith(("asyncio_", "sql_"))


def open_files(home: Path) -> set[str]:
    """Files under the folder that this process has open."""
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        try:
            target = os.readlink(link)
        except OSError:
            continue
        if target.startswith(str(home)):
            found.add(target)
    return found
