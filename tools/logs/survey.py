"""Reads the lines of one block for what must be known of it later: times, services, levels, broken lines. Pure.

Agrees with ``read_file`` on every line, without the cost of building the texts of records.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import PurePosixPath

import orjson

from tools.logs.block import Contents, Held, add_held
from tools.logs.decode import decode_line
from tools.logs.json_lines import field_texts, place_json_row
from tools.logs.level_words import SEVERE, LevelWords
from tools.logs.levels import DEFAULT_LEVEL, parse_level
from tools.logs.read_file import CANCEL_EVERY, Gap, ReadingStopped, may_continue, record_on, service_name, service_of
from tools.logs.stamps import Reference, Stamped

_FAST_BYTES = 4000
"""Of a JSON line; longer ones may hold numbers that the two parsers read differently."""
_FAST_DEPTH = 40
"""Brackets of a JSON line; deeper ones may exceed the recursion that the full reading allows."""
_ESCAPED_WORD = re.compile(rb"\\u(?:00[3-7][0-9a-fA-F]|212[aA]|0130)")
_PLAIN_KINDS = frozenset({str, int, bool, type(None)})
_LOWER_AS_ASCII = ("\u212a".encode(), "\u0130".encode())
"""Characters beyond ASCII that become ASCII letters in lower case."""


def survey(
    data: bytes, path: PurePosixPath, reference: Reference, *, is_cancelled: Callable[[], bool] = lambda: False
) -> Contents:
    """What the block holds.

    Raises:
        ReadingStopped: ``is_cancelled`` turned true.
    """
    surveyor = _Surveyor(path, reference)
    for place, raw in enumerate(data.split(b"\n")):
        if place % CANCEL_EVERY == 0 and is_cancelled():
            raise ReadingStopped
        if raw.strip():
            surveyor.take(raw)
    return surveyor.finished(data)


@dataclass(slots=True)
class _Tally:
    lines: int
    oldest: datetime
    newest: datetime


class _Surveyor:
    def __init__(self, path: PurePosixPath, reference: Reference) -> None:
        self.reference = reference
        self.service = service_of(path)
        self.is_json = path.suffix.lower() == ".jsonl"
        self.counts: dict[tuple[str, str], _Tally] = {}
        self.words = LevelWords()
        self.gaps: list[Gap] = []
        self.first_at: datetime | None = None
        self.last_at: datetime | None = None
        self.last_pid: str | None = None
        self.open_gaps = 0
        self.n_undecodable = 0
        self.is_faithful = True

    def take(self, raw: bytes) -> None:
        if raw[:1] != b"{" or not self._take_json(raw):
            self._take_text(raw)

    def finished(self, data: bytes) -> Contents:
        self._close_gaps(None)
        is_escaped = b"\\u" in data
        is_faithful = self.is_faithful and not (is_escaped and _ESCAPED_WORD.search(data))
        if not data.isascii():
            is_faithful = is_faithful and _is_utf8(data) and not any(char in data for char in _LOWER_AS_ASCII)
        return Contents(
            services=_held_of(self.counts),
            first_at=self.first_at,
            gaps=tuple(self.gaps),
            n_undecodable=self.n_undecodable,
            is_faithful=is_faithful,
            is_unescaped=not is_escaped,
            level_words=self.words.found() if is_faithful else {},
        )

    def _take_json(self, raw: bytes) -> bool:
        """False: the line needs the full reading."""
        if len(raw) > _FAST_BYTES or raw.count(b"[") + raw.count(b"{") > _FAST_DEPTH:
            return False
        try:
            row = orjson.loads(raw)
        except orjson.JSONDecodeError:
            return False
        if not _PLAIN_KINDS.issuperset(map(type, row.values())) and _is_rewritten(row, raw):
            self.is_faithful = False
        placed = place_json_row(row, self.reference)
        if placed is None:
            return False
        at, level, service = placed
        self._begin(at, service, None if level is None else _level(level), raw)
        self.last_pid = field_texts({"pid": row["pid"]}).get("pid") if "pid" in row else None
        return True

    def _take_text(self, raw: bytes) -> None:
        text = decode_line(raw)
        if text is None:
            self.n_undecodable += 1
            self.open_gaps += 1
            return
        if not text.strip():
            return
        stamped = record_on(text, self.reference)
        if stamped is not None and not self._continues(stamped):
            self._take_stamped(stamped, text, raw)
        elif self.is_json or self.last_at is None:
            self.open_gaps += 1

    def _take_stamped(self, stamped: Stamped, text: str, raw: bytes) -> None:
        if raw[:1] == b"{" or not ("kind" in stamped.fields or stamped.message in text):
            self.is_faithful = False
        self._begin(stamped.at, stamped.service, stamped.level, raw)
        self.last_pid = stamped.fields.get("pid")

    def _continues(self, stamped: Stamped) -> bool:
        return self.last_at is not None and stamped.fields.get("pid") == self.last_pid and may_continue(stamped)

    def _begin(self, at: datetime, service: str | None, level: str | None, raw: bytes) -> None:
        if self.open_gaps:
            self._close_gaps(at)
        if self.first_at is None:
            self.first_at = at
        self.last_at = at
        level = level or DEFAULT_LEVEL
        if level in SEVERE:
            self.words.take(level, raw)
        tally = self.counts.get((service or self.service, level))
        if tally is None:
            self.counts[service or self.service, level] = _Tally(1, at, at)
            return
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


def _level(written: object) -> str | None:
    return _level_named(written) if isinstance(written, str) else parse_level(written)


@lru_cache(maxsize=1024)
def _level_named(written: str) -> str | None:
    return parse_level(written)


def _is_rewritten(value: object, raw: bytes) -> bool:
    """True if a number in it may be shown otherwise than it is written."""
    if isinstance(value, float):
        return repr(value).encode() not in raw
    if isinstance(value, dict):
        return any(_is_rewritten(part, raw) for part in value.values())
    return isinstance(value, list) and any(_is_rewritten(part, raw) for part in value)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
