"""Telemetry items as events: who, when, how bad, how often. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from models.offline.lexicon import ERROR_LEVELS, WARN_LEVELS
from models.offline.loose import as_int
from models.offline.measures import FIRING, NOTHING, Measure, measure_of
from models.offline.moments import any_instant, field_instant, parse_instant
from models.offline.reading import Observation, SeenItem
from models.offline.rows import counted, reason_of

SERVICE_NAMES = ("service", "service_name", "app", "application", "component", "svc", "job", "program", "unit")
_VARYING = re.compile(r"<[^<>]{1,20}>|0x[0-9a-f]+|[0-9a-f]{8,}|\d+")
_TAIL = re.compile(r"(?:\s+[A-Za-z_][\w.]*=[^\s=,;()]+){2,}\s*$")
_UNNAMED_ROW = "row"
_LEVEL = re.compile(r"\b(FATAL|CRITICAL|PANIC|SEVERE|ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE)\b")
_BAD = re.compile(
    r"exception|\berror|fail|timed? ?out|refused|denied|killed|panic|fatal|exhaust|unavailable|失败|超时|"
    r"异常|错误|拒绝|不可用",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Event:
    """One thing the telemetry shows."""

    item: SeenItem
    service: str
    """Lower case; empty if the item does not say."""
    level: str
    """Upper case; empty if the item does not say."""
    first: datetime | None
    last: datetime | None
    count: int
    count_before: int | None
    """How often it was seen before the window; None if not told."""
    row_table: str
    """Table of a SQL row, ``row`` if it is not known; empty for anything else."""
    is_pattern: bool
    measure: Measure = NOTHING
    """What a series or an alert says of itself."""

    @property
    def is_log(self) -> bool:
        """True for a log record or pattern."""
        return not (self.is_row or self.is_series or self.is_alert)

    @property
    def is_series(self) -> bool:
        """True for a series of a metric."""
        return bool(self.measure.metric)

    @property
    def is_alert(self) -> bool:
        """True for an alert."""
        return bool(self.measure.alert)

    @property
    def text(self) -> str:
        """Its words."""
        return self.item.text

    @property
    def is_row(self) -> bool:
        """True for a SQL row."""
        return bool(self.row_table)

    @property
    def table(self) -> str:
        """Name of the row's table; empty if it is not known."""
        return "" if self.row_table == _UNNAMED_ROW else self.row_table

    @property
    def reason(self) -> str:
        """What a row says it failed of; empty for a row that did not fail, and for anything else."""
        return str(reason_of(self.item.fields)[1] or "") if self.is_row else ""

    @property
    def is_count(self) -> bool:
        """True for a row that stands for many."""
        return self.is_row and counted(self.item.fields)[0] > 0

    @property
    def is_error(self) -> bool:
        """True if its level, or without a level its words, say that something failed."""
        return self.is_log and (self.level in ERROR_LEVELS or (not self.level and _BAD.search(self.text) is not None))

    @property
    def is_notable(self) -> bool:
        """True for an error, a warning, something never seen before the window, a series that moved, a firing alert."""
        if self.is_series or self.is_alert:
            return not self.is_usual
        return self.is_error or self.level in WARN_LEVELS or (self.count_before == 0 and self.is_pattern)

    @property
    def is_usual(self) -> bool:
        """True if it was about as frequent before the window; of a series or an alert if it tells of no change."""
        if self.is_series or self.is_alert:
            return not (self.measure.is_marked or self.measure.state == FIRING)
        return self.count_before is not None and self.count_before * 2 >= self.count


def event_of(item: SeenItem) -> Event:
    """The event a telemetry item tells of."""
    measure = measure_of(item)
    if measure is not NOTHING:
        return _measured(item, measure)
    fields = {key.lower(): value for key, value in item.fields.items()}
    service = next((str(fields[name]) for name in SERVICE_NAMES if isinstance(fields.get(name), str)), "")
    table = row_table(item.item_id)
    table = item.table if item.table and table == _UNNAMED_ROW else table
    dated = any_instant(fields)
    n_rows, begun, ended = counted(fields) if table else (0, "", "")
    first = parse_instant(begun) if n_rows else None
    first = (
        first
        or field_instant(fields, "ts", "first_ts", "timestamp", "time")
        or (dated[1] if dated else parse_instant(item.text))
    )
    return Event(
        item=item,
        service=service.lower(),
        level=_level(str(fields.get("level") or ""), item.text, is_row=bool(table)),
        first=first,
        last=(parse_instant(ended) if n_rows else field_instant(fields, "last_ts")) or first,
        count=n_rows or as_int(fields.get("count")) or 1,
        count_before=as_int(fields.get("count_before")),
        row_table=table,
        is_pattern=item.item_id.startswith("pat:"),
    )


def _measured(item: SeenItem, measure: Measure) -> Event:
    """A series begins when its level shifted, an alert when it began to fire; undated otherwise."""
    owner = owner_of(measure).lower()
    first = field_instant(item.fields, "change_at", "starts_at")
    return Event(item, owner, "", first, first, 1, None, "", is_pattern=False, measure=measure)


def owner_of(measure: Measure) -> str:
    """The service its labels name, as written; empty if they name none."""
    return next((measure.labels[name] for name in SERVICE_NAMES if measure.labels.get(name)), "")


def events(observations: Iterable[Observation]) -> tuple[Event, ...]:
    """Visible telemetry, each item once, in order."""
    found: dict[str, Event] = {}
    for result in observations:
        for item in result.items:
            if not item.is_knowledge:
                found.setdefault(item.item_id, event_of(item))
    return tuple(found.values())


def shape_of(text: str) -> str:
    """The text with numbers and ids masked: equal for two events of one kind."""
    return _VARYING.sub("#", text).casefold()


def core(event: Event) -> str:
    """The event's own words, verbatim: without the time, level and service before them and the fields after them."""
    text = event.text.strip()
    if event.is_row:
        return text
    known = {event.service, event.level.lower(), str(event.item.fields.get("ts", "")).lower()}
    head, _, rest = text.partition(" ")
    while rest and head.lower().strip("[]:") in known - {""}:
        text = rest.lstrip()
        head, _, rest = text.partition(" ")
    return (_TAIL.sub("", text).rstrip() or text) if not event.is_pattern else text


def row_table(item_id: str) -> str:
    """Table that a row's id names, ``row`` where it names only a search; empty for what is no row."""
    parts = item_id.split(":")
    if parts[0] != "row" or len(parts) < 3:
        return ""
    return _UNNAMED_ROW if re.fullmatch(r"[0-9a-f]{8}", parts[1]) else parts[1]


def first_time(found: Iterable[Event]) -> datetime | None:
    """The earliest instant; None if none is dated."""
    return min((event.first for event in found if event.first is not None), default=None)


def _level(given: str, text: str, *, is_row: bool) -> str:
    if given or is_row:
        return given.upper()
    match = _LEVEL.search(text[:120])
    return match.group(1) if match else ""
