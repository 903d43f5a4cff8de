"""What the model is told about ``query_metrics``: how to ask, and what the sources hold. Pure."""

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from state.model.redaction import is_clean, redact_text
from tools.metrics.digest import format_time
from tools.metrics.port import Holdings, MetricHolding
from tools.metrics.units import unit_of_name
from tools.valid_text import is_listed, listed_name

MAX_DESCRIPTION_BYTES = 4096
_RESERVE_BYTES = 100
MAX_VALUES = 12
"""Of one label, in the catalogue."""

_USAGE = (
    "Read metrics of one source in a time window. Give metric, with labels that must match exactly, or expr (PromQL)"
    " where the source evaluates it. Each series is told in one line: mean, min, max, last, the change of its mean"
    " against the equally long window before, shifts of level, gaps and points that keep the extremes; a counter as"
    " its growth per second. A value named 'in the 60 s to T' covers that time.\n"
    "start and end: ISO 8601, end exclusive; left out = the default window. step: resolution, best left out. The"
    " series that changed most come first; total_matches counts all.\n"
    "In expr each selection names one metric. Not allowed: offset, @, subqueries, absent(), vector(), label_replace(),"
    " numbers that do not convert a unit. No result is no proof of health.\n"
)


def describe(holdings: Mapping[str, Holdings], time_zone: str, *, evaluating: frozenset[str]) -> str:
    """Usage and catalogue, at most 4 KiB; what does not fit is counted."""
    zone = ZoneInfo(time_zone)
    text = _USAGE
    for place, (name, held) in enumerate(holdings.items()):
        n_left = len(holdings) - place
        room = (MAX_DESCRIPTION_BYTES - len(text.encode())) // n_left
        text += _source(name, held, zone, room, evaluates=name in evaluating)
    return text.rstrip("\n")


def terms(holdings: Mapping[str, Holdings]) -> tuple[str, ...]:
    """Names the catalogue vouches for: sources, metrics and what service-like labels name; no secrets, no prose."""
    names: list[str] = []
    for source, held in holdings.items():
        names += [source, *(one.name for one in held.metrics)]
        names += [value for values in held.label_values.values() for value in values]
    return tuple(dict.fromkeys(name for name in names if is_listed(name) and is_clean(name)))


def _source(name: str, held: Holdings, zone: ZoneInfo, room: int, *, evaluates: bool) -> str:
    if held.oldest is None or held.newest is None or not held.metrics:
        return f"source {redact_text(name)}: empty\n"
    asks = "metric or expr" if evaluates else "metric only, no expr"
    span = f"{format_time(held.oldest.timestamp(), zone)} to {format_time(held.newest.timestamp(), zone)}"
    text = f"source {redact_text(name)} ({asks}): {span}; {len(held.metrics)} metrics\n"
    for label, values in held.label_values.items():
        line = f"  label {_shown(label)}: {_some(tuple(filter(None, map(_shown, values))))}\n"
        text += line if len((text + line).encode()) <= room // 2 else ""
    shown = [one for one in held.metrics if _shown(one.name)]
    for place, one in enumerate(shown):
        line = _metric(one)
        if len((text + line).encode()) > room - _RESERVE_BYTES:
            text += f"  and {len(shown) - place} more\n"
            break
        text += line
    return text + (f"  {len(held.unread)} parts of it could not be read\n" if held.unread else "")


def _metric(one: MetricHolding) -> str:
    facts = [fact for fact in (one.type, unit_of_name(one.name)) if fact]
    told = f" ({', '.join(map(_shown, facts))})" if facts else ""
    names = ", ".join(filter(None, map(_shown, one.labels or ())))
    labels = f": {names}"[:300] if names else ""
    return f"  {_shown(one.name)}{told}{labels}\n"


def _some(values: tuple[str, ...]) -> str:
    rest = f" and {len(values) - MAX_VALUES} more" if len(values) > MAX_VALUES else ""
    return ", ".join(values[:MAX_VALUES]) + rest


def _shown(name: str) -> str:
    """Bounded, on one line, without secrets, for it may hold anything; empty if it is no name."""
    return listed_name(redact_text(name))
