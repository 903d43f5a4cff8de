"""Joins time words into moments and places them on the time line before ``now``. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from state.model.time_atoms import Atom, Clock, find_atoms

_GLUE = re.compile(r"[\s,，]*(?:at|on|of|in|the|around|about|@|的|大约|大概|约)?[\s,，]*")
_SENTENCE_END = re.compile(r"[.;?!。；？！]")
_PART_HOURS = {
    "dawn": (0, 6), "morning": (6, 12), "noon": (11, 14), "afternoon": (12, 18), "dusk": (17, 20), "evening": (18, 24),
    "night": (18, 30),
}  # fmt: skip
"""Local hours of a part of the day; above 24 is the next day."""
_FIELDS = tuple(field.name for field in fields(Atom) if field.name not in {"begin", "end", "n_days"})


@dataclass(frozen=True)
class Span:
    """Where a moment lies. Local times that exist twice or never give the widest reading."""

    start: datetime
    end: datetime
    is_point: bool
    """True: a time was named, not a stretch of time; ``start`` and ``end`` differ only by ambiguity."""


@dataclass(frozen=True)
class Moment:
    """Neighbouring time words that say one time together."""

    begin: int
    end: int
    atoms: tuple[Atom, ...]

    def one(self, name: str) -> Atom | None:
        """The atom that says this part of it, or None."""
        return next((atom for atom in self.atoms if getattr(atom, name) not in {None, False}), None)

    @property
    def part(self) -> str | None:
        """Part of the day, if one is said."""
        atom = self.one("part")
        return atom.part if atom else None

    @property
    def is_now(self) -> bool:
        """True for "now" itself."""
        return self.one("is_now") is not None

    @property
    def is_day_only(self) -> bool:
        """True for "yesterday", "昨天下午": a day waiting for a clock time elsewhere in the sentence."""
        return self.one("day") is not None and self.one("clock") is None

    @property
    def is_bare_clock(self) -> bool:
        """True for "10:30": a clock time without a day."""
        return self.one("clock") is not None and self.one("day") is None

    def joined(self, other: "Moment") -> "Moment":
        """This moment with what only the other says; it stays at its place in the text."""
        missing = tuple(atom for atom in other.atoms if not _says_any(self.atoms, atom))
        return Moment(self.begin, self.end, (*self.atoms, *missing))

    def with_half(self, half: str | None) -> "Moment":
        """This moment with its hour-only clock time read as ``am`` or ``pm``."""
        atom = self.one("clock")
        if half is None or atom is None or atom.clock is None or atom.clock.half or not 1 <= atom.clock.hour <= 12:
            return self
        read = replace(atom, clock=replace(atom.clock, half=half))
        return replace(self, atoms=tuple(read if one is atom else one for one in self.atoms))


def find_moments(text: str) -> tuple[Moment, ...]:
    """Moments of normalised lower-case text, in order."""
    moments: list[Moment] = []
    for atom in find_atoms(text):
        last = moments[-1] if moments else None
        if last and _GLUE.fullmatch(text, last.end, atom.begin) and not _says_any(last.atoms, atom):
            moments[-1] = Moment(last.begin, atom.end, (*last.atoms, atom))
        else:
            moments.append(Moment(atom.begin, atom.end, (atom,)))
    return tuple(moment for moment in moments if not _is_idle(moment, text))


def lend_day(text: str, moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """Give the day of "yesterday … around 10pm" to the clock times of the same sentence."""
    days = [moment for moment in moments if moment.is_day_only]
    clocks = [moment for moment in moments if moment.is_bare_clock]
    if len(days) != 1 or not clocks or any(_are_apart(text, days[0], clock) for clock in clocks):
        return moments
    return tuple(
        moment.joined(days[0]) if moment.is_bare_clock else moment for moment in moments if moment is not days[0]
    )


def place(moment: Moment, now: datetime, zone: tzinfo) -> Span | None:
    """Where the moment lies; a time without a day is its last occurrence up to ``now``. None if it is no date."""
    fixed = moment.one("instant") or moment.one("ago")
    if fixed is not None:
        at = fixed.instant or now - (fixed.ago or timedelta())
        return Span(at, at, is_point=True)
    if moment.is_now:
        return Span(now, now, is_point=True)
    said = moment.one("zone")
    local = said.zone if said and said.zone else zone
    try:
        return _place_local(moment, now.astimezone(local), local)
    except OverflowError:
        return None


def place_after(moment: Moment, first: Span, now: datetime, zone: tzinfo) -> Span | None:
    """Where the second end of a range lies: a bare clock time is the first one after ``first``."""
    clock_atom = moment.one("clock")
    if clock_atom is None or clock_atom.clock is None or moment.one("day") or moment.one("ago"):
        return place(moment, now, zone)
    said = moment.one("zone")
    local = said.zone if said and said.zone else zone
    begin = first.start.astimezone(local).date()
    readings = _readings(clock_atom.clock, moment.part)
    days = [(shift, hour) for hour, shift in readings] + [(readings[0][1] + 1, readings[0][0])]
    spans = (_point(begin + timedelta(days=shift), clock_atom.clock, hour, local) for shift, hour in days)
    return next((span for span in spans if span.end > first.start), None)


def instants(naive: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """Earliest and latest instant a local time can mean: they differ in the hours when clocks change."""
    both = [naive.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)]
    return min(both), max(both)


def _says_any(atoms: tuple[Atom, ...], other: Atom) -> bool:
    said = {name for atom in atoms for name in _FIELDS if getattr(atom, name) not in {None, False}}
    return any(name in said for name in _FIELDS if getattr(other, name) not in {None, False})


def _is_idle(moment: Moment, text: str) -> bool:
    """A zone alone, or a part of the day in English that belongs to no day ("evening batch")."""
    if all(atom.zone is not None for atom in moment.atoms):
        return True
    only = moment.atoms[0]
    is_english = text[only.begin : only.end].isascii()
    return len(moment.atoms) == 1 and only.part is not None and is_english and " " not in text[only.begin : only.end]


def _are_apart(text: str, one: Moment, other: Moment) -> bool:
    first, second = sorted((one, other), key=lambda moment: moment.begin)
    return _SENTENCE_END.search(text, first.end, second.begin) is not None


def _place_local(moment: Moment, now: datetime, zone: tzinfo) -> Span:
    day_atom, clock_atom, part = moment.one("day"), moment.one("clock"), moment.part
    base = day_atom.day(now.date()) if day_atom and day_atom.day else None
    if clock_atom is not None and clock_atom.clock is not None:
        clock = clock_atom.clock
        hour, shift = _readings(clock, part)[0]
        return _last(base, now, lambda day: _point(day + timedelta(days=shift), clock, hour, zone))
    if part is not None:
        begin_h, end_h = _PART_HOURS[part]
        is_early = base == now.date() and part == "morning" and now.hour < begin_h
        return _last(base, now, lambda day: _stretch(day, 0 if is_early else begin_h, end_h, zone))
    return _stretch(base or now.date(), 0, 24 * (day_atom.n_days if day_atom else 1), zone)


def _last(base: date | None, now: datetime, span_on: Callable[[date], Span]) -> Span:
    """The span on its day; without one, the last that began before ``now``."""
    if base is not None:
        return span_on(base)
    spans = [span_on(now.date() - timedelta(days=back)) for back in (0, 1, 2)]
    return next((span for span in spans if span.start <= now), spans[-1])


def _point(day: date, clock: Clock, hour: int, zone: tzinfo) -> Span:
    early, late = instants(datetime.combine(day, time(hour, clock.minute, clock.second)), zone)
    return Span(early, late, is_point=True)


def _stretch(day: date, begin_h: int, end_h: int, zone: tzinfo) -> Span:
    midnight = datetime.combine(day, time())
    early, _ = instants(midnight + timedelta(hours=begin_h), zone)
    _, late = instants(midnight + timedelta(hours=end_h), zone)
    return Span(early, late, is_point=False)


def _readings(clock: Clock, part: str | None) -> tuple[tuple[int, int], ...]:
    """Hours of the 24-hour clock that may be meant, likeliest first, each with the days to add."""
    hour = clock.hour
    if clock.half is not None:
        return ((hour % 12 + (12 if clock.half == "pm" else 0), 0),)
    if part is not None:
        return (_hour_in(part, hour),)
    return ((hour, 0), (hour + 12, 0)) if clock.is_loose and hour < 12 else ((hour, 0),)


def _hour_in(part: str, hour: int) -> tuple[int, int]:
    if part == "dawn":
        return hour % 12 if hour == 12 else hour, 0
    if part in {"evening", "night"} and (hour == 12 or hour < 5):
        return hour % 12, 1
    is_second_half = part in {"afternoon", "dusk", "evening", "night"} or (part == "noon" and hour < 4)
    return hour + 12 if is_second_half and hour < 12 else hour, 0
