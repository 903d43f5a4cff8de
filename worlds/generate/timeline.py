"""When things happen in a world: first telemetry, the change, the onset of symptoms, now.

All instants are UTC and derive from the seed; `now_at` stands in for the wall clock.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from worlds.generate.dice import Dice, draw_word

LEAD_MIN = 150
"""Minutes of ordinary telemetry before the onset."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The four instants of a world and the zone in which people speak about them."""

    begin_at: datetime
    """First telemetry; UTC."""
    change_at: datetime
    """The deployment or setting change that precedes the onset by minutes; UTC."""
    onset_at: datetime
    """When the asked-about symptom starts; UTC, a multiple of five minutes."""
    now_at: datetime
    """The fixed present; UTC, later than every record."""
    zone: str
    """IANA name of the zone used in the question."""

    def local(self, at: datetime) -> datetime:
        """Return `at` in the zone of the world."""
        return at.astimezone(ZoneInfo(self.zone))

    def clock(self, at: datetime) -> str:
        """Return the local wall-clock time `HH:MM`."""
        return self.local(at).strftime("%H:%M")

    def is_after_onset(self, at: datetime) -> bool:
        """Tell whether `at` lies in the window the question asks about."""
        return at >= self.onset_at


def draw_timeline(dice: Dice, zones: Sequence[str], *, change_lead_s: tuple[int, int] = (420, 720)) -> Timeline:
    """Return a working-hours timeline on a weekday of 2026 in one of `zones`.

    The change precedes the onset by a number of seconds within `change_lead_s`.
    """
    zone = draw_word(dice, zones)
    day = datetime(2026, 1, 5, tzinfo=ZoneInfo(zone)) + timedelta(weeks=dice.randrange(46), days=dice.randrange(5))
    local_onset = day.replace(hour=dice.randrange(9, 19), minute=5 * dice.randrange(12))
    onset_at = local_onset.astimezone(UTC)
    return Timeline(
        begin_at=onset_at - timedelta(minutes=LEAD_MIN),
        change_at=onset_at - timedelta(seconds=dice.randrange(*change_lead_s)),
        onset_at=onset_at,
        now_at=onset_at + timedelta(seconds=dice.randrange(36 * 60, 48 * 60)),
        zone=zone,
    )


def every(start: datetime, end: datetime, *, step_s: float) -> Iterator[datetime]:
    """Yield start, start + step_s, … strictly before `end`."""
    at = start
    while at < end:
        yield at
        at += timedelta(seconds=step_s)
