"""A folder of log files as a log source: ``*.jsonl``, ``*.log`` and ``*.txt``, at any depth.

Small files are parsed once and kept until they change. Of large ones only an index of blocks is kept: which times,
services and levels stand where, and which lines are broken. Links that lead out of the folder are never followed.
All reading happens in threads; a cancelled search ends its thread before it returns.
"""

import stat
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path, PurePosixPath
from threading import Lock
from zoneinfo import ZoneInfo

from state.model.enums import ToolCode
from state.model.errors import ToolFailed
from tools.logs.block import Held, add_held
from tools.logs.covering import GLIMPSE_S, SURVEY_S, Surveying, Timer, late_of, may_span, newest_within
from tools.logs.decode import is_binary, is_utf16
from tools.logs.file_index import FileIndex, Key, OpenFile, key_of
from tools.logs.file_sample import sampled
from tools.logs.folder_listing import log_files, shown
from tools.logs.glimpse import glimpse
from tools.logs.kept import Kept
from tools.logs.large_search import LargeSearch, sure_matches
from tools.logs.matching import matching
from tools.logs.port import Holdings, LogPage, LogQuery, Unread
from tools.logs.read_file import ReadFile, ReadingStopped, read_file
from tools.logs.stamps import Reference
from tools.logs.stored_file import Stored, holding_of, oldest_by_service, oldest_of, services_of, unread_of
from tools.logs.threads import held, in_thread
from tools.regular_file import read_regular

MAX_FILE_BYTES = 16 * 1024 * 1024 * 1024
"""A larger file is not read, and named."""
WHOLE_FILE_BYTES = 8 * 1024 * 1024
"""A larger file is never held as a whole."""
WHOLE_FOLDER_BYTES = 24 * 1024 * 1024
"""Of all files that are held as a whole; further ones are treated as large."""
COUNTED_BYTES = 64 * 1024 * 1024
"""Of large files that one look at the holdings surveys; the rest is estimated from both ends of each file."""
_SNIFFED_BYTES = 8192


