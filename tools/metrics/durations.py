"""Lengths of time as PromQL writes them, and the step of a search. Pure."""

import re
from datetime import timedelta

_UNITS_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_PART = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)(ms|[smhdw])", re.ASCII)
_WHOLE = re.compile(r"(?:\d{1,9}(?:\.\d{1,3})?(?:ms|[smhdw]))+", re.ASCII)
_NICE_MS = tuple(1000 * seconds for seconds in (15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200))
TARGET_STEPS = 120
"""Steps of a window for which no step was asked."""
MAX_STEPS = 1000
"""Of a window; with the one before it well below the 11 000 points a server gives for a series."""
MIN_STEP_MS = 1000


def duration_text(length: timedelta) -> str:
    """The length in its largest whole unit: ``5m``, ``90s``, ``1500ms``."""
    total_ms = round(length / timedelta(milliseconds=1))
    for unit in ("d", "h", "m", "s"):
        if total_ms % _UNITS_MS[unit] == 0 and total_ms:
            return f"{total_ms // _UNITS_MS[unit]}{unit}"
    return f"{total_ms}ms"


def parse_duration_ms(text: str) -> int:
    """Milliseconds of ``30s``, ``1m30s`` or a bare number of seconds.

    Raises:
        ValueError: the text is no length of time; the message is fit for people.
    """
    clean = text.strip()
    if clean.isascii() and clean.isdecimal() and len(clean) < 10:
        return int(clean) * 1000
    if not _WHOLE.fullmatch(clean):
        raise ValueError("is not a length of time; write it like 30s, 5m or 1h")
    return round(sum(float(amount) * _UNITS_MS[unit] for amount, unit in _PART.findall(clean)))


def default_step_ms(window: timedelta) -> int:
    """A round step that gives about ``TARGET_STEPS``; at least 15 s, the shortest usual scrape interval."""
    least = window / timedelta(milliseconds=1) / TARGET_STEPS
    return next((step for step in _NICE_MS if step >= least), int(least) + 1)


def fitted_step_ms(window: timedelta, wanted_ms: int) -> int:
    """The width that divides the window into whole steps of about the wanted width; at least 1 ms."""
    window_ms = max(1, round(window / timedelta(milliseconds=1)))
    n_steps = max(1, -(-window_ms // max(1, wanted_ms)))
    return max(1, -(-window_ms // n_steps))
