"""The arguments of ``query_logs`` and their normal form. Pure."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from pydantic import Field

from state.model.enums import ToolCode
from state.model.errors import InvalidToolInput
from state.model.evidence import Window
from state.model.timewords import parse_instant
from tools.contract import CallContext, NormalValue, ToolInput
from tools.logs.levels import LEVELS, parse_level
from tools.logs.port import LogQuery
from tools.logs.stamps import in_calendar

DEFAULT_LIMIT = 20
MAX_LIMIT = 50
MAX_WINDOW = timedelta(days=366)
FIRST_WINDOW = timedelta(hours=2)
"""Searched before an end that lies before the default window."""


class QueryLogsInput(ToolInput):
    """Arguments of ``query_logs``."""

    source: str = Field(min_length=1, max_length=64)
    """Name of a log source of the catalogue."""
    service: str | None = Field(None, max_length=200)
    """Exact name; leave out to search all."""
    level: str | None = Field(None, max_length=20)
    """At least this level: TRACE, DEBUG, INFO, WARN, ERROR or FATAL."""
    contains: str | None = Field(None, max_length=500)
    """Text that must occur in the record."""
    start: str | None = Field(None, max_length=64)
    """ISO 8601; without offset in the stated time zone."""
    end: str | None = Field(None, max_length=64)
    """ISO 8601, exclusive."""
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=MAX_LIMIT)
    """Most sample records to return."""


def normalised_scope(arguments: QueryLogsInput, context: CallContext) -> dict[str, NormalValue]:
    """What is searched: defaults filled, times in UTC, the end at most ``now``; empty filters count as left out.

    Raises:
        InvalidToolInput: unknown level, a time that is none, an empty, future or endless window.
    """
    window = _window(arguments, context)
    return {
        "source": arguments.source,
        "service": arguments.service or None,
        "level": _level(arguments.level) if arguments.level else None,
        "contains": arguments.contains or None,
        "start": window.start.isoformat(),
        "end": window.end.isoformat(),
    }


def query_of(normalised: Mapping[str, NormalValue]) -> LogQuery:
    """The query of a normal form."""
    ends = {name: datetime.fromisoformat(str(normalised[name])) for name in ("start", "end")}
    filters = {name: normalised[name] for name in ("service", "level", "contains")}
    return LogQuery.model_validate({"window": ends, **filters})


def _level(text: str) -> str:
    """The level.

    Raises:
        InvalidToolInput: there is none of this name.
    """
    level = parse_level(text)
    if level is None:
        raise InvalidToolInput(ToolCode.INVALID_REQUEST, f"level: unknown; the levels are {', '.join(LEVELS)}")
    return level


def _window(arguments: QueryLogsInput, context: CallContext) -> Window:
    """The asked window; an end that is left out is the default window's, or fits the one that is given.

    Raises:
        InvalidToolInput: a time that is none, an empty, future or endless window.
    """
    default = context.default_window
    start = _instant("start", arguments.start, context)
    end = _instant("end", arguments.end, context)
    if start is None:
        start = default.start if end is None or default.start < end else end - FIRST_WINDOW
    if end is None:
        end = default.end if start < default.end else context.now
    end = min(end, context.now)
    if start >= context.now:
        why = "start: lies in the future"
    elif start >= end:
        why = "the window is empty: start must be before end"
    elif end - start > MAX_WINDOW:
        why = f"the window is longer than {MAX_WINDOW.days} days"
    else:
        return Window(start=start, end=end)
    raise InvalidToolInput(ToolCode.INVALID_REQUEST, why)


def _instant(name: str, text: str | None, context: CallContext) -> datetime | None:
    """The time, or None if it is left out.

    Raises:
        InvalidToolInput: the text is no time.
    """
    if not text:
        return None
    try:
        return in_calendar(parse_instant(text, context.time_zone))
    except (ValueError, OverflowError) as error:
        raise InvalidToolInput(ToolCode.INVALID_REQUEST, f"{name}: {error}") from error