class FolderLogSource:
    """Implements ``LogSource`` over one folder."""

    def __init__(
        self,
        name: str,
        folder: Path,
        *,
        time_zone: str,
        now: datetime,
        on_read: Callable[[int], None] = lambda _n_bytes: None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """``time_zone`` reads stamps without offset; ``now`` gives stamps without a year theirs.

        ``on_read`` is told the bytes of every read of a large file, in the reading thread. ``monotonic`` bounds how
        long one search surveys: seconds from an arbitrary start.
        """
        self.name = name
        self._folder = folder
        self._reference = Reference(ZoneInfo(time_zone), now)
        self._on_read = on_read
        self._monotonic = monotonic
        self._stored: dict[str, Stored] = {}
        self._indexes: dict[str, FileIndex] = {}
        self._lock = Lock()

    async def search(self, query: LogQuery) -> LogPage:
        """All matches in the folder, or of too many an even selection and their number.

        Files of a large folder that could not be surveyed in time are named as ``timed_out``; of them only what
        should lie in the window was searched. The next search goes on with the survey.

        Raises ToolFailed (TOOL_EXECUTION_ERROR) if the folder is gone.
        """
        return await in_thread(lambda is_cancelled: self._search(query, is_cancelled))

    async def holdings(self) -> Holdings:
        """What the folder holds now; of large files not searched yet it may be an estimate, and then says so.

        Raises ToolFailed (TOOL_EXECUTION_ERROR) if the folder is gone.
        """
        return await in_thread(self._holdings)

    def _search(self, query: LogQuery, is_cancelled: Callable[[], bool]) -> LogPage:
        start, end = query.window.start, query.window.end
        surveying = Surveying(self._open, self._reference, is_cancelled)
        timer = Timer(self._monotonic, SURVEY_S)
        with held(self._lock, is_cancelled):
            self._refresh(is_cancelled)
            surveying.cover(self._stored, surveying.for_window(self._stored, query.window), timer.is_late)
            files = [one.as_now() for one in self._stored.values()]
        looking = Timer(self._monotonic, GLIMPSE_S)
        kept, changed = Kept(), []
        kept.expect(sum(sure_matches(stored.index, query) for stored in files if stored.index is not None))
        has_records = False
        for stored in files:
            try:
                has_records |= self._search_file(stored, query, kept, is_cancelled, looking, is_held=has_records)
            except OSError:
                changed.append(Unread(name=stored.shown, why="unreadable"))
        events, oldest = kept.in_time(), oldest_by_service(files)
        rewritten = [Unread(name=name, why="unreadable") for name in dict.fromkeys(kept.changed)]
        unread = (*unread_of(files), *late_of(files), *changed, *rewritten)
        unparsed = sum(stored.broken_between(start, end) for stored in files)
        return LogPage(
            events=events,
            total=kept.total,
            is_complete=not unread and unparsed == 0,
            holds_window=has_records and (query.service is None or query.service in oldest or kept.total > 0),
            oldest=oldest_of(files, [*oldest.values(), *(event.at for event in events[:1])]),
            oldest_by_service=oldest,
            unread=unread,
            unparsed=unparsed,
        )

    def _search_file(
        self,
        stored: Stored,
        query: LogQuery,
        kept: Kept,
        is_cancelled: Callable[[], bool],
        looking: Timer,
        *,
        is_held: bool,
    ) -> bool:
        """True if the file has any record in the window; its matches go to ``kept``.

        Raises OSError if the file was replaced or is gone.
        """
        start, end = query.window.start, query.window.end
        index = stored.index
        if index is None:
            events = stored.file.between(start, end)
            for event in matching(events, query, is_cancelled):
                kept.add(event)
            return bool(events)
        if index.is_whole and not any(block.may_hold(start, end) for block in index.blocks):
            return False
        with self._open(stored) as file:
            known = [index]
            if not index.is_whole and may_span(index, start, end):
                known.append(glimpse(index, file.read, query.window, self._reference, is_cancelled, looking.is_late))
            n_before = kept.total
            for one in known:
                LargeSearch(one, file, query, self._reference, is_cancelled).find(kept)
            if is_held or kept.total > n_before:
                return True
            return any(one.holds(start, end, file, self._reference) for one in known)

    def _holdings(self, is_cancelled: Callable[[], bool]) -> Holdings:
        with held(self._lock, is_cancelled):
            ignored = self._refresh(is_cancelled)
            surveying = Surveying(self._open, self._reference, is_cancelled)
            surveying.cover(self._stored, newest_within(self._stored, COUNTED_BYTES))
            files = [one.as_now() for one in self._stored.values()]
        total = services_of(stored for stored in files if stored.index is None or stored.index.is_whole)
        estimated, gone = 0, []
        for stored in files:
            if stored.index is not None and not stored.index.is_whole:
                try:
                    add_held(total, self._sampled(stored, stored.index).items())
                    estimated += 1
                except OSError:
                    gone.append(Unread(name=stored.shown, why="unreadable"))
        return Holdings(
            services=tuple(holding_of(name, total[name]) for name in sorted(total)),
            unread=(*unread_of(files), *gone),
            ignored=ignored,
            n_estimated=estimated,
        )

    def _open(self, stored: Stored) -> OpenFile:
        return OpenFile(self._folder / stored.name, self._on_read)

    def _sampled(self, stored: Stored, index: FileIndex) -> dict[str, Held]:
        with self._open(stored) as file:
            return sampled(file, index.key, index.path, self._reference)

    def _refresh(self, is_cancelled: Callable[[], bool]) -> tuple[str, ...]:
        """Bring what is stored up to the files that are there by now; returns the entries left out by rule.

        Raises:
            ToolFailed: the folder does not exist.
        """
        if not self._folder.is_dir():
            raise ToolFailed(ToolCode.TOOL_EXECUTION_ERROR, log_detail=f"log folder {self._folder} is gone")
        names, ignored = log_files(self._folder)
        room = WHOLE_FOLDER_BYTES
        stored: dict[str, Stored] = {}
        for name in names:
            stored[name] = one = self._fresh(name, room, is_cancelled)
            room -= one.key[0] if one.index is None and not one.file.problem else 0
        self._indexes = {name: one.index for name, one in stored.items() if one.index is not None}
        self._stored = stored
        return ignored

    def _fresh(self, name: str, room: int, is_cancelled: Callable[[], bool]) -> Stored:
        known = self._stored.get(name)
        path = self._folder / name
        try:
            info = path.stat()
            key = key_of(info)
            if known is not None and known.key == key:
                return known
            if not stat.S_ISREG(info.st_mode):
                return Stored(name, key, ReadFile(problem="unreadable"))
            if info.st_size > MAX_FILE_BYTES:
                return Stored(name, key, ReadFile(problem="too_large"))
            if info.st_size > min(room, WHOLE_FILE_BYTES):
                return self._large(name, key)
            data = read_regular(path, max_bytes=info.st_size, check=lambda: _check(is_cancelled))
        except (OSError, ValueError):
            return Stored(name, (-1, -1, -1), ReadFile(problem="unreadable"))
        pure = PurePosixPath(shown(name))
        return Stored(name, key, read_file(data[: key[0]], pure, self._reference, is_cancelled=is_cancelled))

    def _large(self, name: str, key: Key) -> Stored:
        """The file with its index, which may still be empty.

        Raises OSError if it cannot be read.
        """
        known = self._indexes.get(name)
        if known is not None and known.key == key:
            return Stored(name, key, ReadFile(), known)
        with OpenFile(self._folder / name, self._on_read) as file:
            head = file.read(0, _SNIFFED_BYTES)
            if is_binary(head):
                return Stored(name, key, ReadFile(problem="binary"))
            if is_utf16(head):
                return Stored(name, key, ReadFile(problem="too_large"))
            fresh = FileIndex(PurePosixPath(shown(name)), key)
            index = fresh if known is None else known.grown(key, file.read)
        self._indexes[name] = index
        return Stored(name, key, ReadFile(), index)


def _check(is_cancelled: Callable[[], bool]) -> None:
    if is_cancelled():
        raise ReadingStopped
