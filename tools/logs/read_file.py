"""Turns the bytes of one log file into records in time order, and says what it could not read. Pure."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import PurePath, PurePosixPath

from state.model.redaction import redact_text
from state.model.stack_tail import drop_stack_tail
from tools.logs.decode import Line, decode_lines, is_binary
from tools.logs.json_lines import read_json_line, render_extra
from tools.logs.levels import DEFAULT_LEVEL
from tools.logs.port import LogEvent
from tools.logs.stamps import Reference, Stamped, read_stamp

MAX_MESSAGE_CHARS = 16 * 1024
"""Of one record with its continuation lines."""
CANCEL_EVERY = 2000
"""Lines between two looks at the cancel flag."""

_DATE_TAIL = re.compile(r"[-_.]?\d{4}-?\d{2}-?\d{2}.*$")
_GENERIC_STEMS = frozenset(
    "app application server service stdout stderr output console current messages log logs access error main".split()
)
_POSTGRES_TAIL = re.compile(r"^(?:DETAIL|HINT|STATEMENT|CONTEXT|QUERY)$")


class ReadingStopped(Exception):
    """The caller gave up while a file was being read."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A broken line: its record lies between these two instants; None where the file has no neighbour."""

    after: datetime | None
    before: datetime | None


@dataclass
class ReadFile:
    """One file, parsed."""

    events: list[LogEvent] = field(default_factory=list)
    """In time order; records of the same instant in file order."""
    times: list[datetime] = field(default_factory=list)
    """``at`` of each event, for bisection."""
    oldest_by_service: dict[str, datetime] = field(default_factory=dict)
    gaps: list[Gap] = field(default_factory=list)
    problem: str | None = None
    """Why nothing (binary, no_timestamps) or not everything (undecodable) of it could be read."""

    def between(self, start: datetime, end: datetime) -> list[LogEvent]:
        """Records with ``start`` ≤ time < ``end``."""
        return self.events[bisect_left(self.times, start) : bisect_left(self.times, end)]

    def broken_between(self, start: datetime, end: datetime) -> int:
        """Broken lines that may have been written in that time."""
        return sum(1 for gap in self.gaps if may_lie(gap, start, end))


def service_of(path: PurePosixPath) -> str:
    """The service a file belongs to by its name: ``payments-2026-11-30.log`` and ``payments/app.log`` are payments."""
    stem = _DATE_TAIL.sub("", path.stem) or path.stem
    is_generic = stem.lower() in _GENERIC_STEMS and path.parent.name
    return path.parent.name if is_generic else stem


def is_json_file(path: PurePath) -> bool:
    """True by its name: none of its records has a second line."""
    return path.suffix.lower() == ".jsonl"


def read_file(
    data: bytes, path: PurePosixPath, reference: Reference, *, is_cancelled: Callable[[], bool] = lambda: False
) -> ReadFile:
    """All records of the file. Lines without a stamp continue the record before them.

    A line that is neither a record nor a continuation is a gap. Raises ReadingStopped when ``is_cancelled`` turns
    true.
    """
    if is_binary(data):
        return ReadFile(problem="binary")
    return read_piece(data, path, reference, first_line=1, is_cancelled=is_cancelled)


