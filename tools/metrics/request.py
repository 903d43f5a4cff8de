"""The arguments of ``query_metrics`` and their normal form. Pure."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NoReturn

from pydantic import Field

from state.model.enums import ToolCode
from state.model.errors import InvalidToolInput
from state.model.evidence import Window
from state.model.timewords import parse_instant
from tools.contract import CallContext, NormalValue, ToolInput
from tools.metrics.allowlist import MAX_CHARS
from tools.metrics.durations import (
    MAX_STEPS,
    MIN_STEP_MS,
    default_step_ms,
    duration_text,
    fitted_step_ms,
    parse_duration_ms,
)
from tools.metrics.expression import Expression, expression_of, parse_expression
from tools.metrics.port import MetricSource, SeriesQuery
from tools.metrics.selector import Matcher, is_label_name, selector_of

MAX_WINDOW = timedelta(days=366)
FIRST_WINDOW = timedelta(hours=2)
"""Searched before an end that lies before the default window."""
MIN_WINDOW = timedelta(seconds=1)
_FIRST_YEAR, _LAST_YEAR = 3, 9997


class QueryMetricsInput(ToolInput):
    """Arguments of ``query_metrics``: either metric, with labels, or expr."""

    source: str | None = Field(None, max_length=64)
    """Name of a metric source of the catalogue; may be left out if there is only one."""
    metric: str | None = Field(None, max_length=200)
    """Exact name of a metric."""
    labels: dict[str, str] = Field(default_factory=dict, max_length=20)
    """Label values the series must have exactly; only with metric."""
    expr: str | None = Field(None, max_length=MAX_CHARS)
    """PromQL, instead of metric and labels."""
    start: str | None = Field(None, max_length=64)
    """ISO 8601; without offset in the stated time zone."""
    end: str | None = Field(None, max_length=64)
    """ISO 8601, exclusive."""
    step: str | int | None = None
    """Resolution, such as 30s or 5m; leave out for one that fits the window."""


def normalised_request(
    arguments: QueryMetricsInput, source: MetricSource, context: CallContext
) -> tuple[dict[str, NormalValue], dict[str, NormalValue]]:
    """What is searched, and with which resolution: defaults filled, PromQL written anew, times in UTC, end ≤ ``now``.

    Raises:
        InvalidToolInput: an expression, metric, label, time, window or step that is not valid or not allowed.
    """
    expression = _expression(arguments, source)
    window = _window(arguments, context)
    if expression.longest_range > max(window.end - window.start, timedelta(minutes=10)):
        _refuse(f"expr: the range [{duration_text(expression.longest_range)}] is longer than the window")
    step_ms = fitted_step_ms(window.end - window.start, _step_ms(arguments.step, window))
    scope: dict[str, NormalValue] = {
        "source": source.name,
        "expr": expression.text,
        "start": window.start.isoformat(),
        "end": window.end.isoformat(),
    }
    return scope, {"step_ms": step_ms}


def query_of(normalised: Mapping[str, NormalValue]) -> SeriesQuery:
    """The query of a normal form."""
    start, end = (datetime.fromisoformat(str(normalised[name])) for name in ("start", "end"))
    expression, step_ms = parse_expression(str(normalised["expr"])), normalised["step_ms"]
    assert isinstance(step_ms, int), "normalised_request puts a number there"
    return SeriesQuery(expression, Window(start=start, end=end), step_ms)


def _expression(arguments: QueryMetricsInput, source: MetricSource) -> Expression:
    if bool(arguments.metric) is bool(arguments.expr):
        _refuse("give either metric (with labels) or expr")
    if arguments.expr:
        if arguments.labels:
            _refuse("labels belong to metric; write them into expr")
        expression = parse_expression(arguments.expr)
    else:
        expression = _selection(str(arguments.metric), arguments.labels)
    if not source.evaluates and (expression.selector is None or not expression.selector.is_plain):
        _refuse(
            f"expr: {source.name} holds recorded series and evaluates nothing: give metric and labels; "
            "a counter is shown as its growth per second anyway"
        )
    for selector in expression.selectors:
        if not source.allows(selector.metric):
            _refuse(f"metric: {selector.metric[:100]!r} may not be asked for")
    return expression


def _selection(metric: str, labels: Mapping[str, str]) -> Expression:
    for name, value in labels.items():
        if not is_label_name(name) or len(value) > MAX_CHARS:
            _refuse("labels: a name of letters, digits and underscores and a short value are expected")
    matchers = tuple(Matcher(name=name, op="=", value=value) for name, value in labels.items())
    expression = expression_of(selector_of(metric, matchers))
    # What is written must read back as the same selection: so a name or value can never break out of its place.
    if parse_expression(expression.text) != expression:
        _refuse("metric: is no name of a metric")
    return expression


def _step_ms(step: str | int | None, window: Window) -> int:
    length = window.end - window.start
    if step is None or step == "":
        return default_step_ms(length)
    try:
        step_ms = parse_duration_ms(str(step))
    except ValueError as error:
        raise InvalidToolInput(ToolCode.INVALID_REQUEST, f"step: {error}") from error
    least = max(MIN_STEP_MS, round(length / timedelta(milliseconds=1)) // MAX_STEPS)
    if step_ms < least:
        _refuse(f"step: for this window at least {-(-least // 1000)}s")
    if timedelta(milliseconds=step_ms) > length:
        _refuse("step: is longer than the window")
    return step_ms


def _window(arguments: QueryMetricsInput, context: CallContext) -> Window:
    """The asked window; an end that is left out is the default window's, or fits the one that is given."""
    default = context.default_window
    start = _instant("start", arguments.start, context)
    end = _instant("end", arguments.end, context)
    if start is None:
        start = default.start if end is None or default.start < end else end - FIRST_WINDOW
    if end is None:
        end = default.end if start < default.end else context.now
    end = min(end, context.now)
    if start >= context.now:
        _refuse("start: lies in the future")
    if end - start < MIN_WINDOW:
        _refuse("the window is empty: start must be at least a second before end")
    if end - start > MAX_WINDOW:
        _refuse(f"the window is longer than {MAX_WINDOW.days} days")
    return Window(start=start, end=end)


def _instant(name: str, text: str | None, context: CallContext) -> datetime | None:
    if not text:
        return None
    try:
        at = parse_instant(text, context.time_zone)
        if _FIRST_YEAR <= at.year <= _LAST_YEAR:
            return at
    except (ValueError, OverflowError) as error:
        raise InvalidToolInput(ToolCode.INVALID_REQUEST, f"{name}: {error}") from error
    _refuse(f"{name}: must be a time between the years {_FIRST_YEAR} and {_LAST_YEAR}")


def _refuse(why: str) -> NoReturn:
    raise InvalidToolInput(ToolCode.INVALID_REQUEST, why)
