"""What evidence holds, read by plain means: digits, clocks and words. Independent of the guards, and generous.

It decides whether a changed value is wrong for sure: what might be read as held, rounded or converted counts as held.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from state.model.evidence import Projection, Scalar

_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_GROUPED = re.compile(r"\d{1,3}(?:[, ']\d{3})+(?:\.\d+)?")
_STAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d\d)(?::(\d\d))?(?![\d:])")
_OFFSET = re.compile(r"(?<=\d)([+-])(\d\d):?(\d\d)(?!\d)")
_FACTORS = (1.0, 1e2, 1e3, 1e4, 1e6, 1e9, 60.0, 3600.0, 86400.0, 2.0**10, 2.0**20, 2.0**30)
_MAX_INSTANTS = 60


@dataclass(frozen=True)
class Stock:
    """Everything some results hold."""

    text: str
    """All texts, field names and values, scopes and given words; folded, in small letters."""
    numbers: frozenset[Decimal]
    """Every run of digits as a number, wherever it stands, and every count of results and items."""
    instants: tuple[datetime, ...]
    """Complete instants, UTC, without repetition."""
    zones: tuple[tzinfo, ...]
    """UTC, the zone of the run, and every offset written somewhere."""
    spans: tuple[tuple[datetime, datetime], ...] = ()
    """Windows that were searched."""

    def holds_number(self, written: str, *, is_time: bool = False) -> bool:
        """True if the number may come from here: as it is, converted, rounded, or (a time) between two instants."""
        value, step = float(abs(read_number(written))), float(_step(written)) * (1 - 1e-9)
        return any(
            _has_near(values, value, step) for values in (self._reachable, *((self._between,) if is_time else ()))
        )

    def holds_exactly(self, written: str) -> bool:
        """True if that very number stands somewhere."""
        return read_number(written) in self.numbers

    def holds_word(self, word: str) -> bool:
        """True if the text holds it, as a word or inside one."""
        return fold(word) in self.text

    def holds_clock(self, hour: int, minute: int, second: int | None = None) -> bool:
        """True if some instant shows that clock in some zone of the evidence, or a text writes it."""
        return (hour, minute, second) in self._clocks

    def holds_instant(self, instant: datetime) -> bool:
        """True if it is known to the second, or lies at the edge of a window."""
        at = instant.astimezone(UTC).replace(microsecond=0)
        return any(one.replace(microsecond=0) == at for one in self.instants)

    def holds_day(self, month: int, day: int) -> bool:
        """True if some instant lies on that day in some zone of the evidence."""
        return any(
            (at.month, at.day) == (month, day)
            for zone in self.zones
            for one in self.instants
            for at in (one.astimezone(zone),)
        )

    def is_inside(self, instant: datetime) -> bool:
        """True if a searched window holds it."""
        return any(start <= instant <= end for start, end in self.spans)

    @cached_property
    def _reachable(self) -> tuple[float, ...]:
        return _converted(float(one) for one in self.numbers)

    @cached_property
    def _between(self) -> tuple[float, ...]:
        pairs = combinations(self.instants[:_MAX_INSTANTS], 2)
        return _converted((later - earlier).total_seconds() for earlier, later in pairs)

    @cached_property
    def _clocks(self) -> frozenset[tuple[int, int, int | None]]:
        local = [one.astimezone(zone) for one in self.instants for zone in self.zones]
        near = [at + timedelta(seconds=30) for at in local]
        shown = {(at.hour, at.minute, None) for at in (*local, *near)} | {
            (at.hour, at.minute, at.second) for at in local
        }
        written = (
            tuple(int(part) if part else None for part in found.groups()) for found in _CLOCK.finditer(self.text)
        )
        both = ((h or 0, m or 0, s) for h, m, s in written)
        return frozenset(shown | {one for h, m, s in both for one in ((h, m, s), (h, m, None))})


def stock_of(
    results: Iterable[Projection], zone: tzinfo, *, words: Iterable[str] = (), numbers: Iterable[float] = ()
) -> Stock:
    """What those results hold, with further words and numbers that may be said."""
    shown = tuple(results)
    given = tuple(words)
    text = fold("\n".join((*_texts(shown), *given)))
    counts = [Decimal(one) for result in shown for one in (len(result.items), result.total_matches or 0)]
    held = {read_number(one) for pattern in (_DIGITS, _GROUPED) for one in pattern.findall(text)}
    held |= {abs(Decimal(str(one))) for one in numbers}
    spans = tuple((one.scope.window.start, one.scope.window.end) for one in shown if one.scope.window)
    instants = {at for found in _STAMP.findall(text.upper()) if (at := _instant(found, zone))}
    instants |= {edge for span in spans for edge in span}
    return Stock(text, frozenset(held | set(counts)), tuple(sorted(instants)), _zones(text, zone), spans)


def fold(text: str) -> str:
    """The text as it is compared here: compatibility forms, small letters, one space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def read_number(written: str) -> Decimal:
    """The number without its separators."""
    return Decimal(re.sub(r"[, ']", "", written))


def _converted(values: Iterable[float]) -> tuple[float, ...]:
    """The values in every unit they might be told in, sorted."""
    held = set(values)
    return tuple(
        sorted(
            {one * factor for one in held for factor in _FACTORS}
            | {one / factor for one in held for factor in _FACTORS}
        )
    )


def _has_near(values: tuple[float, ...], value: float, step: float) -> bool:
    at = bisect_left(values, value - step)
    return at < len(values) and values[at] <= value + step


def _step(written: str) -> Decimal:
    """One in the last place that is not zero: a number that ends in zeros may be rounded there."""
    exponent = read_number(written).normalize().as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(1)


def _texts(results: Iterable[Projection]) -> Iterator[str]:
    for result in results:
        scope = result.scope
        yield from (result.tool, scope.source, scope.query or "", *_named(dict(scope.filters)))
        if scope.window:
            yield from (scope.window.start.isoformat(), scope.window.end.isoformat())
        for item in result.items:
            yield from (item.item_id, item.text, *_named(item.fields))


def _named(fields: dict[str, Scalar] | dict[str, str]) -> Iterator[str]:
    return (f"{name}={value}" for name, value in fields.items())


def _instant(written: str, zone: tzinfo) -> datetime | None:
    try:
        at = datetime.fromisoformat(written.replace(",", ".").replace("Z", "+00:00"))
    except ValueError:
        return None
    return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)


def _zones(text: str, zone: tzinfo) -> tuple[tzinfo, ...]:
    offsets = {
        timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
        for sign, hours, minutes in _OFFSET.findall(text)
        if int(hours) <= 14 and int(minutes) < 60
    }
    return (UTC, zone, *(timezone(offset) for offset in sorted(offsets)))
