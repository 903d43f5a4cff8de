"""The pages of ``trace`` and ``replay``: the last runs, one run with its timeline, and how a replay went. Pure."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from rich.cells import cell_len

from service.alert_section import alert_blocks
from service.citations import Citations
from service.invocation import step
from service.page import Block, Entry, Heading, Headline, Listing, Page, Pairs, Paragraph, Tone
from service.run_view import RunView
from service.speech import Speech
from service.texts import fork as fork_texts
from service.texts import report as words
from service.texts import trace as texts
from service.texts.codes import INTENT, OUTCOME, RUN_STATE, STILL_OPEN, STOP
from service.times import moment, span, zone_of
from service.wrapping import padded
from state.model.enums import FailureCode, ReleaseOutcome
from state.model.language import Bilingual
from state.model.release import Answer, DiagnosisReport, SafeFallback
from state.model.run import RunRow
from state.model.trace import StoredTraceEvent

if TYPE_CHECKING:
    from graph.app import RunTrace
    from graph.replay import Replay

TONE_OF = {ReleaseOutcome.SUCCESS: Tone.GOOD, ReleaseOutcome.FALLBACK: Tone.OPEN}


def runs_page(rows: tuple[RunRow, ...], say: Speech) -> Page:
    """The last runs, newest first; two lines each, so that ids can be copied at any width."""
    if not rows:
        return (step(say(texts.NO_RUNS)),)
    column = max(cell_len(say(text)) for text in (*OUTCOME.values(), STILL_OPEN))
    lines = [Heading(say(texts.LAST_RUNS)), *(block for row in rows for block in _run_lines(row, column, say))]
    return (*lines, step(say(texts.SEE_ONE)))


def _run_lines(row: RunRow, column: int, say: Speech) -> Iterator[Block]:
    asked = moment(row.opened_at, zone_of(row.facts.time_zone))
    yield Listing(((f"  {row.run_id}  {padded(_outcome(row, say), column)}  {asked}", ""), ("      ", row.query[:200])))


def trace_page(view: RunView, kept: "RunTrace", say: Speech) -> Page:
    """One run: what it was, what was released, its timeline and the evidence it cites."""
    return tuple(_trace(view, kept, say))


def _trace(view: RunView, kept: "RunTrace", say: Speech) -> Iterator[Block]:
    row = kept.row
    tone = TONE_OF.get(row.outcome, Tone.BAD) if row.outcome else Tone.OPEN
    yield Headline(say(texts.TITLE, run_id=row.run_id, outcome=_outcome(row, say)), tone)
    yield Pairs(tuple((name, value) for name, value in _facts(view, kept, say) if value))
    yield Heading(say(texts.PUBLISHED))
    yield Paragraph(_released(row, say))
    yield Heading(say(texts.TIMELINE))
    yield Listing(tuple(_event_row(stored, row.opened_at) for stored in kept.timeline))
    if row.audit_lost:
        yield Paragraph(say(texts.AUDIT_LOST, n=row.audit_lost))
    yield from _evidence(view, say)
    yield from alert_blocks(view, say)
    yield Heading(say(words.NEXT_STEPS))
    again = texts.SEE_AGAIN if row.outcome else texts.CONTINUE
    yield step(say(again, command=f"rootproof resume {row.run_id}"))
    if row.outcome:
        yield step(say(texts.REPLAY, command=f"rootproof replay {row.run_id}"))
    yield step(say(fork_texts.GO_ON, command=f"rootproof fork {row.run_id}"))


def _facts(view: RunView, kept: "RunTrace", say: Speech) -> list[tuple[str, str]]:
    row, zone = kept.row, view.zone
    return [
        (say(words.QUESTION), row.query),
        (say(texts.KIND), say(INTENT[row.intent]) if row.intent else ""),
        (say(texts.STATE), say(RUN_STATE[row.run_state])),
        (say(words.STOPPED), say(STOP[row.stop_reason]) if row.stop_reason else ""),
        (say(words.CODE), row.failure_code or row.fallback_type or ""),
        (say(words.MODEL), row.model),
        (say(words.WINDOW), span(row.facts.window, zone) if row.facts.window else ""),
        (say(texts.REFERS_TO), moment(row.facts.now, zone)),
        (say(texts.ASKED_AT), moment(row.opened_at, zone)),
        (say(words.SPENT), _spent(view, kept, say)),
        (say(texts.TOKENS), _tokens(kept, say)),
        (say(texts.RESUMED), str(row.resumes) if row.resumes else ""),
        (say(texts.SESSION), row.session_id),
        (say(fork_texts.PARENT), _parent(row, say)),
        (say(texts.WORLD), row.world or ""),
    ]


def _parent(row: RunRow, say: Speech) -> str:
    """The run and the checkpoint from which this one went on; empty if it began at the beginning."""
    if row.fork_checkpoint is None:
        return row.parent_run_id or ""
    return say(fork_texts.PARENT_VALUE, run_id=row.parent_run_id, checkpoint=row.fork_checkpoint)


def _spent(view: RunView, kept: "RunTrace", say: Speech) -> str:
    usage = kept.usage
    if view.wall_ms is None:
        return say(texts.SPENT_SO_FAR, model_calls=usage.model_calls, tool_calls=usage.tool_calls)
    seconds = f"{view.wall_ms / 1000:.1f}"
    return say(words.SPENT_VALUE, model_calls=usage.model_calls, tool_calls=usage.tool_calls, seconds=seconds)


def _tokens(kept: "RunTrace", say: Speech) -> str:
    text = {True: texts.TOKENS_OK, False: texts.TOKENS_BAD, None: texts.TOKENS_UNKNOWN}[kept.tokens_reconciled]
    if kept.tokens_reconciled is False and _was_cut_off(kept.row):
        text = texts.TOKENS_CUT_OFF
    return say(text, n=f"{kept.usage.tokens:,}")


def _was_cut_off(row: RunRow) -> bool:
    """True if a process left the run in the middle, once or for good."""
    return row.resumes > 0 or row.outcome is None or row.failure_code in CUT_OFF


def _outcome(row: RunRow, say: Speech) -> str:
    return say(OUTCOME[row.outcome]) if row.outcome else say(STILL_OPEN)


def _released(row: RunRow, say: Speech) -> str:
    match row.decision.content if row.decision else None:
        case DiagnosisReport(draft=draft):
            return draft.conclusion.text if draft.conclusion else say(words.NO_CONCLUSION)
        case SafeFallback(summary=summary):
            return summary
        case Answer(text=text):
            return text
        case None:
            return say(texts.NOTHING_PUBLISHED)


def _event_row(stored: StoredTraceEvent, opened_at: datetime) -> tuple[str, str]:
    """Sequence, seconds since opening, event, and its details; codes are for those who compare runs."""
    event = stored.event
    seconds = (event.at - opened_at).total_seconds()
    details = " ".join(f"{name}={value}" for name, value in event.details.items() if value is not None)
    return f"{stored.sequence_no:>5} {seconds:>8.2f}s  {event.type.value:<24} ", details


def _evidence(view: RunView, say: Speech) -> Iterator[Block]:
    if view.evidence:
        yield Heading(say(texts.EVIDENCE))
    citations = Citations(view, say)
    for shown in view.evidence:
        what = ", ".join(item.item_id for item in shown.items) or say(words.NOTHING_FOUND)
        yield Entry(citations.source_line(shown, what))


def replay_page(replay: "Replay", say: Speech) -> Page:
    """Whether the recorded run came out the same again."""
    run_id = replay.original.run_id
    tone = Tone.GOOD if replay.identical else Tone.BAD
    return (Headline(say(texts.REPLAYED, run_id=run_id), tone), Paragraph(_verdict(replay, say)))


CUT_OFF: dict[FailureCode, Bilingual] = {
    FailureCode.RUN_CANCELLED: texts.WAS_CANCELLED,
    FailureCode.RUN_TIMED_OUT: texts.WAS_TIMED_OUT,
    FailureCode.RUN_EXPIRED: texts.WAS_EXPIRED,
    FailureCode.RUN_PERSISTENCE_FAILED: texts.WAS_NOT_KEPT,
}
"""Ends that came from outside the run: a replay meets none of them."""


def cut_off_page(row: RunRow, say: Speech) -> Page:
    """Why a run that was cut off from outside is not replayed."""
    why = say(CUT_OFF[FailureCode(row.failure_code or FailureCode.RUN_CANCELLED)])
    more = step(say(texts.SEE_TRACE, command=f"rootproof trace {row.run_id}"))
    return Headline(say(texts.REPLAYED, run_id=row.run_id), Tone.OPEN), Paragraph(why), more


def _verdict(replay: "Replay", say: Speech) -> str:
    if replay.diverged_at is None:
        return say(texts.IDENTICAL)
    if replay.diverged_at == "result":
        return say(texts.DIVERGED_RESULT)
    return say(texts.DIVERGED, step=replay.diverged_at)
