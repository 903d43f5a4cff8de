"""Reads the lines of one block for what must be known of it later: times, services, levels, broken lines. Pure.

Agrees with ``read_file`` on every line, without the cost of building the texts of records.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import PurePosixPath

import orjson

from tools.logs.block import Contents, Held, add_held
from tools.logs.decode import decode_line
from tools.logs.json_lines import Places, field_texts, instant_of, places_of, service_in
from tools.logs.layout import MOST_KINDS, pack_layout
from tools.logs.levels import DEFAULT_LEVEL, LEVELS, parse_level
from tools.logs.read_file import (
    CANCEL_EVERY,
    Gap,
    ReadingStopped,
    is_json_file,
    is_tail,
    may_continue,
    record_on,
    service_name,
    service_of,
)
from tools.logs.stamps import Reference, Stamped
from tools.logs.writing import Writing, WritingSeen

_FAST_BYTES = 4000
"""Of a JSON line; longer ones may hold numbers that the two parsers read differently."""
_FAST_DEPTH = 40
"""Brackets of a JSON line; deeper ones may exceed the recursion that the full reading allows."""
_ESCAPED_WORD = re.compile(rb"\\u(?:00[3-7][0-9a-fA-F]|212[aA]|0130)")
_LOWER_AS_ASCII = ("\u212a".encode(), "\u0130".encode())
"""Characters beyond ASCII that become ASCII letters in lower case."""
_PLAIN = re.compile(
    rb"(\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d):([0-5]\d)(?:[.,](\d{1,9}))?( ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?[ \t]+()"
    rb"(?:\[(?:main|[a-z][a-z0-9_]{0,30}-[a-z0-9_-]{0,60})\] +)?"
    rb"(TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)(?! \[\d)(?=[\x00-\x7f])(?![\w/-])"
)
"""Lines of which the full reading is known to find this time, this level, no program and the rest as message."""
_WHOLE_MINUTES = b"1980"
"""From that year on every zone is whole minutes from UTC, and changes at whole minutes."""
_PLAIN_LEVELS = {name.encode(): parse_level(name) for name in ("WARNING", *LEVELS)}
_BLANKS = frozenset(b" \t")
_NO_START = frozenset(b"\t abcdefghijklmnopqrsuvwxyz})(.*#-=|&\"'/\\_~:;,")
"""Signs with which no line begins a record unless it holds ``[``: only stamps of access logs do."""


def survey(
    data: bytes, path: PurePosixPath, reference: Reference, *, is_cancelled: Callable[[], bool] = lambda: False
) -> Contents:
    """What the block holds.

    Raises:
        ReadingStopped: ``is_cancelled`` turned true.
    """
    lines = data.split(b"\n")
    surveyor = _Surveyor(path, reference, len(lines), is_utf8=_is_utf8(data))
    for place, raw in enumerate(lines):
        if place % CANCEL_EVERY == 0 and is_cancelled():
            raise ReadingStopped
        if raw and not raw.isspace():
            surveyor.take(raw, place)
    return surveyor.finished(data)


@dataclass(slots=True)
class _Tally:
    """Records of one service and level, as written."""

    place: int
    lines: int
    oldest: datetime
    newest: datetime


class _Surveyor:
    def __init__(self, path: PurePosixPath, reference: Reference, n_lines: int, *, is_utf8: bool) -> None:
        self.reference = reference
        self.service = service_of(path)
        self.is_json = is_json_file(path)
        self.is_utf8 = is_utf8
        self.counts: dict[tuple[str, str], _Tally] = {}
        self.lines = bytearray(n_lines)
        self.gaps: list[Gap] = []
        self.first_at: datetime | None = None
        self.last_at: datetime | None = None
        self.is_ordered = True
        self.last_pid: str | None = None
        self.open_gaps = 0
        self.n_undecodable = 0
        self.writing = WritingSeen()
        self.places: dict[tuple[str, ...], Places] = {}
        self.minutes: dict[tuple[bytes, bytes | None], datetime] = {}

    def take(self, raw: bytes, place: int) -> None:
        """The line at that place, from 0."""
        if raw[:1] == b"{":
            if not self._take_json(raw, place):
                self._take_text(raw, place)
        elif not (self.is_utf8 and self._take_plain(raw, place)):
            self._take_text(raw, place)

    def finished(self, data: bytes) -> Contents:
        self._close_gaps(None)
        is_escaped = b"\\u" in data
        is_faithful = self.writing.is_faithful and not (is_escaped and _ESCAPED_WORD.search(data))
        if not data.isascii():
            is_faithful = is_faithful and self.is_utf8 and not any(char in data for char in _LOWER_AS_ASCII)
        shown = [(service_name(service), level) for service, level in self.counts]
        return Contents(
            services=_held_of(self.counts),
            first_at=self.first_at,
            gaps=tuple(self.gaps),
            n_undecodable=self.n_undecodable,
            is_faithful=is_faithful,
            is_unescaped=not is_escaped,
            writing=self.writing.seen(self.places) if is_faithful else Writing(),
            layout=pack_layout(shown, self.lines),
            is_ordered=self.is_ordered,
        )

    def _take_json(self, raw: bytes, place: int) -> bool:
        """False: the line needs the full reading."""
        if len(raw) > _FAST_BYTES or raw.count(b"[") + raw.count(b"{") > _FAST_DEPTH:
            return False
        try:
            row = orjson.loads(raw)
        except orjson.JSONDecodeError:
            return False
        if self.writing.is_faithful:
            self.writing.take_row(row, raw)
        if "kind" in row and is_tail(row["kind"]):
            self.writing.is_faithful = False
            return False
        keys = tuple(row)
        places = self.places.get(keys)
        if places is None:
            self.places[keys] = places = places_of(keys)
        at = instant_of(row[places.time], self.reference) if places.time is not None else None
        if at is None:
            return False
        level = row[places.level] if places.level is not None else None
        service = row[places.service] if places.service is not None else None
        pid = field_texts({"pid": row["pid"]}).get("pid") if "pid" in row else None
        self._begin(at, _service(service), None if level is None else _level(level), place)
        self.last_pid = pid
        return True

    def _take_plain(self, raw: bytes, place: int) -> bool:
        """False: the line needs the full reading."""
        found = _PLAIN.match(raw)
        if found is None:
            return self._goes_on(raw)
        stamp, second, fraction, zone, _, level = found.groups()
        minute = self.minutes.get((stamp, zone))
        if minute is None:
            stamped = record_on(raw.decode(), self.reference)
            if stamped is None or stamp < _WHOLE_MINUTES or stamped.message.encode() != raw[found.start(5) :]:
                return False
            self.minutes[stamp, zone] = minute = stamped.at.replace(second=0, microsecond=0)
        at = minute + timedelta(0, int(second), int(fraction.ljust(6, b"0")[:6]) if fraction else 0)
        self.writing.take_prefix(found.start(5))
        self._begin(at, None, _PLAIN_LEVELS[level], place)
        self.last_pid = None
        return True

    def _goes_on(self, raw: bytes) -> bool:
        """True: it surely continues the record before it."""
        if self.is_json or self.last_at is None or raw[0] not in _NO_START:
            return False
        return b"[" not in raw and (raw[0] not in _BLANKS or b"{" not in raw)

    def _take_text(self, raw: bytes, place: int) -> None:
        text = decode_line(raw)
        if text is None:
            self.n_undecodable += 1
            self.open_gaps += 1
            return
        if not text.strip():
            return
        stamped = record_on(text, self.reference)
        if stamped is not None and text.lstrip()[:1] == "{":
            self.writing.is_faithful = False
        if stamped is not None and not self._continues(stamped):
            self.writing.take_text(raw, text, stamped.message)
            self._begin(stamped.at, stamped.service, stamped.level, place)
            self.last_pid = stamped.fields.get("pid")
        elif self.is_json or self.last_at is None:
            self.open_gaps += 1

    def _continues(self, stamped: Stamped) -> bool:
        return self.last_at is not None and stamped.fields.get("pid") == self.last_pid and may_continue(stamped)

    def _begin(self, at: datetime, service: str | None, level: str | None, place: int) -> None:
        if self.open_gaps:
            self._close_gaps(at)
        if self.last_at is None:
            self.first_at = at
        elif at < self.last_at:
            self.is_ordered = False
        self.last_at = at
        level = level or DEFAULT_LEVEL
        kind = (service or self.service, level)
        tally = self.counts.get(kind)
        if tally is None:
            self.counts[kind] = tally = _Tally(min(len(self.counts) + 1, MOST_KINDS), 0, at, at)
        self.lines[place] = tally.place
        tally.lines += 1
        if at > tally.newest:
            tally.newest = at
        elif at < tally.oldest:
            tally.oldest = at

    def _close_gaps(self, before: datetime | None) -> None:
        if self.open_gaps:
            self.gaps.extend([Gap(self.last_at, before)] * self.open_gaps)
            self.open_gaps = 0


def _held_of(counts: Mapping[tuple[str, str], _Tally]) -> dict[str, Held]:
    total: dict[str, Held] = {}
    for (service, level), one in counts.items():
        add_held(total, [(service_name(service), Held(one.lines, one.oldest, one.newest, {level}))])
    return total


@lru_cache(maxsize=1024)
def _service_named(written: str) -> str | None:
    return service_in(written)


def _service(written: object) -> str | None:
    return _service_named(written) if isinstance(written, str) else None


def _level(written: object) -> str | None:
    return _level_named(written) if isinstance(written, str) else parse_level(written)


@lru_cache(maxsize=1024)
def _level_named(written: str) -> str | None:
    return parse_level(written)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
