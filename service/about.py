"""The last section of every page: which run this was, over what, by which model, and how to see more. Pure."""

from collections.abc import Iterator

from service.page import Block, Command, Heading, Pairs
from service.run_view import RunView
from service.speech import Speech
from service.texts import report as texts
from service.texts.codes import STOP
from service.texts.trace import SPENT_SO_FAR
from service.times import span
from state.model.enums import ReleaseOutcome
from state.model.language import Bilingual


def about(view: RunView, say: Speech) -> Iterator[Block]:
    """The section; a run whose records cannot be read says what it can."""
    yield Heading(say(texts.ABOUT))
    notices = view.kept.row.facts.notices if view.kept else ()
    rows = [*_rows(view, say), *((texts.NOTE, notice) for notice in notices)]
    yield Pairs(tuple((say(name), value) for name, value in rows if value))


def _rows(view: RunView, say: Speech) -> list[tuple[Bilingual, str]]:
    result, row = view.result, view.kept.row if view.kept else None
    return [
        (texts.QUESTION, row.query if row else ""),
        (texts.MODEL, row.model if row else ""),
        (texts.WINDOW, _window(view, say)),
        (texts.STOPPED, say(STOP[result.stop_reason]) if result.stop_reason else ""),
        (texts.SPENT, _spent(view, say)),
        (texts.CODE, result.failure_code or ""),
        (texts.RUN, result.run_id),
        (texts.TRACE, Command(f"rootproof trace {result.run_id}")),
        (texts.LOG, view.log_file if result.outcome is ReleaseOutcome.FAILED else ""),
    ]


def _window(view: RunView, say: Speech) -> str:
    zone = f" ({view.zone_name})" if view.zone_name != "UTC" else ""
    if view.asked_window:
        return say(texts.WINDOW_ASKED, window=span(view.asked_window, view.zone) + zone)
    if view.searched_window:
        return say(texts.WINDOW_SEARCHED, window=span(view.searched_window, view.zone) + zone)
    return ""


def _spent(view: RunView, say: Speech) -> str:
    if view.kept is None:
        return ""
    usage, wall_ms = view.kept.usage, view.wall_ms
    if wall_ms is None:
        return say(SPENT_SO_FAR, model_calls=usage.model_calls, tool_calls=usage.tool_calls)
    seconds = f"{wall_ms / 1000:.1f}"
    return say(texts.SPENT_VALUE, model_calls=usage.model_calls, tool_calls=usage.tool_calls, seconds=seconds)
