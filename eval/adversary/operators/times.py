"""Times at which nothing of this run happened, and times of something else."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from eval.adversary.operators.editing import Edit, Edits, one_edit
from eval.adversary.operators.mentions import TimeMention, days_in, times_in
from eval.adversary.operators.operator import MutationClass, Operator
from eval.adversary.operators.scene import Place, Scene
from worlds.generate.dice import Dice

Shift = Callable[[Dice], Iterator[timedelta]]
_HEDGES = ("about", "around", "roughly", "~", "约", "大约", "左右", "前后")
_LEAST_HEDGED = timedelta(minutes=20)
_PARTS_ZH = ("凌晨", "上午", "下午", "晚上")
_JOINT = re.compile(r" to | until | ?[-–] ?| ?[至到] ?")


def known_times(scene: Scene, place: Place) -> Iterator[TimeMention]:
    """Clocks of the text that the evidence or the question shows."""
    yield from (one for one in times_in(place.text) if scene.stock.holds_clock(*one.parts))


def moved(scene: Scene, mention: TimeMention, by: timedelta) -> TimeMention | None:
    """The mention so much later, in its own form; None for a bare clock that leaves its day."""
    day = mention.date or "2000-01-02"
    at = datetime.fromisoformat(f"{day}T{mention.iso}").replace(tzinfo=scene.zone) + by
    if not mention.date and at.day != 2:
        return None
    clock = at.strftime("%H:%M:%S" if mention.parts[2] is not None else "%H:%M")
    fraction = mention.clock.partition(".")[2]
    clock = f"{clock}.{fraction}" if fraction else clock
    return TimeMention(
        mention.start, mention.end, at.date().isoformat() if mention.date else "", mention.gap, clock, mention.zone
    )


def is_unheld(scene: Scene, place: Place, mention: TimeMention) -> bool:
    """True if nothing of the run is at that time, in whatever zone, and no absence speaks of it."""
    if scene.stock.holds_clock(*mention.parts):
        return False
    instant = mention.instant(scene.zone)
    if not scene.is_negative(place.path):
        return True
    return instant is not None and not scene.stock.is_inside(instant)


def _shifted(shift: Shift) -> Edits:
    def edits(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
        for mention in known_times(scene, place):
            for by in shift(dice):
                if _is_hedged(place.text, mention) and abs(by) < _LEAST_HEDGED:
                    continue
                other = moved(scene, mention, by)
                if other and is_unheld(scene, place, other):
                    yield Edit(mention.start, mention.end, other.written())

    return edits


def _is_hedged(text: str, mention: TimeMention) -> bool:
    beside = text[max(0, mention.start - 12) : mention.start] + text[mention.end : mention.end + 4]
    return any(word in beside.casefold() for word in _HEDGES)


def _signed(*amounts: timedelta) -> Shift:
    return lambda dice: iter(dice.sample([sign * one for one in amounts for sign in (1, -1)], 2 * len(amounts)))


_SECONDS = _signed(*(timedelta(seconds=one) for one in (1, 7, 20)))
_MINUTES = _signed(*(timedelta(minutes=one) for one in (1, 3, 10, 25)))
_HOURS = _signed(timedelta(hours=1), timedelta(hours=2), timedelta(hours=12))


def _with_seconds(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
    for edit in _shifted(_SECONDS)(scene, place, dice):
        if edit.words.count(":") - edit.words.count("+") >= 2 or ":" in edit.words[6:]:
            yield edit


def _day(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
    """The date of a time, or a date alone, becomes another one on which nothing was recorded."""
    for mention in known_times(scene, place):
        for days in dice.sample((1, -1, 2, 7), 4):
            other = moved(scene, mention, timedelta(days=days)) if mention.date else None
            at = other.instant(scene.zone) if other else None
            if other and at and not scene.stock.holds_day(at.month, at.day):
                yield Edit(mention.start, mention.end, other.written())
    for start, end, words in days_in(place.text):
        yield from _other_day(scene, start, end, words)


def _other_day(scene: Scene, start: int, end: int, words: str) -> Iterator[Edit]:
    digits = [(at, char) for at, char in enumerate(words) if char.isdigit()]
    last = digits[-1][0] + 1
    first = last - 1 if last < 2 or not words[last - 2].isdigit() else last - 2
    if " " in words and words[0].isdigit():
        first, last = 0, len(words.split()[0])
    number = int(words[first:last])
    held = {at.astimezone(zone).day for zone in scene.stock.zones for at in scene.stock.instants}
    for day in (number + 1, number - 1, number + 3):
        if number in held and day not in held and 1 <= day <= 28:
            yield Edit(start + first, start + last, f"{day:0{last - first}d}" if words[first] == "0" else str(day))


def _zone(scene: Scene, place: Place, dice: Dice) -> Iterator[Edit]:
    """The same digits in another zone."""
    for mention in known_times(scene, place):
        for name, offset in dice.sample(_ZONES, len(_ZONES)):
            day = mention.date or scene.stock.instants[-1].astimezone(scene.zone).date().isoformat()
            at = datetime.fromisoformat(f"{day}T{mention.iso}").replace(tzinfo=timezone(offset))
            if not scene.stock.holds_instant(at) and not _is_any(scene, at):
                yield Edit(mention.start, mention.end, mention.written(zone=_in_form(name, offset, mention)))


_ZONES = (
    ("UTC", timedelta(0)),
    ("UTC+8", timedelta(hours=8)),
    ("UTC+9", timedelta(hours=9)),
    ("UTC-5", timedelta(hours=-5)),
)


def _is_any(scene: Scene, at: datetime) -> bool:
    """True if some instant has that clock in the zone named, on whatever day."""
    shown = (one.astimezone(at.tzinfo) for one in scene.stock.instants)
    return any((one.hour, one.minute) == (at.hour, at.minute) for one in shown)


def _in_form(name: str, offset: timedelta, mention: TimeMention) -> str:
    if not mention.date or mention.gap == " ":
        return f" {name}"
    hours = int(offset.total_seconds() // 3600)
    return f"{'-' if hours < 0 else '+'}{abs(hours):02d}:00"


def _half_of_day(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """A clock of twenty-four hours becomes the other half of the day, in words."""
    for mention in known_times(scene, place):
        hour, minute, second = mention.parts
        other = (hour + 12) % 24
        if mention.date or second is not None or mention.zone or scene.stock.holds_clock(other, minute):
            continue
        clock = f"{other % 12 or 12}:{minute:02d}"
        words = f"{_PARTS_ZH[other // 6]} {clock}" if scene.is_zh else f"{clock} {'am' if other < 12 else 'pm'}"
        if not scene.is_negative(place.path):
            yield Edit(mention.start, mention.end, words)


def _edge_of_window(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """A time of something becomes the edge of the window that was searched."""
    edges = [edge for span in scene.stock_at(place.path).spans for edge in span]
    if scene.is_negative(place.path):
        return
    for mention in known_times(scene, place):
        for edge in edges:
            words = in_form(scene, mention, edge)
            if words != place.text[mention.start : mention.end]:
                yield Edit(mention.start, mention.end, words)


def _edges_swapped(scene: Scene, place: Place, _: Dice) -> Iterator[Edit]:
    """Start and end of a stated span change places: only where one text names both."""
    times = list(known_times(scene, place))
    for one, other in zip(times, times[1:], strict=False):
        before, between = place.text[max(0, one.start - 10) : one.start], place.text[one.end : other.start]
        first, second = place.text[one.start : one.end], place.text[other.start : other.end]
        is_span = _JOINT.fullmatch(between) or (between == " and " and before.endswith("between "))
        if is_span and first != second:
            yield Edit(one.start, other.end, f"{second}{between}{first}")


def in_form(scene: Scene, mention: TimeMention, instant: datetime) -> str:
    """Another instant written as that mention is."""
    own = mention.instant(scene.zone)
    written = mention.zone.strip()
    zone = scene.zone
    if own is not None and written not in {"", "Z", "UTC"}:
        zone = timezone(datetime.fromisoformat(f"{mention.date}T{mention.iso}{written}").utcoffset() or timedelta(0))
    elif written in {"Z", "UTC"}:
        zone = ZoneInfo("UTC")
    at = instant.astimezone(zone)
    clock = at.strftime("%H:%M:%S" if mention.parts[2] is not None else "%H:%M")
    fraction = mention.clock.partition(".")[2]
    clock = f"{clock}.{at.microsecond:06d}"[: len(clock) + 1 + len(fraction)] if fraction else clock
    return mention.written(date=at.date().isoformat() if mention.date else "", clock=clock)


def _operator(name: str, sentence: str, edits: Edits) -> Operator:
    return Operator(name, MutationClass.TIME, sentence, one_edit(edits, with_limitations=True))


TIME_OPERATORS = (
    _operator("time seconds moved", "A time moves by seconds.", _with_seconds),
    _operator("time minutes moved", "A time moves by minutes.", _shifted(_MINUTES)),
    _operator("time hours moved", "A time moves by hours.", _shifted(_HOURS)),
    _operator("time day moved", "A date becomes another day.", _day),
    _operator("time zone changed", "The same clock is said of another zone.", _zone),
    _operator("time other half of the day", "Two in the afternoon becomes two at night.", _half_of_day),
    _operator("time window edge", "The time of something becomes the edge of the searched window.", _edge_of_window),
    _operator("time span reversed", "Start and end of a span change places.", _edges_swapped),
)
