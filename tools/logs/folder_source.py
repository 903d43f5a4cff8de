"""A folder of log files as a log source: ``*.jsonl``, ``*.log`` and ``*.txt``, at any depth.

Files are parsed once and kept until their size or modification time changes. Links that lead out of the folder
are never followed. All reading happens in threads; a cancelled search ends its thread before it returns.
"""

import asyncio
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from pathlib import Path, PurePosixPath
from threading import Event, Lock
from typing import TypeVar
from zoneinfo import ZoneInfo

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from state.model.redaction import redact_text
from tools.logs.levels import rank
from tools.logs.port import Holdings, LogEvent, LogPage, LogQuery, ServiceHolding, Unread
from tools.logs.read_file import CANCEL_EVERY, ReadFile, ReadingStopped, read_file
from tools.logs.stamps import Reference
from tools.regular_file import leads_out, read_regular
from tools.valid_text import valid_text

SUFFIXES = frozenset({".jsonl", ".log", ".txt"})
MAX_FILE_BYTES = 256 * 1024 * 1024
"""A larger file is not read, and named."""

_T = TypeVar("_T")


@dataclass(frozen=True)
class _Stored:
    """One file of the folder: its parsed content, or why there is none."""

    name: str
    key: tuple[int, int]
    """Size and modification time in nanoseconds."""
    file: ReadFile


class FolderLogSource:
    """Implements ``LogSource`` over one folder."""

    def __init__(self, name: str, folder: Path, *, time_zone: str, now: datetime) -> None:
        """``time_zone`` reads stamps without offset; ``now`` gives stamps without a year theirs."""
        self.name = name
        self._folder = folder
        self._reference = Reference(ZoneInfo(time_zone), now)
        self._stored: dict[str, _Stored] = {}
        self._lock = Lock()

    async def search(self, query: LogQuery) -> LogPage:
        """All matches in the folder.

        Raises ToolFailed (TOOL_EXECUTION_ERROR) if the folder is gone.
        """
        return await _in_thread(lambda is_cancelled: self._search(query, is_cancelled))

    async def holdings(self) -> Holdings:
        """What the folder holds now.

        Raises ToolFailed (TOOL_EXECUTION_ERROR) if the folder is gone.
        """
        return await _in_thread(self._holdings)

    def _search(self, query: LogQuery, is_cancelled: Callable[[], bool]) -> LogPage:
        files, _ = self._files(is_cancelled)
        start, end = query.window.start, query.window.end
        matches = [list(_matching(stored.file.between(start, end), query, is_cancelled)) for stored in files]
        oldest = _oldest_by_service(files)
        unread = tuple(
            Unread(name=_shown(stored.name), why=stored.file.problem) for stored in files if stored.file.problem
        )
        unparsed = sum(stored.file.broken_between(start, end) for stored in files)
        events = list(merge(*matches, key=lambda event: event.at))
        has_records = any(stored.file.between(start, end) for stored in files)
        return LogPage(
            events=events,
            total=len(events),
            is_complete=not unread and unparsed == 0,
            holds_window=has_records and (query.service is None or query.service in oldest),
            oldest=min(oldest.values(), default=None),
            oldest_by_service=oldest,
            unread=unread,
            unparsed=unparsed,
        )

    def _holdings(self, is_cancelled: Callable[[], bool]) -> Holdings:
        files, ignored = self._files(is_cancelled)
        held: dict[str, _Holding] = {}
        for event in (event for stored in files for event in stored.file.events):
            held.setdefault(event.service, _Holding(event.at, event.at)).add(event)
        return Holdings(
            services=tuple(held[name].of(name) for name in sorted(held)),
            unread=tuple(
                Unread(name=_shown(stored.name), why=stored.file.problem) for stored in files if stored.file.problem
            ),
            ignored=ignored,
        )

    def _files(self, is_cancelled: Callable[[], bool]) -> tuple[list[_Stored], tuple[str, ...]]:
        """Every log file, parsed, by name; and the entries left out by rule.

        Raises:
            ToolFailed: the folder does not exist.
        """
        if not self._folder.is_dir():
            raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=f"log folder {self._folder} is gone")
        with self._lock:
            names, ignored = _log_files(self._folder)
            self._stored = {name: self._fresh(name, is_cancelled) for name in names}
            return list(self._stored.values()), ignored

    def _fresh(self, name: str, is_cancelled: Callable[[], bool]) -> _Stored:
        known = self._stored.get(name)
        try:
            info = (self._folder / name).stat()
            key = (info.st_size, info.st_mtime_ns)
            if known is not None and known.key == key:
                return known
            if not stat.S_ISREG(info.st_mode):
                return _Stored(name, key, ReadFile(problem="unreadable"))
            if info.st_size > MAX_FILE_BYTES:
                return _Stored(name, key, ReadFile(problem="too_large"))
            data = _read(self._folder / name, is_cancelled)
        except (OSError, ValueError):
            return _Stored(name, (-1, -1), ReadFile(problem="unreadable"))
        if len(data) > MAX_FILE_BYTES:
            return _Stored(name, key, ReadFile(problem="too_large"))
        return _Stored(
            name, key, read_file(data, PurePosixPath(_shown(name)), self._reference, is_cancelled=is_cancelled)
        )


