"""Points in time as people and programs write them, found in folded text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from guards.claims.clock_words import CLOCKS, DATES, STAMPS, Moment, Role, is_spoken, names_half, read_moment
from guards.claims.zone_words import Zone, zone_after, zone_before, zone_of_the_text

_LATE_YEAR = re.compile(r" (?P<y>(?:19|20|21)\d{2})(?![\d.:%-])")
_BETWEEN = re.compile(r"(?:T|,? {1,2}|, ?| at | 的 ?|在|)$")
_SPAN_JOINT = re.compile(r" ?- ?| and | to | ?[~至到和] ?")
_SENTENCE_END = re.compile(r"[。!?;\n]|\.(?=\s|$)")


@dataclass(frozen=True)
class Found:
    """A moment and where it stands in the folded text."""

    moment: Moment
    start: int
    end: int
    others: tuple[Moment, ...] = ()
    """What it may mean as well: the other half of the day, or the zone of an earlier time of the sentence."""
    role: Role = Role.ALONE
    """Its place in a span; given by ``guards.claims.time_spans``."""
    names_half: bool = False
    """The clock itself says which half of the day it means."""
    is_spoken: bool = False
    """It is said in words, and so of either half."""


def find_moments(text: str) -> tuple[Found, ...]:
    """Every point in time of the folded text, in order, without overlap."""
    rest, stamps = _take(text, STAMPS)
    rest, days = _take(rest, DATES)
    _, clocks = _take(rest, CLOCKS)
    zoned = _shared_zone(_zoned(sorted(clocks, key=lambda clock: clock.start), text), text)
    joined = [*(_with_zone(stamp, text) for stamp in stamps), *_joined(days, zoned, text)]
    placed = [_with_zone_before(found, text) for found in sorted(joined, key=lambda found: found.start)]
    return _with_others(tuple(placed), text)


def blank(text: str, spans: Iterator[tuple[int, int]]) -> str:
    """The text with each span overwritten by spaces; every other character keeps its place."""
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces.append(text[at:start])
        pieces.append(" " * (end - max(start, at)))
        at = end
    return "".join([*pieces, text[at:]])


def _take(text: str, patterns: tuple[re.Pattern[str], ...]) -> tuple[str, list[Found]]:
    """The text without what the patterns found, and what they found. An earlier pattern wins."""
    taken: list[Found] = []
    for pattern in patterns:
        matches = [(match.groupdict(), match.span()) for match in pattern.finditer(text)]
        found = [
            Found(moment, *span, names_half=names_half(parts), is_spoken=is_spoken(parts))
            for parts, span in matches
            if (moment := read_moment(parts))
        ]
        text = blank(text, ((one.start, one.end) for one in found))
        taken += found
    return text, taken


def _zoned(clocks: list[Found], text: str) -> list[Found]:
    """Clocks with their offsets; an offset is no clock of its own."""
    zoned: list[Found] = []
    for clock in clocks:
        if not zoned or clock.start >= zoned[-1].end:
            zoned.append(_with_zone(clock, text))
    return zoned


def _with_zone(found: Found, text: str) -> Found:
    is_precise = found.moment.second is not None or text[max(0, found.start - 1) : found.start] == "T"
    named = zone_after(text, found.end, is_precise=is_precise)
    return replace(found, moment=_in_zone(found.moment, named.zone), end=named.end) if named else found


def _in_zone(moment: Moment, zone: Zone) -> Moment:
    return replace(moment, offset_s=zone.offset_s, zone=zone.name)


def _has_zone(found: Found) -> bool:
    return found.moment.offset_s is not None or bool(found.moment.zone)


def _with_zone_before(found: Found, text: str) -> Found:
    zone = None if found.moment.hour is None or _has_zone(found) else zone_before(text, found.start)
    return replace(found, moment=_in_zone(found.moment, zone)) if zone else found


def _shared_zone(clocks: list[Found], text: str) -> list[Found]:
    """``14:05-14:10 UTC``: the zone behind the end of a span is also that of its start."""
    shared: list[Found] = []
    for clock in reversed(clocks):
        after = shared[-1] if shared else None
        if after and clock.moment.offset_s is None and _SPAN_JOINT.fullmatch(text[clock.end : after.start][:6]):
            moment = replace(clock.moment, offset_s=after.moment.offset_s, zone=after.moment.zone)
            clock = replace(clock, moment=moment)
        shared.append(clock)
    return shared


def _with_others(found: tuple[Found, ...], text: str) -> tuple[Found, ...]:
    """Each time with what it may mean as well because of the times around it."""
    in_halves = any(one.names_half for one in found)
    whole = zone_of_the_text(text)
    given: Zone | None = None
    read: list[Found] = []
    for at, one in enumerate(found):
        if at and _SENTENCE_END.search(text, found[at - 1].end, one.start):
            given = None
        zone = given or whole
        others = (_in_zone(one.moment, zone),) if zone and one.moment.hour is not None and not _has_zone(one) else ()
        is_open = (in_halves or one.is_spoken) and _leaves_half_open(one)
        halves = tuple(map(_other_half, (one.moment, *others))) if is_open else ()
        read.append(replace(one, others=(*others, *halves)))
        given = Zone(one.moment.offset_s, one.moment.zone) if _has_zone(one) else given
    return tuple(read)


def _leaves_half_open(found: Found) -> bool:
    return not found.names_half and found.moment.hour is not None and found.moment.hour <= 12


def _other_half(moment: Moment) -> Moment:
    return replace(moment, hour=((moment.hour or 0) + 12) % 24)


def _with_late_year(found: Found, text: str) -> Found:
    """``May 20 08:00:00 CST 2026`` and ``Oct 23 02:00:00 2026 GMT``: the year, and perhaps the zone, come last."""
    year = _LATE_YEAR.match(text, found.end) if found.moment.year is None else None
    if not year:
        return found
    dated = replace(found, moment=replace(found.moment, year=int(year["y"])), end=year.end())
    return dated if _has_zone(dated) else _with_zone(dated, text)


def _joined(days: list[Found], clocks: list[Found], text: str) -> Iterator[Found]:
    """Dates and clocks, joined where a clock follows its date."""
    following = {clock.start: clock for clock in clocks}
    used: set[int] = set()
    for day in sorted(days, key=lambda found: found.start):
        clock = next((following[at] for at in range(day.end, day.end + 5) if at in following), None)
        if clock is None or not _BETWEEN.match(text[day.end : clock.start]):
            yield day
            continue
        used.add(clock.start)
        moment = replace(clock.moment, year=day.moment.year, month=day.moment.month, day=day.moment.day)
        yield _with_late_year(replace(clock, moment=moment, start=day.start), text)
    yield from (clock for clock in clocks if clock.start not in used)
