"""Reads the records of a span from a log server: all of them, or an even selection if there are too many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

from tools.logs.port import LogEvent, Unread
from tools.together import together

MAX_RECORDS = 5000
"""Read for one search."""
MAX_READ_CHARS = 20 * 1024 * 1024
"""Of the texts read for one search together; what lies beyond is not read."""
PAGE_RECORDS = 1000
"""Asked for with one request; servers admit at least that many unless told otherwise."""
N_SLICES = 20
"""Parts of a window from each of which a selection takes the same number."""
AT_ONCE = 4
"""Requests under way for one call."""
_MAX_ROUNDS = 4
"""Of looking finer: the last one tells a burst of a second in a day from the rest."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Span:
    """Half-open, in nanoseconds since 1970."""

    start_ns: int
    end_ns: int

    def split(self, n: int) -> list["Span"]:
        """``n`` parts of equal length, fewer if it is shorter than that."""
        step = max(1, -(-(self.end_ns - self.start_ns) // n))
        return [Span(at, min(at + step, self.end_ns)) for at in range(self.start_ns, self.end_ns, step)]


@dataclass(frozen=True)
class Batch:
    """The answer to one request."""

    events: Sequence[LogEvent]
    after: object | None
    """Where the next request goes on; None: nothing is left."""
    unread: tuple[Unread, ...] = ()


class Reader(Protocol):
    """One query at one server."""

    async def read(self, span: Span, limit: int, after: object | None) -> Batch:
        """Records of the span, at least the query's matches among them; the same record may come twice."""
        ...

    async def count(self, span: Span) -> int | None:
        """Records that ``read`` would bring in all; None if the server cannot say."""
        ...

    async def aclose(self) -> None:
        """Give back what the reading holds at the server; never raises ToolFailed."""
        ...


@dataclass
class Reading:
    """What was read of a span."""

    events: dict[str, LogEvent] = field(default_factory=dict)
    """By origin."""
    is_whole: bool = True
    """False: an even selection of more."""
    counted: int | None = None
    """Records in all, where the server was asked."""
    unread: dict[str, Unread] = field(default_factory=dict)
    n_chars: int = 0

    def add(self, batch: Batch) -> None:
        """Keep what is new of the batch."""
        for event in batch.events:
            if event.origin not in self.events:
                self.events[event.origin] = event
                self.n_chars += len(event.message) + len(event.extra)
        self.unread |= {f"{one.name}\n{one.why}": one for one in batch.unread}

    @property
    def is_full(self) -> bool:
        """No more may be read."""
        return len(self.events) >= MAX_RECORDS or self.n_chars >= MAX_READ_CHARS


def nanoseconds(at: datetime) -> int:
    """Nanoseconds since 1970, exactly."""
    return (at - _EPOCH) // timedelta(microseconds=1) * 1000


def instant(ns: int) -> datetime:
    """The instant, cut to microseconds.

    Raises:
        ValueError, OverflowError: it lies outside the calendar.
    """
    return _EPOCH + timedelta(microseconds=ns // 1000)


async def read_bounded(reader: Reader, span: Span) -> Reading:
    """All records of the span if they are few enough, else an even selection.

    Raises:
        ToolFailed: as the reader.
    """
    try:
        return await _read_bounded(reader, span)
    finally:
        await reader.aclose()


async def _read_bounded(reader: Reader, span: Span) -> Reading:
    reading = Reading()
    batch = await reader.read(span, PAGE_RECORDS, None)
    reading.add(batch)
    if batch.after is None:
        return reading
    reading.counted = await reader.count(span)
    if reading.counted is None or reading.counted <= MAX_RECORDS:
        while batch.after is not None and not reading.is_full:
            batch = await reader.read(span, PAGE_RECORDS, batch.after)
            reading.add(batch)
        if batch.after is None:
            return _checked(reading)
    return await _selected(reader, span, reading.counted)


def _checked(reading: Reading) -> Reading:
    """A server that counts more than it returns has kept something back."""
    if reading.counted is not None and len(reading.events) < reading.counted:
        missing = Unread(name=f"{reading.counted - len(reading.events)} records", why="not_returned")
        reading.unread["missing"] = missing
    return reading


async def _selected(reader: Reader, span: Span, counted: int | None) -> Reading:
    """As many records from each part of the span; parts that hold more are looked at again, finer."""
    reading = Reading(is_whole=False, counted=counted)
    slices = span.split(N_SLICES)
    for _ in range(_MAX_ROUNDS):
        full = await _read_slices(reader, slices, _share(reading, 2 * len(slices)), reading)
        if not full or len(reading.events) > MAX_RECORDS // 2:
            return reading
        slices = [part for one in full for part in one.split(max(2, N_SLICES // len(full)))]
    await _read_slices(reader, full, _share(reading, len(full)), reading)
    return reading


def _share(reading: Reading, n_parts: int) -> int:
    """Records that each of so many parts may still bring."""
    return max(1, min((MAX_RECORDS - len(reading.events)) // n_parts, PAGE_RECORDS))


async def _read_slices(reader: Reader, slices: Sequence[Span], limit: int, into: Reading) -> list[Span]:
    """The slices that hold more than was read of them."""

    async def read(one: Span) -> Span | None:
        if into.is_full:
            return one
        batch = await reader.read(one, limit, None)
        into.add(batch)
        return one if batch.after is not None else None

    return [one for one in await together(map(read, slices), at_once=AT_ONCE) if one is not None]
