"""Series and alerts as the metric and alert tools word them: whose they are, and which way a series moved. Pure."""

import re
from dataclasses import dataclass, field

from models.offline.loose import Scalar
from models.offline.reading import SeenItem

UP, DOWN, FLAT = "up", "down", "flat"
MARKED_SHARE = 0.3
"""Of the larger level, from which a shift of level counts as a change; daily rhythm and noise stay below."""
DRIFT_SHARE = 0.5
"""Change of the mean against the window before, from which a series moved although no moment of it is known."""
_FLAT_SHARE = 0.2
_CALM_SHARE = 0.5
_SERIES = re.compile(r'^(?P<name>[^\s{"]+)(?P<labels>\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\})?: ')
_LABEL = re.compile(r'([A-Za-z_][\w.]*)="((?:[^"\\]|\\.)*)"')
_SHIFT = re.compile(r"level shifted between (\S+) and (\S+) from (.+?) to (.+?)(?=;|$)")
_STATISTICS = ("_bucket", "_sum", "_count")
_LATE = re.compile(r"latency|duration|response|elapsed|_lag\b|_age\b|wait|delay|processing|_seconds|_millis|_ms\b")
_FAILED = re.compile(r"error|fail|reject|timeout|timed_out|5xx|dropped|refused|expired|dead_letter|exception")
FIRING = "firing"


@dataclass(frozen=True)
class Measure:
    """What one series or alert item says of itself; empty for any other item."""

    metric: str = ""
    alert: str = ""
    labels: dict[str, str] = field(default_factory=dict, hash=False)
    trend: str = ""
    """up, down, flat; empty where it cannot be told."""
    state: str = ""
    """Of an alert."""

    @property
    def is_marked(self) -> bool:
        """True for a series that moved."""
        return self.trend in {UP, DOWN}

    @property
    def shows_slowness(self) -> bool:
        """True for a rise of what measures time or waiting."""
        return self.trend == UP and _LATE.search(self.metric.lower()) is not None

    @property
    def shows_failures(self) -> bool:
        """True for a rise of what counts failures."""
        return self.trend == UP and _FAILED.search(self.metric.lower()) is not None


NOTHING = Measure()


def measure_of(item: SeenItem) -> Measure:
    """The measure of a series or an alert; ``NOTHING`` for any other item."""
    if item.is_knowledge:
        return NOTHING
    if item.item_id.startswith("alert:"):
        labels = dict(_LABEL.findall(str(item.fields.get("labels") or "")))
        return Measure(
            alert=str(item.fields.get("alertname") or "?"), labels=labels, state=str(item.fields.get("state") or "")
        )
    if not item.item_id.startswith("ser:"):
        return NOTHING
    match = _SERIES.match(item.text)
    labels = dict(_LABEL.findall(match.group("labels") or "")) if match else {}
    return Measure(metric=match.group("name") if match else "?", labels=labels, trend=_trend(item.fields))


def _trend(fields: dict[str, Scalar]) -> str:
    before, after, change = (_number(fields.get(name)) for name in ("level_before", "level_after", "change"))
    if fields.get("change_at"):
        if before is not None and after is not None:
            share = abs(after - before) / (max(abs(after), abs(before)) or 1.0)
            return _sign(after - before) if share >= MARKED_SHARE else ""
        return _sign(change) if change is not None and abs(change) >= MARKED_SHARE else ""
    if change is None:
        return FLAT if _is_constant(fields) else ""
    if abs(change) >= DRIFT_SHARE:
        return _sign(change)
    return FLAT if abs(change) <= _FLAT_SHARE and _is_calm(fields) else ""


def _sign(change: float) -> str:
    return UP if change > 0 else DOWN if change < 0 else FLAT


def _is_constant(fields: dict[str, Scalar]) -> bool:
    low, high = _number(fields.get("min")), _number(fields.get("max"))
    return low is not None and low == high


def _is_calm(fields: dict[str, Scalar]) -> bool:
    """True if no point is far from the mean: a short excursion is no level, but neither is it flat."""
    low, mean, high = (_number(fields.get(name)) for name in ("min", "mean", "max"))
    if low is None or mean is None or high is None:
        return False
    return max(high - mean, mean - low) <= _CALM_SHARE * abs(mean)


def _number(value: Scalar) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def shift_words(text: str) -> tuple[str, str, str, str, str]:
    """The clause of the largest shift, verbatim, then its two instants and two levels as written; empty texts if none."""
    match = _SHIFT.search(text)
    if match is None:
        return "", "", "", "", ""
    after, by, low, high = match.groups()
    return match.group(), after, by, low, high


def change_words(text: str) -> str:
    """The clause on the window before, verbatim; empty if there is none."""
    match = re.search(r"window before: [^;]+", text)
    return match.group() if match else ""


def names_metric(words: str, measure: Measure) -> bool:
    """True if a literal of a document is this series: its metric, alone or in an expression, and labels that agree."""
    if not measure.metric:
        return False
    names = re.findall(r"[A-Za-z_:][\w:.]*", re.sub(r'"[^"]*"', " ", words))
    wanted = {measure.metric, *(measure.metric.removesuffix(end) for end in _STATISTICS)}
    conditions = _LABEL.findall(words)
    return bool(wanted.intersection(names)) and all(measure.labels.get(name) == value for name, value in conditions)
