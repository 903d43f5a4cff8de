"""Condenses a page of series into a bounded raw payload: figures, shifts, gaps, points that keep extremes. Pure."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from state.model.evidence import Window
from state.model.ids import digest8
from state.model.redaction import redact_text
from tools.fitting import cut
from tools.metrics.figures import rounded
from tools.metrics.port import MAX_LABELS, SeriesPage
from tools.metrics.selector import series_text
from tools.metrics.shifts import find_shifts
from tools.metrics.thinning import dots_of, gaps, keep_extremes, picked, rhythm, without_repeats
from tools.metrics.units import PER_SECOND
from tools.metrics.weighing import Level, Span, Weighed, weigh

MAX_SERIES = 20
MAX_POINTS = 60
MAX_LABEL_CHARS = 200
MAX_GAPS = 3
_EDGE_FACTOR = 3.0
_READ_CHARS = 2000
"""Of a label, far more than is shown of it: what is looked through for secrets."""

Json = dict[str, object]


def span_of(page: SeriesPage, window: Window) -> Span:
    """The effective window in seconds, and whether the one before it is held."""
    start, end = window.start.timestamp(), window.end.timestamp()
    before = start - (end - start)
    has_before = page.oldest is not None and page.oldest.timestamp() <= before
    return Span(before, start, end, page.is_exact, has_before)


def digest_page(page: SeriesPage, window: Window, *, metric: str, unit: str, step_ms: int, time_zone: str) -> Json:
    """The payload of one search over the effective window; times as ISO 8601 with the offset of ``time_zone``."""
    span, zone = span_of(page, window), ZoneInfo(time_zone)
    weighed = weigh(page, span, metric)
    is_found = any(one.was_in_window for one in weighed)
    rows = [_row(one, metric, unit, zone, step_ms) for one in weighed[:MAX_SERIES]] if is_found else []
    return {
        "series": rows,
        "n_series": len(weighed) if is_found else 0,
        "step_s": 0 if page.is_exact else rounded(step_ms / 1000),
        "has_before": span.has_before,
        "unread": [{"name": redact_text(one.name)[:200], "why": one.why} for one in page.unread[:50]],
    }


def format_time(at: float, zone: ZoneInfo) -> str:
    """ISO 8601 with offset; milliseconds only where there are any."""
    local = datetime.fromtimestamp(at, UTC).astimezone(zone)
    return local.isoformat(timespec="milliseconds" if round(at * 1000) % 1000 else "seconds")


def _row(one: Weighed, metric: str, unit: str, zone: ZoneInfo, step_ms: int) -> Json:
    span = one.span
    inside = picked(one.shown, [n for n, at in enumerate(one.shown.at) if span.has(at)])
    row: Json = {
        "id": digest8(series_text(metric, one.series.labels)),
        "metric": redact_text(metric),
        "labels": _labels(one),
        "unit": (unit + PER_SECOND) if one.grown else unit,
        "is_growth": one.grown is not None,
        "n": len(inside.at),
        "n_odd": one.n_odd,
        **_level(one.now, ""),
        **_level(one.before if span.has_before else None, "before_"),
        "last": None,
        "change": _ratio(one) if span.has_before else None,
        "shifts": _shifts(one, zone),
        "gaps": [[format_time(at, zone) for at in gap] for gap in _gaps(one, step_ms)[:MAX_GAPS]],
        "points": [
            [format_time(at, zone), rounded(value)]
            for at, value in (keep_extremes(without_repeats(dots_of(inside)), MAX_POINTS) if inside.at else [])
        ],
    }
    if inside.at:
        high = max(range(len(inside.at)), key=inside.high.__getitem__)
        row |= {"last": rounded(inside.last[-1]), "last_at": format_time(inside.last_at[-1], zone)}
        row |= {"max_at": format_time(inside.at[high], zone)}
    elif one.series.at:
        row |= {"seen_at": format_time(one.series.last_at[-1], zone), "seen": rounded(one.series.last[-1])}
    return row | _growth(one)


def _labels(one: Weighed) -> Json:
    """Label names and values; secrets are removed before a value is cut."""
    kept = sorted(one.series.labels.items())[:MAX_LABELS]
    return {
        redact_text(name)[:MAX_LABEL_CHARS]: cut(redact_text(value[:_READ_CHARS]), MAX_LABEL_CHARS)
        for name, value in kept
    }


def _level(level: Level | None, prefix: str) -> Json:
    figures = (level.low, level.mean, level.high) if level else (None, None, None)
    names = (f"{prefix}{name}" for name in ("min", "mean", "max"))
    return {name: None if value is None else rounded(value) for name, value in zip(names, figures, strict=True)}


def _ratio(one: Weighed) -> float | int | None:
    """Change of the mean against the window before, as a ratio of the mean before; None if that is 0 or unknown."""
    if one.now is None or one.before is None or one.before.mean == 0:
        return None
    change = (one.now.mean - one.before.mean) / abs(one.before.mean)
    return rounded(change) if abs(change) < 1e15 else None


def _growth(one: Weighed) -> Json:
    """What a counter added in the window, how often it restarted, and where it stands."""
    if one.grown is None:
        return {}
    places = [n for n, at in enumerate(one.grown.rates.at) if one.span.has(at)]
    return {
        "increase": rounded(sum(one.grown.increases[n] for n in places)),
        "resets": sum(one.grown.resets[n] for n in places),
        "counter": rounded(one.series.last[-1]),
    }


def _shifts(one: Weighed, zone: ZoneInfo) -> list[Json]:
    """Changes of level inside the window, in order of time; the window before lends them its level."""
    span = one.span
    use = range(len(one.shown.at)) if span.has_before else [n for n, at in enumerate(one.shown.at) if span.has(at)]
    series = picked(one.shown, use)
    return [
        {
            "after": format_time(series.at[shift.place - 1], zone),
            "by": format_time(series.at[shift.place], zone),
            "from": rounded(shift.before),
            "to": rounded(shift.after),
            "significance": rounded(min(shift.significance, 1e9)),
        }
        for shift in find_shifts(series.mean)
        if span.has(series.at[shift.place])
    ]


def _gaps(one: Weighed, step_ms: int) -> list[tuple[float, float]]:
    """Stretches of the window without values, edges included where there are values on their other side."""
    span = one.span
    at = one.series.at
    usual = rhythm(at) or (0 if span.is_exact else step_ms / 1000)
    inside = [one_at for one_at in at if span.has(one_at)]
    if not inside or not usual:
        return []
    found = [gap for gap in gaps(at) if span.has(gap[1])]
    is_first = at[0] == inside[0]
    if is_first and inside[0] - span.start > _EDGE_FACTOR * usual:
        found.insert(0, (span.start, inside[0]))
    if span.end - inside[-1] > _EDGE_FACTOR * usual:
        found.append((inside[-1], span.end))
    return found


def shift_of_most(row: Json) -> Json | None:
    """The most significant change of level of a row; None if its level held."""
    shifts = row["shifts"]
    assert isinstance(shifts, list), "the digest puts a list there"
    return max(shifts, key=lambda one: one["significance"], default=None)