class _Holding:
    def __init__(self, oldest: datetime, newest: datetime) -> None:
        self.oldest, self.newest, self.lines = oldest, newest, 0
        self.levels: set[str] = set()

    def add(self, event: LogEvent) -> None:
        self.lines += 1
        self.levels.add(event.level)
        self.oldest = min(self.oldest, event.at)
        self.newest = max(self.newest, event.at)

    def of(self, service: str) -> ServiceHolding:
        levels = tuple(sorted(self.levels, key=rank))
        return ServiceHolding(service, self.lines, levels, self.oldest, self.newest)


def _oldest_by_service(files: list[_Stored]) -> dict[str, datetime]:
    oldest: dict[str, datetime] = {}
    for stored in files:
        for service, at in stored.file.oldest_by_service.items():
            oldest[service] = min(at, oldest.get(service, at))
    return oldest


def _matching(events: list[LogEvent], query: LogQuery, is_cancelled: Callable[[], bool]) -> Iterator[LogEvent]:
    """The events that pass all filters, in order.

    Raises:
        ReadingStopped: the search was cancelled.
    """
    least = rank(query.level) if query.level else 0
    needle = query.contains.lower() if query.contains else ""
    for place, event in enumerate(events):
        if place % CANCEL_EVERY == 0 and is_cancelled():
            raise ReadingStopped
        if query.service is not None and event.service != query.service:
            continue
        if rank(event.level) < least:
            continue
        if needle and needle not in f"{event.message} {event.extra}".lower():
            continue
        yield event


def _log_files(folder: Path) -> tuple[list[str], tuple[str, ...]]:
    """Names of all log files below the folder in order, and of links that leave it."""
    root = folder.resolve()
    names: list[str] = []
    ignored: list[str] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        is_log = path.suffix.lower() in SUFFIXES and not path.is_dir()
        if path.is_symlink() and leads_out(path, root, unresolved=False):
            ignored.append(name)
        elif is_log:
            names.append(name)
    return names, tuple(map(_shown, ignored))


def _shown(name: str) -> str:
    """The name as it is told: a file name may hold a secret, or bytes that are no text."""
    return valid_text(redact_text(name))


def _read(path: Path, is_cancelled: Callable[[], bool]) -> bytes:
    """The whole file, as far as it may be read.

    Raises:
        ReadingStopped: the search was cancelled.
    """

    def check() -> None:
        if is_cancelled():
            raise ReadingStopped

    return read_regular(path, max_bytes=MAX_FILE_BYTES, check=check)


async def _in_thread(work: Callable[[Callable[[], bool]], _T]) -> _T:
    """The result of ``work``, done in a thread.

    Raises:
        CancelledError: the caller was cancelled; by then the thread has been told and has ended.
    """
    cancelled = Event()
    task = asyncio.ensure_future(asyncio.to_thread(work, cancelled.is_set))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        cancelled.set()
        await asyncio.gather(task, return_exceptions=True)
        raise