def read_piece(
    data: bytes,
    path: PurePosixPath,
    reference: Reference,
    *,
    first_line: int,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> ReadFile:
    """As ``read_file`` of a piece that begins where a record begins; ``first_line`` is the number of its first line."""
    return read_pieces([(data, first_line)], path, reference, is_cancelled=is_cancelled)


def read_pieces(
    pieces: Iterable[tuple[bytes, int]],
    path: PurePosixPath,
    reference: Reference,
    *,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> ReadFile:
    """The records of several pieces of one file, each with the number of its first line.

    Each piece begins with a record that continues no other, whatever it looks like, or at the start of the file.
    Raises ReadingStopped as ``read_file``.
    """
    reader = _Reader(path, reference)
    for data, first_line in pieces:
        reader.begins_anew = True
        for line in _watched(decode_lines(data, first_number=first_line), is_cancelled):
            reader.take(line)
    return reader.finished()


def record_on(text: str, reference: Reference) -> Stamped | None:
    """The record that this line begins; JSON and plain text may follow each other in any file."""
    if text[0] in "{ \t":
        found = read_json_line(text, reference) if text.lstrip()[:1] == "{" else None
        if found is not None:
            return found
    return read_stamp(text, reference)


def may_continue(stamped: Stamped) -> bool:
    """PostgreSQL writes DETAIL, HINT, STATEMENT … as records of their own right after the one they belong to."""
    return is_tail(stamped.fields.get("kind"))


def is_tail(kind: object) -> bool:
    """True if it is the kind of such a record."""
    return isinstance(kind, str) and bool(_POSTGRES_TAIL.match(kind))


@lru_cache(maxsize=4096)
def service_name(written: str) -> str:
    """The name under which it is shown and found: one that holds a secret goes by what is left."""
    return redact_text(written)


def _watched(lines: Iterator[Line], is_cancelled: Callable[[], bool]) -> Iterator[Line]:
    for place, line in enumerate(lines):
        if place % CANCEL_EVERY == 0 and is_cancelled():
            raise ReadingStopped
        yield line


def may_lie(gap: Gap, start: datetime, end: datetime) -> bool:
    """True if its record may have been written in ``start`` ≤ time < ``end``."""
    return (gap.after is None or gap.after < end) and (gap.before is None or gap.before >= start)


class _Reader:
    """Builds the records of one file, line by line."""

    def __init__(self, path: PurePosixPath, reference: Reference) -> None:
        self.path = path
        self.reference = reference
        self.service = service_of(path)
        self.is_json = is_json_file(path)
        self.file = ReadFile()
        self.tail: list[str] = []
        self.tail_chars = 0
        self.last_pid: str | None = None
        self.n_undecodable = 0
        self.open_gaps = 0
        self.begins_anew = True
        """The next record continues none, whatever it looks like."""

    def take(self, line: Line) -> None:
        if line.text is None:
            self.n_undecodable += 1
            self.open_gaps += 1
            return
        stamped = record_on(line.text, self.reference)
        if stamped is not None and not self._continues(stamped):
            self._begin(stamped, line.number)
        elif self.is_json or not self.file.events:
            self.open_gaps += 1
        else:
            self._append(stamped.message if stamped else line.text)

    def finished(self) -> ReadFile:
        self._close_event()
        self._close_gaps(None)
        file = self.file
        file.events.sort(key=lambda event: event.at)
        file.times = [event.at for event in file.events]
        for event in file.events:
            file.oldest_by_service.setdefault(event.service, event.at)
        if self.n_undecodable:
            file.problem = "undecodable"
        elif not file.events and file.gaps:
            file.problem = "no_timestamps"
        return file

    def _continues(self, stamped: Stamped) -> bool:
        if self.begins_anew or not self.file.events:
            return False
        return stamped.fields.get("pid") == self.last_pid and may_continue(stamped)

    def _begin(self, stamped: Stamped, number: int) -> None:
        self._close_event()
        self._close_gaps(stamped.at)
        self.begins_anew = False
        fields = {key: value for key, value in stamped.fields.items() if key != "kind"}
        self.last_pid = fields.get("pid")
        event = LogEvent(
            stamped.at,
            service_name(stamped.service or self.service),
            stamped.level or DEFAULT_LEVEL,
            stamped.message,
            render_extra(fields),
            f"{self.path}:{number}",
        )
        self.file.events.append(event)

    def _append(self, text: str) -> None:
        if self.tail_chars < MAX_MESSAGE_CHARS:
            self.tail.append(text)
            self.tail_chars += len(text)

    def _close_event(self) -> None:
        if self.tail:
            event = self.file.events[-1]
            event.message = drop_stack_tail("\n".join((event.message, *self.tail)))[:MAX_MESSAGE_CHARS]
            self.tail, self.tail_chars = [], 0

    def _close_gaps(self, before: datetime | None) -> None:
        if self.open_gaps:
            after = self.file.events[-1].at if self.file.events else None
            self.file.gaps.extend([Gap(after, before)] * self.open_gaps)
            self.open_gaps = 0
