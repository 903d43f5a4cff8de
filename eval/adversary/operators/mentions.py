"""Numbers and times as they stand in a text, found by plain patterns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

_ISO = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)(?P<gap>[T ])(?P<clock>\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?P<zone>Z|[+-]\d\d:?\d\d)?"
)
_CLOCK = re.compile(
    r"(?<![\d:.T-])(?P<clock>(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)"
    r"(?P<zone>Z| ?UTC|[+-]\d\d:\d\d)?(?![\d:])"
)
_DAY = re.compile(
    r"(?<!\d)\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
    r"|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}\b"
    r"|(?:\d{4}\s?年\s?)?\d{1,2}\s?月\s?\d{1,2}\s?[日号]|(?<![\d-])\d{4}-\d\d-\d\d(?![\dT])"
)
_ZH_CLOCK = re.compile(r"\d{1,2}\s?[点时](?:\s?\d{1,2}\s?分(?!钟))?")
UNITS = (
    r"%|ms\b|s\b|sec\b|seconds?\b|milliseconds?\b|min\b|minutes?\b|hours?\b|days?\b|[KMGT]i?B\b|bytes?\b|times\b"
    r"|毫秒|秒|分钟|个小时|小时|天|次|条|个(?!百分点)|行|笔|台"
)
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.:/#@*-])(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"(?P<unit>\s?(?:{UNITS}))?(?![A-Za-z0-9_:/@-]|\.\d|,\d{{3}})"
)
_MARK = re.compile(r"^\s{0,3}\d+[.)、]", re.MULTILINE)


@dataclass(frozen=True)
class NumberMention:
    """A number in a text."""

    start: int
    end: int
    """Of the number, without its unit."""
    number: str
    unit: str
    """With the space before it; empty for none."""

    @property
    def is_time(self) -> bool:
        """True if the unit is one of time."""
        return (
            re.fullmatch(
                r"ms|s|sec|seconds?|milliseconds?|min|minutes?|hours?|days?|毫秒|秒|分钟|个?小时|天", self.unit.strip()
            )
            is not None
        )


@dataclass(frozen=True)
class TimeMention:
    """A clock, with or without its date, in a text."""

    start: int
    end: int
    date: str
    """``2026-05-12``; empty for none."""
    gap: str
    clock: str
    zone: str
    """As written; empty for none."""

    @property
    def parts(self) -> tuple[int, int, int | None]:
        """Hour, minute and second; None for a second that is not told."""
        pieces = self.clock.split(":")
        return int(pieces[0]), int(pieces[1]), int(pieces[2][:2]) if len(pieces) > 2 else None

    @property
    def iso(self) -> str:
        """The clock with an hour of two digits."""
        return self.clock.zfill(len(self.clock) + (self.clock[1] == ":"))

    def instant(self, zone: tzinfo) -> datetime | None:
        """The instant, read in ``zone`` where none is written; None without a date."""
        if not self.date:
            return None
        written = self.zone.strip().replace("UTC", "Z").replace("Z", "+00:00")
        at = datetime.fromisoformat(f"{self.date}T{self.iso}{written}")
        return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)

    def written(self, *, date: str | None = None, clock: str | None = None, zone: str | None = None) -> str:
        """The mention with some of its parts replaced."""
        new_date, new_zone = self.date if date is None else date, self.zone if zone is None else zone
        return f"{new_date}{self.gap}{clock or self.clock}{new_zone}"


def numbers_in(text: str) -> Iterator[NumberMention]:
    """Plain numbers: not inside a time, an identifier or a mark of a list."""
    hidden = _without(text, _ISO, _CLOCK, _DAY, _ZH_CLOCK, _MARK)
    for found in _NUMBER.finditer(hidden):
        yield NumberMention(found.start("number"), found.end("number"), found["number"], found["unit"] or "")


def times_in(text: str) -> Iterator[TimeMention]:
    """Clocks, each with the date and the zone that stand beside it."""
    for found in _ISO.finditer(text):
        yield TimeMention(found.start(), found.end(), found["date"], found["gap"], found["clock"], found["zone"] or "")
    for found in _CLOCK.finditer(_without(text, _ISO)):
        yield TimeMention(found.start(), found.end(), "", "", found["clock"], found["zone"] or "")


def days_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Dates without a clock: start, end and words."""
    for found in _DAY.finditer(_without(text, _ISO)):
        yield found.start(), found.end(), found.group()


def _without(text: str, *patterns: re.Pattern[str]) -> str:
    for pattern in patterns:
        text = pattern.sub(lambda found: " " * len(found.group()), text)
    return text
