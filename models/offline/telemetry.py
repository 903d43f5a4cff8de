"""Telemetry items as events: who, when, how bad, how often. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from models.offline.lexicon import ERROR_LEVELS, WARN_LEVELS
from models.offline.loose import as_int
from models.offline.moments import any_instant, field_instant, parse_instant
from models.offline.reading import Observation, SeenItem

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
    def is_error(self) -> bool:
        """True if its level, or without a level its words, say that something failed."""
        return self.level in ERROR_LEVELS or (not self.level and not self.is_row and _BAD.search(self.text) is not None)

    @property
    def is_notable(self) -> bool:
        """True for an error, a warning, or something never seen before the window."""
        return self.is_error or self.level in WARN_LEVELS or (self.count_before == 0 and self.is_pattern)

    @property
    def is_usual(self) -> bool:
        """True if it was about as frequent before the window."""
        return self.count_before is not None and self.count_before * 2 >= self.count


def event_of(item: SeenItem) -> Event:
    """The event a telemetry item tells of."""
    fields = {key.lower(): value for key, value in item.fields.items()}
    service = next((str(fields[name]) for name in SERVICE_NAMES if isinstance(fields.get(name), str)), "")
    table = row_table(item.item_id)
    dated = any_instant(fields)
    first = field_instant(fields, "ts", "first_ts", "timestamp", "time") or (
        dated[1] if dated else parse_instant(item.text)
    )
    return Event(
        item=item,
        service=service.lower(),
        level=_level(str(fields.get("level") or ""), item.text, is_row=bool(table)),
        first=first,
        last=field_instant(fields, "last_ts") or first,
        count=as_int(fields.get("count")) or 1,
        count_before=as_int(fields.get("count_before")),
        row_table=table,
        is_pattern=item.item_id.startswith("pat:"),
    )


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
